/*
 * test_classify.c - the rules, recomputed for each read from the k-mers in each filter; chance thresholds; rejected arguments.
 * tms_filter_query_seqs(), which says that, has its own tests in test_words.c.
 */
#include "unit/seed/word_samples.h"

#include <math.h>

#include "classify/classifier.h"

enum { MOST_REFERENCES = 5, GENOME = 6000 };

typedef struct sample_set {
    size_t n_filters;
    tms_filter *filters[MOST_REFERENCES];
    struct seq_batch batch, reversed;
    tms_seqs seqs, reversed_seqs;
    uint8_t *hits[MOST_REFERENCES][2]; /* [strand]: one byte per base of the batch, in the order of the batch */
} sample_set;

static void set_free(sample_set *s)
{
    for (size_t i = 0; i < s->n_filters; i++) {
        tms_filter_destroy(s->filters[i]);
        free(s->hits[i][0]);
        free(s->hits[i][1]);
    }
    seq_batch_free(&s->batch);
    seq_batch_free(&s->reversed);
}

static tms_filter *build_one(const uint8_t *letters, size_t n, const tms_filter_want *want)
{
    struct seq_batch batch = {0};
    tms_seqs seqs;
    tms_reference *reference;
    tms_filter *f;
    assert_true(seq_batch_clear(&batch, 0, false));
    batch_add(&batch, letters, n);
    seq_batch_view(&batch, &seqs);
    ASSERT_OK(ctx, tms_reference_create(ctx, want, &reference));
    ASSERT_OK(ctx, tms_reference_add(ctx, reference, &seqs));
    ASSERT_OK(ctx, tms_reference_finish(ctx, reference, &f));
    tms_reference_destroy(reference);
    seq_batch_free(&batch);
    return f;
}

/* References that share parts, and reads from all of them. */
static void set_make(sample_random *r, sample_set *s, uint32_t w, tms_strand strand, size_t n_filters, size_t n_reads)
{
    uint8_t *genome = sample_alloc(GENOME), *all = sample_alloc(n_filters * GENOME);
    memset(s, 0, sizeof *s);
    s->n_filters = n_filters;
    random_letters(r, genome, GENOME, NULL, 0);
    for (size_t i = 0; i < n_filters; i++) {
        tms_filter_want want = {.layout = TMS_LAYOUT_WORDS,
                                .hash = TMS_HASH_XXH3,
                                .word_size = w,
                                .strand = strand,
                                .k = (uint32_t)random_below(r, 4),
                                .fpr = random_below(r, 2) ? 0.01 : 0};
        random_letters(r, all + i * GENOME, GENOME, i & 1 ? genome : NULL, i & 1 ? 100 : 0);
        if (i == 2)
            memcpy(all + i * GENOME, genome, GENOME / 2);
        s->filters[i] = build_one(all + i * GENOME, GENOME, &want);
    }
    batch_fill(r, &s->batch, n_reads, w, 1500, all, n_filters * GENOME);
    seq_batch_view(&s->batch, &s->seqs);
    assert_true(seq_batch_clear(&s->reversed, 0, false));
    for (size_t i = 0; i < n_reads; i++) {
        size_t n = (size_t)tms_seqs_length(&s->seqs, i);
        uint8_t *copy = sample_alloc(n);
        memcpy(copy, s->seqs.residues + s->seqs.residue_starts[i], n);
        reverse_letters(copy, n);
        batch_add(&s->reversed, copy, n);
        free(copy);
    }
    seq_batch_view(&s->reversed, &s->reversed_seqs);
    for (size_t i = 0; i < n_filters; i++) {
        size_t n_bytes = s->seqs.residue_starts[n_reads];
        s->hits[i][0] = sample_alloc(n_bytes);
        s->hits[i][1] = sample_alloc(n_bytes);
        uint8_t *other = sample_alloc(n_bytes);
        ASSERT_OK(ctx, tms_filter_query_seqs(ctx, s->filters[i], &s->seqs, s->hits[i][0]));
        ASSERT_OK(ctx, tms_filter_query_seqs(ctx, s->filters[i], &s->reversed_seqs, other));
        memset(s->hits[i][1], 0, n_bytes);
        for (size_t j = 0; j < n_reads; j++) { /* to where the k-mer is as the read is written */
            size_t from = s->seqs.residue_starts[j], n = (size_t)tms_seqs_length(&s->seqs, j);
            for (size_t at = 0; at + w <= n; at++)
                s->hits[i][1][from + n - w - at] = other[from + at];
        }
        free(other);
    }
    free(genome);
    free(all);
}

