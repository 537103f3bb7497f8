/*
 * seqio_dna_reader.c - fills chunks with sequences.
 *
 * A chunk's arrays grow while it is filled and are kept for reuse, so a large chunk_bases costs nothing in advance. A chunk closes when
 * one more base comes than it may have. If that base continues a record, the next chunk begins with the record's last bases.
 */
#include "seqio/seqio_dna_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "alphabet/dna_encode.h"
#include "base/array.h"
#include "seq/dna_core.h"
#include "tamis/seeds.h"

enum { FIRST_BASES = 64 << 10, SLAB_LEAST = 8 }; /* SLAB_LEAST: at least as many chunks fit in a slab */

#define SLAB_BYTES ((size_t)32 << 20)

_Static_assert(SEQIO_DNA_MAX_OVERLAP == TMS_SEEDS_MAX_WORD - 1, "a w-mer may lie in two chunks");
_Static_assert(SEQIO_DNA_MAX_OVERLAP < 32, "a tail is one word of codes");

/* --- chunks --- */

/*
 * Where many chunks may wait, those of full size lie together on huge pages: 256 page faults for a MiB of codes can cost as much as
 * reading the sequence. Returns memory that is freed with the slabs; NULL if there is none, and malloc() will do.
 */
static uint64_t *slab_alloc(dna_reader *r, size_t size_bytes)
{
    void *at;

    if (!r->many_wait || size_bytes > SLAB_BYTES / SLAB_LEAST)
        return NULL;
    if (r->n_slabs == 0 || SLAB_BYTES - r->slab_used < size_bytes) {
        at = mmap(NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED)
            return NULL;
        madvise(at, SLAB_BYTES, MADV_HUGEPAGE); /* only a hint */
        r->slabs[r->n_slabs++] = at;
        r->slab_used = 0;
    }
    at = (char *)r->slabs[r->n_slabs - 1] + r->slab_used;
    r->slab_used += (size_bytes + 63) / 64 * 64;
    return at;
}

static io_status reserve_bases(dna_reader *r, dna_chunk *c, size_t want, io_error *err)
{
    size_t n = array_capacity(c->room.bases_capacity, FIRST_BASES, want);
    size_t most = r->chunk_bases + r->overlap;
    uint64_t *codes;

    if (want <= c->room.bases_capacity)
        return IO_OK;
    if (n > most)
        n = most;
    if (c->room.codes == NULL && r->has_full) { /* another chunk has reached full size */
        codes = slab_alloc(r, TMS_DNA_WORDS(most) * sizeof *codes);
        c->in_slab = codes != NULL;
        n = c->in_slab ? most : n;
    } else {
        codes = NULL;
    }
    if (codes == NULL)
        codes = realloc(c->room.codes, TMS_DNA_WORDS(n) * sizeof *codes);
    if (codes == NULL)
        return io_fail_memory(err, "sequences");
    c->room.codes = codes;
    c->room.bases_capacity = n;
    r->has_full |= n == most;
    return IO_OK;
}

static io_status reserve_runs(dna_chunk *c, size_t want, io_error *err)
{
    if (!array_reserve(&c->room.runs, &c->room.runs_capacity, want, sizeof *c->room.runs))
        return io_fail_memory(err, "sequences");
    return IO_OK;
}

/* Appends a run of the chunk's bases, which must fit. */
static void put_run(tms_dna_room *room, uint32_t start, uint32_t n)
{
    tms_dna_run *last = room->runs + room->n_runs;

    if (room->n_runs > 0 && last[-1].start + last[-1].n_bases == start) {
        last[-1].n_bases += n;
        return;
    }
    last->start = start;
    last->n_bases = n;
    room->n_runs++;
}

static void take_tail(const dna_reader *r, const dna_chunk *c, dna_tail *t)
{
    size_t n_part, first, i = c->room.n_runs;

    memset(t, 0, sizeof *t);
    if (!r->in_part || r->overlap == 0)
        return;
    n_part = c->room.n_bases - c->parts[c->n_parts - 1].start;
    t->n = n_part < r->overlap ? (unsigned)n_part : r->overlap;
    first = c->room.n_bases - t->n;
    t->codes = dna_word(c->room.codes, first, t->n);
    while (i > 0 && c->room.runs[i - 1].start + c->room.runs[i - 1].n_bases > first)
        i--;
    for (; i < c->room.n_runs; i++) {
        size_t start = c->room.runs[i].start > first ? c->room.runs[i].start : first;
        t->runs[t->n_runs].start = (uint32_t)(start - first);
        t->runs[t->n_runs++].n_bases = (uint32_t)(c->room.runs[i].start + c->room.runs[i].n_bases - start);
    }
}

