/*
 * word_table.c - builds a table of words and positions, and looks words up in it in batches.
 *
 * Building is a radix sort by the mixed word, in the table's own memory (of pair numbers, which positions replace at the end, for pairs).
 * 1. A task reads a stretch of the query and writes positions to partitions of up to 2^10 buckets, in ascending order.
 * 2. A thread computes a partition's words anew from the query or the pairs (16 times less memory than keeping them), sorts by bucket
 *    and rest, writes back the positions and appends one entry per distinct word. If frequent words make a partition too large, it first
 *    deals the partition out in place by the bits in which its words differ, until each part holds one word or few positions.
 * So memory never exceeds the table and MOST_SORTED positions per thread, plus the positions of the largest of any large partitions.
 */
#include "seed/word_table.h"

#include <stdlib.h>
#include <string.h>

#include "run/ordered_section.h"
#include "seq/dna_core.h"

#define BATCH            1024
#define READ_BATCH       256
#define BINS_LOG         12                  /* of a counting sort's bins: as many counters as the L1 cache holds */
#define PARTITION_PLACES ((uint64_t)1 << 14) /* most positions per partition if words were evenly distributed */
#define MOST_SORTED                                                                                                                        \
    ((uint32_t)1 << 17) /* most positions of a partition that is sorted as items, 44 bytes each; larger ones are first dealt out by bits   \
                         */
#define DEAL_LOG           8 /* bits per dealing step */
#define BINS_A_BUCKET_LOG  1 /* log2 of bins per bucket, so that few items share a bin */
#define MAX_BUCKET_BITS    30
#define LOOK_AT            4  /* entries of a bucket that a look-up compares without branches */
#define STRETCHES_A_THREAD 2  /* several, so that a slow thread processes fewer */
#define FEW                24 /* most items for an insertion sort */
#define PLACES_A_TASK      ((size_t)1 << 16)

struct item {
    uint64_t rest; /* the mixed word within its partition: bucket and rest */
    uint32_t place;
};

struct build {
    const struct windows *windows; /* NULL: build from pairs */
    const struct word_pair *pairs;
    struct word_table *table;
    size_t n_items;                 /* number of bases, or of pairs */
    unsigned partition_shift;       /* a mixed word's partition is the word shifted right by this */
    size_t n_partitions, n_buckets; /* n_buckets: buckets of a partition */
    unsigned bin_shift;             /* an item's bin is its rest shifted right by this */
    size_t n_bins;
    int n_stretches;  /* number of stretches of the query */
    uint32_t *counts; /* n_stretches + 1 rows of n_partitions: where each stretch's positions begin in a partition */
    uint32_t *first;  /* n_partitions + 1 */
    uint32_t most;    /* number of positions of the largest partition */
    uint32_t *dealt;  /* buffer for the largest partition, if it exceeds MOST_SORTED */
};

static uint32_t partition_of(const struct build *build, uint64_t mixed)
{
    return build->partition_shift > 63 ? 0 : (uint32_t)(mixed >> build->partition_shift);
}

/*
 * Reads the next words of the query in the table's form, with their positions. A palindrome is its own reverse complement: with both
 * strands it has two positions.
 */
static size_t next_words(struct windows_walk *walk, uint64_t *words, uint32_t *positions)
{
    unsigned w = walk->windows->word_size, is_minus = walk->windows->strand == TMS_STRAND_MINUS;
    size_t n = windows_next_of_query(walk, words, positions, BATCH / 2);
    for (size_t i = 0; i < n; i++)
        positions[i] = positions[i] << 1 | positions[i] >> 31 | is_minus;
    if (!walk->any_palindrome)
        return n;
    size_t n_palindromes = 0;
    for (size_t i = 0; i < n; i++)
        n_palindromes += words[i] == dna_reverse_complement(words[i], w);
    size_t to = n + n_palindromes;
    for (size_t i = n; i-- > 0;) {
        if (words[i] == dna_reverse_complement(words[i], w)) {
            words[--to] = words[i];
            positions[to] = positions[i] | 1;
        }
        words[--to] = words[i];
        positions[to] = positions[i];
    }
    return n + n_palindromes;
}

