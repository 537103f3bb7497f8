/*
 * seqio_blast_records.c - a sink that fills batches. io_reader.c has the thread, and seqio_sequences.c reads the files.
 */
#include "seqio/seqio_blast_records.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/io_reader.h"
#include "seq/seq_batch.h"
#include "seqio/seqio_sequences.h"
#include "tamis/alphabet.h"

enum { LOWER_CASE = 32 }; /* a bit above all codes */

/* A batch and its additional data. */
struct slot {
    struct seq_batch batch;
    seqio_blast_whole *wholes;
    size_t capacity;
    uint64_t offset; /* file bytes used up to the end of the batch */
};

struct seqio_blast_records {
    io_reader reader;
    seqio_sequences *source;
    seqio_blast_encoder characters;
    uint8_t character_of[64]; /* the character of each code, and of each code in lower case */
    char file[512];           /* prefix of messages */
    size_t batch_bytes, unit_residues;
    uint64_t unit_records; /* the caller has set the number of a unit's records; 0: unit_residues ends it */
    tms_interval part;
    int refuses_short;
    bool (*is_unnamed)(const char *header, size_t n);
    bool this_is_unnamed;
    uint64_t n_unnamed; /* unnamed records that were left out */
    struct {
        uint64_t n_residues; /* residues of the whole records that were kept */
        uint64_t n_kept;     /* residues in the requested parts of these records */
        size_t first;        /* number in the batch of the unit's first record */
    } unit;                  /* the current unit so far */
    bool lacks_residues;
    uint64_t n_residues; /* residues of the current record so far */
    uint64_t n_read;     /* records read, including those that were left out */
    uint64_t n_records;  /* records of the previous batches */
    io_status ended;     /* what the next call returns, with `failure`; IO_OK if reading has not ended */
    io_error failure;
    struct byte_array line; /* kept codes of a line */
    struct slot slots[IO_READER_SLOTS];
};

/* ---- the sink */

static struct slot *current(seqio_blast_records *r) { return &r->slots[r->reader.current]; }

static io_status no_memory(io_error *err) { return io_fail_memory(err, "a batch of records"); }

static io_status begin_file(void *arg, const char *file, int is_fastq, io_error *err)
{
    seqio_blast_records *r = arg;

    (void)is_fastq;
    (void)err;
    snprintf(r->file, sizeof r->file, "%.500s: ", file);
    return IO_OK;
}

/* At the end of a unit without residues to search with: removes its records and ends reading. An input without a byte has no unit. */
static bool ends_without_residues(seqio_blast_records *r)
{
    struct seq_batch *b = &current(r)->batch;

    if ((r->unit_residues == 0 && r->unit_records == 0) || r->unit.n_kept > 0 || seqio_sequences_offset(r->source) == 0)
        return false;
    b->n_records = r->unit.first;
    seq_batch_drop(b);
    r->lacks_residues = true;
    return true;
}

static bool unit_is_full(seqio_blast_records *r)
{
    return r->unit_records > 0 ? current(r)->batch.n_records - r->unit.first >= r->unit_records : r->unit.n_residues >= r->unit_residues;
}

static io_status begin_record(void *arg, const char *header, size_t n, const seqio_position *position, io_error *err)
{
    seqio_blast_records *r = arg;
    struct seq_batch *b = &current(r)->batch;

    (void)position;
    if (unit_is_full(r)) {
        if (ends_without_residues(r))
            return IO_END;
        if (b->n_records > 0 && b->n_residues >= r->batch_bytes)
            return IO_SINK_FULL;
        memset(&r->unit, 0, sizeof r->unit);
        r->unit.first = b->n_records;
    }
    r->n_residues = 0;
    r->this_is_unnamed = r->is_unnamed != NULL && r->is_unnamed(header, n);
    seqio_blast_encoder_begin(&r->characters);
    return seq_batch_begin(b, header, n) ? IO_OK : no_memory(err);
}

/* Of the record's next n residues: how many are in the requested part, and the first of these. */
static size_t part_of(const seqio_blast_records *r, size_t n, size_t *first)
{
    const uint64_t at = r->n_residues, start = r->part.start > at ? r->part.start - at : 0;
    const uint64_t end = r->part.end > at ? r->part.end - at : 0;

    *first = start < n ? (size_t)start : n;
    return end < n ? (end > start ? (size_t)(end - start) : 0) : n - *first;
}

