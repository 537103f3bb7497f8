#include "classify_units.h"

#include <string.h>

#include "io/io_reader.h"
#include "io/io_stream.h"

/* So that many threads have work with each batch, and that all batches of two files with a command's other memory stay small. */
enum { BATCH_RECORDS = 16384, BATCH_BYTES = 4 << 20 };

io_status classify_units_open(classify_units *u, int raw, int names, io_error *err)
{
    io_status status = io_reader_check_paths(u->paths, u->n_files, err);

    for (size_t f = 0; f < u->n_files && status == IO_OK; f++) {
        io_records_options how = {.paths = &u->paths[f],
                                  .n_paths = 1,
                                  .batch_bytes = BATCH_BYTES,
                                  .batch_records = BATCH_RECORDS,
                                  .together = u->n_mates / u->n_files,
                                  .no_qualities = 1,
                                  .no_headers = !names && u->n_mates == 1,
                                  .raw = raw,
                                  .may_be_empty = 1};
        status = io_records_open(&how, &u->files[f], err);
    }
    return status;
}

size_t classify_units_record(const classify_units *u, size_t mate, size_t i, size_t *file)
{
    *file = u->n_files == 2 ? mate : 0;
    return u->mates[mate].first + i * u->mates[mate].step;
}

/* The name of a record, without /1 or /2 if it is a mate's. */
static const char *record_name(const classify_units *u, const tms_seqs *seqs, size_t record, size_t *size)
{
    const char *name = seqs->headers + seqs->header_starts[record];
    size_t n = seqs->name_sizes[record];

    if (u->n_mates == 2 && n >= 2 && name[n - 2] == '/' && (name[n - 1] == '1' || name[n - 1] == '2'))
        n -= 2;
    *size = n;
    return name;
}

const char *classify_units_name(const classify_units *u, size_t i, size_t *size)
{
    size_t file, record = classify_units_record(u, 0, i, &file);

    return record_name(u, &u->batches[file].seqs, record, size);
}

static io_status check_names(const classify_units *u, io_error *err)
{
    for (size_t i = 0; i < u->n_units; i++) {
        size_t files[2], records[2], sizes[2];
        const char *names[2];
        for (size_t m = 0; m < 2; m++) {
            records[m] = classify_units_record(u, m, i, &files[m]);
            names[m] = record_name(u, &u->batches[files[m]].seqs, records[m], &sizes[m]);
        }
        if (sizes[0] == sizes[1] && memcmp(names[0], names[1], sizes[0]) == 0)
            continue;
        for (size_t m = 0; m < 2; m++) {
            const tms_seqs *seqs = &u->batches[files[m]].seqs;
            sizes[m] = seqs->name_sizes[records[m]];
            records[m] += (size_t)seqs->first_record + 1;
        }
        return io_fail(err, IO_E_INPUT, 0, "%s: record %zu is '%.*s', but its mate, record %zu of %s, is '%.*s': their names have to agree",
                       io_stream_name(u->paths[files[0]]), records[0], (int)(sizes[0] < 200 ? sizes[0] : 200), names[0], records[1],
                       io_stream_name(u->paths[files[1]]), (int)(sizes[1] < 200 ? sizes[1] : 200), names[1]);
    }
    return IO_OK;
}

/* One of two files has ended: so has the other. */
static io_status check_ends(const classify_units *u, const io_status ends[2], io_error *err)
{
    size_t ended = ends[0] == IO_END ? 0 : 1;
    io_records_totals totals;

    if (ends[0] == IO_END && ends[1] == IO_END)
        return IO_END;
    io_records_get_totals(u->files[ended], &totals);
    return io_fail(err, IO_E_INPUT, 0, "%s: ends after %llu records, but %s has more: each read needs its mate",
                   io_stream_name(u->paths[ended]), (unsigned long long)totals.n_records, io_stream_name(u->paths[1 - ended]));
}

static io_status next_of_two(classify_units *u, io_error *err)
{
    io_status ends[2] = {IO_OK, IO_OK};
    size_t n[2];

    for (size_t f = 0; f < 2; f++) {
        if (u->used[f] == u->batches[f].seqs.n_records) {
            ends[f] = io_records_next(u->files[f], &u->batches[f], err);
            u->used[f] = 0;
        }
        if (ends[f] != IO_OK && ends[f] != IO_END)
            return ends[f];
    }
    if (ends[0] == IO_END || ends[1] == IO_END)
        return check_ends(u, ends, err);
    for (size_t f = 0; f < 2; f++) {
        n[f] = u->batches[f].seqs.n_records - u->used[f];
        u->mates[f] = (tms_reads){&u->batches[f].seqs, u->used[f], 1};
    }
    u->n_units = n[0] < n[1] ? n[0] : n[1];
    u->used[0] += u->n_units;
    u->used[1] += u->n_units;
    return check_names(u, err);
}

/* Of a file that ends with a fault or with a read without a mate, the pairs before are given first. */
static io_status next_of_one(classify_units *u, io_error *err)
{
    tms_seqs *seqs = &u->batches[0].seqs;
    size_t n = seqs->n_records;
    int is_odd = n % u->n_mates != 0;
    uint64_t last = seqs->first_record + n;
    io_status status = io_records_next(u->files[0], &u->batches[0], err);

    if (status == IO_END && is_odd)
        return io_fail(err, IO_E_INPUT, 0, "%s: the last read, record %llu, has no mate", io_stream_name(u->paths[0]),
                       (unsigned long long)last);
    if (status != IO_OK)
        return status;
    for (size_t m = 0; m < u->n_mates; m++)
        u->mates[m] = (tms_reads){seqs, m, u->n_mates};
    u->n_units = seqs->n_records / u->n_mates;
    if (u->n_units == 0)
        return next_of_one(u, err); /* which finds out why a mate is missing */
    return u->n_mates == 2 ? check_names(u, err) : IO_OK;
}

io_status classify_units_next(classify_units *u, io_error *err)
{
    io_status status;

    u->n_before += u->n_units;
    u->n_units = 0;
    status = u->n_files == 2 ? next_of_two(u, err) : next_of_one(u, err);
    if (status != IO_OK)
        u->n_units = 0;
    return status;
}

uint64_t classify_units_offset(const classify_units *u) { return u->batches[0].n_read + u->batches[1].n_read; }

void classify_units_close(classify_units *u)
{
    io_records_close(u->files[0]);
    io_records_close(u->files[1]);
}
