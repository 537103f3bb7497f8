/*
 * key_pieces.cu - see key_pieces.h. The copy of a key arena begins at a multiple of 16 bytes, so that it keeps its alignment, and is
 * padded at its end.
 */
#include "device/gpu_internal.cuh"
#include "filter/key_pieces.h"

#define ARENA_PADDING 32

enum { IN_BYTES, IN_OFFSETS }; /* or hashes as the first */

struct key_batch {
    tms_context *ctx;
    const tms_keys *keys; /* NULL: the input is hashes */
    const uint64_t *hashes;
    size_t n, hash_bytes;
    uint8_t *answers;
    size_t answer_bytes;
    key_work *work;
    void *arg;
};

/* Returns the number of keys from `first` on in the next piece. */
static size_t piece_keys(const struct key_batch *b, size_t first)
{
    size_t n = b->ctx->batch_keys ? b->ctx->batch_keys : KEY_PIECE_KEYS;
    if (n > b->n - first)
        n = b->n - first;
    size_t fixed_size = b->keys ? b->keys->key_size : b->hash_bytes;
    if (!b->keys || !b->keys->offsets) {
        size_t most = fixed_size ? KEY_PIECE_BYTES / fixed_size : n;
        return n < most ? n : most ? most : 1;
    }
    const uint32_t *offsets = b->keys->offsets + first;
    size_t low = n ? 1 : 0, high = n; /* the largest n whose bytes fit: offsets grow */
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if ((size_t)(offsets[middle] - offsets[0]) <= KEY_PIECE_BYTES)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Start of a piece's bytes in the arena: that of key `first`, rounded down to a multiple of 16. */
static size_t arena_base(const tms_keys *keys, size_t first) { return keys->offsets[first] & ~(size_t)15; }

static void cut(void *arg, size_t first, struct gpu_piece *piece)
{
    const struct key_batch *b = (const struct key_batch *)arg;
    const tms_keys *keys = b->keys;
    size_t n = first < b->n ? piece_keys(b, first) : 0;
    piece->n_items = n;
    if (!n)
        return;
    auto &bytes = piece->inputs[IN_BYTES], &offsets = piece->inputs[IN_OFFSETS];
    bytes.padding = offsets.padding = ARENA_PADDING;
    if (!keys) {
        bytes.host = (const uint8_t *)b->hashes + first * b->hash_bytes;
        bytes.size_bytes = n * b->hash_bytes;
    } else if (!keys->offsets) {
        bytes.host = keys->bytes + first * keys->key_size;
        bytes.size_bytes = n * keys->key_size;
    } else {
        size_t base = arena_base(keys, first);
        bytes.host = keys->bytes + base;
        bytes.size_bytes = keys->offsets[first + n] - keys->gap - base; /* the last gap may lie outside the caller's memory */
        offsets.host = keys->offsets + first;
        offsets.size_bytes = (n + 1) * sizeof *keys->offsets;
    }
    piece->output = b->answers ? b->answers + first * b->answer_bytes : NULL;
    piece->output_bytes = b->answers ? n * b->answer_bytes : 0;
}

static tms_status work(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at)
{
    const struct key_batch *b = (const struct key_batch *)arg;
    if (!b->keys)
        return b->work(b->ctx, b->arg, NULL, (const uint64_t *)at->d_inputs[IN_BYTES], piece->n_items, at->d_output);
    tms_keys d_keys = *b->keys;
    d_keys.n_keys = piece->n_items;
    d_keys.bytes = (const uint8_t *)at->d_inputs[IN_BYTES];
    if (d_keys.offsets) { /* offsets are relative to the whole arena */
        d_keys.bytes -= arena_base(b->keys, first);
        d_keys.offsets = (const uint32_t *)at->d_inputs[IN_OFFSETS];
    }
    return b->work(b->ctx, b->arg, &d_keys, NULL, piece->n_items, at->d_output);
}

static tms_status run(struct key_batch *batch)
{
    struct gpu_job job = {batch->answers ? "asking for keys" : "inserting keys", batch, cut, work, NULL};
    return gpu_pipeline(batch->ctx->gpu, &job);
}

tms_status keys_through_gpu(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_bytes, key_work *work, void *arg)
{
    struct key_batch batch = {ctx, keys, NULL, keys->n_keys, 0, (uint8_t *)answers, answer_bytes, work, arg};
    return run(&batch);
}

tms_status hashes_through_gpu(tms_context *ctx, const uint64_t *hashes, size_t n_words, size_t n, key_work *work, void *arg)
{
    struct key_batch batch = {ctx, NULL, hashes, n, n_words * sizeof *hashes, NULL, 0, work, arg};
    return run(&batch);
}
