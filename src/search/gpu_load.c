/*
 * gpu_load.c - a thread copies residues from the database into pinned memory and checks them. From there they go to the GPU on a stream
 * that no kernel of a scan waits for. Of translated subjects the bases are copied, and the GPU makes the residues.
 */
#include "search/gpu_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_min.h"
#include "score/matrix.h"
#include "search/subject_residues.h"
#include "seqdb/protein_decode.h"

enum { BUFFER_BYTES = 1 << 20 }; /* unless a subject is longer: then there is one buffer */

void gpu_load_init(struct gpu_load *load, const struct search_subjects *subjects, const struct search_gpu *gpu, struct gpu_device *device)
{
    memset(load, 0, sizeof *load);
    load->device = device;
    load->subjects = subjects;
    load->gpu = gpu;
    pthread_mutex_init(&load->copying, NULL);
    atomic_init(&load->damaged, UINT64_MAX);
}

/* Frees the buffers: blocks that stay on the GPU are copied only once. */
static void free_buffers(struct gpu_device *device)
{
    for (size_t i = 0; i < device->n_buffers; i++) {
        tms_host_free(device->loader, device->buffers[i]);
        device->buffers[i] = NULL;
    }
    device->n_buffers = 0;
}

void gpu_load_free(struct gpu_load *load)
{
    if (load->gpu->keeps_all)
        free_buffers(load->device);
    pthread_mutex_destroy(&load->copying);
    free(load->starts);
    gpu_frames_free(&load->frames);
}

static struct block_slot *slot_of(const struct gpu_device *device, size_t j) { return &device->slots[j % device->n_slots]; }

bool gpu_load_is_held(const struct gpu_device *device, size_t j) { return slot_of(device, j)->held == j; }

void gpu_load_start(struct gpu_load *load, size_t j)
{
    load->state = LOAD_BEGINS;
    load->block = j;
    load->next = 0;
    slot_of(load->device, j)->held = GPU_NO_BLOCK;
}

static tms_status fail_memory(const struct gpu_load *load)
{
    return context_fail_memory(load->device->loader, "positions of subjects", (load->n + 1) * sizeof *load->starts);
}

/* Places the block's proteins one after the other, with gaps between them. */
static tms_status place_proteins(struct gpu_load *load)
{
    uint64_t at = 1;

    for (size_t i = 0; i < load->n; i++) {
        uint64_t n;
        (void)tms_seqdb_protein(load->subjects->db, load->first + i, &n);
        if (n > SUBJECT_MAX_RESIDUES) {
            atomic_min(&load->damaged, load->first + i);
            return TMS_E_FORMAT;
        }
        load->starts[i] = (uint32_t)at;
        at += n + 1;
    }
    load->starts[load->n] = (uint32_t)at;
    return TMS_OK;
}

/* Places the bases of the block's subjects, and the pieces that are translated from them. */
static tms_status place_frames(struct gpu_load *load)
{
    uint64_t at = 0;

    if (!gpu_frames_clear(&load->frames))
        return fail_memory(load);
    for (size_t i = 0; i < load->n; i++) {
        const uint64_t n = tms_seqdb_length(load->subjects->db, load->first + i);
        if (n > SUBJECT_MOST_BASES || gpu_size_of(load->subjects, n, 1).codes >= TWO_HIT_GPU_MOST_CODES) {
            atomic_min(&load->damaged, load->first + i); /* longer than the longest */
            return TMS_E_FORMAT;
        }
        load->starts[i] = (uint32_t)at;
        if (!gpu_frames_add(&load->frames, load->gpu->word_size, (int)n, BASES_A_BYTE * at))
            return fail_memory(load);
        at += (n + BASES_A_BYTE - 1) / BASES_A_BYTE;
    }
    load->starts[load->n] = (uint32_t)at;
    return TMS_OK;
}

static bool is_translated(const struct gpu_load *load) { return load->subjects->codons != NULL; }

static tms_status place_subjects(struct gpu_load *load)
{
    const size_t k = search_gpu_block(load->gpu, load->device, load->block);

    load->first = load->gpu->firsts[k];
    load->n = (size_t)(load->gpu->firsts[k + 1] - load->first);
    if (!array_reserve(&load->starts, &load->starts_capacity, load->n + 1, sizeof *load->starts))
        return fail_memory(load);
    return is_translated(load) ? place_frames(load) : place_proteins(load);
}

/* Sets the number and the size of buffers: no more than the GPU's largest block needs. */
static void plan_buffers(struct gpu_load *load)
{
    struct gpu_device *device = load->device;
    const size_t longest = (size_t)gpu_size_of(load->subjects, load->gpu->longest, 1).copied;
    size_t n = GPU_LOAD_COPIES;

    if (device->n_buffers > 0)
        return;
    device->buffer_bytes = BUFFER_BYTES;
    if (longest > BUFFER_BYTES) {
        device->buffer_bytes = longest;
        n = 1;
    }
    if (device->most.copied < device->buffer_bytes)
        device->buffer_bytes = device->most.copied > 0 ? (size_t)device->most.copied : 1;
    if (device->most.copied / device->buffer_bytes < n)
        n = (size_t)(device->most.copied / device->buffer_bytes);
    device->n_buffers = n;
}

