/*
 * classify_references.c - opens the references of -f: filters, or sequences, from which it builds filters in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/filter/build_words.h"
#include "cli/line_stream.h"
#include "cli/reads/classify_job.h"
#include "cli/reads/classify_names.h"
#include "io/io_stream.h"

static const char command[] = "classify";

enum { DEFAULT_WORD_SIZE = 31 };

/* Tests whether a file is FASTA, under any compression. If it cannot be read, opening it as a filter gives the message. */
static int is_fasta(const char *path)
{
    io_stream *stream = NULL;
    uint8_t head[64];
    uint64_t size;
    size_t n = 0, at = 0;
    io_error err;
    int found;

    if (!io_stream_path_size(path, &size) || io_stream_open(path, -1, &stream, &err) != IO_OK)
        return 0;
    if (io_stream_read(stream, head, sizeof head, &n, &err) != IO_OK)
        n = 0;
    while (at < n && (head[at] == '\n' || head[at] == '\r'))
        at++;
    found = at < n && head[at] == '>';
    io_stream_close(stream);
    return found;
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static int check_name(const classify_job *job, size_t i)
{
    static const char *const taken[] = {"unmatched", "ambiguous", "total"};
    const char *path = job->filter_paths.items[i], *name = job->names[i];

    for (size_t j = 0; j < sizeof taken / sizeof *taken; j++) {
        if (strcmp(name, taken[j]) == 0)
            return cli_fail(command, CLI_USAGE,
                            "%s: '%s' cannot be a reference's name, because reports have a line of this name: "
                            "give the filter's file another name",
                            path, taken[j]);
    }
    for (const char *at = name; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return cli_fail(command, CLI_USAGE,
                            "a reference is named after its file, and the name of file %zu of -f has byte 0x%02x, which would break "
                            "the table: give it another name",
                            i + 1, (unsigned)(unsigned char)*at);
    }
    for (size_t j = 0; j < i; j++) {
        if (strcmp(name, job->names[j]) == 0)
            return cli_fail(command, CLI_USAGE, "%s and %s: two references would have the name '%s': give one of the files another name",
                            job->filter_paths.items[j], path, name);
    }
    return CLI_OK;
}

int classify_name_references(classify_job *job)
{
    int code = CLI_OK;

    for (size_t i = 0; i < job->filter_paths.n && code == CLI_OK; i++) {
        job->are_sequences[i] = is_fasta(job->filter_paths.items[i]);
        job->names[i] = classify_reference_name(job->filter_paths.items[i], job->are_sequences[i]);
        code = job->names[i] != NULL ? check_name(job, i) : cli_fail(command, CLI_NO_MEMORY, "out of memory");
    }
    return code;
}

/* ---- filters built from sequences ------------------------------------------------------------------------------- */

/* Parameters of a filter built from FASTA: those of the given filters, which must all be the same, or the default; --kmer sets the size. */
static tms_filter_want want_as_others(const classify_job *job)
{
    tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = DEFAULT_WORD_SIZE, .strand = TMS_STRAND_BOTH};

    for (size_t i = 0; i < job->filter_paths.n; i++) {
        const tms_filter_params *params = job->are_sequences[i] ? NULL : tms_filter_get_params(job->files[i].filter);
        if (params == NULL || params->layout != TMS_LAYOUT_WORDS)
            continue;
        want.word_size = params->word_size;
        want.strand = params->strand;
        want.seed = params->seed;
        break;
    }
    if (job->word_size > 0)
        want.word_size = job->word_size;
    return want;
}

static int finish(classify_job *job, filter_file *file, line_stream *from, tms_reference *reference, uint32_t word_size)
{
    const tms_filter_params *params;
    const void *image;
    size_t size;
    tms_status status;

    if (from->n_keys == 0)
        return cli_fail(command, CLI_USAGE, "%s: no k-mers: no record has %u consecutive bases A, C, G or T; are these proteins?",
                        file->path, word_size);
    status = tms_reference_finish(job->ctx, reference, &file->filter);
    if (status == TMS_OK)
        status = tms_filter_image(job->ctx, file->filter, &image, &size); /* copies a filter built on a GPU to the host */
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    params = tms_filter_get_params(file->filter);
    if (!job->common.quiet)
        cli_say(command,
                "%s: FASTA, from which a filter was built in memory: %llu k-mer%s of %u bases, %s, %.2f s; 'tamis build --kmer' keeps one",
                file->path, (unsigned long long)from->n_keys, CLI_PLURAL(from->n_keys), params->word_size,
                params->strand == TMS_STRAND_BOTH ? "both strands" : "stranded", io_progress_elapsed(&from->progress));
    return CLI_OK;
}

