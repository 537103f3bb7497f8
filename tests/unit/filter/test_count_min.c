/* count_min.h, the baseline of `tamis-bench accuracy`: its proven error bounds, on random streams. */
#include "unit/samples.h"

#include "unit/filter/count_min.h"

/* A stream of n_items over n_keys keys, low numbers more often, counted exactly and by a plain and a conservative sketch. */
typedef struct stream {
    size_t n_items, n_keys;
    uint64_t *keys;
    uint32_t *counts;
    count_min plain, conservative;
} stream;

static stream stream_make(sample_random *r, size_t n_items, size_t n_keys, uint32_t rows, uint32_t width)
{
    stream s = {n_items,
                n_keys,
                sample_alloc(n_keys * sizeof *s.keys),
                sample_alloc(n_keys * sizeof *s.counts),
                count_min_make(rows, width, 0),
                count_min_make(rows, width, 1)};
    assert_non_null(s.plain.counters);
    assert_non_null(s.conservative.counters);
    memset(s.counts, 0, n_keys * sizeof *s.counts);
    for (size_t i = 0; i < n_keys; i++)
        s.keys[i] = random_next(r);
    for (size_t i = 0; i < n_items; i++) {
        size_t key = random_below(r, 1 + random_below(r, n_keys));
        s.counts[key]++;
        count_min_add(&s.plain, s.keys[key]);
        count_min_add(&s.conservative, s.keys[key]);
    }
    return s;
}

static void stream_free(stream *s)
{
    free(s->keys);
    free(s->counts);
    count_min_free(&s->plain);
    count_min_free(&s->conservative);
}

/* true count <= conservative <= plain, in sketches so small that most keys are overestimated. */
static void never_underestimates(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{1, 1}, {1, 50}, {2, 64}, {4, 100}, {4, 1000}, {16, 33}};
    sample_random r = {sample_seed()};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        stream s = stream_make(&r, 20000, 2000, shapes[i][0], shapes[i][1]);
        uint64_t plain_excess = 0, conservative_excess = 0;
        for (size_t key = 0; key < s.n_keys; key++) {
            uint32_t plain = count_min_estimate(&s.plain, s.keys[key]);
            uint32_t conservative = count_min_estimate(&s.conservative, s.keys[key]);
            if (s.counts[key] > conservative || conservative > plain)
                fail_msg("%u x %u, key %zu: %u times, conservative %u, plain %u", shapes[i][0], shapes[i][1], key, s.counts[key],
                         conservative, plain);
            plain_excess += plain - s.counts[key];
            conservative_excess += conservative - s.counts[key];
        }
        assert_true(conservative_excess > 0);
        if (shapes[i][0] > 1) /* with one row every counter is the least */
            assert_true(conservative_excess < plain_excess);
        else
            assert_int_equal(conservative_excess, plain_excess);
        stream_free(&s);
    }
}

/* 100 keys in 4 rows of a million: a key that shares all four counters has a chance of 1e-13. */
static void exact_with_room(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 1};
    stream s = stream_make(&r, 10000, 100, 4, 1000000);
    for (size_t key = 0; key < s.n_keys; key++) {
        assert_int_equal(count_min_estimate(&s.plain, s.keys[key]), s.counts[key]);
        assert_int_equal(count_min_estimate(&s.conservative, s.keys[key]), s.counts[key]);
    }
    assert_int_equal(count_min_estimate(&s.plain, random_next(&r)), 0);
    stream_free(&s);
}

/*
 * Plain: a key is more than e N / width too high with probability at most e^-rows = 1.8 %, keys independent of each other but for
 * the few that collide. Of 2,000 keys 37 are expected at most; 37 + 6 standard deviations are 73.
 */
static void error_bound(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 2};
    stream s = stream_make(&r, 50000, 2000, 4, 272);
    size_t n_beyond = 0;
    for (size_t key = 0; key < s.n_keys; key++)
        n_beyond += count_min_estimate(&s.plain, s.keys[key]) - s.counts[key] > 2.718281828 * 50000 / 272;
    assert_in_range(n_beyond, 0, 73);
    stream_free(&s);
}

/* Worked by hand: a full row of two counters, and a counter that is full. */
static void by_hand(void **state)
{
    (void)state;
    count_min one = count_min_make(1, 1, 0), two = count_min_make(2, 1, 1);
    for (uint64_t key = 0; key < 5; key++) {
        count_min_add(&one, key);
        count_min_add(&two, key);
    }
    assert_int_equal(count_min_estimate(&one, 77), 5);
    assert_int_equal(count_min_estimate(&two, 77), 5);
    two.counters[0] = 9; /* row 0 of every key: a rise of the other one is all that an occurrence changes */
    count_min_add(&two, 1);
    assert_int_equal(two.counters[0], 9);
    assert_int_equal(two.counters[1], 6);
    one.counters[0] = UINT32_MAX;
    count_min_add(&one, 1);
    assert_int_equal(count_min_estimate(&one, 1), UINT32_MAX);
    count_min_free(&one);
    count_min_free(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_underestimates),
        cmocka_unit_test(exact_with_room),
        cmocka_unit_test(error_bound),
        cmocka_unit_test(by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
