/*
 * test_best_first.c - extending HSPs best first by several threads gives what the definition gives: one thread that takes one HSP after the
 * other. Extensions are made up: they are random functions of the HSP's number, and take random times.
 */
#include "search/best_first.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "run/context.h"
#include "unit/context_fixture.h"
#include "unit/hits/hsp_samples.h"

enum { MOST_HSPS = 3000, PLACES = 12000, MOST_TASKS = 3, N_THREADS = 8, WAITS_SECONDS = 60 };

/* A list of HSPs, its extensions, and what becomes of them. */
struct sample {
    size_t n;
    struct hsp before[MOST_HSPS], after[MOST_HSPS];
    enum best_first_outcome outcomes[MOST_HSPS];
    size_t failing; /* the number of an HSP whose extension fails; n: of none */
    atomic_bool prepared[MOST_HSPS];
    size_t waiting, until; /* the extension of HSP `waiting` waits until HSP `until` is looked at; n: none waits */
    atomic_bool is_looked_at;
    atomic_size_t n_extensions;
    struct hsp_set accepted;
    struct hsp_list hsps;
    uint64_t n_extended;
    tms_status status;
};

static struct sample samples[MOST_TASKS];
static struct shared_tasks tasks;
static size_t n_tasks;

/* Few diagonals, so that many HSPs lie in others; ends in a grid, so that many are common. */
static struct hsp random_box(sample_random *r, int longest)
{
    const int length = 1 + (int)random_below(r, (uint64_t)longest), at = (int)random_below(r, PLACES - (uint64_t)longest);
    const int diagonal = (int)random_below(r, 3);

    return (struct hsp){.query = at / 8 * 8,
                        .query_end = (at + length) / 8 * 8 + 8,
                        .subject = at / 8 * 8 + diagonal,
                        .subject_end = (at + length) / 8 * 8 + 8 + diagonal,
                        .score = length,
                        .context = (int)random_below(r, 2)};
}

static void make(sample_random *r, size_t n, struct sample *s)
{
    memset(s, 0, sizeof *s);
    s->n = s->failing = s->waiting = n;
    for (size_t i = 0; i < n; i++) {
        s->before[i] = random_box(r, 40);
        s->after[i] = random_box(r, random_below(r, 20) == 0 ? 2000 : 100);
        s->after[i].context = s->before[i].context;
        s->outcomes[i] = BEST_FIRST_REFUSED + random_below(r, 8) / 2 % 3;
    }
}

/* --- steps --- */

static struct hsp get(const void *arg, size_t i)
{
    const struct sample *s = arg;

    if (i == s->until)
        atomic_store(&((struct sample *)(uintptr_t)arg)->is_looked_at, true);
    return s->before[i];
}

static tms_status prepare(void *arg, const struct hsp *h)
{
    struct sample *s = arg;

    for (size_t i = 0; i < s->n; i++)
        if (s->before[i].query == h->query && s->before[i].subject == h->subject)
            atomic_store_explicit(&s->prepared[i], true, memory_order_relaxed);
    return TMS_OK;
}

static tms_status extend(void *arg, size_t i, int thread, struct hsp *h, enum best_first_outcome *outcome)
{
    struct sample *s = arg;
    const double begun = clock_seconds();

    assert_in_range(thread, 0, N_THREADS - 1);
    assert_true(atomic_load_explicit(&s->prepared[i], memory_order_relaxed));
    atomic_fetch_add(&s->n_extensions, 1);
    while (i == s->waiting && !atomic_load(&s->is_looked_at) && clock_seconds() - begun < WAITS_SECONDS)
        usleep(100);
    if (i % 61 == 0)
        usleep(i % 7 * 50);
    if (i == s->failing)
        return TMS_E_MEMORY;
    *h = s->after[i];
    *outcome = s->outcomes[i];
    if (*outcome == BEST_FIRST_ACCEPTED)
        h->script = sample_script();
    return TMS_OK;
}

static void work(void *arg, size_t task, int thread)
{
    static const struct best_first_steps steps = {get, prepare, extend};
    struct sample *s;

    (void)arg;
    if (task >= n_tasks) {
        assert_true(shared_tasks_help(&tasks, thread) >= 0);
        return;
    }
    s = &samples[task];
    s->status = best_first(&tasks, thread, &steps, s, s->n, (struct best_first_results){&s->accepted, &s->hsps, &s->n_extended});
    shared_tasks_end_one(&tasks);
}

static void run(size_t n, int n_threads)
{
    n_tasks = n;
    ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
    shared_tasks_init(&tasks);
    shared_tasks_begin(&tasks, n);
    ASSERT_OK(ctx, tms_context_run(ctx, n + (size_t)n_threads - 1, work, NULL));
    shared_tasks_destroy(&tasks);
}

