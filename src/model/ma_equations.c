/* ma_equations.c - see the header. */
#include "model/ma_equations.h"

#include <math.h>

#include "hash/bloom_fpr.h"

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* floor(a / b); no limit if b is 0. */
static uint64_t times_in(uint64_t a, uint64_t b) { return b ? a / b : UINT64_MAX; }

/* a / b as a number; NaN if b is 0. */
static double ratio(double a, double b) { return b != 0 ? a / b : NAN; }

/* ---- false positives ----------------------------------------------------------------------------------------------------------- */

double ma_fpr(const struct ma_application *app)
{
    return app->m && app->k <= UINT32_MAX ? bloom_fpr(app->n, app->m, (uint32_t)app->k) : NAN;
}

double ma_fpr_measured(uint64_t FP, uint64_t TP, uint64_t DB) { return TP <= DB ? ratio((double)FP, (double)(DB - TP)) : NAN; }

double ma_sub_queries(const struct ma_application *app) { return ratio((double)app->Q, (double)app->n); }

/* ---- blocks and threads -------------------------------------------------------------------------------------------------------- */

/* B_a with T_r threads in a block. */
static uint64_t active_blocks(const struct ma_architecture *arch, const struct ma_application *app, uint64_t T_r)
{
    if (arch->MP == 0 || T_r == 0)
        return 0;
    uint64_t by_shared = times_in(arch->S, app->S_B), by_blocks = arch->B_max / arch->MP, by_threads = arch->T_maxMP / T_r;
    uint64_t by_registers = app->R_T ? arch->R / app->R_T / T_r : UINT64_MAX; /* equals R / (R_T T_r) without overflow of the product */
    return least(least(by_shared, by_registers), least(by_blocks, by_threads));
}

uint64_t ma_active_blocks(const struct ma_architecture *arch, const struct ma_application *app)
{
    return active_blocks(arch, app, app->T_r);
}

uint64_t ma_b_opt_any(const struct ma_architecture *arch, const struct ma_application *app, uint64_t i)
{
    uint64_t wave, out; /* B_a MP is at most B_max */
    if (__builtin_mul_overflow(ma_active_blocks(arch, app), arch->MP, &wave) || __builtin_mul_overflow(wave, i, &out))
        return 0;
    return out;
}

uint64_t ma_b_opt(const struct ma_architecture *arch, const struct ma_application *app, uint64_t i)
{
    uint64_t blocks = ma_b_opt_any(arch, app, i);
    return blocks <= arch->B_max ? blocks : 0;
}

bool ma_in_b_opt(const struct ma_architecture *arch, const struct ma_application *app)
{
    uint64_t wave = ma_b_opt_any(arch, app, 1);
    return wave && app->B_r && app->B_r % wave == 0 && app->B_r <= arch->B_max;
}

static bool is_t_opt(const struct ma_architecture *arch, const struct ma_application *app, uint64_t T_r)
{
    uint64_t B_a = active_blocks(arch, app, T_r);
    if (B_a == 0 || arch->W == 0 || T_r % arch->W != 0 || T_r / arch->W < arch->N_W)
        return false;
    if (T_r > arch->T_maxB || T_r > arch->T_maxMP / B_a) /* T_r is an integer, so rounding the quotient down does not matter */
        return false;
    double to_fill = app->R_T ? (double)arch->R / (double)app->R_T / ((double)app->B_r / (double)arch->MP + 1) : 0;
    return (double)T_r >= to_fill;
}

bool ma_in_t_opt(const struct ma_architecture *arch, const struct ma_application *app) { return is_t_opt(arch, app, app->T_r); }

uint64_t ma_t_opt_next(const struct ma_architecture *arch, const struct ma_application *app)
{
    if (arch->W == 0 || app->T_r >= arch->T_maxB)
        return 0;
    for (uint64_t warps = app->T_r / arch->W + 1; warps <= arch->T_maxB / arch->W; warps++)
        if (is_t_opt(arch, app, warps * arch->W))
            return warps * arch->W;
    return 0;
}

double ma_A(const struct ma_architecture *arch, const struct ma_application *app)
{
    return ma_in_t_opt(arch, app) && ma_in_b_opt(arch, app) ? 1 : NAN;
}

/* ---- what slows down ----------------------------------------------------------------------------------------------------------- */

