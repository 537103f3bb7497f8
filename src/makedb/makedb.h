/*
 * makedb.h - FASTA, or a BLAST database, to a BLAST database, as NCBI's makeblastdb makes it: the same files but for dates.
 *
 * Messages are makeblastdb's where it has one. The letters: seqio_blast_letters.h; the files: db_writer.h.
 */
#ifndef TAMIS_IO_MAKEDB_H
#define TAMIS_IO_MAKEDB_H

#include "makedb/db_mask_file.h"
#include "makedb/db_writer.h"
#include "makedb/taxid_map.h"
#include "seqio/seqio_blast_letters.h"

typedef struct makedb_params {
    const db_mask_source *masks; /* n_masks files of masks; one that is not there is passed over, with a warning */
    size_t n_masks;
    const char *taxid_map;     /* a file (taxid_map.h); NULL: none */
    const tms_seqdb *database; /* in place of files, which the options have none of then; ctx: to read it with. NULL: files */
    tms_context *ctx;
    db_options db; /* but for its masks; with the files to be read as inputs, "-" for standard input */
    /* A line, without its end, for the log, and for standard error. */
    seqio_blast_warn *log, *warn;
    void *say_arg;
} makedb_params;

typedef struct makedb_result {
    uint64_t n_sequences, n_letters;
    int replaced;   /* a database of that name */
    int has_taxids; /* the map has one of a sequence, or says nothing */
    int has_masks;  /* something of a sequence is masked */
} makedb_result;

/*
 * makedb_run() - read the files, write the database: whole, or not at all.
 * Returns IO_OK; IO_E_INPUT; IO_E_OUTPUT; IO_E_REFUSED; IO_E_DATABASE: the one that is read is damaged; IO_E_MEMORY. The log has a line for
 * each file that was read.
 */
io_status makedb_run(const makedb_params *options, makedb_result *result, io_error *err);

#endif
