/* blast_queries.h - the file of queries, read in the batches of BLAST+. */
#ifndef TAMIS_CLI_BLAST_QUERIES_H
#define TAMIS_CLI_BLAST_QUERIES_H

#include "cli/blast/blast_job.h"

/* blast_open_queries() - run.queries; after blast_gpus_use(). Returns IO_OK, or what failed. */
io_status blast_open_queries(blast_job *job, tms_molecule molecule, io_error *err);

#endif