/* Sets the fields of a chunk that are known only when it is complete. */
static void finish_chunk(dna_reader *r, dna_chunk *c)
{
    const char *name = c->names;
    uint64_t n_other = 0;

    for (size_t i = 0; i < c->n_parts; i++) {
        size_t end = i + 1 < c->n_parts ? c->parts[i + 1].start : c->room.n_bases;
        c->parts[i].n_bases = (uint32_t)(end - c->parts[i].start);
        c->parts[i].name = name;
        name += strlen(name) + 1;
    }
    for (size_t i = 0; i < c->room.n_runs; i++)
        n_other += c->room.runs[i].n_bases;
    r->so_far.n_bases += c->room.n_bases - c->n_before;
    r->so_far.n_other += n_other - c->n_before_other;
    c->totals = r->so_far;
    c->n_read = r->source != NULL ? seqio_sequences_offset(r->source) : r->n_read;
}

/* Opens a part of the current record at the next base of the current chunk, which must have room for the name. */
static io_status open_part(dna_reader *r, uint64_t offset, io_error *err)
{
    dna_chunk *c = &r->chunks[r->reader.current];
    tms_dna_part *part;

    if (!array_reserve(&c->parts, &c->parts_capacity, c->n_parts + 1, sizeof *c->parts) ||
        !array_reserve(&c->names, &c->names_capacity, c->names_size + r->name_size, 1))
        return io_fail_memory(err, "names of sequences");
    memcpy(c->names + c->names_size, r->name, r->name_size);
    c->names_size += r->name_size;
    part = &c->parts[c->n_parts++];
    part->record = r->so_far.n_records - 1;
    part->offset = offset;
    part->start = (uint32_t)c->room.n_bases;
    r->in_part = 1;
    return IO_OK;
}

/* Completes the current chunk. */
static io_status close_chunk(dna_reader *r)
{
    dna_chunk *c = &r->chunks[r->reader.current];

    take_tail(r, c, &r->tail); /* before the caller gets the chunk */
    finish_chunk(r, c);
    return IO_SINK_FULL;
}

io_status dna_begin_chunk(dna_reader *r, io_error *err)
{
    dna_chunk *c = &r->chunks[r->reader.current];
    const dna_tail *t = &r->tail;
    io_status status;

    c->room.n_bases = c->room.n_runs = c->n_parts = c->names_size = 0;
    c->n_before = t->n;
    c->n_before_other = 0;
    r->in_part = 0;
    if (t->n == 0)
        return IO_OK;
    status = reserve_bases(r, c, t->n, err);
    if (status == IO_OK)
        status = reserve_runs(c, t->n_runs + 1, err);
    if (status == IO_OK)
        status = open_part(r, r->offset - t->n, err);
    if (status != IO_OK)
        return status;
    dna_clear_rest(&c->room);
    dna_put_codes(&c->room, t->codes, t->n);
    for (unsigned i = 0; i < t->n_runs; i++) {
        put_run(&c->room, t->runs[i].start, t->runs[i].n_bases);
        c->n_before_other += t->runs[i].n_bases;
    }
    return IO_OK;
}

/*
 * Makes room in the current chunk for bases of the current record, and for one run more, unless it is full.
 *   n [in,out] bases that wait, 1 or more; then how many of them the chunk takes now
 */
static io_status make_room(dna_reader *r, size_t *n, io_error *err)
{
    dna_chunk *c = &r->chunks[r->reader.current];
    size_t limit = r->chunk_bases;
    io_status status = IO_OK;

    if (c->room.n_bases - c->n_before >= limit || (!r->in_part && c->names_size >= r->max_names))
        return close_chunk(r);
    if (!r->in_part)
        status = open_part(r, r->offset, err);
    if (status != IO_OK)
        return status;
    limit -= c->room.n_bases - c->n_before;
    if (*n > limit)
        *n = limit;
    status = reserve_bases(r, c, c->room.n_bases + *n, err);
    return status == IO_OK ? reserve_runs(c, c->room.n_runs + 1, err) : status;
}

io_status dna_finish(dna_reader *r) { return r->chunks[r->reader.current].n_parts > 0 ? close_chunk(r) : IO_END; }

/* --- records --- */

io_status dna_end_record(dna_reader *r, io_error *err)
{
    io_status status = IO_OK;

    if (r->in_record && r->offset == 0 && r->keep_empty) {
        if (r->chunks[r->reader.current].names_size >= r->max_names)
            return close_chunk(r);
        status = open_part(r, 0, err);
    }
    r->in_record = r->in_part = 0;
    return status;
}

io_status dna_begin_record(dna_reader *r, const char *name, size_t n, io_error *err)
{
    io_status status = dna_end_record(r, err);

    if (status != IO_OK)
        return status;
    r->in_record = 1;
    r->offset = 0;
    r->so_far.n_records++;
    if (n > 0) {
        memcpy(r->name, name, n);
        r->name[n] = '\0';
    } else {
        n = (size_t)sprintf(r->name, "sequence_%llu", (unsigned long long)r->so_far.n_records);
    }
    r->name_size = n + 1;
    return IO_OK;
}

io_status dna_add_bases(dna_reader *r, const char *bases, size_t n, size_t *n_done, io_error *err)
{
    *n_done = 0;
    while (*n_done < n) {
        size_t some = n - *n_done, done;
        io_status status = make_room(r, &some, err);
        tms_status encoded;

        if (status != IO_OK)
            return status;
        encoded = tms_dna_encode(r->ctx, &r->chunks[r->reader.current].room, bases + *n_done, some, &done);
        *n_done += done;
        r->offset += done;
        if (encoded != TMS_OK)
            return IO_E_INPUT;
    }
    return IO_OK;
}

