/*
 * The model: blocks given to multiprocessors against the papers' formula and against sums; a calibration of a machine that was made up,
 * whose numbers have to come back; predictions and tuning on it.
 */
#include "unit/context_fixture.h"
#include "unit/samples.h"

#include <math.h>

#include "model/block_waves.h"
#include "model/calibration.h"
#include "model/ma_equations.h"
#include "model/model_shape.h"
#include "model/profile.h"
#include "model/response.h"
#include "model/workload.h"

/* --- blocks --- */

/* Rates that do not depend on how many blocks there are, no limit of the chip, no spread: a wave is as long as its work on one
 * multiprocessor. */
static void waves_as_in_the_paper(void **state)
{
    (void)state;
    const struct ma_architecture arch = {
        .MP = 15, .S = 49152, .R = 32768, .W = 32, .N_W = 6, .B_max = 120, .T_maxB = 1024, .T_maxMP = 1536};
    for (uint64_t blocks = 1; blocks <= 90; blocks++) {
        const struct ma_application app = {.D = 1 << 20, .B_r = blocks, .T_r = 1024};
        struct block_waves w = {.n_multiprocessors = 15,
                                .active_blocks = 1,
                                .n_blocks = (uint32_t)blocks,
                                .small_work = (double)app.D / (double)blocks,
                                .rates = {0, 1e6},
                                .chip_rate = INFINITY,
                                .q = 4};
        assert_int_equal(ma_active_blocks(&arch, &app), 1);
        assert_near(block_waves_seconds(&w), (double)app.D / 15e6 * ma_f_sched(&arch, &app), 1e-9);
    }
}

/* Work is never done faster than all rates allow, nor in less than its largest block takes; twice the work takes
 * twice as long. */
static void waves_have_limits(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;
    for (int turn = 0; turn < 2000; turn++) {
        struct block_waves w = {.n_multiprocessors = 1 + (uint32_t)(random_next(&r) % 140),
                                .active_blocks = 1 + (uint32_t)(random_next(&r) % 8),
                                .n_blocks = 1 + (uint32_t)(random_next(&r) % 3000),
                                .small_work = 1 + (double)(random_next(&r) % 100),
                                .q = 3,
                                .spread = turn % 3 ? 0.06 : 0};
        w.large_work = w.small_work + 1;
        w.n_large = (uint32_t)(random_next(&r) % (w.n_blocks + 1));
        w.chip_rate = turn % 2 ? INFINITY : 50 + (double)(random_next(&r) % 1000);
        for (uint32_t c = 1; c <= w.active_blocks; c++)
            w.rates[c] = c == 1 ? 10 : w.rates[c - 1] + 10 / (double)c;
        const double work = w.n_large * w.large_work + (w.n_blocks - w.n_large) * w.small_work;
        const double all = fmin(w.rates[w.active_blocks] * w.n_multiprocessors * (1 + w.spread), w.chip_rate);
        const double seconds = block_waves_seconds(&w);
        assert_true(seconds >= work / all * (1 - 1e-9));
        assert_true(seconds >= w.small_work / 10 / (1 + w.spread) * (1 - 1e-9));
        assert_true(seconds <= work / w.rates[1] * 10 *
                                   (1 + w.n_multiprocessors * w.rates[w.active_blocks] / (isinf(w.chip_rate) ? INFINITY : w.chip_rate)));
        w.small_work *= 2;
        w.large_work *= 2;
        assert_near(block_waves_seconds(&w), 2 * seconds, 1e-6);
    }
    assert_true(isnan(block_waves_seconds(&(struct block_waves){0})));
}

