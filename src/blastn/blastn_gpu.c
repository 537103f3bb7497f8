/* blastn_gpu.c - one thread for each GPU takes its blocks, group by group. */
#include "blastn/blastn_gpu.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "blastn/blastn_setup.h"

/* Shares of a GPU's memory in eighths: the subjects, the table and the queries of a group, and the hits that pass. */
enum { PARTS = 8, BLOCK_PARTS = 3, WORDS_PARTS = 2, HITS_PARTS = 2 };

#define NO_BLOCK SIZE_MAX

struct sieve_device {
    tms_context *ctx;
    struct base_sieve_chunks *chunks; /* of block `held` */
    size_t held;
    size_t memory;      /* bytes that the search may use */
    bool is_descending; /* the next group begins with the last block, which is still there */
    tms_status status;
    uint64_t n_looked_up, n_present, n_hits;
    pthread_mutex_t lock;                /* for extensions; guards what follows */
    const struct blastn_lookup *extends; /* the group whose queries are there to be extended; NULL: none */
};

struct blastn_gpu {
    struct sieve_device *devices;
    size_t n_devices;
    tms_seqdb_range range;       /* the subjects */
    uint64_t *first_chunks;      /* of each subject, and the number of all */
    struct packed_bases *chunks; /* of all subjects, in their order */
    size_t *block_firsts;        /* the first chunk of each of the n_blocks blocks, and the number of all */
    size_t n_blocks;
    bool is_on;                      /* the context has its GPU: it loses it if the search goes on without */
    atomic_uint_fast32_t n_extended; /* chunks whose HSPs were extended: the GPUs take turns */
};

/* --- blocks --- */

/* Lists the chunks of all subjects. Those of a subject that is too long are left out: the scan refuses it. */
static bool list_chunks(const tms_seqdb *db, struct blastn_gpu *gpu)
{
    const uint64_t n_subjects = gpu->range.end - gpu->range.first;
    uint64_t n, at = 0;

    gpu->first_chunks = malloc((n_subjects + 1) * sizeof *gpu->first_chunks);
    if (gpu->first_chunks == NULL)
        return false;
    for (uint64_t i = 0; i < n_subjects; i++) {
        gpu->first_chunks[i] = at;
        (void)tms_seqdb_packed(db, gpu->range.first + i, &n);
        at += n <= INT32_MAX - CHUNK_BASES ? blastn_n_chunks(n) : 0;
    }
    gpu->first_chunks[n_subjects] = at;
    gpu->chunks = malloc((at + 1) * sizeof *gpu->chunks);
    gpu->block_firsts = malloc((at + 2) * sizeof *gpu->block_firsts);
    if (gpu->chunks == NULL || gpu->block_firsts == NULL)
        return false;
    for (uint64_t i = 0; i < n_subjects; i++) {
        const uint8_t *packed = tms_seqdb_packed(db, gpu->range.first + i, &n);
        for (uint64_t k = gpu->first_chunks[i], start = 0; k < gpu->first_chunks[i + 1]; k++, start += CHUNK_STEP)
            gpu->chunks[k] = (struct packed_bases){packed + start / 4, n - start > CHUNK_BASES ? CHUNK_BASES : (int)(n - start)};
    }
    return true;
}

/* Cuts blocks of about equal size: one for each GPU, or more where these do not fit. */
static void cut_blocks(struct blastn_gpu *gpu)
{
    const size_t n_chunks = gpu->first_chunks[gpu->range.end - gpu->range.first];
    size_t total = 0, most = SIZE_MAX, bytes = 0;

    for (size_t i = 0; i < gpu->n_devices; i++) {
        const size_t room = gpu->devices[i].memory / PARTS * BLOCK_PARTS;
        most = room < most ? room : most;
    }
    for (size_t k = 0; k < n_chunks; k++)
        total += base_sieve_chunk_bytes(gpu->chunks[k].n);
    most = total / gpu->n_devices + 1 < most ? total / gpu->n_devices + 1 : most;
    gpu->block_firsts[0] = 0;
    for (size_t k = 0; k < n_chunks; k++) {
        bytes += base_sieve_chunk_bytes(gpu->chunks[k].n);
        if (bytes >= most || k + 1 == n_chunks) {
            gpu->block_firsts[++gpu->n_blocks] = k + 1;
            bytes = 0;
        }
    }
}

