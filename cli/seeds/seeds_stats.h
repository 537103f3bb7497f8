/*
 * seeds_stats.h - the output of tamis seeds --stats: one JSON object, a line for each sub-query.
 */
#ifndef TAMIS_SEEDS_STATS_H
#define TAMIS_SEEDS_STATS_H

#include "io/io_safe_file.h"
#include "seqio/seqio_dna.h"
#include "tamis/seeds.h"

typedef struct seeds_stats {
    const char *const *queries, *const *subjects; /* files */
    size_t n_queries, n_subjects;
    const char *db; /* in place of subjects; NULL: files */
    const tms_seeds_params *asked;
    const tms_seeds_info *info;
    int device; /* TMS_DEVICE_CPU or an index */
    seqio_dna_totals query_totals, subject_totals;
    const tms_seeds_tally *tally;
    int only_filter; /* true w-mers are counted by sub-query only, and seeds not at all */
    const tms_sub_query *subs;
} seeds_stats;

/* seeds_stats_is() - whether a file that begins with these bytes has statistics. */
int seeds_stats_is(const uint8_t *bytes, size_t n);

/* seeds_stats_write() - appends the object to a file. Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY. */
io_status seeds_stats_write(const seeds_stats *stats, io_safe_file *file, io_error *err);

#endif
