/*
 * test_seg.c - SEG against a plain form of it, which counts every window and every part anew, and against masks of NCBI's library.
 * tests/cli/mask.bats compares it with segmasker, test_blast_masks.c with blastp.
 */
#include <math.h>

#include "mask/seg.h"
#include "mask/seg_math.h"
#include "tamis/alphabet.h"
#include "unit/blastp/blast_cases.h"
#include "unit/mask/mask_samples.h"

/* ---- the plain form */

static bool is_true(uint8_t letter) { return letter && strchr("ACDEFGHIKLMNPQRSTVWY", letter) != NULL; }

/* How often the amino acids of letters[0 .. n - 1] come, in descending order. */
static unsigned counts_of(const uint8_t *letters, size_t n, uint32_t counts[20], size_t *n_bogus)
{
    uint32_t all[256] = {0};
    unsigned m = 0;
    *n_bogus = 0;
    for (size_t i = 0; i < n; i++)
        all[letters[i]]++;
    for (uint32_t c = (uint32_t)n; c > 0; c--)
        for (const char *letter = "ACDEFGHIKLMNPQRSTVWY"; *letter; letter++)
            if (all[(uint8_t)*letter] == c)
                counts[m++] = c;
    for (size_t i = 0; i < n; i++)
        *n_bogus += !is_true(letters[i]);
    return m;
}

struct plain {
    const tms_seg_params *params;
    const mask_sample *sample;
    struct seg_factorials factorials;
};

/* -1: it has too many letters that are no amino acid. */
static double complexity_of(const struct plain *p, size_t start)
{
    uint32_t counts[20];
    size_t n_bogus;
    unsigned n = counts_of(p->sample->letters + start, p->params->window, counts, &n_bogus);
    return n_bogus > 2 ? -1 : seg_complexity(counts, n);
}

static void plain_trim(struct plain *p, size_t *start, size_t *end)
{
    size_t n = *end - *start, at = *start, best_start = 0, best_length = n;
    double best = 1.0;
    assert_true(seg_factorials_reserve(&p->factorials, n + 1));
    for (size_t length = n; length > (n > 50 ? n - 50 : 1); length--)
        for (size_t k = 0; k + length <= n; k++) {
            uint32_t counts[20];
            size_t n_bogus;
            unsigned m = counts_of(p->sample->letters + at + k, length, counts, &n_bogus);
            double probability = seg_log_probability(&p->factorials, counts, m, length);
            if (probability < best) {
                best = probability;
                best_start = k;
                best_length = length;
            }
        }
    *start = at + best_start;
    *end = *start + best_length;
}

/* The list is that of letters begin .. end - 1; of a piece on the left the last found stays. */
static void plain_seg(struct plain *p, size_t begin, size_t end, struct intervals *out)
{
    const size_t window = p->params->window;
    if (end - begin < window)
        return;
    size_t n = end - begin - window + 1, low = 0;
    double *h = malloc(n * sizeof *h);
    assert_non_null(h);
    for (size_t i = 0; i < n; i++)
        h[i] = complexity_of(p, begin + i);
    for (size_t i = 0; i < n; i++) {
        if (h[i] == -1 || h[i] > p->params->locut)
            continue;
        size_t lo = i, hi = i;
        while (lo > low && h[lo - 1] != -1 && h[lo - 1] <= p->params->hicut)
            lo--;
        while (hi + 1 < n && h[hi + 1] != -1 && h[hi + 1] <= p->params->hicut)
            hi++;
        size_t start = begin + lo, stop = begin + hi + window;
        plain_trim(p, &start, &stop);
        if (begin + i + window - 1 < start) {
            struct intervals left = {NULL, 0, 0};
            plain_seg(p, begin + lo, start, &left);
            if (left.n > 0)
                assert_true(intervals_add(out, left.items[left.n - 1].start, left.items[left.n - 1].end));
            free(left.items);
        }
        assert_true(intervals_add(out, start, stop));
        i = hi < stop - begin - 1 ? hi : stop - begin - 1;
        low = i + 1;
    }
    free(h);
}

/* ---- tests */

static void encode(const mask_sample *s, uint8_t *codes)
{
    assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, s->letters, s->n, codes), s->n);
}

