/* classify_units.c - see classify_units.h. */
#include "cli/reads/classify_units.h"

#include <stdlib.h>
#include <string.h>

#include "io/io_reader.h"
#include "io/io_stream.h"

/* Large enough that a batch has work for many threads, small enough that the batches of two files need little memory. */
enum { BATCH_RECORDS = 16384, BATCH_BYTES = 4 << 20, PART_BYTES = 8 << 20 };

enum { KIND_FASTA = 1, KIND_FASTQ };

static const char *path_of(const classify_units *u, size_t file) { return u->paths[u->lane * u->n_files + file]; }

static io_status open_lane(classify_units *u, io_error *err)
{
    io_status status = IO_OK;

    for (size_t f = 0; f < u->n_files && status == IO_OK; f++) {
        seqio_records_options how = {.paths = &u->paths[u->lane * u->n_files + f],
                                     .n_paths = 1,
                                     .batch_bytes = BATCH_BYTES,
                                     .batch_records = BATCH_RECORDS,
                                     .together = u->n_mates / u->n_files,
                                     .no_qualities = 1,
                                     .no_headers = u->no_headers,
                                     .raw = u->raw,
                                     .part_bytes = PART_BYTES,
                                     .may_be_empty = 1};
        status = seqio_records_open(&how, &u->files[f], err);
    }
    return status;
}

io_status classify_units_open(classify_units *u, int raw, int names, io_error *err)
{
    io_status status = io_reader_check_paths(u->paths, u->n_lanes * u->n_files, err);

    u->raw = raw;
    u->no_headers = !names && (u->n_mates == 1 || u->any_names);
    return status == IO_OK ? open_lane(u, err) : status;
}

size_t classify_units_record(const classify_units *u, size_t mate, size_t i, size_t *file)
{
    *file = u->n_files == 2 ? mate : 0;
    return u->mates[mate].first + i * u->mates[mate].step;
}

static int is_mate_number(char c) { return c == '1' || c == '2'; }

static int has_number(const char *name, size_t n, char mark) { return n >= 2 && name[n - 2] == mark && is_mate_number(name[n - 1]); }

/* Size of a name of n bytes without the number of a mate: /1 or /2, or with this lane's separator, such as .1 or .2. */
static size_t bare_size(const classify_units *u, const char *name, size_t n)
{
    return u->n_mates == 2 && (has_number(name, n, '/') || has_number(name, n, u->mark)) ? n - 2 : n;
}

/*
 * Tests whether the names of two mates agree: they are the same except for /1 and /2; or one ends in 1 and the other in 2 after '.', '_' or
 * ':', as in all earlier pairs of the lane. Otherwise such an end may be a read's number, in which two reads differ that are not mates.
 */
static int agree(classify_units *u, const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t bare_a = has_number(a, n_a, '/') ? n_a - 2 : n_a, bare_b = has_number(b, n_b, '/') ? n_b - 2 : n_b;
    char mark = n_a >= 2 ? a[n_a - 2] : '\0';

    if (bare_a == bare_b && memcmp(a, b, bare_a) == 0) {
        u->mark = u->mark == '\0' ? '/' : u->mark;
        return 1;
    }
    if ((mark != '.' && mark != '_' && mark != ':') || (u->mark != '\0' && u->mark != mark) || !has_number(a, n_a, mark) ||
        !has_number(b, n_b, mark) || n_a != n_b || a[n_a - 1] == b[n_b - 1] || memcmp(a, b, n_a - 1) != 0)
        return 0;
    u->mark = mark;
    return 1;
}

const char *classify_units_name(const classify_units *u, size_t i, size_t *size)
{
    const char *name = (const char *)u->name.bytes;
    size_t file, record, n = u->name.n;

    if (!u->in_parts) {
        const tms_seqs *seqs;
        record = classify_units_record(u, 0, i, &file);
        seqs = &u->batches[file].seqs;
        name = seqs->headers + seqs->header_starts[record];
        n = seqs->name_sizes[record];
    }
    *size = bare_size(u, name, n);
    return name;
}

/* The name of a mate, for a message. */
typedef struct mate_name {
    size_t file;
    uint64_t record;
    const char *name;
    size_t size;
} mate_name;

static io_status fail_names(const classify_units *u, const mate_name mates[2], io_error *err)
{
    return io_fail(
        err, IO_E_INPUT, 0,
        "%s: record %llu is '%.*s', but its mate, record %llu of %s, is '%.*s': their names must agree; --no-name-check does not compare them",
        io_stream_name(path_of(u, mates[0].file)), (unsigned long long)mates[0].record + 1,
        (int)(mates[0].size < 200 ? mates[0].size : 200), mates[0].name, (unsigned long long)mates[1].record + 1,
        io_stream_name(path_of(u, mates[1].file)), (int)(mates[1].size < 200 ? mates[1].size : 200), mates[1].name);
}

