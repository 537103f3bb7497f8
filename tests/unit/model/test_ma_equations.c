/*
 * ma_equations.c: statements of [Ma11] and [Ma12] about their GPUs, computed by hand; and random GPUs and kernels, against
 * definitions without a division.
 */
#include "unit/samples.h"

#include <math.h>

#include "model/ma_equations.h"

#ifdef __has_include
#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h> /* NVIDIA's own arithmetic; it takes no GPU */
#define HAVE_OCCUPANCY 1
#endif
#endif

static int seed_is_printed(void **state)
{
    (void)state;
    sample_seed();
    return 0;
}

/* [Ma12, Table IV], with the larger part of the 64 KB as shared memory. */
static const struct ma_architecture gtx_480 = {15, 49152, 32768, 32, 6, 120, 1024, 1536, 16384};

/* The bank of [Ma11]. Beside the vector, which is "a lower bound" of it, a block's shared memory has 22 rows of 6 functions. */
static struct ma_application bank_of(uint64_t m_kbit, uint64_t R_T, uint64_t T_r)
{
    uint64_t m = m_kbit * 1024;
    return (struct ma_application){
        .D = 50000000, .Q = 250000000, .n = 50000, .m = m, .k = 6, .R_T = R_T, .S_B = m / 8 + 22 * 6 * 4, .B_r = 15, .T_r = T_r};
}

/* [Ma11, III-B.3]: active blocks of a multiprocessor on the GTX 480, by the size of a vector and the threads of a block. */
static const struct {
    uint64_t m_kbit, T_r, B_a;
} ma11_says[] = {{256, 128, 1}, {256, 512, 1}, {256, 1024, 1}, /* Fig. 9: peaks at 15, 30, 45, ... */
                 {128, 128, 2}, {128, 512, 2}, {128, 1024, 1}, /* Fig. 10: every 30 blocks, every 15 */
                 {64, 128, 5},  {64, 512, 2},  {64, 1024, 1},  /* Fig. 11: 75 and 150; 30 */
                 {32, 128, 8},  {32, 1024, 1}};                /* Fig. 12: 120 */
#define N_SAYS (sizeof ma11_says / sizeof *ma11_says)

static bool says_the_same(uint64_t R_T)
{
    for (size_t i = 0; i < N_SAYS; i++) {
        struct ma_application app = bank_of(ma11_says[i].m_kbit, R_T, ma11_says[i].T_r);
        if (ma_active_blocks(&gtx_480, &app) != ma11_says[i].B_a)
            return false;
    }
    return true;
}

/*
 * The paper does not say how many registers its kernel has. 512 threads of which three blocks do not fit: more than 21; two blocks of
 * 512, or eight of 128, that do: at most 32.
 */
static void active_blocks_of_the_paper(void **state)
{
    (void)state;
    for (uint64_t R_T = 0; R_T <= 64; R_T++)
        if (says_the_same(R_T) != (22 <= R_T && R_T <= 32))
            fail_msg("%d registers", (int)R_T);
    for (size_t i = 0; i < N_SAYS; i++) {
        struct ma_application app = bank_of(ma11_says[i].m_kbit, 24, ma11_says[i].T_r);
        uint64_t wave = 15 * ma11_says[i].B_a;
        for (uint64_t j = 1; j <= 10; j++) {
            assert_int_equal(ma_b_opt_any(&gtx_480, &app, j), j * wave);
            assert_int_equal(ma_b_opt(&gtx_480, &app, j), j * wave <= 120 ? j * wave : 0);
        }
        /* Throughput over B_r = 1 .. 160 has its peaks there, the one at 150 among them, though 120 blocks run at a time. */
        for (app.B_r = 1; app.B_r <= 160; app.B_r++) {
            assert_true((ma_f_sched(&gtx_480, &app) == 1) == (app.B_r % wave == 0));
            assert_true(ma_in_b_opt(&gtx_480, &app) == (app.B_r % wave == 0 && app.B_r <= 120));
        }
    }
    /* Tesla C1060: 30 multiprocessors of 16 KB. One vector of 64 Kbit fits, or three of 32. */
    static const struct ma_architecture c1060 = {30, 16384, 16384, 32, 6, 240, 512, 1024, 0};
    struct ma_application app = bank_of(64, 24, 128);
    assert_int_equal(ma_b_opt(&c1060, &app, 1), 30);
    app = bank_of(32, 24, 128);
    assert_int_equal(ma_b_opt(&c1060, &app, 1), 90);
}

