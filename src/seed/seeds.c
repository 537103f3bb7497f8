/*
 * seeds.c - exact matches of w-mers: the public calls. They build a bank of filters and a word table from a query and test a subject's
 * windows against both, on the CPU (seeds_cpu.c) or the GPU (seeds_cuda.cu).
 */
#include <stdlib.h>
#include <string.h>

#include "base/extensible.h"
#include "seed/seeds_cuda.h"
#include "seed/seeds_internal.h"

#define TASK_BASES ((uint32_t)1 << 16)

STRUCT_ENDS_WITH(tms_seeds_params, seed);

void tms_seeds_params_init_sized(tms_seeds_params *params, size_t params_size)
{
    const tms_seeds_params initial = {.word_size = 16, .strand = TMS_STRAND_BOTH, .hash = TMS_SEED_HASH_H3};
    struct_out(params, params_size, &initial, sizeof initial);
}

/* Inserts the windows of a stretch of the query into the filters of their sub-queries. */
static void insert_stretch(const tms_context *ctx, tms_seeds *seeds, const struct windows *windows, uint32_t first, uint32_t end)
{
    uint64_t words[BANK_BATCH];
    uint32_t starts[BANK_BATCH];
    while (first < end) {
        uint32_t sub = seeds_sub_query(seeds, first);
        uint64_t sub_end = (sub + (uint64_t)1) * seeds->info.params.sub_query, n_words = 0;
        uint32_t to = sub_end < end ? (uint32_t)sub_end : end;
        struct windows_walk walk = windows_begin(windows, first, to);
        for (size_t n; (n = windows_next_of_query(&walk, words, starts, BANK_BATCH)) > 0; n_words += n)
            bank_insert(ctx->simd, &seeds->bank, sub, words, n, ctx->n_threads > 1);
        __atomic_fetch_add(&seeds->n_words[sub], n_words, __ATOMIC_RELAXED);
        first = to;
    }
}

struct insertion {
    const tms_context *ctx;
    tms_seeds *seeds;
    const struct windows *windows;
};

static void insert_range(void *arg, size_t first, size_t end)
{
    const struct insertion *in = arg;
    insert_stretch(in->ctx, in->seeds, in->windows, (uint32_t)first, (uint32_t)end);
}

static tms_status insert_query(tms_context *ctx, tms_seeds *seeds, const struct windows *windows)
{
    struct insertion insertion = {ctx, seeds, windows};
    return context_run_ranges(ctx, seeds->info.n_bases, TASK_BASES, insert_range, &insertion);
}

static tms_status build(tms_context *ctx, tms_seeds *seeds, const struct windows *windows)
{
    tms_seeds_info *info = &seeds->info;
    struct bank_shape shape = seeds_shape(info);
    seeds->n_words = calloc(info->n_sub_queries, sizeof *seeds->n_words);
    if (!seeds->n_words)
        return context_fail_memory(ctx, "the sub-queries", info->n_sub_queries * sizeof *seeds->n_words);
    tms_status status = word_table_build(ctx, windows, info->n_bases, &seeds->table);
    if (status == TMS_OK)
        status = bank_create(ctx, &shape, &seeds->bank);
    if (status == TMS_OK)
        status = insert_query(ctx, seeds, windows);
    if (status != TMS_OK)
        return status;
    info->n_words = windows->n_windows;
    info->n_distinct = seeds->table.n_distinct;
    info->bank_bytes = seeds->bank.size_bytes;
    info->table_bytes = word_table_bytes(&seeds->table);
    return ctx->gpu ? tms_seeds_upload(ctx, seeds) : TMS_OK;
}

