/* clock.h - seconds, for measuring how long something takes. */
#ifndef TMS_CLOCK_H
#define TMS_CLOCK_H

#include <time.h>

/* Seconds since an arbitrary moment; never goes back. */
static inline double clock_seconds(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
