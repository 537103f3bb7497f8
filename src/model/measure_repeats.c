/* measure_repeats.c - the number of a workload's repeats, and the summary of their times. */
#include <math.h>
#include <string.h>

#include "model/measure.h"

int measure_go_on(const struct measure_times *times, uint32_t n_repeats)
{
    double sum = 0;
    if (n_repeats > 0)
        return times->n < (n_repeats < MEASURE_MAX_REPEATS ? n_repeats : MEASURE_MAX_REPEATS);
    for (uint32_t i = 0; i < times->n; i++)
        sum += times->seconds[i];
    return times->n < MEASURE_LEAST || (times->n < MEASURE_MOST && sum < MEASURE_SECONDS);
}

void measure_summary(const struct measure_times *times, tms_measurement *out)
{
    double sorted[MEASURE_MAX_REPEATS];
    memset(out, 0, sizeof *out);
    out->fpr = NAN;
    out->n_repeats = times->n;
    if (times->n == 0)
        return;
    for (uint32_t i = 0; i < times->n; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1] > times->seconds[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = times->seconds[i];
    }
    out->low = sorted[0];
    out->high = sorted[times->n - 1];
    out->seconds = times->n % 2 ? sorted[times->n / 2] : (sorted[times->n / 2 - 1] + sorted[times->n / 2]) / 2;
}
