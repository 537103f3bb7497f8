/* test_pool.c - a context's threads: every task once, order, fewer threads than asked for, cancelling, fork(). */
#include "unit/samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/context.h"
#include "run/ordered_section.h"
#include "run/pool.h"

static const int never = 0;

struct marks {
    size_t n_tasks;
    int n_threads;
    atomic_int *done;    /* by task: how often */
    atomic_int busy[64]; /* by thread: tasks under way */
    atomic_int n_wrong;
};

static void mark(void *arg, size_t task, int thread)
{
    struct marks *m = arg;
    if (task >= m->n_tasks || thread < 0 || thread >= m->n_threads) {
        m->n_wrong++;
        return;
    }
    m->n_wrong += m->busy[thread]++ != 0;
    m->done[task]++;
    m->busy[thread]--;
}

static void every_task_once(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 7, 64, 1000, 20001};
    for (int n_threads = 1; n_threads <= 33; n_threads += n_threads < 5 ? 1 : 14) {
        struct pool *pool = pool_create();
        assert_non_null(pool);
        for (int round = 0; round < 40; round++) {
            struct marks m = {.n_tasks = sizes[round % 8], .n_threads = n_threads - (round / 8 == 3 && n_threads > 1)};
            m.done = sample_alloc((m.n_tasks + 1) * sizeof *m.done);
            memset(m.done, 0, (m.n_tasks + 1) * sizeof *m.done);
            assert_true(pool_run(pool, m.n_threads, m.n_tasks, mark, &m, &never));
            assert_int_equal(m.n_wrong, 0);
            for (size_t i = 0; i < m.n_tasks; i++)
                assert_int_equal(m.done[i], 1);
            free(m.done);
        }
        pool_destroy(pool);
    }
}

struct sequence {
    struct ordered_section ordered_section;
    size_t *order, n;
};

static void append(void *arg, size_t task, int thread)
{
    struct sequence *s = arg;
    (void)thread;
    ordered_section_wait(&s->ordered_section, task);
    s->order[s->n++] = task;
    ordered_section_end(&s->ordered_section, task);
}

static void ordered_section_are_in_order(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct pool *pool = pool_create();
    struct sequence s = {.order = sample_alloc(N * sizeof *s.order)};
    ordered_section_init(&s.ordered_section);
    pool_run(pool, 5, N, append, &s, &never);
    assert_int_equal(s.n, N);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(s.order[i], i);
    ordered_section_destroy(&s.ordered_section);
    free(s.order);
    pool_destroy(pool);
}

struct cancelling {
    tms_context *ctx;
    struct ordered_section ordered_section;
    atomic_size_t n_begun, n_ended;
};

static void cancel_at_100(void *arg, size_t task, int thread)
{
    struct cancelling *c = arg;
    (void)thread;
    c->n_begun++;
    ordered_section_wait(&c->ordered_section, task); /* would hang if a task before this one had been left out */
    if (task == 100)
        tms_context_cancel(c->ctx);
    ordered_section_end(&c->ordered_section, task);
    c->n_ended++;
}

static void cancelled_jobs_end(void **state)
{
    (void)state;
    for (int n_threads = 1; n_threads <= 4; n_threads++) {
        struct cancelling c = {0};
        ASSERT_OK(c.ctx, tms_context_create(&c.ctx));
        ASSERT_OK(c.ctx, tms_context_set_threads(c.ctx, n_threads));
        ordered_section_init(&c.ordered_section);
        assert_int_equal(tms_context_run(c.ctx, 1000000, cancel_at_100, &c), TMS_E_CANCELLED);
        assert_string_equal(tms_context_message(c.ctx), "cancelled");
        assert_int_equal(c.n_begun, c.n_ended);
        assert_in_range(c.n_begun, 101, 101 + (size_t)n_threads);
        ordered_section_destroy(&c.ordered_section);
        ordered_section_init(&c.ordered_section);
        assert_int_equal(tms_context_run(c.ctx, 5, cancel_at_100, &c), TMS_E_CANCELLED); /* until it is resumed */
        tms_context_resume(c.ctx);
        ASSERT_OK(c.ctx, tms_context_run(c.ctx, 5, cancel_at_100, &c));
        ordered_section_destroy(&c.ordered_section);
        tms_context_destroy(c.ctx);
    }
}

