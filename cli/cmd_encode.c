/*
 * cmd_encode.c - sequences in, one .t2b file out: a block of it is a chunk of the reader.
 */
#include <string.h>

#include "cli.h"
#include "io/io_dna.h"
#include "io/io_safe_file.h"
#include "io/io_t2b.h"

static const char command[] = "encode";

typedef struct encode_job {
    cli_common common;
    const char *output;
    io_dna *dna;
    io_safe_file *file;
    t2b_writer writer;
} encode_job;

static const option_row rows[] = {
    {'o', "output", "OUT.t2b", OPTION_PATH(encode_job, output), .ask = "where should the sequences go?",
     .help = "where to write, whole or not at all; - is standard output"},
    CLI_ROW_FORCE("replace a file that is not a .t2b file"),
    CLI_ROW_QUIET("no summary"),
    CLI_ROW_HELP,
};

const option_table encode_options = {
    command,
    "Usage: tamis encode -o OUT.t2b [FILE]...\n"
    "\n"
    "Writes the sequences of the files, or of standard input (no FILE, or -), at two\n"
    "bits a base. tamis seeds reads the result in place of the files. Input is FASTA,\n"
    "FASTQ or .t2b, plain, gzip, bgzip, zstd, xz or bzip2; the first bytes decide.\n",
    OPTION_ROWS(rows),
    "\n"
    "The first word of each name is kept. Of letters other than ACGT (N and the like)\n"
    "only the places are kept. Upper and lower case are the same. A letter that is\n"
    "not a nucleotide is an error.\n"
    "\n"
    "Examples\n"
    "  tamis encode -o genome.t2b genome.fa.gz\n"
    "  tamis encode -o all.t2b chr1.fa chr2.fa.zst rest.t2b\n",
};

static io_status run(encode_job *job, const io_dna_options *how, io_error *err)
{
    io_output output = {.path = job->output,
                        .inputs = how->paths,
                        .n_inputs = how->n_paths,
                        .is_kind = t2b_is_magic,
                        .kind = "a .t2b file",
                        .in_place = 1,
                        .force = job->common.force};
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
    encode_job job;
    options_given given;
    io_dna_options how = {.chunk_bases = T2B_BLOCK_BASES, .keep_empty = 1};
    io_status status;
    io_error err;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&encode_options, argc, argv, &job.common, &given, &code))
        return code;
    cli_input_paths(given.n_operands, given.operands, 0, &how.paths, &how.n_paths);
    status = run(&job, &how, &err);
    if (status == IO_OK && !job.common.quiet)
        cli_say(command, "%llu record%s, %llu base%s (%llu letter%s other than ACGT), %llu bytes", (unsigned long long)job.writer.n_records,
                CLI_PLURAL(job.writer.n_records), (unsigned long long)job.writer.n_bases, CLI_PLURAL(job.writer.n_bases),
                (unsigned long long)job.writer.n_other, CLI_PLURAL(job.writer.n_other), (unsigned long long)job.writer.n_bytes);
    io_safe_file_abort(job.file);
    t2b_writer_free(&job.writer);
    io_dna_close(job.dna);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}
