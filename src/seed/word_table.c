/*
 * word_table.c - building the table of a query's w-mers, and looking words up in it by the batch.
 *
 * Building is a radix sort by the mixed w-mer, in the table's own memory:
 *   count, scatter   each thread walks over its stretch of the query and puts places into partitions of up to 2^10
 *                    buckets; stretches come in order, so places ascend in a partition
 *   partitions       each is read again, its words taken anew from the query (16 times smaller than the words), sorted by bucket and
 *                    rest, and written back: places in order, and one entry for each different word behind those of the
 *                    partition before
 * So there is never more than the table and one partition a thread, and of the entries only those that are used. A partition is as
 * large as its most frequent word makes it: 50 million times A is one of 2 GB.
 */
#include "seed/word_table.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "encode/dna_core.h"

#define BATCH 1024
#define READ_BATCH 256
#define BINS_LOG 12   /* of a counting sort: as many counters as the first-level cache has */
#define PARTITION_PLACES ((uint64_t)1 << 14) /* at least so many partitions that each would have no more of even words */
#define SORT_BYTES ((size_t)128 << 20) /* of all threads, where one does not need more: fewer sort partitions that are large */
#define BINS_A_BUCKET_LOG 1 /* so that few items share a bin */
#define MAX_BUCKET_BITS 30
#define LOOK_AT 4 /* entries of a bucket that are compared without branches */
#define FEW 24 /* an insertion sort up to here */

struct item {
    uint64_t rest; /* of the mixed word, within its partition: bucket and rest */
    uint32_t place;
};

struct build {
    const struct windows *windows;
    struct word_table *table;
    size_t n_bases;
    unsigned partition_shift; /* a mixed word's partition is what is left of it after this shift */
    size_t n_partitions, n_buckets; /* buckets of a partition */
    unsigned bin_shift;             /* an item's bin is what is left of its rest after this shift */
    size_t n_bins;
    int n_threads;
    uint32_t *counts;    /* n_threads + 1 rows of n_partitions: where each thread's places begin in a partition */
    uint32_t *first;     /* n_partitions + 1 */
    uint32_t most;       /* places of the largest partition */
};

static uint32_t partition_of(const struct build *build, uint64_t mixed)
{
    return build->partition_shift > 63 ? 0 : (uint32_t)(mixed >> build->partition_shift);
}

/*
 * The next words of the query as the table has them, with their places. A palindrome is its own reverse complement: with both strands it
 * has two places.
 */
static size_t next_words(struct windows_walk *walk, uint64_t *words, uint32_t *places)
{
    unsigned w = walk->windows->word_size, is_minus = walk->windows->strand == TMS_STRAND_MINUS;
    size_t n = windows_next_of_query(walk, words, places, BATCH / 2);
    for (size_t i = 0; i < n; i++)
        places[i] = places[i] << 1 | places[i] >> 31 | is_minus;
    if (!walk->any_palindrome)
        return n;
    size_t n_palindromes = 0;
    for (size_t i = 0; i < n; i++)
        n_palindromes += words[i] == dna_reverse_complement(words[i], w);
    size_t to = n + n_palindromes;
    for (size_t i = n; i-- > 0;) {
        if (words[i] == dna_reverse_complement(words[i], w)) {
            words[--to] = words[i];
            places[to] = places[i] | 1;
        }
        words[--to] = words[i];
        places[to] = places[i];
    }
    return n + n_palindromes;
}

static struct windows_walk stretch(const struct build *build, int thread)
{
    uint64_t n = build->n_bases, t = (uint64_t)thread, of = (uint64_t)build->n_threads;
    return windows_begin(build->windows, (uint32_t)(n * t / of), (uint32_t)(n * (t + 1) / of));
}

/* Counts a thread's places in each partition, with to NULL; then puts them to where its share of each begins. */
static inline void count_or_scatter(const struct build *build, int thread, uint32_t *to)
{
    uint64_t words[BATCH];
    uint32_t places[BATCH], *counts = build->counts + (size_t)thread * build->n_partitions;
    struct windows_walk walk = stretch(build, thread);
    for (size_t n; (n = next_words(&walk, words, places)) > 0;)
        for (size_t i = 0; i < n; i++) {
            uint32_t at = counts[partition_of(build, word_mix(words[i], build->table->word_size))]++;
            if (to)
                to[at] = places[i];
        }
}

