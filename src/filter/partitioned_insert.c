/* partitioned_insert.c - see partitioned_insert.h. */
#include "filter/partitioned_insert.h"

#include <pthread.h>
#include <string.h>

#include "filter/partitioned_insert_kernels.h"

#define CHUNK_VALUES 2048  /* produced at a time, unless one key has more */
#define FLUSH_VALUES 32768 /* approximate total in a thread's buckets, which then stay in its L2 cache */
#define LEAST_FLUSH  1024  /* least values in a bucket when it is flushed, so that its random accesses overlap */
/*
 * A bucket has room for much more: a thread that finds a range locked continues, for some milliseconds if the scheduler has suspended the
 * owner. Unused room costs address space only.
 */
#define BUCKET_VALUES  ((size_t)1 << 19)
#define ALONE_VALUES   131072 /* values per round of a single thread */
#define MAX_OWNERS     128
#define PARTS_A_THREAD 8                 /* several, so that a slow thread processes fewer */
#define MOST_VALUES    ((size_t)1 << 25) /* approximate total of all buckets: 256 MiB of address space */
/* Limit for many threads and keys with many values, 4 GiB of address space; beyond it there are fewer owners. */
#define MOST_LEAST_VALUES  ((size_t)1 << 29)
#define PARALLEL_FROM_COST 16384             /* starting threads costs more than this */
#define MOST_COPY_BYTES    ((size_t)4 << 20) /* largest filter that each thread copies, to fit its cache; 512 MiB in all */
#define COPIES_FROM_VALUES 4
#define JOIN_WORDS         ((size_t)1 << 14)

struct owners {
    const struct partitioned_insert_work *work;
    int n_owners, n_parts, n_threads;
    size_t capacity;        /* values that a bucket holds */
    size_t flush;           /* a thread applies a bucket with this many values if its range is unlocked */
    size_t chunk;           /* values that a thread produces at a time */
    uint64_t *buckets;      /* n_threads * n_owners * capacity; only touched where used */
    uint64_t *chunks;       /* n_threads * 2 * chunk */
    size_t *counts;         /* n_threads * n_owners */
    uint64_t *first_value;  /* n_owners: the least value that belongs to owner i */
    pthread_mutex_t *locks; /* n_owners: the holder of lock i may set bits of range i */
    partitioned_insert_deal *deal;
};

/* The ends of a thread's buckets, where the next values go. */
struct bucket_ends {
    const uint64_t *first_value;
    partitioned_insert_deal *deal;
    uint64_t *ends[MAX_OWNERS];
};

/* Start of part i of n_parts. */
static size_t part_begin(const struct partitioned_insert_work *work, int i, int n_parts)
{
    return (size_t)((unsigned __int128)work->n_keys * (unsigned)i / (unsigned)n_parts);
}

static uint64_t *bucket_of(const struct owners *o, int thread, int owner)
{
    return o->buckets + ((size_t)thread * (size_t)o->n_owners + (size_t)owner) * o->capacity;
}

static size_t flush_values(size_t n_owners) { return FLUSH_VALUES / n_owners < LEAST_FLUSH ? LEAST_FLUSH : FLUSH_VALUES / n_owners; }

/* A bucket must hold one more chunk after reaching the flush limit. */
static size_t least_capacity(size_t n_owners, const struct partitioned_insert_work *work)
{
    return flush_values(n_owners) + CHUNK_VALUES + work->most_values + DEAL_OVER;
}

static int choose_owners(int n_threads, const struct partitioned_insert_work *work)
{
    int n = n_threads < MAX_OWNERS ? n_threads : MAX_OWNERS;
    while (n > 2 && (size_t)n_threads * (size_t)n * least_capacity((size_t)n, work) > MOST_LEAST_VALUES)
        n--;
    return n;
}

/* Bytes for buckets of this capacity and for the arrays behind them. */
static bool alloc_buckets(tms_context *ctx, struct owners *o, size_t capacity)
{
    size_t owners = (size_t)o->n_owners, threads = (size_t)o->n_threads;
    size_t n_words = threads * (owners * capacity + 2 * o->chunk + owners) + owners;
    o->capacity = capacity;
    o->buckets = context_scratch(ctx, n_words * sizeof(uint64_t) + owners * sizeof *o->locks);
    return o->buckets != NULL;
}