tms_status tms_seeds_create_sized(tms_context *ctx, const tms_seeds_params *asked, size_t asked_size, const tms_dna *query, tms_seeds **out)
{
    struct windows windows = {0};
    tms_seeds_params own, *params = &own;
    *out = NULL;
    if (!struct_in(&own, sizeof own, asked, asked_size))
        return context_fail_newer(ctx, "tms_seeds_params");
    tms_seeds *seeds = calloc(1, sizeof *seeds);
    if (!seeds)
        return context_fail_memory(ctx, "a query", sizeof *seeds);
    tms_status status = seeds_plan(ctx, params, query->n_bases, &seeds->info);
    if (status == TMS_OK)
        status = windows_find(ctx, query, params->word_size, params->strand, &windows);
    if (status == TMS_OK)
        status = build(ctx, seeds, &windows);
    windows_free(&windows);
    if (status == TMS_OK)
        *out = seeds;
    else
        tms_seeds_destroy(seeds);
    return status;
}

void tms_seeds_destroy(tms_seeds *seeds)
{
    if (!seeds)
        return;
    seeds_gpu_destroy(seeds->gpu);
    bank_free(&seeds->bank);
    word_table_free(&seeds->table);
    free(seeds->n_words);
    free(seeds);
}

void tms_seeds_get_info_sized(const tms_seeds *seeds, tms_seeds_info *out, size_t out_size, size_t params_size)
{
    const size_t params = sizeof seeds->info.params;
    struct_out(&out->params, params_size, &seeds->info.params, params);
    struct_out((uint8_t *)out + params_size, out_size - params_size, (const uint8_t *)&seeds->info + params, sizeof seeds->info - params);
}

tms_status tms_seeds_upload(tms_context *ctx, tms_seeds *seeds)
{
    const tms_seeds_params *p = &seeds->info.params;
    if (!ctx->gpu)
        return context_fail(ctx, TMS_E_ARG, "a query is uploaded to a GPU, and the context is on the CPU");
    seeds_gpu_destroy(seeds->gpu);
    seeds->gpu = NULL;
    return seeds_gpu_create(ctx, &seeds->bank, &seeds->table, p->strand, p->sub_query, &seeds->gpu);
}

/* The host keeps bank and table too, so a CPU context may search seeds that were created for a GPU. */
static int is_on_gpu(const tms_context *ctx, const tms_seeds *seeds) { return ctx->gpu && seeds->gpu; }

static tms_status windows_of(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, struct windows *out)
{
    return windows_find(ctx, subject, seeds->info.params.word_size, seeds->info.params.strand, out);
}

static void add_tally(tms_seeds_tally *tally, const tms_seeds_tally *here)
{
    tally->n_tested += here->n_tested;
    tally->n_passed += here->n_passed;
    tally->n_true += here->n_true;
    tally->n_seeds += here->n_seeds;
}

tms_status tms_seeds_scan_and_measure(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, tms_seed_hit *hits, size_t *n_hits,
                                      tms_seeds_tally *tally, tms_sub_query *subs)
{
    uint32_t n_subs = seeds->info.n_sub_queries;
    struct windows windows;
    struct seeds_scan_call call = {.windows = &windows, .n_bases = subject->n_bases, .hits = hits, .subs = n_subs > 1 ? subs : NULL};
    if (n_hits)
        *n_hits = 0;
    tms_status status = windows_of(ctx, seeds, subject, &windows);
    if (status != TMS_OK)
        return status;
    status = is_on_gpu(ctx, seeds) ? seeds_gpu_scan(ctx, seeds->gpu, &call) : seeds_scan_cpu(ctx, seeds, &call);
    windows_free(&windows);
    if (status != TMS_OK)
        return status;
    if (n_hits)
        *n_hits = call.n_hits;
    add_tally(tally, &call.tally);
    for (uint32_t s = 0; s < n_subs && subs; s++)
        subs[s].n_tested += call.tally.n_tested;
    if (n_subs == 1 && subs) { /* with one sub-query its counts are the totals */
        subs->n_passed += call.tally.n_passed;
        subs->n_true += call.tally.n_true;
    }
    return TMS_OK;
}