static io_status on_residues(void *arg, const uint8_t *characters, size_t n, const seqio_position *position, size_t *n_taken, io_error *err)
{
    seqio_blast_records *r = arg;
    uint8_t *line;
    size_t n_codes, n_kept, first;
    io_status status;

    r->line.n = 0;
    line = byte_array_room(&r->line, n);
    if (!line)
        return no_memory(err);
    status = seqio_blast_encoder_take(&r->characters, characters, n, position, line, &n_codes, err);
    if (status != IO_OK)
        return status;
    for (size_t i = 0; i < n_codes; i++)
        line[i] = r->character_of[line[i]];
    *n_taken = n;
    n_kept = part_of(r, n_codes, &first);
    r->n_residues += n_codes;
    r->unit.n_kept += n_kept;
    return seq_batch_residues(&current(r)->batch, line + first, n_kept) ? IO_OK : no_memory(err);
}

static io_status leave_out(seqio_blast_records *r, uint64_t number, io_error *err)
{
    if (r->refuses_short)
        return io_fail(err, IO_E_INPUT, 0, "%srecord %llu has %llu residues or bases, but the requested range begins at %llu", r->file,
                       (unsigned long long)number + 1, (unsigned long long)r->n_residues, (unsigned long long)r->part.start + 1);
    r->n_unnamed += r->this_is_unnamed;
    seq_batch_drop(&current(r)->batch);
    return IO_OK;
}

static io_status end_record(void *arg, io_error *err)
{
    seqio_blast_records *r = arg;
    struct slot *slot = current(r);
    const uint64_t number = r->n_read++;
    io_status status = seqio_blast_encoder_end(&r->characters, err);

    if (status != IO_OK)
        return status;
    if (r->n_residues < r->part.start)
        return leave_out(r, number, err);
    if (!array_reserve(&slot->wholes, &slot->capacity, slot->batch.n_records + 1, sizeof *slot->wholes))
        return no_memory(err);
    slot->wholes[slot->batch.n_records] = (seqio_blast_whole){number, r->n_residues, r->n_unnamed};
    r->unit.n_residues += r->n_residues;
    return seq_batch_end(&slot->batch) ? IO_OK : no_memory(err);
}

/* ---- the reader's side */

/* Called as io_reader_fill. The records before a fault are a batch of their own. */
static io_status fill_batch(void *arg, io_error *err)
{
    seqio_blast_records *r = arg;
    struct seq_batch *b = &current(r)->batch;
    io_status status;

    if (!seq_batch_clear(b, r->n_records, false))
        return no_memory(err);
    if (r->ended == IO_OK) {
        memset(&r->unit, 0, sizeof r->unit);
        status = seqio_sequences_read(r->source, &r->failure);
        r->ended = status == IO_SINK_FULL ? IO_OK : status;
        if (r->ended == IO_END && !r->lacks_residues)
            (void)ends_without_residues(r);
        current(r)->offset = seqio_sequences_offset(r->source);
    }
    r->n_records += b->n_records;
    if (r->ended == IO_OK || b->n_records > 0)
        return io_reader_is_stopped(&r->reader) ? IO_END : IO_OK;
    *err = r->failure;
    return io_reader_is_stopped(&r->reader) ? IO_END : r->ended; /* a file that the reader stopped reading looks truncated */
}

static void set_characters(seqio_blast_records *r, tms_molecule molecule, int is_search)
{
    tms_alphabet alphabet = molecule == TMS_PROTEIN ? TMS_ALPHABET_NCBISTDAA : TMS_ALPHABET_NCBI4NA;
    const char *characters = tms_alphabet_letters(alphabet);
    uint8_t instead = molecule == TMS_PROTEIN ? 'X' : 'N';

    for (size_t code = 0; code < tms_alphabet_size(alphabet); code++)
        r->character_of[code] = characters[code] >= 'A' && characters[code] <= 'Z' ? (uint8_t)characters[code] : instead;
    if (!is_search)
        return;
    r->characters.keep_hyphens = 0;
    for (size_t code = 0; code < tms_alphabet_size(alphabet); code++) {
        uint8_t character = (uint8_t)characters[code], lower = (uint8_t)tolower(character);
        if (character == '*')
            r->character_of[code] = character;
        if (lower != character && r->characters.codes[lower] == code) {
            r->characters.codes[lower] = (uint8_t)(code | LOWER_CASE);
            r->character_of[code | LOWER_CASE] = lower;
        }
    }
}

