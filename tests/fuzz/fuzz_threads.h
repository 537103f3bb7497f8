/*
 * fuzz_threads.h - for targets whose code starts threads: small stacks.
 *
 * AddressSanitizer marks the whole stack of a thread when it starts and when it ends: 1 MiB of marks for the usual 8 MiB,
 * which was a third of a run. And what was freed it keeps, so that fresh pages are needed again and again: less of it.
 */
#ifndef TAMIS_FUZZ_THREADS_H
#define TAMIS_FUZZ_THREADS_H

#include <pthread.h>

enum { FUZZ_STACK_BYTES = 512 << 10 };

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    pthread_attr_t attributes;
    (void)argc;
    (void)argv;
    return pthread_attr_init(&attributes) != 0 || pthread_attr_setstacksize(&attributes, FUZZ_STACK_BYTES) != 0 ||
           pthread_setattr_default_np(&attributes) != 0;
}

#endif
