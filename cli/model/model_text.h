/*
 * model_text.h - workloads and predictions as text and as JSON.
 */
#ifndef TAMIS_CLI_MODEL_TEXT_H
#define TAMIS_CLI_MODEL_TEXT_H

#include <jansson.h>

#include "tamis/model.h"

enum { MODEL_TEXT = 32, MODEL_WORKLOAD_TEXT = 320 };

/* Three digits: "1.23 ms", "1.23 G", "32 KiB", "1.23e-05". Each returns text. */
const char *model_seconds_text(double seconds, char text[MODEL_TEXT]);
const char *model_count_text(double value, char text[MODEL_TEXT]);
const char *model_bytes_text(double bytes, char text[MODEL_TEXT]);
const char *model_rate_text(double fpr, char text[MODEL_TEXT]);

const char *model_items(tms_app app);           /* what D counts: "w-mers" */
const char *model_where(const tms_workload *w); /* "shared", "global" or "cpu": the column `place` */

/* "bank, shared: k = 6, m = 262144 bits (32 KiB), n = 20000, D = 5400000" */
const char *model_workload_text(const tms_workload *w, char text[MODEL_WORKLOAD_TEXT]);

/* NULL: no memory. */
json_t *model_workload_json(const tms_workload *w);
json_t *model_prediction_json(const tms_prediction *p);

/* model_json_print() - an object, which is freed, to standard output. Returns 0; -1: no memory, or NULL was given. */
int model_json_print(json_t *root);

/* model_binding() - the name of the term that binds. */
const char *model_binding(const tms_prediction *p);

#endif
