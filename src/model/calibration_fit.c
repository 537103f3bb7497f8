/* calibration_fit.c - turns times into a profile: stores measured curves, and fits by least squares the numbers that no single run shows.
 */
#include <math.h>
#include <string.h>

#include "model/block_waves.h"
#include "model/calibration.h"
#include "model/least_squares.h"
#include "model/predict.h"
#include "model/response.h"
#include "model/workload.h"

#define SPREAD       0.06 /* blocks and multiprocessors end at different times; other values fit sweeps over B_r worse */
#define TRIED(array) (sizeof(array) / sizeof *(array))

static const double sharpness[] = {1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 12};

struct fit {
    const struct calibration_row *rows;
    size_t n;
    tms_profile *profile;
};

static double kernel_seconds(const struct fit *f, const struct calibration_row *row)
{
    const double seconds = row->m.seconds - f->profile->values[PROFILE_LAUNCH];
    return seconds > 0.1 * row->m.seconds ? seconds : 0.1 * row->m.seconds;
}

static double bytes_of(const tms_workload *w) { return (double)w->m_bits / 8; }

/* --- random accesses --- */

static void fit_sizes(const struct fit *f)
{
    tms_profile *p = f->profile;
    const double few = calibration_few(&p->machine);
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        const enum random_kind kind = random_kind_of(row->w.op);
        const double rate = (double)row->w.D / kernel_seconds(f, row);
        if (row->group == CALIBRATE_CAPACITY) {
            curve_add(&p->curves[CURVE_CHIP + kind], bytes_of(&row->w), rate);
            p->values[PROFILE_RANDOM_REGISTERS + kind] = row->m.registers;
        } else if (row->group == CALIBRATE_LATENCY) {
            curve_add(&p->curves[CURVE_WARP + kind], bytes_of(&row->w), rate / few / (row->w.threads / p->machine.warp_size));
        } else if (row->group == CALIBRATE_PEAK) {
            curve_add(&p->curves[CURVE_PEAK + kind], bytes_of(&row->w), rate / few);
        }
    }
}

/* Seconds of a row according to a response. */
static double response_seconds(const struct response *r, const struct calibration_row *row, const tms_machine *machine)
{
    struct block_waves w = {.n_multiprocessors = machine->n_multiprocessors,
                            .active_blocks = row->m.active_blocks < MOST_ACTIVE_BLOCKS ? row->m.active_blocks : MOST_ACTIVE_BLOCKS,
                            .n_blocks = row->w.blocks,
                            .small_work = (double)row->w.D / row->w.blocks,
                            .chip_rate = response_chip(r),
                            .q = r->q};
    for (uint32_t c = 1; c <= w.active_blocks; c++)
        w.rates[c] = response_rate(r, (double)c * row->w.threads / machine->warp_size);
    return block_waves_seconds(&w);
}

/* Finds the p and q that fit the rows of a group, kind and table best. */
static void fit_sharpness(const struct fit *f, enum calibration_group group, tms_op op, uint64_t m_bits, struct response *r)
{
    const tms_machine *machine = &f->profile->machine;
    double best = INFINITY;
    struct response tried = *r;
    for (size_t s = 0; s < TRIED(sharpness) * TRIED(sharpness); s++) {
        double sum = 0;
        tried.p = sharpness[s / TRIED(sharpness)];
        tried.q = sharpness[s % TRIED(sharpness)];
        for (size_t i = 0; i < f->n; i++) {
            const struct calibration_row *row = &f->rows[i];
            if (row->group != group || row->w.op != op || row->w.m_bits != m_bits)
                continue;
            const double error = log(response_seconds(&tried, row, machine) / kernel_seconds(f, row));
            sum += error * error;
        }
        if (sum < best) {
            best = sum;
            *r = tried;
        }
    }
}

