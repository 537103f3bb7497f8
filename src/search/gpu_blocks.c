/* gpu_blocks.c - which GPUs a search has, how much of their memory it uses, and how it cuts the database into blocks. */
#include "search/gpu_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tamis/search.h"

#define LEAST_WORK_BYTES  ((size_t)16 << 20)
#define LEAST_ALIGN_BYTES ((size_t)128 << 20)
#define MOST_ALIGN_BYTES  ((size_t)2 << 30)

/* --- GPUs --- */

/* Whether two GPU numbers may name the same GPU; only in tests. */
static bool may_be_twins(void)
{
#if TMS_TEST_HOOKS
    return getenv("TAMIS_TEST_TWIN_GPUS") != NULL;
#else
    return false;
#endif
}

tms_status search_gpu_limits_check(tms_context *ctx, const struct search_gpu_limits *limits, bool awaits)
{
    if (limits->memory > 0 && limits->memory < TMS_SEARCH_LEAST_GPU_MEMORY)
        return context_fail(ctx, TMS_E_ARG, "%llu bytes of GPU memory: give %llu or more, or 0 for what is free",
                            (unsigned long long)limits->memory, (unsigned long long)TMS_SEARCH_LEAST_GPU_MEMORY);
    if (limits->n_more > 0 && ctx->gpu == NULL && !awaits)
        return context_fail(ctx, TMS_E_ARG, "more GPUs with a context on the CPU: set the context's device to one of them");
    if (limits->n_more >= TMS_MAX_GPUS)
        return context_fail(ctx, TMS_E_ARG, "%llu GPUs more: give %d at most", (unsigned long long)limits->n_more, TMS_MAX_GPUS - 1);
    for (size_t i = 0; i < limits->n_more; i++) {
        bool is_twin = limits->more[i] == tms_context_device(ctx);
        for (size_t k = 0; k < i; k++)
            is_twin |= limits->more[i] == limits->more[k];
        if (limits->more[i] < 0)
            return context_fail(ctx, TMS_E_ARG, "there is no GPU %d: they are counted from 0", (int)limits->more[i]);
        if (is_twin && !may_be_twins())
            return context_fail(ctx, TMS_E_ARG, "cuda:%d twice: give each GPU once", (int)limits->more[i]);
    }
    return TMS_OK;
}

/* Names the GPU in the message, as for cuda:I. */
static tms_status fail_to_open(tms_context *ctx, int index, const tms_context *private, tms_status status)
{
    char name[32];

    snprintf(name, sizeof name, "cuda:%d", index);
    if (strstr(tms_context_message(private), name) != NULL)
        return context_fail(ctx, status, "%s", tms_context_message(private));
    return context_fail(ctx, status, "%s: %s", name, tms_context_message(private));
}

tms_status search_gpu_open_private(tms_context *ctx, int index, tms_context **out)
{
    tms_status status = tms_context_create(out);

    if (status != TMS_OK)
        return context_fail_memory(ctx, "a context for another GPU", sizeof **out);
    tms_context_set_batch(*out, ctx->batch_keys);
    status = tms_context_set_threads(*out, 1);
    if (status == TMS_OK)
        status = tms_context_set_device(*out, index);
    if (status != TMS_OK) {
        (void)fail_to_open(ctx, index, *out, status);
        tms_context_destroy(*out);
        *out = NULL;
    }
    return status;
}

static tms_status open_devices(tms_context *ctx, const struct search_gpu_limits *limits, struct search_gpu *gpu)
{
    tms_status status = TMS_OK;

    gpu->devices = calloc(limits->n_more + 1, sizeof *gpu->devices);
    if (gpu->devices == NULL)
        return context_fail_memory(ctx, "GPUs", (limits->n_more + 1) * sizeof *gpu->devices);
    gpu->n_devices = limits->n_more + 1;
    gpu->devices[0].ctx = ctx;
    for (size_t i = 1; i < gpu->n_devices && status == TMS_OK; i++) {
        gpu->devices[i].number = i;
        status = search_gpu_open_private(ctx, limits->more[i - 1], &gpu->devices[i].ctx);
    }
    return status;
}

