/* blastp_stats.h - the numbers of what passed each stage of a search, as JSON. */
#ifndef TAMIS_CLI_BLASTP_STATS_H
#define TAMIS_CLI_BLASTP_STATS_H

#include "cli/data_files.h"
#include "io/io_safe_file.h"
#include "tamis/blastp.h"

/* The estimates of --device auto: seconds without traceback, on the CPU and on a GPU. */
typedef struct blastp_estimate {
    int is_made, takes_gpu;
    double cpu, gpu;
    char profile[DATA_PATH]; /* the profile of the estimate; "": built-in numbers */
} blastp_estimate;

/* Whether a file is one of statistics: is_kind() of an output. */
int blastp_stats_is(const uint8_t *bytes, size_t n);

typedef struct blastp_stats {
    const tms_blastp_info *info;
    const tms_blastp_params *params;
    const tms_search_stats *counts;
    const blastp_estimate *estimate; /* written if it is made */
    int device;                      /* as tms_context_device() has it, at the end */
    double elapsed_s;
} blastp_stats;

io_status blastp_stats_write(const blastp_stats *s, io_safe_file *file, io_error *err);

#endif
