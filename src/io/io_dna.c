/*
 * io_dna.c - chunks of sequences: a thread of io_reader.c opens the files and sees what they are, the readers of one format each read
 * them, and dna_reader fills the chunks.
 */
#include "io_dna.h"

#include <stdlib.h>
#include <string.h>

#include "io_dna_reader.h"
#include "io_fasta.h"
#include "io_kinds.h"
#include "io_t2b.h"

enum { READ_BYTES = 128 << 10 };

struct io_dna {
    io_dna_options options;
    dna_reader fill; /* the thread's */
    io_dna_totals totals; /* as of the chunk in use */
    char *letters;
};

/* --- the thread's side --- */

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

/* Returns IO_OK at its end; IO_END when told to stop. */
static io_status read_open_file(io_dna *r, dna_input *in, io_error *err)
{
    uint64_t line, n_bases = dna_bases_so_far(&r->fill);
    io_status status = find_start(in, &line, err);

    if (status != IO_OK)
        return status;
    if (in->pos == in->end)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: the file is empty", in->name);
    if (t2b_is_magic(in->bytes + in->pos, in->end - in->pos))
        status = dna_read_t2b(&r->fill, in, err);
    else if (in->bytes[in->pos] == '>' || in->bytes[in->pos] == '@')
        status = dna_read_text(&r->fill, in, r->letters, line, err);
    else if ((status = io_kind_check(in->name, in->bytes + in->pos, in->end - in->pos, "FASTA, FASTQ or .t2b", err)) == IO_OK)
        status = io_fail(err, IO_E_INPUT, 0, "%s:%llu: neither FASTA ('>') nor FASTQ ('@') nor .t2b", in->name,
                         (unsigned long long)line);
    if (status == IO_OK)
        status = dna_end_record(&r->fill, err);
    if (status == IO_OK && dna_bases_so_far(&r->fill) == n_bases)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: there are names, but no bases", in->name);
    return status;
}

static io_status read_file(io_dna *r, const char *path, io_error *err)
{
    dna_input *in = &r->fill.input;
    io_status status = io_stream_open(path, r->fill.reader.cancel_fd, &in->stream, err);

    if (status != IO_OK)
        return status;
    in->name = io_stream_name(path);
    in->pos = in->end = 0;
    status = read_open_file(r, in, err);
    r->fill.n_before += io_stream_offset(in->stream);
    io_stream_close(in->stream);
    in->stream = NULL;
    return io_reader_is_stopped(&r->fill.reader) ? IO_END : status; /* a file that was left looks cut */
}

static void *reader_main(void *arg)
{
    io_dna *r = arg;
    io_status status = IO_OK;
    io_error err = {0, ""};

    for (size_t i = 0; i < r->options.n_paths && status == IO_OK; i++)
        status = read_file(r, r->options.paths[i], &err);
    if (status == IO_OK)
        status = dna_finish(&r->fill, &err);
    io_reader_finish(&r->fill.reader, status, &err);
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
    r->letters = malloc(READ_BYTES);
    status = dna_reader_init(&r->fill, options, READ_BYTES, err);
    if (status == IO_OK && r->letters == NULL)
        status = io_fail_memory(err, "reading sequences");
    if (status == IO_OK)
        status = io_reader_start(&r->fill.reader, reader_main, r, err);
    if (status != IO_OK) {
        io_dna_close(r);
        return status;
    }
    *out = r;
    return IO_OK;
}

io_status io_dna_next(io_dna *r, io_dna_chunk *out, io_error *err)
{
    io_status status = io_reader_next(&r->fill.reader, err);

    memset(out, 0, sizeof *out);
    if (status == IO_OK) {
        const dna_chunk *c = &r->fill.chunks[r->fill.reader.in_use];
        out->dna.codes = c->room.codes;
        out->dna.n_bases = c->room.n_bases;
        out->dna.parts = c->parts;
        out->dna.n_parts = c->n_parts;
        out->dna.runs = c->room.runs;
        out->dna.n_runs = c->room.n_runs;
        out->n_read = c->n_read;
        r->totals = c->totals;
    } else if (status == IO_END) {
        r->totals = r->fill.so_far; /* the reader is done: empty records at the end are in it */
    }
    return status;
}

void io_dna_set_ahead(io_dna *r, int n_ahead) { io_reader_set_ahead(&r->fill.reader, n_ahead); }

void io_dna_get_totals(const io_dna *r, io_dna_totals *out) { *out = r->totals; }

void io_dna_close(io_dna *r)
{
    if (r == NULL)
        return;
    io_reader_close(&r->fill.reader);
    dna_reader_free(&r->fill);
    free(r->letters);
    free(r);
}