/* ---- the caller's side */

static io_status open_source(seqio_blast_records *r, const seqio_blast_records_options *options, io_error *err)
{
    seqio_sequences_options how = {
        .paths = options->paths,
        .n_paths = options->n_paths,
        .sink = {.arg = r, .by_line = 1, .begin_file = begin_file, .begin = begin_record, .residues = on_residues, .end = end_record},
        .cancel_fd = r->reader.cancel_fd,
        .may_be_empty = options->may_be_empty,
        .may_lack_header = options->may_lack_header};

    if (r->reader.by_caller && !options->sets_units)
        how.buffer_bytes = IO_READER_SMALL_BYTES;
    return seqio_sequences_create(&how, &r->source, err);
}

io_status seqio_blast_records_open(const seqio_blast_records_options *options, seqio_blast_records **out, io_error *err)
{
    io_status status = io_reader_check_paths(options->paths, options->n_paths, err);
    seqio_blast_records *r;

    *out = NULL;
    if (status != IO_OK)
        return status;
    r = calloc(1, sizeof *r);
    if (r == NULL)
        return no_memory(err);
    r->batch_bytes = options->batch_bytes;
    r->unit_residues = options->unit_residues;
    r->part = (tms_interval){options->part.start, options->part.end > 0 ? options->part.end : UINT64_MAX};
    r->refuses_short = options->refuses_short;
    r->is_unnamed = options->is_unnamed;
    seqio_blast_encoder_init(&r->characters, options->molecule, options->warn, options->warn_arg);
    r->characters.begin_of = r->file;
    set_characters(r, options->molecule, options->is_search);
    status = io_reader_init(&r->reader, options->paths, options->n_paths, IO_READER_SLOTS, err);
    r->reader.by_caller |= options->sets_units;
    if (status == IO_OK)
        status = open_source(r, options, err);
    if (status == IO_OK)
        status = io_reader_start(&r->reader, fill_batch, r, err);
    if (status != IO_OK) {
        seqio_blast_records_close(r);
        return status;
    }
    *out = r;
    return IO_OK;
}

io_status seqio_blast_records_next(seqio_blast_records *r, tms_seqs *batch, io_error *err)
{
    io_status status = io_reader_next(&r->reader, err);

    memset(batch, 0, sizeof *batch);
    if (status == IO_OK)
        seq_batch_view(&r->slots[r->reader.in_use].batch, batch);
    return status;
}

void seqio_blast_records_set_unit(seqio_blast_records *r, size_t unit_residues)
{
    r->unit_residues = unit_residues;
    r->unit_records = 0;
}

void seqio_blast_records_set_unit_records(seqio_blast_records *r, uint64_t n) { r->unit_records = n; }

const seqio_blast_whole *seqio_blast_records_wholes(const seqio_blast_records *r)
{
    return r->reader.in_use < 0 ? NULL : r->slots[r->reader.in_use].wholes;
}

bool seqio_blast_records_lacks_residues(const seqio_blast_records *r) { return r->lacks_residues; }

uint64_t seqio_blast_records_offset(const seqio_blast_records *r) { return r->reader.in_use < 0 ? 0 : r->slots[r->reader.in_use].offset; }

void seqio_blast_records_close(seqio_blast_records *r)
{
    if (r == NULL)
        return;
    io_reader_close(&r->reader);
    seqio_sequences_free(r->source);
    seqio_blast_encoder_free(&r->characters);
    for (int i = 0; i < IO_READER_SLOTS; i++) {
        seq_batch_free(&r->slots[i].batch);
        free(r->slots[i].wholes);
    }
    free(r->line.bytes);
    free(r);
}
