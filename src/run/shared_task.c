/* shared_task.c - see shared_task.h. */
#include "run/shared_task.h"

#include <stdatomic.h>

#include "base/clock.h"

void shared_tasks_init(struct shared_tasks *tasks)
{
    pthread_mutex_init(&tasks->lock, NULL);
    pthread_cond_init(&tasks->changed, NULL);
    tasks->n_left = 0;
    tasks->offered = NULL;
}

void shared_tasks_destroy(struct shared_tasks *tasks)
{
    pthread_cond_destroy(&tasks->changed);
    pthread_mutex_destroy(&tasks->lock);
}

void shared_tasks_begin(struct shared_tasks *tasks, size_t n_tasks) { tasks->n_left = n_tasks; }

void shared_tasks_end_one(struct shared_tasks *tasks)
{
    pthread_mutex_lock(&tasks->lock);
    if (--tasks->n_left == 0)
        pthread_cond_broadcast(&tasks->changed);
    pthread_mutex_unlock(&tasks->lock);
}

/* Ends an offer, if another thread has not ended it already. */
static void withdraw(struct shared_tasks *tasks, const struct shared_task *task)
{
    struct shared_task **link = &tasks->offered;

    while (*link != NULL && *link != task)
        link = &(*link)->next;
    if (*link != NULL)
        *link = task->next;
}

void shared_tasks_do(struct shared_tasks *tasks, struct shared_task *task, int thread)
{
    pthread_mutex_lock(&tasks->lock);
    task->next = tasks->offered;
    tasks->offered = task;
    pthread_cond_broadcast(&tasks->changed);
    pthread_mutex_unlock(&tasks->lock);
    task->work(task->arg, thread);
    pthread_mutex_lock(&tasks->lock);
    withdraw(tasks, task);
    while (task->n_helping > 0)
        pthread_cond_wait(&tasks->changed, &tasks->lock);
    pthread_mutex_unlock(&tasks->lock);
}

struct loop {
    size_t n;
    void (*work)(void *arg, size_t i);
    void *arg;
    atomic_size_t next;
};

static void do_some(void *arg, int thread)
{
    struct loop *loop = arg;

    (void)thread;
    for (size_t i; (i = atomic_fetch_add(&loop->next, 1)) < loop->n;)
        loop->work(loop->arg, i);
}

void shared_tasks_loop(struct shared_tasks *tasks, size_t n, void (*work)(void *arg, size_t i), void *arg, int thread)
{
    struct loop loop = {n, work, arg, 0};
    struct shared_task task = {.work = do_some, .arg = &loop};

    if (tasks != NULL && n > 1)
        shared_tasks_do(tasks, &task, thread);
    else
        do_some(&loop, thread);
}

static struct shared_task *with_fewest_helpers(const struct shared_tasks *tasks)
{
    struct shared_task *best = tasks->offered;

    for (struct shared_task *task = best; task != NULL; task = task->next)
        if (task->n_helping < best->n_helping)
            best = task;
    return best;
}

double shared_tasks_help(struct shared_tasks *tasks, int thread)
{
    double seconds = 0;

    pthread_mutex_lock(&tasks->lock);
    while (tasks->n_left > 0) {
        struct shared_task *task = with_fewest_helpers(tasks);
        double begun;
        if (task == NULL) {
            pthread_cond_wait(&tasks->changed, &tasks->lock);
            continue;
        }
        task->n_helping++;
        pthread_mutex_unlock(&tasks->lock);
        begun = clock_seconds();
        task->work(task->arg, thread);
        seconds += clock_seconds() - begun;
        pthread_mutex_lock(&tasks->lock);
        withdraw(tasks, task); /* none of its work is left to be taken */
        if (--task->n_helping == 0)
            pthread_cond_broadcast(&tasks->changed);
    }
    pthread_mutex_unlock(&tasks->lock);
    return seconds;
}
