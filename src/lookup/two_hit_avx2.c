/* two_hit_avx2.c - the passes of two_hit_passes.h with AVX2: eight scores of pairs are gathered at once. */
#include <immintrin.h>

#define POSITIONS_AT_ONCE 16

#include "lookup/two_hit_hits.h"
#include "lookup/two_hit_lanes.h"

static inline uint32_t near_hits(const uint8_t *ats, const uint8_t *before, int least, int end)
{
    const __m256i distance = _mm256_sub_epi8(_mm256_loadu_si256((const void *)ats), _mm256_loadu_si256((const void *)before));
    const __m256i more = _mm256_sub_epi8(distance, _mm256_set1_epi8((char)least)), most = _mm256_set1_epi8((char)(end - 1 - least));

    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(more, most), more));
}

static inline uint32_t flagged(const int8_t *flags) { return (uint32_t)_mm256_movemask_epi8(_mm256_loadu_si256((const void *)flags)); }

/* Byte `lane` % 4 of each of the eight numbers is the score of one pair. */
static inline __m256i gather(const int8_t *pair_scores, const uint16_t *query, const uint32_t *subject, int lane)
{
    const __m256i at = _mm256_add_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)query)),
                                        _mm256_loadu_si256((const void *)subject));
    const __m256i scores = _mm256_i32gather_epi32((const int *)(const void *)(pair_scores - lane), at, 1);

    return _mm256_and_si256(scores, _mm256_set1_epi32((int)(0xFFu << 8 * lane)));
}

static inline void look_up_pairs(const int8_t *pair_scores, const uint16_t *const *query, const uint32_t *const *subject, size_t n,
                                 lane_scores *scores)
{
    uint32_t four[ROUND_PAIRS];

    for (size_t k = 0; k < n; k += 4) {
        __m256i sum = gather(pair_scores, query[k], subject[k], 0);
        for (size_t i = 1; i < 4; i++)
            if (k + i < n)
                sum = _mm256_or_si256(sum, gather(pair_scores, query[k + i], subject[k + i], (int)i));
        _mm256_storeu_si256((void *)four, sum);
        for (int i = 0; i < ROUND_PAIRS; i++)
            memcpy(&scores[i][k], &four[i], sizeof four[i]);
    }
}

const struct two_hit_passes two_hit_passes_avx2 = {lower, take_hits, bound_candidates, true};
