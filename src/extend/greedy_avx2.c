/* greedy_avx2.c - 8 diagonals at once, as greedy_avx512.c has 16. */
#include <immintrin.h>

#include "extend/greedy_fill.h"

enum { LANES = 8, AT_ONCE = 4 };

static inline unsigned bits_of(__m256i mask) { return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(mask)); }
static inline __m256i all(int x) { return _mm256_set1_epi32(x); }
static inline __m256i at_least(__m256i a, int b) { return _mm256_cmpgt_epi32(a, all(b - 1)); }

static __m256i add_runs(const struct greedy_fill *f, bool is_right, unsigned mask, __m256i i, __m256i j, int more, __m256i same)
{
    int is[LANES], js[LANES], sames[LANES];

    _mm256_storeu_si256((void *)is, i);
    _mm256_storeu_si256((void *)js, j);
    _mm256_storeu_si256((void *)sames, same);
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest), a = is[lane] + more, b = js[lane] + more;
        const int left_a = f->n_query - a, left_b = f->n_subject - b, n = left_a < left_b ? left_a : left_b;
        sames[lane] = more +
                      (is_right ? equal_bases_from(f->query + a, f->subject + b, n) : equal_bases_before(f->query - a, f->subject - b, n));
    }
    return _mm256_loadu_si256((const void *)sames);
}

/* -1 where the bits of d are 0. */
static inline __m256i is_equal(__m256i d, unsigned bits)
{
    return _mm256_cmpeq_epi32(_mm256_and_si256(d, all((int)bits)), _mm256_setzero_si256());
}

/* Equal bases behind i and j, of the lanes that have an alignment; 0 of others. */
__attribute__((always_inline)) static inline __m256i runs(const struct greedy_fill *f, bool is_right, __m256i valid, __m256i i, __m256i j)
{
    const __m256i left = _mm256_min_epi32(_mm256_sub_epi32(all(f->n_query), i), _mm256_sub_epi32(all(f->n_subject), j));
    const __m256i read = _mm256_and_si256(valid, at_least(left, AT_ONCE)), zero = _mm256_setzero_si256();
    const __m256i at_a = is_right ? i : _mm256_sub_epi32(all(-AT_ONCE), i), at_b = is_right ? j : _mm256_sub_epi32(all(-AT_ONCE), j);
    const __m256i a = _mm256_mask_i32gather_epi32(zero, (const int *)(const void *)f->query, at_a, read, 1);
    const __m256i b = _mm256_mask_i32gather_epi32(zero, (const int *)(const void *)f->subject, at_b, read, 1);
    const __m256i d = _mm256_or_si256(_mm256_xor_si256(a, b), _mm256_and_si256(a, all((int)0xfcfcfcfcu)));
    const __m256i all_are = _mm256_and_si256(read, is_equal(d, ~0u));
    __m256i same = _mm256_add_epi32(is_equal(d, is_right ? 0xff : 0xff000000u), is_equal(d, is_right ? 0xffff : 0xffff0000u));

    same = _mm256_add_epi32(same, is_equal(d, is_right ? 0xffffff : 0xffffff00u));
    same = _mm256_and_si256(read, _mm256_sub_epi32(zero, same));
    if (bits_of(all_are) != 0)
        same = add_runs(f, is_right, bits_of(all_are), i, j, AT_ONCE, same);
    if (bits_of(_mm256_andnot_si256(read, valid)) != 0)
        same = add_runs(f, is_right, bits_of(_mm256_andnot_si256(read, valid)), i, j, 0, same);
    return same;
}

static inline int greatest_of(__m256i a)
{
    __m128i b = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));

    b = _mm_max_epi32(b, _mm_shuffle_epi32(b, 0x4e));
    b = _mm_max_epi32(b, _mm_shuffle_epi32(b, 0xb1));
    return _mm_cvtsi128_si32(b);
}

/* The first lane that has this value. */
static inline int lane_of(__m256i values, int value) { return __builtin_ctz(bits_of(_mm256_cmpeq_epi32(values, all(value)))); }

static inline int lane_value(__m256i values, int lane)
{
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(_mm256_permutevar8x32_epi32(values, all(lane))));
}

__attribute__((always_inline)) static inline void fill(struct greedy_fill *f, bool is_right)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), none = all(GREEDY_NONE);

    for (int k = f->begin; k <= f->end; k += LANES) {
        const __m256i in_row = _mm256_cmpgt_epi32(all(f->end - k + 1), lanes);
        const __m256i longer = _mm256_max_epi32(_mm256_loadu_si256((const void *)(f->before + k + 1)),
                                                _mm256_loadu_si256((const void *)(f->before + k)));
        const __m256i j = _mm256_max_epi32(_mm256_add_epi32(longer, all(1)), _mm256_loadu_si256((const void *)(f->before + k - 1)));
        const __m256i i = _mm256_add_epi32(j, _mm256_add_epi32(lanes, all(k)));
        const __m256i valid = _mm256_and_si256(in_row, _mm256_and_si256(at_least(_mm256_add_epi32(i, j), f->least), at_least(j, 0)));
        const __m256i same = runs(f, is_right, valid, i, j), to_i = _mm256_add_epi32(i, same), to_j = _mm256_add_epi32(j, same);
        const __m256i reach = _mm256_and_si256(valid, _mm256_add_epi32(to_i, to_j));
        const int longest = greatest_of(same), furthest = greatest_of(reach);
        _mm256_storeu_si256((void *)(f->row + k), _mm256_blendv_epi8(none, to_j, valid));
        greedy_limit_lanes(f, k,
                           (struct greedy_lanes){bits_of(in_row), bits_of(valid),
                                                 bits_of(_mm256_and_si256(valid, _mm256_cmpeq_epi32(to_i, all(f->n_query)))),
                                                 bits_of(_mm256_and_si256(valid, _mm256_cmpeq_epi32(to_j, all(f->n_subject))))});
        if (longest > f->longest.n) {
            const int lane = lane_of(same, longest);
            f->longest = (struct greedy_run){lane_value(i, lane), lane_value(j, lane), longest};
        }
        if (furthest > f->furthest.n) {
            const int lane = lane_of(reach, furthest);
            f->furthest = (struct greedy_run){lane_value(to_i, lane), lane_value(to_j, lane), furthest};
        }
    }
}

void greedy_fill_avx2(struct greedy_fill *f, bool is_right)
{
    f->furthest = (struct greedy_run){0, 0, 0};
    if (is_right)
        fill(f, true);
    else
        fill(f, false);
}
