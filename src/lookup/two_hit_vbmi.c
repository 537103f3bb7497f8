/*
 * two_hit_vbmi.c - the passes of two_hit_passes.h with AVX-512 VBMI. Bounds are computed for 64 candidates at once, one residue after the
 * other, in rounds of 16 residues. Scores of 64 pairs of residues come from seven tables of 128 bytes. They are looked up for 16 residues
 * of four candidates at a time, and transposed, so that each vector has one score of each candidate. After a round the candidates that go
 * on are moved together.
 */
#include <immintrin.h>
#include <stddef.h>

#define POSITIONS_AT_ONCE 32

#include "base/base.h"
#include "lookup/two_hit_hits.h"

enum { LANES = TWO_HIT_LANES, ROUND = 16, CODES_A_TABLE = 4, TABLES = 7, NEAR_SHIFT = 4 };

bool two_hit_vbmi_usable(void)
{
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") && cpu_best_simd() == TMS_SIMD_AVX512;
}

static inline void lower_lanes(lowered_lanes *of, const lowered_lanes *by)
{
    *of = (lowered_lanes)_mm512_subs_epu8((__m512i)*of, (__m512i)*by);
}

static inline uint32_t near_hits(const uint8_t *distances, int least, int end)
{
    const __m256i more = _mm256_sub_epi8(_mm256_loadu_si256((const void *)distances), _mm256_set1_epi8((char)least));

    return _mm256_cmplt_epu8_mask(more, _mm256_set1_epi8((char)(end - least)));
}

_Static_assert(2 * sizeof(struct two_hit_extended) <= (size_t)TWO_HIT_SCRATCH,
               "candidates at the beginning, and those that are done on the left");
_Static_assert(1 << NEAR_SHIFT == (int)TWO_HIT_NEAR && sizeof(struct two_hit_bounds) == sizeof(int32_t), "limits are gathered");

/* One byte for each pair: the score of residues q[i] and s[i]. */
static inline __m512i scores_of(const int8_t *tables, __m512i q, __m512i s)
{
    const __m512i in_table = _mm512_or_si512(_mm512_slli_epi16(_mm512_and_si512(q, _mm512_set1_epi8(CODES_A_TABLE - 1)), 5), s);
    const __mmask64 bit_2 = _mm512_movepi8_mask(_mm512_slli_epi16(q, 5)), bit_3 = _mm512_movepi8_mask(_mm512_slli_epi16(q, 4)),
                    bit_4 = _mm512_movepi8_mask(_mm512_slli_epi16(q, 3));
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

/* 16 residues from each of four places on. */
static inline __m512i four(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d)
{
    __m512i x = _mm512_castsi128_si512(_mm_loadu_si128((const void *)a));

    x = _mm512_inserti32x4(x, _mm_loadu_si128((const void *)b), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const void *)c), 2);
    return _mm512_inserti32x4(x, _mm_loadu_si128((const void *)d), 3);
}

/* Moves byte k of quarter j of vector i to byte i of quarter j of vector k. */
static inline void transpose(__m512i *v)
{
    __m512i to[ROUND];

    for (int stage = 0; stage < 2; stage++) {
        for (int i = 0; i < ROUND / 2; i++) {
            to[2 * i] = _mm512_unpacklo_epi8(v[i], v[i + ROUND / 2]);
            to[2 * i + 1] = _mm512_unpackhi_epi8(v[i], v[i + ROUND / 2]);
        }
        for (int i = 0; i < ROUND / 2; i++) {
            v[2 * i] = _mm512_unpacklo_epi8(to[i], to[i + ROUND / 2]);
            v[2 * i + 1] = _mm512_unpackhi_epi8(to[i], to[i + ROUND / 2]);
        }
    }
}

