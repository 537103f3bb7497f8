/*
 * io_lines.c - the reader thread and the batches that go round.
 *
 * Three batches go round between the reader and the caller: one being filled, one waiting, one in
 * use. The reader reads 256 KiB at a time into the arena and looks for line feeds while the bytes are in cache.
 * When a batch is full, what follows its last line (at most what was read last, or the start of
 * a long line) is copied to the front of the next batch.
 *
 * The caller's thread allocates and frees the arenas, because a context belongs to one thread. Only
 * a line longer than the arena makes the reader allocate, and then ordinary memory.
 */
#include "io_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io_kinds.h"
#include "io_newlines.h"
#include "io_reader.h"
#include "io_stream.h"

enum { READ_MIN = 4 << 10, READ_MAX = 256 << 10, SPARE_BYTES = 64, ALIGNMENT = 64, LINES_TO_JUDGE = 1000 };

/* A batch spans less than 4 GiB by its 32-bit offsets; the longest line plus one read fits well. */
#define ARENA_MAX ((size_t)IO_LINE_MAX + 1 + READ_MAX)

typedef struct line_batch {
    uint8_t *arena;
    size_t arena_size; /* usable bytes; SPARE_BYTES more are allocated */
    int from_context;  /* arena is tms_host_alloc()'s, else aligned_alloc()'s */
    void *first_arena; /* tms_host_alloc()'s, kept until close even after the arena grew */
    uint32_t *offsets;
    size_t n_lines;
    uint32_t scanned; /* bytes looked at for line feeds */
    size_t filled;    /* bytes in the arena */
    size_t file;      /* by_file: its lines are of paths[file] */
    uint64_t n_read;
    const char *has_bom, *has_cr;
} line_batch;

struct io_lines {
    tms_context *ctx;
    io_lines_options options;
    line_batch batches[IO_READER_SLOTS];
    io_reader reader; /* its slots are batches */

    /* The reader's own. */
    size_t read_bytes; /* asked for at once */
    uint64_t n_before; /* bytes of the files already finished */
    size_t file;       /* the current file: n_paths at the end. Also the caller's, when the reader is done */
    uint64_t line;     /* lines of the current file in batches already put */
    int is_known;      /* the current file's kind: lines */
    uint64_t open_line; /* the number of its last line, from 0, if that came without a line feed */
    uint64_t n_judged; /* its first lines, which all end in a carriage return, unless there is one that ... */
    int has_lf;        /* ... ends in a line feed alone */
    int knows_bom, knows_cr;     /* a file was named already */
    const char *has_bom, *has_cr; /* and not yet put into a batch */
};

/* Makes the arena hold `want` bytes, at most ARENA_MAX. */
static io_status grow_arena(line_batch *b, size_t want, io_error *err)
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
    return IO_OK;
}

/* Looks at the current file's first lines as far as they have come; mostly one of them is enough. */
static void judge_lines(io_lines *r, const char *path, int at_end)
{
    const line_batch *b = &r->batches[r->reader.current];
    uint64_t at;

    while (!r->has_lf && r->n_judged < LINES_TO_JUDGE && (at = r->n_judged - r->line) < b->n_lines) {
        const uint8_t *line = b->arena + b->offsets[at];
        uint32_t n = b->offsets[at + 1] - b->offsets[at]; /* with its line feed */
        if (r->n_judged == 0 && !r->knows_bom && n > 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
            r->knows_bom = 1;
            r->has_bom = io_stream_name(path);
        }
        if (r->n_judged == r->open_line)
            break; /* without a line end it says nothing of them */
        r->has_lf = n < 2 || line[n - 2] != '\r';
        r->n_judged++;
    }
    if (!r->has_lf && !r->knows_cr && !r->options.crlf && (r->n_judged == LINES_TO_JUDGE || (at_end && r->n_judged > 0))) {
        r->knows_cr = 1;
        r->has_cr = io_stream_name(path);
    }
}

