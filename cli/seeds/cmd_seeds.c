/* cmd_seeds.c - prints the exact matches of w bases between a query and a subject. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/db/duplicate_names.h"
#include "cli/decimal.h"
#include "cli/device_start.h"
#include "cli/seeds/seed_writer.h"
#include "cli/seeds/seeds_stats.h"
#include "io/io_map.h"
#include "io/io_progress.h"
#include "io/io_safe_file.h"
#include "seqio/seqio_dna_ahead.h"
#include "tamis/seeds.h"

static const char command[] = "seeds";

#define MAX_BASES   (TMS_DNA_MAX_BASES - (TMS_SEEDS_MAX_WORD - 1)) /* per chunk, without the overlap */
#define BASES_AHEAD ((size_t)768 << 20)                            /* read while a GPU is being opened: 192 MiB */
#define PASSES      ((size_t)1 << 20)                              /* least capacity for the results of stage 1a */

typedef struct seeds_job {
    cli_common common;
    tms_seeds_params asked;
    option_paths queries, subjects; /* queries.items has the subjects after the queries: an array of all inputs */
    const char *db;                 /* a database in place of subjects */
    const char *out, *stats;
    int only_count, only_filter, header, bed;
    size_t batch_bases;

    device_start start;
    tms_context *cpu, *gpu; /* gpu: NULL if no GPU is in use */
    tms_context *ctx;       /* the context that searches: cpu or gpu */
    tms_seqdb *subject_db;
    seqio_dna *query_dna, *subject_dna;
    seqio_dna_ahead *ahead; /* with --bed: reads the subject's chunks, several ahead */
    seqio_dna_totals query_totals;
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

static const option_row rows[] = {
    {0, NULL, "FILE", OPTION_PATHS(seeds_job, queries), .blast = "query", .ask = "which query?",
     .help = "the sequences to search for; tamis keeps them in memory"},
    {0, NULL, "FILE", OPTION_PATHS(seeds_job, subjects), .blast = "subject", .excludes = "db",
     .because = "-subject names files and -db a database to search in",
     .help = "the sequences to search in; they may be larger than memory"},
    {0, NULL, "NAME", OPTION_PATH(seeds_job, db), .blast = "db",
     .help = "in place of -subject: BLAST nucleotide databases (tamis makedb), several names in one argument, separated by spaces"},

    {.heading = "What to find"},
    {0, NULL, "W", OPTION_SIZE(seeds_job, asked.word_size, TMS_SEEDS_MIN_WORD, TMS_SEEDS_MAX_WORD), .blast = "word_size",
     .what = "a number of bases", .initial = "16", .help = "bases of a match, 8..32"},
    {0, NULL, "S", OPTION_CHOICE(seeds_job, asked.strand, "both plus minus", TMS_STRAND_BOTH), .blast = "strand", .initial = "both",
     .help = "strand of the query: both, plus, minus"},

    {.heading = "What to print"},
    {0, "bed", NULL, OPTION_FLAG(seeds_job, bed), .excludes = "stage", .because = "--bed joins seeds, and --stage filter finds none",
     .help = "join consecutive seeds on a diagonal, and print BED: subject, start (from 0), end, QUERY:FIRST-LAST "
             "(from 1), length (at most 1000), strand"},
    {0, NULL, "FILE", OPTION_PATH(seeds_job, out), .blast = "out", .initial = "-",
     .help = "write to a file, which appears whole or not at all; - is standard output"},
    {0, "count", NULL, OPTION_FLAG(seeds_job, only_count), .excludes = "header", .because = "--header names columns, and --count has none",
     .help = "print only the number of lines"},
    {0, "header", NULL, OPTION_FLAG(seeds_job, header), .excludes = "bed",
     .because = "--header prints the names of the columns, and BED has no such line",
     .help = "print a first line with the names of the columns"},
    {0, "stage", "filter", OPTION_CHOICE(seeds_job, only_filter, "filter", 1),
     .help = "print the w-mers that pass the Bloom filters, true and false: subject, s_start, sub_query"},
    {0, "stats", "FILE", OPTION_PATH(seeds_job, stats), .help = "write parameters, totals, and counts of each sub-query's filter, as JSON"},
    CLI_ROW_FORCE("let -out replace any file, and --stats a file of another kind"),

    {.heading = "Filters (these options do not change the seeds)"},
    {0, "sub-query", "N", OPTION_SIZE(seeds_job, asked.sub_query, 1, TMS_DNA_MAX_BASES), .what = "a number of positions",
     .otherwise = "one", .help = "split the query into sub-queries of N positions, each with its own filter"},
    {'m', NULL, "BITS", OPTION_SIZE(seeds_job, asked.m_bits, TMS_BANK_MIN_BITS, TMS_BANK_MAX_BITS), .what = "a number of bits",
     .such_as = "262144 or 256Ki", .otherwise = "by the query; h3 rounds up to a power of two", .help = "bits of a filter: 262144, 256Ki"},
    {'k', NULL, "N", OPTION_SIZE(seeds_job, asked.k, 1, TMS_BANK_MAX_K), .what = "a number of hash functions",
     .otherwise = "by the filter's size", .help = "hash functions, 1..16"},
    {0, "hash", "H", OPTION_CHOICE(seeds_job, asked.hash, "h3 xxh3", TMS_SEED_HASH_H3), .initial = "h3", .help = "h3, xxh3"},
    CLI_ROW_SEED(seeds_job, asked.seed, "for the hash functions: decimal or 0x..."),
    {0, "filter", "bloom", OPTION_CHOICE(seeds_job, asked.only_bloom, "bloom", 1),
     .help = "use a Bloom filter even where tamis would choose an exact bitmap of all 4^W w-mers"},
    {0, "schedule", "S", OPTION_CHOICE(seeds_job, asked.schedule, "shared interleaved bitmap", TMS_SCHEDULE_SHARED),
     .otherwise = "the fastest", .help = "shared, interleaved or bitmap"},

    {.heading = "Running"},
    CLI_ROW_DEVICE,
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, 1024), .blast = "num_threads", .otherwise = "all", .help = "CPU threads"},
    {0, "batch", "N", OPTION_SIZE(seeds_job, batch_bases, 1, MAX_BASES), .what = "a number of bases", .initial = "4Mi",
     .help = "bases of the subject per batch"},
    CLI_ROW_QUIET("no progress and no remarks"),
    CLI_ROW_HELP,
};

