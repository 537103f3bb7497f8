/*
 * test_words.c - filters of k-mers: their bits and answers are those of the definition in doc/format-filter.md, made here one base at a
 * time, for all instruction sets and numbers of threads; nothing is missed; as many other k-mers pass as sizing says.
 */
#include "unit/seed/word_samples.h"

#include <math.h>

#include "base/core.h"
#include "filter/words_core.h"

#define KNOWN_ONES     52
#define KNOWN_CHECKSUM 0x91a8bc0dfd285213u

static const uint32_t sizes[] = {8, 9, 15, 16, 17, 18, 19, 21, 24, 25, 31, 32, 33, 48, 64, 100, 200, 255};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* ---- the definition --------------------------------------------------------------------------------------------------------------- */

static uint64_t packed(const uint8_t *letters, uint32_t n, int is_reversed)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t code = (uint64_t)letter_code(letters[is_reversed ? n - 1 - i : i]);
        word |= (is_reversed ? 3 - code : code) << 2 * i;
    }
    return word;
}

static uint64_t packed_as(const uint8_t *letters, uint32_t n, tms_strand strand)
{
    uint64_t plus = packed(letters, n, 0), minus = packed(letters, n, 1);
    return strand == TMS_STRAND_PLUS || plus < minus ? plus : minus;
}

/* The block of an s-mer. */
static uint64_t block_by_definition(const uint8_t *letters, const tms_filter_params *p)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i + p->minimizer_size <= p->subword_size; i++) {
        uint32_t rank = words_rank((uint32_t)packed_as(letters + i, p->minimizer_size, p->strand), p->seed);
        least = rank < least ? rank : least;
    }
    return words_block(words_block_hash(least), p->m_bits / 256);
}

/* The k bits of an s-mer, in the filter. */
static void bits_by_definition(const uint8_t *letters, const tms_filter_params *p, uint64_t bits[TMS_WORDS_MAX_K])
{
    uint64_t spread = words_spread(words_mark(packed_as(letters, p->subword_size, p->strand), p->seed));
    uint64_t block = block_by_definition(letters, p);
    for (uint32_t j = 0; j < p->k; j++)
        bits[j] = 256 * block + 64 * (((spread >> 48) + j / 2) % 4) + (spread >> 6 * j & 63);
}

static int s_mer_passes(const uint8_t *bits, const uint8_t *letters, const tms_filter_params *p)
{
    uint64_t own[TMS_WORDS_MAX_K];
    bits_by_definition(letters, p, own);
    for (uint32_t j = 0; j < p->k; j++)
        if (!(bits[own[j] / 8] >> own[j] % 8 & 1))
            return 0;
    return 1;
}

static void fill_by_definition(const tms_seqs *seqs, const tms_filter_params *p, uint8_t *bits)
{
    for (size_t i = 0; i < seqs->n_records; i++) {
        const uint8_t *letters = seqs->residues + seqs->residue_starts[i];
        size_t n = (size_t)tms_seqs_length(seqs, i);
        uint8_t *is_in_a_word = sample_alloc(n + 1); /* s-mers, by where they begin */
        memset(is_in_a_word, 0, n + 1);
        for (size_t at = 0; at < n; at++)
            if (is_word(letters, n, at, p->word_size))
                memset(is_in_a_word + at, 1, p->word_size - p->subword_size + 1);
        for (size_t at = 0; at < n; at++) {
            uint64_t own[TMS_WORDS_MAX_K];
            if (!is_in_a_word[at])
                continue;
            bits_by_definition(letters + at, p, own);
            for (uint32_t j = 0; j < p->k; j++)
                bits[own[j] / 8] |= (uint8_t)(1 << own[j] % 8);
        }
        free(is_in_a_word);
    }
}

static void ask_by_definition(const tms_seqs *seqs, const tms_filter_params *p, const uint8_t *bits, uint8_t *hit)
{
    memset(hit, 0, seqs->residue_starts[seqs->n_records]);
    for (size_t i = 0; i < seqs->n_records; i++) {
        const uint8_t *letters = seqs->residues + seqs->residue_starts[i];
        size_t n = (size_t)tms_seqs_length(seqs, i);
        uint8_t *passes = sample_alloc(n + 1);
        for (size_t at = 0; at < n; at++)
            passes[at] = is_word(letters, n, at, p->subword_size) && s_mer_passes(bits, letters + at, p);
        for (size_t at = 0; at < n; at++) {
            int all = is_word(letters, n, at, p->word_size);
            for (uint32_t s = 0; all && s + p->subword_size <= p->word_size; s++)
                all = passes[at + s];
            hit[seqs->residue_starts[i] + at] = (uint8_t)all;
        }
        free(passes);
    }
}

