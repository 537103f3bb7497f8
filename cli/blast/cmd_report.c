/*
 * cmd_report.c - the report of a search from its parts: it joins them, aligns, and formats. From the summaries of the shards of tamis
 * classify: their sum.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/archive_writer.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_parts.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/blastn_job.h"
#include "cli/blast/blastp_job.h"
#include "cli/blast/translated_options.h"
#include "cli/reads/classify_summary.h"
#include "cli/reads/classify_sums.h"
#include "io/io_safe_file.h"
#include "io/io_stream.h"

static const char command[] = "report";

/* The format's options are read into a blast_job, and passed on to the program as they were typed. */
typedef struct report_job {
    blast_job blast;
    int check;
    const char *kreport;
    struct blast_parts *parts;
    char **argv; /* the program's */
    int n_argv;
    char **texts; /* n_texts, which argv points into */
    size_t n_texts;
} report_job;

enum { ABOUT_REPORT = 8 }; /* of the command itself: not passed on */

static const option_row rows[] = {
    {.heading = "Output"},
    BLAST_ROWS_OUT("; 17: SAM, of parts of tamis blastn, with all query shards"),
    BLAST_ROWS_SHOW,
    {.heading = "Input"},
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.query), .blast = "query", .about = BLAST_ABOUT_INPUT,
     .otherwise = "the path that the search was given", .help = "the queries"},
    {0, NULL, "NAME", OPTION_PATH(blast_job, options.db_name), .blast = "db", .about = BLAST_ABOUT_INPUT, .excludes = "subject",
     .otherwise = "the path that the search was given", .help = "the database"},
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.subject), .blast = "subject", .about = BLAST_ABOUT_INPUT,
     .otherwise = "the path that the search was given", .help = "the sequences of a file, if the search had -subject"},
    {0, "query-shard", "K/N", OPTION_PATH(blast_job, options.query_shard), .about = ABOUT_REPORT,
     .help = "report only part K of N parts of the queries; the outputs of all parts, one after the other, are one report"},
    {0, "check", NULL, OPTION_FLAG(report_job, check), .about = ABOUT_REPORT,
     .help = "write no report, but print the numbers of missing and damaged shards, such as 2,5-7"},
    {.heading = "Summaries of tamis classify"},
    {0, "kreport", "FILE", OPTION_PATH(report_job, kreport), .about = ABOUT_REPORT,
     .help = "write a Kraken 2 report; the summary itself only if -out is given"},
    {.heading = "Running"},
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, INT32_MAX), .blast = "num_threads", .about = BLAST_ABOUT_RUN,
     .otherwise = "all", .help = "CPU threads"},
    {0, "resume", NULL, OPTION_FLAG(blast_job, options.resume), .about = BLAST_ABOUT_RUN, .excludes = "restart",
     .help = "continue the -out of an interrupted report"},
    {0, "restart", NULL, OPTION_FLAG(blast_job, options.restart), .about = BLAST_ABOUT_RUN,
     .help = "start again from the first query, even if -out is the output of an interrupted report"},
    {0, "stats", "FILE", OPTION_PATH(blast_job, options.stats_path), .about = BLAST_ABOUT_RUN,
     .help = "write the numbers of what passed each stage, as JSON"},
    {'q', "quiet", NULL, OPTION_FLAG(cli_common, quiet), .about = BLAST_ABOUT_RUN, .help = "no remarks, no progress"},
    CLI_ROW_HELP};

const option_table report_options = {
    command,
    "Usage: tamis report [OPTION]... PART...\n"
    "       tamis report [--check] [-out FILE] [--kreport FILE] SUMMARY...\n"
    "\n"
    "Reads the parts of a search, which tamis blastn, blastp, blastx, tblastn or\n"
    "tblastx with --shard writes on any number of machines, aligns what they contain,\n"
    "and writes the report: the same bytes as one search on one machine. From FILE of\n"
    "--archive FILE it makes a report in any format. The options of the search come\n"
    "from the parts.\n"
    "\n"
    "SUMMARY is what 'tamis classify --shard' writes to --summary, or to --json. The\n"
    "report is the table, or the JSON, of one run over all reads.\n",
    OPTION_ROWS(rows),
    "\n"
    "Shard K of N is number K; with query shards, shard K of query shard I is number\n"
    "(I - 1) N + K.\n"
    "\n"
    "Exit status: as tamis blastp; 1 if a part is missing, damaged, or of another\n"
    "search. --check: 0 if all parts are there and whole, 1 if not.\n"
    "\n"
    "Examples\n"
    "  tamis report parts/*.part -outfmt 6 -out hits.tsv\n"
    "  sbatch --array=$(tamis report --check parts/*.part) shard.sh\n"
    "  tamis blastp -query q.fa -db db --archive hits.tamis\n"
    "  tamis report hits.tamis -outfmt 5 -out hits.xml\n"
    "  tamis report shards/*.json -out sample_mqc.json\n",
    .ask = "which parts?",
};

