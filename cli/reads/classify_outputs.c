/*
 * classify_outputs.c - opens the outputs of a run: chooses names and compression, and where the reads of each verdict go.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/reads/classify_job.h"

static const char command[] = "classify";

static int add_output(classify_job *job, const char *path, io_compression compression, size_t *number)
{
    io_output how = {.path = path,
                     .inputs = job->inputs,
                     .n_inputs = job->n_inputs,
                     .is_kind = io_is_no_kind,
                     .kind = "empty",
                     .beside_stdout = job->uses_stdout && strcmp(path, "-") != 0,
                     .force = job->common.force};
    io_error err;
    io_status status = io_outputs_add(job->writer.outputs, &how, compression, number, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Compression of an output that the user has named. */
static io_compression compression_of(const classify_job *job, const char *path)
{
    if (job->compress != CLASSIFY_BY_NAME)
        return job->compress == CLASSIFY_PLAIN ? IO_PLAIN : job->compress == CLASSIFY_ZSTD ? IO_ZSTD : IO_GZIP;
    return io_compress_by_name(path);
}

/* Derives the compression and format of an input without reads from its name. */
static void guess_by_name(const char *path, io_compression *compression, int *is_fastq)
{
    static const char *const fasta[] = {".fa", ".fasta", ".fna", ".ffn", ".fas"};
    size_t n = strlen(path), cut = 0;

    *compression = io_compress_by_name(path);
    if (*compression != IO_PLAIN)
        cut = strlen(strrchr(path, '.'));
    *is_fastq = 1;
    for (size_t i = 0; i < sizeof fasta / sizeof *fasta; i++) {
        size_t size = strlen(fasta[i]);
        if (n >= size + cut && memcmp(path + n - cut - size, fasta[i], size) == 0)
            *is_fastq = 0;
    }
}

/* Adds the output "prefix.name_R1.fq.gz" for mate 0 or 1; without _R1 if there is one input file. */
static int add_split(classify_job *job, const char *name, size_t mate, size_t *number)
{
    size_t file = job->units.n_files == 2 ? mate : 0, n = strlen(job->split);
    const seqio_records_batch *batch = &job->units.batches[file];
    io_compression compression = batch->compression;
    int is_fastq = batch->is_fastq, code;
    char *path;

    if (batch->seqs.n_records == 0)
        guess_by_name(job->units.paths[file], &compression, &is_fastq);
    if (job->compress != CLASSIFY_BY_NAME)
        compression = compression_of(job, "");
    else if (compression != IO_PLAIN && compression != IO_ZSTD)
        compression = IO_GZIP;
    if (asprintf(&path, "%s%s%s%s.%s%s", job->split, n > 0 && job->split[n - 1] == '/' ? "" : ".", name,
                 job->units.n_files == 1 ? ""
                 : mate == 0             ? "_R1"
                                         : "_R2",
                 is_fastq ? "fq" : "fa",
                 compression == IO_GZIP   ? ".gz"
                 : compression == IO_ZSTD ? ".zst"
                                          : "") < 0)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    code = add_output(job, path, compression, number);
    free(path);
    return code;
}

static int open_split(classify_job *job)
{
    size_t n = job->filter_paths.n;
    io_error err;
    io_status status = io_make_directories(job->split, 0777, &err);
    int code = status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);

    for (size_t i = 0; i < n + 2 && code == CLI_OK; i++) {
        classify_route *route = &job->writer.routes[i];
        const char *name = i < n ? job->names[i] : i == n ? "unmatched" : "ambiguous";
        code = add_split(job, name, 0, &route->files[0]);
        route->files[1] = route->files[0];
        if (code == CLI_OK && job->units.n_files == 2)
            code = add_split(job, name, 1, &route->files[1]);
    }
    return code;
}

/* Opens the output of --keep or --remove; the other reads go nowhere. */
static int open_reads(classify_job *job)
{
    size_t n = job->filter_paths.n;
    classify_route to;
    int code = add_output(job, job->out, compression_of(job, job->out), &to.files[0]);

    to.files[1] = to.files[0];
    if (code == CLI_OK && job->out2 != NULL)
        code = add_output(job, job->out2, compression_of(job, job->out2), &to.files[1]);
    for (size_t i = 0; i < n + 2; i++) {
        int is_match = i != n;
        job->writer.routes[i] = is_match == job->keep ? to : (classify_route){{CLASSIFY_NOWHERE, CLASSIFY_NOWHERE}};
    }
    return code;
}

static int is_stdout(const char *path) { return path != NULL && strcmp(path, "-") == 0; }

int classify_has_rows(const classify_job *job)
{
    return !job->keep && !job->remove &&
           (job->out != NULL ||
            (job->split == NULL && job->summary == NULL && job->json == NULL && job->kreport == NULL && job->html == NULL));
}

int classify_open_outputs(classify_job *job)
{
    int writes_reads = job->keep || job->remove, has_rows = classify_has_rows(job), code = CLI_OK;
    io_error err;
    io_status status = io_outputs_create(job->ctx, &job->writer.outputs, &err);

    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    if (job->out == NULL && (writes_reads || has_rows))
        job->out = "-";
    job->uses_stdout = is_stdout(job->out) || is_stdout(job->out2) || is_stdout(job->summary) || is_stdout(job->json) ||
                       is_stdout(job->kreport) || is_stdout(job->html);
    if (has_rows)
        code = add_output(job, job->out, compression_of(job, job->out), &job->writer.rows);
    if (writes_reads || job->split != NULL) {
        job->writer.routes = calloc(job->filter_paths.n + 2, sizeof *job->writer.routes);
        if (job->writer.routes == NULL)
            return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    }
    if (code == CLI_OK && job->writer.routes != NULL)
        code = job->split != NULL ? open_split(job) : open_reads(job);
    if (code == CLI_OK && job->summary != NULL)
        code = add_output(job, job->summary, io_compress_by_name(job->summary), &job->summary_file);
    if (code == CLI_OK && job->json != NULL)
        code = add_output(job, job->json, io_compress_by_name(job->json), &job->json_file);
    if (code == CLI_OK && job->kreport != NULL)
        code = add_output(job, job->kreport, io_compress_by_name(job->kreport), &job->kreport_file);
    if (code == CLI_OK && job->html != NULL && (job->page_scores = calloc(1, sizeof *job->page_scores)) == NULL)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    if (code == CLI_OK && job->html != NULL)
        code = add_output(job, job->html, io_compress_by_name(job->html), &job->html_file);
    return code;
}
