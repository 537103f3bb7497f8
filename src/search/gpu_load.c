/*
 * gpu_load.c - a thread copies residues from the database into pinned memory and checks them. From there they go to the GPU on a stream
 * that no kernel of a scan waits for.
 */
#include "search/gpu_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_min.h"
#include "score/matrix.h"
#include "search/subject_residues.h"
#include "seqdb/protein_decode.h"

enum { BUFFER_BYTES = 1 << 21 }; /* unless a subject is longer: then there is one buffer */

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
}

bool gpu_load_is_held(const struct gpu_device *device, size_t j) { return device->held[j % device->n_slots] == j; }

void gpu_load_start(struct gpu_load *load, size_t j)
{
    load->state = LOAD_BEGINS;
    load->block = j;
    load->next = 0;
    load->device->held[j % load->device->n_slots] = GPU_NO_BLOCK;
}

/* Places the block's subjects one after the other, with gaps between them. */
static tms_status place_subjects(struct gpu_load *load)
{
    const size_t k = search_gpu_block(load->gpu, load->device, load->block);
    uint64_t at = 1;

    load->first = load->gpu->firsts[k];
    load->n = (size_t)(load->gpu->firsts[k + 1] - load->first);
    if (!array_reserve(&load->starts, &load->starts_capacity, load->n + 1, sizeof *load->starts))
        return context_fail_memory(load->device->loader, "positions of subjects", (load->n + 1) * sizeof *load->starts);
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

/* Sets the number and the size of buffers: no more than the GPU's largest block needs. */
static void plan_buffers(struct gpu_load *load)
{
    struct gpu_device *device = load->device;
    size_t n = GPU_LOAD_COPIES;

    if (device->n_buffers > 0)
        return;
    device->buffer_bytes = BUFFER_BYTES;
    if (load->gpu->longest + 1 > BUFFER_BYTES) {
        device->buffer_bytes = (size_t)load->gpu->longest + 1;
        n = 1;
    }
    if (device->most_codes < device->buffer_bytes)
        device->buffer_bytes = device->most_codes;
    if (device->most_codes / device->buffer_bytes < n)
        n = device->most_codes / device->buffer_bytes;
    device->n_buffers = n;
}

tms_status gpu_load_begin(struct gpu_load *load)
{
    struct gpu_device *device = load->device;
    struct two_hit_gpu_subjects **slot = &device->slots[load->block % device->n_slots];
    tms_status status = place_subjects(load);

    plan_buffers(load);
    if (status == TMS_OK && *slot == NULL && load->gpu->keeps_all)
        status = two_hit_gpu_subjects_space(device->loader, load->gpu->word_size, load->starts[load->n], load->n, slot);
    else if (status == TMS_OK && *slot == NULL)
        status = two_hit_gpu_subjects_space(device->loader, load->gpu->word_size, device->most_codes, device->most_subjects, slot);
    return status == TMS_OK ? two_hit_gpu_subjects_begin(device->loader, *slot, load->starts, load->n) : status;
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

/* Copies the residues of subject i, as the scan uses them, and the gap after them. */
static bool gather(const struct search_subjects *subjects, uint64_t i, uint8_t *to)
{
    uint64_t n;
    const uint8_t *codes = tms_seqdb_protein(subjects->db, i, &n);

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
    status = two_hit_gpu_subjects_put(device->loader, device->slots[load->block % device->n_slots], memory, starts[copy->from],
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

    return two_hit_gpu_subjects_finish(device->loader, device->slots[load->block % device->n_slots]);
}

void gpu_load_hold(struct gpu_load *load)
{
    load->device->held[load->block % load->device->n_slots] = load->block;
    load->state = LOAD_IDLE;
}
