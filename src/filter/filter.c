/*
 * filter.c - the public calls: check the arguments, then hand over to the filter's layout on the CPU or the GPU (layouts.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/extensible.h"
#include "device/gpu.h"
#include "filter/classic_sizing.h"
#include "filter/filter_checks.h"
#include "filter/image.h"
#include "filter/key_pieces.h"
#include "filter/layouts.h"
#include "filter/probabilistic_core.h"
#include "run/file_map.h"
#include "tamis/frequency.h"

#define TASK_WORDS ((size_t)1 << 15)

/* Makes a probabilistic filter's tables for drawing bits, on the host and on the GPU. */
static tms_status filter_alloc_jumps(tms_context *ctx, tms_filter *f)
{
    if (!layout_facts(f->params.layout)->draws)
        return TMS_OK;
    f->jumps = malloc(sizeof *f->jumps);
    if (!f->jumps)
        return context_fail_memory(ctx, "a filter's tables", sizeof *f->jumps);
    probabilistic_jumps_init(f->jumps, f->params.p);
    return TMS_OK;
}

/* Frees the filter's GPU memory. */
static void filter_free_gpu(tms_filter *f)
{
    if (f->d_bits)
        gpu_memory_free(f->device, f->d_bits);
    if (f->d_jumps)
        gpu_memory_free(f->device, f->d_jumps);
    f->d_bits = f->d_jumps = NULL;
    f->device = TMS_DEVICE_CPU;
}

/* Allocates the bits on the context's GPU, zeroed. A failure leaves no memory allocated there. */
static tms_status filter_alloc_gpu(tms_context *ctx, tms_filter *f)
{
    f->device = tms_context_device(ctx);
    tms_status status = gpu_memory_alloc(ctx->gpu, f->bits_bytes, &f->d_bits);
    if (status == TMS_OK && f->jumps)
        status = gpu_memory_alloc(ctx->gpu, sizeof *f->jumps, &f->d_jumps);
    if (status == TMS_OK && f->jumps)
        status = gpu_upload(ctx->gpu, f->d_jumps, f->jumps, sizeof *f->jumps);
    if (status != TMS_OK)
        filter_free_gpu(f);
    return status;
}

/* Allocates the host copy, zeroed; tms_filter_image() writes the header. */
static tms_status filter_alloc_image(tms_context *ctx, tms_filter *f)
{
    f->image = memory_alloc_zeroed(IMAGE_HEADER_BYTES + f->bits_bytes);
    if (!f->image)
        return context_fail_memory(ctx, "the filter", f->bits_bytes);
    f->owns_image = 1;
    return TMS_OK;
}

/* Allocates the bits where the context works: on its GPU or in host memory. */
static tms_status filter_alloc(tms_context *ctx, const tms_filter_params *params, tms_filter **out)
{
    *out = NULL;
    tms_filter *f = calloc(1, sizeof *f);
    if (!f)
        return context_fail_memory(ctx, "a filter's description", sizeof *f);
    f->params = *params;
    if (layout_facts(params->layout)->max_blocks)
        f->params.blocks_per_key = filter_n_parts(params);
    f->bits_bytes = filter_bits_bytes(params);
    f->device = TMS_DEVICE_CPU;
    tms_status status = filter_alloc_jumps(ctx, f);
    if (status == TMS_OK)
        status = ctx->gpu ? filter_alloc_gpu(ctx, f) : filter_alloc_image(ctx, f);
    if (status != TMS_OK) {
        tms_filter_destroy(f);
        return status;
    }
    f->host_stale = ctx->gpu != NULL;
    *out = f;
    return TMS_OK;
}

tms_status tms_filter_create_sized(tms_context *ctx, const tms_filter_params *given, size_t given_size, tms_filter **out)
{
    tms_filter_params params;
    *out = NULL;
    tms_status status = filter_params_in(ctx, given, given_size, &params);
    if (status == TMS_OK)
        status = filter_check_params(ctx, &params, TMS_E_ARG);
    return status != TMS_OK ? status : filter_alloc(ctx, &params, out);
}

