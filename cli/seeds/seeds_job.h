/* seeds_job.h - a run of tamis seeds: its options and what it works with. */
#ifndef TAMIS_SEEDS_JOB_H
#define TAMIS_SEEDS_JOB_H

#include "cli/cli.h"
#include "cli/db/duplicate_names.h"
#include "cli/device_start.h"
#include "cli/seeds/seed_writer.h"
#include "cli/seeds/seeds_plot.h"
#include "io/io_progress.h"
#include "io/io_safe_file.h"
#include "seqio/seqio_dna_ahead.h"
#include "tamis/seeds.h"

#define SEEDS_MAX_BASES (TMS_DNA_MAX_BASES - (TMS_SEEDS_MAX_WORD - 1)) /* per chunk, without the overlap */

#define SEEDS_MIN_QUERY_BATCH (2 * TMS_SEEDS_MAX_WORD) /* more than the bases that two batches share */

typedef struct seeds_job {
    cli_common common;
    tms_seeds_params asked;
    option_paths queries, subjects; /* queries.items has the subjects after the queries: an array of all inputs */
    const char *db;                 /* a database in place of subjects */
    const char *out, *stats, *plot;
    size_t min_length; /* of a match; 0: word_size */
    int only_count, only_filter, header, bed;
    size_t batch_bases, query_batch; /* of the subject, of the query */

    device_start start;
    tms_context *cpu, *gpu; /* gpu: NULL if no GPU is in use */
    tms_context *ctx;       /* the context that searches: cpu or gpu */
    tms_seqdb *subject_db;
    seqio_dna *query_dna, *subject_dna;
    seqio_dna_ahead *ahead; /* with matches: reads the subject's chunks, several ahead */
    seed_query query;
    seqio_dna_totals query_totals;
    uint64_t subject_bytes; /* for the progress; 0: unknown */
    record_notes query_notes, subject_notes;
    tms_seeds *seeds;
    tms_seeds_info info;
    seed_writer *writer;
    void *found; /* hits or passes */
    size_t found_bytes;
    tms_sub_query *subs; /* with --stats */
    io_safe_file *out_file, *stats_file, *plot_file;
    int joins; /* seeds become matches: --bed, --plot */
    seeds_plot picture;
    io_progress progress;
    tms_seeds_tally tally;
    uint64_t n_passes, n_matches;
} seeds_job;

#endif
