/*
 * seqio_records.c - a sink that fills batches, and the reader's thread around it (io_reader.h).
 *
 * A record that turns out to be too long for the rest of its batch moves to the next one, from its header on. So only a batch of one
 * record is longer than batch_bytes. A record that is too long for any batch is cut if the caller accepts parts: the part is an item of
 * its batch, and the next batch begins with an item that continues the record.
 */
#include "seqio/seqio_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_array.h"
#include "io/io_reader.h"
#include "seq/seq_batch.h"
#include "seqio/seqio_sequences.h"

typedef struct slot {
    struct seq_batch batch;
    uint64_t n_read;
    int is_fastq;
    io_compression compression;
    int goes_on, is_cut;   /* goes_on: the first item continues a record; is_cut: the last item's record continues in the next batch */
    struct byte_array raw; /* raw bytes, including the open record's so far */
    uint64_t *raw_starts;
    size_t raw_starts_capacity;
} slot;

struct seqio_records {
    seqio_records_options options;
    seqio_records_totals totals;

    /* Used by the reader only. */
    io_reader reader;
    seqio_sequences *source;
    slot slots[IO_READER_SLOTS];
    slot *slot, *last;       /* the current slot, and the previous one, if its open record moves to the current one; else NULL */
    struct seq_batch *batch; /* the current slot's batch */
    int is_fastq;
    size_t n_in_group; /* complete records in the current group of `together` */
    uint8_t last_raw;  /* with raw: the last byte stored */
    io_status end;     /* how reading ended, while earlier records wait for the caller */
    io_error end_error;
};

/* --- the sink --- */

/* Returns 1 if a batch may end before the current record. */
static int may_end(const seqio_records *r) { return r->batch->n_records > 0 && r->n_in_group == 0; }

/* Returns 1 if the batch would have more than `most` bytes with `more` added. */
static int are_more(const seqio_records *r, size_t more, size_t most)
{
    size_t bytes = seq_batch_bytes(r->batch) + r->slot->raw.n;

    return bytes >= most || more > most - bytes;
}

static int is_full(const seqio_records *r, size_t more) { return may_end(r) && are_more(r, more, r->options.batch_bytes); }

/* Returns 1 if the open record, of which the batch has a part, should continue in the next batch. */
static int is_to_cut(const seqio_records *r, size_t more)
{
    const struct seq_batch *b = r->batch;

    return r->options.part_bytes > 0 && are_more(r, more, r->options.part_bytes) &&
           (b->n_residues > b->residue_starts[b->n_records] || (r->options.raw && r->slot->raw.n > r->slot->raw_starts[b->n_records]));
}

static io_status on_begin_file(void *arg, const char *file, int is_fastq, io_error *err)
{
    seqio_records *r = arg;

    (void)file;
    if (r->batch->n_records > 0 && is_fastq != r->is_fastq)
        return IO_SINK_FULL;
    r->is_fastq = is_fastq;
    r->slot->is_fastq = is_fastq;
    if (r->batch->n_records == 0 && !seq_batch_clear(r->batch, r->batch->first_record, is_fastq && !r->options.no_qualities))
        return io_fail_memory(err, "sequences");
    return IO_OK;
}

static io_status on_begin(void *arg, const char *header, size_t n, const seqio_position *position, io_error *err)
{
    seqio_records *r = arg;

    if (is_full(r, n) || (may_end(r) && r->options.batch_records > 0 && r->batch->n_records >= r->options.batch_records))
        return IO_SINK_FULL;
    if (n > 0 && memchr(header, '\0', n) != NULL)
        return io_fail(err, IO_E_INPUT, 0, "%s:%llu: byte 0x00 in a header", position->file, (unsigned long long)position->line);
    return seq_batch_begin(r->batch, header, r->options.no_headers ? 0 : n) ? IO_OK : io_fail_memory(err, "sequences");
}

/* Ends a record, or a part of one, in the batch. */
static io_status end_item(seqio_records *r, io_error *err)
{
    slot *s = r->slot;

    if (!seq_batch_end(r->batch))
        return io_fail_memory(err, "sequences");
    if (!r->options.raw)
        return IO_OK;
    if (!array_reserve(&s->raw_starts, &s->raw_starts_capacity, s->batch.n_records + 1, sizeof *s->raw_starts))
        return io_fail_memory(err, "sequences");
    s->raw_starts[s->batch.n_records] = s->raw.n;
    return IO_OK;
}

