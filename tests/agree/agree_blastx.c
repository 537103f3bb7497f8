/*
 * agree_blastx.c - searches of translated queries on a GPU: the same subjects, scores, E-values and alignments as on one thread of the CPU,
 * for reads and for a query that is searched in chunks; with and without linking, with all kinds of matrices, with a database that comes
 * block by block, and on several GPUs. If there is only one, that one is given twice (TAMIS_TEST_TWIN_GPUS).
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few sequences (for compute-sanitizer);
 * TAMIS_AGREE_ONLY is the test to run.
 */
#include "run/context.h"
#include "tamis/blastx.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"
#include "agree/same_results.h"

enum { LONGEST_SUBJECT = 600 };

static const char amino_acids[] = "LLLLLAAAAGGGVVVEEESSSIIKKKRRDDTTPPNQFYMHCW";

/* n proteins; some have a piece of the one before, changed here and there, or a stretch of low complexity. */
static void make_subjects(sample_random *r, size_t n, struct records *out)
{
    begin_records(n, LONGEST_SUBJECT, out);
    for (size_t i = 0; i < n; i++) {
        const size_t length = 20 + random_below(r, LONGEST_SUBJECT - 20), shared = i > 0 && random_below(r, 2) ? random_below(r, 300) : 0;
        uint8_t *to = out->residues + out->starts[i];
        for (size_t k = 0; k < length; k++) {
            const bool is_copy = k < shared && k < (size_t)(out->starts[i] - out->starts[i - (i > 0)]) - 1 && random_below(r, 3) > 0;
            to[k] = is_copy ? out->residues[out->starts[i - 1] + k] : (uint8_t)amino_acids[random_below(r, sizeof amino_acids - 1)];
        }
        if (random_below(r, 4) == 0 && length > 60)
            memset(to + random_below(r, length - 40), 'Q', 20 + random_below(r, 20));
        end_record(i, length, out);
    }
    end_records(n, out);
}

/* A codon of the standard code for a residue, the third base at random where that changes nothing for most residues. */
static void put_codon(sample_random *r, char residue, uint8_t *to)
{
    static const char code[] = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG", order[] = "TCAG";
    size_t i = random_below(r, 64);

    for (size_t k = 0; k < 64 && code[i] != residue; k++)
        i = (i + 1) % 64;
    to[0] = (uint8_t)order[i / 16];
    to[1] = (uint8_t)order[i / 4 % 4];
    to[2] = (uint8_t)order[i % 4];
}

static void reverse_complement(uint8_t *bases, size_t n)
{
    for (size_t i = 0; i < (n + 1) / 2; i++) {
        const uint8_t a = bases[i], b = bases[n - 1 - i];
        bases[i] = (uint8_t)(b == 'A' ? 'T' : b == 'C' ? 'G' : b == 'G' ? 'C' : 'A');
        bases[n - 1 - i] = (uint8_t)(a == 'A' ? 'T' : a == 'C' ? 'G' : a == 'G' ? 'C' : 'A');
    }
}

/* n queries of up to `longest` bases: pieces of genes between random bases, on both strands, with errors. */
static void make_queries(sample_random *r, size_t n, size_t longest, const tms_seqs *proteins, struct records *out)
{
    begin_records(n, longest, out);
    for (size_t i = 0; i < n; i++) {
        const size_t length = random_below(r, 8) == 0 ? 1 + random_below(r, 10) : longest / 2 + random_below(r, longest / 2);
        uint8_t *to = out->residues + out->starts[i];
        for (size_t k = 0; k < length; k++)
            to[k] = (uint8_t) "ACGT"[random_below(r, 4)];
        for (size_t at = random_below(r, 40); at + 3 < length && random_below(r, 10) > 0; at += random_below(r, 150)) {
            const size_t p = random_below(r, proteins->n_records), m = (size_t)tms_seqs_length(proteins, p), from = random_below(r, m);
            for (size_t k = from; k < m && k < from + 200 && at + 3 < length; k++, at += 3)
                if (random_below(r, 6) > 0)
                    put_codon(r, (char)proteins->residues[proteins->residue_starts[p] + k], to + at);
        }
        if (random_below(r, 2) == 0)
            reverse_complement(to, length);
        end_record(i, length, out);
    }
    end_records(n, out);
}

/* --- comparing --- */

struct options {
    tms_blastp_params protein;
    tms_translated_params own;
};

static struct options usual(void) { return (struct options){tms_blastx_protein_defaults(), tms_translated_defaults()}; }

static void search(tms_context *ctx, const tms_seqdb *db, const struct options *o, const tms_seqs *queries, tms_search_results **results,
                   tms_search_stats *stats)
{
    tms_translated *blastx;
    ASSERT_OK(ctx, tms_blastx_create(ctx, db, &o->protein, &o->own, &blastx));
    ASSERT_OK(ctx, tms_translated_search(blastx, queries, results));
    tms_translated_get_stats(blastx, stats);
    tms_translated_destroy(blastx);
}

/* A database, queries, and what the CPU finds. */
struct sample {
    struct records subjects, queries;
    tms_seqdb *db;
    tms_search_results *want;
    tms_search_stats stats;
};

