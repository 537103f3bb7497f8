/*
 * figure_runs.h - measurements of kernels, from the tables of `tamis model check -o` (sweeps) and `tamis-bench bank`.
 */
#ifndef TAMIS_FIGURE_RUNS_H
#define TAMIS_FIGURE_RUNS_H

#include "figures/model_table.h"
#include "tamis/model.h"

/* Letters are those of [Ma11] and [Ma12] (doc/papers.md). Numbers that a table does not have are NaN, words are "". */
typedef struct figure_run {
    const model_table *table;
    const char *sweep; /* or the figure of a table of tamis-bench */
    const char *app, *op, *place, *layout;
    int is_sweep;
    int is_papers; /* of a bank: the schedule of [Ma11], a vector a block in shared memory */
    double k, m_bits, n, D, Q, length;
    double blocks, threads, active_blocks; /* B_r, T_r, B_a */
    double seconds, low, high;             /* low, high: the interval of 95 % */
    double fpr;
    double predicted, predicted_paper; /* seconds */
} figure_run;

/* figure_run_read() - a row. Returns 0 where it is of another kind; numbers that are none leave a fault in the table. */
int figure_run_read(model_table *t, size_t row, figure_run *run);

/*
 * figure_run_predict() - the run's predictions, anew, by a profile; NaN for what the model or the profile does not know.
 * Of a table of tamis-bench only the papers' schedule is a workload.
 * Returns 1 if the extended form is known; 0 otherwise, and the context may have why.
 */
int figure_run_predict(figure_run *run, tms_context *ctx, const tms_profile *profile);

/* Tests of a bank: w-mers of the database times sub-queries. For other applications D. */
double figure_run_tests(const figure_run *run);

/* From the note "machine: 132 multiprocessors, L2 62914560 bytes": MP, and the bytes of a cache by its name. NaN without such a note. */
double model_table_multiprocessors(const model_table *t);
double model_table_cache(const model_table *t, const char *name);

/* Is the number of blocks in B_opt [Ma11; Ma12, eq. 2]? And eq. 12, f_sched. NaN and 0 where B_a or MP is not known. */
int figure_run_in_b_opt(const figure_run *run);
int figure_run_may_be_in_b_opt(const figure_run *run); /* or it is not known */
double figure_run_f_sched(const figure_run *run, double blocks);

/* y = a1 x + a0 by least squares; a0 = 0 where through_zero. NaN where the points do not determine them. */
typedef struct model_fit {
    double a1, a0, r2;
} model_fit;
model_fit model_fit_line(const double *x, const double *y, size_t n, int through_zero);

/* [Ma11, eq. 2; 5]; NaN for numbers of a table that no filter has. */
double model_fpr(double m_bits, double k, double n);

#endif
