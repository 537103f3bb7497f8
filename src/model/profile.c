/* profile.c - names of a profile's numbers and curves, and interpolation of curves. */
#include "model/profile.h"

#include <math.h>

_Static_assert(PROFILE_N_VALUES <= TMS_PROFILE_VALUES, "a profile has room for all values");
_Static_assert(PROFILE_N_CURVES <= TMS_PROFILE_CURVES, "a profile has room for all curves");

static const char *const value_names[PROFILE_N_VALUES] = {
    "launch_seconds",
    "copy_in_bytes_per_second",
    "copy_out_bytes_per_second",
    "multiprocessor_spread",
    "shared_warp_accesses_per_second",
    "shared_multiprocessor_accesses_per_second",
    "shared_chip_accesses_per_second",
    "shared_p",
    "shared_q",
    "read_p_l1",
    "read_p_l2",
    "read_p_memory",
    "read_q_l1",
    "read_q_l2",
    "read_q_memory",
    "or_p_l1",
    "or_p_l2",
    "or_p_memory",
    "or_q_l1",
    "or_q_l2",
    "or_q_memory",
    "random_read4_registers",
    "random_read32_registers",
    "random_or_registers",
    "shared_read4_registers",
    "shared_read32_registers",
    "shared_or_registers",
    "bank_p",
    "bank_stage_seconds",
    "bank_stage_seconds_per_word",
    "reads_q",
    "reads_registers",
    "present_1_seconds_per_byte",
    "present_32_seconds_per_byte",
    "query_10_seconds_per_byte",
    "build_1_seconds_per_byte",
    "build_32_seconds_per_byte",
    "build_100_seconds_per_byte",
    "warp_query_8_seconds_per_byte",
    "warp_present_128_seconds_per_byte",
    "warp_build_8_seconds_per_byte",
    "warp_build_128_seconds_per_byte",
    "blocked_query_seconds_per_byte",
    "blocked_build_seconds_per_byte",
    "present_1_least_seconds",
    "present_32_least_seconds",
    "query_10_least_seconds",
    "build_1_least_seconds",
    "build_32_least_seconds",
    "build_100_least_seconds",
    "warp_query_8_least_seconds",
    "warp_present_128_least_seconds",
    "warp_build_8_least_seconds",
    "warp_build_128_least_seconds",
    "blocked_query_least_seconds",
    "blocked_build_least_seconds",
    "paper_random_seconds",
    "paper_random_G",
    "paper_shared_seconds",
    "paper_bank_a1",
    "paper_bank_a0",
    "paper_reads_seconds",
    "paper_reads_G",
    "paper_strings_query_seconds",
    "paper_strings_build_seconds",
    "paper_strings_query_G",
    "paper_strings_build_G",
    "cpu_query_classic_seconds_per_byte",
    "cpu_query_blocked_seconds_per_byte",
    "cpu_build_classic_seconds_per_byte",
    "cpu_build_blocked_seconds_per_byte",
    "gpu_start_seconds",
    "blastp_cpu_cells_per_second",
    "blastp_gpu_cells_per_second",
};

static const char *const curve_names[PROFILE_N_CURVES] = {
    "read4_warp_accesses_per_second",
    "read32_warp_accesses_per_second",
    "or_warp_accesses_per_second",
    "read4_multiprocessor_accesses_per_second",
    "read32_multiprocessor_accesses_per_second",
    "or_multiprocessor_accesses_per_second",
    "read4_chip_accesses_per_second",
    "read32_chip_accesses_per_second",
    "or_chip_accesses_per_second",
    "bank_tile_seconds_by_k",
    "bank_warp_tile_seconds_by_k",
    "bank_registers_by_k",
    "bank_rows_bytes_per_second",
    "reads_chip_tiles_per_second",
    "reads_block_tiles_per_second",
    "present_1_seconds",
    "present_32_seconds",
    "query_10_seconds",
    "build_1_seconds",
    "build_32_seconds",
    "build_100_seconds",
    "warp_query_8_seconds",
    "warp_present_128_seconds",
    "warp_build_8_seconds",
    "warp_build_128_seconds",
    "blocked_query_seconds",
    "blocked_build_seconds",
    "string_access_seconds",
    "string_look_seconds",
    "cpu_one_read4_accesses_per_second",
    "cpu_one_read32_accesses_per_second",
    "cpu_one_or_accesses_per_second",
    "cpu_all_read4_accesses_per_second",
    "cpu_all_read32_accesses_per_second",
    "cpu_all_or_accesses_per_second",
    "cpu_read4_p",
    "cpu_read32_p",
    "cpu_or_p",
    "cpu_one_present_1_seconds",
    "cpu_one_present_32_seconds",
    "cpu_one_query_8_seconds",
    "cpu_one_build_1_seconds",
    "cpu_one_build_32_seconds",
    "cpu_one_blocked_query_seconds",
    "cpu_one_blocked_build_seconds",
    "cpu_all_present_1_seconds",
    "cpu_all_present_32_seconds",
    "cpu_all_query_8_seconds",
    "cpu_all_build_1_seconds",
    "cpu_all_build_32_seconds",
    "cpu_all_blocked_query_seconds",
    "cpu_all_blocked_build_seconds",
};

const char *tms_profile_value_name(size_t i) { return i < PROFILE_N_VALUES ? value_names[i] : NULL; }
const char *tms_profile_curve_name(size_t i) { return i < PROFILE_N_CURVES ? curve_names[i] : NULL; }

double curve_at(const tms_curve *curve, double x)
{
    uint32_t i = 1;
    if (curve->n == 0)
        return NAN;
    if (curve->n == 1 || x <= curve->x[0])
        return curve->y[0];
    if (x >= curve->x[curve->n - 1])
        return curve->y[curve->n - 1];
    while (curve->x[i] < x)
        i++;
    const double share = log(x / curve->x[i - 1]) / log(curve->x[i] / curve->x[i - 1]);
    return exp(log(curve->y[i - 1]) * (1 - share) + log(curve->y[i]) * share);
}

void curve_add(tms_curve *curve, double x, double y)
{
    uint32_t at = 0;
    while (at < curve->n && curve->x[at] < x)
        at++;
    if (at == curve->n || curve->x[at] > x) {
        if (curve->n == TMS_CURVE_POINTS)
            return;
        for (uint32_t i = curve->n++; i > at; i--) {
            curve->x[i] = curve->x[i - 1];
            curve->y[i] = curve->y[i - 1];
        }
    }
    curve->x[at] = x;
    curve->y[at] = y;
}

double rate_of_both(double x, double y, double p)
{
    const double small = x < y ? x : y, large = x < y ? y : x;
    return small > 0 ? small * pow(1 + pow(small / large, p), -1 / p) : 0;
}

double time_of_both(double x, double y, double p)
{
    const double small = x < y ? x : y, large = x < y ? y : x;
    return large > 0 ? large * pow(1 + pow(small / large, p), 1 / p) : 0;
}

double profile_between_levels(const double *values, double m_bits)
{
    for (int level = 1; level < CALIBRATION_LEVELS; level++) {
        const double low = (double)calibration_level_bits[level - 1], high = (double)calibration_level_bits[level];
        if (m_bits <= low)
            return values[level - 1];
        if (m_bits < high)
            return 1 / (1 / values[level - 1] + (1 / values[level] - 1 / values[level - 1]) * log(m_bits / low) / log(high / low));
    }
    return values[CALIBRATION_LEVELS - 1];
}