static void curves(void **state)
{
    (void)state;
    tms_curve c = {0};
    assert_true(isnan(curve_at(&c, 1)));
    curve_add(&c, 100, 8);
    curve_add(&c, 1, 2);
    curve_add(&c, 10, 4);
    curve_add(&c, 10, 5); /* replaces the other point */
    assert_int_equal(c.n, 3);
    assert_near(curve_at(&c, 0.5), 2, 0);
    assert_near(curve_at(&c, 10), 5, 1e-12);
    assert_near(curve_at(&c, sqrt(10)), sqrt(10), 1e-12);
    assert_near(curve_at(&c, 1000), 8, 0);
    for (int i = 0; i < 2 * TMS_CURVE_POINTS; i++)
        curve_add(&c, 200 + i, 1);
    assert_int_equal(c.n, TMS_CURVE_POINTS);
    assert_near(rate_of_both(3, INFINITY, 2), 3, 1e-12);
    assert_near(rate_of_both(3, 4, 1), 12.0 / 7, 1e-12);
    assert_near(time_of_both(3, 4, 2), 5, 1e-12);
    for (size_t i = 0; i < PROFILE_N_VALUES; i++)
        assert_non_null(tms_profile_value_name(i));
    for (size_t i = 0; i < PROFILE_N_CURVES; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(tms_profile_curve_name(i), tms_profile_curve_name(j));
    assert_null(tms_profile_value_name(PROFILE_N_VALUES));
    assert_null(tms_profile_curve_name(PROFILE_N_CURVES));
}

/* --- a machine that was made up --- */

static const tms_machine machine = {.gpu = "made up",
                                    .n_multiprocessors = 64,
                                    .warp_size = 32,
                                    .registers = 65536,
                                    .max_blocks = 32,
                                    .max_threads_block = 1024,
                                    .max_threads = 2048,
                                    .shared_bytes = 228 << 10,
                                    .shared_bytes_block = 227 << 10,
                                    .shared_reserved = 1024,
                                    .memory_bytes = (uint64_t)80 << 30,
                                    .l2_bytes = 40 << 20,
                                    .n_processors = 4};

#define LAUNCH 3e-6

/* Rates of a chip whose caches end at 128 KB and at 32 MB. */
static double chip_rate(double bytes) { return bytes <= 131072 ? 600e9 : bytes <= 32 << 20 ? 150e9 : 40e9; }

static double random_seconds(const tms_workload *w, uint32_t active)
{
    const double bytes = (double)w->m_bits / 8, chip = w->place == TMS_PLACE_SHARED ? 700e9 : chip_rate(bytes);
    const struct response r = {0.2e9, 5e9, chip, 2, 4, 32, 64, machine.n_multiprocessors};
    struct block_waves waves = {.n_multiprocessors = machine.n_multiprocessors,
                                .active_blocks = active,
                                .n_blocks = w->blocks,
                                .small_work = (double)w->D / w->blocks,
                                .chip_rate = response_chip(&r),
                                .q = r.q};
    for (uint32_t c = 1; c <= active; c++)
        waves.rates[c] = response_rate(&r, c * w->threads / 32.0);
    return LAUNCH + block_waves_seconds(&waves);
}

static double strings_seconds(const tms_workload *w)
{
    const double bit = 1 / chip_rate((double)w->m_bits / 8), probes = w->op == TMS_OP_QUERY ? workload_probes(w) : w->k;
    return LAUNCH + (double)w->D * (w->layout == TMS_LAYOUT_BLOCKED ? bit + 5e-12
                                    : w->threads == 32              ? 4e-10 + w->k * bit
                                                                    : 5e-12 + probes * bit);
}

/* Threads of the made-up CPU together come up against the memory of tables that its cache does not hold. */
static double cpu_threads_rate(double one, double bytes, double threads)
{
    return bytes > 32e6 ? rate_of_both(one * threads, 2.5 * one, 4) : one * threads;
}

/* Seconds per access or per string. */
static double cpu_seconds(const tms_workload *w)
{
    const double bytes = (double)w->m_bits / 8, bit = bytes > 32e6 ? 5e-9 : 1e-9;
    const double probes = w->layout == TMS_LAYOUT_BLOCKED ? 1 : w->op == TMS_OP_QUERY ? workload_probes(w) : w->k;
    const double one = w->app == TMS_APP_RANDOM ? bit : 2e-9 + 1e-10 * w->length + probes * bit;
    return 1 / cpu_threads_rate(1 / one, bytes, w->n_threads_cpu);
}

/* The time of the simulated machine for a workload of its calibration. */
static tms_measurement made_up(const tms_workload *w)
{
    tms_measurement m = {.registers = 32};
    const uint32_t warps = w->threads / 32;
    m.active_blocks = w->threads ? machine.max_threads / w->threads : 5;
    if (m.active_blocks > machine.max_blocks)
        m.active_blocks = machine.max_blocks;
    if (w->on_cpu)
        m.seconds = (double)w->D * cpu_seconds(w);
    else if (w->app == TMS_APP_RANDOM)
        m.seconds = random_seconds(w, m.active_blocks);
    else if (w->app == TMS_APP_STRINGS)
        m.seconds = strings_seconds(w);
    else if (w->app == TMS_APP_CLASSIFY)
        m.seconds = LAUNCH + workload_tiles(w) / rate_of_both(1e6 * (w->blocks ? fmin(w->blocks, 320) : 320), 90e6, 2);
    else if (w->place == TMS_PLACE_GLOBAL)
        m.seconds = LAUNCH + (double)w->D * w->k * 128 / 5e12;
    else {
        const double passes = (double)workload_sub_queries(w) / w->blocks, tiles = (double)w->D / 32;
        const double n = fmin(m.active_blocks, ceil((double)w->blocks / machine.n_multiprocessors));
        m.seconds = LAUNCH + passes * (1e-6 + fmax(tiles * 60e-9 * w->k / warps, n * tiles * 3e-9 * w->k));
    }
    m.low = m.high = m.seconds;
    return m;
}

static struct calibration_row rows[4096];
static tms_profile profile;

static int calibrate_made_up(void **state)
{
    size_t n = 0;
    tms_workload w;
    for (int group = 0; group < CALIBRATION_GROUPS; group++)
        for (size_t i = 0; calibration_workload((enum calibration_group)group, i, &machine, &w); i++) {
            if (n == sizeof rows / sizeof *rows || (w.app == TMS_APP_RANDOM && w.m_bits / 32 > (uint64_t)1 << 32))
                return -1; /* no room, or a table that pointers of 32 bits do not reach */
            rows[n++] = (struct calibration_row){(enum calibration_group)group, (uint32_t)i, w, made_up(&w)};
        }
    profile = (tms_profile){.machine = machine, .has_gpu = 1, .has_cpu = 1, .reliable = 1};
    profile.values[PROFILE_LAUNCH] = LAUNCH;
    profile.values[PROFILE_COPY_IN] = profile.values[PROFILE_COPY_OUT] = 50e9;
    calibration_fit(rows, n, &profile);
    return setup(state);
}

static void machine_comes_back(void **state)
{
    (void)state;
    for (int kind = 0; kind < RANDOM_KINDS; kind++) {
        const tms_workload full = {.app = TMS_APP_RANDOM, .m_bits = 8 * 65536, .D = 1 << 25, .blocks = 128, .threads = 1024};
        assert_near(curve_at(&profile.curves[CURVE_CHIP + kind], 65536), (double)full.D / (random_seconds(&full, 2) - LAUNCH), 0.01);
        assert_near(curve_at(&profile.curves[CURVE_CHIP + kind], 1 << 24), 150e9, 0.05);
        assert_near(curve_at(&profile.curves[CURVE_CHIP + kind], 1 << 30), 40e9, 0.05);
        assert_near(curve_at(&profile.curves[CURVE_WARP + kind], 65536), 0.2e9, 0.05);
    }
    const tms_workload shared = {
        .app = TMS_APP_RANDOM, .place = TMS_PLACE_SHARED, .m_bits = 1 << 16, .D = 1 << 25, .blocks = 128, .threads = 1024};
    assert_near(profile.values[PROFILE_SHARED_C], (double)shared.D / (random_seconds(&shared, 2) - LAUNCH), 0.01);
    assert_near(profile.values[PROFILE_PAPER_RANDOM_G], 150.0 / 40, 0.05);
    assert_near(curve_at(&profile.curves[CURVE_BANK_TILE], 6), 18e-9, 0.1);
    assert_near(curve_at(&profile.curves[CURVE_BANK_WARP], 6), 360e-9, 0.1);
    assert_near(curve_at(&profile.curves[CURVE_CPU_ALL], 1 << 20), 4e9, 0.01);
    assert_near(curve_at(&profile.curves[CURVE_CPU_P], 600 << 20), 4, 1e-9);
    for (int i = 0; i < 4; i++)
        assert_near(profile.values[PROFILE_CPU_LENGTH + i], 1e-10, 0.01);
    for (size_t i = 0; i < PROFILE_N_VALUES; i++)
        assert_true(isfinite(profile.values[i]));
    for (size_t i = 0; i < PROFILE_N_CURVES; i++)
        assert_true(profile.curves[i].n > 0);
}

/* Workloads that the calibration does not have. */
static void predictions_hold(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {20000 * 8, (uint64_t)5000000 * 8, (uint64_t)3000000000 * 8};
    static const uint32_t blocks[] = {20, 64, 100, 128, 300, 500};
    tms_prediction p;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 6; j++) {
            const tms_workload w = {
                .app = TMS_APP_RANDOM, .op = TMS_OP_READ4, .m_bits = sizes[i], .D = 1 << 26, .blocks = blocks[j], .threads = 768};
            ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &p));
            assert_int_equal(p.active_blocks, 2);
            assert_near(p.seconds, random_seconds(&w, 2), 0.15);
            assert_near(p.throughput, (double)w.D / p.seconds, 1e-12);
        }
    for (uint32_t k = 2; k < 60; k += 7) {
        const tms_workload w = {.app = TMS_APP_STRINGS,
                                .op = TMS_OP_QUERY_PRESENT,
                                .layout = TMS_LAYOUT_CLASSIC,
                                .k = k,
                                .m_bits = (uint64_t)8 << 28,
                                .n = 1 << 26,
                                .D = 1 << 24,
                                .length = CALIBRATION_LENGTH,
                                .threads = 1};
        ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &p));
        assert_near(p.seconds, strings_seconds(&w), 0.2);
        assert_near(p.fpr, pow(workload_fill(&w), k), 1e-6);
    }
}

