/*
 * owners.h - insertion by several CPU threads without atomic operations.
 *
 * Where the values are many for the filter's size, each thread fills a copy of its own, and the copies are joined at the end. Else
 * each thread owns a range of the filter. All of them turn a share of the keys into 64-bit values (a value v means position
 * floor(v * m / 2^64)) and sort these by owner into buckets; after a barrier each writes what the others put into its buckets, with
 * plain stores. Two sets of buckets alternate, so that one barrier a round is enough.
 *
 * Against an atomic OR for every bit or word [Ong13, III]: a locked OR takes some 20 cycles even when no other thread is near,
 * four of them a key in the blocked layout; and in a filter that fits in the caches the threads take its lines from each other
 * all the time. Measured with AP hash, k = 500, n = 100,000: two threads with atomic ORs 1.14 times as fast as one, even
 * where bits already set are only looked at.
 */
#ifndef TMS_OWNERS_H
#define TMS_OWNERS_H

#include "run/context.h"

struct owners_work {
    void *arg;
    size_t n_keys;
    uint32_t most_values;   /* of a key */
    uint32_t cost_per_key;  /* values made or random numbers drawn, about: tells whether threads, and copies, pay */
    uint8_t *bits;          /* of the filter, bits_bytes of them, aligned to 64 bytes */
    size_t bits_bytes;
    uint64_t m;             /* positions of the filter */
    uint64_t granularity;   /* positions that must have one owner: those of a word or block */
    /*
     * Write the values of keys first_key .. first_key + n_keys - 1, as long as there is room for most_values.
     * Returns how many keys were done: 1 or more where room is at least most_values.
     */
    size_t (*produce)(void *arg, size_t first_key, size_t n_keys, uint64_t *values, size_t room, size_t *n_values);
    /* Set n values' bits, in the filter or a copy of it. */
    void (*apply)(void *arg, uint8_t *bits, const uint64_t *values, size_t n);
};

/* owners_insert() - do the work on the context's threads. Returns TMS_OK or TMS_E_MEMORY, with nothing done. */
tms_status owners_insert(tms_context *ctx, const struct owners_work *work);

#endif
