/* mask_database.h - the sequences of a database in batches, as records whose headers begin with all their ids. */
#ifndef TAMIS_CLI_MASK_DATABASE_H
#define TAMIS_CLI_MASK_DATABASE_H

#include "cli/cli.h"
#include "io/io_error.h"
#include "seq/seq_batch.h"
#include "seqid/defline_decode.h"
#include "seqid/seqid_parse.h"
#include "tamis/seqdb.h"

/* All zero: closed. */
typedef struct mask_database {
    const char *command;
    tms_context *ctx;
    tms_seqdb *db;
    tms_seqdb_names *names;
    struct seq_batch batch;
    uint64_t n_done, n_sequences;

    /* The sequence whose ids were read last: */
    tms_seqdb_volume volume;
    uint64_t next_volume; /* the number of the next volume */
    struct defline_decoder decoder;
} mask_database;

/* Both return CLI_OK, or the exit code, after a message. mask_database_next(): an empty batch is the end. */
int mask_database_open(mask_database *d, const char *command, tms_context *ctx, const char *names, tms_molecule molecule);
int mask_database_next(mask_database *d, size_t batch_bytes, tms_seqs *seqs);

/*
 * mask_database_ids() - the ids of the first defline of sequence i, as stored: without the release that a text "sp|P12345|" implies.
 *   i   [in]  not below that of the call before
 *   ids [out] up to SEQID_MAX_IDS; their texts are borrowed from the database
 * Returns IO_OK; IO_E_INPUT: the database changed while it was read; IO_E_MEMORY.
 */
io_status mask_database_ids(mask_database *d, uint64_t i, struct seqid *ids, size_t *n_ids, io_error *err) TMS_CHECKED;

void mask_database_close(mask_database *d);

#endif