/*
 * Hands the current batch over and starts the next with the bytes after its last line. Those are read from the old
 * arena after the caller may have it: both only read there, and nobody but this thread reuses it.
 */
static io_status put_batch(io_lines *r, const char *path, uint64_t n_read, io_error *err)
{
    line_batch *old = &r->batches[r->reader.current], *b;
    uint32_t end = old->offsets[old->n_lines];
    const uint8_t *tail = old->arena + end;
    size_t n_tail = old->filled - end;
    uint32_t scanned = old->scanned > end ? old->scanned - end : 0;

    if (path != NULL)
        judge_lines(r, path, 0);
    old->has_bom = r->has_bom;
    old->has_cr = r->has_cr;
    r->has_bom = r->has_cr = NULL;
    if (r->options.crlf)
        newlines_strip_cr(old->arena, old->offsets, old->n_lines);
    old->n_read = n_read;
    old->file = r->file;
    r->line += old->n_lines;
    if (!io_reader_exchange(&r->reader))
        return IO_END;
    b = &r->batches[r->reader.current];
    b->n_lines = 0;
    b->filled = 0;
    b->scanned = 0;
    if (n_tail > b->arena_size) {
        io_status status = grow_arena(b, n_tail, err);
        if (status != IO_OK)
            return status;
    }
    memmove(b->arena, tail, n_tail);
    b->filled = n_tail;
    b->scanned = scanned;
    return IO_OK;
}

static io_status fail_long_line(const char *path, uint64_t line, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: line %llu is longer than %llu bytes", io_stream_name(path),
                   (unsigned long long)line, (unsigned long long)IO_LINE_MAX);
}

/* Finds lines in what is filled but not scanned; puts every batch that this completes. */
static io_status scan(io_lines *r, const char *path, uint64_t n_read, io_error *err)
{
    for (;;) {
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
        /* Only a batch's first line can be that long: with one line in it, a batch this size closes. */
        if (b->offsets[1] - 1 > IO_LINE_MAX)
            return fail_long_line(path, r->line + 1, err);
        io_status status = put_batch(r, path, n_read, err);
        if (status != IO_OK)
            return status;
    }
}

/* Is it lines? None of the file is complete yet, but for what was read just now. */
static io_status check_kind(io_lines *r, const char *path, int at_end, io_error *err)
{
    const line_batch *b = &r->batches[r->reader.current];
    const uint8_t *start = b->arena + b->offsets[b->n_lines];
    size_t n = b->filled - b->offsets[b->n_lines];

    if (r->is_known || (!at_end && n < IO_KIND_HEAD_BYTES && memchr(start, '\n', n) == NULL))
        return IO_OK;
    r->is_known = 1;
    return io_kind_check(io_stream_name(path), start, n, "a list of lines", err);
}

/* Room for one more read, and for the line feed that a last line may need. */
static io_status make_room(io_lines *r, const char *path, io_error *err)
{
    line_batch *b = &r->batches[r->reader.current];
    uint64_t open_line = b->filled - (b->n_lines > 0 ? b->offsets[b->n_lines] : 0);

    if (open_line > IO_LINE_MAX)
        return fail_long_line(path, r->line + b->n_lines + 1, err);
    if (b->arena_size - b->filled > r->read_bytes)
        return IO_OK;
    return grow_arena(b, b->filled + r->read_bytes + 1, err);
}

/* A last line without a line feed gets one. */
static io_status end_file(io_lines *r, const char *path, uint64_t n_read, io_error *err)
{
    line_batch *b = &r->batches[r->reader.current];
    io_status status = check_kind(r, path, 1, err);

    if (status == IO_OK && b->filled > b->offsets[b->n_lines]) {
        r->open_line = r->line + b->n_lines;
        b->arena[b->filled++] = '\n';
        status = scan(r, path, n_read, err);
    }
    judge_lines(r, path, 1);
    return status;
}

