/*
 * pool.h - a context's threads. A job is a number of tasks, which free threads take one by one, in ascending order.
 *
 * Why not OpenMP. Its threads wait for one another at the end of every loop, each with a fixed share: if another process keeps one of two
 * processors busy, the job takes twice as long as its slower share, and threads that spin while they wait take the processor from the
 * thread they wait for. Here the other threads do the tasks of a late thread, and the job ends without it. Besides, GNU's run-time library
 * ends the process if it cannot make a thread, hangs in a child after fork(), and takes its way of waiting from the environment alone,
 * before main().
 *
 * pool_run() makes the threads when the first job needs them, as many as the system allows: the caller alone can do any job. They sleep
 * between jobs, after looking for the next one for a short while. A child after fork() makes its own.
 */
#ifndef TMS_RUN_POOL_H
#define TMS_RUN_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pool;

struct pool *pool_create(void);       /* no threads yet; NULL if there is no memory */
void pool_destroy(struct pool *pool); /* NULL is fine */

/*
 * pool_start() - make the threads for jobs of n_threads now. Returns how many threads such a job has, including the caller: 1 ..
 * n_threads.
 */
int pool_start(struct pool *pool, int n_threads);

/*
 * pool_run() - call work(arg, task, thread) for task 0 .. n_tasks - 1, on at most n_threads threads: the caller, which is thread 0, and
 * others, numbered up to n_threads - 1. Returns when all tasks that have begun are done: true if these are all tasks.
 *   cancelled [in] once it is not 0, no further task begins; read atomically
 * Tasks begin in ascending order, so a task may wait for those before it. One job at a time: a task must not start a job on the same pool.
 */
typedef void pool_work(void *arg, size_t task, int thread);
bool pool_run(struct pool *pool, int n_threads, size_t n_tasks, pool_work *work, void *arg, const int *cancelled);

/*
 * pool_make_thread() - make a thread like those of a pool, which gets no signals but those of its own faults; joined with pthread_join().
 * Returns false if the system has none left.
 */
bool pool_make_thread(pthread_t *id, void *(*work)(void *), void *arg);

#ifdef __cplusplus
}
#endif
#endif
