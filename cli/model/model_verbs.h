/*
 * model_verbs.h - the verbs of `tamis model`. Each gets its name as argv[0] and returns the exit code.
 */
#ifndef TAMIS_CLI_MODEL_VERBS_H
#define TAMIS_CLI_MODEL_VERBS_H

#include "cli/options_text.h"

int model_calibrate_run(int argc, char **argv);
int model_predict_run(int argc, char **argv);
int model_tune_run(int argc, char **argv);
int model_check_run(int argc, char **argv);
int model_plot_run(int argc, char **argv);
int model_report_run(int argc, char **argv);
extern const option_table model_calibrate_options, model_predict_options, model_tune_options, model_check_options, model_plot_options,
    model_report_options;

extern const option_command model_verbs[]; /* the last one has no options */

#endif
