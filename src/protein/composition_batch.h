/*
 * composition_batch.h - prepared subjects of many queries, aligned together on a GPU: their matrices, and the alignments of their first
 * HSPs, as composition_align.c would make them one by one, or traceback.c with the standard matrix.
 */
#ifndef TMS_COMPOSITION_BATCH_H
#define TMS_COMPOSITION_BATCH_H

#include <pthread.h>

#include "protein/composition_align.h"
#include "score/composition_cuda.h"

/* A few subjects of a query. Of its arrays only what is used is ever set. */
struct composition_task {
    struct composition_task *next;           /* in a pool */
    const struct composition_query *queries; /* the query, or its frames */
    bool has_frames;
    const struct subject_hits *hits; /* of the subjects, in the order in which they are prepared */
    struct composition_subjects subjects;
    enum composition_task_kind {
        TASK_LEFT,
        TASK_OPTIMISED,
        TASK_SCALED,
        TASK_STANDARD
    } kinds[COMPOSITION_SOLUTIONS];                       /* of each pair's matrix; left: the CPU's */
    double columns[COMPOSITION_SOLUTIONS][JOINT_LETTERS]; /* the subjects' shares, as the GPU needs them */
    bool is_made;                                         /* a GPU has made something: */
    struct composition_made made;
    uint8_t *results; /* memory of `made`, owned */
    size_t results_capacity;
};

/* Memory of tasks that are done, for the next ones, of all threads. */
struct composition_pool {
    pthread_mutex_t lock;
    struct composition_task *first;
};
void composition_pool_init(struct composition_pool *pool);
void composition_pool_destroy(struct composition_pool *pool); /* frees the tasks in it */

/* Reusable memory of a batch. All zero is empty. */
struct composition_batch {
    uint8_t *codes;
    double *rows, *shares;
    struct composition_gpu_pair *pairs;
    struct align_gpu_pair *sequences;
    struct align_gpu_start *starts;
    size_t codes_capacity, rows_capacity, shares_capacity, pairs_capacity, sequences_capacity, starts_capacity;
    size_t n_codes, n_queries, n_pairs, n_starts;
    const struct composition_query *query; /* of the last row, if it is that of a whole query; else NULL */
    uint32_t query_at;                     /* first code of the last row's query, or of its window */
    uint8_t *padded;                       /* codes of a query or a window, with a 0 before and after */
    size_t padded_capacity;
    struct hsp_list inside; /* the preliminary HSPs of a window */
    struct align_gpu_found found;
};
void composition_batch_free(struct composition_batch *batch);

/* composition_task_create() - a task without subjects, which borrows all arguments but the pool; NULL: out of memory. */
struct composition_task *composition_task_create(struct composition_pool *pool, const struct composition_query *queries, bool has_frames,
                                                 const struct subject_hits *hits);
void composition_task_end(struct composition_pool *pool, struct composition_task *task); /* gives it to the pool */

/* composition_task_choose() - after a task's subjects are prepared: sets kinds and columns. */
void composition_task_choose(const struct protein_setup *setup, struct composition_task *task);
void composition_task_free(struct composition_task *task); /* of a task in no pool */

/*
 * composition_batch_run() - aligns tasks on a GPU, in `bytes` of its memory. Those that do not fit, and all if there is no memory, or if
 * the GPU's logarithms are not the CPU's, are left without results.
 *   costs [in] of the final alignments; their scores are read without composition
 * Returns TMS_OK or TMS_E_DEVICE.
 */
tms_status composition_batch_run(struct composition_batch *batch, tms_context *ctx, const struct protein_setup *setup,
                                 const struct gapped_costs *costs, size_t bytes, struct composition_task *const *tasks, size_t n);

#endif