/* From counts to where each thread's share of each partition begins. Returns the number of places. */
static uint64_t sum_counts(struct build *build)
{
    uint64_t sum = 0;
    for (size_t p = 0; p < build->n_partitions; p++) {
        uint64_t begin = sum;
        build->first[p] = (uint32_t)sum;
        for (int t = 0; t < build->n_threads; t++) {
            uint32_t *count = &build->counts[(size_t)t * build->n_partitions + p], n = *count;
            *count = (uint32_t)sum;
            sum += n;
        }
        if (sum - begin > build->most)
            build->most = (uint32_t)(sum - begin > UINT32_MAX ? UINT32_MAX : sum - begin);
    }
    build->first[build->n_partitions] = (uint32_t)sum;
    return sum;
}

/* Sorts by rest; equal ones keep their order. scratch has room for n. */
static void sort_items(struct item *items, struct item *scratch, size_t n)
{
    if (n <= FEW) {
        for (size_t i = 1; i < n; i++) {
            struct item item = items[i];
            size_t j = i;
            for (; j > 0 && items[j - 1].rest > item.rest; j--)
                items[j] = items[j - 1];
            items[j] = item;
        }
        return;
    }
    size_t half = n / 2, a = 0, b = half;
    sort_items(items, scratch, half);
    sort_items(items + half, scratch, n - half);
    if (items[half - 1].rest <= items[half].rest)
        return;
    memcpy(scratch, items, half * sizeof *items);
    for (size_t to = 0; a < half; to++)
        items[to] = b < n && items[b].rest < scratch[a].rest ? items[b++] : scratch[a++];
}

/* The mixed words of a partition's places, in order; counts[b + 1] counts bin b. */
static void read_partition(const struct build *build, size_t partition, struct item *items, uint32_t *counts)
{
    uint64_t mask = build->partition_shift > 63 ? ~(uint64_t)0 : ((uint64_t)1 << build->partition_shift) - 1, words[READ_BATCH];
    const uint32_t *places = build->table->places + build->first[partition];
    size_t n = build->first[partition + 1] - build->first[partition];
    unsigned w = build->table->word_size, bin_shift = build->bin_shift;
    uint32_t bases[READ_BATCH];
    for (size_t first = 0; first < n; first += READ_BATCH) {
        size_t n_some = n - first < READ_BATCH ? n - first : READ_BATCH;
        for (size_t i = 0; i < n_some; i++)
            bases[i] = places[first + i] >> 1;
        windows_at(build->windows, bases, n_some, words);
        for (size_t i = 0; i < n_some; i++) {
            uint64_t rest = word_mix(words[i], w) & mask;
            items[first + i] = (struct item){rest, places[first + i]};
            counts[(rest >> bin_shift) + 1]++;
        }
    }
}

/*
 * Items in order of bin, and of place in a bin: in order of rest. Most are alone in their bin, so that one insertion sort over all has
 * little to do; full bins are sorted before.
 */
static void sort_in_bins(struct item *items, struct item *scratch, size_t n, const uint32_t *ends, size_t n_bins, uint32_t fullest)
{
    for (uint32_t b = 0, from = 0; b < n_bins && fullest > FEW; from = ends[b++])
        if (ends[b] - from > FEW)
            sort_items(items + from, scratch, ends[b] - from);
    for (size_t i = 1; i < n; i++) {
        struct item item = items[i];
        size_t j = i;
        for (; j > 0 && items[j - 1].rest > item.rest; j--)
            items[j] = items[j - 1];
        items[j] = item;
    }
}

/* Entries of one partition, before it is known where they go: room for `most` of each. */
struct entries {
    struct word_entry *entries;
    uint32_t *high;
};

/*
 * Sorted items to buckets (counted from 0), entries, and places. Returns the number of entries. Without branches, because nothing
 * tells whether the next word is new.
 */
static uint32_t write_partition(const struct build *build, const struct item *items, size_t partition, struct entries *out)
{
    struct word_table *table = build->table;
    unsigned rest_bits = 2 * table->word_size - table->bucket_bits;
    uint32_t first = build->first[partition], n = build->first[partition + 1] - first, begins = first, sum = 0, n_entries = 0;
    uint32_t *buckets = table->buckets + partition * build->n_buckets;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t is_new = i == 0 || items[i].rest != items[i - 1].rest;
        uint64_t rest = word_rest(table, items[i].rest);
        n_entries += is_new;
        begins = is_new ? first + i : begins;
        buckets[rest_bits > 63 ? 0 : items[i].rest >> rest_bits] += is_new;
        table->places[first + i] = items[i].place;
        out->entries[n_entries - 1] = (struct word_entry){(uint32_t)rest, begins};
        out->high[n_entries - 1] = (uint32_t)(rest >> 32);
    }
    for (size_t b = 0; b < build->n_buckets; b++) {
        uint32_t count = buckets[b];
        buckets[b] = sum;
        sum += count;
    }
    return n_entries;
}