tms_status gpu_load_begin(struct gpu_load *load)
{
    struct gpu_device *device = load->device;
    struct two_hit_gpu_subjects **subjects = &slot_of(device, load->block)->subjects;
    const struct gpu_frames *frames = &load->frames;
    tms_status status = place_subjects(load);
    struct gpu_size size = device->most;

    plan_buffers(load);
    if (status != TMS_OK)
        return status;
    if (load->gpu->keeps_all && is_translated(load))
        size = (struct gpu_size){frames->starts[frames->n], frames->n, load->starts[load->n]};
    else if (load->gpu->keeps_all)
        size = (struct gpu_size){load->starts[load->n], load->n, 0};
    if (*subjects == NULL)
        status = two_hit_gpu_subjects_space(device->loader, load->gpu->word_size, (size_t)size.codes, (size_t)size.pieces,
                                            is_translated(load) ? (size_t)size.copied + 1 : 0, subjects);
    if (status != TMS_OK)
        return status;
    return is_translated(load) ? two_hit_gpu_subjects_begin(device->loader, *subjects, frames->starts, frames->n)
                               : two_hit_gpu_subjects_begin(device->loader, *subjects, load->starts, load->n);
}

/* Returns the end of the copy that begins with subject `from`. A copy has at least one subject. */
static size_t end_of_copy(const struct gpu_load *load, size_t from)
{
    const uint64_t most = (uint64_t)load->starts[from] + load->device->buffer_bytes;
    size_t low = from + 1, high = load->n;

    while (low < high) { /* subjects up to `low` fit into the buffer */
        const size_t middle = low + (high - low + 1) / 2;
        if (load->starts[middle] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool gpu_load_claim(struct gpu_load *load, struct gpu_copy *out)
{
    if (load->next == load->n)
        return false;
    for (size_t i = 0; i < load->device->n_buffers; i++) {
        if (load->is_taken[i])
            continue;
        *out = (struct gpu_copy){load->next, end_of_copy(load, load->next), i};
        load->is_taken[i] = true;
        load->next = out->end;
        load->n_copying++;
        return true;
    }
    return false;
}

/* Copies the bases of subject i. */
static void gather_bases(const struct search_subjects *subjects, uint64_t i, uint8_t *to)
{
    uint64_t n;
    const uint8_t *packed = tms_seqdb_packed(subjects->db, i, &n);

    memcpy(to, packed, (size_t)((n + BASES_A_BYTE - 1) / BASES_A_BYTE));
}

/* Copies the residues of subject i, as the scan uses them, and the gap after them. */
static bool gather(const struct search_subjects *subjects, uint64_t i, uint8_t *to)
{
    uint64_t n;
    const uint8_t *codes;

    if (subjects->codons != NULL) {
        gather_bases(subjects, i, to);
        return true;
    }
    codes = tms_seqdb_protein(subjects->db, i, &n);
    if (!protein_codes_are_sound(codes - 1, (size_t)n + 2))
        return false;
    memcpy(to, codes, (size_t)n + 1);
    for (uint64_t k = 0; k < n && subjects->replaces_o; k++)
        to[k] = to[k] == CODE_O ? CODE_X : to[k];
    return true;
}

/*
 * Allocates one pinned buffer. Pinning takes a millisecond for a few buffers, so each is made at its first use, while other threads gather
 * residues.
 */
static tms_status make_buffer(struct gpu_load *load, void **memory)
{
    tms_status status;

    if (*memory != NULL)
        return TMS_OK;
    pthread_mutex_lock(&load->copying);
    status = tms_host_alloc(load->device->loader, load->device->buffer_bytes, memory);
    pthread_mutex_unlock(&load->copying);
    return status;
}

tms_status gpu_load_copy(struct gpu_load *load, const struct gpu_copy *copy)
{
    struct gpu_device *device = load->device;
    const uint32_t *starts = load->starts;
    tms_status (*put)(tms_context *, struct two_hit_gpu_subjects *, const uint8_t *, size_t, size_t);
    tms_status status = make_buffer(load, &device->buffers[copy->buffer]);
    uint8_t *const memory = device->buffers[copy->buffer];

    if (status != TMS_OK)
        return status;
    for (size_t i = copy->from; i < copy->end; i++)
        if (!gather(load->subjects, load->first + i, memory + (starts[i] - starts[copy->from]))) {
            atomic_min(&load->damaged, load->first + i);
            return TMS_E_FORMAT;
        }
    pthread_mutex_lock(&load->copying);
    put = is_translated(load) ? two_hit_gpu_subjects_put_bases : two_hit_gpu_subjects_put;
    status = put(device->loader, slot_of(device, load->block)->subjects, memory, starts[copy->from],
                 starts[copy->end] - starts[copy->from]);
    pthread_mutex_unlock(&load->copying);
    return status;
}

void gpu_load_end_copy(struct gpu_load *load, const struct gpu_copy *copy)
{
    load->is_taken[copy->buffer] = false;
    load->n_copying--;
}

bool gpu_load_is_copied(const struct gpu_load *load) { return load->next == load->n && load->n_copying == 0; }

tms_status gpu_load_end(struct gpu_load *load)
{
    struct gpu_device *device = load->device;
    struct two_hit_gpu_subjects *subjects = slot_of(device, load->block)->subjects;
    tms_status status = TMS_OK;

    if (is_translated(load))
        status = two_hit_gpu_subjects_translate(device->loader, subjects, load->subjects->codons, load->frames.codons);
    return status == TMS_OK ? two_hit_gpu_subjects_finish(device->loader, subjects) : status;
}

void gpu_load_hold(struct gpu_load *load)
{
    slot_of(load->device, load->block)->held = load->block;
    load->state = LOAD_IDLE;
}
