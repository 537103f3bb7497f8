/*
 * blastp_gpu.c - subjects are gathered by all threads, as they are searched with, and copied piece by piece.
 */
#include "search/blastp_gpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/lower_to.h"
#include "score/matrix.h"
#include "seqdb/protein_letters.h"

enum {
    LEAST_BLOCK = 1 << 20, /* codes */
    PIECE_BYTES = 1 << 24, /* copied at once, unless a subject is longer */
    SUBJECTS_A_TASK = 256
};

static uint64_t letters_of(const tms_seqdb *db, uint64_t i)
{
    uint64_t n;

    (void)tms_seqdb_protein(db, i, &n);
    return n;
}

tms_status blastp_gpu_create(tms_context *ctx, const tms_seqdb *db, struct blastp_gpu **out)
{
    const size_t room = two_hit_gpu_room(ctx);
    struct blastp_gpu *gpu = calloc(1, sizeof *gpu);
    tms_seqdb_info info;
    size_t bytes = 1, most = room / 2, most_blocks;

    *out = NULL;
    tms_seqdb_get_info(db, &info);
    most = most < TWO_HIT_GPU_MOST_CODES ? most : TWO_HIT_GPU_MOST_CODES;
    most = most > LEAST_BLOCK ? most : LEAST_BLOCK; /* if that is too much, the memory says so */
    most_blocks = (size_t)((info.n_residues + info.n_sequences) / (most / 2) + 2);
    if (gpu == NULL || (gpu->firsts = calloc(most_blocks + 1, sizeof *gpu->firsts)) == NULL ||
        (gpu->blocks = calloc(most_blocks, sizeof(void *))) == NULL) {
        blastp_gpu_destroy(gpu);
        return context_fail_memory(ctx, "blocks of subjects", most_blocks * sizeof *gpu->firsts);
    }
    for (uint64_t i = 0; i < info.n_sequences; i++) {
        uint64_t n = letters_of(db, i) + 1;
        if (bytes + n > most && bytes > 1) {
            gpu->firsts[++gpu->n_blocks] = i;
            bytes = 1;
        }
        bytes += (size_t)n;
    }
    gpu->firsts[++gpu->n_blocks] = info.n_sequences;
    gpu->keeps_all = info.n_residues + info.n_sequences <= room;
    *out = gpu;
    return TMS_OK;
}

void blastp_gpu_destroy(struct blastp_gpu *gpu)
{
    if (gpu == NULL)
        return;
    for (size_t k = 0; k < gpu->n_blocks; k++)
        two_hit_gpu_subjects_destroy(gpu->blocks[k]);
    free(gpu->blocks);
    free(gpu->firsts);
    free(gpu);
}

/* Subjects on their way into a piece. */
struct gathering {
    const struct blastp_subjects *subjects;
    uint64_t first;         /* subject of the block */
    const uint32_t *starts; /* of the block's subjects */
    size_t from;            /* of the piece, in the block */
    uint8_t *to;            /* code starts[from] */
    atomic_uint_fast64_t damaged;
};

static void gather(void *arg, size_t first, size_t end)
{
    struct gathering *g = arg;

    for (size_t k = g->from + first; k < g->from + end; k++) {
        uint64_t n;
        const uint8_t *codes = tms_seqdb_protein(g->subjects->db, g->first + k, &n);
        uint8_t *to = g->to + (g->starts[k] - g->starts[g->from]);
        if (!protein_codes_are_sound(codes - 1, (size_t)n + 2))
            lower_to(&g->damaged, g->first + k);
        memcpy(to, codes, (size_t)n + 1);
        for (uint64_t i = 0; i < n && g->subjects->replaces_o; i++)
            to[i] = to[i] == CODE_O ? CODE_X : to[i];
    }
}

/* Subjects from .. end - 1 of the block. */
static tms_status put_piece(tms_context *ctx, struct gathering *g, size_t from, size_t end, struct two_hit_gpu_subjects *block)
{
    tms_status status;

    g->from = from;
    status = context_run_ranges(ctx, end - from, SUBJECTS_A_TASK, gather, g);
    if (status == TMS_OK && atomic_load(&g->damaged) != UINT64_MAX)
        status = TMS_E_FORMAT;
    if (status == TMS_OK)
        status = two_hit_gpu_subjects_put(ctx, block, g->to, g->starts[from], g->starts[end] - g->starts[from]);
    return status;
}

static tms_status put_all(tms_context *ctx, struct gathering *g, size_t n, struct two_hit_gpu_subjects *block)
{
    size_t most = PIECE_BYTES;
    void *memory;
    tms_status status;

    for (size_t i = 0; i < n; i++)
        most = g->starts[i + 1] - g->starts[i] > most ? g->starts[i + 1] - g->starts[i] : most;
    status = tms_host_alloc(ctx, most, &memory);
    g->to = memory;
    for (size_t from = 0, end; from < n && status == TMS_OK; from = end) {
        for (end = from + 1; end < n && g->starts[end + 1] - g->starts[from] <= most; end++)
            continue;
        status = put_piece(ctx, g, from, end, block);
    }
    tms_host_free(ctx, memory);
    return status == TMS_OK ? two_hit_gpu_subjects_finish(ctx, block) : status;
}

static tms_status load(tms_context *ctx, struct blastp_gpu *gpu, const struct blastp_subjects *subjects, size_t k, uint64_t *damaged)
{
    struct gathering g = {.subjects = subjects, .first = gpu->firsts[k]};
    size_t n = (size_t)(gpu->firsts[k + 1] - g.first);
    uint32_t *starts = malloc((n + 1) * sizeof *starts), at = 1;
    tms_status status;

    if (starts == NULL)
        return context_fail_memory(ctx, "places of subjects", (n + 1) * sizeof *starts);
    for (size_t i = 0; i < n; i++) {
        starts[i] = at;
        at += (uint32_t)letters_of(subjects->db, g.first + i) + 1;
    }
    starts[n] = at;
    g.starts = starts;
    atomic_init(&g.damaged, UINT64_MAX);
    status = two_hit_gpu_subjects_create(ctx, starts, n, &gpu->blocks[k]);
    if (status == TMS_OK)
        status = put_all(ctx, &g, n, gpu->blocks[k]);
    if (status != TMS_OK) {
        two_hit_gpu_subjects_destroy(gpu->blocks[k]);
        gpu->blocks[k] = NULL;
    }
    *damaged = atomic_load(&g.damaged);
    free(starts);
    return status;
}

tms_status blastp_gpu_block(tms_context *ctx, struct blastp_gpu *gpu, const struct blastp_subjects *subjects, size_t k, uint64_t *damaged,
                            const struct two_hit_gpu_subjects **out)
{
    tms_status status = TMS_OK;

    for (size_t i = 0; i < gpu->n_blocks && !gpu->keeps_all; i++)
        if (i != k) {
            two_hit_gpu_subjects_destroy(gpu->blocks[i]);
            gpu->blocks[i] = NULL;
        }
    if (gpu->blocks[k] == NULL)
        status = load(ctx, gpu, subjects, k, damaged);
    *out = gpu->blocks[k];
    return status;
}