static void corners_of_active_blocks(void **state)
{
    (void)state;
    struct ma_application app = bank_of(32, 24, 128);
    app.S_B = 0;
    assert_int_equal(ma_active_blocks(&gtx_480, &app), 8); /* B_max / MP */
    app.T_r = 256;
    assert_int_equal(ma_active_blocks(&gtx_480, &app), 5); /* 32768 / (24 * 256) = 5.33 */
    app.R_T = 0;
    assert_int_equal(ma_active_blocks(&gtx_480, &app), 6); /* 1536 / 256 */
    app.S_B = 49152;
    assert_int_equal(ma_active_blocks(&gtx_480, &app), 1);
    app.S_B = 49153;
    assert_int_equal(ma_active_blocks(&gtx_480, &app), 0);
    assert_int_equal(ma_b_opt(&gtx_480, &app, 1), 0);
    app.B_r = 15;
    assert_false(ma_in_b_opt(&gtx_480, &app));
    assert_false(ma_in_t_opt(&gtx_480, &app));
    assert_true(isnan(ma_f_sched(&gtx_480, &app)));
    assert_true(isnan(ma_f_app_facs(&gtx_480, &app)));
    app = bank_of(32, 24, 0);
    assert_int_equal(ma_active_blocks(&gtx_480, &app), 0);
    app = bank_of(32, 24, 128);
    app.B_r = 0;
    assert_false(ma_in_b_opt(&gtx_480, &app));
    assert_true(isnan(ma_f_sched(&gtx_480, &app)));
    static const struct ma_architecture nothing = {0};
    assert_int_equal(ma_active_blocks(&nothing, &app), 0);
    assert_int_equal(ma_t_opt_next(&nothing, &app), 0);
    static const struct ma_architecture huge = {1, UINT64_MAX, UINT64_MAX, 32, 1, UINT64_MAX, 1024, UINT64_MAX, UINT64_MAX};
    app = (struct ma_application){.R_T = UINT64_MAX, .T_r = UINT64_MAX, .S_B = UINT64_MAX, .B_r = UINT64_MAX};
    assert_int_equal(ma_active_blocks(&huge, &app), 0); /* R_T T_r is far above R */
    app.T_r = 1;
    assert_int_equal(ma_active_blocks(&huge, &app), 1);
}

/*
 * T_r >= (R / R_T) / (B_r / MP + 1). With 32 registers R / R_T is 1,024: the bound is 512 threads for 15 blocks, 341.3 for 30, 256 for 45
 * and 204.8 for 60 [Ma11, Fig. 15: flat "once a sufficient number of threads is requested"].
 */
