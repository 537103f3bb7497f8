/*
 * block_waves.h - the time of a kernel whose blocks are dispatched as others end: [Ma12, eq. 12] extended to GPUs that do not wait
 * for a whole wave, and whose multiprocessors share memory bandwidth.
 */
#ifndef TMS_BLOCK_WAVES_H
#define TMS_BLOCK_WAVES_H

#include <stdint.h>

#define MOST_ACTIVE_BLOCKS   64
#define MOST_MULTIPROCESSORS 512

struct block_waves {
    uint32_t n_multiprocessors, active_blocks; /* MP: up to MOST_MULTIPROCESSORS; B_a: up to MOST_ACTIVE_BLOCKS */
    uint32_t n_blocks;                         /* B_r */
    uint32_t n_large;                          /* number of first blocks, with large_work; the others have small_work */
    double large_work, small_work;
    double rates[MOST_ACTIVE_BLOCKS + 1]; /* rates[n]: work per second of a multiprocessor with n blocks, without the chip's limit */
    double chip_rate, q;                  /* chip_rate: limit of all multiprocessors together; q: its sharpness */
    double spread; /* at the chip's limit multiprocessors' shares range from 1 - spread to 1 + spread; 0 <= spread < 1 */
};

/* block_waves_seconds() - seconds until the last block ends; NaN without blocks or for values out of range. Takes microseconds to a
 * millisecond. */
double block_waves_seconds(const struct block_waves *waves);

#endif
