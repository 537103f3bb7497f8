#include "seqid/seqid_keys.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "seqid/seqid_text.h"

static bool put(struct byte_array *to, struct text t, int (*change)(int))
{
    uint8_t *at = byte_array_room(to, t.n);

    if (!at)
        return false;
    for (size_t i = 0; i < t.n; i++)
        at[i] = change ? (uint8_t)change((unsigned char)t.bytes[i]) : (uint8_t)t.bytes[i];
    to->n += t.n;
    return true;
}

static bool put_word(struct byte_array *to, const char *word, int (*change)(int))
{
    return put(to, (struct text){word, strlen(word)}, change);
}

static bool put_number(struct byte_array *to, int64_t number)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%" PRId64, number);
    return put_word(to, digits, NULL);
}

static bool put_end(struct byte_array *to) { return byte_array_add(to, "", 1); }

static bool put_tag(struct byte_array *to, const struct seqid *id, int (*change)(int))
{
    return put_word(to, seqid_word(id->kind), change) && put_word(to, "|", NULL);
}

/* Appends a local id, or the second half of a general one. */
static bool put_object_id(struct byte_array *to, const struct seqid *id, int (*change)(int))
{
    return id->has_number ? put_number(to, id->number) : put(to, id->accession, change);
}

static bool put_versioned(struct byte_array *to, const struct seqid *id, int (*change)(int))
{
    if (!put(to, id->accession, change))
        return false;
    return id->version <= 0 || (put_word(to, ".", NULL) && put_number(to, id->version));
}

static bool put_patent(struct byte_array *to, const struct seqid *id, int (*change)(int))
{
    return put_tag(to, id, change) && put(to, id->name, change) && put_word(to, "|", NULL) && put(to, id->accession, change) &&
           put_word(to, "|", NULL) && put_number(to, id->number);
}

static bool text_keys(const struct seqid *id, struct byte_array *keys)
{
    if (id->accession.n > 0 && !(put(keys, id->accession, tolower) && put_end(keys)))
        return false;
    if (id->accession.n > 0 && id->version > 0 && !(put_versioned(keys, id, tolower) && put_end(keys)))
        return false;
    return id->name.n == 0 || (put(keys, id->name, tolower) && put_end(keys));
}

static bool object_keys(const struct seqid *id, struct byte_array *keys)
{
    if (!id->has_number && !(put(keys, id->accession, tolower) && put_end(keys)))
        return false;
    if (!put_tag(keys, id, NULL))
        return false;
    if (id->kind == SEQID_GENERAL && !(put(keys, id->name, tolower) && put_word(keys, "|", NULL)))
        return false;
    return put_object_id(keys, id, tolower) && put_end(keys);
}

static bool pdb_keys(const struct seqid *id, struct byte_array *keys)
{
    static const char *const joints[] = {" ", "|"};
    struct text chain = id->name.n > 0 ? id->name : (struct text){" ", 1};

    if (!put(keys, id->accession, tolower) || !put_end(keys))
        return false;
    for (int i = 0; i < 3; i++) {
        if (i == 2 && !put_tag(keys, id, NULL))
            return false;
        if (!put(keys, id->accession, tolower) || !put_word(keys, joints[i > 0], NULL) || !put(keys, chain, tolower) || !put_end(keys))
            return false;
    }
    return true;
}

bool seqid_keys(const struct seqid *id, struct byte_array *keys)
{
    switch (id->kind) {
    case SEQID_GI:
        return true;
    case SEQID_LOCAL:
    case SEQID_GENERAL:
        return object_keys(id, keys);
    case SEQID_PDB:
        return pdb_keys(id, keys);
    case SEQID_PATENT:
        return put_patent(keys, id, tolower) && put_end(keys);
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
        return put_tag(keys, id, NULL) && put_number(keys, id->number) && put_end(keys);
    default:
        return text_keys(id, keys);
    }
}

bool seqid_label(const struct seqid *id, struct byte_array *label)
{
    bool is_put;

    switch (id->kind) {
    case SEQID_PATENT:
        return put_patent(label, id, toupper) && put_end(label);
    case SEQID_GI:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
        return put_tag(label, id, toupper) && put_number(label, id->number) && put_end(label);
    case SEQID_LOCAL:
        return put_tag(label, id, toupper) && put_object_id(label, id, toupper) && put_end(label);
    case SEQID_GENERAL:
        return put_tag(label, id, toupper) && put(label, id->name, toupper) && put_word(label, "|", NULL) &&
               put_object_id(label, id, toupper) && put_end(label);
    case SEQID_PDB: /* chains A and a are different */
        is_put = put_tag(label, id, toupper) && put(label, id->accession, toupper);
        return is_put && put_word(label, "|", NULL) && put(label, id->name, NULL) && put_end(label);
    default:
        if (!put_tag(label, id, toupper))
            return false;
        if (id->kind == SEQID_PRF || (id->kind == SEQID_PIR && id->name.n > 0))
            return put(label, id->name, toupper) && put_end(label);
        return (id->accession.n > 0 ? put_versioned(label, id, toupper) : put(label, id->name, toupper)) && put_end(label);
    }
}
