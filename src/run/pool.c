#include "run/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#define MAX_WORKERS 1023
#define STACK_BYTES ((size_t)2 << 20)
/* How often a worker looks for the next job before it sleeps: about 20 us, twice what waking a thread costs. */
#define LOOKS 400

struct job {
    pool_work *work;
    void *arg;
    size_t n_tasks;
    int n_threads;
    const int *cancelled;
};

struct worker {
    struct pool *pool;
    int thread;
    pthread_t id;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pid_t process; /* the process that owns the threads */
    struct worker workers[MAX_WORKERS];
    int n_workers;
    bool is_full; /* 1: the system refuses to make more threads */
    struct job job;
    unsigned long n_jobs; /* jobs begun so far: a worker that knows of fewer looks at the current one */
    bool is_open;         /* workers may join the job */
    bool is_closing;      /* pool_destroy() is closing the pool */
    int n_working;        /* workers in the job */
    size_t next;          /* next task to take; atomic */
};

static void look_again(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void do_tasks(struct pool *pool, const struct job *job, int thread)
{
    /* A thread completes every task that it takes, because others may wait for it. So the order of the two conditions matters. */
    for (size_t task; !__atomic_load_n(job->cancelled, __ATOMIC_RELAXED) &&
                      (task = __atomic_fetch_add(&pool->next, 1, __ATOMIC_RELAXED)) < job->n_tasks;)
        job->work(job->arg, task, thread);
}

static void *worker_main(void *arg)
{
    const struct worker *worker = arg;
    struct pool *pool = worker->pool;
    unsigned long seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->n_jobs == seen && !pool->is_closing)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->is_closing)
            break;
        seen = pool->n_jobs;
        if (!pool->is_open || worker->thread >= pool->job.n_threads)
            continue;
        struct job job = pool->job;
        __atomic_store_n(&pool->n_working, pool->n_working + 1, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&pool->lock);
        do_tasks(pool, &job, worker->thread);
        pthread_mutex_lock(&pool->lock);
        __atomic_store_n(&pool->n_working, pool->n_working - 1, __ATOMIC_RELAXED);
        if (pool->n_working == 0)
            pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
        for (int i = 0; i < LOOKS && __atomic_load_n(&pool->n_jobs, __ATOMIC_RELAXED) == seen; i++)
            look_again();
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct pool *pool_create(void)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->process = getpid();
    return pool;
}

/* In a child after fork() the threads no longer exist, and one of them may have held the lock. */
static void adopt(struct pool *pool)
{
    pid_t process = getpid();
    if (pool->process == process)
        return;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->process = process;
    pool->n_workers = pool->n_working = 0;
    pool->is_open = pool->is_full = false;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    adopt(pool);
    pthread_mutex_lock(&pool->lock);
    pool->is_closing = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->n_workers; i++)
        pthread_join(pool->workers[i].id, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* The program's own threads handle signals; but a fault's signal goes to the thread that caused it. */
static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

bool pool_make_thread(pthread_t *id, void *(*work)(void *), void *arg)
{
    pthread_attr_t attributes;
    sigset_t before;
    bool is_made;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    block_signals(&before);
    is_made = pthread_create(id, &attributes, work, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return is_made;
}

static bool add_worker(struct pool *pool)
{
    struct worker *worker = &pool->workers[pool->n_workers];
    *worker = (struct worker){.pool = pool, .thread = pool->n_workers + 1};
    if (!pool_make_thread(&worker->id, worker_main, worker))
        return false;
    pool->n_workers++;
    return true;
}

int pool_start(struct pool *pool, int n_threads)
{
    adopt(pool);
    if (n_threads > MAX_WORKERS + 1)
        n_threads = MAX_WORKERS + 1;
    while (pool->n_workers + 1 < n_threads && !pool->is_full)
        pool->is_full = !add_worker(pool);
    return pool->n_workers + 1 < n_threads ? pool->n_workers + 1 : n_threads;
}

bool pool_run(struct pool *pool, int n_threads, size_t n_tasks, pool_work *work, void *arg, const int *cancelled)
{
    struct job job = {work, arg, n_tasks, n_threads, cancelled};
    if (n_tasks < (size_t)n_threads)
        job.n_threads = (int)n_tasks;
    if (job.n_threads > 1 && pool_start(pool, job.n_threads) > 1) {
        pthread_mutex_lock(&pool->lock);
        pool->job = job;
        pool->next = 0;
        pool->is_open = true;
        __atomic_store_n(&pool->n_jobs, pool->n_jobs + 1, __ATOMIC_RELAXED);
        pthread_cond_broadcast(&pool->wake);
        pthread_mutex_unlock(&pool->lock);
        do_tasks(pool, &job, 0);
        for (int i = 0; i < LOOKS && __atomic_load_n(&pool->n_working, __ATOMIC_RELAXED) > 0; i++)
            look_again();
        pthread_mutex_lock(&pool->lock);
        pool->is_open = false; /* a worker that wakes up now finds nothing to do, and nobody waits for it */
        while (pool->n_working > 0)
            pthread_cond_wait(&pool->done, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
        return pool->next >= n_tasks;
    }
    size_t task = 0;
    for (; task < n_tasks && !__atomic_load_n(cancelled, __ATOMIC_RELAXED); task++)
        work(arg, task, 0);
    return task == n_tasks;
}
