/*
 * ma_equations.h - the performance model of [Ma11, III] and [Ma12, II-V], equation by equation, under the papers' names.
 *
 * Pure functions of two structs: the GPU's resources and the application's requests. They neither measure nor correct anything;
 * callers account for how real GPUs differ. The one exception is ma_active_blocks_as_allocated(), for
 * comparing eq. 4 with what the driver says.
 *
 * Where an equation is undefined (a block that does not fit, a division by 0) a count is 0 and a number is NaN. All values are allowed;
 * nothing overflows.
 */
#ifndef TMS_MODEL_MA_EQUATIONS_H
#define TMS_MODEL_MA_EQUATIONS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* [Ma11, Table II; Ma12, Tables II and IV]. */
struct ma_architecture {
    uint64_t MP;      /* multiprocessors */
    uint64_t S;       /* shared memory of a multiprocessor, bytes */
    uint64_t R;       /* registers of a multiprocessor */
    uint64_t W;       /* threads of a warp */
    uint64_t N_W;     /* warps that a block should have at least; NVIDIA recommended 6 */
    uint64_t B_max;   /* blocks that the whole GPU runs at a time */
    uint64_t T_maxB;  /* threads of a block at most */
    uint64_t T_maxMP; /* threads that a multiprocessor runs at a time */
    uint64_t C;       /* cache, bytes: [Ma12] takes the L1 of one multiprocessor */
};

/* [Ma11, Table I; Ma12, Table I]. */
struct ma_application {
    uint64_t D;   /* data set: w-mers of the database (DB in [Ma11]), pointers, reads */
    uint64_t Q;   /* w-mers of the query */
    uint64_t n;   /* w-mers of a sub-query; keys of a filter */
    uint64_t m;   /* bits of a filter, or of another table with random accesses: m / 8 bytes are [Ma12]'s working set */
    uint64_t k;   /* hash functions */
    uint64_t R_T; /* registers of a thread; 0: no limit */
    uint64_t S_B; /* shared memory of a block, bytes; 0: no limit */
    uint64_t B_r; /* requested blocks, of the whole GPU */
    uint64_t T_r; /* requested threads of a block */
};

/* ---- false positives [Ma11, III-A] --------------------------------------------------------------------------------------------- */

/* FPR = (1 - (1 - 1/m)^(k n))^k [Ma11, eqs. 2, 5]. */
double ma_fpr(const struct ma_application *app);

/* FPR = FP / (DB - TP) [Ma11, eq. 3]: the share of tests that passed among those that had to fail. NaN if there were none. */
double ma_fpr_measured(uint64_t FP, uint64_t TP, uint64_t DB);

/* SQ = Q / n, sub-queries [Ma11, III-B.2]. Not rounded. */
double ma_sub_queries(const struct ma_application *app);

/* ---- blocks and threads [Ma11, III-B.3; Ma12, II-A] ---------------------------------------------------------------------------- */

/*
 * B_a = min(floor(S / S_B), floor(R / (R_T T_r)), floor(B_max / MP), floor(T_maxMP / T_r)), the active blocks of a multiprocessor
 * [Ma11, eq. 4; Ma12, eq. 1]. 0: no block fits. Does not depend on T_maxB.
 */
uint64_t ma_active_blocks(const struct ma_architecture *arch, const struct ma_application *app);

/*
 * B_opt = {i B_a MP} [Ma11, III-B.3; Ma12, eq. 2]: the element of index i, from 1 on; 0 if it is above B_max or if no block fits.
 * ma_b_opt_any() does not stop at B_max: [Ma11, Fig. 11] has a peak at 150 blocks, where the GPU runs 120 at a time.
 */
uint64_t ma_b_opt(const struct ma_architecture *arch, const struct ma_application *app, uint64_t i);
uint64_t ma_b_opt_any(const struct ma_architecture *arch, const struct ma_application *app, uint64_t i);

/* B_r is in B_opt, and B_r <= B_max. */
bool ma_in_b_opt(const struct ma_architecture *arch, const struct ma_application *app);

/*
 * T_r is in T_opt = {j W} [Ma12, eq. 3] with all constraints [Ma11, III-B.3; Ma12, eq. 5]:
 *   T_r >= N_W W,  T_r <= min(T_maxB, T_maxMP / B_a),  T_r >= (R / R_T) / (B_r / MP + 1).
 * Quotients are not rounded. B_a is that of T_r. With R_T 0 the last constraint does not apply.
 */
bool ma_in_t_opt(const struct ma_architecture *arch, const struct ma_application *app);

/*
 * The least element of T_opt above app->T_r; 0 if there is none. Starting with T_r = 0 and passing each result as T_r enumerates
 * T_opt. B_r is not changed, though B_a and so B_opt depend on T_r.
 */
uint64_t ma_t_opt_next(const struct ma_architecture *arch, const struct ma_application *app);

