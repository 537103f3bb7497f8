/*
 * agree_gpu.cu - the device room by itself: workspaces keep what is in them, and the pipeline gives every byte to its place.
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure. TAMIS_AGREE_QUICK=1 asks for no more memory than there is, because
 * compute-sanitizer takes an allocation that fails for an error.
 */
#include <cuda_runtime.h>

#include "device/gpu_internal.cuh"
#include "unit/samples.h" /* last: cmocka's macros have names that C++ headers use */

#include "agree/gpu_needed.h"

static struct fault fault;
static int cancelled;
static struct gpu *gpu;
static int quick;

static int setup(void **state)
{
    (void)state;
    quick = sample_is_quick();
    sample_seed();
    if (gpu_open(&fault, &cancelled, 0, &gpu) != TMS_OK)
        print_message("no GPU: %s\n", fault.message);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gpu_close(gpu);
    return 0;
}

static void need_gpu(void) { gpu_needed(gpu); }

#define ASSERT_GPU(call)                                                                                                                   \
    do {                                                                                                                                   \
        if ((call) != TMS_OK)                                                                                                              \
            fail_msg("%s: %s", #call, fault.message);                                                                                      \
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
    /* and one that is made anew is as large */
    ASSERT_GPU(gpu_workspace_anew_of(gpu, "anew", 1280, &d_other));
    ASSERT_GPU(gpu_workspace_anew_of(gpu, "anew", 1000, &d_again));
    assert_true(d_again == d_other);
    ASSERT_GPU(gpu_workspace_anew_of(gpu, "anew", 5000000, &d_again));
    ASSERT_GPU(gpu_upload(gpu, d_again + 5000000 - sizeof bytes, bytes, sizeof bytes));
    if (quick)
        return;
    assert_int_equal(gpu_workspace_of(gpu, "first", (size_t)1 << 50, &d_again), TMS_E_MEMORY);
    assert_non_null(strstr(fault.message, "first"));
    ASSERT_GPU(gpu_workspace_of(gpu, "first", 1, &d_again));
    assert_true(d_again == d_first);
    assert_int_equal(gpu_workspace_anew_of(gpu, "anew", (size_t)1 << 50, &d_again), TMS_E_MEMORY);
    ASSERT_GPU(gpu_workspace_anew_of(gpu, "anew", 1280, &d_again));
    ASSERT_GPU(gpu_upload(gpu, d_again, bytes, sizeof bytes));
}

/* --- the pipeline --- */

/* Two inputs, numbers and what to add to each; with keeps_odd only the odd sums come back, so only the kernel knows how many. */
struct sums_job {
    size_t n, step;
    const uint32_t *numbers;
    const uint8_t *more;
    uint32_t *out;
    int keeps_odd;
    size_t end_at; /* the first piece that begins here or later is the last one */
    size_t n_out, n_taken;
};

static __global__ void sums_kernel(const uint32_t *numbers, const uint8_t *more, size_t n, uint32_t *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = numbers[i] + more[i];
}

/* By one thread: the order is what counts. */
static __global__ void odd_sums_kernel(const uint32_t *numbers, const uint8_t *more, size_t n, uint32_t *out, size_t *n_out)
{
    for (size_t i = 0; i < n; i++)
        if ((numbers[i] + more[i]) % 2)
            out[(*n_out)++] = numbers[i] + more[i];
}

static void sums_cut(void *arg, size_t first, struct gpu_piece *piece)
{
    const struct sums_job *job = (const struct sums_job *)arg;
    size_t n = job->n - first < job->step ? job->n - first : job->step;
    piece->n_items = n;
    piece->inputs[0].host = job->numbers + first;
    piece->inputs[0].size_bytes = n * sizeof *job->numbers;
    piece->inputs[1].host = job->more + first;
    piece->inputs[1].size_bytes = n;
    piece->inputs[1].padding = 1000;
    piece->output = job->keeps_odd ? NULL : job->out + first;
    piece->output_bytes = n * sizeof *job->out;
}

static tms_status sums_work(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at)
{
    const struct sums_job *job = (const struct sums_job *)arg;
    const uint32_t *numbers = (const uint32_t *)at->d_inputs[0];
    const uint8_t *more = (const uint8_t *)at->d_inputs[1];
    (void)first;
    if (job->keeps_odd)
        odd_sums_kernel<<<1, 1, 0, gpu->stream>>>(numbers, more, piece->n_items, (uint32_t *)at->d_output, (size_t *)at->d_summary);
    else
        sums_kernel<<<(unsigned)((piece->n_items + 127) / 128), 128, 0, gpu->stream>>>(numbers, more, piece->n_items,
                                                                                       (uint32_t *)at->d_output);
    GPU_TRY(gpu, "sums", cudaGetLastError());
    return TMS_OK;
}

static tms_status sums_take(void *arg, size_t first, const struct gpu_piece *piece, const void *summary, struct gpu_taken *out)
{
    struct sums_job *job = (struct sums_job *)arg;
    size_t n_odd = *(const size_t *)summary;
    assert_int_equal(first, job->n_taken);
    job->n_taken += piece->n_items;
    out->output = job->out + job->n_out;
    out->output_bytes = n_odd * sizeof *job->out;
    out->is_last = first >= job->end_at;
    job->n_out += n_odd;
    return TMS_OK;
}

static void check_pipeline(size_t n, size_t step, int is_pinned, int keeps_odd, size_t end_at)
{
    sample_random r = {sample_seed() + n};
    void *numbers_memory = NULL, *more_memory = NULL;
    if (is_pinned) {
        ASSERT_GPU(gpu_host_alloc(gpu, n * sizeof(uint32_t), &numbers_memory));
        ASSERT_GPU(gpu_host_alloc(gpu, n, &more_memory));
    } else {
        numbers_memory = sample_alloc(n * sizeof(uint32_t));
        more_memory = sample_alloc(n);
    }
    uint32_t *numbers = (uint32_t *)numbers_memory, *want = (uint32_t *)sample_alloc(n * sizeof *want);
    uint8_t *more = (uint8_t *)more_memory;
    uint32_t *out = (uint32_t *)sample_alloc((n + 1) * sizeof *out);
    size_t n_want = 0, end = end_at / step * step + step; /* of the last piece, if end_at is a multiple of a step */
    memset(out, 0xee, (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = (uint32_t)random_below(&r, (uint64_t)1 << 32);
        more[i] = (uint8_t)random_below(&r, 256);
        if (!keeps_odd || ((numbers[i] + more[i]) % 2 && (end_at > n || i < end)))
            want[n_want++] = numbers[i] + more[i];
    }
    struct sums_job job = {n, step, numbers, more, out, keeps_odd, end_at, 0, 0};
    struct gpu_job pieces = {"adding", &job, sums_cut, sums_work, keeps_odd ? sums_take : NULL};
    ASSERT_GPU(gpu_pipeline(gpu, &pieces));
    char label[120];
    snprintf(label, sizeof label, "%zu items, %zu at a time%s%s", n, step, is_pinned ? ", pinned" : "", keeps_odd ? ", odd ones" : "");
    if (keeps_odd)
        assert_int_equal(job.n_out, n_want);
    assert_same_bytes(label, want, n_want * sizeof *want, out, n_want * sizeof *out);
    assert_int_equal(out[n_want], 0xeeeeeeeeu);
    if (is_pinned) {
        gpu_host_free(numbers);
        gpu_host_free(more);
    } else {
        free(numbers);
        free(more);
    }
    free(want);
    free(out);
}

static void pipeline(void **state)
{
    static const size_t counts[] = {0, 1, 2, 3, 4, 5, 31, 1000, 5000};
    static const size_t steps[] = {1, 2, 7, 1000, 1 << 20};
    (void)state;
    need_gpu();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
            if (counts[i] / steps[j] > 1000)
                continue;
            for (int how = 0; how < 4; how++)
                check_pipeline(counts[i], steps[j], how & 1, how & 2, SIZE_MAX);
            check_pipeline(counts[i], steps[j], 0, 1, 2 * steps[j]);
        }
    if (!quick) /* more than is staged, and buffers that grow */
        for (int is_pinned = 0; is_pinned < 2; is_pinned++) {
            check_pipeline(3000000, 100000, is_pinned, 0, SIZE_MAX);
            check_pipeline(5000000, 2000000, is_pinned, 0, SIZE_MAX);
        }
}

/* A step that fails ends the job with its own message, and the next job works. */
static tms_status failing_work(void *arg, size_t first, const struct gpu_piece *piece, const struct gpu_place *at)
{
    if (first >= 3000)
        return fault_set(&fault, TMS_E_ARG, "piece at %zu", first);
    return sums_work(arg, first, piece, at);
}

static void failure(void **state)
{
    (void)state;
    need_gpu();
    uint32_t numbers[5000] = {}, out[5000];
    uint8_t more[5000] = {};
    struct sums_job job = {5000, 1000, numbers, more, out, 0, SIZE_MAX, 0, 0};
    struct gpu_job pieces = {"adding", &job, sums_cut, failing_work, NULL};
    assert_int_equal(gpu_pipeline(gpu, &pieces), TMS_E_ARG);
    assert_string_equal(fault.message, "piece at 3000");
    check_pipeline(5000, 1000, 0, 0, SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workspaces),
        cmocka_unit_test(pipeline),
        cmocka_unit_test(failure),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
