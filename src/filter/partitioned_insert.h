/*
 * partitioned_insert.h - insertion by several CPU threads without atomic operations.
 *
 * With many values for the filter's size, each thread fills its own copy of the filter and the threads join the copies at the end.
 * Otherwise the filter is divided into one range per thread. Each thread turns keys into 64-bit values (a value v means position
 * floor(v * m / 2^64)) and sorts them by range into buckets of its own. Once a bucket is full it takes the range's lock, becoming its
 * owner, and sets the bits with plain stores; if another thread owns the range at that moment, it continues with more keys. So no thread
 * waits for another, even if the scheduler suspends one for a while.
 *
 * Rounds with a barrier between sorting and setting, each thread owning one fixed range, were slower: 2.1 to 2.6 ns a key for two
 * threads on a quiet machine, and with one of its two processors busy slower than one thread.
 *
 * Against an atomic OR for every bit or word [Ong13, III]: a locked OR takes about 20 cycles even without contention,
 * and the blocked layout needs four per key; in a filter that fits in the caches the threads also invalidate each other's
 * cache lines. Measured with AP hash, k = 500, n = 100,000: two threads with atomic ORs are 1.14 times as fast as one, even
 * if they only read bits that are already set.
 */
#ifndef TMS_PARTITIONED_INSERT_H
#define TMS_PARTITIONED_INSERT_H

#include "run/context.h"

struct partitioned_insert_work {
    void *arg;
    size_t n_keys;
    uint32_t most_values;  /* most values that one key produces */
    uint32_t cost_per_key; /* approximate number of values or random numbers per key; decides whether threads, and copies, pay */
    uint8_t *bits;         /* the filter's bits, bits_bytes bytes, aligned to 64 bytes */
    size_t bits_bytes;
    uint64_t m;           /* positions of the filter */
    uint64_t granularity; /* positions of a word or block, which must have the same owner */
    /*
     * Write the values of keys first_key .. first_key + n_keys - 1, as long as most_values more fit into capacity.
     * Returns how many keys were done: 1 or more if capacity is at least most_values.
     */
    size_t (*produce)(void *arg, size_t first_key, size_t n_keys, uint64_t *values, size_t capacity, size_t *n_values);
    /* Sets n values' bits, in the filter or a copy of it. */
    void (*apply)(void *arg, uint8_t *bits, const uint64_t *values, size_t n);
};

/* partitioned_insert() - inserts the keys on the context's threads. Returns TMS_OK; TMS_E_MEMORY, with the filter unchanged;
 * TMS_E_CANCELLED. */
tms_status partitioned_insert(tms_context *ctx, const struct partitioned_insert_work *work);

#endif
