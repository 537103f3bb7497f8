/*
 * seeds.h on genomes against an exact method of another kind: all w-mers of both sides are sorted and merged. And
 * against counts that were published with the data. TAMIS_SOURCE has excerpts of two genomes in tests/data. Where TAMIS_TEST_DATA names
 * a folder with whole ones (CONTRIBUTING.md), they are compared too; with TAMIS_AGREE_QUICK=1 only their beginnings.
 */
#include "unit/context_fixture.h"

#include "io/io_stream.h"
#include "unit/dna_samples.h"

static dna_sample k12, o157, yeast, human, chr3;

/* --- reading --- */

/* Reads a FASTA file, up to a number of bases. */
static dna_sample read_sequences(const char *path, size_t most)
{
    uint8_t code[256], *bases = sample_alloc(most), buffer[1 << 16];
    size_t ends[1000], n = 0, n_parts = 0, got;
    int in_header = 0;
    io_stream *stream;
    io_error err;
    sample_random r = {1};
    memset(code, DNA_OTHER, sizeof code);
    for (int i = 0; i < 8; i++)
        code[(unsigned char)"ACGTacgt"[i]] = (uint8_t)(i % 4);
    assert_int_equal(io_stream_open(path, -1, &stream, &err), IO_OK);
    while (n < most && io_stream_read(stream, buffer, sizeof buffer, &got, &err) == IO_OK)
        for (size_t i = 0; i < got && n < most; i++) {
            if (buffer[i] == '>') {
                in_header = 1;
                if (n)
                    ends[n_parts++] = n;
                assert_true(n_parts < 999);
            }
            if (!in_header && buffer[i] > ' ')
                bases[n++] = code[buffer[i]];
            if (buffer[i] == '\n')
                in_header = 0;
        }
    io_stream_close(stream);
    if (!n_parts || ends[n_parts - 1] != n)
        ends[n_parts++] = n;
    return dna_from_bases(&r, bases, n, ends, n_parts);
}

static dna_sample read_genome(const char *name, size_t most)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/genomes/%s", sample_test_data(), name);
    return read_sequences(path, most);
}

static dna_sample read_excerpt(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/genomes/%s", getenv("TAMIS_SOURCE"), name);
    return read_sequences(path, 1 << 20);
}

/* --- sort and merge --- */

typedef struct word_list {
    uint64_t *words;
    size_t n;
} word_list;

/* All w-mers of a sequence, or their reverse complements, as numbers whose first base is the highest digit. */
static word_list list_words(const dna_sample *s, unsigned w, int is_reversed)
{
    word_list list = {sample_alloc(s->dna.n_bases * sizeof(uint64_t)), 0};
    uint64_t plus = 0, minus = 0, mask = ~(uint64_t)0 >> (64 - 2 * w);
    for (size_t p = 0; p < s->dna.n_parts; p++) {
        size_t end = (size_t)s->parts[p].start + s->parts[p].n_bases, n_good = 0;
        for (size_t i = s->parts[p].start; i < end; i++) {
            uint64_t base = s->bases[i];
            n_good = base == DNA_OTHER ? 0 : n_good + 1;
            plus = (plus << 2 | (base & 3)) & mask;
            minus = minus >> 2 | (3 - (base & 3)) << (2 * w - 2);
            if (n_good >= w)
                list.words[list.n++] = is_reversed ? minus : plus;
        }
    }
    return list;
}

/* By 11 bits at a time, the lowest first. */
static void sort_words(word_list *list, unsigned bits)
{
    uint64_t *to = sample_alloc(list->n * sizeof *to);
    for (unsigned shift = 0; shift < bits; shift += 11) {
        size_t at[2048] = {0}, sum = 0;
        for (size_t i = 0; i < list->n; i++)
            at[list->words[i] >> shift & 2047]++;
        for (size_t b = 0; b < 2048; b++) {
            size_t count = at[b];
            at[b] = sum;
            sum += count;
        }
        for (size_t i = 0; i < list->n; i++)
            to[at[list->words[i] >> shift & 2047]++] = list->words[i];
        uint64_t *swap = list->words;
        list->words = to;
        to = swap;
    }
    free(to);
}

