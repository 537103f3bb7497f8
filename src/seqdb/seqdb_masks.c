/*
 * seqdb_masks.c - masks of sequences: of a database, in the "column" files of its volumes, or in memory.
 *
 * A column has an index (.paa) and data: .pac, or .pab in the other byte order, which is not read. The data have a blob for each sequence.
 * Of the index's pairs of texts, those with a name of digits alone are algorithms: "21" and "20:window=12; locut=2.2". A blob has a part
 * for each algorithm that masks something in its sequence. doc/blastdb.md has the fields.
 */
#include "seqdb/seqdb_masks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/extensible.h"
#include "seqdb/seqdb_struct.h"

STRUCT_ENDS_WITH(tms_seqdb_mask_choice, name);

enum {
    VERSION = 1,
    TYPE_BLOB = 1,
    OFFSET_BYTES = 4,
    HEAD_BYTES = 32,
    COLUMNS = 26, /* a letter names each column of a volume */
    PROGRAM_OTHER = 100
};

static const char title[] = "BlastDb/MaskData";

/* The masks of a volume; all zero if it has none. */
struct column {
    struct seqdb_bytes index, data;
    const uint8_t *starts; /* n_oids + 1 big-endian words */
    uint32_t algorithm;
    bool has_algorithm;
};

struct tms_seqdb_masks {
    const tms_seqdb *db;     /* NULL: masks in memory */
    struct column *columns;  /* one for each volume of db */
    tms_interval *intervals; /* masks in memory */
    uint64_t *starts;
    char *name, *options;
};

/* ---- texts of the index ---------------------------------------------------------------------------------------- */

struct reader {
    const uint8_t *at, *end;
};

/* Reads a number with seven bits in each byte, the highest first, while the top bit is set; the last byte has six bits and a sign. */
static bool read_number(struct reader *r, uint32_t *out)
{
    uint32_t n = 0;

    while (r->at < r->end && (*r->at & 0x80) != 0) {
        if (n >> 19 != 0)
            return false;
        n = n << 7 | (*r->at++ & 0x7F);
    }
    if (r->at == r->end || (*r->at & 0x40) != 0)
        return false;
    *out = n << 6 | (*r->at++ & 0x3F);
    return true;
}

static bool read_text(struct reader *r, struct text *out)
{
    uint32_t n;

    if (!read_number(r, &n) || (size_t)(r->end - r->at) < n)
        return false;
    *out = (struct text){(const char *)r->at, n};
    r->at += n;
    return true;
}

/* Parses digits only. */
static bool parse_number(struct text text, uint32_t *out)
{
    uint64_t n = 0;

    for (size_t i = 0; i < text.n; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || n > UINT32_MAX / 10)
            return false;
        n = 10 * n + (uint64_t)(text.bytes[i] - '0');
    }
    *out = (uint32_t)n;
    return text.n > 0 && n <= UINT32_MAX;
}

/* The description of an algorithm: "100:options:name:description"; byte 1 stands for a colon within a field. */
struct description {
    struct text program, options, name;
};

static struct text next_field(struct text *rest)
{
    const char *colon = rest->n > 0 ? memchr(rest->bytes, ':', rest->n) : NULL;
    struct text field = {rest->bytes, colon != NULL ? (size_t)(colon - rest->bytes) : rest->n};
    size_t n = field.n + (colon != NULL);

    *rest = (struct text){rest->bytes + n, rest->n - n};
    return field;
}

static struct description describe(struct text text)
{
    struct description d;

    d.program = next_field(&text);
    d.options = next_field(&text);
    d.name = next_field(&text);
    return d;
}

static char *copy_field(struct text text)
{
    char *copy = malloc(text.n + 1);

    if (copy == NULL)
        return NULL;
    memcpy(copy, text.bytes, text.n);
    copy[text.n] = '\0';
    for (size_t i = 0; i < text.n; i++)
        copy[i] = (char)(copy[i] == 1 ? ':' : copy[i]);
    return copy;
}

static const char *program_name(struct text program)
{
    static const struct {
        uint32_t number;
        const char *name;
    } names[] = {{10, "dust"}, {20, "seg"}, {30, "windowmasker"}, {40, "repeat"}};
    uint32_t number;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (parse_number(program, &number) && number == names[i].number)
            return names[i].name;
    }
    return "other";
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

/* The path of .paa or .pac, with the column's letter. */
static char *file_name(const struct seqdb_volume *v, int column, char last)
{
    size_t n = strlen(v->path);
    char *path = malloc(n + 5);

    if (path == NULL)
        return NULL;
    memcpy(path, v->path, n);
    path[n] = '.';
    path[n + 1] = v->molecule == TMS_PROTEIN ? 'p' : 'n';
    path[n + 2] = (char)('a' + column);
    path[n + 3] = last;
    path[n + 4] = '\0';
    return path;
}

