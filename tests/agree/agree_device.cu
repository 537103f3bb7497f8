/*
 * agree_device.cu - keys in device memory, and every schedule that the GPU back end has, against one thread of the CPU:
 * the classic layout's thread, warp and block a key; the probabilistic layout's thread, warp and row a key, with the
 * variants that only the benchmark uses; the blocked layout's direct and partitioned insertion, with slices of all sizes,
 * lists that overflow and several chunks.
 *
 * Device arrays have exactly the padding that tms_filter_insert_device() asks for, so that memcheck sees a read past
 * it.
 */
#include <cuda_runtime.h>

#include "device/gpu_internal.cuh"
#include "filter/blocked_cuda.h"
#include "filter/classic_cuda.h"
#include "filter/probabilistic_cuda.h"
#include "filter/row_kernels.cuh"
#include "unit/samples.h" /* last: cmocka's macros have names that C++ headers use */

#include "agree/gpu_only.cuh"

static tms_context *cpu;
static int quick;

static int setup(void **state)
{
    (void)state;
    quick = sample_is_quick();
    if (tms_context_create(&cpu) != TMS_OK)
        return -1;
    if (tms_context_set_threads(cpu, 1) != TMS_OK || tms_context_set_simd(cpu, TMS_SIMD_SCALAR) != TMS_OK)
        return -1;
    return gpu_create();
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(gpu);
    tms_context_destroy(cpu);
    return 0;
}

static void need_gpu(void) { gpu_needed(gpu); }

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
    uint64_t start; /* probabilistic: number of the first insertion */
    uint32_t *ones; /* probabilistic: of `in`, of `out`, then room for what the GPU says */
    uint32_t *d_ones;
};

