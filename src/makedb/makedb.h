/*
 * makedb.h - makes a BLAST database from FASTA or from another BLAST database, as NCBI's makeblastdb does: the same files except for
 * dates.
 *
 * Where makeblastdb has a message, the message is the same. seqio_blast_encoder.h decides which characters are valid; db_writer.h writes
 * the files.
 */
#ifndef TAMIS_MAKEDB_H
#define TAMIS_MAKEDB_H

#include "makedb/db_mask_file.h"
#include "makedb/db_writer.h"
#include "makedb/taxid_map.h"
#include "seqio/seqio_blast_encoder.h"

typedef struct makedb_params {
    const db_mask_source *masks; /* n_masks files of masks; a missing file is skipped with a warning */
    size_t n_masks;
    const char *taxid_map;     /* path of a taxid map (taxid_map.h); NULL: none */
    const tms_seqdb *database; /* a database to read in place of files, with ctx; db then has no inputs. NULL: read files */
    tms_context *ctx;
    db_options db; /* options of the new database, except its masks; its inputs are the files to read, "-" for standard input */
    /* Receive a line of text, without a line feed, for the log and for standard error. */
    seqio_blast_warn *log, *warn;
    void *say_arg;
} makedb_params;

typedef struct makedb_result {
    uint64_t n_sequences, n_residues;
    int replaced;   /* 1: a database of that name was replaced */
    int has_taxids; /* 1: the map has a taxonomy id for a sequence, or is empty */
    int has_masks;  /* 1: at least one sequence has a mask */
} makedb_result;

/*
 * makedb_run() - read the files and write the database: completely, or not at all.
 * Returns IO_OK; IO_E_INPUT; IO_E_OUTPUT; IO_E_REFUSED; IO_E_DATABASE: the database to read is damaged; IO_E_MEMORY. The log gets a line
 * for each file read.
 */
io_status makedb_run(const makedb_params *options, makedb_result *result, io_error *err);

#endif
