/*
 * figures.h - the figures of the papers that tamis can draw.
 *
 * How to add one: a row in figures[] (figures.c), and a function that makes its chart from the rows of its tables (figure_parts.h).
 */
#ifndef TAMIS_FIGURES_H
#define TAMIS_FIGURES_H

#include "figures/figure_parts.h"
#include "io/io_error.h"

/* The figure with this index; NULL after the last one. The figure with this name; NULL if there is none. */
const model_figure *model_figure_at(size_t i);
const model_figure *model_figure_find(const char *name);

/*
 * model_figure_chart() - makes the chart of a figure. If the profile predicts none of its runs, data->remark says why.
 *   c     [out] freed with chart_free(), also on failure
 *   found [out] 0: data has no rows for the figure, and the chart is empty
 * Returns IO_OK, also if nothing was found; IO_E_INPUT: a table is damaged, or has too many curves; IO_E_MEMORY.
 */
io_status model_figure_chart(const model_figure *figure, figure_data *data, chart *c, int *found, io_error *err);

#endif