/* ---- the rules, by their definitions ------------------------------------------------------------------------------------------------ */

typedef struct counted {
    uint64_t hits, points, whole, n_words, doubtful;
} counted;

/* Returns 1 if a w-mer is a hit of this reference only, 2 if other references share it. */
static int whose(const sample_set *s, int strand, size_t reference, size_t at)
{
    int others = 0;
    for (size_t r = 0; r < s->n_filters; r++)
        others |= r != reference && s->hits[r][strand][at];
    return s->hits[reference][strand][at] ? 1 + others : 0;
}

/* Hits unique to a reference, up to `depth` w-mers after or before a shared hit, without a gap, in pieces of 512 bases. */
static uint64_t count_doubtful(const sample_set *s, int strand, size_t reference, size_t from, size_t n, uint32_t w, uint32_t depth)
{
    uint64_t doubtful = 0;
    for (size_t i = 0; i + w <= n; i++) {
        const size_t n_words = n - w + 1, a_piece = 512 - w + 1, before = i % a_piece;
        const size_t after = n_words - 1 - i < a_piece - 1 - before ? n_words - 1 - i : a_piece - 1 - before;
        int is_doubtful = 0;
        if (whose(s, strand, reference, from + i) != 1)
            continue;
        for (int side = -1; side <= 1; side += 2) {
            const size_t room = side < 0 ? before : after;
            for (size_t j = 1; j <= depth && j <= room; j++) {
                const int there = whose(s, strand, reference, side < 0 ? from + i - j : from + i + j);
                is_doubtful |= there == 2;
                if (there != 1)
                    break;
            }
        }
        doubtful += (uint64_t)is_doubtful;
    }
    return doubtful;
}

static counted count_strand(tms_rule rule, const uint8_t *hit, const uint8_t *letters, size_t n, uint32_t w)
{
    counted c = {0};
    uint64_t runs = 0, covered = 0, quick = 0;
    uint8_t *cover = sample_alloc(n + 1);
    memset(cover, 0, n + 1);
    for (size_t at = 0; at + w <= n; at++) {
        c.n_words += (uint64_t)is_word(letters, n, at, w);
        c.hits += hit[at];
        runs += hit[at] && (at == 0 || !hit[at - 1]);
        quick |= hit[at] && (at % w == 0 || at + w == n);
        if (hit[at])
            memset(cover + at, 1, w);
    }
    for (size_t at = 0; at < n; at++)
        covered += cover[at];
    free(cover);
    if (rule == TMS_RULE_DEFAULT) {
        c.points = c.hits;
        c.whole = c.n_words;
    } else if (rule == TMS_RULE_FACS) {
        /* C = sum over runs of (w + length - 1) = runs * (w - 1) + hits */
        c.points = quick ? c.hits * w + runs * (w - 1) + c.hits : 0;
        c.whole = n >= w ? w * n + n - w * w : 0;
    } else if (n >= TMS_FACS_PERL_LEAST) {
        c.points = covered;
        c.whole = n;
    }
    return c;
}

static counted count_mate(const sample_set *s, const tms_seqs *seqs, tms_rule rule, size_t reference, size_t record, uint32_t w,
                          int is_stranded, uint32_t depth)
{
    size_t from = seqs->residue_starts[record], n = (size_t)tms_seqs_length(seqs, record);
    const uint8_t *letters = seqs->residues + from;
    counted plus = count_strand(rule, s->hits[reference][0] + from, letters, n, w);
    plus.doubtful = count_doubtful(s, 0, reference, from, n, w, depth);
    counted minus = is_stranded ? count_strand(rule, s->hits[reference][1] + from, letters, n, w) : plus;
    if (is_stranded)
        minus.doubtful = count_doubtful(s, 1, reference, from, n, w, depth);
    return minus.points > plus.points || (minus.points == plus.points && minus.hits > plus.hits) ? minus : plus;
}

static size_t ties_by_doubt;

