/*
 * io_makedb.h - FASTA, or a BLAST database, to a BLAST database, as NCBI's makeblastdb makes it: the same files but for dates.
 *
 * Messages are makeblastdb's where it has one. The letters: io_blast_letters.h; the files: io_db_writer.h.
 */
#ifndef TAMIS_IO_MAKEDB_H
#define TAMIS_IO_MAKEDB_H

#include "io_blast_letters.h"
#include "io_db_writer.h"
#include "io_mask_file.h"
#include "io_taxid_map.h"

typedef struct io_makedb_options {
    const io_mask_source *masks; /* n_masks files of masks; one that is not there is passed over, with a warning */
    size_t n_masks;
    const char *taxid_map;     /* a file (io_taxid_map.h); NULL: none */
    const tms_seqdb *database; /* in place of files, which the options have none of then; ctx: to read it with. NULL: files */
    tms_context *ctx;
    io_db_options db; /* but for its masks; with the files to be read as inputs, "-" for standard input */
    /* A line, without its end, for the log, and for standard error. */
    io_blast_warn *log, *warn;
    void *say_arg;
} io_makedb_options;

typedef struct io_makedb_result {
    uint64_t n_sequences, n_letters;
    int replaced;   /* a database of that name */
    int has_taxids; /* the map has one of a sequence, or says nothing */
    int has_masks;  /* something of a sequence is masked */
} io_makedb_result;

/*
 * io_makedb() - read the files, write the database: whole, or not at all.
 * Returns IO_OK; IO_E_INPUT; IO_E_OUTPUT; IO_E_REFUSED; IO_E_DATABASE: the one that is read is damaged; IO_E_MEMORY. The log has a line for
 * each file that was read.
 */
io_status io_makedb(const io_makedb_options *options, io_makedb_result *result, io_error *err);

#endif