static word_list sorted_words(const dna_sample *s, unsigned w, int is_reversed)
{
    word_list list = list_words(s, w, is_reversed);
    sort_words(&list, 2 * w);
    return list;
}

/* How often word is in a sorted list from *at on; *at goes to the first that is larger. */
static uint64_t count_next(const word_list *list, size_t *at, uint64_t word)
{
    while (*at < list->n && list->words[*at] < word)
        ++*at;
    size_t first = *at;
    while (*at < list->n && list->words[*at] == word)
        ++*at;
    return *at - first;
}

typedef struct exact {
    uint64_t n_windows;             /* windows of the subject */
    uint64_t n_true[3], n_seeds[3]; /* by tms_strand */
} exact;

static exact sort_and_merge(const dna_sample *query, const dna_sample *subject, unsigned w)
{
    word_list plus = sorted_words(query, w, 0), minus = sorted_words(query, w, 1), asked = sorted_words(subject, w, 0);
    exact e = {.n_windows = asked.n};
    size_t at_plus = 0, at_minus = 0;
    for (size_t i = 0, next; i < asked.n; i = next) {
        for (next = i; next < asked.n && asked.words[next] == asked.words[i]; next++)
            continue;
        uint64_t in_plus = count_next(&plus, &at_plus, asked.words[i]), in_minus = count_next(&minus, &at_minus, asked.words[i]);
        uint64_t found[3] = {[TMS_STRAND_BOTH] = in_plus + in_minus, [TMS_STRAND_PLUS] = in_plus, [TMS_STRAND_MINUS] = in_minus};
        for (int strand = 0; strand < 3; strand++) {
            e.n_true[strand] += found[strand] ? next - i : 0;
            e.n_seeds[strand] += (next - i) * found[strand];
        }
    }
    free(plus.words);
    free(minus.words);
    free(asked.words);
    return e;
}

/* --- the library --- */

/* Every seed is a match and unique, so the right number of seeds means that none is missing. */
static void check_seeds(const tms_seeds *seeds, const dna_sample *query, const dna_sample *subject, unsigned w)
{
    tms_seed_hit *hits = sample_alloc(subject->dna.n_bases * sizeof *hits);
    tms_seeds_tally tally = {0};
    uint64_t n_seeds = 0;
    size_t n_hits;
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, &subject->dna, hits, &n_hits, &tally));
    assert_int_equal(n_hits, tally.n_true);
    for (size_t i = 0; i < n_hits; i++) {
        const tms_seed_place *positions;
        const uint8_t *s = subject->bases + hits[i].s_start;
        size_t n;
        if (i > 0 && hits[i].s_start <= hits[i - 1].s_start)
            fail_msg("hit %zu is not after the one before", i);
        if (!dna_is_window(subject, hits[i].s_start, w))
            fail_msg("no window at %u", hits[i].s_start);
        tms_seeds_positions(seeds, &hits[i], &positions, &n);
        n_seeds += n;
        for (size_t j = 0; j < n; j++) {
            size_t at = TMS_SEED_BASE(positions[j]);
            const uint8_t *q = query->bases + at;
            int same = dna_is_window(query, at, w), is_minus = TMS_SEED_IS_MINUS(hits[i], positions[j]);
            for (unsigned b = 0; b < w && same; b++)
                same = is_minus ? q[w - 1 - b] + s[b] == 3 : q[b] == s[b];
            if (!same || (j > 0 && (positions[j - 1] ^ hits[i].word >> 31) >= (positions[j] ^ hits[i].word >> 31)))
                fail_msg("seed %u, %zu (minus %d) is no match, or not in order", hits[i].s_start, at, is_minus);
        }
    }
    assert_int_equal(n_seeds, tally.n_seeds);
    free(hits);
}

