/*
 * seqio_fasta.c - parses FASTA and FASTQ: turns lines into events, one piece of the file at a time.
 *
 * A piece is what has been read and not used. It may end anywhere in a line: sequence and quality are passed on as they come, a header
 * when its line is complete. Until then the header stays in the input, and so do blanks that may turn out to end their line.
 *
 * For a sink without by_line, the characters of several lines of a piece are copied together. If the sink refuses one, the parser goes
 * through the piece again to find its line number.
 *
 * A carriage return alone ends a line of FASTA. The parser searches new input once for one; only pieces that have one need the slower
 * search for both kinds of line ends.
 */
#include "seqio/seqio_fasta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The length without the blanks at the end. */
static size_t trimmed(const uint8_t *bytes, size_t n)
{
    while (n > 0 && is_blank(bytes[n - 1]))
        n--;
    return n;
}

/* Returns 1 if a carriage return is followed by anything but a line feed. The last byte of the previous input may be one. */
static int find_bare_cr(const io_input *in)
{
    const uint8_t *p = in->bytes + (in->fresh > in->pos ? in->fresh - 1 : in->pos), *end = in->bytes + in->end;

    while (p < end && (p = memchr(p, '\r', (size_t)(end - p))) != NULL) {
        if (++p < end && *p != '\n')
            return 1;
    }
    return 0;
}

/* The end of the line that p is in, and where the next line begins; NULL if the line does not end before `end`. */
static const uint8_t *line_end(const seqio_fasta *t, const uint8_t *p, const uint8_t *end, const uint8_t **next)
{
    if (!t->has_bare_cr) {
        p = memchr(p, '\n', (size_t)(end - p));
    } else {
        while (p < end && *p != '\n' && (*p != '\r' || p + 1 == end || p[1] == '\n'))
            p++;
        p = p < end ? p : NULL;
    }
    *next = p != NULL ? p + 1 : end;
    return p;
}

static io_status fail_character(const seqio_fasta *t, uint64_t line, uint8_t character, const char *what, io_error *err)
{
    char shown[16];

    snprintf(shown, sizeof shown, character >= ' ' && character < 0x7f ? "'%c'" : "byte 0x%02x", character);
    return io_fail(err, IO_E_INPUT, 0, "%s:%llu: %s %s", t->in->name, (unsigned long long)line, shown, what);
}

/* --- sequence characters --- */

/* The line number of the i-th waiting character: splits the lines again from the first waiting one on. */
static uint64_t line_of(const seqio_fasta *t, size_t i)
{
    const uint8_t *p = t->first, *end = t->in->bytes + t->in->end;
    uint64_t line = t->first_line;

    for (;;) {
        const uint8_t *next, *stop = line_end(t, p, end, &next);
        size_t n = trimmed(p, (size_t)((stop != NULL ? stop : end) - p));
        if (i < n || stop == NULL)
            return line;
        i -= n;
        line++;
        p = next;
    }
}

/* Passes the waiting characters to the sink. */
static io_status flush_residues(seqio_fasta *t, io_error *err)
{
    size_t n_taken = 0;
    io_status status;

    if (t->n_waiting == 0)
        return IO_OK;
    status = t->sink->residues(t->sink->arg, t->waiting, t->n_waiting, NULL, &n_taken, err);
    if (status == IO_E_INPUT && t->sink->fault != NULL) {
        uint8_t character = t->waiting[n_taken];
        return fail_character(t, line_of(t, t->n_flushed + n_taken), character, t->sink->fault(character), err);
    }
    t->n_flushed += n_taken;
    t->waiting += n_taken;
    t->n_waiting -= n_taken;
    return status;
}

/* Moves what waits, in the input so far, to scratch, which has room for more behind it. */
static io_status move_to_scratch(seqio_fasta *t, io_error *err)
{
    if (t->scratch_size < t->in->size) { /* nothing of an older piece waits */
        free(t->scratch);
        t->scratch = malloc(t->in->size);
        t->scratch_size = t->scratch != NULL ? t->in->size : 0;
        if (t->scratch == NULL)
            return io_fail_memory(err, "reading sequences");
    }
    memcpy(t->scratch, t->waiting, t->n_waiting);
    t->waiting = t->scratch;
    return IO_OK;
}

