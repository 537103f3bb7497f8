/*
 * defline_decode.c - BER, as far as deflines use it.
 *
 * A value is a tag, a length and contents. A length of 0x80 means that the contents end with two zero bytes. Reading goes strictly
 * forward: ber_open() enters a constructed value, and ber_more() says whether there is another value in it, or leaves it.
 */
#include "defline_decode.h"

#include <stdlib.h>

#include "base/array.h"

enum { TAG_INTEGER = 0x02, TAG_SEQUENCE = 0x30, TAG_VISIBLE_STRING = 0x1a, TAG_FIELD = 0xa0, TAG_CONSTRUCTED = 0x20, MAX_DEPTH = 48 };

struct ber {
    const uint8_t *at, *limit;
    int depth;
    const char *fault; /* the first one; nothing is read after it */
    struct defline_decoder *decoder;
    bool no_memory;
};

/* A constructed value that was entered. */
struct scope {
    const uint8_t *outer_limit;
    bool is_indefinite;
};

static void fail(struct ber *b, const char *fault)
{
    if (b->fault == NULL)
        b->fault = fault;
}

/* Tag and length of the next value; n is SIZE_MAX for an indefinite one. */
static bool read_head(struct ber *b, uint8_t *tag, size_t *n)
{
    size_t left = (size_t)(b->limit - b->at), n_bytes;

    if (b->fault != NULL)
        return false;
    if (left < 2) {
        fail(b, "ends inside a value");
        return false;
    }
    *tag = b->at[0];
    *n = b->at[1];
    b->at += 2;
    left -= 2;
    if ((*tag & 0x1f) == 0x1f) {
        fail(b, "has a tag of several bytes");
        return false;
    }
    if (*n == 0x80) {
        *n = SIZE_MAX;
        if (!(*tag & TAG_CONSTRUCTED))
            fail(b, "has a string or number of indefinite length");
        return b->fault == NULL;
    }
    if (*n > 0x80) {
        n_bytes = *n & 0x7f;
        if (n_bytes > 4 || n_bytes > left) {
            fail(b, n_bytes > 4 ? "has a length of more than four bytes" : "ends inside a length");
            return false;
        }
        *n = 0;
        for (size_t i = 0; i < n_bytes; i++)
            *n = *n << 8 | *b->at++;
        left -= n_bytes;
    }
    if (*n > left) {
        fail(b, "has a value that is longer than what it is in");
        return false;
    }
    return true;
}

/* Enters the next value if it is of this tag; else fails. */
static bool ber_open(struct ber *b, uint8_t tag, struct scope *scope)
{
    uint8_t found;
    size_t n;

    if (!read_head(b, &found, &n))
        return false;
    if (found != tag || b->depth == MAX_DEPTH) {
        fail(b, found != tag ? "has a value of another kind than expected" : "is nested too deeply");
        return false;
    }
    b->depth++;
    scope->outer_limit = b->limit;
    scope->is_indefinite = n == SIZE_MAX;
    if (n != SIZE_MAX)
        b->limit = b->at + n;
    return true;
}

static bool ber_more(struct ber *b, const struct scope *scope)
{
    if (b->fault != NULL)
        return false;
    if (scope->is_indefinite) {
        if (b->limit - b->at < 2)
            fail(b, "ends before a value of indefinite length does");
        if (b->fault != NULL || b->at[0] != 0 || b->at[1] != 0)
            return b->fault == NULL;
        b->at += 2;
    } else if (b->at < b->limit) {
        return true;
    }
    b->limit = scope->outer_limit;
    b->depth--;
    return false;
}

/* Where there must be no more: the end of a value that has one thing in it. */
static void ber_close(struct ber *b, const struct scope *scope)
{
    if (ber_more(b, scope))
        fail(b, "has more in a value than expected");
}

static uint8_t next_tag(const struct ber *b) { return b->at < b->limit ? *b->at : 0; }

/* Without recursion, which hostile input would choose the depth of: levels are counted, and what ends where is kept here. */
static void ber_skip(struct ber *b)
{
    struct scope scopes[MAX_DEPTH];
    int n = 0;

    do {
        uint8_t tag = next_tag(b);
        size_t size;
        if (tag & TAG_CONSTRUCTED) {
            if (ber_open(b, tag, &scopes[n]))
                n++;
        } else if (read_head(b, &tag, &size)) {
            b->at += size;
        }
        while (n > 0 && b->fault == NULL && !ber_more(b, &scopes[n - 1]))
            n--;
    } while (n > 0 && b->fault == NULL);
}

