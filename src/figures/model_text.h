/*
 * model_text.h - workloads, predictions and their numbers as text.
 */
#ifndef TAMIS_MODEL_TEXT_H
#define TAMIS_MODEL_TEXT_H

#include "tamis/model.h"

enum { MODEL_TEXT = 32, MODEL_WORKLOAD_TEXT = 320 };

/* Numbers with three significant digits: "1.23 ms", "1.23 G", "32 KiB", "1.23e-05". Each returns text. */
const char *model_seconds_text(double seconds, char text[MODEL_TEXT]);
const char *model_count_text(double value, char text[MODEL_TEXT]);
const char *model_bytes_text(double bytes, char text[MODEL_TEXT]);
const char *model_rate_text(double fpr, char text[MODEL_TEXT]);

const char *model_items(tms_app app);           /* the items that D counts: "w-mers" */
const char *model_where(const tms_workload *w); /* "shared", "global" or "cpu": the column `place` */

/* "bank, shared: k = 6, m = 262144 bits (32 KiB), n = 20000, D = 5400000" */
const char *model_workload_text(const tms_workload *w, char text[MODEL_WORKLOAD_TEXT]);

/* model_binding() - the name of the largest term, which limits the workload. */
const char *model_binding(const tms_prediction *p);

#endif
