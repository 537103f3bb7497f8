/* windows_avx512.c - the words of eight windows at a time; does what roll() in windows.c does. */
#include <immintrin.h>

#include "seq/dna_core.h"
#include "seq/windows.h"

/* The reverse complements, still shifted left by 64 - 2 w bits. */
static inline __m512i reverse_complements(__m512i words)
{
    const __m512i bytes = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
    /* Four bits are two bases: these tables swap them, for the lower and the upper half of a byte. */
    const __m512i pairs = _mm512_set4_epi32(0x0f0b0703, 0x0e0a0602, 0x0d090501, 0x0c080400);
    const __m512i upper = _mm512_slli_epi32(pairs, 4), nibble = _mm512_set1_epi8(15);
    __m512i x = _mm512_shuffle_epi8(_mm512_xor_si512(words, _mm512_set1_epi8(-1)), bytes);
    __m512i low = _mm512_shuffle_epi8(upper, _mm512_and_si512(x, nibble));
    __m512i high = _mm512_shuffle_epi8(pairs, _mm512_and_si512(_mm512_srli_epi16(x, 4), nibble));
    return _mm512_or_si512(low, high);
}

bool windows_roll_avx512(const struct windows *windows, uint32_t at, uint32_t end, uint64_t *words, uint32_t *starts)
{
    unsigned w = windows->word_size;
    const __m512i mask = _mm512_set1_epi64((int64_t)dna_word_mask(w)), positions = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i down = _mm512_slli_epi64(positions, 1), up = _mm512_sub_epi64(_mm512_set1_epi64(64), down);
    const __m128i rest = _mm_cvtsi32_si128((int)(64 - 2 * w));
    int both = windows->strand == TMS_STRAND_BOTH;
    __mmask8 palindromes = 0;
    for (uint32_t i = at; i < end; i += 8, words += 8, starts += 8) {
        __mmask8 lanes = end - i < 8 ? (__mmask8)((1u << (end - i)) - 1) : (__mmask8)0xff, is_reversed = 0;
        /* The last of eight windows ends up to 39 bases further on. */
        uint64_t low = dna_word(windows->codes, i, 32), high = dna_word(windows->codes, (size_t)i + 32, 32);
        __m512i word = _mm512_or_si512(_mm512_srlv_epi64(_mm512_set1_epi64((int64_t)low), down),
                                       _mm512_sllv_epi64(_mm512_set1_epi64((int64_t)high), up));
        word = _mm512_and_si512(word, mask);
        __m256i start = _mm256_add_epi32(_mm256_set1_epi32((int)i), _mm512_cvtepi64_epi32(positions));
        if (both) {
            __m512i reverse = _mm512_srl_epi64(reverse_complements(word), rest);
            is_reversed = _mm512_cmplt_epu64_mask(reverse, word);
            palindromes |= lanes & _mm512_cmpeq_epi64_mask(reverse, word);
            word = _mm512_mask_mov_epi64(word, is_reversed, reverse);
            start = _mm256_mask_or_epi32(start, is_reversed, start, _mm256_set1_epi32((int)WINDOW_REVERSED));
        }
        _mm512_mask_storeu_epi64(words, lanes, word);
        _mm256_mask_storeu_epi32(starts, lanes, start);
    }
    return palindromes != 0;
}

size_t windows_at_avx512(const struct windows *windows, const uint32_t *bases, size_t n, uint64_t *words)
{
    const __m512i mask = _mm512_set1_epi64((int64_t)dna_word_mask(windows->word_size)), one = _mm512_set1_epi64(1);
    const __m128i rest = _mm_cvtsi32_si128((int)(64 - 2 * windows->word_size));
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m512i base = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(bases + i)));
        __m512i at = _mm512_srli_epi64(base, 5), down = _mm512_slli_epi64(_mm512_and_si512(base, _mm512_set1_epi64(31)), 1);
        __m512i low = _mm512_i64gather_epi64(at, windows->codes, 8);
        __m512i high = _mm512_i64gather_epi64(_mm512_add_epi64(at, one), windows->codes, 8);
        __m512i word = _mm512_or_si512(_mm512_srlv_epi64(low, down),
                                       _mm512_sllv_epi64(high, _mm512_sub_epi64(_mm512_set1_epi64(64), down)));
        word = _mm512_and_si512(word, mask);
        if (windows->strand != TMS_STRAND_PLUS) {
            __m512i reverse = _mm512_srl_epi64(reverse_complements(word), rest);
            word = windows->strand == TMS_STRAND_MINUS ? reverse : _mm512_min_epu64(word, reverse);
        }
        _mm512_storeu_si512(words + i, word);
    }
    return i;
}
