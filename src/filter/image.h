/* image.h - the filter file (doc/format-filter.md): its header, and the checks before a file is used. */
#ifndef TMS_IMAGE_H
#define TMS_IMAGE_H

#include "filter/filter_struct.h"

tms_status image_bits_checksum(tms_context *ctx, const uint8_t *bits, uint64_t size_bytes, uint64_t *out);

/* Writes the header, with both checksums, in front of the bits. */
tms_status image_write_header(tms_context *ctx, tms_filter *f);

/* Sets params, n_keys, bits_bytes and is_union of out, and no other field. */
tms_status image_check(tms_context *ctx, const void *image, size_t size, tms_filter *out);

#endif
