/*
 * cli_threads.c - as many threads as can be had.
 *
 * The OpenMP run-time ends the process, with exit code 1, where it cannot make a thread, and offers no call to ask before. So
 * ordinary threads are made first, as many as a command takes, held together and let go; then OpenMP makes its own at once, before
 * memory is taken for anything else, and keeps them. What fails later all the same (another process was quicker)
 * ends in main()'s last_words().
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "cli.h"

/* For the threads that read, two of seeds; and addresses for what a command needs besides threads. */
enum { SPARE_THREADS = 2, WORK_BYTES = 64 << 20, MAX_WAITS = 1000 };

static void *wait_at_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* The stack size that OpenMP's threads get, where the user sets one: "512", in KiB, or with a unit, "16M". */
static void set_stack_size(pthread_attr_t *attributes)
{
    const char *text = getenv("OMP_STACKSIZE");
    char *unit;
    unsigned long long size = text != NULL ? strtoull(text, &unit, 10) : 0;

    if (size == 0)
        return;
    while (*unit == ' ')
        unit++;
    switch (*unit | 0x20) {
    case 'b':
        break;
    case 'm':
        size <<= 20;
        break;
    case 'g':
        size <<= 30;
        break;
    default:
        size <<= 10;
    }
    (void)pthread_attr_setstacksize(attributes, (size_t)size); /* too small: OpenMP does not take it either */
}

/* 0 where there is no /proc. */
static unsigned long count_tasks(void)
{
    struct stat info;

    return stat("/proc/self/task", &info) == 0 ? (unsigned long)info.st_nlink : 0;
}

/* A thread that has been joined may count for the limit of processes a moment longer. */
static void wait_for_tasks(unsigned long n_before)
{
    const struct timespec moment = {0, 100000};

    for (int i = 0; i < MAX_WAITS && count_tasks() > n_before; i++)
        nanosleep(&moment, NULL);
}

int cli_start_threads(int n_wanted)
{
    int n_made = 0, n_most = n_wanted - 1 + SPARE_THREADS, n;
    unsigned long n_tasks = count_tasks();
    pthread_t *threads = n_wanted > 1 ? malloc((size_t)n_most * sizeof *threads) : NULL;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    void *work;

    if (threads == NULL || pthread_attr_init(&attributes) != 0) {
        free(threads);
        return 1;
    }
    set_stack_size(&attributes);
    work = mmap(NULL, WORK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pthread_mutex_lock(&gate);
    while (work != MAP_FAILED && n_made < n_most && pthread_create(&threads[n_made], &attributes, wait_at_gate, &gate) == 0)
        n_made++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n_made; i++)
        pthread_join(threads[i], NULL);
    wait_for_tasks(n_tasks);
    if (work != MAP_FAILED)
        munmap(work, WORK_BYTES);
    pthread_attr_destroy(&attributes);
    free(threads);
    n = n_made > SPARE_THREADS ? 1 + n_made - SPARE_THREADS : 1;
#pragma omp parallel num_threads(n)
    {
#pragma omp barrier
    }
    return n;
}
