/*
 * classify_inputs.c - lists the files of reads: the operands, or those of --in1 and --in2.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/reads/classify_job.h"
#include "io/io_safe_file.h"

static const char command[] = "classify";

static size_t count_items(const option_paths *lists)
{
    size_t n = 0;

    for (size_t i = 0; i < lists->n; i++) {
        n++;
        for (const char *at = lists->items[i]; (at = strchr(at, ',')) != NULL; at++)
            n++;
    }
    return n;
}

/* Splits the lists of an option into files, which it stores in every step-th element of `to`. */
static int split_lists(classify_job *job, const char *option, const option_paths *lists, const char **to, size_t step)
{
    for (size_t i = 0; i < lists->n; i++) {
        char *at = strdup(lists->items[i]), *comma;
        job->lists[job->n_lists++] = at;
        if (at == NULL)
            return cli_fail(command, CLI_NO_MEMORY, "out of memory");
        for (; at != NULL; at = comma) {
            comma = strchr(at, ',');
            if (comma != NULL)
                *comma++ = '\0';
            if (*at == '\0')
                return cli_fail_usage(command, "%s '%s': a file without a name", option, lists->items[i]);
            *to = at;
            to += step;
        }
    }
    return CLI_OK;
}

/* Lists the files of --in1 and --in2, lane by lane. */
static int list_lanes(classify_job *job, const options_given *given)
{
    classify_units *units = &job->units;
    const size_t n = count_items(&job->in1), n_mates = count_items(&job->in2);
    int code;

    if (given->n_operands > 0)
        return cli_fail_usage(command, "%s: give files of reads either as operands or with -1 and -2, not both", given->operands[0]);
    if (n_mates > 0 && n_mates != n)
        return cli_fail_usage(command, "-1 has %zu file%s, but -2 has %zu: each file needs the one with its mates", n, CLI_PLURAL(n),
                              n_mates);
    units->n_files = n_mates > 0 ? 2 : 1;
    units->n_lanes = n;
    job->lanes = calloc(n * units->n_files, sizeof *job->lanes);
    job->lists = calloc(job->in1.n + job->in2.n, sizeof *job->lists);
    if (job->lanes == NULL || job->lists == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    units->paths = job->lanes;
    code = split_lists(job, "-1", &job->in1, job->lanes, units->n_files);
    return code == CLI_OK ? split_lists(job, "-2", &job->in2, job->lanes + 1, units->n_files) : code;
}

static int list_operands(classify_job *job, const options_given *given)
{
    if (given->n_operands > 2)
        return cli_fail_usage(command, "%d files: give one, or two with the mates of pairs; -1 and -2 take lists of files",
                              given->n_operands);
    cli_input_paths(given->n_operands, given->operands, 0, &job->units.paths, &job->units.n_files);
    job->units.n_lanes = 1;
    return CLI_OK;
}

/* Refuses a file that is given twice, as its own mates or in two lanes. */
static int check_twice(const classify_units *units)
{
    const char *why = units->n_lanes == 1 ? "the second file must contain the mates" : "each lane must have its own files";

    for (size_t i = 1; i < units->n_lanes * units->n_files; i++) {
        const char *path = units->paths[i], *same;
        for (size_t j = 0; j < i; j++) {
            if (strcmp(path, units->paths[j]) == 0)
                return cli_fail_usage(command, "%s: is given twice; %s", io_stream_name(path), why);
        }
        same = io_same_input(path, units->paths, i);
        if (same != NULL)
            return cli_fail_usage(command, "%s and %s are the same file; %s", same, io_stream_name(path), why);
    }
    return CLI_OK;
}

int classify_list_inputs(classify_job *job, const options_given *given)
{
    classify_units *units = &job->units;
    int code = job->in1.n > 0 ? list_lanes(job, given) : list_operands(job, given);

    if (code == CLI_OK && units->n_files == 2 && job->interleaved)
        return cli_fail_usage(command, "--interleaved means that one file has both mates, but there are two files");
    if (code == CLI_OK)
        code = check_twice(units);
    units->n_mates = job->interleaved ? 2 : units->n_files;
    if (code == CLI_OK && units->any_names && units->n_mates == 1)
        return cli_fail_usage(command, "--no-name-check is for the names of mates, but there is one file: give two, or --interleaved");
    return code;
}