/* Returns false if memory is insufficient. */
static bool owners_init(tms_context *ctx, struct owners *o, int n_owners, const struct partitioned_insert_work *work)
{
    size_t owners = (size_t)n_owners, threads = (size_t)ctx->n_threads, least = least_capacity(owners, work);
    size_t share = MOST_VALUES / (threads * owners);
    uint64_t n_units = (work->m + work->granularity - 1) / work->granularity;
    *o = (struct owners){.work = work,
                         .n_owners = n_owners,
                         .n_threads = ctx->n_threads,
                         .n_parts = PARTS_A_THREAD * ctx->n_threads,
                         .flush = flush_values(owners),
                         .chunk = CHUNK_VALUES + work->most_values,
                         .deal = partitioned_insert_deal_scalar};
#if TMS_HAVE_X86_SIMD
    if (ctx->simd == TMS_SIMD_AVX512)
        o->deal = partitioned_insert_deal_avx512;
#endif
    share = share > BUCKET_VALUES ? BUCKET_VALUES : share;
    if (!alloc_buckets(ctx, o, share > least ? share : least) && !alloc_buckets(ctx, o, least))
        return false;
    o->chunks = o->buckets + threads * owners * o->capacity;
    o->counts = (size_t *)(o->chunks + 2 * threads * o->chunk);
    o->first_value = (uint64_t *)(o->counts + threads * owners);
    o->locks = (pthread_mutex_t *)(o->first_value + owners);
    memset(o->counts, 0, threads * owners * sizeof *o->counts);
    for (int i = 0; i < n_owners; i++) { /* ceil(position * 2^64 / m) */
        uint64_t unit = (uint64_t)((unsigned __int128)n_units * (unsigned)i / (unsigned)n_owners);
        unsigned __int128 scaled = (unsigned __int128)(unit * work->granularity) << 64;
        o->first_value[i] = (uint64_t)((scaled + work->m - 1) / work->m);
        pthread_mutex_init(&o->locks[i], NULL);
    }
    return true;
}

/*
 * Sorts n values of owners lo .. hi - 1 into the buckets: splits them at the middle owner's first value, then splits each half, down to
 * one or two owners. One counter per owner instead was three times as slow for two threads, because each increment waits for the last.
 * from and to: room for n values each, used alternately; the order within a bucket does not matter.
 */
