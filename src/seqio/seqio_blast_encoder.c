/* seqio_blast_encoder.c - most lines have nothing special: one pass through a table encodes them. */
#include "seqio/seqio_blast_encoder.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tamis/alphabet.h"

enum {
    SPECIAL = 0x80, /* a bit that no code has; with it, the byte is one of: */
    BAD = SPECIAL,
    BLANK,
    COMMENT,
    HYPHEN
};

enum { MAX_LOOKED_AT = 70, CODE_GAP = 0, CODE_N = 15 };

void seqio_blast_encoder_init(seqio_blast_encoder *l, tms_molecule molecule, seqio_blast_warn *warn, void *warn_arg)
{
    const uint8_t *codes = tms_alphabet_codes(molecule == TMS_PROTEIN ? TMS_ALPHABET_NCBISTDAA : TMS_ALPHABET_NCBI4NA);

    memset(l, 0, sizeof *l);
    for (int c = 0; c < 256; c++)
        l->codes[c] = codes[c] != TMS_NO_CODE ? codes[c] : isspace(c) ? BLANK : BAD;
    l->codes[';'] = COMMENT;
    l->codes['-'] = HYPHEN;
    if (molecule == TMS_NUCLEOTIDE)
        l->codes['x'] = l->codes['X'] = BAD;
    l->keep_hyphens = 1;
    l->hyphen = molecule == TMS_PROTEIN ? CODE_GAP : CODE_N;
    l->begin_of = "BLAST Database creation error: ";
    l->warn = warn;
    l->warn_arg = warn_arg;
}

void seqio_blast_encoder_free(seqio_blast_encoder *l)
{
    free(l->positions.bytes);
    l->positions = (struct byte_array){NULL, 0, 0};
}

void seqio_blast_encoder_begin(seqio_blast_encoder *l)
{
    l->n_kept = 0;
    l->line = 0;
}

/* Appends the current run of dropped bytes to the warning's text. */
static io_status end_run(seqio_blast_encoder *l, io_error *err)
{
    char text[64];
    int n;

    if (l->first_bad == 0)
        return IO_OK;
    n = snprintf(text, sizeof text, "%s%llu", l->positions.n > 0 ? ", " : "", (unsigned long long)l->first_bad);
    if (l->last_bad > l->first_bad)
        n += snprintf(text + n, sizeof text - (size_t)n, "-%llu", (unsigned long long)l->last_bad);
    l->first_bad = 0;
    return byte_array_add(&l->positions, text, (size_t)n) ? IO_OK : io_fail_memory(err, "a warning");
}

static io_status warn_of_line(seqio_blast_encoder *l, io_error *err)
{
    struct byte_array text = {NULL, 0, 0};
    char start[96];
    int n = snprintf(start, sizeof start,
                     "FASTA-Reader: Ignoring invalid residues at position(s): On line %llu: ", (unsigned long long)l->line);
    io_status status = IO_OK;

    if (byte_array_add(&text, start, (size_t)n) && byte_array_add(&text, l->positions.bytes, l->positions.n) &&
        byte_array_add(&text, "", 1))
        l->warn(l->warn_arg, (const char *)text.bytes);
    else
        status = io_fail_memory(err, "a warning");
    free(text.bytes);
    return status;
}

static io_status end_line(seqio_blast_encoder *l, io_error *err)
{
    char text[128];
    io_status status;

    if (l->line == 0)
        return IO_OK;
    if (l->is_checked && l->n_looked_at > 0 && l->n_bad >= l->n_good / 3 && (l->n_looked_at > 3 || l->n_good == 0 || l->n_bad > l->n_good))
        return io_fail(err, IO_E_INPUT, 0,
                       "%sNear line %llu, there's a line that doesn't look like plausible data, but it's not marked as defline or comment.",
                       l->begin_of, (unsigned long long)l->line);
    if (l->has_hyphens) {
        snprintf(text, sizeof text, "CFastaReader: Hyphens are invalid and will be ignored around line %llu", (unsigned long long)l->line);
        l->warn(l->warn_arg, text);
    }
    status = end_run(l, err);
    if (status == IO_OK && l->positions.n > 0)
        status = warn_of_line(l, err);
    l->positions.n = 0;
    return status;
}