static void make_sample(sample_random *r, size_t n_subjects, size_t n_queries, size_t longest, const struct options *o, struct sample *s)
{
    make_subjects(r, sample_is_quick() ? 20 : n_subjects, &s->subjects);
    make_queries(r, sample_is_quick() ? 4 : n_queries, longest, &s->subjects.seqs, &s->queries);
    ASSERT_OK(cpu_ctx, tms_seqdb_from_seqs(cpu_ctx, &s->subjects.seqs, TMS_PROTEIN, "subjects", &s->db));
    search(cpu_ctx, s->db, o, &s->queries.seqs, &s->want, &s->stats);
    assert_true(s->stats.n_realigned > 0 || o->protein.composition == TMS_COMPOSITION_OFF);
}

static void free_sample(struct sample *s)
{
    tms_search_results_destroy(s->want);
    tms_seqdb_destroy(s->db);
    free_records(&s->queries);
    free_records(&s->subjects);
}

static void assert_same_search(const struct sample *s, const struct options *o)
{
    tms_search_results *got;
    tms_search_stats stats;
    search(gpu_ctx, s->db, o, &s->queries.seqs, &got, &stats);
    assert_same_results(got, s->want, s->queries.seqs.n_records);
    assert_int_equal(stats.n_words, s->stats.n_words);
    assert_int_equal(stats.n_hits, s->stats.n_hits);
    assert_int_equal(stats.n_ungapped, s->stats.n_ungapped);
    assert_int_equal(stats.n_gapped, s->stats.n_gapped);
    assert_int_equal(stats.n_preliminary, s->stats.n_preliminary);
    assert_int_equal(stats.n_realigned, s->stats.n_realigned);
    tms_search_results_destroy(got);
}

static void compare(sample_random *r, size_t n_queries, size_t longest, const struct options *o)
{
    static const size_t batches[] = {0, 1, 200};
    struct sample s;
    make_sample(r, 1500, n_queries, longest, o, &s);
    for (size_t i = 0; i < (sample_is_quick() ? 2 : sizeof batches / sizeof *batches); i++) {
        tms_context_set_batch(gpu_ctx, batches[i]);
        assert_same_search(&s, o);
    }
    tms_context_set_batch(gpu_ctx, 0);
    free_sample(&s);
}

static void test_reads(void **state)
{
    static const double evalues[] = {10, 1000, 1e-5};
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (size_t i = 0; i < sizeof evalues / sizeof *evalues; i++)
        for (uint32_t mode = TMS_COMPOSITION_OFF; mode <= TMS_COMPOSITION_ALL_ADJUSTED; mode++) {
            struct options o = usual();
            o.protein.evalue = evalues[i];
            o.protein.composition = mode;
            compare(&r, 30, 400, &o);
        }
}

static void test_options(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    o.own.links = 0;
    compare(&r, 30, 400, &o);
    o = usual();
    o.own.task = TMS_TASK_BLASTX_FAST;
    compare(&r, 30, 400, &o);
    o = usual();
    o.own.skips_plus = 1;
    o.own.query_genetic_code = 4;
    o.own.longest_intron = 3000;
    compare(&r, 30, 400, &o);
    o = usual();
    o.protein.max_target_seqs = 5;
    o.protein.matrix = "BLOSUM45";
    compare(&r, 30, 400, &o);
}

static void test_long_queries(void **state)
{
    sample_random r = {sample_seed()};
    struct options o = usual();
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    compare(&r, 3, 5000, &o);
    compare(&r, 1, sample_is_quick() ? 20000 : 80000, &o); /* in chunks */
}

static void test_blocks_and_gpus(void **state)
{
    const uint64_t memories[] = {0, TMS_SEARCH_LEAST_GPU_MEMORY};
    const int32_t more[] = {0};
    const int n_threads = tms_context_threads(gpu_ctx);
    sample_random r = {sample_seed()};
    struct options o = usual();
    struct sample s;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    assert_int_equal(setenv("TAMIS_TEST_TWIN_GPUS", "1", 1), 0);
    make_sample(&r, 24000, 60, 300, &o, &s);
    o.protein.more_gpus = more;
    for (size_t i = 0; i < 6; i++) {
        o.protein.n_more_gpus = i / 3;
        o.protein.gpu_memory = memories[i % 2];
        ASSERT_OK(gpu_ctx, tms_context_set_threads(gpu_ctx, 1 + (int)(i % 3) * 2));
        tms_context_set_batch(gpu_ctx, i % 2 == 0 ? 0 : 100000);
        assert_same_search(&s, &o);
    }
    free_sample(&s);
    assert_int_equal(unsetenv("TAMIS_TEST_TWIN_GPUS"), 0);
    ASSERT_OK(gpu_ctx, tms_context_set_threads(gpu_ctx, n_threads));
    tms_context_set_batch(gpu_ctx, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_long_queries),
        cmocka_unit_test(test_blocks_and_gpus),
    };
    cmocka_set_test_filter(getenv("TAMIS_AGREE_ONLY"));
    return cmocka_run_group_tests(tests, setup, teardown);
}
