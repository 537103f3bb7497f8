/*
 * agree_blastp.c - searches of proteins on a GPU: the same subjects, scores, E-values and alignments as on one thread of the CPU, with
 * lists of the usual size and of a few entries, for usual proteins, odd residues, and repeats, which have more HSPs than a warp has lanes;
 * with a database that comes block by block, and on several GPUs. If there is only one, that one is given twice (TAMIS_TEST_TWIN_GPUS).
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few sequences (for compute-sanitizer);
 * TAMIS_AGREE_ONLY is the test to run.
 */
#include "lookup/two_hit_gpu.h"
#include "run/context.h"
#include "tamis/blastp.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"
#include "agree/same_results.h"

/* --- samples --- */

enum kind { USUAL, ODD, REPEATS, ALIKE /* subjects are nearly identical to queries, piece by piece */ };

static char residue(sample_random *r, enum kind kind)
{
    static const char usual[] = "LLLLLAAAAGGGVVVEEESSSIIKKKRRDDTTPPNQFYMHCW", odd[] = "ACDEFGHIKLMNPQRSTVWYBJOUXZ*";
    return kind == ODD ? odd[random_below(r, sizeof odd - 1)] : usual[random_below(r, sizeof usual - 1)];
}

/* n sequences; pieces of `of`, changed here and there, if it is not NULL. */
static void make_records(sample_random *r, enum kind kind, size_t n, size_t longest, const tms_seqs *of, struct records *out)
{
    begin_records(n, longest, out);
    for (size_t i = 0; i < n; i++) {
        size_t length = 1 + random_below(r, longest), period = 7 + random_below(r, 40);
        uint8_t *to = out->residues + out->starts[i];
        for (size_t k = 0; k < length; k++)
            to[k] = kind == REPEATS && k >= period && random_below(r, 5) > 0 ? to[k - period] : (uint8_t)residue(r, kind);
        for (size_t at = 0; of != NULL && at < length && random_below(r, 3) > 0; at += 20 + random_below(r, 200)) {
            size_t q = random_below(r, of->n_records), m = (size_t)tms_seqs_length(of, q), from = random_below(r, m);
            for (size_t k = 0; k < 150 && at + k < length && from + k < m; k++)
                if (random_below(r, kind == ALIKE ? 60 : 4) > 0)
                    to[at + k] = of->residues[of->residue_starts[q] + from + k];
        }
        end_record(i, length, out);
    }
    end_records(n, out);
}

/* --- comparing --- */

static void search(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *params, const tms_seqs *queries,
                   tms_search_results **results, tms_search_stats *stats)
{
    tms_blastp *blastp;
    ASSERT_OK(ctx, tms_blastp_create(ctx, db, params, &blastp));
    ASSERT_OK(ctx, tms_blastp_search(blastp, queries, results));
    tms_blastp_get_stats(blastp, stats);
    tms_blastp_destroy(blastp);
}

/* Returns what the GPU counts. */
static tms_search_stats assert_same_search(const tms_seqdb *db, const tms_blastp_params *params, const tms_seqs *queries,
                                           const tms_search_results *want, const tms_search_stats *of_cpu)
{
    tms_search_results *got;
    tms_search_stats of_gpu;
    search(gpu_ctx, db, params, queries, &got, &of_gpu);
    assert_same_results(got, want, queries->n_records);
    assert_int_equal(of_gpu.n_words, of_cpu->n_words);
    assert_true(of_gpu.expected_hits >= of_cpu->expected_hits * (1 - 1e-9) && of_gpu.expected_hits <= of_cpu->expected_hits * (1 + 1e-9));
    assert_int_equal(of_gpu.n_hits, of_cpu->n_hits);
    assert_int_equal(of_gpu.n_ungapped, of_cpu->n_ungapped);
    assert_int_equal(of_gpu.n_gapped, of_cpu->n_gapped);
    assert_int_equal(of_gpu.n_preliminary, of_cpu->n_preliminary);
    assert_int_equal(of_gpu.n_realigned, of_cpu->n_realigned);
    tms_search_results_destroy(got);
    return of_gpu;
}

static bool has_usual_words(const tms_blastp_params *params) { return params->task == TMS_TASK_BLASTP && params->word_size == 0; }

