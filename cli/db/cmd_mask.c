/*
 * cmd_mask.c - finds low-complexity regions of proteins (SEG) and nucleotides (DUST), like segmasker and dustmasker.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/blast_names.h"
#include "cli/cli.h"
#include "cli/db/mask_database.h"
#include "cli/db/mask_writer.h"
#include "cli/molecule_warning.h"
#include "io/io_safe_file.h"
#include "seqio/seqio_blast_records.h"
#include "tamis/mask.h"

static const char command[] = "mask";

#define BATCH_BYTES ((size_t)4 << 20) /* residues or bases per batch */

enum { TASK_SEG, TASK_DUST };
enum { INFMT_FASTA, INFMT_BLASTDB };
enum { ABOUT_SEG = 1, ABOUT_DUST = 2 };

#define MASK_WORDS "interval fasta acclist maskinfo_asn1_text maskinfo_asn1_bin maskinfo_xml seqloc_asn1_text seqloc_asn1_bin seqloc_xml"

typedef struct mask_job {
    cli_common common;
    const char *in, *out;
    int task, infmt, outfmt, parse_seqids;
    uint32_t window, level, linker;
    double locut, hicut;

    /* Warnings about dropped characters. The reader's thread writes them until it ends. */
    char first_warning[512];
    uint64_t n_warnings;

    tms_context *ctx;
    tms_masks *masks;
    seqio_blast_records *records;
    mask_database database; /* in place of records, for -infmt blastdb */
    mask_writer writer;
} mask_job;

static const option_row rows[] = {
    {0, NULL, "T", OPTION_CHOICE(mask_job, task, "seg dust", TASK_SEG), .blast = "task", .ask = "proteins or nucleotides?",
     .help = "seg: proteins; dust: nucleotides"},
    {0, NULL, "FILE", OPTION_PATH(mask_job, in), .blast = "in", .initial = "-",
     .help = "the sequences: FASTA or FASTQ, plain or compressed; - is standard input"},
    {0, NULL, "FILE", OPTION_PATH(mask_job, out), .blast = "out", .initial = "-",
     .help = "write to a file, which appears whole or not at all; - is standard output"},
    {0, NULL, "F", OPTION_CHOICE(mask_job, outfmt, MASK_WORDS, MASK_INTERVAL), .blast = "outfmt", .initial = "interval",
     .help = "interval: the title, then \"first - last\" of each interval, from 0; fasta: masked residues or bases in lower case; acclist "
             "(dust): title, first and last position, with tabs between; maskinfo_... and seqloc_...: NCBI's ASN.1 as text (_asn1_text), "
             "in binary (_asn1_bin) and as XML (_xml); makedb -mask_data reads maskinfo as text or in binary"},
    CLI_ROW_FORCE("let -out replace any file"),

    {.heading = "SEG"},
    {0, NULL, "N", OPTION_SIZE(mask_job, window, 0, INT32_MAX), .blast = "window", .what = "a number of residues or bases",
     .otherwise = "12; 64 for dust", .help = "residues or bases per window"},
    {0, NULL, "BITS", OPTION_NUMBER(mask_job, locut, 0, 20), .blast = "locut", .initial = "2.2", .about = ABOUT_SEG,
     .help = "a segment begins at a window with at most this complexity"},
    {0, NULL, "BITS", OPTION_NUMBER(mask_job, hicut, 0, 20), .blast = "hicut", .initial = "2.5", .about = ABOUT_SEG,
     .help = "a segment extends over adjacent windows with at most this complexity; at least locut"},

    {.heading = "DUST (-window: 8..64)"},
    {0, NULL, "N", OPTION_SIZE(mask_job, level, 0, INT32_MAX), .blast = "level", .initial = "20", .about = ABOUT_DUST,
     .help = "score threshold, 2..64"},
    {0, NULL, "N", OPTION_SIZE(mask_job, linker, 0, INT32_MAX), .blast = "linker", .initial = "1", .about = ABOUT_DUST,
     .what = "a number of bases", .help = "join two intervals if one begins at most this many bases after the end of the other, 1..32"},

    {.heading = "Running"},
    {0, NULL, "F", OPTION_CHOICE(mask_job, infmt, "fasta blastdb", INFMT_FASTA), .blast = "infmt", .initial = "fasta",
     .help = "fasta, or blastdb: -in names a BLAST database"},
    {0, NULL, NULL, OPTION_FLAG(mask_job, parse_seqids), .blast = "parse_seqids",
     .help = "parse the first word of a header as an id; otherwise ASN.1 formats identify a record by its number"},
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, 1024), .blast = "num_threads", .otherwise = "all", .help = "CPU threads"},
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table mask_options = {
    command,
    "Usage: tamis mask -task seg|dust [-in FILE] [-out FILE] [OPTION]...\n"
    "\n"
    "Finds low-complexity regions: SEG in proteins, symmetric DUST in nucleotides.\n"
    "The output is that of NCBI's segmasker and dustmasker, byte for byte. Input may\n"
    "be plain, gzip, bgzip, zstd, xz or bzip2; tamis detects the format from the\n"
    "first bytes. Records keep their order. Long options begin with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "Like NCBI's programs, tamis drops characters that are not residues or bases,\n"
    "with a warning.\n"
    "\n"
    "Exit status: 0 even if nothing is masked; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis mask -task seg -in proteins.fa.gz > segments.txt\n"
    "  tamis mask -task dust -in genome.fa.gz -outfmt fasta -out masked.fa\n"
    "  zcat reads.fq.gz | tamis mask -task dust -level 30 | head\n",
    .no_operands = "the file is named with -in",
};

