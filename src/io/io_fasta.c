/*
 * io_fasta.c - FASTA and FASTQ: lines to names and letters, a piece of the file at a time.
 *
 * The letters of a piece's lines are copied together and encoded in one call for each record; a piece may end anywhere in a
 * line. Where a letter is none, the piece is gone through again for the number of its line.
 */
#include "io_fasta.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Without the blanks at the end. */
static size_t trimmed(const uint8_t *bytes, size_t n)
{
    while (n > 0 && is_blank(bytes[n - 1]))
        n--;
    return n;
}

static io_status fail_letter(const dna_text *t, uint64_t line, uint8_t letter, const char *what, io_error *err)
{
    char shown[16];

    snprintf(shown, sizeof shown, letter >= ' ' && letter < 0x7f ? "'%c'" : "byte 0x%02x", letter);
    return io_fail(err, IO_E_INPUT, 0, "%s:%llu: %s %s", t->in->name, (unsigned long long)line, shown, what);
}

static io_status fail_no_nucleotide(const dna_text *t, uint64_t line, uint8_t letter, io_error *err)
{
    const char *what = "is not a nucleotide";

    if (letter == '-')
        what = "is not a nucleotide: gaps are not allowed here";
    else if (letter != 0 && strchr("EFILPQZJO*", toupper(letter)) != NULL)
        what = "is not a nucleotide; is this protein?";
    return fail_letter(t, line, letter, what, err);
}

/* The line of letter i of those that wait: from the first of them on, lines are taken apart as before. */
static uint64_t line_of(const dna_text *t, size_t i, const uint8_t *end)
{
    const uint8_t *p = t->first;
    uint64_t line = t->first_line;

    for (;;) {
        const uint8_t *lf = memchr(p, '\n', (size_t)(end - p));
        size_t n = trimmed(p, (size_t)((lf != NULL ? lf : end) - p));
        if (i < n || lf == NULL)
            return line;
        i -= n;
        line++;
        p = lf + 1;
    }
}

/* Encodes the letters that wait. end: of the piece. */
static io_status flush_letters(dna_text *t, const uint8_t *end, io_error *err)
{
    size_t n_done;
    io_status status = dna_add_letters(t->r, t->letters + t->n_encoded, t->n_letters - t->n_encoded, &n_done, err);

    t->n_encoded += n_done;
    if (status == IO_E_INPUT)
        return fail_no_nucleotide(t, line_of(t, t->n_encoded, end), (uint8_t)t->letters[t->n_encoded], err);
    if (status == IO_OK)
        t->n_letters = t->n_encoded = 0;
    return status;
}

/* What is the line that begins with c? */
static io_status start_line(dna_text *t, uint8_t c, const uint8_t *end, io_error *err)
{
    t->n_blanks = 0;
    if (t->kind == SEQUENCE && c == (t->is_fastq ? '+' : '>')) {
        io_status status = flush_letters(t, end, err);
        if (status != IO_OK)
            return status;
        t->kind = t->is_fastq ? PLUS : HEADER;
    } else if (t->kind == BETWEEN && c == '@') {
        t->kind = HEADER;
    }
    if (t->kind == HEADER) {
        t->n_letters = 0;
        t->has_name = 0;
    }
    return IO_OK;
}

/* The name is the header's first word. */
static io_status take_name(dna_text *t, const uint8_t *p, size_t n, io_error *err)
{
    for (size_t i = 0; i < n && !t->has_name; i++) {
        if (is_blank(p[i])) {
            t->has_name = t->n_letters > 0;
            continue;
        }
        if (p[i] == '\0')
            return fail_letter(t, t->line, p[i], "in a name", err);
        if (t->n_letters == IO_DNA_MAX_NAME)
            return io_fail(err, IO_E_INPUT, 0, "%s:%llu: a name of more than %d bytes", t->in->name, (unsigned long long)t->line,
                           IO_DNA_MAX_NAME);
        t->letters[t->n_letters++] = (char)p[i];
    }
    return IO_OK;
}