static void compare(sample_random *r, enum kind kind, size_t n_queries, size_t longest, const tms_blastp_params *params)
{
    static const size_t batches[] = {0, 1, 200};
    tms_blastp_params cublastp = *params;
    const size_t n = sample_is_quick() ? 20 : 1500;
    struct records queries, subjects;
    tms_seqdb *db;
    tms_search_results *want;
    tms_search_stats of_cpu;
    make_records(r, kind, n_queries, sample_is_quick() && longest > 1000 ? 1000 : longest, NULL, &queries);
    make_records(r, kind, n, 700, &queries.seqs, &subjects);
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &subjects.seqs, TMS_PROTEIN, "subjects", &db));
    search(cpu_ctx, db, params, &queries.seqs, &want, &of_cpu);
    for (size_t i = 0; i < (sample_is_quick() ? 2 : sizeof batches / sizeof *batches); i++) {
        tms_context_set_batch(gpu_ctx, batches[i]);
        (void)assert_same_search(db, params, &queries.seqs, want, &of_cpu);
    }
    cublastp.gpu_strategy = TMS_GPU_STRATEGY_CUBLASTP;
    for (uint32_t extension = TMS_GPU_EXTENSION_WINDOW; extension <= TMS_GPU_EXTENSION_HIT && has_usual_words(params); extension++) {
        tms_context_set_batch(gpu_ctx, batches[extension]);
        cublastp.gpu_extension = extension;
        cublastp.gpu_scoring = extension; /* of each kind, one */
        cublastp.gpu_bins = 16u << extension;
        (void)assert_same_search(db, &cublastp, &queries.seqs, want, &of_cpu);
    }
    tms_context_set_batch(gpu_ctx, 0);
    tms_search_results_destroy(want);
    tms_seqdb_destroy(db);
    free_records(&queries);
    free_records(&subjects);
}

static void test_same_as_the_cpu(void **state)
{
    static const double evalues[] = {10, 1000, 1e-5};
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (size_t i = 0; i < sizeof evalues / sizeof *evalues; i++)
        for (int kind = USUAL; kind <= REPEATS; kind++) {
            tms_blastp_params params = tms_blastp_defaults();
            params.evalue = evalues[i];
            params.composition = kind == REPEATS ? TMS_COMPOSITION_OFF : TMS_COMPOSITION_ADJUSTED;
            compare(&r, (enum kind)kind, 12, 600, &params);
            compare(&r, (enum kind)kind, 2, 5000, &params);
        }
}

/* Matrices of all kinds, and the standard one; with small batches the GPU aligns few subjects, too. */
static void test_matrices_for_pairs(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (uint32_t mode = TMS_COMPOSITION_OFF; mode <= TMS_COMPOSITION_ALL_ADJUSTED; mode++)
        for (int kind = USUAL; kind <= ALIKE; kind++) {
            tms_blastp_params params = tms_blastp_defaults();
            params.composition = mode;
            compare(&r, (enum kind)kind, 5, 500, &params);
        }
}

/* Words of 6 residues, 2 residues, and all others that there are; those of 4 and 5 with thresholds that leave few hits, and few queries. */
static void test_other_words(void **state)
{
    static const double thresholds[] = {0, 0, 11, 0, 13, 20, 21, 21}; /* by word size */
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (uint32_t task = TMS_TASK_BLASTP_SHORT; task <= TMS_TASK_BLASTP_FAST; task++)
        for (int kind = USUAL; kind <= REPEATS; kind++) {
            tms_blastp_params params = tms_blastp_defaults();
            params.task = task;
            params.composition = kind == REPEATS ? TMS_COMPOSITION_OFF : TMS_COMPOSITION_ADJUSTED;
            compare(&r, (enum kind)kind, 12, 600, &params);
            params.evalue = 1000;
            compare(&r, (enum kind)kind, 2, 5000, &params);
        }
    for (uint32_t word_size = 2; word_size <= 7; word_size++) {
        tms_blastp_params params = tms_blastp_defaults();
        params.word_size = word_size;
        params.threshold = thresholds[word_size];
        compare(&r, word_size % 2 ? ODD : REPEATS, 3, 300, &params);
        params.masks_seg = 1;
        params.soft_masking = 1;
        compare(&r, USUAL, 3, 300, &params);
    }
}

