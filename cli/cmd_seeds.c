/*
 * cmd_seeds.c - where do a query and a subject have w bases in common?
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "cli_parse.h"
#include "decimal.h"
#include "io/io_dna_ahead.h"
#include "io/io_progress.h"
#include "io/io_safe_file.h"
#include "record_notes.h"
#include "seed_writer.h"
#include "seeds_stats.h"
#include "tamis/seeds.h"

static const char command[] = "seeds";

#define MAX_BASES     (TMS_DNA_MAX_BASES - (TMS_SEEDS_MAX_WORD - 1)) /* of a chunk, overlap not counted */
#define DEFAULT_BATCH ((size_t)4 << 20)
#define PASSES        ((size_t)1 << 20) /* of stage 1a at once, at least */

static const char help[] =
    "Usage: tamis seeds -query FILE -subject FILE [OPTION]...\n"
    "\n"
    "Prints every place where the query and the subject have the same W bases, tab-separated: query,\n"
    "q_start, subject, s_start and strand (plus or minus), in order of the subject, then of the query.\n"
    "Names are the first word of a record's header; positions count from 1 and are those of the leftmost\n"
    "base, on the plus strand of each. A window with another letter than A, C, G, T matches nothing.\n"
    "Files are FASTA, FASTQ (plain or compressed) or .t2b (tamis encode), told by their contents; one of\n"
    "them may be -, standard input. -query and -subject may be given several times: the files are read\n"
    "one after the other. Long options begin with one dash or two.\n"
    "\n"
    "What to find\n"
    "  -word_size W           bases of a match, 8..32 (default 16)\n"
    "  -strand S              of the query: both (default), plus, minus\n"
    "\n"
    "What to print\n"
    "  --bed                  seeds that follow each other on a diagonal joined, as BED: subject, start\n"
    "                         (from 0), end, QUERY:FIRST-LAST (from 1), length (1000 at most), + or -\n"
    "  -out FILE              to a file, which appears whole or not at all (default: standard output, -)\n"
    "  --count                only how many\n"
    "  --header               a first line with the names of the columns\n"
    "  --stage filter         what the Bloom filters alone let pass: subject, s_start, sub_query\n"
    "  --stats FILE           parameters, totals, and what each sub-query's filter did, as JSON\n"
    "  --force                let -out replace a file, and --stats one that is no such statistics\n"
    "\n"
    "Filters (none of this changes the seeds)\n"
    "  --sub-query N          cut the query into sub-queries of N places, a filter each (default: one)\n"
    "  -m BITS                of a filter: 262144, 256Ki (default: by the query; h3 rounds up to a power of two)\n"
    "  -k N                   hash functions, 1..16 (default: by the filter's size)\n"
    "  --hash H               h3 (default), xxh3\n"
    "  --seed N               of the hash functions: decimal or 0x... (default 0)\n"
    "  --filter bloom         a Bloom filter also where an exact bitmap of all 4^W w-mers would be taken\n"
    "  --schedule S           shared, interleaved or bitmap (default: the fastest)\n"
    "\n"
    "Running\n"
    "  --device D             auto, cpu, cuda or cuda:I (default auto: the GPU for large jobs)\n"
    "  --threads N            CPU threads (default: all); -num_threads is the same\n"
    "  --batch N              bases of the subject read and processed at once (default 4Mi)\n"
    "  -q, --quiet            no progress, no remarks\n"
    "  -h, --help             this text\n"
    "\n"
    "Exit status: 0 also where nothing matches; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis seeds -query k12.fa.gz -subject o157.fa.gz -word_size 16 > seeds.tsv\n"
    "  tamis seeds -query a.fa -query b.fa -subject c.fa -word_size 20 --bed -out matches.bed\n"
    "  tamis seeds -query k12.fa.gz -subject reads.fq.gz -word_size 24 --count\n";