static void begin_line(seqio_blast_encoder *l, uint64_t line)
{
    l->line = line;
    l->n_blanks = 0;
    l->is_comment = 0;
    l->is_checked = l->n_kept == 0;
    l->n_looked_at = l->n_good = l->n_bad = 0;
    l->first_bad = l->last_bad = 0;
    l->has_hyphens = 0;
}

/* Counts a byte of a line that has to look like data. What follows ';' counts like blanks and digits. */
static void look_at(seqio_blast_encoder *l, uint8_t character)
{
    if (l->n_looked_at == MAX_LOOKED_AT)
        return;
    l->n_looked_at++;
    if (l->is_comment || character == ';' || isspace(character) || isdigit(character))
        return;
    if (isalpha(character) || character == '*' || (character == '-' && l->keep_hyphens))
        l->n_good++;
    else if (character != '-')
        l->n_bad++;
}

static io_status drop(seqio_blast_encoder *l, uint64_t position, io_error *err)
{
    io_status status = IO_OK;

    if (l->first_bad > 0 && position == l->last_bad + 1) {
        l->last_bad = position;
        return IO_OK;
    }
    status = end_run(l, err);
    l->first_bad = l->last_bad = position;
    return status;
}

/* Takes a part of a line that has a special byte, or that has to look like data. */
static io_status take_slowly(seqio_blast_encoder *l, const uint8_t *characters, size_t n, uint64_t column, uint8_t *codes, size_t *n_codes,
                             io_error *err)
{
    size_t n_kept = 0;
    io_status status = IO_OK;

    for (size_t i = 0; i < n && status == IO_OK; i++) {
        uint8_t code = l->codes[characters[i]];
        if (code == BLANK && column + i == l->n_blanks + 1) {
            l->n_blanks++;
            continue;
        }
        if (l->is_checked)
            look_at(l, characters[i]);
        l->is_comment |= code == COMMENT;
        if (l->is_comment && !(l->is_checked && l->n_looked_at < MAX_LOOKED_AT))
            break;
        if (l->is_comment)
            continue;
        if (code == HYPHEN && l->keep_hyphens)
            codes[n_kept++] = l->hyphen;
        else if (code == HYPHEN)
            l->has_hyphens = 1;
        else if (code == BAD)
            status = drop(l, column + i - l->n_blanks, err);
        else if (code < SPECIAL)
            codes[n_kept++] = code;
    }
    *n_codes = n_kept;
    return status;
}

io_status seqio_blast_encoder_take(seqio_blast_encoder *l, const uint8_t *characters, size_t n, const seqio_position *position,
                                   uint8_t *codes, size_t *n_codes, io_error *err)
{
    io_status status = IO_OK;
    uint8_t any = 0;

    *n_codes = 0;
    if (position->line != l->line) {
        status = end_line(l, err);
        if (status != IO_OK)
            return status;
        begin_line(l, position->line);
        if (n > 0 && position->column == 1 && (characters[0] == '!' || characters[0] == '#' || characters[0] == ';')) {
            l->is_comment = 1;
            l->is_checked = 0;
        }
    }
    if (l->is_comment && !l->is_checked)
        return IO_OK;
    if (!l->is_checked) {
        for (size_t i = 0; i < n; i++) {
            codes[i] = l->codes[characters[i]];
            any |= codes[i];
        }
    }
    if (l->is_checked || (any & SPECIAL))
        status = take_slowly(l, characters, n, position->column, codes, n_codes, err);
    else
        *n_codes = n;
    l->n_kept += *n_codes;
    return status;
}

io_status seqio_blast_encoder_end(seqio_blast_encoder *l, io_error *err)
{
    io_status status = end_line(l, err);

    l->line = 0;
    return status;
}

io_status seqio_blast_title(const char *header, size_t n, struct byte_array *to, size_t *n_changed, io_error *err)
{
    uint8_t *at;

    *n_changed = 0;
    at = n <= SIZE_MAX / 4 ? byte_array_room(to, 3 * n) : NULL;
    if (at == NULL)
        return io_fail_memory(err, "a title");
    for (size_t i = 0; i < n; i++) {
        uint8_t c = (uint8_t)header[i];
        if (c == '\t') {
            memset(at, ' ', 3);
            at += 3;
        } else if (c == 1) {
            *at++ = ' ';
        } else {
            int is_odd = c < ' ' || c > '~';
            *at++ = is_odd ? '#' : c;
            *n_changed += (size_t)is_odd;
        }
    }
    to->n = (size_t)(at - to->bytes);
    return IO_OK;
}