static void *device_copy(const void *src, size_t size, size_t allocated)
{
    void *d = NULL;
    ASSERT_CUDA(cudaMalloc(&d, allocated ? allocated : 1));
    if (size)
        device_put(d, src, size);
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

/* The filter that a case begins with: an empty one, of which `start` insertions are said to have been made. */
static tms_filter *filter_from(tms_context *ctx, const tms_filter_params *p, uint64_t start)
{
    tms_filter *empty;
    const void *image;
    size_t size;
    ASSERT_OK(cpu, tms_filter_create(cpu, p, &empty));
    ASSERT_OK(cpu, tms_filter_image(cpu, empty, &image, &size));
    void *forged = image_with_n_keys(image, size, start);
    tms_filter *f = copy_of_image(ctx, forged, size);
    tms_filter_destroy(empty);
    free(forged);
    return f;
}

/* keys: the fixture's from now on. */
static fixture fixture_of(const tms_filter_params *p, key_set in, key_set out, const char *form, uint64_t start)
{
    fixture x;
    memset(&x, 0, sizeof x);
    size_t n = in.keys.n_keys;
    bool is_probabilistic = p->layout == TMS_LAYOUT_PROBABILISTIC;
    int length = snprintf(x.name, sizeof x.name, "%s %s m=%llu k=%u, %zu keys of %s", tms_layout_name(p->layout), tms_hash_name(p->hash),
                          (unsigned long long)p->m_bits, p->k, n, form);
    if (is_probabilistic)
        snprintf(x.name + length, sizeof x.name - (size_t)length, ", p=%g %s, from %llu", p->p, tms_sampling_name(p->sampling),
                 (unsigned long long)start);
    x.params = *p;
    x.n = n;
    x.start = start;
    x.in = in;
    x.out = out;
    x.hits = (uint8_t *)sample_alloc(2 * n);
    x.truth = filter_from(cpu, p, start);
    ASSERT_OK(cpu, tms_filter_insert(cpu, x.truth, &x.in.keys));
    if (is_probabilistic) {
        x.ones = (uint32_t *)sample_alloc(3 * n * sizeof *x.ones);
        ASSERT_OK(cpu, tms_filter_count(cpu, x.truth, &x.in.keys, x.ones));
        ASSERT_OK(cpu, tms_filter_count(cpu, x.truth, &x.out.keys, x.ones + n));
        x.d_ones = (uint32_t *)device_copy(NULL, 0, n * sizeof *x.d_ones);
    } else {
        ASSERT_OK(cpu, tms_filter_query(cpu, x.truth, &x.out.keys, x.hits));
    }
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

static fixture fixture_make(const tms_filter_params *p, sample_form form, size_t n, uint64_t start = 0)
{
    uint64_t seed = sample_seed() ^ ((uint64_t)n << 32 | (uint64_t)form << 24 | p->k);
    return fixture_of(p, keys_make(form, n, seed), keys_make(form, n, ~seed), form_name(form), start);
}

static void fixture_free(fixture *x)
{
    tms_filter_destroy(x->truth);
    keys_free(&x->in);
    keys_free(&x->out);
    free(x->hits);
    free(x->ones);
    cudaFree(x->d_ones);
    device_keys_free(&x->d_in);
    device_keys_free(&x->d_out);
    cudaFree(x->d_hashes);
    cudaFree(x->d_hit);
}

static void compare_image(const fixture *x, tms_filter *f, const char *how)
{
    char label[360];
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
    device_fill(x->d_hit, 0xee, x->n);
    if (inserted)
        assert_int_equal(count_hits(got, x->n), x->n);
    else
        assert_same_bytes(label, x->hits, x->n, got, x->n);
}

/* Counts in d_ones are the CPU's. */
static void compare_ones(const fixture *x, int inserted, const char *how)
{
    char label[360];
    uint32_t *got = x->ones + 2 * x->n;
    size_t size = x->n * sizeof *got;
    snprintf(label, sizeof label, "%s: %s, ones of %s", x->name, how, inserted ? "keys inserted" : "other keys");
    ASSERT_OK(gpu, tms_context_wait(gpu));
    ASSERT_CUDA(cudaMemcpy(got, x->d_ones, size, cudaMemcpyDeviceToHost));
    device_fill(x->d_ones, 0xee, size);
    assert_same_bytes(label, x->ones + (inserted ? 0 : x->n), size, got, size);
}

/* A filter on the GPU that the back end's own calls fill: filter.c's book-keeping is done here. */
static tms_filter *empty_filter(const fixture *x)
{
    tms_filter *f;
    ASSERT_OK(gpu, tms_filter_create(gpu, &x->params, &f));
    f->n_keys = x->start + x->n;
    f->host_stale = 1;
    return f;
}

/* Where a batch is cut in two: the parts stay aligned. */
static size_t half_of(const fixture *x) { return x->in.offsets || x->in.keys.key_size % 16 == 0 ? x->n / 8 * 4 : 0; }

static void check_public_calls(const fixture *x)
{
    size_t half = half_of(x);
    tms_keys first = keys_slice(&x->d_in, 0, half), second = keys_slice(&x->d_in, half, x->n - half);
    tms_filter *f = filter_from(gpu, &x->params, x->start);
    ASSERT_OK(gpu, tms_filter_insert_device(gpu, f, &first));
    ASSERT_OK(gpu, tms_filter_insert_device(gpu, f, &second));
    if (x->ones) {
        ASSERT_OK(gpu, tms_filter_count_device(gpu, f, &x->d_in, x->d_ones));
        compare_ones(x, 1, "tms_filter_count_device");
        ASSERT_OK(gpu, tms_filter_count_device(gpu, f, &x->d_out, x->d_ones));
        compare_ones(x, 0, "tms_filter_count_device");
        ASSERT_FAILS(gpu, TMS_E_ARG, "count", tms_filter_query_device(gpu, f, &x->d_in, x->d_hit));
        compare_image(x, f, "tms_filter_insert_device");
        tms_filter_destroy(f);
        return;
    }
    ASSERT_FAILS(gpu, TMS_E_ARG, "query", tms_filter_count_device(gpu, f, &x->d_in, x->d_ones));
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
    static const sample_form forms[] = {FORM_FIXED_20, FORM_GAP_1, FORM_FIXED_7, FORM_GAP_0, FORM_FIXED_8, FORM_FIXED_0};
    static const uint64_t ms[] = {63, 100003, (1u << 20) + 7};
    size_t turn = 0;
    need_gpu();
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
            for (size_t j = 0; j < 6; j++, turn++) {
                if (quick && turn % 5)
                    continue;
                tms_filter_params p = {TMS_LAYOUT_CLASSIC, (tms_hash)hash, turn % 2 ? 0 : turn * 77, ms[turn % 3], ks[i]};
                fixture x = fixture_make(&p, forms[j], quick ? counts[turn % 5] : counts[turn % 7]);
                check_schedules(&x);
                check_public_calls(&x);
                fixture_free(&x);
            }
}

/* --- probabilistic --- */

/* Insertion in two parts, from keys or hashes. */
static void check_insertion(const fixture *x, enum probabilistic_schedule schedule, int hashed, const char *how)
{
    tms_filter *f = empty_filter(x);
    size_t half = half_of(x), cuts[] = {0, half, x->n};
    for (int i = 0; i < 2; i++) {
        size_t first = cuts[i], n = cuts[i + 1] - cuts[i];
        tms_keys part = keys_slice(&x->d_in, first, n);
        ASSERT_OK(gpu, probabilistic_insert_cuda(gpu, f, hashed ? NULL : &part, hashed ? x->d_hashes + 2 * first : NULL, n,
                                                 x->start + first, schedule));
    }
    compare_image(x, f, how);
    tms_filter_destroy(f);
}

static void check_counts(const fixture *x, enum probabilistic_schedule schedule, const char *how)
{
    tms_filter *f = copy_of_image(gpu, x->image, x->image_size);
    for (int inserted = 0; inserted < 2; inserted++) {
        ASSERT_OK(gpu, probabilistic_count_cuda(gpu, f, inserted ? &x->d_in : &x->d_out, x->d_ones, schedule));
        compare_ones(x, inserted, how);
    }
    tms_filter_destroy(f);
}

static row_args row_args_of(const fixture *x, const tms_filter *f, const tms_keys *d_keys, void *d_vector)
{
    row_args a = {};
    a.vector = d_vector;
    a.m_bits = x->params.m_bits;
    a.seed = x->params.seed;
    a.k = x->params.k;
    a.keys = *d_keys;
    a.n = x->n;
    a.insertion = x->start;
    a.q_high = f->jumps->q_high;
    a.q_low = f->jumps->q_low;
    a.ones = x->d_ones;
    return a;
}

static bool image_bit(const void *image, uint64_t i) { return ((const uint8_t *)image)[IMAGE_HEADER_BYTES + i / 8] >> i % 8 & 1; }

/* d_vector, m bytes or m bits, holds the image's bits; it is cleared again. */
static void compare_vector(const fixture *x, void *d_vector, bool as_bytes, const void *image, const char *how)
{
    char label[360];
    uint64_t m = x->params.m_bits;
    size_t size = as_bytes ? m : filter_bits_bytes(&x->params);
    uint8_t *got = (uint8_t *)sample_alloc(size), *want = (uint8_t *)sample_alloc(m);
    snprintf(label, sizeof label, "%s: %s", x->name, how);
    ASSERT_OK(gpu, tms_context_wait(gpu));
    ASSERT_CUDA(cudaMemcpy(got, d_vector, size, cudaMemcpyDeviceToHost));
    device_fill(d_vector, 0, size);
    for (uint64_t i = 0; i < m; i++)
        want[i] = image_bit(image, i);
    if (as_bytes)
        assert_same_bytes(label, want, m, got, size);
    else
        assert_same_bytes(label, (const uint8_t *)image + IMAGE_HEADER_BYTES, size, got, size);
    free(got);
    free(want);
}

/* The row kernels' variants: all k bits or with probability p, bits or bytes, one addition a one or a row. */
template <int HASH> static void check_rows(const fixture *x)
{
    tms_filter *classic = NULL, *f = empty_filter(x);
    const void *classic_image;
    size_t size, bits_bytes = filter_bits_bytes(&x->params), m = x->params.m_bits;
    dim3 grid = row_grid(x->n, x->params.k), block = row_block(x->params.k);
    cudaStream_t stream = gpu->gpu->stream;
    void *d_bytes = device_copy(NULL, 0, m), *d_bits = device_copy(NULL, 0, bits_bytes);
    device_fill(d_bytes, 0, m);
    device_fill(d_bits, 0, bits_bytes);
    row_args bytes = row_args_of(x, f, &x->d_in, d_bytes), bits = row_args_of(x, f, &x->d_in, d_bits);

    row_insert_kernel<HASH, true, true><<<grid, block, 0, stream>>>(bytes);
    ASSERT_CUDA(cudaGetLastError());
    compare_vector(x, d_bytes, true, x->image, "rows, bytes");
    if (x->params.k <= TMS_CLASSIC_MAX_K) {
        tms_filter_params p = {TMS_LAYOUT_CLASSIC, x->params.hash, x->params.seed, m, x->params.k};
        ASSERT_OK(cpu, tms_filter_create(cpu, &p, &classic));
        ASSERT_OK(cpu, tms_filter_insert(cpu, classic, &x->in.keys));
        ASSERT_OK(cpu, tms_filter_image(cpu, classic, &classic_image, &size));
        row_insert_kernel<HASH, false, true><<<grid, block, 0, stream>>>(bytes);
        row_insert_kernel<HASH, false, false><<<grid, block, 0, stream>>>(bits);
        ASSERT_CUDA(cudaGetLastError());
        compare_vector(x, d_bytes, true, classic_image, "rows, all k, bytes");
        compare_vector(x, d_bits, false, classic_image, "rows, all k, bits");
        tms_filter_destroy(classic);
    }

    row_insert_kernel<HASH, true, true><<<grid, block, 0, stream>>>(bytes);
    row_insert_kernel<HASH, true, false><<<grid, block, 0, stream>>>(bits);
    for (int how = 0; how < 8; how++) {
        int inserted = how & 1;
        row_args a = row_args_of(x, f, inserted ? &x->d_in : &x->d_out, how & 2 ? d_bytes : d_bits);
        ASSERT_CUDA(cudaMemsetAsync(x->d_ones, 0, x->n * sizeof *x->d_ones, stream));
        if (how & 4 && how & 2)
            row_count_kernel<HASH, true, true><<<grid, block, 0, stream>>>(a);
        else if (how & 4)
            row_count_kernel<HASH, false, true><<<grid, block, 0, stream>>>(a);
        else if (how & 2)
            row_count_kernel<HASH, true, false><<<grid, block, 0, stream>>>(a);
        else
            row_count_kernel<HASH, false, false><<<grid, block, 0, stream>>>(a);
        ASSERT_CUDA(cudaGetLastError());
        compare_ones(x, inserted,
                     how & 4   ? how & 2 ? "bytes, each adds" : "bits, each adds"
                     : how & 2 ? "bytes, a row adds"
                               : "bits, a row adds");
    }
    cudaFree(d_bytes);
    cudaFree(d_bits);
    tms_filter_destroy(f);
}

static void check_probabilistic(const fixture *x)
{
    for (int hashed = 0; hashed <= (x->d_hashes ? 1 : 0); hashed++) {
        check_insertion(x, PROBABILISTIC_AUTO, hashed, "auto");
        if (x->params.sampling == TMS_SAMPLING_GEOMETRIC) {
            check_insertion(x, PROBABILISTIC_THREAD, hashed, "thread");
        } else {
            check_insertion(x, PROBABILISTIC_WARP, hashed, "warp");
            check_insertion(x, PROBABILISTIC_ROWS, hashed, "rows");
        }
    }
    check_counts(x, PROBABILISTIC_AUTO, "auto");
    check_counts(x, PROBABILISTIC_WARP, "warp");
    check_counts(x, PROBABILISTIC_ROWS, "rows");
    check_public_calls(x);
    if (x->params.sampling == TMS_SAMPLING_GEOMETRIC)
        return; /* rows draw for each bit */
    switch (x->params.hash) {
    case TMS_HASH_XXH3_SQUARE:
        return check_rows<TMS_HASH_XXH3_SQUARE>(x);
    case TMS_HASH_MURMUR3:
        return check_rows<TMS_HASH_MURMUR3>(x);
    case TMS_HASH_AP:
        return check_rows<TMS_HASH_AP>(x);
    default:
        return check_rows<TMS_HASH_XXH3>(x);
    }
}

static void probabilistic_schedules(void **state)
{
    (void)state;
    static const uint32_t ks[] = {1, 3, 31, 32, 33, 64, 500, 513, 1000, 1023, 1024, 1025, 3000, 5000};
    static const double ps[] = {0.5, 0.05, 0.002, 1, 1e-5};
    static const size_t counts[] = {1, 7, 33, 255, 257, 512, 513, 1000, 3001};
    static const sample_form forms[] = {FORM_FIXED_20, FORM_GAP_1, FORM_FIXED_7, FORM_GAP_0, FORM_FIXED_8, FORM_FIXED_0, FORM_EQUAL_GAP_1};
    static const uint64_t ms[] = {63, 100003, (1u << 20) + 7};
    static const uint64_t starts[] = {0, 3, UINT32_MAX - 20, ((uint64_t)1 << 40) + 1};
    size_t turn = 0;
    need_gpu();
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++)
            for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
                for (size_t j = 0; j < sizeof forms / sizeof *forms; j++, turn++) {
                    if (quick && turn % 9)
                        continue;
                    tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, (tms_hash)hash, turn % 2 ? 0 : turn * 0x9E3779B97F4A7C15u,
                                           ms[(turn + i) % 3],       ks[i],          ps[(turn + i) % 5],
                                           (tms_sampling)sampling};
                    size_t n = counts[(turn / 2) % 9];
                    size_t most = (hash < TMS_HASH_MURMUR3 ? 2000000 : 100000) / (quick ? 20 : 1); /* for the CPU */
                    if (n * p.k > most)
                        n = most / p.k + 1;
                    fixture x = fixture_make(&p, forms[j], n, starts[turn % 4]);
                    check_probabilistic(&x);
                    fixture_free(&x);
                }
}

