/*
 * agree_classify.c - w-mers on a GPU: the same filters of references, and the same verdicts, hits and scores of reads, as one thread of the
 * CPU has; for w-mers of all sizes, both strands, all rules, pairs, and pieces of a few letters.
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few reads (for compute-sanitizer).
 */
#include "run/context.h"
#include "tamis/classify.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"

/* --- samples --- */

struct records {
    tms_seqs seqs;
    uint8_t *letters;
    uint64_t *starts;
};

static void free_records(struct records *r)
{
    free(r->letters);
    free(r->starts);
}

static uint8_t letter(sample_random *r, unsigned odd)
{
    static const char bases[] = "ACGT", others[] = "Nacgtn-*RYu";
    return (uint8_t)(random_below(r, 1000) < odd ? others[random_below(r, sizeof others - 1)] : bases[random_below(r, 4)]);
}

/* n records of 0 to `longest` letters, `odd` of 1,000 of which are others; if `of` is not NULL most are pieces of its records, changed. */
static void make_records(sample_random *r, size_t n, size_t longest, unsigned odd, const tms_seqs *of, struct records *out)
{
    out->starts = sample_alloc((n + 1) * sizeof *out->starts);
    out->letters = sample_alloc(n * (longest + 1) + 1);
    out->starts[0] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = random_below(r, 4) == 0 ? random_below(r, 300 < longest ? 300 : longest + 1) : random_below(r, longest + 1);
        uint8_t *to = out->letters + out->starts[i];
        for (size_t k = 0; k < length; k++)
            to[k] = letter(r, odd);
        for (size_t at = 0; of != NULL && at < length && random_below(r, 5) > 0; at += 50 + random_below(r, 300)) {
            size_t q = random_below(r, of->n_records), m = (size_t)tms_seqs_length(of, q), from = m > 0 ? random_below(r, m) : 0;
            for (size_t k = 0; k < 250 && at + k < length && from + k < m; k++)
                if (random_below(r, 100) > 0)
                    to[at + k] = of->residues[of->residue_starts[q] + from + k];
        }
        to[length] = 0;
        out->starts[i + 1] = out->starts[i] + length + 1;
    }
    out->seqs = (tms_seqs){.n_records = n, .residues = out->letters, .residue_starts = out->starts};
}

/* --- filters --- */

static tms_filter *make_filter(tms_context *ctx, const tms_filter_want *want, const struct records *parts, size_t n_parts)
{
    tms_reference *reference;
    tms_filter *filter;
    ASSERT_OK(ctx, tms_reference_create(ctx, want, &reference));
    for (size_t i = 0; i < n_parts; i++)
        ASSERT_OK(ctx, tms_reference_add(ctx, reference, &parts[i].seqs));
    ASSERT_OK(ctx, tms_reference_finish(ctx, reference, &filter));
    tms_reference_destroy(reference);
    return filter;
}

static void assert_same_filters(tms_filter *got, tms_filter *want)
{
    const void *a, *b;
    size_t n_a, n_b;
    ASSERT_OK(gpu_ctx, tms_filter_image(gpu_ctx, got, &a, &n_a));
    ASSERT_OK(cpu_ctx, tms_filter_image(cpu_ctx, want, &b, &n_b));
    assert_int_equal(n_a, n_b);
    assert_memory_equal(a, b, n_a);
}

/* --- reads --- */