/* A record of `n` copies of a unit, each behind other residues. */
static void make_copies(sample_random *r, const uint8_t *unit, size_t n_unit, size_t n, struct records *out)
{
    const size_t each = n_unit + 60;
    make_records(r, USUAL, 1, 1, NULL, out);
    free(out->residues);
    out->seqs.residues = out->residues = sample_alloc(n * each + 1);
    for (size_t i = 0; i < n * each; i++)
        out->residues[i] = i % each < 60 ? (uint8_t)residue(r, USUAL) : unit[i % each - 60];
    out->residues[n * each] = 0;
    out->starts[1] = n * each + 1;
}

/* A query and a subject with a few HSPs, with more than a warp has lanes, with so many that a warp takes longer than its share, and with
 * more than the GPU puts in order. With small batches all of them are put off. HSPs lie apart, and only that last pair is left to the CPU.
 */
static void test_pairs_with_many_hsps(void **state)
{
    static const size_t copies[] = {3, 8, 30, 65}, batches[] = {0, 2000}, most_ordered = 4096;
    sample_random r = {sample_seed()};
    uint8_t unit[30];
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (size_t i = 0; i < sizeof unit; i++)
        unit[i] = (uint8_t)residue(&r, USUAL);
    for (size_t i = 0; i < 2 * sizeof copies / sizeof *copies; i++) {
        const size_t n = copies[i / 2];
        tms_blastp_params params = tms_blastp_defaults();
        struct records query, subject;
        tms_search_results *want;
        tms_search_stats of_cpu, of_gpu;
        tms_seqdb *db;
        params.composition = TMS_COMPOSITION_OFF;
        params.evalue = i % 2 == 0 ? 10 : 1000; /* with the restricted form, and without */
        make_copies(&r, unit, sizeof unit, n, &query);
        make_copies(&r, unit, sizeof unit, n, &subject);
        ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &subject.seqs, TMS_PROTEIN, "subjects", &db));
        search(cpu_ctx, db, &params, &query.seqs, &want, &of_cpu);
        assert_true(of_cpu.n_ungapped >= n * n);
        for (size_t k = 0; k < sizeof batches / sizeof *batches; k++) {
            tms_context_set_batch(gpu_ctx, batches[k]);
            of_gpu = assert_same_search(db, &params, &query.seqs, want, &of_cpu);
            assert_int_equal(of_gpu.n_left, n * n > most_ordered);
        }
        tms_context_set_batch(gpu_ctx, 0);
        tms_search_results_destroy(want);
        tms_seqdb_destroy(db);
        free_records(&query);
        free_records(&subject);
    }
}

/* What the GPU does not take is the CPU's. */
static void test_other_parameters(void **state)
{
    sample_random r = {sample_seed()};
    tms_blastp_params params = tms_blastp_defaults();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    params.task = TMS_TASK_BLASTP_FAST;
    params.gpu_strategy = TMS_GPU_STRATEGY_CUBLASTP; /* whose words are others */
    compare(&r, USUAL, 5, 400, &params);
    params = tms_blastp_defaults();
    params.window = 0;
    compare(&r, USUAL, 5, 400, &params);
    params = tms_blastp_defaults();
    params.xdrop_gapped = 200; /* wider than a warp's ring */
    compare(&r, REPEATS, 5, 400, &params);
    params = tms_blastp_defaults();
    params.ungapped = 1;
    params.composition = TMS_COMPOSITION_OFF;
    compare(&r, USUAL, 5, 400, &params);
    params = tms_blastp_defaults();
    params.matrix = "BLOSUM45";
    compare(&r, ODD, 5, 400, &params);
    compare(&r, USUAL, 1, 45000, &params); /* searched in pieces */
}

/* --- blocks and GPUs --- */

/* What the same search finds twice: the second time blocks come in another order. */
static void search_twice(const tms_seqdb *db, const tms_blastp_params *params, const tms_seqs *queries, const tms_search_results *want)
{
    tms_blastp *blastp;
    ASSERT_OK(gpu_ctx, tms_blastp_create(gpu_ctx, db, params, &blastp));
    for (int i = 0; i < 2; i++) {
        tms_search_results *got;
        ASSERT_OK(gpu_ctx, tms_blastp_search(blastp, queries, &got));
        assert_same_results(got, want, queries->n_records);
        tms_search_results_destroy(got);
    }
    tms_blastp_destroy(blastp);
}