/* The fields of an index that are needed. */
struct head {
    uint32_t n_oids, first_pair, first_offset;
    uint64_t data_bytes;
    struct text title;
};

/* Returns NULL, or what is wrong. */
static const char *read_head(struct seqdb_bytes index, struct head *head)
{
    struct reader r;

    if (index.size < HEAD_BYTES)
        return "is shorter than its header";
    r = (struct reader){index.bytes + HEAD_BYTES, index.bytes + index.size};
    if (seqdb_word(index.bytes, 0) != VERSION || seqdb_word(index.bytes, 1) != TYPE_BLOB || seqdb_word(index.bytes, 2) != OFFSET_BYTES)
        return "version: is not 1, with blobs and offsets of 4 bytes";
    head->n_oids = seqdb_word(index.bytes, 3);
    head->data_bytes = (uint64_t)seqdb_word(index.bytes, 4) << 32 | seqdb_word(index.bytes, 5);
    head->first_pair = seqdb_word(index.bytes, 6);
    head->first_offset = seqdb_word(index.bytes, 7);
    if (!read_text(&r, &head->title))
        return "title: ends beyond the end of the file";
    return NULL;
}

static const char *check_offsets(const struct seqdb_bytes index, const struct head *head, uint32_t n_oids, size_t data_bytes)
{
    uint32_t before = 0;

    if (head->n_oids != n_oids)
        return "number of sequences: is not the volume's";
    if (head->first_pair < HEAD_BYTES || head->first_pair > head->first_offset || head->first_offset > index.size ||
        (index.size - head->first_offset) / OFFSET_BYTES < (uint64_t)n_oids + 1)
        return "offsets: end beyond the end of the file";
    for (uint64_t i = 0; i <= n_oids; i++) {
        uint32_t at = seqdb_word(index.bytes + head->first_offset, i);
        if (at < before || at > data_bytes)
            return "offsets: decrease, or end beyond the end of the data";
        before = at;
    }
    return NULL;
}

/* Returns true if the algorithm is the chosen one. */
static bool is_chosen(const tms_seqdb_mask_choice *choice, uint32_t number, const struct description *d)
{
    if (choice->name == NULL)
        return number == choice->number;
    return d->name.n == strlen(choice->name) && memcmp(d->name.bytes, choice->name, d->name.n) == 0;
}

/* Keeps name and options from the first volume; other volumes must have the same. Returns NULL, or what is wrong. */
static const char *keep_description(tms_seqdb_masks *masks, const struct description *d, bool *no_memory)
{
    struct text program = {program_name(d->program), strlen(program_name(d->program))};
    char *name = copy_field(d->name.n > 0 ? d->name : program), *options = copy_field(d->options);
    const char *why = NULL;

    *no_memory = name == NULL || options == NULL;
    if (!*no_memory && masks->name == NULL) {
        masks->name = name;
        masks->options = options;
        return NULL;
    }
    if (!*no_memory && (strcmp(masks->name, name) != 0 || strcmp(masks->options, options) != 0))
        why = "its options for this masking algorithm differ from those of another volume: search the databases one by one";
    free(name);
    free(options);
    return why;
}

/* Finds the pair of texts of the algorithm, if there is one. Returns NULL, or what is wrong. */
static const char *find_algorithm(tms_seqdb_masks *masks, const tms_seqdb_mask_choice *choice, const struct head *head, struct column *out,
                                  bool *no_memory)
{
    struct reader r = {out->index.bytes + head->first_pair, out->index.bytes + head->first_offset};
    uint32_t n_pairs;

    if (!read_number(&r, &n_pairs))
        return "texts: end beyond the end of the file";
    for (; n_pairs > 0; n_pairs--) {
        struct text key, value;
        struct description d;
        uint32_t number;
        if (!read_text(&r, &key) || !read_text(&r, &value))
            return "texts: end beyond the end of the file";
        d = describe(value);
        if (!parse_number(key, &number) || !is_chosen(choice, number, &d))
            continue;
        out->algorithm = number;
        out->has_algorithm = true;
        return keep_description(masks, &d, no_memory);
    }
    return NULL;
}

static tms_status fail_file(tms_context *ctx, const struct seqdb_volume *v, int column, char last, const char *why)
{
    return context_fail(ctx, TMS_E_FORMAT, "%s.%c%c%c: %s", v->path, v->molecule == TMS_PROTEIN ? 'p' : 'n', 'a' + column, last, why);
}

