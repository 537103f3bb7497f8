/*
 * cmd_merge.c - tamis merge: merges filters with the same parameters, and the shards of a filter if all of them are there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/filter/merge_shards.h"
#include "cli/filter_file.h"
#include "io/io_safe_file.h"

static const char command[] = "merge";

typedef struct merge_job {
    cli_common common;
    const char *output;
    tms_merge how;
    int check;
    merge_shards shards;
    uint64_t n_taken; /* filters, a shard that came twice once */
    int damaged;      /* exit code of the last filter that could not be opened; CLI_OK: all could */
    char **paths;
    int n_paths;
    tms_context *ctx;
    tms_filter *result;
    io_safe_file *file;
} merge_job;

static const option_row rows[] = {
    {'o', "output", "FILTER", OPTION_PATH(merge_job, output),
     .help = "where to write the result, whole or not at all; may be one of the inputs"},
    {0, "intersect", NULL, OPTION_SETS(merge_job, how, TMS_MERGE_INTERSECT), .excludes = "union-as-presence",
     .help = "keep the keys that are in all filters. The result has more false positives than a filter built from the common keys; "
             "its n is the smallest of the inputs'"},
    {0, "union-as-presence", NULL, OPTION_SETS(merge_job, how, TMS_MERGE_PRESENCE),
     .help = "required for probabilistic filters: a key's frequency in the result lies between the largest of the inputs' frequencies and "
             "their sum"},
    {0, "expect", "N", OPTION_SIZE(merge_job, shards.expect, 1, 1000000), .what = "a number of shards",
     .excludes = "intersect union-as-presence", .because = "the shards of a filter make a union", .otherwise = "as the shards record",
     .help = "the filters are the N shards of one build: refuse them if one is missing, damaged or of another build"},
    {0, "check", NULL, OPTION_FLAG(merge_job, check), .excludes = "output intersect union-as-presence",
     .because = "--check writes no filter", .help = "print the numbers of missing and damaged shards, such as 2,5-7, instead of merging"},
    CLI_ROW_FORCE("replace a file that is not a filter"),
    CLI_ROW_THREADS,
    CLI_ROW_QUIET("no summary"),
    CLI_ROW_HELP,
};

const option_table merge_options = {
    command,
    "Usage: tamis merge -o FILTER [OPTION]... FILTER FILTER...\n"
    "       tamis merge --check [--expect N] FILTER...\n"
    "\n"
    "Merges filters that were built with the same parameters: layout, hash, seed, m\n"
    "and k. The result is the filter that one build from all inputs would have given,\n"
    "byte for byte. For probabilistic filters see --union-as-presence. The shards of\n"
    "tamis build --shard are merged only if all of them are there.\n",
    OPTION_ROWS(rows),
    "\n"
    "To build filters that can be merged, give each build the same -m and -k, or the\n"
    "same --expected and --fpr:\n"
    "  tamis build -o a.tms -m 1G -k 8 a.txt\n"
    "  tamis build -o b.tms -m 1G -k 8 b.txt\n"
    "  tamis merge -o all.tms a.tms b.tms\n"
    "The shards of one build:\n"
    "  tamis build --shard 1/2 --expected 1G -o 1.tms a.txt; ... --shard 2/2 -o 2.tms\n"
    "  tamis merge --expect 2 -o all.tms 1.tms 2.tms\n"
    "  sbatch --array=$(tamis merge --check --expect 16 parts/*.tms) build.sh\n"
    "\n"
    "Exit status: 2 if the filters cannot be merged, or a shard is missing; 3 if one\n"
    "is damaged. --check: 0 if all shards are there and whole, 1 if not.\n",
};

/* The library checks the other conditions. */
static int check_layout(const merge_job *job, const char *path, tms_layout layout)
{
    if (job->how != TMS_MERGE_PRESENCE || layout == TMS_LAYOUT_PROBABILISTIC)
        return CLI_OK;
    return cli_fail_usage(command, "--union-as-presence is for probabilistic filters, but %s is a %s one: leave it out", path,
                          tms_layout_name(layout));
}

/* Copies the first filter, and merges each of the others into the copy. */
static int merge_filter(merge_job *job, const filter_file *file)
{
    const tms_status status = job->result == NULL ? tms_filter_copy(job->ctx, file->filter, &job->result)
                                                  : tms_filter_merge(job->ctx, job->result, file->filter, job->how);

    if (status == TMS_E_MISMATCH)
        return cli_fail(command, CLI_USAGE, "%s and %s cannot be merged: %s", job->paths[0], file->path, tms_context_message(job->ctx));
    if (status == TMS_E_ARG && job->how == TMS_MERGE_UNION) /* probabilistic filters */
        return cli_fail(command, CLI_USAGE, "%s (--union-as-presence)", tms_context_message(job->ctx));
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->ctx, status);
}

