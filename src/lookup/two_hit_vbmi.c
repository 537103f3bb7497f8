/*
 * two_hit_vbmi.c - takes 32 residues on each side of a hit at once. Scores of 64 pairs come from seven tables of 128 bytes in registers;
 * sums and maxima from the hit on take five steps each. One left extension in seven has not ended then, and continues residue by residue.
 */
#include <immintrin.h>
#include <string.h>

#include "base/base.h"
#include "lookup/two_hit_extension.h"

enum { RESIDUES = 32, CODES_A_TABLE = 4, TABLES = 7 };

bool two_hit_vbmi_usable(void) { return __builtin_cpu_supports("avx512vbmi") && cpu_best_simd() == TMS_SIMD_AVX512; }

/* One byte for each pair: the score of query[i] and subject[i]. */
static inline __m512i scores_of(const int8_t *tables, const uint8_t *query, const uint8_t *subject)
{
    const __m512i q = _mm512_loadu_si512(query), s = _mm512_loadu_si512(subject);
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

static inline int lane_of(__m512i x, unsigned lane)
{
    return (int16_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_permutexvar_epi16(_mm512_set1_epi16((short)lane), x)));
}

/* Number of residues up to the first best among lanes 0 .. last, from running sums and their maxima. *best: its score, 0 or more. */
static inline int length_of(__m512i sums, __m512i maxima, unsigned last, int *best)
{
    uint32_t equal;

    *best = lane_of(maxima, last);
    equal = _mm512_cmpeq_epi16_mask(sums, _mm512_set1_epi16((short)*best));
    return *best > 0 ? (int)_tzcnt_u32(equal) + 1 : 0;
}

static inline __mmask32 below(__m512i sums, __m512i maxima, int x_drop)
{
    return _mm512_cmpge_epi16_mask(_mm512_sub_epi16(maxima, sums), _mm512_set1_epi16((short)x_drop));
}

/* Extends by up to RESIDUES to the left. *run: the score of these residues. Returns whether the extension has ended. */
static inline bool extend_left(const struct concatenated_queries *queries, const uint8_t *subject, struct two_hit_job *job, int *run)
{
    const __m512i backwards = _mm512_set_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                               26, 27, 28, 29, 30, 31);
    const __m512i scores = scores_of(queries->bytes, queries->codes + job->position - RESIDUES, subject + job->subject - RESIDUES);
    const __m512i sums = running_sum(_mm512_permutexvar_epi16(backwards, _mm512_cvtepi8_epi16(_mm512_castsi512_si256(scores))));
    const __m512i maxima = running_max(sums);
    uint32_t ends = below(sums, maxima, job->x_drop);

    job->left = length_of(sums, maxima, ends != 0 ? _tzcnt_u32(ends) : RESIDUES - 1, &job->score);
    *run = lane_of(sums, RESIDUES - 1);
    return ends != 0;
}

static void go_on_left(const struct concatenated_queries *queries, const uint8_t *subject, struct two_hit_job *job, int run)
{
    const struct two_hit_run start = {(int64_t)run * (1 << 16) - RESIDUES, (int64_t)job->score * (1 << 16) - job->left, RESIDUES};
    int64_t scored = two_hit_left(queries, job->position, subject + job->subject, job->x_drop, start);

    job->left = two_hit_length_of(scored);
    job->score = two_hit_score_of(scored);
}

static inline void extend_right(const struct concatenated_queries *queries, const uint8_t *subject, struct two_hit_job *job)
{
    const __m512i scores = scores_of(queries->bytes, queries->codes + job->position, subject + job->subject);
    const __m512i sums = running_sum(_mm512_cvtepi8_epi16(_mm512_castsi512_si256(scores))), maxima = running_max(sums);
    const int score = job->score, negative = score < INT16_MAX ? -score : -INT16_MAX;
    uint32_t ends = below(sums, maxima, job->x_drop) | _mm512_cmple_epi16_mask(sums, _mm512_set1_epi16((short)negative));
    int best;

    job->stopped = (int)_tzcnt_u32(ends);
    job->right = length_of(sums, maxima, ends != 0 ? _tzcnt_u32(ends) : RESIDUES - 1, &best);
    job->score = score + best;
    if (ends == 0) {
        int64_t run = score + lane_of(sums, RESIDUES - 1);
        struct two_hit_run start = {run * (1 << 16) - RESIDUES, (int64_t)job->score * (1 << 16) - job->right, RESIDUES};
        int64_t scored = two_hit_right(queries, job->position, subject + job->subject, job->x_drop, start, &job->stopped);
        job->right = two_hit_length_of(scored);
        job->score = two_hit_score_of(scored);
    }
}

/* Extends all hits to the left first, so that no extension waits for the result of another; then the unfinished ones; then to the right. */
void two_hit_extend_vbmi(const struct concatenated_queries *queries, const uint8_t *subject, struct two_hit_job *jobs, size_t n)
{
    uint16_t chosen[TWO_HIT_JOBS + 1];
    int runs[TWO_HIT_JOBS + 1];
    size_t n_chosen = 0;

    for (size_t i = 0; i < n; i++) {
        chosen[n_chosen] = (uint16_t)i;
        n_chosen += !extend_left(queries, subject, &jobs[i], &runs[n_chosen]);
    }
    for (size_t i = 0; i < n_chosen; i++)
        go_on_left(queries, subject, &jobs[chosen[i]], runs[i]);
    n_chosen = 0;
    for (size_t i = 0; i < n; i++) {
        jobs[i].right = 0;
        jobs[i].went_right = jobs[i].left >= jobs[i].reach;
        chosen[n_chosen] = (uint16_t)i;
        n_chosen += jobs[i].went_right;
    }
    for (size_t i = 0; i < n_chosen; i++)
        extend_right(queries, subject, &jobs[chosen[i]]);
}