/* Adds n characters of the current line to those that wait. */
static io_status add_waiting(seqio_fasta *t, const uint8_t *p, size_t n, io_error *err)
{
    if (t->n_waiting == 0) {
        t->first = t->waiting = p;
        t->first_line = t->line;
        t->n_waiting = n;
        t->n_flushed = 0;
        return IO_OK;
    }
    if (t->waiting != t->scratch) {
        io_status status = move_to_scratch(t, err);
        if (status != IO_OK)
            return status;
    }
    memcpy(t->scratch + t->n_waiting, p, n);
    t->n_waiting += n;
    return IO_OK;
}

/*
 * Takes whole lines of sequence, from in->pos at the start of a line, while some characters wait: a shortcut for taking one line after the
 * other. Most lines of a genome pass here.
 */
static io_status take_lines(seqio_fasta *t, io_error *err)
{
    const uint8_t *p = t->in->bytes + t->in->pos, *end = t->in->bytes + t->in->end, *lf;
    uint8_t other = t->is_fastq ? '+' : '>', *to;
    io_status status;

    if (p == end || *p == other)
        return IO_OK;
    if (t->waiting != t->scratch) {
        status = move_to_scratch(t, err);
        if (status != IO_OK)
            return status;
    }
    to = t->scratch + t->n_waiting;
    for (; p < end && *p != other && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL; p = lf + 1) {
        size_t n = trimmed(p, (size_t)(lf - p));
        memcpy(to, p, n);
        to += n;
        t->line++;
    }
    t->n_residues += (size_t)(to - t->scratch) - t->n_waiting;
    t->n_waiting = (size_t)(to - t->scratch);
    t->in->pos = (size_t)(p - t->in->bytes);
    return IO_OK;
}

/* Uses n bytes of the current line, from in->pos on. */
static void use(seqio_fasta *t, size_t n)
{
    t->in->pos += n;
    t->column += n;
    t->n_looked_at = 0;
}

/* Takes n sequence characters of the current line, and moves in->pos behind those that the sink took. */
static io_status take_residues(seqio_fasta *t, size_t n, io_error *err)
{
    io_status status = IO_OK;

    if (!t->sink->by_line) {
        status = add_waiting(t, t->in->bytes + t->in->pos, n, err);
        t->n_residues += n;
        use(t, n);
        return status;
    }
    while (n > 0 && status == IO_OK) {
        seqio_position position = {t->in->name, t->line, t->column};
        size_t n_taken = 0;
        status = t->sink->residues(t->sink->arg, t->in->bytes + t->in->pos, n, &position, &n_taken, err);
        t->n_residues += n_taken;
        n -= n_taken;
        use(t, n_taken);
    }
    return status;
}

/* Takes n quality characters, and counts those that exceed the sequence. */
static io_status take_quality(seqio_fasta *t, size_t n, io_error *err)
{
    io_status status = IO_OK;

    while (n > 0 && status == IO_OK) {
        size_t n_wanted = t->n_quality < t->n_residues ? (size_t)(t->n_residues - t->n_quality) : 0, n_taken = n;
        if (t->sink->quality != NULL && n_wanted > 0) {
            n_taken = 0;
            status = t->sink->quality(t->sink->arg, t->in->bytes + t->in->pos, n < n_wanted ? n : n_wanted, &n_taken, err);
        }
        t->n_quality += n_taken;
        n -= n_taken;
        use(t, n_taken);
    }
    return status;
}

/* --- lines --- */

/* Passes the record's raw bytes up to in->pos to the sink. */
static io_status flush_raw(seqio_fasta *t, io_error *err)
{
    size_t n = t->in->pos - t->raw_from;

    if (t->sink->raw == NULL || !t->in_record || n == 0)
        return IO_OK;
    t->raw_from = t->in->pos;
    return t->sink->raw(t->sink->arg, t->in->bytes + t->in->pos - n, n, err);
}