void tms_filter_destroy(tms_filter *f)
{
    if (!f)
        return;
    if (f->owns_image)
        memory_free(f->image, IMAGE_HEADER_BYTES + f->bits_bytes);
    if (f->mapped_bytes)
        file_unmap(f->image, f->mapped_bytes);
    filter_free_gpu(f);
    free(f->jumps);
    free(f);
}

/* Updates the host copy from the GPU. */
static tms_status filter_sync_host(tms_context *ctx, tms_filter *f)
{
    if (!f->host_stale)
        return TMS_OK;
    tms_status status = f->image ? TMS_OK : filter_alloc_image(ctx, f);
    if (status == TMS_OK)
        status = gpu_download(&ctx->fault, f->device, filter_bits_mutable(f), f->d_bits, f->bits_bytes);
    if (status == TMS_OK)
        f->host_stale = 0;
    return status;
}

/* --- host batches for a filter on a GPU: copying pieces overlaps the kernels --- */

/* The pipeline delivers pieces in order; n_done counts the insertions so far. */
struct insertion {
    tms_filter *filter;
    uint64_t n_done;
};

static tms_status insert_piece(tms_context *ctx, void *arg, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n, void *d_answers)
{
    struct insertion *in = arg;
    uint64_t insertion = in->filter->n_keys + in->n_done;
    (void)d_answers;
    in->n_done += n;
    return layout_insert_cuda(ctx, in->filter, d_keys, d_hashes, n, insertion);
}

static tms_status insert_through_gpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    struct insertion in = {f, 0};
    f->host_stale = 1;
    if (keys)
        return keys_through_gpu(ctx, keys, NULL, 0, insert_piece, &in);
    return hashes_through_gpu(ctx, hashes, (size_t)tms_hash_words(&f->params), n, insert_piece, &in);
}

/* The argument of ask_piece(): the filter to query. */
struct asked {
    const tms_filter *filter;
};

static tms_status ask_piece(tms_context *ctx, void *arg, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n, void *d_answers)
{
    (void)d_hashes;
    (void)n;
    return layout_ask_cuda(ctx, ((const struct asked *)arg)->filter, d_keys, d_answers);
}

/* --- insertion --- */

/* Filters of sequences are filled through tamis/classify.h. */
static tms_status filter_check_takes_keys(tms_context *ctx, const tms_filter_params *p)
{
    if (!layout_facts(p->layout)->words)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG, "a filter of k-mers takes sequences, not keys: tms_filter_insert_seqs(), tms_filter_query_seqs()");
}

static tms_status filter_insert_any(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n)
{
    bool on_gpu;
    tms_status status = filter_check_takes_keys(ctx, &f->params);
    if (status == TMS_OK)
        status = filter_check_writable(ctx, f);
    if (status == TMS_OK)
        status = filter_check_place(ctx, f, &on_gpu);
    if (status != TMS_OK)
        return status;
    if (f->d_bits && !on_gpu)
        return context_fail(ctx, TMS_E_ARG, "the filter is on cuda:%d: insert with a context on that device", f->device);
    if (!n)
        return TMS_OK;
    status = filter_check_numbers(ctx, f, n);
    if (status != TMS_OK)
        return status;
    status = on_gpu ? insert_through_gpu(ctx, f, keys, hashes, n) : layout_insert_cpu(ctx, f, keys, hashes, n);
    if (status == TMS_OK)
        f->n_keys += n;
    return status;
}

tms_status tms_filter_insert(tms_context *ctx, tms_filter *f, const tms_keys *keys)
{
    tms_status status = filter_check_keys(ctx, keys);
    return status != TMS_OK ? status : filter_insert_any(ctx, f, keys, NULL, keys->n_keys);
}

tms_status tms_filter_insert_hashes(tms_context *ctx, tms_filter *f, const uint64_t *hashes, size_t n_keys)
{
    if (!tms_hash_words(&f->params) && !layout_facts(f->params.layout)->words)
        return context_fail(ctx, TMS_E_ARG, "a filter with the hash %s takes keys, not hashes", tms_hash_name(f->params.hash));
    return filter_insert_any(ctx, f, NULL, hashes, n_keys);
}

