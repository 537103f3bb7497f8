/*
 * key_pieces.h - sends a batch of keys, or of hashes, from host memory through the GPU in pieces (gpu_pipeline()).
 */
#ifndef TMS_KEY_PIECES_H
#define TMS_KEY_PIECES_H

#include "run/context.h"
#include "tamis/filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Size of a piece in keys, unless the context's batch size is set. */
#define KEY_PIECE_KEYS  ((size_t)1 << 20)
#define KEY_PIECE_BYTES ((size_t)64 << 20) /* most key bytes of a piece, unless a single key is longer */

/*
 * Processes a piece: queues kernels on the context's stream. It gets either keys (device pointers; arena padded and
 * aligned as tms_filter_insert_device() requires) or n hashes in device memory. d_answers: answers to the piece's keys, or NULL.
 */
typedef tms_status key_work(tms_context *ctx, void *arg, const tms_keys *d_keys, const uint64_t *d_hashes, size_t n, void *d_answers);

/*
 * keys_through_gpu() - keys in pieces of the context's batch size.
 *   answers [out] n_keys of answer_bytes each, host memory, or NULL: none are returned
 * hashes_through_gpu() - n hashes of n_words each.
 * Both wait for the end.
 */
tms_status keys_through_gpu(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_bytes, key_work *work, void *arg);
tms_status hashes_through_gpu(tms_context *ctx, const uint64_t *hashes, size_t n_words, size_t n, key_work *work, void *arg);

#ifdef __cplusplus
}
#endif
#endif
