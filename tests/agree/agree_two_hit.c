/*
 * agree_two_hit.c - two hits on a GPU: for many subjects at once the extensions that the plain scan keeps, subject by subject, with lists
 * of a few entries and of the usual size, with so little memory that the subjects are scanned part by part, and with several tables; by
 * both strategies.
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few subjects (for compute-sanitizer);
 * TAMIS_AGREE_ONLY is the test to run.
 */
#include <time.h>

#include "base/array.h"
#include "cublastp/cublastp_cuda.h"
#include "lookup/two_hit_stretches.h"
#include "run/context.h"
#include "unit/lookup/two_hit_samples.h"

#include "agree/gpu_needed.h"

static tms_context *ctx;
static double frequencies[RESIDUE_CODES]; /* of letters in a random subject */

static int setup(void **state)
{
    (void)state;
    sample_seed();
    read_scores();
    for (int code = 1; code < RESIDUE_CODES; code++)
        frequencies[code] = 1.0 / (code + 10); /* any */
    if (tms_context_create(&ctx) != TMS_OK)
        return -1;
    if (tms_context_set_device(ctx, 0) != TMS_OK)
        print_message("no GPU: %s\n", tms_context_message(ctx));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(ctx);
    return 0;
}

struct shape {
    int threshold, window, x_drop, cutoff, query_length, subject_length, n_subjects;
    enum kind kind;
    int word_size; /* 0: 3 */
};

/* Subjects one after the other, and what the plain scan finds in them. */
struct block {
    uint8_t *codes;
    size_t n, capacity;
    uint32_t *starts;
    struct two_hit_gpu_hsp *hsps;
    size_t n_hsps, hsps_capacity;
    uint64_t n_hits, n_words;
    double expected_hits;
};

static void add_subject(const struct two_hit_queries *queries, uint32_t i, int n, struct two_hit_diagonals *diagonals, struct block *b)
{
    const struct two_hit_subject subject = {subject_codes + 1, n, NULL, 0, 0};
    struct two_hit_found found = {0};
    assert_true(array_reserve(&b->codes, &b->capacity, b->n + (size_t)n + 1, 1));
    memcpy(b->codes + b->n, subject_codes + 1, (size_t)n + 1);
    b->n += (size_t)n + 1;
    b->starts[i + 1] = (uint32_t)b->n;
    assert_int_equal(two_hit_plain_scan(queries, &subject, diagonals, &found), TMS_OK);
    assert_true(array_reserve(&b->hsps, &b->hsps_capacity, b->n_hsps + found.n, sizeof *b->hsps));
    for (size_t k = 0; k < found.n; k++)
        b->hsps[b->n_hsps++] = (struct two_hit_gpu_hsp){found.hsps[k], i};
    b->n_hits += found.n_hits;
    free(found.hsps);
}

static int compare(const void *pa, const void *pb)
{
    const struct two_hit_gpu_hsp *a = pa, *b = pb;
    if (a->hsp.query != b->hsp.query)
        return a->hsp.query < b->hsp.query ? -1 : 1;
    if (a->subject != b->subject)
        return a->subject < b->subject ? -1 : 1;
    return compare_hsps(&a->hsp, &b->hsp);
}

static void compare_hsps_found(struct block *want, struct block *got)
{
    assert_int_equal(got->n_hsps, want->n_hsps);
    if (got->n_hsps == 0)
        return;
    qsort(got->hsps, got->n_hsps, sizeof *got->hsps, compare);
    qsort(want->hsps, want->n_hsps, sizeof *want->hsps, compare);
    for (size_t i = 0; i < got->n_hsps; i++) {
        assert_int_equal(got->hsps[i].subject, want->hsps[i].subject);
        assert_same_hsp(&got->hsps[i].hsp, &want->hsps[i].hsp);
    }
}

static void compare_found(struct block *want, struct block *got)
{
    compare_hsps_found(want, got);
    assert_int_equal(got->n_hits, want->n_hits);
}

