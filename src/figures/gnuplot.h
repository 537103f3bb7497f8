/*
 * gnuplot.h - charts drawn by gnuplot, which is a program of its own (Debian: gnuplot-nox).
 */
#ifndef TAMIS_GNUPLOT_H
#define TAMIS_GNUPLOT_H

#include <stddef.h>

#include "figures/chart.h"
#include "io/io_error.h"

/*
 * gnuplot_draw() - a chart as a picture, in memory.
 *   name    [in]  of the figure, for messages
 *   picture [out] its bytes and a NUL, freed with free()
 *   n       [out] how many, without the NUL
 * gnuplot reads no file of settings. Returns IO_OK; IO_E_INPUT where gnuplot is missing or cannot be started; IO_E_OUTPUT where it fails;
 * IO_E_MEMORY.
 */
io_status gnuplot_draw(const char *name, const chart *c, chart_format format, char **picture, size_t *n, io_error *err);

#endif