static io_status end_record(seqio_fasta *t, io_error *err)
{
    io_status status = flush_residues(t, err);

    if (status == IO_OK)
        status = flush_raw(t, err);
    if (status == IO_OK)
        status = t->sink->end(t->sink->arg, err);
    t->in_record = status != IO_OK;
    return status;
}

static io_status begin_record(seqio_fasta *t, const char *header, size_t n, io_error *err)
{
    seqio_position position = {t->in->name, t->line, 1};
    io_status status = t->sink->begin(t->sink->arg, header, n, &position, err);

    if (status != IO_OK)
        return status;
    t->in_record = 1;
    t->raw_from = t->in->pos;
    t->n_residues = t->n_quality = 0;
    return IO_OK;
}

/* Determines the kind of the line that begins at in->pos. */
static io_status start_line(seqio_fasta *t, io_error *err)
{
    uint8_t c = t->in->bytes[t->in->pos];
    io_status status = IO_OK;

    if (t->kind == SEQUENCE && c == (t->is_fastq ? '+' : '>')) {
        if (t->is_fastq)
            status = flush_residues(t, err);
        else if (t->in_record)
            status = end_record(t, err);
        if (status != IO_OK)
            return status;
        t->kind = t->is_fastq ? PLUS : HEADER;
    } else if (t->kind == BETWEEN && c == '@') {
        t->kind = HEADER;
    } else if (t->kind == SEQUENCE && !t->in_record) {
        status = begin_record(t, "", 0, err);
        if (status != IO_OK)
            return status;
    }
    t->at_line_start = 0;
    t->column = 1;
    return IO_OK;
}

static io_status fail_quality(const seqio_fasta *t, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s:%llu: the sequence has %llu characters, but its quality has %s%llu", t->in->name,
                   (unsigned long long)t->line, (unsigned long long)t->n_residues, t->n_quality > t->n_residues ? "" : "only ",
                   (unsigned long long)t->n_quality);
}

static io_status end_line(seqio_fasta *t, io_error *err)
{
    if (t->kind == HEADER) {
        t->kind = SEQUENCE;
    } else if (t->kind == PLUS) {
        t->n_quality = 0;
        t->kind = QUALITY;
    } else if (t->kind == QUALITY && t->n_quality >= t->n_residues) {
        if (t->n_quality > t->n_residues)
            return fail_quality(t, err);
        t->kind = BETWEEN;
    }
    return IO_OK;
}

/* Takes the header, whose line ends before `stop`. */
static io_status take_header(seqio_fasta *t, const uint8_t *stop, io_error *err)
{
    const uint8_t *p = t->in->bytes + t->in->pos + 1; /* behind the '>' or '@' */
    io_status status;

    stop -= stop > p && stop[-1] == '\r';
    status = begin_record(t, (const char *)p, (size_t)(stop - p), err);
    if (status == IO_OK)
        use(t, 1 + (size_t)(stop - p));
    return status;
}

/*
 * Takes the rest of the current line, or as much as there is, up to `stop`. is_whole: the line ends there. Marks what stays in the input
 * as scanned up to `stop`.
 */
static io_status take_line(seqio_fasta *t, const uint8_t *stop, int is_whole, io_error *err)
{
    const uint8_t *p = t->in->bytes + t->in->pos;
    size_t n_blanks = t->kind == HEADER ? 0 : t->n_looked_at; /* leading bytes known to be blanks */
    size_t n = trimmed(p + n_blanks, (size_t)(stop - p) - n_blanks);
    io_status status = IO_OK;

    n += n > 0 ? n_blanks : 0;
    if (t->kind == HEADER) {
        if (is_whole)
            return take_header(t, stop, err);
    } else if (t->kind == PLUS) {
        use(t, (size_t)(stop - p));
    } else if (n > 0 && t->kind == BETWEEN) {
        return fail_character(t, t->line, *p, "where the next record should begin with '@'", err);
    } else if (n > 0) {
        status = t->kind == SEQUENCE ? take_residues(t, n, err) : take_quality(t, n, err);
    }
    if (status == IO_OK) { /* the carriage return may turn out to end the line */
        p = t->in->bytes + t->in->pos;
        t->n_looked_at = (size_t)(stop - p) - (stop > p && stop[-1] == '\r');
    }
    return status;
}

