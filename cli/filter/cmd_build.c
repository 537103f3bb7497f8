/*
 * cmd_build.c - tamis build: a filter of lines, or of the k-mers of sequences.
 *
 * If the size is known before the first line, lines are inserted as they are read. Otherwise a builder collects the keys in one pass over
 * the input, and the filter is sized and filled at the end. --append starts from a copy of a filter. With --kmer, sequences replace the
 * lines, and a reference replaces the builder.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/filter/build_job.h"
#include "cli/filter/build_lines.h"
#include "cli/filter/build_shard.h"
#include "cli/filter/build_words.h"

static const char command[] = "build";

/* Chooses the parameters for n_keys keys. */
static tms_status size_filter(build_job *job, uint64_t n_keys, tms_filter_params *out)
{
    /* Without keys: the smallest filter, which answers no to every query. */
    tms_filter_want want = build_membership_want(job, n_keys > 0 ? n_keys : 1);

    if (job->bits_per_key > 0) {
        double m = ceil(job->bits_per_key * (double)want.n_keys);
        want.m_bits = m <= (double)TMS_MAX_BITS ? (uint64_t)m : TMS_MAX_BITS + 1; /* too large: the library reports it */
    }
    return tms_filter_size(job->stream.ctx, &want, out);
}

/* Creates an empty filter, or copies the one that --append extends. */
static tms_status make_filter(build_job *job, const tms_filter_params *params)
{
    return job->append != NULL ? tms_filter_copy(job->stream.ctx, job->old.filter, &job->filter)
                               : tms_filter_create(job->stream.ctx, params, &job->filter);
}

static int create_filter(build_job *job, const tms_filter_params *params)
{
    tms_status status = make_filter(job, params);

    if (status != TMS_OK && cli_fall_back(&job->stream.common, job->stream.ctx, status, CLI_GPU_IS_FULL))
        status = make_filter(job, params);
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->stream.ctx, status);
}

/*
 * After a failure of the GPU in the middle of the input. If its memory can still be read, moves the filter to the CPU and returns 1: the
 * failed batch may be in it in part, and inserting it again sets the same bits. Otherwise returns 0, and the files are read again.
 */
static int moves_to_cpu(build_job *job, tms_status failure)
{
    if (!line_stream_falls_back(&job->stream, failure))
        return 0;
    if (tms_filter_download(job->stream.ctx, job->filter) == TMS_OK)
        return 1;
    job->lost = job->stream.input_bytes != UINT64_MAX ? READ_AGAIN : LOST;
    return 0;
}

/* Inserts a batch into the filter, or adds it to the builder if there is no filter yet. */
static io_status take_batch(void *build, const io_batch *batch, tms_status *done, io_error *err)
{
    build_job *job = build;
    tms_keys keys;

    if (job->stream.n_keys == 0) {
        io_progress_clear(&job->stream.progress);
        build_lines_warn(job, &batch->keys);
    }
    if (build_own_lines(job, &batch->keys, job->stream.n_keys, &keys) != TMS_OK)
        return io_fail_memory(err, "the lines of a shard");
    if (job->filter == NULL) {
        *done = tms_builder_add(job->stream.ctx, job->builder, &keys);
        return IO_OK;
    }
    *done = tms_filter_insert(job->stream.ctx, job->filter, &keys);
    if (*done != TMS_OK && moves_to_cpu(job, *done))
        *done = tms_filter_insert(job->stream.ctx, job->filter, &keys);
    return IO_OK;
}

static int fail_batch(void *build, tms_status status)
{
    build_job *job = build;

    if (job->lost == READ_AGAIN) /* no message: start_over() reads the input again */
        return CLI_NO_DEVICE;
    if (job->lost == LOST)
        return cli_fail(command, CLI_NO_DEVICE,
                        "the GPU failed and the lines so far are lost, and a pipe cannot be read again: use "
                        "--device cpu");
    if (status == TMS_E_MEMORY && job->filter == NULL)
        return cli_fail(command, CLI_NO_MEMORY,
                        "out of memory after %llu keys, which are kept until their number is known: use --expected N",
                        (unsigned long long)job->stream.n_keys);
    return cli_fail_library(command, job->stream.ctx, status);
}