/* All subjects, in as many parts as it takes. options: of cuBLASTP's strategy; NULL: the default one. Returns how many parts there were. */
static size_t scan(const struct two_hit_gpu_subjects *subjects, uint32_t n_subjects, const struct two_hit_gpu_tables *tables,
                   size_t work_bytes, const struct cublastp_options *options, struct block *out)
{
    struct two_hit_gpu_found found = {0};
    size_t n_parts = 0;
    for (struct two_hit_gpu_part part = {0, n_subjects, work_bytes, 100}; part.first < n_subjects; n_parts++) {
        struct cublastp_report report = {0};
        if (options == NULL)
            ASSERT_OK(ctx, two_hit_gpu_scan(ctx, subjects, tables, &part, &found));
        else
            ASSERT_OK(ctx, cublastp_scan(ctx, subjects, tables, options, options->avoids_l1 ? NULL : &report, &part, &found));
        if (options != NULL && !options->avoids_l1)
            assert_true(report.n_kept >= 2 * report.n_diagonals);
        assert_true(part.end > part.first && part.end <= n_subjects);
        ASSERT_OK(ctx, two_hit_gpu_fetch(ctx, &found, found.n / 2, found.n - found.n / 2)); /* in any order */
        ASSERT_OK(ctx, two_hit_gpu_fetch(ctx, &found, 0, found.n / 2));
        assert_true(array_reserve(&out->hsps, &out->hsps_capacity, out->n_hsps + found.n, sizeof *out->hsps));
        for (size_t i = 0; i < found.n; i++) {
            const struct two_hit_gpu_hsp *h = &found.hsps[i];
            assert_true(h->subject >= part.first && h->subject < part.end);
            if (i > 0 && h->hsp.query == h[-1].hsp.query)
                assert_true(h->subject >= h[-1].subject);
            out->hsps[out->n_hsps++] = *h;
        }
        out->n_hits += found.n_hits;
        out->n_words = found.n_words;
        out->expected_hits = found.expected_hits;
        const uint32_t length = part.end - part.first;
        part.first = part.end;
        part.end = n_subjects - part.first < 2 * length ? n_subjects : part.first + 2 * length;
    }
    two_hit_gpu_found_free(&found);
    return n_parts;
}

/* cuBLASTP's steps: each extension with each scoring, and numbers of bins and lanes. For small sizes one of them, another for each shape.
 */
static void check_cublastp(const struct two_hit_gpu_subjects *subjects, uint32_t n_subjects, const struct two_hit_gpu_tables *tables,
                           size_t work_bytes, size_t shape_number, struct block *want)
{
    static const struct cublastp_options options[] = {
        {CUBLASTP_WINDOW, CUBLASTP_SCORING_AUTO, CUBLASTP_USUAL_BINS, CUBLASTP_USUAL_LANES, false},
        {CUBLASTP_WINDOW, CUBLASTP_PSSM, 1, 16, false},
        {CUBLASTP_WINDOW, CUBLASTP_MATRIX, CUBLASTP_MOST_BINS, 32, true},
        {CUBLASTP_DIAGONAL, CUBLASTP_PSSM, 32, CUBLASTP_USUAL_LANES, false},
        {CUBLASTP_DIAGONAL, CUBLASTP_MATRIX, 128, CUBLASTP_USUAL_LANES, true},
        {CUBLASTP_HIT, CUBLASTP_PSSM, 256, CUBLASTP_USUAL_LANES, true},
        {CUBLASTP_HIT, CUBLASTP_MATRIX, 2, CUBLASTP_USUAL_LANES, false},
    };
    const size_t n = sizeof options / sizeof *options, first = sample_is_quick() ? shape_number % n : 0,
                 end = sample_is_quick() ? first + 1 : n;
    for (size_t i = first; i < end; i++) {
        struct block got = {0};
        (void)scan(subjects, n_subjects, tables, work_bytes, &options[i], &got);
        compare_found(want, &got);
        free(got.hsps);
    }
}

