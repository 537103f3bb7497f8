/*
 * gnuplot.h - draws charts by running gnuplot (Debian: gnuplot-nox).
 */
#ifndef TAMIS_GNUPLOT_H
#define TAMIS_GNUPLOT_H

#include <stddef.h>

#include "figures/chart.h"
#include "io/io_error.h"

/*
 * gnuplot_draw() - draws a chart as a picture in memory. gnuplot reads no settings file.
 *   name    [in]  name of the figure, for messages
 *   picture [out] bytes of the picture and a NUL; freed with free()
 *   n       [out] number of bytes, without the NUL
 * Returns IO_OK; IO_E_INPUT: gnuplot is missing or cannot be started; IO_E_OUTPUT: gnuplot failed; IO_E_MEMORY.
 */
io_status gnuplot_draw(const char *name, const chart *c, chart_format format, char **picture, size_t *n, io_error *err);

#endif
