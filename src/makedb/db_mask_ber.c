/* db_mask_ber.c - parses masks in BER; see db_mask_parse.h. */
#include "makedb/db_mask_parse.h"
#include "seqid/seqid_decode.h"

enum { LOCATION_INTERVAL = TAG_FIELD + 3, LOCATION_PACKED = TAG_FIELD + 4 };

/* Programs are integers, even where they should be enumerated values. */
static void read_interval(struct ber *b, mask_values *out, bool is_first)
{
    struct ber_scope sequence, field;
    struct seqid id = {.kind = SEQID_LOCAL};
    int64_t from = -1, to = -1;
    bool has_id = false;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        switch (ber_next(b)) {
        case TAG_FIELD:
            ber_integer_field(b, TAG_FIELD, &from);
            break;
        case TAG_FIELD + 1:
            ber_integer_field(b, TAG_FIELD + 1, &to);
            break;
        case TAG_FIELD + 3:
            if (!ber_open(b, TAG_FIELD + 3, &field))
                break;
            seqid_decode(b, &id);
            ber_close(b, &field);
            has_id = true;
            break;
        default:
            ber_skip(b);
        }
    }
    if (!has_id)
        ber_fail(b, "has an interval without an id");
    if (b->fault == NULL && !out->location(out->arg, &id, from, to, is_first)) {
        out->no_memory = true;
        ber_fail(b, "needs more memory than is available");
    }
}

static void read_location(struct ber *b, mask_values *out)
{
    struct ber_scope choice, list;
    bool is_first = true;

    if (ber_next(b) == LOCATION_INTERVAL && ber_open(b, LOCATION_INTERVAL, &choice)) {
        read_interval(b, out, true);
        ber_close(b, &choice);
        return;
    }
    if (ber_next(b) != LOCATION_PACKED) {
        ber_fail(b, "has a location that is not an interval");
        return;
    }
    if (!ber_open(b, LOCATION_PACKED, &choice) || !ber_open(b, TAG_SEQUENCE, &list))
        return;
    for (; ber_more(b, &list); is_first = false)
        read_interval(b, out, is_first);
    ber_close(b, &choice);
}

/* Reads a Blast-mask-list. more [out] another list follows this one. */
static void read_list(struct ber *b, mask_values *out, bool *more)
{
    struct ber_scope sequence, field, list;

    *more = false;
    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (ber_next(b) == TAG_FIELD && ber_open(b, TAG_FIELD, &field)) {
            if (ber_open(b, TAG_SEQUENCE, &list))
                while (ber_more(b, &list))
                    read_location(b, out);
            ber_close(b, &field);
        } else if (ber_next(b) == TAG_FIELD + 1 && ber_open(b, TAG_FIELD + 1, &field)) {
            *more = b->limit - b->at > 2 && b->at[2] != 0;
            ber_skip(b);
            ber_close(b, &field);
        } else {
            ber_skip(b);
        }
    }
}

static void read_info(struct ber *b, mask_values *out, bool *more)
{
    struct ber_scope sequence, field;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        switch (ber_next(b)) {
        case TAG_FIELD + 1:
            ber_integer_field(b, TAG_FIELD + 1, &out->program);
            out->has_program = true;
            break;
        case TAG_FIELD + 2:
            ber_string_field(b, TAG_FIELD + 2, &out->options);
            break;
        case TAG_FIELD + 3:
            if (!ber_open(b, TAG_FIELD + 3, &field))
                break;
            read_list(b, out, more);
            ber_close(b, &field);
            break;
        default:
            ber_skip(b);
        }
    }
}

const char *mask_parse_ber(const uint8_t *bytes, size_t n, mask_values *out)
{
    struct ber b = {.at = bytes, .limit = bytes + n};
    bool more = false;

    read_info(&b, out, &more);
    while (b.fault == NULL && more)
        read_list(&b, out, &more);
    if (b.fault == NULL && b.at != bytes + n)
        ber_fail(&b, "has extra bytes after its masks");
    return b.fault;
}
