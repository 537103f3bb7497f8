/* blast_queries.h - reads the queries in the batches of BLAST+. */
#ifndef TAMIS_CLI_BLAST_QUERIES_H
#define TAMIS_CLI_BLAST_QUERIES_H

#include "cli/blast/blast_job.h"

/*
 * blast_open_queries() - opens run.queries, after blast_gpus_use(). If the program sets the size of each batch, a call is one batch.
 * Returns as seqio_blast_records_open().
 */
io_status blast_open_queries(blast_job *job, tms_molecule molecule, io_error *err);

/*
 * blast_next_queries() - the queries of a call from index *at on that are before, in or after run.records, and of one query shard.
 *   at  [in,out] 0 at first
 *   out [out] borrows from the call
 * Returns false if none are left.
 */
bool blast_next_queries(blast_job *job, const tms_seqs *call, size_t *at, tms_seqs *out);

#endif
