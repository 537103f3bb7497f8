/*
 * bench_bank.cu - the bank of Bloom filters on the GPU: both schedules at the sizes of [Ma11], its Figs. 7 to 16 again,
 * few sub-queries, and the same bank on the CPU. W-mers are random words; a sub-query's n words are random too, so that
 * vectors are as full as n different words make them. Times are of kernels on w-mers whose positions are in device
 * memory, unless the row says otherwise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bank/bank_cuda.cuh"
#include "bench_bank.h"
#include "gpu_limits.cuh"
#include "tamis/seeds.h"

#define WORD_SIZE    16
#define WORDS_MASK   (~(uint64_t)0 >> (64 - 2 * WORD_SIZE))
#define W_MERS       ((size_t)1 << 20)
#define FEW_W_MERS   ((size_t)1 << 18)     /* of the figures over blocks and threads */
#define QUERY_WORDS  ((uint64_t)250000000) /* the query of [Ma11, III-D]: 5,000 sub-queries of 50,000 */
#define K_BITS(m)    ((uint64_t)(m) << 10)
#define MAX_K        10
#define RUNS         3
#define CHECK_W_MERS 4096

/* --- limits --- */

#define LIMIT_READS 8192

/* Reads of 4 bytes at random in shared memory: addresses are drawn once, and change by exclusive or, which keeps their
 * collisions. */
static __global__ void __launch_bounds__(1024) shared_reads_kernel(uint32_t n_words, uint32_t *out)
{
    extern __shared__ uint32_t words[];
    uint32_t at[16], seen = 0;
    for (uint32_t i = threadIdx.x; i < n_words; i += blockDim.x)
        words[i] = i * 2654435761u;
    __syncthreads();
    for (uint32_t j = 0; j < 16; j++)
        at[j] = (uint32_t)core_splitmix(blockIdx.x, j * 1024 + threadIdx.x) & (n_words - 1);
    for (uint32_t i = 0; i < LIMIT_READS / 16; i++) {
        uint32_t turn = i * 2654435761u >> 12 & (n_words - 1);
#pragma unroll
        for (uint32_t j = 0; j < 16; j++)
            seen ^= words[at[j] ^ turn];
    }
    if (seen == 0x12345)
        *out = seen;
}

static double limit_shared_reads(tms_context *ctx, uint32_t *d_out)
{
    unsigned blocks = (unsigned)ctx->gpu->n_multiprocessors * 2;
    double seconds = bench_gpu_seconds(
        ctx->gpu->stream, RUNS, [] {}, [&] { shared_reads_kernel<<<blocks, 1024, 32768, ctx->gpu->stream>>>(8192, d_out); });
    BENCH_CUDA(cudaGetLastError());
    return (double)blocks * 1024 * LIMIT_READS / seconds;
}

/* Random rows of 128 bytes: eight threads a row, eight rows under way. */
static __global__ void __launch_bounds__(256) row_reads_kernel(const uint4 *rows, uint32_t n_rows, size_t n, uint32_t *out)
{
    size_t i = ((size_t)blockIdx.x * 256 + threadIdx.x) / 8;
    uint32_t seen = 0;
#pragma unroll
    for (uint32_t j = 0; j < 8; j++) {
        uint4 piece = __ldg(rows + core_scale(core_splitmix(1, i * 8 + j), n_rows) * 8 + threadIdx.x % 8);
        seen ^= piece.x ^ piece.y ^ piece.z ^ piece.w;
    }
    if (i < n && seen == 0x12345)
        *out = seen;
}

static double limit_row_reads(tms_context *ctx, const void *d_rows, size_t bytes, uint32_t *d_out)
{
    size_t n = (size_t)1 << 22;
    double seconds = bench_gpu_seconds(
        ctx->gpu->stream, RUNS, [] {},
        [&] {
            row_reads_kernel<<<(unsigned)(n * 8 / 256), 256, 0, ctx->gpu->stream>>>((const uint4 *)d_rows, (uint32_t)(bytes / 128), n,
                                                                                    d_out);
        });
    BENCH_CUDA(cudaGetLastError());
    return (double)n * 8 / seconds;
}

/* --- banks --- */

struct bed {
    tms_context *ctx;
    uint64_t *words, *d_words; /* W_MERS of them */
    uint32_t *d_positions;
    double shared_reads, row_reads; /* a second */
};

