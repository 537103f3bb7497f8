/*
 * agree_blastn.c - searches of bases with words looked up by a GPU: the same subjects, scores, E-values and alignments as on one thread of
 * the CPU, and as many ungapped HSPs, from which the sizes of batches follow. For tasks, word sizes and strands, ambiguous bases, repeats,
 * many queries and one of several chunks; with a database that comes block by block, and on several GPUs. If there is only one, that one is
 * given twice (TAMIS_TEST_TWIN_GPUS).
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few bases (for compute-sanitizer).
 */
#include "lookup/base_bank.h"
#include "lookup/base_sieve.h"
#include "run/context.h"
#include "tamis/blastn.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"
#include "agree/same_results.h"

enum kind { USUAL, ODD, REPEATS };

/* n sequences of up to `longest` bases; with `of`, pieces of its sequences, changed here and there. */
static void make_records(sample_random *r, enum kind kind, size_t n, size_t longest, const tms_seqs *of, struct records *out)
{
    static const char bases[] = "ACGT", odd[] = "ACGTACGTACGTACGTACGTNRYKMSWBDHV";
    begin_records(n, longest, out);
    for (size_t i = 0; i < n; i++) {
        const size_t length = longest / 2 + random_below(r, longest / 2), period = 2 + random_below(r, 60);
        uint8_t *to = out->residues + out->starts[i];
        for (size_t k = 0; k < length; k++)
            to[k] = (uint8_t)(kind == REPEATS && k >= period && k % 2000 < 300 && random_below(r, 20) > 0 ? to[k - period]
                              : kind == ODD && random_below(r, 200) == 0 ? odd[random_below(r, sizeof odd - 1)]
                                                                         : bases[random_below(r, 4)]);
        for (size_t at = random_below(r, 3000); of != NULL && at < length; at += 500 + random_below(r, 5000)) {
            const size_t q = random_below(r, of->n_records), m = (size_t)tms_seqs_length(of, q), from = random_below(r, m);
            const unsigned rarity = 5 + (unsigned)random_below(r, 100);
            for (size_t k = 0; k < 1000 && at + k < length && from + k < m; k++)
                if (random_below(r, rarity) > 0)
                    to[at + k] = of->residues[of->residue_starts[q] + from + k];
        }
        end_record(i, length, out);
    }
    end_records(n, out);
}

/* Searches twice with one search: the second time the blocks come in another order. */
static void search(tms_context *ctx, const tms_seqdb *db, const tms_blastn_params *params, const tms_seqs *queries,
                   tms_search_results *results[2], tms_search_stats *stats)
{
    tms_blastn *blastn;
    ASSERT_OK(ctx, tms_blastn_create(ctx, db, params, &blastn));
    for (int i = 0; i < 2; i++)
        ASSERT_OK(ctx, tms_blastn_search(blastn, queries, &results[i]));
    tms_blastn_get_stats(blastn, stats);
    tms_blastn_destroy(blastn);
}

static void assert_same_search(const tms_seqdb *db, const tms_blastn_params *params, const tms_seqs *queries,
                               tms_search_results *const want[2], const tms_search_stats *of_cpu)
{
    tms_search_results *got[2];
    tms_search_stats of_gpu;
    search(gpu_ctx, db, params, queries, got, &of_gpu);
    for (int i = 0; i < 2; i++) {
        assert_same_results(got[i], want[i], queries->n_records);
        tms_search_results_destroy(got[i]);
    }
    assert_int_equal(of_gpu.n_looked_up, of_cpu->n_looked_up);
    assert_int_equal(of_gpu.n_present, of_cpu->n_present);
    assert_int_equal(of_gpu.n_hits, of_cpu->n_hits);
    assert_int_equal(of_gpu.n_ungapped, of_cpu->n_ungapped);
    assert_int_equal(of_gpu.n_gapped, of_cpu->n_gapped);
    assert_int_equal(of_gpu.n_preliminary, of_cpu->n_preliminary);
    /* The seconds of the scan: what GPUs did, and of what they left, diagonals and extensions. */
    assert_true(of_cpu->seconds_sieve == 0 && of_gpu.seconds_sieve > 0);
    assert_true(of_gpu.n_extensions == 0 || of_gpu.seconds_hits + of_gpu.seconds_ungapped > 0);
    assert_true(of_gpu.seconds_sieve + of_gpu.seconds_hits + of_gpu.seconds_ungapped <= of_gpu.seconds_scan * (1 + 1e-9));
}

/* What is compared: queries, and subjects with pieces of them. */
struct sample {
    struct records queries, subjects;
    tms_seqdb *db;
};

static void make_sample(sample_random *r, enum kind kind, size_t n_queries, size_t longest, struct sample *out)
{
    const size_t less = sample_is_quick() ? 10 : 1;
    make_records(r, kind, n_queries, longest / less, NULL, &out->queries);
    make_records(r, kind, 12, 400000 / less, &out->queries.seqs, &out->subjects);
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &out->subjects.seqs, TMS_NUCLEOTIDE, "subjects", &out->db));
}

static void free_sample(struct sample *s)
{
    tms_seqdb_destroy(s->db);
    free_records(&s->queries);
    free_records(&s->subjects);
}