/* Predictions on the CPU: numbers of functions and threads, lengths and fills that the calibration does not have. */
static void cpu_predictions_hold(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {20000 * 8, (uint64_t)3 << 23, (uint64_t)3 << 33};
    static const tms_op ops[] = {TMS_OP_BUILD, TMS_OP_QUERY, TMS_OP_QUERY_PRESENT};
    tms_prediction p, linear;
    for (size_t i = 0; i < 3; i++)
        for (uint32_t threads = 1; threads <= 4; threads++) {
            tms_workload w = {
                .app = TMS_APP_RANDOM, .op = (tms_op)i, .on_cpu = 1, .m_bits = sizes[i], .D = 1 << 26, .n_threads_cpu = threads};
            ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &p));
            assert_near(p.seconds, (double)w.D * cpu_seconds(&w), 0.01);
            ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED & ~(uint32_t)TMS_EXT_LATENCY, &linear));
            assert_true(threads == 3 && i == 2 ? linear.seconds < 0.99 * p.seconds : linear.seconds <= 1.001 * p.seconds);
            w = (tms_workload){.app = TMS_APP_STRINGS,
                               .layout = TMS_LAYOUT_CLASSIC,
                               .op = ops[(i + threads) % 3],
                               .on_cpu = 1,
                               .k = 3 + 7 * threads,
                               .m_bits = sizes[i],
                               .n = sizes[i] / 8 / (3 + 7 * threads),
                               .D = 1 << 22,
                               .length = 30,
                               .n_threads_cpu = threads};
            for (int layout = 0; layout < 2; layout++) {
                ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &p));
                assert_near(p.seconds, (double)w.D * cpu_seconds(&w), 0.1);
                assert_true(p.n_terms == 2 && p.terms[0].seconds + p.terms[1].seconds <= 1.001 * p.seconds);
                w.layout = TMS_LAYOUT_BLOCKED;
                w.k = 8;
                w.m_bits = w.m_bits / TMS_BLOCK_BITS * TMS_BLOCK_BITS;
            }
        }
}