static void threads_by_hand(void **state)
{
    (void)state;
    static const struct {
        uint64_t B_r, first;
    } says[] = {{15, 512}, {30, 352}, {45, 256}, {60, 224}, {120, 192}}; /* the last: N_W W; the bound is 113.8 */
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        struct ma_application app = bank_of(64, 32, 0);
        app.B_r = says[i].B_r;
        uint64_t want = says[i].first;
        for (app.T_r = 0; (app.T_r = ma_t_opt_next(&gtx_480, &app)) != 0; want += 32)
            assert_int_equal(app.T_r, want);
        assert_int_equal(want, 1024 + 32);
    }
    struct ma_application app = bank_of(64, 0, 0); /* registers unknown: only N_W W limits */
    assert_int_equal(ma_t_opt_next(&gtx_480, &app), 192);
    app.T_r = 500; /* not of T_opt itself */
    assert_int_equal(ma_t_opt_next(&gtx_480, &app), 512);
    app.T_r = 1024;
    assert_int_equal(ma_t_opt_next(&gtx_480, &app), 0);
    app.T_r = UINT64_MAX;
    assert_int_equal(ma_t_opt_next(&gtx_480, &app), 0);

    /* A is 1 on both sets, and nothing elsewhere. */
    app = bank_of(256, 24, 960);
    app.B_r = 30;
    assert_true(ma_A(&gtx_480, &app) == 1);
    app.B_r = 31;
    assert_true(isnan(ma_A(&gtx_480, &app)));
    app.B_r = 30;
    app.T_r = 961;
    assert_true(isnan(ma_A(&gtx_480, &app)));
}

/* [Ma12, Fig. 3]: 2^25 pointers, 8 KB, T_r 960 and 1,024: peaks at 15, 30, ..., 90, and the zigzag between them. */
static void zigzag(void **state)
{
    (void)state;
    for (uint64_t T_r = 960; T_r <= 1024; T_r += 64) {
        struct ma_application app = {.D = (uint64_t)1 << 25, .m = 8 * 8192, .R_T = 20, .S_B = 8192, .T_r = T_r};
        for (app.B_r = 1; app.B_r <= 90; app.B_r++) {
            double f_sched = ma_f_sched(&gtx_480, &app);
            assert_true((f_sched == 1) == (app.B_r % 15 == 0));
            assert_near(f_sched, ceil((double)app.B_r / 15) * 15 / (double)app.B_r, 1e-15);
            assert_true(ma_A_B(&gtx_480, &app) == (app.B_r % 15 == 0));
            assert_near(ma_time_random(&gtx_480, &app, MA_SHARED, 7), 33554432 * f_sched, 1e-15);
            assert_true(ma_time_random(&gtx_480, &app, MA_GLOBAL, 7) == ma_time_random(&gtx_480, &app, MA_SHARED, 7)); /* 8 KB < C */
        }
        static const struct {
            uint64_t B_r;
            double f_sched;
        } hand[] = {{1, 15}, {14, 15.0 / 14}, {15, 1}, {16, 1.875}, {29, 30.0 / 29}, {31, 45.0 / 31}, {46, 60.0 / 46}, {90, 1}};
        for (size_t i = 0; i < sizeof hand / sizeof *hand; i++) {
            app.B_r = hand[i].B_r;
            assert_near(ma_f_sched(&gtx_480, &app), hand[i].f_sched, 1e-15);
        }
        app.B_r = 15;
        assert_true(ma_A_T(&gtx_480, &app)); /* 32768 / 20 / 2 = 819.2 */
        assert_true(ma_time_min(&gtx_480, &app, MA_GLOBAL, 5) == 5);
        app.B_r = 16;
        assert_true(isnan(ma_time_min(&gtx_480, &app, MA_GLOBAL, 5)));
        app.B_r = 15;
        app.m = 8 * 32768; /* 32 KB: in 48 KB of shared memory, not in 16 KB of cache */
        assert_true(ma_time_min(&gtx_480, &app, MA_SHARED, 5) == 5);
        assert_true(isnan(ma_time_min(&gtx_480, &app, MA_GLOBAL, 5)));
        assert_near(ma_time_random(&gtx_480, &app, MA_GLOBAL, 7), 33554432 * (0.5 + 0.5 * 7), 1e-15);
    }
}

