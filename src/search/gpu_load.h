/*
 * gpu_load.h - loads a block of subjects onto a GPU, in copies of some consecutive subjects each: several threads gather residues for their
 * copies at the same time, and send the copies to the GPU one after the other.
 *
 * The caller serialises these calls with one lock (gpu_schedule.c), except where a comment says that one thread or many threads make a call
 * without it.
 */
#ifndef TMS_GPU_LOAD_H
#define TMS_GPU_LOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "search/gpu_blocks.h"

enum gpu_load_state {
    LOAD_IDLE,   /* no block is being loaded */
    LOAD_BEGINS, /* one thread owns the load, and prepares it */
    LOAD_COPIES, /* threads claim and make copies */
    LOAD_ENDS    /* one thread owns the load, and completes it */
};

/* The loading of one GPU's blocks. Zero it, then call gpu_load_init(). */
struct gpu_load {
    struct gpu_device *device;
    const struct search_subjects *subjects;
    const struct search_gpu *gpu;
    enum gpu_load_state state; /* guarded by the caller's lock, as are block, next, n_copying and is_taken */
    size_t block;              /* number of the block among the GPU's blocks */
    size_t next, n_copying;    /* first subject of the next copy; number of copies that threads have claimed and not finished */
    bool is_taken[GPU_LOAD_COPIES];
    uint64_t first;   /* first subject of the block; first, starts and n change only in LOAD_BEGINS */
    uint32_t *starts; /* [n + 1] position of what is copied of each subject in what is copied of the block */
    size_t n, starts_capacity;
    struct gpu_frames frames;     /* of translated subjects */
    pthread_mutex_t copying;      /* held by the thread that uses the loader's context */
    atomic_uint_fast64_t damaged; /* the lowest number of a damaged subject; UINT64_MAX: none */
};

void gpu_load_init(struct gpu_load *load, const struct search_subjects *subjects, const struct search_gpu *gpu, struct gpu_device *device);
void gpu_load_free(struct gpu_load *load);

/* gpu_load_is_held() - whether block j of the GPU is in its slot. */
bool gpu_load_is_held(const struct gpu_device *device, size_t j);

/* gpu_load_start() - LOAD_IDLE to LOAD_BEGINS: begins to load block j, which replaces the block in its slot. */
void gpu_load_start(struct gpu_load *load, size_t j);

/*
 * gpu_load_begin() - in LOAD_BEGINS, by one thread without the lock: places the block's subjects and reserves device memory for them.
 * Returns TMS_OK, TMS_E_MEMORY, TMS_E_DEVICE or TMS_E_FORMAT.
 */
tms_status gpu_load_begin(struct gpu_load *load);

/* A part of a block that is copied at once: subjects from .. end - 1, gathered in the device's buffer number `buffer`. */
struct gpu_copy {
    size_t from, end, buffer;
};

/* gpu_load_claim() - in LOAD_COPIES: claims the next copy; false if all are claimed or no buffer is free. */
bool gpu_load_claim(struct gpu_load *load, struct gpu_copy *out);

/* gpu_load_copy() - makes a claimed copy; any number of threads, without the lock. Returns as gpu_load_begin(). */
tms_status gpu_load_copy(struct gpu_load *load, const struct gpu_copy *copy);

/* gpu_load_end_copy() - releases the buffer of a copy after gpu_load_copy(). */
void gpu_load_end_copy(struct gpu_load *load, const struct gpu_copy *copy);

/* gpu_load_is_copied() - in LOAD_COPIES: whether all copies are done. */
bool gpu_load_is_copied(const struct gpu_load *load);

/* gpu_load_end() - in LOAD_ENDS, by one thread without the lock: completes the block. Returns TMS_OK or TMS_E_DEVICE. */
tms_status gpu_load_end(struct gpu_load *load);

/* gpu_load_hold() - LOAD_ENDS to LOAD_IDLE: marks the block as held by its slot. */
void gpu_load_hold(struct gpu_load *load);

#endif