static void check_count(const char *name, const tms_seeds_params *p, const dna_sample *query, const dna_sample *subject, const exact *e,
                        int all_seeds)
{
    tms_seeds *seeds;
    tms_seeds_tally tally = {0};
    ASSERT_OK(ctx, tms_seeds_create(ctx, p, &query->dna, &seeds));
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, &subject->dna, NULL, NULL, &tally));
    if (tally.n_seeds != e->n_seeds[p->strand] || tally.n_true != e->n_true[p->strand] || tally.n_tested != e->n_windows ||
        tally.n_passed < tally.n_true)
        fail_msg("%s, w = %u, %s: tested %llu, passed %llu, true %llu, seeds %llu; sorted and merged %llu, true %llu, "
                 "seeds %llu",
                 name, p->word_size, tms_strand_name(p->strand), (unsigned long long)tally.n_tested, (unsigned long long)tally.n_passed,
                 (unsigned long long)tally.n_true, (unsigned long long)tally.n_seeds, (unsigned long long)e->n_windows,
                 (unsigned long long)e->n_true[p->strand], (unsigned long long)e->n_seeds[p->strand]);
    if (all_seeds)
        check_seeds(seeds, query, subject, p->word_size);
    tms_seeds_destroy(seeds);
}

/* Default filter, one Bloom filter, and a bank of [Ma11]'s sub-queries; each strand with one of them at least. */
static void check_pair(const char *name, const dna_sample *query, const dna_sample *subject, unsigned w, const exact *e)
{
    for (int turn = 0; turn < 6; turn++) {
        tms_seeds_params p;
        tms_seeds_params_init(&p);
        p.word_size = w;
        p.strand = turn == 3 ? TMS_STRAND_MINUS : turn % 2 ? TMS_STRAND_PLUS : TMS_STRAND_BOTH;
        p.only_bloom = turn >= 2;
        if (turn >= 4) {
            p.sub_query = 50000;
            p.m_bits = 1 << 18;
            p.k = 6;
            p.schedule = turn == 4 ? TMS_SCHEDULE_INTERLEAVED : TMS_SCHEDULE_SHARED;
            if (turn == 5 && (w != 16 || subject->dna.n_bases > 1000000))
                continue; /* vectors one after the other: slow, and test_seeds has thousands of sub-queries */
        }
        check_count(name, &p, query, subject, e, turn == 0 && w >= 16 && subject->dna.n_bases < 20000000);
    }
}

/* An expected number of 0 is not known. */
static void check_genomes(const char *name, const dna_sample *query, const dna_sample *subject, uint64_t n_seeds_at_11)
{
    static const unsigned ws[] = {11, 16, 24};
    for (size_t i = 0; i < 3; i++) {
        exact e = sort_and_merge(query, subject, ws[i]);
        if (i == 0 && n_seeds_at_11)
            assert_int_equal(e.n_seeds[TMS_STRAND_PLUS], n_seeds_at_11);
        check_pair(name, query, subject, ws[i], &e);
    }
}

/* The numbers of tests/data/genomes/README.md. */
static void excerpts(void **state)
{
    (void)state;
    static const uint64_t expected[][3] = {{11, 14090, 3610}, {16, 11447, 1715}, {24, 9968, 1266}};
    dna_sample a = read_excerpt("ecoli_k12_excerpt.fa.gz"), b = read_excerpt("ecoli_o157_excerpt.fa.gz");
    assert_int_equal(a.dna.n_bases, 55000);
    assert_int_equal(b.dna.n_bases, 60000);
    for (size_t i = 0; i < 3; i++) {
        exact e = sort_and_merge(&a, &b, (unsigned)expected[i][0]);
        assert_int_equal(e.n_seeds[TMS_STRAND_PLUS], expected[i][1]);
        assert_int_equal(e.n_seeds[TMS_STRAND_MINUS], expected[i][2]);
    }
    check_genomes("the excerpts of K-12 and O157:H7", &a, &b, expected[0][1]);
    dna_free(&a);
    dna_free(&b);
}