/* A database that is larger than what the least memory has space for, and queries for several packs. */
struct large {
    struct records queries, subjects;
    tms_seqdb *db;
    tms_search_results *want;
};

static void make_large(sample_random *r, enum kind kind, const tms_blastp_params *params, struct large *out)
{
    tms_search_stats stats;
    make_records(r, kind, sample_is_quick() ? 3 : 40, 600, NULL, &out->queries);
    make_records(r, kind, sample_is_quick() ? 20 : 24000, 700, &out->queries.seqs, &out->subjects);
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &out->subjects.seqs, TMS_PROTEIN, "subjects", &out->db));
    search(cpu_ctx, out->db, params, &out->queries.seqs, &out->want, &stats);
}

static void free_large(struct large *large)
{
    tms_search_results_destroy(large->want);
    tms_seqdb_destroy(large->db);
    free_records(&large->queries);
    free_records(&large->subjects);
}

static void test_blocks_and_gpus(void **state)
{
    static const struct {
        enum kind kind;
        uint32_t task;
    } ordered_section[] = {
        {USUAL, TMS_TASK_BLASTP}, {REPEATS, TMS_TASK_BLASTP}, {USUAL, TMS_TASK_BLASTP_SHORT}, {USUAL, TMS_TASK_BLASTP_FAST}};
    const int threads[] = {1, 2, 5}, n_threads = tms_context_threads(gpu_ctx);
    const uint64_t memories[] = {0, TMS_SEARCH_LEAST_GPU_MEMORY, TMS_SEARCH_LEAST_GPU_MEMORY + (20 << 20)};
    sample_random r = {sample_seed()};
    tms_gpu_report report;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    tms_gpu_probe(&report);
    const bool has_two = report.n_gpus > 1 && report.gpus[1].usable;
    const int32_t more[] = {has_two ? 1 : 0, 0};
    assert_int_equal(setenv("TAMIS_TEST_TWIN_GPUS", "1", 1), 0);
    for (size_t turn = 0; turn < sizeof ordered_section / sizeof *ordered_section; turn++) {
        const enum kind kind = ordered_section[turn].kind;
        tms_blastp_params params = tms_blastp_defaults();
        struct large large;
        params.task = ordered_section[turn].task;
        params.max_target_seqs = kind == USUAL ? 20 : 500; /* so that lists are cut, and not */
        params.composition = kind == REPEATS ? TMS_COMPOSITION_OFF : TMS_COMPOSITION_ADJUSTED;
        make_large(&r, kind, &params, &large);
        params.more_gpus = more;
        for (size_t i = 0; i < 9; i++) {
            params.n_more_gpus = i / 3;
            params.gpu_memory = memories[(i + i / 3) % 3];
            ASSERT_OK(gpu_ctx, tms_context_set_threads(gpu_ctx, threads[i % 3]));
            tms_context_set_batch(gpu_ctx, i % 2 == 0 ? 0 : 100000); /* groups of a pack */
            search_twice(large.db, &params, &large.queries.seqs, large.want);
        }
        free_large(&large);
    }
    assert_int_equal(unsetenv("TAMIS_TEST_TWIN_GPUS"), 0);
    ASSERT_OK(gpu_ctx, tms_context_set_threads(gpu_ctx, n_threads));
    tms_context_set_batch(gpu_ctx, 0);
}

/*
 * What a search takes of the GPU's memory, by what is free before and after: its allowance, and what the driver rounds up. Others may use
 * the GPU, so this is only looked at with TAMIS_REQUIRE_GPU=1.
 */