const option_table seeds_options = {
    command,
    "Usage: tamis seeds -query FILE -subject FILE|-db NAME [OPTION]...\n"
    "\n"
    "Prints every exact match of W bases between the query and the subject: query,\n"
    "q_start, subject, s_start and strand (plus or minus), with tabs between them,\n"
    "ordered by subject, then by query. A name is the first word of a record's\n"
    "header. Positions count from 1 and are those of the leftmost base, on the plus\n"
    "strand of each. A window with a base other than A, C, G or T matches nothing.\n"
    "\n"
    "Files are FASTA or FASTQ, plain or compressed; tamis detects the format from the\n"
    "contents. One of them may be -, standard input. -query and -subject may be given\n"
    "several times: tamis reads the files one after the other.\n"
    "Long options begin with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0 even if nothing matches; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis seeds -query k12.fa.gz -subject o157.fa.gz -word_size 16 > seeds.tsv\n"
    "  tamis seeds -query a.fa -query b.fa -subject c.fa --bed -out matches.bed\n"
    "  tamis seeds -query k12.fa.gz -subject reads.fq.gz -word_size 24 --count\n",
    .no_operands = "files are named with -query and -subject",
};

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

static const char *path_at(const void *db, const void *address) { return tms_seqdb_path_at(db, address); }

