/* calibration_workloads.c - what is run to know a machine. */
#include <math.h>
#include <string.h>

#include "model/calibration.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define POINTERS     ((uint64_t)1 << 25)

static const tms_op random_ops[] = {TMS_OP_READ4, TMS_OP_READ32, TMS_OP_OR};

/* Table sizes: 4 KB, 8 KB, ... 16 GB, and between 8 MB and 256 MB two more an octave, where the second level of cache ends. */
#define N_SIZES 33
static uint64_t size_bits(size_t i)
{
    const double octave = i <= 11 ? (double)i : i <= 26 ? 11 + (double)(i - 11) / 3 : (double)(i - 10);
    return (uint64_t)(4096 * pow(2, octave)) / 32 * 32 * 8;
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
    static const uint64_t ms[] = {(uint64_t)8 << 13, (uint64_t)8 << 23, (uint64_t)8 << 30};
    static const tms_op ops[] = {TMS_OP_READ4, TMS_OP_OR};
    static const uint32_t threads[] = {32, 64, 128, 256, 512, 1024};
    const uint32_t blocks[] = {calibration_few(machine), machine->n_multiprocessors, 2 * machine->n_multiprocessors};
    const size_t n_sizes = place == TMS_PLACE_SHARED ? 1 : COUNT(ms), n = COUNT(threads) * COUNT(blocks);
    if (i >= n_sizes * COUNT(ops) * n)
        return 0;
    *out = random_of(place, ops[i / n % COUNT(ops)], ms[i / n / COUNT(ops)], blocks[i % COUNT(blocks)],
                     threads[i / COUNT(blocks) % COUNT(threads)]);
    return 1;
}

static int bank(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const uint32_t ks[] = {1, 2, 3, 5, 7, 9}, threads[] = {32, 64, 128, 256, 512, 1024};
    static const uint64_t ns[] = {5000, 15000, 40000, 150000, 500000}, ms[] = {96 << 10, 192 << 10};
    const size_t n_sizes = COUNT(ks) * COUNT(ns) * COUNT(ms), n_shapes = COUNT(threads) * 4;
    *out = (tms_workload){.app = TMS_APP_BANK, .op = TMS_OP_QUERY, .place = TMS_PLACE_SHARED, .D = (uint64_t)1 << 17};
    if (i < n_sizes) {
        out->k = ks[i % COUNT(ks)];
        out->n = ns[i / COUNT(ks) % COUNT(ns)];
        out->m_bits = ms[i / COUNT(ks) / COUNT(ns)];
        out->blocks = 2 * machine->n_multiprocessors;
        out->threads = 512;
        out->Q = out->n * 4 * out->blocks;
        return 1;
    }
    i -= n_sizes;
    if (i >= n_shapes * 2)
        return 0;
    const uint32_t blocks[] = {calibration_few(machine), machine->n_multiprocessors, 2 * machine->n_multiprocessors,
                               4 * machine->n_multiprocessors};
    out->k = i / n_shapes ? 8 : 4;
    out->n = 30000;
    out->m_bits = 48 << 10;
    out->threads = threads[i % COUNT(threads)];
    out->blocks = blocks[i / COUNT(threads) % 4];
    out->Q = out->n * out->blocks * (i / COUNT(threads) % 4 == 0 ? 2 : 4);
    return 1;
}

static int classify(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const double shares[] = {0.06, 1, 2, 3, 4, 5, 6, 7, 8};
    const size_t n_sizes = 8;
    *out = (tms_workload){.app = TMS_APP_CLASSIFY, .op = TMS_OP_QUERY, .D = 70000, .length = 150};
    if (i < n_sizes) {
        out->n = (uint64_t)(300000 * pow(4, (double)i));
    } else if (i < n_sizes + 2 * COUNT(shares)) {
        i -= n_sizes;
        out->n = i < COUNT(shares) ? 1500000 : 150000000;
        out->blocks = (uint32_t)lround(shares[i % COUNT(shares)] * machine->n_multiprocessors);
    } else {
        return 0;
    }
    out->m_bits = (uint64_t)(21.5 * (double)out->n);
    return 1;
}

static int strings(size_t i, tms_workload *out)
{
    static const tms_op ops[] = {TMS_OP_BUILD, TMS_OP_QUERY, TMS_OP_QUERY_PRESENT};
    static const uint32_t ks[] = {1, 3, 8, 16, 32, 64, 128, 300}, lengths[] = {8, 40};
    static const uint64_t ms[] = {(uint64_t)8 << 22, (uint64_t)8 << 26, (uint64_t)8 << 30};
    const size_t n = COUNT(ks) * COUNT(ms) * 2;
    if (i >= COUNT(ops) * n)
        return 0;
    const uint32_t k = ks[i % COUNT(ks)];
    const uint64_t most = ((uint64_t)1 << 27) / k;
    *out = (tms_workload){.app = TMS_APP_STRINGS,
                          .op = ops[i / n],
                          .layout = TMS_LAYOUT_CLASSIC,
                          .k = k,
                          .m_bits = ms[i / COUNT(ks) % COUNT(ms)],
                          .D = most < ((uint64_t)1 << 23) ? most : (uint64_t)1 << 23,
                          .length = lengths[i % 2],
                          .threads = i / COUNT(ks) / COUNT(ms) % 2 ? 32 : 1};
    out->n = (uint64_t)((double)out->m_bits * 0.6931 / k);
    if (out->op == TMS_OP_BUILD && out->D > out->n)
        out->D = out->n;
    return 1;
}

static int cpu(size_t i, const tms_machine *machine, tms_workload *out)
{
    const size_t n_sizes = 17; /* 4 KB, 8 KB, ... 256 MB */
    if (i >= COUNT(random_ops) * n_sizes * 2)
        return 0;
    *out = random_of(TMS_PLACE_GLOBAL, random_ops[i / n_sizes % COUNT(random_ops)], (uint64_t)8 << (12 + i % n_sizes), 0, 0);
    out->on_cpu = 1;
    out->D = (uint64_t)1 << 21;
    out->n_threads_cpu = i / n_sizes / COUNT(random_ops) ? machine->n_processors : 1;
    return 1;
}

const char *calibration_group_name(enum calibration_group group)
{
    static const char *const names[] = {"capacity", "latency", "peak", "warps", "shared", "bank", "classify", "strings", "cpu"};
    return names[group];
}

int calibration_workload(enum calibration_group group, size_t i, const tms_machine *machine, tms_workload *out)
{
    const uint32_t full = machine->max_threads / 1024 * machine->n_multiprocessors, few = calibration_few(machine);
    memset(out, 0, sizeof *out);
    switch (group) {
    case CALIBRATE_CAPACITY:
        return over_sizes(i, full, 1024, out);
    case CALIBRATE_LATENCY:
        return over_sizes(i, few, 128, out);
    case CALIBRATE_PEAK:
        return over_sizes(i, few, 1024, out);
    case CALIBRATE_WARPS:
        return over_warps(i, TMS_PLACE_GLOBAL, machine, out);
    case CALIBRATE_SHARED:
        return over_warps(i, TMS_PLACE_SHARED, machine, out);
    case CALIBRATE_BANK:
        return bank(i, machine, out);
    case CALIBRATE_CLASSIFY:
        return classify(i, machine, out);
    case CALIBRATE_STRINGS:
        return strings(i, out);
    case CALIBRATE_CPU:
        return cpu(i, machine, out);
    case CALIBRATION_GROUPS:
        break;
    }
    return 0;
}
