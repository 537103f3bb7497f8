/*
 * db_mask_parse.h - the values of a Blast-db-mask-info, as text and in BER, one after the other to a function. See db_mask_file.h.
 */
#ifndef TAMIS_IO_MASK_PARSE_H
#define TAMIS_IO_MASK_PARSE_H

#include <stdbool.h>

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* What is known of the masks; texts are borrowed. */
typedef struct mask_values {
    int64_t program; /* 20: SEG */
    struct text options;
    bool has_program;
    bool (*location)(void *arg, const struct seqid *id, int64_t from, int64_t to, bool is_first); /* false: no memory */
    void *arg;
    bool no_memory;
} mask_values;

/* Return NULL, or what is wrong. scratch: holds texts that are not in the bytes as they are. */
const char *mask_parse_text(const uint8_t *bytes, size_t n, struct byte_array *scratch, mask_values *out);
const char *mask_parse_ber(const uint8_t *bytes, size_t n, mask_values *out);

#endif
