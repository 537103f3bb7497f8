/* mask_database.h - the sequences of a database in batches, as records of which the headers begin with all their ids. */
#ifndef TAMIS_CLI_MASK_DATABASE_H
#define TAMIS_CLI_MASK_DATABASE_H

#include "cli/cli.h"
#include "seq/seq_batch.h"
#include "tamis/seqdb.h"

/* All zero: closed. */
typedef struct mask_database {
    const char *command;
    tms_context *ctx;
    tms_seqdb *db;
    tms_seqdb_names *names;
    struct seq_batch batch;
    uint64_t n_done, n_sequences;
} mask_database;

/* Both return CLI_OK, or the exit code, having said why. mask_database_next(): no records are left where there are none. */
int mask_database_open(mask_database *d, const char *command, tms_context *ctx, const char *names, tms_molecule molecule);
int mask_database_next(mask_database *d, size_t batch_bytes, tms_seqs *seqs);
void mask_database_close(mask_database *d);

#endif