/* ---- the parts ---------------------------------------------------------------------------------------------------------------- */

static int print_missing(const report_job *job)
{
    char *missing = blast_parts_missing(job->parts, 0, blast_parts_grid(job->parts).n_query_shards);
    const int is_whole = missing != NULL && missing[0] == '\0';

    if (missing == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory");
    if (!is_whole)
        printf("%s\n", missing);
    free(missing);
    return blast_code(cli_end_stdout(command, is_whole ? CLI_OK : CLI_NO_MATCH));
}

/* Sets the query shards first .. end - 1 that the report is about, here and in the parts. */
static int find_query_shards(const report_job *job, uint64_t *first, uint64_t *end)
{
    const struct blast_grid grid = blast_parts_grid(job->parts);
    const char *text = job->blast.options.query_shard;
    uint64_t n;
    int code;

    *first = 0;
    *end = grid.n_query_shards;
    if (text == NULL)
        return CLI_OK;
    code = blast_parse_shard(command, "--query-shard", text, first, &n);
    if (code == CLI_OK && n != grid.n_query_shards)
        code = cli_fail(command, BLAST_INPUT, "--query-shard %s, but the parts are of %llu query shards", text,
                        (unsigned long long)grid.n_query_shards);
    if (code != CLI_OK)
        return code;
    blast_parts_choose(job->parts, *first);
    *end = *first + 1;
    return CLI_OK;
}

static int require_whole(const report_job *job)
{
    uint64_t first, end;
    int code = find_query_shards(job, &first, &end);
    char *missing;

    if (code != CLI_OK)
        return code;
    missing = blast_parts_missing(job->parts, first, end);
    if (missing == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory");
    if (missing[0] != '\0')
        code = cli_fail(command, BLAST_INPUT, "shards are missing, of %llu: %s; make them, and report again",
                        (unsigned long long)(blast_parts_grid(job->parts).n_shards * blast_parts_grid(job->parts).n_query_shards), missing);
    free(missing);
    return code;
}

/* -out parts/1.part, or a forgotten name behind -out, must not cost a part. */
static int check_output(const report_job *job, const options_given *given)
{
    const char *out = job->blast.options.out, *part = io_same_input(out, (const char *const *)given->operands, (size_t)given->n_operands);

    return part == NULL ? CLI_OK
                        : cli_fail(command, BLAST_INPUT, "%s: the output would replace the part %s: give it another name", out, part);
}

/* ---- the program's arguments -------------------------------------------------------------------------------------------------- */

static void add(report_job *job, const char *name, const char *value)
{
    job->argv[job->n_argv++] = (char *)name;
    if (value != NULL)
        job->argv[job->n_argv++] = (char *)value;
}

/* Adds an option of the search as its manifest has it: "-evalue 1e-5". */
static int add_of_search(report_job *job, const char *option)
{
    char *text = strdup(option), *blank;

    if (text == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory");
    blank = strchr(text, ' ');
    if (blank != NULL)
        *blank = '\0';
    job->texts[job->n_texts++] = text;
    add(job, text, blank != NULL ? blank + 1 : NULL);
    return CLI_OK;
}

static void add_input(report_job *job, const char *name, const char *key, const char *given)
{
    const char *stored = archive_manifest_get(blast_parts_manifest(job->parts), key, 0);

    if (given != NULL || stored != NULL)
        add(job, name, given != NULL ? given : stored);
}

/* spellings [out] names of the options as typed, which argv points to */
static int set_argv(report_job *job, const options_given *given, char (*spellings)[OPTIONS_SPELLING])
{
    const struct archive_manifest *manifest = blast_parts_manifest(job->parts);
    const blast_shared_options *o = &job->blast.options;
    const char *option;
    int code = CLI_OK;

    job->argv = calloc(2 * (manifest->n + OPTIONS_MAX_ROWS) + 16, sizeof *job->argv);
    job->texts = calloc(manifest->n + 1, sizeof *job->texts);
    if (job->argv == NULL || job->texts == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory");
    add(job, archive_manifest_get(manifest, "program", 0), NULL);
    for (size_t i = 0; code == CLI_OK && (option = archive_manifest_get(manifest, "option", i)) != NULL; i++)
        code = add_of_search(job, option);
    add_input(job, "-query", "query", o->query);
    if (o->db_name != NULL || (o->subject == NULL && archive_manifest_get(manifest, "db", 0) != NULL))
        add_input(job, "-db", "db", o->db_name);
    else
        add_input(job, "-subject", "subject", o->subject);
    for (size_t i = 0; i < given->table->n_rows; i++)
        if (given->is_given[i] && !(given->table->rows[i].about & (ABOUT_REPORT | BLAST_ABOUT_INPUT)))
            add(job, option_spelling(&given->table->rows[i], spellings[i]), given->values[i]);
    return code;
}

static void free_argv(report_job *job)
{
    for (size_t i = 0; i < job->n_texts; i++)
        free(job->texts[i]);
    free(job->texts);
    free(job->argv);
}

/* ---- the command -------------------------------------------------------------------------------------------------------------- */

typedef int program_run(int argc, char **argv, struct blast_parts *parts);

/* Finds the program that has made the parts. Returns CLI_OK, or the exit code after a message. */
static int find_program(const report_job *job, program_run **out)
{
    static const struct {
        const option_table *options;
        program_run *run;
    } programs[] = {{&blastp_options, blastp_run},
                    {&blastn_options, blastn_run},
                    {&blastx_options, blastx_run},
                    {&tblastn_options, tblastn_run},
                    {&tblastx_options, tblastx_run}};
    const char *name = archive_manifest_get(blast_parts_manifest(job->parts), "program", 0);

    for (size_t i = 0; i < sizeof programs / sizeof *programs && name != NULL; i++) {
        *out = programs[i].run;
        if (strcmp(name, programs[i].options->command) == 0)
            return CLI_OK;
    }
    return cli_fail(command, BLAST_INPUT, "the parts are of '%s', which this version of tamis does not have", name != NULL ? name : "?");
}

static int run(report_job *job, const options_given *given)
{
    static char spellings[OPTIONS_MAX_ROWS][OPTIONS_SPELLING];
    program_run *program = NULL;
    int code = job->check ? blast_code(blast_parts_check(command, job->parts)) : CLI_OK;

    if (code == CLI_OK && job->check)
        return print_missing(job);
    if (code == CLI_OK)
        code = check_output(job, given);
    if (code == CLI_OK)
        code = require_whole(job);
    if (code == CLI_OK)
        code = find_program(job, &program);
    if (code == CLI_OK)
        code = set_argv(job, given, spellings);
    return code == CLI_OK ? program(job->n_argv, job->argv, job->parts) : code;
}

static bool is_part(const char *path)
{
    uint8_t head[IO_KIND_BYTES];
    uint64_t size;
    FILE *file = io_stream_path_size(path, &size) ? fopen(path, "rb") : NULL;
    const size_t n = file != NULL ? fread(head, 1, sizeof head, file) : 0;

    if (file != NULL)
        fclose(file);
    return archive_is(head, n) != 0;
}

/* Finds the first summary of tamis classify, and the first part of a search, among the files. */
static void find_kinds(const options_given *given, const char **summary, const char **part)
{
    *summary = *part = NULL;
    for (int i = 0; i < given->n_operands; i++) {
        const char *path = given->operands[i];
        if (*part == NULL && is_part(path))
            *part = path;
        else if (*summary == NULL && classify_is_summary(path))
            *summary = path;
    }
}

/* Adds up summaries: most options are of searches. */
static int run_sums(const report_job *job, const options_given *given, const char *summary, const char *part)
{
    static const char *const takes[] = {"out", "check", "kreport", "quiet", "help", "threads"};
    const classify_sums sums = {.command = command,
                                .paths = (const char *const *)given->operands,
                                .n_paths = (size_t)given->n_operands,
                                .out = job->kreport == NULL || options_is_given(given, "out") ? job->blast.options.out : NULL,
                                .kreport = job->kreport,
                                .check = job->check};
    char spelling[OPTIONS_SPELLING];

    if (part != NULL)
        return cli_fail(command, CLI_USAGE, "%s is a part of a search, and %s a summary of tamis classify: give one kind of file", part,
                        summary);
    for (size_t i = 0; i < given->table->n_rows; i++) {
        bool is_taken = !given->is_given[i];
        for (size_t k = 0; k < sizeof takes / sizeof *takes && !is_taken; k++) {
            const option_row *row = &given->table->rows[i];
            is_taken = (row->name != NULL && strcmp(row->name, takes[k]) == 0) || (row->blast != NULL && strcmp(row->blast, takes[k]) == 0);
        }
        if (!is_taken)
            return cli_fail_usage(command, "%s is for parts of searches, but %s is a summary of tamis classify",
                                  option_spelling(&given->table->rows[i], spelling), summary);
    }
    return classify_sums_report(&sums);
}

int cmd_report(int argc, char **argv)
{
    const char *summary, *part;
    report_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&report_options, argc, argv, &job.blast.common, &given, &code))
        return blast_code(code);
    find_kinds(&given, &summary, &part);
    if (summary != NULL)
        return blast_code(run_sums(&job, &given, summary, part));
    if (job.kreport != NULL)
        return cli_fail(command, BLAST_INPUT, "--kreport is for summaries of tamis classify, but none of the files is one");
    code = blast_code(blast_parts_open(command, (const char *const *)given.operands, (size_t)given.n_operands, &job.parts));
    if (code == CLI_OK)
        code = run(&job, &given);
    free_argv(&job);
    blast_parts_close(job.parts);
    return code;
}
