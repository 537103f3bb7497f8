/* build_shard.c - see build_shard.h. */
#include "cli/filter/build_shard.h"

#include <stdio.h>
#include <string.h>

#include "cli/filter/filter_shards.h"

static const char command[] = "build";

int build_plan_shard(build_job *job)
{
    const tms_filter_params *asked = &job->asked;
    struct build_share *share = &job->share;
    int code = shards_take(command, job->shard, &share->place);
    size_t first;

    if (code != CLI_OK || share->place.n == 0)
        return code;
    if (asked->layout == TMS_LAYOUT_PROBABILISTIC)
        return cli_fail_usage(command, "--shard is not for probabilistic filters, whose random numbers depend on the number of each line");
    if (job->expected == 0 && (asked->m_bits == 0 || asked->k == 0 || build_is_given(job, "fpr")))
        return cli_fail_usage(command, "--shard needs a size that does not depend on the input, since all shards must have the same: give "
                                       "--expected N, with the number of keys of the whole input, or -m and -k");
    if (strcmp(job->output, "-") == 0)
        return cli_fail_usage(command, "a shard is a file, which appears when it is whole: give -o FILTER");
    share->all_paths = job->stream.paths;
    share->n_all_paths = job->stream.n_paths;
    share->by_record = !shards_take_whole_files(&share->place, share->n_all_paths, &first, &job->stream.n_paths);
    job->stream.paths = share->all_paths + first;
    return CLI_OK;
}

/* Hashes the options that decide the bits of the filter, however they were spelled. */
static io_status hash_options(const build_job *job, uint32_t *out, io_error *err)
{
    const tms_filter_params *a = &job->asked;
    struct archive_manifest manifest = {0};
    char text[512];
    uint64_t hash = 0;
    io_status status;

    snprintf(text, sizeof text, "%d %d %llu %llu %u %u %llu %.17g %d %.17g %u %d %d %d", (int)a->layout, (int)a->hash,
             (unsigned long long)a->seed, (unsigned long long)a->m_bits, a->k, a->blocks_per_key, (unsigned long long)job->expected,
             job->fpr, build_is_given(job, "fpr"), job->bits_per_key, a->word_size, job->is_stranded, job->mask, job->stream.common.crlf);
    status = archive_manifest_add(&manifest, "options", text, err);
    if (status == IO_OK)
        status = archive_manifest_hash(&manifest, &hash, err);
    archive_manifest_free(&manifest);
    *out = (uint32_t)hash;
    return status;
}

static io_status find_place(build_job *job, io_error *err)
{
    struct build_share *share = &job->share;
    struct archive_manifest inputs = {0};
    uint64_t hash = 0;
    io_status status = shards_add_inputs(&inputs, share->all_paths, share->n_all_paths, err);

    if (status == IO_OK)
        status = archive_manifest_hash(&inputs, &hash, err);
    archive_manifest_free(&inputs);
    share->mark = (tms_filter_shard){(uint32_t)share->place.shard + 1, (uint32_t)share->place.n, (uint32_t)hash, 0};
    return status == IO_OK ? hash_options(job, &share->mark.options, err) : status;
}

/* Looks at the file that has the output's name. A damaged filter is made again. */
static int look_at_old(build_job *job, int *is_done)
{
    const tms_filter_shard *mine = &job->share.mark;
    char what[FILTER_SHARD_TEXT], has[FILTER_SHARD_TEXT], is[FILTER_SHARD_TEXT];
    tms_filter *old;
    io_map map;
    io_error err;
    int code = CLI_OK;

    if (job->stream.common.force || io_map_open(job->output, &map, &err) != IO_OK)
        return CLI_OK;
    io_map_guard(command, CLI_BAD_FILTER);
    if (tms_filter_open(job->stream.ctx, map.bytes, map.size, &old) == TMS_OK) {
        const tms_filter_shard place = tms_filter_get_shard(old);
        filter_shard_text(place, has);
        filter_shard_text(*mine, is);
        if (filter_shards_differ(place, *mine, what))
            code = cli_fail(command, CLI_USAGE, "%s is %s, and not of this build (%s): remove it, or give --force", job->output, has, what);
        else if (place.shard != mine->shard)
            code = cli_fail(command, CLI_USAGE, "%s is %s, not %s: remove it, or give --force", job->output, has, is);
        *is_done = code == CLI_OK;
        tms_filter_destroy(old);
    }
    io_map_close(&map);
    return code;
}

int build_begin_shard(build_job *job, int *is_done)
{
    io_error err;
    io_status status;

    *is_done = 0;
    if (job->share.place.n == 0)
        return CLI_OK;
    status = find_place(job, &err);
    return status == IO_OK ? look_at_old(job, is_done) : cli_fail_io(command, status, &err);
}

tms_status build_own_lines(build_job *job, const tms_keys *all, uint64_t n_before, tms_keys *own)
{
    struct build_share *share = &job->share;
    const uint64_t n_shards = share->place.n;
    size_t first, n = 0;

    *own = *all;
    if (!share->by_record)
        return TMS_OK;
    first = (size_t)((share->place.shard + n_shards - n_before % n_shards) % n_shards);
    share->lines.n = 0;
    if (!array_reserve(&share->offsets, &share->offsets_capacity, all->n_keys / n_shards + 2, sizeof *share->offsets))
        return TMS_E_MEMORY;
    share->offsets[0] = 0;
    for (size_t i = first; i < all->n_keys; i += n_shards) {
        if (!byte_array_add(&share->lines, all->bytes + all->offsets[i], all->offsets[i + 1] - all->offsets[i]))
            return TMS_E_MEMORY;
        share->offsets[++n] = (uint32_t)share->lines.n;
    }
    own->bytes = share->lines.bytes;
    own->offsets = share->offsets;
    own->n_keys = n;
    return TMS_OK;
}
