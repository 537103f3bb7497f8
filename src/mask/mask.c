/*
 * mask.c - masks a batch: cuts the records into tasks with about the same number of residues, gives each task a list of its own, and joins
 * the lists in order.
 */
#include "tamis/mask.h"

#include <stdlib.h>
#include <string.h>

#include "base/extensible.h"
#include "mask/dust.h"
#include "mask/dust_long.h"
#include "mask/lower_case.h"
#include "mask/seg.h"
#include "run/context.h"
#include "tamis/alphabet.h"

STRUCT_ENDS_WITH(tms_seg_params, hicut);
STRUCT_ENDS_WITH(tms_dust_params, rule);

/* Residues in a task: about a millisecond. A longer record is a task of its own; with DUST a long record is several tasks. */
#define TASK_BYTES ((uint64_t)65536)
#define LONG_BYTES ((uint64_t)1 << 20)
_Static_assert(LONG_BYTES >= 2 * TASK_BYTES, "no other record begins in the range of the task after that of a long record");

static const tms_seg_params seg_defaults = TMS_SEG_QUERY;
static const tms_dust_params dust_defaults = TMS_DUST_AS_BLASTN;

enum { NCBISTDAA_X = 21, BLASTNA_GAP = 15 };

/* Scratch memory of one thread. */
struct worker {
    uint8_t *codes;
    size_t codes_capacity;
    struct seg *seg;
};

struct tms_masks {
    struct intervals all;
    uint64_t *starts;
    size_t n_records, starts_capacity;
    struct intervals *tasks;
    size_t n_tasks, tasks_capacity;
    struct worker *workers;
    size_t n_workers, workers_capacity;
    struct dust_long dust_long;
};

/* One call of a masking function. */
struct job {
    const tms_seqs *seqs;
    tms_masks *masks;
    uint8_t codes[256]; /* the code of each character */
    const tms_seg_params *seg;
    const tms_dust_params *dust; /* seg and dust are both NULL for lower case */
    uint64_t long_bytes;         /* mask_long_records() masks the records with this many residues or more */
    int no_memory;               /* 1: a thread found no memory; atomic */
};