/* An iteration over the words of a stretch. */
struct walk {
    struct windows_walk windows;
    size_t next, end; /* range of pairs */
};

static struct walk begin_stretch(const struct build *build, size_t i)
{
    uint64_t n = build->n_items, of = (uint64_t)build->n_stretches;
    struct walk walk = {.next = (size_t)(n * i / of), .end = (size_t)(n * (i + 1) / of)};
    if (build->windows)
        walk.windows = windows_begin(build->windows, (uint32_t)walk.next, (uint32_t)walk.end);
    return walk;
}

/* Reads the next pairs, with pair numbers instead of positions. */
static size_t next_pairs(const struct build *build, struct walk *walk, uint64_t *words, uint32_t *positions)
{
    size_t n = walk->end - walk->next < BATCH ? walk->end - walk->next : BATCH;
    for (size_t i = 0; i < n; i++) {
        words[i] = build->pairs[walk->next + i].word;
        positions[i] = (uint32_t)(walk->next + i);
    }
    walk->next += n;
    return n;
}

static size_t next_of_stretch(const struct build *build, struct walk *walk, uint64_t *words, uint32_t *positions)
{
    return build->windows ? next_words(&walk->windows, words, positions) : next_pairs(build, walk, words, positions);
}

/* With `to` NULL, counts a stretch's positions in each partition; otherwise writes them to the stretch's range in each partition. */
static inline void count_or_scatter(const struct build *build, size_t i_stretch, uint32_t *to)
{
    uint64_t words[BATCH];
    uint32_t positions[BATCH], *counts = build->counts + i_stretch * build->n_partitions;
    struct walk walk = begin_stretch(build, i_stretch);
    for (size_t n; (n = next_of_stretch(build, &walk, words, positions)) > 0;)
        for (size_t i = 0; i < n; i++) {
            uint32_t at = counts[partition_of(build, word_mix(words[i], build->table->word_bits))]++;
            if (to)
                to[at] = positions[i];
        }
}

static void count_stretch(void *arg, size_t i, int thread)
{
    (void)thread;
    count_or_scatter(arg, i, NULL);
}

static void scatter_stretch(void *arg, size_t i, int thread)
{
    const struct build *build = arg;
    (void)thread;
    count_or_scatter(build, i, build->table->positions);
}