static void cache_by_hand(void **state)
{
    (void)state;
    for (uint64_t C = 16384; C <= 49152; C += 32768) {
        struct ma_architecture arch = gtx_480;
        arch.C = C;
        static const struct {
            double of_C, r_H, f_cache; /* G = 5 */
        } hand[] = {{0.5, 1, 1}, {1, 1, 1}, {2, 0.5, 3}, {4, 0.25, 4}, {1024, 1.0 / 1024, 5 - 4.0 / 1024}};
        for (size_t i = 0; i < sizeof hand / sizeof *hand; i++) {
            struct ma_application app = {.m = (uint64_t)((double)C * 8 * hand[i].of_C)};
            assert_near(ma_r_H(&arch, &app), hand[i].r_H, 1e-15);
            assert_near(ma_r_M(&arch, &app) + hand[i].r_H, 1, 1e-15);
            assert_near(ma_f_cache(&arch, &app, MA_GLOBAL, 5), hand[i].f_cache, 1e-15);
            assert_true(ma_A_C(&arch, &app, MA_GLOBAL) == (hand[i].of_C < 1));
            assert_true(ma_A_C(&arch, &app, MA_SHARED) == ((double)app.m / 8 < 49152));
        }
    }
}

static void times_by_hand(void **state)
{
    (void)state;
    struct ma_application app = bank_of(256, 24, 1024);
    app.B_r = 30;
    assert_near(ma_sub_queries(&app), 5000, 1e-15);
    assert_near(ma_f_app_bank(&app), 6.0 * 5000 * 50e6, 1e-15);
    assert_near(ma_time_ma11(&gtx_480, &app, 1e-10, 10), 150 + 10, 1e-14);
    assert_near(ma_t_put(&app, 50e6 / 300000), 300000, 1e-14); /* III-D */
    double time = ma_time_bank(&gtx_480, &app);
    assert_true(time == ma_f_app_bank(&app));
    struct ma_application other = app;
    other.k = 12;
    assert_near(ma_time_bank(&gtx_480, &other) / time, 2, 1e-15); /* Fig. 7 */
    other = app;
    other.n = 100000;
    assert_near(ma_time_bank(&gtx_480, &other) / time, 0.5, 1e-15); /* Fig. 8 */
    other = app;
    other.B_r = 16;
    assert_near(ma_time_bank(&gtx_480, &other) / time, 1.875, 1e-15); /* [Ma12, Fig. 7] */
    assert_true(isnan(ma_time_ma11(&gtx_480, &other, 1, 0)));
    other.n = 0;
    assert_true(isnan(ma_time_bank(&gtx_480, &other)));

    /* [Ma12, V]: 10^5 reads, a filter of 512 KB, far above 16 KB or 48 KB. Two blocks of 640 threads in a multiprocessor. */
    struct ma_application facs = {.D = 100000, .m = (uint64_t)512 * 8192, .k = 13, .R_T = 20, .B_r = 20, .T_r = 640};
    assert_int_equal(ma_active_blocks(&gtx_480, &facs), 2);
    assert_near(ma_f_app_facs(&gtx_480, &facs), 1300000.0 / 30, 1e-15);
    assert_near(ma_f_cache(&gtx_480, &facs, MA_GLOBAL, 10), (1 + 31 * 10) / 32.0, 1e-15);
    assert_near(ma_f_sched(&gtx_480, &facs), 1.5, 1e-15);
    assert_near(ma_time_facs(&gtx_480, &facs, 10), 1300000.0 / 30 * 311 / 32 * 1.5, 1e-14);
}

