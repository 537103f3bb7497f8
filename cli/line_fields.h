/* line_fields.h - a field of each line, in the place of the line, as the key that a filter is asked for. */
#ifndef TAMIS_CLI_LINE_FIELDS_H
#define TAMIS_CLI_LINE_FIELDS_H

#include "base/byte_array.h"
#include "tamis/tamis.h"

struct line_fields { /* all zero but the first two: nothing held yet */
    uint64_t number; /* from 1 */
    uint8_t delimiter;
    struct byte_array text;
    uint32_t *offsets;
    size_t capacity;
};

/*
 * line_fields_take() - the fields of a batch of lines. A line with fewer fields has an empty one.
 *   out [out] borrowed until the next call
 * Returns 0 if there is no memory.
 */
int line_fields_take(struct line_fields *f, const tms_keys *lines, tms_keys *out);
void line_fields_free(struct line_fields *f);

#endif
