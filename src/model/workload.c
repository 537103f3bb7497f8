/* workload.c - names and ranges of workloads, and the fill of their filters. */
#include "model/workload.h"

#include <math.h>

#define MAX_TABLE_BITS ((uint64_t)1 << 40)
#define MAX_DATA       ((uint64_t)1 << 40)
#define MAX_BANK_BITS  ((uint64_t)1 << 32)
#define MAX_BANK_K     16
#define MAX_CLASSIC_K  4096
#define MAX_BLOCKED_K  16
#define MAX_LENGTH     (1u << 20)
#define MAX_BLOCKS     ((1u << 31) - 1)
#define MAX_SUBS       ((uint64_t)1 << 24)

const char *tms_app_name(tms_app app)
{
    static const char *const names[] = {"random", "bank", "strings", "classify"};
    return (unsigned)app < sizeof names / sizeof *names ? names[app] : "?";
}

const char *tms_op_name(tms_op op)
{
    static const char *const names[] = {"read4", "read32", "or", "query", "present", "build"};
    return (unsigned)op < sizeof names / sizeof *names ? names[op] : "?";
}

static tms_status check_range(tms_context *ctx, const char *name, uint64_t value, uint64_t least, uint64_t most)
{
    if (value >= least && value <= most)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG, "%s = %llu: give %llu to %llu", name, (unsigned long long)value, (unsigned long long)least,
                        (unsigned long long)most);
}

static tms_status check_random(tms_context *ctx, const tms_workload *w)
{
    if ((unsigned)w->op > TMS_OP_OR)
        return context_fail(ctx, TMS_E_ARG, "random accesses are read4, read32 or or, not %s", tms_op_name(w->op));
    tms_status status = check_range(ctx, "the table's m, in bits,", w->m_bits, 8 * 1024, MAX_TABLE_BITS);
    return status == TMS_OK ? check_range(ctx, "threads T_r", w->threads, w->threads ? 32 : 0, 1024) : status;
}

static tms_status check_bank(tms_context *ctx, const tms_workload *w)
{
    if (w->op != TMS_OP_QUERY)
        return context_fail(ctx, TMS_E_ARG, "the model covers only queries of a bank, not %s", tms_op_name(w->op));
    tms_status status = check_range(ctx, "a vector's m, in bits,", w->m_bits, 64, MAX_BANK_BITS);
    if (status == TMS_OK)
        status = check_range(ctx, "hash functions k", w->k, 1, MAX_BANK_K);
    if (status == TMS_OK)
        status = check_range(ctx, "w-mers of a sub-query n", w->n, 1, MAX_BANK_BITS);
    if (status == TMS_OK)
        status = check_range(ctx, "w-mers of the query Q", w->Q, 1, MAX_DATA);
    if (status == TMS_OK)
        status = check_range(ctx, "sub-queries Q / n", workload_sub_queries(w), 1, MAX_SUBS);
    if (status == TMS_OK && w->threads % 32 != 0)
        return context_fail(ctx, TMS_E_ARG, "threads T_r = %u: give a multiple of 32 up to 1024", w->threads);
    return status == TMS_OK ? check_range(ctx, "threads T_r", w->threads, 0, 1024) : status;
}

static tms_status check_strings(tms_context *ctx, const tms_workload *w)
{
    if (w->op < TMS_OP_QUERY || w->op > TMS_OP_BUILD)
        return context_fail(ctx, TMS_E_ARG, "the model covers queries and building with strings, not %s", tms_op_name(w->op));
    if (w->layout != TMS_LAYOUT_CLASSIC && w->layout != TMS_LAYOUT_BLOCKED)
        return context_fail(ctx, TMS_E_ARG, "the model covers only classic and blocked filters of strings");
    if (w->layout == TMS_LAYOUT_BLOCKED && w->m_bits % TMS_BLOCK_BITS != 0)
        return context_fail(ctx, TMS_E_ARG, "m = %llu bits: a blocked filter needs a multiple of %d, such as %llu",
                            (unsigned long long)w->m_bits, TMS_BLOCK_BITS,
                            (unsigned long long)(w->m_bits / TMS_BLOCK_BITS + 1) * TMS_BLOCK_BITS);
    tms_status status = check_range(ctx, "the filter's m, in bits,", w->m_bits, 1024, MAX_TABLE_BITS);
    if (status == TMS_OK)
        status = check_range(ctx, "hash functions k", w->k, 1, w->layout == TMS_LAYOUT_CLASSIC ? MAX_CLASSIC_K : MAX_BLOCKED_K);
    if (status == TMS_OK)
        status = check_range(ctx, "keys n", w->n, 0, MAX_DATA);
    if (status == TMS_OK && w->threads > 1 && w->threads != 32)
        return context_fail(ctx, TMS_E_ARG, "threads per string: 1 or %d, not %u", 32, w->threads);
    return status == TMS_OK ? check_range(ctx, "bytes of a string", w->length, 1, MAX_LENGTH) : status;
}

static tms_status check_classify(tms_context *ctx, const tms_workload *w)
{
    if (w->op != TMS_OP_QUERY)
        return context_fail(ctx, TMS_E_ARG, "the model covers only queries with reads, not %s", tms_op_name(w->op));
    tms_status status = check_range(ctx, "the filter's m, in bits,", w->m_bits, 1024, MAX_TABLE_BITS);
    if (status == TMS_OK)
        status = check_range(ctx, "k-mers of the reference n", w->n, 1, MAX_DATA);
    return status == TMS_OK ? check_range(ctx, "bases of a read", w->length, 1, MAX_LENGTH) : status;
}

tms_status workload_check(tms_context *ctx, const tms_workload *w)
{
    tms_status status = check_range(ctx, "the data set's size D", w->D, 1, MAX_DATA);
    if (status == TMS_OK)
        status = check_range(ctx, "blocks B_r", w->blocks, 0, MAX_BLOCKS);
    if (status != TMS_OK)
        return status;
    if ((unsigned)w->place > TMS_PLACE_SHARED)
        return context_fail(ctx, TMS_E_ARG, "unknown place %d", (int)w->place);
    switch (w->app) {
    case TMS_APP_RANDOM:
        return check_random(ctx, w);
    case TMS_APP_BANK:
        return check_bank(ctx, w);
    case TMS_APP_STRINGS:
        return check_strings(ctx, w);
    case TMS_APP_CLASSIFY:
        return check_classify(ctx, w);
    }
    return context_fail(ctx, TMS_E_ARG, "unknown application %d", (int)w->app);
}

double workload_fill(const tms_workload *w)
{
    if (w->m_bits == 0)
        return 0;
    return -expm1((double)w->k * (double)w->n * log1p(-1 / (double)w->m_bits));
}

double workload_probes(const tms_workload *w)
{
    const double fill = workload_fill(w);
    double sum = 0, alive = 1;
    for (uint32_t j = 0; j < w->k && alive > 1e-12; j++, alive *= fill)
        sum += alive;
    return sum;
}