/* One filled bank in device memory. */
struct filled {
    struct bank_gpu bank;
    size_t bits_bytes;
    uint64_t n;
};

static __global__ void __launch_bounds__(256) fill_kernel(bank_gpu bank, uint64_t n, uint64_t n_all, uint64_t mask)
{
    extern __shared__ uint64_t tables[];
    bank_load_tables(bank.shape, bank.d_h3_tables, tables);
    for (uint64_t i = (uint64_t)blockIdx.x * 256 + threadIdx.x; i < n_all; i += (uint64_t)gridDim.x * 256) {
        uint64_t word = core_splitmix(1, i) & mask, lane = 0;
        for (uint32_t j = 0; j < bank.shape.k; j++) {
            if (j % 2 == 0)
                lane = bank_hash_lane(bank.shape, tables, j / 2, word);
            uint64_t bit = bank_bit(&bank.shape, (uint32_t)(i / n), bank_position(lane, j, bank.shape.m_bits));
            atomicOr(bank.d_bits + (bit >> 5), 1u << (bit & 31));
        }
    }
}

static struct filled fill(const struct bed *b, uint64_t m_bits, uint32_t k, uint64_t n, uint32_t n_subs, uint32_t row_bits)
{
    cudaStream_t stream = b->ctx->gpu->stream;
    struct bank_shape shape = {m_bits, 1, k, 1, row_bits, BANK_H3, WORD_SIZE};
    struct filled f = {};
    struct bank one;
    bench_must(b->ctx, bank_create(b->ctx, &shape, &one)); /* its hash functions are those of any number of vectors */
    bench_must(b->ctx, bank_gpu_create(b->ctx, &one, &f.bank));
    bank_free(&one);
    shape.n_subs = n_subs;
    f.bank.shape = shape;
    f.n = n;
    uint64_t columns = row_bits ? bank_width(&shape) : n_subs;
    f.bits_bytes = (size_t)((row_bits ? m_bits : bank_stride(&shape)) * columns / 8);
    BENCH_CUDA(cudaFree(f.bank.d_bits));
    BENCH_CUDA(cudaMalloc(&f.bank.d_bits, f.bits_bytes));
    BENCH_CUDA(cudaMemsetAsync(f.bank.d_bits, 0, f.bits_bytes, stream));
    fill_kernel<<<(unsigned)b->ctx->gpu->n_multiprocessors * 8, 256, bank_tables_bytes(&shape), stream>>>(f.bank, n, n * n_subs,
                                                                                                          WORDS_MASK);
    BENCH_CUDA(cudaGetLastError());
    BENCH_CUDA(cudaStreamSynchronize(stream));
    return f;
}

/* The mean number of positions that are looked at until one is 0. */
static double probes(const struct filled *f)
{
    const struct bank_shape *s = &f->bank.shape;
    double set = -expm1((double)s->k * (double)f->n * log1p(-1 / (double)s->m_bits)), sum = 0, alive = 1;
    for (uint32_t j = 0; j < s->k; j++, alive *= set)
        sum += alive;
    return sum;
}

/* --- rows of the table --- */

struct result {
    const char *fig, *schedule;
    const struct filled *f;
    size_t w_mers;
    struct bank_plan plan;
    int active_blocks, registers;
    double seconds, limit, pass_rate;
};

static void print(const struct result *r)
{
    const struct bank_shape *s = &r->f->bank.shape;
    double tests = (double)r->w_mers * s->n_subs / r->seconds;
    printf("%s\t%s\t%llu\t%llu\t%u\t%u\t%u\t%zu\t", r->fig, r->schedule, (unsigned long long)r->f->n, (unsigned long long)s->m_bits, s->k,
           s->n_subs, s->row_bits, r->w_mers);
    if (r->plan.threads)
        printf("%u\t%u\t%u\t%d\t%d\t", r->plan.blocks, r->plan.threads, r->plan.vectors, r->active_blocks, r->registers);
    else
        printf("\t\t\t\t\t");
    printf("%.4e\t%.4e\t%.4e\t", r->seconds, tests, (double)r->w_mers / r->seconds);
    if (r->limit > 0)
        printf("%.4e\t%.1f\t", r->limit, 100 * tests / r->limit);
    else
        printf("\t\t");
    if (r->pass_rate > 0)
        printf("%.5f", r->pass_rate);
    printf("\n");
}

static void positions_of(const struct bed *b, const struct filled *f, size_t w_mers)
{
    bench_must(b->ctx, bank_positions_cuda(b->ctx, &f->bank, b->d_words, w_mers, b->d_positions));
}

