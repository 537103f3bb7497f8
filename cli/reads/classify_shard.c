/* classify_shard.c - tamis classify --shard: which reads a shard takes, and whether it is done already. See classify_job.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/reads/classify_job.h"
#include "cli/reads/classify_names.h"
#include "cli/reads/classify_summary.h"

static const char command[] = "classify";

int classify_plan_shard(classify_job *job)
{
    classify_units *units = &job->units;
    struct classify_share *share = &job->share;
    size_t first;
    int code = shards_take(command, job->shard, &share->place);

    share->all_paths = units->paths;
    share->n_all_lanes = units->n_lanes;
    units->range = (tms_interval){0, UINT64_MAX};
    if (code != CLI_OK || share->place.n == 0)
        return code;
    if (job->kreport != NULL)
        return cli_fail_usage(command, "--kreport has no place for the mark of a shard: give --summary or --json, and tamis report "
                                       "--kreport makes one of the summaries");
    if (job->html != NULL)
        return cli_fail_usage(command, "--html has no place for the mark of a shard: give --summary or --json, or all reads");
    share->takes_units = !shards_take_whole_files(&share->place, share->n_all_lanes, &first, &units->n_lanes);
    units->paths = share->all_paths + first * units->n_files;
    return CLI_OK;
}

char *classify_sample(const classify_job *job)
{
    return job->sample != NULL ? strdup(job->sample)
                               : classify_sample_name(job->share.all_paths, job->units.n_files, job->share.n_all_lanes);
}

classify_report classify_describe(const classify_job *job, const char *sample)
{
    return (classify_report){.classifier = job->classifier,
                             .names = (const char *const *)job->names,
                             .n_references = job->filter_paths.n,
                             .sample = sample,
                             .rule = (tms_rule)job->rule,
                             .min_hits = job->min_hits,
                             .max_false = job->max_false,
                             .are_pairs = job->units.n_mates == 2,
                             .counts = &job->counts};
}

/* Adds the checksum of each reference's filter. */
static io_status add_filters(classify_job *job, struct archive_manifest *mark, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < job->filter_paths.n && status == IO_OK; i++) {
        tms_filter_stats stats;
        char text[24];
        if (tms_filter_get_stats(job->ctx, job->files[i].filter, &stats) != TMS_OK)
            return io_fail_memory(err, "the checksum of a filter");
        snprintf(text, sizeof text, "%016llx", (unsigned long long)stats.checksum);
        status = archive_manifest_add(mark, "filter", text, err);
    }
    return status;
}

static io_status make_mark(classify_job *job, io_error *err)
{
    const struct classify_share *share = &job->share;
    struct archive_manifest *mark = &job->share.mark;
    char *sample = classify_sample(job), outputs[64];
    classify_report report = classify_describe(job, sample);
    io_status status = sample != NULL ? classify_mark_run(mark, &report, err) : io_fail_memory(err, "the sample's name");

    snprintf(outputs, sizeof outputs, "summary%s%s%s%s", classify_has_rows(job) ? " rows" : "", job->keep ? " keep" : "",
             job->remove ? " remove" : "", job->split != NULL ? " split" : "");
    if (status == IO_OK)
        status = add_filters(job, mark, err);
    if (status == IO_OK)
        status = shards_add_inputs(mark, share->all_paths, share->n_all_lanes * job->units.n_files, err);
    if (status == IO_OK)
        status = classify_mark_shard(mark, &share->place, outputs, err);
    free(sample);
    return status;
}

static bool is_file(const char *path) { return strcmp(path, "-") != 0 && access(path, F_OK) == 0; }

/* The summary gets its name after all other outputs. Those that it does not know by name have to be there, too. */
static const char *old_summary(const classify_job *job)
{
    const char *path = job->json != NULL ? job->json : job->summary;
    const bool writes = job->keep || job->remove || classify_has_rows(job);

    if (path == NULL || job->common.force || !is_file(path) || (writes && (job->out == NULL || !is_file(job->out))) ||
        (job->out2 != NULL && !is_file(job->out2)) || (job->summary != NULL && !is_file(job->summary)))
        return NULL;
    return path;
}

/* Looks at the summary that has this run's name. A damaged one is as any other file, which is not replaced. */
static int look_at_old(const classify_job *job, const char *path, int *is_done)
{
    classify_summary old = {0};
    char what[256];
    io_error err;
    io_status status = classify_summary_open(job->ctx, path, NULL, &old, &err);
    int code = CLI_OK;

    if (status == IO_OK && classify_mark_differs(&old.mark, &job->share.mark, true, what))
        code = cli_fail(command, CLI_USAGE, "%s: is of another shard or run (%s): remove it, or give --force", path, what);
    *is_done = status == IO_OK && code == CLI_OK;
    classify_summary_close(&old);
    return status == IO_E_MEMORY ? cli_fail_io(command, status, &err) : code;
}

/* Reads all units once, to know how many there are. */
static io_status find_range(classify_job *job, io_error *err)
{
    const shard_place *place = &job->share.place;
    uint64_t n;
    io_status status = classify_units_count(&job->units, &n, err);

    if (status == IO_OK)
        job->units.range = (tms_interval){shards_begin(n, place->shard, place->n), shards_begin(n, place->shard + 1, place->n)};
    return status;
}

int classify_begin_shard(classify_job *job, int *is_done)
{
    const char *old = old_summary(job);
    io_error err;
    io_status status;
    int code = CLI_OK;

    *is_done = 0;
    if (job->share.place.n == 0)
        return CLI_OK;
    status = make_mark(job, &err);
    if (status == IO_OK && old != NULL)
        code = look_at_old(job, old, is_done);
    if (status == IO_OK && code == CLI_OK && !*is_done && job->share.takes_units)
        status = find_range(job, &err);
    return status == IO_OK ? code : cli_fail_io(command, status, &err);
}