/* Omitting an extension changes the form; without any extension it is the papers' form. */
static void forms(void **state)
{
    (void)state;
    const tms_workload w = {
        .app = TMS_APP_RANDOM, .op = TMS_OP_OR, .m_bits = (uint64_t)8 << 27, .D = 1 << 25, .blocks = 100, .threads = 256};
    tms_prediction all, paper, other;
    ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &all));
    ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_PAPER, &paper));
    assert_near(paper.seconds, profile.values[PROFILE_PAPER_RANDOM] * paper.f_app * paper.f_cache * paper.f_sched, 1e-12);
    assert_near(paper.f_cache, 40.0 / 128 + (1 - 40.0 / 128) * profile.values[PROFILE_PAPER_RANDOM_G], 1e-9);
    assert_near(paper.f_sched, 8 * 64 / 100.0, 1e-12);
    for (uint32_t ext = 1; ext < TMS_FORM_EXTENDED; ext *= 2) {
        ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED & ~ext, &other));
        assert_true(other.seconds > 0);
        if (ext == TMS_EXT_CACHES || ext == TMS_EXT_LATENCY || ext == TMS_EXT_WAVES || ext == TMS_EXT_LAUNCH)
            assert_true(other.seconds != all.seconds);
    }
    double sum = 0;
    for (uint32_t i = 0; i < all.n_terms; i++) {
        assert_true(all.terms[i].seconds <= all.terms[all.binding].seconds);
        sum += all.terms[i].seconds;
    }
    assert_true(all.n_terms >= 2 && sum > 0);
}

static void assert_refused(const tms_workload *w, const char *says)
{
    tms_prediction p;
    assert_int_equal(tms_model_predict(ctx, &profile, w, TMS_FORM_EXTENDED, &p), TMS_E_ARG);
    if (!strstr(tms_context_message(ctx), says))
        fail_msg("'%s' does not say '%s'", tms_context_message(ctx), says);
}

static void impossible_workloads(void **state)
{
    (void)state;
    tms_workload w = {.app = TMS_APP_RANDOM, .op = TMS_OP_READ4, .place = TMS_PLACE_SHARED, .m_bits = (uint64_t)8 << 20, .D = 1};
    assert_refused(&w, "232448");
    w.place = TMS_PLACE_GLOBAL;
    w.m_bits = (uint64_t)8 << 37;
    assert_refused(&w, "85899345920");
    w.D = 0;
    assert_refused(&w, "D = 0");
    w = (tms_workload){.app = TMS_APP_BANK, .op = TMS_OP_QUERY, .m_bits = 1 << 16, .k = 17, .n = 1000, .Q = 1000, .D = 1000};
    assert_refused(&w, "k = 17");
    w.k = 6;
    w.threads = 100;
    assert_refused(&w, "multiple of 32");
    w.op = TMS_OP_BUILD;
    assert_refused(&w, "build");
    w = (tms_workload){
        .app = TMS_APP_STRINGS, .op = TMS_OP_QUERY, .layout = TMS_LAYOUT_BLOCKED, .m_bits = 1 << 16, .k = 17, .n = 1, .D = 1, .length = 4};
    assert_refused(&w, "k = 17");
    w.m_bits = 1000000;
    assert_refused(&w, "a multiple of 256, such as 1000192");
    w.app = (tms_app)9;
    assert_refused(&w, "application");
    tms_profile other = profile;
    tms_prediction p;
    other.has_gpu = 0;
    w = (tms_workload){.app = TMS_APP_RANDOM, .op = TMS_OP_READ4, .m_bits = 1 << 20, .D = 1000};
    assert_int_equal(tms_model_predict(ctx, &other, &w, TMS_FORM_EXTENDED, &p), TMS_E_ARG);
}

