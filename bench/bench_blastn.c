/*
 * bench_blastn.c - all of blastn with stage 1a on a GPU as [Ma11] has it, a bank of filters, over requested blocks and sizes of
 * sub-queries; and as it is in tamis. From a mapped database and a query in host memory to final HSPs: copies to the GPU, tables, all
 * stages, and alignments; no output.
 */
#include <stdlib.h>

#include "bench.h"
#include "bench_sequences.h"
#include "lookup/base_bank.h"
#include "run/context.h"

enum { RUNS = 3, THREADS_OF_BLOCK = 512, FUNCTIONS = 6, M_BITS = 1 << 18 };

#define LONG_SECONDS 1.5 /* of a run that is not repeated */
struct job {
    tms_context *ctx;
    const tms_seqdb *db;
    const tms_seqs *query;
    const char *label;
    uint64_t n_query, n_database;
    tms_search_stats plain; /* of a run without a bank; none yet if no bases were searched */
};

/* One search. bank [in,out] NULL: none */
static double search(const struct job *job, struct base_bank *bank, tms_search_stats *stats)
{
    const double begun = bench_now();
    tms_blastn_params params = tms_blastn_defaults();
    tms_search_results *results;
    tms_blastn *blastn;
    double seconds;

    params.task = TMS_TASK_BLASTN;
    job->ctx->tuning.bank = bank;
    bench_must(job->ctx, tms_blastn_create(job->ctx, job->db, &params, &blastn));
    bench_must(job->ctx, tms_blastn_search(blastn, job->query, &results));
    seconds = bench_now() - begun;
    tms_blastn_get_stats(blastn, stats);
    tms_search_results_destroy(results);
    tms_blastn_destroy(blastn);
    job->ctx->tuning.bank = NULL;
    return seconds;
}

/* Ends the program if a search with a bank has found something else. */
static void must_agree(const struct job *job, const tms_search_stats *s)
{
    const tms_search_stats *p = &job->plain;

    if (s->n_looked_up == p->n_looked_up && s->n_present == p->n_present && s->n_hits == p->n_hits && s->n_ungapped == p->n_ungapped &&
        s->n_preliminary == p->n_preliminary && s->n_hsps == p->n_hsps)
        return;
    fprintf(stderr, "tamis-bench: a search with a bank of filters has other counts than one without\n");
    exit(1);
}

/* asked: NULL: without a bank. Returns the median of its seconds. */
static double print_row(struct job *job, const struct base_bank *asked)
{
    tms_search_stats s;
    struct base_bank bank = {0};
    double seconds[RUNS];
    int n = 0;

    do {
        if (asked != NULL)
            bank = *asked;
        seconds[n] = search(job, asked != NULL ? &bank : NULL, &s);
        if (job->plain.n_queries == 0)
            job->plain = s;
        must_agree(job, &s);
    } while (++n < RUNS && seconds[0] < LONG_SECONDS);
    seconds[0] = bench_median(seconds, n);
    printf("%s\t%s\t%llu\t%llu\t", asked != NULL ? "bank" : "bitmap", job->label, (unsigned long long)job->n_query,
           (unsigned long long)job->n_database);
    if (asked != NULL)
        printf("%u\t%llu\t%u\t%llu\t%u\t%u\t", bank.sub_query, (unsigned long long)bank.m_bits, bank.k,
               (unsigned long long)bank.n_sub_queries, bank.blocks, bank.threads);
    else
        printf("\t\t\t\t\t\t");
    printf("%llu\t", (unsigned long long)s.n_looked_up);
    if (asked != NULL)
        printf("%llu\t%llu\t%llu\t", (unsigned long long)bank.n_tests, (unsigned long long)bank.n_candidates,
               (unsigned long long)bank.n_passed);
    else
        printf("\t\t%llu\t", (unsigned long long)s.n_present);
    printf("%llu\t%llu\t%llu\t%llu\t%llu\t%.5f\t%.5f\t%.4f\t%.4f\t%.4f\t%.2f\n", (unsigned long long)s.n_present,
           (unsigned long long)s.n_hits, (unsigned long long)s.n_ungapped, (unsigned long long)s.n_preliminary,
           (unsigned long long)s.n_hsps, bank.seconds_fill, bank.seconds_test, s.seconds_scan, s.seconds_gapped, seconds[0],
           1e-6 * (double)job->n_database / seconds[0]);
    fflush(stdout);
    return seconds[0];
}

/* Blocks from few to more than there are sub-queries in the largest group. */
static void print_blocks(struct job *job, uint32_t sub_query)
{
    static const uint32_t blocks[] = {8, 16, 32, 66, 99, 132, 165, 198, 264, 396, 528};
    const uint64_t n_subs = 2 * job->n_query / sub_query + 1;

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks && (i == 0 || blocks[i - 1] < n_subs); i++) {
        const struct base_bank bank = {
            .sub_query = sub_query, .k = FUNCTIONS, .m_bits = M_BITS, .blocks = blocks[i], .threads = THREADS_OF_BLOCK};
        print_row(job, &bank);
    }
}

static void bench_file(tms_context *ctx, const tms_seqdb *db, const char *path)
{
    static const uint32_t sub_queries[] = {10000, 25000, 50000, 100000, 200000, 300000};
    struct job job = {.ctx = ctx, .db = db, .label = bench_file_name(path)};
    tms_search_stats warm;
    seqio_records_batch batch;
    seqio_records *const records = bench_sequences(path, &batch);
    tms_seqdb_info info;

    tms_seqdb_get_info(db, &info);
    job.query = &batch.seqs;
    job.n_query = batch.seqs.residue_starts[batch.seqs.n_records] - batch.seqs.residue_starts[0];
    job.n_database = info.n_residues;
    (void)search(&job, NULL, &warm);
    print_row(&job, NULL);
    for (size_t i = 0; i < sizeof sub_queries / sizeof *sub_queries && sub_queries[i] < 2 * job.n_query; i++)
        print_blocks(&job, sub_queries[i]);
    print_row(&job, NULL);
    seqio_records_close(records);
}

int bench_blastn(int argc, char **argv)
{
    tms_context *ctx;
    tms_seqdb *db;

    if (argc != 3) {
        fprintf(stderr, "usage: tamis-bench blastn DATABASE QUERY.fa\n");
        return 2;
    }
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    bench_must(ctx, tms_seqdb_open(ctx, argv[1], TMS_NUCLEOTIDE, &db));
    bench_file(ctx, db, argv[2]);
    tms_seqdb_destroy(db);
    tms_context_destroy(ctx);
    return 0;
}