static void count_warning(void *arg, const char *text)
{
    mask_job *job = arg;

    if (job->n_warnings++ == 0)
        snprintf(job->first_warning, sizeof job->first_warning, "%s", text);
}

static void say_warnings(const mask_job *job)
{
    if (job->common.quiet || job->n_warnings == 0)
        return;
    cli_say(command, "%s", job->first_warning);
    if (job->n_warnings > 1)
        cli_say(command, "similar warnings for %llu lines in all", (unsigned long long)job->n_warnings);
}

/* Refuses a number out of range; called as segmasker or dustmasker, replaces it by the default, like these. */
static int check_numbers(mask_job *job, const options_given *given)
{
    const int is_seg = job->task == TASK_SEG;
    const struct {
        const char *name;
        uint32_t *value, low, high, usual;
    } numbers[] = {{"window", &job->window, is_seg ? 1 : 8, is_seg ? TMS_SEG_MAX_WINDOW : 64, is_seg ? 12 : 64},
                   {"level", &job->level, 2, 64, 20},
                   {"linker", &job->linker, 1, 32, 1}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const int is_in_range = *numbers[i].value >= numbers[i].low && *numbers[i].value <= numbers[i].high;
        if (is_in_range || !options_is_given(given, numbers[i].name))
            continue;
        if (blast_called() == NULL)
            return cli_fail_usage(command, "-%s takes a number from %u to %u with -task %s, not '%u'", numbers[i].name,
                                  (unsigned)numbers[i].low, (unsigned)numbers[i].high, is_seg ? "seg" : "dust",
                                  (unsigned)*numbers[i].value);
        *numbers[i].value = numbers[i].usual;
    }
    return CLI_OK;
}

/* Checks what the table of options cannot express. */
static int check(mask_job *job, const options_given *given)
{
    char spelling[OPTIONS_SPELLING];
    const char *other = options_about(given, job->task == TASK_SEG ? ABOUT_DUST : ABOUT_SEG, spelling);

    if (other != NULL)
        return cli_fail_usage(command, "%s is an option of -task %s", other, job->task == TASK_SEG ? "dust" : "seg");
    if (job->outfmt == MASK_ACCLIST && job->task == TASK_SEG)
        return cli_fail_usage(command, "-outfmt acclist is a format of -task dust");
    return check_numbers(job, given);
}

static tms_seg_params seg_params(const mask_job *job)
{
    return (tms_seg_params){
        .window = job->window ? job->window : 12, .locut = job->locut, .hicut = job->hicut > job->locut ? job->hicut : job->locut};
}

static tms_dust_params dust_params(const mask_job *job)
{
    return (tms_dust_params){job->window ? job->window : 64, job->level, job->linker, TMS_DUST_DUSTMASKER};
}

static tms_status mask_batch(const mask_job *job, const tms_seqs *seqs)
{
    const tms_seg_params seg = seg_params(job);
    const tms_dust_params dust = dust_params(job);

    return job->task == TASK_SEG ? tms_mask_seg(job->ctx, seqs, &seg, job->masks) : tms_mask_dust(job->ctx, seqs, &dust, job->masks);
}

/* The algorithm and its parameters, as NCBI's programs record them. */
static mask_algorithm algorithm_of(const mask_job *job)
{
    const tms_dust_params dust = dust_params(job);
    mask_algorithm a = {.name = "seg", .id = 1, .program = 20};

    if (job->task == TASK_SEG) {
        snprintf(a.options, sizeof a.options, "window=%u; locut=%g; hicut=%g", (unsigned)seg_params(job).window, job->locut, job->hicut);
        return a;
    }
    a = (mask_algorithm){.name = "dust", .id = 2, .program = 10};
    snprintf(a.options, sizeof a.options, "window=%u; level=%u; linker=%u", (unsigned)dust.window, (unsigned)dust.level,
             (unsigned)dust.linker);
    return a;
}