static const tms_workload usual[] = {
    {.app = TMS_APP_RANDOM, .op = TMS_OP_READ4, .m_bits = 1 << 20, .D = 1 << 20},
    {.app = TMS_APP_RANDOM, .op = TMS_OP_OR, .place = TMS_PLACE_SHARED, .m_bits = 1 << 16, .D = 1 << 20},
    {.app = TMS_APP_BANK,
     .op = TMS_OP_QUERY,
     .place = TMS_PLACE_SHARED,
     .k = 6,
     .m_bits = 1 << 18,
     .n = 30000,
     .D = 1 << 17,
     .Q = 1 << 24,
     .threads = 32},
    {.app = TMS_APP_STRINGS,
     .op = TMS_OP_QUERY,
     .layout = TMS_LAYOUT_CLASSIC,
     .k = 6,
     .m_bits = 1 << 20,
     .n = 1000,
     .D = 1 << 20,
     .length = 12,
     .threads = 1},
    {.app = TMS_APP_CLASSIFY, .op = TMS_OP_QUERY, .m_bits = 1 << 25, .n = 1 << 20, .D = 1 << 20, .length = 100},
    {.app = TMS_APP_RANDOM, .op = TMS_OP_OR, .on_cpu = 1, .n_threads_cpu = 3, .m_bits = 1 << 28, .D = 1 << 20},
    {.app = TMS_APP_STRINGS,
     .op = TMS_OP_QUERY,
     .layout = TMS_LAYOUT_CLASSIC,
     .on_cpu = 1,
     .n_threads_cpu = 3,
     .k = 6,
     .m_bits = 1 << 28,
     .n = 1 << 24,
     .D = 1 << 20,
     .length = 1},
};
enum { N_USUAL = sizeof usual / sizeof *usual };

/* Profiles are files that may be edited: with whatever number in them, a prediction is a positive number or refused, by any form. */
static void odd_profiles(void **state)
{
    (void)state;
    static const double odd[] = {0, -1, 1, 1.5, 1e300, NAN};
    static const uint32_t odd_counts[] = {0, 1, 31, 64, 1u << 31, UINT32_MAX};
    static tms_profile p;
    tms_prediction out;
    for (size_t i = 0; i < N_USUAL; i++)
        for (uint32_t form = 0; form < 2; form++) {
            const uint32_t forms[] = {TMS_FORM_PAPER, TMS_FORM_EXTENDED};
            ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &usual[i], forms[form], &out));
            for (size_t j = 0; j < (PROFILE_N_VALUES + PROFILE_N_CURVES) * 6; j++) {
                p = profile;
                if (j / 6 < PROFILE_N_VALUES)
                    p.values[j / 6] = odd[j % 6];
                else if (j % 6 == 0)
                    p.curves[j / 6 - PROFILE_N_VALUES].n = 0;
                else
                    for (uint32_t at = 0; at < TMS_CURVE_POINTS; at++)
                        p.curves[j / 6 - PROFILE_N_VALUES].y[at] = odd[j % 6];
                if (tms_model_predict(ctx, &p, &usual[i], forms[form], &out) == TMS_OK)
                    assert_true(isfinite(out.seconds) && out.seconds > 0 && isfinite(out.throughput));
            }
            for (size_t j = 0; j < 6 * 6; j++) {
                p = profile;
                uint32_t *counts[6] = {&p.machine.n_multiprocessors, &p.machine.warp_size,   &p.machine.registers,
                                       &p.machine.max_blocks,        &p.machine.max_threads, &p.machine.max_threads_block};
                *counts[j / 6] = odd_counts[j % 6];
                if (tms_model_predict(ctx, &p, &usual[i], forms[form], &out) == TMS_OK)
                    assert_true(isfinite(out.seconds) && out.seconds > 0);
            }
        }
    p = profile;
    p.values[PROFILE_SPREAD] = 1.5; /* blocks of negative weight would never end */
    assert_int_equal(tms_model_predict(ctx, &p, &usual[0], TMS_FORM_EXTENDED, &out), TMS_E_ARG);
    assert_true(isnan(block_waves_seconds(&(struct block_waves){.n_multiprocessors = 2,
                                                                .active_blocks = 1,
                                                                .n_blocks = 9,
                                                                .small_work = 1,
                                                                .rates = {0, 1},
                                                                .chip_rate = 1,
                                                                .q = 1,
                                                                .spread = 2})));
}

/* The most blocks of a launch, and the largest sizes. */
static void extreme_workloads(void **state)
{
    (void)state;
    tms_prediction p;
    tms_workload w = usual[0];
    w.blocks = (1u << 31) - 1;
    ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &p));
    assert_int_equal(p.blocks, w.blocks);
    w.blocks++;
    assert_refused(&w, "blocks B_r = 2147483648");
    for (size_t i = 0; i < N_USUAL; i++) {
        w = usual[i];
        w.D = (uint64_t)1 << 40;
        w.length = w.length ? 1 << 20 : 0;
        ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED | TMS_EXT_TRANSFERS, &p));
        w.D++;
        assert_refused(&w, "D = 1099511627777");
        w = usual[i];
        w.op = (tms_op)77;
        assert_refused(&w, "?");
        w = usual[i];
        w.place = (tms_place)2;
        assert_refused(&w, "place 2");
    }
}

