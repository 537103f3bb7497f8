/* dna_encode_avx2.c - packs 32 characters, one register, into one word of codes. */
#include "alphabet/dna_encode.h"

#include <immintrin.h>

/* Tables indexed by a character's low four bits, which tell A, C, G and T apart: its lower-case form (0 matches none), and its code. */
#define BASES 0, 'a', 0, 'c', 't', 0, 0, 'g', 0, 0, 0, 0, 0, 0, 0, 0
#define CODES 0, 0, 0, 1, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0

size_t dna_encode_avx2(uint64_t *codes, size_t n_bases, const char *bases, size_t n)
{
    const __m256i base_of = _mm256_setr_epi8(BASES, BASES), code_of = _mm256_setr_epi8(CODES, CODES);
    const __m256i lower_case = _mm256_set1_epi8(0x20);
    const __m256i pairs = _mm256_set1_epi16(0x0401);     /* packs two bases into four bits */
    const __m256i quads = _mm256_set1_epi32(0x00100001); /* packs four bases into eight bits */
    const __m256i bytes = _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12, -1, -1, -1, -1, -1, -1,
                                           -1, -1, -1, -1, -1, -1);
    unsigned shift = 2 * (unsigned)(n_bases & 31);
    uint64_t *to = codes + n_bases / 32, open = *to;
    size_t done = 0;

    for (; done + 32 <= n; done += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(bases + done));
        __m256i same = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(base_of, v), _mm256_or_si256(v, lower_case));
        if (_mm256_movemask_epi8(same) != -1)
            break;
        v = _mm256_maddubs_epi16(_mm256_shuffle_epi8(code_of, v), pairs);
        v = _mm256_shuffle_epi8(_mm256_madd_epi16(v, quads), bytes);
        uint64_t word = (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(v)) |
                        (uint64_t)(uint32_t)_mm_cvtsi128_si32(_mm256_extracti128_si256(v, 1)) << 32;
        *to++ = open | word << shift;
        open = word >> 1 >> (63 - shift);
    }
    *to = open;
    return done;
}
