/* classify_job.h - the options and the state of tamis classify. */
#ifndef TAMIS_CLI_CLASSIFY_JOB_H
#define TAMIS_CLI_CLASSIFY_JOB_H

#include "cli/cli.h"
#include "cli/filter_file.h"
#include "cli/reads/classify_page.h"
#include "cli/reads/classify_report.h"
#include "cli/reads/classify_units.h"
#include "cli/reads/classify_writer.h"
#include "cli/shards.h"
#include "io/io_progress.h"

/* The choices of --compress, in the order of the option row; 0: not given. */
enum { CLASSIFY_BY_NAME, CLASSIFY_PLAIN, CLASSIFY_GZ, CLASSIFY_BGZ, CLASSIFY_ZSTD };
enum { ABOUT_DEFAULT = 1 };

/* The share of the reads that --shard takes; place.n 0: all of them. */
struct classify_share {
    shard_place place;
    const char *const *all_paths; /* the files of all lanes, of which `units` may have only some */
    size_t n_all_lanes;
    int takes_units;              /* the shard takes some of the units of all lanes, not whole lanes */
    struct archive_manifest mark; /* of the summary */
};

typedef struct classify_job {
    cli_common common;
    option_paths filter_paths, in1, in2;
    const char *out, *out2, *split, *summary, *json, *kreport, *html, *sample, *shard;
    int keep, remove, interleaved, compress, rule;
    uint32_t min_hits, word_size;
    double threshold, max_false;

    tms_context *ctx;
    filter_file files[TMS_MAX_REFERENCES];
    int are_sequences[TMS_MAX_REFERENCES]; /* FASTA, from which the command makes a filter */
    char *names[TMS_MAX_REFERENCES];
    tms_classifier *classifier;
    tms_long_read *long_read; /* for units in parts; NULL until there is one */
    classify_units units;
    const char **lanes; /* the paths of units, if --in1 gave them */
    char **lists;       /* the texts that lanes point into */
    size_t n_lists;
    const char **inputs; /* reads and filters */
    size_t n_inputs;
    struct classify_share share;
    classify_writer writer;
    int uses_stdout; /* an output is standard output */
    size_t summary_file, json_file, kreport_file, html_file;
    tms_classified *results;
    tms_reference_score *scores;
    size_t results_capacity, scores_capacity;
    classify_counts counts;
    classify_scores *page_scores; /* with --html */
    io_progress progress;
} classify_job;

/* classify_list_inputs() - lists the files of reads, and checks their options. Returns CLI_OK, or the exit code, after a message. */
int classify_list_inputs(classify_job *job, const options_given *given);

/*
 * classify_name_references() - names references after their files, before opening any.
 * classify_open_references() - opens their filters, or makes them in memory from FASTA, and makes the classifier.
 * Return CLI_OK, or the exit code, after a message.
 */
int classify_name_references(classify_job *job);
int classify_open_references(classify_job *job);

/* classify_plan_shard() - checks --shard, and chooses its lanes, once the inputs are listed. Returns CLI_OK, or the exit code, after a
 * message. */
int classify_plan_shard(classify_job *job);

/*
 * classify_begin_shard() - makes the mark of a shard, once the references are open, and chooses its units, for which it reads the input.
 * Sets *is_done if the outputs of just this shard are there already. Returns CLI_OK, or the exit code, after a message.
 */
int classify_begin_shard(classify_job *job, int *is_done);

/* classify_sample() - the name of the sample, freed by the caller; NULL: out of memory. classify_describe() - what the reports show. */
char *classify_sample(const classify_job *job);
classify_report classify_describe(const classify_job *job, const char *sample);

/* classify_has_rows() - whether the options ask for a table. Call it before classify_open_outputs(). */
int classify_has_rows(const classify_job *job);

/*
 * classify_open_outputs() - opens all requested outputs, after the first units were read: their format decides the names of --split.
 * Returns CLI_OK, or the exit code, after a message.
 */
int classify_open_outputs(classify_job *job);

#endif
