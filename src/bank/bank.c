/*
 * bank.c - a bank's memory, its hashes, and tests on the CPU.
 *
 * A query first computes a batch's positions, once for all sub-queries, then tests the vectors:
 *   shared        sub-query by sub-query, at most k probes per w-mer, over a batch large enough to pay for loading a vector
 *                 into the cache. A failed probe ends the test of a w-mer
 *   interleaved   w-mer by w-mer, the AND of k rows
 */
#include "bank/bank.h"
#include "hash/h3_gfni.h"

#include <stdlib.h>
#include <string.h>

#define SHARED_BATCH   8192
#define PREFETCH_AHEAD 12

tms_status bank_create(tms_context *ctx, const struct bank_shape *shape, struct bank *out)
{
    unsigned lanes = shape->hash == BANK_EXACT ? 0 : bank_lanes(shape);
    uint64_t rows = shape->row_bits ? (uint64_t)bank_width(shape) : shape->n_subs;
    uint64_t row_bits = shape->row_bits ? shape->m_bits : bank_stride(shape);
    uint64_t n_bits;
    *out = (struct bank){.shape = *shape};
    /* One extra 64-bit word, so that a kernel may read a whole word from any bit on. */
    if (__builtin_mul_overflow(rows, row_bits, &n_bits) || n_bits > SIZE_MAX - 256)
        return context_fail_memory(ctx, "a bank of filters", SIZE_MAX);
    out->size_bytes = (n_bits + 127) / 64 * 8;
    out->bits = memory_alloc_zeroed(out->size_bytes);
    if (!out->bits)
        return context_fail_memory(ctx, "a bank of filters", out->size_bytes);
    if (shape->hash != BANK_H3)
        return TMS_OK;
    out->h3_tables = malloc(lanes * H3_LANE_WORDS * sizeof *out->h3_tables);
    if (h3_gfni_usable())
        out->h3_matrices = aligned_alloc(64, lanes * H3_GFNI_WORDS * sizeof *out->h3_matrices);
    if (!out->h3_tables || (h3_gfni_usable() && !out->h3_matrices)) {
        bank_free(out);
        return context_fail_memory(ctx, "the hash functions", lanes * H3_LANE_WORDS * sizeof *out->h3_tables);
    }
    for (unsigned lane = 0; lane < lanes; lane++) {
        h3_make_tables(out->h3_tables + lane * H3_LANE_WORDS, shape->seed, lane);
        if (out->h3_matrices)
            h3_gfni_make(out->h3_matrices + lane * H3_GFNI_WORDS, shape->seed, lane);
    }
    return TMS_OK;
}

void bank_free(struct bank *bank)
{
    memory_free(bank->bits, bank->size_bytes);
    free(bank->h3_tables);
    free(bank->h3_matrices);
    *bank = (struct bank){0};
}

void bank_lane(tms_simd simd, const struct bank *bank, unsigned lane, const uint64_t *words, size_t n, uint64_t *out)
{
    if (bank->shape.hash == BANK_XXH3) {
        for (size_t i = 0; i < n; i++)
            out[i] = bank_xxh3_lane(bank->shape.seed, lane, words[i]);
    } else if (bank->h3_matrices && simd == TMS_SIMD_AVX512) {
        h3_gfni(bank->h3_matrices + lane * H3_GFNI_WORDS, words, n, out);
    } else {
        const uint64_t *tables = bank->h3_tables + lane * H3_LANE_WORDS;
        unsigned n_bytes = bank_word_bytes(&bank->shape);
        for (size_t i = 0; i < n; i++)
            out[i] = h3_by_tables(tables, n_bytes, words[i]);
    }
}

void bank_positions(tms_simd simd, const struct bank *bank, const uint64_t *words, size_t n, uint32_t *positions)
{
    uint64_t hashes[BANK_BATCH], m_bits = bank->shape.m_bits;
    if (bank->shape.hash == BANK_EXACT) {
        for (size_t i = 0; i < n; i++)
            positions[i] = (uint32_t)words[i];
        return;
    }
    for (unsigned j = 0; j < bank->shape.k; j++) {
        if (j % 2 == 0)
            bank_lane(simd, bank, j / 2, words, n, hashes);
        for (size_t i = 0; i < n; i++)
            positions[j * n + i] = bank_position(hashes[i], j, m_bits);
    }
}

