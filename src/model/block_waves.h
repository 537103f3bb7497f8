/*
 * block_waves.h - how long blocks take that are given to multiprocessors as others end: [Ma12, eq. 12] made true for GPUs that do not wait
 * for a whole wave, and whose multiprocessors share the memory behind them.
 */
#ifndef TMS_BLOCK_WAVES_H
#define TMS_BLOCK_WAVES_H

#include <stdint.h>

#define MOST_ACTIVE_BLOCKS   64
#define MOST_MULTIPROCESSORS 512

struct block_waves {
    uint32_t n_multiprocessors, active_blocks; /* MP: up to MOST_MULTIPROCESSORS; B_a: up to MOST_ACTIVE_BLOCKS */
    uint32_t n_blocks;                         /* B_r */
    uint32_t n_large;                          /* the first so many have large_work, the others small_work */
    double large_work, small_work;
    double rates[MOST_ACTIVE_BLOCKS + 1]; /* of a multiprocessor with so many blocks, work a second, if the chip is no limit */
    double chip_rate, q;                  /* limit of all together, and how sharp it is */
    double spread; /* where the chip is the limit: the largest share and the smallest are 1 + spread, 1 - spread; 0 to below 1 */
};

/* block_waves_seconds() - until the last block ends; NaN of no blocks, and of what is out of range. Takes microseconds to a millisecond. */
double block_waves_seconds(const struct block_waves *waves);

#endif
