/*
 * makedb.c - turns the parser's events into records, and writes these to the database.
 */
#include "makedb/makedb.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "makedb/db_deflines.h"
#include "makedb/db_source.h"
#include "makedb/isam.h"
#include "seqid/seqid_text.h"
#include "seqio/seqio_sequences.h"

typedef struct makedb {
    const makedb_params *how;
    db_options db; /* the options in how->db, with the masks */
    db_mask_files masks;
    taxid_map taxids;
    db_writer *writer;
    makedb_result *result;
    seqio_blast_encoder encoder;
    db_source source; /* if the input is a database */
    /* The current record: */
    db_deflines deflines;
    struct byte_array codes; /* residues of a protein, or a line of nucleotides */
    struct nucleotide_pack packed;
    uint32_t hash;         /* if the database has an index of hashes */
    uint64_t line;         /* line of its header */
    uint64_t n_records;    /* records of the file so far, including empty ones */
    uint64_t n_added;      /* records of the file in the database so far */
    size_t n_files;        /* files read so far */
    const char *file;      /* the current file, or NULL */
    double start_s;        /* when the current file was opened */
    io_status later_fault; /* a fault in its header behind a control-A; ignored if the record is empty */
    io_error later_error;
    int has_said_odd; /* 1: the warning about replaced bytes in a header has been given */
} makedb;

/* Matches ">?100" and ">?unk100", which mean a gap in the previous record for NCBI's programs. */
static int is_gap(const char *header, size_t n)
{
    size_t at = n > 4 && memcmp(header, "?unk", 4) == 0 ? 4 : 1;

    if (n <= at || header[0] != '?')
        return 0;
    while (at < n && isdigit((unsigned char)header[at]))
        at++;
    return at == n;
}

static io_status begin_record(void *arg, const char *header, size_t n, const seqio_position *position, io_error *err)
{
    makedb *m = arg;
    char text[512];
    io_status status;

    if (is_gap(header, n))
        return io_fail(err, IO_E_INPUT, 0,
                       "%s:%llu: '>%.*s' is a gap to NCBI's programs, which tamis does not support: write the gap as residues or bases",
                       position->file, (unsigned long long)position->line, (int)(n < 64 ? n : 64), header);
    m->n_records++;
    m->line = position->line;
    m->codes.n = 0;
    m->hash = 0;
    nucleotide_pack_begin(&m->packed);
    seqio_blast_encoder_begin(&m->encoder);
    status = db_deflines_take(&m->deflines, header, n, position, err);
    if (m->deflines.n_odd > 0 && !m->has_said_odd) {
        m->has_said_odd = 1;
        snprintf(text, sizeof text, "%.300s:%llu: bytes of a header that are not printable ASCII are stored as '#', here and later",
                 position->file, (unsigned long long)position->line);
        m->how->warn(m->how->say_arg, text);
    }
    m->later_fault = status == IO_E_INPUT && m->deflines.n > 1 ? status : IO_OK;
    if (m->later_fault == IO_OK)
        return status;
    m->later_error = *err;
    return IO_OK;
}

static io_status take_residues(void *arg, const uint8_t *encoder, size_t n, const seqio_position *position, size_t *n_taken, io_error *err)
{
    makedb *m = arg;
    int is_protein = m->how->db.molecule == TMS_PROTEIN;
    uint8_t *codes;
    size_t n_codes;
    io_status status;

    *n_taken = 0;
    if (!is_protein)
        m->codes.n = 0;
    codes = byte_array_room(&m->codes, n);
    if (codes == NULL)
        return io_fail_memory(err, "a sequence");
    status = seqio_blast_encoder_take(&m->encoder, encoder, n, position, codes, &n_codes, err);
    if (status != IO_OK)
        return status;
    if (m->how->db.index_hashes)
        m->hash = isam_hash(m->hash, codes, n_codes);
    if (m->encoder.n_kept > INT32_MAX)
        return io_fail(err, IO_E_INPUT, 0, "%s:%llu: the record has more than %d residues or bases, the limit of a BLAST database",
                       position->file, (unsigned long long)m->line, INT32_MAX);
    if (is_protein)
        m->codes.n += n_codes;
    else if (!nucleotide_pack_add(&m->packed, codes, n_codes))
        return io_fail_memory(err, "a sequence");
    *n_taken = n;
    return IO_OK;
}

/* Sets the taxonomy id of each defline of the record from the map. */
static io_status find_taxids(makedb *m, const db_record *record, io_error *err)
{
    io_status status = IO_OK;
    bool found;

    for (size_t i = 0; m->how->taxid_map != NULL && i < record->n_deflines && status == IO_OK; i++) {
        struct defline *d = &record->deflines[i];
        d->taxid = 0; /* even if the record has one */
        status = taxid_map_find(&m->taxids, d->ids, d->n_ids, &d->taxid, &found, err);
        m->result->has_taxids |= found;
    }
    return status;
}