void bank_insert(tms_simd simd, struct bank *bank, uint32_t sub, const uint64_t *words, size_t n, int is_shared)
{
    uint32_t positions[BANK_MAX_K * BANK_BATCH];
    size_t n_positions = n * bank->shape.k;
    bank_positions(simd, bank, words, n, positions);
    for (size_t i = 0; i < n_positions; i++) {
        uint64_t bit = bank_bit(&bank->shape, sub, positions[i]);
        uint64_t *word = &bank->bits[bit >> 6], mask = (uint64_t)1 << (bit & 63);
        if (is_shared)
            __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
        else
            *word |= mask;
    }
}

static uint64_t ones_of(const uint64_t *bits, uint64_t n)
{
    uint64_t ones = 0;
    for (uint64_t i = 0; i < n; i++)
        ones += (uint64_t)__builtin_popcountll(bits[i]);
    return ones;
}

/* Adds bit b of bits[0], bits[step], bits[2 step] ... to ones[b]. Accumulates in eight one-byte counters at once until they could
 * overflow. */
static void add_columns(const uint64_t *bits, uint64_t n, uint64_t step, uint64_t *ones)
{
    for (uint64_t first = 0; first < n; first += 255 * step) {
        uint64_t counts[8] = {0}, end = n - first < 255 * step ? n : first + 255 * step;
        for (uint64_t i = first; i < end; i += step)
            for (unsigned b = 0; b < 8; b++)
                counts[b] += bits[i] >> b & 0x0101010101010101u;
        for (unsigned b = 0; b < 64; b++)
            ones[b] += counts[b % 8] >> (b / 8 * 8) & 255;
    }
}

void bank_ones(const struct bank *bank, uint64_t *ones, size_t stride)
{
    const struct bank_shape *shape = &bank->shape;
    uint32_t row_u64 = shape->row_bits < 64 ? 1 : shape->row_bits / 64, row_bits = shape->row_bits;
    uint64_t n = (shape->m_bits * row_bits + 63) / 64; /* size of a slice in uint64_t */
    if (row_bits < 2) {
        for (uint32_t s = 0; s < shape->n_subs; s++)
            ones[s * stride] = ones_of(bank->bits + bank_bit(shape, s, 0) / 64, bank_stride(shape) / 64);
        return;
    }
    for (uint32_t s = 0; s < shape->n_subs; s++)
        ones[s * stride] = 0;
    for (uint64_t slice = 0; slice * row_bits < shape->n_subs; slice++)
        for (uint32_t w = 0; w < row_u64; w++) {
            uint64_t columns[64] = {0}, first = slice * row_bits + 64 * w;
            add_columns(bank->bits + slice * n + w, n - w, row_u64, columns);
            for (unsigned b = 0; b < 64; b++)
                if (first + b % row_bits < shape->n_subs)
                    ones[(first + b % row_bits) * stride] += columns[b];
        }
}

/* ---- tests ----------------------------------------------------------------------------------------------------- */

static inline uint64_t is_set(const uint64_t *bits, uint32_t position) { return bits[position >> 6] >> (position & 63) & 1; }

/* Tests 64 words at a time: each function in turn thins a list of the remaining words, without branches on bits. */
static void vector_scalar(const uint64_t *bits, const uint32_t *positions, size_t stride, uint32_t k, size_t n, uint64_t *pass)
{
    uint8_t left[64];
    for (size_t first = 0; first < n; first += 64) {
        const uint32_t *at = positions + first;
        size_t n_left = n - first < 64 ? n - first : 64;
        for (size_t i = 0; i < n_left; i++) {
            __builtin_prefetch(&bits[at[i] >> 6]);
            left[i] = (uint8_t)i;
        }
        for (uint32_t j = 0; j < k && n_left; j++, at += stride) {
            size_t kept = 0;
            for (size_t i = 0; i < n_left; i++) {
                left[kept] = left[i];
                kept += is_set(bits, at[left[i]]);
            }
            n_left = kept;
        }
        uint64_t mask = 0;
        for (size_t i = 0; i < n_left; i++)
            mask |= (uint64_t)1 << left[i];
        pass[first / 64] = mask;
    }
}