static void one_processor(void **state)
{
    static struct calibration_row one[600];
    static tms_profile small;
    tms_prediction p;
    size_t n = 0;
    (void)state;
    small = (tms_profile){.machine = {.n_processors = 1}, .has_cpu = 1};
    for (int group = CALIBRATE_CPU; group < CALIBRATION_GROUPS; group++)
        for (size_t i = 0; n < 600 && calibration_workload((enum calibration_group)group, i, &small.machine, &one[n].w); i++, n++) {
            one[n].group = (enum calibration_group)group;
            one[n].index = (uint32_t)i;
            one[n].m = made_up(&one[n].w);
        }
    calibration_fit(one, n, &small);
    tms_workload w = usual[0];
    w.on_cpu = 1;
    for (w.n_threads_cpu = 0; w.n_threads_cpu <= 2; w.n_threads_cpu++) {
        ASSERT_OK(ctx, tms_model_predict(ctx, &small, &w, TMS_FORM_EXTENDED, &p));
        assert_near(p.seconds, (double)w.D * 1e-9, 0.01);
    }
    w = usual[3];
    w.on_cpu = 1;
    ASSERT_OK(ctx, tms_model_predict(ctx, &small, &w, TMS_FORM_EXTENDED, &p));
    small.machine.n_processors = 0; /* edited */
    if (tms_model_predict(ctx, &small, &w, TMS_FORM_EXTENDED, &p) == TMS_OK)
        assert_true(p.seconds > 0);
}

static int has_term(const tms_prediction *p, const char *name)
{
    for (uint32_t t = 0; t < p->n_terms; t++)
        if (strcmp(p->terms[t].name, name) == 0)
            return 1;
    return 0;
}

/* Unset fields of the request are no limits. */
static void terms_of_what_counts(void **state)
{
    (void)state;
    const tms_workload few[] = {{.app = TMS_APP_RANDOM, .op = TMS_OP_READ4, .m_bits = 1 << 30, .D = 1 << 25, .blocks = 4, .threads = 64},
                                {.app = TMS_APP_BANK,
                                 .op = TMS_OP_QUERY,
                                 .place = TMS_PLACE_SHARED,
                                 .m_bits = 262144,
                                 .k = 6,
                                 .n = 50000,
                                 .D = 5000000,
                                 .Q = 4000000}};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        tms_prediction p;
        ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &few[i], TMS_FORM_EXTENDED, &p));
        assert_true(has_term(&p, "latency"));
        ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &few[i], TMS_FORM_EXTENDED & ~(uint32_t)TMS_EXT_LATENCY, &p));
        assert_false(has_term(&p, "latency"));
    }
}

/* --- tuning --- */

/* Wishes that more bits than a number has would meet. */
static void tuning_beyond_all_sizes(void **state)
{
    (void)state;
    static tms_tune_choice choices[20];
    size_t n;
    static const double fprs[] = {0, 1e-300, 1e-18, 0.5};
    static const uint64_t keys[] = {1, 1 << 20, (uint64_t)1 << 50, UINT64_MAX}, bytes[] = {0, 1, ((uint64_t)1 << 61) + 512, UINT64_MAX};
    for (int app = TMS_APP_RANDOM; app <= TMS_APP_CLASSIFY; app++)
        for (int i = 1; i < 4 * 4 * 4; i += sample_is_quick() ? 3 : 1) {
            const tms_tune_want want = {
                .app = (tms_app)app, .n_keys = keys[i / 16], .D = 1 << 20, .max_fpr = fprs[i % 4], .max_bytes = bytes[i / 4 % 4]};
            const tms_status status = tms_model_tune(ctx, &profile, &want, choices, 20, &n);
            assert_true(status == TMS_E_ARG || (status == TMS_OK && n > 0));
            for (size_t j = 0; status == TMS_OK && j < n; j++)
                assert_true(choices[j].bytes <= profile.machine.memory_bytes && (!want.max_bytes || choices[j].bytes <= want.max_bytes));
        }
    tms_tune_want want = {.app = TMS_APP_STRINGS, .n_keys = 1000, .D = (uint64_t)1 << 41, .max_fpr = 0.01};
    ASSERT_FAILS(ctx, TMS_E_ARG, "D = 2199023255552", tms_model_tune(ctx, &profile, &want, choices, 20, &n));
    tms_profile other = profile;
    other.has_gpu = 0;
    want.D = 0;
    ASSERT_FAILS(ctx, TMS_E_ARG, "no GPU", tms_model_tune(ctx, &other, &want, choices, 20, &n));
}

static double steps_of_2_percent(double rate) { return floor(log(rate) / log(1.02)); }