/* Where w-mers of bases begin. */
static void mark_words(const tms_seqs *seqs, uint32_t w, uint8_t *begins)
{
    for (size_t i = 0; i < seqs->n_records; i++) {
        size_t start = seqs->residue_starts[i], n = (size_t)tms_seqs_length(seqs, i);
        for (size_t at = 0; at < n; at++)
            begins[start + at] = (uint8_t)is_word(seqs->residues + start, n, at, w);
    }
}

/* ---- tests -------------------------------------------------------------------------------------------------------------------------- */

static tms_filter *build(const tms_filter_want *want, const tms_seqs *seqs)
{
    tms_reference *reference;
    tms_filter *f;
    ASSERT_OK(ctx, tms_reference_create(ctx, want, &reference));
    ASSERT_OK(ctx, tms_reference_add(ctx, reference, seqs));
    uint64_t n = tms_reference_n_words(reference);
    ASSERT_OK(ctx, tms_reference_finish(ctx, reference, &f));
    ASSERT_FAILS(ctx, TMS_E_ARG, "finished", tms_reference_add(ctx, reference, seqs));
    tms_reference_destroy(reference);
    tms_filter_stats stats;
    ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &stats));
    assert_int_equal(stats.n_keys, n);
    return f;
}

static const uint8_t *image_of(tms_filter *f, size_t *size)
{
    const void *image;
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, size));
    return image;
}

static void choose_way(uint32_t way)
{
    ASSERT_OK(ctx, tms_context_set_threads(ctx, way & 1 ? 3 : 1));
    if (tms_context_set_simd(ctx, (tms_simd)(way / 2)) != TMS_OK)
        ASSERT_OK(ctx, tms_context_set_simd(ctx, TMS_SIMD_SCALAR));
}

static void assert_no_false_negatives(const tms_seqs *reference, const uint8_t *answers, const uint8_t *words)
{
    for (size_t i = 0; i < reference->n_records; i++)
        if (tms_seqs_length(reference, i))
            assert_memory_equal(answers + reference->residue_starts[i], words + reference->residue_starts[i],
                                (size_t)tms_seqs_length(reference, i));
}