static void test_memory_that_is_taken(void **state)
{
    const size_t rounded_up = (size_t)64 << 20;
    const char *required = getenv("TAMIS_REQUIRE_GPU");
    sample_random r = {sample_seed()};
    tms_blastp_params params = tms_blastp_defaults();
    tms_search_results *got;
    tms_blastp *blastp;
    tms_context *ctx;
    struct large large;
    size_t before, after;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    if (required == NULL || strcmp(required, "1") != 0 || sample_is_quick())
        skip();
    params.composition = TMS_COMPOSITION_OFF;
    params.evalue = 1000;
    make_large(&r, REPEATS, &params, &large);
    assert_int_equal(tms_context_create(&ctx), TMS_OK);
    ASSERT_OK(ctx, tms_context_set_device(ctx, 0));
    before = two_hit_gpu_free_bytes(ctx);
    for (params.gpu_memory = TMS_SEARCH_LEAST_GPU_MEMORY; params.gpu_memory < 4 * TMS_SEARCH_LEAST_GPU_MEMORY; params.gpu_memory *= 2) {
        ASSERT_OK(ctx, tms_blastp_create(ctx, large.db, &params, &blastp));
        ASSERT_OK(ctx, tms_blastp_search(blastp, &large.queries.seqs, &got));
        after = two_hit_gpu_free_bytes(ctx);
        assert_same_results(got, large.want, large.queries.seqs.n_records);
        tms_search_results_destroy(got);
        tms_blastp_destroy(blastp);
        print_message("%.1f MiB of %.1f MiB are used\n", ((double)before - (double)after) / 1048576.0,
                      (double)params.gpu_memory / 1048576.0);
        assert_true(after + params.gpu_memory + rounded_up >= before);
    }
    tms_context_destroy(ctx);
    free_large(&large);
}

static void refused(tms_context *ctx, const tms_blastp_params *params, tms_status want, const char *part)
{
    struct records subjects;
    sample_random r = {sample_seed()};
    tms_blastp *blastp;
    tms_seqdb *db;
    make_records(&r, USUAL, 10, 50, NULL, &subjects);
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &subjects.seqs, TMS_PROTEIN, "subjects", &db));
    assert_int_equal(tms_blastp_create(ctx, db, params, &blastp), want);
    assert_null(blastp);
    if (strstr(tms_context_message(ctx), part) == NULL)
        fail_msg("'%s' is not in '%s'", part, tms_context_message(ctx));
    tms_seqdb_destroy(db);
    free_records(&subjects);
}

static void refused_gpus(tms_context *ctx, const int32_t *more, size_t n_more, tms_status want, const char *part)
{
    tms_blastp_params params = tms_blastp_defaults();
    params.more_gpus = more;
    params.n_more_gpus = n_more;
    refused(ctx, &params, want, part);
    params.culling_limit = 1; /* which is the CPU's: they are refused nevertheless */
    refused(ctx, &params, want, part);
}

static void test_gpus_that_are_refused(void **state)
{
    const int32_t same[] = {0}, twice[] = {1, 2, 1}, none[] = {TMS_MAX_GPUS + 9}, negative[] = {-1}, many[TMS_MAX_GPUS] = {1};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    refused_gpus(gpu_ctx, same, 1, TMS_E_ARG, "cuda:0 twice");
    refused_gpus(gpu_ctx, twice, 3, TMS_E_ARG, "cuda:1 twice");
    refused_gpus(gpu_ctx, none, 1, TMS_E_DEVICE, "cuda:25");
    refused_gpus(gpu_ctx, negative, 1, TMS_E_ARG, "-1");
    refused_gpus(gpu_ctx, many, TMS_MAX_GPUS, TMS_E_ARG, "15 at most");
}

/* Without a GPU too. */
static void test_memory_that_is_refused(void **state)
{
    const int32_t more[] = {1};
    tms_blastp_params params = tms_blastp_defaults();
    (void)state;
    refused_gpus(cpu_ctx, more, 1, TMS_E_ARG, "a context on the CPU");
    params.gpu_memory = TMS_SEARCH_LEAST_GPU_MEMORY - 1;
    refused(cpu_ctx, &params, TMS_E_ARG, "33554431 bytes of GPU memory: give 33554432 or more");
    params.gpu_memory = 1;
    refused(gpu_ctx, &params, TMS_E_ARG, "1 bytes of GPU memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_the_cpu),       cmocka_unit_test(test_matrices_for_pairs),
        cmocka_unit_test(test_other_words),           cmocka_unit_test(test_other_parameters),
        cmocka_unit_test(test_blocks_and_gpus),       cmocka_unit_test(test_memory_that_is_taken),
        cmocka_unit_test(test_gpus_that_are_refused), cmocka_unit_test(test_memory_that_is_refused),
        cmocka_unit_test(test_pairs_with_many_hsps),
    };
    choose_test();
    return cmocka_run_group_tests(tests, setup, teardown);
}
