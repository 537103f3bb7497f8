/* bench_model.c - the workloads of the model's calibration and of its sweeps, measured: one row each. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "model/calibration.h"
#include "tamis/model.h"

static void print(const char *group, const tms_workload *w, const tms_measurement *m)
{
    printf("%s\t%s\t%s\t%d\t%d\t%u\t%llu\t%llu\t%llu\t%llu\t%u\t%u\t%u\t%u\t%u\t%.6e\t%.6e\t%.6e\t%.6g\n", group, tms_app_name(w->app),
           tms_op_name(w->op), (int)w->place, (int)w->layout, w->k, (unsigned long long)w->m_bits, (unsigned long long)w->n,
           (unsigned long long)w->D, (unsigned long long)w->Q, w->length, w->on_cpu ? w->n_threads_cpu : m->blocks,
           w->threads ? w->threads : m->threads, m->active_blocks, m->registers, m->seconds, m->low, m->high, m->fpr);
    fflush(stdout);
}

static void run(tms_context *ctx, const char *group, const tms_workload *w)
{
    tms_measurement m;
    if (tms_model_measure(ctx, w, 0, &m) != TMS_OK)
        printf("# %s: %s\n", group, tms_context_message(ctx));
    else
        print(group, w, &m);
}

int bench_model(int argc, char **argv)
{
    tms_context *ctx;
    tms_machine machine;
    tms_workload w;
    if (tms_context_create(&ctx) != TMS_OK)
        return 5;
    bench_must(ctx, tms_context_set_device(ctx, 0));
    bench_must(ctx, tms_model_machine(ctx, &machine));
    printf("# MP %u W %u R %u blocks %u T_maxB %u T_maxMP %u S %llu block %llu reserved %llu memory %llu L2 %llu clock %u %u\n",
           machine.n_multiprocessors, machine.warp_size, machine.registers, machine.max_blocks, machine.max_threads_block,
           machine.max_threads, (unsigned long long)machine.shared_bytes, (unsigned long long)machine.shared_bytes_block,
           (unsigned long long)machine.shared_reserved, (unsigned long long)machine.memory_bytes, (unsigned long long)machine.l2_bytes,
           machine.clock_khz, machine.memory_clock_khz);
    printf(
        "group\tapp\top\tplace\tlayout\tk\tm_bits\tn\tD\tQ\tlength\tblocks\tthreads\tactive_blocks\tregisters\tseconds\tlow\thigh\tfpr\n");
    for (int group = 0; group < CALIBRATION_GROUPS; group++) {
        const double begun = bench_now();
        if (argc < 2 || strcmp(argv[1], calibration_group_name((enum calibration_group)group)) == 0)
            for (size_t i = 0; calibration_workload((enum calibration_group)group, i, &machine, &w); i++)
                run(ctx, calibration_group_name((enum calibration_group)group), &w);
        printf("# %s: %.1f s\n", calibration_group_name((enum calibration_group)group), bench_now() - begun);
    }
    for (size_t s = 0; tms_sweep_name(s); s++) {
        const double begun = bench_now();
        if (argc < 2 || strcmp(argv[1], tms_sweep_name(s)) == 0)
            for (size_t i = 0; tms_sweep_workload(s, i, &machine, &w); i++)
                run(ctx, tms_sweep_name(s), &w);
        printf("# %s: %.1f s\n", tms_sweep_name(s), bench_now() - begun);
    }
    tms_context_destroy(ctx);
    return 0;
}