static void check_size(sample_random *r, uint32_t w, tms_strand strand)
{
    struct seq_batch of_reference = {0}, of_reads = {0};
    tms_seqs reference, reads;
    tms_filter_want want = {.layout = TMS_LAYOUT_WORDS,
                            .hash = TMS_HASH_XXH3,
                            .seed = random_below(r, 2) ? random_next(r) : 0,
                            .word_size = w,
                            .strand = strand,
                            .fpr = random_below(r, 2) ? 0.3 : 0,
                            .k = (uint32_t)random_below(r, TMS_WORDS_MAX_K + 1)};
    batch_fill(r, &of_reference, 8, w, 1200, NULL, 0);
    seq_batch_view(&of_reference, &reference);
    size_t n_letters = reference.residue_starts[reference.n_records], size = 0;
    batch_fill(r, &of_reads, 30, w, 1200, reference.residues, n_letters - 1);
    seq_batch_view(&of_reads, &reads);
    size_t n_read = reads.residue_starts[reads.n_records];
    uint8_t *bits = NULL, *hit = sample_alloc(n_read), *expected = sample_alloc(n_read);
    uint8_t *own = sample_alloc(n_letters), *words = sample_alloc(n_letters);
    mark_words(&reference, w, words);
    for (uint32_t way = 0; way < N_WAYS; way++) {
        choose_way(way);
        tms_filter *f = build(&want, &reference);
        const tms_filter_params *p = tms_filter_get_params(f);
        const uint8_t *image = image_of(f, &size);
        assert_int_equal(size, 128 + p->m_bits / 8);
        if (!bits) {
            bits = sample_alloc(size);
            memset(bits, 0, size);
            fill_by_definition(&reference, p, bits);
            ask_by_definition(&reads, p, bits, expected);
        }
        assert_memory_equal(image + 128, bits, size - 128);
        memset(hit, 0x55, n_read);
        ASSERT_OK(ctx, tms_filter_query_seqs(ctx, f, &reads, hit));
        for (size_t i = 0; i < n_read; i++)
            if (hit[i] != expected[i])
                fail_msg("w = %u, strand %d, k = %u, way %u: letter %zu: %d, not %d", w, (int)strand, p->k, way, i, hit[i], expected[i]);
        ASSERT_OK(ctx, tms_filter_query_seqs(ctx, f, &reference, own));
        assert_no_false_negatives(&reference, own, words);
        tms_filter *again, *opened; /* again: the filter after inserting the same sequences again; opened: its image */
        ASSERT_OK(ctx, tms_filter_open(ctx, image, size, &opened));
        assert_memory_equal(tms_filter_get_params(opened), p, sizeof *p);
        ASSERT_FAILS(ctx, TMS_E_ARG, "read-only", tms_filter_insert_seqs(ctx, opened, &reads));
        ASSERT_OK(ctx, tms_filter_copy(ctx, opened, &again));
        ASSERT_OK(ctx, tms_filter_insert_seqs(ctx, again, &reference));
        size_t again_size;
        assert_memory_equal(image_of(again, &again_size) + 128, bits, size - 128);
        tms_filter_destroy(again);
        tms_filter_destroy(opened);
        tms_filter_destroy(f);
    }
    free(bits);
    free(hit);
    free(expected);
    free(own);
    free(words);
    seq_batch_free(&of_reference);
    seq_batch_free(&of_reads);
}

static void bits_and_answers_by_definition(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    for (int i = 0; i < N_SIZES; i += SAMPLES_TSAN ? 5 : 1) {
        check_size(&r, sizes[i], TMS_STRAND_BOTH);
        check_size(&r, sizes[i], TMS_STRAND_PLUS);
    }
    choose_way(N_WAYS - 1);
}

/* Bits of a filter whose bytes are in doc/format-filter.md. */
static void a_known_filter(void **state)
{
    (void)state;
    struct seq_batch batch = {0};
    tms_seqs seqs;
    assert_true(seq_batch_clear(&batch, 0, false));
    batch_add(&batch, (const uint8_t *)"ACGTTGCANACCGGTTTAGCATCGACTTACGGACGACTACGACGGGACTTTCAGC", 54);
    seq_batch_view(&batch, &seqs);
    tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .seed = 1, .word_size = 21, .m_bits = 1024};
    tms_filter *f = build(&want, &seqs);
    tms_filter_stats stats;
    ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &stats));
    assert_int_equal(stats.n_keys, 25);
    assert_int_equal(stats.ones, KNOWN_ONES);
    assert_int_equal(stats.checksum, KNOWN_CHECKSUM);
    tms_filter_destroy(f);
    seq_batch_free(&batch);
}

static double rate_of(const tms_filter *f, sample_random *r, size_t n)
{
    struct seq_batch batch = {0};
    tms_seqs seqs;
    uint8_t *letters = sample_alloc(n), *hit = sample_alloc(n + 1);
    size_t hits = 0;
    random_letters(r, letters, n, NULL, 0);
    assert_true(seq_batch_clear(&batch, 0, false));
    for (size_t i = 0; i < n; i += 1000)
        batch_add(&batch, letters + i, n - i < 1000 ? n - i : 1000);
    seq_batch_view(&batch, &seqs);
    hit = realloc(hit, seqs.residue_starts[seqs.n_records]);
    ASSERT_OK(ctx, tms_filter_query_seqs(ctx, f, &seqs, hit));
    for (size_t i = 0; i < seqs.residue_starts[seqs.n_records]; i++)
        hits += hit[i];
    free(letters);
    free(hit);
    seq_batch_free(&batch);
    return (double)hits / ((double)n * (1001 - tms_filter_get_params(f)->word_size) / 1000);
}

