/* blast_stats.h - writes --stats: parameters, and the numbers of what passed each stage of a search, as JSON. */
#ifndef TAMIS_CLI_BLAST_STATS_H
#define TAMIS_CLI_BLAST_STATS_H

#include <jansson.h>

#include "cli/blast/blast_job.h"
#include "tamis/blastp.h"

/* blast_stats_is() - whether --stats of a search program wrote a file that begins with these bytes: for blast_open_output(). */
int blast_stats_is(const uint8_t *bytes, size_t n);

/*
 * blast_stats_of_proteins() - returns the object of parameters of a program with protein alignments, for blast_stats_write(); NULL: out of
 * memory.
 *   query_code, db_code [in] genetic codes; 0: the program does not translate these sequences
 */
json_t *blast_stats_of_proteins(const tms_blastp_params *params, const tms_blastp_info *info, uint32_t query_code, uint32_t db_code);

/*
 * blast_stats_write() - writes the object to the job's file of statistics.
 *   counts [in] of the search
 *   search [in] the object of the program's parameters, which is freed; NULL: out of memory
 *   of_bases [in] the program is blastn, with its stages; else it searches with residues, of proteins or of frames
 */
io_status blast_stats_write(const blast_job *job, const tms_search_stats *counts, json_t *search, bool of_bases, io_error *err);

#endif
