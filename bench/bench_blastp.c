/*
 * bench_blastp.c - hits and ungapped extension of blastp on a GPU, by cuBLASTP's steps and by tamis's own: [Zhang14], Figs. 14 to 17, and
 * what the steps take. Both keep the same extensions.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_sequences.h"
#include "blastp/blastp_setup.h"
#include "cublastp/cublastp_cuda.h"
#include "run/context.h"
#include "search/gapped_cuda.h"
#include "search/gpu_load.h"
#include "search/search_groups.h"
#include "search/search_queries.h"

enum { RUNS = 5 };

/* A file of queries, and what they are searched in. */
struct job {
    tms_context *ctx;
    const char *label;
    const struct two_hit_gpu_subjects *block;
    uint32_t n_subjects;
    struct search_state work;
    int runs;
};

/* Sums over the groups, of one run. */
struct result {
    double seconds; /* of all steps and copies, as the caller sees it */
    struct cublastp_report report;
    uint64_t n_hits, n_extensions, n_hsps;
};

static struct result run_once(const struct job *job, const struct cublastp_options *options, bool reports)
{
    struct result r = {.seconds = -bench_now()};
    struct two_hit_gpu_found found = {0};

    for (size_t i = 0; i < job->work.n_groups; i++) {
        const struct query_group *group = &job->work.groups[i];
        struct two_hit_gpu_part part = {0, job->n_subjects, TWO_HIT_GPU_WORK_BYTES, GAPPED_GPU_HSP_BYTES};
        tms_status status = options != NULL
                                ? cublastp_scan(job->ctx, job->block, group->tables, options, reports ? &r.report : NULL, &part, &found)
                                : two_hit_gpu_scan(job->ctx, job->block, group->tables, &part, &found);
        bench_must(job->ctx, status);
        if (options != NULL) /* what comes next is the CPU's */
            bench_must(job->ctx, two_hit_gpu_fetch(job->ctx, &found, 0, found.n));
        if (part.end < job->n_subjects) {
            fprintf(stderr, "tamis-bench: %s: what is found takes too much of the GPU's memory\n", job->label);
            exit(2);
        }
        r.n_hits += found.n_hits;
        r.n_extensions += found.n_candidates;
        r.n_hsps += found.n;
    }
    r.seconds += bench_now();
    two_hit_gpu_found_free(&found);
    return r;
}

/* The median of each figure. Steps are timed in runs of their own, since that waits for each of them. */
static struct result run(const struct job *job, const struct cublastp_options *options)
{
    struct result r = {0};
    double seconds[RUNS], steps[CUBLASTP_STEPS][RUNS];

    for (int i = job->runs > 1 ? -1 : 0; i < job->runs; i++) { /* one that is not counted */
        struct result one = run_once(job, options, false);
        r = options != NULL && job->runs > 1 ? run_once(job, options, true) : one;
        for (int k = 0; k < CUBLASTP_STEPS && i >= 0; k++)
            steps[k][i] = r.report.seconds[k];
        if (i >= 0)
            seconds[i] = one.seconds;
    }
    r.seconds = bench_median(seconds, job->runs);
    for (int k = 0; k < CUBLASTP_STEPS; k++)
        r.report.seconds[k] = bench_median(steps[k], job->runs);
    return r;
}

static double print_row(const struct job *job, const char *figure, const struct cublastp_options *o, double base_seconds)
{
    static const char *const extensions[] = {"window", "diagonal", "hit"}, *const scorings[] = {"auto", "pssm", "matrix"};
    struct result r = run(job, o);

    printf("%s\t%s\t%zu\t", figure, job->label, job->work.n_groups);
    if (o != NULL)
        printf("cublastp\t%s\t%s\t%d\t%d\t%s\t", extensions[o->extension], scorings[o->scoring], o->n_bins,
               o->extension == CUBLASTP_WINDOW ? o->lanes : 1, o->avoids_l1 ? "off" : "on");
    else
        printf("tamis\t\t\t\t\t\t");
    printf("%llu\t%llu\t%llu\t%llu", (unsigned long long)r.n_hits, (unsigned long long)r.report.n_kept, (unsigned long long)r.n_extensions,
           (unsigned long long)r.n_hsps);
    for (int k = 0; k < CUBLASTP_STEPS; k++)
        printf(o != NULL ? "\t%.3f" : "\t", 1e3 * r.report.seconds[k]);
    printf("\t%.3f\t%.2f\n", 1e3 * r.seconds, base_seconds > 0 ? r.seconds / base_seconds : 1);
    fflush(stdout);
    return r.seconds;
}

/* Groups of one query, as in the paper, or of several. */
static void cut(struct job *job, int group_residues, struct search_setup *setup)
{
    for (size_t i = 0; i < job->work.n_groups; i++)
        query_group_free(job->work.setup, &job->work.groups[i]);
    free(job->work.groups);
    job->work.groups = NULL;
    job->work.n_groups = 0;
    setup->gpu_group_residues = group_residues;
    bench_must(job->ctx, search_cut_groups(&job->work, tms_context_threads(job->ctx)));
    bench_must(job->ctx, tms_context_run(job->ctx, job->work.n_groups, search_build_group, &job->work));
    bench_must(job->ctx, (tms_status)atomic_load(&job->work.status));
    for (size_t i = 0; i < job->work.n_groups; i++)
        if (job->work.groups[i].tables == NULL || !two_hit_gpu_takes(job->ctx, job->work.groups[i].tables, TWO_HIT_GPU_WORK_BYTES)) {
            fprintf(stderr, "tamis-bench: %s has queries that a GPU does not take\n", job->label);
            exit(2);
        }
}