static void sort_by_owner(struct bucket_ends *b, uint64_t *from, uint64_t *to, size_t n, int lo, int hi)
{
    if (hi - lo == 2) {
        size_t n_low = b->deal(from, n, b->first_value[lo + 1], b->ends[lo], b->ends[lo + 1]);
        b->ends[lo] += n_low;
        b->ends[lo + 1] += n - n_low;
        return;
    }
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

/* Applies a thread's bucket to the filter if the range is unlocked; waits for the lock if the bucket has no room for another chunk. */
static void apply_bucket(const struct owners *o, int thread, int owner, size_t *count)
{
    if (*count + o->chunk + DEAL_OVER > o->capacity)
        pthread_mutex_lock(&o->locks[owner]);
    else if (pthread_mutex_trylock(&o->locks[owner]) != 0)
        return;
    o->work->apply(o->work->arg, o->work->bits, bucket_of(o, thread, owner), *count);
    pthread_mutex_unlock(&o->locks[owner]);
    *count = 0;
}

/* Sorts a part's keys into the thread's buckets and applies full buckets. */
static void do_part(void *arg, size_t part, int thread)
{
    const struct owners *o = arg;
    const struct partitioned_insert_work *work = o->work;
    uint64_t *values = o->chunks + 2 * (size_t)thread * o->chunk, *other = values + o->chunk;
    size_t *counts = o->counts + (size_t)thread * (size_t)o->n_owners, n_values;
    struct bucket_ends b = {.first_value = o->first_value, .deal = o->deal};
    for (size_t key = part_begin(work, (int)part, o->n_parts), end = part_begin(work, (int)part + 1, o->n_parts); key < end;) {
        for (int owner = 0; owner < o->n_owners; owner++)
            b.ends[owner] = bucket_of(o, thread, owner) + counts[owner];
        key += work->produce(work->arg, key, end - key, values, o->chunk, &n_values);
        sort_by_owner(&b, values, other, n_values, 0, o->n_owners);
        for (int owner = 0; owner < o->n_owners; owner++) {
            counts[owner] = (size_t)(b.ends[owner] - bucket_of(o, thread, owner));
            if (counts[owner] >= o->flush)
                apply_bucket(o, thread, owner, &counts[owner]);
        }
    }
}

/* Applies the values left in all threads' buckets. */
static void do_rest(void *arg, size_t owner, int thread)
{
    const struct owners *o = arg;
    (void)thread;
    for (int t = 0; t < o->n_threads; t++)
        o->work->apply(o->work->arg, o->work->bits, bucket_of(o, t, (int)owner), o->counts[(size_t)t * (size_t)o->n_owners + owner]);
}

static tms_status run_owners(tms_context *ctx, struct owners *o)
{
    tms_status status = tms_context_run(ctx, (size_t)o->n_parts, do_part, o);
    if (status == TMS_OK)
        status = tms_context_run(ctx, (size_t)o->n_owners, do_rest, o);
    for (int i = 0; i < o->n_owners; i++)
        pthread_mutex_destroy(&o->locks[i]);
    return status;
}

/* Inserts with one thread, which owns the whole filter. */
static tms_status run_alone(tms_context *ctx, const struct partitioned_insert_work *work)
{
    size_t n_values = work->n_keys < ALONE_VALUES ? work->n_keys * work->cost_per_key : ALONE_VALUES;
    n_values = (n_values < ALONE_VALUES ? n_values : ALONE_VALUES) + work->most_values;
    uint64_t *values = context_scratch(ctx, n_values * sizeof *values);
    if (!values)
        return context_fail_memory(ctx, "a chunk of hashes", n_values * sizeof *values);
    tms_status status = TMS_OK;
    for (size_t key = 0; key < work->n_keys && status == TMS_OK;) {
        size_t n;
        key += work->produce(work->arg, key, work->n_keys - key, values, n_values, &n);
        work->apply(work->arg, work->bits, values, n);
        status = context_check_cancelled(ctx);
    }
    return status;
}

/* --- a copy for each thread --- */

/* Clearing and joining the copies costs about as much as sorting a value for each of their words. */
static bool copies_pay(const struct partitioned_insert_work *work, int n_threads)
{
    size_t bytes = work->bits_bytes * (size_t)n_threads;
    return work->bits_bytes <= MOST_COPY_BYTES && work->n_keys >= COPIES_FROM_VALUES * (bytes / 8) / work->cost_per_key;
}

struct copies {
    const struct partitioned_insert_work *work;
    size_t n_words, chunk; /* n_words: size of a copy; chunk: values that a thread produces at a time */
    int n_parts, n_copies;
    uint64_t *copies, *chunks; /* by thread */
    bool *is_used;
};

static void fill_copy(void *arg, size_t part, int thread)
{
    struct copies *c = arg;
    const struct partitioned_insert_work *work = c->work;
    uint64_t *copy = c->copies + (size_t)thread * c->n_words, *values = c->chunks + (size_t)thread * c->chunk;
    size_t end = part_begin(work, (int)part + 1, c->n_parts), n;
    if (!c->is_used[thread])
        memset(copy, 0, c->n_words * sizeof *copy);
    c->is_used[thread] = true;
    for (size_t key = part_begin(work, (int)part, c->n_parts); key < end;) {
        key += work->produce(work->arg, key, end - key, values, c->chunk, &n);
        work->apply(work->arg, (uint8_t *)copy, values, n);
    }
}

static void join_copies(void *arg, size_t first, size_t end)
{
    const struct copies *c = arg;
    uint64_t *words = (uint64_t *)(void *)c->work->bits;
    for (int t = 0; t < c->n_copies; t++)
        for (size_t i = first; c->is_used[t] && i < end; i++)
            words[i] |= c->copies[(size_t)t * c->n_words + i];
}

static tms_status run_copies(tms_context *ctx, const struct partitioned_insert_work *work)
{
    struct copies c = {.work = work,
                       .n_words = work->bits_bytes / 8,
                       .chunk = CHUNK_VALUES + work->most_values,
                       .n_parts = PARTS_A_THREAD * ctx->n_threads,
                       .n_copies = ctx->n_threads};
    size_t threads = (size_t)ctx->n_threads, n_words = threads * (c.n_words + c.chunk + 1);
    c.copies = context_scratch(ctx, n_words * sizeof *c.copies);
    if (!c.copies)
        return run_alone(ctx, work);
    c.chunks = c.copies + threads * c.n_words;
    c.is_used = (bool *)(c.chunks + threads * c.chunk);
    memset(c.is_used, 0, threads * sizeof *c.is_used);
    tms_status status = tms_context_run(ctx, (size_t)c.n_parts, fill_copy, &c);
    return status == TMS_OK ? context_run_ranges(ctx, c.n_words, JOIN_WORDS, join_copies, &c) : status;
}

/* Falls back to one thread if memory is insufficient for several. */
tms_status partitioned_insert(tms_context *ctx, const struct partitioned_insert_work *work)
{
    struct owners o;
    int n_owners = choose_owners(ctx->n_threads, work);
    if (n_owners == 1 || work->n_keys * work->cost_per_key < PARALLEL_FROM_COST || work->m / work->granularity < (uint64_t)n_owners)
        return run_alone(ctx, work);
    if (copies_pay(work, ctx->n_threads))
        return run_copies(ctx, work);
    return owners_init(ctx, &o, n_owners, work) ? run_owners(ctx, &o) : run_alone(ctx, work);
}
