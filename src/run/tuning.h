/*
 * tuning.h - launch shapes and strategies chosen for the machine; part of a context. Zero means the built-in choice, measured on one GPU.
 * They never change a result. tms_model_apply() sets them.
 */
#ifndef TMS_TUNING_H
#define TMS_TUNING_H

#include <stdint.h>

struct tuning {
    uint32_t classic_warp_from_k; /* a classic filter with this k or more uses a warp for each key, else a thread */
    uint32_t reads_blocks;        /* blocks for each multiprocessor in the kernel that tests the w-mers of reads */
    uint64_t bank_shared_bits;    /* a bank with at most this many bits a vector is in shared memory, a larger one interleaved in global
                                   * memory */
    struct base_bank *bank;       /* stage 1a of blastn on this GPU (lookup/base_bank.h), borrowed; NULL: the bitmap of words */
};

#endif