io_status dna_add_sequence(dna_reader *r, const tms_seqdb *db, uint64_t i, uint64_t *start, io_error *err)
{
    uint64_t end = tms_seqdb_length(db, i);

    while (*start < end) {
        size_t some = end - *start < SIZE_MAX ? (size_t)(end - *start) : SIZE_MAX;
        uint64_t done;
        io_status status = make_room(r, &some, err);

        if (status != IO_OK)
            return status;
        if (tms_seqdb_dna(db, i, *start, *start + some, &r->chunks[r->reader.current].room, &done) != TMS_OK)
            return IO_E_INPUT;
        *start += done;
        r->offset += done;
    }
    return IO_OK;
}

/* --- a sink --- */

/* Bases of all records so far. */
static uint64_t bases_so_far(const dna_reader *r)
{
    const dna_chunk *c = &r->chunks[r->reader.current];

    return r->so_far.n_bases + c->room.n_bases - c->n_before;
}

static io_status on_begin_file(void *arg, const char *file, int is_fastq, io_error *err)
{
    dna_reader *r = arg;

    (void)is_fastq;
    (void)err;
    r->file = file;
    r->n_before = bases_so_far(r);
    return IO_OK;
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Begins a record, named by the header's first word. */
static io_status on_begin(void *arg, const char *header, size_t n, const seqio_position *position, io_error *err)
{
    size_t size = 0;

    while (n > 0 && is_blank(*header)) {
        header++;
        n--;
    }
    for (; size < n && !is_blank(header[size]); size++) {
        if (header[size] == '\0')
            return io_fail(err, IO_E_INPUT, 0, "%s:%llu: byte 0x00 in a name", position->file, (unsigned long long)position->line);
        if (size == SEQIO_DNA_MAX_NAME)
            return io_fail(err, IO_E_INPUT, 0, "%s:%llu: a name has more than %d bytes", position->file, (unsigned long long)position->line,
                           SEQIO_DNA_MAX_NAME);
    }
    return dna_begin_record(arg, header, size, err);
}

static io_status on_residues(void *arg, const uint8_t *bases, size_t n, const seqio_position *position, size_t *n_taken, io_error *err)
{
    (void)position;
    return dna_add_bases(arg, (const char *)bases, n, n_taken, err);
}

static const char *fault(uint8_t character)
{
    if (character == '-')
        return "is not a nucleotide: gaps are not allowed here";
    if (character != 0 && strchr("EFILPQZJO*", toupper(character)) != NULL)
        return "is not a nucleotide; is this protein?";
    return "is not a nucleotide";
}

static io_status on_end(void *arg, io_error *err) { return dna_end_record(arg, err); }

static io_status on_end_file(void *arg, io_error *err)
{
    dna_reader *r = arg;
    io_status status = dna_end_record(r, err);

    if (status == IO_OK && bases_so_far(r) == r->n_before)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: there are names, but no bases", r->file);
    return status;
}

seqio_sequence_sink dna_sink(dna_reader *r)
{
    return (seqio_sequence_sink){.arg = r,
                                 .begin_file = on_begin_file,
                                 .begin = on_begin,
                                 .residues = on_residues,
                                 .fault = fault,
                                 .end = on_end,
                                 .end_file = on_end_file};
}

/* --- creation --- */

io_status dna_reader_init(dna_reader *r, const seqio_dna_options *options, io_error *err)
{
    io_status status = io_reader_init(&r->reader, options->paths, options->n_paths,
                                      1 + (options->n_ahead ? options->n_ahead : SEQIO_DNA_AHEAD), err);

    r->chunk_bases = options->chunk_bases;
    r->overlap = options->overlap;
    r->keep_empty = options->keep_empty;
    r->many_wait = options->n_ahead >= IO_READER_SLOTS;
    r->max_names = options->chunk_bases / 4 > SEQIO_DNA_MAX_NAME ? options->chunk_bases / 4 : SEQIO_DNA_MAX_NAME + 1;
    r->name = malloc(SEQIO_DNA_MAX_NAME + 1);
    if (status == IO_OK && (r->name == NULL || tms_context_create(&r->ctx) != TMS_OK))
        status = io_fail_memory(err, "reading sequences");
    return status;
}

void dna_reader_free(dna_reader *r)
{
    for (int i = 0; i < IO_READER_MAX_SLOTS; i++) {
        if (!r->chunks[i].in_slab)
            free(r->chunks[i].room.codes);
        free(r->chunks[i].room.runs);
        free(r->chunks[i].parts);
        free(r->chunks[i].names);
    }
    for (int i = 0; i < r->n_slabs; i++)
        munmap(r->slabs[i], SLAB_BYTES);
    tms_context_destroy(r->ctx);
    seqio_sequences_free(r->source);
    free(r->name);
}
