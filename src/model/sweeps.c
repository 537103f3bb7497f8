/*
 * sweeps.c - the workloads that test the model: those of the papers' figures, on the papers' ranges and beyond. None
 * is a workload of the calibration.
 */
#include <math.h>
#include <string.h>

#include "model/predict.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define KIB          ((uint64_t)8 << 10) /* bits */
#define MIB          ((uint64_t)8 << 20)
#define GIB          ((uint64_t)8 << 30)

#define POINTERS    ((uint64_t)1 << 25) /* [Ma12, III] */
#define QUERY_WORDS ((uint64_t)250000000)
#define W_MERS      ((uint64_t)1 << 17)

/* B_r as shares of the blocks that are active at once, and of one block a multiprocessor. */
static const double block_shares[] = {0.004, 0.01, 0.03, 0.08, 0.17, 0.27, 0.4, 0.49, 0.5, 0.508, 0.6, 0.75, 0.9, 1,
                                      1.004, 1.1,  1.3,  1.5,  1.9,  2,    2.1, 2.5,  3,   3.4,   4,   4.5,  5,   6};

static uint32_t share_of(double share, uint32_t blocks)
{
    const uint32_t n = (uint32_t)lround(share * blocks);
    return n > 0 ? n : 1;
}

/* Blocks of `threads` that a multiprocessor holds, given the bytes of shared memory of each block. */
static uint32_t active(const tms_machine *machine, uint32_t threads, uint64_t shared_bytes)
{
    const struct ma_architecture arch = predict_architecture(machine);
    const struct ma_application app = {.S_B = shared_bytes, .T_r = threads};
    struct ma_allocation how = ma_allocation_since_8;
    how.shared_reserved = machine->shared_reserved;
    const uint32_t n = (uint32_t)ma_active_blocks_as_allocated(&arch, &app, &how);
    return n > 0 ? n : 1;
}

/* --- random accesses: [Ma12, Figs. 3 to 6] --- */

struct table_case {
    tms_place place;
    tms_op op;
    uint64_t m_bits;
    uint32_t threads;
};

static tms_workload random_of(const struct table_case *c)
{
    return (tms_workload){.app = TMS_APP_RANDOM, .op = c->op, .place = c->place, .m_bits = c->m_bits, .D = POINTERS, .threads = c->threads};
}

static int random_blocks(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const struct table_case cases[] = {
        {TMS_PLACE_SHARED, TMS_OP_READ4, 8 * KIB, 1024},  {TMS_PLACE_SHARED, TMS_OP_READ4, 32 * KIB, 1024},
        {TMS_PLACE_SHARED, TMS_OP_READ4, 32 * KIB, 960},  {TMS_PLACE_GLOBAL, TMS_OP_READ4, 8 * KIB, 1024},
        {TMS_PLACE_GLOBAL, TMS_OP_READ4, 32 * KIB, 1024}, {TMS_PLACE_GLOBAL, TMS_OP_READ4, 12 * MIB, 960},
        {TMS_PLACE_GLOBAL, TMS_OP_READ32, 96 * MIB, 256}, {TMS_PLACE_GLOBAL, TMS_OP_OR, 12 * MIB, 512},
    };
    if (i >= COUNT(cases) * COUNT(block_shares))
        return 0;
    const struct table_case *c = &cases[i / COUNT(block_shares)];
    const uint64_t shared = c->place == TMS_PLACE_SHARED ? c->m_bits / 8 : 0;
    *out = random_of(c);
    out->blocks = share_of(block_shares[i % COUNT(block_shares)], active(machine, c->threads, shared) * machine->n_multiprocessors);
    return 1;
}

