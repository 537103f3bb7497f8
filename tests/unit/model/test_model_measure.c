/*
 * Workloads of the model, run on the CPU: their measurements, also at the ends of ranges, and the free memory.
 */
#include "unit/context_fixture.h"
#include "unit/samples.h"

#include <math.h>

#include "model/calibration.h"
#include "model/measure.h"
#include "model/workload.h"

static const tms_workload strings = {.app = TMS_APP_STRINGS,
                                     .op = TMS_OP_QUERY,
                                     .layout = TMS_LAYOUT_CLASSIC,
                                     .on_cpu = 1,
                                     .n_threads_cpu = 1,
                                     .k = 3,
                                     .m_bits = 400000,
                                     .n = 100000,
                                     .D = 200000,
                                     .length = 12};

static void measured_on_the_cpu(void **state)
{
    (void)state;
    tms_measurement m;
    for (int op = TMS_OP_READ4; op <= TMS_OP_OR; op++) {
        const tms_workload w = {.app = TMS_APP_RANDOM, .op = (tms_op)op, .on_cpu = 1, .n_threads_cpu = 2, .m_bits = 1 << 20, .D = 100000};
        ASSERT_OK(ctx, tms_model_measure(ctx, &w, 3, &m));
        assert_true(m.n_repeats == 3 && m.low > 0 && m.low <= m.seconds && m.seconds <= m.high && m.threads == 2);
    }
    tms_workload w = strings;
    ASSERT_OK(ctx, tms_model_measure(ctx, &w, 1, &m));
    assert_near(m.fpr, pow(workload_fill(&w), 3), 0.05);
    w.app = TMS_APP_BANK;
    w.Q = w.n;
    assert_int_equal(tms_model_measure(ctx, &w, 1, &m), TMS_E_ARG);
    w.on_cpu = 0;
    assert_int_equal(tms_model_measure(ctx, &w, 1, &m), TMS_E_DEVICE);  /* a context on the CPU */
    ASSERT_OK(ctx, tms_model_apply(ctx, &(tms_profile){.has_gpu = 1})); /* and so nothing to choose */
    ASSERT_OK(ctx, tms_model_apply(ctx, NULL));
}

/* More threads or memory than the machine has, fewer accesses than a thread has in flight, and a cancelled call. */
static void measured_at_the_ends(void **state)
{
    (void)state;
    tms_measurement m;
    const int n_threads = tms_context_threads(ctx);
    tms_workload w = {.app = TMS_APP_RANDOM, .op = TMS_OP_READ32, .on_cpu = 1, .n_threads_cpu = 3, .m_bits = 1 << 14, .D = 1};
    for (; w.D < 40; w.D += 13)
        ASSERT_OK(ctx, tms_model_measure(ctx, &w, 100, &m));
    assert_int_equal(m.n_repeats, 32);
    assert_int_equal(m.threads, 3);
    assert_int_equal(tms_context_threads(ctx), n_threads); /* the context has its own again */
    w.n_threads_cpu = UINT32_MAX;
    ASSERT_FAILS(ctx, TMS_E_ARG, "threads", tms_model_measure(ctx, &w, 1, &m));
    w.n_threads_cpu = 1;
    w.D = 1000;
    if (available_mib() > 0 && available_mib() < 127 << 10) {
        w.m_bits = (uint64_t)1 << 40;
        ASSERT_FAILS(ctx, TMS_E_MEMORY, "137438953472 bytes", tms_model_measure(ctx, &w, 1, &m));
        w = strings;
        w.D = (uint64_t)1 << 40;
        ASSERT_FAILS(ctx, TMS_E_MEMORY, "are free", tms_model_measure(ctx, &w, 1, &m));
    }
    w.m_bits = 1 << 14;
    tms_context_cancel(ctx);
    assert_int_equal(tms_model_measure(ctx, &w, 1, &m), TMS_E_CANCELLED);
    tms_context_resume(ctx);
}

/* A file with this text. */
static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The free memory is the least that the machine and the process's control group and its ancestors leave. */
static void memory_left(void **state)
{
    (void)state;
    char root[] = "/tmp/tamis-model-XXXXXX", command[64];
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    assert_int_equal(system("mkdir -p v2/a/b v1/memory/a"), 0);
    write_text("meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");
    write_text("groups", "4:memory:/a\n0::/a/b\n");
    assert_int_equal(measure_memory_left("none", "none", "v2"), UINT64_MAX);
    assert_int_equal(measure_memory_left("meminfo", "none", "v2"), 8192000);
    assert_int_equal(measure_memory_left("meminfo", "groups", "v2"), 8192000); /* groups without limits */
    write_text("v2/a/b/memory.max", "max\n");
    write_text("v2/a/b/memory.current", "100\n");
    write_text("v2/a/memory.max", "7000000\n");
    write_text("v2/a/memory.current", "3000000\n");
    assert_int_equal(measure_memory_left("meminfo", "groups", "v2"), 4000000);
    write_text("v2/a/memory.stat", "file 5\ninactive_file_x 3\ninactive_file 1000000\n");
    assert_int_equal(measure_memory_left("meminfo", "groups", "v2"), 5000000); /* reclaimable */
    write_text("v2/a/b/memory.max", "50\n");
    assert_int_equal(measure_memory_left("meminfo", "groups", "v2"), 0);
    write_text("v2/a/b/memory.max", "max\n");
    write_text("v1/memory/a/memory.limit_in_bytes", "600\n");
    write_text("v1/memory/a/memory.usage_in_bytes", "500\n");
    assert_int_equal(measure_memory_left("meminfo", "groups", "v1"), 100);
    write_text("groups", "0::/\n"); /* as in a container */
    write_text("v2/memory.max", "2000\n");
    write_text("v2/memory.current", "500\n");
    assert_int_equal(measure_memory_left("meminfo", "groups", "v2"), 1500);
    assert_true(measure_memory_free() > 0);
    assert_int_equal(chdir("/"), 0);
    snprintf(command, sizeof command, "rm -rf %s", root);
    assert_int_equal(system(command), 0);
}

/* Random accesses and filters in a table that they have in common. */
static void measured_in_a_table(void **state)
{
    (void)state;
    struct measure_table table;
    ASSERT_OK(ctx, measure_table_create(ctx, (uint64_t)12 << 20, &table));
    const tms_workload random = {
        .app = TMS_APP_RANDOM, .op = TMS_OP_OR, .on_cpu = 1, .n_threads_cpu = 2, .m_bits = (uint64_t)5 << 23, .D = 100000};
    tms_measurement of_random;
    ASSERT_OK(ctx, measure_on_table(ctx, &random, 1, &table, &of_random));
    assert_true(of_random.seconds > 0);
    for (size_t i = 0; i < 4 * CALIBRATION_CPU_SIZES; i++) {
        tms_workload w;
        tms_measurement m;
        assert_true(calibration_workload(CALIBRATE_CPU_STRINGS, i, &(tms_machine){.n_processors = 4}, &w));
        if (w.m_bits / 8 < MEASURE_OWN_BYTES || w.m_bits / 8 > table.bytes)
            continue;
        w.D = 30000;
        ASSERT_OK(ctx, measure_on_table(ctx, &w, 1, &table, &m));
        assert_true(m.seconds > 0);
        if (w.op == TMS_OP_QUERY)
            assert_near(m.fpr, pow(0.5, w.k), 0.4);
    }
    measure_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_on_the_cpu),
        cmocka_unit_test(measured_at_the_ends),
        cmocka_unit_test(memory_left),
        cmocka_unit_test(measured_in_a_table),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
