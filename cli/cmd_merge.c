/*
 * cmd_merge.c - one filter out of several with the same parameters.
 */
#include <getopt.h>
#include <string.h>

#include "cli.h"
#include "filter_file.h"
#include "io/io_safe_file.h"

static const char command[] = "merge";

static const char help[] =
    "Usage: tamis merge -o FILTER [--intersect | --union-as-presence] FILTER FILTER...\n"
    "\n"
    "Joins filters that were built with the same parameters: layout, hash, seed, m and k. The result\n"
    "is the filter that one build from all inputs would have given, byte for byte (probabilistic\n"
    "filters: see --union-as-presence).\n"
    "\n"
    "  -o, --output FILTER    where to write the result: whole or not at all; may be one of the inputs\n"
    "      --intersect        keys that are in all filters instead of any. The result answers yes\n"
    "                         more often than a filter built from the common keys; its n is the least\n"
    "      --union-as-presence\n"
    "                         probabilistic filters, which do not merge otherwise: a key's frequency in\n"
    "                         the result lies between the largest of the inputs' and their sum\n"
    "      --force            replace a file that is no filter\n"
    "      --threads N        CPU threads (default: all)\n"
    "  -q, --quiet            no summary\n"
    "  -h, --help             this text\n"
    "\n"
    "To build filters that can be merged, give each build the same -m and -k, or the same --expected\n"
    "and --fpr:\n"
    "  tamis build -o a.tms -m 1G -k 8 a.txt\n"
    "  tamis build -o b.tms -m 1G -k 8 b.txt\n"
    "  tamis merge -o all.tms a.tms b.tms\n";

enum { OPT_INTERSECT = CLI_OPT_OWN, OPT_PRESENCE };

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"intersect", no_argument, NULL, OPT_INTERSECT},
                                        {"union-as-presence", no_argument, NULL, OPT_PRESENCE},
                                        CLI_LONG_FORCE,
                                        CLI_LONG_THREADS,
                                        CLI_LONG_QUIET,
                                        CLI_LONG_HELP,
                                        CLI_LONG_END};

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

/* The library refuses the rest, with the reason. */
static int check_layout(const merge_job *job, const char *path, tms_layout layout)
{
    if (job->how != TMS_MERGE_PRESENCE || layout == TMS_LAYOUT_PROBABILISTIC)
        return CLI_OK;
    return cli_fail_usage(command, "--union-as-presence is for probabilistic filters, and %s is a %s one: leave it out",
                          path, tms_layout_name(layout));
}

/* The first filter is copied, the others are merged into the copy, one mapped at a time. */
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
            code = cli_fail(command, CLI_USAGE, "%s and %s do not go together: %s", job->paths[0], path,
                            tms_context_message(job->ctx));
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
    io_output output = {
        .path = job->output, .inputs = (const char *const *)job->paths, .n_inputs = (size_t)job->n_paths, .in_place = 1};
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
                (unsigned long long)stats.n_keys, CLI_PLURAL(stats.n_keys), (unsigned long long)p->m_bits, p->k, p->p,
                stats.fill);
        return CLI_OK;
    }
    cli_say(command, "%d filters, %llu key%s, m = %llu bits, k = %u, false-positive rate %.3g", job->n_paths,
            (unsigned long long)stats.n_keys, CLI_PLURAL(stats.n_keys), (unsigned long long)p->m_bits, p->k,
            stats.actual_fpr);
    return CLI_OK;
}

int cmd_merge(int argc, char **argv)
{
    merge_job job;
    int option, code, n_ways = 0;

    memset(&job, 0, sizeof job);
    cli_common_init(&job.common, command);
    while ((option = getopt_long(argc, argv, ":o:qh", options, NULL)) != -1) {
        if (option == 'h')
            return cli_print_help(command, help);
        if (option == 'o') {
            job.output = optarg;
        } else if (option == OPT_INTERSECT || option == OPT_PRESENCE) {
            n_ways |= option == OPT_INTERSECT ? 1 : 2;
            job.how = option == OPT_INTERSECT ? TMS_MERGE_INTERSECT : TMS_MERGE_PRESENCE;
        } else {
            code = cli_common_option(&job.common, option, optarg, argv);
            if (code != CLI_OK)
                return code;
        }
    }
    if (n_ways == 3)
        return cli_fail_usage(command, "--intersect and --union-as-presence exclude each other: give one of them");
    if (job.output == NULL)
        return cli_fail_usage(command, "where should the result go? Give -o FILTER");
    job.paths = argv + optind;
    job.n_paths = argc - optind;
    if (job.n_paths < 2)
        return cli_fail_usage(command, "two or more filters make a merge; %s",
                              job.n_paths == 1 ? "there is one" : "there is none");
    code = run(&job);
    if (code == CLI_OK)
        code = print_summary(&job);
    io_safe_file_abort(job.file);
    tms_filter_destroy(job.result);
    tms_context_destroy(job.ctx);
    return code;
}