static int random_threads(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const struct table_case cases[] = {
        {TMS_PLACE_SHARED, TMS_OP_READ4, 8 * KIB, 0},
        {TMS_PLACE_GLOBAL, TMS_OP_READ4, 8 * KIB, 0},
        {TMS_PLACE_GLOBAL, TMS_OP_READ4, 48 * MIB, 0},
        {TMS_PLACE_GLOBAL, TMS_OP_OR, 12 * MIB, 0},
    };
    const uint32_t n = machine->max_threads_block / machine->warp_size; /* size of T_opt */
    if (i >= COUNT(cases) * 2 * n)
        return 0;
    const struct table_case *c = &cases[i / (2 * n)];
    const uint32_t threads = (uint32_t)(i % n + 1) * machine->warp_size;
    *out = random_of(c);
    out->threads = threads;
    out->blocks = machine->n_multiprocessors; /* one a multiprocessor, or as many as there may be */
    if (i / n % 2 == 1)
        out->blocks *= active(machine, threads, c->place == TMS_PLACE_SHARED ? c->m_bits / 8 : 0);
    return 1;
}

#define SIZE_STEPS 33

/*
 * Tables of 4 KB to 16 GB; atomics from 256 KB on: smaller tables use few slices of the L2, and their rate depends on which slices, which
 * physical addresses decide. One workload took from 0.9 to 1.6 ms in different processes.
 */
static int random_size(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const tms_op ops[] = {TMS_OP_READ4, TMS_OP_READ32, TMS_OP_OR};
    if (i >= COUNT(ops) * SIZE_STEPS)
        return 0;
    struct table_case c = {TMS_PLACE_GLOBAL, ops[i / SIZE_STEPS], 0, 1024};
    const double least = c.op == TMS_OP_OR ? 262144 : 4096, most = (double)((uint64_t)16 << 30);
    c.m_bits = (uint64_t)(least * pow(most / least, (double)(i % SIZE_STEPS) / (SIZE_STEPS - 1))) / 32 * 32 * 8;
    *out = random_of(&c);
    out->blocks = machine->n_multiprocessors * active(machine, c.threads, 0);
    return 1;
}

/* --- the bank: [Ma11, Figs. 7 to 17], [Ma12, Fig. 7] --- */

static tms_workload bank_of(uint64_t m_bits, uint32_t k, uint64_t n, uint32_t blocks, uint32_t threads)
{
    return (tms_workload){.app = TMS_APP_BANK,
                          .op = TMS_OP_QUERY,
                          .place = TMS_PLACE_SHARED,
                          .m_bits = m_bits,
                          .k = k,
                          .n = n,
                          .D = W_MERS,
                          .Q = QUERY_WORDS,
                          .blocks = blocks,
                          .threads = threads};
}

static int bank_sizes(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const uint32_t ks[] = {4, 6, 8, 10};
    static const uint64_t ns[] = {10000, 20000, 50000, 100000, 200000, 300000}, ms[] = {64 << 10, 128 << 10, 256 << 10};
    static const double blocks[] = {1, 2, 3.3, 1.6};
    const size_t n_sizes = COUNT(ks) * COUNT(ns) * COUNT(ms);
    if (i >= n_sizes * 2)
        return 0;
    const size_t j = i % n_sizes;
    const double share = blocks[(i / n_sizes + j) % 2 * 2 + j / 2 % 2]; /* half of the numbers are in B_opt */
    *out = bank_of(ms[j % 3], ks[j / 3 % COUNT(ks)], ns[j / 3 / COUNT(ks)], share_of(share, machine->n_multiprocessors), 512);
    return 1;
}

static int bank_blocks(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const uint64_t ms[] = {32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10};
    static const uint32_t threads[] = {128, 256, 512, 1024};
    static const double shares[] = {0.1, 0.3, 0.6, 0.9, 1, 1.1, 1.4, 1.8, 2, 2.2, 2.6, 3, 3.5, 4, 4.7, 5, 6};
    if (i >= COUNT(ms) * COUNT(threads) * COUNT(shares))
        return 0;
    const size_t j = i / COUNT(shares);
    *out = bank_of(ms[j / COUNT(threads)], 6, 50000, share_of(shares[i % COUNT(shares)], machine->n_multiprocessors),
                   threads[j % COUNT(threads)]);
    return 1;
}

/* --- reads: [Ma12, Fig. 9] --- */

