/*
 * figure_parts.h - what a figure is made of, and what the functions that make figures share.
 */
#ifndef TAMIS_FIGURE_PARTS_H
#define TAMIS_FIGURE_PARTS_H

#include "figures/chart.h"
#include "figures/figure_data.h"
#include "figures/figure_runs.h"

typedef struct model_figure model_figure;

/* What a figure is made of: its tables, of those that there are. */
enum { FIGURE_TABLES = 3 };
typedef struct figure_inputs {
    const model_figure *figure;
    figure_data *data;
    model_table *tables[FIGURE_TABLES];
    size_t n_tables;
} figure_inputs;

/* A figure's function puts series into the chart; without a row that it can use it puts none. */
typedef void figure_builder(const figure_inputs *in, chart *c);

struct model_figure {
    const char *name;     /* "ma11.7" */
    const char *sentence; /* what it shows */
    const char *takes;    /* its rows, for the message where there are none */
    const char *tables;   /* where they are kept, the best first, spaces between */
    figure_builder *build;
    double m_bits, other; /* what the function makes of them */
    const char *rows;
};

/* "50,000"; "256 Kbit"; "8 KiB", of bits. Each returns its buffer. */
enum { FIGURE_WORD = 40 };
const char *figure_count(double n, char text[FIGURE_WORD]);
const char *figure_bits(double m_bits, char text[FIGURE_WORD]);
const char *figure_bytes(double bytes, char text[FIGURE_WORD]);

/* The same text for the same series: "n = 50,000". */
chart_series *figure_series(chart *c, chart_how how, int look, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Title, and the machine with date and commit by the notes of the table. */
__attribute__((format(printf, 3, 4))) void figure_title(chart *c, const model_table *t, const char *format, ...);
void figure_axes(chart *c, const char *x, const char *y);

/* The entry of the key for lines, in grey. */
void figure_key_line(chart *c, int dash, const char *title);

/* Lines are predictions: one entry of the key for each form of the model, in grey, instead of one for each curve. Sorts them. */
void figure_shorten_key(chart *c);

/*
 * figure_runs() - all runs for which `want` is true. Tables of two kinds are not mixed: the first table that has one decides.
 *   runs [out] freed with free(); NULL where there are none
 * Returns how many there are.
 */
typedef int figure_want(const figure_run *run, const model_figure *figure);
size_t figure_runs(const figure_inputs *in, figure_want *want, chart *c, figure_run **runs);

/* The functions of figures[] (figures.c), by file. */
figure_builder figure_fpr, figure_fpr_errors; /* figures_fpr.c */
figure_builder figure_over_k, figure_over_n, figure_blocks, figure_threads, figure_copies, figure_fit, figure_tradeoff, figure_zigzag,
    figure_schedules; /* figures_bank.c */
figure_builder figure_random_blocks, figure_random_threads, figure_hit_rates, figure_random_size, figure_classify, figure_check,
    figure_random_cpu, figure_sweep_strings; /* ..._memory.c */
figure_builder figure_ong, figure_thesis;    /* ..._strings.c */

#endif
