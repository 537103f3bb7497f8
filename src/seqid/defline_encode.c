/* defline_encode.c - reserves room for the longest form first, so that writing cannot fail. */
#include "seqid/defline_encode.h"

enum {
    TAG_INTEGER = 0x02,
    TAG_STRING = 0x1a,   /* VisibleString */
    TAG_SEQUENCE = 0x30, /* of fields or items */
    TAG_FIELD = 0xa0,    /* + the number of the field or choice */
    MAX_NESTING = 8,     /* most fields around a string */
    STRING_FRAME = 6 + 4 * MAX_NESTING,
    SET_FRAME = 4,
    DEFLINE_FRAME = 128,
    ID_FRAME = 5 * STRING_FRAME
};

static uint8_t *begin(uint8_t *to, unsigned tag)
{
    to[0] = (uint8_t)tag;
    to[1] = 0x80;
    return to + 2;
}

/* Ends n constructed values. */
static uint8_t *end(uint8_t *to, size_t n)
{
    memset(to, 0, 2 * n);
    return to + 2 * n;
}

static uint8_t *put_string(uint8_t *to, struct text text)
{
    size_t n_size = 0;

    *to++ = TAG_STRING;
    if (text.n < 128) {
        *to++ = (uint8_t)text.n;
    } else {
        while (n_size < sizeof text.n && text.n >> 8 * n_size > 0)
            n_size++;
        *to++ = (uint8_t)(0x80 | n_size);
        while (n_size-- > 0)
            *to++ = (uint8_t)(text.n >> 8 * n_size);
    }
    if (text.n > 0)
        memcpy(to, text.bytes, text.n);
    return to + text.n;
}

static uint8_t *put_integer(uint8_t *to, int64_t value)
{
    size_t n = 1;

    while (n < sizeof value && (value >> (8 * n - 1)) != 0 && (value >> (8 * n - 1)) != -1)
        n++;
    *to++ = TAG_INTEGER;
    *to++ = (uint8_t)n;
    while (n-- > 0)
        *to++ = (uint8_t)((uint64_t)value >> 8 * n);
    return to;
}

static uint8_t *put_string_field(uint8_t *to, unsigned field, struct text text)
{
    return text.bytes ? end(put_string(begin(to, TAG_FIELD + field), text), 1) : to;
}

static uint8_t *put_integer_field(uint8_t *to, unsigned field, int64_t value)
{
    return end(put_integer(begin(to, TAG_FIELD + field), value), 1);
}

/* Writes a string, or an integer in its place. */
static uint8_t *put_object_id(uint8_t *to, const struct seqid *id)
{
    return id->has_number ? put_integer_field(to, 0, id->number) : put_string_field(to, 1, id->accession);
}

static uint8_t *put_text_id(uint8_t *to, const struct seqid *id)
{
    to = put_string_field(begin(to, TAG_SEQUENCE), 0, id->name);
    to = put_string_field(to, 1, id->accession);
    to = put_string_field(to, 2, id->release);
    if (id->version > 0)
        to = put_integer_field(to, 3, id->version);
    return end(to, 1);
}

static uint8_t *put_general_id(uint8_t *to, const struct seqid *id)
{
    to = put_string_field(begin(to, TAG_SEQUENCE), 0, id->name);
    return end(put_object_id(begin(to, TAG_FIELD + 1), id), 2);
}

/* Writes the chain twice: as a character code, if it is a single character, and as a string. */
static uint8_t *put_pdb_id(uint8_t *to, const struct seqid *id)
{
    to = put_string_field(begin(to, TAG_SEQUENCE), 0, id->accession);
    if (id->name.n == 1)
        to = put_integer_field(to, 1, (uint8_t)id->name.bytes[0]);
    return end(put_string_field(to, 3, id->name), 1);
}

static uint8_t *put_patent_id(uint8_t *to, const struct seqid *id)
{
    to = put_integer_field(begin(to, TAG_SEQUENCE), 0, id->number);
    to = put_string_field(begin(begin(to, TAG_FIELD + 1), TAG_SEQUENCE), 0, id->name);
    to = put_string_field(begin(to, TAG_FIELD + 1), 0, id->accession);
    return end(to, 4);
}

static uint8_t *put_id(uint8_t *to, const struct seqid *id)
{
    to = begin(to, TAG_FIELD + (unsigned)id->kind);
    switch (id->kind) {
    case SEQID_LOCAL:
        to = put_object_id(to, id);
        break;
    case SEQID_GENERAL:
        to = put_general_id(to, id);
        break;
    case SEQID_PDB:
        to = put_pdb_id(to, id);
        break;
    case SEQID_PATENT:
        to = put_patent_id(to, id);
        break;
    case SEQID_GI:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
        to = put_integer(to, id->number);
        break;
    case SEQID_GIIM:
        to = end(put_integer_field(begin(to, TAG_SEQUENCE), 0, id->number), 1);
        break;
    default:
        to = put_text_id(to, id);
    }
    return end(to, 1);
}

static uint8_t *put_defline(uint8_t *to, const struct defline *d)
{
    to = put_string_field(begin(to, TAG_SEQUENCE), 0, d->title);
    to = begin(begin(to, TAG_FIELD + 1), TAG_SEQUENCE);
    for (size_t i = 0; i < d->n_ids; i++)
        to = put_id(to, &d->ids[i]);
    to = put_integer_field(end(to, 2), 2, d->taxid);
    return end(to, 1);
}

/* The most bytes that the set takes; 0 if that number is too large. */
static size_t most_bytes(const struct defline *deflines, size_t n)
{
    size_t sum = SET_FRAME;
    bool overflows = false;

    for (size_t i = 0; i < n; i++) {
        overflows |= __builtin_add_overflow(sum, deflines[i].title.n + DEFLINE_FRAME, &sum);
        for (size_t k = 0; k < deflines[i].n_ids; k++) {
            const struct seqid *id = &deflines[i].ids[k];
            overflows |= __builtin_add_overflow(sum, id->accession.n + id->name.n + id->release.n + ID_FRAME, &sum);
        }
    }
    return overflows ? 0 : sum;
}

bool defline_encode(const struct defline *deflines, size_t n, struct byte_array *out)
{
    size_t most = most_bytes(deflines, n);
    uint8_t *from = most > 0 ? byte_array_room(out, most) : NULL, *to;

    if (!from)
        return false;
    to = begin(from, TAG_SEQUENCE);
    for (size_t i = 0; i < n; i++)
        to = put_defline(to, &deflines[i]);
    out->n += (size_t)(end(to, 1) - from);
    return true;
}
