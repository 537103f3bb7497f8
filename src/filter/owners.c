/* owners.c - see owners.h. */
#include "filter/owners.h"

#include <omp.h>
#include <string.h>

#define CHUNK_VALUES 2048 /* produced at a time, unless one key has more */
/*
 * A round: long enough for the stream of keys and the random accesses to stay apart (see blocked_cpu.c), short enough for the
 * buckets to stay in the second-level caches. Two threads have 1 MiB each, many have 128 KiB.
 */
#define ROUND_VALUES_ALL_THREADS 262144
#define ROUND_VALUES_MANY 16384
#define ALONE_VALUES 131072        /* a round of one thread */
#define MAX_THREADS 128
#define MOST_VALUES ((size_t)1 << 29) /* in all buckets, whose number grows with the square of the threads: 4 GiB of addresses */
#define PARALLEL_FROM_COST 16384   /* starting threads costs more than this */
#define MOST_COPY_BYTES ((size_t)4 << 20) /* of a filter that threads have copies of: each in its own cache; 512 MiB in all */
#define COPIES_FROM_VALUES 4

/*
 * Every thread has a part of the keys, one after the other, and goes on in it round by round until its buckets are full: keys may
 * have any number of values. Bucket (set, from, owner) has room for all that a thread produces in a round, so it cannot overflow.
 */
struct owners {
    int n_threads;
    size_t capacity;       /* of a bucket, and of all that a thread produces in a round */
    size_t chunk;          /* values produced at a time */
    uint64_t *buckets;     /* 2 * n_threads * n_threads * capacity; only touched where used */
    uint64_t *chunks;      /* n_threads * 2 * chunk */
    size_t *counts;        /* 2 * n_threads * n_threads */
    size_t *next_key;      /* 2 * n_threads: how far each thread is after the round */
    uint64_t *first_value; /* n_threads: the least value that belongs to owner i */
};

/* Where the next value for each owner goes, for one thread that fills its buckets. */
struct bucket_ends {
    const uint64_t *first_value;
    uint64_t *ends[MAX_THREADS];
};

/* Where the part of a thread among n_threads begins. */
static size_t part_begin(const struct owners_work *work, int thread, int n_threads)
{
    return (size_t)((unsigned __int128)work->n_keys * (unsigned)thread / (unsigned)n_threads);
}

static size_t bucket_number(const struct owners *o, size_t set, int from, int owner)
{
    return (set * (size_t)o->n_threads + (size_t)from) * (size_t)o->n_threads + (size_t)owner;
}

static size_t capacity_of(int n_threads, size_t most_values)
{
    size_t capacity = ROUND_VALUES_ALL_THREADS / (size_t)n_threads;
    capacity = capacity < ROUND_VALUES_MANY ? ROUND_VALUES_MANY : capacity;
    return capacity < most_values ? most_values : capacity;
}