/* Maps the index of a column if the column is one of masks. *found: it is mapped. */
static tms_status map_index(tms_context *ctx, const struct seqdb_volume *v, int column, struct column *out, struct head *head, bool *found)
{
    char *path = file_name(v, column, 'a');
    const char *why;
    tms_status status = TMS_OK;

    *found = false;
    if (path == NULL)
        return context_fail_memory(ctx, "the name of a file", strlen(v->path));
    if (seqdb_file_is_there(path)) {
        status = seqdb_map_file(ctx, path, true, &out->index);
        why = status == TMS_OK ? read_head(out->index, head) : NULL;
        if (why != NULL)
            status = fail_file(ctx, v, column, 'a', why);
        *found = status == TMS_OK && head->title.n == sizeof title - 1 && memcmp(head->title.bytes, title, sizeof title - 1) == 0;
        if (!*found)
            seqdb_unmap(&out->index);
    }
    free(path);
    return status;
}

static tms_status open_column(tms_context *ctx, tms_seqdb_masks *masks, const tms_seqdb_mask_choice *choice, const struct seqdb_volume *v,
                              struct column *out)
{
    struct head head = {0};
    bool found = false, no_memory = false;
    const char *why;
    char *path;
    int column = 0;
    tms_status status = TMS_OK;

    while (column < COLUMNS && status == TMS_OK && !found)
        status = map_index(ctx, v, column++, out, &head, &found);
    if (status != TMS_OK || !found)
        return status;
    path = file_name(v, --column, 'c');
    if (path == NULL)
        return context_fail_memory(ctx, "the name of a file", strlen(v->path));
    status = seqdb_map_file(ctx, path, false, &out->data);
    free(path);
    if (status != TMS_OK)
        return status;
    if (head.data_bytes != out->data.size)
        return fail_file(ctx, v, column, 'c', "does not have the size that its index gives");
    why = check_offsets(out->index, &head, v->n_oids, out->data.size);
    if (why == NULL)
        why = find_algorithm(masks, choice, &head, out, &no_memory);
    if (no_memory)
        return context_fail_memory(ctx, "the name of a masking algorithm", 1);
    out->starts = out->index.bytes + head.first_offset;
    return why == NULL ? TMS_OK : fail_file(ctx, v, column, 'a', why);
}

/* ---- open, close ------------------------------------------------------------------------------------------------ */

static tms_seqdb_masks *create(tms_context *ctx, tms_status *status)
{
    tms_seqdb_masks *masks = calloc(1, sizeof *masks);

    *status = masks != NULL ? TMS_OK : context_fail_memory(ctx, "masks", sizeof *masks);
    return masks;
}

static tms_status open_columns(tms_context *ctx, tms_seqdb_masks *masks, const tms_seqdb_mask_choice *choice)
{
    const tms_seqdb *db = masks->db;
    tms_status status = TMS_OK;

    masks->columns = calloc(db->n_volumes, sizeof *masks->columns);
    if (masks->columns == NULL)
        return context_fail_memory(ctx, "masks", db->n_volumes * sizeof *masks->columns);
    for (size_t i = 0; i < db->n_volumes && status == TMS_OK; i++)
        status = open_column(ctx, masks, choice, &db->volumes[i], &masks->columns[i]);
    if (status == TMS_OK && masks->name == NULL)
        status = choice->name != NULL
                     ? context_fail(ctx, TMS_E_ARG, "the database has no masks named %s", choice->name)
                     : context_fail(ctx, TMS_E_ARG, "the database has no masks of algorithm %llu", (unsigned long long)choice->number);
    return status;
}

tms_status tms_seqdb_masks_open_sized(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_mask_choice *choice, size_t choice_size,
                                      tms_seqdb_masks **out)
{
    tms_seqdb_mask_choice wanted = {0};
    tms_seqdb_masks *masks;
    tms_status status;

    *out = NULL;
    if (!struct_in(&wanted, sizeof wanted, choice, choice_size))
        return context_fail_newer(ctx, "tms_seqdb_mask_choice");
    if (db->info.version == 0)
        return context_fail(ctx, TMS_E_ARG, "a database in memory has no files with masks");
    masks = create(ctx, &status);
    if (status != TMS_OK)
        return status;
    masks->db = db;
    status = open_columns(ctx, masks, &wanted);
    if (status != TMS_OK) {
        tms_seqdb_masks_destroy(masks);
        masks = NULL;
    }
    *out = masks;
    return status;
}