static tms_status open_devices(tms_context *ctx, const struct search_gpu_limits *limits, struct blastn_gpu *gpu)
{
    tms_status status = TMS_OK;

    gpu->devices = calloc(limits->n_more + 1, sizeof *gpu->devices);
    if (gpu->devices == NULL)
        return context_fail_memory(ctx, "GPUs", (limits->n_more + 1) * sizeof *gpu->devices);
    gpu->n_devices = limits->n_more + 1;
    gpu->devices[0].ctx = ctx;
    for (size_t i = 0; i < gpu->n_devices; i++)
        pthread_mutex_init(&gpu->devices[i].lock, NULL);
    for (size_t i = 1; i < gpu->n_devices && status == TMS_OK; i++)
        status = search_gpu_open_private(ctx, limits->more[i - 1], &gpu->devices[i].ctx);
    for (size_t i = 0; i < gpu->n_devices && status == TMS_OK; i++) {
        struct sieve_device *device = &gpu->devices[i];
        device->held = NO_BLOCK;
        device->memory = base_sieve_free_bytes(device->ctx);
        if (limits->memory > 0 && limits->memory < device->memory)
            device->memory = (size_t)limits->memory;
    }
    return status;
}

tms_status blastn_gpu_create(tms_context *ctx, const struct search_subjects *subjects, const struct search_gpu_limits *limits,
                             struct blastn_gpu **out)
{
    struct blastn_gpu *gpu = calloc(1, sizeof *gpu);
    tms_status status;

    *out = NULL;
    if (gpu == NULL)
        return context_fail_memory(ctx, "GPUs", sizeof *gpu);
    gpu->range = search_subjects_range(subjects);
    status = open_devices(ctx, limits, gpu);
    if (status == TMS_OK && !list_chunks(subjects->db, gpu))
        status = context_fail(ctx, TMS_E_MEMORY, "out of memory for a search");
    if (status != TMS_OK) {
        blastn_gpu_destroy(gpu);
        return status;
    }
    cut_blocks(gpu);
    *out = gpu;
    return TMS_OK;
}

void blastn_gpu_destroy(struct blastn_gpu *gpu)
{
    if (gpu == NULL)
        return;
    for (size_t i = 0; i < gpu->n_devices; i++) {
        base_sieve_unload(gpu->devices[i].chunks);
        pthread_mutex_destroy(&gpu->devices[i].lock);
        if (i > 0)
            tms_context_destroy(gpu->devices[i].ctx);
    }
    free(gpu->devices);
    free(gpu->first_chunks);
    free(gpu->chunks);
    free(gpu->block_firsts);
    free(gpu);
}

/* --- sieving --- */

struct sieving {
    const struct blastn_gpu *gpu;
    struct search_state *s;
};

static tms_status hold(const struct blastn_gpu *gpu, struct sieve_device *device, size_t block)
{
    const size_t first = gpu->block_firsts[block];
    tms_status status;

    if (device->held == block)
        return TMS_OK;
    base_sieve_unload(device->chunks);
    device->chunks = NULL;
    device->held = NO_BLOCK;
    status = base_sieve_load(device->ctx, gpu->chunks + first, gpu->block_firsts[block + 1] - first, &device->chunks);
    if (status == TMS_OK)
        device->held = block;
    return status;
}

static tms_status sieve_block(const struct blastn_gpu *gpu, struct sieve_device *device, size_t block, const struct base_sieve_words *words,
                              struct base_sieved *out)
{
    tms_status status = hold(gpu, device, block);

    if (status == TMS_OK)
        status = base_sieve_run(device->ctx, device->chunks, words, device->memory / PARTS * HITS_PARTS, out);
    if (status != TMS_OK || out->is_left)
        return status;
    device->n_looked_up += out->n_looked_up;
    device->n_present += out->n_present;
    device->n_hits += out->n_hits;
    return TMS_OK;
}

static tms_status sieve_group(const struct blastn_gpu *gpu, struct sieve_device *device, struct blastn_lookup *lookup)
{
    const size_t number = (size_t)(device - gpu->devices), n = (gpu->n_blocks + gpu->n_devices - 1 - number) / gpu->n_devices;
    struct base_sieve_words *words;
    tms_status status = base_sieve_set_words(device->ctx, &lookup->bases, &words);

    for (size_t j = 0; j < n && status == TMS_OK; j++) {
        const size_t block = number + (device->is_descending ? n - 1 - j : j) * gpu->n_devices;
        status = sieve_block(gpu, device, block, words, &lookup->sieved[block]);
    }
    device->is_descending = !device->is_descending;
    base_sieve_words_free(words);
    return status;
}

/* Whether all GPUs can sieve for a group. */
static bool takes(const struct blastn_gpu *gpu, const struct base_lookup *bases)
{
    bool is_taken = base_sieve_takes(bases);

    for (size_t i = 0; i < gpu->n_devices && is_taken; i++)
        is_taken = base_sieve_words_bytes(bases) <= gpu->devices[i].memory / PARTS * WORDS_PARTS;
    return is_taken;
}

static void drive(void *arg, size_t task, int thread)
{
    const struct sieving *sieving = arg;
    struct sieve_device *device = &sieving->gpu->devices[task];

    (void)thread;
    device->status = TMS_OK;
    for (size_t i = 0; i < sieving->s->n_cpu_groups && device->status == TMS_OK; i++) {
        struct blastn_lookup *lookup = sieving->s->cpu_groups[i]->lookup;
        if (lookup->sieved != NULL)
            device->status = sieve_group(sieving->gpu, device, lookup);
    }
}

