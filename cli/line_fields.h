/* line_fields.h - takes a field of each line, instead of the line, as the key to query. */
#ifndef TAMIS_CLI_LINE_FIELDS_H
#define TAMIS_CLI_LINE_FIELDS_H

#include "base/byte_array.h"
#include "tamis/tamis.h"

struct line_fields { /* initial state: all zero except the first two */
    uint64_t number; /* of the field, from 1 */
    uint8_t delimiter;
    struct byte_array text;
    uint32_t *offsets;
    size_t capacity;
};

/*
 * line_fields_take() - extracts the field from each line of a batch. A missing field is empty.
 *   out [out] borrowed until the next call
 * Returns 1; 0 if there is no memory.
 */
int line_fields_take(struct line_fields *f, const tms_keys *lines, tms_keys *out);
void line_fields_free(struct line_fields *f);

#endif
