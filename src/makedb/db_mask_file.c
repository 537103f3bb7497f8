#include "makedb/db_mask_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/io_map.h"
#include "makedb/db_mask_parse.h"
#include "seqid/seqid_text.h"

/* makeblastdb's numbers of algorithms: the first algorithm of a program has the program's number, others the next free ones. */
enum { PROGRAM_OTHER = 100, PROGRAMS_APART = 10 };

/* What is being read. All intervals of a location belong to its first id. */
typedef struct reading {
    db_mask_files *files;
    uint64_t key;
    uint32_t key_size;
    bool is_of_another; /* true: a location has intervals of two sequences */
} reading;

/* Appends the id in the form in which ids are compared: as in FASTA, in lower case. */
static bool add_key(struct byte_array *keys, const struct seqid *id)
{
    size_t before = keys->n;

    if (!seqid_text_fasta(id, keys))
        return false;
    for (size_t i = before; i < keys->n; i++)
        keys->bytes[i] = (uint8_t)tolower(keys->bytes[i]);
    return true;
}

static uint32_t offset_of(int64_t at) { return at < 0 || at >= UINT32_MAX ? UINT32_MAX : (uint32_t)at; }

/* Takes an interval. Adding masks to a database finds impossible ones, such as 9 to 5, to be outside the sequence. */
static bool take_interval(void *arg, const struct seqid *id, int64_t from, int64_t to, bool is_first)
{
    reading *r = arg;
    db_mask_files *f = r->files;
    uint64_t key = f->keys.n;

    if (!add_key(&f->keys, id) || !array_reserve(&f->intervals, &f->intervals_capacity, f->n_intervals + 1, sizeof *f->intervals))
        return false;
    if (is_first) {
        r->key = key;
        r->key_size = (uint32_t)(f->keys.n - key);
    } else {
        r->is_of_another |= f->keys.n - key != r->key_size || memcmp(f->keys.bytes + r->key, f->keys.bytes + key, r->key_size) != 0;
        f->keys.n = key;
    }
    f->intervals[f->n_intervals] = (db_mask_interval){.key = r->key,
                                                      .key_size = r->key_size,
                                                      .algorithm = (uint32_t)f->n_algorithms,
                                                      .begins = is_first,
                                                      .ordinal = f->n_intervals,
                                                      .start = offset_of(from),
                                                      .end = from <= to ? offset_of(to + 1) : UINT32_MAX};
    f->n_intervals++;
    return true;
}

/* ---- algorithms -------------------------------------------------------------------------------------------------- */

static uint32_t free_number(const db_mask_files *f, uint32_t first)
{
    uint32_t number = first;

    for (size_t i = 0; i < f->n_algorithms; i++)
        if (f->algorithms[i].number >= first && f->algorithms[i].number < first + PROGRAMS_APART && f->algorithms[i].number >= number)
            number = f->algorithms[i].number + 1;
    return number;
}

/* Appends a field of a description. Colons separate fields; a colon within a field becomes byte 1. */
static bool add_field(struct byte_array *text, const char *field, size_t n)
{
    size_t before = text->n;

    if (!byte_array_add(text, field, n))
        return false;
    for (size_t i = before; i < text->n; i++)
        text->bytes[i] = text->bytes[i] == ':' ? 1 : text->bytes[i];
    return true;
}

static bool add_string(struct byte_array *text, const char *field) { return add_field(text, field, strlen(field)); }

static bool describe(db_mask_algorithm *a, uint32_t program, struct text options, const db_mask_source *source, bool is_named)
{
    char number[16];

    snprintf(number, sizeof number, "%u", (unsigned)program);
    if (!add_string(&a->text, number) || !byte_array_add(&a->text, ":", 1) || !add_field(&a->text, options.bytes, options.n))
        return false;
    if (!is_named)
        return true;
    return byte_array_add(&a->text, ":", 1) && add_string(&a->text, source->name != NULL ? source->name : source->path) &&
           byte_array_add(&a->text, ":", 1) && add_string(&a->text, source->description != NULL ? source->description : "");
}