/* The first record that begins at byte `at` of the batch or later. */
static size_t record_at(const tms_seqs *seqs, uint64_t at)
{
    size_t low = 0, high = seqs->n_records;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (seqs->residue_starts[middle] - seqs->residue_starts[0] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool mask_record(const struct job *job, struct worker *worker, const uint8_t *characters, size_t n, struct intervals *out)
{
    if (!job->seg && !job->dust)
        return lower_case_mask(characters, n, out);
    if (!array_reserve(&worker->codes, &worker->codes_capacity, n, 1))
        return false;
    for (size_t i = 0; i < n; i++)
        worker->codes[i] = job->codes[characters[i]];
    if (job->dust)
        return dust_mask(job->dust, worker->codes, n, out);
    if (!worker->seg && !(worker->seg = seg_create(job->seg)))
        return false;
    return seg_mask(worker->seg, worker->codes, n, out);
}

static void mask_task(void *arg, size_t task, int thread)
{
    struct job *job = arg;
    const tms_seqs *seqs = job->seqs;
    struct intervals *found = &job->masks->tasks[task];
    size_t end = record_at(seqs, (task + 1) * TASK_BYTES);

    found->n = 0;
    for (size_t i = record_at(seqs, task * TASK_BYTES); i < end; i++) {
        size_t before = found->n, n = tms_seqs_length(seqs, i);
        if (n >= job->long_bytes)
            break; /* a long record is the last one that begins in this task */
        if (!mask_record(job, &job->masks->workers[thread], seqs->residues + seqs->residue_starts[i], n, found)) {
            __atomic_store_n(&job->no_memory, 1, __ATOMIC_RELAXED);
            return;
        }
        job->masks->starts[i + 1] = found->n - before;
    }
}

/* Reserves memory and zeroes the new items, because items own memory. */
static bool reserve_zeroed(void *array, size_t *capacity, size_t n_before, size_t want, size_t item_size)
{
    void *items;

    if (!array_reserve(array, capacity, want, item_size))
        return false;
    memcpy(&items, array, sizeof items);
    if (want > n_before)
        memset((uint8_t *)items + n_before * item_size, 0, (want - n_before) * item_size);
    return true;
}

static bool prepare(tms_masks *masks, size_t n_records, size_t n_tasks, size_t n_workers)
{
    if (!array_reserve(&masks->starts, &masks->starts_capacity, n_records + 1, sizeof *masks->starts))
        return false;
    if (!reserve_zeroed(&masks->tasks, &masks->tasks_capacity, masks->n_tasks, n_tasks, sizeof *masks->tasks))
        return false;
    if (n_tasks > masks->n_tasks)
        masks->n_tasks = n_tasks;
    if (!reserve_zeroed(&masks->workers, &masks->workers_capacity, masks->n_workers, n_workers, sizeof *masks->workers))
        return false;
    if (n_workers > masks->n_workers)
        masks->n_workers = n_workers;
    return true;
}

/* Joins the tasks' lists, and records where the intervals of each record begin. */
static bool join(tms_masks *masks, size_t n_tasks)
{
    uint64_t n = 0;

    masks->starts[0] = 0;
    for (size_t i = 0; i < masks->n_records; i++)
        masks->starts[i + 1] += masks->starts[i];
    if (!array_reserve(&masks->all.items, &masks->all.capacity, masks->starts[masks->n_records], sizeof *masks->all.items))
        return false;
    for (size_t task = 0; task < n_tasks; task++) {
        const struct intervals *found = &masks->tasks[task];
        if (found->n > 0)
            memcpy(masks->all.items + n, found->items, found->n * sizeof *found->items);
        n += found->n;
    }
    masks->all.n = n;
    return true;
}

/*
 * Masks the long records. Each puts its intervals into the list of the task after the one in which it begins; that task has none of its
 * own.
 */
static tms_status mask_long_records(tms_context *ctx, const struct job *job)
{
    tms_masks *masks = job->masks;
    const tms_seqs *seqs = job->seqs;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < seqs->n_records && status == TMS_OK; i++) {
        uint64_t n = tms_seqs_length(seqs, i), start = seqs->residue_starts[i];
        struct intervals *found;
        if (n < job->long_bytes)
            continue;
        found = &masks->tasks[(start - seqs->residue_starts[0]) / TASK_BYTES + 1];
        status = dust_mask_long(ctx, job->dust, seqs->residues + start, n, job->codes, &masks->dust_long, found);
        masks->starts[i + 1] = found->n;
    }
    return status;
}

static tms_status mask_batch(tms_context *ctx, struct job *job)
{
    tms_masks *masks = job->masks;
    const tms_seqs *seqs = job->seqs;
    uint64_t n_bytes = seqs->n_records > 0 ? seqs->residue_starts[seqs->n_records] - seqs->residue_starts[0] : 0;
    size_t n_tasks = (size_t)((n_bytes + TASK_BYTES - 1) / TASK_BYTES);
    tms_status status;

    masks->n_records = 0;
    masks->all.n = 0;
    for (size_t i = 0; i < masks->n_workers; i++) { /* their tables are for other parameters */
        seg_destroy(masks->workers[i].seg);
        masks->workers[i].seg = NULL;
    }
    if (!prepare(masks, seqs->n_records, n_tasks, (size_t)tms_context_threads(ctx)))
        return context_fail_memory(ctx, "masks", n_bytes);
    job->long_bytes = job->dust && tms_context_threads(ctx) > 1 ? LONG_BYTES : UINT64_MAX;
    status = tms_context_run(ctx, n_tasks, mask_task, job);
    if (status == TMS_OK && job->long_bytes < UINT64_MAX && !job->no_memory)
        status = mask_long_records(ctx, job);
    if (status != TMS_OK)
        return status;
    masks->n_records = seqs->n_records;
    if (job->no_memory || !join(masks, n_tasks)) {
        masks->n_records = 0;
        return context_fail_memory(ctx, "masks", n_bytes);
    }
    return TMS_OK;
}

/* Sets the alphabet's codes; bytes outside the alphabet get `other`. */
static void set_codes(struct job *job, tms_alphabet alphabet, uint8_t other)
{
    const uint8_t *codes = tms_alphabet_codes(alphabet);

    for (unsigned c = 0; c < 256; c++)
        job->codes[c] = codes[c] == TMS_NO_CODE ? other : codes[c];
}

tms_status tms_mask_seg_sized(tms_context *ctx, const tms_seqs *seqs, const tms_seg_params *params, size_t params_size, tms_masks *masks)
{
    tms_seg_params p = seg_defaults;
    struct job job = {.seqs = seqs, .masks = masks, .seg = &p};

    if (params && (!struct_in(&p, sizeof p, params, params_size) || p.reserved != 0))
        return context_fail_newer(ctx, "tms_seg_params");
    if (p.window < 1 || p.window > TMS_SEG_MAX_WINDOW)
        return context_fail(ctx, TMS_E_ARG, "a window of %u letters for SEG: give 1 to %d", (unsigned)p.window, TMS_SEG_MAX_WINDOW);
    if (!(p.locut >= 0 && p.hicut >= p.locut && p.hicut <= 20))
        return context_fail(ctx, TMS_E_ARG, "locut %g and hicut %g for SEG: give 0 to 20 bits, and a hicut that is not below locut",
                            p.locut, p.hicut);
    set_codes(&job, TMS_ALPHABET_NCBISTDAA, NCBISTDAA_X);
    return mask_batch(ctx, &job);
}

tms_status tms_mask_dust_sized(tms_context *ctx, const tms_seqs *seqs, const tms_dust_params *params, size_t params_size, tms_masks *masks)
{
    tms_dust_params p = dust_defaults;
    struct job job = {.seqs = seqs, .masks = masks, .dust = &p};

    if (params && !struct_in(&p, sizeof p, params, params_size))
        return context_fail_newer(ctx, "tms_dust_params");
    if (p.window < DUST_MIN_WINDOW || p.window > DUST_MAX_WINDOW)
        return context_fail(ctx, TMS_E_ARG, "a window of %u letters for DUST: give %d to %d", (unsigned)p.window, DUST_MIN_WINDOW,
                            DUST_MAX_WINDOW);
    if (p.level < DUST_MIN_LEVEL || p.level > DUST_MAX_LEVEL)
        return context_fail(ctx, TMS_E_ARG, "level %u for DUST: give %d to %d", (unsigned)p.level, DUST_MIN_LEVEL, DUST_MAX_LEVEL);
    if (p.linker < DUST_MIN_LINKER || p.linker > DUST_MAX_LINKER)
        return context_fail(ctx, TMS_E_ARG, "linker %u for DUST: give %d to %d", (unsigned)p.linker, DUST_MIN_LINKER, DUST_MAX_LINKER);
    if (p.rule > TMS_DUST_DUSTMASKER)
        return context_fail(ctx, TMS_E_ARG, "rule %u for DUST: there is no such tms_dust_rule", (unsigned)p.rule);
    set_codes(&job, TMS_ALPHABET_BLASTNA, BLASTNA_GAP);
    return mask_batch(ctx, &job);
}

tms_status tms_mask_lower_case(tms_context *ctx, const tms_seqs *seqs, tms_masks *masks)
{
    struct job job = {.seqs = seqs, .masks = masks};

    return mask_batch(ctx, &job);
}

tms_status tms_masks_create(tms_context *ctx, tms_masks **out)
{
    tms_masks *masks = calloc(1, sizeof *masks);

    *out = NULL;
    if (!masks || !prepare(masks, 0, 0, 0)) {
        tms_masks_destroy(masks);
        return context_fail_memory(ctx, "masks", sizeof *masks);
    }
    masks->starts[0] = 0;
    *out = masks;
    return TMS_OK;
}

void tms_masks_destroy(tms_masks *masks)
{
    if (!masks)
        return;
    for (size_t i = 0; i < masks->n_tasks; i++)
        free(masks->tasks[i].items);
    for (size_t i = 0; i < masks->n_workers; i++) {
        free(masks->workers[i].codes);
        seg_destroy(masks->workers[i].seg);
    }
    dust_long_free(&masks->dust_long);
    free(masks->all.items);
    free(masks->starts);
    free(masks->tasks);
    free(masks->workers);
    free(masks);
}

tms_mask_list tms_masks_list(const tms_masks *masks) { return (tms_mask_list){masks->n_records, masks->all.items, masks->starts}; }
