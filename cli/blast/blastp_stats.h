/* blastp_stats.h - writes --stats: parameters, and the numbers of what passed each stage of a search, as JSON. */
#ifndef TAMIS_CLI_BLASTP_STATS_H
#define TAMIS_CLI_BLASTP_STATS_H

#include "cli/blast/blast_job.h"
#include "io/io_safe_file.h"
#include "tamis/blastp.h"

/* blastp_stats_is() - whether --stats wrote a file that begins with these bytes: for blast_open_output(). */
int blastp_stats_is(const uint8_t *bytes, size_t n);

typedef struct blastp_stats {
    const tms_blastp_info *info;
    const tms_blastp_params *params;
    const tms_search_stats *counts;
    const blast_estimate *estimate; /* written if is_made */
    int device;                     /* tms_context_device() at the end of the search */
    double elapsed_s;
} blastp_stats;

io_status blastp_stats_write(const blastp_stats *s, io_safe_file *file, io_error *err);

#endif