/* --- memory --- */

/*
 * The part of `memory` that scans may use: three eighths, so that memory is seldom too small for the results of a block, but no more than
 * scans need.
 */
static size_t work_bytes_of(size_t memory)
{
    const size_t part = memory / 8 * 3 > LEAST_WORK_BYTES ? memory / 8 * 3 : LEAST_WORK_BYTES;

    return part < TWO_HIT_GPU_WORK_BYTES ? part : TWO_HIT_GPU_WORK_BYTES;
}

/* The part of `memory` that alignments may use: an eighth, unless that is too little for them. */
static size_t align_bytes_of(size_t memory)
{
    const size_t part = memory / 8 < MOST_ALIGN_BYTES ? memory / 8 : MOST_ALIGN_BYTES;

    return part < LEAST_ALIGN_BYTES ? 0 : part;
}

/* The part of `memory` that blocks may use. A sixteenth is kept for what the driver rounds up. */
static size_t room_of(size_t memory) { return memory - memory / 16 - work_bytes_of(memory) - align_bytes_of(memory); }

/* Sets the memory that scans and alignments may use. Returns the memory for blocks on each GPU. */
static size_t divide_memory(const struct search_gpu_limits *limits, struct search_gpu *gpu)
{
    size_t room = SIZE_MAX;

    for (size_t i = 0; i < gpu->n_devices; i++) {
        struct gpu_device *device = &gpu->devices[i];
        size_t memory = two_hit_gpu_free_bytes(device->ctx);
        if (limits->memory > 0 && limits->memory < memory)
            memory = (size_t)limits->memory;
        if (memory < TMS_SEARCH_LEAST_GPU_MEMORY) /* a GPU with less memory fails later, when the memory is reserved */
            memory = TMS_SEARCH_LEAST_GPU_MEMORY;
        device->work_bytes = work_bytes_of(memory);
        device->align_bytes = align_bytes_of(memory);
        room = room_of(memory) < room ? room_of(memory) : room;
    }
    return room;
}

/* --- blocks --- */

/* How to cut blocks: of equal size, n blocks or a few more, none larger than `most` bytes unless it is a single subject. */
struct cutting {
    uint64_t total, most; /* bytes */
    uint64_t n;
};

/* Device memory of subjects with so many letters. */
static uint64_t bytes_of(const struct search_subjects *subjects, int word_size, uint64_t n_letters, uint64_t n)
{
    const struct gpu_size size = gpu_size_of(subjects, n_letters, n);

    return gpu_size_bytes(subjects, word_size, &size);
}

static struct cutting plan_cutting(const struct search_subjects *subjects, const struct search_extent *extent, size_t room,
                                   struct search_gpu *gpu)
{
    const uint64_t total = bytes_of(subjects, gpu->word_size, extent->n_residues, extent->n_sequences), g = gpu->n_devices;
    const uint64_t fullest = two_hit_gpu_subjects_bytes(gpu->word_size, TWO_HIT_GPU_MOST_CODES, 0);
    struct cutting c = {.total = total, .most = room / 2};
    uint64_t each;

    /* each GPU's part must fit even with one subject more than its share */
    gpu->keeps_all = total / g + bytes_of(subjects, gpu->word_size, extent->longest, 1) <= room;
    if (gpu->keeps_all)
        c.most = SIZE_MAX;
    each = c.most - c.most / 16; /* so that few blocks end early because the next subject does not fit */
    if (each > fullest)
        each = fullest;
    c.n = (total / (each + 1) / g + 1) * g;
    return c;
}

static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Adds a block that ends with subject end - 1. size [in] with the gap before the first */
static bool add_block(struct search_gpu *gpu, uint64_t end, const struct gpu_size *size)
{
    struct gpu_device *device = &gpu->devices[gpu->n_blocks % gpu->n_devices];
    struct gpu_size *most = &device->most;

    if (!array_reserve(&gpu->firsts, &gpu->firsts_capacity, gpu->n_blocks + 2, sizeof *gpu->firsts))
        return false;
    *most = (struct gpu_size){greater(most->codes, size->codes), greater(most->pieces, size->pieces), greater(most->copied, size->copied)};
    device->n_blocks++;
    gpu->firsts[++gpu->n_blocks] = end;
    return true;
}

