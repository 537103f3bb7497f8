/* blastp_job.h - the options and the state of tamis blastp. */
#ifndef TAMIS_CLI_BLASTP_JOB_H
#define TAMIS_CLI_BLASTP_JOB_H

#include "cli/blast/blastp_description.h"
#include "cli/blast/blastp_lists.h"
#include "cli/blast/blastp_stats.h"
#include "cli/cli.h"
#include "cli/device_start.h"
#include "io/io_progress.h"
#include "io/io_resumable.h"
#include "io/io_safe_file.h"
#include "report/report_queries.h"
#include "seqio/seqio_blast_records.h"
#include "tamis/blastp.h"

struct blastp_answers; /* blastp_reports.c */

typedef struct blastp_job {
    cli_common common;
    blastp_lists lists;
    const char *query, *db_name, *subject, *out, *outfmt, *stats_path;
    const char *matrix, *seg, *comp_based_stats, *query_loc, *subject_loc, *db_soft_mask, *db_hard_mask;
    int task, soft_masking, lcase_masking, ungapped, use_sw_tback, parse_deflines, show_gis, html, subject_besthit, resume, restart,
        version, mt_mode, gpu_strategy, gpu_extension, gpu_scoring;
    uint32_t gap_open, gap_extend, word_size, window, max_target_seqs, max_hsps, n_descriptions, n_alignments, line_length, sort_hits,
        sort_hsps, culling_limit, gpu_bins;
    uint64_t db_size, search_space;
    option_devices devices;
    uint64_t gpu_memory;
    double evalue, threshold, xdrop_ungap, xdrop_gap, xdrop_gap_final, qcov_hsp_perc, best_hit_overhang, best_hit_score_edge;

    int has_sort_hits, has_sort_hsps, resets_composition;
    tms_interval query_part, subject_part; /* -query_loc and -subject_loc; end 0: not given */
    uint64_t *subject_lengths;             /* with -subject_loc */
    tms_blastp_params params;
    struct report_format format;
    blastp_seg seg_typed;
    struct report_program program;
    tms_context *ctx;
    tms_seqdb *whole, *db;  /* whole: with lists, the database of which db is a part */
    tms_seqdb_masks *masks; /* of the database, or of -subject */
    tms_taxonomy *taxonomy; /* NULL if the format has no names of taxa, or there is no taxdb */
    tms_blastp *search;
    struct report *report;
    struct report_queries *reports;
    seqio_blast_records *queries;
    io_resumable *output;
    io_safe_file *stats_file;
    struct {
        cli_common common; /* with its device */
        device_start start;
        tms_context *ctx;
    } starts[OPTIONS_MAX_DEVICES]; /* of devices */
    blastp_estimate estimate;      /* with --device auto */
    int awaits_gpus;               /* blastp_gpus_begin() was called, and no GPU is known to have failed */
    int is_settled, settled_code;  /* settle() of cmd_blastp.c was called; what it returned */
    int argc;
    char **argv; /* the command's arguments, which --resume compares */
    io_progress progress;
    struct byte_array text;     /* report text that is not in the output yet */
    struct byte_array warnings; /* warnings about the batch's queries, concatenated */
    struct blastp_answers *answers;
    uint64_t n_done; /* queries */
    uint64_t residues_put;
    int warned_truncated;
    uint64_t unit_residues, n_units, unit_filled; /* NCBI's query batches: residues per batch, full batches, residues in the next one */
    int is_empty;                                 /* the lists select no sequence of the database */
} blastp_job;

/* Of molecule_warning.h. */
#define BLASTP_DNA_ADVICE                                                                                                                  \
    "blastp searches proteins in proteins. Give the translated sequences; 'tamis classify' tells what reads are of, 'tamis seeds' finds "  \
    "exact matches"

/* blastp_check() - checks the options together, and sets job->params, format and parts. Returns CLI_OK, or the exit code, after a
 * message. */
int blastp_check(blastp_job *job, const options_given *given);

/* blastp_is_quiet() - whether --quiet suppresses blastp's warnings. It does not if tamis is called as blastp. */
int blastp_is_quiet(const blastp_job *job);

/* blastp_warn() - prints a warning as blastp does, unless --quiet. */
void blastp_warn(blastp_job *job, const char *text);

/* blastp_fit_threads() - limits the threads to the number of processors, with blastp's warnings. */
void blastp_fit_threads(blastp_job *job, int is_given);

/* blastp_count_units(), blastp_warn_of_units() - counts queries as blastp's -mt_mode 1 divides them; warns if they are too few. */
void blastp_count_units(blastp_job *job, const tms_seqs *seqs);
void blastp_warn_of_units(blastp_job *job);

/* blastp_warn_of_residues() - warns about characters that a reader drops; arg: the job. For seqio_blast_records_options. */
void blastp_warn_of_residues(void *arg, const char *text);

/* blastp_fail_io(), blastp_fail_library() - print a message, the latter the context's. Return the exit code. */
int blastp_fail_io(blastp_job *job, io_status status, const io_error *err);
int blastp_fail_library(blastp_job *job, tms_status status);

#endif
