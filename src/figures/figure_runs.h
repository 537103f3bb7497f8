/*
 * figure_runs.h - measurements of kernels, from the tables of `tamis model check -o` (sweeps) and `tamis-bench bank`.
 */
#ifndef TAMIS_FIGURE_RUNS_H
#define TAMIS_FIGURE_RUNS_H

#include "figures/model_table.h"
#include "tamis/model.h"

/* Symbols as in [Ma11] and [Ma12] (doc/papers.md). A number that the table lacks is NaN, a text "". */
typedef struct figure_run {
    const model_table *table;
    const char *sweep; /* name of the sweep, or the figure in a table of tamis-bench */
    const char *app, *op, *place, *layout;
    int is_sweep;
    int is_papers; /* a bank with the schedule of [Ma11]: one vector per block, in shared memory */
    double k, m_bits, n, D, Q, length;
    double blocks, threads, active_blocks; /* B_r, T_r, B_a */
    double seconds, low, high;             /* low, high: interval of 95 % */
    double fpr;
    double predicted, predicted_paper; /* seconds */
} figure_run;

/* figure_run_read() - reads a row. Returns 0 if the row is of another kind. A malformed number sets the table's fault. */
int figure_run_read(model_table *t, size_t row, figure_run *run);

/*
 * figure_run_predict() - replaces the run's predictions by those of a profile; NaN if the model or the profile does not cover the run. In
 * tables of tamis-bench, it covers only the papers' schedule.
 * Returns 1 if the extended form gives a prediction; 0 otherwise, and the context's message may say why.
 */
int figure_run_predict(figure_run *run, tms_context *ctx, const tms_profile *profile);

/* Number of filter tests of a bank: w-mers of the database times sub-queries. For other applications D. */
double figure_run_tests(const figure_run *run);

/* MP, and the bytes of a cache, from the note "machine: 132 multiprocessors, L2 62914560 bytes". NaN without such a note. */
double model_table_multiprocessors(const model_table *t);
double model_table_cache(const model_table *t, const char *name);

/* Is the number of blocks in B_opt [Ma11; Ma12, eq. 2]? And f_sched, eq. 12. 0 and NaN if B_a or MP is not known. */
int figure_run_in_b_opt(const figure_run *run);
int figure_run_may_be_in_b_opt(const figure_run *run); /* also 1 if B_a or MP is not known */
double figure_run_f_sched(const figure_run *run, double blocks);

/* Fits y = a1 x + a0 by least squares; a0 = 0 if through_zero. NaN if the points do not determine the coefficients. */
typedef struct model_fit {
    double a1, a0, r2;
} model_fit;
model_fit model_fit_line(const double *x, const double *y, size_t n, int through_zero);

/* [Ma11, eqs. 2 and 5]; NaN if no filter has such parameters. */
double model_fpr(double m_bits, double k, double n);

#endif