/* Several tables, each of some queries or of a stretch of one. */
static void check_stretches(sample_random *r, const struct two_hit_gpu_subjects *subjects, uint32_t n_subjects,
                            const struct two_hit_queries *queries, const struct two_hit_gpu_words *words, int n_positions,
                            struct block *want)
{
    const int most = 20 + n_positions / (int)(2 + random_below(r, 12));
    const size_t work_bytes = n_subjects > 40 ? (size_t)8 << 20 : TWO_HIT_GPU_WORK_BYTES;
    struct two_hit_gpu_found found = {0};
    struct two_hit_gpu_tables *tables;
    struct block got = {0};
    assert_int_equal(two_hit_stretches_create(queries, words, most, NULL, 0, &tables), TMS_OK);
    assert_non_null(tables);
    assert_true(two_hit_gpu_takes(ctx, tables, TWO_HIT_GPU_WORK_BYTES));
    for (struct two_hit_gpu_part part = {0, n_subjects, work_bytes, 100}; part.first < n_subjects;) {
        ASSERT_OK(ctx, two_hit_stretches_scan(ctx, subjects, tables, &part, &found));
        assert_int_equal(found.ends[found.n_ends - 1], found.n);
        assert_true(array_reserve(&got.hsps, &got.hsps_capacity, got.n_hsps + found.n, sizeof *got.hsps));
        for (size_t i = 0, k = 0; i < found.n; i++) {
            const struct two_hit_gpu_hsp *h = &found.hsps[i];
            assert_true(h->subject >= part.first && h->subject < part.end);
            for (; i >= found.ends[k]; k++)
                continue;
            if (i > (k > 0 ? found.ends[k - 1] : 0))
                assert_true(h->hsp.query > h[-1].hsp.query || (h->hsp.query == h[-1].hsp.query && h->subject >= h[-1].subject));
            got.hsps[got.n_hsps++] = *h;
        }
        assert_int_equal(found.n_words, queries->words->n_positions);
        part.first = part.end;
        part.end = n_subjects;
    }
    compare_hsps_found(want, &got);
    two_hit_gpu_found_free(&found);
    two_hit_gpu_tables_destroy(tables);
    free(got.hsps);
}

static struct word_lookup_rules rules_of(int word_size, int threshold)
{
    struct word_lookup_rules rules = sample_rules(word_size, threshold);
    rules.frequencies = frequencies;
    return rules;
}

/* The table that was made on the GPU is as large, and expected to hit as often, as the CPU's. */
static void check_table(const struct block *got, const struct word_lookup *words)
{
    const double want = words->expected_hits;
    assert_int_equal(got->n_words, words->n_positions);
    assert_true(got->expected_hits >= want * (1 - 1e-9) && got->expected_hits <= want * (1 + 1e-9));
}

/* Copies the subjects to the GPU. */
static struct two_hit_gpu_subjects *copy_subjects(const struct block *b, int word_size, size_t n)
{
    struct two_hit_gpu_subjects *subjects;
    ASSERT_OK(ctx, two_hit_gpu_subjects_space(ctx, word_size, b->n + 100, n + 10, 0, &subjects));
    ASSERT_OK(ctx, two_hit_gpu_subjects_begin(ctx, subjects, b->starts, n));
    ASSERT_OK(ctx, two_hit_gpu_subjects_put(ctx, subjects, b->codes, 0, b->n / 2));
    ASSERT_OK(ctx, two_hit_gpu_subjects_put(ctx, subjects, b->codes + b->n / 2, b->n / 2, b->n - b->n / 2));
    ASSERT_OK(ctx, two_hit_gpu_subjects_finish(ctx, subjects));
    return subjects;
}