/* Lane 4 i + k from lane 16 k + i. */
static inline __m512i in_order(void)
{
    const __m512i first = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 16, 32, 48, 1, 17, 33, 49, 2, 18, 34, 50, 3, 19, 35, 51));

    return _mm512_add_epi8(first, _mm512_inserti64x4(_mm512_inserti32x4(_mm512_setzero_si512(), _mm_set1_epi8(4), 1),
                                                     _mm256_setr_m128i(_mm_set1_epi8(8), _mm_set1_epi8(12)), 1));
}

/* The same as look_up() for n candidates, LANES / 2 at most. */
static void look_up_few(const struct two_hit_bounded *in, const struct two_hit_extended *c, size_t from, size_t n, int shift,
                        __m512i *scores)
{
    const uint8_t *query = in->queries->codes + shift, *subject = in->codes + shift;
    const uint16_t *p = c->position + from;
    const int32_t *s = c->subject + from;
    const __m512i order = in_order();

    for (size_t i = 0; i < ROUND; i++, p += 4, s += 4)
        scores[i] = 4 * i >= n ? _mm512_setzero_si512()
                               : scores_of(in->queries->rows, four(query + p[0], query + p[1], query + p[2], query + p[3]),
                                           four(subject + s[0], subject + s[1], subject + s[2], subject + s[3]));
    transpose(scores);
    for (int i = 0; i < ROUND; i++)
        scores[i] = _mm512_permutexvar_epi8(order, scores[i]);
}

/* Scores of the ROUND residues that begin `shift` residues after each of 64 candidates; lanes from n on are those of the first one. */
static inline void look_up(const struct two_hit_bounded *in, struct two_hit_extended *c, size_t from, size_t n, int shift, __m512i *scores)
{
    const uint8_t *query = in->queries->codes + shift, *subject = in->codes + shift;
    const uint16_t *p = c->position + from;
    const int32_t *s = c->subject + from;

    for (size_t k = n; k < LANES; k++) {
        c->position[from + k] = p[0];
        c->subject[from + k] = s[0];
    }
    if (n <= LANES / 2) {
        look_up_few(in, c, from, n, shift, scores);
        return;
    }
    for (int i = 0; i < ROUND; i++)
        scores[i] = scores_of(in->queries->rows, four(query + p[i], query + p[i + 16], query + p[i + 32], query + p[i + 48]),
                              four(subject + s[i], subject + s[i + 16], subject + s[i + 32], subject + s[i + 48]));
    transpose(scores);
}

static inline __mmask64 first_lanes(size_t n) { return n < LANES ? ((__mmask64)1 << n) - 1 : ~(__mmask64)0; }

/* Extensions of 64 candidates to one side. */
struct side {
    __m512i run, best, n_taken; /* n_taken: residues after which it went on */
    __mmask64 alive;
};

static inline void take(struct side *side, __m512i score, __m512i x_drop)
{
    side->run = _mm512_adds_epi8(side->run, score);
    side->best = _mm512_mask_max_epi8(side->best, side->alive, side->best, side->run);
    side->alive = _mm512_mask_cmplt_epi8_mask(side->alive, _mm512_subs_epi8(side->best, side->run), x_drop);
    side->n_taken = _mm512_mask_sub_epi8(side->n_taken, side->alive, side->n_taken, _mm512_set1_epi8(-1));
}

static inline void put_bytes(void *to, __mmask64 chosen, __m512i bytes)
{
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(chosen, bytes));
}

/* Copies the places of the chosen ones of 64 candidates; `to` may be before `from`. Returns their number. */
static inline size_t copy_places(const int32_t *subject, const uint16_t *position, __mmask64 chosen, int32_t *to_subject,
                                 uint16_t *to_position)
{
    const __m512i low = _mm512_loadu_si512(position), high = _mm512_loadu_si512(position + 32);
    const size_t n_low = (size_t)_mm_popcnt_u64(chosen & UINT32_MAX);

    for (unsigned k = 0; k < LANES; k += 16) {
        const __mmask16 now = (__mmask16)(chosen >> k);
        _mm512_storeu_si512(to_subject, _mm512_maskz_compress_epi32(now, _mm512_loadu_si512(subject + k)));
        to_subject += _mm_popcnt_u32(now);
    }
    _mm512_storeu_si512(to_position, _mm512_maskz_compress_epi16((__mmask32)chosen, low));
    _mm512_storeu_si512(to_position + n_low, _mm512_maskz_compress_epi16((__mmask32)(chosen >> 32), high));
    return (size_t)_mm_popcnt_u64(chosen);
}