static void check_unit(const sample_set *s, const tms_classifier *classifier, tms_rule rule, double threshold, const size_t *records,
                       size_t n_mates, uint32_t w, int is_stranded, const tms_classified *got, const tms_reference_score *scores)
{
    counted all[MOST_REFERENCES];
    memset(all, 0, sizeof all);
    uint32_t best = TMS_NO_REFERENCE, second = TMS_NO_REFERENCE, n_matching = 0;
    int does_best_match = 0;
    for (size_t i = 0; i < s->n_filters; i++)
        for (size_t m = 0; m < n_mates; m++) {
            counted c = count_mate(s, &s->seqs, rule, i, records[m], w, is_stranded, classifier->doubtful_depth[i]);
            all[i].hits += c.hits;
            all[i].points += c.points;
            all[i].whole += c.whole;
            all[i].n_words += c.n_words;
            all[i].doubtful += c.doubtful;
        }
    for (uint32_t i = 0; i < s->n_filters; i++)
        if (all[i].points && (best == TMS_NO_REFERENCE || all[i].points > all[best].points))
            best = i;
    for (uint32_t i = 0; i < s->n_filters; i++)
        if (all[i].points && i != best && (second == TMS_NO_REFERENCE || all[i].points > all[second].points))
            second = i;
    for (uint32_t i = 0; i < s->n_filters; i++) {
        double score = all[i].points ? (double)all[i].points / (double)all[i].whole : 0;
        int matches = all[i].points && (rule == TMS_RULE_FACS_PERL ? score > threshold : score >= threshold);
        if (rule == TMS_RULE_DEFAULT)
            matches = matches && all[i].hits >= tms_classifier_least_hits(classifier, all[i].n_words);
        n_matching += (uint32_t)matches;
        does_best_match |= matches && i == best;
        assert_int_equal(scores[i].n_hits, all[i].hits);
        assert_true(scores[i].score == score);
    }
    assert_int_equal(got->best, best);
    assert_int_equal(got->second, second);
    assert_int_equal(got->n_matching, n_matching);
    assert_int_equal(got->n_words, all[0].n_words);
    assert_int_equal(got->n_hits, best == TMS_NO_REFERENCE ? 0 : all[best].hits);
    assert_true(got->score == (best == TMS_NO_REFERENCE ? 0 : scores[best].score));
    assert_true(got->second_score == (second == TMS_NO_REFERENCE ? 0 : scores[second].score));
    tms_verdict verdict = TMS_VERDICT_NONE;
    if (does_best_match) {
        int is_tie = second != TMS_NO_REFERENCE && all[best].points == all[second].points;
        if (rule == TMS_RULE_DEFAULT && second != TMS_NO_REFERENCE) {
            uint64_t lead = all[best].hits - all[second].hits;
            is_tie = lead <= all[best].doubtful || classifier_may_be_chance(classifier, best, all[0].n_words, lead - all[best].doubtful);
            ties_by_doubt += is_tie && lead;
        }
        verdict = is_tie ? TMS_VERDICT_AMBIGUOUS : TMS_VERDICT_MATCH;
    }
    assert_int_equal(got->verdict, verdict);
}

/* Classifies the same unit from parts, some of them empty. */
static void check_parts(sample_random *r, tms_long_read *unit, const tms_reads *mates, size_t n_mates, size_t i, const tms_classified *want,
                        const tms_reference_score *want_scores, size_t n_filters)
{
    const uint64_t most = random_below(r, 3) ? 2000 : 30;
    tms_reference_score scores[MOST_REFERENCES];
    tms_classified got;
    for (size_t m = 0; m < n_mates; m++) {
        size_t record = mates[m].first + i * mates[m].step, left = (size_t)tms_seqs_length(mates[m].seqs, record);
        const uint8_t *letters = mates[m].seqs->residues + mates[m].seqs->residue_starts[record];
        while (left) {
            size_t n = (size_t)random_below(r, left < most ? left + 1 : most);
            ASSERT_OK(ctx, tms_long_read_add(ctx, unit, letters, n));
            letters += n;
            left -= n;
        }
        if (m + 1 < n_mates)
            tms_long_read_end_mate(ctx, unit);
    }
    tms_long_read_end(ctx, unit, &got, scores);
    assert_memory_equal(&got, want, sizeof got);
    assert_memory_equal(scores, want_scores, n_filters * sizeof *scores);
}