/* Only one file is mapped at a time. A shard that cannot be read is missing. */
static int take_filter(merge_job *job, const char *path)
{
    filter_file file;
    int is_new = 0, code = filter_file_open_shard(&file, &job->common, job->ctx, path);

    if (code == CLI_BAD_FILTER && (job->check || job->shards.expect > 0 || job->shards.n > 0)) {
        filter_file_close(&file);
        job->damaged = code;
        return CLI_OK;
    }
    if (code == CLI_OK)
        code = check_layout(job, path, tms_filter_get_params(file.filter)->layout);
    if (code == CLI_OK)
        code = merge_shards_take(command, &job->shards, &file, &is_new);
    if (code == CLI_OK && job->shards.n > 0 && job->how == TMS_MERGE_INTERSECT)
        code = cli_fail_usage(command, "--intersect is for whole filters, but %s is a shard", path);
    if (code == CLI_OK && is_new && !job->check)
        code = merge_filter(job, &file);
    job->n_taken += (uint64_t)(code == CLI_OK && is_new);
    filter_file_close(&file);
    return code;
}

/* Refuses a set of shards that is not complete, or prints what is missing. */
static int require_all(const merge_job *job)
{
    const merge_shards *set = &job->shards;
    const uint64_t n = set->n > 0 ? set->n : set->expect;
    char *missing = merge_shards_missing(set);
    int code = CLI_OK;

    if (missing == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    if (job->check && n == 0)
        code = cli_fail_usage(command, "--check is for the filters of tamis build --shard, but %s",
                              set->any_path != NULL ? "these are whole" : "none of the files is one: give --expect N");
    else if (job->check && missing[0] != '\0') {
        printf("%s\n", missing);
        code = CLI_NO_MATCH;
    } else if (missing[0] != '\0')
        code = cli_fail(command, job->damaged != CLI_OK ? job->damaged : CLI_USAGE,
                        "shards are missing, of %llu: %s; make them, and merge again", (unsigned long long)n, missing);
    free(missing);
    return code;
}

/* The result has the keys of all shards, so it is a whole filter. */
static int write_result(merge_job *job)
{
    const tms_status status = tms_filter_set_shard(job->ctx, job->result, NULL);

    return status == TMS_OK ? filter_file_write(&job->common, job->ctx, job->result, &job->file)
                            : cli_fail_library(command, job->ctx, status);
}

static int run(merge_job *job)
{
    io_output output = {.path = job->output, .inputs = (const char *const *)job->paths, .n_inputs = (size_t)job->n_paths, .in_place = 1};
    int code = job->check ? CLI_OK : filter_file_create(&job->common, output, &job->file);

    if (code == CLI_OK)
        code = cli_context_create(&job->common, &job->ctx);
    for (int i = 0; i < job->n_paths && code == CLI_OK; i++)
        code = take_filter(job, job->paths[i]);
    if (code == CLI_OK)
        code = require_all(job);
    return code == CLI_OK && !job->check ? write_result(job) : code;
}

static int print_summary(merge_job *job)
{
    const tms_filter_params *p = tms_filter_get_params(job->result);
    tms_filter_stats stats;
    tms_status status;

    if (job->common.quiet)
        return CLI_OK;
    status = tms_filter_get_stats(job->ctx, job->result, &stats);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    if (p->layout == TMS_LAYOUT_PROBABILISTIC) {
        cli_say(command, "%llu filters, %llu insertion%s, m = %llu bits, k = %u, p = %.6g, fill %.4f", (unsigned long long)job->n_taken,
                (unsigned long long)stats.n_keys, CLI_PLURAL(stats.n_keys), (unsigned long long)p->m_bits, p->k, p->p, stats.fill);
        return CLI_OK;
    }
    cli_say(command, "%llu %s, %llu key%s, m = %llu bits, k = %u, false-positive rate %.3g", (unsigned long long)job->n_taken,
            job->shards.n > 0 ? "shards" : "filters", (unsigned long long)stats.n_keys, CLI_PLURAL(stats.n_keys),
            (unsigned long long)p->m_bits, p->k, stats.actual_fpr);
    return CLI_OK;
}

int cmd_merge(int argc, char **argv)
{
    merge_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&merge_options, argc, argv, &job.common, &given, &code))
        return code;
    job.paths = given.operands;
    job.n_paths = given.n_operands;
    if (job.output == NULL && !job.check)
        return cli_fail_usage(command, "where should the result go? Give -o FILTER");
    if (job.n_paths < (job.check || job.shards.expect > 0 ? 1 : 2))
        return cli_fail_usage(command, "give two or more filters to merge; %s", job.n_paths == 1 ? "there is one" : "there is none");
    code = run(&job);
    if (code == CLI_OK && !job.check)
        code = print_summary(&job);
    io_safe_file_abort(job.file);
    tms_filter_destroy(job.result);
    tms_context_destroy(job.ctx);
    merge_shards_free(&job.shards);
    return cli_end_stdout(command, code);
}