static void tuned_choices(void **state)
{
    (void)state;
    static tms_tune_choice choices[500];
    size_t n;
    for (int app = TMS_APP_BANK; app <= TMS_APP_CLASSIFY; app++) {
        const tms_tune_want want = {.app = (tms_app)app, .n_keys = 10000000, .D = 1 << 20, .max_fpr = 0.01};
        ASSERT_OK(ctx, tms_model_tune(ctx, &profile, &want, choices, 500, &n));
        assert_true(n >= 1);
        for (size_t i = 0; i < n; i++) {
            assert_true(choices[i].meets && choices[i].prediction.fpr <= 0.01);
            assert_true(choices[i].on_front);
            for (size_t j = 1; j < n; j++) /* the first has another shape by now */
                if (i > 0 && i != j)
                    assert_false(steps_of_2_percent(choices[i].prediction.throughput) >=
                                     steps_of_2_percent(choices[j].prediction.throughput) &&
                                 choices[i].bytes <= choices[j].bytes && choices[i].prediction.fpr <= choices[j].prediction.fpr);
        }
        for (size_t i = 2; i < n; i++)
            assert_true(choices[i].prediction.throughput <= choices[i - 1].prediction.throughput);
    }
    /* Two billion 31-mers and 4 GB. */
    tms_tune_want want = {.app = TMS_APP_CLASSIFY, .n_keys = 2000000000, .D = 1000000, .max_bytes = 4000000000};
    ASSERT_OK(ctx, tms_model_tune(ctx, &profile, &want, choices, 500, &n));
    assert_true(choices[0].bytes <= 4000000000 && choices[0].bytes > 3900000000);
    assert_true(choices[0].on_front);
    /* A choice that misses the request by less than a step does not displace one that meets it. */
    want = (tms_tune_want){.app = TMS_APP_STRINGS, .n_keys = 10000000, .max_bytes = 80000000};
    ASSERT_OK(ctx, tms_model_tune(ctx, &profile, &want, choices, 500, &n));
    assert_true(choices[0].on_front && n > 2);
    for (size_t i = 1; i < n; i += 1 + n / 12) {
        static tms_tune_choice faster[500];
        size_t n_faster;
        want.min_throughput = choices[i].prediction.throughput * (1 + 1e-9); /* not this one */
        if (tms_model_tune(ctx, &profile, &want, faster, 500, &n_faster) == TMS_OK)
            assert_true(faster[0].on_front);
    }
    want = (tms_tune_want){.app = TMS_APP_CLASSIFY, .n_keys = 2000000000, .D = 1000000, .max_bytes = 4000000000};
    want.max_fpr = 1e-12;
    assert_int_equal(tms_model_tune(ctx, &profile, &want, choices, 500, &n), TMS_E_ARG);
    assert_non_null(strstr(tms_context_message(ctx), "closest"));
    /* The closest choice misses least: with 4 bits per key it is a classic filter with rate 0.15, not the fastest choice. */
    want = (tms_tune_want){.app = TMS_APP_STRINGS, .n_keys = 2000000, .max_bytes = 1000000, .max_fpr = 1e-3};
    assert_int_equal(tms_model_tune(ctx, &profile, &want, choices, 500, &n), TMS_E_ARG);
    assert_non_null(strstr(tms_context_message(ctx), "takes 1000000 bytes, has an FPR of 0.147 "));
    want = (tms_tune_want){.app = TMS_APP_STRINGS, .n_keys = 2000000, .max_bytes = 1};
    assert_int_equal(tms_model_tune(ctx, &profile, &want, choices, 500, &n), TMS_E_ARG);
    assert_non_null(strstr(tms_context_message(ctx), "more bytes"));
    want = (tms_tune_want){.app = TMS_APP_BANK, .on_cpu = 1, .n_keys = 1000, .max_fpr = 0.1};
    assert_int_equal(tms_model_tune(ctx, &profile, &want, choices, 500, &n), TMS_E_ARG);
    assert_non_null(strstr(tms_context_message(ctx), "not bank"));
    want = (tms_tune_want){.app = TMS_APP_STRINGS, .n_keys = 1000};
    assert_int_equal(tms_model_tune(ctx, &profile, &want, choices, 500, &n), TMS_E_ARG);
    want.max_fpr = 1;
    assert_int_equal(tms_model_tune(ctx, &profile, &want, choices, 500, &n), TMS_E_ARG);
    want.max_fpr = 0.1;
    want.n_keys = 0;
    assert_int_equal(tms_model_tune(ctx, &profile, &want, choices, 500, &n), TMS_E_ARG);
}

/* No shape of those that are tried is predicted to be faster. */
static void best_shapes(void **state)
{
    (void)state;
    const tms_workload open = {.app = TMS_APP_RANDOM, .op = TMS_OP_READ4, .m_bits = 1 << 23, .D = 1 << 25};
    tms_workload best = open;
    tms_prediction p, other;
    ASSERT_OK(ctx, model_best_shape(ctx, &profile, &best, &p));
    for (uint32_t threads = 128; threads <= 1024; threads *= 2)
        for (uint32_t blocks = 16; blocks <= 1024; blocks *= 2) {
            tms_workload w = open;
            w.threads = threads;
            w.blocks = blocks;
            ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &other));
            assert_true(p.seconds <= 1.01 * other.seconds);
        }
}