/* Random sequence as the reference; doc/classify.md describes the effect of repeats. */
static void rates(void **state)
{
    (void)state;
    static const struct {
        uint32_t w;
        double bits, fpr, most; /* fpr: expected by sizing, or 0; most: limit of the measured rate */
    } cases[] = {{31, 21.5, 0, 4e-5}, {31, 17.2, 0, 1.3e-4}, {31, 12, 0, 4e-5},   {31, 0, 1e-4, 4e-4},
                 {31, 0, 3e-5, 6e-5}, {21, 0, 1e-3, 2e-3},   {21, 0, 1e-4, 2e-4}, {19, 0, 1e-3, 2e-3},
                 {17, 0, 1e-3, 2e-3}, {15, 0, 1e-2, 2e-2},   {100, 0, 1e-3, 2e-3}};
    enum { N = 300000, ASKED = 2000000 };
    sample_random r = {sample_seed()};
    struct seq_batch batch = {0};
    tms_seqs seqs;
    uint8_t *letters = sample_alloc(N);
    random_letters(&r, letters, N, NULL, 0);
    assert_true(seq_batch_clear(&batch, 0, false));
    batch_add(&batch, letters, N);
    seq_batch_view(&batch, &seqs);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 2));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tms_filter_want want = {.layout = TMS_LAYOUT_WORDS,
                                .hash = TMS_HASH_XXH3,
                                .word_size = cases[i].w,
                                .fpr = cases[i].fpr,
                                .m_bits = (uint64_t)(cases[i].bits * N)};
        tms_filter *f = build(&want, &seqs);
        tms_filter_stats stats;
        ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &stats));
        size_t n_asked = sample_is_quick() ? ASKED / 10 : ASKED;
        double rate = rate_of(f, &r, n_asked), most = cases[i].most * (double)n_asked;
        print_message("w %u, %.2f bits a k-mer: measured %.2e, expected %.2e, by the bits %.2e\n", cases[i].w,
                      (double)tms_filter_get_params(f)->m_bits / N, rate, stats.expected_fpr, stats.actual_fpr);
        assert_true(rate * (double)n_asked <= most + 6 * sqrt(4 * most) + 6); /* they come in runs */
        if (cases[i].fpr > 0)
            assert_true(stats.expected_fpr <= cases[i].fpr && stats.expected_fpr > 0.9 * cases[i].fpr);
        if (stats.expected_fpr * (double)n_asked > 150) {
            if (cases[i].w == 100) /* sizing looks at 32 s-mers of its 77: no more than expected */
                assert_true(rate < stats.expected_fpr && rate < stats.actual_fpr);
            else
                assert_true(fabs(log(rate / stats.expected_fpr)) < log(2.5) && fabs(log(rate / stats.actual_fpr)) < log(2.5));
        }
        tms_filter_destroy(f);
    }
    free(letters);
    seq_batch_free(&batch);
}

