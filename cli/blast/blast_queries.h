/* blast_queries.h - reads the queries in the batches of BLAST+. */
#ifndef TAMIS_CLI_BLAST_QUERIES_H
#define TAMIS_CLI_BLAST_QUERIES_H

#include "cli/blast/blast_job.h"

/* blast_open_queries() - opens run.queries, after blast_gpus_use(). Returns as seqio_blast_records_open(). */
io_status blast_open_queries(blast_job *job, tms_molecule molecule, io_error *err);

#endif
