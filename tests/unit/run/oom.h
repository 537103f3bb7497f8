/*
 * oom.h - out of memory: every allocation of the library fails in turn (the linker wraps the allocators, see tests/CMakeLists.txt). Each
 * call then returns TMS_E_MEMORY with a message and no object, or manages without; AddressSanitizer watches for leaks, and what a failed
 * call was given still works.
 */
#ifndef TMS_TESTS_OOM_H
#define TMS_TESTS_OOM_H

#include "unit/samples.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);

/* -1: nothing fails; 0: the next allocation fails and all after it (if `for_good`); n: n more succeed first. */
static long countdown = -1;
static int for_good;
static long n_failed, n_asked;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; /* several threads may allocate at once */

static int must_fail(void)
{
    pthread_mutex_lock(&counting);
    int fails = countdown == 0;
    n_asked++;
    n_failed += fails;
    if (countdown > 0 || (fails && !for_good))
        countdown--;
    pthread_mutex_unlock(&counting);
    if (fails)
        errno = ENOMEM;
    return fails;
}

void *__wrap_malloc(size_t size) { return must_fail() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return must_fail() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t size) { return must_fail() ? NULL : __real_realloc(p, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) { return must_fail() ? NULL : __real_aligned_alloc(alignment, size); }

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    return must_fail() ? ENOMEM : __real_posix_memalign(out, alignment, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return must_fail() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

/* --- --- */

enum { MEMORY_CASES = 50 };

static tms_context *ctx;

static inline void expect_ok_or_memory(tms_status status)
{
    if (n_failed && status != TMS_OK) {
        assert_int_equal(status, TMS_E_MEMORY);
        assert_non_null(strstr(tms_context_message(ctx), "memory"));
    } else {
        assert_int_equal(status, TMS_OK);
    }
}

/*
 * attempt(): call `work` with the i-th allocation failing, for i = 0, 1, ... until it asks for fewer; `work` checks its own
 * outcome. Both ways: that allocation alone, and all from it on. The first level, and a sanitizer, which takes ten times as
 * long, get every third allocation of the long works; from which on, the seed says. Returns how many allocations the work
 * makes, then two too many at most.
 */
static inline long attempt_up_to(long most, void (*work)(const tms_filter_params *), const tms_filter_params *p)
{
    long i = 0, step = sample_is_quick() && most > MEMORY_CASES ? 3 : 1;
    for (for_good = 0; for_good < 2; for_good++)
        for (i = (long)(sample_seed() % (uint64_t)step);; i += step) {
            countdown = i;
            n_failed = 0;
            work(p);
            countdown = -1;
            if (!n_failed)
                break;
            assert_true(i < most);
        }
    return i;
}

/* Run `call` with failures as armed; what comes between calls must not fail. */
#define ARMED(status, call)                                                                                                                \
    do {                                                                                                                                   \
        status = (call);                                                                                                                   \
        armed = countdown;                                                                                                                 \
        countdown = -1;                                                                                                                    \
    } while (0)

#endif