static uint32_t sort_partition(const struct build *build, size_t partition, struct item *items, uint32_t *counts,
                               struct entries *out)
{
    uint32_t n = build->first[partition + 1] - build->first[partition], fullest = 0;
    struct item *sorted = items + build->most;
    memset(counts, 0, (build->n_bins + 1) * sizeof *counts);
    read_partition(build, partition, items, counts);
    for (size_t b = 0; b < build->n_bins; b++) {
        fullest = counts[b + 1] > fullest ? counts[b + 1] : fullest;
        counts[b + 1] += counts[b];
    }
    for (uint32_t i = 0; i < n; i++)
        sorted[counts[items[i].rest >> build->bin_shift]++] = items[i];
    /* counts[b] is now where bin b ends. */
    sort_in_bins(sorted, items, n, counts, build->n_bins, fullest);
    return write_partition(build, sorted, partition, out);
}

/* Appends a partition's entries to the table's; partitions come in order. Returns where they begin. */
static uint32_t append_entries(struct word_table *table, const struct entries *entries, uint32_t n)
{
    uint32_t first = table->n_distinct;
    if (n == 0)
        return first; /* also where there was no memory for entries */
    memcpy(table->entries + first, entries->entries, n * sizeof *table->entries);
    if (table->high)
        memcpy(table->high + first, entries->high, n * sizeof *table->high);
    table->n_distinct += n;
    return first;
}

static size_t high_bytes(const struct word_table *table)
{
    return 2 * table->word_size - table->bucket_bits > 32 ? (size_t)table->n_places * sizeof *table->high : 0;
}

/* One more entry to end the last, and LOOK_AT - 1 that word_table_look_up() may read. */
static size_t entries_bytes(const struct word_table *table) { return ((size_t)table->n_places + LOOK_AT) * sizeof *table->entries; }
static size_t places_bytes(const struct word_table *table) { return (size_t)table->n_places * sizeof *table->places; }
static size_t buckets_bytes(const struct word_table *table)
{
    return (((size_t)1 << table->bucket_bits) + 1) * sizeof *table->buckets;
}

static tms_status alloc_table(tms_context *ctx, struct word_table *table)
{
    table->buckets = memory_alloc_zeroed(buckets_bytes(table));
    table->entries = memory_alloc_zeroed(entries_bytes(table));
    table->places = memory_alloc_zeroed(places_bytes(table));
    table->high = high_bytes(table) ? memory_alloc_zeroed(high_bytes(table)) : NULL;
    if (table->buckets && table->entries && table->places && (table->high || !high_bytes(table)))
        return TMS_OK;
    return context_fail_memory(ctx, "the query's table",
                               buckets_bytes(table) + entries_bytes(table) + places_bytes(table) + high_bytes(table));
}

static tms_status sort_partitions(tms_context *ctx, struct build *build)
{
    struct word_table *table = build->table;
    size_t most = (size_t)build->most + 1;
    size_t fit = SORT_BYTES / (most * (2 * sizeof(struct item) + sizeof(struct word_entry) + sizeof(uint32_t)));
    int n_threads = fit < (size_t)build->n_threads ? (int)(fit ? fit : 1) : build->n_threads, failed = 0;
#pragma omp parallel num_threads(n_threads)
    {
        struct item *items = malloc(most * 2 * sizeof *items);
        struct entries entries = {malloc(most * sizeof *entries.entries), malloc(most * sizeof *entries.high)};
        uint32_t *counts = malloc((build->n_bins + 1) * sizeof *counts);
        if (!items || !counts || !entries.entries || !entries.high) {
#pragma omp atomic write
            failed = 1;
        }
#pragma omp barrier
#pragma omp for ordered schedule(dynamic)
        for (size_t p = 0; p < build->n_partitions; p++) {
            uint32_t n = failed ? 0 : sort_partition(build, p, items, counts, &entries), first;
#pragma omp ordered
            first = append_entries(table, &entries, n);
            for (size_t b = 0; b < build->n_buckets; b++)
                table->buckets[p * build->n_buckets + b] += first;
        }
        free(items);
        free(entries.entries);
        free(entries.high);
        free(counts);
    }
    table->buckets[(size_t)1 << table->bucket_bits] = table->n_distinct;
    table->entries[table->n_distinct] = (struct word_entry){0, table->n_places};
    return failed ? context_fail_memory(ctx, "sorting the query's words", most * 2 * sizeof(struct item)) : TMS_OK;
}

