/*
 * dna_samples.h - for the tests of sequences: random ones with other letters, repeats and several parts, and what a
 * w-mer is, one base at a time.
 *
 * Arrays have exactly the sizes that dna.h asks for, and garbage wherever contents do not matter.
 */
#ifndef TAMIS_TEST_DNA_SAMPLES_H
#define TAMIS_TEST_DNA_SAMPLES_H

#include <xxhash.h>

#include "bank/bank_core.h"
#include "tamis/dna.h"
#include "tamis/seeds.h"
#include "unit/samples.h"

#define DNA_OTHER 4

typedef struct dna_sample {
    tms_dna dna;
    uint8_t *bases;    /* 0 .. 3, DNA_OTHER */
    uint32_t *part_of; /* the part that each base lies in */
    uint64_t *codes;
    tms_dna_part *parts;
    tms_dna_run *runs;
} dna_sample;

static inline void dna_free(dna_sample *s)
{
    free(s->bases);
    free(s->part_of);
    free(s->codes);
    free(s->parts);
    free(s->runs);
    memset(s, 0, sizeof *s);
}

/* bases are taken over. ends: where each part ends, ascending, the last one n; NULL: one part. A run is cut in two now
 * and then. */
static inline dna_sample dna_from_bases(sample_random *r, uint8_t *bases, size_t n, const size_t *ends, size_t n_parts)
{
    dna_sample s;
    size_t whole[1] = {n}, n_runs = 0, at = 0;
    memset(&s, 0, sizeof s);
    if (!ends) {
        ends = whole;
        n_parts = 1;
    }
    s.bases = bases;
    s.part_of = (uint32_t *)sample_alloc(n * sizeof *s.part_of);
    s.codes = (uint64_t *)sample_alloc(TMS_DNA_WORDS(n) * sizeof *s.codes);
    s.parts = (tms_dna_part *)sample_alloc(n_parts * sizeof *s.parts);
    random_fill(r, (uint8_t *)s.codes, TMS_DNA_WORDS(n) * sizeof *s.codes);
    for (size_t i = 0; i < n; i++) {
        uint64_t code = bases[i] == DNA_OTHER ? 0 : bases[i];
        s.codes[i / 32] = (s.codes[i / 32] & ~((uint64_t)3 << 2 * (i % 32))) | code << 2 * (i % 32);
        n_runs += bases[i] == DNA_OTHER;
    }
    s.runs = (tms_dna_run *)sample_alloc(n_runs * sizeof *s.runs);
    n_runs = 0;
    for (size_t i = 0; i < n; i++) {
        if (bases[i] != DNA_OTHER)
            continue;
        if (i > 0 && bases[i - 1] == DNA_OTHER && random_below(r, 50)) {
            s.runs[n_runs - 1].n_bases++;
        } else {
            s.runs[n_runs].start = (uint32_t)i;
            s.runs[n_runs++].n_bases = 1;
        }
    }
    for (size_t p = 0; p < n_parts; at = ends[p++]) {
        s.parts[p].name = "part";
        s.parts[p].record = p;
        s.parts[p].offset = 0;
        s.parts[p].start = (uint32_t)at;
        s.parts[p].n_bases = (uint32_t)(ends[p] - at);
        for (size_t i = at; i < ends[p]; i++)
            s.part_of[i] = (uint32_t)p;
    }
    s.dna.codes = s.codes;
    s.dna.n_bases = n;
    s.dna.parts = s.parts;
    s.dna.n_parts = n_parts;
    s.dna.runs = s.runs;
    s.dna.n_runs = n_runs;
    return s;
}

/*
 * Stretches of all kinds, so that short sequences have matches on both strands too: random bases, other letters, one
 * base again and again, short tandem repeats, copies of what was before, and their reverse complements.
 */
static inline void dna_fill(sample_random *r, uint8_t *bases, size_t n, int with_others)
{
    for (size_t i = 0; i < n;) {
        uint64_t kind = random_below(r, 10);
        size_t most = random_below(r, 8) ? 90 : 400, length = 1 + (size_t)random_below(r, most), period, from;
        period = kind == 3 ? 1 : 2 + (size_t)random_below(r, 5);
        if (length > n - i)
            length = n - i;
        from = i ? (size_t)random_below(r, i) : 0;
        if (kind == 2 && with_others && length > 40 && random_below(r, 4))
            length = 1 + (size_t)random_below(r, 4);
        for (size_t j = 0; j < length; j++) {
            uint8_t copied = i && kind >= 6 ? bases[kind < 8 || from < j ? from + (kind < 8 ? j : 0) : from - j]
                                            : (uint8_t)random_below(r, 4);
            if (kind == 2 && with_others)
                bases[i + j] = DNA_OTHER;
            else if ((kind == 3 || kind == 4) && j >= period)
                bases[i + j] = bases[i + j - period];
            else
                bases[i + j] = kind >= 8 && copied < 4 ? (uint8_t)(3 - copied) : copied;
        }
        i += length;
    }
}

