/* bank_cpu.c - schedules of the bank on all threads of the CPU, for bench_bank.cu. */
#include "bench_bank.h"

#include <stdlib.h>

static void query(tms_simd simd, const struct bank *bank, const uint64_t *words, size_t n, uint64_t *pass)
{
    size_t batch = bank_query_batch(bank), pass_words = (size_t)BANK_PASS_WORDS(bank, batch);
#pragma omp parallel
    {
        uint32_t *positions = malloc(bank->shape.k * batch * sizeof *positions);
        if (!positions)
            exit(5);
#pragma omp for schedule(dynamic)
        for (size_t b = 0; b < n / batch; b++)
            bank_query_cpu(simd, bank, words + b * batch, batch, positions, pass + b * pass_words);
        free(positions);
    }
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
        uint64_t *pass = bench_alloc((size_t)BANK_PASS_WORDS(bank, *n) * sizeof *pass);
        double times[3];
        for (int i = -1; i < 3; i++) {
            double start = bench_now();
            query(ctx->simd, bank, words, *n, pass);
            if (i >= 0)
                times[i] = bench_now() - start;
        }
        bench_free(pass, (size_t)BANK_PASS_WORDS(bank, *n) * sizeof *pass);
        seconds = bench_median(times, 3);
        is_long = is_long || seconds > 0.1;
        if (!is_long)
            *n *= 2;
    }
    return seconds;
}