/* What a bank's w-mers get, with room for it. */
struct answers {
    uint32_t *d_columns, *d_rows;
    size_t row_words;
};

static struct answers answers_room(const struct filled *f, size_t w_mers, int with_rows)
{
    struct answers a = {NULL, NULL, bank_row_words(&f->bank.shape)};
    if (!f->bank.shape.row_bits)
        BENCH_CUDA(cudaMalloc(&a.d_columns, w_mers / 8 * f->bank.shape.n_subs));
    if (with_rows || f->bank.shape.row_bits)
        BENCH_CUDA(cudaMalloc(&a.d_rows, w_mers * a.row_words * 4));
    return a;
}

static void answers_free(struct answers *a)
{
    BENCH_CUDA(cudaFree(a->d_columns));
    BENCH_CUDA(cudaFree(a->d_rows));
}

static void filled_free(struct filled *f) { bank_gpu_free(&f->bank); }

/* blocks 0: as many as are active at once. */
static struct result run_shared(const struct bed *b, const struct filled *f, const char *fig, size_t w_mers, struct bank_plan plan,
                                const struct answers *a)
{
    struct result r = {fig, plan.even ? "shared" : "shared, passes", f, w_mers};
    bench_must(b->ctx, bank_plan_occupancy(b->ctx, &f->bank.shape, &plan, &r.active_blocks, &r.registers));
    if (!plan.blocks)
        plan.blocks = (unsigned)(r.active_blocks * b->ctx->gpu->n_multiprocessors);
    r.plan = plan;
    r.limit = b->shared_reads / probes(f);
    r.seconds = bench_gpu_seconds(
        b->ctx->gpu->stream, RUNS, [] {},
        [&] { bench_must(b->ctx, bank_shared_cuda(b->ctx, &f->bank, &plan, b->d_positions, w_mers, a->d_columns)); });
    return r;
}

static struct result run_interleaved(const struct bed *b, const struct filled *f, const char *fig, size_t w_mers, const struct answers *a)
{
    struct result r = {fig, "interleaved", f, w_mers};
    r.limit = f->bank.shape.row_bits == 1024 ? b->row_reads / f->bank.shape.k * 1024 : 0;
    r.seconds = bench_gpu_seconds(
        b->ctx->gpu->stream, RUNS, [] {},
        [&] { bench_must(b->ctx, bank_interleaved_cuda(b->ctx, &f->bank, b->d_positions, w_mers, a->d_rows)); });
    return r;
}

static struct bank_plan best_plan(const struct bed *b, const struct filled *f)
{
    struct bank_plan plan;
    bench_must(b->ctx, bank_plan_shared(b->ctx, &f->bank.shape, &plan));
    return plan;
}

/* One vector a block, a block all w-mers: the paper's. */
static struct bank_plan paper_plan(unsigned blocks, unsigned threads)
{
    struct bank_plan plan = {blocks, threads, 1, 0};
    return plan;
}

/* --- the sizes of the paper --- */

/* How many w-mers each sub-query passes. */
static unsigned long long *counts_of(const struct bed *b, const struct filled *f, const struct answers *a, size_t w_mers)
{
    uint32_t n_subs = f->bank.shape.n_subs, *d_valid;
    unsigned long long *d_counts, *counts = (unsigned long long *)malloc(n_subs * sizeof *counts);
    if (!counts)
        exit(5);
    BENCH_CUDA(cudaMalloc(&d_valid, w_mers / 8));
    BENCH_CUDA(cudaMalloc(&d_counts, n_subs * sizeof *counts));
    BENCH_CUDA(cudaMemsetAsync(d_valid, 0xff, w_mers / 8, b->ctx->gpu->stream)); /* a plain cudaMemset() is unseen by that stream */
    BENCH_CUDA(cudaMemsetAsync(d_counts, 0, n_subs * sizeof *counts, b->ctx->gpu->stream));
    bench_must(b->ctx, bank_count_cuda(b->ctx, &f->bank.shape, a->d_rows, d_valid, w_mers, d_counts));
    bench_must(b->ctx, tms_context_wait(b->ctx));
    BENCH_CUDA(cudaMemcpy(counts, d_counts, n_subs * sizeof *counts, cudaMemcpyDeviceToHost));
    BENCH_CUDA(cudaFree(d_valid));
    BENCH_CUDA(cudaFree(d_counts));
    return counts;
}