/* Copies the chosen ones of 64 candidates. Returns their number. */
static inline size_t copy_chosen(const struct two_hit_extended *from, size_t i, __mmask64 chosen, __m512i n_between,
                                 const struct side *side, struct two_hit_extended *to, size_t n)
{
    const size_t n_chosen = copy_places(from->subject + i, from->position + i, chosen, to->subject + n, to->position + n);

    put_bytes(to->n_between + n, chosen, n_between);
    put_bytes(to->x_drop + n, chosen, _mm512_loadu_si512(from->x_drop + i));
    put_bytes(to->least + n, chosen, _mm512_loadu_si512(from->least + i));
    put_bytes(to->least_left + n, chosen, _mm512_loadu_si512(from->least_left + i));
    put_bytes(to->run + n, chosen, side->run);
    put_bytes(to->best + n, chosen, side->best);
    return n_chosen;
}

static size_t bound_left(const struct two_hit_bounded *in, struct two_hit_extended *c, size_t n, int round, struct two_hit_extended *done,
                         size_t *n_done)
{
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += LANES) {
        const size_t n_now = n - from < LANES ? n - from : LANES;
        const __m512i x_drop = _mm512_loadu_si512(c->x_drop + from);
        struct side side = {_mm512_loadu_si512(c->run + from), _mm512_loadu_si512(c->best + from), _mm512_setzero_si512(),
                            first_lanes(n_now)};
        __m512i scores[ROUND], n_between;
        __mmask64 passes, is_done;
        look_up(in, c, from, n_now, -ROUND * (round + 1), scores);
        for (int i = ROUND - 1; i >= 0; i--)
            take(&side, scores[i], x_drop);
        n_between = _mm512_subs_epu8(_mm512_loadu_si512(c->n_between + from), side.n_taken);
        passes = _mm512_cmpge_epi8_mask(side.best, _mm512_loadu_si512(c->least + from));
        is_done = passes | (~side.alive & (_mm512_testn_epi8_mask(n_between, n_between) |
                                           _mm512_cmpge_epi8_mask(side.best, _mm512_loadu_si512(c->least_left + from))));
        *n_done += copy_chosen(c, from, is_done & first_lanes(n_now), n_between, &side, done, *n_done);
        n_on += copy_chosen(c, from, side.alive & ~passes, n_between, &side, c, n_on);
    }
    return n_on;
}

static size_t bound_right(const struct two_hit_bounded *in, struct two_hit_extended *c, size_t n, int round,
                          struct two_hit_candidates *passed, size_t *n_passed)
{
    const int width = 2 * in->word_size - 1;
    size_t n_on = 0;

    for (size_t from = 0; from < n; from += LANES) {
        const size_t n_now = n - from < LANES ? n - from : LANES;
        const __m512i x_drop = _mm512_loadu_si512(c->x_drop + from), least = _mm512_loadu_si512(c->least + from);
        const __m512i n_between = _mm512_loadu_si512(c->n_between + from);
        struct side side = {_mm512_loadu_si512(c->run + from), _mm512_loadu_si512(c->best + from), _mm512_setzero_si512(),
                            first_lanes(n_now)};
        __m512i scores[ROUND];
        __mmask64 passes = 0, on;
        int i = 0;
        look_up(in, c, from, n_now, ROUND * round, scores);
        if (round == 0) { /* the residues within which an extension may start */
            __m512i most = side.run = side.best;
            for (; i < width; i++) {
                side.run = _mm512_max_epi8(_mm512_adds_epi8(side.run, scores[i]), _mm512_setzero_si512());
                most = _mm512_max_epi8(most, side.run);
            }
            passes = _mm512_cmpge_epi8_mask(most, least) & side.alive;
            side.alive = _mm512_mask_testn_epi8_mask(side.alive, n_between, n_between);
            side.best = side.run;
        }
        for (; i < ROUND; i++)
            take(&side, scores[i], x_drop);
        passes |= _mm512_mask_cmpge_epi8_mask(first_lanes(n_now) & (passes | _mm512_testn_epi8_mask(n_between, n_between)), side.best,
                                              least);
        on = side.alive & ~passes;
        *n_passed += copy_places(c->subject + from, c->position + from, passes, passed->subject + *n_passed, passed->position + *n_passed);
        n_on += copy_chosen(c, from, on, n_between, &side, c, n_on);
    }
    return n_on;
}

