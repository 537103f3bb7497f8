/*
 * builder.c - filters from streams of keys whose number is unknown until they end.
 *
 * The builder keeps keys in chunks, as hashes or as bytes, and inserts them once it can size the filter. It never moves or copies a chunk.
 * Each chunk has twice the room of the previous one, up to CHUNK_MOST_BYTES: single keys do not cost an allocation each, short streams
 * take little memory, and long streams reach the filter in batches that are large enough for a GPU.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/extensible.h"
#include "filter/filter_checks.h"
#include "filter/keys_core.h"
#include "filter/layouts.h"
#include "tamis/builder.h"

#define CHUNK_FIRST_BYTES ((size_t)32 << 10)
#define CHUNK_MOST_BYTES  ((size_t)32 << 20)
#define BYTES_PER_OFFSET  8 /* ratio of bytes to offsets in a chunk of keys; keys that are shorter on average leave bytes unused */

struct chunk {
    uint64_t *hashes;                    /* NULL: the chunk holds key bytes */
    uint8_t *bytes;                      /* the keys' bytes, concatenated */
    uint32_t *offsets;                   /* n_keys + 1 */
    size_t n_keys, capacity, size_bytes; /* size_bytes: size of the hashes or of the bytes */
};

struct tms_builder {
    tms_filter_want want;
    tms_filter_params kind; /* layout, hash and seed: determine the keys' hashes */
    tms_filter *filter;     /* NULL unless the caller gave the size in advance */
    bool is_finished;
    uint64_t n_keys;
    struct chunk *chunks;
    size_t n_chunks, chunks_capacity;
};

/* --- chunks --- */

static void free_chunks(tms_builder *b, size_t n_left)
{
    while (b->n_chunks > n_left) {
        struct chunk *chunk = &b->chunks[--b->n_chunks];
        free(chunk->hashes);
        free(chunk->bytes);
        free(chunk->offsets);
    }
}

/* Appends a chunk with room for least_bytes or more. */
static tms_status add_chunk(tms_context *ctx, tms_builder *b, size_t least_bytes)
{
    size_t n_words = (size_t)tms_hash_words(&b->kind);
    struct chunk chunk = {.size_bytes = b->n_chunks ? 2 * b->chunks[b->n_chunks - 1].size_bytes : CHUNK_FIRST_BYTES};
    if (chunk.size_bytes > CHUNK_MOST_BYTES)
        chunk.size_bytes = CHUNK_MOST_BYTES;
    chunk.capacity = chunk.size_bytes / (n_words ? n_words * sizeof *chunk.hashes : BYTES_PER_OFFSET);
    if (chunk.size_bytes < least_bytes)
        chunk.size_bytes = least_bytes;
    bool has_memory = array_reserve(&b->chunks, &b->chunks_capacity, b->n_chunks + 1, sizeof *b->chunks);
    if (has_memory && n_words) {
        chunk.hashes = malloc(chunk.size_bytes);
        has_memory = chunk.hashes != NULL;
    } else if (has_memory) {
        chunk.bytes = malloc(chunk.size_bytes);
        chunk.offsets = malloc((chunk.capacity + 1) * sizeof *chunk.offsets);
        has_memory = chunk.bytes != NULL && chunk.offsets != NULL;
    }
    if (!has_memory) {
        free(chunk.bytes);
        free(chunk.offsets);
        return context_fail_memory(ctx, "the next keys of a stream, kept until its end", chunk.size_bytes);
    }
    if (chunk.offsets)
        chunk.offsets[0] = 0;
    b->chunks[b->n_chunks++] = chunk;
    return TMS_OK;
}

static struct chunk *last_chunk(const tms_builder *b) { return b->n_chunks ? &b->chunks[b->n_chunks - 1] : NULL; }

static tms_status keep_hashes(tms_context *ctx, tms_builder *b, const tms_keys *keys)
{
    size_t n_words = (size_t)tms_hash_words(&b->kind), n;
    tms_status status = TMS_OK;
    for (size_t i = 0; i < keys->n_keys && status == TMS_OK; i += n) {
        struct chunk *chunk = last_chunk(b);
        n = 0;
        if (!chunk || chunk->n_keys == chunk->capacity) {
            status = add_chunk(ctx, b, 0);
            continue;
        }
        n = chunk->capacity - chunk->n_keys;
        if (n > keys->n_keys - i)
            n = keys->n_keys - i;
        tms_keys part = keys_slice(keys, i, n);
        status = layout_hash_cpu(ctx, &b->kind, &part, chunk->hashes + n_words * chunk->n_keys);
        chunk->n_keys += n;
    }
    return status;
}

static tms_status keep_keys(tms_context *ctx, tms_builder *b, const tms_keys *keys)
{
    for (size_t i = 0; i < keys->n_keys; i++) {
        size_t len;
        const uint8_t *key = keys_at(keys, i, &len);
        struct chunk *chunk = last_chunk(b);
        if (!chunk || chunk->n_keys == chunk->capacity || chunk->size_bytes - chunk->offsets[chunk->n_keys] < len) {
            tms_status status = add_chunk(ctx, b, len);
            if (status != TMS_OK)
                return status;
            chunk = last_chunk(b);
        }
        uint32_t at = chunk->offsets[chunk->n_keys];
        if (len) /* the bytes of empty keys may be NULL */
            memcpy(chunk->bytes + at, key, len);
        chunk->offsets[++chunk->n_keys] = at + (uint32_t)len;
    }
    return TMS_OK;
}