static int classify_blocks(size_t i, const tms_machine *machine, tms_workload *out)
{
    static const uint64_t ns[] = {(uint64_t)1 << 22, (uint64_t)1 << 24, (uint64_t)1 << 29};
    const size_t n_steps = 36;
    (void)machine;
    if (i >= COUNT(ns) * n_steps)
        return 0;
    *out = (tms_workload){.app = TMS_APP_CLASSIFY,
                          .op = TMS_OP_QUERY,
                          .n = ns[i / n_steps],
                          .m_bits = (uint64_t)(21.5 * (double)ns[i / n_steps]),
                          .D = 100000,
                          .length = 100,
                          .blocks = (uint32_t)lround(pow(9800, (double)(i % n_steps) / (double)(n_steps - 1)))};
    return 1;
}

/* --- strings: [Ong13], [thesis] --- */

static int strings(size_t i, tms_op op, tms_workload *out)
{
    static const uint64_t ms[] = {MIB, 6 * MIB, 24 * MIB, 48 * MIB, 96 * MIB, 384 * MIB, 3 * GIB / 2, 8 * GIB};
    static const uint32_t ks[] = {1, 2, 4, 7, 12, 24, 48, 96, 200, 350, 500};
    if (i >= COUNT(ms) * COUNT(ks))
        return 0;
    const uint32_t k = ks[i % COUNT(ks)];
    const uint64_t m_bits = ms[i / COUNT(ks)], most = ((uint64_t)1 << 28) / k;
    *out = (tms_workload){.app = TMS_APP_STRINGS,
                          .op = op,
                          .layout = TMS_LAYOUT_CLASSIC,
                          .k = k,
                          .m_bits = m_bits,
                          .n = (uint64_t)((double)m_bits * 0.6931 / k),
                          .D = most < ((uint64_t)1 << 24) ? most : (uint64_t)1 << 24,
                          .length = 12};
    if (op == TMS_OP_BUILD && out->D > out->n)
        out->D = out->n;
    return 1;
}

static int strings_build(size_t i, const tms_machine *machine, tms_workload *out)
{
    (void)machine;
    return strings(i, TMS_OP_BUILD, out);
}
static int strings_query(size_t i, const tms_machine *machine, tms_workload *out)
{
    (void)machine;
    return strings(i, TMS_OP_QUERY, out);
}
static int strings_present(size_t i, const tms_machine *machine, tms_workload *out)
{
    (void)machine;
    return strings(i, TMS_OP_QUERY_PRESENT, out);
}

/* --- the CPU: random accesses and strings --- */

/* 1, 2, 4 ... threads, and all; 0 beyond the last. */
static uint32_t cpu_threads(size_t i, const tms_machine *machine)
{
    const uint64_t threads = i < 32 ? (uint64_t)1 << i : UINT64_MAX, n = machine->n_processors;
    return threads < n ? (uint32_t)threads : i == 0 || threads / 2 < n ? (uint32_t)n : 0;
}

#define CPU_SIZE_STEPS 18

/* Tables of 4 KB to 8 GB, in steps other than octaves. */
static int cpu_random(size_t i, tms_op op, const tms_machine *machine, tms_workload *out)
{
    const double least = 4096, most = (double)((uint64_t)8 << 30), step = (double)(i % CPU_SIZE_STEPS) / (CPU_SIZE_STEPS - 1);
    *out = (tms_workload){.app = TMS_APP_RANDOM,
                          .op = op,
                          .on_cpu = 1,
                          .m_bits = (uint64_t)(least * pow(most / least, step)) / 32 * 32 * 8,
                          .n_threads_cpu = cpu_threads(i / CPU_SIZE_STEPS, machine)};
    out->D = (uint64_t)out->n_threads_cpu << (op == TMS_OP_OR ? 19 : 22);
    return out->n_threads_cpu > 0;
}

static int random_cpu(size_t i, const tms_machine *machine, tms_workload *out)
{
    return cpu_random(i / 2, i % 2 ? TMS_OP_READ32 : TMS_OP_READ4, machine, out);
}

static int random_cpu_or(size_t i, const tms_machine *machine, tms_workload *out) { return cpu_random(i, TMS_OP_OR, machine, out); }