static io_status cut(seqio_records *r, io_error *err)
{
    io_status status = end_item(r, err);

    r->slot->is_cut = 1;
    return status == IO_OK ? IO_SINK_FULL : status;
}

static io_status on_residues(void *arg, const uint8_t *residues, size_t n, const seqio_position *position, size_t *n_taken, io_error *err)
{
    seqio_records *r = arg;

    (void)position;
    if (is_full(r, r->is_fastq ? 2 * n : n)) /* quality, or the raw bytes, take about as much again */
        return IO_SINK_FULL;
    if (is_to_cut(r, n))
        return cut(r, err);
    if (!seq_batch_residues(r->batch, residues, n))
        return io_fail_memory(err, "sequences");
    *n_taken = n;
    return IO_OK;
}

static io_status on_quality(void *arg, const uint8_t *quality, size_t n, size_t *n_taken, io_error *err)
{
    seqio_records *r = arg;

    if (!seq_batch_quality(r->batch, quality, n))
        return io_fail_memory(err, "sequences");
    *n_taken = n;
    return IO_OK;
}

static io_status on_end(void *arg, io_error *err)
{
    seqio_records *r = arg;

    r->n_in_group = r->options.together > 1 ? (r->n_in_group + 1) % r->options.together : 0;
    return end_item(r, err);
}

static io_status on_raw(void *arg, const uint8_t *bytes, size_t n, io_error *err)
{
    seqio_records *r = arg;

    if (!byte_array_add(&r->slot->raw, bytes, n))
        return io_fail_memory(err, "sequences");
    r->last_raw = bytes[n - 1];
    return is_to_cut(r, 0) ? cut(r, err) : IO_OK;
}

/*
 * Ends the raw bytes with a line feed, so that later output begins on a line of its own: a CR alone, left of a CR LF that was cut, does
 * not end a line for most programs.
 */
static io_status on_end_file(void *arg, io_error *err)
{
    seqio_records *r = arg;
    slot *s = r->slot;

    if (!r->options.raw || r->last_raw == '\n')
        return IO_OK;
    if (!byte_array_add(&s->raw, "\n", 1))
        return io_fail_memory(err, "sequences");
    s->raw_starts[s->batch.n_records]++;
    return IO_OK;
}

/* --- the reader's side --- */

/* As seq_batch_clear() and seq_batch_go_on(), for raw bytes. */
static io_status begin_raw(slot *s, const slot *last, io_error *err)
{
    if (last != NULL && last->batch.in_record) {
        uint64_t start = last->raw_starts[last->batch.n_records];
        if (!byte_array_add(&s->raw, last->raw.bytes + start, last->raw.n - (size_t)start))
            return io_fail_memory(err, "sequences");
    }
    if (!array_reserve(&s->raw_starts, &s->raw_starts_capacity, 1, sizeof *s->raw_starts) || byte_array_room(&s->raw, 0) == NULL)
        return io_fail_memory(err, "sequences");
    s->raw_starts[0] = 0;
    return IO_OK;
}

/* Begins a batch: empty, or with what has been read of a record that continues from the previous batch (nothing if the record was cut). */
static io_status begin_batch(seqio_records *r, io_error *err)
{
    slot *s = &r->slots[r->reader.current], *last = r->last;
    struct seq_batch *b = &s->batch;
    int goes_on = last != NULL && last->is_cut;
    uint64_t first = last != NULL ? last->batch.first_record + last->batch.n_records - (uint64_t)goes_on : 0;

    if (!seq_batch_clear(b, first, r->is_fastq && !r->options.no_qualities) || (last != NULL && !seq_batch_go_on(b, &last->batch)) ||
        (goes_on && !seq_batch_begin(b, "", 0)))
        return io_fail_memory(err, "sequences");
    s->goes_on = goes_on;
    s->is_cut = 0;
    s->raw.n = 0;
    s->is_fastq = r->is_fastq;
    r->slot = s;
    r->batch = b;
    return r->options.raw ? begin_raw(s, last, err) : IO_OK;
}

