/*
 * io_dna.c - chunks of sequences, filled by the reader thread of io_reader.c.
 *
 * A chunk's arrays grow as it is filled and are kept for its next turn, so that a large chunk_bases costs nothing ahead.
 *
 * A chunk closes when one more base comes than it takes. If that base goes on with a record, the record's last bases go ahead
 * of it in the next chunk.
 */
#include "io_dna.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encode/dna_core.h"
#include "io_dna_reader.h"
#include "io_kinds.h"
#include "io_reader.h"
#include "io_t2b.h"

enum { READ_BYTES = 128 << 10, FIRST_BASES = 64 << 10, FIRST_ITEMS = 64 };

typedef struct dna_chunk {
    tms_dna_room room;
    tms_dna_part *parts; /* start, record and offset when opened, the rest when the chunk is put */
    size_t n_parts, parts_capacity;
    char *names; /* of the parts, one after the other, each with its NUL */
    size_t names_size, names_capacity;
    uint64_t n_before;            /* bases and other letters of the overlap: counted in the chunk before */
    uint64_t n_before_other;
    uint64_t n_read;
    io_dna_totals totals;
} dna_chunk;

struct io_dna {
    io_dna_options options;
    size_t max_names; /* bytes of names at which a chunk closes */
    dna_chunk chunks[IO_READER_SLOTS];
    io_reader reader; /* its slots are chunks */
    io_dna_totals totals; /* as of that chunk */

    /* The reader's own. */
    tms_context *ctx;
    dna_input input;
    char *letters;
    uint64_t n_before; /* bytes of the files already finished */
    io_dna_totals so_far; /* records begun; bases and other letters in chunks already put */
    int in_record, in_part; /* in_part: the record's open part is the current chunk's last */
    uint64_t offset; /* bases of the record so far */
    char *name;      /* the record's, NUL-terminated */
    size_t name_size; /* with its NUL */
};

/* --- the reader's side: chunks --- */

/* Makes an array of *capacity items hold `want`. Returns it, or NULL where there is no memory: the old one is as it was. */
static void *grow_array(void *array, size_t *capacity, size_t want, size_t item_size)
{
    size_t n = *capacity > FIRST_ITEMS ? *capacity : FIRST_ITEMS;

    if (want <= *capacity)
        return array;
    while (n < want)
        n *= 2;
    array = realloc(array, n * item_size);
    if (array != NULL)
        *capacity = n;
    return array;
}

static io_status reserve_bases(dna_chunk *c, size_t want, size_t most, io_error *err)
{
    size_t n = c->room.bases_capacity > FIRST_BASES ? c->room.bases_capacity : FIRST_BASES;
    uint64_t *codes;

    if (want <= c->room.bases_capacity)
        return IO_OK;
    while (n < want)
        n *= 2;
    if (n > most)
        n = most;
    codes = realloc(c->room.codes, TMS_DNA_WORDS(n) * sizeof *codes);
    if (codes == NULL)
        return io_fail_memory(err, "sequences");
    c->room.codes = codes;
    c->room.bases_capacity = n;
    return IO_OK;
}

static io_status reserve_runs(dna_chunk *c, size_t want, io_error *err)
{
    tms_dna_run *runs = grow_array(c->room.runs, &c->room.runs_capacity, want, sizeof *runs);

    if (runs == NULL)
        return io_fail_memory(err, "sequences");
    c->room.runs = runs;
    return IO_OK;
}

/* n codes from word on, up to 32; bits after the last base of the chunk become 0 in its word. */
static void put_codes(tms_dna_room *room, uint64_t codes, unsigned n)
{
    unsigned shift = 2 * (unsigned)(room->n_bases & 31);
    uint64_t *to = room->codes + room->n_bases / 32;

    to[0] = (to[0] & (((uint64_t)1 << shift) - 1)) | codes << shift;
    to[1] = codes >> 1 >> (63 - shift);
    room->n_bases += n;
}

/* A run of the chunk's bases; there is room for it. */
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

/* The last bases of a record, to go ahead of what follows in the next chunk. */
typedef struct tail {
    unsigned n;
    uint64_t codes;
    tms_dna_run runs[IO_DNA_MAX_OVERLAP]; /* start: from the tail's first base */
    unsigned n_runs;
} tail;

