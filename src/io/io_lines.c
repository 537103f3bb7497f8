/*
 * io_lines.c - the reader thread and its batches.
 *
 * Three batches go round between the reader and the caller: one being filled, one waiting, one in use. The reader reads 256 KiB at a time
 * into the arena and looks for line feeds while the bytes are in cache. When a batch is full, the reader copies what follows its last line
 * (at most the last read, or the start of a long line) to the front of the next batch.
 *
 * The caller's thread allocates and frees the arenas, because a context belongs to one thread. Only a line longer than the arena makes the
 * reader allocate, and then ordinary memory. Small files have small arenas, and a single one where one batch holds everything;
 * decompressed text makes them grow.
 */
#include "io/io_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/io_kinds.h"
#include "io/io_newlines.h"
#include "io/io_reader.h"
#include "io/io_stream.h"

enum { READ_MIN = 4 << 10, READ_MAX = 256 << 10, SPARE_BYTES = 64, ALIGNMENT = 64, LINES_TO_JUDGE = 1000 };

/* A batch spans less than 4 GiB because its offsets have 32 bits; the longest line plus one read is well below. */
#define ARENA_MAX ((size_t)IO_LINE_MAX + 1 + READ_MAX)

typedef struct line_batch {
    uint8_t *arena;
    size_t arena_size; /* usable bytes; SPARE_BYTES more are allocated */
    int from_context;  /* 1: tms_host_alloc() gave the arena; 0: aligned_alloc() did */
    void *first_arena; /* the arena of tms_host_alloc(), kept until close even after a larger one replaced it */
    uint32_t *offsets;
    size_t n_offsets; /* room for the offsets of this many lines */
    size_t n_lines;
    uint32_t scanned; /* bytes in which line feeds have been found */
    size_t filled;    /* bytes in the arena */
    uint32_t end;     /* end of the last complete line, before carriage returns are removed */
    size_t file;      /* with by_file: the lines are from paths[file] */
    uint64_t n_read;
    const char *has_bom, *has_cr;
} line_batch;

struct io_lines {
    tms_context *ctx;
    io_lines_options options;
    line_batch batches[IO_READER_SLOTS];
    io_reader reader; /* its slots are batches */

    /* Used by the reader only. */
    size_t read_bytes;  /* bytes asked for in one read */
    line_batch *before; /* the previous batch, or NULL */
    int is_full;        /* the current batch is complete */
    io_status end;      /* how reading ended, if not IO_OK; returned after the last batch */
    io_error end_error;
    io_stream *stream;            /* the current file, open, or NULL */
    int at_end;                   /* 1: the current file has been read to its end */
    uint64_t n_read;              /* bytes used of the current file and of the files before it */
    uint64_t n_before;            /* bytes of the files that are finished */
    size_t file;                  /* number of the current file; n_paths at the end. The caller reads it when the reader is done */
    uint64_t line;                /* lines of the current file in batches that are complete */
    int is_known;                 /* 1: io_kind_check() has accepted the current file */
    uint64_t open_line;           /* number, from 0, of the current file's last line if it has no line feed, else UINT64_MAX */
    uint64_t n_judged;            /* lines at the beginning of the current file that have been examined for carriage returns */
    int has_lf;                   /* 1: one of the n_judged lines ends in a line feed alone */
    int knows_bom, knows_cr;      /* 1: a file with a byte order mark, or with carriage returns, has been named to the caller */
    const char *has_bom, *has_cr; /* names of such files that are not in a batch yet */
};

/* Bytes of an arena that holds any batch whose lines are all shorter than a batch. */
static size_t full_arena_size(const io_lines *r) { return (r->options.batch_bytes + READ_MAX + ALIGNMENT) / ALIGNMENT * ALIGNMENT; }

/* Reserves offsets for as many lines as the arena or the batch may have. */
static io_status reserve_offsets(const io_lines *r, line_batch *b, size_t arena_size, io_error *err)
{
    size_t n = arena_size < full_arena_size(r) ? arena_size : full_arena_size(r);
    uint32_t *offsets;

    if (n > r->options.batch_keys)
        n = r->options.batch_keys;
    if (b->offsets != NULL && n <= b->n_offsets)
        return IO_OK;
    offsets = realloc(b->offsets, (n + 1 + NEWLINES_SLACK) * sizeof *offsets);
    if (offsets == NULL)
        return io_fail_memory(err, "batches of lines");
    b->offsets = offsets;
    b->n_offsets = n;
    return IO_OK;
}

