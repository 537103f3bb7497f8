/*
 * seqio_dna.c - chunks of sequences: io_reader.c has the thread, seqio_sequences reads files or dna_db a database, and dna_reader fills
 * the chunks.
 */
#include "seqio/seqio_dna.h"

#include <stdlib.h>
#include <string.h>

#include "seqio/seqio_dna_db.h"
#include "seqio/seqio_dna_reader.h"

struct seqio_dna {
    seqio_dna_totals totals; /* up to the end of the chunk in use */

    /* Used by the reader only. */
    dna_reader fill;
    dna_db db; /* the database, if there are no files */
};

/* --- the reader's side --- */

/* Called as io_reader_fill. */
static io_status fill_chunk(void *arg, io_error *err)
{
    seqio_dna *r = arg;
    io_status status = dna_begin_chunk(&r->fill, err);

    if (status == IO_OK)
        status = r->fill.source != NULL ? seqio_sequences_read(r->fill.source, err) : dna_db_read(&r->db, &r->fill, err);
    if (status == IO_END)
        status = dna_finish(&r->fill);
    if (status == IO_SINK_FULL)
        return IO_OK;
    return io_reader_is_stopped(&r->fill.reader) ? IO_END : status; /* a file that the reader stopped reading looks truncated */
}

static io_status open_source(seqio_dna *r, const seqio_dna_options *options, io_error *err)
{
    seqio_sequences_options how = {options->paths, options->n_paths, dna_sink(&r->fill), r->fill.reader.cancel_fd, 0};

    if (options->db != NULL) {
        tms_seqdb_info info;
        tms_seqdb_get_info(options->db, &info);
        r->fill.reader.by_caller = info.n_residues < 4 * IO_READER_SMALL_BYTES;
        return dna_db_init(&r->db, options->db, r->fill.ctx, err);
    }
    if (r->fill.reader.by_caller)
        how.buffer_bytes = IO_READER_SMALL_BYTES;
    return seqio_sequences_create(&how, &r->fill.source, err);
}

/* --- the caller's side --- */

io_status seqio_dna_open(const seqio_dna_options *options, seqio_dna **out, io_error *err)
{
    io_status status = io_reader_check_paths(options->paths, options->n_paths, err);
    seqio_dna *r;

    *out = NULL;
    if (status != IO_OK)
        return status;
    r = calloc(1, sizeof *r);
    if (r == NULL)
        return io_fail_memory(err, "reading sequences");
    status = dna_reader_init(&r->fill, options, err);
    if (status == IO_OK)
        status = open_source(r, options, err);
    if (status == IO_OK)
        status = io_reader_start(&r->fill.reader, fill_chunk, r, err);
    if (status != IO_OK) {
        seqio_dna_close(r);
        return status;
    }
    *out = r;
    return IO_OK;
}

io_status seqio_dna_next(seqio_dna *r, seqio_dna_chunk *out, io_error *err)
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
        r->totals = r->fill.so_far; /* the reader is done: also counts empty records at the end */
    }
    return status;
}

void seqio_dna_set_ahead(seqio_dna *r, int n_ahead) { io_reader_set_ahead(&r->fill.reader, n_ahead); }

void seqio_dna_get_totals(const seqio_dna *r, seqio_dna_totals *out) { *out = r->totals; }

void seqio_dna_close(seqio_dna *r)
{
    if (r == NULL)
        return;
    io_reader_close(&r->fill.reader);
    dna_db_free(&r->db);
    dna_reader_free(&r->fill);
    free(r);
}