static void print_rows(struct job *job, struct search_setup *setup)
{
    const int group_residues = setup->gpu_group_residues;
    static const enum cublastp_extension extensions[] = {CUBLASTP_WINDOW, CUBLASTP_DIAGONAL, CUBLASTP_HIT};
    const struct cublastp_options usual = {CUBLASTP_WINDOW, CUBLASTP_SCORING_AUTO, CUBLASTP_USUAL_BINS, CUBLASTP_USUAL_LANES, false};
    struct cublastp_options o;
    double base = 0;

    if (job->runs > 1) {
        cut(job, group_residues, setup);
        base = print_row(job, "all", NULL, 0);
    }
    cut(job, 0, setup);
    for (int k = 0; k < 3; k++) {
        o = usual;
        o.extension = extensions[k];
        print_row(job, "16", &o, base);
    }
    setup->gpu_group_residues = group_residues;
    if (job->runs == 1)
        return;
    for (int n = 16; n <= CUBLASTP_MOST_BINS; n *= 2) {
        o = usual;
        o.n_bins = n;
        print_row(job, "14", &o, base);
    }
    for (int k = CUBLASTP_PSSM; k <= CUBLASTP_MATRIX; k++) {
        o = usual;
        o.scoring = (enum cublastp_scoring)k;
        print_row(job, "15", &o, base);
    }
    for (int lanes = 8; lanes <= 32; lanes *= 2) {
        o = usual;
        o.lanes = lanes;
        print_row(job, "lanes", &o, base);
    }
    for (int k = 0; k < 2; k++) {
        o = usual;
        o.avoids_l1 = k == 1;
        print_row(job, "17", &o, base);
    }
}

/* The only block, to the GPU. */
static void load_block(tms_context *ctx, const struct search_subjects *subjects)
{
    struct gpu_load load = {0};
    struct gpu_copy copy;

    gpu_load_init(&load, subjects, subjects->gpu, &subjects->gpu->devices[0]);
    gpu_load_start(&load, 0);
    bench_must(ctx, gpu_load_begin(&load));
    load.state = LOAD_COPIES;
    while (gpu_load_claim(&load, &copy)) {
        bench_must(ctx, gpu_load_copy(&load, &copy));
        gpu_load_end_copy(&load, &copy);
    }
    load.state = LOAD_ENDS;
    bench_must(ctx, gpu_load_end(&load));
    gpu_load_hold(&load);
    gpu_load_free(&load);
}

static void bench_file(tms_context *ctx, struct search_setup *setup, struct search_subjects *subjects, const char *path, int runs)
{
    struct search_queries queries = {0};
    struct job job = {.ctx = ctx, .label = bench_file_name(path), .runs = runs};
    seqio_records_batch batch;
    seqio_records *const records = bench_sequences(path, &batch);

    bench_must(ctx, search_queries_init(ctx, setup, &batch.seqs, 10000, &queries));
    seqio_records_close(records);
    job.block = subjects->gpu->devices[0].slots[0].subjects;
    job.n_subjects = (uint32_t)subjects->gpu->firsts[1];
    job.work = (struct search_state){.setup = setup,
                                     .subjects = subjects,
                                     .all = &queries,
                                     .queries = queries.searched,
                                     .n_queries = queries.n_chunks,
                                     .simd = tms_context_simd(ctx)};
    atomic_init(&job.work.status, TMS_OK);
    print_rows(&job, setup);
    for (size_t i = 0; i < job.work.n_groups; i++)
        query_group_free(job.work.setup, &job.work.groups[i]);
    free(job.work.groups);
    search_queries_free(&queries);
}

int bench_blastp(int argc, char **argv)
{
    const bool is_once = argc > 1 && strcmp(argv[1], "--once") == 0;
    const tms_blastp_params params = tms_blastp_defaults();
    const struct search_gpu_limits wish = {.word_size = CUBLASTP_WORD_SIZE};
    struct search_subjects subjects = {0};
    struct search_database database;
    static struct blastp_setup setup;
    tms_context *ctx;
    tms_seqdb *db;
    tms_seqdb_info info;

    argc -= is_once;
    argv += is_once;
    if (argc < 3) {
        fprintf(stderr, "usage: tamis-bench blastp [--once] DATABASE QUERY.fa...\n");
        return 2;
    }
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    bench_must(ctx, tms_seqdb_open(ctx, argv[1], TMS_PROTEIN, &db));
    tms_seqdb_get_info(db, &info);
    database = (struct search_database){(int64_t)info.n_residues, (int64_t)info.n_sequences, 10};
    bench_must(ctx, blastp_params_resolve(ctx, &params, &setup));
    bench_must(ctx, blastp_setup_init(ctx, &database, &setup));
    subjects.db = db;
    subjects.part = (struct search_part){0, 1};
    bench_must(ctx, search_gpu_create(ctx, &subjects, &wish, &subjects.gpu));
    if (subjects.gpu->n_blocks != 1) {
        fprintf(stderr, "tamis-bench: %s is too large for this GPU's memory\n", argv[1]);
        return 2;
    }
    load_block(ctx, &subjects);
    for (int i = 2; i < argc; i++)
        bench_file(ctx, &setup.protein.search, &subjects, argv[i], is_once ? 1 : RUNS);
    search_gpu_destroy(subjects.gpu);
    tms_seqdb_destroy(db);
    tms_context_destroy(ctx);
    return 0;
}