/* Up to n_parts parts, some of them empty. */
static inline dna_sample dna_random(sample_random *r, size_t n, size_t n_parts, int with_others)
{
    uint8_t *bases = (uint8_t *)sample_alloc(n);
    size_t *ends = (size_t *)sample_alloc(n_parts * sizeof *ends);
    dna_sample s;
    dna_fill(r, bases, n, with_others);
    for (size_t p = 0; p + 1 < n_parts; p++) {
        size_t end = (size_t)random_below(r, n + 1), q = p;
        for (; q > 0 && ends[q - 1] > end; q--)
            ends[q] = ends[q - 1];
        ends[q] = end;
    }
    ends[n_parts - 1] = n;
    s = dna_from_bases(r, bases, n, ends, n_parts);
    free(ends);
    return s;
}

/* Letters ACGT and any other one; '|' ends a part. */
static inline dna_sample dna_from_letters(const char *letters)
{
    sample_random r = {1};
    size_t length = strlen(letters), n = 0, n_parts = 0;
    uint8_t *bases = (uint8_t *)sample_alloc(length);
    size_t *ends = (size_t *)sample_alloc((length + 1) * sizeof *ends);
    dna_sample s;
    for (size_t i = 0; i < length; i++) {
        const char *at = strchr("ACGT", letters[i]);
        if (letters[i] == '|')
            ends[n_parts++] = n;
        else
            bases[n++] = at ? (uint8_t)(at - "ACGT") : DNA_OTHER;
    }
    ends[n_parts++] = n;
    s = dna_from_bases(&r, bases, n, ends, n_parts);
    free(ends);
    return s;
}

static inline int dna_is_window(const dna_sample *s, size_t i, unsigned w)
{
    if (i + w > s->dna.n_bases)
        return 0;
    for (size_t j = i; j < i + w; j++)
        if (s->bases[j] == DNA_OTHER || s->part_of[j] != s->part_of[i])
            return 0;
    return 1;
}

/* The w-mer of a window, and the w-mer of its reverse complement. */
static inline uint64_t dna_plus(const dna_sample *s, size_t i, unsigned w)
{
    uint64_t word = 0;
    for (unsigned j = 0; j < w; j++)
        word |= (uint64_t)s->bases[i + j] << 2 * j;
    return word;
}

static inline uint64_t dna_minus(const dna_sample *s, size_t i, unsigned w)
{
    uint64_t word = 0;
    for (unsigned j = 0; j < w; j++)
        word |= (uint64_t)(3 - s->bases[i + w - 1 - j]) << 2 * j;
    return word;
}

/* What a search with this strand looks for at a window of the subject. */
static inline uint64_t dna_asked(const dna_sample *s, size_t i, unsigned w, tms_strand strand)
{
    uint64_t plus = dna_plus(s, i, w), minus = dna_minus(s, i, w);
    return strand == TMS_STRAND_BOTH && minus < plus ? minus : plus;
}

/* What a search with this strand keeps of a window of the query. */
static inline uint64_t dna_kept(const dna_sample *s, size_t i, unsigned w, tms_strand strand)
{
    return strand == TMS_STRAND_MINUS ? dna_minus(s, i, w) : dna_asked(s, i, w, strand);
}

/* --- Bloom filters as bank_core.h defines them, worked out again one function at a time --- */

typedef struct model {
    struct bank_shape shape;
    uint64_t rows[BANK_MAX_LANES][65]; /* the last of a bit that is always 1 */
    uint8_t *set;                      /* one byte a bit: position of sub-query s at s * m + position */
} model;

static inline model *make_model(const struct bank_shape *shape)
{
    model *m = (model *)sample_alloc(sizeof *m);
    sample_random stream = {shape->seed};
    m->shape = *shape;
    for (int l = 0; l < BANK_MAX_LANES; l++)
        for (int i = 0; i < 65; i++)
            m->rows[l][i] = random_next(&stream);
    m->set = (uint8_t *)calloc(shape->n_subs * shape->m_bits, 1);
    assert_non_null(m->set);
    return m;
}

static inline void free_model(model *m)
{
    free(m->set);
    free(m);
}

static inline uint64_t model_lane(const model *m, unsigned lane, uint64_t word)
{
    uint64_t h = m->rows[lane][64];
    if (m->shape.hash == BANK_XXH3)
        return XXH3_64bits_withSeed(&word, 8, m->shape.seed + lane);
    for (int i = 0; i < 64; i++)
        h ^= word >> i & 1 ? m->rows[lane][i] : 0;
    return h;
}

static inline uint64_t model_position(const model *m, unsigned j, uint64_t word)
{
    if (m->shape.hash == BANK_EXACT)
        return word;
    uint64_t lane = model_lane(m, j / 2, word), f = j % 2 ? lane >> 32 : lane & 0xffffffffu;
    return (uint64_t)((unsigned __int128)f * m->shape.m_bits >> 32);
}

static inline void model_insert(model *m, uint32_t sub, uint64_t word)
{
    for (unsigned j = 0; j < m->shape.k; j++)
        m->set[sub * m->shape.m_bits + model_position(m, j, word)] = 1;
}

/* --- SIMD levels --- */

/* The SIMD levels that this processor has, from scalar on; sets the context's. Returns 0 where it lacks the level. */
static inline int dna_take_simd(tms_context *context, int level) { return tms_context_set_simd(context, (tms_simd)level) == TMS_OK; }
#define EACH_SIMD(context, level)                                                                                                          \
    for (int level = TMS_SIMD_SCALAR; level <= TMS_SIMD_AVX512; level++)                                                                   \
        if (dna_take_simd(context, level))

#endif