static tms_status report(tms_context *ctx, const struct blastn_gpu *gpu, struct search_counts *counts)
{
    for (size_t i = 0; i < gpu->n_devices; i++) {
        struct sieve_device *device = &gpu->devices[i];
        if (device->status != TMS_OK && i > 0)
            return context_fail(ctx, device->status, "cuda:%d: %s", tms_context_device(device->ctx), tms_context_message(device->ctx));
        if (device->status != TMS_OK)
            return device->status;
        counts->n_looked_up += device->n_looked_up;
        counts->n_present_on_gpu += device->n_present;
        counts->n_hits += device->n_hits;
        device->n_looked_up = device->n_present = device->n_hits = 0;
    }
    return TMS_OK;
}

tms_status blastn_sieve_groups(tms_context *ctx, struct search_state *s, struct search_counts *counts)
{
    struct blastn_gpu *gpu = blastn_setup_of(s->setup)->gpu;
    struct sieving sieving = {gpu, s};
    const double begun = clock_seconds();
    tms_status status;

    for (size_t i = 0; gpu != NULL && i < gpu->n_devices; i++)
        gpu->devices[i].extends = NULL; /* groups are new ones */
    if (gpu != NULL)
        gpu->is_on = ctx->gpu != NULL;
    if (gpu == NULL || ctx->gpu == NULL || s->subjects->masks != NULL)
        return TMS_OK;
    for (size_t i = 0; i < s->n_cpu_groups; i++) {
        struct blastn_lookup *lookup = s->cpu_groups[i]->lookup;
        if (!takes(sieving.gpu, &lookup->bases))
            continue;
        lookup->sieved = calloc(sieving.gpu->n_blocks + 1, sizeof *lookup->sieved);
        if (lookup->sieved == NULL)
            return context_fail_memory(ctx, "hits", (sieving.gpu->n_blocks + 1) * sizeof *lookup->sieved);
        lookup->n_sieved = sieving.gpu->n_blocks;
    }
    status = tms_context_run(ctx, sieving.gpu->n_devices, drive, &sieving);
    counts->seconds_sieve += clock_seconds() - begun;
    return status == TMS_OK ? report(ctx, sieving.gpu, counts) : status;
}

bool blastn_gpu_hits(const struct blastn_gpu *gpu, const struct blastn_lookup *lookup, uint64_t subject, int start,
                     const struct base_hit **hits, size_t *n)
{
    const size_t chunk = (size_t)gpu->first_chunks[subject - gpu->range.first] + (size_t)(start / CHUNK_STEP);
    const struct base_sieved *sieved;
    size_t block = 0, end = gpu->n_blocks, i;

    while (end - block > 1) {
        const size_t middle = block + (end - block) / 2;
        if (gpu->block_firsts[middle] <= chunk)
            block = middle;
        else
            end = middle;
    }
    sieved = &lookup->sieved[block];
    if (sieved->is_left)
        return false;
    i = chunk - gpu->block_firsts[block];
    *hits = sieved->hits + sieved->starts[i];
    *n = (size_t)(sieved->starts[i + 1] - sieved->starts[i]);
    return true;
}

/* --- gapped extension --- */

enum { LEAST = 128 /* extensions that a GPU makes */ };

/* The device's lock is held. */
static tms_status extend_on(struct sieve_device *device, const struct blastn_lookup *lookup, const struct gapped_costs *costs,
                            const struct base_gapped_batch *batch)
{
    tms_status status = TMS_OK;

    if (device->extends != lookup)
        status = base_gapped_gpu_set_queries(device->ctx, &lookup->bases.strands.queries);
    device->extends = status == TMS_OK ? lookup : NULL;
    return status == TMS_OK ? base_gapped_gpu_score(device->ctx, costs, batch) : status;
}

tms_status blastn_gpu_extend(struct blastn_gpu *gpu, const struct blastn_lookup *lookup, const struct gapped_costs *costs,
                             const struct base_gapped_batch *batch, bool *is_left)
{
    struct sieve_device *device;
    tms_status status;

    *is_left = gpu == NULL || !gpu->is_on || batch->n < LEAST || !base_gapped_gpu_takes(costs);
    if (*is_left)
        return TMS_OK;
    device = &gpu->devices[atomic_fetch_add(&gpu->n_extended, 1) % gpu->n_devices];
    *is_left = base_gapped_gpu_bytes((size_t)lookup->bases.strands.queries.n, CHUNK_BASES) > device->memory / PARTS;
    if (*is_left)
        return TMS_OK;
    pthread_mutex_lock(&device->lock);
    status = extend_on(device, lookup, costs, batch);
    if (status != TMS_OK && device != gpu->devices)
        status = context_fail(gpu->devices[0].ctx, status, "cuda:%d: %s", tms_context_device(device->ctx),
                              tms_context_message(device->ctx));
    pthread_mutex_unlock(&device->lock);
    return status;
}
