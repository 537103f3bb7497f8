/*
 * model_json.h - workloads and predictions as JSON.
 */
#ifndef TAMIS_CLI_MODEL_JSON_H
#define TAMIS_CLI_MODEL_JSON_H

#include <jansson.h>

#include "tamis/model.h"

/* NULL: no memory. */
json_t *model_workload_json(const tms_workload *w);
json_t *model_prediction_json(const tms_prediction *p);

/* model_json_print() - prints an object to standard output and frees it. Returns 0; -1: no memory, or the object is NULL. */
int model_json_print(json_t *root);

#endif
