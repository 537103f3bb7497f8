/*
 * cmd_classify.c - tamis classify: assigns reads to references.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/reads/classify_job.h"
#include "cli/reads/classify_mark.h"

static const char command[] = "classify";

static const option_row rows[] = {
    {'f', "filter", "FILE", OPTION_PATHS(classify_job, filter_paths), .ask = "which references?",
     .help =
         "a reference filter made by 'tamis build --kmer', or FASTA, from which a filter is built in memory; may be given up to 64 times"},
    {0, "kmer", "W", OPTION_SIZE(classify_job, word_size, TMS_WORDS_MIN_SIZE, TMS_WORDS_MAX_SIZE),
     .otherwise = "that of the other filters, or 31", .help = "bases per k-mer for references in FASTA"},

    {.heading = "Where the reads are"},
    {'1', "in1", "LIST", OPTION_PATHS(classify_job, in1),
     .help = "comma-separated files of reads, instead of READS; read one after the other, such as the lanes of a flow cell"},
    {'2', "in2", "LIST", OPTION_PATHS(classify_job, in2), .needs = "in1", .because = "-2 names the mates of the reads of -1",
     .help = "the same number of files, with the mates, in the same order"},
    {0, "interleaved", NULL, OPTION_FLAG(classify_job, interleaved), .help = "the input has pairs: each read is followed by its mate"},
    {0, "no-name-check", NULL, OPTION_FLAG(classify_job, units.any_names),
     .help = "do not compare the names of mates; without it they must agree except for /1 and /2, .1 and .2, _1 and _2, or :1 and :2"},

    {0, "shard", "K/N", OPTION_PATH(classify_job, shard),
     .help =
         "classify only share K of N of the reads, some that follow each other: the outputs of all shards, one after the other, are "
         "those of one run, and tamis report adds up their summaries. If the summary of this shard is there, whole, the command ends at once"},

    {.heading = "What to write"},
    {'o', "out", "FILE", OPTION_PATH(classify_job, out), .otherwise = "standard output",
     .help = "the reads of --keep or --remove, or else the table; FILE.gz is compressed as by bgzip, FILE.zst as by zstd"},
    {'O', "out2", "FILE", OPTION_PATH(classify_job, out2), .needs = "keep remove", .because = "-O is for the second mates of reads",
     .help = "the second mates of pairs; without it -o gets both mates, one after the other"},
    {0, "keep", NULL, OPTION_FLAG(classify_job, keep), .excludes = "remove split",
     .because = "one run writes either the reads that match, or those that do not, or all",
     .help = "write the reads that match one or more references"},
    {0, "remove", NULL, OPTION_FLAG(classify_job, remove), .excludes = "split",
     .because = "one run writes either the reads that match, or those that do not, or all",
     .help = "write the reads that match no reference"},
    {0, "split", "PREFIX", OPTION_PATH(classify_job, split),
     .help = "write all reads, to PREFIX.REFERENCE.fq.gz and so on, PREFIX.unmatched and PREFIX.ambiguous; pairs with _R1 and _R2. "
             "References are named after their filters' files"},
    {0, "compress", "C", OPTION_CHOICE(classify_job, compress, "none gz bgz zst", CLASSIFY_PLAIN),
     .otherwise = "by FILE's name; with --split as the input", .help = "none, gz, bgz (the same as gz) or zst, whatever FILE's name"},
    {0, "summary", "FILE", OPTION_PATH(classify_job, summary), .help = "write a table of the number of reads of each reference"},
    {0, "json", "FILE", OPTION_PATH(classify_job, json),
     .help = "write these numbers as JSON for MultiQC, which looks for names that end in _mqc.json"},
    {0, "kreport", "FILE", OPTION_PATH(classify_job, kreport), .help = "write them as a Kraken 2 report, for MultiQC, Pavian and others"},
    {0, "html", "FILE", OPTION_PATH(classify_job, html),
     .help = "write a page: where the reads went, their scores, ties, and matches by chance"},
    {0, "sample", "NAME", OPTION_PATH(classify_job, sample), .needs = "json html shard", .because = "--sample names the bar of --json",
     .otherwise = "the first input's name", .help = "name of the sample"},
    CLI_ROW_FORCE("let outputs replace any file; without it only an empty one"),

    {.heading = "When a read matches"},
    {0, "rule", "R", OPTION_CHOICE(classify_job, rule, "default facs facs-perl", TMS_RULE_DEFAULT), .initial = "default",
     .help = "default; facs and facs-perl: the rules of FACS and of its first version, in Perl"},
    {'t', "threshold", "T", OPTION_PROBABILITY(classify_job, threshold), .such_as = "0.4", .otherwise = "the rule's",
     .help = "minimum score of a match, above 0 and up to 1"},
    {0, "min-hits", "N", OPTION_SIZE(classify_job, min_hits, 1, UINT32_MAX), .what = "a number of k-mers", .about = ABOUT_DEFAULT,
     .otherwise = "by --max-false", .help = "minimum number of a read's k-mers that are in the filter"},
    {0, "max-false", "X", OPTION_POSITIVE(classify_job, max_false), .such_as = "0.1", .about = ABOUT_DEFAULT, .excludes = "min-hits",
     .because = "both set how many k-mers a match needs", .otherwise = "1",
     .help = "expected matches among a million random reads, by false positives of the filters"},

    {.heading = "Running"},
    {0, "device", "D", OPTION_DEVICE(cli_common, device), .initial = "auto",
     .help = "auto, cpu, cuda or cuda:I; auto is the CPU, which keeps up with reading the input"},
    CLI_ROW_THREADS,
    CLI_ROW_QUIET("no progress and no remarks"),
    CLI_ROW_HELP,
};

const option_table classify_options = {
    command,
    "Usage: tamis classify -f FILTER [-f FILTER]... [OPTION]... [READS [MATES]]\n"
    "\n"
    "Assigns each read to a reference, or to none, by looking up its k-mers in the\n"
    "filters of the references. Two files are pairs: the mates of a pair get one\n"
    "verdict and stay together. Without READS, or with -, reads come from standard\n"
    "input; -1 A,B -2 A,B takes the files of several lanes.\n"
    "\n"
    "Reads are FASTA or FASTQ, plain, gzip, bgzip, zstd, xz or bzip2; the first bytes\n"
    "decide. They are written byte for byte as in the input, in the same order.\n"
    "Without --keep, --remove and --split the command prints a table with a line\n"
    "per read: id, verdict (none, match, ambiguous), best reference, score, hits,\n"
    "k-mers, and the score for each reference; with --summary, --json, --kreport or\n"
    "--html only if -o is given.\n",
    OPTION_ROWS(rows),
    "\n"
    "All outputs appear together at the end, or none does.\n"
    "\n"
    "Exit status: 0 whether or not reads match; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis build --kmer 31 -o human.tms human.fa.gz\n"
    "  tamis classify -f human.tms reads.fq.gz > table.tsv\n"
    "  tamis classify -f human.tms --remove -o clean.fq.gz reads.fq.gz\n"
    "  tamis classify -f human.tms --remove -o c1.fq.gz -O c2.fq.gz r1.fq.gz r2.fq.gz\n"
    "  tamis classify -f ecoli.tms -f human.tms --split out/a r1.fq.gz r2.fq.gz\n"
    "  tamis classify -f ecoli.tms --summary a.tsv --json a_mqc.json reads.fq.gz\n"
    "  tamis classify -f phix.fa --remove -o clean.fq -1 L1.fq.gz,L2.fq.gz\n"
    "  tamis classify -f ecoli.tms --shard 3/16 --summary 3.tsv r1.fq.gz r2.fq.gz\n"
    "  tamis report *.tsv > a.tsv\n",
};

/* ---- options ---------------------------------------------------------------------------------------------------- */

