/*
 * two_hit_vbmi.c - bounds of candidates with AVX-512 VBMI: 32 residues on each side of a candidate at once, which decides about six of
 * seven. Scores of 64 pairs of residues come from seven tables of 128 bytes in registers; sums and maxima from the candidate on take five
 * steps each. The AVX2 form bounds what is left.
 */
#include <immintrin.h>

#include "base/base.h"
#include "lookup/two_hit_passes.h"

enum { RESIDUES = 32, CODES_A_TABLE = 4, TABLES = 7 };

bool two_hit_vbmi_usable(void) { return __builtin_cpu_supports("avx512vbmi") && cpu_best_simd() == TMS_SIMD_AVX512; }

/* One byte for each pair: the score of residues q[i] and s[i]. */
static inline __m512i scores_of(const int8_t *tables, __m512i q, __m512i s)
{
    const __m512i in_table = _mm512_or_si512(_mm512_slli_epi16(_mm512_and_si512(q, _mm512_set1_epi8(CODES_A_TABLE - 1)), 5), s);
    const __mmask64 bit_2 = _mm512_test_epi8_mask(q, _mm512_set1_epi8(4)), bit_3 = _mm512_test_epi8_mask(q, _mm512_set1_epi8(8)),
                    bit_4 = _mm512_test_epi8_mask(q, _mm512_set1_epi8(16));
    __m512i of[TABLES];

    for (int i = 0; i < TABLES; i++)
        of[i] = _mm512_permutex2var_epi8(_mm512_loadu_si512(tables + 128 * i), in_table, _mm512_loadu_si512(tables + 128 * i + 64));
    of[0] = _mm512_mask_mov_epi8(of[0], bit_2, of[1]);
    of[2] = _mm512_mask_mov_epi8(of[2], bit_2, of[3]);
    of[4] = _mm512_mask_mov_epi8(of[4], bit_2, of[5]);
    of[0] = _mm512_mask_mov_epi8(of[0], bit_3, of[2]);
    of[4] = _mm512_mask_mov_epi8(of[4], bit_3, of[6]);
    return _mm512_mask_mov_epi8(of[0], bit_4, of[4]);
}

/* Residues on both sides of a candidate: those before `at`, and those from at + width on. */
static inline __m512i both_sides(const uint8_t *at, int width)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const void *)(at - RESIDUES))),
                              _mm256_loadu_si256((const void *)(at + width)), 1);
}

/* Indices for a permutation of 16-bit lanes: the second, third and fourth quarter each take one lane, the last of an earlier quarter. */
static inline __m512i quarters(int to_1, int to_2, int to_3)
{
    return _mm512_inserti32x4(
        _mm512_inserti32x4(_mm512_inserti32x4(_mm512_setzero_si512(), _mm_set1_epi16((short)to_1), 1), _mm_set1_epi16((short)to_2), 2),
        _mm_set1_epi16((short)to_3), 3);
}

static inline __m512i running_sum(__m512i x)
{
    x = _mm512_add_epi16(x, _mm512_bslli_epi128(x, 2));
    x = _mm512_add_epi16(x, _mm512_bslli_epi128(x, 4));
    x = _mm512_add_epi16(x, _mm512_bslli_epi128(x, 8));
    x = _mm512_add_epi16(x, _mm512_maskz_permutexvar_epi16(0xFFFFFF00, quarters(7, 15, 23), x));
    return _mm512_add_epi16(x, _mm512_maskz_permutexvar_epi16(0xFFFF0000, quarters(0, 7, 15), x));
}

/* Running maxima, at least 0. */
static inline __m512i running_max(__m512i x)
{
    x = _mm512_max_epi16(x, _mm512_bslli_epi128(x, 2));
    x = _mm512_max_epi16(x, _mm512_bslli_epi128(x, 4));
    x = _mm512_max_epi16(x, _mm512_bslli_epi128(x, 8));
    x = _mm512_max_epi16(x, _mm512_maskz_permutexvar_epi16(0xFFFFFF00, quarters(7, 15, 23), x));
    x = _mm512_max_epi16(x, _mm512_maskz_permutexvar_epi16(0xFFFF0000, quarters(0, 7, 15), x));
    return _mm512_max_epi16(x, _mm512_setzero_si512());
}