static bool is_there(const db_mask_files *f, const db_mask_algorithm *a)
{
    for (size_t i = 0; i < f->n_algorithms; i++)
        if (f->algorithms[i].text.n == a->text.n && memcmp(f->algorithms[i].text.bytes, a->text.bytes, a->text.n) == 0)
            return true;
    return false;
}

/* Two files of one program with the same parameters are two algorithms; two with the same name are an error. */
static io_status add_algorithm(db_mask_files *f, const mask_values *values, const db_mask_source *source, io_error *err)
{
    const bool is_named = source->name != NULL || values->program >= PROGRAM_OTHER;
    const uint32_t program = is_named ? PROGRAM_OTHER : (uint32_t)values->program;
    db_mask_algorithm a = {.number = is_named || values->options.n == 0 ? program : program + 1};

    if (!describe(&a, program, values->options, source, is_named) ||
        !array_reserve(&f->algorithms, &f->algorithms_capacity, f->n_algorithms + 1, sizeof *f->algorithms)) {
        free(a.text.bytes);
        return io_fail_memory(err, "masks");
    }
    if (is_named && is_there(f, &a)) {
        free(a.text.bytes);
        return io_fail(err, IO_E_INPUT, 0, "BLAST Database creation error: Duplicate masking algorithm found.");
    }
    a.number = free_number(f, a.number);
    f->algorithms[f->n_algorithms++] = a;
    return IO_OK;
}

