/*
 * agree_device.cu - keys in device memory, and every schedule that the GPU back end has, against one thread of the CPU:
 * the classic layout's thread, warp and block a key; the blocked layout's direct and partitioned insertion, with
 * slices of all sizes, lists that overflow and several chunks.
 *
 * Device arrays have exactly the padding that tms_filter_insert_device() asks for, so that memcheck sees a read past
 * it.
 */
#include "unit/samples.h"

#include <cuda_runtime.h>

#include "filter/blocked_cuda.cuh"
#include "filter/classic_cuda.cuh"

static tms_context *cpu, *gpu;
static int quick;

static int setup(void **state)
{
    (void)state;
    const char *wish = getenv("TAMIS_AGREE_QUICK");
    quick = wish && *wish && strcmp(wish, "0") != 0;
    sample_seed();
    if (tms_context_create(&cpu) != TMS_OK || tms_context_create(&gpu) != TMS_OK)
        return -1;
    if (tms_context_set_threads(cpu, 1) != TMS_OK || tms_context_set_simd(cpu, TMS_SIMD_SCALAR) != TMS_OK)
        return -1;
    if (tms_context_set_device(gpu, 0) != TMS_OK) {
        print_message("no GPU: %s\n", tms_context_message(gpu));
        tms_context_destroy(gpu);
        gpu = NULL;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(gpu);
    tms_context_destroy(cpu);
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

#define ASSERT_CUDA(call)                                                                                              \
    do {                                                                                                               \
        cudaError_t assert_cuda_ = (call);                                                                             \
        if (assert_cuda_ != cudaSuccess)                                                                               \
            fail_msg("%s: %s", #call, cudaGetErrorString(assert_cuda_));                                               \
    } while (0)

/* A case: what the CPU made of it, and its keys in device memory. */
struct fixture {
    char name[160];
    tms_filter_params params;
    key_set in, out;
    size_t n;
    tms_filter *truth;
    const void *image;
    size_t image_size;
    uint8_t *hits; /* of `out`, then room for what the GPU says */
    tms_keys d_in, d_out;
    uint64_t *d_hashes; /* of `in`, or NULL */
    uint8_t *d_hit;
};

static void *device_copy(const void *src, size_t size, size_t allocated)
{
    void *d = NULL;
    ASSERT_CUDA(cudaMalloc(&d, allocated ? allocated : 1));
    if (size)
        ASSERT_CUDA(cudaMemcpy(d, src, size, cudaMemcpyHostToDevice));
    return d;
}

static tms_keys device_keys(const key_set *s)
{
    tms_keys d = s->keys;
    size_t size = s->offsets ? s->offsets[d.n_keys] : d.n_keys * d.key_size;
    d.bytes = (const uint8_t *)device_copy(s->bytes, size, (size + 15) / 16 * 16 + 16);
    if (s->offsets)
        d.offsets = (const uint32_t *)device_copy(s->offsets, (d.n_keys + 1) * 4, (d.n_keys + 1) * 4);
    return d;
}

static void device_keys_free(tms_keys *d)
{
    cudaFree((void *)d->bytes);
    cudaFree((void *)d->offsets);
}

static fixture fixture_make(const tms_filter_params *p, sample_form form, size_t n)
{
    fixture x;
    memset(&x, 0, sizeof x);
    uint64_t seed = sample_seed() ^ ((uint64_t)n << 32 | (uint64_t)form << 24 | p->k);
    snprintf(x.name, sizeof x.name, "%s %s m=%llu k=%u, %zu keys of %s", tms_layout_name(p->layout),
             tms_hash_name(p->hash), (unsigned long long)p->m_bits, p->k, n, form_name(form));
    x.params = *p;
    x.n = n;
    x.in = keys_make(form, n, seed);
    x.out = keys_make(form, n, ~seed);
    x.hits = (uint8_t *)sample_alloc(2 * n);
    ASSERT_OK(cpu, tms_filter_create(cpu, p, &x.truth));
    ASSERT_OK(cpu, tms_filter_insert(cpu, x.truth, &x.in.keys));
    ASSERT_OK(cpu, tms_filter_query(cpu, x.truth, &x.out.keys, x.hits));
    ASSERT_OK(cpu, tms_filter_image(cpu, x.truth, &x.image, &x.image_size));
    x.d_in = device_keys(&x.in);
    x.d_out = device_keys(&x.out);
    x.d_hit = (uint8_t *)device_copy(NULL, 0, n);
    size_t words = (size_t)tms_hash_words(p) * n;
    if (words) {
        uint64_t *hashes = (uint64_t *)sample_alloc(words * 8);
        ASSERT_OK(cpu, tms_keys_hash(cpu, p, &x.in.keys, hashes));
        x.d_hashes = (uint64_t *)device_copy(hashes, words * 8, words * 8);
        free(hashes);
    }
    return x;
}

static void fixture_free(fixture *x)
{
    tms_filter_destroy(x->truth);
    keys_free(&x->in);
    keys_free(&x->out);
    free(x->hits);
    device_keys_free(&x->d_in);
    device_keys_free(&x->d_out);
    cudaFree(x->d_hashes);
    cudaFree(x->d_hit);
}

static void compare_image(const fixture *x, tms_filter *f, const char *how)
{
    char label[320];
    const void *image;
    size_t size;
    snprintf(label, sizeof label, "%s: %s", x->name, how);
    ASSERT_OK(gpu, tms_filter_image(gpu, f, &image, &size));
    assert_same_bytes(label, x->image, x->image_size, image, size);
}

/* Answers in d_hit: all 1 for the keys inserted, the CPU's for the others. */
static void compare_hits(const fixture *x, int inserted, const char *how)
{
    char label[320];
    uint8_t *got = x->hits + x->n;
    snprintf(label, sizeof label, "%s: %s, %s", x->name, how, inserted ? "keys inserted" : "other keys");
    ASSERT_OK(gpu, tms_context_wait(gpu));
    ASSERT_CUDA(cudaMemcpy(got, x->d_hit, x->n, cudaMemcpyDeviceToHost));
    ASSERT_CUDA(cudaMemset(x->d_hit, 0xee, x->n));
    if (inserted)
        assert_int_equal(count_hits(got, x->n), x->n);
    else
        assert_same_bytes(label, x->hits, x->n, got, x->n);
}

/* A filter on the GPU that the back end's own calls fill: filter.c's book-keeping is done here. */
static tms_filter *empty_filter(const fixture *x)
{
    tms_filter *f;
    ASSERT_OK(gpu, tms_filter_create(gpu, &x->params, &f));
    f->n_keys = x->n;
    f->host_stale = 1;
    return f;
}

static void check_public_calls(const fixture *x)
{
    tms_filter *f;
    size_t half = x->in.offsets || x->in.keys.key_size % 16 == 0 ? x->n / 8 * 4 : 0; /* parts stay aligned */
    tms_keys first = keys_part(&x->d_in, 0, half), second = keys_part(&x->d_in, half, x->n - half);
    ASSERT_OK(gpu, tms_filter_create(gpu, &x->params, &f));
    ASSERT_OK(gpu, tms_filter_insert_device(gpu, f, &first));
    ASSERT_OK(gpu, tms_filter_insert_device(gpu, f, &second));
    ASSERT_OK(gpu, tms_filter_query_device(gpu, f, &x->d_in, x->d_hit));
    compare_hits(x, 1, "tms_filter_query_device");
    ASSERT_OK(gpu, tms_filter_query_device(gpu, f, &x->d_out, x->d_hit));
    compare_hits(x, 0, "tms_filter_query_device");
    compare_image(x, f, "tms_filter_insert_device");
    tms_filter_destroy(f);
}

/* --- classic --- */

static void check_schedules(const fixture *x)
{
    static const char *const names[] = {"auto", "thread", "warp", "block"};
    for (int s = CLASSIC_AUTO; s <= CLASSIC_BLOCK; s++) {
        tms_filter *f = empty_filter(x);
        ASSERT_OK(gpu, classic_insert_cuda(gpu, f, &x->d_in, NULL, x->n, (enum classic_schedule)s));
        ASSERT_OK(gpu, classic_query_cuda(gpu, f, &x->d_in, x->d_hit, (enum classic_schedule)s));
        compare_hits(x, 1, names[s]);
        ASSERT_OK(gpu, classic_query_cuda(gpu, f, &x->d_out, x->d_hit, (enum classic_schedule)s));
        compare_hits(x, 0, names[s]);
        compare_image(x, f, names[s]);
        tms_filter_destroy(f);
        if (!x->d_hashes)
            continue;
        f = empty_filter(x);
        ASSERT_OK(gpu, classic_insert_cuda(gpu, f, NULL, x->d_hashes, x->n, (enum classic_schedule)s));
        compare_image(x, f, names[s]);
        tms_filter_destroy(f);
    }
}

static void classic_schedules(void **state)
{
    (void)state;
    static const uint32_t ks[] = {1, 7, 31, 32, 33, 64, 500, 1023, 1024, 1025, 4096};
    static const size_t counts[] = {1, 7, 8, 9, 255, 257, 1000};
    static const sample_form forms[] = {FORM_FIXED_20, FORM_GAP_1,   FORM_FIXED_7,
                                        FORM_GAP_0,    FORM_FIXED_8, FORM_FIXED_0};
    static const uint64_t ms[] = {63, 100003, (1u << 20) + 7};
    size_t turn = 0;
    need_gpu();
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
            for (size_t j = 0; j < 6; j++, turn++) {
                if (quick && turn % 5)
                    continue;
                tms_filter_params p = {TMS_LAYOUT_CLASSIC, (tms_hash)hash, turn % 2 ? 0 : turn * 77, ms[turn % 3],
                                       ks[i]};
                fixture x = fixture_make(&p, forms[j], quick ? counts[turn % 5] : counts[turn % 7]);
                check_schedules(&x);
                check_public_calls(&x);
                fixture_free(&x);
            }
}

/* --- blocked --- */

static void check_plan(const fixture *x, const blocked_plan *plan, const char *how)
{
    char label[160];
    snprintf(label, sizeof label, "%s, way %d, shift %u, %u slices, chunk %zu, capacity %zu", how, (int)plan->way,
             plan->slice_shift, plan->n_slices, plan->chunk_keys, plan->slice_capacity);
    for (int hashed = 0; hashed < 2; hashed++) {
        tms_filter *f = empty_filter(x);
        ASSERT_OK(gpu, blocked_insert_cuda(gpu, f, hashed ? NULL : &x->d_in, hashed ? x->d_hashes : NULL, x->n, plan));
        compare_image(x, f, label);
        tms_filter_destroy(f);
    }
}

static void check_plans(const fixture *x)
{
    uint64_t n_blocks = x->params.m_bits / TMS_BLOCK_BITS;
    tms_filter *f = empty_filter(x);
    for (int way = BLOCKED_DIRECT; way <= BLOCKED_PART_L2; way++)
        for (unsigned shift = 0; shift <= (way == BLOCKED_PART_SHARED ? 12u : 20u); shift += quick ? 4
                                                                                             : way == BLOCKED_PART_L2
                                                                                                 ? 3
                                                                                                 : 1) {
            if (way == BLOCKED_DIRECT && shift)
                break;
            if ((n_blocks - 1) >> shift >= 4096) /* the partition's most slices */
                continue;
            blocked_plan plan = blocked_plan_for(f, x->n, (enum blocked_way)way, shift);
            check_plan(x, &plan, "as planned");
            if (way == BLOCKED_DIRECT || shift % 3)
                continue;
            blocked_plan small = plan;
            small.slice_capacity = 16;
            check_plan(x, &small, "overflowing lists");
            small = plan;
            small.chunk_keys = x->n / 3 + 1;
            check_plan(x, &small, "three chunks");
        }
    tms_filter_destroy(f);
}

static void blocked_plans(void **state)
{
    (void)state;
    static const struct {
        uint64_t n_blocks;
        uint32_t k;
        sample_form form;
        size_t n;
    } cases[] = {
        {1, 8, FORM_FIXED_8, 1000},          {3, 13, FORM_GAP_0, 8193},        {129, 7, FORM_FIXED_20, 8192},
        {5000, 8, FORM_FIXED_8, 20001},      {5000, 9, FORM_FIXED_7, 20001},   {40961, 16, FORM_GAP_1, 30000},
        {300001, 8, FORM_EQUAL_8, 100000},   {300001, 1, FORM_FIXED_0, 30000}, {300001, 8, FORM_FIXED_8, 600000},
        {2500003, 5, FORM_FIXED_20, 300000}, {1000, 8, FORM_FIXED_8, 1},       {5000, 3, FORM_EQUAL_GAP_1, 8191},
    };
    need_gpu();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (quick && cases[i].n > 25000)
            continue;
        tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, i % 2 ? 0 : 99 + i, cases[i].n_blocks * 256,
                               cases[i].k};
        fixture x = fixture_make(&p, cases[i].form, cases[i].n);
        check_plans(&x);
        check_public_calls(&x);
        fixture_free(&x);
    }
}

/* Query at every k, in every form, for counts around warps and thread blocks. */
static void blocked_queries(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 31, 32, 33, 255, 256, 257, 511, 513, 1025, 5000};
    size_t turn = 0;
    need_gpu();
    for (uint32_t k = 1; k <= TMS_BLOCKED_MAX_K; k++)
        for (int form = 0; form < FORM_COUNT; form++, turn += 5) {
            size_t n = counts[turn % 12];
            if (quick && turn % 3)
                continue;
            tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, turn, (1 + n / 10) * 256, k};
            fixture x = fixture_make(&p, (sample_form)form, n);
            check_public_calls(&x);
            fixture_free(&x);
        }
}

/* The plan that is chosen covers the filter with slices that the kernels can take. */
static void chosen_plans(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 100, 32767, 32768, 262144, 1u << 20, 1u << 24, 1u << 24 | 12345};
    static const size_t counts[] = {1, 1000, 262143, 262144, 1u << 20, 100000000};
    need_gpu();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            tms_filter f;
            memset(&f, 0, sizeof f);
            f.params = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, sizes[i] * 256, 8};
            blocked_plan plan = blocked_plan_insert(gpu->gpu, &f, counts[j]);
            if (plan.way == BLOCKED_DIRECT)
                continue;
            assert_in_range(plan.n_slices, 1, 4096);
            assert_true((uint64_t)plan.n_slices << plan.slice_shift >= sizes[i]);
            assert_true((uint64_t)(plan.n_slices - 1) << plan.slice_shift < sizes[i]);
            assert_in_range(plan.chunk_keys, 1, counts[j]);
            if (plan.way == BLOCKED_PART_SHARED)
                assert_true(((size_t)32 << plan.slice_shift) <= gpu->gpu->shared_bytes_block);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classic_schedules),
        cmocka_unit_test(blocked_plans),
        cmocka_unit_test(blocked_queries),
        cmocka_unit_test(chosen_plans),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