static void read_integer(struct ber *b, int64_t *out)
{
    uint8_t tag;
    size_t n;
    uint64_t value;

    if (!read_head(b, &tag, &n))
        return;
    if (tag != TAG_INTEGER || n == 0 || n > 8) {
        fail(b, tag != TAG_INTEGER ? "has something else where a number is expected" : "has a number of no bytes or more than eight");
        return;
    }
    value = b->at[0] & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < n; i++)
        value = value << 8 | *b->at++;
    *out = (int64_t)value;
}

static void read_string(struct ber *b, struct text *out)
{
    uint8_t tag;
    size_t n;

    if (!read_head(b, &tag, &n))
        return;
    if (tag != TAG_VISIBLE_STRING) {
        fail(b, "has something else where a text is expected");
        return;
    }
    *out = (struct text){(const char *)b->at, n};
    b->at += n;
}

/* A field around one number or text. */
static void read_integer_field(struct ber *b, uint8_t tag, int64_t *out)
{
    struct scope field;

    if (!ber_open(b, tag, &field))
        return;
    read_integer(b, out);
    ber_close(b, &field);
}

static void read_string_field(struct ber *b, uint8_t tag, struct text *out)
{
    struct scope field;

    if (!ber_open(b, tag, &field))
        return;
    read_string(b, out);
    ber_close(b, &field);
}

/* ---- ids -------------------------------------------------------------------------------------------------------- */

/* A number or a text. */
static void read_object_id(struct ber *b, struct seqid *id)
{
    if (next_tag(b) == TAG_FIELD) {
        id->has_number = true;
        read_integer_field(b, TAG_FIELD, &id->number);
    } else {
        read_string_field(b, TAG_FIELD + 1, &id->accession);
    }
}

static void read_text_id(struct ber *b, struct seqid *id)
{
    struct scope sequence;
    int64_t version = 0;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        switch (next_tag(b)) {
        case TAG_FIELD:
            read_string_field(b, TAG_FIELD, &id->name);
            break;
        case TAG_FIELD + 1:
            read_string_field(b, TAG_FIELD + 1, &id->accession);
            break;
        case TAG_FIELD + 2:
            read_string_field(b, TAG_FIELD + 2, &id->release);
            break;
        case TAG_FIELD + 3:
            read_integer_field(b, TAG_FIELD + 3, &version);
            break;
        default:
            ber_skip(b);
        }
    }
    if (version < 0 || version > INT32_MAX)
        fail(b, "has a version that is no version");
    id->version = (int)version;
}

static void read_general_id(struct ber *b, struct seqid *id)
{
    struct scope sequence, field;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (next_tag(b) == TAG_FIELD) {
            read_string_field(b, TAG_FIELD, &id->name);
        } else if (next_tag(b) != TAG_FIELD + 1) {
            ber_skip(b);
        } else if (ber_open(b, TAG_FIELD + 1, &field)) {
            read_object_id(b, id);
            ber_close(b, &field);
        }
    }
}

/* The number of an application stands where there is no patent yet. */
static void read_citation(struct ber *b, struct seqid *id)
{
    struct scope sequence, field;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (next_tag(b) == TAG_FIELD) {
            read_string_field(b, TAG_FIELD, &id->name);
        } else if (next_tag(b) != TAG_FIELD + 1) {
            ber_skip(b);
        } else if (ber_open(b, TAG_FIELD + 1, &field)) {
            read_string_field(b, next_tag(b) == TAG_FIELD ? TAG_FIELD : TAG_FIELD + 1, &id->accession);
            ber_close(b, &field);
        }
    }
}

static void read_patent_id(struct ber *b, struct seqid *id)
{
    struct scope sequence, field;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (next_tag(b) == TAG_FIELD) {
            read_integer_field(b, TAG_FIELD, &id->number);
        } else if (next_tag(b) != TAG_FIELD + 1) {
            ber_skip(b);
        } else if (ber_open(b, TAG_FIELD + 1, &field)) {
            read_citation(b, id);
            ber_close(b, &field);
        }
    }
}

/* A chain is a text, or in old files the number of a character; that one's byte is the text. */
static void read_pdb_id(struct ber *b, struct seqid *id)
{
    struct scope sequence;
    struct text old = {NULL, 0};
    int64_t chain = 0;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        switch (next_tag(b)) {
        case TAG_FIELD:
            read_string_field(b, TAG_FIELD, &id->accession);
            break;
        case TAG_FIELD + 1: {
            struct scope field;
            if (!ber_open(b, TAG_FIELD + 1, &field))
                break;
            read_integer(b, &chain);
            if (b->fault == NULL)
                old = (struct text){(const char *)b->at - 1, 1};
            ber_close(b, &field);
            break;
        }
        case TAG_FIELD + 3:
            read_string_field(b, TAG_FIELD + 3, &id->name);
            break;
        default:
            ber_skip(b);
        }
    }
    if (id->name.bytes == NULL && chain > ' ' && chain < 127)
        id->name = old;
}