io_status db_mask_files_add(db_mask_files *files, uint32_t program, const char *options, const char *name, io_error *err)
{
    const mask_values values = {.program = program, .options = {options, strlen(options)}};
    const db_mask_source source = {.path = "", .name = name};

    return add_algorithm(files, &values, &source, err);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char *parse(db_mask_files *f, const io_map *map, mask_values *values)
{
    static const char type[] = "Blast-db-mask-info";
    const uint8_t *bytes = map->bytes;

    if (map->size >= 2 && bytes[0] == 0x30)
        return mask_parse_ber(bytes, map->size, values);
    if (map->size >= sizeof type && memcmp(bytes, type, sizeof type - 1) == 0)
        return mask_parse_text(bytes, map->size, &f->scratch, values);
    return "";
}

static io_status read_map(db_mask_files *f, const io_map *map, const db_mask_source *source, io_error *err)
{
    reading r = {.files = f};
    mask_values values = {.location = take_interval, .arg = &r};
    const char *why = parse(f, map, &values);

    if (values.no_memory)
        return io_fail_memory(err, "masks");
    if (why != NULL && *why == '\0')
        return io_fail(err, IO_E_INPUT, 0, "BLAST options error: Unknown encoding for mask data in '%s'", source->path);
    if (why != NULL)
        return io_fail(err, IO_E_INPUT, 0, "%s: %s", source->path, why);
    if (r.is_of_another)
        return io_fail(err, IO_E_INPUT, 0, "BLAST options error: Cannot get masked range Seq-id");
    if (!values.has_program || values.program < 0 || values.program > INT32_MAX)
        return io_fail(err, IO_E_INPUT, 0, "%s: does not name the program that found the masks", source->path);
    return add_algorithm(f, &values, source, err);
}

io_status db_mask_file_read(db_mask_files *files, const db_mask_source *source, io_error *err)
{
    struct stat info;
    io_map map;
    io_status status;

    if (stat(source->path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
        return io_fail(err, IO_E_INPUT, 0, "BLAST options error: Unknown encoding for mask data in '%s'", source->path);
    status = io_map_open(source->path, &map, err);
    if (status != IO_OK)
        return status;
    status = read_map(files, &map, source, err);
    io_map_close(&map);
    return status;
}

/* ---- the masks of a sequence ------------------------------------------------------------------------------------- */

static int compare_keys(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b)
{
    int order = memcmp(a, b, n_a < n_b ? n_a : n_b);

    return order != 0 ? order : (n_a > n_b) - (n_a < n_b);
}

static int compare_intervals(const void *x, const void *y, void *keys)
{
    const db_mask_interval *a = x, *b = y;
    const uint8_t *bytes = keys;
    int order = compare_keys(bytes + a->key, a->key_size, bytes + b->key, b->key_size);

    if (order != 0)
        return order;
    if (a->algorithm != b->algorithm)
        return a->algorithm < b->algorithm ? -1 : 1;
    return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

void db_mask_files_sort(db_mask_files *f)
{
    if (f->n_intervals > 1)
        qsort_r(f->intervals, f->n_intervals, sizeof *f->intervals, compare_intervals, f->keys.bytes);
}

/* The first interval of a key; n_intervals if there is none. */
static size_t first_of(const db_mask_files *f, const uint8_t *key, size_t n)
{
    size_t low = 0, high = f->n_intervals;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const db_mask_interval *at = &f->intervals[middle];
        if (compare_keys(f->keys.bytes + at->key, at->key_size, key, n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_found(const void *x, const void *y)
{
    const db_mask_interval *a = x, *b = y;

    if (a->algorithm != b->algorithm)
        return a->algorithm < b->algorithm ? -1 : 1;
    return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

static int compare_starts(const void *x, const void *y)
{
    const db_mask_interval *a = x, *b = y;

    return (a->start > b->start) - (a->start < b->start);
}

/* Sorts the intervals of one algorithm, which come from several locations, and joins those that overlap or touch. Returns their number. */
static size_t join(db_mask_interval *found, size_t n)
{
    size_t n_left = 0;

    qsort(found, n, sizeof *found, compare_starts);
    for (size_t i = 0; i < n; i++) {
        db_mask_interval *last = n_left > 0 ? &found[n_left - 1] : NULL;
        if (last == NULL || last->end < found[i].start)
            found[n_left++] = found[i];
        else if (last->end < found[i].end)
            last->end = found[i].end;
    }
    return n_left;
}

static size_t join_all(db_mask_interval *found, size_t n)
{
    size_t n_left = 0, end;

    qsort(found, n, sizeof *found, compare_found);
    for (size_t i = 0; i < n; i = end) {
        size_t n_locations = 0, n_joined;
        for (end = i; end < n && found[end].algorithm == found[i].algorithm; end++)
            n_locations += found[end].begins;
        n_joined = n_locations > 1 ? join(found + i, end - i) : end - i;
        memmove(found + n_left, found + i, n_joined * sizeof *found);
        n_left += n_joined;
    }
    return n_left;
}

io_status db_mask_files_find(db_mask_files *f, const struct seqid *ids, size_t n_ids, const db_mask_interval **found, size_t *n_found,
                             io_error *err)
{
    size_t n = 0;

    for (size_t i = 0; i < n_ids; i++) {
        f->scratch.n = 0;
        if (ids[i].kind == SEQID_GIIM)
            continue; /* makeblastdb finds no masks for these ids */
        if (!add_key(&f->scratch, &ids[i]))
            return io_fail_memory(err, "masks");
        for (size_t at = first_of(f, f->scratch.bytes, f->scratch.n); at < f->n_intervals; at++) {
            const db_mask_interval *interval = &f->intervals[at];
            if (compare_keys(f->keys.bytes + interval->key, interval->key_size, f->scratch.bytes, f->scratch.n) != 0)
                break;
            if (!array_reserve(&f->found, &f->found_capacity, n + 1, sizeof *f->found))
                return io_fail_memory(err, "masks");
            f->found[n++] = *interval;
        }
    }
    *n_found = n > 1 ? join_all(f->found, n) : n;
    *found = f->found;
    return IO_OK;
}

void db_mask_files_free(db_mask_files *f)
{
    for (size_t i = 0; i < f->n_algorithms; i++)
        free(f->algorithms[i].text.bytes);
    free(f->algorithms);
    free(f->keys.bytes);
    free(f->intervals);
    free(f->scratch.bytes);
    free(f->found);
    memset(f, 0, sizeof *f);
}