/* Makes the arena hold `want` bytes, at most ARENA_MAX. */
static io_status grow_arena(const io_lines *r, line_batch *b, size_t want, io_error *err)
{
    size_t size = array_capacity(b->arena_size, 1, want);
    uint8_t *arena;

    if (size > ARENA_MAX)
        size = ARENA_MAX;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    arena = aligned_alloc(ALIGNMENT, size + SPARE_BYTES);
    if (arena == NULL)
        return io_fail_memory(err, "a long line");
    memcpy(arena, b->arena, b->filled);
    memset(arena + size, 0, SPARE_BYTES);
    if (!b->from_context)
        free(b->arena);
    b->arena = arena;
    b->arena_size = size;
    b->from_context = 0;
    return reserve_offsets(r, b, size, err);
}

/* Called in the caller's thread. */
static io_status alloc_batch(io_lines *r, line_batch *b, io_error *err)
{
    size_t size = full_arena_size(r);

    if (r->reader.by_caller && size > r->reader.n_bytes + 2 * r->read_bytes)
        size = ((size_t)r->reader.n_bytes + 2 * r->read_bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    if (reserve_offsets(r, b, size, err) != IO_OK || tms_host_alloc(r->ctx, size + SPARE_BYTES, &b->first_arena) != TMS_OK)
        return io_fail_memory(err, "batches of lines");
    b->arena = b->first_arena;
    b->arena_size = size;
    b->from_context = 1;
    b->offsets[0] = 0;
    memset(b->arena + size, 0, SPARE_BYTES);
    return IO_OK;
}

/* Examines the first lines of the current file, as far as they have been read; usually one line is enough. */
static void judge_lines(io_lines *r, int at_end)
{
    const line_batch *b = &r->batches[r->reader.current];
    const char *path = r->options.paths[r->file];
    uint64_t at;

    while (!r->has_lf && r->n_judged < LINES_TO_JUDGE && (at = r->n_judged - r->line) < b->n_lines) {
        const uint8_t *line = b->arena + b->offsets[at];
        uint32_t n = b->offsets[at + 1] - b->offsets[at]; /* including the line feed */
        if (r->n_judged == 0 && !r->knows_bom && n > 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
            r->knows_bom = 1;
            r->has_bom = io_stream_name(path);
        }
        if (r->n_judged == r->open_line)
            break; /* a line without a line feed does not show how lines end */
        r->has_lf = n < 2 || line[n - 2] != '\r';
        r->n_judged++;
    }
    if (!r->has_lf && !r->knows_cr && !r->options.crlf && (r->n_judged == LINES_TO_JUDGE || (at_end && r->n_judged > 0))) {
        r->knows_cr = 1;
        r->has_cr = io_stream_name(path);
    }
}

/* Completes the current batch. */
static void close_batch(io_lines *r)
{
    line_batch *b = &r->batches[r->reader.current];

    b->has_bom = r->has_bom;
    b->has_cr = r->has_cr;
    r->has_bom = r->has_cr = NULL;
    b->end = b->offsets[b->n_lines];
    if (r->options.crlf)
        newlines_strip_cr(b->arena, b->offsets, b->n_lines);
    b->n_read = r->n_read;
    b->file = r->file;
    r->line += b->n_lines;
    r->before = b;
    r->is_full = 1;
}

/*
 * Starts the current batch with the bytes after the last line of the previous batch. The reader copies them from the old arena although
 * the caller may already have it: both threads only read there, and only the reader fills it again.
 */
static io_status begin_batch(io_lines *r, io_error *err)
{
    const line_batch *old = r->before;
    line_batch *b = &r->batches[r->reader.current];
    size_t n_tail;
    io_status status = b->arena == NULL ? alloc_batch(r, b, err) : IO_OK;

    if (status != IO_OK)
        return status;
    r->is_full = 0;
    b->n_lines = 0;
    b->filled = 0;
    b->scanned = 0;
    if (old == NULL)
        return IO_OK;
    n_tail = old->filled - old->end;
    if (n_tail > b->arena_size) {
        status = grow_arena(r, b, n_tail, err);
        if (status != IO_OK)
            return status;
    }
    memcpy(b->arena, old->arena + old->end, n_tail);
    b->filled = n_tail;
    b->scanned = old->scanned > old->end ? old->scanned - old->end : 0;
    return IO_OK;
}

static io_status fail_long_line(const io_lines *r, uint64_t line, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: line %llu is longer than %llu bytes", io_stream_name(r->options.paths[r->file]),
                   (unsigned long long)line, (unsigned long long)IO_LINE_MAX);
}

