#include "seqid/seqid_decode.h"

/* Reads a number or a text. */
static void read_object_id(struct ber *b, struct seqid *id)
{
    if (ber_next(b) == TAG_FIELD) {
        id->has_number = true;
        ber_integer_field(b, TAG_FIELD, &id->number);
    } else {
        ber_string_field(b, TAG_FIELD + 1, &id->accession);
    }
}

static void read_text_id(struct ber *b, struct seqid *id)
{
    struct ber_scope sequence;
    int64_t version = 0;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        switch (ber_next(b)) {
        case TAG_FIELD:
            ber_string_field(b, TAG_FIELD, &id->name);
            break;
        case TAG_FIELD + 1:
            ber_string_field(b, TAG_FIELD + 1, &id->accession);
            break;
        case TAG_FIELD + 2:
            ber_string_field(b, TAG_FIELD + 2, &id->release);
            break;
        case TAG_FIELD + 3:
            ber_integer_field(b, TAG_FIELD + 3, &version);
            break;
        default:
            ber_skip(b);
        }
    }
    if (version < 0 || version > INT32_MAX)
        ber_fail(b, "has an id with an invalid version");
    id->version = (int)version;
}

typedef void read_field(struct ber *b, struct seqid *id);

/* A sequence of two fields, of which `first` reads the whole and `second` what is in it. */
static void read_two_fields(struct ber *b, struct seqid *id, read_field *first, read_field *second)
{
    struct ber_scope sequence, field;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (ber_next(b) == TAG_FIELD) {
            first(b, id);
        } else if (ber_next(b) != TAG_FIELD + 1) {
            ber_skip(b);
        } else if (ber_open(b, TAG_FIELD + 1, &field)) {
            second(b, id);
            ber_close(b, &field);
        }
    }
}

static void read_name(struct ber *b, struct seqid *id) { ber_string_field(b, TAG_FIELD, &id->name); }
static void read_number(struct ber *b, struct seqid *id) { ber_integer_field(b, TAG_FIELD, &id->number); }

/* The number of an application stands where there is no patent yet. */
static void read_document(struct ber *b, struct seqid *id)
{
    ber_string_field(b, ber_next(b) == TAG_FIELD ? TAG_FIELD : TAG_FIELD + 1, &id->accession);
}

static void read_citation(struct ber *b, struct seqid *id) { read_two_fields(b, id, read_name, read_document); }
static void read_general_id(struct ber *b, struct seqid *id) { read_two_fields(b, id, read_name, read_object_id); }
static void read_patent_id(struct ber *b, struct seqid *id) { read_two_fields(b, id, read_number, read_citation); }

/* Reads a PDB id. A chain is a text, or in old files the code of a character, whose byte then is the text. */
static void read_pdb_id(struct ber *b, struct seqid *id)
{
    struct ber_scope sequence;
    struct text old = {NULL, 0};
    int64_t chain = 0;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        switch (ber_next(b)) {
        case TAG_FIELD:
            ber_string_field(b, TAG_FIELD, &id->accession);
            break;
        case TAG_FIELD + 1: {
            struct ber_scope field;
            if (!ber_open(b, TAG_FIELD + 1, &field))
                break;
            ber_integer(b, &chain);
            if (b->fault == NULL)
                old = (struct text){(const char *)b->at - 1, 1};
            ber_close(b, &field);
            break;
        }
        case TAG_FIELD + 3:
            ber_string_field(b, TAG_FIELD + 3, &id->name);
            break;
        default:
            ber_skip(b);
        }
    }
    if (id->name.bytes == NULL && chain > ' ' && chain < 127)
        id->name = old;
}

/* Reads a giim, of which only the number is used. */
static void read_giim(struct ber *b, struct seqid *id)
{
    struct ber_scope sequence;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (ber_next(b) == TAG_FIELD)
            ber_integer_field(b, TAG_FIELD, &id->number);
        else
            ber_skip(b);
    }
}

void seqid_decode(struct ber *b, struct seqid *id)
{
    uint8_t tag = ber_next(b);
    struct ber_scope choice;

    if (tag < TAG_FIELD || tag > TAG_FIELD + SEQID_NAMED_ANNOT) {
        ber_fail(b, "has an id of an unknown kind");
        return;
    }
    if (!ber_open(b, tag, &choice))
        return;
    *id = (struct seqid){.kind = (enum seqid_kind)(tag - TAG_FIELD)};
    switch (id->kind) {
    case SEQID_LOCAL:
        read_object_id(b, id);
        break;
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GI:
        ber_integer(b, &id->number);
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
