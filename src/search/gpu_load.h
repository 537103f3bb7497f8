/*
 * gpu_load.h - a block of subjects on its way to a GPU, piece by piece: threads gather pieces from the database at the same time,
 * and copy them one after the other.
 *
 * What is claimed and what is over is the caller's to guard: all that is not said to be for one thread or for many is called with one lock
 * held (gpu_schedule.c).
 */
#ifndef TMS_GPU_LOAD_H
#define TMS_GPU_LOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "search/gpu_blocks.h"

enum gpu_load_state {
    LOAD_IDLE,   /* there is no block under way */
    LOAD_BEGINS, /* a thread is at it; nobody else is */
    LOAD_COPIES, /* threads are at pieces, or may claim some */
    LOAD_ENDS    /* a thread is at it; nobody else is */
};

/* Of one GPU. Zeroed, and then gpu_load_init(). */
struct gpu_load {
    struct gpu_device *device;
    const struct search_subjects *subjects;
    const struct search_gpu *gpu;
    enum gpu_load_state state; /* this and the next three lines with the caller's lock */
    size_t block;              /* the GPU's j-th */
    size_t next, n_copying;    /* the subject that the next piece begins with; pieces that are claimed and not over */
    bool is_taken[GPU_LOAD_COPIES];
    uint64_t first;   /* subject of the block; this and the next line change in LOAD_BEGINS alone */
    uint32_t *starts; /* [n + 1] */
    size_t n, starts_capacity;
    pthread_mutex_t copying;      /* the loader's context is used by one thread at a time */
    atomic_uint_fast64_t damaged; /* the lowest number of a subject that is; UINT64_MAX: none */
};

void gpu_load_init(struct gpu_load *load, const struct search_subjects *subjects, const struct search_gpu *gpu, struct gpu_device *device);
void gpu_load_free(struct gpu_load *load);

/* gpu_load_is_held() - whether the GPU's block j is in its slot. */
bool gpu_load_is_held(const struct gpu_device *device, size_t j);

/* gpu_load_start() - LOAD_IDLE to LOAD_BEGINS: block j is to come, in the place of what its slot has. */
void gpu_load_start(struct gpu_load *load, size_t j);

/*
 * gpu_load_begin() - in LOAD_BEGINS, by one thread: positions of subjects, and space for them.
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE or TMS_E_FORMAT.
 */
tms_status gpu_load_begin(struct gpu_load *load);

/* A piece: subjects from .. end - 1 of the block. */
struct gpu_copy {
    size_t from, end, memory;
};

/* gpu_load_claim() - in LOAD_COPIES: the next piece, if there is one and memory for it. */
bool gpu_load_claim(struct gpu_load *load, struct gpu_copy *out);

/* gpu_load_copy() - a piece that was claimed; by many threads at once. Returns as gpu_load_begin(). */
tms_status gpu_load_copy(struct gpu_load *load, const struct gpu_copy *piece);

/* gpu_load_end_piece() - after that. */
void gpu_load_end_piece(struct gpu_load *load, const struct gpu_copy *piece);

/* gpu_load_is_copied() - in LOAD_COPIES: all pieces are over. */
bool gpu_load_is_copied(const struct gpu_load *load);

/* gpu_load_end() - in LOAD_ENDS, by one thread: the block is whole. Returns TMS_OK or TMS_E_DEVICE. */
tms_status gpu_load_end(struct gpu_load *load);

/* gpu_load_hold() - LOAD_ENDS to LOAD_IDLE: it is in its slot. */
void gpu_load_hold(struct gpu_load *load);

#endif