/* Converts counts to the start of each stretch's range in each partition. Returns the number of positions. */
static uint64_t sum_counts(struct build *build)
{
    uint64_t sum = 0;
    for (size_t p = 0; p < build->n_partitions; p++) {
        uint64_t begin = sum;
        build->first[p] = (uint32_t)sum;
        for (int t = 0; t < build->n_stretches; t++) {
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

/* Sorts by rest, stably. scratch has room for n items. */
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

/* Computes the mixed words, within their partition, of up to READ_BATCH positions. */
static void read_words(const struct build *build, const uint32_t *positions, size_t n, uint64_t *rests)
{
    uint64_t mask = build->partition_shift > 63 ? ~(uint64_t)0 : ((uint64_t)1 << build->partition_shift) - 1;
    uint32_t bases[READ_BATCH];
    if (n == 0)
        return;
    if (build->windows) {
        for (size_t i = 0; i < n; i++)
            bases[i] = positions[i] >> 1;
        windows_at(build->windows, bases, n, rests);
    } else {
        for (size_t i = 0; i < n; i++)
            rests[i] = build->pairs[positions[i]].word;
    }
    for (size_t i = 0; i < n; i++)
        rests[i] = word_mix(rests[i], build->table->word_bits) & mask;
}

/* Converts positions to items, in order; counts[b + 1] counts bin b. */
static void read_items(const struct build *build, const uint32_t *positions, size_t n, struct item *items, uint32_t *counts)
{
    uint64_t rests[READ_BATCH];
    for (size_t first = 0; first < n; first += READ_BATCH) {
        size_t n_some = n - first < READ_BATCH ? n - first : READ_BATCH;
        read_words(build, positions + first, n_some, rests);
        for (size_t i = 0; i < n_some; i++) {
            items[first + i] = (struct item){rests[i], positions[first + i]};
            counts[(rests[i] >> build->bin_shift) + 1]++;
        }
    }
}

/*
 * Sorts items by rest, after they are ordered by bin. Most items are alone in their bin, so one insertion sort over all has
 * little to do; full bins are sorted first.
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

/* Entries whose index in the table is not known yet. */
struct entries {
    struct word_entry *entries;
    uint32_t *high;
};

/*
 * Converts sorted items to bucket counts, entries, and positions from `first` on. Returns the number of entries. Branchless, because
 * whether the next word is new is unpredictable.
 */
static uint32_t write_items(const struct build *build, const struct item *items, uint32_t n, uint32_t first, uint32_t *buckets,
                            struct entries *out)
{
    struct word_table *table = build->table;
    unsigned rest_bits = table->word_bits - table->bucket_bits;
    uint32_t begins = first, n_entries = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t is_new = i == 0 || items[i].rest != items[i - 1].rest;
        uint64_t rest = word_rest(table, items[i].rest);
        n_entries += is_new;
        begins = is_new ? first + i : begins;
        buckets[rest_bits > 63 ? 0 : items[i].rest >> rest_bits] += is_new;
        table->positions[first + i] = items[i].place;
        out->entries[n_entries - 1] = (struct word_entry){(uint32_t)rest, begins};
        out->high[n_entries - 1] = (uint32_t)(rest >> 32);
    }
    return n_entries;
}

/* Converts the entry counts of a partition's buckets to first entries; the partition's first entry is number `first`. */
static void sum_buckets(const struct build *build, uint32_t *buckets, uint32_t first)
{
    for (size_t b = 0; b < build->n_buckets; b++) {
        uint32_t count = buckets[b];
        buckets[b] = first;
        first += count;
    }
}

/* A thread's buffers for sorting. */
struct sorter {
    uint32_t most;      /* positions */
    struct item *items; /* 2 * most items */
    uint32_t *counts;   /* n_bins + 1 */
    struct entries entries;
};

/* Sorts a partition, or a range of its words that are consecutive in the table. Returns the number of entries. */
static uint32_t sort_places(const struct build *build, uint32_t begin, uint32_t n, uint32_t *buckets, struct sorter *sorter)
{
    struct item *items = sorter->items, *sorted = items + sorter->most;
    uint32_t *counts = sorter->counts, fullest = 0;
    memset(counts, 0, (build->n_bins + 1) * sizeof *counts);
    read_items(build, build->table->positions + begin, n, items, counts);
    for (size_t b = 0; b < build->n_bins; b++) {
        fullest = counts[b + 1] > fullest ? counts[b + 1] : fullest;
        counts[b + 1] += counts[b];
    }
    for (uint32_t i = 0; i < n; i++)
        sorted[counts[items[i].rest >> build->bin_shift]++] = items[i];
    /* counts[b] is now the end of bin b. */
    sort_in_bins(sorted, items, n, counts, build->n_bins, fullest);
    return write_items(build, sorted, n, begin, buckets, &sorter->entries);
}

/* Appends entries to the table; partitions come in order. */
static void append_entries(struct word_table *table, const struct entries *entries, uint32_t n)
{
    if (n == 0)
        return; /* also after a failed allocation of entries */
    memcpy(table->entries + table->n_distinct, entries->entries, n * sizeof *table->entries);
    if (table->high)
        memcpy(table->high + table->n_distinct, entries->high, n * sizeof *table->high);
    table->n_distinct += n;
}

/* Finds the bits in which the words of these positions differ, and one of the words. */
static uint64_t difference(const struct build *build, const uint32_t *positions, uint32_t n, uint64_t *word)
{
    uint64_t rests[READ_BATCH], differ = 0;
    for (uint32_t first = 0; first < n; first += READ_BATCH) {
        uint32_t n_some = n - first < READ_BATCH ? n - first : READ_BATCH;
        read_words(build, positions + first, n_some, rests);
        if (first == 0)
            *word = rests[0];
        for (uint32_t i = 0; i < n_some; i++)
            differ |= rests[i] ^ *word;
    }
    return differ;
}

/* Stably distributes n positions by the bits above shift, within the table; ends[d] becomes the end of digit d. */
static void deal(const struct build *build, uint32_t *positions, uint32_t n, unsigned shift, uint32_t ends[1 << DEAL_LOG])
{
    uint64_t rests[READ_BATCH];
    uint32_t sum = 0;
    memset(ends, 0, (sizeof *ends) << DEAL_LOG);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t first = 0; first < n; first += READ_BATCH) {
            uint32_t n_some = n - first < READ_BATCH ? n - first : READ_BATCH;
            read_words(build, positions + first, n_some, rests);
            for (uint32_t i = 0; i < n_some; i++) {
                uint32_t *at = &ends[rests[i] >> shift & ((1 << DEAL_LOG) - 1)];
                if (pass == 1)
                    build->dealt[*at] = positions[first + i];
                ++*at;
            }
        }
        for (uint32_t d = 0; d < 1 << DEAL_LOG && pass == 0; d++) {
            uint32_t count = ends[d];
            ends[d] = sum;
            sum += count;
        }
    }
    memcpy(positions, build->dealt, n * sizeof *positions);
}

