/* Work on a thread of its own: the caller goes on meanwhile, and hears of a failure when it waits. */
#include "unit/samples.h"

#include <semaphore.h>

#include "cli/blast/write_behind.h"

struct gate {
    sem_t caller_goes_on;
    int n_done;
    io_status status; /* with which the work ends */
};

static io_status wait_and_end(void *arg, io_error *err)
{
    struct gate *g = arg;

    sem_wait(&g->caller_goes_on);
    g->n_done++;
    return g->status == IO_OK ? IO_OK : io_fail(err, g->status, 0, "work %d has failed", g->n_done);
}

static void the_caller_goes_on(void **state)
{
    write_behind w = {0};
    struct gate g = {.status = IO_OK};
    io_error err;

    (void)state;
    sem_init(&g.caller_goes_on, 0, 0);
    assert_int_equal(write_behind_wait(&w, &err), IO_OK); /* nothing was begun */
    for (int i = 1; i <= 100; i++) {
        write_behind_begin(&w, wait_and_end, &g);
        sem_post(&g.caller_goes_on);
        assert_int_equal(write_behind_wait(&w, &err), IO_OK);
        assert_int_equal(g.n_done, i);
    }
    sem_destroy(&g.caller_goes_on);
}

static void a_failure_is_told_each_time(void **state)
{
    write_behind w = {0};
    struct gate g = {.status = IO_E_OUTPUT};

    (void)state;
    sem_init(&g.caller_goes_on, 0, 0);
    write_behind_begin(&w, wait_and_end, &g);
    sem_post(&g.caller_goes_on);
    for (int i = 0; i < 3; i++) {
        io_error err = {0};
        assert_int_equal(write_behind_wait(&w, &err), IO_E_OUTPUT);
        assert_string_equal(err.text, "work 1 has failed");
    }
    sem_destroy(&g.caller_goes_on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_caller_goes_on), cmocka_unit_test(a_failure_is_told_each_time)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
