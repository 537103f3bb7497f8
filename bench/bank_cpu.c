/* bank_cpu.c - schedules of the bank on all threads of the CPU, for bench_bank.cu. */
#include "bench_bank.h"

struct querying {
    tms_simd simd;
    const struct bank *bank;
    const uint64_t *words;
    uint64_t *pass;
    uint32_t *positions; /* of each thread */
};

static void query_batch(void *arg, size_t b, int thread)
{
    const struct querying *q = arg;
    size_t batch = bank_query_batch(q->bank);
    bank_query_cpu(q->simd, q->bank, q->words + b * batch, batch, q->positions + (size_t)thread * q->bank->shape.k * batch,
                   q->pass + b * (size_t)BANK_PASS_U64(q->bank, batch));
}

double bench_bank_cpu(tms_context *ctx, const struct bank *bank, const uint64_t *words, size_t most, size_t *n)
{
    size_t batch = bank_query_batch(bank);
    double seconds = 0;
    *n = 16 * (size_t)ctx->n_threads * batch;
    for (int is_long = 0; !is_long;) {
        is_long = *n > most / 2;
        if (*n > most)
            *n = most / batch * batch;
        uint64_t *pass = bench_alloc((size_t)BANK_PASS_U64(bank, *n) * sizeof *pass);
        struct querying querying = {ctx->simd, bank, words, pass,
                                    bench_alloc((size_t)ctx->n_threads * bank->shape.k * batch * sizeof(uint32_t))};
        double times[3];
        for (int i = -1; i < 3; i++) {
            double start = bench_now();
            bench_must(ctx, tms_context_run(ctx, *n / batch, query_batch, &querying));
            if (i >= 0)
                times[i] = bench_now() - start;
        }
        bench_free(querying.positions, (size_t)ctx->n_threads * bank->shape.k * batch * sizeof(uint32_t));
        bench_free(pass, (size_t)BANK_PASS_U64(bank, *n) * sizeof *pass);
        seconds = bench_median(times, 3);
        is_long = is_long || seconds > 0.1;
        if (!is_long)
            *n *= 2;
    }
    return seconds;
}