/* Only its number is of use. */
static void read_giim(struct ber *b, struct seqid *id)
{
    struct scope sequence;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (next_tag(b) == TAG_FIELD)
            read_integer_field(b, TAG_FIELD, &id->number);
        else
            ber_skip(b);
    }
}

static void read_id(struct ber *b)
{
    struct defline_decoder *d = b->decoder;
    uint8_t tag = next_tag(b);
    struct scope choice;
    struct seqid *id;

    if (tag < TAG_FIELD || tag > TAG_FIELD + SEQID_NAMED_ANNOT) {
        fail(b, "has an id of an unknown kind");
        return;
    }
    if (!ber_open(b, tag, &choice))
        return;
    if (!array_reserve(&d->ids, &d->ids_capacity, d->n_ids + 1, sizeof *d->ids)) {
        b->no_memory = true;
        fail(b, "needs more memory than there is");
        return;
    }
    id = &d->ids[d->n_ids++];
    *id = (struct seqid){.kind = (enum seqid_kind)(tag - TAG_FIELD)};
    switch (id->kind) {
    case SEQID_LOCAL:
        read_object_id(b, id);
        break;
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GI:
        read_integer(b, &id->number);
        break;
    case SEQID_GIIM:
        read_giim(b, id);
        break;
    case SEQID_PATENT:
        read_patent_id(b, id);
        break;
    case SEQID_GENERAL:
        read_general_id(b, id);
        break;
    case SEQID_PDB:
        read_pdb_id(b, id);
        break;
    default:
        read_text_id(b, id);
    }
    ber_close(b, &choice);
}

/* ---- deflines --------------------------------------------------------------------------------------------------- */

static void read_ids(struct ber *b, struct defline *defline)
{
    size_t first = b->decoder->n_ids;
    struct scope field, sequence;

    if (!ber_open(b, TAG_FIELD + 1, &field) || !ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence))
        read_id(b);
    ber_close(b, &field);
    defline->n_ids += b->decoder->n_ids - first;
}

/* Memberships, links and the rest are skipped. */
static void read_defline(struct ber *b)
{
    struct defline_decoder *d = b->decoder;
    struct defline *defline;
    struct scope sequence;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    if (!array_reserve(&d->deflines, &d->capacity, d->n + 1, sizeof *d->deflines)) {
        b->no_memory = true;
        fail(b, "needs more memory than there is");
        return;
    }
    defline = &d->deflines[d->n++];
    *defline = (struct defline){.taxid = 0};
    while (ber_more(b, &sequence)) {
        switch (next_tag(b)) {
        case TAG_FIELD:
            read_string_field(b, TAG_FIELD, &defline->title);
            break;
        case TAG_FIELD + 1:
            read_ids(b, defline);
            break;
        case TAG_FIELD + 2:
            read_integer_field(b, TAG_FIELD + 2, &defline->taxid);
            break;
        default:
            ber_skip(b);
        }
    }
}

tms_status defline_decode(struct defline_decoder *decoder, const uint8_t *bytes, size_t n, const char **why)
{
    struct ber b = {.decoder = decoder};
    struct scope set;
    struct seqid *ids;

    decoder->n = decoder->n_ids = 0;
    if (n == 0)
        return TMS_OK;
    b.at = bytes;
    b.limit = bytes + n;
    if (ber_open(&b, TAG_SEQUENCE, &set)) {
        while (ber_more(&b, &set))
            read_defline(&b);
    }
    if (b.fault == NULL && b.at != bytes + n)
        fail(&b, "has more bytes behind its deflines");
    if (b.fault != NULL) {
        decoder->n = decoder->n_ids = 0;
        *why = b.fault;
        return b.no_memory ? TMS_E_MEMORY : TMS_E_FORMAT;
    }
    ids = decoder->ids; /* not before: the array may have moved */
    for (size_t i = 0; i < decoder->n; i++) {
        decoder->deflines[i].ids = ids;
        if (ids != NULL)
            ids += decoder->deflines[i].n_ids;
    }
    return TMS_OK;
}

void defline_decoder_free(struct defline_decoder *decoder)
{
    free(decoder->deflines);
    free(decoder->ids);
    *decoder = (struct defline_decoder){0};
}
