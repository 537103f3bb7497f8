/*
 * db_mask_parse.h - parses a Blast-db-mask-info, as text or in BER, and passes its intervals to a function one by one. See db_mask_file.h.
 */
#ifndef TAMIS_DB_MASK_PARSE_H
#define TAMIS_DB_MASK_PARSE_H

#include <stdbool.h>

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* What the parser has found; texts are borrowed. */
typedef struct mask_values {
    int64_t program; /* 20 is SEG */
    struct text options;
    bool has_program;
    bool (*location)(void *arg, const struct seqid *id, int64_t from, int64_t to,
                     bool is_first); /* receives an interval; returns false if there is no memory */
    void *arg;
    bool no_memory;
} mask_values;

/* Return NULL, or what is wrong. scratch: receives texts whose form in the bytes is different. */
const char *mask_parse_text(const uint8_t *bytes, size_t n, struct byte_array *scratch, mask_values *out);
const char *mask_parse_ber(const uint8_t *bytes, size_t n, mask_values *out);

#endif