/* Converts a part of a large partition, whose words are consecutive in the table, to entries, which it appends. */
static void sort_large(const struct build *build, uint32_t begin, uint32_t n, uint32_t *buckets, struct sorter *sorter)
{
    struct word_table *table = build->table;
    uint32_t *positions = table->positions + begin, ends[1 << DEAL_LOG], from = 0;
    uint64_t word, differ;
    if (n <= MOST_SORTED) {
        append_entries(table, &sorter->entries, sort_places(build, begin, n, buckets, sorter));
        return;
    }
    differ = difference(build, positions, n, &word);
    if (differ == 0) {
        struct item item = {word, positions[0]};
        append_entries(table, &sorter->entries, write_items(build, &item, 1, begin, buckets, &sorter->entries));
        return;
    }
    unsigned top = 64 - (unsigned)__builtin_clzll(differ);
    deal(build, positions, n, top > DEAL_LOG ? top - DEAL_LOG : 0, ends);
    for (uint32_t d = 0; d < 1 << DEAL_LOG; from = ends[d++])
        if (ends[d] > from)
            sort_large(build, begin + from, ends[d] - from, buckets, sorter);
}

static size_t high_bytes(const struct word_table *table)
{
    return table->word_bits - table->bucket_bits > 32 ? (size_t)table->n_positions * sizeof *table->high : 0;
}

/* Adds one entry that ends the last one's positions, and LOOK_AT - 1 that word_table_look_up() may read. */
static size_t entries_bytes(const struct word_table *table) { return ((size_t)table->n_positions + LOOK_AT) * sizeof *table->entries; }
static size_t places_bytes(const struct word_table *table) { return (size_t)table->n_positions * sizeof *table->positions; }
static size_t buckets_bytes(const struct word_table *table) { return (((size_t)1 << table->bucket_bits) + 1) * sizeof *table->buckets; }

static tms_status alloc_table(tms_context *ctx, struct word_table *table)
{
    table->buckets = memory_alloc_zeroed(buckets_bytes(table));
    table->entries = memory_alloc_zeroed(entries_bytes(table));
    table->positions = memory_alloc_zeroed(places_bytes(table));
    table->high = high_bytes(table) ? memory_alloc_zeroed(high_bytes(table)) : NULL;
    if (table->buckets && table->entries && table->positions && (table->high || !high_bytes(table)))
        return TMS_OK;
    return context_fail_memory(ctx, "the query's table",
                               buckets_bytes(table) + entries_bytes(table) + places_bytes(table) + high_bytes(table));
}

