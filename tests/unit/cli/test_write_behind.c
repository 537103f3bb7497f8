/* Work on a thread of its own: the caller goes on meanwhile, works end in their order, and the caller hears of a failure when it waits. */
#include "unit/samples.h"

#include <semaphore.h>

#include "cli/blast/write_behind.h"

enum { N_WORKS = 50 };

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
    write_behind w;
    struct gate g = {.status = IO_OK};
    io_error err;

    (void)state;
    write_behind_open(&w);
    sem_init(&g.caller_goes_on, 0, 0);
    assert_int_equal(write_behind_wait(&w, &err), IO_OK); /* nothing was begun */
    for (int i = 1; i <= 100; i++) {
        write_behind_begin(&w, wait_and_end, &g);
        sem_post(&g.caller_goes_on);
        assert_int_equal(write_behind_wait(&w, &err), IO_OK);
        assert_int_equal(g.n_done, i);
    }
    write_behind_close(&w);
    sem_destroy(&g.caller_goes_on);
}

/* One work is done while the next one waits for its turn. */
static void there_is_room_for_two(void **state)
{
    write_behind w;
    struct gate gates[N_WORKS];
    io_error err;

    (void)state;
    write_behind_open(&w);
    for (int i = 0; i < N_WORKS; i++) {
        gates[i] = (struct gate){.status = IO_OK};
        sem_init(&gates[i].caller_goes_on, 0, 0);
        assert_int_equal(write_behind_make_room(&w, &err), IO_OK);
        assert_int_equal(i > 1 ? gates[i - 2].n_done : 1, 1);
        write_behind_begin(&w, wait_and_end, &gates[i]);
        if (i > 0)
            sem_post(&gates[i - 1].caller_goes_on);
    }
    assert_int_equal(gates[N_WORKS - 1].n_done, 0);
    sem_post(&gates[N_WORKS - 1].caller_goes_on);
    write_behind_close(&w);
    assert_int_equal(gates[N_WORKS - 1].n_done, 1);
    for (int i = 0; i < N_WORKS; i++)
        sem_destroy(&gates[i].caller_goes_on);
}

static void a_failure_is_told_each_time(void **state)
{
    write_behind w;
    struct gate g = {.status = IO_E_OUTPUT};

    (void)state;
    write_behind_open(&w);
    sem_init(&g.caller_goes_on, 0, 0);
    write_behind_begin(&w, wait_and_end, &g);
    write_behind_begin(&w, wait_and_end, &g); /* is not done */
    sem_post(&g.caller_goes_on);
    for (int i = 0; i < 3; i++) {
        io_error err = {0};
        assert_int_equal(write_behind_wait(&w, &err), IO_E_OUTPUT);
        assert_string_equal(err.text, "work 1 has failed");
    }
    write_behind_close(&w);
    assert_int_equal(g.n_done, 1);
    sem_destroy(&g.caller_goes_on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_caller_goes_on), cmocka_unit_test(there_is_room_for_two),
                                       cmocka_unit_test(a_failure_is_told_each_time)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
