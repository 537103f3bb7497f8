/*
 * cmd_merge.c - tamis merge: merges filters with the same parameters.
 */
#include <string.h>

#include "cli/cli.h"
#include "cli/filter_file.h"
#include "io/io_safe_file.h"

static const char command[] = "merge";

typedef struct merge_job {
    cli_common common;
    const char *output;
    tms_merge how;
    char **paths;
    int n_paths;
    tms_context *ctx;
    tms_filter *result;
    io_safe_file *file;
} merge_job;

static const option_row rows[] = {
    {'o', "output", "FILTER", OPTION_PATH(merge_job, output), .ask = "where should the result go?",
     .help = "where to write the result, whole or not at all; may be one of the inputs"},
    {0, "intersect", NULL, OPTION_SETS(merge_job, how, TMS_MERGE_INTERSECT), .excludes = "union-as-presence",
     .help = "keep the keys that are in all filters. The result has more false positives than a filter built from the common keys; "
             "its n is the smallest of the inputs'"},
    {0, "union-as-presence", NULL, OPTION_SETS(merge_job, how, TMS_MERGE_PRESENCE),
     .help = "required for probabilistic filters: a key's frequency in the result lies between the largest of the inputs' frequencies and "
             "their sum"},
    CLI_ROW_FORCE("replace a file that is not a filter"),
    CLI_ROW_THREADS,
    CLI_ROW_QUIET("no summary"),
    CLI_ROW_HELP,
};

const option_table merge_options = {
    command,
    "Usage: tamis merge -o FILTER [OPTION]... FILTER FILTER...\n"
    "\n"
    "Merges filters that were built with the same parameters: layout, hash, seed, m\n"
    "and k. The result is the filter that one build from all inputs would have given,\n"
    "byte for byte. For probabilistic filters see --union-as-presence.\n",
    OPTION_ROWS(rows),
    "\n"
    "To build filters that can be merged, give each build the same -m and -k, or the\n"
    "same --expected and --fpr:\n"
    "  tamis build -o a.tms -m 1G -k 8 a.txt\n"
    "  tamis build -o b.tms -m 1G -k 8 b.txt\n"
    "  tamis merge -o all.tms a.tms b.tms\n",
};

/* The library checks the other conditions. */
static int check_layout(const merge_job *job, const char *path, tms_layout layout)
{
    if (job->how != TMS_MERGE_PRESENCE || layout == TMS_LAYOUT_PROBABILISTIC)
        return CLI_OK;
    return cli_fail_usage(command, "--union-as-presence is for probabilistic filters, but %s is a %s one: leave it out", path,
                          tms_layout_name(layout));
}

/* Copies the first filter, and merges each of the others into the copy. Only one file is mapped at a time. */
static int take_filter(merge_job *job, const char *path)
{
    filter_file file;
    tms_status status = TMS_OK;
    int code = filter_file_open(&file, &job->common, job->ctx, path);

    if (code == CLI_OK)
        code = check_layout(job, path, tms_filter_get_params(file.filter)->layout);
    if (code == CLI_OK) {
        status = job->result == NULL ? tms_filter_copy(job->ctx, file.filter, &job->result)
                                     : tms_filter_merge(job->ctx, job->result, file.filter, job->how);
        if (status == TMS_E_MISMATCH)
            code = cli_fail(command, CLI_USAGE, "%s and %s cannot be merged: %s", job->paths[0], path, tms_context_message(job->ctx));
        else if (status == TMS_E_ARG && job->how == TMS_MERGE_UNION) /* probabilistic filters */
            code = cli_fail(command, CLI_USAGE, "%s (--union-as-presence)", tms_context_message(job->ctx));
        else if (status != TMS_OK)
            code = cli_fail_library(command, job->ctx, status);
    }
    filter_file_close(&file);
    return code;
}

static int run(merge_job *job)
{
    io_output output = {.path = job->output, .inputs = (const char *const *)job->paths, .n_inputs = (size_t)job->n_paths, .in_place = 1};
    int code = filter_file_create(&job->common, output, &job->file);

    if (code == CLI_OK)
        code = cli_context_create(&job->common, &job->ctx);
    for (int i = 0; i < job->n_paths && code == CLI_OK; i++)
        code = take_filter(job, job->paths[i]);
    return code == CLI_OK ? filter_file_write(&job->common, job->ctx, job->result, &job->file) : code;
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
        cli_say(command, "%d filters, %llu insertion%s, m = %llu bits, k = %u, p = %.6g, fill %.4f", job->n_paths,
                (unsigned long long)stats.n_keys, CLI_PLURAL(stats.n_keys), (unsigned long long)p->m_bits, p->k, p->p, stats.fill);
        return CLI_OK;
    }
    cli_say(command, "%d filters, %llu key%s, m = %llu bits, k = %u, false-positive rate %.3g", job->n_paths,
            (unsigned long long)stats.n_keys, CLI_PLURAL(stats.n_keys), (unsigned long long)p->m_bits, p->k, stats.actual_fpr);
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
    if (job.n_paths < 2)
        return cli_fail_usage(command, "give two or more filters to merge; %s", job.n_paths == 1 ? "there is one" : "there is none");
    code = run(&job);
    if (code == CLI_OK)
        code = print_summary(&job);
    io_safe_file_abort(job.file);
    tms_filter_destroy(job.result);
    tms_context_destroy(job.ctx);
    return code;
}
