/* owners.c - see owners.h. */
#include "filter/owners.h"

#include <omp.h>
#include <string.h>

#define CHUNK_VALUES 2048       /* produced at a time; on the stack of each thread */
/*
 * A round: long enough for the stream of keys and the random accesses to stay apart (see blocked_cpu.c), short enough for the
 * buckets to stay in the second-level caches. Two threads have 1 MiB each, many have 128 KiB.
 */
#define ROUND_VALUES_ALL_THREADS 262144
#define ROUND_VALUES_MANY 16384
#define CHUNK_VALUES_MOST 4096  /* the most values a key may have */
#define MAX_THREADS 128            /* the buckets' memory grows with the square: 4 GiB of address space here */
#define PARALLEL_FROM_VALUES 16384 /* starting threads costs more than this */

/* Bucket (set, from, owner) has room for all that a thread produces in a round, so it cannot overflow. */
struct owners {
    int n_threads;
    size_t capacity;
    uint64_t *buckets;     /* 2 * n_threads * n_threads * capacity; only touched where used */
    size_t *counts;        /* 2 * n_threads * n_threads */
    uint64_t *first_value; /* n_threads: the least value that belongs to owner i */
};

/* Where the next value for each owner goes, for one thread that fills its buckets. */
struct bucket_ends {
    const uint64_t *first_value;
    uint64_t *ends[MAX_THREADS];
};

static size_t bucket_number(const struct owners *o, size_t set, int from, int owner)
{
    return (set * (size_t)o->n_threads + (size_t)from) * (size_t)o->n_threads + (size_t)owner;
}

static bool owners_init(tms_context *ctx, struct owners *o, int n_threads, const struct owners_work *work)
{
    size_t n_buckets = 2 * (size_t)n_threads * (size_t)n_threads;
    uint64_t n_units = (work->m + work->granularity - 1) / work->granularity;
    o->n_threads = n_threads;
    o->capacity = ROUND_VALUES_ALL_THREADS / (size_t)n_threads;
    o->capacity = o->capacity < ROUND_VALUES_MANY ? ROUND_VALUES_MANY : o->capacity;
    size_t bucket_bytes = n_buckets * o->capacity * sizeof *o->buckets, count_bytes = n_buckets * sizeof *o->counts;
    o->buckets = context_scratch(ctx, bucket_bytes + count_bytes + (size_t)n_threads * sizeof *o->first_value);
    if (!o->buckets)
        return false;
    o->counts = (size_t *)(o->buckets + n_buckets * o->capacity);
    o->first_value = (uint64_t *)(o->counts + n_buckets);
    for (int i = 0; i < n_threads; i++) { /* ceil(position * 2^64 / m) */
        uint64_t unit = (uint64_t)((unsigned __int128)n_units * (unsigned)i / (unsigned)n_threads);
        unsigned __int128 scaled = (unsigned __int128)(unit * work->granularity) << 64;
        o->first_value[i] = (uint64_t)((scaled + work->m - 1) / work->m);
    }
    return true;
}

/*
 * Sort n values by owner, lo .. hi - 1, into the buckets: split them at the middle owner's first value, then either half, down to
 * single owners. A split writes each value to both ends of the free room and moves one of the ends, without a
 * branch; one counter per owner instead was three times as slow for two threads, because each increment waits for the last.
 * from and to: n values each, used in turns; the order within a bucket does not matter.
 */
static void sort_by_owner(struct bucket_ends *b, uint64_t *from, uint64_t *to, size_t n, int lo, int hi)
{
    if (hi - lo == 1) {
        memcpy(b->ends[lo], from, n * sizeof *from);
        b->ends[lo] += n;
        return;
    }
    int middle = lo + (hi - lo) / 2;
    uint64_t first_of_middle = b->first_value[middle];
    size_t low = 0, high = n;
    for (size_t i = 0; i < n; i++) {
        uint64_t value = from[i];
        size_t is_high = value >= first_of_middle;
        to[low] = value;
        to[high - 1] = value;
        low += 1 - is_high;
        high -= is_high;
    }
    sort_by_owner(b, to, from, low, lo, middle);
    sort_by_owner(b, to + low, from + low, n - low, middle, hi);
}

/* Produce and sort keys first .. end - 1. */
static void fill_buckets(const struct owners *o, const struct owners_work *work, size_t set, int me, size_t first, size_t end)
{
    uint64_t values[CHUNK_VALUES_MOST], other[CHUNK_VALUES_MOST];
    uint64_t *buckets = o->buckets + bucket_number(o, set, me, 0) * o->capacity;
    struct bucket_ends b = {.first_value = o->first_value};
    size_t chunk = CHUNK_VALUES / work->values_per_key;
    chunk = chunk ? chunk : 1;
    for (int owner = 0; owner < o->n_threads; owner++)
        b.ends[owner] = buckets + (size_t)owner * o->capacity;
    for (; first < end; first += chunk) {
        size_t n = end - first < chunk ? end - first : chunk;
        work->produce(work->arg, first, n, values);
        sort_by_owner(&b, values, other, n * work->values_per_key, 0, o->n_threads);
    }
    for (int owner = 0; owner < o->n_threads; owner++)
        o->counts[bucket_number(o, set, me, owner)] = (size_t)(b.ends[owner] - buckets) - (size_t)owner * o->capacity;
}

static void run(const struct owners *o, const struct owners_work *work)
{
    size_t share = o->capacity / work->values_per_key; /* keys of a thread in a round; at least 1 */
    size_t per_round = share * (size_t)o->n_threads;
    size_t n_rounds = (work->n_keys + per_round - 1) / per_round;
#pragma omp parallel num_threads(o->n_threads)
    {
        int team = omp_get_num_threads(); /* OpenMP may give fewer than asked: a thread is then several owners */
        for (size_t round = 0; round < n_rounds; round++) {
            for (int me = omp_get_thread_num(); me < o->n_threads; me += team) {
                size_t first = round * per_round + (size_t)me * share;
                size_t end = first + share < work->n_keys ? first + share : work->n_keys;
                fill_buckets(o, work, round & 1, me, first, end);
            }
#pragma omp barrier
            for (int me = omp_get_thread_num(); me < o->n_threads; me += team)
                for (int from = 0; from < o->n_threads; from++) {
                    size_t bucket = bucket_number(o, round & 1, from, me);
                    work->apply(work->arg, o->buckets + bucket * o->capacity, o->counts[bucket]);
                }
        }
    }
}

bool owners_insert(tms_context *ctx, const struct owners_work *work)
{
    struct owners o;
    int n_threads = ctx->n_threads < MAX_THREADS ? ctx->n_threads : MAX_THREADS;
    if (n_threads == 1 || work->n_keys * work->values_per_key < PARALLEL_FROM_VALUES ||
        work->m / work->granularity < (uint64_t)n_threads)
        return false;
    if (!owners_init(ctx, &o, n_threads, work))
        return false;
    run(&o, work);
    return true;
}
