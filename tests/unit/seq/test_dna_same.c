/* tms_dna_same() against one base at a time. */
#include "unit/context_fixture.h"

#include "unit/dna_samples.h"

static size_t same(const dna_sample *a, size_t i, const dna_sample *b, size_t j, int reverse, size_t n)
{
    size_t done = 0;
    for (; done < n; done++) {
        uint8_t x = a->bases[i + done], y = b->bases[reverse ? j - done : j + done];
        if (x == DNA_OTHER || y == DNA_OTHER || x != (reverse ? 3 - y : y))
            break;
    }
    return done;
}

static void test_random(void **state)
{
    size_t longest = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        sample_random r = {seed};
        size_t n = 1 + (size_t)random_below(&r, 500);
        dna_sample a = dna_random(&r, n, 1, seed % 3 != 0), b;
        uint8_t *bases = sample_alloc(n);
        int reverse = seed % 2 == 0;
        for (size_t i = 0; i < n; i++) { /* the same with a few changes, so that there is much to find */
            uint8_t base = a.bases[reverse ? n - 1 - i : i];
            bases[i] = random_below(&r, 150) == 0 ? (uint8_t)random_below(&r, 5)
                       : base == DNA_OTHER        ? (uint8_t)DNA_OTHER
                       : reverse                  ? (uint8_t)(3 - base)
                                                  : base;
        }
        b = dna_from_bases(&r, bases, n, NULL, 1);
        for (int k = 0; k < 300; k++) {
            size_t i = (size_t)random_below(&r, n), j = reverse ? n - 1 - i : i, most, want, got;
            if (k % 4 == 0)
                j = (size_t)random_below(&r, n);
            most = n - i < (reverse ? j + 1 : n - j) ? n - i : (reverse ? j + 1 : n - j);
            if (k % 3 == 0)
                most = (size_t)random_below(&r, most + 1);
            want = same(&a, i, &b, j, reverse, most);
            got = tms_dna_same(&a.dna, i, &b.dna, j, reverse, most);
            if (got != want)
                fail_msg("seed %llu: from %zu and %zu, %s, at most %zu: %zu instead of %zu", (unsigned long long)seed, i, j,
                         reverse ? "down" : "up", most, got, want);
            longest = want > longest ? want : longest;
        }
        dna_free(&a);
        dna_free(&b);
    }
    assert_true(longest > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
