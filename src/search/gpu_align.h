/*
 * gpu_align.h - the alignment tasks of a search with GPUs. If the program has a form for GPUs, each task goes through three stages: a
 * thread prepares it, a GPU aligns it together with others, and a thread completes it. Otherwise one thread does it all. Each GPU takes one
 * batch at a time.
 */
#ifndef TMS_GPU_ALIGN_H
#define TMS_GPU_ALIGN_H

#include "search/gpu_blocks.h"
#include "search/search_state.h"

/* A GPU that aligns. */
struct gpu_align_queue {
    struct gpu_device *device;
    struct alignment_task *batch; /* tasks `first` .. are with the GPU; NULL: none */
    size_t first;
    size_t n;    /* tasks that the GPU has been given */
    bool is_off; /* it has no memory for a stream more, so it gets a batch only if no other GPU can take it, and leaves it to the CPU */
};

/* Tasks pass the stages in their order, but for the batches of several GPUs, which end in any order. */
struct gpu_align {
    tms_context *ctx; /* the search's own */
    struct search_state *s;
    pthread_mutex_t *lock;           /* guards what follows, and the search's list of tasks */
    pthread_cond_t *changed;         /* other threads may have got work */
    struct gpu_align_queue *queues;  /* n_queues */
    size_t n_queues;                 /* 0: no GPU aligns */
    size_t n_taken, n_prepared;      /* tasks that threads have begun to prepare; tasks that are prepared */
    size_t n_begun, n_made;          /* tasks that a GPU has been given; tasks before the first that is with a GPU or before one */
    const struct gpu_device *failed; /* the GPU whose batch failed; NULL: none */
    double seconds;                  /* of all batches */
    bool sleeps;                     /* threads sleep while a GPU has their batch */
};

/* gpu_align_init() - borrows all arguments. Returns TMS_OK or TMS_E_MEMORY. */
tms_status gpu_align_init(tms_context *ctx, struct search_state *s, struct search_gpu *gpu, pthread_mutex_t *lock, pthread_cond_t *changed,
                          struct gpu_align *out);
void gpu_align_free(struct gpu_align *align);

/*
 * gpu_align_batch() - hands the next batch, if there is one, to a GPU that has none, and waits for it; the caller holds the lock before and
 * after. Returns false if there is no batch, or all GPUs have one.
 *   is_scanned [in] no more tasks will be added
 *   status [out] TMS_OK; TMS_E_MEMORY; TMS_E_DEVICE, with the GPU in align->failed and a message in gpu_align_fault()
 */
bool gpu_align_batch(struct gpu_align *align, bool is_scanned, tms_status *status);

/* gpu_align_work() - prepares or completes tasks; the caller holds the lock before and after. Returns false if there is none. */
bool gpu_align_work(struct gpu_align *align, int thread);

/* gpu_align_fault() - the context that has the message of a failure. */
static inline const tms_context *gpu_align_fault(const struct gpu_align *align)
{
    return align->failed->aligner != NULL ? align->failed->aligner : align->ctx;
}

/* gpu_align_is_over() - whether all tasks that there are have been begun for the last time. */
static inline bool gpu_align_is_over(const struct gpu_align *align) { return align->s->n_aligned == align->s->n_tasks; }

#endif
