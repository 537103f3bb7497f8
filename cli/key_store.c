#include "key_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static void free_chunk(key_chunk *chunk)
{
    free(chunk->hashes);
    free(chunk->bytes);
    free(chunk->offsets);
    memset(chunk, 0, sizeof *chunk);
}

static tms_status copy_keys(key_chunk *chunk, const tms_keys *keys)
{
    size_t n_bytes = keys->offsets[keys->n_keys];

    chunk->bytes = malloc(n_bytes + 64); /* loads may run past the last key */
    chunk->offsets = malloc((keys->n_keys + 1) * sizeof *chunk->offsets);
    if (chunk->bytes == NULL || chunk->offsets == NULL)
        return TMS_E_MEMORY;
    memcpy(chunk->bytes, keys->bytes, n_bytes);
    memset(chunk->bytes + n_bytes, 0, 64);
    memcpy(chunk->offsets, keys->offsets, (keys->n_keys + 1) * sizeof *chunk->offsets);
    return TMS_OK;
}

tms_status key_store_add(key_store *store, tms_context *ctx, const tms_filter_params *params, const tms_keys *keys)
{
    size_t n_words = (size_t)tms_hash_words(params);
    key_chunk chunk = {keys->n_keys, NULL, NULL, NULL};
    tms_status status;

    if (!array_reserve(&store->chunks, &store->capacity, store->n_chunks + 1, sizeof *store->chunks))
        return TMS_E_MEMORY;
    if (n_words > 0) {
        chunk.hashes = reallocarray(NULL, keys->n_keys, n_words * sizeof *chunk.hashes);
        status = chunk.hashes != NULL ? tms_keys_hash(ctx, params, keys, chunk.hashes) : TMS_E_MEMORY;
    } else {
        status = copy_keys(&chunk, keys);
    }
    if (status != TMS_OK) {
        free_chunk(&chunk);
        return status;
    }
    store->chunks[store->n_chunks++] = chunk;
    return TMS_OK;
}

tms_status key_store_insert(key_store *store, tms_context *ctx, tms_filter *filter)
{
    for (size_t i = 0; i < store->n_chunks; i++) {
        key_chunk *chunk = &store->chunks[i];
        tms_keys keys = {chunk->bytes, chunk->offsets, chunk->n_keys, 0, 1};
        tms_status status = chunk->hashes != NULL ? tms_filter_insert_hashes(ctx, filter, chunk->hashes, chunk->n_keys)
                                                  : tms_filter_insert(ctx, filter, &keys);
        if (status != TMS_OK)
            return status;
    }
    return TMS_OK;
}

void key_store_free(key_store *store)
{
    for (size_t i = 0; i < store->n_chunks; i++)
        free_chunk(&store->chunks[i]);
    free(store->chunks);
    memset(store, 0, sizeof *store);
}