static int check(classify_job *job, const options_given *given)
{
    char spelling[OPTIONS_SPELLING];
    const char *other = options_about(given, ABOUT_DEFAULT, spelling);
    int code;

    if (job->filter_paths.n > TMS_MAX_REFERENCES)
        return cli_fail_usage(command, "%zu references: one run takes %d at most", job->filter_paths.n, TMS_MAX_REFERENCES);
    if (other != NULL && job->rule != TMS_RULE_DEFAULT)
        return cli_fail_usage(command, "%s is an option of --rule default", other);
    if (job->split != NULL && job->split[0] == '\0')
        return cli_fail_usage(command, "--split '': the names of the files begin with this; './' puts them into this directory");
    code = classify_list_inputs(job, given);
    if (code == CLI_OK)
        code = classify_plan_shard(job);
    if (code != CLI_OK)
        return code;
    if (job->out2 != NULL && job->units.n_mates == 1)
        return cli_fail_usage(command, "-O is for the second mates of pairs, but there is one file: give two, or --interleaved");
    if (job->out2 != NULL && job->out == NULL)
        return cli_fail_usage(command, "-O names a file for the second mates: give -o, for the first mates, too");
    return CLI_OK;
}

/* Number of files of reads. */
static size_t n_inputs(const classify_job *job) { return job->units.n_files * job->units.n_lanes; }