static io_status check_names(classify_units *u, io_error *err)
{
    for (size_t i = 0; i < u->n_units; i++) {
        mate_name mates[2];
        for (size_t m = 0; m < 2; m++) {
            size_t file, record = classify_units_record(u, m, i, &file);
            const tms_seqs *seqs = &u->batches[file].seqs;
            mates[m] = (mate_name){file, seqs->first_record + record, seqs->headers + seqs->header_starts[record],
                                   seqs->name_sizes[record]};
        }
        if (!agree(u, mates[0].name, mates[0].size, mates[1].name, mates[1].size))
            return fail_names(u, mates, err);
    }
    return IO_OK;
}

/* One of two files has ended: fails unless the other has ended, too. */
static io_status check_ends(const classify_units *u, const io_status ends[2], io_error *err)
{
    size_t ended = ends[0] == IO_END ? 0 : 1;
    seqio_records_totals totals;

    if (ends[0] == IO_END && ends[1] == IO_END)
        return IO_END;
    seqio_records_get_totals(u->files[ended], &totals);
    return io_fail(err, IO_E_INPUT, 0, "%s: ends after %llu records, but %s has more: each read needs its mate",
                   io_stream_name(path_of(u, ended)), (unsigned long long)totals.n_records, io_stream_name(path_of(u, 1 - ended)));
}

/* ---- a unit in parts -------------------------------------------------------------------------------------------- */

static io_status begin_record(classify_units *u, size_t file, io_error *err)
{
    const tms_seqs *seqs = &u->batches[file].seqs;
    const size_t item = u->used[file], n = seqs->name_sizes[item];
    const char *name = seqs->headers + seqs->header_starts[item];
    const mate_name mates[2] = {{0, u->record, (const char *)u->name.bytes, u->name.n}, {file, seqs->first_record + item, name, n}};

    if (u->part.mate == 0) {
        u->name.n = 0;
        u->record = seqs->first_record + item;
        return byte_array_add(&u->name, name, n) ? IO_OK : io_fail_memory(err, "the name of a read");
    }
    return u->any_names || agree(u, mates[0].name, mates[0].size, name, n) ? IO_OK : fail_names(u, mates, err);
}

/* Reads a file's next batch. */
static io_status fetch(classify_units *u, size_t file, io_error *err)
{
    io_status status = seqio_records_next(u->files[file], &u->batches[file], err);
    int kind = u->batches[file].is_fastq ? KIND_FASTQ : KIND_FASTA;

    u->used[file] = 0;
    if (status != IO_OK)
        return status;
    u->n_read[file] = u->batches[file].n_read;
    if (u->kinds[file] != 0 && u->kinds[file] != kind)
        return io_fail(err, IO_E_INPUT, 0, "%s: is %s, and the files before it are %s: all lanes of a run must have the same format",
                       io_stream_name(path_of(u, file)), kind == KIND_FASTQ ? "FASTQ" : "FASTA", kind == KIND_FASTQ ? "FASTA" : "FASTQ");
    u->kinds[file] = kind;
    return IO_OK;
}

/* Takes the next part of the open unit; `part` is all zero before the first. */
static io_status next_part(classify_units *u, io_error *err)
{
    classify_part *part = &u->part;
    const size_t mate = part->mate + (size_t)part->ends_mate, file = u->n_files == 2 ? mate : 0;
    const seqio_records_batch *batch = &u->batches[file];
    const int is_first = part->bases == NULL || part->ends_mate;
    io_status status = IO_OK;
    size_t item;

    if (u->used[file] == batch->seqs.n_records)
        status = fetch(u, file, err);
    if (status == IO_END)
        return io_fail(err, IO_E_INPUT, 0, "%s: the last read, record %llu, has no mate", io_stream_name(path_of(u, 0)),
                       (unsigned long long)u->record + 1);
    if (status != IO_OK)
        return status;
    item = u->used[file];
    *part = (classify_part){.mate = mate,
                            .bases = batch->seqs.residues + batch->seqs.residue_starts[item],
                            .n_bases = (size_t)tms_seqs_length(&batch->seqs, item)};
    if (batch->raw != NULL) {
        part->raw = batch->raw + batch->raw_starts[item];
        part->n_raw = (size_t)(batch->raw_starts[item + 1] - batch->raw_starts[item]);
    }
    part->ends_mate = !batch->is_cut || item + 1 < batch->seqs.n_records;
    part->ends_unit = part->ends_mate && mate + 1 == u->n_mates;
    u->n_units = (size_t)part->ends_unit;
    if (is_first)
        status = begin_record(u, file, err);
    u->used[file]++;
    return status;
}