typedef struct seeds_job {
    cli_common common;
    tms_seeds_params asked;
    const char **queries, **subjects; /* files; after the queries the subjects again, so that all inputs are one array */
    size_t n_queries, n_subjects;
    const char *out, *stats;
    int only_count, only_filter, header, bed, wants_help;
    size_t batch_bases;

    tms_context *ctx;
    io_dna *query_dna, *subject_dna;
    io_dna_ahead *ahead; /* with --bed: the subject's chunks come from here */
    io_dna_totals query_totals;
    record_notes query_notes, subject_notes;
    tms_seeds *seeds;
    tms_seeds_info info;
    seed_writer *writer;
    void *found; /* hits or passes */
    size_t found_bytes;
    tms_sub_query *subs; /* with --stats */
    io_safe_file *out_file, *stats_file;
    io_progress progress;
    tms_seeds_tally tally;
    uint64_t n_passes, n_matches;
} seeds_job;

enum {
    OPT_QUERY = CLI_OPT_OWN,
    OPT_SUBJECT,
    OPT_WORD_SIZE,
    OPT_STRAND,
    OPT_SUB_QUERY,
    OPT_FILTER,
    OPT_SCHEDULE,
    OPT_COUNT,
    OPT_BED,
    OPT_OUT,
    OPT_STAGE,
    OPT_STATS,
    OPT_HEADER,
    OPT_BATCH_BASES
};

static const struct option options[] = {{"query", required_argument, NULL, OPT_QUERY},
                                        {"subject", required_argument, NULL, OPT_SUBJECT},
                                        {"word_size", required_argument, NULL, OPT_WORD_SIZE},
                                        {"strand", required_argument, NULL, OPT_STRAND},
                                        {"sub-query", required_argument, NULL, OPT_SUB_QUERY},
                                        {"filter", required_argument, NULL, OPT_FILTER},
                                        {"schedule", required_argument, NULL, OPT_SCHEDULE},
                                        {"count", no_argument, NULL, OPT_COUNT},
                                        {"bed", no_argument, NULL, OPT_BED},
                                        {"out", required_argument, NULL, OPT_OUT},
                                        {"stage", required_argument, NULL, OPT_STAGE},
                                        {"stats", required_argument, NULL, OPT_STATS},
                                        {"header", no_argument, NULL, OPT_HEADER},
                                        {"batch", required_argument, NULL, OPT_BATCH_BASES},
                                        {"num_threads", required_argument, NULL, CLI_OPT_THREADS},
                                        CLI_LONG_HASH,
                                        CLI_LONG_SEED,
                                        CLI_LONG_DEVICE,
                                        CLI_LONG_THREADS,
                                        CLI_LONG_FORCE,
                                        CLI_LONG_QUIET,
                                        CLI_LONG_HELP,
                                        CLI_LONG_END};

static int fail_library(seeds_job *job, tms_status status)
{
    io_progress_end(&job->progress);
    return cli_fail_library(command, job->ctx, status);
}

static int fail_io(seeds_job *job, io_status status, const io_error *err)
{
    io_progress_end(&job->progress);
    return cli_fail_io(command, status, err);
}