/* ---- the run ---------------------------------------------------------------------------------------------------- */

/* Counts and writes the current units, whose verdicts are known. */
static int put_units(classify_job *job)
{
    classify_units *units = &job->units;
    io_error err;
    io_status written;

    classify_counts_add(&job->counts, job->classifier, job->results, units->n_units);
    if (job->page_scores != NULL)
        classify_scores_add(job->page_scores, job->results, units->n_units);
    written = classify_writer_put(&job->writer, units, job->results, job->scores, &err);
    io_progress_update(&job->progress, classify_units_offset(units), job->counts.n_units);
    return written == IO_OK ? CLI_OK : cli_fail_io(command, written, &err);
}

/* Classifies a part of a unit; the last part gives the verdict. */
static int take_part(classify_job *job)
{
    const classify_part *part = &job->units.part;
    tms_status status = TMS_OK;
    io_error err;
    io_status kept;

    if (job->long_read == NULL)
        status = tms_long_read_create(job->ctx, job->classifier, &job->long_read);
    if (status == TMS_OK)
        status = tms_long_read_add(job->ctx, job->long_read, part->bases, part->n_bases);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    kept = classify_writer_keep(&job->writer, part, &err);
    if (kept != IO_OK)
        return cli_fail_io(command, kept, &err);
    if (part->ends_unit) {
        tms_long_read_end(job->ctx, job->long_read, job->results, job->scores);
        return put_units(job);
    }
    if (part->ends_mate)
        tms_long_read_end_mate(job->ctx, job->long_read);
    io_progress_update(&job->progress, classify_units_offset(&job->units), job->counts.n_units);
    return CLI_OK;
}

static int take_units(classify_job *job)
{
    classify_units *units = &job->units;
    int has_rows = job->writer.rows != CLASSIFY_NOWHERE;
    tms_status status;

    if (!array_reserve(&job->results, &job->results_capacity, units->n_units, sizeof *job->results) ||
        (has_rows && !array_reserve(&job->scores, &job->scores_capacity, units->n_units * job->filter_paths.n, sizeof *job->scores)))
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for the scores of reads");
    if (units->in_parts)
        return take_part(job);
    status = tms_classify(job->ctx, job->classifier, units->mates, units->n_mates, units->n_units, job->results,
                          has_rows ? job->scores : NULL);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    return put_units(job);
}