/* The probabilistic layout supports counts, the others queries. */
static tms_status filter_check_kind(tms_context *ctx, const tms_filter *f, bool counts)
{
    if (layout_facts(f->params.layout)->draws == counts)
        return filter_check_takes_keys(ctx, &f->params);
    return context_fail(ctx, TMS_E_ARG,
                        counts ? "a %s filter shows whether a key occurred, not how often: query it, or build a "
                                 "probabilistic one"
                               : "a %s filter estimates how often a key occurred: count instead of query",
                        tms_layout_name(f->params.layout));
}

/* answers: n_keys of answer_bytes each. */
static tms_status filter_ask(tms_context *ctx, const tms_filter *f, const tms_keys *keys, bool counts, void *answers, size_t answer_bytes)
{
    bool on_gpu;
    struct asked asked = {f};
    tms_status status = filter_check_keys(ctx, keys);
    if (status == TMS_OK)
        status = filter_check_kind(ctx, f, counts);
    if (status == TMS_OK)
        status = filter_check_place(ctx, f, &on_gpu);
    if (status != TMS_OK || !keys->n_keys)
        return status;
    return on_gpu ? keys_through_gpu(ctx, keys, answers, answer_bytes, ask_piece, &asked) : layout_ask_cpu(ctx, f, keys, answers);
}

tms_status tms_filter_query(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit)
{
    return filter_ask(ctx, f, keys, false, hit, sizeof *hit);
}

int tms_filter_has(const tms_filter *f, const void *key, size_t size) { return f->host_stale ? -1 : layout_has(f, key, size); }

tms_status tms_filter_count(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones)
{
    return filter_ask(ctx, f, keys, true, ones, sizeof *ones);
}

tms_status tms_keys_hash_sized(tms_context *ctx, const tms_filter_params *given, size_t given_size, const tms_keys *keys, uint64_t *hashes)
{
    tms_filter_params own, *params = &own;
    tms_status status = filter_params_in(ctx, given, given_size, &own);
    if (status == TMS_OK)
        status = filter_check_kinds(ctx, params, TMS_E_ARG);
    if (status == TMS_OK)
        status = filter_check_takes_keys(ctx, params);
    if (status == TMS_OK)
        status = filter_check_keys(ctx, keys);
    if (status != TMS_OK)
        return status;
    if (!tms_hash_words(params))
        return context_fail(ctx, TMS_E_ARG, "keys for the hash %s cannot be hashed ahead", tms_hash_name(params->hash));
    return layout_hash_cpu(ctx, params, keys, hashes);
}

static tms_status filter_check_device_call(tms_context *ctx, const tms_filter *f, const tms_keys *keys)
{
    if (!ctx->gpu || !f->d_bits || tms_context_device(ctx) != f->device)
        return context_fail(ctx, TMS_E_ARG, "keys in device memory need a context and a filter on the same GPU");
    if ((uintptr_t)keys->bytes % 16 || (uintptr_t)keys->offsets % 16)
        return context_fail(ctx, TMS_E_ARG, "keys and offsets in device memory must be aligned to 16 bytes");
    tms_status status = filter_check_takes_keys(ctx, &f->params);
    return status != TMS_OK ? status : filter_check_sizes(ctx, keys);
}

tms_status tms_filter_insert_device(tms_context *ctx, tms_filter *f, const tms_keys *keys)
{
    tms_status status = filter_check_device_call(ctx, f, keys);
    if (status == TMS_OK)
        status = filter_check_writable(ctx, f);
    if (status == TMS_OK)
        status = filter_check_numbers(ctx, f, keys->n_keys);
    if (status != TMS_OK || !keys->n_keys)
        return status;
    f->host_stale = 1;
    status = layout_insert_cuda(ctx, f, keys, NULL, keys->n_keys, f->n_keys);
    if (status == TMS_OK)
        f->n_keys += keys->n_keys;
    return status;
}