/* Any thread may sort a partition; entries are appended in order of partitions. */
struct partitions {
    struct build *build;
    struct sorter *sorters; /* one per thread */
    struct ordered_section ordered_section;
    uint32_t most; /* capacity of a sorter, in positions */
    int failed;    /* set if memory is insufficient; atomic */
};

static bool sorter_create(const struct partitions *p, struct sorter *sorter)
{
    size_t most = p->most;
    *sorter = (struct sorter){p->most,
                              malloc(most * 2 * sizeof *sorter->items),
                              malloc((p->build->n_bins + 1) * sizeof *sorter->counts),
                              {malloc(most * sizeof *sorter->entries.entries), malloc(most * sizeof *sorter->entries.high)}};
    return sorter->items && sorter->counts && sorter->entries.entries && sorter->entries.high;
}

static void sorter_free(struct sorter *sorter)
{
    free(sorter->items);
    free(sorter->counts);
    free(sorter->entries.entries);
    free(sorter->entries.high);
}

static void sort_partition(void *arg, size_t i, int thread)
{
    struct partitions *p = arg;
    struct build *build = p->build;
    struct sorter *sorter = &p->sorters[thread];
    bool failed = __atomic_load_n(&p->failed, __ATOMIC_RELAXED);
    if (!failed && !sorter->items && !sorter_create(p, sorter)) {
        __atomic_store_n(&p->failed, 1, __ATOMIC_RELAXED);
        failed = true;
    }
    uint32_t *buckets = build->table->buckets + i * build->n_buckets, n = build->first[i + 1] - build->first[i];
    bool is_large = n > MOST_SORTED;
    uint32_t n_entries = failed || is_large ? 0 : sort_places(build, build->first[i], n, buckets, sorter);
    ordered_section_wait(&p->ordered_section, i);
    uint32_t first = build->table->n_distinct;
    if (!failed && is_large)
        sort_large(build, build->first[i], n, buckets, sorter);
    else if (!failed)
        append_entries(build->table, &sorter->entries, n_entries);
    ordered_section_end(&p->ordered_section, i);
    if (!failed)
        sum_buckets(build, buckets, first);
}

static tms_status sort_partitions(tms_context *ctx, struct build *build)
{
    struct word_table *table = build->table;
    struct partitions p = {.build = build,
                           .most = build->most < MOST_SORTED ? build->most + 1 : MOST_SORTED /* + 1: avoids allocations of 0 bytes */};
    p.sorters = calloc((size_t)ctx->n_threads, sizeof *p.sorters);
    if (build->most > MOST_SORTED)
        build->dealt = memory_alloc_sparse((size_t)build->most * sizeof *build->dealt);
    p.failed = !p.sorters || (build->most > MOST_SORTED && !build->dealt);
    ordered_section_init(&p.ordered_section);
    tms_status status = p.failed ? TMS_OK : tms_context_run(ctx, build->n_partitions, sort_partition, &p);
    ordered_section_destroy(&p.ordered_section);
    for (int t = 0; p.sorters && t < ctx->n_threads; t++)
        sorter_free(&p.sorters[t]);
    free(p.sorters);
    memory_free_sparse(build->dealt, (size_t)build->most * sizeof *build->dealt);
    table->buckets[(size_t)1 << table->bucket_bits] = table->n_distinct;
    table->entries[table->n_distinct] = (struct word_entry){0, table->n_positions};
    return p.failed ? context_fail_memory(ctx, "sorting the query's words", (size_t)p.most * 2 * sizeof(struct item)) : status;
}

static tms_status fail_too_many(tms_context *ctx, uint64_t n)
{
    return context_fail(ctx, TMS_E_ARG, "a query of %llu w-mers is too long: split it", (unsigned long long)n);
}