static double rate_of(const unsigned long long *counts, uint32_t n_subs, size_t w_mers)
{
    double sum = 0;
    for (uint32_t i = 0; i < n_subs; i++)
        sum += (double)counts[i];
    return sum / n_subs / (double)w_mers;
}

/* The same bank on the host: its bits are copied. */
static struct bank host_bank(const struct bed *b, const struct filled *f)
{
    struct bank bank;
    bench_must(b->ctx, bank_create(b->ctx, &f->bank.shape, &bank));
    bench_must(b->ctx, gpu_download(&b->ctx->fault, f->bank.index, bank.bits, f->bank.d_bits, f->bits_bytes));
    return bank;
}

/* Ends the program where the first w-mers' rows differ from the CPU's. */
static void check_rows(const struct bed *b, const struct bank *bank, const struct answers *a)
{
    size_t batch = bank_query_batch(bank), width = (size_t)bank_width(&bank->shape);
    uint32_t *rows = (uint32_t *)malloc(CHECK_W_MERS * a->row_words * 4);
    uint32_t *positions = (uint32_t *)malloc(batch * bank->shape.k * 4);
    uint64_t *pass = (uint64_t *)malloc((size_t)BANK_PASS_U64(bank, batch) * 8);
    if (!rows || !positions || !pass)
        exit(5);
    bench_must(b->ctx, tms_context_wait(b->ctx));
    BENCH_CUDA(cudaMemcpy(rows, a->d_rows, CHECK_W_MERS * a->row_words * 4, cudaMemcpyDeviceToHost));
    for (size_t first = 0; first < CHECK_W_MERS; first += batch) {
        size_t n = CHECK_W_MERS - first < batch ? CHECK_W_MERS - first : batch;
        bank_query_cpu(b->ctx->simd, bank, b->words + first, n, positions, pass);
        for (size_t i = 0; i < n; i++)
            for (size_t s = 0; s < bank->shape.n_subs; s++)
                if ((pass[(i * width + s) / 64] >> (i * width + s) % 64 & 1) != (rows[(first + i) * a->row_words + s / 32] >> s % 32 & 1)) {
                    fprintf(stderr, "tamis-bench: w-mer %zu, sub-query %zu: GPU and CPU differ\n", first + i, s);
                    exit(3);
                }
    }
    free(rows);
    free(positions);
    free(pass);
}

static void run_cpu(const struct bed *b, const struct filled *f, const struct bank *bank)
{
    char name[48];
    tms_context *cpu;
    if (tms_context_create(&cpu) != TMS_OK)
        exit(5);
    struct result r = {"cpu", name, f};
    snprintf(name, sizeof name, "%s, cpu x%d", f->bank.shape.row_bits ? "interleaved" : "shared", tms_context_threads(cpu));
    r.seconds = bench_bank_cpu(cpu, bank, b->words, W_MERS, &r.w_mers);
    print(&r);
    tms_context_destroy(cpu);
}

/* Both schedules on the GPU and on the CPU, with all that belongs to them; results are held against each other. */
static void run_target(const struct bed *b, uint32_t n_subs, uint64_t m_bits, uint32_t k, uint64_t n)
{
    tms_context *ctx = b->ctx;
    cudaStream_t stream = ctx->gpu->stream;
    unsigned long long *counts[2];
    for (int is_rows = 0; is_rows < 2; is_rows++) {
        struct filled f = fill(b, m_bits, k, n, n_subs, is_rows ? bank_row_bits(n_subs) : 0);
        struct answers a = answers_room(&f, W_MERS, 1);
        struct result r = {"target", "positions", &f, W_MERS};
        r.seconds = bench_gpu_seconds(
            stream, RUNS, [] {}, [&] { positions_of(b, &f, W_MERS); });
        if (!is_rows) {
            print(&r);
            struct result paper = run_shared(b, &f, "target", W_MERS, paper_plan(0, 512), &a);
            print(&paper);
        }
        r = is_rows ? run_interleaved(b, &f, "target", W_MERS, &a) : run_shared(b, &f, "target", W_MERS, best_plan(b, &f), &a);
        if (!is_rows) {
            struct result turn = {"target", "columns to rows", &f, W_MERS};
            turn.seconds = bench_gpu_seconds(
                stream, RUNS, [] {},
                [&] { bench_must(ctx, bank_rows_of_columns_cuda(ctx, &f.bank.shape, a.d_columns, W_MERS, a.d_rows)); });
            print(&turn);
        }
        counts[is_rows] = counts_of(b, &f, &a, W_MERS);
        r.pass_rate = rate_of(counts[is_rows], n_subs, W_MERS);
        print(&r);
        struct bank host = host_bank(b, &f);
        check_rows(b, &host, &a);
        run_cpu(b, &f, &host);
        bank_free(&host);
        answers_free(&a);
        filled_free(&f);
    }
    if (memcmp(counts[0], counts[1], n_subs * sizeof *counts[0]) != 0) {
        fprintf(stderr, "tamis-bench: the two schedules pass different numbers of w-mers\n");
        exit(3);
    }
    printf("# %u sub-queries, k = %u: both schedules agree; rate passed %.5f, predicted %.5f\n", n_subs, k,
           rate_of(counts[0], n_subs, W_MERS), tms_bank_fpr(m_bits, k, n));
    free(counts[0]);
    free(counts[1]);
}

