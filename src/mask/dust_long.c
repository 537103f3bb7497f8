/*
 * dust_long.c - cuts a long record where the result does not depend on it (dust_cut()); all threads mask the parts, and their intervals
 * are joined in order.
 *
 * An N becomes the record's next random base, which depends on all N before it. So a segment with an N is one part, and a single thread
 * masks all such segments in order.
 */
#include "mask/dust_long.h"

#include <stdlib.h>
#include <string.h>

#include "mask/dust.h"
#include "run/context.h"

enum { PART = 1 << 17 }; /* bases in a part, about two milliseconds */

enum { CODE_N = 14 };

struct dust_part {
    struct dust_segment segment;
    size_t from, to;
    bool has_n;
    struct intervals found;
};

struct encoding {
    const uint8_t *bases, *codes_of;
    uint8_t *codes;
};

static void encode(void *arg, size_t first, size_t end)
{
    const struct encoding *e = arg;

    for (size_t i = first; i < end; i++)
        e->codes[i] = e->codes_of[e->bases[i]];
}

/* A part that reuses the memory of an earlier one. */
static struct dust_part *next_part(struct dust_long *work, size_t n_used)
{
    if (n_used == work->n_parts) {
        if (!array_reserve(&work->parts, &work->parts_capacity, n_used + 1, sizeof *work->parts))
            return NULL;
        memset(&work->parts[n_used], 0, sizeof *work->parts);
        work->n_parts++;
    }
    return &work->parts[n_used];
}

/* Cuts the record into parts. Returns false if there is no memory. */
static bool plan(const tms_dust_params *params, size_t n, struct dust_long *work, size_t *n_used)
{
    struct dust_segment segment = {0, 0, 0};

    for (*n_used = 0; dust_next_segment(params, work->codes, n, &segment);) {
        const bool has_n = memchr(work->codes + segment.start, CODE_N, segment.end - segment.start) != NULL;
        size_t from = segment.start;
        do {
            struct dust_part *part = next_part(work, *n_used);
            if (!part)
                return false;
            part->segment = segment;
            part->from = from;
            part->has_n = has_n;
            part->to = has_n ? segment.end : dust_cut(params, work->codes, &segment, from + PART);
            part->found.n = 0;
            from = part->to;
            ++*n_used;
        } while (from < segment.end);
    }
    return true;
}

struct part_job {
    const tms_dust_params *params;
    struct dust_long *work;
    size_t n_parts, first_with_n;
    int no_memory; /* atomic */
};

/* The task of the first part with N masks all parts with N. */
static void mask_parts(void *arg, size_t task, int thread)
{
    struct part_job *job = arg;
    struct dust_part *parts = job->work->parts;
    struct lagged_random random = lagged_random_unseeded;
    bool has_n = parts[task].has_n;

    (void)thread;
    if (has_n && task != job->first_with_n)
        return;
    for (size_t i = task; i < job->n_parts; i++) {
        struct dust_part *part = &parts[i];
        if (i > task && !(has_n && part->has_n))
            continue;
        if (!dust_mask_part(job->params, job->work->codes, &part->segment, part->from, part->to, &random, &part->found))
            __atomic_store_n(&job->no_memory, 1, __ATOMIC_RELAXED);
        if (!has_n)
            break;
    }
}

static bool join(const tms_dust_params *params, const struct dust_long *work, size_t n_used, struct intervals *out)
{
    struct dust_list list = {out, out->n, params->linker, true};

    for (size_t i = 0; i < n_used; i++) {
        const struct dust_part *part = &work->parts[i];
        list.at_border |= part->from == part->segment.start;
        for (size_t k = 0; k < part->found.n; k++)
            if (!dust_list_add(&list, part->found.items[k].start, part->found.items[k].end))
                return false;
        if (part->to < part->segment.end || part->segment.run_end == part->segment.end)
            continue;
        list.at_border = true;
        if (!dust_list_add(&list, part->segment.end, part->segment.run_end))
            return false;
    }
    return true;
}

tms_status dust_mask_long(tms_context *ctx, const tms_dust_params *params, const uint8_t *bases, size_t n, const uint8_t codes_of[256],
                          struct dust_long *work, struct intervals *out)
{
    struct encoding encoding = {bases, codes_of, NULL};
    struct part_job job = {.params = params, .work = work};
    size_t n_used;
    tms_status status;

    if (!array_reserve(&work->codes, &work->codes_capacity, n, 1))
        return context_fail_memory(ctx, "the codes of a record", n);
    encoding.codes = work->codes;
    status = context_run_ranges(ctx, n, 4 * (size_t)PART, encode, &encoding);
    if (status == TMS_OK && !plan(params, n, work, &n_used))
        return context_fail_memory(ctx, "masks", n);
    if (status != TMS_OK)
        return status;
    job.n_parts = n_used;
    while (job.first_with_n < n_used && !work->parts[job.first_with_n].has_n)
        job.first_with_n++;
    status = tms_context_run(ctx, n_used, mask_parts, &job);
    if (status == TMS_OK && (job.no_memory || !join(params, work, n_used, out)))
        status = context_fail_memory(ctx, "masks", n);
    return status;
}

void dust_long_free(struct dust_long *work)
{
    for (size_t i = 0; i < work->n_parts; i++)
        free(work->parts[i].found.items);
    free(work->parts);
    free(work->codes);
}
