/*
 * gnuplot.h - charts drawn by gnuplot, which is a program of its own (Debian: gnuplot-nox).
 */
#ifndef TAMIS_CLI_GNUPLOT_H
#define TAMIS_CLI_GNUPLOT_H

#include <stddef.h>

#include "figures/model_chart.h"

/*
 * gnuplot_draw() - a chart as a picture, in memory.
 *   name    [in]  of the figure, for messages
 *   picture [out] its bytes and a NUL, freed with free()
 *   n       [out] how many, without the NUL
 * gnuplot reads no file of settings. Returns CLI_OK; otherwise the exit code, having said why: CLI_USAGE where there is no gnuplot.
 */
int gnuplot_draw(const char *command, const char *name, const chart *c, chart_format format, char **picture, size_t *n);

#endif