#define FEW_TIMES 10

/* Few sub-queries, up to rows of answers: which schedule when. */
static void run_few(const struct bed *b)
{
    static const uint32_t subs[] = {1, 2, 4, 7, 8, 16, 32, 64, 128, 256, 512, 1024};
    for (size_t i = 0; i < sizeof subs / sizeof *subs; i++)
        for (int is_rows = 0; is_rows < 2; is_rows++) {
            struct filled f = fill(b, K_BITS(256), 6, 50000, subs[i], is_rows ? bank_row_bits(subs[i]) : 0);
            struct answers a = answers_room(&f, W_MERS, 1);
            struct result r = {"few", is_rows ? "interleaved" : "shared, to rows", &f, W_MERS};
            positions_of(b, &f, W_MERS);
            r.seconds = bench_gpu_seconds(
                b->ctx->gpu->stream, RUNS, [] {},
                [&] {
                    for (int i = 0; i < FEW_TIMES; i++) /* so that the time is not that of a launch */
                        bench_must(b->ctx, bank_query_cuda(b->ctx, &f.bank, b->d_positions, W_MERS, a.d_columns, a.d_rows));
                });
            r.seconds /= FEW_TIMES;
            print(&r);
            answers_free(&a);
            filled_free(&f);
        }
}

/* --- the paper's figures --- */

static uint32_t subs_of(uint64_t n) { return (uint32_t)((QUERY_WORDS + n - 1) / n); }

/* Figs. 7 and 8: time over k and over n, the query being as long. */
static void run_fig7(const struct bed *b)
{
    static const uint64_t ns[] = {10000, 20000, 30000, 50000, 75000, 100000, 150000, 200000, 300000};
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
        for (uint32_t k = 4; k <= MAX_K; k++)
            for (int is_rows = 0; is_rows < 2; is_rows++) {
                struct filled f = fill(b, K_BITS(256), k, ns[i], subs_of(ns[i]), is_rows ? 1024 : 0);
                struct answers a = answers_room(&f, W_MERS, 0);
                positions_of(b, &f, W_MERS);
                struct result r = is_rows ? run_interleaved(b, &f, "fig7-8", W_MERS, &a)
                                          : run_shared(b, &f, "fig7-8", W_MERS, best_plan(b, &f), &a);
                print(&r);
                if (!is_rows) {
                    r = run_shared(b, &f, "fig7-8", W_MERS, paper_plan(0, 512), &a);
                    print(&r);
                }
                answers_free(&a);
                filled_free(&f);
            }
}

/* Figs. 9 to 14: as many sub-queries as requested blocks, to three times as many as are active at once. */
static void run_fig9(const struct bed *b, uint64_t m_bits)
{
    static const unsigned threads[] = {128, 256, 512, 1024};
    unsigned n_sm = (unsigned)b->ctx->gpu->n_multiprocessors;
    for (size_t t = 0; t < 4; t++) {
        struct filled f = fill(b, m_bits, 6, 50000, 1, 0);
        struct bank_plan plan = paper_plan(0, threads[t]);
        int active, registers;
        bench_must(b->ctx, bank_plan_occupancy(b->ctx, &f.bank.shape, &plan, &active, &registers));
        filled_free(&f);
        unsigned wave = (unsigned)active * n_sm;
        f = fill(b, m_bits, 6, 50000, 3 * wave + 1, 0);
        struct answers a = answers_room(&f, FEW_W_MERS, 0);
        positions_of(b, &f, FEW_W_MERS);
        for (unsigned step = 0; step <= 36; step++)
            for (unsigned more = 0; more <= (step && step % 12 == 0); more++) { /* a wave, and one block beyond it */
                plan.blocks = step ? wave * step / 12 + more : 1;
                f.bank.shape.n_subs = plan.blocks;
                struct result r = run_shared(b, &f,
                                             m_bits == K_BITS(256)   ? "fig9"
                                             : m_bits == K_BITS(128) ? "fig10"
                                             : m_bits == K_BITS(64)  ? "fig11"
                                             : m_bits == K_BITS(32)  ? "fig12"
                                                                     : "fig9-larger",
                                             FEW_W_MERS, plan, &a);
                print(&r);
            }
        answers_free(&a);
        filled_free(&f);
    }
}

