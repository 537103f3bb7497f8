/*
 * tuning.h - launch shapes and strategies that were chosen for the machine, in a context. Zero: the fixed choice, which was measured on one
 * GPU. They never change a result. tms_model_apply() sets them.
 */
#ifndef TMS_TUNING_H
#define TMS_TUNING_H

#include <stdint.h>

struct tuning {
    uint32_t classic_warp_from_k; /* hash functions from which a classic filter has a warp a key, not a thread */
    uint32_t reads_blocks;        /* blocks a multiprocessor that test w-mers of reads */
    uint64_t bank_shared_bits;    /* up to so many bits a vector a bank is in shared memory, beyond it interleaved */
};

#endif