static void false_positives(void **state)
{
    (void)state;
    static const struct {
        uint64_t m_kbit, k, n;
        double fpr; /* eq. 2 with 40 digits */
    } table[] = {{64, 6, 10000, 4.65149615951606504e-2},   {128, 6, 10000, 2.45558411005919984e-3},
                 {256, 6, 10000, 7.33080035760503413e-5},  {256, 6, 50000, 1.00261528853937659e-1},
                 {256, 4, 100000, 3.75054575839331883e-1}, {256, 8, 300000, 9.99155038214510571e-1},
                 {256, 10, 10000, 1.02933634533995360e-5}, {64, 6, 300000, 9.99999999992923660e-1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct ma_application app = {.m = table[i].m_kbit * 1024, .k = table[i].k, .n = table[i].n};
        assert_near(ma_fpr(&app), table[i].fpr, 1e-12);
    }
    /* All of Figs. 4 and 5, factor by factor. */
    static const uint64_t settings[][2] = {{64, 6}, {128, 6}, {256, 6}, {256, 4}, {256, 8}, {256, 10}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct ma_application app = {.m = settings[i][0] * 1024, .k = settings[i][1]};
        long double zero = 1, factor = 1 - 1 / (long double)app.m;
        for (app.n = 10000; app.n <= 300000; app.n += 10000) {
            for (uint64_t j = 0; j < 10000 * app.k; j++)
                zero *= factor;
            assert_near(ma_fpr(&app), (double)powl(1 - zero, (long double)app.k), 1e-11);
        }
    }
    struct ma_application none = {.n = 1, .k = 1};
    assert_true(isnan(ma_fpr(&none)));
    assert_near(ma_fpr_measured(30, 50, 350), 0.1, 1e-15);
    assert_true(ma_fpr_measured(0, 0, 7) == 0);
    assert_true(isnan(ma_fpr_measured(0, 7, 7)) && isnan(ma_fpr_measured(0, 8, 7)));
}

/* ---- random GPUs and kernels --------------------------------------------------------------------------------------------------- */

static struct ma_architecture random_architecture(sample_random *r)
{
    struct ma_architecture arch = {.MP = 1 + random_below(r, 200), .S = random_below(r, 300000), .R = random_below(r, 140000)};
    arch.W = (uint64_t)1 << random_below(r, 7);
    arch.N_W = random_below(r, 9);
    arch.B_max = arch.MP * (1 + random_below(r, 32)) + random_below(r, arch.MP);
    arch.T_maxB = arch.W * (1 + random_below(r, 40));
    arch.T_maxMP = arch.W * random_below(r, 80);
    arch.C = random_below(r, 300000);
    return arch;
}

static struct ma_application random_application(sample_random *r, const struct ma_architecture *arch)
{
    struct ma_application app = {.D = random_below(r, 1 << 30), .Q = 1 + random_below(r, 1 << 30), .n = 1 + random_below(r, 1 << 20)};
    app.m = random_below(r, 1 << 24);
    app.k = 1 + random_below(r, 20);
    app.R_T = random_below(r, 4) ? random_below(r, 80) : 0;
    app.S_B = random_below(r, 4) ? random_below(r, 60000) : 0;
    app.B_r = 1 + random_below(r, 10 * arch->MP * 8);
    app.T_r = random_below(r, 2) ? 1 + random_below(r, 1100) : arch->W * (1 + random_below(r, 40));
    return app;
}

/* b blocks fit into a multiprocessor. */
static bool fit(const struct ma_architecture *arch, const struct ma_application *app, uint64_t b)
{
    return b * app->S_B <= arch->S && b * app->R_T * app->T_r <= arch->R && b * arch->MP <= arch->B_max && b * app->T_r <= arch->T_maxMP;
}

static bool is_in_t_opt(const struct ma_architecture *arch, struct ma_application app, uint64_t T_r, uint64_t B_a)
{
    return B_a && T_r % arch->W == 0 && T_r >= arch->N_W * arch->W && T_r <= arch->T_maxB && T_r * B_a <= arch->T_maxMP &&
           (app.R_T == 0 || T_r * app.R_T * (app.B_r + arch->MP) >= arch->R * arch->MP);
}

static void random_shapes(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    size_t n_in_b_opt = 0, n_in_t_opt = 0;
    for (int round = 0; round < 20000; round++) {
        struct ma_architecture arch = random_architecture(&r);
        struct ma_application app = random_application(&r, &arch);
        uint64_t B_a = ma_active_blocks(&arch, &app), wave = B_a * arch.MP;
        if (!(B_a == 0 || fit(&arch, &app, B_a)) || fit(&arch, &app, B_a + 1))
            fail_msg("%llu active blocks", (unsigned long long)B_a);
        assert_true(ma_in_t_opt(&arch, &app) == is_in_t_opt(&arch, app, app.T_r, B_a));
        n_in_t_opt += ma_in_t_opt(&arch, &app);
        if (B_a == 0)
            continue;
        double f_sched = ma_f_sched(&arch, &app);
        assert_true(f_sched >= 1 && f_sched < 1 + (double)wave / (double)app.B_r);
        assert_true((f_sched == 1) == (app.B_r % wave == 0));
        assert_true(ma_in_b_opt(&arch, &app) == (app.B_r % wave == 0 && app.B_r <= arch.B_max));
        n_in_b_opt += ma_in_b_opt(&arch, &app);
        assert_near(ma_time_bank(&arch, &app), ma_f_app_bank(&app) * f_sched, 1e-14);
        double f_cache = ma_f_cache(&arch, &app, MA_GLOBAL, 8);
        assert_true(1 <= f_cache && (arch.C ? f_cache < 8 : f_cache <= 8)); /* 8: no cache, so every access misses */
        for (uint64_t i = 1; (app.B_r = ma_b_opt(&arch, &app, i)) != 0; i++) {
            assert_int_equal(app.B_r, i * wave);
            assert_true(ma_f_sched(&arch, &app) == 1 && ma_in_b_opt(&arch, &app));
            assert_true(isnan(ma_A(&arch, &app)) == !ma_in_t_opt(&arch, &app));
        }
    }
    assert_true(n_in_b_opt > 20 && n_in_t_opt > 20);
}

/* ma_t_opt_next() from 0 on is every T_r that is in T_opt, and no other. */
static void all_of_t_opt(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    for (int round = 0; round < 300; round++) {
        struct ma_architecture arch = random_architecture(&r);
        struct ma_application app = random_application(&r, &arch), at = app;
        at.T_r = 0;
        uint64_t next = ma_t_opt_next(&arch, &at);
        for (app.T_r = 1; app.T_r <= arch.T_maxB + 100; app.T_r++)
            if (is_in_t_opt(&arch, app, app.T_r, ma_active_blocks(&arch, &app))) {
                assert_int_equal(app.T_r, next);
                at.T_r = next;
                next = ma_t_opt_next(&arch, &at);
            }
        assert_int_equal(next, 0);
    }
}

/* ---- eq. 4 beside the driver --------------------------------------------------------------------------------------------------- */

static void as_allocated(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    static const struct ma_allocation by_one = {1, 1, 1, 0};
    for (int round = 0; round < 20000; round++) { /* by ones it is eq. 4; by more, never above it */
        struct ma_architecture arch = random_architecture(&r);
        struct ma_application app = random_application(&r, &arch);
        struct ma_allocation how = {random_below(&r, 300), 1 + random_below(&r, 4), random_below(&r, 300), random_below(&r, 1100)};
        uint64_t B_a = ma_active_blocks(&arch, &app);
        if (app.T_r <= arch.T_maxB && app.T_r % arch.W == 0)
            assert_int_equal(ma_active_blocks_as_allocated(&arch, &app, &by_one), B_a);
        assert_true(ma_active_blocks_as_allocated(&arch, &app, &how) <= B_a);
    }
    /* H200. 33 threads are two warps; 33 registers are 1,280 a warp, so each quarter of 16,384 holds 12 warps. */
    static const struct ma_architecture h200 = {132, 233472, 65536, 32, 6, 132 * 32, 1024, 2048, 262144};
    struct ma_application app = {.R_T = 33, .T_r = 33};
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 24);
    app.R_T = 64;
    app.T_r = 1024;
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 1);
    app.T_r = 1025;
    app.R_T = 0;
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 0);
    app.T_r = 1024;
    app.R_T = 65; /* 9 * 256 a warp: 73,728 for 32 of them */
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 0);
    app = (struct ma_application){.S_B = 32768, .T_r = 128};
    assert_int_equal(ma_active_blocks(&h200, &app), 7);
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 6); /* 33,792 each: 6.9 */
    app.S_B = 232448;
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 1);
    app.S_B = 232449;
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 0);
    app.S_B = UINT64_MAX;
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 0);
    app = (struct ma_application){.R_T = UINT64_MAX, .T_r = 32};
    assert_int_equal(ma_active_blocks_as_allocated(&h200, &app, &ma_allocation_since_8), 0);
}

