/*
 * io_dna.c - chunks of sequences: for io_reader.c, which has the thread, it opens the files and sees what they are, the readers of one
 * format each read them, and dna_reader fills the chunks.
 */
#include "io_dna.h"

#include <stdlib.h>
#include <string.h>

#include "io_dna_reader.h"
#include "io_fasta.h"
#include "io_kinds.h"
#include "io_t2b.h"

/* What comes next of the current file. */
typedef enum file_state { NOT_OPEN, TEXT, T2B, LAST_RECORD } file_state;

struct io_dna {
    io_dna_options options;
    io_dna_totals totals; /* as of the chunk in use */

    /* The reader's own. */
    dna_reader fill;
    size_t file;
    file_state state;
    uint64_t n_before; /* bases of the files before */
    dna_text text;
    t2b_reader *t2b;
    char *letters;
};

/* --- the reader's side --- */

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

/* Opens the next file and sees what it is. */
static io_status begin_file(io_dna *r, io_error *err)
{
    dna_input *in = &r->fill.input;
    const char *path = r->options.paths[r->file];
    io_status status = io_stream_open(path, r->fill.reader.cancel_fd, &in->stream, err);
    uint64_t line;

    if (status != IO_OK)
        return status;
    in->name = io_stream_name(path);
    in->pos = in->end = 0;
    r->n_before = dna_bases_so_far(&r->fill);
    status = find_start(in, &line, err);
    if (status != IO_OK)
        return status;
    if (in->pos == in->end)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: the file is empty", in->name);
    if (t2b_is_magic(in->bytes + in->pos, in->end - in->pos)) {
        r->state = T2B;
        return t2b_reader_create(&r->fill, in, &r->t2b, err);
    }
    if (in->bytes[in->pos] == '>' || in->bytes[in->pos] == '@') {
        r->state = TEXT;
        dna_text_begin(&r->text, &r->fill, in, r->letters, line);
        return IO_OK;
    }
    status = io_kind_check(in->name, in->bytes + in->pos, in->end - in->pos, "FASTA, FASTQ or .t2b", err);
    if (status != IO_OK)
        return status;
    return io_fail(err, IO_E_INPUT, 0, "%s:%llu: neither FASTA ('>') nor FASTQ ('@') nor .t2b", in->name, (unsigned long long)line);
}

static void close_file(io_dna *r)
{
    dna_input *in = &r->fill.input;

    t2b_reader_free(r->t2b);
    r->t2b = NULL;
    if (in->stream != NULL)
        r->fill.n_before += io_stream_offset(in->stream);
    io_stream_close(in->stream);
    in->stream = NULL;
    r->state = NOT_OPEN;
}

/* The last record ends, and with it the file. */
static io_status end_file(io_dna *r, io_error *err)
{
    io_status status = dna_end_record(&r->fill, err);

    if (status == IO_OK && dna_bases_so_far(&r->fill) == r->n_before)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: there are names, but no bases", r->fill.input.name);
    if (status == IO_OK) {
        close_file(r);
        r->file++;
    }
    return status;
}

/* As io_reader_fill. */
static io_status fill_chunk(void *arg, io_error *err)
{
    io_dna *r = arg;
    io_status status = dna_begin_chunk(&r->fill, err);

    while (status == IO_OK) {
        switch (r->state) {
        case NOT_OPEN:
            status = r->file < r->options.n_paths ? begin_file(r, err) : dna_finish(&r->fill);
            break;
        case TEXT:
        case T2B:
            status = r->state == TEXT ? dna_text_read(&r->text, err) : t2b_read(r->t2b, err);
            if (status == IO_OK)
                r->state = LAST_RECORD;
            break;
        case LAST_RECORD:
            status = end_file(r, err);
            break;
        }
    }
    if (status == DNA_FULL)
        return IO_OK;
    return io_reader_is_stopped(&r->fill.reader) ? IO_END : status; /* a file that was left looks cut */
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
    status = dna_reader_init(&r->fill, options, err);
    if (status == IO_OK && (r->letters = malloc(r->fill.input.size)) == NULL)
        status = io_fail_memory(err, "reading sequences");
    if (status == IO_OK)
        status = io_reader_start(&r->fill.reader, fill_chunk, r, err);
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
    close_file(r);
    dna_reader_free(&r->fill);
    free(r->letters);
    free(r);
}