/* Finds lines among the bytes that are filled and not scanned, up to a full batch. */
static io_status scan(io_lines *r, io_error *err)
{
    line_batch *b = &r->batches[r->reader.current];
    size_t most = r->options.batch_keys - b->n_lines;
    size_t n = newlines_find(b->arena, b->scanned, (uint32_t)b->filled, b->offsets + b->n_lines + 1, most);

    if (n < most) {
        b->n_lines += n;
        b->scanned = (uint32_t)b->filled;
        if (b->n_lines == 0 || b->filled < r->options.batch_bytes)
            return IO_OK;
    } else {
        b->n_lines = r->options.batch_keys;
        b->scanned = b->offsets[b->n_lines];
    }
    /* Only the first line of a batch can be that long: a batch of this size closes after one line. */
    if (b->offsets[1] - 1 > IO_LINE_MAX)
        return fail_long_line(r, r->line + 1, err);
    judge_lines(r, 0);
    close_batch(r);
    return IO_OK;
}

/* Checks that the file is a list of lines. The only complete lines of the file are those just read. */
static io_status check_kind(io_lines *r, io_error *err)
{
    const line_batch *b = &r->batches[r->reader.current];
    const uint8_t *start = b->arena + b->offsets[b->n_lines];
    size_t n = b->filled - b->offsets[b->n_lines];

    if (r->is_known || (!r->at_end && n < IO_KIND_HEAD_BYTES && memchr(start, '\n', n) == NULL))
        return IO_OK;
    r->is_known = 1;
    return io_kind_check(io_stream_name(r->options.paths[r->file]), start, n, IO_WANTED_LINES, err);
}

/* Makes room for one more read, and for the line feed that the last line may need. */
static io_status make_room(io_lines *r, io_error *err)
{
    line_batch *b = &r->batches[r->reader.current];
    uint64_t open_line = b->filled - (b->n_lines > 0 ? b->offsets[b->n_lines] : 0);

    if (open_line > IO_LINE_MAX)
        return fail_long_line(r, r->line + b->n_lines + 1, err);
    if (b->arena_size - b->filled > r->read_bytes)
        return IO_OK;
    return grow_arena(r, b, b->filled + r->read_bytes + 1, err);
}

static io_status open_file(io_lines *r, io_error *err)
{
    io_status status = io_stream_open(r->options.paths[r->file], r->reader.cancel_fd, &r->stream, err);

    r->line = (uint64_t)0 - r->batches[r->reader.current].n_lines; /* lines of earlier files in this batch do not count */
    r->is_known = r->has_lf = r->at_end = 0;
    r->n_judged = 0;
    r->open_line = UINT64_MAX;
    return status;
}

static void close_file(io_lines *r)
{
    r->n_before = r->n_read;
    io_stream_close(r->stream);
    r->stream = NULL;
}

/* Reads some bytes of the current file and takes all lines that they complete. */
static io_status read_some(io_lines *r, io_error *err)
{
    line_batch *b = &r->batches[r->reader.current];
    size_t n;
    io_status status;

    if (b->n_lines > 0 && io_stream_pauses(r->stream)) {
        judge_lines(r, 0);
        close_batch(r);
        return IO_OK;
    }
    status = make_room(r, err);
    if (status != IO_OK)
        return status;
    status = io_stream_read(r->stream, b->arena + b->filled, r->read_bytes, &n, err);
    r->n_read = r->n_before + io_stream_offset(r->stream);
    if (status == IO_END && !io_reader_is_stopped(&r->reader)) { /* after io_reader_stop() an incomplete line is dropped */
        r->at_end = 1;
        status = IO_OK;
    }
    if (status != IO_OK)
        return status;
    b->filled += n;
    status = check_kind(r, err);
    if (status == IO_OK && r->at_end && b->filled > b->offsets[b->n_lines]) { /* a last line without a line feed gets one */
        r->open_line = r->line + b->n_lines;
        b->arena[b->filled++] = '\n';
    }
    return status == IO_OK ? scan(r, err) : status;
}

