/*
 * cmd_encode.c - sequences in, one .t2b file out: a block of it is a chunk of the reader.
 */
#include <getopt.h>
#include <string.h>

#include "cli.h"
#include "io/io_dna.h"
#include "io/io_safe_file.h"
#include "io/io_t2b.h"

static const char command[] = "encode";

static const char help[] =
    "Usage: tamis encode -o OUT.t2b [FILE]...\n"
    "\n"
    "Writes the sequences of the files, or of standard input (no FILE, or -), at two bits a base. tamis\n"
    "seeds takes the result in the place of the files. Input is FASTA, FASTQ or .t2b; plain, gzip,\n"
    "bgzip, zstd, xz or bzip2, told apart by its first bytes.\n"
    "\n"
    "  -o, --output OUT.t2b   where to write: whole or not at all; - is standard output\n"
    "      --force            replace a file that is no .t2b\n"
    "  -q, --quiet            no summary\n"
    "  -h, --help             this text\n"
    "\n"
    "Of a name the first word is kept, of other letters than ACGT (N and the like) where they are. Upper\n"
    "and lower case are the same. What is no nucleotide is an error.\n"
    "\n"
    "Examples\n"
    "  tamis encode -o genome.t2b genome.fa.gz\n"
    "  tamis encode -o all.t2b chr1.fa chr2.fa.zst rest.t2b\n";

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'}, CLI_LONG_FORCE, CLI_LONG_QUIET, CLI_LONG_HELP, CLI_LONG_END};

typedef struct encode_job {
    io_dna *dna;
    io_safe_file *file;
    t2b_writer writer;
} encode_job;

static io_status run(encode_job *job, const char *path, int force, const io_dna_options *how, io_error *err)
{
    io_output output = {.path = path,
                        .inputs = how->paths,
                        .n_inputs = how->n_paths,
                        .is_kind = t2b_is_magic,
                        .kind = "a .t2b file",
                        .in_place = 1,
                        .force = force};
    io_dna_chunk chunk;
    io_status status = io_safe_file_open(&output, &job->file, err);

    if (status == IO_OK)
        status = io_dna_open(how, &job->dna, err);
    if (status != IO_OK)
        return status;
    status = io_dna_next(job->dna, &chunk, err);
    if (status == IO_OK) /* bad input is known before anything is written to a pipe */
        status = t2b_write_start(&job->writer, job->file, err);
    while (status == IO_OK) {
        status = t2b_write_block(&job->writer, &chunk.dna, err);
        if (status == IO_OK)
            status = io_dna_next(job->dna, &chunk, err);
    }
    if (status != IO_END)
        return status;
    status = t2b_write_end(&job->writer, err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->file, err);
        job->file = NULL;
    }
    return status;
}

int cmd_encode(int argc, char **argv)
{
    cli_common common;
    encode_job job;
    io_dna_options how = {.chunk_bases = T2B_BLOCK_BASES, .keep_empty = 1};
    const char *output = NULL;
    io_status status;
    io_error err;
    int option;

    memset(&job, 0, sizeof job);
    cli_common_init(&common, command);
    while ((option = getopt_long(argc, argv, ":o:qh", options, NULL)) != -1) {
        if (option == 'h')
            return cli_print_help(command, help);
        if (option == 'o') {
            output = optarg;
        } else {
            int code = cli_common_option(&common, option, optarg, argv);
            if (code != CLI_OK)
                return code;
        }
    }
    if (output == NULL)
        return cli_fail_usage(command, "where should the sequences go? Give -o OUT.t2b");
    cli_input_paths(argc, argv, optind, &how.paths, &how.n_paths);
    status = run(&job, output, common.force, &how, &err);
    if (status == IO_OK && !common.quiet)
        cli_say(command, "%llu record%s, %llu base%s, of them %llu other letter%s than ACGT; %llu bytes",
                (unsigned long long)job.writer.n_records, CLI_PLURAL(job.writer.n_records),
                (unsigned long long)job.writer.n_bases, CLI_PLURAL(job.writer.n_bases),
                (unsigned long long)job.writer.n_other, CLI_PLURAL(job.writer.n_other),
                (unsigned long long)job.writer.n_bytes);
    io_safe_file_abort(job.file);
    t2b_writer_free(&job.writer);
    io_dna_close(job.dna);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}
