/* What searches take, by rates that are known. */
#include "unit/samples.h"

#include "model/profile.h"
#include "tamis/blastn.h"
#include "tamis/model.h"

static void blastp_seconds(void **state)
{
    (void)state;
    tms_profile p = {0};
    assert_near(tms_model_blastp(NULL, 1.4e4, 6e7, 1), 6, 1e-9);
    assert_near(tms_model_blastp(&p, 1.4e4, 6e7, 1), 6, 1e-9); /* it has no numbers: the built-in ones */
    p.values[PROFILE_BLASTP_CPU] = 2e10;
    p.values[PROFILE_BLASTP_GPU] = 1e12;
    p.values[PROFILE_GPU_START] = 0.5;
    p.values[PROFILE_COPY_IN] = 1e9;
    assert_near(tms_model_blastp(&p, 1e4, 6e7, 1), 30, 1e-9);
    assert_near(tms_model_blastp(&p, 1e4, 6e7, 6), 5, 1e-9);
    assert_near(tms_model_blastp(&p, 1e4, 6e7, 0), 0.7 + 0.06 + 0.6, 1e-9);
    assert_near(tms_model_blastp(&p, 0, 0, 0), 0.7, 1e-9);
    assert_near(tms_model_blastp(&p, 0, 0, 8), 0, 0);
}

/* The rates of a task on the CPU, and what a GPU makes of it. */
static void blastn_seconds(void **state)
{
    (void)state;
    assert_near(tms_model_blastn(TMS_TASK_BLASTN, 0, 1, 0, 1, 0), 0.01, 1e-9);
    assert_near(tms_model_blastn(TMS_TASK_BLASTN, 1e6, 2, 1e9, 1, 0), 0.02 + 6 + 250, 1e-9);
    assert_near(tms_model_blastn(TMS_TASK_BLASTN, 1e6, 2, 1e9, 16, 0), (0.02 + 6 + 250) / 16, 1e-9);
    assert_near(tms_model_blastn(TMS_TASK_BLASTN, 1e6, 2, 1e9, 0, 0), tms_model_blastn(TMS_TASK_BLASTN, 1e6, 2, 1e9, 1, 0), 0);
    for (int n_threads = 1; n_threads <= 64; n_threads *= 4)
        for (int task = TMS_TASK_MEGABLAST; task <= TMS_TASK_DC_MEGABLAST; task++) {
            const double small = tms_model_blastn(task, 1000, 1, 1e6, n_threads, 0),
                         large = tms_model_blastn(task, 1e7, 10, 1e10, n_threads, 0);
            assert_true(tms_model_blastn(task, 1000, 1, 1e6, n_threads, 1) > small); /* CUDA starts */
            if (task == TMS_TASK_BLASTN)
                assert_true(tms_model_blastn(task, 1e7, 10, 1e10, n_threads, 1) < 0.7 * large);
            if (task == TMS_TASK_BLASTN_SHORT || task == TMS_TASK_DC_MEGABLAST)
                assert_near(tms_model_blastn(task, 1e7, 10, 1e10, n_threads, 1), 0.4 + large, 1e-9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blastp_seconds), cmocka_unit_test(blastn_seconds)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