/* Byte `k` of each of 64 numbers. */
static inline __m512i bytes_of(const __m512i *numbers, unsigned k)
{
    __m512i bytes = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(_mm512_srli_epi32(numbers[0], 8 * k)));

    bytes = _mm512_inserti32x4(bytes, _mm512_cvtepi32_epi8(_mm512_srli_epi32(numbers[1], 8 * k)), 1);
    bytes = _mm512_inserti32x4(bytes, _mm512_cvtepi32_epi8(_mm512_srli_epi32(numbers[2], 8 * k)), 2);
    return _mm512_inserti32x4(bytes, _mm512_cvtepi32_epi8(_mm512_srli_epi32(numbers[3], 8 * k)), 3);
}

/* Begins 64 candidates. */
static inline void begin(const struct two_hit_bounded *in, const struct two_hit_candidates *candidates, size_t i,
                         struct two_hit_extended *c)
{
    const __m512i width = _mm512_set1_epi8((char)(2 * in->word_size - 1));
    __m512i limits[LANES / 16];

    for (size_t k = 0; k < LANES; k += 16) {
        const __m512i position = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(candidates->position + i + k)));
        limits[k / 16] = _mm512_i32gather_epi32(_mm512_srli_epi32(position, NEAR_SHIFT), in->queries->limits, sizeof *in->queries->limits);
        _mm512_storeu_si512(c->subject + i + k, _mm512_loadu_si512(candidates->subject + i + k));
    }
    memcpy(c->position + i, candidates->position + i, LANES * sizeof *c->position);
    _mm512_storeu_si512(c->n_between + i, _mm512_subs_epu8(_mm512_loadu_si512(candidates->distance + i), width));
    _mm512_storeu_si512(c->x_drop + i, bytes_of(limits, offsetof(struct two_hit_bounds, x_drop)));
    _mm512_storeu_si512(c->least + i, bytes_of(limits, offsetof(struct two_hit_bounds, least)));
    _mm512_storeu_si512(c->least_left + i, bytes_of(limits, offsetof(struct two_hit_bounds, least_left)));
    _mm512_storeu_si512(c->run + i, _mm512_setzero_si512());
    _mm512_storeu_si512(c->best + i, _mm512_setzero_si512());
}

static size_t bound_candidates(const struct two_hit_bounded *in, struct two_hit_candidates *candidates, size_t n, void *scratch)
{
    struct two_hit_extended *c = scratch, *done = c + 1;
    size_t n_done = 0, n_passed = 0;

    for (size_t i = n; i % LANES != 0; i++) /* their limits are gathered, too; what was there may be of a longer stretch */
        candidates->position[i] = candidates->position[0];
    for (size_t i = 0; i < n; i += LANES)
        begin(in, candidates, i, c);
    for (int round = 0; n > 0; round++)
        n = bound_left(in, c, n, round, done, &n_done);
    for (int round = 0; n_done > 0; round++)
        n_done = bound_right(in, done, n_done, round, candidates, &n_passed);
    return n_passed;
}

const struct two_hit_passes two_hit_passes_vbmi = {lower, take_hits, bound_candidates, NULL};
