/* seqio_dna_db.c - reads one sequence after the other, and packs its bases when a chunk needs them. */
#include "seqio/seqio_dna_db.h"

#include <string.h>

io_status dna_db_init(dna_db *d, const tms_seqdb *db, tms_context *ctx, io_error *err)
{
    tms_seqdb_info info;

    memset(d, 0, sizeof *d);
    d->db = db;
    tms_seqdb_get_info(db, &info);
    d->n = info.n_sequences;
    return tms_seqdb_names_create(ctx, &d->names) == TMS_OK ? IO_OK : io_fail_memory(err, "reading a database");
}

void dna_db_free(dna_db *d) { tms_seqdb_names_destroy(d->names); }

/* Fails with the library's message about the current sequence. */
static io_status fail(const dna_db *d, dna_reader *r, io_error *err)
{
    tms_status status = tms_seqdb_check(r->ctx, d->db, d->next, d->next + 1);

    if (status == TMS_E_MEMORY)
        return io_fail_memory(err, "reading a database");
    return io_fail(err, IO_E_INPUT, 0, "%s", status == TMS_OK ? "the database changed while tamis read it" : tms_context_message(r->ctx));
}

/* The length of a name up to the first byte that ends a name or a line, at most SEQIO_DNA_MAX_NAME. */
static size_t name_size(const char *name, size_t n)
{
    size_t size = 0;

    while (size < n && size < SEQIO_DNA_MAX_NAME && name[size] != '\0' && memchr(" \t\r\n", name[size], 4) == NULL)
        size++;
    return size;
}

/*
 * Begins the next sequence. Its name is its accession, or, if ids were not parsed, the first word of its title, as in the FASTA that
 * blastdbcmd prints.
 */
static io_status begin_sequence(dna_db *d, dna_reader *r, io_error *err)
{
    const tms_seqdb_name *name = NULL;
    const char *text = "";
    size_t n = 0, n_names;
    tms_status read = tms_seqdb_names_read(d->db, d->next, d->names, &n_names);

    if (read != TMS_OK)
        return read == TMS_E_MEMORY ? io_fail_memory(err, "reading a database") : fail(d, r, err);
    if (n_names > 0) {
        name = tms_seqdb_names_get(d->names, 0);
        text = name->has_id ? name->accession : name->title;
        n = name_size(text, name->has_id ? name->accession_size : name->title_size);
    }
    return dna_begin_record(r, text, n, err);
}

io_status dna_db_read(dna_db *d, dna_reader *r, io_error *err)
{
    while (d->next < d->n) {
        io_status status = IO_OK;
        uint64_t before = d->start;

        if (!d->in_sequence) {
            status = begin_sequence(d, r, err);
            d->start = before = 0;
        }
        if (status == IO_OK) {
            d->in_sequence = 1;
            status = dna_add_sequence(r, d->db, d->next, &d->start, err);
            r->n_read += (d->start - before) / 4;
        }
        if (status == IO_E_INPUT && d->in_sequence)
            return fail(d, r, err);
        if (status != IO_OK)
            return status;
        d->in_sequence = 0;
        d->next++;
    }
    return dna_end_record(r, err) == IO_OK ? IO_END : IO_SINK_FULL;
}