/* --- the definition --- */

static void assert_as_defined(struct sample *s)
{
    struct hsp_set accepted = {.separation = s->accepted.separation};
    uint64_t n_extended = 0;
    size_t n = 0;

    assert_int_equal(s->status, TMS_OK);
    for (size_t i = 0; i < s->n; i++) {
        const struct hsp *h = &s->after[i];
        if (hsp_set_contains(&accepted, hsp_box_of(&s->before[i])))
            continue;
        n_extended += s->outcomes[i] != BEST_FIRST_REFUSED;
        if (s->outcomes[i] != BEST_FIRST_ACCEPTED)
            continue;
        assert_int_equal(hsp_set_add(&accepted, hsp_box_of(h)), TMS_OK);
        assert_true(n < s->hsps.n);
        assert_memory_equal(&s->hsps.items[n], h, offsetof(struct hsp, start_query));
        n++;
    }
    assert_int_equal(s->hsps.n, n);
    assert_int_equal(s->n_extended, n_extended);
    hsp_set_free(&accepted);
}

static void empty(struct sample *s)
{
    hsp_set_free(&s->accepted);
    hsp_list_free(&s->hsps);
}

/* --- tests --- */

static void any_threads(void **state)
{
    static const int threads[] = {1, 2, 3, N_THREADS};
    sample_random r = {sample_seed()};

    (void)state;
    for (int round = 0; round < 24; round++) {
        const size_t n = 1 + random_below(&r, MOST_TASKS);
        const int n_threads = threads[round % 4];
        for (size_t i = 0; i < n; i++) {
            make(&r, random_below(&r, 3) == 0 ? random_below(&r, 70) : random_below(&r, MOST_HSPS), &samples[i]);
            samples[i].accepted.separation = (int)random_below(&r, 2) * 5;
        }
        run(n, n_threads);
        for (size_t i = 0; i < n; i++) {
            assert_as_defined(&samples[i]);
            empty(&samples[i]);
        }
    }
}

/* A thread that is alone extends no HSP in vain. */
static void alone(void **state)
{
    struct sample *s = &samples[0];
    sample_random r = {sample_seed()};

    (void)state;
    make(&r, MOST_HSPS, s);
    for (size_t i = 0; i < s->n; i++)
        s->outcomes[i] = i % 2 == 0 ? BEST_FIRST_ACCEPTED : BEST_FIRST_REJECTED;
    run(1, 1);
    assert_as_defined(s);
    assert_int_equal(s->n_extensions, s->n_extended);
    assert_true(s->n_extended < s->n);
    empty(s);
}

/*
 * HSP 9 lies in what HSP 0 becomes; HSP 3 takes the place of that and has not HSP 9. While one thread extends HSP 3, another skips HSP 9.
 * And HSP 12 lies in what HSP 3 becomes, so it is extended in vain.
 */
static void decided_late(void **state)
{
    enum { N = 100 };
    struct sample *s = &samples[0];

    (void)state;
    memset(s, 0, sizeof *s);
    s->n = s->failing = N;
    for (int i = 0; i < N; i++) {
        s->before[i] = s->after[i] = (struct hsp){
            .query = 1000 * i, .query_end = 1000 * i + 10, .subject = 7, .subject_end = 17, .score = 5};
        s->outcomes[i] = BEST_FIRST_ACCEPTED;
    }
    s->after[0] = (struct hsp){.query = 8990, .query_end = 9100, .subject = 0, .subject_end = 110, .score = 50};
    s->after[3] = (struct hsp){.query = 8990, .query_end = 8995, .subject = 0, .subject_end = 9000, .score = 60};
    s->before[12] = (struct hsp){.query = 8991, .query_end = 8993, .subject = 200, .subject_end = 202, .score = 5};
    s->waiting = 3;
    s->until = 20;
    run(1, 2);
    assert_true(s->is_looked_at);
    assert_as_defined(s);
    assert_int_equal(s->n_extended, N - 1);
    assert_int_equal(s->n_extensions, N);
    empty(s);
}

static void failures(void **state)
{
    sample_random r = {sample_seed()};

    (void)state;
    for (int round = 0; round < 8; round++) {
        struct sample *s = &samples[0];
        make(&r, MOST_HSPS, s);
        s->failing = random_below(&r, 300);
        s->before[s->failing] = (struct hsp){.query = 2 * PLACES, .query_end = 2 * PLACES + 8, .score = 1}; /* lies in no other */
        run(1, 1 + round % 3);
        assert_int_equal(s->status, TMS_E_MEMORY);
        assert_true(s->hsps.n <= s->failing);
        empty(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_threads),
        cmocka_unit_test(alone),
        cmocka_unit_test(decided_late),
        cmocka_unit_test(failures),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
