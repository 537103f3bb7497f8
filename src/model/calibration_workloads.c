/* calibration_workloads.c - the workloads of a calibration. */
#include <math.h>
#include <string.h>

#include "model/calibration.h"
#include "model/measure.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define POINTERS     ((uint64_t)1 << 25)
#define KIB          ((uint64_t)8 << 10) /* bits */
#define MIB          ((uint64_t)8 << 20)

#define LAST_QUICK_STRINGS 7     /* 150 MB */
#define ON_GPU_SECONDS     0.03  /* mean seconds of a GPU workload */
#define STRING_SECONDS     15e-9 /* CPU time to hash a string */
#define MAKING_SECONDS     4e-9  /* time to generate a string, on one thread */

const uint64_t calibration_level_bits[CALIBRATION_LEVELS] = {10 * KIB, 10 * MIB, 1200 * MIB};

static const tms_op random_ops[] = {TMS_OP_READ4, TMS_OP_READ32, TMS_OP_OR};

/* --- random accesses --- */

/* Table sizes: from 4.3 KB by thirds of an octave to 275 MB, then by octaves to 16.6 GB. */
#define N_SIZES   55
#define LAST_SIZE 16.6e9 /* bytes: pointers of 32 bits reach no more than 2^32 words */
static uint64_t size_bits(size_t i)
{
    const double octave = i <= 48 ? (double)i / 3 : (double)i - 32;
    return (uint64_t)fmin(4400 * exp2(octave), LAST_SIZE) / 32 * 32 * 8;
}

static tms_workload random_of(tms_place place, tms_op op, uint64_t m_bits, uint32_t blocks, uint32_t threads)
{
    return (tms_workload){
        .app = TMS_APP_RANDOM, .op = op, .place = place, .m_bits = m_bits, .D = POINTERS, .blocks = blocks, .threads = threads};
}

static int over_sizes(size_t i, uint32_t blocks, uint32_t threads, tms_workload *out)
{
    if (i >= COUNT(random_ops) * N_SIZES)
        return 0;
    *out = random_of(TMS_PLACE_GLOBAL, random_ops[i / N_SIZES], size_bits(i % N_SIZES), blocks, threads);
    return 1;
}

static int over_warps(size_t i, tms_place place, const tms_machine *machine, tms_workload *out)
{
    static const tms_op ops[] = {TMS_OP_READ4, TMS_OP_OR};
    static const uint32_t threads[] = {32, 64, 128, 256, 512, 1024};
    const uint32_t blocks[] = {calibration_few(machine), machine->n_multiprocessors / 2, machine->n_multiprocessors,
                               2 * machine->n_multiprocessors};
    const size_t n_sizes = place == TMS_PLACE_SHARED ? 1 : CALIBRATION_LEVELS, n = COUNT(threads) * COUNT(blocks);
    if (i >= n_sizes * COUNT(ops) * n)
        return 0;
    *out = random_of(place, ops[i / n % COUNT(ops)], calibration_level_bits[i / n / COUNT(ops)], blocks[i % COUNT(blocks)],
                     threads[i / COUNT(blocks) % COUNT(threads)]);
    return 1;
}

/* --- the bank --- */

static tms_workload bank_of(uint32_t k, uint64_t m_bits, uint32_t blocks, uint32_t threads, uint32_t passes)
{
    return (tms_workload){.app = TMS_APP_BANK,
                          .op = TMS_OP_QUERY,
                          .place = TMS_PLACE_SHARED,
                          .k = k,
                          .m_bits = m_bits,
                          .n = CALIBRATION_BANK_WORDS,
                          .D = (uint64_t)1 << 17,
                          .Q = (uint64_t)CALIBRATION_BANK_WORDS * blocks * passes,
                          .blocks = blocks,
                          .threads = threads};
}

static int bank_over_k(size_t i, uint32_t blocks, uint32_t threads, uint32_t passes, tms_workload *out)
{
    static const uint32_t ks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16};
    if (i >= COUNT(ks))
        return 0;
    *out = bank_of(ks[i], CALIBRATION_BANK_BITS, blocks, threads, passes);
    return 1;
}