/* Some of the current line, without a line feed. */
static io_status take_bytes(dna_text *t, const uint8_t *p, size_t n, io_error *err)
{
    size_t n_trimmed;

    if (t->kind == HEADER)
        return take_name(t, p, n, err);
    if (t->kind == PLUS)
        return IO_OK;
    n_trimmed = trimmed(p, n);
    if (n_trimmed > 0 && t->kind == BETWEEN)
        return fail_letter(t, t->line, *p, "where the next record should begin with '@'", err);
    if (n_trimmed > 0 && t->n_blanks > 0) { /* they were not the line's end */
        if (t->kind == SEQUENCE)
            return fail_no_nucleotide(t, t->line, t->blank, err);
        t->n_quality += t->n_blanks;
        t->n_blanks = 0;
    }
    if (n > n_trimmed && t->n_blanks == 0)
        t->blank = p[n_trimmed];
    t->n_blanks += n - n_trimmed;
    if (t->kind == QUALITY) {
        t->n_quality += n_trimmed;
    } else if (t->kind == SEQUENCE && n_trimmed > 0) {
        if (t->n_letters == 0) {
            t->first = p;
            t->first_line = t->line;
        }
        memcpy(t->letters + t->n_letters, p, n_trimmed);
        t->n_letters += n_trimmed;
    }
    return IO_OK;
}

static io_status fail_quality(const dna_text *t, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s:%llu: the sequence has %llu letters and its quality %s%llu characters", t->in->name,
                   (unsigned long long)t->line, (unsigned long long)dna_record_bases(t->r),
                   t->n_quality > dna_record_bases(t->r) ? "" : "only ", (unsigned long long)t->n_quality);
}

static io_status end_line(dna_text *t, io_error *err)
{
    if (t->kind == HEADER) {
        io_status status = dna_begin_record(t->r, t->letters, t->n_letters, err);
        if (status != IO_OK)
            return status;
        t->n_letters = 0;
        t->kind = SEQUENCE;
        return IO_OK;
    }
    if (t->kind == PLUS) {
        t->n_quality = 0;
        t->kind = dna_record_bases(t->r) > 0 ? QUALITY : BETWEEN;
    } else if (t->kind == QUALITY && t->n_quality >= dna_record_bases(t->r)) {
        if (t->n_quality > dna_record_bases(t->r))
            return fail_quality(t, err);
        t->kind = BETWEEN;
    }
    return IO_OK;
}

/* What is called again with a new chunk goes on where in->pos is: at the start or at the end of a line, or at the end of the piece. */
static io_status take_piece(dna_text *t, io_error *err)
{
    dna_input *in = t->in;
    const uint8_t *end = in->bytes + in->end;
    io_status status;

    while (in->pos < in->end) {
        const uint8_t *p = in->bytes + in->pos, *lf;
        if (t->at_line_start) {
            status = start_line(t, *p, end, err);
            if (status != IO_OK)
                return status;
            t->at_line_start = 0;
            p += t->kind == HEADER;
        }
        lf = memchr(p, '\n', (size_t)(end - p));
        status = take_bytes(t, p, (size_t)((lf != NULL ? lf : end) - p), err);
        in->pos = (size_t)((lf != NULL ? lf : end) - in->bytes);
        if (lf != NULL && status == IO_OK)
            status = end_line(t, err);
        if (status != IO_OK)
            return status;
        if (lf == NULL)
            break;
        t->at_line_start = 1;
        t->line++;
        in->pos++;
    }
    return t->kind == SEQUENCE ? flush_letters(t, end, err) : IO_OK;
}

static io_status end_file(dna_text *t, io_error *err)
{
    io_status status = t->at_line_start ? IO_OK : end_line(t, err);

    if (t->at_line_start)
        t->line--; /* of the last line, for messages */
    if (status != IO_OK || !t->is_fastq || t->kind == BETWEEN)
        return status;
    if (t->kind == QUALITY)
        return fail_quality(t, err);
    return io_fail(err, IO_E_INPUT, 0, "%s:%llu: the file ends before the record's quality", t->in->name, (unsigned long long)t->line);
}

void dna_text_begin(dna_text *t, dna_reader *r, dna_input *in, char *letters, uint64_t line)
{
    *t = (dna_text){.r = r, .in = in, .at_line_start = 1, .line = line, .letters = letters};
    t->is_fastq = in->bytes[in->pos] == '@';
    t->kind = t->is_fastq ? BETWEEN : SEQUENCE;
}

io_status dna_text_read(dna_text *t, io_error *err)
{
    while (!t->at_end) {
        io_status status = take_piece(t, err);
        if (status == IO_OK)
            status = dna_input_more(t->in, err);
        t->at_end = status == IO_END;
        if (status != IO_OK && status != IO_END)
            return status;
    }
    return end_file(t, err);
}
