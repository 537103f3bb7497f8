/*
 * model_plot.h - `tamis model plot`: the papers' figures.
 */
#ifndef TAMIS_CLI_MODEL_PLOT_H
#define TAMIS_CLI_MODEL_PLOT_H

#include "options.h"

extern const option_table model_plot_options;

/* argv[0] is the verb. Returns the exit code. */
int model_plot_run(int argc, char **argv);

#endif