static int bank_shapes(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const uint32_t ks[] = {4, 8}, threads[] = {64, 128, 256, 512, 1024};
    const uint32_t blocks[] = {calibration_few(machine), machine->n_multiprocessors, 2 * machine->n_multiprocessors};
    if (i >= COUNT(ks) * COUNT(threads) * COUNT(blocks))
        return 0;
    *out = bank_of(ks[i % COUNT(ks)], CALIBRATION_BANK_BITS / 2, blocks[i / COUNT(ks) / COUNT(threads)],
                   threads[i / COUNT(ks) % COUNT(threads)], 4);
    return 1;
}

static int bank_stage(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const uint32_t threads[] = {64, 128, 512, 1024};
    static const uint64_t ms[] = {64 << 10, 256 << 10, 1 << 20};
    if (i >= COUNT(threads) * COUNT(ms))
        return 0;
    *out = bank_of(4, ms[i / COUNT(threads)], machine->n_multiprocessors, threads[i % COUNT(threads)], 16);
    out->D = 4096;
    return 1;
}

static int bank_rows(size_t i, tms_workload *out)
{
    static const uint64_t ms[] = {16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20}; /* 1,024 columns: 2 MB to 2 GB */
    static const uint32_t ks[] = {3, 8};
    if (i >= COUNT(ms) * COUNT(ks))
        return 0;
    *out = bank_of(ks[i / COUNT(ms)], ms[i % COUNT(ms)], 0, 0, 0);
    out->place = TMS_PLACE_GLOBAL;
    out->n = out->m_bits / 8;
    out->Q = out->n * 1024;
    return 1;
}

/* --- reads --- */

static int reads(size_t i, uint32_t blocks, tms_workload *out)
{
    if (i >= 10)
        return 0;
    *out = (tms_workload){.app = TMS_APP_CLASSIFY, .op = TMS_OP_QUERY, .D = 70000, .length = 150, .blocks = blocks};
    out->n = (uint64_t)(200000 * pow(3.1, (double)i));
    out->m_bits = (uint64_t)(21.5 * (double)out->n);
    return 1;
}

static int reads_blocks(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const double shares[] = {0.5, 1, 2, 3, 4, 5, 6, 8};
    if (i >= 2 * COUNT(shares))
        return 0;
    (void)reads(i < COUNT(shares) ? 2 : 6, (uint32_t)lround(shares[i % COUNT(shares)] * machine->n_multiprocessors), out);
    return 1;
}

/* --- strings --- */

static const struct strings_case {
    tms_op op;
    tms_layout layout;
    uint32_t k, threads;
} strings_cases[CALIBRATION_STRINGS] = {
    [STRINGS_PRESENT_1] = {TMS_OP_QUERY_PRESENT, TMS_LAYOUT_CLASSIC, 1, 1},
    [STRINGS_PRESENT_32] = {TMS_OP_QUERY_PRESENT, TMS_LAYOUT_CLASSIC, 32, 1},
    [STRINGS_QUERY_10] = {TMS_OP_QUERY, TMS_LAYOUT_CLASSIC, 10, 1},
    [STRINGS_BUILD_1] = {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 1, 1},
    [STRINGS_BUILD_32] = {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 32, 1},
    [STRINGS_BUILD_100] = {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 100, 1},
    [STRINGS_WARP_QUERY_8] = {TMS_OP_QUERY, TMS_LAYOUT_CLASSIC, 8, 32},
    [STRINGS_WARP_PRESENT_128] = {TMS_OP_QUERY_PRESENT, TMS_LAYOUT_CLASSIC, 128, 32},
    [STRINGS_WARP_BUILD_8] = {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 8, 32},
    [STRINGS_WARP_BUILD_128] = {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 128, 32},
    [STRINGS_BLOCKED_QUERY] = {TMS_OP_QUERY, TMS_LAYOUT_BLOCKED, 8, 0},
    [STRINGS_BLOCKED_BUILD] = {TMS_OP_BUILD, TMS_LAYOUT_BLOCKED, 8, 0},
};

