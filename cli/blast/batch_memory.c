/*
 * batch_memory.c - glibc has a heap for each thread, and keeps there what is freed, for this thread alone. The HSPs of a batch, which other
 * threads found in the batch before, would then take the memory a second time.
 */
#include "cli/blast/batch_memory.h"

#include <stdlib.h> /* defines __GLIBC__ */

#ifdef __GLIBC__
#include <malloc.h>

enum { LARGE_BYTES = 1 << 20, KEPT_BYTES = 64 << 20 };

/* Large arrays lie in pages of their own, which return when they are freed; heaps shrink at the end of a batch only. */
void batch_memory_begin(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

void batch_memory_end(void) { malloc_trim(0); }
#else
void batch_memory_begin(void) {}
void batch_memory_end(void) {}
#endif
