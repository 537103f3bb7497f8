/* classify_sums.c - see classify_sums.h. */
#include "cli/reads/classify_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/reads/classify_summary.h"
#include "io/io_outputs.h"

/* The summaries that were given. */
struct shard_set {
    classify_summary **items; /* n; NULL: missing */
    uint64_t n;               /* 0: none so far */
    const classify_summary *any;
};

static bool is_there(const void *set, size_t i) { return ((const struct shard_set *)set)->items[i] != NULL; }

static bool same_counts(const classify_counts *a, const classify_counts *b) { return memcmp(a, b, sizeof *a) == 0; }

/* Puts a summary in its place, and takes it over. */
static int put(const classify_sums *how, struct shard_set *set, classify_summary *summary)
{
    const shard_place *place = &summary->marked.place;
    classify_summary **item;
    char what[256];
    int code = CLI_OK;

    if (set->any == NULL) {
        set->items = calloc((size_t)place->n, sizeof(*set->items));
        if (set->items == NULL)
            code = cli_fail(how->command, CLI_NO_MEMORY, "out of memory");
        else
            set->n = place->n;
        set->any = summary;
    } else if (summary->is_json != set->any->is_json)
        code = cli_fail(how->command, CLI_USAGE, "%s is %s, and %s %s: give one kind of file", set->any->path,
                        set->any->is_json ? "JSON" : "a table", summary->path, summary->is_json ? "JSON" : "a table");
    else if (classify_mark_differs(&set->any->mark, &summary->mark, false, what))
        code = cli_fail(how->command, CLI_USAGE, "%s and %s are shards of two runs: %s", set->any->path, summary->path, what);
    item = code == CLI_OK ? &set->items[place->shard] : NULL;
    if (item != NULL && *item == NULL) {
        *item = summary;
        return CLI_OK;
    }
    if (item != NULL && !same_counts(&(*item)->marked.counts, &summary->marked.counts))
        code = cli_fail(how->command, CLI_USAGE, "%s and %s are both shard %llu/%llu, with other content", (*item)->path, summary->path,
                        (unsigned long long)place->shard + 1, (unsigned long long)place->n);
    if (summary == set->any)
        set->any = NULL;
    classify_summary_close(summary);
    free(summary);
    return code;
}

/* A file that cannot be read, or is damaged, is named, and missing. */
static int add(const classify_sums *how, tms_context *ctx, struct shard_set *set, const char *path)
{
    classify_summary *summary = calloc(1, sizeof *summary);
    io_error err;
    io_status status;

    if (summary == NULL)
        return cli_fail(how->command, CLI_NO_MEMORY, "out of memory");
    status = classify_summary_open(ctx, path, set->any, summary, &err);
    if (status == IO_OK)
        return put(how, set, summary);
    classify_summary_close(summary);
    free(summary);
    if (status == IO_E_MEMORY)
        return cli_fail_io(how->command, status, &err);
    cli_say(how->command, "%s", err.text);
    return CLI_OK;
}

static int print_missing(const classify_sums *how, const struct shard_set *set)
{
    char *missing = shards_missing(is_there, set, 0, (size_t)set->n);
    int code = CLI_OK;

    if (missing == NULL)
        return cli_fail(how->command, CLI_NO_MEMORY, "out of memory");
    if (missing[0] != '\0' && how->check) {
        printf("%s\n", missing);
        code = CLI_NO_MATCH;
    } else if (missing[0] != '\0')
        code = cli_fail(how->command, CLI_USAGE, "shards are missing, of %llu: %s; make them, and report again", (unsigned long long)set->n,
                        missing);
    free(missing);
    return cli_end_stdout(how->command, code);
}

/* Opens an output. Returns its buffer, or NULL. */
static io_status add_output(const classify_sums *how, io_outputs *outputs, const char *path, size_t *number, io_error *err)
{
    const io_output output = {.path = path, .inputs = how->paths, .n_inputs = how->n_paths};

    return io_outputs_add(outputs, &output, io_compress_by_name(path), number, err);
}

static io_status write_report(const classify_sums *how, const classify_report *report, int is_json, io_outputs *outputs, io_error *err)
{
    io_status status = IO_OK;
    size_t out = 0, kreport = 0;
    bool done = true;

    if (how->out != NULL)
        status = add_output(how, outputs, how->out, &out, err);
    if (status == IO_OK && how->kreport != NULL)
        status = add_output(how, outputs, how->kreport, &kreport, err);
    if (status != IO_OK)
        return status;
    if (how->out != NULL)
        done = is_json ? classify_report_json(report, io_outputs_buffer(outputs, out))
                       : classify_report_table(report, io_outputs_buffer(outputs, out));
    if (done && how->kreport != NULL)
        done = classify_report_kraken(report, io_outputs_buffer(outputs, kreport));
    return done ? IO_OK : io_fail_memory(err, "the report");
}

static int report_all(const classify_sums *how, tms_context *ctx, const struct shard_set *set)
{
    classify_report report = set->any->marked.report;
    classify_counts sum = {.n_units = 0};
    char why[CLASSIFY_WHY];
    io_outputs *outputs;
    io_error err;
    io_status status;

    for (uint64_t i = 0; i < set->n; i++)
        classify_counts_sum(&sum, &set->items[i]->marked.counts);
    report.counts = &sum;
    if (!classify_report_can_match(&report, report.names, why))
        return cli_fail(how->command, CLI_USAGE, "%s", why);
    status = io_outputs_create(ctx, &outputs, &err);
    if (status != IO_OK)
        return cli_fail_io(how->command, status, &err);
    status = write_report(how, &report, set->any->is_json, outputs, &err);
    if (status == IO_OK)
        status = io_outputs_commit(outputs, &err);
    else
        io_outputs_abort(outputs);
    return status == IO_OK ? CLI_OK : cli_fail_io(how->command, status, &err);
}

int classify_sums_report(const classify_sums *how)
{
    const cli_common common = {.command = how->command, .n_threads = 1};
    struct shard_set set = {0};
    tms_context *ctx = NULL;
    int code = cli_context_create(&common, &ctx);

    for (size_t i = 0; i < how->n_paths && code == CLI_OK; i++)
        code = add(how, ctx, &set, how->paths[i]);
    if (code == CLI_OK && set.any == NULL)
        code = cli_fail_usage(how->command, "none of the files is a summary of a shard: they are made by tamis classify --shard");
    if (code == CLI_OK)
        code = print_missing(how, &set);
    if (code == CLI_OK && !how->check)
        code = report_all(how, ctx, &set);
    for (uint64_t i = 0; i < set.n; i++) {
        if (set.items[i] != NULL)
            classify_summary_close(set.items[i]);
        free(set.items[i]);
    }
    free(set.items);
    tms_context_destroy(ctx);
    return code;
}
