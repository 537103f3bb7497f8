/* A classifier from the rates of another one: the numbers of a report without its filters. */
#include "unit/seed/word_samples.h"

#include <math.h>

enum { GENOME = 100000 };

static tms_filter *build_one(const uint8_t *letters, size_t n, const tms_filter_want *want)
{
    struct seq_batch batch = {0};
    tms_seqs seqs;
    tms_reference *reference;
    tms_filter *f;
    assert_true(seq_batch_clear(&batch, 0, false));
    batch_add(&batch, letters, n);
    seq_batch_view(&batch, &seqs);
    ASSERT_OK(ctx, tms_reference_create(ctx, want, &reference));
    ASSERT_OK(ctx, tms_reference_add(ctx, reference, &seqs));
    ASSERT_OK(ctx, tms_reference_finish(ctx, reference, &f));
    tms_reference_destroy(reference);
    seq_batch_free(&batch);
    return f;
}

/* A classifier from the rates of another one gives the same numbers, and classifies nothing. */
static void assert_same_numbers(const tms_classifier *classifier, uint32_t word_size, const tms_classify_params *params)
{
    const tms_hit_rates rates = tms_classifier_rates(classifier, 0);
    tms_classifier *other;
    tms_long_read *read;
    ASSERT_OK(ctx, tms_classifier_create_from_rates(ctx, word_size, &rates, 1, params, &other));
    assert_true(tms_classifier_fpr(other, 0) == tms_classifier_fpr(classifier, 0));
    assert_true(tms_classifier_threshold(other) == tms_classifier_threshold(classifier));
    assert_int_equal(tms_classifier_word_size(other), word_size);
    for (uint64_t n = 1; n < 100000; n = n * 3 / 2 + 1) {
        assert_true(tms_classifier_least_hits(other, n) == tms_classifier_least_hits(classifier, n));
        assert_true(tms_classifier_expected_false(other, 0, n) == tms_classifier_expected_false(classifier, 0, n));
        assert_true(tms_classifier_expected_false(other, TMS_NO_REFERENCE, n) ==
                    tms_classifier_expected_false(classifier, TMS_NO_REFERENCE, n));
    }
    ASSERT_FAILS(ctx, TMS_E_ARG, "no filters", tms_classify(ctx, other, NULL, 1, 0, NULL, NULL));
    ASSERT_FAILS(ctx, TMS_E_ARG, "no filters", tms_long_read_create(ctx, other, &read));
    tms_classifier_destroy(other);
    const tms_hit_rates wrong[] = {{-1, 0, 0}, {0, 2, 0}, {0, 0, NAN}};
    for (size_t i = 0; i < 3; i++)
        ASSERT_FAILS(ctx, TMS_E_ARG, "a rate", tms_classifier_create_from_rates(ctx, word_size, &wrong[i], 1, params, &other));
    ASSERT_FAILS(ctx, TMS_E_ARG, "1 to 64", tms_classifier_create_from_rates(ctx, word_size, wrong, 0, params, &other));
    ASSERT_FAILS(ctx, TMS_E_ARG, "7 bases", tms_classifier_create_from_rates(ctx, 7, &rates, 1, params, &other));
}

static void numbers_of_a_report(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {8, 11, 21, 31};
    static const tms_classify_params params[] = {{.threshold = 1e-9},
                                                 {.false_per_million = 1e4},
                                                 {.least_hits = 7},
                                                 {.rule = TMS_RULE_FACS},
                                                 {.rule = TMS_RULE_FACS_PERL, .threshold = 0.5}};
    sample_random r = {sample_seed()};
    uint8_t *genome = sample_alloc(GENOME);
    random_letters(&r, genome, GENOME, NULL, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = sizes[i]};
        tms_filter *f = build_one(genome, GENOME, &want);
        const tms_filter *filters[1] = {f};
        for (size_t p = 0; p < sizeof params / sizeof *params; p++) {
            tms_classifier *classifier;
            ASSERT_OK(ctx, tms_classifier_create(ctx, filters, 1, &params[p], &classifier));
            assert_same_numbers(classifier, sizes[i], &params[p]);
            tms_classifier_destroy(classifier);
        }
        tms_filter_destroy(f);
    }
    free(genome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_a_report)};
    return cmocka_run_group_tests_name("hit_rates", tests, setup, teardown);
}
