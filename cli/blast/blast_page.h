/* blast_page.h - what a format that is for few queries asks before a search. */
#ifndef TAMIS_BLAST_PAGE_H
#define TAMIS_BLAST_PAGE_H

#include "cli/blast/blast_job.h"

/*
 * blast_check_number() - whether a report of the job's format can have all queries. It looks at a file only; with a pipe, or with query
 * shards, the report itself tells. Returns IO_OK; IO_E_INPUT: there are more, or the file cannot be read; IO_E_MEMORY.
 */
io_status blast_check_number(const blast_job *job, io_error *err);

#endif