static void check(sample_random *r, const struct shape *shape, size_t shape_number)
{
    static const struct {
        size_t batch, work_bytes;
    } ordered_section[] = {
        {0, TWO_HIT_GPU_WORK_BYTES}, {100, TWO_HIT_GPU_WORK_BYTES}, {0, 0}, {1, TWO_HIT_GPU_WORK_BYTES}, {0, 8 << 20}, {1, 0}};
    const int word_size = shape->word_size > 0 ? shape->word_size : 3;
    const struct word_lookup_rules rules = rules_of(word_size, shape->threshold);
    const size_t n_turns = sample_is_quick() ? 3 : sizeof ordered_section / sizeof *ordered_section;
    const int n_subjects = sample_is_quick() ? 2 + shape->n_subjects / 1000 : shape->n_subjects;
    struct two_hit_diagonals diagonals;
    struct word_lookup words;
    struct two_hit_queries queries = {.scores = scores, .window = shape->window};
    struct two_hit_gpu_subjects *subjects;
    struct two_hit_gpu_tables *tables;
    struct block block = {0};
    struct sample sample;
    make_queries(r, shape->kind, shape->query_length, shape->x_drop, shape->cutoff, &sample);
    prepare(&rules, &sample, &words, &queries, &diagonals);
    const struct two_hit_gpu_words of = {&rules, sample.words};
    assert_int_equal(two_hit_gpu_tables_create(&queries, &of, sample.n_positions, &tables), TMS_OK);
    assert_non_null(tables);
    assert_true(two_hit_gpu_takes(ctx, tables, TWO_HIT_GPU_WORK_BYTES));
    assert_false(two_hit_gpu_takes(ctx, tables, word_size == 2 ? 1 << 12 : 1 << 20)); /* its tables are larger than their part of that */
    block.starts = sample_alloc(((size_t)n_subjects + 1) * sizeof *block.starts);
    assert_true(array_reserve(&block.codes, &block.capacity, 1, 1));
    block.codes[block.n++] = 0;
    block.starts[0] = 1;
    for (int i = 0; i < n_subjects; i++)
        add_subject(&queries, (uint32_t)i, make_subject(r, shape->kind, &sample, shape->subject_length), &diagonals, &block);
    subjects = copy_subjects(&block, word_size, (size_t)n_subjects);
    for (size_t i = 0; i < n_turns; i++) {
        struct block got = {0};
        const time_t begun = time(NULL);
        size_t n_parts;
        if (ordered_section[i].work_bytes == 0 && n_subjects > 40) /* as many parts */
            continue;
        tms_context_set_batch(ctx, ordered_section[i].batch);
        /* With little memory there are many parts, and with lists of one entry many turns. It comes first, and finds no memory of the
         * other. */
        if (word_size == CUBLASTP_WORD_SIZE &&
            ((ordered_section[i].work_bytes == TWO_HIT_GPU_WORK_BYTES && ordered_section[i].batch != 1) || n_subjects <= 40) &&
            (!sample_is_quick() || i == shape_number % 2))
            check_cublastp(subjects, (uint32_t)n_subjects, tables, ordered_section[i].work_bytes, shape_number, &block);
        n_parts = scan(subjects, (uint32_t)n_subjects, tables, ordered_section[i].work_bytes, NULL, &got);
        compare_found(&block, &got);
        if (long_words_are(word_size))
            check_table(&got, &words);
        assert_true(n_parts == 1 || ordered_section[i].work_bytes < TWO_HIT_GPU_WORK_BYTES);
        if (ordered_section[i].work_bytes == 0 && n_subjects > 1 && block.n_hsps > 1000)
            assert_true(n_parts > 1);
        free(got.hsps);
        if (time(NULL) - begun > 2)
            print_message("turn %zu: %zu parts, %ld s\n", i, n_parts, (long)(time(NULL) - begun));
    }
    tms_context_set_batch(ctx, 0);
    if (two_hit_stretches_take(word_size))
        check_stretches(r, subjects, (uint32_t)n_subjects, &queries, &of, sample.n_positions, &block);
    two_hit_gpu_subjects_destroy(subjects);
    two_hit_gpu_tables_destroy(tables);
    free(block.codes);
    free(block.starts);
    free(block.hsps);
    two_hit_diagonals_free(&diagonals);
    word_lookup_free(&words);
}

static void check_all(const struct shape *shapes, size_t n)
{
    sample_random r = {sample_seed()};
    gpu_needed(ctx->gpu);
    for (size_t i = 0; i < n; i++) {
        const time_t begun = time(NULL);
        check(&r, &shapes[i], i);
        print_message("shape %zu of %zu: %ld s\n", i + 1, n, (long)(time(NULL) - begun));
    }
}

static void test_same_as_the_cpu(void **state)
{
    static const struct shape shapes[] = {
        {11, 40, 16, 20, 300, 0, 20000, USUAL},    {11, 40, 16, 1, 3000, 0, 300, USUAL},     {11, 40, 16, 20, 300, 0, 3000, ODD},
        {11, 40, 16, 20, 60, 0, 300, ONE_RESIDUE}, {11, 40, 16, 20, 300, 0, 3000, REPEATS},  {11, 4, 16, 10, 300, 0, 300, REPEATS},
        {11, 100, 1, 10, 300, 0, 300, REPEATS},    {9, 40, 128, 10, 300, 0, 300, USUAL},     {11, 40, 16, 20, 4, 0, 300, USUAL},
        {11, 40, 16, 20, 300, 1, 40, USUAL},       {11, 40, 16, 20, 300, 4, 300, REPEATS},   {11, 40, 16, 20, 300, 32000, 20, USUAL},
        {11, 40, 16, 20, 30, 40000, 40, REPEATS},  {11, 200, 16, 20, 300, 0, 300, REPEATS},  {25, 40, 16, 20, 300, 0, 300, REPEATS},
        {0, 40, 16, 20, 300, 0, 300, REPEATS},     {11, 40, 16, 20, 3000, 0, 3000, REPEATS}, {11, 40, 16, 40, 3000, 0, 3000, USUAL},
    };
    (void)state;
    check_all(shapes, sizeof shapes / sizeof *shapes);
}