static tms_workload strings_of(const struct strings_case *c, double bytes, uint32_t length)
{
    const uint64_t m_bits = (uint64_t)(8 * bytes) / TMS_BLOCK_BITS * TMS_BLOCK_BITS, most = ((uint64_t)1 << 28) / c->k;
    tms_workload w = {.app = TMS_APP_STRINGS,
                      .op = c->op,
                      .layout = c->layout,
                      .k = c->k,
                      .m_bits = m_bits,
                      .n = (uint64_t)((double)m_bits * 0.6931 / c->k),
                      .D = most < ((uint64_t)1 << 23) ? most : (uint64_t)1 << 23,
                      .length = length,
                      .threads = c->threads};
    if (w.op == TMS_OP_BUILD && w.D > w.n)
        w.D = w.n;
    return w;
}

static int strings(size_t i, tms_workload *out)
{
    const size_t step = i % CALIBRATION_STRING_SIZES;
    /* by octaves from 1.3 MB on, with additional sizes around the size of L2 */
    const double octaves[CALIBRATION_STRING_SIZES] = {0, 1, 2, 3, 4, 4.5, 4.75, 5, 5.25, 5.5, 6, 7, 8, 10, 12, 13};
    if (i >= (size_t)CALIBRATION_STRINGS * CALIBRATION_STRING_SIZES)
        return 0;
    *out = strings_of(&strings_cases[i / CALIBRATION_STRING_SIZES], 1.3 * 1048576 * exp2(octaves[step]), CALIBRATION_LENGTH);
    return 1;
}

static int lengths(size_t i, tms_workload *out)
{
    if (i >= 2 * (size_t)CALIBRATION_STRINGS)
        return 0;
    *out = strings_of(&strings_cases[i / 2], 4 << 20, i % 2 ? CALIBRATION_LONG : CALIBRATION_LENGTH);
    return 1;
}

/* A query reads a string's bits one after the other. */
static int strings_few(size_t i, tms_workload *out)
{
    static const struct strings_case few[] = {{TMS_OP_QUERY_PRESENT, TMS_LAYOUT_CLASSIC, 64, 1},
                                              {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 128, 1}};
    if (i >= 8 * COUNT(few))
        return 0;
    *out = strings_of(&few[i / 8], 1.3 * 1048576 * exp2(2 * (double)(i % 8)), CALIBRATION_LENGTH);
    out->D = 4096;
    return 1;
}

/* --- the CPU --- */

/*
 * Enough accesses for milliseconds, also with all threads: in caches each takes half a nanosecond. Tables of gigabytes get more accesses
 * again, because page-table entries enter the caches slowly. Atomic ORs by many threads to few cache lines are the slowest.
 */
static tms_workload cpu_random(tms_op op, uint64_t bytes, uint32_t threads)
{
    tms_workload w = random_of(TMS_PLACE_GLOBAL, op, 8 * bytes, 0, 0);
    const int is_cached = bytes <= (uint64_t)8 << 20, is_huge = bytes >= (uint64_t)2 << 30;
    w.on_cpu = 1;
    w.n_threads_cpu = threads;
    if (op != TMS_OP_OR)
        w.D = is_cached || is_huge ? (uint64_t)threads * 3 << 20 : (uint64_t)threads << 20;
    else
        w.D = bytes < (uint64_t)1 << 20 ? (uint64_t)1 << 18 : (uint64_t)(threads + 1) * (is_huge ? 3 : 1) << 17;
    return w;
}

/* 4 KB to 16 KB and 256 MB to 8 GB by octaves, by half octaves in between, where caches and the reach of TLBs end. */
#define N_CPU_SIZES 36
static uint64_t cpu_bytes(size_t i)
{
    const double octave = i < 2 ? (double)i : i < 31 ? 2 + (double)(i - 2) / 2 : (double)i - 14;
    return (uint64_t)(4096 * exp2(octave)) / 64 * 64;
}
_Static_assert((uint64_t)4096 << (N_CPU_SIZES - 1 - 14) == CALIBRATION_CPU_BYTES, "the last size");

static int cpu(size_t i, const tms_machine *machine, tms_workload *out)
{
    if (i >= COUNT(random_ops) * N_CPU_SIZES * (machine->n_processors > 1 ? 2 : 1))
        return 0;
    *out = cpu_random(random_ops[i / N_CPU_SIZES % COUNT(random_ops)], cpu_bytes(i % N_CPU_SIZES),
                      i / N_CPU_SIZES / COUNT(random_ops) ? machine->n_processors : 1);
    return 1;
}