/* ---- whole units ------------------------------------------------------------------------------------------------ */

/* Number of remaining records of a batch, without one that continues in the next batch. */
static size_t n_whole(const classify_units *u, size_t file)
{
    const seqio_records_batch *batch = &u->batches[file];

    return batch->seqs.n_records - u->used[file] - (size_t)batch->is_cut;
}

static io_status next_batches_of_lane(classify_units *u, io_error *err)
{
    io_status ends[2] = {IO_OK, IO_OK};

    for (size_t f = 0; f < u->n_files; f++) {
        if (u->used[f] == u->batches[f].seqs.n_records)
            ends[f] = fetch(u, f, err);
        if (ends[f] != IO_OK && ends[f] != IO_END)
            return ends[f];
    }
    if (u->n_files == 2 && (ends[0] == IO_END || ends[1] == IO_END))
        return check_ends(u, ends, err);
    return ends[0];
}

static void close_lane(classify_units *u)
{
    for (size_t f = 0; f < 2; f++) {
        seqio_records_close(u->files[f]);
        u->files[f] = NULL;
        u->n_before += u->n_read[f];
        u->n_read[f] = 0;
    }
    u->mark = '\0';
}

static io_status next_batches(classify_units *u, io_error *err)
{
    io_status status = next_batches_of_lane(u, err);

    while (status == IO_END && u->lane + 1 < u->n_lanes) {
        close_lane(u);
        u->lane++;
        status = open_lane(u, err);
        if (status == IO_OK)
            status = next_batches_of_lane(u, err);
    }
    return status;
}

static io_status next_units(classify_units *u, io_error *err)
{
    const size_t step = u->n_mates / u->n_files;
    io_status status;

    u->n_units = 0;
    if (u->in_parts && !u->part.ends_unit)
        return next_part(u, err);
    u->in_parts = 0;
    status = next_batches(u, err);
    if (status != IO_OK)
        return status;
    u->n_units = n_whole(u, 0) / step;
    if (u->n_files == 2 && n_whole(u, 1) < u->n_units)
        u->n_units = n_whole(u, 1);
    if (u->n_units == 0) {
        u->in_parts = 1;
        u->part = (classify_part){.mate = 0};
        return next_part(u, err);
    }
    for (size_t m = 0; m < u->n_mates; m++) {
        size_t file = u->n_files == 2 ? m : 0;
        u->mates[m] = (tms_reads){&u->batches[file].seqs, u->used[file] + (u->n_files == 2 ? 0 : m), step};
    }
    for (size_t f = 0; f < u->n_files; f++)
        u->used[f] += u->n_units * step;
    return u->n_mates == 2 && !u->any_names ? check_names(u, err) : IO_OK;
}

/* Leaves only the units of the range among the current ones, of which there are some. Returns whether any is left. */
static int keep_range(classify_units *u)
{
    const uint64_t first = u->n_passed, end = first + u->n_units;
    const uint64_t from = first > u->range.start ? first : u->range.start, to = end < u->range.end ? end : u->range.end;

    u->n_passed = end;
    if (from >= to)
        return 0;
    for (size_t m = 0; m < u->n_mates; m++)
        u->mates[m].first += (size_t)(from - first) * u->mates[m].step;
    u->n_units = (size_t)(to - from);
    return 1;
}

/* The first units are read even if the range is empty: they tell the input's format. */
io_status classify_units_next(classify_units *u, io_error *err)
{
    int is_own = 0;

    while (!is_own) {
        io_status status;
        if (u->n_passed > 0 && u->n_passed >= u->range.end)
            return IO_END;
        status = next_units(u, err);
        if (status != IO_OK)
            return status;
        if (!u->in_parts)
            is_own = keep_range(u);
        else {
            is_own = u->n_passed >= u->range.start && u->n_passed < u->range.end;
            u->n_passed += u->n_units;
        }
    }
    return IO_OK;
}

io_status classify_units_count(const classify_units *units, uint64_t *n, io_error *err)
{
    classify_units u = {.paths = units->paths,
                        .n_lanes = units->n_lanes,
                        .n_files = units->n_files,
                        .n_mates = units->n_mates,
                        .any_names = 1,
                        .range = {0, UINT64_MAX}};
    io_status status = classify_units_open(&u, 0, 0, err);

    while (status == IO_OK)
        status = classify_units_next(&u, err);
    *n = u.n_passed;
    classify_units_close(&u);
    return status == IO_END ? IO_OK : status;
}

uint64_t classify_units_offset(const classify_units *u) { return u->n_before + u->n_read[0] + u->n_read[1]; }

void classify_units_close(classify_units *u)
{
    close_lane(u);
    free(u->name.bytes);
}