static tms_status build_table(tms_context *ctx, struct build *build)
{
    struct word_table *table = build->table;
#pragma omp parallel for num_threads(build->n_threads) schedule(static, 1)
    for (int t = 0; t < build->n_threads; t++)
        count_or_scatter(build, t, NULL);
    uint64_t n = sum_counts(build);
    if (n > INT32_MAX)
        return context_fail(ctx, TMS_E_ARG, "a query of %llu w-mers is too long: split it", (unsigned long long)n);
    table->n_places = (uint32_t)n;
    tms_status status = alloc_table(ctx, table);
    if (status != TMS_OK)
        return status;
#pragma omp parallel for num_threads(build->n_threads) schedule(static, 1)
    for (int t = 0; t < build->n_threads; t++)
        count_or_scatter(build, t, table->places);
    return sort_partitions(ctx, build);
}

tms_status word_table_build(tms_context *ctx, const struct windows *windows, size_t n_bases, struct word_table *out)
{
    unsigned word_bits = 2 * windows->word_size, bucket_bits = 0, bins_a_bucket = BINS_A_BUCKET_LOG, partition_bits;
    while (bucket_bits < MAX_BUCKET_BITS && bucket_bits < word_bits && (uint64_t)2 << bucket_bits <= windows->n_windows)
        bucket_bits++;
    if (bins_a_bucket > word_bits - bucket_bits)
        bins_a_bucket = word_bits - bucket_bits;
    partition_bits = bucket_bits + bins_a_bucket > BINS_LOG ? bucket_bits + bins_a_bucket - BINS_LOG : 0;
    while (partition_bits < bucket_bits && windows->n_windows >> partition_bits > PARTITION_PLACES)
        partition_bits++;
    *out = (struct word_table){.word_size = windows->word_size, .bucket_bits = bucket_bits};
    struct build build = {.windows = windows, .table = out, .n_bases = n_bases, .n_threads = ctx->n_threads,
                          .partition_shift = word_bits - partition_bits, .n_partitions = (size_t)1 << partition_bits,
                          .n_buckets = (size_t)1 << (bucket_bits - partition_bits),
                          .bin_shift = word_bits - bucket_bits - bins_a_bucket,
                          .n_bins = (size_t)1 << (bucket_bits + bins_a_bucket - partition_bits)};
    size_t n_counts = build.n_partitions * (size_t)build.n_threads;
    build.counts = calloc(n_counts + build.n_partitions + 1, sizeof *build.counts);
    if (!build.counts)
        return context_fail_memory(ctx, "sorting the query's words", n_counts * sizeof *build.counts);
    build.first = build.counts + n_counts;
    tms_status status = build_table(ctx, &build);
    free(build.counts);
    if (status != TMS_OK)
        word_table_free(out);
    return status;
}

void word_table_free(struct word_table *table)
{
    memory_free(table->buckets, table->buckets ? buckets_bytes(table) : 0);
    memory_free(table->entries, table->entries ? entries_bytes(table) : 0);
    memory_free(table->places, table->places ? places_bytes(table) : 0);
    memory_free(table->high, table->high ? high_bytes(table) : 0);
    *table = (struct word_table){0};
}

uint64_t word_table_bytes(const struct word_table *table)
{
    return buckets_bytes(table) + (uint64_t)(table->n_distinct + 1) * sizeof *table->entries + places_bytes(table) +
           (table->high ? (uint64_t)table->n_distinct * sizeof *table->high : 0);
}

void word_table_look_up(const struct word_table *table, const uint64_t *words, size_t n, uint32_t *entries)
{
    uint64_t rests[WORD_TABLE_BATCH];
    uint32_t buckets[WORD_TABLE_BATCH], ends[WORD_TABLE_BATCH];
    for (size_t i = 0; i < n; i++) {
        uint64_t mixed = word_mix(words[i], table->word_size);
        buckets[i] = word_bucket(table, mixed);
        rests[i] = word_rest(table, mixed);
        __builtin_prefetch(&table->buckets[buckets[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        entries[i] = table->buckets[buckets[i]];
        ends[i] = table->buckets[buckets[i] + 1];
        __builtin_prefetch(&table->entries[entries[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        const struct word_entry *at = &table->entries[entries[i]];
        uint32_t low = (uint32_t)rests[i], in = ends[i] - entries[i], found = 0;
        if (in > LOOK_AT || table->high) {
            entries[i] = word_search(table, entries[i], ends[i], rests[i]);
            continue;
        }
        for (uint32_t e = 0; e < LOOK_AT; e++)
            found |= (uint32_t)(at[e].low == low) << e;
        found &= (1u << in) - 1;
        entries[i] = found ? entries[i] + (uint32_t)__builtin_ctz(found) : WORD_NONE;
    }
}
