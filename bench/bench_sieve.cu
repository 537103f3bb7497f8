/*
 * bench_sieve.cu - stage 1 of blastn on a GPU (lookup/base_sieve.h): random subjects and queries, over words and the bases of the queries.
 * The limit is that of random reads in a table as large as that of the words: one for a look-up, one for a present word, two for a hit, in
 * each of the two passes.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "device/gpu_internal.cuh"
#include "gpu_limits.cuh"

extern "C" {
#include "lookup/base_sieve.h"
#include "score/base_scores.h"
}

#define RUNS  5
#define CHUNK 5000000

struct sieve_bench {
    tms_context *ctx;
    uint8_t *bytes; /* of the subjects */
    struct packed_bases *chunks;
    size_t n_chunks;
    struct base_sieve_chunks *loaded;
};

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static double load(struct sieve_bench *b, size_t n_chunks)
{
    const size_t n_bytes = n_chunks * (CHUNK / 4);
    uint64_t state = 1;
    double begun;
    b->n_chunks = n_chunks;
    b->bytes = (uint8_t *)bench_alloc(n_bytes);
    b->chunks = (struct packed_bases *)malloc(n_chunks * sizeof *b->chunks);
    for (size_t i = 0; i + 8 <= n_bytes; i += 8) {
        const uint64_t x = next_random(&state);
        memcpy(b->bytes + i, &x, sizeof x);
    }
    for (size_t i = 0; i < n_chunks; i++)
        b->chunks[i] = packed_bases{b->bytes + i * (CHUNK / 4), CHUNK};
    begun = bench_now();
    bench_must(b->ctx, base_sieve_load(b->ctx, b->chunks, n_chunks, &b->loaded));
    return bench_now() - begun;
}

/* A group of one strand of n bases, and its table. */
static void make_words(struct sieve_bench *b, int word_size, int n, struct base_lookup *l)
{
    static struct base_scores scores;
    uint8_t *codes = (uint8_t *)malloc((size_t)n);
    const struct base_strand strand = {codes, n, {0, 0, 16, 20, 20}};
    const struct residue_range segment = {0, n};
    const struct base_words_rules rules = {word_size, NULL};
    uint64_t state = 2;
    for (int i = 0; i < n; i++)
        codes[i] = (uint8_t)(next_random(&state) & 3);
    memset(l, 0, sizeof *l);
    base_scores_init(2, -3, &scores);
    ungapped_base_costs_init(&l->costs, scores.scores, 2, -3, word_size);
    l->n_words = 1;
    bench_must(b->ctx, base_strands_init(&strand, 1, &l->strands));
    bench_must(b->ctx, base_words_build(&rules, &l->strands, &segment, 1, NULL, 0, &l->words[0]));
    free(codes);
}

static double limit_of(const struct base_words *w, const struct base_sieved *found)
{
    const size_t bytes = ((size_t)1 << 2 * w->width) * sizeof *w->starts;
    const double reads = 2 * ((double)found->n_looked_up + (double)found->n_present + 2 * (double)found->n_hits);
    void *d_table;
    double rate;
    BENCH_CUDA(cudaMalloc(&d_table, bytes));
    rate = gpu_limit_reads(NULL, d_table, bytes);
    BENCH_CUDA(cudaFree(d_table));
    return (double)found->n_looked_up / (reads / rate);
}

static void run(struct sieve_bench *b, int word_size, int n_query)
{
    struct base_lookup l;
    struct base_sieve_words *words;
    struct base_sieved found = {};
    double set[RUNS], seconds[RUNS];
    char what[64], note[160];
    make_words(b, word_size, n_query, &l);
    for (int i = -1; i < RUNS; i++) {
        double begun = bench_now(), is_set;
        base_sieved_free(&found);
        bench_must(b->ctx, base_sieve_set_words(b->ctx, &l, &words));
        bench_must(b->ctx, gpu_wait(b->ctx->gpu));
        is_set = bench_now();
        bench_must(b->ctx, base_sieve_run(b->ctx, b->loaded, words, (size_t)4 << 30, &found));
        if (i >= 0) {
            set[i] = is_set - begun;
            seconds[i] = bench_now() - is_set;
        }
        base_sieve_words_free(words);
    }
    snprintf(what, sizeof what, "words of %d, table of %d", word_size, l.words[0].width);
    snprintf(note, sizeof note, "%zu Mbases in %.1f ms; query of %d bases, its table copied in %.1f ms; %.1f M hits, %llu pass",
             b->n_chunks * CHUNK / 1000000, 1e3 * bench_median(seconds, RUNS), n_query, 1e3 * bench_median(set, RUNS),
             1e-6 * (double)found.n_hits, (unsigned long long)found.starts[b->n_chunks]);
    const struct bench_row row = {
        what, "cuda", (size_t)found.n_looked_up, 0, 0, bench_median(seconds, RUNS), 0, limit_of(&l.words[0], &found), note};
    bench_print(&row);
    base_sieved_free(&found);
    base_words_free(&l.words[0]);
    base_strands_free(&l.strands);
}

extern "C" int bench_sieve(int argc, char **argv)
{
    static const size_t chunks[] = {8, 260};
    static const int queries[] = {200000, 2000000, 9000000};
    struct sieve_bench b = {};
    (void)argc;
    (void)argv;
    bench_must(NULL, tms_context_create(&b.ctx));
    bench_must(b.ctx, tms_context_set_device(b.ctx, 0));
    for (size_t c = 0; c < sizeof chunks / sizeof *chunks; c++) {
        const double seconds = load(&b, chunks[c]);
        const struct bench_row row = {"copying subjects", "cuda", chunks[c] * CHUNK, 0, 0, seconds, 0.25, 0, ""};
        bench_print(&row);
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
            run(&b, 11, queries[q]);
            run(&b, 28, queries[q]);
        }
        base_sieve_unload(b.loaded);
        bench_free(b.bytes, chunks[c] * (CHUNK / 4));
        free(b.chunks);
    }
    tms_context_destroy(b.ctx);
    return 0;
}
