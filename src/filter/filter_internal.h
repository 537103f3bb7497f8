/*
 * filter_internal.h - the inside of a filter, and the back ends that filter.c chooses from.
 *
 * Memory: image = header + bits in one array, so that storing a filter is one write. A filter made in a context
 * with a GPU has its bits there (d_bits) and the host copy catches up in filter_sync_host().
 */
#ifndef TMS_FILTER_INTERNAL_H
#define TMS_FILTER_INTERNAL_H

#include "run/context.h"
#include "tamis/frequency.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IMAGE_HEADER_BYTES 128

struct probabilistic_jumps; /* probabilistic_core.h */

struct tms_filter {
    tms_filter_params params;
    uint64_t n_keys;       /* inserted, repeats included */
    uint64_t bits_bytes;   /* of the bits: a multiple of 32 */
    uint8_t *image;        /* header + bits; NULL until the host copy of a GPU filter is needed */
    int owns_image;        /* 0: borrowed from tms_filter_open(), read-only */
    int device;            /* CUDA index of d_bits, or TMS_DEVICE_CPU */
    void *d_bits;          /* NULL on the CPU */
    int host_stale;        /* the GPU has newer bits than image */
    int is_union;          /* probabilistic: by TMS_MERGE_PRESENCE */
    struct probabilistic_jumps *jumps; /* probabilistic: tables for drawing, from p */
    void *d_jumps;         /* the same on the GPU */
};

/* The probability that a missing key has the same 64-bit hash as one of n keys. */
static inline double blocked_same_hash(uint64_t n_keys) { return (double)n_keys * 0x1p-64; }

/* Blocked: the parts that a key has a block in (blocked_core.h), and the blocks of one part. */
static inline uint32_t filter_n_parts(const tms_filter_params *p) { return p->blocks_per_key ? p->blocks_per_key : 1; }
static inline uint64_t filter_part_blocks(const tms_filter_params *p) { return p->m_bits / TMS_BLOCK_BITS / filter_n_parts(p); }

static inline const uint8_t *filter_bits(const tms_filter *f) { return f->image + IMAGE_HEADER_BYTES; }
static inline uint8_t *filter_bits_mutable(tms_filter *f) { return f->image + IMAGE_HEADER_BYTES; }

/* Bytes of the bits for these parameters: whole blocks of 32 bytes. */
uint64_t filter_bits_bytes(const tms_filter_params *params);

/* m rounded up to what the layout takes. */
uint64_t filter_round_bits(const tms_filter_params *params);

/* The largest m of a layout. */
static inline uint64_t filter_max_bits(tms_layout layout)
{
    return layout == TMS_LAYOUT_BLOCKED ? TMS_BLOCKED_MAX_BITS : TMS_MAX_BITS;
}

static inline uint32_t filter_max_k(tms_layout layout)
{
    return layout == TMS_LAYOUT_BLOCKED   ? TMS_BLOCKED_MAX_K
           : layout == TMS_LAYOUT_CLASSIC ? TMS_CLASSIC_MAX_K
                                          : TMS_PROBABILISTIC_MAX_K;
}

/* Check parameters by themselves, as filter_create() and image validation both must. */
tms_status filter_check_params(tms_context *ctx, const tms_filter_params *params, tms_status failure);

tms_status filter_check_writable(tms_context *ctx, const tms_filter *f);

/* A batch for insertion into a filter in host memory: keys, writability, and the insertions' numbers. */
tms_status filter_check_insertion(tms_context *ctx, const tms_filter *f, const tms_keys *keys);

/* image.c: write the header (with both checksums) in front of the bits; check an image. */
uint64_t image_bits_checksum(const tms_context *ctx, const uint8_t *bits, uint64_t size_bytes);
void image_write_header(const tms_context *ctx, tms_filter *f);
/* The result has params, n_keys, bits_bytes and is_union; nothing else is touched. */
tms_status image_check(tms_context *ctx, const void *image, size_t size, tms_filter *out);

/* sizing.c */
double sizing_classic_fpr(uint64_t n, uint64_t m, uint32_t k);
double sizing_classic_bits_per_key(double fpr); /* with the optimal k */

/* The number of an estimate that a threshold is for. */
static inline double frequency_by(const tms_frequency *f, tms_frequency_by by)
{
    return by == TMS_BY_F_MIN ? f->f_min : by == TMS_BY_F ? f->f : f->f_max;
}

/* Key i of a batch. */
static inline const uint8_t *keys_at(const tms_keys *keys, size_t i, size_t *len)
{
    if (!keys->offsets) {
        *len = keys->key_size;
        return keys->bytes + i * keys->key_size;
    }
    *len = keys->offsets[i + 1] - keys->offsets[i] - keys->gap;
    return keys->bytes + keys->offsets[i];
}

/* The part of a batch that begins at key `first`. */
static inline tms_keys keys_slice(const tms_keys *keys, size_t first, size_t n)
{
    tms_keys part = *keys;
    part.n_keys = n;
    if (keys->offsets)
        part.offsets += first;
    else
        part.bytes += first * keys->key_size;
    return part;
}

/* Back ends. hashes: see tms_hash_words(). All are called with checked arguments. */
void blocked_hash_cpu(const tms_context *ctx, uint64_t seed, const tms_keys *keys, uint64_t *hashes);
tms_status blocked_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status blocked_query_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit);
double blocked_actual_fpr_cpu(const tms_context *ctx, const tms_filter *f);

void classic_hash_cpu(const tms_context *ctx, uint64_t seed, const tms_keys *keys, uint64_t *hashes);
tms_status classic_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status classic_query_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit);

void probabilistic_jumps_init(struct probabilistic_jumps *jumps, double p);
tms_status probabilistic_insert_cpu(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status probabilistic_count_cpu(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones);

#if TMS_WITH_CUDA
/* keys or hashes (the other NULL) in host memory; copied in batches that overlap the kernels; wait for the end. */
tms_status filter_insert_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys, const uint64_t *hashes, size_t n);
tms_status filter_query_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *hit);
tms_status filter_count_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *ones);
/* keys in device memory; queued on the context's stream. */
tms_status filter_insert_device_cuda(tms_context *ctx, tms_filter *f, const tms_keys *keys);
tms_status filter_query_device_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint8_t *d_hit);
tms_status filter_count_device_cuda(tms_context *ctx, const tms_filter *f, const tms_keys *keys, uint32_t *d_ones);
#endif

#ifdef __cplusplus
}
#endif
#endif
