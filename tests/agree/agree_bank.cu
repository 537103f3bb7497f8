/*
 * agree_bank.cu - the bank of filters on the GPU against bits set and looked up one by one: positions, both schedules
 * with every plan that they have, columns turned to rows, counts of columns.
 *
 * Device arrays have exactly the sizes that bank_cuda.cuh says, so that memcheck sees a read or write past them.
 */
#include <cuda_runtime.h>

#include "bank/bank_cuda.cuh"
#include "unit/samples.h" /* last: cmocka's macros have names that C++ headers use */

#include "agree/gpu_only.cuh"

static int quick;

static int setup(void **state)
{
    (void)state;
    quick = sample_is_quick();
    return gpu_create();
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(gpu);
    return 0;
}

static void need_gpu(void) { gpu_needed(gpu); }

template <class T> static T *device_copy(const T *from, size_t n)
{
    T *d = NULL;
    ASSERT_CUDA(cudaMalloc(&d, n ? n * sizeof(T) : 1));
    if (from && n)
        device_put(d, from, n * sizeof(T));
    else
        device_fill(d, 0xee, n ? n * sizeof(T) : 1);
    return d;
}

/* A bank of which about half of all bits are set, words of which some come twice, and the truth about both. */
struct fixture {
    struct bank bank;
    struct bank_gpu on_gpu;
    size_t n, row_words, column_words;
    uint64_t *words;
    uint32_t *positions; /* k n */
    uint32_t *rows;      /* n row_words, as the GPU has to make them */
    uint32_t *valid;     /* a bit for each word */
    unsigned long long *counts;
    uint64_t *d_words;
    uint32_t *d_positions, *d_columns, *d_rows, *d_valid;
};

static int bank_has(const struct bank *bank, uint32_t sub, uint64_t position)
{
    uint64_t bit = bank_bit(&bank->shape, sub, position);
    return (int)(bank->bits[bit / 64] >> bit % 64 & 1);
}

static void make_truth(fixture *x)
{
    const struct bank_shape *s = &x->bank.shape;
    for (size_t i = 0; i < x->n; i++) {
        for (uint32_t j = 0; j < s->k; j++) {
            uint64_t word = x->words[i];
            uint64_t lane = s->hash == BANK_H3     ? h3_by_rows(s->seed, j / 2, word)
                            : s->hash == BANK_XXH3 ? bank_xxh3_lane(s->seed, j / 2, word)
                                                   : 0;
            x->positions[j * x->n + i] = s->hash == BANK_EXACT ? (uint32_t)word : bank_position(lane, j, s->m_bits);
        }
        for (uint32_t sub = 0; sub < s->n_subs; sub++) {
            uint32_t pass = 1;
            for (uint32_t j = 0; j < s->k; j++)
                pass &= (uint32_t)bank_has(&x->bank, sub, x->positions[j * x->n + i]);
            x->rows[i * x->row_words + sub / 32] |= pass << sub % 32;
            x->counts[sub] += pass & x->valid[i / 32] >> i % 32;
        }
    }
}

static fixture fixture_make(struct bank_shape shape, size_t n)
{
    fixture x;
    sample_random random = {sample_seed() ^ (shape.m_bits * 31 + n * 7 + shape.n_subs)};
    memset(&x, 0, sizeof x);
    if (shape.hash == BANK_EXACT) {
        shape.k = 1;
        shape.m_bits = (uint64_t)1 << 2 * shape.word_size;
    }
    ASSERT_OK(gpu, bank_create(gpu, &shape, &x.bank));
    x.n = n;
    x.row_words = bank_row_words(&shape);
    x.column_words = (n + 31) / 32 * shape.n_subs;
    for (size_t i = 0; i < x.bank.size_bytes / 8; i++) /* three bits of four */
        x.bank.bits[i] = random_next(&random) | random_next(&random);
    uint64_t mask = ~(uint64_t)0 >> (64 - 2 * shape.word_size);
    x.words = (uint64_t *)sample_alloc(n * 8);
    x.positions = (uint32_t *)sample_alloc(n * shape.k * 4);
    x.rows = (uint32_t *)sample_alloc(n * x.row_words * 4);
    x.valid = (uint32_t *)sample_alloc((n + 31) / 32 * 4);
    x.counts = (unsigned long long *)sample_alloc(shape.n_subs * 8);
    memset(x.rows, 0, n * x.row_words * 4);
    memset(x.counts, 0, shape.n_subs * 8);
    for (size_t i = 0; i < n; i++)
        x.words[i] = i % 7 == 6 ? x.words[i / 2] : random_next(&random) & mask;
    for (size_t i = 0; i < (n + 31) / 32; i++)
        x.valid[i] = (uint32_t)(random_next(&random) | random_next(&random));
    make_truth(&x);
    ASSERT_OK(gpu, bank_gpu_create(gpu, &x.bank, &x.on_gpu));
    x.d_words = device_copy(x.words, n);
    x.d_positions = device_copy<uint32_t>(NULL, n * shape.k);
    x.d_columns = device_copy<uint32_t>(NULL, x.column_words);
    x.d_rows = device_copy<uint32_t>(NULL, n * x.row_words);
    x.d_valid = device_copy(x.valid, (n + 31) / 32);
    return x;
}