static tms_status filter_ask_device(tms_context *ctx, const tms_filter *f, const tms_keys *keys, bool counts, void *d_answers)
{
    tms_status status = filter_check_device_call(ctx, f, keys);
    if (status == TMS_OK)
        status = filter_check_kind(ctx, f, counts);
    return status != TMS_OK || !keys->n_keys ? status : layout_ask_cuda(ctx, f, keys, d_answers);
}

tms_status tms_filter_query_device(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit)
{
    return filter_ask_device(ctx, f, keys, false, d_hit);
}

tms_status tms_filter_count_device(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *d_ones)
{
    return filter_ask_device(ctx, f, keys, true, d_ones);
}

/* --- images, copies, merging --- */

tms_status tms_filter_image(tms_context *ctx, tms_filter *f, const void **image, size_t *size)
{
    tms_status status = filter_sync_host(ctx, f);
    if (status != TMS_OK)
        return status;
    if (f->owns_image)
        status = image_write_header(ctx, f);
    if (status != TMS_OK)
        return status;
    *image = f->image;
    *size = IMAGE_HEADER_BYTES + f->bits_bytes;
    return TMS_OK;
}

tms_status tms_filter_open(tms_context *ctx, const void *image, size_t size, tms_filter **out)
{
    *out = NULL;
    tms_filter *f = calloc(1, sizeof *f);
    if (!f)
        return context_fail_memory(ctx, "a filter's description", sizeof *f);
    f->device = TMS_DEVICE_CPU;
    tms_status status = image_check(ctx, image, size, f);
    if (status == TMS_OK) {
        f->image = (uint8_t *)(uintptr_t)image; /* owns_image stays 0: never written through */
        status = filter_alloc_jumps(ctx, f);
    }
    if (status == TMS_OK && ctx->gpu)
        status = tms_filter_upload(ctx, f);
    if (status != TMS_OK) {
        tms_filter_destroy(f);
        return status;
    }
    *out = f;
    return TMS_OK;
}

tms_status tms_filter_upload(tms_context *ctx, tms_filter *f)
{
    if (!ctx->gpu)
        return context_fail(ctx, TMS_E_ARG, "the context has no GPU: set one first, with tms_context_set_device()");
    if (f->d_bits && f->device == tms_context_device(ctx))
        return TMS_OK;
    if (f->d_bits)
        return context_fail(ctx, TMS_E_ARG, "the filter is on cuda:%d: download it first", f->device);
    tms_status status = filter_alloc_gpu(ctx, f);
    if (status == TMS_OK)
        status = gpu_upload(ctx->gpu, f->d_bits, filter_bits(f), f->bits_bytes);
    if (status != TMS_OK)
        filter_free_gpu(f);
    return status;
}

tms_status tms_filter_download(tms_context *ctx, tms_filter *f)
{
    tms_status status = filter_sync_host(ctx, f);
    if (status == TMS_OK)
        filter_free_gpu(f);
    return status;
}

tms_status tms_filter_copy(tms_context *ctx, const tms_filter *src, tms_filter **out)
{
    *out = NULL;
    if (src->host_stale)
        return context_fail(ctx, TMS_E_ARG, "the filter's bits are on cuda:%d: call tms_filter_image() first", src->device);
    tms_status status = filter_alloc(ctx, &src->params, out);
    if (status != TMS_OK)
        return status;
    tms_filter *f = *out;
    f->n_keys = src->n_keys;
    f->is_union = src->is_union;
    f->shard = src->shard;
    if (!f->d_bits) {
        memcpy(filter_bits_mutable(f), filter_bits(src), f->bits_bytes);
        return TMS_OK;
    }
    status = gpu_upload(ctx->gpu, f->d_bits, filter_bits(src), f->bits_bytes);
    if (status != TMS_OK) {
        tms_filter_destroy(f);
        *out = NULL;
    }
    return status;
}