/* A(B_r, T_r): 1 if T_r is in T_opt and B_r in B_opt; NaN otherwise: "undefined" [Ma11, III-B.3]. */
double ma_A(const struct ma_architecture *arch, const struct ma_application *app);

/* Indicators [Ma12, eqs. 4, 5]. */
static inline bool ma_A_B(const struct ma_architecture *arch, const struct ma_application *app) { return ma_in_b_opt(arch, app); }
static inline bool ma_A_T(const struct ma_architecture *arch, const struct ma_application *app) { return ma_in_t_opt(arch, app); }

/* The memory that holds the m bits of random accesses. */
enum ma_memory { MA_SHARED, MA_GLOBAL };

/* A_C: the working set is smaller than S, or than C [Ma12, eq. 6]. */
bool ma_A_C(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory);

/* ---- what slows down [Ma12, II-B] ---------------------------------------------------------------------------------------------- */

/* r_H = min(1, C / m), r_M = 1 - r_H [Ma12, eqs. 9, 10], m in bytes. */
double ma_r_H(const struct ma_architecture *arch, const struct ma_application *app);
double ma_r_M(const struct ma_architecture *arch, const struct ma_application *app);

/*
 * f_cache = 1 if A_C, r_H + r_M G otherwise [Ma12, eq. 11].
 *   G [in] measured slow-down if nearly nothing is in the cache, 1 or more
 * Shared memory that is too small is no cache; the equation is applied unchanged.
 */
double ma_f_cache(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory, double G);

/* f_sched = ceil(B_r / (B_a MP)) B_a MP / B_r [Ma12, eq. 12]: 1 on B_opt, above 1 elsewhere. NaN if B_r is 0 or no block fits. */
double ma_f_sched(const struct ma_architecture *arch, const struct ma_application *app);

/* ---- how much there is to do --------------------------------------------------------------------------------------------------- */

/* f_app of the micro-benchmark, D; of the bank, k Q/n D; of FACS, k D / (B_a MP) [Ma12, eqs. 14, 18, 22]. */
double ma_f_app_random(const struct ma_application *app);
double ma_f_app_bank(const struct ma_application *app);
double ma_f_app_facs(const struct ma_architecture *arch, const struct ma_application *app);

/* ---- time ---------------------------------------------------------------------------------------------------------------------- */

/* Time = a1 (k / n) Q DB A + a0 [Ma11, eq. 7]; eq. 6 has a1 = 1, a0 = 0. NaN if A is NaN. */
double ma_time_ma11(const struct ma_architecture *arch, const struct ma_application *app, double a1, double a0);

/* Time_min ~ f_app if A_B, A_T and A_C hold [Ma12, eq. 7]; NaN otherwise. */
double ma_time_min(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory, double f_app);

/*
 * f_app f_cache f_sched, to which Time is proportional [Ma12, eq. 8] if A_T holds, which the caller checks.
 * For the micro-benchmark, whose f_cache is 1 if A_C holds (eq. 15); for the bank, whose vectors are in shared memory (eq. 19); and for
 * FACS, whose filter is in global memory (eq. 23).
 */
static inline double ma_time(double f_app, double f_cache, double f_sched) { return f_app * f_cache * f_sched; }
double ma_time_random(const struct ma_architecture *arch, const struct ma_application *app, enum ma_memory memory, double G);
double ma_time_bank(const struct ma_architecture *arch, const struct ma_application *app);
double ma_time_facs(const struct ma_architecture *arch, const struct ma_application *app, double G);

/* T_put = D / Time [Ma11, III-D; Ma12, eq. 13]. */
double ma_t_put(const struct ma_application *app, double time);

/* ---- eq. 4 beside the driver --------------------------------------------------------------------------------------------------- */

/*
 * A GPU's allocation granularity, which eq. 4 ignores. The driver does not report all values; NVIDIA's occupancy
 * documentation gives those of ma_allocation_since_8, for compute capability 8 and above.
 */
struct ma_allocation {
    uint64_t register_unit;   /* allocation unit of a warp's registers */
    uint64_t partitions;      /* partitions of a multiprocessor, each with its share of the registers and whole warps */
    uint64_t shared_unit;     /* allocation unit of a block's shared memory, bytes */
    uint64_t shared_reserved; /* bytes that each block takes beside S_B: tms_machine's shared_reserved */
};
extern const struct ma_allocation ma_allocation_since_8; /* 256, 4, 128, 1024 */

/*
 * ma_active_blocks_as_allocated() - eq. 4 with whole warps, and the allocation units of registers and shared memory: the result of
 * cudaOccupancyMaxActiveBlocksPerMultiprocessor() for a kernel whose shared memory may take all of S. Blocks above T_maxB do not fit.
 */
uint64_t ma_active_blocks_as_allocated(const struct ma_architecture *arch, const struct ma_application *app,
                                       const struct ma_allocation *how);

#ifdef __cplusplus
}
#endif
#endif