/* Fig. 15: over threads, for one to four blocks a multiprocessor. */
static void run_fig15(const struct bed *b)
{
    static const unsigned threads[] = {32, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 896, 1024};
    unsigned n_sm = (unsigned)b->ctx->gpu->n_multiprocessors;
    struct filled f = fill(b, K_BITS(64), 6, 50000, 4 * n_sm, 0);
    struct answers a = answers_room(&f, FEW_W_MERS, 0);
    positions_of(b, &f, FEW_W_MERS);
    for (unsigned i = 1; i <= 4; i++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            f.bank.shape.n_subs = i * n_sm;
            struct result r = run_shared(b, &f, "fig15", FEW_W_MERS, paper_plan(i * n_sm, threads[t]), &a);
            print(&r);
        }
    answers_free(&a);
    filled_free(&f);
}

static void print_copy(const struct bed *b, const struct filled *f, const char *what, void *host, void *d, size_t bytes, size_t room,
                       enum cudaMemcpyKind kind)
{
    struct result r = {"fig16", what, f, W_MERS};
    r.seconds = bench_gpu_seconds(
        b->ctx->gpu->stream, RUNS, [] {},
        [&] {
            for (size_t at = 0; at < bytes; at += room) { /* all through one pinned buffer */
                size_t n = bytes - at < room ? bytes - at : room;
                void *there = (uint8_t *)d + at;
                BENCH_CUDA(cudaMemcpyAsync(kind == cudaMemcpyHostToDevice ? there : host, kind == cudaMemcpyHostToDevice ? host : there, n,
                                           kind, b->ctx->gpu->stream));
            }
        });
    print(&r);
}

/* Fig. 16: the copies beside the kernel, over n. Results are bits, one a test. */
static void run_fig16(const struct bed *b)
{
    static const uint64_t ns[] = {10000, 20000, 50000, 100000, 200000, 300000};
    size_t room = (size_t)256 << 20;
    void *host;
    bench_must(b->ctx, tms_host_alloc(b->ctx, room, &host));
    memset(host, 0, room);
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
        for (int is_rows = 0; is_rows < 2; is_rows++) {
            struct filled f = fill(b, K_BITS(256), 6, ns[i], subs_of(ns[i]), is_rows ? 1024 : 0);
            struct answers a = answers_room(&f, W_MERS, 0);
            positions_of(b, &f, W_MERS);
            struct result r = is_rows ? run_interleaved(b, &f, "fig16", W_MERS, &a)
                                      : run_shared(b, &f, "fig16", W_MERS, best_plan(b, &f), &a);
            print(&r);
            if (!is_rows) {
                struct result paper = run_shared(b, &f, "fig16", W_MERS, paper_plan(0, 512), &a);
                print(&paper);
                r = paper;
                r.plan = bank_plan{};
                r.limit = 0;
                r.schedule = "positions";
                r.seconds = bench_gpu_seconds(
                    b->ctx->gpu->stream, RUNS, [] {}, [&] { positions_of(b, &f, W_MERS); });
                print(&r);
                print_copy(b, &f, "copy results", host, a.d_columns, W_MERS / 8 * f.bank.shape.n_subs, room, cudaMemcpyDeviceToHost);
                print_copy(b, &f, "copy database", host, b->d_words, W_MERS / 4, room, cudaMemcpyHostToDevice);
                print_copy(b, &f, "copy vectors", host, f.bank.d_bits, f.bits_bytes, room, cudaMemcpyHostToDevice);
                BENCH_CUDA(cudaMemcpy(b->d_words, b->words, W_MERS * sizeof *b->words, cudaMemcpyHostToDevice));
            }
            answers_free(&a);
            filled_free(&f);
        }
    tms_host_free(b->ctx, host);
}