static tms_status merge_check(tms_context *ctx, const tms_filter_params *a, const tms_filter_params *b)
{
    if (a->layout != b->layout)
        return context_fail(ctx, TMS_E_MISMATCH, "the layouts differ: %s and %s", tms_layout_name(a->layout), tms_layout_name(b->layout));
    if (a->hash != b->hash)
        return context_fail(ctx, TMS_E_MISMATCH, "the hashes differ: %s and %s", tms_hash_name(a->hash), tms_hash_name(b->hash));
    if (a->seed != b->seed)
        return context_fail(ctx, TMS_E_MISMATCH, "the seeds differ: %llu and %llu", (unsigned long long)a->seed,
                            (unsigned long long)b->seed);
    if (a->m_bits != b->m_bits)
        return context_fail(ctx, TMS_E_MISMATCH, "the sizes differ: m = %llu and %llu bits", (unsigned long long)a->m_bits,
                            (unsigned long long)b->m_bits);
    if (a->k != b->k)
        return context_fail(ctx, TMS_E_MISMATCH, "the numbers of hash functions differ: k = %u and %u", a->k, b->k);
    if (a->word_size != b->word_size)
        return context_fail(ctx, TMS_E_MISMATCH, "the k-mers differ: %u and %u bases", a->word_size, b->word_size);
    if (a->subword_size != b->subword_size)
        return context_fail(ctx, TMS_E_MISMATCH, "the s-mers differ: %u and %u bases", a->subword_size, b->subword_size);
    if (a->minimizer_size != b->minimizer_size)
        return context_fail(ctx, TMS_E_MISMATCH, "the minimizers differ: %u and %u bases", a->minimizer_size, b->minimizer_size);
    if (a->strand != b->strand)
        return context_fail(ctx, TMS_E_MISMATCH, "the strands differ: one filter has both strands, the other is stranded");
    if (a->blocks_per_key != b->blocks_per_key)
        return context_fail(ctx, TMS_E_MISMATCH, "the blocks per key differ: %u and %u", a->blocks_per_key, b->blocks_per_key);
    char p[NUMBER_TEXT_SIZE], q[NUMBER_TEXT_SIZE];
    if (a->p != b->p)
        return context_fail(ctx, TMS_E_MISMATCH, "the probabilities differ: p = %s and %s", number_text(a->p, p), number_text(b->p, q));
    if (a->sampling != b->sampling)
        return context_fail(ctx, TMS_E_MISMATCH, "the samplings differ: %s and %s", tms_sampling_name(a->sampling),
                            tms_sampling_name(b->sampling));
    return TMS_OK;
}

/* The meaning of a union or intersection of bits depends on the layout. */
static tms_status merge_check_how(tms_context *ctx, const tms_filter *dst, const tms_filter *src, tms_merge how)
{
    if ((unsigned)how > TMS_MERGE_PRESENCE)
        return context_fail(ctx, TMS_E_ARG, "unknown kind of merge %d: give union, intersection or union as presence", (int)how);
    if (!layout_facts(dst->params.layout)->draws)
        return how != TMS_MERGE_PRESENCE ? TMS_OK
                                         : context_fail(ctx, TMS_E_ARG,
                                                        "the union as presence is for probabilistic "
                                                        "filters: for the %s layout use the plain union",
                                                        tms_layout_name(dst->params.layout));
    if (how == TMS_MERGE_PRESENCE && src->n_keys > UINT64_MAX - dst->n_keys)
        return context_fail(ctx, TMS_E_ARG, "%llu and %llu insertions: their sum exceeds 2^64", (unsigned long long)dst->n_keys,
                            (unsigned long long)src->n_keys);
    if (how == TMS_MERGE_PRESENCE)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG,
                        how == TMS_MERGE_INTERSECT
                            ? "an intersection of probabilistic filters says nothing about "
                              "frequencies"
                            : "the union of probabilistic filters does not add frequencies: both drew the same random "
                              "numbers for the same insertion number, so a key at the same position of both streams would count "
                              "once; append the second stream to the first filter instead, or ask for the union as presence");
}

struct merging {
    uint64_t *to;
    const uint64_t *from;
    tms_merge how;
};

static void merge_words(void *arg, size_t first, size_t end)
{
    const struct merging *m = arg;
    if (m->how == TMS_MERGE_INTERSECT)
        for (size_t i = first; i < end; i++)
            m->to[i] &= m->from[i];
    else
        for (size_t i = first; i < end; i++)
            m->to[i] |= m->from[i];
}