static void test_words_of_two_letters(void **state)
{
    static const struct shape shapes[] = {
        {11, 40, 16, 20, 300, 0, 3000, USUAL, 2},   {8, 15, 16, 20, 3000, 0, 300, ODD, 2},    {8, 15, 16, 10, 300, 0, 1000, REPEATS, 2},
        {16, 200, 16, 20, 300, 4, 300, REPEATS, 2}, {0, 40, 16, 20, 300, 0, 300, REPEATS, 2}, {11, 40, 16, 20, 60, 0, 100, ONE_RESIDUE, 2},
    };
    (void)state;
    check_all(shapes, sizeof shapes / sizeof *shapes);
}

/* Those whose table is made on the GPU: of groups of letters (6 and 7), and of letters. */
static void test_long_words(void **state)
{
    static const struct shape shapes[] = {
        {21, 40, 16, 20, 300, 0, 5000, USUAL, 6},   {21, 40, 16, 20, 300, 0, 3000, ODD, 6},    {21, 40, 16, 20, 300, 0, 3000, REPEATS, 6},
        {14, 40, 16, 20, 60, 0, 300, USUAL, 6},     {0, 40, 16, 10, 300, 0, 300, REPEATS, 6},  {21, 40, 1, 10, 12, 0, 40, ONE_RESIDUE, 6},
        {21, 6, 16, 10, 300, 0, 300, REPEATS, 6},   {21, 40, 16, 20, 3000, 0, 300, USUAL, 6},  {21, 40, 16, 1, 300, 1, 40, USUAL, 6},
        {21, 40, 16, 20, 300, 32000, 20, USUAL, 6}, {80, 40, 16, 20, 300, 0, 300, REPEATS, 6}, {21, 40, 16, 20, 4, 0, 300, USUAL, 6},
        {21, 40, 16, 20, 300, 0, 3000, REPEATS, 7}, {25, 200, 128, 20, 300, 0, 300, ODD, 7},   {13, 40, 16, 20, 300, 0, 300, REPEATS, 4},
        {13, 40, 16, 20, 300, 0, 300, ODD, 4},      {20, 40, 16, 20, 60, 0, 300, REPEATS, 5},
    };
    (void)state;
    check_all(shapes, sizeof shapes / sizeof *shapes);
}

/* All kernels, with so few subjects that compute-sanitizer's racecheck takes minutes: the first seven shapes, of words of three letters,
 * take the seven options of cuBLASTP in turn. */
static void test_few_subjects(void **state)
{
    static const struct shape shapes[] = {
        {11, 40, 16, 20, 300, 0, 5, USUAL},      {11, 40, 16, 1, 1000, 0, 5, USUAL},    {11, 40, 16, 20, 300, 0, 5, ODD},
        {11, 40, 16, 20, 60, 0, 5, ONE_RESIDUE}, {11, 40, 16, 20, 300, 0, 5, REPEATS},  {11, 4, 16, 10, 300, 0, 5, REPEATS},
        {9, 40, 128, 10, 300, 4, 5, USUAL},      {8, 15, 16, 20, 300, 0, 5, ODD, 2},    {21, 40, 16, 20, 300, 0, 5, REPEATS, 6},
        {25, 200, 128, 20, 300, 0, 5, ODD, 7},   {13, 40, 16, 20, 300, 0, 5, USUAL, 4},
    };
    (void)state;
    check_all(shapes, sizeof shapes / sizeof *shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_the_cpu),
        cmocka_unit_test(test_words_of_two_letters),
        cmocka_unit_test(test_long_words),
        cmocka_unit_test(test_few_subjects),
    };
    choose_test();
    return cmocka_run_group_tests(tests, setup, teardown);
}