static void take_tail(const io_dna *r, const dna_chunk *c, tail *t)
{
    size_t n_part, first, i = c->room.n_runs;

    memset(t, 0, sizeof *t);
    if (!r->in_part || r->options.overlap == 0)
        return;
    n_part = c->room.n_bases - c->parts[c->n_parts - 1].start;
    t->n = n_part < r->options.overlap ? (unsigned)n_part : r->options.overlap;
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

/* Fills in what is known when no more comes to the chunk. */
static void finish_chunk(io_dna *r, dna_chunk *c)
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
    c->n_read = r->n_before + (r->input.stream != NULL ? io_stream_offset(r->input.stream) : 0);
}

/* A part of the current record in the current chunk, which has room for its name, from the chunk's next base on. */
static io_status open_part(io_dna *r, uint64_t offset, io_error *err)
{
    dna_chunk *c = &r->chunks[r->reader.current];
    tms_dna_part *parts = grow_array(c->parts, &c->parts_capacity, c->n_parts + 1, sizeof *parts);
    char *names = grow_array(c->names, &c->names_capacity, c->names_size + r->name_size, 1);

    if (parts != NULL)
        c->parts = parts;
    if (names != NULL)
        c->names = names;
    if (parts == NULL || names == NULL)
        return io_fail_memory(err, "names of sequences");
    memcpy(names + c->names_size, r->name, r->name_size);
    c->names_size += r->name_size;
    parts[c->n_parts].record = r->so_far.n_records - 1;
    parts[c->n_parts].offset = offset;
    parts[c->n_parts++].start = (uint32_t)c->room.n_bases;
    r->in_part = 1;
    return IO_OK;
}

/* Hands the current chunk over and starts the next, with the overlap if the record goes on. */
static io_status put_chunk(io_dna *r, io_error *err)
{
    dna_chunk *c = &r->chunks[r->reader.current];
    io_status status;
    tail t;

    take_tail(r, c, &t); /* now: afterwards the chunk is the caller's */
    finish_chunk(r, c);
    if (!io_reader_exchange(&r->reader))
        return IO_END;
    c = &r->chunks[r->reader.current];
    c->room.n_bases = c->room.n_runs = c->n_parts = c->names_size = 0;
    c->n_before = t.n;
    c->n_before_other = 0;
    r->in_part = 0;
    if (t.n == 0)
        return IO_OK;
    status = reserve_bases(c, t.n, r->options.chunk_bases + r->options.overlap, err);
    if (status == IO_OK)
        status = reserve_runs(c, t.n_runs + 1, err);
    if (status == IO_OK)
        status = open_part(r, r->offset - t.n, err);
    if (status != IO_OK)
        return status;
    put_codes(&c->room, t.codes, t.n);
    for (unsigned i = 0; i < t.n_runs; i++) {
        put_run(&c->room, t.runs[i].start, t.runs[i].n_bases);
        c->n_before_other += t.runs[i].n_bases;
    }
    return IO_OK;
}

/*
 * Makes the current chunk one that takes bases of the current record, and one run more.
 *   n [in,out] bases that wait, 1 or more; of these, how many it takes now
 */
static io_status make_room(io_dna *r, size_t *n, io_error *err)
{
    dna_chunk *c = &r->chunks[r->reader.current];
    size_t limit = r->options.chunk_bases;
    io_status status = IO_OK;

    if (c->room.n_bases - c->n_before >= limit || (!r->in_part && c->names_size >= r->max_names)) {
        status = put_chunk(r, err);
        c = &r->chunks[r->reader.current];
    }
    if (status == IO_OK && !r->in_part)
        status = open_part(r, r->offset, err);
    if (status != IO_OK)
        return status;
    limit -= c->room.n_bases - c->n_before;
    if (*n > limit)
        *n = limit;
    status = reserve_bases(c, c->room.n_bases + *n, r->options.chunk_bases + r->options.overlap, err);
    return status == IO_OK ? reserve_runs(c, c->room.n_runs + 1, err) : status;
}

/* --- the reader's side: records --- */

uint64_t dna_record_bases(const io_dna *r) { return r->offset; }
const char *dna_record_name(const io_dna *r) { return r->name; }

