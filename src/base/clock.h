/*
 * clock.h - seconds, for measuring how long something takes.
 *
 * Reading the clock takes about as long as a short step of a search. Such steps are timed in samples: one in some, with what the clock
 * itself takes subtracted, so that the timing of all of them costs next to nothing.
 */
#ifndef TMS_CLOCK_H
#define TMS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Seconds since an arbitrary moment; never goes back. */
static inline double clock_seconds(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The steps that were timed, each as often as it stands for steps that were not. All zero is none. */
struct clock_sample {
    uint64_t n;
    double seconds;
};

/* clock_cost() - seconds that reading the clock takes. */
static inline double clock_cost(void)
{
    double least = 1;

    for (int i = 0; i < 16; i++) {
        const double first = clock_seconds(), cost = clock_seconds() - first;
        least = cost < least ? cost : least;
    }
    return least;
}

/* clock_sample_take() - adds steps that took `seconds`. */
static inline void clock_sample_take(struct clock_sample *sample, uint64_t n, double seconds)
{
    sample->n += n;
    sample->seconds += seconds;
}

static inline void clock_sample_add(const struct clock_sample *from, struct clock_sample *to)
{
    to->n += from->n;
    to->seconds += from->seconds;
}

/* clock_sample_all() - the seconds of n steps, of which the sample has some. 0: it has none. */
static inline double clock_sample_all(const struct clock_sample *sample, uint64_t n)
{
    return sample->n > 0 && sample->seconds > 0 ? sample->seconds / (double)sample->n * (double)n : 0;
}

#endif