static tms_status cut(tms_context *ctx, const struct search_subjects *subjects, const struct cutting *c, struct search_gpu *gpu)
{
    const tms_seqdb_range range = search_subjects_range(subjects);
    const struct gpu_size none = {1, 0, 0};
    struct gpu_size size = none;
    uint64_t before = 0, bytes = 0;
    bool has_memory = array_reserve(&gpu->firsts, &gpu->firsts_capacity, 1, sizeof *gpu->firsts);

    if (has_memory)
        gpu->firsts[0] = range.first;
    for (uint64_t i = range.first; i < range.end && has_memory; i++) {
        const uint64_t n = tms_seqdb_length(subjects->db, i);
        const struct gpu_size one = gpu_size_of(subjects, n, 1);
        const uint64_t mine = gpu_size_bytes(subjects, gpu->word_size, &one);
        const bool is_whole = (double)before >= (double)c->total * (double)(gpu->n_blocks + 1) / (double)c->n;
        if (size.codes > 1 && (is_whole || bytes + mine > c->most || size.codes + one.codes > TWO_HIT_GPU_MOST_CODES)) {
            has_memory = add_block(gpu, i, &size);
            bytes = 0;
            size = none;
        }
        gpu->longest = greater(gpu->longest, n); /* the database's own number may be damaged */
        before += mine;
        bytes += mine;
        size = (struct gpu_size){size.codes + one.codes, size.pieces + one.pieces, size.copied + one.copied};
    }
    has_memory = has_memory && add_block(gpu, range.end, &size);
    return has_memory ? TMS_OK : context_fail_memory(ctx, "blocks of subjects", (gpu->n_blocks + 2) * sizeof *gpu->firsts);
}

/* Numbers the pieces of each block. They are the same as long as the search lives: rounds read them when their block has been replaced. */
static tms_status count_pieces(tms_context *ctx, const struct search_subjects *subjects, const struct search_extent *extent,
                               struct search_gpu *gpu)
{
    const size_t n = (size_t)(gpu->firsts[gpu->n_blocks] - gpu->firsts[0]) + gpu->n_blocks;
    uint32_t *to;

    gpu->n_residues = subjects->codons == NULL ? extent->n_residues : 0;
    if (subjects->codons == NULL)
        return TMS_OK;
    to = gpu->pieces = malloc((n + 1) * sizeof *gpu->pieces);
    if (gpu->pieces == NULL)
        return context_fail_memory(ctx, "pieces of subjects", n * sizeof *gpu->pieces);
    for (size_t k = 0; k < gpu->n_blocks; k++) {
        uint32_t piece = 0;
        for (uint64_t i = gpu->firsts[k]; i < gpu->firsts[k + 1]; i++) {
            const uint64_t n_bases = tms_seqdb_length(subjects->db, i);
            *to++ = piece;
            piece += gpu_frames_count(gpu->word_size, n_bases);
            gpu->n_residues += gpu_frames_residues(gpu->word_size, n_bases);
        }
        *to++ = piece;
    }
    return TMS_OK;
}

/* Allocates the slots for a GPU's blocks. */
static tms_status prepare_device(tms_context *ctx, const struct search_gpu *gpu, struct gpu_device *device)
{
    tms_status status = TMS_OK;

    device->n_slots = gpu->keeps_all || device->n_blocks < 2 ? device->n_blocks : 2;
    device->slots = calloc(device->n_slots + 1, sizeof *device->slots);
    if (device->slots == NULL)
        return context_fail_memory(ctx, "blocks of a GPU", device->n_slots * sizeof *device->slots);
    for (size_t i = 0; i < device->n_slots; i++)
        device->slots[i].held = GPU_NO_BLOCK;
    device->loader = device->ctx;
    if (device->n_blocks > 1)
        status = search_gpu_open_private(ctx, tms_context_device(device->ctx), &device->loader);
    return status;
}

