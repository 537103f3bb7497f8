/*
 * db_writer.c - writes sequences to the files at once. Memory holds only the current volume's arrays of offsets, 8 bytes for a protein and
 * 12 for a nucleotide sequence, which the index begins with at the end of the volume. Whether the first volume remains the only one is
 * known at the end, so its files may change their names.
 */
#include "makedb/db_writer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/core.h"
#include "makedb/db_old.h"
#include "makedb/db_struct.h"
#include "makedb/db_sums.h"
#include "seqdb/index_encode.h"
#include "seqid/defline_encode.h"

enum { INDEX_RESERVE = 12 };

/* ---- volumes -------------------------------------------------------------------------------------------------- */

static io_status add_offset(offset_array *a, uint64_t offset, io_error *err)
{
    if (!array_reserve(&a->words, &a->capacity, a->n + 1, sizeof *a->words))
        return io_fail_memory(err, "the offsets of a volume");
    a->words[a->n++] = core_swap32((uint32_t)offset);
    return IO_OK;
}

static io_status begin_volume(db_writer *w, io_error *err)
{
    static const uint8_t zero = 0;
    io_status status = db_open_file(w, "sq", 0, &w->at_sequences, err);

    w->n_sequences = 0;
    w->n_residues = w->longest = 0;
    w->headers.n = w->sequences.n = w->ambiguities.n = 0;
    if (status == IO_OK)
        status = db_open_file(w, "hr", 0, &w->at_headers, err);
    if (status == IO_OK)
        status = db_write(&w->files[w->at_sequences], &zero, 1, err);
    if (status == IO_OK)
        status = add_offset(&w->headers, 0, err);
    return status == IO_OK ? add_offset(&w->sequences, 1, err) : status;
}

static struct text text_of(const char *string) { return (struct text){string, strlen(string)}; }

static struct index_head head_of(const db_writer *w)
{
    return (struct index_head){.molecule = w->how.molecule,
                               .version = w->how.version,
                               .volume = w->volume,
                               .title = text_of(w->how.title),
                               .lmdb_name = text_of(w->lmdb_name),
                               .date = text_of(w->date),
                               .n_sequences = w->n_sequences,
                               .n_residues = w->n_residues,
                               .longest = (uint32_t)w->longest};
}

static io_status write_index(db_writer *w, io_error *err)
{
    struct index_head head = head_of(w);
    struct byte_array bytes = {NULL, 0, 0};
    const offset_array *arrays[] = {&w->headers, &w->sequences, &w->ambiguities};
    size_t at = 0, n_arrays = w->how.molecule == TMS_NUCLEOTIDE ? 3 : 2;
    io_status status = IO_OK;

    if (w->how.molecule == TMS_NUCLEOTIDE) /* the last offset is the end of the last sequence */
        status = add_offset(&w->ambiguities, w->files[w->at_sequences].size, err);
    if (status == IO_OK)
        status = index_encode_head(&head, &bytes) ? db_open_file(w, "in", 0, &at, err) : io_fail_memory(err, "an index");
    if (status == IO_OK)
        status = db_write(&w->files[at], bytes.bytes, bytes.n, err);
    for (size_t i = 0; i < n_arrays && status == IO_OK; i++)
        status = db_write(&w->files[at], arrays[i]->words, arrays[i]->n * sizeof *arrays[i]->words, err);
    free(bytes.bytes);
    return status == IO_OK ? db_end_file(w, at, err) : status;
}

/* Writes an index and its data: "sd" and "si". */
static io_status write_isam(db_writer *w, const isam_index *isam,
                            io_status (*make)(const isam_index *, struct byte_array *, struct byte_array *, io_error *),
                            const char *data_extension, const char *index_extension, io_error *err)
{
    struct byte_array data = {NULL, 0, 0}, index = {NULL, 0, 0};
    io_status status = make(isam, &data, &index, err);

    if (status == IO_OK)
        status = db_write_file(w, data_extension, 0, &data, err);
    if (status == IO_OK)
        status = db_write_file(w, index_extension, 0, &index, err);
    free(data.bytes);
    free(index.bytes);
    return status;
}

