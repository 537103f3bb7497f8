/*
 * filter_struct.h - the internals of a filter; filter.c creates it and the back ends work on it.
 *
 * Memory: image = header + bits in one array, so that storing a filter is one write. A filter created in a context
 * with a GPU keeps its bits there (d_bits); filter.c updates the host copy on demand.
 */
#ifndef TMS_FILTER_STRUCT_H
#define TMS_FILTER_STRUCT_H

#include "filter/filter_params.h"

#define IMAGE_HEADER_BYTES 128

struct probabilistic_jumps; /* probabilistic_core.h */

struct tms_filter {
    tms_filter_params params;
    uint64_t n_keys;                   /* number of insertions, including repeated keys */
    uint64_t bits_bytes;               /* size of the bits, a multiple of 32 */
    uint8_t *image;                    /* header + bits; NULL for a GPU filter without a host copy yet */
    int owns_image;                    /* 0: the image is borrowed from tms_filter_open(), or mapped, and read-only */
    size_t mapped_bytes;               /* size of the mapping by tms_filter_load(); 0: not mapped */
    int device;                        /* CUDA index of d_bits, or TMS_DEVICE_CPU */
    void *d_bits;                      /* NULL on the CPU */
    int host_stale;                    /* 1: the GPU has newer bits than image */
    int is_union;                      /* probabilistic layout, 1: result of a TMS_MERGE_PRESENCE */
    tms_filter_shard shard;            /* the filter's share of a build's keys; n_shards 0: all of them */
    struct probabilistic_jumps *jumps; /* probabilistic layout: tables for drawing, derived from p */
    void *d_jumps;                     /* copy of jumps on the GPU */
};

static inline const uint8_t *filter_bits(const tms_filter *f) { return f->image + IMAGE_HEADER_BYTES; }
static inline uint8_t *filter_bits_mutable(tms_filter *f) { return f->image + IMAGE_HEADER_BYTES; }

#endif
