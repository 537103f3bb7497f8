/*
 * figure_parts.h - the inputs of a figure, and helpers shared by the functions that make figures.
 */
#ifndef TAMIS_FIGURE_PARTS_H
#define TAMIS_FIGURE_PARTS_H

#include "figures/chart.h"
#include "figures/figure_data.h"
#include "figures/figure_runs.h"

typedef struct model_figure model_figure;

/* The inputs of a figure: those of its tables that exist. */
enum { FIGURE_TABLES = 3 };
typedef struct figure_inputs {
    const model_figure *figure;
    figure_data *data;
    model_table *tables[FIGURE_TABLES];
    size_t n_tables;
} figure_inputs;

/* A figure's function adds series to the chart; none if the tables have no usable row. */
typedef void figure_builder(const figure_inputs *in, chart *c);

struct model_figure {
    const char *name;     /* "ma11.7" */
    const char *sentence; /* caption */
    const char *takes;    /* names the required rows, for the message if there are none */
    const char *tables;   /* names of its tables, the best first, separated by spaces */
    figure_builder *build;
    double m_bits, other; /* parameters of build; see figures[] */
    const char *rows;
};

/* Numbers as text: "50,000"; "256 Kbit"; "8 KiB". Each returns its buffer. */
enum { FIGURE_WORD = 40 };
const char *figure_count(double n, char text[FIGURE_WORD]);
const char *figure_bits(double m_bits, char text[FIGURE_WORD]);
const char *figure_bytes(double bytes, char text[FIGURE_WORD]);

/* figure_series() - the series with the formatted title, such as "n = 50,000"; a new one if there is none. */
chart_series *figure_series(chart *c, chart_how how, int look, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Sets the title, and the subtitle: machine and date from the notes of the table. */
__attribute__((format(printf, 3, 4))) void figure_title(chart *c, const model_table *t, const char *format, ...);
void figure_axes(chart *c, const char *x, const char *y);

/* Adds an entry for lines to the key, in grey. */
void figure_key_line(chart *c, int dash, const char *title);

/* Replaces the key entries of all lines, which are predictions, by one grey entry for each form of the model. Sorts the lines. */
void figure_shorten_key(chart *c);

/*
 * figure_runs() - collects the runs for which `want` is true. Sweeps and tables of tamis-bench are not mixed: the first run decides.
 *   runs [out] freed with free(); NULL if there are none
 * Returns their number.
 */
typedef int figure_want(const figure_run *run, const model_figure *figure);
size_t figure_runs(const figure_inputs *in, figure_want *want, chart *c, figure_run **runs);

/* The functions of figures[] (figures.c), by file. */
figure_builder figure_fpr, figure_fpr_errors; /* figures_fpr.c */
figure_builder figure_over_k, figure_over_n, figure_blocks, figure_threads, figure_copies, figure_fit, figure_tradeoff, figure_zigzag,
    figure_schedules; /* figures_bank.c */
figure_builder figure_random_blocks, figure_random_threads, figure_hit_rates, figure_random_size, figure_classify, figure_check,
    figure_random_cpu, figure_sweep_strings;                                                                   /* ..._memory.c */
figure_builder figure_ong, figure_thesis;                                                                      /* ..._strings.c */
figure_builder figure_stages, figure_candidates, figure_end_blocks, figure_end_sub_queries, figure_end_passed; /* ..._blastn.c */

#endif