/* What an extension gains on one side, at most INT8_MAX. */
struct gain {
    int best;
    unsigned n_alive; /* residues after which it goes on; RESIDUES: it has not ended */
};

static inline struct gain gain_of(__m512i scores, int x_drop)
{
    const __m512i sums = running_sum(scores), maxima = running_max(sums);
    const uint32_t ends = _mm512_cmpge_epi16_mask(_mm512_sub_epi16(maxima, sums), _mm512_set1_epi16((short)x_drop));
    const unsigned n_alive = _tzcnt_u32(ends), last = n_alive < RESIDUES ? n_alive : RESIDUES - 1;
    const int best = (int16_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_permutexvar_epi16(_mm512_set1_epi16((short)last), maxima)));

    return (struct gain){best < INT8_MAX ? best : INT8_MAX, n_alive};
}

/* Sets run and best to the gains on the left and on the right. Returns the number of candidates that may suffice, copied to `out`. */
static size_t bound_sides(const struct two_hit_bounded *in, const struct two_hit_candidate *candidates, size_t n,
                          struct two_hit_candidate *out)
{
    const __m512i backwards = _mm512_set_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                               26, 27, 28, 29, 30, 31);
    const struct concatenated_queries *queries = in->queries;
    const int width = 2 * in->word_size - 1;
    size_t n_out = 0;

    for (size_t i = 0; i < n; i++) {
        struct two_hit_candidate c = candidates[i];
        const struct two_hit_bounds *limits = &queries->limits[c.position / TWO_HIT_NEAR];
        const __m512i scores = scores_of(queries->rows, both_sides(queries->codes + c.position, width),
                                         both_sides(in->codes + c.subject, width));
        const __m512i leftwards = _mm512_permutexvar_epi16(backwards, _mm512_cvtepi8_epi16(_mm512_castsi512_si256(scores)));
        const struct gain left = gain_of(leftwards, limits->x_drop);
        const struct gain right = gain_of(_mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64(scores, 1)), limits->x_drop);
        const unsigned is_undecided = (left.n_alive | right.n_alive) & RESIDUES;
        const unsigned has_reached = (int)left.n_alive >= c.distance - width;
        c.least = limits->least;
        c.run = (int8_t)left.best;
        c.best = (int8_t)(has_reached ? right.best : 0);
        c.n_between = (uint8_t)is_undecided;
        out[n_out] = c;
        n_out += (is_undecided != 0) | has_reached | (left.best + limits->within >= limits->least);
    }
    return n_out;
}

/* Adds the residues between both sides (Kadane). Returns the number of candidates that suffice or are undecided, copied to `out`. */
static size_t bound_sums(const struct two_hit_bounded *in, const struct two_hit_candidate *candidates, size_t n,
                         struct two_hit_candidate *out)
{
    const struct concatenated_queries *queries = in->queries;
    const int width = 2 * in->word_size - 1;
    size_t n_out = 0;

    for (size_t i = 0; i < n; i++) {
        const struct two_hit_candidate *c = &candidates[i];
        const uint8_t *query = queries->codes + c->position, *subject = in->codes + c->subject;
        int run = c->run, most = run;
        for (int k = 0; k < width; k++) {
            run += queries->rows[RESIDUE_ROW * query[k] + subject[k]];
            run = run > 0 ? run : 0;
            most = most > run ? most : run;
        }
        out[n_out] = *c;
        n_out += (c->n_between != 0) | (most >= c->least) | (run + c->best >= c->least);
    }
    return n_out;
}

static size_t bound_candidates(const struct two_hit_bounded *in, struct two_hit_candidate *candidates, size_t n,
                               struct two_hit_candidate *spare)
{
    n = bound_sides(in, candidates, n, spare);
    n = bound_sums(in, spare, n, candidates);
    return two_hit_passes_avx2.bound(in, candidates, n, spare);
}

two_hit_bound *const two_hit_bound_vbmi = bound_candidates;