static void fit_levels(const struct fit *f)
{
    tms_profile *p = f->profile;
    const tms_op ops[2] = {TMS_OP_READ4, TMS_OP_OR};
    for (int level = 0; level < CALIBRATION_LEVELS; level++)
        for (int i = 0; i < 2; i++) {
            const enum random_kind kind = random_kind_of(ops[i]);
            const double bytes = (double)calibration_level_bits[level] / 8;
            struct response r = {curve_at(&p->curves[CURVE_WARP + kind], bytes),
                                 curve_at(&p->curves[CURVE_PEAK + kind], bytes),
                                 curve_at(&p->curves[CURVE_CHIP + kind], bytes),
                                 3,
                                 4,
                                 CALIBRATION_FULL_WARPS,
                                 p->machine.max_threads / p->machine.warp_size,
                                 p->machine.n_multiprocessors};
            fit_sharpness(f, CALIBRATE_WARPS, ops[i], calibration_level_bits[level], &r);
            p->values[(i ? PROFILE_OR_P : PROFILE_READ_P) + level] = r.p;
            p->values[(i ? PROFILE_OR_Q : PROFILE_READ_Q) + level] = r.q;
        }
}

static void fit_shared(const struct fit *f)
{
    tms_profile *p = f->profile;
    const double few = calibration_few(&p->machine);
    struct response r = {
        0, 0, 0, 3, 4, CALIBRATION_FULL_WARPS, p->machine.max_threads / p->machine.warp_size, p->machine.n_multiprocessors};
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        if (row->group != CALIBRATE_SHARED || row->w.op != TMS_OP_READ4)
            continue;
        const double rate = (double)row->w.D / kernel_seconds(f, row);
        for (int kind = 0; kind < RANDOM_KINDS; kind++)
            p->values[PROFILE_SHARED_REGISTERS + kind] = row->m.registers;
        if (row->w.blocks == few && row->w.threads == p->machine.warp_size)
            r.warp = rate / few;
        if (row->w.blocks == few && row->w.threads == CALIBRATION_FULL_WARPS * p->machine.warp_size)
            r.full = rate / few;
        if (row->w.blocks == 2 * p->machine.n_multiprocessors && row->w.threads == CALIBRATION_FULL_WARPS * p->machine.warp_size)
            r.chip = rate;
    }
    if (r.warp == 0 || r.full == 0 || r.chip == 0)
        return;
    fit_sharpness(f, CALIBRATE_SHARED, TMS_OP_READ4, calibration_level_bits[0], &r);
    p->values[PROFILE_SHARED_A] = r.warp;
    p->values[PROFILE_SHARED_B] = r.full;
    p->values[PROFILE_SHARED_C] = r.chip;
    p->values[PROFILE_SHARED_P] = r.p;
    p->values[PROFILE_SHARED_Q] = r.q;
}

/* --- the bank --- */

static double passes_of(const tms_workload *w) { return (double)((workload_sub_queries(w) + w->blocks - 1) / w->blocks); }

/* Fits the time of a warp per tile and of a block for all its tiles, both without staging, and stores the kernel's registers. */
static void fit_bank_tiles(const struct fit *f)
{
    tms_profile *p = f->profile;
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        if (row->group != CALIBRATE_BANK_WARP && row->group != CALIBRATE_BANK)
            continue;
        const double a_pass = kernel_seconds(f, row) / passes_of(&row->w);
        const double stage = bank_stage_seconds(p, row->w.m_bits, row->w.threads);
        if (row->group == CALIBRATE_BANK_WARP) {
            curve_add(&p->curves[CURVE_BANK_WARP], row->w.k, (a_pass - stage) / bank_tiles_of_a_warp(row->w.D, row->w.threads));
        } else {
            const double tiles = (double)row->w.D / BANK_TILE_WORDS * row->w.blocks / p->machine.n_multiprocessors;
            curve_add(&p->curves[CURVE_BANK_TILE], row->w.k, (a_pass - stage / 2) / tiles);
            curve_add(&p->curves[CURVE_BANK_REGISTERS], row->w.k, row->m.registers);
        }
    }
}