tms_status tms_seqdb_masks_of_list(tms_context *ctx, const tms_mask_list *list, tms_seqdb_masks **out)
{
    const uint64_t n = list->starts[list->n_records];
    tms_status status;
    tms_seqdb_masks *masks = create(ctx, &status);

    *out = NULL;
    if (status != TMS_OK)
        return status;
    masks->starts = malloc((list->n_records + 1) * sizeof *masks->starts);
    masks->intervals = malloc((n + 1) * sizeof *masks->intervals);
    masks->name = copy_field((struct text){"", 0});
    masks->options = copy_field((struct text){"", 0});
    if (masks->starts == NULL || masks->intervals == NULL || masks->name == NULL || masks->options == NULL) {
        tms_seqdb_masks_destroy(masks);
        return context_fail_memory(ctx, "masks", n * sizeof(tms_interval));
    }
    memcpy(masks->starts, list->starts, (list->n_records + 1) * sizeof *masks->starts);
    if (n > 0)
        memcpy(masks->intervals, list->intervals, n * sizeof *masks->intervals);
    *out = masks;
    return TMS_OK;
}

void tms_seqdb_masks_destroy(tms_seqdb_masks *masks)
{
    if (masks == NULL)
        return;
    for (size_t i = 0; masks->columns != NULL && i < masks->db->n_volumes; i++) {
        seqdb_unmap(&masks->columns[i].index);
        seqdb_unmap(&masks->columns[i].data);
    }
    free(masks->columns);
    free(masks->intervals);
    free(masks->starts);
    free(masks->name);
    free(masks->options);
    free(masks);
}

const char *tms_seqdb_masks_name(const tms_seqdb_masks *masks, const char **options)
{
    *options = masks->options;
    return masks->name;
}

/* ---- the masks of a sequence ------------------------------------------------------------------------------------- */

/* Finds the algorithm's part of a blob: *n pairs of little-endian words. Returns false if it is truncated. */
static bool find_part(const struct column *column, uint32_t oid, const uint8_t **pairs, uint32_t *n)
{
    const uint8_t *at = column->data.bytes + seqdb_word(column->starts, oid);
    size_t left = seqdb_word(column->starts, (size_t)oid + 1) - seqdb_word(column->starts, oid);
    uint32_t n_parts;

    *n = 0;
    if (left == 0)
        return true;
    if (left < 4)
        return false;
    n_parts = seqdb_word(at, 0);
    at += 4;
    left -= 4;
    for (; n_parts > 0; n_parts--) {
        uint32_t n_pairs;
        if (left < 8 || (left - 8) / 8 < (n_pairs = seqdb_word(at, 1)))
            return false;
        if (seqdb_word(at, 0) == column->algorithm) {
            *pairs = at + 8;
            *n = n_pairs;
            return true;
        }
        at += 8 + 8 * (size_t)n_pairs;
        left -= 8 + 8 * (size_t)n_pairs;
    }
    return true;
}

tms_status tms_seqdb_masks_get(const tms_seqdb_masks *masks, uint64_t i, tms_interval *out, size_t capacity, size_t *n)
{
    const struct seqdb_slice *slice;
    const struct column *column;
    const uint8_t *pairs = NULL;
    uint64_t length;
    uint32_t oid, n_pairs;

    *n = 0;
    if (masks->db == NULL) {
        *n = (size_t)(masks->starts[i + 1] - masks->starts[i]);
        if (*n > 0 && capacity > 0)
            memcpy(out, masks->intervals + masks->starts[i], (*n < capacity ? *n : capacity) * sizeof *out);
        return TMS_OK;
    }
    slice = seqdb_slice_of(masks->db, i);
    oid = slice->first + (uint32_t)(i - slice->start);
    column = &masks->columns[slice->volume];
    if (!column->has_algorithm)
        return TMS_OK;
    if (!find_part(column, oid, &pairs, &n_pairs))
        return TMS_E_FORMAT;
    length = seqdb_volume_length(&masks->db->volumes[slice->volume], oid);
    *n = n_pairs;
    for (uint32_t k = 0; k < n_pairs && k < capacity; k++) {
        out[k] = (tms_interval){core_read32(pairs + 8 * (size_t)k), core_read32(pairs + 8 * (size_t)k + 4)};
        if (out[k].start > out[k].end || out[k].end > length)
            return TMS_E_FORMAT;
    }
    return TMS_OK;
}

tms_status seqdb_masks_read(const tms_seqdb_masks *masks, uint64_t i, tms_interval **items, size_t *capacity, size_t *n)
{
    tms_status status = tms_seqdb_masks_get(masks, i, *items, *capacity, n);

    if (status != TMS_OK || *n <= *capacity)
        return status;
    if (!array_reserve(items, capacity, *n, sizeof **items))
        return TMS_E_MEMORY;
    return tms_seqdb_masks_get(masks, i, *items, *capacity, n);
}

const char *seqdb_masks_path(const tms_seqdb_masks *masks, uint64_t i)
{
    return masks->db != NULL ? masks->db->volumes[seqdb_slice_of(masks->db, i)->volume].path : NULL;
}