/* Writes the files that find the sequences of a volume by id. */
static io_status write_ids(db_writer *w, io_error *err)
{
    struct byte_array list = {NULL, 0, 0};
    io_status status = isam_sort(&w->isam, err);

    if (status == IO_OK && w->how.version == 4 && w->isam.n_lines > 0)
        status = write_isam(w, &w->isam, isam_words, "sd", "si", err);
    if (status == IO_OK && w->isam.n_gis > 0)
        status = write_isam(w, &w->isam, isam_gis, "nd", "ni", err);
    if (status == IO_OK)
        status = isam_gi_list(&w->isam, &list, err);
    if (status == IO_OK)
        status = db_write_file(w, "og", 0, &list, err);
    free(list.bytes);
    isam_clear(&w->isam);
    return status;
}

static io_status write_hashes(db_writer *w, io_error *err)
{
    io_status status = isam_sort(&w->hashes, err);

    if (status == IO_OK)
        status = write_isam(w, &w->hashes, isam_words, "hd", "hi", err);
    isam_clear(&w->hashes);
    return status;
}

/* A volume without any mask has no such files. */
static io_status write_masks(db_writer *w, io_error *err)
{
    struct byte_array index = {NULL, 0, 0};
    io_status status = IO_OK;

    if (w->masks.little_endian.n > 0) {
        status = db_masks_index(&w->masks, w->how.masks, &index, err);
        if (status == IO_OK)
            status = db_write_file(w, "aa", 0, &index, err);
        if (status == IO_OK)
            status = db_write_file(w, "ab", 0, &w->masks.big_endian, err);
        if (status == IO_OK)
            status = db_write_file(w, "ac", 0, &w->masks.little_endian, err);
    }
    free(index.bytes);
    db_masks_clear(&w->masks);
    return status;
}

/* makeblastdb writes the index of ids together with that of hashes, even if all ids are ordinal numbers. */
static int has_ids(const db_writer *w) { return w->how.parse_ids || w->how.index_hashes; }

static io_status end_volume(db_writer *w, io_error *err)
{
    io_status status = db_end_file(w, w->at_sequences, err);

    if (status == IO_OK)
        status = db_end_file(w, w->at_headers, err);
    if (status == IO_OK && has_ids(w))
        status = write_ids(w, err);
    if (status == IO_OK && w->how.index_hashes)
        status = write_hashes(w, err);
    if (status == IO_OK && w->how.masks != NULL)
        status = write_masks(w, err);
    if (!array_reserve(&w->volume_sizes, &w->sizes_capacity, w->n_volumes + 1, sizeof *w->volume_sizes))
        return io_fail_memory(err, "a database");
    w->volume_sizes[w->n_volumes++] = w->n_sequences;
    return status == IO_OK ? write_index(w, err) : status;
}

/* ---- sequences ------------------------------------------------------------------------------------------------ */

/* The id of a sequence without ids: its number in the volume. */
typedef struct ordinal {
    struct seqid id;
    struct defline defline;
} ordinal;

/* The deflines to store. */
static const struct defline *named(const db_record *r, uint32_t number, ordinal *o)
{
    static const char database[] = "BL_ORD_ID";

    if (r->n_deflines != 1 || r->deflines[0].n_ids != 0)
        return r->deflines;
    o->id = (struct seqid){.kind = SEQID_GENERAL, .name = {database, sizeof database - 1}, .has_number = true, .number = number};
    o->defline = r->deflines[0];
    o->defline.ids = &o->id;
    o->defline.n_ids = 1;
    return &o->defline;
}

static io_status encode_deflines(db_writer *w, const db_record *r, io_error *err)
{
    ordinal o;

    w->defline.n = 0;
    return defline_encode(named(r, w->n_sequences, &o), r->n_deflines, &w->defline) ? IO_OK : io_fail_memory(err, "deflines");
}

static uint64_t n_residues_of(const db_record *r) { return r->packed != NULL ? r->packed->n_bases : r->n_residues; }

static uint64_t stored_size(const db_record *r)
{
    return r->packed != NULL ? (uint64_t)r->packed->packed.n + r->packed->ambiguity.n : (uint64_t)r->n_residues + 1;
}

/* Returns 1 if the volume has room for the sequence, whose deflines have been encoded. */
static int fits(const db_writer *w, const db_record *r)
{
    struct index_head head = head_of(w);
    uint64_t max = w->how.max_file_size, per_sequence = r->packed != NULL ? 12 : 8;

    return w->files[w->at_sequences].size + stored_size(r) < max && w->files[w->at_headers].size + w->defline.n < max &&
           index_head_size(&head) + per_sequence * w->n_sequences + INDEX_RESERVE < max && w->n_sequences < INT32_MAX;
}