static void fixture_free(fixture *x)
{
    bank_gpu_free(&x->on_gpu);
    bank_free(&x->bank);
    free(x->words);
    free(x->positions);
    free(x->rows);
    free(x->valid);
    free(x->counts);
    void *arrays[] = {x->d_words, x->d_positions, x->d_columns, x->d_rows, x->d_valid};
    for (void *array : arrays)
        cudaFree(array);
}

static const char *label_of(const fixture *x, const char *how)
{
    static char label[200];
    const struct bank_shape *s = &x->bank.shape;
    snprintf(label, sizeof label, "hash %u w=%u m=%llu k=%u, %u sub-queries, rows of %u, %zu words: %s", s->hash, s->word_size,
             (unsigned long long)s->m_bits, s->k, s->n_subs, s->row_bits, x->n, how);
    return label;
}

static void compare(const fixture *x, const char *how, const void *truth, const void *d_got, size_t size)
{
    void *got = sample_alloc(size);
    ASSERT_OK(gpu, tms_context_wait(gpu));
    if (size)
        ASSERT_CUDA(cudaMemcpy(got, d_got, size, cudaMemcpyDeviceToHost));
    assert_same_bytes(label_of(x, how), truth, size, got, size);
    free(got);
}

/* Columns that sub-queries do not have are 0 in the interleaved layout only if their bits are. */
static void clear_spare_columns(fixture *x)
{
    const struct bank_shape *s = &x->bank.shape;
    uint32_t *rows = (uint32_t *)sample_alloc(x->n * x->row_words * 4);
    ASSERT_OK(gpu, tms_context_wait(gpu));
    if (x->n)
        ASSERT_CUDA(cudaMemcpy(rows, x->d_rows, x->n * x->row_words * 4, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < x->n; i++)
        for (size_t w = s->n_subs / 32; w < x->row_words; w++)
            rows[i * x->row_words + w] &= w == s->n_subs / 32 ? (1u << s->n_subs % 32) - 1 : 0;
    if (x->n)
        device_put(x->d_rows, rows, x->n * x->row_words * 4);
    free(rows);
}

static void check_rows(fixture *x, const char *how)
{
    unsigned long long *d_counts = device_copy<unsigned long long>(NULL, x->bank.shape.n_subs);
    clear_spare_columns(x);
    compare(x, how, x->rows, x->d_rows, x->n * x->row_words * 4);
    device_fill(d_counts, 0, x->bank.shape.n_subs * 8);
    ASSERT_OK(gpu, bank_count_cuda(gpu, &x->bank.shape, x->d_rows, x->d_valid, x->n, d_counts));
    compare(x, "counts", x->counts, d_counts, x->bank.shape.n_subs * 8);
    ASSERT_CUDA(cudaFree(d_counts));
    device_fill(x->d_rows, 0xee, x->n * x->row_words * 4 + !x->n);
}

static void check_shared(fixture *x)
{
    static const unsigned vectors[] = {0, 1, 3, 7}, blocks[] = {1, 3, 200}, threads[] = {32, 128, 1024};
    char how[80];
    for (size_t v = 0; v < 4; v++)
        for (size_t b = 0; b < 3; b++)
            for (int even = 0; even < 2; even++) {
                struct bank_plan plan = {blocks[b], threads[(v + b + even) % 3], vectors[v], even};
                if (plan.vectors * bank_stride(&x->bank.shape) / 8 > gpu->gpu->shared_bytes_block)
                    continue;
                snprintf(how, sizeof how, "%u blocks, %u threads, %u vectors, %s", plan.blocks, plan.threads, plan.vectors,
                         even ? "even" : "passes");
                ASSERT_OK(gpu, bank_shared_cuda(gpu, &x->on_gpu, &plan, x->d_positions, x->n, x->d_columns));
                ASSERT_OK(gpu, bank_rows_of_columns_cuda(gpu, &x->bank.shape, x->d_columns, x->n, x->d_rows));
                check_rows(x, how);
                device_fill(x->d_columns, 0xee, x->column_words * 4 + !x->column_words);
            }
}

static void check(struct bank_shape shape, size_t n)
{
    fixture x = fixture_make(shape, n);
    ASSERT_OK(gpu, bank_positions_cuda(gpu, &x.on_gpu, x.d_words, n, x.d_positions));
    compare(&x, "positions", x.positions, x.d_positions, n * x.bank.shape.k * 4);
    ASSERT_OK(gpu, bank_query_cuda(gpu, &x.on_gpu, x.d_positions, n, x.d_columns, x.d_rows));
    check_rows(&x, "as planned");
    if (!x.bank.shape.row_bits)
        check_shared(&x);
    fixture_free(&x);
}

static const size_t counts[] = {0, 1, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 2049};
static const uint32_t subs[] = {1, 2, 3, 6, 7, 8, 31, 32, 33, 64, 65, 128, 129, 255, 257, 1000, 1025};
#define N(a) (sizeof(a) / sizeof *(a))

/* The row's bits that seeds_plan.c gives so many sub-queries. */
static uint32_t row_bits_of(uint32_t n_subs)
{
    uint32_t bits = 1;
    if (n_subs > 128)
        return n_subs > 1024 ? 768 : (n_subs + 255) / 256 * 256;
    while (bits < n_subs)
        bits *= 2;
    return bits;
}

static void every_k(void **state)
{
    (void)state;
    need_gpu();
    for (uint32_t k = 1; k <= BANK_MAX_K; k++)
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t n_subs = subs[(5 * k + i) % (quick ? 10 : N(subs))];
            check({i % 2 ? 12345u : 4096u, k, k, n_subs, i / 2 ? row_bits_of(n_subs) : 0, (uint32_t)(i % 2 ? BANK_XXH3 : BANK_H3), 8 + k},
                  counts[(3 * k + i) % N(counts)]);
        }
}