static double working_set(const struct ma_application *app) { return (double)app->m / 8; } /* bytes */

bool ma_A_C(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory)
{
    return working_set(app) < (double)(memory == MA_SHARED ? arch->S : arch->C);
}

double ma_r_H(const struct ma_architecture *arch, const struct ma_application *app)
{
    return working_set(app) <= (double)arch->C ? 1 : (double)arch->C / working_set(app);
}

double ma_r_M(const struct ma_architecture *arch, const struct ma_application *app) { return 1 - ma_r_H(arch, app); }

double ma_f_cache(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory, double G)
{
    return ma_A_C(arch, app, memory) ? 1 : ma_r_H(arch, app) + ma_r_M(arch, app) * G;
}

double ma_f_sched(const struct ma_architecture *arch, const struct ma_application *app)
{
    uint64_t wave = ma_b_opt_any(arch, app, 1);
    if (wave == 0 || app->B_r == 0)
        return NAN;
    uint64_t waves = app->B_r / wave + (app->B_r % wave != 0);
    return (double)waves * (double)wave / (double)app->B_r;
}

/* ---- how much there is to do, and how long it takes ---------------------------------------------------------------------------- */

double ma_f_app_random(const struct ma_application *app) { return (double)app->D; }

double ma_f_app_bank(const struct ma_application *app) { return (double)app->k * ma_sub_queries(app) * (double)app->D; }

double ma_f_app_facs(const struct ma_architecture *arch, const struct ma_application *app)
{
    return ratio((double)app->k * (double)app->D, (double)ma_b_opt_any(arch, app, 1));
}

double ma_time_ma11(const struct ma_architecture *arch, const struct ma_application *app, double a1, double a0)
{
    return a1 * ma_f_app_bank(app) * ma_A(arch, app) + a0;
}

double ma_time_min(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory, double f_app)
{
    return ma_A_T(arch, app) && ma_A_B(arch, app) && ma_A_C(arch, app, memory) ? f_app : NAN;
}

double ma_time_random(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory, double G)
{
    return ma_time(ma_f_app_random(app), ma_f_cache(arch, app, memory, G), ma_f_sched(arch, app));
}

double ma_time_bank(const struct ma_architecture *arch, const struct ma_application *app)
{
    return ma_time(ma_f_app_bank(app), 1, ma_f_sched(arch, app));
}

double ma_time_facs(const struct ma_architecture *arch, const struct ma_application *app, double G)
{
    return ma_time(ma_f_app_facs(arch, app), ma_f_cache(arch, app, MA_GLOBAL, G), ma_f_sched(arch, app));
}

double ma_t_put(const struct ma_application *app, double time) { return ratio((double)app->D, time); }

/* ---- eq. 4 beside the driver --------------------------------------------------------------------------------------------------- */

const struct ma_allocation ma_allocation_since_8 = {256, 4, 128, 1024};

/* a rounded up to a multiple of unit (0: no unit); UINT64_MAX on overflow. */
static uint64_t rounded_up(uint64_t a, uint64_t unit)
{
    uint64_t over = unit ? a % unit : 0, out;
    return over == 0 ? a : __builtin_add_overflow(a, unit - over, &out) ? UINT64_MAX : out;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t out;
    return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

uint64_t ma_active_blocks_as_allocated(const struct ma_architecture *arch, const struct ma_application *app,
                                       const struct ma_allocation *how)
{
    if (arch->MP == 0 || arch->W == 0 || how->partitions == 0 || app->T_r == 0 || app->T_r > arch->T_maxB)
        return 0;
    uint64_t warps = app->T_r / arch->W + (app->T_r % arch->W != 0), by_registers = UINT64_MAX, shared;
    uint64_t of_warp = rounded_up(product(app->R_T, arch->W), how->register_unit);
    if (of_warp)
        by_registers = arch->R / how->partitions / of_warp * how->partitions / warps;
    if (__builtin_add_overflow(app->S_B, how->shared_reserved, &shared))
        return 0;
    uint64_t by_shared = times_in(arch->S, rounded_up(shared, how->shared_unit));
    uint64_t by_threads = arch->T_maxMP / arch->W / warps, by_blocks = arch->B_max / arch->MP;
    return least(least(by_shared, by_registers), least(by_blocks, by_threads));
}