/* Classifies the whole batch as one read, which has several groups of pieces. */
static void check_one_read(sample_random *r, const sample_set *s, const tms_classifier *classifier, tms_long_read *unit)
{
    uint64_t starts[2] = {0, s->seqs.residue_starts[s->seqs.n_records]}, header_starts[2] = {0, 1};
    const tms_seqs all = {
        .n_records = 1, .residues = s->seqs.residues, .residue_starts = starts, .headers = "", .header_starts = header_starts};
    const tms_reads reads = {&all, 0, 1};
    tms_reference_score scores[MOST_REFERENCES];
    tms_classified out;
    ASSERT_OK(ctx, tms_classify(ctx, classifier, &reads, 1, 1, &out, scores));
    check_parts(r, unit, &reads, 1, 0, &out, scores, s->n_filters);
}

static size_t verdicts[3];

static void check_rule(sample_random *r, const sample_set *s, tms_rule rule, uint32_t w, int is_stranded)
{
    const double thresholds[] = {0, 0.1, 0.5, 1};
    tms_classify_params params = {.rule = rule, .threshold = thresholds[random_below(r, 4)]};
    const tms_filter *filters[MOST_REFERENCES];
    tms_classifier *classifier;
    tms_long_read *parts;
    memcpy(filters, s->filters, sizeof filters);
    if (rule == TMS_RULE_DEFAULT && random_below(r, 2))
        params.least_hits = 1 + (uint32_t)random_below(r, 3);
    ASSERT_OK(ctx, tms_classifier_create(ctx, filters, s->n_filters, &params, &classifier));
    ASSERT_OK(ctx, tms_long_read_create(ctx, classifier, &parts));
    double threshold = tms_classifier_threshold(classifier);
    assert_true(threshold == (params.threshold > 0 ? params.threshold : tms_rule_threshold(rule, w)));
    assert_int_equal(tms_classifier_word_size(classifier), w);
    size_t n = s->seqs.n_records;
    tms_classified *out = sample_alloc(n * sizeof *out), *first = sample_alloc(n * sizeof *out);
    tms_reference_score *scores = sample_alloc(n * s->n_filters * sizeof *scores);
    for (size_t n_mates = 1; n_mates <= 2; n_mates++)
        for (uint32_t way = SAMPLES_TSAN; way < N_WAYS; way += 1 + SAMPLES_TSAN) { /* one thread has no races */
            /* mates: interleaved, or from two halves of the batch */
            size_t n_units = n / n_mates, is_halves = n_mates == 2 && (way & 1);
            tms_reads mates[2] = {{&s->seqs, 0, is_halves ? 1 : n_mates}, {&s->seqs, is_halves ? n_units : 1, is_halves ? 1 : n_mates}};
            ASSERT_OK(ctx, tms_context_set_threads(ctx, way & 1 ? 3 : 1));
            if (tms_context_set_simd(ctx, (tms_simd)(way / 2)) != TMS_OK)
                ASSERT_OK(ctx, tms_context_set_simd(ctx, TMS_SIMD_SCALAR));
            memset(out, 0x55, n * sizeof *out);
            ASSERT_OK(ctx, tms_classify(ctx, classifier, mates, n_mates, n_units, out, scores));
            for (size_t i = 0; i < n_units; i++) {
                size_t records[2] = {mates[0].first + i * mates[0].step, mates[1].first + i * mates[1].step};
                check_unit(s, classifier, rule, threshold, records, n_mates, w, is_stranded, &out[i], scores + i * s->n_filters);
                verdicts[out[i].verdict]++;
            }
            ASSERT_OK(ctx, tms_classify(ctx, classifier, mates, n_mates, n_units, first, NULL));
            assert_memory_equal(first, out, n_units * sizeof *out);
            for (size_t i = 0; i < n_units && !SAMPLES_TSAN; i++)
                check_parts(r, parts, mates, n_mates, i, &out[i], scores + i * s->n_filters, s->n_filters);
        }
    check_one_read(r, s, classifier, parts);
    tms_long_read_destroy(parts);
    free(out);
    free(first);
    free(scores);
    tms_classifier_destroy(classifier);
}

