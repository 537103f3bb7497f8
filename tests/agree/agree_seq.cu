/*
 * agree_seq.cu - batches of records in GPU memory: the bytes that the host has, for batches of any size, one after the other in the same
 * memory; and a kernel that finds its way in them.
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure.
 */
#include <cuda_runtime.h>

#include "device/gpu_internal.cuh"
#include "seq/seq_cuda.h"
#include "unit/samples.h" /* last: cmocka's macros have names that C++ headers use */

#include "agree/gpu_needed.h"

static struct fault fault;
static int cancelled;
static struct gpu *gpu;

static int setup(void **state)
{
    (void)state;
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

#define ASSERT_GPU(call)                                                                                                                   \
    do {                                                                                                                                   \
        if ((call) != TMS_OK)                                                                                                              \
            fail_msg("%s: %s", #call, fault.message);                                                                                      \
    } while (0)

/* n records of up to `most` letters. */
struct batch {
    tms_seqs seqs;
    uint8_t *residues, *qualities;
    uint64_t *starts;
};

static batch make(sample_random *r, size_t n, size_t most, int has_qualities)
{
    batch b = {};
    b.starts = (uint64_t *)sample_alloc((n + 1) * sizeof *b.starts);
    b.starts[0] = 0;
    for (size_t i = 0; i < n; i++)
        b.starts[i + 1] = b.starts[i] + 1 + random_below(r, most + 1);
    size_t size = (size_t)b.starts[n];
    b.residues = (uint8_t *)sample_alloc(size + 1);
    b.qualities = has_qualities ? (uint8_t *)sample_alloc(size + 1) : NULL;
    for (size_t i = 0; i < size; i++) {
        b.residues[i] = (uint8_t)random_below(r, 256);
        if (has_qualities)
            b.qualities[i] = (uint8_t)random_below(r, 256);
    }
    for (size_t i = 0; i < n; i++)
        b.residues[b.starts[i + 1] - 1] = 0;
    b.seqs.n_records = n;
    b.seqs.residues = b.residues;
    b.seqs.residue_starts = b.starts;
    b.seqs.qualities = b.qualities;
    return b;
}

static void free_batch(batch *b)
{
    free(b->residues);
    free(b->qualities);
    free(b->starts);
}

static void assert_on_gpu(const void *d_bytes, const void *bytes, size_t n)
{
    void *back = sample_alloc(n + 1);
    ASSERT_GPU(gpu_download(&fault, 0, back, d_bytes, n));
    assert_same_bytes("on the GPU", bytes, n, back, n);
    free(back);
}

/* The sum of each record's bytes: a thread a record. */
__global__ static void sum_records(seqs_on_gpu seqs, uint64_t *sums)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= seqs.n_records)
        return;
    uint64_t sum = 0;
    for (uint64_t at = seqs.d_residue_starts[i]; at < seqs.d_residue_starts[i + 1]; at++)
        sum += seqs.d_residues[at];
    sums[i] = sum;
}

static void check(sample_random *r, size_t n, size_t most, int has_qualities)
{
    batch b = make(r, n, most, has_qualities);
    seqs_on_gpu on_gpu;
    uint64_t *d_sums, *sums = (uint64_t *)sample_alloc((n + 1) * sizeof *sums);
    ASSERT_GPU(seqs_upload(gpu, &b.seqs, &on_gpu));
    ASSERT_GPU(gpu_workspace_of(gpu, "sums", n + 1, &d_sums));
    unsigned n_blocks = (unsigned)(n / 128 + 1);
    sum_records<<<n_blocks, 128, 0, gpu->stream>>>(on_gpu, d_sums);
    ASSERT_GPU(gpu_wait(gpu));
    assert_int_equal(on_gpu.n_records, n);
    assert_on_gpu(on_gpu.d_residue_starts, b.starts, (n + 1) * sizeof *b.starts);
    assert_on_gpu(on_gpu.d_residues, b.residues, (size_t)b.starts[n]);
    assert_int_equal(on_gpu.d_qualities != NULL, has_qualities);
    if (has_qualities)
        assert_on_gpu(on_gpu.d_qualities, b.qualities, (size_t)b.starts[n]);
    ASSERT_GPU(gpu_download(&fault, 0, sums, d_sums, n * sizeof *sums));
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = 0;
        for (uint64_t at = b.starts[i]; at < b.starts[i + 1]; at++)
            sum += b.residues[at];
        assert_int_equal(sum, sums[i]);
    }
    free(sums);
    free_batch(&b);
}

static void batches(void **state)
{
    (void)state;
    gpu_needed(gpu);
    static const size_t counts[] = {0, 1, 31, 32, 33, 127, 128, 129, 1000, 3, 100000};
    sample_random r = {sample_seed()};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int has_qualities = 0; has_qualities < 2; has_qualities++)
            check(&r, counts[i], i % 3 == 0 ? 300 : i % 3 == 1 ? 0 : 20, has_qualities);
    check(&r, 1, 5000000, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(batches)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