/* Ends the output; after a fault it has the records before the fault. */
static int end_output(mask_job *job, io_status status, const io_error *why)
{
    io_error err;
    io_status written = mask_writer_end(&job->writer, status == IO_OK, &err);

    if (written != IO_OK)
        return cli_fail_io(command, written, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, why);
}

/* Reads the next batch. *status: IO_END after the last one, or the fault of FASTA input. Returns the exit code of reading a database. */
static int next_batch(mask_job *job, tms_seqs *seqs, io_status *status, io_error *err)
{
    int code;

    if (job->infmt == INFMT_FASTA) {
        *status = seqio_blast_records_next(job->records, seqs, err);
        return CLI_OK;
    }
    code = mask_database_next(&job->database, BATCH_BYTES, seqs);
    *status = seqs->n_records > 0 ? IO_OK : IO_END;
    return code;
}

/* Masks all batches. Returns an exit code. */
static int mask_all(mask_job *job)
{
    tms_seqs seqs;
    io_error err;
    io_status status = IO_OK;

    while (status == IO_OK) {
        tms_status masked;
        tms_mask_list list;
        int code = next_batch(job, &seqs, &status, &err);
        if (code != CLI_OK)
            return code;
        if (status != IO_OK)
            break;
        if (job->task == TASK_SEG && seqs.first_record == 0)
            molecule_warn(&job->common, job->in, &seqs, TMS_PROTEIN, "-task seg masks proteins, -task dust nucleotides");
        masked = mask_batch(job, &seqs);
        if (masked != TMS_OK)
            return cli_fail_library(command, job->ctx, masked);
        list = tms_masks_list(job->masks);
        status = mask_writer_put(&job->writer, &seqs, &list, &err);
    }
    return end_output(job, status == IO_END ? IO_OK : status, &err);
}

static int open_files(mask_job *job)
{
    io_output out = {
        .path = job->out, .inputs = &job->in, .n_inputs = 1, .is_kind = io_is_no_kind, .kind = "empty", .force = job->common.force};
    seqio_blast_records_options in = {.paths = &job->in,
                                      .n_paths = 1,
                                      .molecule = job->writer.names.molecule,
                                      .batch_bytes = BATCH_BYTES,
                                      .may_be_empty = blast_called() != NULL, /* segmasker and dustmasker accept an empty file */
                                      .warn = count_warning,
                                      .warn_arg = job};
    io_error err;
    io_status status = io_safe_file_open(&out, &job->writer.file, &err);

    cli_note_terminal(&job->common, &job->in, 1);
    if (status == IO_OK)
        status = mask_writer_begin(&job->writer, &err);
    if (status == IO_OK && job->infmt == INFMT_FASTA)
        status = seqio_blast_records_open(&in, &job->records, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int run(mask_job *job)
{
    int code = open_files(job);
    io_error err;

    if (code == CLI_OK)
        code = cli_context_create(&job->common, &job->ctx);
    if (code == CLI_OK && job->infmt == INFMT_BLASTDB) {
        code = mask_database_open(&job->database, command, job->ctx, job->in, job->writer.names.molecule);
        job->writer.names.database = &job->database;
    }
    if (code == CLI_OK && tms_masks_create(job->ctx, &job->masks) != TMS_OK)
        code = cli_fail_library(command, job->ctx, TMS_E_MEMORY);
    if (code == CLI_OK)
        code = mask_all(job);
    seqio_blast_records_close(job->records);
    mask_database_close(&job->database);
    say_warnings(job);
    if (code == CLI_OK) {
        io_status status = io_safe_file_commit(job->writer.file, &err);
        job->writer.file = NULL;
        code = status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
    }
    return code;
}

int cmd_mask(int argc, char **argv)
{
    mask_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&mask_options, argc, argv, &job.common, &given, &code))
        return code;
    code = check(&job, &given);
    if (code != CLI_OK)
        return code;
    job.writer.format = (mask_format)job.outfmt;
    job.writer.names.molecule = job.task == TASK_SEG ? TMS_PROTEIN : TMS_NUCLEOTIDE;
    job.writer.names.parse_ids = job.parse_seqids || job.infmt == INFMT_BLASTDB;
    job.writer.names.hides_ids = !job.parse_seqids;
    job.writer.refuses_empty = blast_called() != NULL;
    job.writer.algorithm = algorithm_of(&job);
    code = run(&job);
    io_safe_file_abort(job.writer.file);
    tms_masks_destroy(job.masks);
    tms_context_destroy(job.ctx);
    mask_writer_free(&job.writer);
    return code;
}
