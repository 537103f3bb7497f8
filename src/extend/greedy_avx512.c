/* greedy_avx512.c - 16 diagonals at once. A gather reads four bases of each; longer runs, and ends of sequences, are read base by base. */
#include <immintrin.h>

#include "extend/greedy_fill.h"

enum { LANES = 16, AT_ONCE = 4 };

/* Adds what scalar code finds for the lanes of a mask: equal bases from `more` on. */
static __m512i add_runs(const struct greedy_fill *f, bool is_right, __mmask16 mask, __m512i i, __m512i j, int more, __m512i same)
{
    int is[LANES], js[LANES], sames[LANES];

    _mm512_storeu_si512(is, i);
    _mm512_storeu_si512(js, j);
    _mm512_storeu_si512(sames, same);
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest), a = is[lane] + more, b = js[lane] + more;
        const int left_a = f->n_query - a, left_b = f->n_subject - b, n = left_a < left_b ? left_a : left_b;
        sames[lane] = more +
                      (is_right ? equal_bases_from(f->query + a, f->subject + b, n) : equal_bases_before(f->query - a, f->subject - b, n));
    }
    return _mm512_loadu_si512(sames);
}

/* Equal bases behind i and j, of the lanes that have an alignment. */
__attribute__((always_inline)) static inline __m512i runs(const struct greedy_fill *f, bool is_right, __mmask16 valid, __m512i i, __m512i j)
{
    const __m512i left = _mm512_min_epi32(_mm512_sub_epi32(_mm512_set1_epi32(f->n_query), i),
                                          _mm512_sub_epi32(_mm512_set1_epi32(f->n_subject), j));
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(1);
    const __mmask16 read = _mm512_mask_cmpge_epi32_mask(valid, left, _mm512_set1_epi32(AT_ONCE));
    const __m512i at_a = is_right ? i : _mm512_sub_epi32(_mm512_set1_epi32(-AT_ONCE), i);
    const __m512i at_b = is_right ? j : _mm512_sub_epi32(_mm512_set1_epi32(-AT_ONCE), j);
    const __m512i a = _mm512_mask_i32gather_epi32(zero, read, at_a, f->query, 1),
                  b = _mm512_mask_i32gather_epi32(zero, read, at_b, f->subject, 1);
    const __m512i ambiguous = _mm512_and_si512(a, _mm512_set1_epi32((int)0xfcfcfcfcu)),
                  d = _mm512_or_si512(_mm512_xor_si512(a, b), ambiguous);
    const __mmask16 one_is = _mm512_mask_testn_epi32_mask(read, d, _mm512_set1_epi32(is_right ? 0xff : (int)0xff000000u));
    const __mmask16 two_are = _mm512_mask_testn_epi32_mask(read, d, _mm512_set1_epi32(is_right ? 0xffff : (int)0xffff0000u));
    const __mmask16 three_are = _mm512_mask_testn_epi32_mask(read, d, _mm512_set1_epi32(is_right ? 0xffffff : (int)0xffffff00u));
    const __mmask16 all_are = _mm512_mask_testn_epi32_mask(read, d, d);
    __m512i same = _mm512_maskz_mov_epi32(one_is, one);

    same = _mm512_mask_add_epi32(same, two_are, same, one);
    same = _mm512_mask_add_epi32(same, three_are, same, one);
    if (all_are != 0)
        same = add_runs(f, is_right, all_are, i, j, AT_ONCE, same);
    if ((valid & ~read) != 0)
        same = add_runs(f, is_right, valid & (__mmask16)~read, i, j, 0, same);
    return same;
}

/* The lane that has the greatest value, the first of equals. */
static inline int lane_of(__mmask16 mask, __m512i values, int greatest)
{
    return __builtin_ctz(_mm512_mask_cmpeq_epi32_mask(mask, values, _mm512_set1_epi32(greatest)));
}

static inline int lane_value(__m512i values, int lane)
{
    return _mm512_cvtsi512_si32(_mm512_permutexvar_epi32(_mm512_set1_epi32(lane), values));
}

__attribute__((always_inline)) static inline void fill(struct greedy_fill *f, bool is_right)
{
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), none = _mm512_set1_epi32(GREEDY_NONE);

    for (int k = f->begin; k <= f->end; k += LANES) {
        const __mmask16 in_row = f->end - k >= LANES - 1 ? 0xffff : (__mmask16)((1u << (f->end - k + 1)) - 1);
        const __m512i longer = _mm512_max_epi32(_mm512_loadu_si512(f->before + k + 1), _mm512_loadu_si512(f->before + k));
        const __m512i j = _mm512_max_epi32(_mm512_add_epi32(longer, _mm512_set1_epi32(1)), _mm512_loadu_si512(f->before + k - 1));
        const __m512i i = _mm512_add_epi32(j, _mm512_add_epi32(lanes, _mm512_set1_epi32(k)));
        const __mmask16 reaches = _mm512_mask_cmpge_epi32_mask(in_row, _mm512_add_epi32(i, j), _mm512_set1_epi32(f->least));
        const __mmask16 valid = _mm512_mask_cmpge_epi32_mask(reaches, j, _mm512_setzero_si512());
        const __m512i same = runs(f, is_right, valid, i, j), to_i = _mm512_add_epi32(i, same), to_j = _mm512_add_epi32(j, same);
        const __m512i reach = _mm512_add_epi32(to_i, to_j);
        const int longest = _mm512_mask_reduce_max_epi32(valid, same), furthest = _mm512_mask_reduce_max_epi32(valid, reach);
        _mm512_mask_storeu_epi32(f->row + k, in_row, _mm512_mask_mov_epi32(none, valid, to_j));
        greedy_limit_lanes(f, k,
                           (struct greedy_lanes){in_row, valid, _mm512_mask_cmpeq_epi32_mask(valid, to_i, _mm512_set1_epi32(f->n_query)),
                                                 _mm512_mask_cmpeq_epi32_mask(valid, to_j, _mm512_set1_epi32(f->n_subject))});
        if (longest > f->longest.n) {
            const int lane = lane_of(valid, same, longest);
            f->longest = (struct greedy_run){lane_value(i, lane), lane_value(j, lane), longest};
        }
        if (furthest > f->furthest.n) {
            const int lane = lane_of(valid, reach, furthest);
            f->furthest = (struct greedy_run){lane_value(to_i, lane), lane_value(to_j, lane), furthest};
        }
    }
}

void greedy_fill_avx512(struct greedy_fill *f, bool is_right)
{
    f->furthest = (struct greedy_run){0, 0, 0};
    if (is_right)
        fill(f, true);
    else
        fill(f, false);
}
