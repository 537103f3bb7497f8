/*
 * model_report.h - `tamis model report`: a page with a machine's limits, the model, all figures, and how good it is.
 */
#ifndef TAMIS_CLI_MODEL_REPORT_H
#define TAMIS_CLI_MODEL_REPORT_H

#include "options.h"

extern const option_table model_report_options;

/* argv[0] is the verb. Returns the exit code. */
int model_report_run(int argc, char **argv);

#endif