/* Filters from 1 MB to 8 GB, blocked and classic of several k, by one thread, half of all, and all. */
static int cpu_strings(size_t i, tms_op op, const tms_machine *machine, tms_workload *out)
{
    static const uint64_t ms[] = {MIB, 6 * MIB, 24 * MIB, 96 * MIB, 384 * MIB, 3 * GIB / 2, 8 * GIB};
    static const uint32_t ks[] = {8, 1, 4, 12, 40}; /* the first: blocked */
    const uint32_t n = machine->n_processors, threads[] = {1, n, n / 2};
    const size_t n_sizes = COUNT(ms) * COUNT(ks);
    if (i >= n_sizes * (n > 3 ? 3 : n > 1 ? 2 : 1))
        return 0;
    const uint32_t k = ks[i % COUNT(ks)];
    *out = (tms_workload){.app = TMS_APP_STRINGS,
                          .op = op,
                          .on_cpu = 1,
                          .layout = i % COUNT(ks) ? TMS_LAYOUT_CLASSIC : TMS_LAYOUT_BLOCKED,
                          .k = k,
                          .m_bits = ms[i % n_sizes / COUNT(ks)],
                          .D = ((uint64_t)1 << 22) / (k > 4 ? k / 4 : 1),
                          .length = 12,
                          .n_threads_cpu = threads[i / n_sizes]};
    out->n = (uint64_t)((double)out->m_bits * 0.693147180559945 / k); /* half full */
    if (op == TMS_OP_BUILD && out->D > out->n)
        out->D = out->n;
    return 1;
}

static int cpu_strings_build(size_t i, const tms_machine *machine, tms_workload *out) { return cpu_strings(i, TMS_OP_BUILD, machine, out); }
static int cpu_strings_query(size_t i, const tms_machine *machine, tms_workload *out) { return cpu_strings(i, TMS_OP_QUERY, machine, out); }
static int cpu_strings_present(size_t i, const tms_machine *machine, tms_workload *out)
{
    return cpu_strings(i, TMS_OP_QUERY_PRESENT, machine, out);
}

/* --- all --- */

static const struct sweep {
    const char *name;
    tms_app app;
    int on_cpu;
    int (*workload)(size_t i, const tms_machine *machine, tms_workload *out);
} sweeps[] = {
    {"random-blocks", TMS_APP_RANDOM, 0, random_blocks},
    {"random-threads", TMS_APP_RANDOM, 0, random_threads},
    {"random-size", TMS_APP_RANDOM, 0, random_size},
    {"bank", TMS_APP_BANK, 0, bank_sizes},
    {"bank-blocks", TMS_APP_BANK, 0, bank_blocks},
    {"classify", TMS_APP_CLASSIFY, 0, classify_blocks},
    {"strings-build", TMS_APP_STRINGS, 0, strings_build},
    {"strings-query", TMS_APP_STRINGS, 0, strings_query},
    {"strings-present", TMS_APP_STRINGS, 0, strings_present},
    {"random-cpu", TMS_APP_RANDOM, 1, random_cpu},
    {"random-cpu-or", TMS_APP_RANDOM, 1, random_cpu_or},
    {"strings-cpu-build", TMS_APP_STRINGS, 1, cpu_strings_build},
    {"strings-cpu-query", TMS_APP_STRINGS, 1, cpu_strings_query},
    {"strings-cpu-present", TMS_APP_STRINGS, 1, cpu_strings_present},
};

const char *tms_sweep_name(size_t sweep) { return sweep < COUNT(sweeps) ? sweeps[sweep].name : NULL; }

tms_app tms_sweep_app(size_t sweep) { return sweep < COUNT(sweeps) ? sweeps[sweep].app : TMS_APP_RANDOM; }

int tms_sweep_on_cpu(size_t sweep) { return sweep < COUNT(sweeps) && sweeps[sweep].on_cpu; }

int tms_sweep_workload(size_t sweep, size_t i, const tms_machine *machine, tms_workload *out)
{
    memset(out, 0, sizeof *out);
    if (sweep >= COUNT(sweeps) ||
        (sweeps[sweep].on_cpu ? machine->n_processors == 0 : machine->n_multiprocessors == 0 || !machine->warp_size))
        return 0;
    if (sweeps[sweep].workload(i, machine, out))
        return 1;
    memset(out, 0, sizeof *out);
    return 0;
}