static int read_lines(build_job *job)
{
    static const line_work work = {.take = take_batch, .fail = fail_batch};
    int code = line_stream_open(&job->stream, 0, 0);

    return code == CLI_OK ? line_stream_each(&job->stream, &work, job) : code;
}

/* Chooses the parameters of a filter whose size is known before the first line. */
static tms_status choose_params(build_job *job, tms_filter_params *out)
{
    tms_frequency_want frequencies = job->frequencies;
    tms_filter_want want = build_membership_want(job, 0);

    if (job->append != NULL) {
        *out = *tms_filter_get_params(job->old.filter);
        return TMS_OK;
    }
    if (job->asked.layout != TMS_LAYOUT_PROBABILISTIC)
        return job->expected > 0 ? size_filter(job, job->expected, out) : tms_filter_size(job->stream.ctx, &want, out);
    if (!build_is_given(job, "max-f")) {
        *out = job->asked;
        return TMS_OK;
    }
    frequencies.hash = job->asked.hash;
    frequencies.seed = job->asked.seed;
    frequencies.sampling = job->asked.sampling;
    frequencies.m_bits = job->asked.m_bits;
    return tms_frequency_size(job->stream.ctx, &frequencies, out);
}

/* Builds the filter again on the CPU, after a failure of the GPU that lost it. */
static int start_over(build_job *job, const tms_filter_params *params)
{
    int code;

    job->lost = NOT_LOST;
    io_lines_close(job->stream.lines);
    job->stream.lines = NULL;
    job->stream.n_keys = 0;
    tms_filter_destroy(job->filter);
    job->filter = NULL;
    for (size_t i = 0; i < job->stream.n_paths; i++) { /* other files are reopened */
        if (strcmp(job->stream.paths[i], "-") == 0 && lseek(STDIN_FILENO, job->stdin_from, SEEK_SET) < 0)
            return cli_fail(command, CLI_NO_DEVICE, "the GPU failed, and standard input cannot be read again: use --device cpu");
    }
    code = create_filter(job, params);
    return code == CLI_OK ? read_lines(job) : code;
}

/* The size is known in advance: inserts the lines as they are read. */
static int build_straight(build_job *job)
{
    tms_filter_params params;
    tms_status status = choose_params(job, &params);
    int code;

    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    job->stdin_from = lseek(STDIN_FILENO, 0, SEEK_CUR);
    code = cli_use_device(&job->stream.common, job->stream.ctx, job->stream.input_bytes, params.m_bits / 8);
    if (code == CLI_OK)
        code = create_filter(job, &params);
    if (code == CLI_OK)
        code = read_lines(job);
    return job->lost == READ_AGAIN ? start_over(job, &params) : code;
}

/* The number of keys is known at the end of the input: collects the keys, then sizes and fills the filter. */
static int build_counted(build_job *job)
{
    tms_filter_params params;
    tms_filter_want want = build_membership_want(job, 0);
    tms_status status = tms_builder_create(job->stream.ctx, &want, &job->builder);
    int code;

    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    code = cli_use_device(&job->stream.common, job->stream.ctx, job->stream.input_bytes, job->asked.m_bits / 8);
    if (code == CLI_OK)
        code = read_lines(job);
    if (code != CLI_OK)
        return code;
    status = size_filter(job, job->stream.n_keys, &params); /* the library does not know --bits-per-key and "1/n" */
    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    code = create_filter(job, &params);
    if (code != CLI_OK)
        return code;
    status = tms_builder_insert(job->stream.ctx, job->builder, job->filter);
    if (status != TMS_OK && line_stream_falls_back(&job->stream, status)) {
        tms_filter_destroy(job->filter);
        code = create_filter(job, &params);
        if (code != CLI_OK)
            return code;
        status = tms_builder_insert(job->stream.ctx, job->builder, job->filter);
    }
    tms_builder_destroy(job->builder); /* frees its memory before the filter is written */
    job->builder = NULL;
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->stream.ctx, status);
}