tms_status tms_filter_merge(tms_context *ctx, tms_filter *dst, const tms_filter *src, tms_merge how)
{
    tms_status status = filter_check_writable(ctx, dst);
    if (status == TMS_OK)
        status = merge_check(ctx, &dst->params, &src->params);
    if (status == TMS_OK)
        status = merge_check_how(ctx, dst, src, how);
    if (status == TMS_OK && (dst->d_bits || src->host_stale))
        status = context_fail(ctx, TMS_E_ARG, "filters are merged on the CPU: download both first");
    if (status != TMS_OK)
        return status;
    struct merging merging = {(uint64_t *)(void *)filter_bits_mutable(dst), (const uint64_t *)(const void *)filter_bits(src), how};
    status = context_run_ranges(ctx, dst->bits_bytes / 8, TASK_WORDS, merge_words, &merging);
    if (status != TMS_OK)
        return status;
    dst->is_union |= how == TMS_MERGE_PRESENCE;
    dst->shard = (tms_filter_shard){0};
    if (how != TMS_MERGE_INTERSECT)
        dst->n_keys += src->n_keys;
    else
        dst->n_keys = dst->n_keys < src->n_keys ? dst->n_keys : src->n_keys;
    return TMS_OK;
}

/* --- shards --- */

tms_status tms_filter_set_shard(tms_context *ctx, tms_filter *f, const tms_filter_shard *shard)
{
    tms_status status = filter_check_writable(ctx, f);
    if (status == TMS_OK && shard && (shard->shard < 1 || shard->shard > shard->n_shards))
        status = context_fail(ctx, TMS_E_ARG, "shard %u of %u: give 1 to the number of shards", shard->shard, shard->n_shards);
    if (status == TMS_OK)
        f->shard = shard ? *shard : (tms_filter_shard){0};
    return status;
}

tms_filter_shard tms_filter_get_shard(const tms_filter *f) { return f->shard; }

/* --- numbers --- */

const tms_filter_params *tms_filter_get_params(const tms_filter *f) { return &f->params; }

struct ones {
    const uint64_t *words;
    uint64_t n; /* atomic */
};

static void count_ones(void *arg, size_t first, size_t end)
{
    struct ones *ones = arg;
    uint64_t n = 0;
    for (size_t i = first; i < end; i++)
        n += (uint64_t)__builtin_popcountll(ones->words[i]);
    __atomic_fetch_add(&ones->n, n, __ATOMIC_RELAXED);
}

static tms_status get_stats(tms_context *ctx, tms_filter *f, tms_filter_stats *out)
{
    tms_status status = filter_sync_host(ctx, f);
    struct ones ones = {0};
    if (status != TMS_OK)
        return status;
    ones.words = (const uint64_t *)(const void *)filter_bits(f);
    status = context_run_ranges(ctx, f->bits_bytes / 8, TASK_WORDS, count_ones, &ones);
    if (status != TMS_OK)
        return status;
    out->n_keys = f->n_keys;
    out->ones = ones.n;
    out->fill = (double)out->ones / (double)f->params.m_bits;
    out->expected_fpr = tms_filter_expected_fpr(&f->params, f->n_keys);
    status = layout_actual_fpr(ctx, f, out->fill, &out->actual_fpr);
    if (status != TMS_OK)
        return status;
    out->is_union = f->is_union;
    out->classic_bits_per_key = f->n_keys ? classic_bits_per_key(out->expected_fpr) : 0;
    out->size_bytes = IMAGE_HEADER_BYTES + f->bits_bytes;
    return image_bits_checksum(ctx, filter_bits(f), f->bits_bytes, &out->checksum);
}

tms_status tms_filter_get_stats_sized(tms_context *ctx, tms_filter *f, tms_filter_stats *out, size_t out_size)
{
    tms_filter_stats stats = {0};
    tms_status status = get_stats(ctx, f, &stats);
    if (status == TMS_OK)
        struct_out(out, out_size, &stats, sizeof stats);
    return status;
}
