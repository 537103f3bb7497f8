/* predict.h - the parts of tms_model_predict(): one function per application. */
#ifndef TMS_PREDICT_H
#define TMS_PREDICT_H

#include <math.h>

#include "model/block_waves.h"
#include "model/ma_equations.h"
#include "model/profile.h"
#include "run/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A prediction in progress. */
struct predict {
    tms_context *ctx;
    const tms_profile *profile;
    const tms_workload *w;
    uint32_t form;
    tms_prediction *out;
    struct ma_architecture arch;
    struct ma_application app;
};

/* A GPU under the papers' names. */
struct ma_architecture predict_architecture(const tms_machine *m);

static inline int predict_has(const struct predict *p, uint32_t extension) { return (p->form & extension) != 0; }

/* Adds a term of the given seconds. */
void predict_term(struct predict *p, const char *name, double seconds);

/* predict_blocks() - sets B_a, occupancy and, if unset, B_r of a kernel; TMS_E_ARG if no block fits. */
tms_status predict_blocks(struct predict *p, double registers, uint64_t shared_bytes, uint32_t threads, uint32_t blocks) TMS_CHECKED;

/* predict_waves() - seconds of the kernel's blocks by the extended form, or by f_sched if the caller requests the papers' form. */
double predict_waves(const struct predict *p, struct block_waves *waves);

/* Cache factor of the papers' form for a table of global memory [Ma12, eq. 11]. */
double predict_f_cache(const struct predict *p, double G);

/* reads_rates() - tiles of reads per second of a multiprocessor's blocks and of the chip; `chip` is the measured rate of the full chip.
 */
void reads_rates(const tms_profile *profile, double filter_bytes, double chip, struct block_waves *waves);

/* Tiles of the bank's kernel: w-mers that a warp tests at once, and tiles that a warp tests at a time. */
#define BANK_TILE_WORDS  32
#define BANK_PIECE_TILES 8

/* Tiles of the busiest warp of a block for the given w-mers; threads: 32 or more. */
static inline double bank_tiles_of_a_warp(uint64_t n_words, uint32_t threads)
{
    const uint64_t piece = BANK_PIECE_TILES * BANK_TILE_WORDS, pieces = (n_words + piece - 1) / piece, warps = threads / 32;
    return (double)(BANK_PIECE_TILES * ((pieces + warps - 1) / warps));
}

/* Seconds of a block for copying a vector to shared memory. */
static inline double bank_stage_seconds(const tms_profile *profile, uint64_t m_bits, uint32_t threads)
{
    return profile->values[PROFILE_BANK_STAGE] + profile->values[PROFILE_BANK_STAGE_WORD] * ceil((double)m_bits / 32 / threads);
}

/*
 * bank_pass_seconds() - seconds for one vector's w-mers on a multiprocessor with n blocks.
 *   alone, stage [in] seconds of a block alone on the multiprocessor for the w-mers, and for copying the vector
 *   full         [in] seconds of a full multiprocessor for the w-mers
 * One block's staging is hidden behind another's tests.
 */
static inline double bank_pass_seconds(uint32_t n, double alone, double stage, double full, double sharpness)
{
    return n == 1 ? stage + time_of_both(alone, full, sharpness) : time_of_both(stage + alone, n * full, sharpness);
}

/* Checks that the profile measures this machine and that the model supports the application on it; otherwise TMS_E_ARG. */
tms_status predict_check_device(tms_context *ctx, const tms_profile *profile, tms_app app, int on_cpu) TMS_CHECKED;

tms_status predict_random(struct predict *p) TMS_CHECKED;
tms_status predict_bank(struct predict *p) TMS_CHECKED;
tms_status predict_strings(struct predict *p) TMS_CHECKED;
tms_status predict_reads(struct predict *p) TMS_CHECKED;
tms_status predict_cpu(struct predict *p) TMS_CHECKED;

#ifdef __cplusplus
}
#endif
#endif