static io_status read_file(io_lines *r, const char *path, io_error *err)
{
    io_stream *s;
    io_status status = io_stream_open(path, r->reader.cancel_fd, &s, err);
    uint64_t n_read = r->n_before;

    if (status != IO_OK)
        return status;
    r->line = (uint64_t)0 - r->batches[r->reader.current].n_lines; /* lines of earlier files in this batch do not count */
    r->is_known = r->has_lf = 0;
    r->n_judged = 0;
    r->open_line = UINT64_MAX;
    while (status == IO_OK) {
        line_batch *b;
        size_t n;

        if (r->batches[r->reader.current].n_lines > 0 && io_stream_pauses(s))
            status = put_batch(r, path, n_read, err);
        if (status == IO_OK)
            status = make_room(r, path, err);
        if (status != IO_OK)
            break;
        b = &r->batches[r->reader.current];
        status = io_stream_read(s, b->arena + b->filled, r->read_bytes, &n, err);
        n_read = r->n_before + io_stream_offset(s);
        if (status != IO_OK)
            break;
        b->filled += n;
        status = check_kind(r, path, 0, err);
        if (status == IO_OK)
            status = scan(r, path, n_read, err);
    }
    if (status == IO_END && !io_reader_is_stopped(&r->reader)) /* then a line that is not whole is not wanted */
        status = end_file(r, path, n_read, err);
    r->n_before = n_read;
    io_stream_close(s);
    return status;
}

static void *reader_main(void *arg)
{
    io_lines *r = arg;
    io_status status = IO_OK;
    io_error err = {0, ""};

    r->batches[r->reader.current].n_lines = 0;
    while (r->file < r->options.n_paths && status == IO_OK) {
        status = read_file(r, r->options.paths[r->file], &err);
        if (status == IO_OK && r->options.by_file && r->batches[r->reader.current].n_lines > 0)
            status = put_batch(r, NULL, r->n_before, &err);
        r->file += status == IO_OK;
        if (io_reader_is_stopped(&r->reader))
            status = IO_END;
    }
    /* Also after damaged input: the lines before the damage are right. */
    if ((status == IO_OK || status == IO_E_INPUT) && r->batches[r->reader.current].n_lines > 0) {
        io_error put_err = {0, ""};
        io_status put = put_batch(r, NULL, r->n_before, &put_err);
        if (put != IO_OK) {
            status = put;
            err = put_err;
        }
    }
    io_reader_finish(&r->reader, status, &err);
    return NULL;
}

static io_status alloc_batch(io_lines *r, line_batch *b, io_error *err)
{
    size_t size = r->options.batch_bytes + READ_MAX + ALIGNMENT;
    size_t n_offsets = r->options.batch_keys < size ? r->options.batch_keys : size;

    size = size / ALIGNMENT * ALIGNMENT;
    b->offsets = malloc((n_offsets + 1 + NEWLINES_SLACK) * sizeof *b->offsets);
    if (b->offsets == NULL || tms_host_alloc(r->ctx, size + SPARE_BYTES, &b->first_arena) != TMS_OK)
        return io_fail_memory(err, "batches of lines");
    b->arena = b->first_arena;
    b->arena_size = size;
    b->from_context = 1;
    b->offsets[0] = 0;
    memset(b->arena + size, 0, SPARE_BYTES);
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
    /* Each batch copies what follows it: with batches of few keys that has to be little. */
    r->read_bytes = options->batch_keys < READ_MIN / 16   ? READ_MIN
                    : options->batch_keys > READ_MAX / 16 ? READ_MAX
                                                          : options->batch_keys * 16;
    status = io_reader_init(&r->reader, IO_READER_SLOTS, err);
    for (int i = 0; i < IO_READER_SLOTS && status == IO_OK; i++)
        status = alloc_batch(r, &r->batches[i], err);
    if (status == IO_OK)
        status = io_reader_start(&r->reader, reader_main, r, err);
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
