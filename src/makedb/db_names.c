#include "makedb/db_names.h"

#include <ctype.h>
#include <string.h>

#include "seqid/seqid_text.h"

enum { LONG_NAME = 255, MAX_KEY = 511 };

static bool is_text_id(const struct seqid *id)
{
    switch (id->kind) {
    case SEQID_LOCAL:
    case SEQID_GENERAL:
    case SEQID_PDB:
    case SEQID_PATENT:
    case SEQID_PIR:
    case SEQID_PRF:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
        return false;
    default:
        return id->accession.n > 0;
    }
}

static void to_upper(uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)toupper(bytes[i]);
}

/* Appends the name of an id. */
static bool add_text(const struct seqid *id, struct byte_array *to)
{
    size_t before = to->n;

    if (id->kind == SEQID_PIR || id->kind == SEQID_PRF)
        return seqid_text_fasta(id, to);
    if (id->kind != SEQID_LOCAL && id->kind != SEQID_GENERAL && id->accession.n == 0 && id->name.n > 0)
        return byte_array_add(to, id->name.bytes, id->name.n);
    if (!seqid_text_accession(id, to))
        return false;
    if (is_text_id(id))
        to_upper(to->bytes + before, to->n - before);
    return true;
}

/* Takes the last n bytes of text as a name. */
static bool keep_name(db_names *a, size_t n, uint32_t number)
{
    if (n == 0 || n > MAX_KEY) {
        a->text.n -= n;
        return true;
    }
    if (!array_reserve(&a->names, &a->names_capacity, a->n_names + 1, sizeof *a->names))
        return false;
    a->names[a->n_names++] = (db_name){a->text.n - n, (uint32_t)n, number};
    return true;
}

static bool add_bytes(db_names *a, const void *bytes, size_t n, uint32_t number, bool in_upper_case)
{
    if (!byte_array_add(&a->text, bytes, n))
        return false;
    if (in_upper_case)
        to_upper(a->text.bytes + a->text.n - n, n);
    return keep_name(a, n, number);
}

/* Adds the names that find the id. name: the one in the list. */
static bool add_names(db_names *a, const struct seqid *id, const uint8_t *name, size_t n, uint32_t number)
{
    if (!add_bytes(a, name, n, number, false))
        return false;
    if (is_text_id(id))
        return id->version <= 0 || add_bytes(a, id->accession.bytes, id->accession.n, number, true);
    if (id->kind == SEQID_PDB)
        return add_bytes(a, id->accession.bytes, id->accession.n, number, false) &&
               add_bytes(a, id->accession.bytes, id->accession.n, number, true);
    if (id->kind == SEQID_LOCAL || id->kind == SEQID_GENERAL)
        return add_bytes(a, name, n, number, true);
    return true;
}

static bool add_to_list(struct byte_array *lists, const uint8_t *name, size_t n)
{
    uint8_t size = n < LONG_NAME ? (uint8_t)n : LONG_NAME;
    uint32_t long_size = (uint32_t)n;

    return byte_array_add(lists, &size, 1) && (size < LONG_NAME || byte_array_add(lists, &long_size, 4)) && byte_array_add(lists, name, n);
}

/* Collects the names of a sequence in scratch. */
static bool collect(db_names *a, const struct defline *deflines, size_t n_deflines)
{
    a->scratch.n = a->n_listed = 0;
    for (size_t i = 0; i < n_deflines; i++) {
        for (size_t k = 0; k < deflines[i].n_ids; k++) {
            const struct seqid *id = &deflines[i].ids[k];
            size_t start = a->scratch.n;
            if (id->kind == SEQID_GI)
                continue;
            if (!array_reserve(&a->listed, &a->listed_capacity, a->n_listed + 1, sizeof *a->listed) || !add_text(id, &a->scratch))
                return false;
            a->listed[a->n_listed++] = (db_listed){start, a->scratch.n - start, id};
        }
    }
    return true;
}

/* Of equal names the one collected first comes first. */
static int compare_listed(const void *x, const void *y, void *text)
{
    const db_listed *a = x, *b = y;
    const uint8_t *bytes = text;
    int order = memcmp(bytes + a->start, bytes + b->start, a->size < b->size ? a->size : b->size);

    if (order == 0)
        order = (a->size > b->size) - (a->size < b->size);
    return order != 0 ? order : (a->start > b->start) - (a->start < b->start);
}

/* Adds the sorted names of a sequence. */
static bool add_list(db_names *a, const struct defline *deflines, size_t n_deflines, uint32_t number)
{
    if (!collect(a, deflines, n_deflines))
        return false;
    if (a->n_listed > 1)
        qsort_r(a->listed, a->n_listed, sizeof *a->listed, compare_listed, a->scratch.bytes);
    for (size_t i = 0; i < a->n_listed; i++) {
        const db_listed *listed = &a->listed[i];
        const uint8_t *name = a->scratch.bytes + listed->start;
        if (!add_to_list(&a->lists, name, listed->size) || !add_names(a, listed->id, name, listed->size, number))
            return false;
    }
    return true;
}

io_status db_names_add(db_names *a, const struct defline *deflines, size_t n_deflines, io_error *err)
{
    uint32_t number = (uint32_t)a->n_lists;

    if (!array_reserve(&a->list_ends, &a->lists_capacity, a->n_lists + 1, sizeof *a->list_ends) ||
        !add_list(a, deflines, n_deflines, number))
        return io_fail_memory(err, "an index of ids");
    a->list_ends[a->n_lists++] = a->lists.n;
    return IO_OK;
}

static void get_name(void *arg, size_t i, lmdb_file_pair *pair)
{
    const db_names *a = arg;
    const db_name *name = &a->names[i];

    *pair = (lmdb_file_pair){a->text.bytes + name->start, &name->number, name->size, sizeof name->number};
}

static int compare_keys(const void *x, const void *y, void *text)
{
    const db_name *a = x, *b = y;
    const uint8_t *bytes = text;
    int order = memcmp(bytes + a->start, bytes + b->start, a->size < b->size ? a->size : b->size);

    if (order == 0)
        order = (a->size > b->size) - (a->size < b->size);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

/* Sorts the names, so that LMDB adds each pair near the previous one. */
lmdb_file_table db_names_table(db_names *a)
{
    if (a->n_names > 0)
        qsort_r(a->names, a->n_names, sizeof *a->names, compare_keys, a->text.bytes);
    return (lmdb_file_table){.name = "acc2oid", .has_equal_keys = 1, .n = a->n_names, .get = get_name, .arg = a};
}

void db_names_free(db_names *a)
{
    free(a->text.bytes);
    free(a->names);
    free(a->lists.bytes);
    free(a->list_ends);
    free(a->scratch.bytes);
    free(a->listed);
    memset(a, 0, sizeof *a);
}
