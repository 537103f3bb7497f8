/* test_subject_masks.c - segments come back as they were kept, by any number of threads; none of a subject that came when it was full. */
#include "protein/subject_masks.h"
#include "unit/context_fixture.h"

enum { SUBJECTS = 300000 /* more than there is space for */, EVERY = 7 };

/* Segments of a subject: none to three. */
static void make_segments(uint64_t oid, struct intervals *out)
{
    out->n = 0;
    for (uint64_t i = 0; i < oid % 4; i++)
        assert_true(intervals_add(out, oid + 100 * i, oid + 100 * i + oid % 50 + 1));
}

static void assert_segments(const struct intervals *got, uint64_t oid)
{
    struct intervals want = {NULL, 0, 0};
    make_segments(oid, &want);
    assert_int_equal(got->n, want.n);
    if (want.n > 0)
        assert_memory_equal(got->items, want.items, want.n * sizeof *want.items);
    free(want.items);
}

/* Threads ask for the same subjects at the same time. */
static void ask(void *arg, size_t task, int thread)
{
    struct subject_masks *masks = arg;
    struct intervals segments = {NULL, 0, 0};
    (void)thread;
    for (uint64_t oid = task % 2; oid < SUBJECTS; oid += EVERY) {
        segments.n = 0;
        if (subject_masks_find(masks, oid, &segments)) {
            assert_segments(&segments, oid);
            continue;
        }
        make_segments(oid, &segments);
        subject_masks_keep(masks, oid, &segments);
    }
    free(segments.items);
}

static void test_threads(void **state)
{
    struct subject_masks *masks = subject_masks_create();
    struct intervals segments = {NULL, 0, 0};
    (void)state;
    assert_non_null(masks);
    assert_false(subject_masks_find(masks, 0, &segments));
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 4));
    ASSERT_OK(ctx, tms_context_run(ctx, 4, ask, masks));
    for (uint64_t oid = 0; oid < SUBJECTS; oid += EVERY) {
        segments.n = 0;
        assert_true(subject_masks_find(masks, oid, &segments));
        assert_segments(&segments, oid);
        assert_false(subject_masks_find(masks, oid + 2, &segments));
    }
    free(segments.items);
    subject_masks_destroy(masks);
}

static void test_no_space(void **state)
{
    struct subject_masks *masks = subject_masks_create();
    struct intervals segments = {NULL, 0, 0};
    size_t n_known = 0;
    (void)state;
    assert_non_null(masks);
    for (uint64_t oid = 0; oid < SUBJECTS; oid++) {
        make_segments(oid, &segments);
        subject_masks_keep(masks, oid, &segments);
    }
    for (uint64_t oid = 0; oid < SUBJECTS; oid++) {
        segments.n = 0;
        if (!subject_masks_find(masks, oid, &segments))
            continue;
        assert_segments(&segments, oid);
        n_known++;
    }
    assert_true(n_known > SUBJECTS / 2 && n_known < SUBJECTS);
    free(segments.items);
    subject_masks_destroy(masks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_no_space)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
