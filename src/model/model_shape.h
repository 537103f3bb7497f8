/* model_shape.h - the best launch shape of a workload whose sizes are given. */
#ifndef TMS_MODEL_SHAPE_H
#define TMS_MODEL_SHAPE_H

#include "run/context.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * model_best_shape() - blocks and threads of a workload on a GPU, into it, and what is predicted of it then. A CPU's stays as it is.
 * Takes less than 10 ms.
 */
tms_status model_best_shape(tms_context *ctx, const tms_profile *profile, tms_workload *w, tms_prediction *prediction) TMS_CHECKED;

#ifdef __cplusplus
}
#endif
#endif