static tms_status build_table(tms_context *ctx, struct build *build)
{
    struct word_table *table = build->table;
    tms_status status = tms_context_run(ctx, (size_t)build->n_stretches, count_stretch, build);
    if (status != TMS_OK)
        return status;
    uint64_t n = sum_counts(build);
    if (n > INT32_MAX)
        return fail_too_many(ctx, n);
    table->n_positions = (uint32_t)n;
    status = alloc_table(ctx, table);
    if (status == TMS_OK)
        status = tms_context_run(ctx, (size_t)build->n_stretches, scatter_stretch, build);
    return status == TMS_OK ? sort_partitions(ctx, build) : status;
}

/* build [in] has its source and n_items set. n_words: approximate number of words. */
static tms_status build_words(tms_context *ctx, struct build *source, uint64_t n_words, unsigned word_bits, struct word_table *out)
{
    unsigned bucket_bits = 0, bins_a_bucket = BINS_A_BUCKET_LOG, partition_bits;
    while (bucket_bits < MAX_BUCKET_BITS && bucket_bits < word_bits && (uint64_t)2 << bucket_bits <= n_words)
        bucket_bits++;
    if (bins_a_bucket > word_bits - bucket_bits)
        bins_a_bucket = word_bits - bucket_bits;
    partition_bits = bucket_bits + bins_a_bucket > BINS_LOG ? bucket_bits + bins_a_bucket - BINS_LOG : 0;
    while (partition_bits < bucket_bits && n_words >> partition_bits > PARTITION_PLACES)
        partition_bits++;
    *out = (struct word_table){.word_bits = word_bits, .bucket_bits = bucket_bits};
    struct build build = {.windows = source->windows,
                          .pairs = source->pairs,
                          .table = out,
                          .n_items = source->n_items,
                          .n_stretches = ctx->n_threads == 1 ? 1 : STRETCHES_A_THREAD * ctx->n_threads,
                          .partition_shift = word_bits - partition_bits,
                          .n_partitions = (size_t)1 << partition_bits,
                          .n_buckets = (size_t)1 << (bucket_bits - partition_bits),
                          .bin_shift = word_bits - bucket_bits - bins_a_bucket,
                          .n_bins = (size_t)1 << (bucket_bits + bins_a_bucket - partition_bits)};
    size_t n_counts = build.n_partitions * (size_t)build.n_stretches;
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

tms_status word_table_build(tms_context *ctx, const struct windows *windows, size_t n_bases, struct word_table *out)
{
    struct build source = {.windows = windows, .n_items = n_bases};
    return build_words(ctx, &source, windows->n_windows, 2 * windows->word_size, out);
}

struct numbers {
    const struct word_pair *pairs;
    uint32_t *positions;
};

static void numbers_to_places(void *arg, size_t first, size_t end)
{
    const struct numbers *numbers = arg;
    for (size_t i = first; i < end; i++)
        numbers->positions[i] = numbers->pairs[numbers->positions[i]].place;
}

tms_status word_table_build_pairs(tms_context *ctx, const struct word_pair *pairs, size_t n, unsigned word_bits, struct word_table *out)
{
    struct build source = {.pairs = pairs, .n_items = n};
    struct numbers numbers = {pairs, NULL};
    tms_status status;
    *out = (struct word_table){0};
    if (n > INT32_MAX)
        return fail_too_many(ctx, n);
    status = build_words(ctx, &source, n, word_bits, out);
    if (status != TMS_OK)
        return status;
    numbers.positions = out->positions;
    status = context_run_ranges(ctx, n, PLACES_A_TASK, numbers_to_places, &numbers);
    if (status != TMS_OK)
        word_table_free(out);
    return status;
}

void word_table_free(struct word_table *table)
{
    memory_free(table->buckets, table->buckets ? buckets_bytes(table) : 0);
    memory_free(table->entries, table->entries ? entries_bytes(table) : 0);
    memory_free(table->positions, table->positions ? places_bytes(table) : 0);
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
        uint64_t mixed = word_mix(words[i], table->word_bits);
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
