/* db_deflines.c - titles and ids point into buffers, which are made large enough before the first one is added. */
#include "makedb/db_deflines.h"

#include <stdio.h>
#include <string.h>

#include "seqid/seqid_parse.h"

enum { SCRATCH_MORE = 16, MAX_SHOWN = 200 };

/* A header, or one of its parts. */
typedef struct header_part {
    const char *bytes; /* bytes of the input */
    size_t n;
    size_t n_word;    /* length of the first word */
    const char *kept; /* the stored form; points to the same bytes if none of them changed */
    size_t n_kept;
} header_part;

static io_status fail_long(const char *what, const char *whats, const seqio_position *position, size_t size, size_t max, io_error *err)
{
    return io_fail(
        err, IO_E_INPUT, 0,
        "BLAST Database creation error: Near line %llu, the %s is too long.  Its length is %zu but the maximum allowed %s length is "
        "%zu.  Please find and correct all %s that are too long.",
        (unsigned long long)position->line, what, size, what, max, whats);
}

static io_status fail_id(enum seqid_parse_status status, const header_part *p, size_t too_long, const seqio_position *position,
                         io_error *err)
{
    int n = p->n_word < MAX_SHOWN ? (int)p->n_word : MAX_SHOWN;

    switch (status) {
    case SEQID_LONG_LOCAL:
        return fail_long("local id", "local ids", position, too_long, SEQID_MAX_LOCAL, err);
    case SEQID_LONG_GENERAL:
        return fail_long("general id string", "general id strings", position, too_long, SEQID_MAX_GENERAL, err);
    case SEQID_LONG_ACCESSION:
        return fail_long("accession", "accessions", position, too_long, SEQID_MAX_ACCESSION, err);
    case SEQID_BAD_LOCAL:
        return io_fail(err, IO_E_INPUT, 0, "BLAST Database creation error: '%.*s' is not a valid local ID", n, p->bytes);
    default:
        return io_fail(err, IO_E_INPUT, 0, "BLAST Database creation error: Could not construct seq-id from '%.*s'", n, p->bytes);
    }
}

static io_status parse_ids(db_deflines *d, const header_part *p, const seqio_position *position, struct defline *out, io_error *err)
{
    enum seqid_parse_status status = SEQID_PARSED;
    size_t n_ids = 0, too_long = 0;
    char text[256];

    if (p->n_word == 0)
        return io_fail(err, IO_E_INPUT, 0, "BLAST Database creation error: Defline lacks a proper ID around line %llu",
                       (unsigned long long)position->line);
    for (size_t i = 0; i < p->n_word; i++) {
        if (p->bytes[i] <= ' ' || p->bytes[i] > '~' || strchr("\"[]>", p->bytes[i]) != NULL)
            return fail_id(SEQID_BAD_LOCAL, p, 0, position, err);
    }
    status = seqid_parse(p->kept, p->n_word, d->how->molecule, (char *)d->scratch.bytes + d->scratch.n, d->ids + d->n_ids, &n_ids,
                         &too_long);
    if (status != SEQID_PARSED)
        return fail_id(status, p, too_long, position, err);
    if (memchr(p->bytes, ',', p->n_word) != NULL) {
        snprintf(text, sizeof text,
                 "Near line %llu, the sequence id string contains 'comma' symbol, which has been replaced with 'underscore' symbol. Please "
                 "correct the sequence id string.",
                 (unsigned long long)position->line);
        d->warn(d->warn_arg, text);
    }
    d->scratch.n += p->n_word + SCRATCH_MORE;
    out->ids = d->ids + d->n_ids;
    out->n_ids = n_ids;
    d->n_ids += n_ids;
    return IO_OK;
}

static size_t count_parts(const char *header, size_t n)
{
    size_t n_parts = 1;

    for (size_t i = 0; i < n; i++)
        n_parts += header[i] == 1;
    return n_parts;
}

/* Reserves room for everything that the header can become. */
static io_status reserve(db_deflines *d, size_t n, size_t n_parts, io_error *err)
{
    d->n = d->n_ids = d->titles.n = d->scratch.n = 0;
    if (n > SIZE_MAX / 16 || !array_reserve(&d->deflines, &d->capacity, n_parts, sizeof *d->deflines) ||
        !array_reserve(&d->ids, &d->ids_capacity, n_parts * SEQID_MAX_IDS, sizeof *d->ids) || byte_array_room(&d->titles, 3 * n) == NULL ||
        byte_array_room(&d->scratch, n + n_parts * SCRATCH_MORE) == NULL)
        return io_fail_memory(err, "a header");
    return IO_OK;
}

static io_status take_part(db_deflines *d, header_part *p, io_error *err)
{
    size_t before = d->titles.n, n_odd = 0;
    io_status status = seqio_blast_title(p->bytes, p->n, &d->titles, &n_odd, err);

    d->n_odd += n_odd;
    p->kept = (const char *)d->titles.bytes + before;
    p->n_kept = d->titles.n - before;
    for (p->n_word = 0; p->n_word < p->n && p->bytes[p->n_word] != ' ' && p->bytes[p->n_word] != '\t';)
        p->n_word++;
    return status;
}

void db_deflines_init(db_deflines *d, const db_options *how, seqio_blast_warn *warn, void *warn_arg)
{
    *d = (db_deflines){.how = how, .warn = warn, .warn_arg = warn_arg};
}

io_status db_deflines_take(db_deflines *d, const char *header, size_t n, const seqio_position *position, io_error *err)
{
    size_t n_parts = d->how->parse_ids ? count_parts(header, n) : 1;
    io_status status = reserve(d, n, n_parts, err);

    d->n_odd = 0;
    for (size_t i = 0; i < n_parts && status == IO_OK; i++) {
        const char *end = n_parts > 1 ? memchr(header, 1, n) : NULL;
        header_part p = {.bytes = header, .n = end != NULL ? (size_t)(end - header) : n};
        struct defline *defline = &d->deflines[d->n++];
        status = take_part(d, &p, err);
        *defline = (struct defline){.title = {p.kept, p.n_kept}, .taxid = d->how->taxid};
        header += p.n + (end != NULL);
        n -= p.n + (end != NULL);
        if (status != IO_OK || !d->how->parse_ids)
            continue;
        status = parse_ids(d, &p, position, defline, err);
        p.n_word += p.n_word < p.n_kept; /* one blank separates the word from the title */
        defline->title = (struct text){p.kept + p.n_word, p.n_kept - p.n_word};
    }
    return status;
}

void db_deflines_free(db_deflines *d)
{
    free(d->deflines);
    free(d->titles.bytes);
    free(d->scratch.bytes);
    free(d->ids);
    memset(d, 0, sizeof *d);
}