/* Ends the current file, whose lines are all in batches. */
static void end_file(io_lines *r)
{
    judge_lines(r, 1);
    close_file(r);
    if (r->options.by_file && r->batches[r->reader.current].n_lines > 0)
        close_batch(r);
    r->file++;
}

/* Called as io_reader_fill. */
static io_status fill_batch(void *arg, io_error *err)
{
    io_lines *r = arg;
    io_status status = r->end;

    if (status != IO_OK) {
        *err = r->end_error;
        return status;
    }
    status = begin_batch(r, err);
    if (status == IO_OK)
        status = scan(r, err);
    while (status == IO_OK && !r->is_full) {
        if (r->stream != NULL && r->at_end)
            end_file(r);
        else if (r->stream != NULL)
            status = read_some(r, err);
        else if (r->file == r->options.n_paths || io_reader_is_stopped(&r->reader))
            status = IO_END;
        else
            status = open_file(r, err);
    }
    if (status == IO_OK)
        return IO_OK;
    if (r->stream != NULL)
        close_file(r);
    if (io_reader_is_stopped(&r->reader))
        return IO_END;
    /* This also holds for damaged input: the lines before the damage are intact. */
    if (r->batches[r->reader.current].n_lines == 0 || status == IO_E_MEMORY)
        return status;
    r->end = status;
    r->end_error = *err;
    close_batch(r);
    return IO_OK;
}

io_status io_lines_open(tms_context *ctx, const io_lines_options *options, io_lines **out, io_error *err)
{
    io_status status = io_reader_check_paths(options->paths, options->n_paths, err);
    io_lines *r;

    *out = NULL;
    if (status != IO_OK)
        return status;
    r = calloc(1, sizeof *r);
    if (r == NULL)
        return io_fail_memory(err, "reading lines");
    r->ctx = ctx;
    r->options = *options;
    status = io_reader_init(&r->reader, options->paths, options->n_paths, IO_READER_SLOTS, err);
    /* Each batch copies the bytes that follow it, so batches of few keys use small reads. */
    r->read_bytes = r->reader.by_caller || options->batch_keys < READ_MIN / 16 ? READ_MIN
                    : options->batch_keys > READ_MAX / 16                      ? READ_MAX
                                                                               : options->batch_keys * 16;
    for (int i = 0; i < IO_READER_SLOTS && !r->reader.by_caller && status == IO_OK; i++)
        status = alloc_batch(r, &r->batches[i], err);
    if (status == IO_OK)
        status = io_reader_start(&r->reader, fill_batch, r, err);
    if (status != IO_OK) {
        io_lines_close(r);
        return status;
    }
    *out = r;
    return IO_OK;
}

io_status io_lines_next(io_lines *r, io_batch *out, io_error *err)
{
    io_status status = io_reader_next(&r->reader, err);

    memset(out, 0, sizeof *out);
    if (status == IO_OK) {
        const line_batch *b = &r->batches[r->reader.in_use];
        out->keys.bytes = b->arena;
        out->keys.offsets = b->offsets;
        out->keys.n_keys = b->n_lines;
        out->keys.gap = 1;
        out->n_read = b->n_read;
        out->has_bom = b->has_bom;
        out->has_cr = b->has_cr;
        out->file = b->file;
    } else { /* the reader is done */
        out->file = r->file;
        out->has_bom = r->has_bom;
        out->has_cr = r->has_cr;
        r->has_bom = r->has_cr = NULL;
    }
    return status;
}

int io_lines_is_ready(io_lines *r) { return io_reader_is_ready(&r->reader); }

void io_lines_stop(io_lines *r) { io_reader_stop(&r->reader); }

void io_lines_close(io_lines *r)
{
    if (r == NULL)
        return;
    io_reader_close(&r->reader);
    io_stream_close(r->stream);
    for (int i = 0; i < IO_READER_SLOTS; i++) {
        line_batch *b = &r->batches[i];
        if (!b->from_context)
            free(b->arena);
        if (b->first_arena != NULL)
            tms_host_free(r->ctx, b->first_arena);
        free(b->offsets);
    }
    free(r);
}