tms_status tms_seeds_scan(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, tms_seed_hit *hits, size_t *n_hits,
                          tms_seeds_tally *tally)
{
    return tms_seeds_scan_and_measure(ctx, seeds, subject, hits, n_hits, tally, NULL);
}

tms_status tms_seeds_measure(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, tms_sub_query *subs)
{
    tms_seeds_tally tally = {0};
    return tms_seeds_scan_and_measure(ctx, seeds, subject, NULL, NULL, &tally, subs);
}

void tms_seeds_positions(const tms_seeds *seeds, const tms_seed_hit *hit, const tms_seed_place **positions, size_t *n)
{
    const struct word_entry *entry = &seeds->table.entries[hit->word & ~WORD_REVERSED];
    *positions = seeds->table.positions + entry->first;
    *n = entry[1].first - entry->first;
}

tms_status tms_seeds_filter(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, size_t from, tms_seed_pass *passes,
                            size_t capacity, size_t *n_passes, size_t *next, tms_seeds_tally *tally)
{
    struct windows windows;
    struct seeds_filter_call call = {
        .windows = &windows, .n_bases = subject->n_bases, .from = from, .passes = passes, .capacity = capacity, .next = from};
    *n_passes = 0;
    *next = from;
    if (capacity < seeds->info.n_sub_queries)
        return context_fail(ctx, TMS_E_ARG, "room for %zu passes: a w-mer may have %u", capacity, seeds->info.n_sub_queries);
    if (from > subject->n_bases)
        return context_fail(ctx, TMS_E_ARG, "base %zu of a sequence of %zu", from, subject->n_bases);
    tms_status status = windows_of(ctx, seeds, subject, &windows);
    if (status != TMS_OK)
        return status;
    status = is_on_gpu(ctx, seeds) ? seeds_gpu_filter(ctx, seeds->gpu, &call) : seeds_filter_cpu(ctx, seeds, &call);
    windows_free(&windows);
    if (status != TMS_OK) /* keep *next, so that a retry repeats this call */
        return status;
    *n_passes = call.n_passes;
    *next = call.next;
    add_tally(tally, &call.tally);
    return TMS_OK;
}

void tms_seeds_sub_queries(const tms_seeds *seeds, tms_sub_query *subs)
{
    const tms_seeds_info *info = &seeds->info;
    for (uint32_t s = 0; s < info->n_sub_queries; s++) {
        uint64_t first = s * info->params.sub_query, left = info->n_bases - first;
        subs[s] = (tms_sub_query){
            .first_base = first, .n_bases = left < info->params.sub_query ? left : info->params.sub_query, .n_words = seeds->n_words[s]};
    }
    bank_ones(&seeds->bank, &subs->n_ones, sizeof *subs / sizeof subs->n_ones);
    /* A word's positions ascend, so those of one sub-query are neighbours. */
    for (uint32_t e = 0; e < seeds->table.n_distinct; e++) {
        uint32_t last = UINT32_MAX;
        for (uint32_t i = seeds->table.entries[e].first; i < seeds->table.entries[e + 1].first; i++) {
            uint32_t sub = seeds_sub_query(seeds, TMS_SEED_BASE(seeds->table.positions[i]));
            subs[sub].n_distinct += sub != last;
            last = sub;
        }
    }
}

const char *tms_seed_hash_name(tms_seed_hash hash) { return hash == TMS_SEED_HASH_H3 ? "h3" : hash == TMS_SEED_HASH_XXH3 ? "xxh3" : "?"; }

const char *tms_schedule_name(tms_schedule schedule)
{
    static const char *const names[] = {"auto", "shared", "interleaved", "bitmap"};
    return (unsigned)schedule < 4 ? names[schedule] : "?";
}

const char *tms_strand_name(tms_strand strand)
{
    static const char *const names[] = {"both", "plus", "minus"};
    return (unsigned)strand < 3 ? names[strand] : "?";
}
