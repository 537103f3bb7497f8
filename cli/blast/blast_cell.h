/* blast_cell.h - a cell of a search that is divided among machines: its queries, and the part that it writes. */
#ifndef TAMIS_CLI_BLAST_CELL_H
#define TAMIS_CLI_BLAST_CELL_H

#include "cli/blast/blast_job.h"

/* blast_plan_cell() - --shard, --query-shard and --archive: plan.grid. Returns CLI_OK, or the exit code after a message. */
int blast_plan_cell(blast_job *job, const options_given *given);

/* blast_is_cell() - whether the run writes a part instead of a report. */
bool blast_is_cell(const blast_job *job);

/*
 * blast_cut_queries() - with query shards, sets run.records to the records of this one; reads the file of queries to its end. Shards end
 * with a query batch.
 */
int blast_cut_queries(blast_job *job, tms_molecule molecule);

/*
 * blast_open_cell() - run.cell. The database is open, and the queries are cut. Sets *is_done if the whole part of just this cell is there
 * already.
 */
int blast_open_cell(blast_job *job, tms_molecule query_molecule, int *is_done);

/* blast_check_parts() - whether job->parts are of this search, whose database is open. Returns CLI_OK, or the exit code after a message. */
int blast_check_parts(blast_job *job);

/*
 * blast_take_cell() - takes over what was found for the queries of a call, which are whole batches.
 * blast_put_cell() - writes what was taken.
 */
io_status blast_take_cell(blast_job *job, const tms_seqs *seqs, tms_search_found *found, io_error *err);
io_status blast_put_cell(blast_job *job, io_error *err);

/* blast_end_cell() - the part gets its name. Returns CLI_OK, or the exit code after a message. */
int blast_end_cell(blast_job *job);

#endif
