/* model_shape.h - the best launch shape of a workload of given sizes. */
#ifndef TMS_MODEL_SHAPE_H
#define TMS_MODEL_SHAPE_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * model_best_shape() - sets the best blocks and threads of a GPU workload and returns the prediction for them. A CPU workload is not
 * changed. Takes less than 10 ms.
 */
tms_status model_best_shape(tms_context *ctx, const tms_profile *profile, tms_workload *w, tms_prediction *prediction) TMS_CHECKED;

#ifdef __cplusplus
}
#endif
#endif