/* Called as io_reader_fill. */
static io_status fill_batch(void *arg, io_error *err)
{
    seqio_records *r = arg;
    io_status status;

    if (r->end != IO_OK) {
        *err = r->end_error;
        return r->end;
    }
    status = begin_batch(r, err);
    if (status == IO_OK)
        status = seqio_sequences_read(r->source, err);
    if (io_reader_is_stopped(&r->reader))
        return IO_END; /* a file that the reader stopped reading looks truncated */
    if (status != IO_SINK_FULL && (status == IO_E_MEMORY || r->batch->n_records == 0))
        return status;
    if (status != IO_SINK_FULL) { /* also holds for damaged input: the records before the damage are intact */
        r->end = status;
        r->end_error = *err;
    }
    r->slot->n_read = seqio_sequences_offset(r->source);
    r->slot->compression = seqio_sequences_compression(r->source);
    r->last = r->slot;
    return IO_OK;
}

/* --- the caller's side --- */

io_status seqio_records_open(const seqio_records_options *options, seqio_records **out, io_error *err)
{
    seqio_sequences_options how = {
        .paths = options->paths, .n_paths = options->n_paths, .buffer_bytes = options->buffer_bytes, .may_be_empty = options->may_be_empty};
    io_status status = io_reader_check_paths(options->paths, options->n_paths, err);
    seqio_records *r;

    *out = NULL;
    if (status != IO_OK)
        return status;
    r = calloc(1, sizeof *r);
    if (r == NULL)
        return io_fail_memory(err, "reading sequences");
    r->options = *options;
    status = io_reader_init(&r->reader, options->paths, options->n_paths, IO_READER_SLOTS, err);
    how.cancel_fd = r->reader.cancel_fd;
    if (r->reader.by_caller && how.buffer_bytes == 0)
        how.buffer_bytes = IO_READER_SMALL_BYTES;
    how.sink = (seqio_sequence_sink){.arg = r,
                                     .begin_file = on_begin_file,
                                     .begin = on_begin,
                                     .residues = on_residues,
                                     .quality = on_quality,
                                     .end = on_end,
                                     .end_file = on_end_file};
    if (options->no_qualities)
        how.sink.quality = NULL;
    if (options->raw)
        how.sink.raw = on_raw;
    if (status == IO_OK)
        status = seqio_sequences_create(&how, &r->source, err);
    if (status == IO_OK)
        status = io_reader_start(&r->reader, fill_batch, r, err);
    if (status != IO_OK) {
        seqio_records_close(r);
        return status;
    }
    *out = r;
    return IO_OK;
}

io_status seqio_records_next(seqio_records *r, seqio_records_batch *out, io_error *err)
{
    io_status status = io_reader_next(&r->reader, err);

    memset(out, 0, sizeof *out);
    if (status == IO_OK) {
        const slot *s = &r->slots[r->reader.in_use];
        seq_batch_view(&s->batch, &out->seqs);
        out->n_read = s->n_read;
        out->is_fastq = s->is_fastq;
        out->compression = s->compression;
        out->goes_on = s->goes_on;
        out->is_cut = s->is_cut;
        out->raw = r->options.raw ? s->raw.bytes : NULL;
        out->raw_starts = r->options.raw ? s->raw_starts : NULL;
        r->totals.n_records += s->batch.n_records - (size_t)s->is_cut;
        r->totals.n_residues += s->batch.residue_starts[s->batch.n_records] - s->batch.n_records;
    }
    return status;
}

void seqio_records_get_totals(const seqio_records *r, seqio_records_totals *out) { *out = r->totals; }

void seqio_records_close(seqio_records *r)
{
    if (r == NULL)
        return;
    io_reader_close(&r->reader);
    seqio_sequences_free(r->source);
    for (int i = 0; i < IO_READER_SLOTS; i++) {
        seq_batch_free(&r->slots[i].batch);
        free(r->slots[i].raw.bytes);
        free(r->slots[i].raw_starts);
    }
    free(r);
}