static void rules_by_definition(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {8, 11, 15, 17, 21, 31, 33, 100, 255};
    sample_random r = {sample_seed()};
    memset(verdicts, 0, sizeof verdicts);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i += SAMPLES_TSAN ? 5 : sample_is_quick() ? 3 : 1)
        for (int is_stranded = 0; is_stranded < 2; is_stranded++)
            for (int rule = TMS_RULE_DEFAULT; rule <= TMS_RULE_FACS_PERL; rule++) {
                sample_set s;
                set_make(&r, &s, sizes[i], is_stranded ? TMS_STRAND_PLUS : TMS_STRAND_BOTH, 1 + random_below(&r, MOST_REFERENCES),
                         sample_is_quick() ? 40 : 80);
                check_rule(&r, &s, (tms_rule)rule, sizes[i], is_stranded);
                set_free(&s);
            }
    print_message("verdicts: none %zu, match %zu, ambiguous %zu\n", verdicts[0], verdicts[1], verdicts[2]);
    assert_true(verdicts[0] > 100 && verdicts[1] > 100 && (sample_is_quick() || (verdicts[2] > 10 && ties_by_doubt > 10)));
}

/* Written by hand, for a reference of one sequence and a filter that has hardly any false positives. */
static void facs_by_hand(void **state)
{
    (void)state;
    const char *reference = "ACGTTGCAAACCGGTTTAGCATCGACTTACGGACGACTACGACGGGACTTTCAGC";
    tms_filter_want want = {
        .layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = 15, .strand = TMS_STRAND_PLUS, .m_bits = 1 << 20};
    tms_filter *f = build_one((const uint8_t *)reference, strlen(reference), &want);
    const tms_filter *filters[1] = {f};
    tms_classify_params params = {.rule = TMS_RULE_FACS};
    tms_classifier *classifier;
    ASSERT_OK(ctx, tms_classifier_create(ctx, filters, 1, &params, &classifier));
    static const struct {
        const char *read;
        uint64_t hits;
        double score;
    } cases[] = {/* 30 bases, all 16 k-mers: (16 * 15 + 30) / (15 * 30 + 30 - 225) */
                 {"ACGTTGCAAACCGGTTTAGCATCGACTTAC", 16, 270.0 / 255},
                 /* the first case from the other strand */
                 {"GTAAGTCGATGCTAAACCGGTTTGCAACGT", 16, 270.0 / 255},
                 /* base 20 changed: k-mers 0 .. 5 in one run: (6 * 15 + 20) / 255 */
                 {"ACGTTGCAAACCGGTTTAGCCTCGACTTAC", 6, 110.0 / 255},
                 /* bases 0, 15 and 29 changed: k-mer 1 .. 0: no k-mer at 0, at 15, nor the last one: the quick pass reads none, though none
                    would be a hit */
                 {"CCGTTGCAAACCGGTATAGCATCGACTTAT", 0, 0},
                 /* 31 bases, bases 0 and 30 changed: k-mers 1 .. 15 are hits, that at 15 too: (15 * 15 + 29) / (15 * 31 + 31 - 225) */
                 {"CCGTTGCAAACCGGTTTAGCATCGACTTACT", 15, 254.0 / 271},
                 /* 17 bases, the first and the last changed: only k-mer 1, which the quick pass skips */
                 {"CCGTTGCAAACCGGTTA", 1, 0},
                 {"ACGTTGCAAACCGG", 0, 0},
                 {"", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seq_batch batch = {0};
        tms_seqs seqs;
        tms_classified out;
        assert_true(seq_batch_clear(&batch, 0, false));
        batch_add(&batch, (const uint8_t *)cases[i].read, strlen(cases[i].read));
        seq_batch_view(&batch, &seqs);
        tms_reference_score score;
        ASSERT_OK(ctx, tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 1, 1, &out, &score));
        if (score.n_hits != cases[i].hits || score.score != cases[i].score)
            fail_msg("read %zu: %llu hits, score %.17g", i, (unsigned long long)score.n_hits, score.score);
        assert_int_equal(out.verdict, cases[i].score >= 0.4 ? TMS_VERDICT_MATCH : TMS_VERDICT_NONE);
        seq_batch_free(&batch);
    }
    tms_classifier_destroy(classifier);
    tms_filter_destroy(f);
}

