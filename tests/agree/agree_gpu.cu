/*
 * agree_gpu.cu - the device room by itself: workspaces keep what is in them, and the pipeline gives every byte to its place.
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure. TAMIS_AGREE_QUICK=1 asks for no more memory than there is, because
 * compute-sanitizer takes an allocation that fails for an error.
 */
#include <cuda_runtime.h>

#include "device/gpu_internal.cuh"
#include "unit/samples.h" /* last: cmocka's macros have names that C++ headers use */

static struct fault fault;
static struct gpu *gpu;
static int quick;

static int setup(void **state)
{
    const char *wish = getenv("TAMIS_AGREE_QUICK");
    (void)state;
    quick = wish && *wish && strcmp(wish, "0") != 0;
    sample_seed();
    if (gpu_open(&fault, 0, &gpu) != TMS_OK)
        print_message("no GPU: %s\n", fault.message);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gpu_close(gpu);
    return 0;
}

static void need_gpu(void)
{
    const char *required = getenv("TAMIS_REQUIRE_GPU");
    if (gpu)
        return;
    if (required && strcmp(required, "1") == 0)
        fail_msg("TAMIS_REQUIRE_GPU=1, and there is no usable GPU");
    print_message("skipped: no usable GPU\n");
    skip();
}

#define ASSERT_GPU(call)                                                                                               \
    do {                                                                                                               \
        if ((call) != TMS_OK)                                                                                          \
            fail_msg("%s: %s", #call, fault.message);                                                                  \
    } while (0)

/* --- workspaces --- */

static void workspaces(void **state)
{
    (void)state;
    need_gpu();
    uint8_t *d_first, *d_other, *d_again;
    uint8_t bytes[1000], back[1000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7);
    ASSERT_GPU(gpu_workspace_of(gpu, "first", sizeof bytes, &d_first));
    ASSERT_GPU(gpu_upload(gpu, d_first, bytes, sizeof bytes));
    ASSERT_GPU(gpu_workspace_of(gpu, "other", sizeof bytes, &d_other));
    assert_true(d_other != d_first);
    ASSERT_GPU(gpu_workspace_of(gpu, "first", 1, &d_again)); /* it never shrinks */
    assert_true(d_again == d_first);
    for (size_t size = 2000; size < 50000000; size *= 3) {
        ASSERT_GPU(gpu_workspace_of(gpu, "first", size, &d_again));
        assert_true((uintptr_t)d_again % 256 == 0);
        memset(back, 0, sizeof back);
        ASSERT_GPU(gpu_download(&fault, gpu_index(gpu), back, d_again, sizeof back));
        assert_memory_equal(back, bytes, sizeof bytes);
    }
    /* a workspace that has grown has grown by half */
    d_first = d_again;
    ASSERT_GPU(gpu_workspace_of(gpu, "other", 1280, &d_again));
    d_other = d_again;
    ASSERT_GPU(gpu_workspace_of(gpu, "other", 1536, &d_again));
    assert_true(d_again == d_other);
    if (quick)
        return;
    assert_int_equal(gpu_workspace_of(gpu, "first", (size_t)1 << 50, &d_again), TMS_E_MEMORY);
    assert_non_null(strstr(fault.message, "first"));
    ASSERT_GPU(gpu_workspace_of(gpu, "first", 1, &d_again));
    assert_true(d_again == d_first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workspaces),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