/* Completes the mark of a shard, which goes into the reports. */
static int end_mark(classify_job *job, classify_report *report)
{
    io_error err;
    io_status status;

    if (job->share.place.n == 0)
        return CLI_OK;
    status = classify_mark_end(&job->share.mark, &job->counts, job->filter_paths.n, &err);
    report->mark = &job->share.mark;
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int write_reports(classify_job *job)
{
    char *sample = classify_sample(job);
    classify_report report = classify_describe(job, sample);
    bool done = sample != NULL;
    int code = end_mark(job, &report);

    if (done && code == CLI_OK && job->summary != NULL)
        done = classify_report_table(&report, io_outputs_buffer(job->writer.outputs, job->summary_file));
    if (done && code == CLI_OK && job->json != NULL)
        done = classify_report_json(&report, io_outputs_buffer(job->writer.outputs, job->json_file));
    if (done && code == CLI_OK && job->kreport != NULL)
        done = classify_report_kraken(&report, io_outputs_buffer(job->writer.outputs, job->kreport_file));
    if (done && code == CLI_OK && job->html != NULL)
        done = classify_page(&report, job->page_scores, io_outputs_buffer(job->writer.outputs, job->html_file));
    free(sample);
    return done ? code : cli_fail(command, CLI_NO_MEMORY, "out of memory for the report");
}

/* Fails if no unit could have matched: the output of --remove could be all contamination. A shard alone may have short reads only. */
static int check_can_match(const classify_job *job)
{
    const classify_report report = classify_describe(job, NULL);
    char why[CLASSIFY_WHY];

    if (job->share.place.n > 0 || classify_report_can_match(&report, job->filter_paths.items, why))
        return CLI_OK;
    return cli_fail(command, CLI_USAGE, "%s", why);
}

/* Reports how many units were kept, removed or split. */
static void say_result(const classify_job *job)
{
    const classify_counts *c = &job->counts;
    const char *units = job->units.n_mates == 2 ? "pairs" : "reads";
    unsigned long long n = c->n_units, unmatched = c->n_unmatched, ambiguous = c->n_ambiguous;
    unsigned long long matched = n - unmatched, kept = job->keep ? matched : unmatched, one = matched - ambiguous;
    double percent = n > 0 ? 100.0 / (double)n : 0;

    if (job->keep || job->remove)
        cli_say(command, "kept %llu of %llu %s, removed %llu (%.1f %%)", kept, n, units, n - kept, percent * (double)(n - kept));
    else if (job->split != NULL)
        cli_say(command, "split %llu %s: %llu (%.1f %%) of %zu reference%s, %llu (%.1f %%) ambiguous, %llu (%.1f %%) unmatched", n, units,
                one, percent * (double)one, job->filter_paths.n, CLI_PLURAL(job->filter_paths.n), ambiguous, percent * (double)ambiguous,
                unmatched, percent * (double)unmatched);
}

static void say_remarks(const classify_job *job)
{
    static const char end[] = "_mqc.json";
    size_t n = job->json != NULL ? strlen(job->json) : 0;

    if (job->common.quiet)
        return;
    if (job->counts.n_units > 0 && job->counts.n_words == 0)
        cli_say(command, "nothing can match, because no read has %u consecutive bases A, C, G or T",
                tms_classifier_word_size(job->classifier));
    if (job->rule == TMS_RULE_DEFAULT && job->counts.n_unmatchable > 0)
        cli_say(command, "%llu of %llu %s are too short to match: all of their k-mers could be hits by chance (--max-false, --min-hits)",
                (unsigned long long)job->counts.n_unmatchable, (unsigned long long)job->counts.n_units,
                job->units.n_mates == 2 ? "pairs" : "reads");
    if (n > 0 && strcmp(job->json, "-") != 0 && (n < strlen(end) || strcmp(job->json + n - strlen(end), end) != 0))
        cli_say(command, "%s: MultiQC looks for files whose names end in %s", job->json, end);
    say_result(job);
}

/* Shows no bar if the output itself goes to the terminal. */
static void start_progress(classify_job *job)
{
    uint64_t bytes = cli_input_bytes(job->units.paths, n_inputs(job));

    io_progress_start(&job->progress, command, job->units.n_mates == 2 ? "pairs" : "reads", bytes == UINT64_MAX ? 0 : bytes,
                      job->common.quiet || (job->uses_stdout && isatty(STDOUT_FILENO)));
}

static int run_units(classify_job *job)
{
    io_error err;
    io_status status;
    int code;

    cli_note_terminal(&job->common, job->units.paths, n_inputs(job));
    status = classify_units_next(&job->units, &err);
    code = status == IO_OK || status == IO_END ? classify_open_outputs(job) : CLI_OK;

    if (code == CLI_OK && job->writer.outputs != NULL && job->share.place.shard == 0 && classify_writer_header(&job->writer, &err) != IO_OK)
        code = CLI_NO_MEMORY;
    start_progress(job);
    while (code == CLI_OK && status == IO_OK) {
        code = take_units(job);
        if (code == CLI_OK)
            status = classify_units_next(&job->units, &err);
    }
    io_progress_end(&job->progress); /* before any message */
    if (code == CLI_OK && status != IO_END)
        code = cli_fail_io(command, status, &err);
    if (code == CLI_OK)
        code = check_can_match(job);
    if (code == CLI_OK)
        code = write_reports(job);
    return code;
}

static int run(classify_job *job)
{
    io_error err;
    io_status status;
    int is_done = 0, code = cli_context_create(&job->common, &job->ctx);

    if (code == CLI_OK)
        code = cli_use_asked_device(&job->common, job->ctx);
    if (code == CLI_OK)
        code = classify_open_references(job);
    if (code == CLI_OK)
        code = classify_begin_shard(job, &is_done);
    if (code != CLI_OK || is_done)
        return code;
    job->writer.ctx = job->ctx;
    job->writer.names = (const char *const *)job->names;
    job->writer.n_references = job->filter_paths.n;
    status = classify_units_open(&job->units, job->keep || job->remove || job->split != NULL, classify_has_rows(job), &err);
    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    code = run_units(job);
    if (code != CLI_OK)
        return code;
    status = io_outputs_commit(job->writer.outputs, &err);
    job->writer.outputs = NULL;
    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    say_remarks(job);
    return CLI_OK;
}

/* Lists the files of reads and the filters, which no output may replace. */
static int list_inputs(classify_job *job)
{
    const size_t n_reads = job->share.n_all_lanes * job->units.n_files;

    job->inputs = calloc(n_reads + job->filter_paths.n, sizeof *job->inputs);
    if (job->inputs == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n_reads; i++)
        job->inputs[job->n_inputs++] = job->share.all_paths[i];
    for (size_t i = 0; i < job->filter_paths.n; i++)
        job->inputs[job->n_inputs++] = job->filter_paths.items[i];
    return CLI_OK;
}

static int run_options(classify_job *job, const options_given *given)
{
    int code = check(job, given);

    if (code == CLI_OK)
        code = classify_name_references(job);
    if (code == CLI_OK)
        code = list_inputs(job);
    return code == CLI_OK ? run(job) : code;
}

static void close_job(classify_job *job)
{
    io_progress_end(&job->progress);
    classify_units_close(&job->units);
    io_outputs_abort(job->writer.outputs);
    classify_writer_free(&job->writer);
    tms_long_read_destroy(job->long_read);
    tms_classifier_destroy(job->classifier);
    for (size_t i = 0; i < TMS_MAX_REFERENCES; i++) {
        filter_file_close(&job->files[i]);
        free(job->names[i]);
    }
    tms_context_destroy(job->ctx);
    archive_manifest_free(&job->share.mark);
    free(job->writer.routes);
    free(job->results);
    free(job->scores);
    free(job->page_scores);
    free(job->inputs);
    free(job->lanes);
    for (size_t i = 0; i < job->n_lists; i++)
        free(job->lists[i]);
    free(job->lists);
    free(job->filter_paths.items);
    free(job->in1.items);
    free(job->in2.items);
}

/* Allocates the lists of options that may be given several times. */
static int alloc_paths(classify_job *job, size_t n)
{
    job->filter_paths.items = calloc(n, sizeof *job->filter_paths.items);
    job->in1.items = calloc(n, sizeof *job->in1.items);
    job->in2.items = calloc(n, sizeof *job->in2.items);
    return job->filter_paths.items != NULL && job->in1.items != NULL && job->in2.items != NULL;
}

int cmd_classify(int argc, char **argv)
{
    classify_job *job = calloc(1, sizeof *job);
    options_given given;
    int code = CLI_NO_MEMORY;

    if (job == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    job->writer.rows = CLASSIFY_NOWHERE;
    if (!alloc_paths(job, (size_t)argc))
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    else if (cli_options(&classify_options, argc, argv, &job->common, &given, &code))
        code = run_options(job, &given);
    close_job(job);
    free(job);
    return code;
}