/* n_ahead: chunks to read ahead, clamped to SEQIO_DNA_AHEAD .. SEQIO_DNA_MAX_AHEAD. */
static int open_dna(const option_paths *paths, const tms_seqdb *db, size_t chunk_bases, uint32_t overlap, size_t n_ahead, seqio_dna **out)
{
    seqio_dna_options how = {.paths = paths->items,
                             .n_paths = paths->n,
                             .db = db,
                             .chunk_bases = chunk_bases,
                             .overlap = overlap,
                             .n_ahead = (int)(n_ahead < SEQIO_DNA_AHEAD       ? SEQIO_DNA_AHEAD
                                              : n_ahead < SEQIO_DNA_MAX_AHEAD ? n_ahead
                                                                              : SEQIO_DNA_MAX_AHEAD)};
    io_error err;
    io_status status = seqio_dna_open(&how, out, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Makes the table, the filters and the names: all that stays of the query, except its bases with --bed. */
static int index_query(seeds_job *job, const tms_dna *query)
{
    tms_status status = tms_seeds_create(job->ctx, &job->asked, query, &job->seeds);
    io_error err;
    io_status copied;

    if (status != TMS_OK)
        return fail_library(job, status);
    tms_seeds_get_info(job->seeds, &job->info);
    copied = seed_writer_create(query, job->asked.word_size, job->cpu, job->out_file, &job->writer, &err);
    return copied == IO_OK ? CLI_OK : fail_io(job, copied, &err);
}

static int read_query(seeds_job *job)
{
    seqio_dna_chunk chunk;
    io_error err;
    io_status status = seqio_dna_next(job->query_dna, &chunk, &err);
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
    status = seqio_dna_next(job->query_dna, &chunk, &err);
    if (status == IO_OK) {
        io_progress_end(&job->progress);
        return cli_fail(command, CLI_USAGE, "the query has more than %zu bases: split it", MAX_BASES);
    }
    if (status != IO_END)
        return fail_io(job, status, &err);
    seqio_dna_get_totals(job->query_dna, &job->query_totals);
    if (!job->bed) { /* its bases are no longer needed */
        seqio_dna_close(job->query_dna);
        job->query_dna = NULL;
    }
    return CLI_OK;
}

/* After a failure: 1 if the CPU takes over. */
static int falls_back(seeds_job *job, tms_status status, const char *what)
{
    if (job->ctx != job->gpu)
        return 0;
    io_progress_clear(&job->progress);
    if (!cli_fall_back(&job->common, job->gpu, status, what))
        return 0;
    job->ctx = job->cpu;
    return 1;
}

/* Waits for the GPU, which opens while the query is read, and copies the filters to it. */
static int use_gpu(seeds_job *job)
{
    int code = device_start_end(&job->start, &job->gpu);
    tms_status status;

    seqio_dna_set_ahead(job->subject_dna, SEQIO_DNA_AHEAD);
    if (code != CLI_OK || job->gpu == NULL)
        return code;
    job->ctx = job->gpu;
    status = tms_seeds_upload(job->gpu, job->seeds);
    return status == TMS_OK || falls_back(job, status, CLI_GPU_IS_FULL) ? CLI_OK : fail_library(job, status);
}

static void remark_bitmap(const seeds_job *job)
{
    unsigned long long kib = job->info.params.m_bits >> 13;

    if (job->common.quiet || job->asked.schedule == TMS_SCHEDULE_BITMAP || job->info.params.schedule != TMS_SCHEDULE_BITMAP)
        return;
    cli_say(command, "w = %u: an exact bitmap of %llu %s%s instead of a Bloom filter (--filter bloom forces one)",
            job->info.params.word_size, kib >> 10 ? kib >> 10 : kib, kib >> 10 ? "MiB" : "KiB",
            job->info.n_sub_queries > 1 ? " for each sub-query" : "");
}

/* Makes room for hits or passes, pinned if a GPU searches. */
static int reserve(seeds_job *job, size_t n_bytes)
{
    if (n_bytes <= job->found_bytes)
        return CLI_OK;
    tms_host_free(job->ctx, job->found);
    job->found = NULL;
    job->found_bytes = 0;
    if (tms_host_alloc(job->ctx, n_bytes, &job->found) != TMS_OK) {
        io_progress_end(&job->progress);
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for a batch of %zu bases: give a smaller --batch", job->batch_bases);
    }
    job->found_bytes = n_bytes;
    return CLI_OK;
}

/* A match that begins in this piece may extend into later chunks: reads them until its end is known. */
static io_status put_matches(seeds_job *job, const seqio_dna_piece *piece, const seeds_found *found, io_error *err)
{
    io_status status = IO_OK;

    while (!job->only_count && status == IO_OK && seed_writer_needs_more(job->writer, piece, found))
        status = seqio_dna_ahead_more(job->ahead, err);
    if (status != IO_OK && status != IO_END)
        return status;
    return seed_writer_put_matches(job->writer, piece, found, job->only_count, &job->n_matches, err);
}

/* With --stats the same pass also counts for each sub-query. */
static tms_status scan_here(seeds_job *job, const tms_dna *subject, tms_seed_hit *hits, size_t *n_hits)
{
    if (job->subs == NULL)
        return tms_seeds_scan(job->ctx, job->seeds, subject, hits, n_hits, &job->tally);
    return tms_seeds_scan_and_measure(job->ctx, job->seeds, subject, hits, n_hits, &job->tally, job->subs);
}

static tms_status scan_chunk(seeds_job *job, const tms_dna *subject, tms_seed_hit *hits, size_t *n_hits)
{
    tms_status status = scan_here(job, subject, hits, n_hits);

    return status != TMS_OK && falls_back(job, status, CLI_GPU_FAILED) ? scan_here(job, subject, hits, n_hits) : status;
}

/* piece: with --bed, the piece whose chunk is the subject; otherwise NULL. */
static int scan(seeds_job *job, const tms_dna *subject, const seqio_dna_piece *piece)
{
    uint64_t n_before = job->tally.n_seeds;
    seeds_found found = {.seeds = job->seeds};
    tms_status status;
    io_status written;
    io_error err;
    int code;

    if (job->only_count && !job->bed) {
        status = scan_chunk(job, subject, NULL, NULL);
        return status == TMS_OK ? CLI_OK : fail_library(job, status);
    }
    code = reserve(job, (subject->n_bases + TMS_SEEDS_MAX_WORD) * sizeof(tms_seed_hit));
    if (code != CLI_OK)
        return code;
    status = scan_chunk(job, subject, job->found, &found.n_hits);
    if (status != TMS_OK)
        return fail_library(job, status);
    found.hits = job->found;
    found.n_seeds = job->tally.n_seeds - n_before;
    written = job->bed ? put_matches(job, piece, &found, &err) : seed_writer_put_seeds(job->writer, subject, &found, &err);
    return written == IO_OK ? CLI_OK : fail_io(job, written, &err);
}

static int filter(seeds_job *job, const tms_dna *subject)
{
    size_t capacity = job->info.n_sub_queries > PASSES ? job->info.n_sub_queries : PASSES, from = 0;
    int code = reserve(job, capacity * sizeof(tms_seed_pass));

    while (code == CLI_OK && from < subject->n_bases) {
        size_t n;
        tms_status status = tms_seeds_filter(job->ctx, job->seeds, subject, from, job->found, capacity, &n, &from, &job->tally);
        if (status != TMS_OK && falls_back(job, status, CLI_GPU_FAILED))
            continue;
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
    const seqio_dna_piece *piece = NULL;
    seqio_dna_chunk chunk;
    io_error err;
    io_status status = job->header ? io_safe_file_write(job->out_file, header, strlen(header), &err) : IO_OK;

    if (status == IO_OK && job->bed)
        status = seqio_dna_ahead_create(job->subject_dna, &job->ahead, &err);
    while (status == IO_OK) {
        int code;
        status = job->bed ? seqio_dna_ahead_next(job->ahead, &piece, &err) : seqio_dna_next(job->subject_dna, &chunk, &err);
        if (status != IO_OK)
            break;
        if (job->bed)
            chunk = piece->chunk;
        code = job->only_filter ? filter(job, &chunk.dna) : scan(job, &chunk.dna, piece);
        if (code != CLI_OK)
            return code;
        if (!job->common.quiet)
            record_notes_add(&job->subject_notes, &chunk.dna);
        if (job->only_filter && job->subs != NULL) { /* once per chunk: filter() may take several calls */
            tms_status measured = tms_seeds_measure(job->ctx, job->seeds, &chunk.dna, job->subs);
            if (measured != TMS_OK && falls_back(job, measured, CLI_GPU_FAILED))
                measured = tms_seeds_measure(job->ctx, job->seeds, &chunk.dna, job->subs);
            if (measured != TMS_OK)
                return fail_library(job, measured);
        }
        io_progress_update(&job->progress, chunk.n_read, job->tally.n_tested);
    }
    return status == IO_END ? CLI_OK : fail_io(job, status, &err);
}

static int write_stats(seeds_job *job)
{
    seeds_stats stats = {.queries = job->queries.items,
                         .subjects = job->subjects.items,
                         .n_queries = job->queries.n,
                         .n_subjects = job->subjects.n,
                         .db = job->db,
                         .asked = &job->asked,
                         .info = &job->info,
                         .device = tms_context_device(job->ctx),
                         .query_totals = job->query_totals,
                         .tally = &job->tally,
                         .only_filter = job->only_filter,
                         .subs = job->subs};
    io_error err;
    io_status status;

    seqio_dna_get_totals(job->subject_dna, &stats.subject_totals);
    status = seeds_stats_write(&stats, job->stats_file, &err);
    if (status == IO_OK) {
        status = io_safe_file_commit(job->stats_file, &err);
        job->stats_file = NULL;
    }
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Commits the output; with --count it is the number n. */
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
                n, n == 1 ? "" : "es", job->info.params.word_size, n_seeds, CLI_PLURAL(n_seeds), n_tested, n_passed, n_true, seconds);
    else
        cli_say(command, "%llu seed%s of %u bases: of %llu w-mers of the subject %llu pass the filter and %llu are in the query, %.2f s", n,
                CLI_PLURAL(n), job->info.params.word_size, n_tested, n_passed, n_true, seconds);
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

static io_status open_outputs(seeds_job *job, io_error *err)
{
    io_output out = {.path = job->out,
                     .inputs = job->queries.items,
                     .n_inputs = job->queries.n + job->subjects.n,
                     .is_kind = io_is_no_kind,
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

/* *size [out] bytes of bases in the database. */
static int open_database(seeds_job *job, uint64_t *size)
{
    tms_status status = tms_seqdb_open(job->cpu, job->db, TMS_NUCLEOTIDE, &job->subject_db);
    tms_seqdb_info info;

    if (status != TMS_OK)
        return cli_fail_database(command, job->cpu, status);
    io_map_watch(path_at, job->subject_db);
    tms_seqdb_get_info(job->subject_db, &info);
    if (info.n_residues == 0)
        return cli_fail(command, CLI_USAGE, "%s: no sequence: the database is empty", job->db);
    *size = info.n_residues / 4;
    return CLI_OK;
}

static int run(seeds_job *job)
{
    uint64_t total = cli_input_bytes(job->subjects.items, job->subjects.n);
    io_error err;
    io_status status = open_outputs(job, &err);
    int code = status == IO_OK ? cli_context_create(&job->common, &job->cpu) : cli_fail_io(command, status, &err);

    job->ctx = job->cpu;
    cli_note_terminal(&job->common, job->queries.items, job->queries.n);
    cli_note_terminal(&job->common, job->subjects.items, job->subjects.n);
    if (code == CLI_OK && job->db != NULL)
        code = open_database(job, &total);
    if (code == CLI_OK)
        code = open_dna(&job->queries, NULL, MAX_BASES, 0, 0, &job->query_dna);
    if (code == CLI_OK)
        code = open_dna(&job->subjects, job->subject_db, job->batch_bases, job->asked.word_size - 1,
                        cli_wants_gpu(&job->common, total, 0) ? BASES_AHEAD / job->batch_bases : 0, &job->subject_dna);
    if (code == CLI_OK)
        code = device_start_begin(&job->start, &job->common, total, 0);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->progress, command, "w-mers", total == UINT64_MAX ? 0 : total,
                      job->common.quiet || (!job->only_count && strcmp(job->out, "-") == 0 && isatty(STDOUT_FILENO)));
    code = read_query(job);
    if (code == CLI_OK)
        code = use_gpu(job);
    if (code != CLI_OK)
        return code;
    remark_bitmap(job);
    code = prepare_stats(job);
    if (code == CLI_OK)
        code = run_subject(job);
    return code == CLI_OK ? finish(job) : code;
}

static int is_named(const char *path, const option_paths *paths)
{
    for (size_t i = 0; i < paths->n; i++)
        if (strcmp(paths->items[i], path) == 0)
            return 1;
    return 0;
}

/* Checks what the table of options cannot express. */
static int check_options(const seeds_job *job)
{
    if (job->subjects.n == 0 && job->db == NULL)
        return cli_fail_usage(command, "which subject? Give -subject FILE or -db NAME");
    if (is_named("-", &job->queries) && is_named("-", &job->subjects))
        return cli_fail_usage(command, "standard input can be the query or the subject, not both");
    if (job->stats != NULL && strcmp(job->stats, "-") == 0)
        return cli_fail_usage(command, "standard output is for the seeds: --stats needs a file");
    if (job->stats != NULL && strcmp(job->out, job->stats) == 0)
        return cli_fail_usage(command, "-out and --stats name the same file: give two names");
    if (job->asked.only_bloom && job->asked.schedule == TMS_SCHEDULE_BITMAP)
        return cli_fail_usage(command, "--filter bloom excludes a bitmap, and --schedule bitmap asks for one: give one of them");
    return CLI_OK;
}

static int take_options(seeds_job *job, int argc, char **argv, int *code)
{
    options_given given;

    if (!cli_options(&seeds_options, argc, argv, &job->common, &given, code))
        return 0;
    memcpy(job->queries.items + job->queries.n, job->subjects.items, job->subjects.n * sizeof *job->subjects.items);
    *code = check_options(job);
    return *code == CLI_OK;
}

int cmd_seeds(int argc, char **argv)
{
    seeds_job job;
    int code;

    memset(&job, 0, sizeof job);
    tms_seeds_params_init(&job.asked);
    job.queries.items = calloc((size_t)argc, sizeof *job.queries.items); /* a file takes at least one argument */
    job.subjects.items = calloc((size_t)argc, sizeof *job.subjects.items);
    if (job.queries.items == NULL || job.subjects.items == NULL)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    else if (take_options(&job, argc, argv, &code))
        code = run(&job);
    io_progress_end(&job.progress);
    io_safe_file_abort(job.out_file);
    io_safe_file_abort(job.stats_file);
    seqio_dna_ahead_destroy(job.ahead);
    seqio_dna_close(job.subject_dna);
    seqio_dna_close(job.query_dna);
    io_map_watch(NULL, NULL);
    tms_seqdb_destroy(job.subject_db);
    seed_writer_destroy(job.writer);
    free(job.subs);
    device_start_close(&job.start);
    if (job.cpu != NULL)
        tms_host_free(job.cpu, job.found);
    tms_seeds_destroy(job.seeds);
    tms_context_destroy(job.gpu);
    tms_context_destroy(job.cpu);
    record_notes_free(&job.query_notes);
    record_notes_free(&job.subject_notes);
    free(job.queries.items);
    free(job.subjects.items);
    return code;
}