/* A record without sequence has an empty quality line, or none. */
static int lacks_quality(const seqio_fasta *t, const uint8_t *p, const uint8_t *end)
{
    return t->kind == QUALITY && t->n_residues == 0 && t->at_line_start && p < end && *p != '\n' && !is_blank(*p);
}

/* When called again because the sink was full, continues at in->pos. */
static io_status take_piece(seqio_fasta *t, io_error *err)
{
    io_input *in = t->in;
    const uint8_t *end = in->bytes + in->end;
    io_status status;

    for (;;) {
        const uint8_t *p = in->bytes + in->pos, *stop, *next;
        if (lacks_quality(t, p, end))
            t->kind = BETWEEN;
        if (t->kind == BETWEEN && t->in_record) {
            status = end_record(t, err);
            if (status != IO_OK)
                return status;
        }
        if (p + t->n_looked_at == end && !t->at_end)
            break;
        if (p == end)
            break;
        if (t->at_line_start) {
            status = start_line(t, err);
            if (status != IO_OK)
                return status;
        }
        stop = line_end(t, p + t->n_looked_at, end, &next);
        status = take_line(t, stop != NULL ? stop : end, stop != NULL || t->at_end, err);
        if (stop != NULL && status == IO_OK)
            status = end_line(t, err);
        if (status != IO_OK)
            return status;
        if (stop == NULL)
            break;
        in->pos = (size_t)(next - in->bytes);
        t->at_line_start = 1;
        t->n_looked_at = 0;
        t->line++;
        if (t->kind == SEQUENCE && t->n_waiting > 0 && !t->has_bare_cr) {
            status = take_lines(t, err);
            if (status != IO_OK)
                return status;
        }
    }
    return flush_residues(t, err);
}

static io_status end_file(seqio_fasta *t, io_error *err)
{
    io_status status = IO_OK;

    if (t->at_line_start)
        t->line--; /* number of the last line, for messages */
    else
        status = end_line(t, err);
    t->at_line_start = 1;
    t->in->pos = t->in->end; /* drops blanks at the end of the last line */
    if (status != IO_OK)
        return status;
    if (t->kind == QUALITY && t->n_residues > 0)
        return fail_quality(t, err);
    if (t->kind == QUALITY)
        t->kind = BETWEEN;
    if (t->is_fastq && t->kind != BETWEEN)
        return io_fail(err, IO_E_INPUT, 0, "%s:%llu: the file ends before the record's quality", t->in->name, (unsigned long long)t->line);
    return t->in_record ? end_record(t, err) : IO_OK;
}

void seqio_fasta_begin(seqio_fasta *t, const seqio_sequence_sink *sink, io_input *in, uint64_t line)
{
    *t = (seqio_fasta){.sink = sink, .in = in, .at_line_start = 1, .line = line, .scratch = t->scratch, .scratch_size = t->scratch_size};
    t->is_fastq = in->bytes[in->pos] == '@';
    t->kind = t->is_fastq ? BETWEEN : SEQUENCE;
    in->fresh = in->pos;
    t->has_bare_cr = !t->is_fastq && find_bare_cr(in);
}

void seqio_fasta_free(seqio_fasta *t) { free(t->scratch); }

io_status seqio_fasta_read(seqio_fasta *t, io_error *err)
{
    io_status status = take_piece(t, err);

    while (status == IO_OK && !t->at_end) {
        status = flush_raw(t, err);
        if (status != IO_OK)
            return status;
        status = io_input_more(t->in, err);
        t->at_end = status == IO_END;
        t->raw_from = t->in->pos;
        if (status != IO_OK && status != IO_END)
            return status;
        t->has_bare_cr = !t->is_fastq && find_bare_cr(t->in);
        status = take_piece(t, err);
    }
    return status == IO_OK ? end_file(t, err) : status;
}
