/* predict_blastn.c - tms_model_blastn(): what a search of bases takes, by rates of each task. doc/model.md has their sources. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "tamis/blastn.h"
#include "tamis/model.h"

/* Of a CPU thread: seconds to look up a base of the database for a batch, even if nothing is hit; and for a pair of bases, mostly hits by
 * chance and their extensions. With a GPU: its seconds for the same, and the share of the pairs' seconds that remains the CPU's. */
static const struct {
    double scan, pair;
    bool is_for_gpu; /* false: a GPU does not take such words, so the CPU does everything */
    double gpu_scan, gpu_pair, remaining;
} tasks[] = {[TMS_TASK_MEGABLAST] = {0.5e-9, 1e-14, true, 0.03e-9, 0, 1},
             [TMS_TASK_BLASTN] = {3e-9, 2.5e-13, true, 0.07e-9, 1.5e-15, 0.2},
             [TMS_TASK_BLASTN_SHORT] = {.scan = 5e-9, .pair = 1.2e-11},
             [TMS_TASK_DC_MEGABLAST] = {.scan = 12e-9, .pair = 7e-14},
             [TMS_TASK_RMBLASTN] = {.scan = 3e-9, .pair = 2.5e-13}}; /* not measured: those of blastn */

#define TABLE_SECONDS     0.01   /* of a batch, on a thread */
#define GPU_TABLE_SECONDS 0.01   /* to copy it */
#define GPU_START_SECONDS 0.4    /* to start CUDA, and to end it */
#define GPU_COPY_SECONDS  0.2e-9 /* of a base of the database, once */

double tms_model_blastn(tms_blastn_task task, double query_bases, double n_batches, double subject_bases, int n_threads, int on_gpu)
{
    const double pairs = query_bases * subject_bases, threads = n_threads > 1 ? n_threads : 1;
    double seconds = (n_batches * (TABLE_SECONDS + tasks[task].scan * subject_bases) + tasks[task].pair * pairs) / threads;

    if (on_gpu && tasks[task].is_for_gpu)
        seconds = GPU_COPY_SECONDS * subject_bases +
                  n_batches * (TABLE_SECONDS / threads + GPU_TABLE_SECONDS + tasks[task].gpu_scan * subject_bases) +
                  (tasks[task].gpu_pair + tasks[task].remaining * tasks[task].pair / threads) * pairs;
    return fmin((on_gpu ? GPU_START_SECONDS : 0) + seconds, DBL_MAX);
}