static void test_equal_to_the_plain_form(void **state)
{
    (void)state;
    static const uint32_t windows[] = {1, 2, 5, 10, 11, 12, 13, 16, 17, 25, 45};
    static const double cuts[] = {0, 1, 1.5, 1.8, 2.1, 2.2, 2.5, 3, 3.4, 4};
    sample_random r = {sample_seed()};
    struct plain p = {NULL, NULL, {0}};
    mask_sample s;
    uint8_t codes[sizeof s.letters];
    size_t n_found = 0;
    for (int i = 0; i < (sample_is_quick() ? 40 : 200); i++) {
        const tms_seg_params query = TMS_SEG_QUERY, subject = TMS_SEG_SUBJECT;
        tms_seg_params params = {windows[random_below(&r, sizeof windows / sizeof *windows)], 0, cuts[random_below(&r, 10)],
                                 cuts[random_below(&r, 10)]};
        struct intervals want = {NULL, 0, 0}, got = {NULL, 0, 0};
        if (params.hicut < params.locut)
            params.hicut = params.locut;
        if (i % 4 != 0)
            params = i % 2 ? query : subject;
        struct seg *seg = seg_create(&params);
        assert_non_null(seg);
        for (int k = 0; k < 2; k++) { /* the second with the memory of the first */
            char what[100];
            snprintf(what, sizeof what, "window %u locut %g hicut %g", params.window, params.locut, params.hicut);
            sample_make(&s, &r, "ACDEFGHIKLMNPQRSTVWY", "XBZJUO*", "ACDEFGHIKLMNPQRSTVWYXBZUO*-");
            for (size_t c = 0; c < s.n; c++) /* the plain form knows no lower case */
                assert_true(s.letters[c] < 'a');
            encode(&s, codes);
            want.n = got.n = 0;
            p.params = &params;
            p.sample = &s;
            plain_seg(&p, 0, s.n, &want);
            assert_true(seg_mask(seg, codes, s.n, &got));
            assert_same_intervals(what, &s, &want, &got);
            n_found += want.n;
        }
        seg_destroy(seg);
        free(want.items);
        free(got.items);
    }
    seg_factorials_free(&p.factorials);
    assert_true(n_found > 100);
}

/* The sixth decimal of log(n!) is right where NCBI has a table, and Stirling's formula goes on from there. */
static void test_factorials(void **state)
{
    (void)state;
    struct seg_factorials f = {0};
    long double sum = 0, carry = 0; /* Kahan's sum, from n = 2 on */
    assert_true(seg_factorials_reserve(&f, 10002));
    for (size_t n = 0; n <= 10001; n++) {
        if (n > 1) {
            long double term = logl((long double)n) - carry, next = sum + term;
            carry = (next - sum) - term;
            sum = next;
        }
        char text[40];
        snprintf(text, sizeof text, "%.6Lf", sum);
        if (n <= 10000)
            assert_true(f.values[n] == strtod(text, NULL));
        assert_true(fabs(f.values[n] - (double)sum) < 1e-4);
        assert_true(fabs((double)f.millionths[n] - 1e6 * f.values[n]) < 0.51);
    }
    seg_factorials_free(&f);
}

/* A segment of more than 10,000 letters: factorials beyond the table. */
static void test_long_segment(void **state)
{
    (void)state;
    enum { N = 30000 };
    const tms_seg_params params = TMS_SEG_QUERY;
    struct intervals got = {NULL, 0, 0};
    struct seg *seg = seg_create(&params);
    uint8_t *codes = malloc(N);
    sample_random r = {sample_seed()};
    assert_non_null(seg);
    assert_non_null(codes);
    for (size_t i = 0; i < N; i++)
        codes[i] = (uint8_t)(i < 100 || i >= N - 100 ? 3 + random_below(&r, 17) : 1);
    assert_true(seg_mask(seg, codes, N, &got));
    assert_true(got.n >= 1);
    size_t at = 0;
    while (at < got.n && got.items[at].end - got.items[at].start < N / 2)
        at++;
    assert_true(at < got.n && got.items[at].start <= 100 && got.items[at].end >= N - 100);
    free(codes);
    free(got.items);
    seg_destroy(seg);
}

/* tests/data/blast/seg_cases.tsv: a sequence, what NCBI's library masks of it with window 10, 1.8 and 2.1, and a remark. Letters that
 * were X are not listed. */
static void test_cases_of_the_library(void **state)
{
    (void)state;
    const tms_seg_params params = TMS_SEG_SUBJECT;
    char line[8192];
    FILE *f = blast_case_open("seg_cases.tsv");
    struct seg *seg = seg_create(&params);
    struct intervals got = {NULL, 0, 0};
    int n_cases = 0;
    assert_non_null(seg);
    assert_non_null(fgets(line, sizeof line, f));
    for (; fgets(line, sizeof line, f); n_cases++) {
        mask_sample s = {.n = strcspn(line, "\t")};
        uint8_t codes[sizeof s.letters], want[sizeof s.letters] = {0}, mine[sizeof s.letters] = {0};
        char *text = line + s.n + 1;
        assert_true(s.n < sizeof s.letters);
        memcpy(s.letters, line, s.n);
        for (long start, end; *text != '\t'; text += *text == ',') {
            start = strtol(text, &text, 10);
            end = strtol(text + 1, &text, 10);
            memset(want + start, 1, (size_t)(end - start));
        }
        encode(&s, codes);
        got.n = 0;
        assert_true(seg_mask(seg, codes, s.n, &got));
        for (size_t i = 0; i < got.n; i++)
            memset(mine + got.items[i].start, 1, got.items[i].end - got.items[i].start);
        for (size_t i = 0; i < s.n; i++)
            if (s.letters[i] == 'X')
                mine[i] = 0;
        assert_same_bytes("masked letters", want, s.n, mine, s.n);
    }
    fclose(f);
    assert_int_equal(n_cases, 36);
    free(got.items);
    seg_destroy(seg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_to_the_plain_form),
        cmocka_unit_test(test_factorials),
        cmocka_unit_test(test_long_segment),
        cmocka_unit_test(test_cases_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
