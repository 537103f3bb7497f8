/* blast_job.h - the job of a command that searches as a BLAST+ program does: its options, their meaning, and the run. */
#ifndef TAMIS_CLI_BLAST_JOB_H
#define TAMIS_CLI_BLAST_JOB_H

#include "cli/blast/blast_lists.h"
#include "cli/blast/cell_writer.h"
#include "cli/blast/write_behind.h"
#include "cli/cli.h"
#include "cli/data_files.h"
#include "cli/device_start.h"
#include "io/io_progress.h"
#include "io/io_resumable.h"
#include "io/io_safe_file.h"
#include "report/report_queries.h"
#include "seqio/seqio_blast_records.h"

/* The options of blast_rows.h, as typed. */
typedef struct blast_shared_options {
    blast_lists lists;
    const char *query, *db_name, *subject, *query_loc, *subject_loc, *db_soft_mask, *db_hard_mask, *out, *outfmt, *stats_path, *shard,
        *query_shard, *archive;
    int lcase_masking, parse_deflines, show_gis, html, subject_besthit, mt_mode, resume, restart, version;
    uint32_t max_target_seqs, max_hsps, culling_limit, n_descriptions, n_alignments, line_length, sort_hits, sort_hsps;
    uint64_t db_size, search_space, gpu_memory;
    double evalue, qcov_hsp_perc, best_hit_overhang, best_hit_score_edge;
    option_devices devices;
} blast_shared_options;

/* The cell of a grid, in which a search is divided among machines: a shard of the database and one of the queries, from 0. */
struct blast_grid {
    uint64_t shard, n_shards, query_shard, n_query_shards;
};

/* The combined meaning of the options: the functions of blast_plan.h set it before any file is opened; the run does not change it. */
typedef struct blast_plan {
    struct report_format format;
    tms_interval query_part, subject_part; /* -query_loc, -subject_loc; end 0: not given */
    int sets_batches;                      /* the search sets the size of each query batch; a call is one batch */
    int has_batch_size;                    /* BATCH_SIZE is given, here or to the search of the parts; it is unit_residues */
    uint64_t unit_residues;                /* size of BLAST's query batches: a batch ends with the query that reaches it */
    uint64_t batch_residues;  /* size of the query batches that the search divides a call into; UINT64_MAX: a call is one batch */
    uint64_t chunk_size;      /* CHUNK_SIZE, here or of the parts: bases of a chunk of long queries; 0: not given */
    uint32_t max_target_seqs; /* subjects to keep for each query */
    uint32_t n_descriptions, n_alignments; /* formats 0 to 4: subjects in the summary, and subjects with alignments */
    int sort_hits, sort_hsps;              /* -1: not given */
    struct blast_grid grid;
    const char *part_path;     /* the part that a cell writes */
    int keeps_chains;          /* preliminary HSPs are final ones and linked, so a part has the E-values of their chains */
    const char *first_warning; /* a warning about each query of the first batch, ending in a blank; NULL: none */
} blast_plan;

/* A GPU that a thread opens in the background. */
typedef struct blast_gpu {
    cli_common common; /* .device is this GPU */
    device_start start;
    tms_context *ctx;
} blast_gpu;

/* The estimate by which --device auto decides: seconds of a search without traceback, on the CPU and on a GPU. */
typedef struct blast_estimate {
    int is_made, takes_gpu;
    double cpu, gpu;
    char profile[DATA_PATH]; /* path of the machine's profile that it is based on; "": built-in numbers */
} blast_estimate;

struct blast_answers;  /* blast_reports.c */
struct blast_parts;    /* blast_parts.h */
struct blast_searcher; /* blast_search.h */

enum { BLAST_BATCHES = 64 }; /* characters of the state of batches, with the end */

/* The open files and handles of the run, and its progress. */
typedef struct blast_run {
    tms_context *ctx;
    tms_seqdb *whole, *db;     /* db: the subjects; whole: with lists, the database of which db is a part, else NULL */
    int is_empty;              /* the lists select no sequence of the database */
    tms_seqdb_masks *masks;    /* of the subjects; NULL: none */
    uint64_t *subject_lengths; /* with -subject_loc: lengths of the whole subjects; else NULL */
    tms_taxonomy *taxonomy;    /* NULL: the format prints no names of taxa, or no names are installed */
    seqio_blast_records *queries;
    struct report *report;
    struct report_queries *reports;
    io_resumable *output;
    io_safe_file *stats_file;
    cell_writer *cell;                   /* the part that the run writes; NULL: a report */
    blast_gpu gpus[OPTIONS_MAX_DEVICES]; /* one for each of options.devices */
    int awaits_gpus;                     /* gpus[] are being opened or open, and no failure is known */
    blast_estimate estimate;             /* with --device auto */
    tms_interval records;                /* with query shards: the records that the run processes */
    uint64_t call_first;                 /* the first record of the last call */
    uint64_t batches_from;               /* with plan.sets_batches, the first query of the batch at which the run resumes; else 0 */
    uint64_t n_before;                   /* queries that the run skips, because another run has written their reports, or will */

    write_behind writer;
    struct blast_answers *answers[WRITE_BEHIND_WORKS]; /* of a call each: i is in answers[i mod WRITE_BEHIND_WORKS] */
    uint64_t n_expected;                               /* calls whose results are expected, or taken */
    uint64_t taken_offset, taken_end; /* of a part, while `writer` writes: bytes of the queries' file, and queries, up to its end so far */

    /* The output. While `writer` works, only that uses the following, but for `output`, which is opened before. */
    tms_context *output_ctx; /* the context of its threads */
    io_progress progress;
    double output_seconds;  /* in which reports, or the blocks of a part, were made of results and written */
    struct byte_array text; /* reports that are not in the output yet */
    uint64_t n_written;     /* calls of n_expected */
    uint64_t n_done;        /* queries whose reports are in the output, or in text */
    uint64_t residues_put;  /* residues of the queries before the current one */
    int has_warned_of_cut;

    int is_settled, settled_code;  /* whether blast_search.c has waited for the GPUs and opened the output, and the result */
    uint64_t n_units, unit_filled; /* number of full query batches of BLAST, and residues of the next one */
} blast_run;

/* The first member of each program's job. common.command is the program's name. */
typedef struct blast_job {
    cli_common common;
    blast_shared_options options;
    blast_plan plan;
    blast_run run;
    tms_molecule molecule, query_molecule; /* of the subjects, of the queries */
    const struct blast_searcher *searcher;
    int n_arguments;
    char **arguments;                          /* the command line as it was typed; the program's name first */
    const char *query_advice, *subject_advice; /* of molecule_warn(), if they look like the other molecule; NULL: none */
    options_given given;
    struct blast_parts *parts; /* the parts from which the run makes a report; NULL: the run searches */
} blast_job;

#endif