/* --kmer: collects the k-mers, then sizes and fills the filter. */
static int build_words(build_job *job)
{
    tms_filter_params params;
    tms_filter_want want = build_membership_want(job, job->expected);
    tms_status status;
    int code;

    code = cli_use_asked_device(&job->stream.common, job->stream.ctx);
    if (code != CLI_OK)
        return code;
    if (want.m_bits > 0 || job->expected == 0) /* whether a rate can be reached depends on the number of k-mers */
        want.fpr = 0;
    status = tms_reference_create(job->stream.ctx, &want, &job->reference);
    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    code = build_words_read(&job->stream, job->reference, job->mask, job->asked.word_size, job->share.by_record ? &job->share.place : NULL);
    if (code != CLI_OK)
        return code;
    if (job->stream.n_keys == 0 && job->share.place.n == 0)
        return cli_fail(command, CLI_USAGE, "no k-mers: no record has %u consecutive bases A, C, G or T; are these proteins?",
                        job->asked.word_size);
    status = size_filter(job, job->expected > 0 ? job->expected : job->stream.n_keys, &params);
    if (status == TMS_OK)
        status = tms_filter_create(job->stream.ctx, &params, &job->filter);
    if (status == TMS_OK)
        status = tms_reference_insert(job->stream.ctx, job->reference, job->filter);
    tms_reference_destroy(job->reference); /* frees its memory before the filter is written */
    job->reference = NULL;
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->stream.ctx, status);
}

/* Opens the filter of --append on the CPU; its copy goes to the device. */
static int open_old(build_job *job)
{
    int code = filter_file_open(&job->old, &job->stream.common, job->stream.ctx, job->append);

    if (code == CLI_OK && tms_filter_get_params(job->old.filter)->layout == TMS_LAYOUT_WORDS)
        return cli_fail(command, CLI_USAGE,
                        "%s: lines cannot be added to a filter of k-mers; build another one with --kmer, and merge the two", job->append);
    return code == CLI_OK ? build_check_same(job) : code;
}

/* Writes the filter; that of a shard with its place. */
static int write_filter(build_job *job)
{
    if (job->share.place.n > 0) {
        tms_status status = tms_filter_set_shard(job->stream.ctx, job->filter, &job->share.mark);
        if (status != TMS_OK)
            return cli_fail_library(command, job->stream.ctx, status);
    }
    return filter_file_write(&job->stream.common, job->stream.ctx, job->filter, &job->file);
}

static int run(build_job *job)
{
    const tms_filter_params *asked = &job->asked;
    const struct build_share *share = &job->share;
    int is_done = 0, is_sized = job->append != NULL || asked->layout == TMS_LAYOUT_PROBABILISTIC || job->expected > 0 ||
                                (asked->m_bits > 0 && asked->k > 0 && job->fpr == 0);
    int code = line_stream_begin(&job->stream);

    if (code == CLI_OK && job->append != NULL)
        code = open_old(job);
    if (code == CLI_OK)
        code = build_begin_shard(job, &is_done);
    if (code == CLI_OK && !is_done) /* before an hour's work, not after */
        code = filter_file_create(&job->stream.common,
                                  (io_output){.path = job->output != NULL ? job->output : job->append,
                                              .inputs = share->place.n > 0 ? share->all_paths : job->stream.paths,
                                              .n_inputs = share->place.n > 0 ? share->n_all_paths : job->stream.n_paths},
                                  &job->file);
    if (code != CLI_OK || is_done)
        return code;
    line_stream_progress(&job->stream, 0);
    code = asked->word_size > 0 ? build_words(job) : is_sized ? build_straight(job) : build_counted(job);
    io_progress_end(&job->stream.progress);
    if (code == CLI_OK)
        code = write_filter(job);
    if (code == CLI_OK)
        build_print_summary(job);
    return code;
}

int cmd_build(int argc, char **argv)
{
    build_job job;
    int code;

    memset(&job, 0, sizeof job);
    job.frequencies.error = 0.25; /* of the range in the summary, unless --error is given */
    if (!cli_options(&build_options, argc, argv, &job.stream.common, &job.given, &code))
        return code;
    code = build_check(&job);
    if (code != CLI_OK)
        return code;
    cli_input_paths(job.given.n_operands, job.given.operands, 0, &job.stream.paths, &job.stream.n_paths);
    code = build_plan_shard(&job);
    if (code == CLI_OK)
        code = run(&job);
    io_safe_file_abort(job.file);
    tms_builder_destroy(job.builder);
    tms_reference_destroy(job.reference);
    tms_filter_destroy(job.filter);
    filter_file_close(&job.old);
    free(job.share.lines.bytes);
    free(job.share.offsets);
    line_stream_close(&job.stream);
    return code;
}