/* --- all of it --- */

static void machine_and_limits(struct bed *b)
{
    cudaDeviceProp p;
    int clock, memory_clock;
    uint8_t *d;
    size_t bytes = (size_t)1 << 30;
    BENCH_CUDA(cudaGetDeviceProperties(&p, b->ctx->gpu->index));
    BENCH_CUDA(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, b->ctx->gpu->index));
    BENCH_CUDA(cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, b->ctx->gpu->index));
    printf("# machine: %d multiprocessors, %zu bytes of shared memory each, %zu a block, %d registers, %d threads, %d "
           "blocks; "
           "%d threads a block; L2 %d bytes; %d MHz, memory %d MHz\n",
           p.multiProcessorCount, p.sharedMemPerMultiprocessor, p.sharedMemPerBlockOptin, p.regsPerMultiprocessor,
           p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor, p.maxThreadsPerBlock, p.l2CacheSize, clock / 1000,
           memory_clock / 1000);
    BENCH_CUDA(cudaMalloc(&d, 2 * bytes));
    BENCH_CUDA(cudaMemset(d, 0x5a, 2 * bytes));
    b->shared_reads = limit_shared_reads(b->ctx, (uint32_t *)d);
    b->row_reads = limit_row_reads(b->ctx, d, K_BITS(256) * 128, (uint32_t *)d);
    double sectors = gpu_limit_reads(b->ctx->gpu->stream, d, K_BITS(256) * 128);
    double copy = gpu_limit_copy(b->ctx->gpu->stream, d, d + bytes, bytes);
    double set = bench_gpu_seconds(
        b->ctx->gpu->stream, RUNS, [] {}, [&] { BENCH_CUDA(cudaMemsetAsync(d, 1, bytes, b->ctx->gpu->stream)); });
    printf("# limits: %.3f T random 4-byte reads/s of shared memory; in 32 MiB, from L2: %.2f G random 128-byte rows/s "
           "(%.2f TB/s), "
           "%.1f G sectors/s; copy %.2f TB/s, written alone %.2f TB/s\n",
           b->shared_reads / 1e12, b->row_reads / 1e9, b->row_reads * 128 / 1e12, sectors / 1e9, copy / 1e12, (double)bytes / set / 1e12);
    BENCH_CUDA(cudaFree(d));
}

int bench_bank(int argc, char **argv)
{
    struct bed b = {};
    const char *only = argc > 1 ? argv[1] : "";
    if (tms_context_create(&b.ctx) != TMS_OK)
        return 5;
    bench_must(b.ctx, tms_context_set_device(b.ctx, 0));
    machine_and_limits(&b);
    b.words = (uint64_t *)bench_alloc(W_MERS * sizeof *b.words);
    for (size_t i = 0; i < W_MERS; i++)
        b.words[i] = core_splitmix(2, i) & WORDS_MASK;
    BENCH_CUDA(cudaMalloc(&b.d_words, W_MERS * sizeof *b.words));
    BENCH_CUDA(cudaMalloc(&b.d_positions, W_MERS * MAX_K * sizeof *b.d_positions));
    BENCH_CUDA(cudaMemcpy(b.d_words, b.words, W_MERS * sizeof *b.words, cudaMemcpyHostToDevice));
    int all = !*only;
    if (all || strcmp(only, "target") == 0) {
        run_target(&b, 1024, K_BITS(256), 6, 50000);
        run_target(&b, 5000, K_BITS(256), 6, 50000);
        run_target(&b, 1024, K_BITS(256), 2, 50000); /* as many false positives with two functions */
        run_few(&b);
    }
    if (all || strcmp(only, "fig7") == 0)
        run_fig7(&b);
    if (all || strcmp(only, "fig9") == 0)
        for (uint64_t m = 32; m <= 1024; m *= 2)
            run_fig9(&b, K_BITS(m));
    if (all || strcmp(only, "fig15") == 0)
        run_fig15(&b);
    if (all || strcmp(only, "fig16") == 0)
        run_fig16(&b);
    BENCH_CUDA(cudaFree(b.d_words));
    BENCH_CUDA(cudaFree(b.d_positions));
    bench_free(b.words, W_MERS * sizeof *b.words);
    tms_context_destroy(b.ctx);
    return 0;
}