/* Fits the time of staging, without the warps' tiles. */
static void fit_bank_stage(const struct fit *f)
{
    tms_profile *p = f->profile;
    struct least_squares stage;
    double c[2];
    least_squares_begin(&stage, 2);
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        if (row->group != CALIBRATE_BANK_STAGE)
            continue;
        const double y = kernel_seconds(f, row) / passes_of(&row->w) -
                         bank_tiles_of_a_warp(row->w.D, row->w.threads) * curve_at(&p->curves[CURVE_BANK_WARP], row->w.k);
        const double x[2] = {1, ceil((double)row->w.m_bits / 32 / row->w.threads)};
        least_squares_add(&stage, x, y, 1 / kernel_seconds(f, row));
    }
    if (stage.n > 0 && least_squares_solve_positive(&stage, c)) {
        p->values[PROFILE_BANK_STAGE] = c[0];
        p->values[PROFILE_BANK_STAGE_WORD] = c[1];
    }
}

/* Seconds of the kernel for one shape, with a trial sharpness. */
static double bank_shape_seconds(const struct fit *f, const struct calibration_row *row, double tried)
{
    const tms_profile *p = f->profile;
    const tms_workload *w = &row->w;
    const double n = w->blocks > p->machine.n_multiprocessors && row->m.active_blocks > 1 ? 2 : 1;
    const double passes = passes_of(w) * (w->blocks > p->machine.n_multiprocessors && n == 1 ? 2 : 1);
    return passes * bank_pass_seconds((uint32_t)n, bank_tiles_of_a_warp(w->D, w->threads) * curve_at(&p->curves[CURVE_BANK_WARP], w->k),
                                      bank_stage_seconds(p, w->m_bits, w->threads),
                                      (double)w->D / BANK_TILE_WORDS * curve_at(&p->curves[CURVE_BANK_TILE], w->k), tried);
}

static void fit_bank_sharpness(const struct fit *f)
{
    double best = INFINITY;
    for (size_t s = 0; s < TRIED(sharpness); s++) {
        double sum = 0;
        for (size_t i = 0; i < f->n; i++) {
            const struct calibration_row *row = &f->rows[i];
            if (row->group != CALIBRATE_BANK_SHAPES)
                continue;
            const double error = log(bank_shape_seconds(f, row, sharpness[s]) / kernel_seconds(f, row));
            sum += error * error;
        }
        if (sum < best) {
            best = sum;
            f->profile->values[PROFILE_BANK_P] = sharpness[s];
        }
    }
}

static void fit_bank(const struct fit *f)
{
    for (int turn = 0; turn < 2; turn++) { /* alternate: fit tiles without staging, then staging without tiles */
        fit_bank_tiles(f);
        fit_bank_stage(f);
    }
    fit_bank_sharpness(f);
}

static void fit_bank_rows(const struct fit *f)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        const double bytes = (double)row->w.D * row->w.k * (double)workload_sub_queries(&row->w) / 8;
        if (row->group == CALIBRATE_BANK_ROWS && row->w.k > 4)
            curve_add(&f->profile->curves[CURVE_BANK_ROWS], bytes_of(&row->w) * (double)workload_sub_queries(&row->w),
                      bytes / kernel_seconds(f, row));
    }
}

/* --- reads --- */

static void fit_reads(const struct fit *f)
{
    tms_profile *p = f->profile;
    const tms_machine *machine = &p->machine;
    double best = INFINITY;
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        const double rate = workload_tiles(&row->w) / kernel_seconds(f, row);
        if (row->group == CALIBRATE_READS) {
            curve_add(&p->curves[CURVE_READS_CHIP], bytes_of(&row->w), rate);
            p->values[PROFILE_READS_REGISTERS] = row->m.registers;
        } else if (row->group == CALIBRATE_READS_FEW) {
            curve_add(&p->curves[CURVE_READS_BLOCK], bytes_of(&row->w), rate / calibration_few(machine));
        }
    }
    for (size_t s = 0; s < TRIED(sharpness); s++) {
        double sum = 0;
        for (size_t i = 0; i < f->n; i++) {
            const struct calibration_row *row = &f->rows[i];
            if (row->group != CALIBRATE_READS_BLOCKS)
                continue;
            const double tiles = workload_tiles(&row->w);
            struct block_waves w = {.n_multiprocessors = machine->n_multiprocessors,
                                    .active_blocks = row->m.active_blocks,
                                    .n_blocks = row->w.blocks,
                                    .n_large = (uint32_t)fmod(tiles, row->w.blocks),
                                    .large_work = floor(tiles / row->w.blocks) + 1,
                                    .small_work = floor(tiles / row->w.blocks),
                                    .q = sharpness[s]};
            reads_rates(p, bytes_of(&row->w), curve_at(&p->curves[CURVE_READS_CHIP], bytes_of(&row->w)), &w);
            const double error = log(block_waves_seconds(&w) / kernel_seconds(f, row));
            sum += error * error;
        }
        if (sum < best) {
            best = sum;
            p->values[PROFILE_READS_Q] = sharpness[s];
        }
    }
}

