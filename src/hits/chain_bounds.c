/* chain_bounds.c - see chain_bounds.h. */
#include "hits/chain_bounds.h"

#include <stdlib.h>

#define UNITS 1048576.0 /* weights are integers of these, rounded up */

/* Slopes are parts of the least weight, and weights that these parts of all are below. */
static const double parts_of_least[] = {0, 0.25, 0.5, 0.7, 0.85, 0.95}, below[] = {0, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99, 0.999};

enum { N_LEAST = sizeof parts_of_least / sizeof *parts_of_least, N_BELOW = sizeof below / sizeof *below };
_Static_assert(N_LEAST + N_BELOW == CHAIN_SLOPES, "each slope has a rule");

struct weighing {
    const double *weights;
    int64_t slope; /* in units */
};

static int64_t less_slope(void *of, int number, int64_t best)
{
    const struct weighing *w = of;

    return w->weights[number] > 0 ? (int64_t)(w->weights[number] * UNITS) + 1 - w->slope + best : INT64_MIN;
}

static int64_t count(void *of, int number, int64_t best)
{
    const struct weighing *w = of;

    return w->weights[number] > 0 ? 1 + best : INT64_MIN;
}

static int compare_weights(const void *pa, const void *pb)
{
    const double a = *(const double *)pa, b = *(const double *)pb;

    return a < b ? -1 : a > b;
}

static tms_status set_slopes(const struct chain_sweep *sweep, const double *weights, double *slopes)
{
    double *sorted = malloc(((size_t)sweep->n + 1) * sizeof *sorted);
    size_t n = 0;

    if (sorted == NULL)
        return TMS_E_MEMORY;
    for (int i = 0; i < sweep->n; i++)
        if (weights[sweep->hsps[i].number] > 0)
            sorted[n++] = weights[sweep->hsps[i].number];
    qsort(sorted, n, sizeof *sorted, compare_weights);
    for (int i = 0; i < N_LEAST; i++)
        slopes[i] = n > 0 ? parts_of_least[i] * sorted[0] : 0;
    for (int i = 0; i < N_BELOW; i++)
        slopes[N_LEAST + i] = n > 0 ? sorted[(size_t)(below[i] * (double)n)] : 0;
    free(sorted);
    return TMS_OK;
}

tms_status chain_bounds_find(struct chain_sweep *sweep, const double *weights, struct chain_bounds *out)
{
    struct weighing w = {.weights = weights};
    tms_status status = set_slopes(sweep, weights, out->slopes);
    int64_t longest;

    for (int k = 0; k < CHAIN_SLOPES && status == TMS_OK; k++) {
        w.slope = (int64_t)(out->slopes[k] * UNITS);
        out->slopes[k] = (double)w.slope / UNITS;
        out->most[k] = (double)chain_sweep_run(sweep, less_slope, &w) / UNITS;
    }
    longest = status == TMS_OK ? chain_sweep_run(sweep, count, &w) : 0;
    out->longest = longest > 0 ? (int)longest : 0;
    return status;
}

double chain_bounds_most(const struct chain_bounds *bounds, int n)
{
    double most = bounds->most[0] + n * bounds->slopes[0];

    for (int k = 1; k < CHAIN_SLOPES; k++) {
        const double other = bounds->most[k] + n * bounds->slopes[k];
        most = other < most ? other : most;
    }
    return most;
}
