/*
 * memory.c - large zeroed arrays, and arrays that are touched only in parts.
 *
 * Arrays of 4 MiB and more come from mmap(): zeroed without being touched, so a huge, sparsely filled filter costs only the pages it uses,
 * and on transparent huge pages where the system grants them. The last-level TLB covers smaller arrays anyway.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAPPED_FROM_BYTES ((size_t)4 << 20)

/* The array works even if madvise() fails. */
static void *map_pages(size_t size_bytes, int advice)
{
    void *ptr = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ptr == MAP_FAILED)
        return NULL;
    madvise(ptr, size_bytes, advice);
    return ptr;
}

void *memory_alloc_sparse(size_t size_bytes) { return map_pages(size_bytes, MADV_NOHUGEPAGE); }

void memory_free_sparse(void *ptr, size_t size_bytes)
{
    if (ptr)
        munmap(ptr, size_bytes);
}

void *memory_alloc_zeroed(size_t size_bytes)
{
    void *ptr = NULL;
    if (size_bytes >= MAPPED_FROM_BYTES)
        return map_pages(size_bytes, MADV_HUGEPAGE);
    if (posix_memalign(&ptr, 64, size_bytes ? size_bytes : 1) != 0)
        return NULL;
    memset(ptr, 0, size_bytes);
    return ptr;
}

void memory_free(void *ptr, size_t size_bytes)
{
    if (!ptr)
        return;
    if (size_bytes >= MAPPED_FROM_BYTES)
        munmap(ptr, size_bytes);
    else
        free(ptr);
}