#ifdef HAVE_OCCUPANCY
static int occupancy(const struct ma_architecture *arch, int major, int minor, const struct ma_application *app)
{
    cudaOccDeviceProp gpu = {.computeMajor = major, .computeMinor = minor, .sharedMemPerBlock = 49152, .reservedSharedMemPerBlock = 1024};
    gpu.maxThreadsPerBlock = (int)arch->T_maxB;
    gpu.maxThreadsPerMultiprocessor = (int)arch->T_maxMP;
    gpu.regsPerBlock = gpu.regsPerMultiprocessor = (int)arch->R;
    gpu.warpSize = (int)arch->W;
    gpu.numSms = (int)arch->MP;
    gpu.sharedMemPerMultiprocessor = arch->S;
    gpu.sharedMemPerBlockOptin = arch->S - 1024;
    cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = 1024, .numRegs = (int)app->R_T, .partitionedGCConfig = PARTITIONED_GC_OFF};
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = arch->S - 1024;
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult result = {0};
    assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &gpu, &kernel, &state, (int)app->T_r, app->S_B), CUDA_OCC_SUCCESS);
    return result.activeBlocksPerMultiprocessor;
}
#endif

/* Any kernel on GPUs of compute capability 8.0, 8.6, 8.9, 9.0, 10.0 and 12.0. */
static void as_nvidia_computes(void **state)
{
    (void)state;
#ifdef HAVE_OCCUPANCY
    static const struct {
        int major, minor;
        uint64_t S, blocks, T_maxMP;
    } gpus[] = {{8, 0, 167936, 32, 2048}, {8, 6, 102400, 16, 1536},  {8, 9, 102400, 24, 1536},
                {9, 0, 233472, 32, 2048}, {10, 0, 233472, 32, 2048}, {12, 0, 102400, 24, 1536}};
    sample_random r = {sample_seed()};
    for (int round = 0; round < 200000; round++) {
        size_t i = random_below(&r, sizeof gpus / sizeof *gpus);
        struct ma_architecture arch = {100, gpus[i].S, 65536, 32, 6, 100 * gpus[i].blocks, 1024, gpus[i].T_maxMP, 0};
        struct ma_application app = {.R_T = random_below(&r, 256), .T_r = 1 + random_below(&r, 1024)};
        app.S_B = random_below(&r, random_below(&r, 2) ? 20000 : arch.S - 1023);
        uint64_t ours = ma_active_blocks_as_allocated(&arch, &app, &ma_allocation_since_8);
        int theirs = occupancy(&arch, gpus[i].major, gpus[i].minor, &app);
        if (ours != (uint64_t)theirs)
            fail_msg("%d.%d, %d registers, %d threads, %d bytes: %d blocks, not %d", gpus[i].major, gpus[i].minor, (int)app.R_T,
                     (int)app.T_r, (int)app.S_B, (int)ours, theirs);
    }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(active_blocks_of_the_paper),
        cmocka_unit_test(corners_of_active_blocks),
        cmocka_unit_test(threads_by_hand),
        cmocka_unit_test(zigzag),
        cmocka_unit_test(cache_by_hand),
        cmocka_unit_test(times_by_hand),
        cmocka_unit_test(false_positives),
        cmocka_unit_test(random_shapes),
        cmocka_unit_test(all_of_t_opt),
        cmocka_unit_test(as_allocated),
        cmocka_unit_test(as_nvidia_computes),
    };
    return cmocka_run_group_tests(tests, seed_is_printed, NULL);
}