static void every_number_of_sub_queries(void **state)
{
    (void)state;
    need_gpu();
    for (uint32_t i = 0; i < N(subs); i++)
        for (uint32_t j = 0; j < (quick ? 2 : N(counts)); j++) {
            size_t n = counts[quick ? (i + 5 * j) % N(counts) : j];
            check({1000 + i, i, 3, subs[i], 0, BANK_XXH3, 16}, n);
            check({1000 + i, i, 3, subs[i], row_bits_of(subs[i]), BANK_XXH3, 16}, n);
        }
}

/* Rows of every width, and more than one slice of it. */
static void every_row(void **state)
{
    static const uint32_t bits[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1024};
    (void)state;
    need_gpu();
    for (size_t i = 0; i < N(bits); i++)
        for (uint32_t k = 1; k <= 10; k += 3)
            for (uint32_t more = 0; more < 3; more++)
                check({777, 9, k, bits[i] + more * (bits[i] / 2 + 1), bits[i], BANK_XXH3, 11}, 300 + 33 * k);
}

/* A vector too large for shared memory, and large ones that fit. */
static void large_vectors(void **state)
{
    (void)state;
    need_gpu();
    for (uint32_t log = 17; log <= (quick ? 18 : 23); log++) {
        check({(uint64_t)1 << log, log, 6, 9, 0, BANK_H3, 32}, 4000);
        check({(uint64_t)1 << log, log, 6, 9, 16, BANK_H3, 32}, 4000);
    }
    check({0, 0, 1, 3, 4, BANK_EXACT, 9}, 4000);
    check({0, 0, 1, 3, 0, BANK_EXACT, 8}, 4000);
    check({0, 0, 1, 1, 1, BANK_EXACT, 11}, 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_k),
        cmocka_unit_test(every_number_of_sub_queries),
        cmocka_unit_test(every_row),
        cmocka_unit_test(large_vectors),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