static io_status write_sequence(db_writer *w, const db_record *r, io_error *err)
{
    output_file *to = &w->files[w->at_sequences];
    io_status status;

    if (r->packed != NULL) {
        status = db_write(to, r->packed->packed.bytes, r->packed->packed.n, err);
        if (status == IO_OK)
            status = add_offset(&w->ambiguities, to->size, err);
        if (status == IO_OK)
            status = db_write(to, r->packed->ambiguity.bytes, r->packed->ambiguity.n, err);
    } else {
        static const uint8_t zero = 0;
        status = db_write(to, r->residues, r->n_residues, err);
        if (status == IO_OK)
            status = db_write(to, &zero, 1, err);
    }
    return status == IO_OK ? add_offset(&w->sequences, to->size, err) : status;
}

/* Adds the sequence to the indexes of ids and hashes, and its masks. before: sequences in the volume when it was added. */
static io_status index_record(db_writer *w, const db_record *r, uint32_t before, io_error *err)
{
    ordinal o;
    io_status status = IO_OK;

    if (has_ids(w))
        status = isam_add(&w->isam, named(r, before, &o), r->n_deflines, err);
    if (status == IO_OK && w->how.parse_ids && w->how.version == 5)
        status = db_names_add(&w->names, r->deflines, r->n_deflines, err);
    if (status == IO_OK && w->how.taxids_differ && w->how.version == 5)
        status = db_add_taxids(w, r, err);
    if (status == IO_OK && w->how.index_hashes)
        status = isam_add_hash(&w->hashes, r->hash, w->n_sequences, err);
    if (status == IO_OK && w->how.masks != NULL)
        status = db_masks_add(&w->masks, w->how.masks, r->masks, r->n_masks, n_residues_of(r), err);
    return status;
}

io_status db_writer_add(db_writer *w, const db_record *r, io_error *err)
{
    uint64_t n_residues = n_residues_of(r);
    const uint32_t before = w->n_sequences; /* makeblastdb's index has this number even if the sequence begins a new volume */
    output_file *headers;
    io_status status = encode_deflines(w, r, err);

    if (status == IO_OK && w->n_sequences > 0 && !fits(w, r)) {
        status = end_volume(w, err);
        w->volume++;
        if (status == IO_OK)
            status = begin_volume(w, err);
        if (status == IO_OK)
            status = encode_deflines(w, r, err);
    }
    if (status != IO_OK)
        return status;
    if (stored_size(r) + 1 > UINT32_MAX || w->defline.n > UINT32_MAX)
        return io_fail(
            err, IO_E_INPUT, 0,
            "a sequence of %llu residues or bases takes %llu bytes, and its header %zu: a file of a BLAST database has less than 2^32",
            (unsigned long long)n_residues, (unsigned long long)stored_size(r), w->defline.n);
    status = write_sequence(w, r, err);
    headers = &w->files[w->at_headers];
    if (status == IO_OK)
        status = db_write(headers, w->defline.bytes, w->defline.n, err);
    if (status == IO_OK)
        status = add_offset(&w->headers, headers->size, err);
    if (status == IO_OK)
        status = index_record(w, r, before, err);
    w->n_sequences++;
    w->n_residues += n_residues;
    w->longest = n_residues > w->longest ? n_residues : w->longest;
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

/* In makeblastdb's form: "Nov 21, 2026  1:17 PM". */
static void format_date(char text[DATE_SIZE])
{
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = time(NULL);
    struct tm t;

    if (localtime_r(&now, &t) == NULL)
        memset(&t, 0, sizeof t);
    snprintf(text, DATE_SIZE, "%.3s %d, %d  %d:%02d %s", months[t.tm_mon], t.tm_mday, (t.tm_year + 1900) % 10000,
             t.tm_hour % 12 == 0 ? 12 : t.tm_hour % 12, t.tm_min, t.tm_hour < 12 ? "AM" : "PM");
}

io_status db_writer_open(const db_options *options, int *replaces, db_writer **out, io_error *err)
{
    db_writer *w = calloc(1, sizeof *w);
    io_status status;

    *out = NULL;
    if (w == NULL)
        return io_fail_memory(err, "a database");
    w->how = *options;
    format_date(w->date);
    w->isam.without_words = w->how.version == 5;
    if (w->how.version == 5)
        snprintf(w->lmdb_name, sizeof w->lmdb_name, "%s.%cdb", db_base_name(w), w->how.molecule == TMS_PROTEIN ? 'p' : 'n');
    status = io_make_directories(w->how.base, 0777, err);
    if (status == IO_OK)
        status = io_file_set_create(&w->set, err);
    if (status == IO_OK)
        status = db_retire_old(w->set, w->how.base, w->how.molecule, w->how.version, replaces, err);
    if (status == IO_OK)
        status = begin_volume(w, err);
    if (status != IO_OK) {
        db_writer_abort(w);
        return status;
    }
    *out = w;
    return IO_OK;
}

/* With a second volume: the files of the first get its number, and an alias names all volumes. */
static io_status name_first_volume(db_writer *w, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < w->n_files && status == IO_OK; i++) {
        char path[PATH_SIZE];
        io_output output;
        if (w->files[i].volume != 0 || w->files[i].of_base)
            continue;
        status = db_name_file(w, &w->files[i], 0, path, err);
        if (status != IO_OK)
            break;
        output = db_output_of(w, path);
        status = io_safe_file_rename(w->files[i].file, &output, err);
    }
    return status;
}