/* Finds the masks by the ids of the first defline, or by the record's number. */
static io_status find_masks(makedb *m, db_record *record, io_error *err)
{
    const struct seqid number = {.kind = SEQID_LOCAL, .has_number = true, .number = (int64_t)m->n_records};
    const struct defline *first = record->n_deflines > 0 ? &record->deflines[0] : NULL;
    const bool has_ids = first != NULL && first->n_ids > 0;
    io_status status = db_mask_files_find(&m->masks, has_ids ? first->ids : &number, has_ids ? first->n_ids : 1, &record->masks,
                                          &record->n_masks, err);

    m->result->has_masks |= record->n_masks > 0;
    return status;
}

/* Adds a record of any source. */
static io_status add(makedb *m, db_record *record, uint64_t n_residues, io_error *err)
{
    io_status status = find_taxids(m, record, err);

    if (status == IO_OK && m->db.masks != NULL)
        status = find_masks(m, record, err);
    if (status == IO_OK && m->source.n_masks > 0)
        status = db_source_masks(&m->source, record, err);
    if (status != IO_OK)
        return status;
    m->n_added++;
    m->result->n_sequences++;
    m->result->n_residues += n_residues;
    return db_writer_add(m->writer, record, err);
}

static io_status add_record(makedb *m, io_error *err)
{
    db_record record = {.residues = m->codes.bytes,
                        .n_residues = m->codes.n,
                        .deflines = m->deflines.deflines,
                        .n_deflines = m->deflines.n,
                        .hash = m->hash};

    if (m->how->db.molecule == TMS_NUCLEOTIDE) {
        if (!nucleotide_pack_end(&m->packed))
            return io_fail_memory(err, "a sequence");
        record.packed = &m->packed;
    }
    return add(m, &record, m->encoder.n_kept, err);
}

/* Reports an empty record as "lcl|2", by its number, or by the id of its first defline. */
static io_status say_empty(const makedb *m, io_error *err)
{
    struct byte_array id = {NULL, 0, 0};
    char text[512];
    const struct seqid number = {.kind = SEQID_LOCAL, .has_number = true, .number = (int64_t)m->n_records};
    int is_done = seqid_text_fasta(m->deflines.n_ids > 0 ? &m->deflines.ids[0] : &number, &id) && byte_array_add(&id, "", 1);

    if (is_done) {
        snprintf(text, sizeof text, "Ignoring sequence '%.400s' as it has no sequence data", (const char *)id.bytes);
        m->how->log(m->how->say_arg, text);
    }
    free(id.bytes);
    return is_done ? IO_OK : io_fail_memory(err, "a message");
}

static io_status end_record(void *arg, io_error *err)
{
    makedb *m = arg;
    io_status status = seqio_blast_encoder_end(&m->encoder, err);

    if (status != IO_OK)
        return status;
    if (m->encoder.n_kept > 0 && m->later_fault != IO_OK) {
        *err = m->later_error;
        return m->later_fault;
    }
    return m->encoder.n_kept > 0 ? add_record(m, err) : say_empty(m, err);
}

/* Reads the files of masks that exist. */
static io_status read_masks(makedb *m, io_error *err)
{
    io_status status = IO_OK;
    char text[4096 + 128];

    for (size_t i = 0; i < m->how->n_masks && status == IO_OK; i++) {
        const db_mask_source *source = &m->how->masks[i];
        if (access(source->path, F_OK) != 0) {
            snprintf(text, sizeof text, "Error: [makeblastdb] Ignoring mask file '%.4000s' as it does not exist.", source->path);
            m->how->warn(m->how->say_arg, text);
            continue;
        }
        snprintf(text, sizeof text, "Mask file: %.4000s", source->path);
        m->how->log(m->how->say_arg, text);
        status = db_mask_file_read(&m->masks, source, err);
        m->db.masks = &m->masks;
    }
    db_mask_files_sort(&m->masks);
    return status;
}

static void free_makedb(makedb *m)
{
    db_mask_files_free(&m->masks);
    taxid_map_free(&m->taxids);
    db_source_free(&m->source);
    seqio_blast_encoder_free(&m->encoder);
    nucleotide_pack_free(&m->packed);
    db_deflines_free(&m->deflines);
    free(m->codes.bytes);
}

/* Checks that all files exist and that none is empty, before reading any. */
static io_status check_inputs(const makedb_params *how, io_error *err)
{
    struct stat info;

    for (size_t i = 0; how->database == NULL && i < how->db.n_inputs; i++) {
        const char *path = how->db.inputs[i];
        if (strcmp(path, "-") == 0)
            continue;
        if (stat(path, &info) != 0)
            return io_fail(err, IO_E_INPUT, errno, "BLAST options error: File %s does not exist", path);
        if (S_ISREG(info.st_mode) && info.st_size == 0)
            return io_fail(err, IO_E_INPUT, 0, "BLAST options error: File %s is empty", path);
    }
    return IO_OK;
}