static void rows_scalar(const uint64_t *bits, uint32_t row_u64, const uint32_t *positions, size_t stride, uint32_t k, size_t n,
                        uint64_t *pass, size_t pass_u64)
{
    for (size_t i = 0; i < n; i++, pass += pass_u64) {
        if (i + PREFETCH_AHEAD < n)
            for (uint32_t j = 0; j < k; j++)
                __builtin_prefetch(&bits[(uint64_t)positions[j * stride + i + PREFETCH_AHEAD] * row_u64]);
        memcpy(pass, &bits[(uint64_t)positions[i] * row_u64], row_u64 * sizeof *pass);
        for (uint32_t j = 1; j < k; j++) {
            const uint64_t *row = &bits[(uint64_t)positions[j * stride + i] * row_u64];
            for (uint32_t w = 0; w < row_u64; w++)
                pass[w] &= row[w];
        }
    }
}

/* Tests rows of 2, 4, ... 32 bits, for which the answers of several words share a uint64_t. */
static void narrow_rows(const uint64_t *bits, uint32_t row_bits, const uint32_t *positions, size_t stride, uint32_t k, size_t n,
                        uint64_t *pass)
{
    uint64_t mask = ((uint64_t)1 << row_bits) - 1;
    memset(pass, 0, (n * row_bits + 63) / 64 * sizeof *pass);
    for (size_t i = 0; i < n; i++) {
        uint64_t answer = mask;
        for (uint32_t j = 0; j < k; j++) {
            uint64_t bit = (uint64_t)positions[j * stride + i] * row_bits;
            answer &= bits[bit >> 6] >> (bit & 63);
        }
        pass[i * row_bits >> 6] |= answer << (i * row_bits & 63);
    }
}

size_t bank_query_batch(const struct bank *bank) { return bank->shape.row_bits ? BANK_BATCH : SHARED_BATCH; }

static const struct bank_kernels scalar = {vector_scalar, rows_scalar};

/* Tests sub-query by sub-query; with several sub-queries it scatters the answers over the rows of pass. */
static void query_shared(const struct bank_kernels *kernels, const struct bank *bank, const uint32_t *positions, size_t n, uint64_t *pass)
{
    const struct bank_shape *shape = &bank->shape;
    uint64_t column[SHARED_BATCH / 64], width = bank_width(shape);
    if (shape->n_subs == 1) {
        kernels->vector(bank->bits, positions, n, shape->k, n, pass);
        return;
    }
    memset(pass, 0, BANK_PASS_U64(bank, n) * sizeof *pass);
    for (uint32_t sub = 0; sub < shape->n_subs; sub++) {
        kernels->vector(bank->bits + sub * (bank_stride(shape) / 64), positions, n, shape->k, n, column);
        for (size_t i = 0; i < (n + 63) / 64; i++)
            for (uint64_t mask = column[i]; mask; mask &= mask - 1) {
                uint64_t bit = (64 * i + (unsigned)__builtin_ctzll(mask)) * width + sub;
                pass[bit >> 6] |= (uint64_t)1 << (bit & 63);
            }
    }
}

void bank_query_cpu(tms_simd simd, const struct bank *bank, const uint64_t *words, size_t n, uint32_t *positions, uint64_t *pass)
{
    const struct bank_shape *shape = &bank->shape;
    const struct bank_kernels *kernels = &scalar;
#if TMS_HAVE_X86_SIMD
    if (simd == TMS_SIMD_AVX512)
        kernels = &bank_kernels_avx512;
#endif
    if (n == 0)
        return;
    /* Computes positions for a batch larger than BANK_BATCH, function by function, so that position j of word i stays at j * n + i. */
    if (n <= BANK_BATCH) {
        bank_positions(simd, bank, words, n, positions);
    } else {
        uint32_t some[BANK_MAX_K * BANK_BATCH];
        for (size_t first = 0; first < n; first += BANK_BATCH) {
            size_t n_some = n - first < BANK_BATCH ? n - first : BANK_BATCH;
            bank_positions(simd, bank, words + first, n_some, some);
            for (uint32_t j = 0; j < shape->k; j++)
                memcpy(positions + j * n + first, some + j * n_some, n_some * sizeof *some);
        }
    }
    if (shape->row_bits < 2)
        query_shared(kernels, bank, positions, n, pass);
    else if (shape->row_bits < 64)
        narrow_rows(bank->bits, shape->row_bits, positions, n, shape->k, n, pass);
    else
        for (uint64_t slice = 0; slice * shape->row_bits < shape->n_subs; slice++) {
            uint32_t row_u64 = shape->row_bits / 64;
            kernels->rows(bank->bits + slice * shape->m_bits * row_u64, row_u64, positions, n, shape->k, n, pass + slice * row_u64,
                          bank_width(shape) / 64);
        }
}
