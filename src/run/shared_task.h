/*
 * shared_task.h - tasks that other threads help with. A long task offers its work; threads that find no further task in the job take part.
 *
 * The job has, after its own tasks, further ones that only call shared_tasks_help(). Tasks begin in ascending order and those that have
 * begun end, so helpers wait for tasks that are under way.
 */
#ifndef TMS_SHARED_TASK_H
#define TMS_SHARED_TASK_H

#include <pthread.h>
#include <stddef.h>

/*
 * What a task offers: a thread that calls work(arg, thread) takes a share of the work after the other, until none is left to be taken. So
 * several threads call it at the same time.
 */
struct shared_task {
    void (*work)(void *arg, int thread);
    void *arg;
    size_t n_helping; /* 0 at first */
    struct shared_task *next;
};

/* The tasks of a job that have not ended, and what they offer. */
struct shared_tasks {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    size_t n_left;
    struct shared_task *offered;
};

void shared_tasks_init(struct shared_tasks *tasks); /* for jobs one after the other */
void shared_tasks_destroy(struct shared_tasks *tasks);

void shared_tasks_begin(struct shared_tasks *tasks, size_t n_tasks); /* before a job: it has this many tasks of its own */
void shared_tasks_end_one(struct shared_tasks *tasks);               /* at the end of each of them */

/* shared_tasks_do() - does a task's work together with threads that help. Returns when all of it is done. */
void shared_tasks_do(struct shared_tasks *tasks, struct shared_task *task, int thread);

/* shared_tasks_loop() - calls work(arg, i) for i = 0 .. n - 1 in the same way. tasks: NULL: nobody helps */
void shared_tasks_loop(struct shared_tasks *tasks, size_t n, void (*work)(void *arg, size_t i), void *arg, int thread);

/* shared_tasks_help() - helps with what is offered until all tasks of the job have ended. Returns the seconds of work. */
double shared_tasks_help(struct shared_tasks *tasks, int thread);

#endif