/* Runs in a child: cmocka must not see its failures. Returns 0 if all is well. */
static int child_counts(struct pool *pool, int n_threads)
{
    struct marks m = {.n_tasks = 5000, .n_threads = n_threads};
    m.done = calloc(m.n_tasks, sizeof *m.done);
    if (!m.done)
        return 1;
    pool_run(pool, n_threads, m.n_tasks, mark, &m, &never);
    for (size_t i = 0; i < m.n_tasks; i++)
        m.n_wrong += m.done[i] != 1;
    free(m.done);
    return m.n_wrong != 0;
}

static int end_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + status;
}

static void a_child_makes_its_own_threads(void **state)
{
    (void)state;
    if (SAMPLES_TSAN)
        skip(); /* which does not follow threads into a child */
    struct pool *pool = pool_create();
    assert_int_equal(child_counts(pool, 4), 0);
    for (int round = 0; round < 20; round++) { /* the parent's threads look for work, or sleep, or are about to */
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            int wrong = child_counts(pool, 4) + child_counts(pool, 2);
            pool_destroy(pool);
            _exit(wrong);
        }
        assert_true(child > 0);
        assert_int_equal(child_counts(pool, 4), 0);
        assert_int_equal(end_of(child), 0);
    }
    pool_destroy(pool);
}

/* A context and a filter of the parent's, used in the child while the parent goes on. */
static void a_child_uses_the_library(void **state)
{
    (void)state;
    if (SAMPLES_TSAN)
        skip();
    enum { N = 50000 };
    tms_context *ctx;
    tms_filter *f;
    tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 1 << 20, 8};
    key_set in = keys_make(FORM_FIXED_8, N, sample_seed());
    uint8_t *hit = sample_alloc(N);
    ASSERT_OK(ctx, tms_context_create(&ctx));
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 3));
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        int wrong = tms_filter_query(ctx, f, &in.keys, hit) != TMS_OK || count_hits(hit, N) != N ||
                    tms_filter_insert(ctx, f, &in.keys) != TMS_OK;
        tms_filter_destroy(f);
        tms_context_destroy(ctx);
        _exit(wrong);
    }
    assert_true(child > 0);
    ASSERT_OK(ctx, tms_filter_query(ctx, f, &in.keys, hit));
    assert_int_equal(count_hits(hit, N), N);
    assert_int_equal(end_of(child), 0);
    tms_filter_destroy(f);
    tms_context_destroy(ctx);
    free(hit);
    keys_free(&in);
}

static void as_many_threads_as_there_are(void **state)
{
    (void)state;
    if (SAMPLES_SANITIZED)
        skip(); /* a sanitizer's own addresses are beyond any limit */
    pid_t child = fork();
    if (child == 0) {
        struct pool *pool = pool_create();
        struct rlimit none;
        alarm(60);
        if (getrlimit(RLIMIT_AS, &none) != 0)
            _exit(10);
        none.rlim_cur = 1 << 20; /* less than is in use: no stack can be had */
        int before = pool_start(pool, 3);
        if (setrlimit(RLIMIT_AS, &none) != 0)
            _exit(11);
        _exit(before != 3 || pool_start(pool, 64) != 3 ? 12 : child_counts(pool, 64));
    }
    assert_true(child > 0);
    assert_int_equal(end_of(child), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_threads_as_there_are), /* first: stacks of earlier threads are kept for later ones */
        cmocka_unit_test(every_task_once),
        cmocka_unit_test(ordered_section_are_in_order),
        cmocka_unit_test(cancelled_jobs_end),
        cmocka_unit_test(a_child_makes_its_own_threads),
        cmocka_unit_test(a_child_uses_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
