/*
 * key_store.h - the keys of a stream whose number is not known yet, kept until the filter can be sized.
 *
 * Hashes where keys can be reduced to them (8 or 16 bytes a key), the keys themselves otherwise. One chunk a batch,
 * so nothing is ever moved.
 */
#ifndef TAMIS_KEY_STORE_H
#define TAMIS_KEY_STORE_H

#include "tamis/tamis.h"

typedef struct key_chunk {
    size_t n_keys;
    uint64_t *hashes; /* or NULL and: */
    uint8_t *bytes;
    uint32_t *offsets;
} key_chunk;

typedef struct key_store {
    key_chunk *chunks;
    size_t n_chunks, capacity;
} key_store;

/*
 * key_store_add() - hash or copy one batch of lines.
 *   params [in] layout, hash and seed count
 * Returns TMS_OK; TMS_E_ARG with the message in the context; TMS_E_MEMORY without one.
 */
TMS_CHECKED tms_status key_store_add(key_store *store, tms_context *ctx, const tms_filter_params *params,
                                     const tms_keys *keys);

/* key_store_insert() - put all of it into a filter; it stays, for another one if this fails. Returns as tms_filter_insert(). */
TMS_CHECKED tms_status key_store_insert(key_store *store, tms_context *ctx, tms_filter *filter);

void key_store_free(key_store *store);

#endif