/* By the plan a minute is enough on a machine without a GPU, and a third of that for a quick one. */
static void calibrations_are_short(void **state)
{
    (void)state;
    static const uint64_t gib = (uint64_t)1 << 30;
    assert_int_equal(calibration_table_bytes(0, 19 * gib, 0), 2 * gib); /* on a shared machine */
    assert_int_equal(calibration_table_bytes(0, 512 * gib, 0), 8 * gib);
    assert_int_equal(calibration_table_bytes(5 * gib, 19 * gib, 0), 4 * gib);
    assert_int_equal(calibration_table_bytes(0, 512 * gib, 1), gib / 4);
    assert_int_equal(calibration_table_bytes(gib / 8, 512 * gib, 1), gib / 8);
    for (int n_processors = 1; n_processors <= 64; n_processors *= 2) {
        const tms_machine cpu = {.n_processors = (uint32_t)n_processors};
        double seconds[2] = {0}, most[2] = {(double)(8 * gib), (double)(gib / 4)};
        tms_workload w;
        for (int group = CALIBRATE_CPU; group < CALIBRATION_GROUPS; group++)
            for (size_t i = 0; calibration_workload((enum calibration_group)group, i, &cpu, &w); i++)
                for (int is_quick = 0; is_quick < 2; is_quick++)
                    if ((double)w.m_bits / 8 <= most[is_quick] && (!is_quick || calibration_is_quick((enum calibration_group)group, i)))
                        seconds[is_quick] += calibration_seconds(&w);
        assert_true(seconds[0] > 5 && seconds[0] < 60);
        assert_true(seconds[1] > 1 && seconds[1] < 20 && seconds[1] < seconds[0] / 2);
    }
}

/* A machine is as reliable as all but the 3 in 100 measurements that differ most. */
static void spread_leaves_few_out(void **state)
{
    (void)state;
    double spreads[200];
    for (size_t i = 0; i < 200; i++)
        spreads[i] = i % 40 == 7 ? 0.3 : 0.001 * (double)(i % 20); /* five of them */
    assert_near(calibration_spread(spreads, 200), 0.019, 1e-12);
    for (size_t i = 0; i < 200; i++)
        spreads[i] = i % 20 == 7 ? 0.3 : 0.001 * (double)(i % 20); /* ten */
    assert_near(calibration_spread(spreads, 200), 0.3, 1e-12);
    assert_near(calibration_spread(spreads, 1), 0, 1e-12); /* sorted by now */
    assert_near(calibration_spread(spreads, 0), 0, 1e-12);
}

static void sweeps_are_none_of_the_calibration(void **state)
{
    (void)state;
    tms_workload w, c;
    size_t n = 0;
    tms_prediction p;
    for (size_t sweep = 0; tms_sweep_name(sweep); sweep++)
        for (size_t i = 0; tms_sweep_workload(sweep, i, &machine, &w); i++, n++) {
            assert_int_equal(w.app, tms_sweep_app(sweep));
            ASSERT_OK(ctx, tms_model_predict(ctx, &profile, &w, TMS_FORM_EXTENDED, &p));
            assert_int_equal(w.on_cpu, tms_sweep_on_cpu(sweep));
            for (int group = w.on_cpu ? CALIBRATE_CPU : 0; group < (w.on_cpu ? CALIBRATION_GROUPS : CALIBRATE_CPU); group++)
                for (size_t j = 0; calibration_workload((enum calibration_group)group, j, &machine, &c); j++)
                    assert_memory_not_equal(&w, &c, sizeof w);
        }
    assert_true(n > 1000);
    tms_machine other = machine; /* without a GPU there are those of the CPU */
    other.n_multiprocessors = 0;
    for (size_t sweep = 0; tms_sweep_name(sweep); sweep++)
        assert_int_equal(tms_sweep_workload(sweep, 0, &other, &w), tms_sweep_on_cpu(sweep));
    assert_false(tms_sweep_on_cpu(99));
    /* 1, 2, 4 threads and all, each once */
    static const uint32_t processors[] = {1, 2, 3, 4, 6, 192}, counts[] = {1, 2, 3, 3, 4, 9};
    for (size_t i = 0; i < 6; i++) {
        uint64_t seen = 0, last = 0;
        other.n_processors = processors[i];
        for (size_t j = 0; tms_sweep_workload(10, j, &other, &w); j++) {
            seen += w.n_threads_cpu != last;
            assert_true(w.n_threads_cpu >= last && w.n_threads_cpu <= processors[i]);
            last = w.n_threads_cpu;
        }
        assert_int_equal(last, processors[i]);
        assert_int_equal(seen, counts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_as_in_the_paper),
        cmocka_unit_test(waves_have_limits),
        cmocka_unit_test(curves),
        cmocka_unit_test(machine_comes_back),
        cmocka_unit_test(predictions_hold),
        cmocka_unit_test(cpu_predictions_hold),
        cmocka_unit_test(forms),
        cmocka_unit_test(impossible_workloads),
        cmocka_unit_test(odd_profiles),
        cmocka_unit_test(extreme_workloads),
        cmocka_unit_test(one_processor),
        cmocka_unit_test(terms_of_what_counts),
        cmocka_unit_test(tuned_choices),
        cmocka_unit_test(tuning_beyond_all_sizes),
        cmocka_unit_test(best_shapes),
        cmocka_unit_test(calibrations_are_short),
        cmocka_unit_test(spread_leaves_few_out),
        cmocka_unit_test(sweeps_are_none_of_the_calibration),
    };
    return cmocka_run_group_tests(tests, calibrate_made_up, teardown);
}