/*
 * Lengths at which keys are read in another way: classes of XXH3, what a row stages (256 bytes), what 512 keys of a tile may
 * have together (88 bytes each); then all lengths mixed, with one that no stage holds.
 */
static void probabilistic_key_lengths(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 3, 16, 17, 32, 87, 88, 89, 128, 129, 240, 241, 253, 254, 255, 256, 257, 260};
    char what[32];
    need_gpu();
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
            tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, (tms_hash)hash, 5, 100003, 40, 0.1, (tms_sampling)sampling};
            for (size_t i = (size_t)hash % 2; i < sizeof sizes / sizeof *sizes; i += quick ? 5 : 1) {
                snprintf(what, sizeof what, "%u bytes", sizes[i]);
                fixture x = fixture_of(&p, keys_fixed(1100, sizes[i], i, 0), keys_fixed(1100, sizes[i], ~i, 0), what, i);
                check_probabilistic(&x);
                fixture_free(&x);
            }
            for (p.k = 20; p.k <= 1100; p.k += 540) {
                fixture x = fixture_make(&p, hash < TMS_HASH_MURMUR3 ? FORM_LONG : FORM_GAP_1, quick ? 300 : 3000);
                check_probabilistic(&x);
                fixture_free(&x);
            }
        }
}

/* More keys than the blocks of a grid take at once. */
static void probabilistic_many_keys(void **state)
{
    (void)state;
    static const sample_form forms[] = {FORM_GAP_1, FORM_FIXED_20};
    need_gpu();
    for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
        tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 5, 3000017, 50, 0.05, (tms_sampling)sampling};
        if (quick)
            continue;
        fixture x = fixture_make(&p, forms[sampling], 500000);
        check_probabilistic(&x);
        fixture_free(&x);
    }
}