/* Checks a limit of the memory: the longest subject must fit. */
static tms_status check_longest(tms_context *ctx, const struct search_subjects *subjects, const struct search_extent *extent,
                                const struct search_gpu_limits *limits, const struct cutting *c)
{
    const uint64_t mine = bytes_of(subjects, limits->word_size, extent->longest, 1);

    if (limits->memory == 0 || mine <= c->most)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG, "%llu bytes of GPU memory are too little for a sequence of %llu letters: allow %llu or more",
                        (unsigned long long)limits->memory, (unsigned long long)extent->longest,
                        (unsigned long long)(4 * mine + TMS_SEARCH_LEAST_GPU_MEMORY));
}

bool search_gpu_holds(const struct search_subjects *subjects)
{
    return gpu_size_of(subjects, search_subjects_extent(subjects).longest, 1).codes < TWO_HIT_GPU_MOST_CODES;
}

tms_status search_gpu_check(tms_context *ctx, const struct search_subjects *subjects, const struct search_gpu_limits *limits)
{
    struct search_gpu gpu = {.n_devices = limits->n_more + 1, .word_size = limits->word_size};
    struct search_extent extent;
    struct cutting c;

    if (limits->memory == 0)
        return TMS_OK;
    extent = search_subjects_extent(subjects);
    c = plan_cutting(subjects, &extent, room_of((size_t)limits->memory), &gpu);
    return check_longest(ctx, subjects, &extent, limits, &c);
}

tms_status search_gpu_create(tms_context *ctx, const struct search_subjects *subjects, const struct search_gpu_limits *limits,
                             struct search_gpu **out)
{
    struct search_gpu *gpu = calloc(1, sizeof *gpu);
    const struct search_extent extent = search_subjects_extent(subjects);
    struct cutting c;
    tms_status status;

    *out = NULL;
    if (gpu == NULL)
        return context_fail_memory(ctx, "the GPUs of a search", sizeof *gpu);
    gpu->word_size = limits->word_size;
    status = open_devices(ctx, limits, gpu);
    if (status == TMS_OK) {
        c = plan_cutting(subjects, &extent, divide_memory(limits, gpu), gpu);
        status = check_longest(ctx, subjects, &extent, limits, &c);
    }
    if (status == TMS_OK)
        status = cut(ctx, subjects, &c, gpu);
    if (status == TMS_OK)
        status = count_pieces(ctx, subjects, &extent, gpu);
    for (size_t i = 0; i < gpu->n_devices && status == TMS_OK; i++)
        status = prepare_device(ctx, gpu, &gpu->devices[i]);
    if (status == TMS_OK)
        *out = gpu;
    else
        search_gpu_destroy(gpu);
    return status;
}

static void close_device(struct gpu_device *device)
{
    for (size_t i = 0; i < device->n_slots && device->slots != NULL; i++)
        two_hit_gpu_subjects_destroy(device->slots[i].subjects);
    for (size_t i = 0; i < GPU_LOAD_COPIES; i++)
        tms_host_free(device->ctx, device->buffers[i]);
    free(device->slots);
    if (device->loader != device->ctx)
        tms_context_destroy(device->loader);
    tms_context_destroy(device->aligner);
    if (device->number > 0) /* the first GPU's context is the search's own */
        tms_context_destroy(device->ctx);
}

void search_gpu_destroy(struct search_gpu *gpu)
{
    if (gpu == NULL)
        return;
    for (size_t i = 0; i < gpu->n_devices; i++)
        close_device(&gpu->devices[i]);
    free(gpu->devices);
    free(gpu->firsts);
    free(gpu->pieces);
    free(gpu);
}

bool search_gpu_takes(const struct search_gpu *gpu, const struct two_hit_gpu_tables *tables)
{
    bool takes = true;

    for (size_t i = 0; i < gpu->n_devices && takes; i++)
        takes = two_hit_gpu_takes(gpu->devices[i].ctx, tables, gpu->devices[i].work_bytes);
    return takes;
}