/* --- strings --- */

static void fit_strings(const struct fit *f)
{
    tms_profile *p = f->profile;
    double of_short[CALIBRATION_STRINGS] = {0};
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        const double a_string = kernel_seconds(f, row) / (double)row->w.D;
        if (row->group == CALIBRATE_STRINGS) {
            curve_add(&p->curves[CURVE_STRINGS + row->index / CALIBRATION_STRING_SIZES], bytes_of(&row->w), a_string);
        } else if (row->group == CALIBRATE_STRINGS_FEW) {
            curve_add(&p->curves[row->w.op == TMS_OP_BUILD ? CURVE_STRINGS_LOOK : CURVE_STRINGS_ACCESS], bytes_of(&row->w),
                      kernel_seconds(f, row) / row->w.k);
        } else if (row->group == CALIBRATE_LENGTHS && row->index % 2 == 0) {
            of_short[row->index / 2] = a_string;
        } else if (row->group == CALIBRATE_LENGTHS) {
            const double more = a_string - of_short[row->index / 2];
            p->values[PROFILE_LENGTH + row->index / 2] = more > 0 ? more / (CALIBRATION_LONG - CALIBRATION_LENGTH) : 0;
            p->values[PROFILE_LENGTH_BASE + row->index / 2] = of_short[row->index / 2];
        }
    }
}

/* --- the papers' coefficients --- */

static void fit_papers(const struct fit *f)
{
    tms_profile *p = f->profile;
    struct least_squares bank;
    double c[2];
    const double small = 4 << 20, large = (double)(1u << 30);
    const tms_curve *chip = &p->curves[CURVE_CHIP + RANDOM_READ4], *reads = &p->curves[CURVE_READS_CHIP];
    p->values[PROFILE_PAPER_RANDOM] = 1 / curve_at(chip, small);
    p->values[PROFILE_PAPER_RANDOM_G] = curve_at(chip, small) / curve_at(chip, large);
    p->values[PROFILE_PAPER_SHARED] = 1 / p->values[PROFILE_SHARED_C];
    p->values[PROFILE_PAPER_READS] = 1 / curve_at(reads, small);
    p->values[PROFILE_PAPER_READS_G] = curve_at(reads, small) / curve_at(reads, large);
    for (int i = 0; i < 2; i++) {
        const tms_curve *curve = &p->curves[CURVE_STRINGS + (i ? STRINGS_BUILD_32 : STRINGS_PRESENT_32)];
        p->values[PROFILE_PAPER_STRINGS + i] = curve_at(curve, small) / 32;
        p->values[PROFILE_PAPER_STRINGS_G + i] = curve_at(curve, large) / curve_at(curve, small);
    }
    least_squares_begin(&bank, 2);
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        if (row->group != CALIBRATE_BANK)
            continue;
        const double x[2] = {(double)row->w.k * (double)workload_sub_queries(&row->w) * (double)row->w.D, 1};
        least_squares_add(&bank, x, row->m.seconds, 1 / row->m.seconds);
    }
    if (bank.n > 0 && least_squares_solve_positive(&bank, c)) {
        p->values[PROFILE_PAPER_BANK_A1] = c[0];
        p->values[PROFILE_PAPER_BANK_A0] = c[1];
    }
}

/* --- the CPU --- */