/* 2, 4, 8 ... threads, up to below the number of all threads; table sizes for private caches, shared caches and memory. */
static int cpu_threads(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const uint64_t sizes[] = {(uint64_t)20 << 10, (uint64_t)400 << 10, (uint64_t)6 << 20, (uint64_t)600 << 20};
    const size_t per_count = COUNT(sizes) * COUNT(random_ops);
    const uint64_t threads = i / per_count < 32 ? (uint64_t)2 << i / per_count : UINT64_MAX;
    if (threads >= machine->n_processors)
        return 0;
    *out = cpu_random(random_ops[i / COUNT(sizes) % COUNT(random_ops)], sizes[i % COUNT(sizes)], (uint32_t)threads);
    return 1;
}

static const struct strings_case cpu_cases[CALIBRATION_CPU_STRINGS] = {
    [CPU_STRINGS_PRESENT_1] = {TMS_OP_QUERY_PRESENT, TMS_LAYOUT_CLASSIC, 1, 0},
    [CPU_STRINGS_PRESENT_32] = {TMS_OP_QUERY_PRESENT, TMS_LAYOUT_CLASSIC, 32, 0},
    [CPU_STRINGS_QUERY_8] = {TMS_OP_QUERY, TMS_LAYOUT_CLASSIC, 8, 0},
    [CPU_STRINGS_BUILD_1] = {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 1, 0},
    [CPU_STRINGS_BUILD_32] = {TMS_OP_BUILD, TMS_LAYOUT_CLASSIC, 32, 0},
    [CPU_STRINGS_BLOCKED_QUERY] = {TMS_OP_QUERY, TMS_LAYOUT_BLOCKED, 8, 0},
    [CPU_STRINGS_BLOCKED_BUILD] = {TMS_OP_BUILD, TMS_LAYOUT_BLOCKED, 8, 0},
};

static tms_workload cpu_strings_of(size_t i, double bytes, uint32_t length, uint32_t threads)
{
    tms_workload w = strings_of(&cpu_cases[i], bytes, length);
    w.on_cpu = 1;
    w.n_threads_cpu = threads;
    w.n = (uint64_t)((double)w.m_bits * 0.693147180559945 / w.k); /* half full */
    w.D = ((uint64_t)threads << (bytes > 2e9 ? 19 : 18)) / (w.k > 8 ? w.k / 4 : 1);
    return w;
}

static int cpu_strings(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const double sizes[CALIBRATION_CPU_SIZES] = {0.6e6, 2e6, 5e6, 9e6, 14e6, 30e6, 60e6, 150e6, 500e6, 1.8e9, 4e9, 8e9};
    const size_t n = (size_t)CALIBRATION_CPU_STRINGS * CALIBRATION_CPU_SIZES;
    if (i >= n * (machine->n_processors > 1 ? 2 : 1))
        return 0;
    *out = cpu_strings_of(i % n / CALIBRATION_CPU_SIZES, sizes[i % CALIBRATION_CPU_SIZES], CALIBRATION_CPU_LENGTH,
                          i < n ? 1 : machine->n_processors);
    return 1;
}

/* Filters with one function, so that hashing strings dominates; pairs of a short and a long string. */
static int cpu_lengths(size_t i, tms_workload *out)
{
    static const enum calibration_cpu_strings cases[] = {CPU_STRINGS_PRESENT_1, CPU_STRINGS_BLOCKED_QUERY, CPU_STRINGS_BUILD_1,
                                                         CPU_STRINGS_BLOCKED_BUILD};
    if (i >= 2 * COUNT(cases))
        return 0;
    *out = cpu_strings_of(cases[i / 2], 0.5e6, i % 2 ? CALIBRATION_CPU_LONG : CALIBRATION_CPU_LENGTH, 1);
    return 1;
}

/* --- quickly, and how long --- */

int calibration_is_quick(enum calibration_group group, size_t i)
{
    switch (group) {
    case CALIBRATE_CPU:
        return i % N_CPU_SIZES % 2 == 0;
    case CALIBRATE_CPU_STRINGS:
        return i % CALIBRATION_CPU_SIZES % 2 == 0 || i % CALIBRATION_CPU_SIZES == LAST_QUICK_STRINGS;
    default:
        return 1;
    }
}

