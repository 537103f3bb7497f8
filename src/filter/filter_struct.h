/*
 * filter_struct.h - the inside of a filter, which filter.c makes and the back ends work on.
 *
 * Memory: image = header + bits in one array, so that storing a filter is one write. A filter made in a context
 * with a GPU has its bits there (d_bits) and the host copy catches up when it is asked for.
 */
#ifndef TMS_FILTER_STRUCT_H
#define TMS_FILTER_STRUCT_H

#include "filter/filter_params.h"

#define IMAGE_HEADER_BYTES 128

struct probabilistic_jumps; /* probabilistic_core.h */

struct tms_filter {
    tms_filter_params params;
    uint64_t n_keys;                   /* inserted, repeats included */
    uint64_t bits_bytes;               /* of the bits: a multiple of 32 */
    uint8_t *image;                    /* header + bits; NULL until the host copy of a GPU filter is needed */
    int owns_image;                    /* 0: borrowed from tms_filter_open(), or mapped; read-only */
    size_t mapped_bytes;               /* of the image, where tms_filter_load() mapped it */
    int device;                        /* CUDA index of d_bits, or TMS_DEVICE_CPU */
    void *d_bits;                      /* NULL on the CPU */
    int host_stale;                    /* the GPU has newer bits than image */
    int is_union;                      /* probabilistic: by TMS_MERGE_PRESENCE */
    struct probabilistic_jumps *jumps; /* probabilistic: tables for drawing, from p */
    void *d_jumps;                     /* the same on the GPU */
};

static inline const uint8_t *filter_bits(const tms_filter *f) { return f->image + IMAGE_HEADER_BYTES; }
static inline uint8_t *filter_bits_mutable(tms_filter *f) { return f->image + IMAGE_HEADER_BYTES; }

#endif
