/*
 * cli_threads.c - starts as many threads as the limits allow, less those that the readers start later, and less the address space that the
 * work needs.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/cli.h"

/* In reserve: threads for readers (seeds starts two), and bytes of address space for all else that a command needs. */
enum { SPARE_THREADS = 2, WORK_BYTES = 64 << 20, MAX_WAITS = 1000 };

static void *wait_at_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* The number of threads of this process plus a constant; 0 without /proc. */
static unsigned long count_tasks(void)
{
    struct stat info;

    return stat("/proc/self/task", &info) == 0 ? (unsigned long)info.st_nlink : 0;
}

/* A joined thread may count towards the limit on processes for a moment longer. */
static void wait_for_tasks(unsigned long n_most)
{
    const struct timespec moment = {0, 100000};

    for (int i = 0; i < MAX_WAITS && count_tasks() > n_most; i++)
        nanosleep(&moment, NULL);
}

int cli_start_threads(tms_context *ctx)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t spares[SPARE_THREADS];
    int n_spares = 0, n = 1;
    void *work = mmap(NULL, WORK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    unsigned long n_tasks;

    pthread_mutex_lock(&gate);
    while (work != MAP_FAILED && n_spares < SPARE_THREADS && pthread_create(&spares[n_spares], NULL, wait_at_gate, &gate) == 0)
        n_spares++;
    if (n_spares == SPARE_THREADS)
        n = tms_context_start_threads(ctx);
    n_tasks = count_tasks();
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n_spares; i++)
        pthread_join(spares[i], NULL);
    wait_for_tasks(n_tasks - (unsigned long)n_spares);
    if (work != MAP_FAILED)
        munmap(work, WORK_BYTES);
    return n;
}