/* Seconds per access of one thread: in private caches, in shared caches, in memory, and in memory with page walks that miss the caches. */
static double access_seconds(double bytes) { return bytes < 1e6 ? 2e-9 : bytes < 32e6 ? 7e-9 : bytes < 1e9 ? 14e-9 : 28e-9; }

double calibration_seconds(const tms_workload *w)
{
    const double runs = MEASURE_LEAST + 1, bytes = (double)w->m_bits / 8, threads = w->n_threads_cpu ? w->n_threads_cpu : 1;
    if (!w->on_cpu)
        return ON_GPU_SECONDS;
    const double least = 1.5 * MEASURE_SECONDS;
    if (w->app == TMS_APP_RANDOM)
        return fmax(least, runs * (double)w->D / threads * access_seconds(bytes));
    const double accesses = w->op == TMS_OP_QUERY && w->layout == TMS_LAYOUT_CLASSIC ? 2 : w->layout == TMS_LAYOUT_BLOCKED ? 1 : w->k;
    const double a_string = STRING_SECONDS + accesses * access_seconds(bytes) * (w->op == TMS_OP_BUILD ? 2 : 1);
    return least + runs * (double)w->D * (a_string / threads + MAKING_SECONDS);
}

/* --- all --- */

const char *calibration_group_name(enum calibration_group group)
{
    static const char *const names[] = {"capacity",    "latency",   "peak",         "warps",       "shared",
                                        "cal-bank",    "bank-warp", "bank-shapes",  "bank-stage",  "bank-rows",
                                        "reads",       "reads-few", "reads-blocks", "strings",     "lengths",
                                        "strings-few", "cpu",       "cpu-threads",  "cpu-strings", "cpu-lengths"};
    return names[group];
}

int calibration_workload(enum calibration_group group, size_t i, const tms_machine *machine, tms_workload *out)
{
    const uint32_t all = machine->n_multiprocessors, full = machine->max_threads / 1024 * all, few = calibration_few(machine);
    memset(out, 0, sizeof *out);
    if (all == 0 && group < CALIBRATE_CPU)
        return 0;
    switch (group) {
    case CALIBRATE_CAPACITY:
        return over_sizes(i, full, 1024, out);
    case CALIBRATE_LATENCY:
        return over_sizes(i, few, 64, out);
    case CALIBRATE_PEAK:
        return over_sizes(i, few, 1024, out);
    case CALIBRATE_WARPS:
        return over_warps(i, TMS_PLACE_GLOBAL, machine, out);
    case CALIBRATE_SHARED:
        return over_warps(i, TMS_PLACE_SHARED, machine, out);
    case CALIBRATE_BANK:
        return bank_over_k(i, 2 * all, 640, 4, out);
    case CALIBRATE_BANK_WARP:
        return bank_over_k(i, few, 32, 1, out);
    case CALIBRATE_BANK_SHAPES:
        return bank_shapes(i, machine, out);
    case CALIBRATE_BANK_STAGE:
        return bank_stage(i, machine, out);
    case CALIBRATE_BANK_ROWS:
        return bank_rows(i, out);
    case CALIBRATE_READS:
        return reads(i, 0, out);
    case CALIBRATE_READS_FEW:
        return reads(i, few, out);
    case CALIBRATE_READS_BLOCKS:
        return reads_blocks(i, machine, out);
    case CALIBRATE_STRINGS:
        return strings(i, out);
    case CALIBRATE_LENGTHS:
        return lengths(i, out);
    case CALIBRATE_STRINGS_FEW:
        return strings_few(i, out);
    case CALIBRATE_CPU:
        return cpu(i, machine, out);
    case CALIBRATE_CPU_THREADS:
        return cpu_threads(i, machine, out);
    case CALIBRATE_CPU_STRINGS:
        return cpu_strings(i, machine, out);
    case CALIBRATE_CPU_LENGTHS:
        return cpu_lengths(i, out);
    case CALIBRATION_GROUPS:
        break;
    }
    return 0;
}