/* --- blocked --- */

static void check_plan(const fixture *x, const blocked_plan *plan, const char *how)
{
    char label[160];
    snprintf(label, sizeof label, "%s, way %d, shift %u, %u slices, chunk %zu, capacity %zu", how, (int)plan->way, plan->slice_shift,
             plan->n_slices, plan->chunk_keys, plan->slice_capacity);
    for (int hashed = 0; hashed < 2; hashed++) {
        tms_filter *f = empty_filter(x);
        ASSERT_OK(gpu, blocked_insert_cuda(gpu, f, hashed ? NULL : &x->d_in, hashed ? x->d_hashes : NULL, x->n, plan));
        compare_image(x, f, label);
        tms_filter_destroy(f);
    }
}

static void check_plans(const fixture *x)
{
    uint64_t n_blocks = filter_part_blocks(&x->params);
    tms_filter *f = empty_filter(x);
    for (int way = BLOCKED_DIRECT; way <= BLOCKED_PART_L2; way++)
        for (unsigned shift = 0; shift <= (way == BLOCKED_PART_SHARED ? 12u : 20u); shift += quick ? 4 : way == BLOCKED_PART_L2 ? 3 : 1) {
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
        uint32_t parts = i % 3 == 2 ? 1 + (uint32_t)i / 2 : 1; /* also 2, 3, 5 and 6 */
        tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, i % 2 ? 0 : 99 + i, parts * cases[i].n_blocks * 256, cases[i].k};
        p.blocks_per_key = parts;
        fixture x = fixture_make(&p, cases[i].form, cases[i].n);
        check_plans(&x);
        check_public_calls(&x);
        fixture_free(&x);
    }
}

/* Query at every k, in every form, for counts around warps and thread blocks, with one block a key and with several. */
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
            for (uint32_t parts = 1; parts <= TMS_BLOCKED_MAX_BLOCKS; parts += 1 + turn % 7) {
                tms_filter_params p = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, turn, (1 + n / 10) * parts * 256, k};
                p.blocks_per_key = parts;
                fixture x = fixture_make(&p, (sample_form)form, n);
                check_public_calls(&x);
                fixture_free(&x);
            }
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
        cmocka_unit_test(probabilistic_schedules),
        cmocka_unit_test(probabilistic_key_lengths),
        cmocka_unit_test(probabilistic_many_keys),
        cmocka_unit_test(blocked_plans),
        cmocka_unit_test(blocked_queries),
        cmocka_unit_test(chosen_plans),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