/* FACS's thresholds, and names. */
static void thresholds(void **state)
{
    (void)state;
    static const double facs[] = {0.4, 0.3, 0.3, 0.3, 0.4, 0.3, 0.4};
    for (uint32_t w = 15; w <= 21; w++)
        assert_true(tms_rule_threshold(TMS_RULE_FACS, w) == facs[w - 15]);
    assert_true(tms_rule_threshold(TMS_RULE_FACS, 14) == 0.4 && tms_rule_threshold(TMS_RULE_FACS, 31) == 0.4);
    assert_true(tms_rule_threshold(TMS_RULE_FACS_PERL, 21) == 0.8);
    assert_string_equal(tms_rule_name(TMS_RULE_DEFAULT), "default");
    assert_string_equal(tms_rule_name(TMS_RULE_FACS), "facs");
    assert_string_equal(tms_rule_name(TMS_RULE_FACS_PERL), "facs-perl");
    assert_string_equal(tms_rule_name((tms_rule)3), "?");
}

/* Compares the number of matching random reads with the prediction, for a filter small enough to have false positives. */
static void false_matches(void **state)
{
    (void)state;
    enum { N = 100000, READ = 100 };
    sample_random r = {sample_seed()};
    uint8_t *genome = sample_alloc(100000), letters[READ];
    random_letters(&r, genome, 100000, NULL, 0);
    static const uint32_t sizes[] = {15, 21, 31};
    for (size_t i = 0; i < 3; i++) {
        tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = sizes[i], .fpr = 2e-3};
        tms_filter *f = build_one(genome, 100000, &want);
        const tms_filter *filters[1] = {f};
        struct seq_batch batch = {0};
        tms_seqs seqs;
        size_t n = sample_is_quick() ? N / 10 : N;
        assert_true(seq_batch_clear(&batch, 0, false));
        for (size_t j = 0; j < n; j++) {
            random_letters(&r, letters, READ, NULL, 0);
            batch_add(&batch, letters, READ);
        }
        seq_batch_view(&batch, &seqs);
        tms_classified *out = sample_alloc(n * sizeof *out);
        uint64_t least_before = UINT64_MAX;
        for (double per_million = 1; per_million <= 1e5; per_million *= 30) {
            tms_classify_params params = {.threshold = 1e-9, .false_per_million = per_million};
            tms_classifier *classifier;
            ASSERT_OK(ctx, tms_classifier_create(ctx, filters, 1, &params, &classifier));
            ASSERT_OK(ctx, tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 1, n, out, NULL));
            double foretold = tms_classifier_expected_false(classifier, TMS_NO_REFERENCE, READ), matches = 0;
            uint64_t least = tms_classifier_least_hits(classifier, READ - sizes[i] + 1);
            for (size_t j = 0; j < n; j++)
                matches += out[j].verdict != TMS_VERDICT_NONE;
            print_message("w %u, %g asked for: %llu hits; foretold %.3g, measured %.3g in a million\n", sizes[i], per_million,
                          (unsigned long long)least, foretold, matches * 1e6 / (double)n);
            assert_true(foretold <= per_million && foretold == tms_classifier_expected_false(classifier, 0, READ));
            assert_true(least <= least_before);
            double expected = foretold * (double)n / 1e6;
            assert_true(matches <= 4 * expected + 6 * sqrt(4 * expected) + 3);
            if (expected > 100)
                assert_true(matches >= expected / 4);
            least_before = least;
            assert_true(tms_classifier_expected_false(classifier, 0, sizes[i] - 1) == 0);
            uint64_t before = 0; /* more k-mers need more hits */
            for (uint64_t words = 1; words < (uint64_t)1 << 45; words = words * 3 / 2 + 1) {
                uint64_t hits = tms_classifier_least_hits(classifier, words);
                assert_true(hits >= before && hits <= words + 1);
                before = hits;
            }
            tms_classifier_destroy(classifier);
        }
        free(out);
        seq_batch_free(&batch);
        tms_filter_destroy(f);
    }
    free(genome);
}