static void compare_reads(tms_filter *const *on_cpu, tms_filter *const *on_gpu, size_t n_filters, tms_rule rule, const tms_reads *mates,
                          size_t n_mates, size_t n_units)
{
    static const size_t batches[] = {0, 64, 5000}, most_units[] = {SIZE_MAX, 60, 1000};
    const tms_classify_params params = {.rule = rule};
    const size_t n_scores = n_units * n_filters;
    tms_classifier *cpu, *gpu;
    tms_classified *want = sample_alloc((n_units + 1) * sizeof *want), *got = sample_alloc((n_units + 1) * sizeof *got);
    tms_reference_score *want_scores = sample_alloc((n_scores + 1) * sizeof *want_scores),
                        *got_scores = sample_alloc((n_scores + 1) * sizeof *got_scores);
    ASSERT_OK(cpu_ctx, tms_classifier_create(cpu_ctx, (const tms_filter *const *)on_cpu, n_filters, &params, &cpu));
    ASSERT_OK(gpu_ctx, tms_classifier_create(gpu_ctx, (const tms_filter *const *)on_gpu, n_filters, &params, &gpu));
    ASSERT_OK(cpu_ctx, tms_classify(cpu_ctx, cpu, mates, n_mates, n_units, want, want_scores));
    for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
        const size_t n = n_units < most_units[b] ? n_units : most_units[b];
        tms_context_set_batch(gpu_ctx, batches[b]);
        ASSERT_OK(gpu_ctx, tms_classify(gpu_ctx, gpu, mates, n_mates, n, got, got_scores));
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(got[i].verdict, want[i].verdict);
            assert_int_equal(got[i].best, want[i].best);
            assert_int_equal(got[i].second, want[i].second);
            assert_int_equal(got[i].n_matching, want[i].n_matching);
            assert_int_equal(got[i].n_words, want[i].n_words);
            assert_int_equal(got[i].n_hits, want[i].n_hits);
            assert_memory_equal(&got[i].score, &want[i].score, sizeof got[i].score);
        }
        for (size_t i = 0; i < n * n_filters; i++) {
            assert_int_equal(got_scores[i].n_hits, want_scores[i].n_hits);
            assert_memory_equal(&got_scores[i].score, &want_scores[i].score, sizeof got_scores[i].score);
        }
    }
    tms_context_set_batch(gpu_ctx, 0);
    tms_classifier_destroy(cpu);
    tms_classifier_destroy(gpu);
    free(want);
    free(got);
    free(want_scores);
    free(got_scores);
}

enum { REFERENCES = 3 };

static void check(sample_random *r, uint32_t w, tms_strand strand, unsigned odd)
{
    const size_t n_reads = sample_is_quick() ? 40 : 4000;
    const tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = w, .strand = strand};
    tms_filter *on_cpu[REFERENCES], *on_gpu[REFERENCES];
    struct records parts[REFERENCES][2], reads, long_reads;
    tms_reads mates[2];
    for (size_t i = 0; i < REFERENCES; i++) {
        make_records(r, 1 + random_below(r, 4), 20000, odd, i > 0 ? &parts[i - 1][0].seqs : NULL, &parts[i][0]);
        make_records(r, random_below(r, 300), 400, odd, NULL, &parts[i][1]);
        on_cpu[i] = make_filter(cpu_ctx, &want, parts[i], 2);
        tms_context_set_batch(gpu_ctx, i == 1 ? 1000 : 0);
        on_gpu[i] = make_filter(gpu_ctx, &want, parts[i], 2);
        assert_same_filters(on_gpu[i], on_cpu[i]);
    }
    make_records(r, n_reads, 250, odd, &parts[0][0].seqs, &reads);
    make_records(r, 1 + n_reads / 100, 9000, odd, &parts[1][0].seqs, &long_reads);
    for (int rule = TMS_RULE_DEFAULT; rule <= TMS_RULE_FACS_PERL; rule++) {
        mates[0] = (tms_reads){&reads.seqs, 0, 1};
        compare_reads(on_cpu, on_gpu, REFERENCES, (tms_rule)rule, mates, 1, n_reads);
        compare_reads(on_cpu, on_gpu, 1, (tms_rule)rule, mates, 1, 0);
        mates[0] = (tms_reads){&long_reads.seqs, 1, 1};
        compare_reads(on_cpu, on_gpu, REFERENCES, (tms_rule)rule, mates, 1, long_reads.seqs.n_records - 1);
        mates[0] = (tms_reads){&reads.seqs, 2, 2};
        mates[1] = (tms_reads){&reads.seqs, 1, 2};
        compare_reads(on_cpu, on_gpu, 2, (tms_rule)rule, mates, 2, n_reads / 2 - 1);
    }
    for (size_t i = 0; i < REFERENCES; i++) {
        tms_filter_destroy(on_cpu[i]);
        tms_filter_destroy(on_gpu[i]);
        free_records(&parts[i][0]);
        free_records(&parts[i][1]);
    }
    free_records(&reads);
    free_records(&long_reads);
}

static void test_same_as_the_cpu(void **state)
{
    static const uint32_t sizes[] = {8, 15, 16, 21, 31, 32, 33, 100, 255};
    sample_random r = {sample_seed()};
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    ASSERT_OK(cpu_ctx, tms_context_set_threads(cpu_ctx, 1));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check(&r, sizes[i], TMS_STRAND_BOTH, 2);
        check(&r, sizes[i], TMS_STRAND_PLUS, i % 2 == 0 ? 0 : 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_the_cpu),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