static void beginnings(void **state)
{
    (void)state;
    dna_sample a = read_genome("ecoli_k12_mg1655.fa.gz", 120000), b = read_genome("ecoli_o157h7_sakai.fa.gz", 150000);
    check_genomes("the beginnings of K-12 and O157:H7", &a, &b, 0);
    dna_free(&a);
    dna_free(&b);
}

static void two_strains(void **state)
{
    (void)state;
    check_genomes("K-12 and O157:H7", &k12, &o157, 16950647);
}

static void two_kingdoms(void **state)
{
    (void)state;
    check_genomes("K-12 and yeast", &k12, &yeast, 16819070);
}

static void assert_millions(uint64_t n, double millions)
{
    if (n < (uint64_t)(millions * 1e6 - 5e4) || n >= (uint64_t)(millions * 1e6 + 5e4))
        fail_msg("%llu seeds are not %.1f million", (unsigned long long)n, millions);
}

/* Many repeats, and 69 stretches of bytes that are no base. */
static void human_in_human(void **state)
{
    (void)state;
    static const double millions[] = {369.3, 260.9, 195.0, 149.4};
    for (unsigned w = 11; w <= 14; w++) {
        exact e = sort_and_merge(&chr3, &human, w);
        tms_seeds_params p;
        if (w == 11)
            assert_int_equal(e.n_seeds[TMS_STRAND_PLUS], 369300010);
        assert_millions(e.n_seeds[TMS_STRAND_PLUS], millions[w - 11]);
        tms_seeds_params_init(&p);
        p.word_size = w;
        p.strand = TMS_STRAND_PLUS;
        check_count("chr3 and human", &p, &chr3, &human, &e, 0);
        if (w == 14) {
            p.strand = TMS_STRAND_BOTH;
            p.only_bloom = 1;
            check_count("chr3 and human", &p, &chr3, &human, &e, 0);
        }
    }
    for (unsigned w = 16; w <= 24; w += 8) {
        exact e = sort_and_merge(&chr3, &human, w);
        check_pair("chr3 and human", &chr3, &human, w, &e);
    }
}

static int read_all(void **state)
{
    if (setup(state) != 0)
        return -1;
    k12 = read_genome("ecoli_k12_mg1655.fa.gz", 5000000);
    o157 = read_genome("ecoli_o157h7_sakai.fa.gz", 6000000);
    yeast = read_genome("yeast_s288c.fa.gz", 13000000);
    human = read_genome("human_hg19_alt_41Mbp.fa.gz", 42000000);
    chr3 = read_genome("human_chr3_2Mbp.fa.gz", 2100000);
    assert_int_equal(k12.dna.n_bases, 4641652);
    assert_int_equal(o157.dna.n_bases, 5498578);
    assert_int_equal(yeast.dna.n_bases, 12071326);
    assert_int_equal(human.dna.n_bases, 41483852);
    assert_int_equal(chr3.dna.n_bases, 2000001);
    return 0;
}

static int free_all(void **state)
{
    dna_free(&k12);
    dna_free(&o157);
    dna_free(&yeast);
    dna_free(&human);
    dna_free(&chr3);
    return teardown(state);
}

int main(void)
{
    const struct CMUnitTest of_the_source[] = {cmocka_unit_test(excerpts)};
    const struct CMUnitTest of_the_beginnings[] = {cmocka_unit_test(beginnings)};
    const struct CMUnitTest of_whole_genomes[] = {
        cmocka_unit_test(two_strains),
        cmocka_unit_test(two_kingdoms),
        cmocka_unit_test(human_in_human),
    };
    int n_failed = cmocka_run_group_tests(of_the_source, setup, teardown);
    if (sample_test_data() != NULL)
        n_failed += cmocka_run_group_tests(of_the_beginnings, setup, teardown);
    if (sample_test_data() != NULL && !sample_is_quick())
        n_failed += cmocka_run_group_tests(of_whole_genomes, read_all, free_all);
    return n_failed;
}
