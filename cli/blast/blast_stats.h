/* blast_stats.h - writes --stats: parameters, and the numbers of what passed each stage of a search, as JSON. */
#ifndef TAMIS_CLI_BLAST_STATS_H
#define TAMIS_CLI_BLAST_STATS_H

#include <jansson.h>

#include "cli/blast/blast_job.h"

/* blast_stats_is() - whether --stats of a search program wrote a file that begins with these bytes: for blast_open_output(). */
int blast_stats_is(const uint8_t *bytes, size_t n);

/*
 * blast_stats_write() - writes the object to the job's file of statistics.
 *   counts [in] of the search
 *   search [in] the object of the program's parameters, which is freed; NULL: out of memory
 */
io_status blast_stats_write(const blast_job *job, const tms_search_stats *counts, json_t *search, io_error *err);

#endif
