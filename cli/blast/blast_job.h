/* blast_job.h - the job of a command that searches as a program of BLAST+ does: its options, what they mean, and the run. */
#ifndef TAMIS_CLI_BLAST_JOB_H
#define TAMIS_CLI_BLAST_JOB_H

#include "cli/blast/blast_lists.h"
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
    const char *query, *db_name, *subject, *query_loc, *subject_loc, *db_soft_mask, *db_hard_mask, *out, *outfmt, *stats_path;
    int lcase_masking, parse_deflines, show_gis, html, subject_besthit, mt_mode, resume, restart, version;
    uint32_t max_target_seqs, max_hsps, culling_limit, n_descriptions, n_alignments, line_length, sort_hits, sort_hsps;
    uint64_t db_size, search_space, gpu_memory;
    double evalue, qcov_hsp_perc, best_hit_overhang, best_hit_score_edge;
    option_devices devices;
} blast_shared_options;

/* What the options mean together: set by blast_plan.h, before anything is opened; the run changes nothing of it. */
typedef struct blast_plan {
    struct report_format format;
    tms_interval query_part, subject_part; /* -query_loc, -subject_loc; an end of 0: not given */
    uint64_t unit_residues;                /* of BLAST's batches of queries, which a query ends that makes them so long */
    uint64_t batch_residues;               /* of the batches that the search divides a call into; UINT64_MAX: a call is a batch */
    uint32_t max_target_seqs;              /* subjects that are kept for each query */
    uint32_t n_descriptions, n_alignments; /* formats 0 to 4: subjects in the summary, and those whose alignments are shown */
    int sort_hits, sort_hsps;              /* -1: not given */
    const char *first_warning; /* a sentence about each query of the first batch, with a blank at its end; NULL: there is none */
} blast_plan;

/* A GPU that is opened in the background. */
typedef struct blast_gpu {
    cli_common common; /* with the device */
    device_start start;
    tms_context *ctx;
} blast_gpu;

/* What --device auto decides by: seconds without the final alignments, on the CPU and on a GPU. */
typedef struct blast_estimate {
    int is_made, takes_gpu;
    double cpu, gpu;
    char profile[DATA_PATH]; /* of the machine, that it is made with; "": built-in numbers */
} blast_estimate;

struct blast_answers;  /* blast_reports.c */
struct blast_searcher; /* blast_search.h */

/* The open files and handles of the run, and its progress. */
typedef struct blast_run {
    tms_context *ctx;
    tms_seqdb *whole, *db;     /* db: what is searched; whole: with lists, the database that db is a part of */
    int is_empty;              /* the lists leave nothing of the database */
    tms_seqdb_masks *masks;    /* of the database, or of -subject; NULL: none */
    uint64_t *subject_lengths; /* with -subject_loc: residues of the whole records */
    tms_taxonomy *taxonomy;    /* NULL: the format has no names of taxa, or no names are installed */
    seqio_blast_records *queries;
    struct report *report;
    struct report_queries *reports;
    io_resumable *output;
    io_safe_file *stats_file;
    blast_gpu gpus[OPTIONS_MAX_DEVICES]; /* of options.devices */
    int awaits_gpus;                     /* their start has begun, and none is known to have failed */
    blast_estimate estimate;             /* with --device auto */
    io_progress progress;
    struct byte_array text;     /* of reports that are not in the output yet */
    struct byte_array warnings; /* of a batch's queries, one after the other */
    struct blast_answers *answers;
    uint64_t n_done;       /* queries that are in the output, or in text */
    uint64_t residues_put; /* of queries before the current one */
    int has_warned_of_cut;
    int is_settled, settled_code;  /* the GPUs and the output were opened, or could not be; the exit code */
    uint64_t n_units, unit_filled; /* BLAST's batches of queries: how many are full, and residues of the next */
} blast_run;

/* Each program's job begins with this one. common.command: the program's name. */
typedef struct blast_job {
    cli_common common;
    blast_shared_options options;
    blast_plan plan;
    blast_run run;
    tms_molecule molecule; /* of the subjects */
    const struct blast_searcher *searcher;
    const char *dna_advice; /* proteins are searched: for molecule_warn(), where the input looks like DNA */
    int argc;
    char **argv; /* the command's: what --resume compares */
} blast_job;

#endif