static void compare(const struct sample *s, const tms_blastn_params *params)
{
    tms_search_results *want[2];
    tms_search_stats of_cpu;
    tms_blastn_params of_one = *params;
    of_one.n_more_gpus = 0;
    search(cpu_ctx, s->db, &of_one, &s->queries.seqs, want, &of_cpu);
    assert_same_search(s->db, params, &s->queries.seqs, want, &of_cpu);
    for (int i = 0; i < 2; i++)
        tms_search_results_destroy(want[i]);
}

static void test_tasks(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (int kind = USUAL; kind <= REPEATS; kind++)
        for (int many = 0; many < 2; many++) {
            struct sample s;
            make_sample(&r, (enum kind)kind, many ? 400 : 2, many ? 300 : 100000, &s);
            for (uint32_t task = TMS_TASK_MEGABLAST; task <= TMS_TASK_DC_MEGABLAST; task++) {
                tms_blastn_params params = tms_blastn_defaults();
                params.task = task;
                params.evalue = task == TMS_TASK_BLASTN_SHORT ? 1e-6 : 10;
                params.masks_dust = kind != REPEATS;
                params.soft_masking = !many;
                compare(&s, &params);
            }
            free_sample(&s);
        }
}

/* Words that the table has as a whole or in part, one strand, two hits, no gaps, and chunks of a long query. */
static void test_other_parameters(void **state)
{
    static const uint32_t sizes[] = {11, 12, 14, 20, 44, 100};
    sample_random r = {sample_seed()};
    struct sample s;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    make_sample(&r, ODD, 3, 200000, &s);
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        tms_blastn_params params = tms_blastn_defaults();
        params.word_size = sizes[i / 2];
        params.no_greedy = i % 2;
        params.strands = i % 3 == 0 ? TMS_STRAND_BOTH : i % 3 == 1 ? TMS_STRAND_PLUS : TMS_STRAND_MINUS;
        params.window = i % 4 == 3 ? 40 : 0;
        params.ungapped = i % 5 == 4 && params.no_greedy;
        params.gap_open = params.no_greedy ? 5 : -1;
        params.gap_extend = params.no_greedy ? 2 : -1;
        params.chunk_residues = i % 4 == 1 ? 50000 : 0;
        params.culling_limit = i % 6 == 2;
        compare(&s, &params);
    }
    free_sample(&s);
}

static void test_blocks_and_gpus(void **state)
{
    sample_random r = {sample_seed()};
    tms_gpu_report report;
    struct sample s;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    tms_gpu_probe(&report);
    const bool has_two = report.n_gpus > 1 && report.gpus[1].usable;
    const int32_t more[] = {has_two ? 1 : 0, 0};
    assert_int_equal(setenv("TAMIS_TEST_TWIN_GPUS", "1", 1), 0);
    make_sample(&r, USUAL, 2, 100000, &s);
    for (uint64_t i = 0; i < 6; i++) {
        tms_blastn_params params = tms_blastn_defaults();
        params.task = i % 2 ? TMS_TASK_BLASTN : TMS_TASK_MEGABLAST;
        params.more_gpus = more;
        params.n_more_gpus = i / 2;
        compare(&s, &params);
    }
    free_sample(&s);
    assert_int_equal(unsetenv("TAMIS_TEST_TWIN_GPUS"), 0);
}

/* With the least memory the GPU has no space for tables: the CPU looks up all words. With some more, blocks take turns. */
static void test_little_memory(void **state)
{
    static const uint64_t memories[] = {TMS_SEARCH_LEAST_GPU_MEMORY, (uint64_t)150 << 20, (uint64_t)400 << 20};
    sample_random r = {sample_seed()};
    struct sample s;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    make_sample(&r, USUAL, 2, 100000, &s);
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
        tms_blastn_params params = tms_blastn_defaults();
        params.task = TMS_TASK_BLASTN;
        params.gpu_memory = memories[i];
        compare(&s, &params);
    }
    free_sample(&s);
}

/* A bank of filters in front of the look-up: no word of a table is lost. Queries are long enough for a table of whole words. */
static void test_bank(void **state)
{
    static const struct base_bank banks[] = {
        {.sub_query = 1000, .k = 6, .m_bits = 8192, .blocks = 3, .threads = 128},
        {.sub_query = 777, .k = 1, .m_bits = 1 << 18, .blocks = 200, .threads = 1024},
        {.sub_query = 50000, .k = 10, .m_bits = 100000, .blocks = 1, .threads = 32},
        {.sub_query = 1 << 30, .k = 4, .m_bits = 1 << 18, .blocks = 7, .threads = 512},
    };
    sample_random r = {sample_seed()};
    struct sample s;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    make_sample(&r, ODD, 3, sample_is_quick() ? 2000000 : 200000, &s);
    for (size_t i = 0; i < sizeof banks / sizeof *banks; i++) {
        struct base_bank bank = banks[i];
        tms_blastn_params params = tms_blastn_defaults();
        params.task = TMS_TASK_BLASTN;
        gpu_ctx->tuning.bank = &bank;
        compare(&s, &params);
        gpu_ctx->tuning.bank = NULL;
        assert_true(bank.n_sub_queries > 0 && bank.n_passed > 0);
        assert_in_range(bank.n_candidates, bank.n_passed, bank.n_tests);
        assert_true(bank.k > 1 || bank.n_candidates < bank.n_tests / 4); /* [Ma11, eq. 2]: 0.003 at 777 words */
    }
    free_sample(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tasks), cmocka_unit_test(test_other_parameters),
                                       cmocka_unit_test(test_blocks_and_gpus), cmocka_unit_test(test_little_memory),
                                       cmocka_unit_test(test_bank)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
