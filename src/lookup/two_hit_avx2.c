/*
 * two_hit_avx2.c - the passes of two_hit_passes.h with AVX2. Bounds of scores of 32 neighbouring pairs of residues, of one candidate, come
 * from the tables of score_hash.h. They are transposed, so that each vector has one score of each candidate.
 */
#include <immintrin.h>

#define POSITIONS_AT_ONCE  16
#define CANDIDATES_AT_ONCE 32

#include "lookup/two_hit_hits.h"
#include "lookup/two_hit_lanes.h"

enum { HALF = LANES / 2 };

static inline void lower_lanes(lowered_lanes *of, const lowered_lanes *by)
{
    *of = (lowered_lanes)_mm256_subs_epu8((__m256i)*of, (__m256i)*by);
}

static inline uint32_t near_hits(const uint8_t *distances, int least, int end)
{
    const __m256i more = _mm256_sub_epi8(_mm256_loadu_si256((const void *)distances), _mm256_set1_epi8((char)least));
    const __m256i most = _mm256_set1_epi8((char)(end - 1 - least));

    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(more, most), more));
}

static inline score_lanes more_of(score_lanes a, score_lanes b) { return (score_lanes)_mm256_max_epi8((__m256i)a, (__m256i)b); }

static inline uint32_t flagged(score_lanes flags) { return (uint32_t)_mm256_movemask_epi8((__m256i)flags); }

static inline __m256i half_table(const int8_t *scores) { return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)scores)); }

/* Bounds of the scores of 32 pairs, whose hashes for table t are at query + t * n_query and subject + t * n_subject. */
static inline __m256i bounds_of(const struct score_hash *hash, const uint8_t *query, size_t n_query, const uint8_t *subject,
                                size_t n_subject)
{
    const __m256i upper = _mm256_set1_epi8((char)SCORE_HASH_UPPER);
    __m256i gaps = _mm256_setzero_si256(), least = _mm256_set1_epi8(INT8_MAX);

#pragma GCC unroll 8
    for (size_t t = 0; t < SCORE_HASH_TABLES; t++) {
        const __m256i both = _mm256_xor_si256(_mm256_loadu_si256((const void *)(query + t * n_query)),
                                              _mm256_loadu_si256((const void *)(subject + t * n_subject)));
        const __m256i low = _mm256_shuffle_epi8(half_table(hash->scores[t]), both);
        const __m256i high = _mm256_shuffle_epi8(half_table(hash->scores[t] + SCORE_HASH_HALF), _mm256_xor_si256(both, upper));
        least = _mm256_min_epi8(least, _mm256_or_si256(low, high));
        if (t < 2)
            gaps = _mm256_or_si256(gaps, both);
    }
    return _mm256_sub_epi8(least, _mm256_and_si256(gaps, _mm256_set1_epi8(TWO_HIT_GAP)));
}

_Static_assert((int)SCORE_HASH_GAP == (int)TWO_HIT_GAP && SCORE_HASH_LOWEST <= -TWO_HIT_MOST_X_DROP, "a gap's bit is what it costs");

/* Moves byte k of half j of vector i to byte i of half j of vector k. */
static inline void transpose(__m256i *v)
{
    __m256i to[HALF];

    for (int stage = 0; stage < 2; stage++) {
#pragma GCC unroll 8
        for (int i = 0; i < HALF / 2; i++) {
            to[2 * i] = _mm256_unpacklo_epi8(v[i], v[i + HALF / 2]);
            to[2 * i + 1] = _mm256_unpackhi_epi8(v[i], v[i + HALF / 2]);
        }
#pragma GCC unroll 8
        for (int i = 0; i < HALF / 2; i++) {
            v[2 * i] = _mm256_unpacklo_epi8(to[i], to[i + HALF / 2]);
            v[2 * i + 1] = _mm256_unpackhi_epi8(to[i], to[i + HALF / 2]);
        }
    }
}

static inline void look_up(const struct two_hit_bounded *in, const struct two_hit_extended *c, size_t from, size_t n, int shift,
                           score_lanes *scores)
{
    const uint8_t *query = in->queries->hashes + shift, *subject = in->hashes + shift;
    __m256i of[LANES];

    for (size_t k = 0; k < n; k++)
        of[k] = bounds_of(&in->queries->score_hash, query + c->position[from + k], in->queries->n_hashes, subject + c->subject[from + k],
                          in->n_hashes);
    for (size_t k = n; k < LANES; k++)
        of[k] = _mm256_setzero_si256();
    transpose(of);
    transpose(of + HALF);
    for (int i = 0; i < HALF; i++) {
        scores[i] = (score_lanes)_mm256_permute2x128_si256(of[i], of[i + HALF], 0x20);
        scores[i + HALF] = (score_lanes)_mm256_permute2x128_si256(of[i], of[i + HALF], 0x31);
    }
}

static inline void put_hashes(const uint8_t *of, __m256i codes, uint8_t *hashes)
{
    const __m256i is_high = _mm256_slli_epi16(codes, 3);
    const __m256i low = _mm256_shuffle_epi8(half_table((const int8_t *)of), codes);
    const __m256i high = _mm256_shuffle_epi8(half_table((const int8_t *)of + SCORE_HASH_HALF), codes);

    _mm256_storeu_si256((void *)hashes, _mm256_blendv_epi8(low, high, is_high));
}

static void hash_codes(const struct score_hash *hash, const uint8_t *codes, size_t n, uint8_t *hashes)
{
    for (size_t t = 0; t < SCORE_HASH_TABLES; t++) {
        const uint8_t *of = hash->of_subject[t];
        uint8_t *to = hashes + t * n;
        size_t i = 0;
        for (; i + LANES <= n; i += LANES)
            put_hashes(of, _mm256_loadu_si256((const void *)(codes + i)), to + i);
        for (; i < n; i++)
            to[i] = of[codes[i]];
    }
}

const struct two_hit_passes two_hit_passes_avx2 = {lower, take_hits, bound_candidates, hash_codes};