/* --max-false holds, and loose ones are used up, also where hundreds of hits are needed: filters of a tenth, and long reads. */
static void many_hits(void **state)
{
    (void)state;
    static const struct {
        uint32_t w;
        double fpr;
        uint64_t letters;
    } cases[] = {{31, 0.1, 120}, {31, 0.05, 1000}, {15, 1e-3, 10000}, {15, 1e-3, 3000000}, {21, 0.01, 200000}};
    sample_random r = {sample_seed()};
    uint8_t *genome = sample_alloc(100000);
    random_letters(&r, genome, 100000, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tms_filter_want want = {
            .layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = cases[i].w, .fpr = cases[i].fpr, .m_bits = 0};
        tms_filter *f = build_one(genome, 100000, &want);
        const tms_filter *filters[1] = {f};
        uint64_t before = UINT64_MAX;
        for (double per_million = 1e-4; per_million < 1e6; per_million *= 1000) {
            tms_classify_params params = {.threshold = 1e-9, .false_per_million = per_million};
            tms_classifier *classifier;
            ASSERT_OK(ctx, tms_classifier_create(ctx, filters, 1, &params, &classifier));
            double foretold = tms_classifier_expected_false(classifier, 0, cases[i].letters);
            uint64_t least = tms_classifier_least_hits(classifier, cases[i].letters - cases[i].w + 1);
            print_message("w %u, %llu letters, %g asked for: %llu hits, %.3g\n", cases[i].w, (unsigned long long)cases[i].letters,
                          per_million, (unsigned long long)least, foretold);
            assert_true(foretold <= per_million && foretold > per_million / 10 && least < before);
            before = least;
            tms_classifier_destroy(classifier);
        }
        assert_true(before > 2);
        tms_filter_destroy(f);
    }
    free(genome);
}

/* The ways to a tail agree where one takes over from another; and a filter that says yes to all lets all reads pass. */
static void tails(void **state)
{
    (void)state;
    const struct false_hits some[] = {{{2e-3, 0.6}, {1e-4, 0.25}}, {{0.009, 0.8}, {0, 0.25}}, {{1e-6, 0.3}, {5e-3, 0.25}}};
    for (size_t i = 0; i < 3; i++)
        for (uint64_t words = 20000; words < 200000; words += 20000) {
            double before = false_hits_tail(&some[i], words, 511), summed = false_hits_tail(&some[i], words, 512),
                   point = false_hits_tail(&some[i], words, 513);
            if (before > 1e-100 && fabs(point / summed / (summed / before) - 1) > 0.02)
                fail_msg("%zu, %llu words: %g, %g, then %g", i, (unsigned long long)words, before, summed, point);
        }
    const struct false_hits full = {{1, 1}, {0, 0.25}}, half = {{0.5, 0.5}, {0, 0.25}}, none = {{0, 0}, {0, 0.25}};
    for (uint64_t words = 1; words < 500; words += 7)
        assert_true(false_hits_tail(&full, words, 1) > 1 - 1e-12 && false_hits_tail(&full, words, words) > 1 - 1e-12);
    assert_true(false_hits_tail(&none, 100, 1) == 0 && false_hits_tail(&half, 100, 101) == 0);
    double binomial = 0, term = pow(0.5, 100); /* q = p: independent hits */
    for (int n = 0; n < 60; n++, term *= (100.0 - n + 1) / n)
        binomial += term;
    assert_true(fabs(false_hits_tail(&half, 100, 60) / (1 - binomial) - 1) < 1e-9);
}