/* Finds the p that best fits numbers of threads between one and all, for each kind and size with such measurements. */
static void fit_cpu_threads(const struct fit *f)
{
    tms_profile *p = f->profile;
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *size = &f->rows[i];
        const enum random_kind kind = random_kind_of(size->w.op);
        double best = INFINITY;
        if (size->group != CALIBRATE_CPU_THREADS || size->w.n_threads_cpu != 2) /* the first row of a series */
            continue;
        for (size_t s = 0; s < TRIED(sharpness); s++) {
            double sum = 0;
            for (size_t j = 0; j < f->n; j++) {
                const struct calibration_row *row = &f->rows[j];
                if (row->group != size->group || row->w.op != size->w.op || row->w.m_bits != size->w.m_bits)
                    continue;
                const double rate = response_cpu(curve_at(&p->curves[CURVE_CPU_ONE + kind], bytes_of(&row->w)),
                                                 curve_at(&p->curves[CURVE_CPU_ALL + kind], bytes_of(&row->w)), p->machine.n_processors,
                                                 row->w.n_threads_cpu, sharpness[s]);
                const double error = log((double)row->w.D / row->m.seconds / rate);
                sum += error * error;
            }
            if (sum < best) {
                best = sum;
                curve_add(&p->curves[CURVE_CPU_P + kind], bytes_of(&size->w), sharpness[s]);
            }
        }
    }
}

static void fit_cpu_random(const struct fit *f)
{
    tms_profile *p = f->profile;
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        if (row->group == CALIBRATE_CPU)
            curve_add(&p->curves[(row->w.n_threads_cpu == 1 ? CURVE_CPU_ONE : CURVE_CPU_ALL) + random_kind_of(row->w.op)],
                      bytes_of(&row->w), (double)row->w.D / row->m.seconds);
    }
    fit_cpu_threads(f);
}

static void fit_cpu_strings(const struct fit *f)
{
    tms_profile *p = f->profile;
    double of_short = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct calibration_row *row = &f->rows[i];
        const double a_string = row->m.seconds / (double)row->w.D;
        if (row->group == CALIBRATE_CPU_STRINGS) {
            const size_t of_case = row->index / CALIBRATION_CPU_SIZES % CALIBRATION_CPU_STRINGS;
            curve_add(&p->curves[(row->w.n_threads_cpu == 1 ? CURVE_CPU_STRINGS_ONE : CURVE_CPU_STRINGS_ALL) + of_case], bytes_of(&row->w),
                      a_string);
        } else if (row->group == CALIBRATE_CPU_LENGTHS && row->index % 2 == 0) {
            of_short = a_string; /* the row with the long string follows */
        } else if (row->group == CALIBRATE_CPU_LENGTHS) {
            const double more = a_string - of_short;
            p->values[PROFILE_CPU_LENGTH + row->index / 2] = more > 0 ? more / (CALIBRATION_CPU_LONG - CALIBRATION_CPU_LENGTH) : 0;
        }
    }
}

/* On a machine with one thread, its rates are those of all threads. */
static void copy_one_processor(tms_profile *p)
{
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        p->curves[CURVE_CPU_ALL + kind] = p->curves[CURVE_CPU_ONE + kind];
    for (int i = 0; i < CALIBRATION_CPU_STRINGS; i++)
        p->curves[CURVE_CPU_STRINGS_ALL + i] = p->curves[CURVE_CPU_STRINGS_ONE + i];
}

static void fit_cpu(const struct fit *f)
{
    fit_cpu_random(f);
    fit_cpu_strings(f);
    if (f->profile->machine.n_processors <= 1)
        copy_one_processor(f->profile);
}

void calibration_fit(const struct calibration_row *rows, size_t n, tms_profile *profile)
{
    const struct fit f = {rows, n, profile};
    fit_cpu(&f);
    if (profile->machine.n_multiprocessors == 0)
        return;
    profile->values[PROFILE_SPREAD] = SPREAD;
    fit_sizes(&f);
    fit_levels(&f);
    fit_shared(&f);
    fit_bank(&f);
    fit_bank_rows(&f);
    fit_reads(&f);
    fit_strings(&f);
    fit_papers(&f);
}