static tms_status keep(tms_context *ctx, tms_builder *b, const tms_keys *keys)
{
    size_t n_chunks = b->n_chunks, n_in_last = n_chunks ? last_chunk(b)->n_keys : 0;
    tms_status status = filter_check_keys(ctx, keys);
    if (status == TMS_OK)
        status = context_check_cancelled(ctx);
    if (status != TMS_OK)
        return status;
    status = tms_hash_words(&b->kind) ? keep_hashes(ctx, b, keys) : keep_keys(ctx, b, keys);
    if (status == TMS_OK)
        return TMS_OK;
    free_chunks(b, n_chunks);
    if (n_chunks)
        last_chunk(b)->n_keys = n_in_last;
    return status;
}

/* --- public calls --- */

/* Tests whether the size depends on the number of keys. */
static bool sets_size(const tms_filter_want *want) { return want->n_keys || (want->m_bits && want->k && want->fpr == 0); }

/* Detects errors that do not depend on the number of keys, before the caller reads the stream. */
static tms_status check_want(tms_context *ctx, const tms_filter_want *want)
{
    tms_filter_want probe = *want;
    tms_filter_params unused;
    probe.n_keys = 1;
    if (probe.fpr > 0 && probe.fpr < 1) /* which low rates are possible depends on the number of keys */
        probe.fpr = probe.m_bits ? 0 : probe.fpr > 0.5 ? probe.fpr : 0.5;
    return tms_filter_size(ctx, &probe, &unused);
}

static tms_status make_filter(tms_context *ctx, const tms_filter_want *want, tms_filter **out)
{
    tms_filter_params params;
    tms_status status = tms_filter_size(ctx, want, &params);
    return status != TMS_OK ? status : tms_filter_create(ctx, &params, out);
}

tms_status tms_builder_create_sized(tms_context *ctx, const tms_filter_want *given, size_t given_size, tms_builder **out)
{
    tms_filter_want want;
    *out = NULL;
    if (!struct_in(&want, sizeof want, given, given_size))
        return context_fail_newer(ctx, "tms_filter_want");
    tms_builder *b = calloc(1, sizeof *b);
    if (!b)
        return context_fail_memory(ctx, "a builder's description", sizeof *b);
    if (layout_facts(want.layout)->words) {
        free(b);
        return context_fail(ctx, TMS_E_ARG, "a filter of k-mers is built from sequences, not keys: use tms_reference_create()");
    }
    b->want = want;
    b->kind = (tms_filter_params){.layout = want.layout, .hash = want.hash, .seed = want.seed};
    tms_status status = sets_size(&want) ? make_filter(ctx, &want, &b->filter) : check_want(ctx, &want);
    if (status != TMS_OK) {
        tms_builder_destroy(b);
        return status;
    }
    *out = b;
    return TMS_OK;
}

void tms_builder_destroy(tms_builder *b)
{
    if (!b)
        return;
    free_chunks(b, 0);
    free(b->chunks);
    tms_filter_destroy(b->filter);
    free(b);
}

static tms_status check_unfinished(tms_context *ctx, const tms_builder *b)
{
    return b->is_finished ? context_fail(ctx, TMS_E_ARG, "the builder is finished: make another one") : TMS_OK;
}

tms_status tms_builder_add(tms_context *ctx, tms_builder *b, const tms_keys *keys)
{
    tms_status status = check_unfinished(ctx, b);
    if (status == TMS_OK)
        status = b->filter ? tms_filter_insert(ctx, b->filter, keys) : keep(ctx, b, keys);
    if (status == TMS_OK)
        b->n_keys += keys->n_keys;
    return status;
}

uint64_t tms_builder_n_keys(const tms_builder *b) { return b->n_keys; }

static tms_status insert_chunks(tms_context *ctx, const tms_builder *b, tms_filter *filter)
{
    tms_status status = TMS_OK;
    for (size_t i = 0; i < b->n_chunks && status == TMS_OK; i++) {
        const struct chunk *chunk = &b->chunks[i];
        tms_keys keys = {.bytes = chunk->bytes, .offsets = chunk->offsets, .n_keys = chunk->n_keys};
        status = chunk->hashes ? tms_filter_insert_hashes(ctx, filter, chunk->hashes, chunk->n_keys)
                               : tms_filter_insert(ctx, filter, &keys);
    }
    return status;
}

tms_status tms_builder_insert(tms_context *ctx, const tms_builder *b, tms_filter *filter)
{
    const tms_filter_params *has = tms_filter_get_params(filter), *kind = &b->kind;
    tms_status status = check_unfinished(ctx, b);
    if (status != TMS_OK)
        return status;
    if (b->filter)
        return context_fail(ctx, TMS_E_ARG, "the builder's size was given, so it keeps no keys: finish it instead");
    if (has->layout != kind->layout || has->hash != kind->hash || has->seed != kind->seed)
        return context_fail(ctx, TMS_E_ARG, "the filter has layout %s, hash %s and seed %llu, but the builder %s, %s and %llu",
                            tms_layout_name(has->layout), tms_hash_name(has->hash), (unsigned long long)has->seed,
                            tms_layout_name(kind->layout), tms_hash_name(kind->hash), (unsigned long long)kind->seed);
    return insert_chunks(ctx, b, filter);
}

tms_status tms_builder_finish(tms_context *ctx, tms_builder *b, tms_filter **out)
{
    tms_filter *filter = b->filter;
    *out = NULL;
    tms_status status = check_unfinished(ctx, b);
    if (status == TMS_OK && !filter) {
        tms_filter_want want = b->want;
        want.n_keys = b->n_keys ? b->n_keys : 1;
        status = make_filter(ctx, &want, &filter);
        if (status == TMS_OK)
            status = insert_chunks(ctx, b, filter);
        if (status != TMS_OK)
            tms_filter_destroy(filter);
    }
    if (status != TMS_OK)
        return status;
    free_chunks(b, 0);
    b->filter = NULL;
    b->is_finished = true;
    *out = filter;
    return TMS_OK;
}