static void what_is_refused(void **state)
{
    (void)state;
    const char *letters = "ACGTTGCAAACCGGTTTAGCATCGACTTACGGACGACTACGACGGGACTTTCAGC";
    tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = 21};
    const tms_filter *filters[TMS_MAX_REFERENCES + 1];
    tms_filter *own[5];
    tms_classifier *classifier;
    own[0] = build_one((const uint8_t *)letters, strlen(letters), &want);
    want.word_size = 22;
    own[1] = build_one((const uint8_t *)letters, strlen(letters), &want);
    want.word_size = 21;
    want.strand = TMS_STRAND_PLUS;
    own[2] = build_one((const uint8_t *)letters, strlen(letters), &want);
    want.strand = TMS_STRAND_BOTH;
    want.seed = 1;
    own[3] = build_one((const uint8_t *)letters, strlen(letters), &want);
    tms_filter_params blocked = {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 0, 1024, 8};
    ASSERT_OK(ctx, tms_filter_create(ctx, &blocked, &own[4]));
    for (size_t i = 0; i <= TMS_MAX_REFERENCES; i++)
        filters[i] = own[0];
    ASSERT_FAILS(ctx, TMS_E_ARG, "1 to 64", tms_classifier_create(ctx, filters, 0, NULL, &classifier));
    ASSERT_FAILS(ctx, TMS_E_ARG, "1 to 64", tms_classifier_create(ctx, filters, TMS_MAX_REFERENCES + 1, NULL, &classifier));
    assert_null(classifier);
    static const struct {
        int filter;
        tms_status status;
        const char *word;
    } pairs[] = {
        {1, TMS_E_MISMATCH, "22 bases"}, {2, TMS_E_MISMATCH, "one strand"}, {3, TMS_E_MISMATCH, "seed"}, {4, TMS_E_ARG, "blocked filter"}};
    for (size_t i = 0; i < 4; i++) {
        filters[1] = own[pairs[i].filter];
        ASSERT_FAILS(ctx, pairs[i].status, pairs[i].word, tms_classifier_create(ctx, filters, 2, NULL, &classifier));
        ASSERT_FAILS(ctx, pairs[i].status, "reference 2", tms_classifier_create(ctx, filters, 2, NULL, &classifier));
    }
    static const tms_classify_params wrong[] = {{.rule = (tms_rule)3},
                                                {.threshold = -0.1},
                                                {.threshold = 1.1},
                                                {.threshold = NAN},
                                                {.false_per_million = -1},
                                                {.false_per_million = 2e6},
                                                {.rule = TMS_RULE_FACS, .least_hits = 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ASSERT_FAILS(ctx, TMS_E_ARG, "", tms_classifier_create(ctx, filters, 1, &wrong[i], &classifier));
    filters[1] = own[0]; /* 64 references are fine */
    ASSERT_OK(ctx, tms_classifier_create(ctx, filters, TMS_MAX_REFERENCES, NULL, &classifier));

    struct seq_batch batch = {0};
    tms_seqs seqs;
    tms_classified out[3];
    assert_true(seq_batch_clear(&batch, 0, false));
    batch_add(&batch, (const uint8_t *)letters, strlen(letters));
    batch_add(&batch, (const uint8_t *)letters, 20);
    seq_batch_view(&batch, &seqs);
    ASSERT_OK(ctx, tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 1, 2, out, NULL));
    assert_true(out[0].verdict == TMS_VERDICT_AMBIGUOUS && out[0].best == 0 && out[0].second == 1 &&
                out[0].n_matching == TMS_MAX_REFERENCES);
    assert_true(out[1].verdict == TMS_VERDICT_NONE && out[1].n_words == 0 && out[1].best == TMS_NO_REFERENCE);
    ASSERT_OK(ctx, tms_classify(ctx, classifier, &(tms_reads){&seqs, 5, 1}, 1, 0, out, NULL));
    ASSERT_FAILS(ctx, TMS_E_ARG, "more than the 2 records", tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 1, 3, out, NULL));
    ASSERT_FAILS(ctx, TMS_E_ARG, "more than the 2 records", tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 2}, 1, 2, out, NULL));
    ASSERT_FAILS(ctx, TMS_E_ARG, "more than", tms_classify(ctx, classifier, &(tms_reads){&seqs, SIZE_MAX, SIZE_MAX}, 1, 2, out, NULL));
    ASSERT_FAILS(ctx, TMS_E_ARG, "mates", tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 0, 1, out, NULL));
    ASSERT_FAILS(ctx, TMS_E_ARG, "mates", tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 3, 1, out, NULL));
    tms_context_cancel(ctx);
    assert_int_equal(tms_classify(ctx, classifier, &(tms_reads){&seqs, 0, 1}, 1, 2, out, NULL), TMS_E_CANCELLED);
    tms_context_resume(ctx);
    tms_classifier_destroy(classifier);
    seq_batch_free(&batch);
    for (size_t i = 0; i < 5; i++)
        tms_filter_destroy(own[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_by_definition), cmocka_unit_test(facs_by_hand), cmocka_unit_test(thresholds),
        cmocka_unit_test(false_matches),       cmocka_unit_test(many_hits),    cmocka_unit_test(tails),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("classify", tests, setup, teardown);
}
