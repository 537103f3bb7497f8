/*
 * pool.h - a context's threads. A job is a number of tasks, which the threads that are free take one by one, in ascending order.
 *
 * Why not OpenMP. Its threads wait for one another at the end of every loop, each with its fixed share: if another process keeps one of
 * two processors busy, the job takes twice as long as its slower share, and threads that spin while they wait take the processor from
 * the one that is waited for. Here a thread that is late finds its tasks done by the others, and the job ends without it. Besides,
 * GNU's run-time ends the process if it cannot make a thread, hangs in a child after fork(), and has its waiting set by the environment
 * alone, before main().
 *
 * Threads are made when the first job needs them, as many as the system makes: the caller alone does any job. They sleep between jobs,
 * after a short while of looking for the next one. A child after fork() makes its own.
 */
#ifndef TMS_RUN_POOL_H
#define TMS_RUN_POOL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pool;

struct pool *pool_create(void);       /* no threads yet; NULL: no memory */
void pool_destroy(struct pool *pool); /* NULL is fine */

/* pool_start() - make the threads of a job of n_threads now. Returns how many threads a job then has, with the caller: 1 .. n_threads. */
int pool_start(struct pool *pool, int n_threads);

/*
 * pool_run() - work(arg, task, thread) for task 0 .. n_tasks - 1, on at most n_threads threads: the caller, which is thread 0, and others,
 * with numbers of their own up to n_threads - 1. Returns when all tasks that were begun are done, and whether these were all.
 *   cancelled [in] once it is not 0, no further task is begun; read atomically
 * Tasks begin in ascending order, so one may wait for those before it. One job at a time: a task starts none on the same pool.
 */
typedef void pool_work(void *arg, size_t task, int thread);
bool pool_run(struct pool *pool, int n_threads, size_t n_tasks, pool_work *work, void *arg, const int *cancelled);

#ifdef __cplusplus
}
#endif
#endif
