/*
 * gpu_align.h - the alignment tasks of a search with GPUs. If the program has a form for GPUs, each task goes through three stages: a
 * thread prepares it, a GPU aligns it together with others, and a thread completes it. Otherwise one thread does it all.
 */
#ifndef TMS_GPU_ALIGN_H
#define TMS_GPU_ALIGN_H

#include "search/gpu_blocks.h"
#include "search/search_state.h"

/* Tasks pass the stages in their order. */
struct gpu_align {
    tms_context *ctx; /* the search's own */
    struct search_state *s;
    pthread_mutex_t *lock;        /* guards what follows, and the search's list of tasks */
    pthread_cond_t *changed;      /* other threads may have got work */
    struct gpu_device *device;    /* the GPU that aligns; NULL: none does */
    size_t n_taken, n_prepared;   /* tasks that threads have begun to prepare; tasks that are prepared */
    size_t n_made;                /* tasks that the GPU has done */
    struct alignment_task *batch; /* tasks n_made .. are with the GPU; NULL: none */
    bool is_off;                  /* the GPU has no memory for a stream more, so it gets no batch */
};

/* gpu_align_init() - borrows all arguments. */
void gpu_align_init(tms_context *ctx, struct search_state *s, struct search_gpu *gpu, pthread_mutex_t *lock, pthread_cond_t *changed,
                    struct gpu_align *out);
void gpu_align_free(struct gpu_align *align);

/*
 * gpu_align_work() - does one piece of work; the caller holds the lock before and after. Returns false if there is none.
 *   is_scanned [in] no more tasks will be added
 *   status [out] TMS_OK; TMS_E_MEMORY; TMS_E_DEVICE, with a message in gpu_align_fault()
 */
bool gpu_align_work(struct gpu_align *align, int thread, bool is_scanned, tms_status *status);

/* gpu_align_fault() - the context that has the message of a failure. */
static inline const tms_context *gpu_align_fault(const struct gpu_align *align)
{
    return align->device->aligner != NULL ? align->device->aligner : align->ctx;
}

/* gpu_align_is_over() - whether all tasks that there are have been begun for the last time. */
static inline bool gpu_align_is_over(const struct gpu_align *align) { return align->s->n_aligned == align->s->n_tasks; }

#endif