static int open_dna(const char *const *paths, size_t n_paths, size_t chunk_bases, uint32_t overlap, io_dna **out)
{
    io_dna_options how = {paths, n_paths, chunk_bases, overlap};
    io_error err;
    io_status status = io_dna_open(&how, out, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* The table, the filters and the names: all that is kept of the query, but for its bases with --bed. */
static int index_query(seeds_job *job, const tms_dna *query)
{
    tms_status status = tms_seeds_create(job->ctx, &job->asked, query, &job->seeds);
    io_error err;
    io_status copied;

    if (status != TMS_OK && cli_fall_back(&job->common, job->ctx, status))
        status = tms_seeds_create(job->ctx, &job->asked, query, &job->seeds);
    if (status != TMS_OK)
        return fail_library(job, status);
    tms_seeds_get_info(job->seeds, &job->info);
    copied = seed_writer_create(query, job->asked.word_size, tms_context_threads(job->ctx), job->out_file, &job->writer, &err);
    return copied == IO_OK ? CLI_OK : fail_io(job, copied, &err);
}

static int read_query(seeds_job *job)
{
    io_dna_chunk chunk;
    io_error err;
    io_status status = io_dna_next(job->query_dna, &chunk, &err);
    int code;

    if (status != IO_OK)
        return fail_io(job, status, &err);
    code = index_query(job, &chunk.dna);
    if (code != CLI_OK)
        return code;
    if (!job->common.quiet) {
        record_notes_add(&job->query_notes, &chunk.dna);
        record_notes_say(&job->query_notes, command, "query", job->asked.word_size, job->info.n_words);
    }
    status = io_dna_next(job->query_dna, &chunk, &err);
    if (status == IO_OK) {
        io_progress_end(&job->progress);
        return cli_fail(command, CLI_USAGE, "the query has more than %zu bases: split it", MAX_BASES);
    }
    if (status != IO_END)
        return fail_io(job, status, &err);
    io_dna_get_totals(job->query_dna, &job->query_totals);
    if (!job->bed) { /* its bases are needed no more */
        io_dna_close(job->query_dna);
        job->query_dna = NULL;
    }
    return CLI_OK;
}

static void remark_bitmap(const seeds_job *job)
{
    unsigned long long kib = job->info.params.m_bits >> 13;

    if (job->common.quiet || job->asked.schedule == TMS_SCHEDULE_BITMAP || job->info.params.schedule != TMS_SCHEDULE_BITMAP)
        return;
    cli_say(command, "w = %u: an exact bitmap of %llu %s%s instead of a Bloom filter (--filter bloom takes one)",
            job->info.params.word_size, kib >> 10 ? kib >> 10 : kib, kib >> 10 ? "MiB" : "KiB",
            job->info.n_sub_queries > 1 ? " for each sub-query" : "");
}

/* Pinned where there is a GPU. */
static int reserve(seeds_job *job, size_t n_bytes)
{
    if (n_bytes <= job->found_bytes)
        return CLI_OK;
    tms_host_free(job->ctx, job->found);
    job->found = NULL;
    job->found_bytes = 0;
    if (tms_host_alloc(job->ctx, n_bytes, &job->found) != TMS_OK) {
        io_progress_end(&job->progress);
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for a batch of %zu bases (--batch)", job->batch_bases);
    }
    job->found_bytes = n_bytes;
    return CLI_OK;
}

/* A match of this piece may go on in the chunks after it: as many are read as it takes to know where it ends. */
static int put_matches(seeds_job *job, const io_dna_piece *piece, size_t n_hits, uint64_t n_seeds)
{
    io_error err;
    io_status status = IO_OK;

    while (!job->only_count && status == IO_OK && seed_writer_needs_more(job->writer, job->seeds, piece, job->found, n_hits))
        status = io_dna_ahead_more(job->ahead, &err);
    if (status == IO_OK || status == IO_END)
        status = seed_writer_put_matches(job->writer, job->seeds, piece, job->found, n_hits, n_seeds, job->only_count,
                                         &job->n_matches, &err);
    return status == IO_OK ? CLI_OK : fail_io(job, status, &err);
}

/* piece: with --bed, what the subject is part of. */
static int scan(seeds_job *job, const tms_dna *subject, const io_dna_piece *piece)
{
    uint64_t n_before = job->tally.n_seeds;
    size_t n_hits;
    tms_status status;
    io_status written;
    io_error err;
    int code;

    if (job->only_count && !job->bed) {
        status = tms_seeds_scan(job->ctx, job->seeds, subject, NULL, NULL, &job->tally);
        return status == TMS_OK ? CLI_OK : fail_library(job, status);
    }
    code = reserve(job, (subject->n_bases + TMS_SEEDS_MAX_WORD) * sizeof(tms_seed_hit));
    if (code != CLI_OK)
        return code;
    status = tms_seeds_scan(job->ctx, job->seeds, subject, job->found, &n_hits, &job->tally);
    if (status != TMS_OK)
        return fail_library(job, status);
    if (job->bed)
        return put_matches(job, piece, n_hits, job->tally.n_seeds - n_before);
    written = seed_writer_put_seeds(job->writer, job->seeds, subject, job->found, n_hits, job->tally.n_seeds - n_before, &err);
    return written == IO_OK ? CLI_OK : fail_io(job, written, &err);
}

static int filter(seeds_job *job, const tms_dna *subject)
{
    size_t capacity = job->info.n_sub_queries > PASSES ? job->info.n_sub_queries : PASSES, from = 0;
    int code = reserve(job, capacity * sizeof(tms_seed_pass));

    while (code == CLI_OK && from < subject->n_bases) {
        size_t n;
        tms_status status =
            tms_seeds_filter(job->ctx, job->seeds, subject, from, job->found, capacity, &n, &from, &job->tally);
        if (status != TMS_OK)
            return fail_library(job, status);
        job->n_passes += n;
        if (!job->only_count) {
            io_error err;
            io_status written = seed_writer_put_passes(job->writer, subject, job->found, n, &err);
            code = written == IO_OK ? CLI_OK : fail_io(job, written, &err);
        }
    }
    return code;
}

static int run_subject(seeds_job *job)
{
    static const char *const headers[] = {"query\tq_start\tsubject\ts_start\tstrand\n", "subject\ts_start\tsub_query\n"};
    const char *header = headers[job->only_filter];
    const io_dna_piece *piece = NULL;
    io_dna_chunk chunk;
    io_error err;
    io_status status = job->header ? io_safe_file_write(job->out_file, header, strlen(header), &err) : IO_OK;

    if (status == IO_OK && job->bed)
        status = io_dna_ahead_create(job->subject_dna, &job->ahead, &err);
    while (status == IO_OK) {
        int code;
        status = job->bed ? io_dna_ahead_next(job->ahead, &piece, &err) : io_dna_next(job->subject_dna, &chunk, &err);
        if (status != IO_OK)
            break;
        if (job->bed)
            chunk = piece->chunk;
        code = job->only_filter ? filter(job, &chunk.dna) : scan(job, &chunk.dna, piece);
        if (code != CLI_OK)
            return code;
        if (!job->common.quiet)
            record_notes_add(&job->subject_notes, &chunk.dna);
        if (job->subs != NULL) {
            tms_status measured = tms_seeds_measure(job->ctx, job->seeds, &chunk.dna, job->subs);
            if (measured != TMS_OK)
                return fail_library(job, measured);
        }
        io_progress_update(&job->progress, chunk.n_read, job->tally.n_tested);
    }
    return status == IO_END ? CLI_OK : fail_io(job, status, &err);
}

static int write_stats(seeds_job *job)
{
    seeds_stats stats = {.queries = job->queries,
                         .subjects = job->subjects,
                         .n_queries = job->n_queries,
                         .n_subjects = job->n_subjects,
                         .asked = &job->asked,
                         .info = &job->info,
                         .device = tms_context_device(job->ctx),
                         .query_totals = job->query_totals,
                         .tally = &job->tally,
                         .only_filter = job->only_filter,
                         .subs = job->subs};
    io_error err;
    io_status status;

    io_dna_get_totals(job->subject_dna, &stats.subject_totals);
    status = seeds_stats_write(&stats, job->stats_file, &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->stats_file, &err);
        job->stats_file = NULL;
    }
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* With --count also the number. */
static int end_output(seeds_job *job, uint64_t n)
{
    char text[DECIMAL_MAX + 1], *end = decimal_put(text, n);
    io_error err;
    io_status status = IO_OK;

    *end++ = '\n';
    if (job->only_count)
        status = io_safe_file_write(job->out_file, text, (size_t)(end - text), &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->out_file, &err);
        job->out_file = NULL;
    }
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int finish(seeds_job *job)
{
    const tms_seeds_tally *tally = &job->tally;
    unsigned long long n_seeds = tally->n_seeds;
    unsigned long long n = job->only_filter ? job->n_passes : job->bed ? job->n_matches : n_seeds;
    unsigned long long n_tested = tally->n_tested, n_passed = tally->n_passed, n_true = tally->n_true;
    double seconds = io_progress_elapsed(&job->progress);
    int code;

    io_progress_end(&job->progress);
    code = end_output(job, n);
    if (code == CLI_OK && job->stats_file != NULL)
        code = write_stats(job);
    if (code != CLI_OK || job->common.quiet)
        return code;
    record_notes_say(&job->subject_notes, command, "subject", job->asked.word_size, n_tested);
    if (job->only_filter)
        cli_say(command, "%llu pass%s of %u sub-quer%s: %llu of %llu w-mers of the subject, %.2f s", n, n == 1 ? "" : "es",
                job->info.n_sub_queries, job->info.n_sub_queries == 1 ? "y" : "ies", n_passed, n_tested, seconds);
    else if (job->bed)
        cli_say(command,
                "%llu match%s of %u bases or more, joined from %llu seed%s: of %llu w-mers of the subject %llu pass the "
                "filter and %llu are in the query, %.2f s",
                n, n == 1 ? "" : "es", job->info.params.word_size, n_seeds, CLI_PLURAL(n_seeds), n_tested, n_passed, n_true,
                seconds);
    else
        cli_say(command,
                "%llu seed%s of %u bases: of %llu w-mers of the subject %llu pass the filter and %llu are in the query, %.2f s",
                n, CLI_PLURAL(n), job->info.params.word_size, n_tested, n_passed, n_true, seconds);
    return code;
}

static int prepare_stats(seeds_job *job)
{
    size_t n = job->info.n_sub_queries;

    if (job->stats == NULL)
        return CLI_OK;
    job->subs = calloc(n ? n : 1, sizeof *job->subs);
    if (job->subs == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for the statistics of %zu sub-queries", n);
    tms_seeds_sub_queries(job->seeds, job->subs);
    return CLI_OK;
}

/* Seeds are lines like any others: no file can be told to be some. */
static int is_never(const uint8_t *bytes, size_t n)
{
    (void)bytes;
    (void)n;
    return 0;
}

static io_status open_outputs(seeds_job *job, io_error *err)
{
    io_output out = {.path = job->out,
                     .inputs = job->queries,
                     .n_inputs = job->n_queries + job->n_subjects,
                     .is_kind = is_never,
                     .kind = "empty",
                     .force = job->common.force},
              stats = out;
    io_status status = io_safe_file_open(&out, &job->out_file, err);

    stats.path = job->stats;
    stats.is_kind = seeds_stats_is;
    stats.kind = "statistics of tamis seeds";
    stats.beside_stdout = strcmp(job->out, "-") == 0;
    return status == IO_OK && job->stats != NULL ? io_safe_file_open(&stats, &job->stats_file, err) : status;
}

static int run(seeds_job *job)
{
    uint64_t total = cli_input_bytes(job->subjects, job->n_subjects);
    io_error err;
    io_status status = open_outputs(job, &err);
    int code = status == IO_OK ? cli_context_create(&job->common, &job->ctx) : cli_fail_io(command, status, &err);

    if (code == CLI_OK)
        code = open_dna(job->queries, job->n_queries, MAX_BASES, 0, &job->query_dna);
    if (code == CLI_OK)
        code = open_dna(job->subjects, job->n_subjects, job->batch_bases, job->asked.word_size - 1, &job->subject_dna);
    if (code == CLI_OK)
        code = cli_use_device(&job->common, job->ctx, total, 0);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->progress, command, "w-mers", total == UINT64_MAX ? 0 : total,
                      job->common.quiet || (!job->only_count && strcmp(job->out, "-") == 0 && isatty(STDOUT_FILENO)));
    code = read_query(job);
    if (code != CLI_OK)
        return code;
    remark_bitmap(job);
    code = prepare_stats(job);
    if (code == CLI_OK)
        code = run_subject(job);
    return code == CLI_OK ? finish(job) : code;
}

/* A number in low .. high, or a message that begins with "<option> is ". */
static int parse_count(const char *option, const char *what, const char *value, uint64_t low, uint64_t high, uint64_t *out)
{
    uint64_t n;

    if (!cli_parse_size(value, &n) || n < low || n > high)
        return cli_fail_usage(command, "%s is %s from %llu to %llu, not '%s'", option, what, (unsigned long long)low,
                              (unsigned long long)high, value);
    *out = n;
    return CLI_OK;
}

/* getopt_long_only() takes -name and --name, and sets optopt to 0 where it knows no such word, or more than one. */
static int fail_option(int option, char **argv)
{
    const char *word = argv[optind - 1];

    if (option == ':')
        return cli_fail_usage(command, "option '%s' needs a value", word);
    if (optopt == 0)
        return cli_fail_usage(command, "'%s' is no option, or short for more than one", word);
    if (optopt > 255 || strchr(word, '=') != NULL)
        return cli_fail_usage(command, "option '%.*s' takes no value", (int)strcspn(word, "="), word);
    return cli_fail_usage(command, "no option '-%c'", optopt);
}

static int parse_name(seeds_job *job, int option)
{
    tms_seeds_params *p = &job->asked;

    switch (option) {
    case OPT_STRAND:
        for (p->strand = TMS_STRAND_BOTH; p->strand <= TMS_STRAND_MINUS; p->strand++)
            if (strcmp(optarg, tms_strand_name(p->strand)) == 0)
                return CLI_OK;
        return cli_fail_usage(command, "-strand is 'both', 'plus' or 'minus', not '%s'", optarg);
    case CLI_OPT_HASH:
        for (p->hash = TMS_SEED_HASH_H3; p->hash <= TMS_SEED_HASH_XXH3; p->hash++)
            if (strcmp(optarg, tms_seed_hash_name(p->hash)) == 0)
                return CLI_OK;
        return cli_fail_usage(command, "--hash is 'h3' or 'xxh3', not '%s'", optarg);
    case OPT_SCHEDULE:
        for (p->schedule = TMS_SCHEDULE_SHARED; p->schedule <= TMS_SCHEDULE_BITMAP; p->schedule++)
            if (strcmp(optarg, tms_schedule_name(p->schedule)) == 0)
                return CLI_OK;
        return cli_fail_usage(command, "--schedule is 'shared', 'interleaved' or 'bitmap', not '%s'", optarg);
    case OPT_FILTER:
        p->only_bloom = 1;
        return strcmp(optarg, "bloom") == 0 ? CLI_OK : cli_fail_usage(command, "--filter is 'bloom', not '%s'", optarg);
    default:
        job->only_filter = 1;
        return strcmp(optarg, "filter") == 0 ? CLI_OK
                                             : cli_fail_usage(command, "--stage is 'filter', not '%s'", optarg);
    }
}

static int parse_option(seeds_job *job, int option, char **argv)
{
    tms_seeds_params *p = &job->asked;
    uint64_t n = 0;
    int code;

    switch (option) {
    case OPT_QUERY:
        job->queries[job->n_queries++] = optarg;
        return CLI_OK;
    case OPT_SUBJECT:
        job->subjects[job->n_subjects++] = optarg;
        return CLI_OK;
    case OPT_OUT:
        job->out = optarg;
        return CLI_OK;
    case OPT_BED:
        job->bed = 1;
        return CLI_OK;
    case OPT_WORD_SIZE:
        code = parse_count("-word_size", "a number of bases", optarg, TMS_SEEDS_MIN_WORD, TMS_SEEDS_MAX_WORD, &n);
        p->word_size = (uint32_t)n;
        return code;
    case OPT_SUB_QUERY:
        return parse_count("--sub-query", "a number of places", optarg, 1, TMS_DNA_MAX_BASES, &p->sub_query);
    case 'm':
        return parse_count("-m", "a number of bits, such as 262144 or 256Ki,", optarg, TMS_BANK_MIN_BITS, TMS_BANK_MAX_BITS,
                           &p->m_bits);
    case 'k':
        code = parse_count("-k", "a number of hash functions", optarg, 1, TMS_BANK_MAX_K, &n);
        p->k = (uint32_t)n;
        return code;
    case CLI_OPT_SEED:
        if (!cli_parse_seed(optarg, &p->seed))
            return cli_fail_usage(command, "--seed is a number from 0 to 2^64 - 1, decimal or 0x..., not '%s'", optarg);
        return CLI_OK;
    case OPT_STRAND:
    case CLI_OPT_HASH:
    case OPT_SCHEDULE:
    case OPT_FILTER:
    case OPT_STAGE:
        return parse_name(job, option);
    case OPT_COUNT:
        job->only_count = 1;
        return CLI_OK;
    case OPT_STATS:
        job->stats = optarg;
        return CLI_OK;
    case OPT_HEADER:
        job->header = 1;
        return CLI_OK;
    case OPT_BATCH_BASES:
        code = parse_count("--batch", "a number of bases", optarg, 1, MAX_BASES, &n);
        job->batch_bases = (size_t)n;
        return code;
    case '?':
    case ':':
        return fail_option(option, argv);
    default:
        return cli_common_option(&job->common, option, optarg, argv);
    }
}

static int is_named(const char *path, const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(paths[i], path) == 0)
            return 1;
    return 0;
}

static int check_options(const seeds_job *job, int argc, char **argv)
{
    if (optind < argc)
        return cli_fail_usage(command, "'%s': files are named with -query and -subject", argv[optind]);
    if (job->n_queries == 0 || job->n_subjects == 0)
        return cli_fail_usage(command, "which %s? Give -%s FILE", job->n_queries == 0 ? "query" : "subject",
                              job->n_queries == 0 ? "query" : "subject");
    if (is_named("-", job->queries, job->n_queries) && is_named("-", job->subjects, job->n_subjects))
        return cli_fail_usage(command, "standard input can be the query or the subject, not both");
    if (job->stats != NULL && strcmp(job->stats, "-") == 0)
        return cli_fail_usage(command, "standard output is for the seeds: --stats needs a file");
    if (job->stats != NULL && strcmp(job->out, job->stats) == 0)
        return cli_fail_usage(command, "-out and --stats name the same file: give two names");
    if (job->bed && job->only_filter)
        return cli_fail_usage(command, "--bed joins seeds, and --stage filter finds none: give one of them");
    if (job->bed && job->header)
        return cli_fail_usage(command, "BED has no line with the names of columns: give --bed or --header");
    if (job->header && job->only_count)
        return cli_fail_usage(command, "--header names columns, and --count has none: give one of them");
    if (job->asked.only_bloom && job->asked.schedule == TMS_SCHEDULE_BITMAP)
        return cli_fail_usage(command, "--filter bloom asks for no bitmap, and --schedule bitmap for one: give one of them");
    return CLI_OK;
}

static int parse_options(seeds_job *job, int argc, char **argv)
{
    int option, code = CLI_OK;

    while (code == CLI_OK && (option = getopt_long_only(argc, argv, ":m:k:qh", options, NULL)) != -1) {
        if (option == 'h') {
            job->wants_help = 1;
            return CLI_OK;
        }
        code = parse_option(job, option, argv);
    }
    memcpy(job->queries + job->n_queries, job->subjects, job->n_subjects * sizeof *job->subjects);
    return code == CLI_OK ? check_options(job, argc, argv) : code;
}

int cmd_seeds(int argc, char **argv)
{
    seeds_job job;
    int code;

    memset(&job, 0, sizeof job);
    cli_common_init(&job.common, command);
    tms_seeds_params_init(&job.asked);
    job.batch_bases = DEFAULT_BATCH;
    job.out = "-";
    job.queries = calloc((size_t)argc, sizeof *job.queries); /* a file is an argument or more */
    job.subjects = calloc((size_t)argc, sizeof *job.subjects);
    if (job.queries == NULL || job.subjects == NULL)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    else
        code = parse_options(&job, argc, argv);
    if (code == CLI_OK)
        code = job.wants_help ? cli_print_help(command, help) : run(&job);
    io_progress_end(&job.progress);
    io_safe_file_abort(job.out_file);
    io_safe_file_abort(job.stats_file);
    io_dna_ahead_destroy(job.ahead);
    io_dna_close(job.subject_dna);
    io_dna_close(job.query_dna);
    seed_writer_destroy(job.writer);
    free(job.subs);
    if (job.ctx != NULL)
        tms_host_free(job.ctx, job.found);
    tms_seeds_destroy(job.seeds);
    tms_context_destroy(job.ctx);
    record_notes_free(&job.query_notes);
    record_notes_free(&job.subject_notes);
    free(job.queries);
    free(job.subjects);
    return code;
}
