/*
 * base_bank.h - stage 1a of blastn as [Ma11] has it: in front of the look-up of words (base_sieve.h) is a bank of Bloom filters of the
 * queries' words, one for each sub-query, tested by the paper's schedule: a block takes a filter, tests all words, and takes the next one.
 *
 * For measurements. A context's tuning (run/tuning.h) asks for it; it serves the context's own GPU, where the table has whole words.
 * Results do not change.
 */
#ifndef TMS_BASE_BANK_H
#define TMS_BASE_BANK_H

#include <stdint.h>

struct base_bank {
    uint32_t sub_query;       /* n: words of a sub-query, 1 or more */
    uint32_t k;               /* H3 functions, 1 to 10 */
    uint64_t m_bits;          /* of a filter, which has to fit into a block's shared memory */
    uint32_t blocks, threads; /* B_r and T_r: requested blocks, and threads of a block */
    /* Sums over runs. */
    uint64_t n_sub_queries;
    uint64_t n_tests, n_candidates;    /* pairs of a word of a subject and a sub-query: all, and those that pass to the look-up */
    uint64_t n_passed;                 /* words of subjects that at least one filter passes */
    double seconds_fill, seconds_test; /* to make the filters, with copies; to test */
};

#endif