static tms_status owners_init(tms_context *ctx, struct owners *o, int n_threads, const struct owners_work *work)
{
    size_t threads = (size_t)n_threads, n_buckets = 2 * threads * threads, most = work->most_values;
    uint64_t n_units = (work->m + work->granularity - 1) / work->granularity;
    o->n_threads = n_threads;
    o->capacity = capacity_of(n_threads, most);
    o->chunk = CHUNK_VALUES + most;
    size_t n_words = n_buckets * o->capacity + 2 * threads * o->chunk + n_buckets + 3 * threads;
    o->buckets = context_scratch(ctx, n_words * sizeof(uint64_t));
    if (!o->buckets)
        return context_fail_memory(ctx, "sorting by owner", n_words * sizeof(uint64_t));
    o->chunks = o->buckets + n_buckets * o->capacity;
    o->counts = (size_t *)(o->chunks + 2 * threads * o->chunk);
    o->next_key = o->counts + n_buckets;
    o->first_value = (uint64_t *)(o->next_key + 2 * threads);
    for (int i = 0; i < n_threads; i++) { /* ceil(position * 2^64 / m) */
        uint64_t unit = (uint64_t)((unsigned __int128)n_units * (unsigned)i / (unsigned)n_threads);
        unsigned __int128 scaled = (unsigned __int128)(unit * work->granularity) << 64;
        o->first_value[i] = (uint64_t)((scaled + work->m - 1) / work->m);
        o->next_key[threads + (size_t)i] = part_begin(work, i, n_threads); /* as if left by the round before the first */
    }
    return TMS_OK;
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

/* Produce and sort the next keys of thread `me`, until its part ends or its buckets might overflow. */
static void fill_buckets(const struct owners *o, const struct owners_work *work, size_t set, int me)
{
    uint64_t *values = o->chunks + 2 * (size_t)me * o->chunk, *other = values + o->chunk;
    uint64_t *buckets = o->buckets + bucket_number(o, set, me, 0) * o->capacity;
    size_t *counts = o->counts + bucket_number(o, set, me, 0);
    struct bucket_ends b = {.first_value = o->first_value};
    size_t key = o->next_key[(1 - set) * (size_t)o->n_threads + (size_t)me], end = part_begin(work, me + 1, o->n_threads);
    for (int owner = 0; owner < o->n_threads; owner++)
        b.ends[owner] = buckets + (size_t)owner * o->capacity;
    for (size_t left = o->capacity; key < end && left >= work->most_values;) {
        size_t room = left < o->chunk ? left : o->chunk, n_values;
        key += work->produce(work->arg, key, end - key, values, room, &n_values);
        sort_by_owner(&b, values, other, n_values, 0, o->n_threads);
        left -= n_values;
    }
    for (int owner = 0; owner < o->n_threads; owner++)
        counts[owner] = (size_t)(b.ends[owner] - buckets) - (size_t)owner * o->capacity;
    o->next_key[set * (size_t)o->n_threads + (size_t)me] = key;
}

static bool all_done(const struct owners *o, const struct owners_work *work, size_t set)
{
    for (int t = 0; t < o->n_threads; t++)
        if (o->next_key[set * (size_t)o->n_threads + (size_t)t] < part_begin(work, t + 1, o->n_threads))
            return false;
    return true;
}

static void run(const struct owners *o, const struct owners_work *work)
{
#pragma omp parallel num_threads(o->n_threads)
    {
        int team = omp_get_num_threads(); /* OpenMP may give fewer than asked: a thread is then several owners */
        size_t set = 0;
        for (bool done = false; !done; set = 1 - set) {
            for (int me = omp_get_thread_num(); me < o->n_threads; me += team)
                fill_buckets(o, work, set, me);
#pragma omp barrier
            done = all_done(o, work, set);
            for (int me = omp_get_thread_num(); me < o->n_threads; me += team)
                for (int from = 0; from < o->n_threads; from++) {
                    size_t bucket = bucket_number(o, set, from, me);
                    work->apply(work->arg, work->bits, o->buckets + bucket * o->capacity, o->counts[bucket]);
                }
        }
    }
}

/* --- a copy for each thread --- */

/* Clearing and joining the copies costs about as much as sorting a value for each of their words. */
static bool copies_pay(const struct owners_work *work, int n_threads)
{
    size_t bytes = work->bits_bytes * (size_t)n_threads;
    return work->bits_bytes <= MOST_COPY_BYTES && work->n_keys >= COPIES_FROM_VALUES * (bytes / 8) / work->cost_per_key;
}

static void join_copies(const struct owners_work *work, const uint64_t *copies, size_t n_words, int n_threads, int me)
{
    uint64_t *words = (uint64_t *)(void *)work->bits;
    size_t from = n_words * (size_t)me / (size_t)n_threads, to = n_words * ((size_t)me + 1) / (size_t)n_threads;
    for (int t = 0; t < n_threads; t++)
        for (size_t i = from; i < to; i++)
            words[i] |= copies[(size_t)t * n_words + i];
}

static tms_status run_copies(tms_context *ctx, const struct owners_work *work, int n_threads)
{
    size_t n_words = work->bits_bytes / 8, chunk = CHUNK_VALUES + work->most_values, threads = (size_t)n_threads;
    uint64_t *copies = context_scratch(ctx, threads * (n_words + chunk) * sizeof *copies);
    if (!copies)
        return context_fail_memory(ctx, "the threads' copies of the filter", threads * (n_words + chunk) * sizeof *copies);
#pragma omp parallel num_threads(n_threads)
    {
        int team = omp_get_num_threads();
        for (int me = omp_get_thread_num(); me < n_threads; me += team) {
            uint64_t *copy = copies + (size_t)me * n_words, *values = copies + threads * n_words + (size_t)me * chunk;
            memset(copy, 0, n_words * sizeof *copy);
            size_t end = part_begin(work, me + 1, n_threads), n;
            for (size_t key = part_begin(work, me, n_threads); key < end;) {
                key += work->produce(work->arg, key, end - key, values, chunk, &n);
                work->apply(work->arg, (uint8_t *)copy, values, n);
            }
        }
#pragma omp barrier
        for (int me = omp_get_thread_num(); me < n_threads; me += team)
            join_copies(work, copies, n_words, n_threads, me);
    }
    return TMS_OK;
}

/* One thread owns everything. */
static tms_status run_alone(tms_context *ctx, const struct owners_work *work)
{
    size_t n_values = work->n_keys < ALONE_VALUES ? work->n_keys * work->cost_per_key : ALONE_VALUES;
    n_values = (n_values < ALONE_VALUES ? n_values : ALONE_VALUES) + work->most_values;
    uint64_t *values = context_scratch(ctx, n_values * sizeof *values);
    if (!values)
        return context_fail_memory(ctx, "a chunk of hashes", n_values * sizeof *values);
    for (size_t key = 0; key < work->n_keys;) {
        size_t n;
        key += work->produce(work->arg, key, work->n_keys - key, values, n_values, &n);
        work->apply(work->arg, work->bits, values, n);
    }
    return TMS_OK;
}

tms_status owners_insert(tms_context *ctx, const struct owners_work *work)
{
    struct owners o;
    int n_threads = ctx->n_threads < MAX_THREADS ? ctx->n_threads : MAX_THREADS;
    while (2 * (size_t)n_threads * (size_t)n_threads * capacity_of(n_threads, work->most_values) > MOST_VALUES)
        n_threads--;
    if (n_threads == 1 || work->n_keys * work->cost_per_key < PARALLEL_FROM_COST ||
        work->m / work->granularity < (uint64_t)n_threads)
        return run_alone(ctx, work);
    if (copies_pay(work, n_threads))
        return run_copies(ctx, work, n_threads);
    tms_status status = owners_init(ctx, &o, n_threads, work);
    if (status == TMS_OK)
        run(&o, work);
    return status;
}