static void what_is_refused(void **state)
{
    (void)state;
    tms_filter_want good = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = 31, .n_keys = 1000}, want;
    tms_filter_params params;
    tms_reference *reference;
    ASSERT_OK(ctx, tms_filter_size(ctx, &good, &params));
    static const struct {
        uint32_t w, s, m, strand;
        const char *word;
    } wrong[] = {{7, 0, 0, 0, "8 to 255"}, {256, 0, 0, 0, "8 to 255"},    {31, 32, 0, 0, "s-mers"},      {31, 7, 0, 0, "s-mers"},
                 {12, 13, 0, 0, "s-mers"}, {31, 20, 17, 0, "minimizers"}, {31, 10, 11, 0, "minimizers"}, {31, 0, 0, 2, "strand"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        want = good;
        want.word_size = wrong[i].w;
        want.subword_size = wrong[i].s;
        want.minimizer_size = wrong[i].m;
        want.strand = (tms_strand)wrong[i].strand;
        ASSERT_FAILS(ctx, TMS_E_ARG, wrong[i].word, tms_filter_size(ctx, &want, &params));
        ASSERT_FAILS(ctx, TMS_E_ARG, wrong[i].word, tms_reference_create(ctx, &want, &reference));
        assert_null(reference);
    }
    want = good;
    want.layout = TMS_LAYOUT_BLOCKED;
    ASSERT_FAILS(ctx, TMS_E_ARG, "words layout", tms_filter_size(ctx, &want, &params));
    ASSERT_FAILS(ctx, TMS_E_ARG, "not blocked", tms_reference_create(ctx, &want, &reference));
    want.layout = TMS_LAYOUT_WORDS;
    want.hash = TMS_HASH_AP;
    ASSERT_FAILS(ctx, TMS_E_ARG, "xxh3", tms_filter_size(ctx, &want, &params));
    want = good;
    want.k = TMS_WORDS_MAX_K + 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "takes 1 to 8", tms_filter_size(ctx, &want, &params));
    want = good;
    want.blocks_per_key = 2;
    ASSERT_FAILS(ctx, TMS_E_ARG, "blocks per key", tms_filter_size(ctx, &want, &params));

    tms_filter *f;
    tms_builder *builder;
    const tms_keys keys = {(const uint8_t *)"ACGTACGT", NULL, 1, 8, 0};
    uint8_t hit;
    uint64_t hash;
    ASSERT_OK(ctx, tms_filter_size(ctx, &good, &params));
    ASSERT_OK(ctx, tms_filter_create(ctx, &params, &f));
    ASSERT_FAILS(ctx, TMS_E_ARG, "sequences", tms_filter_insert(ctx, f, &keys));
    ASSERT_FAILS(ctx, TMS_E_ARG, "sequences", tms_filter_query(ctx, f, &keys, &hit));
    ASSERT_FAILS(ctx, TMS_E_ARG, "sequences", tms_keys_hash(ctx, &params, &keys, &hash));
    ASSERT_FAILS(ctx, TMS_E_ARG, "sequences", tms_filter_insert_hashes(ctx, f, &hash, 1));
    ASSERT_FAILS(ctx, TMS_E_ARG, "sequences", tms_builder_create(ctx, &good, &builder));
    assert_int_equal(tms_hash_words(&params), 0);

    tms_filter *other; /* unions require equal k-mer sizes */
    params.strand = TMS_STRAND_PLUS;
    ASSERT_OK(ctx, tms_filter_create(ctx, &params, &other));
    ASSERT_FAILS(ctx, TMS_E_MISMATCH, "strands", tms_filter_merge(ctx, f, other, TMS_MERGE_UNION));
    tms_filter_destroy(other);
    params.strand = TMS_STRAND_BOTH;
    params.m_bits += 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "multiple of 256", tms_filter_create(ctx, &params, &other));
    params.m_bits -= 1;
    params.word_size = 33;
    ASSERT_OK(ctx, tms_filter_create(ctx, &params, &other));
    ASSERT_FAILS(ctx, TMS_E_MISMATCH, "33", tms_filter_merge(ctx, f, other, TMS_MERGE_UNION));
    tms_filter_destroy(other);
    tms_filter_destroy(f);
}

/* Each field of the header that the layout reads, changed, with a checksum that fits. */
static void images_that_are_wrong(void **state)
{
    (void)state;
    static const struct {
        uint32_t at, value;
        const char *word;
    } wrong[] = {{88, 7, "8 to 255"},  {88, 256, "8 to 255"}, {92, 25, "s-mers"},  {96, 24, "minimizers"}, {100, 2, "strand"},
                 {104, 1, "reserved"}, {84, 2, "reserved"},   {72, 1, "reserved"}, {20, 3, "xxh3"},        {48, 9, "1 to 8"}};
    struct seq_batch batch = {0};
    tms_seqs seqs;
    assert_true(seq_batch_clear(&batch, 0, false));
    seq_batch_view(&batch, &seqs);
    tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = 31, .n_keys = 100};
    tms_filter *f = build(&want, &seqs), *opened;
    size_t size;
    const uint8_t *image = image_of(f, &size);
    uint8_t *copy;
    assert_int_equal(posix_memalign((void **)&copy, 64, size), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(copy, image, size);
        core_write32(copy + wrong[i].at, wrong[i].value);
        core_write64(copy + 120, xxh3_64(copy, 120, 0));
        ASSERT_FAILS(ctx, TMS_E_FORMAT, wrong[i].word, tms_filter_open(ctx, copy, size, &opened));
        assert_null(opened);
    }
    free(copy);
    tms_filter_destroy(f);
    seq_batch_free(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_and_answers_by_definition),
        cmocka_unit_test(a_known_filter),
        cmocka_unit_test(rates),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(images_that_are_wrong),
    };
    return cmocka_run_group_tests_name("words", tests, setup, teardown);
}