static int build_filter(classify_job *job, size_t i)
{
    const tms_filter_want want = want_as_others(job);
    const char *path = job->filter_paths.items[i];
    line_stream from = {.common = job->common, .paths = &path, .n_paths = 1, .ctx = job->ctx};
    tms_reference *reference;
    tms_status status = tms_reference_create(job->ctx, &want, &reference);
    int code;

    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    job->files[i].path = path;
    from.input_bytes = cli_input_bytes(from.paths, 1);
    line_stream_progress(&from, 0);
    code = build_words_read(&from, reference, BUILD_MASK_NONE, want.word_size, NULL);
    if (code == CLI_OK)
        code = finish(job, &job->files[i], &from, reference, want.word_size);
    tms_reference_destroy(reference);
    return code;
}

/* ---- all references --------------------------------------------------------------------------------------------- */

/* The library checks this, too, but its messages have the numbers of filters instead of file names. */
static int check_filters(const classify_job *job)
{
    const tms_filter_params *first = tms_filter_get_params(job->files[0].filter);

    for (size_t i = 0; i < job->filter_paths.n; i++) {
        const tms_filter_params *params = tms_filter_get_params(job->files[i].filter);
        if (params->layout != TMS_LAYOUT_WORDS)
            return cli_fail(command, CLI_USAGE,
                            "%s: a filter of lines (layout %s), not of a reference: 'tamis build --kmer' makes filters of references",
                            job->files[i].path, tms_layout_name(params->layout));
        if (params->word_size != first->word_size)
            return cli_fail(command, CLI_USAGE, "%s has k-mers of %u bases, but %s of %u: all references of a run must have the same size",
                            job->files[0].path, first->word_size, job->files[i].path, params->word_size);
        if (params->strand != first->strand)
            return cli_fail(
                command, CLI_USAGE, "%s has both strands, but %s one (--stranded): all references of a run must have the same strands",
                job->files[params->strand == TMS_STRAND_BOTH ? i : 0].path, job->files[params->strand == TMS_STRAND_BOTH ? 0 : i].path);
    }
    return CLI_OK;
}

static int open_files(classify_job *job)
{
    int code = CLI_OK;

    for (size_t i = 0; i < job->filter_paths.n && code == CLI_OK; i++) {
        if (!job->are_sequences[i])
            code = filter_file_open(&job->files[i], &job->common, job->ctx, job->filter_paths.items[i]);
    }
    for (size_t i = 0; i < job->filter_paths.n && code == CLI_OK; i++) {
        if (job->are_sequences[i])
            code = build_filter(job, i);
    }
    return code == CLI_OK ? check_filters(job) : code;
}

int classify_open_references(classify_job *job)
{
    const tms_classify_params params = {
        .rule = (tms_rule)job->rule, .least_hits = job->min_hits, .threshold = job->threshold, .false_per_million = job->max_false};
    const tms_filter *filters[TMS_MAX_REFERENCES];
    tms_status status;
    int code = open_files(job);

    if (code != CLI_OK)
        return code;
    for (size_t i = 0; i < job->filter_paths.n; i++)
        filters[i] = job->files[i].filter;
    status = tms_classifier_create(job->ctx, filters, job->filter_paths.n, &params, &job->classifier);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    for (size_t i = 0; i < job->filter_paths.n; i++) {
        if (tms_classifier_fpr(job->classifier, i) == 0) /* no bit is set */
            return cli_fail(command, CLI_USAGE, "%s: has no k-mers, so no read can match: what was it built from?", job->files[i].path);
    }
    return CLI_OK;
}