static io_status fail_format(const char *file, const char *why, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "BLAST options error: %s does not match input format type, default input type is FASTA%s", file,
                   why);
}

static io_status begin_file(void *arg, const char *file, int is_fastq, io_error *err)
{
    makedb *m = arg;

    m->file = file;
    m->n_records = m->n_added = 0;
    return is_fastq ? fail_format(file, " (it is FASTQ)", err) : IO_OK;
}

/* Logs "Adding sequences from FASTA; ...". */
static void say_added(makedb *m, const char *source)
{
    const double now_s = clock_seconds();
    char text[128];

    snprintf(text, sizeof text, "Adding sequences from %s; added %llu sequences in %g seconds.", source, (unsigned long long)m->n_added,
             now_s - m->start_s);
    m->how->log(m->how->say_arg, text);
    m->start_s = now_s;
}

/* Logs the line about a file that has been read. */
static io_status end_file(void *arg, io_error *err)
{
    makedb *m = arg;

    if (m->n_added == 0)
        return fail_format(m->file, " (no sequence has letters)", err);
    say_added(m, "FASTA");
    m->n_files++;
    m->file = NULL;
    return IO_OK;
}

static io_status read_files(makedb *m, io_error *err)
{
    seqio_sequences_options how = {.paths = m->how->db.inputs,
                                   .n_paths = m->how->db.n_inputs,
                                   .sink = {.arg = m,
                                            .by_line = 1,
                                            .begin_file = begin_file,
                                            .begin = begin_record,
                                            .residues = take_residues,
                                            .end = end_record,
                                            .end_file = end_file},
                                   .cancel_fd = -1};
    seqio_sequences *files;
    io_status status = seqio_sequences_create(&how, &files, err);

    if (status == IO_OK)
        status = seqio_sequences_read(files, err);
    seqio_sequences_free(files);
    if (status == IO_E_INPUT && m->file == NULL && err->sys_errno == 0) { /* the file could not be opened as FASTA: the message says why */
        char why[sizeof err->text];
        snprintf(why, sizeof why, " (%.900s)", err->text);
        return fail_format(m->how->db.inputs[m->n_files], why, err);
    }
    return status == IO_END ? IO_OK : status;
}

/* ---- a database -------------------------------------------------------------------------------------------------- */

/* The sequences have ids, parsed or not, and taxonomy ids of their own. */
static io_status open_database(makedb *m, io_error *err)
{
    io_status status = db_source_open(&m->source, m->how->ctx, m->how->database, &m->masks, err);

    m->source.is_hashed = m->how->db.index_hashes;
    if (m->source.n_masks > 0)
        m->db.masks = &m->masks;
    m->db.parse_ids = 1;
    m->db.taxids_differ |= m->how->db.taxid == 0;
    if (status == IO_OK)
        m->how->log(m->how->say_arg, "Keep Leaf Taxids: T");
    return status;
}

static io_status copy_database(makedb *m, io_error *err)
{
    db_record record;
    io_status status;

    while ((status = db_source_next(&m->source, &record, err)) == IO_OK) {
        for (size_t i = 0; m->how->db.taxid != 0 && i < record.n_deflines; i++)
            record.deflines[i].taxid = m->how->db.taxid;
        status = add(m, &record, record.packed != NULL ? record.packed->n_bases : record.n_residues, err);
        if (status != IO_OK)
            return status;
    }
    if (status != IO_END)
        return status;
    if (m->n_added == 0)
        return io_fail(err, IO_E_DATABASE, 0, "the database has no sequences");
    say_added(m, "raw db source");
    return IO_OK;
}

io_status makedb_run(const makedb_params *how, makedb_result *result, io_error *err)
{
    makedb m = {.how = how, .db = how->db, .result = result, .start_s = clock_seconds()};
    io_status status = check_inputs(how, err);

    *result = (makedb_result){0, 0, 0, 0, 0};
    if (status != IO_OK)
        return status;
    seqio_blast_encoder_init(&m.encoder, how->db.molecule, how->warn, how->say_arg);
    db_deflines_init(&m.deflines, &how->db, how->warn, how->say_arg);
    status = how->taxid_map != NULL ? taxid_map_read(&m.taxids, how->taxid_map, how->db.molecule, err) : IO_OK;
    m.db.taxids_differ = how->taxid_map != NULL;
    result->has_taxids = m.taxids.n_entries == 0;
    if (status == IO_OK)
        status = read_masks(&m, err);
    if (status == IO_OK && how->database != NULL)
        status = open_database(&m, err);
    if (status == IO_OK)
        status = db_writer_open(&m.db, &result->replaced, &m.writer, err);
    if (status == IO_OK)
        status = how->database != NULL ? copy_database(&m, err) : read_files(&m, err);
    if (status == IO_OK) {
        status = db_writer_commit(m.writer, err);
        m.writer = NULL;
    }
    db_writer_abort(m.writer);
    free_makedb(&m);
    return status;
}