static io_status write_alias(db_writer *w, io_error *err)
{
    char line[PATH_SIZE + 64];
    size_t at = 0;
    io_status status = db_open_file(w, "al", 1, &at, err);
    int n = snprintf(line, sizeof line, "#\n# Alias file created: %s\n#\nTITLE ", w->date);

    if (status == IO_OK)
        status = db_write(&w->files[at], line, (size_t)n, err);
    if (status == IO_OK)
        status = db_write(&w->files[at], w->how.title, strlen(w->how.title), err);
    if (status == IO_OK)
        status = db_write(&w->files[at], "\nDBLIST", 7, err);
    for (uint32_t i = 0; i <= w->volume && status == IO_OK; i++) {
        int is_quoted = strpbrk(db_base_name(w), " \t") != NULL;
        n = snprintf(line, sizeof line, " %s%s.%02u%s", is_quoted ? "\"" : "", db_base_name(w), (unsigned)i, is_quoted ? "\"" : "");
        status = db_write(&w->files[at], line, (size_t)n, err);
    }
    if (status == IO_OK)
        status = db_write(&w->files[at], "\n", 1, err);
    return status == IO_OK ? db_end_file(w, at, err) : status;
}

static io_status write_sums(db_writer *w, io_error *err)
{
    struct byte_array text = {NULL, 0, 0};
    size_t n_files = w->n_files;
    io_status status = db_sums_begin(&text, w->date, err);

    for (size_t i = 0; i < n_files && status == IO_OK; i++) {
        char path[PATH_SIZE];
        status = db_name_file(w, &w->files[i], w->volume == 0, path, err);
        if (status == IO_OK)
            status = db_sums_add(&text, w->files[i].sum, w->files[i].size, path + (db_base_name(w) - w->how.base), err);
    }
    if (status == IO_OK)
        status = db_sums_end(&text, err);
    if (status == IO_OK)
        status = db_write_file(w, "sum", 1, &text, err);
    free(text.bytes);
    return status;
}

static void free_writer(db_writer *w)
{
    for (size_t i = 0; i < w->n_files; i++)
        free(w->files[i].buffer);
    for (size_t i = 0; i < w->n_free_buffers; i++)
        free(w->free_buffers[i]);
    free(w->files);
    free(w->headers.words);
    free(w->sequences.words);
    free(w->ambiguities.words);
    free(w->defline.bytes);
    isam_free(&w->isam);
    isam_free(&w->hashes);
    db_masks_free(&w->masks);
    db_names_free(&w->names);
    free(w->taxids);
    free(w->taxid_ends);
    free(w->volume_sizes);
    free(w);
}

io_status db_writer_commit(db_writer *w, io_error *err)
{
    io_status status = end_volume(w, err);

    if (status == IO_OK && w->volume > 0)
        status = name_first_volume(w, err);
    if (status == IO_OK && w->volume > 0)
        status = write_alias(w, err);
    if (status == IO_OK && w->how.version == 5)
        status = db_write_version5(w, err);
    if (status == IO_OK)
        status = write_sums(w, err);
    if (status != IO_OK) {
        db_writer_abort(w);
        return status;
    }
    status = io_file_set_commit(w->set, err);
    free_writer(w);
    return status;
}

void db_writer_abort(db_writer *w)
{
    if (w == NULL)
        return;
    io_file_set_abort(w->set);
    free_writer(w);
}