static io_status end_record(io_dna *r, io_error *err)
{
    io_status status = IO_OK;

    if (r->in_record && r->offset == 0 && r->options.keep_empty) {
        if (r->chunks[r->reader.current].names_size >= r->max_names)
            status = put_chunk(r, err);
        if (status == IO_OK)
            status = open_part(r, 0, err);
    }
    r->in_record = r->in_part = 0;
    return status;
}

io_status dna_begin_record(io_dna *r, const char *name, size_t n, io_error *err)
{
    io_status status = end_record(r, err);

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

io_status dna_add_letters(io_dna *r, const char *letters, size_t n, size_t *n_done, io_error *err)
{
    *n_done = 0;
    while (*n_done < n) {
        size_t some = n - *n_done, done;
        io_status status = make_room(r, &some, err);
        tms_status encoded;

        if (status != IO_OK)
            return status;
        encoded = tms_dna_encode(r->ctx, &r->chunks[r->reader.current].room, letters + *n_done, some, &done);
        *n_done += done;
        r->offset += done;
        if (encoded != TMS_OK)
            return IO_E_INPUT;
    }
    return IO_OK;
}

io_status dna_add_packed(io_dna *r, const tms_dna *from, size_t start, size_t n, size_t *run, io_error *err)
{
    size_t end = start + n;

    while (start < end) {
        size_t some = end - start, first;
        io_status status = make_room(r, &some, err);
        dna_chunk *c = &r->chunks[r->reader.current];

        if (status != IO_OK)
            return status;
        first = c->room.n_bases;
        for (size_t i = 0; i < some; i += 32) {
            unsigned in_word = some - i < 32 ? (unsigned)(some - i) : 32;
            put_codes(&c->room, dna_word(from->codes, start + i, in_word), in_word);
        }
        for (; *run < from->n_runs && from->runs[*run].start < start + some; (*run)++) {
            size_t run_start = from->runs[*run].start, run_end = run_start + from->runs[*run].n_bases;
            size_t low = run_start > start ? run_start : start, high = run_end < start + some ? run_end : start + some;
            if (low < high) {
                status = reserve_runs(c, c->room.n_runs + 1, err);
                if (status != IO_OK)
                    return status;
                put_run(&c->room, (uint32_t)(first + (low - start)), (uint32_t)(high - low));
            }
            if (run_end > start + some)
                break;
        }
        start += some;
        r->offset += some;
    }
    return IO_OK;
}

/* --- the reader's side: files --- */

io_status dna_input_more(dna_input *in, io_error *err)
{
    size_t held = in->end - in->pos, n;
    io_status status;

    memmove(in->bytes, in->bytes + in->pos, held);
    in->pos = 0;
    in->end = held;
    status = io_stream_read(in->stream, in->bytes + held, in->size - held, &n, err);
    in->end += n;
    return status;
}

/* Skips lines with nothing in them; gets as many bytes as a magic takes, unless the file has fewer. */
static io_status find_start(dna_input *in, uint64_t *line, io_error *err)
{
    io_status status = IO_OK;

    *line = 1;
    for (;;) {
        while (in->pos < in->end && memchr("\n\r \t", in->bytes[in->pos], 4) != NULL)
            *line += in->bytes[in->pos++] == '\n';
        if (in->end - in->pos >= T2B_MAGIC_BYTES || status == IO_END)
            return IO_OK;
        status = dna_input_more(in, err);
        if (status != IO_OK && status != IO_END)
            return status;
    }
}

static uint64_t bases_so_far(const io_dna *r)
{
    const dna_chunk *c = &r->chunks[r->reader.current];

    return r->so_far.n_bases + c->room.n_bases - c->n_before;
}

/* Returns IO_OK at its end; IO_END when told to stop. */
static io_status read_open_file(io_dna *r, dna_input *in, io_error *err)
{
    uint64_t line, n_bases = bases_so_far(r);
    io_status status = find_start(in, &line, err);

    if (status != IO_OK)
        return status;
    if (in->pos == in->end)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: the file is empty", in->name);
    if (t2b_is_magic(in->bytes + in->pos, in->end - in->pos))
        status = dna_read_t2b(r, in, err);
    else if (in->bytes[in->pos] == '>' || in->bytes[in->pos] == '@')
        status = dna_read_text(r, in, r->letters, line, err);
    else if ((status = io_kind_check(in->name, in->bytes + in->pos, in->end - in->pos, "FASTA, FASTQ or .t2b", err)) == IO_OK)
        status = io_fail(err, IO_E_INPUT, 0, "%s:%llu: neither FASTA ('>') nor FASTQ ('@') nor .t2b", in->name,
                         (unsigned long long)line);
    if (status == IO_OK)
        status = end_record(r, err);
    if (status == IO_OK && bases_so_far(r) == n_bases)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: there are names and not a single base", in->name);
    return status;
}

static io_status read_file(io_dna *r, const char *path, io_error *err)
{
    dna_input *in = &r->input;
    io_status status = io_stream_open(path, r->reader.cancel_fd, &in->stream, err);

    if (status != IO_OK)
        return status;
    in->name = io_stream_name(path);
    in->pos = in->end = 0;
    status = read_open_file(r, in, err);
    r->n_before += io_stream_offset(in->stream);
    io_stream_close(in->stream);
    in->stream = NULL;
    return io_reader_is_stopped(&r->reader) ? IO_END : status; /* a file that was left looks cut */
}

static void *reader_main(void *arg)
{
    io_dna *r = arg;
    io_status status = IO_OK;
    io_error err = {0, ""};

    for (size_t i = 0; i < r->options.n_paths && status == IO_OK; i++)
        status = read_file(r, r->options.paths[i], &err);
    if (status == IO_OK) {
        if (r->chunks[r->reader.current].n_parts > 0)
            status = put_chunk(r, &err);
    }
    io_reader_finish(&r->reader, status, &err);
    return NULL;
}

/* --- the caller's side --- */

io_status io_dna_open(const io_dna_options *options, io_dna **out, io_error *err)
{
    io_status status = io_reader_check_paths(options->paths, options->n_paths, err);
    io_dna *r;

    *out = NULL;
    if (status != IO_OK)
        return status;
    r = calloc(1, sizeof *r);
    if (r == NULL)
        return io_fail_memory(err, "reading sequences");
    r->options = *options;
    r->max_names = options->chunk_bases / 4 > IO_DNA_MAX_NAME ? options->chunk_bases / 4 : IO_DNA_MAX_NAME + 1;
    status = io_reader_init(&r->reader, err);
    r->input.size = READ_BYTES;
    r->input.bytes = malloc(READ_BYTES);
    r->letters = malloc(READ_BYTES);
    r->name = malloc(IO_DNA_MAX_NAME + 1);
    if (status == IO_OK &&
        (r->input.bytes == NULL || r->letters == NULL || r->name == NULL || tms_context_create(&r->ctx) != TMS_OK))
        status = io_fail_memory(err, "reading sequences");
    if (status == IO_OK)
        status = io_reader_start(&r->reader, reader_main, r, err);
    if (status != IO_OK) {
        io_dna_close(r);
        return status;
    }
    *out = r;
    return IO_OK;
}

io_status io_dna_next(io_dna *r, io_dna_chunk *out, io_error *err)
{
    io_status status = io_reader_next(&r->reader, err);

    memset(out, 0, sizeof *out);
    if (status == IO_OK) {
        const dna_chunk *c = &r->chunks[r->reader.in_use];
        out->dna.codes = c->room.codes;
        out->dna.n_bases = c->room.n_bases;
        out->dna.parts = c->parts;
        out->dna.n_parts = c->n_parts;
        out->dna.runs = c->room.runs;
        out->dna.n_runs = c->room.n_runs;
        out->n_read = c->n_read;
        r->totals = c->totals;
    } else if (status == IO_END) {
        r->totals = r->so_far; /* the reader is done: empty records at the end are in it */
    }
    return status;
}

void io_dna_get_totals(const io_dna *r, io_dna_totals *out) { *out = r->totals; }

void io_dna_close(io_dna *r)
{
    if (r == NULL)
        return;
    io_reader_close(&r->reader);
    for (int i = 0; i < IO_READER_SLOTS; i++) {
        free(r->chunks[i].room.codes);
        free(r->chunks[i].room.runs);
        free(r->chunks[i].parts);
        free(r->chunks[i].names);
    }
    tms_context_destroy(r->ctx);
    free(r->input.bytes);
    free(r->letters);
    free(r->name);
    free(r);
}
