/*
 * test_base_alignment.c - gap reduction: alignments before and after it, from searches whose output is that of blastn of NCBI BLAST+ 2.12
 * byte for byte; scores on real bases against the best of all parts; start points by hand.
 */
#include "extend/base_alignment.h"
#include "unit/extend/base_samples.h"

static int scores[RESIDUE_CODES * RESIDUE_CODES];

static void set_scores(int reward, int penalty)
{
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            scores[RESIDUE_CODES * i + j] = i == j && i < BASE_AMBIGUOUS ? reward : penalty;
}

static struct codes codes_of(const char *letters)
{
    struct codes c = codes_of_size((int)strlen(letters));

    assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, (const uint8_t *)letters, (size_t)c.n, c.codes), c.n);
    return c;
}

static struct base_pair pair_of(const struct codes *query, const struct codes *subject)
{
    return (struct base_pair){scores, query->codes, subject->codes, query->n, subject->n};
}

/* "12M1I3D": pairs, bases of the query alone, bases of the subject alone. */
static struct gapped_script script_of(const char *text)
{
    struct gapped_script script = {0};

    while (*text != '\0') {
        char *end;
        const int n = (int)strtol(text, &end, 10);
        assert_int_equal(gapped_script_add(&script,
                                           *end == 'M'   ? GAPPED_MATCH
                                           : *end == 'I' ? GAPPED_IN_SUBJECT
                                                         : GAPPED_IN_QUERY,
                                           n),
                         TMS_OK);
        text = end + 1;
    }
    return script;
}

static void assert_script(const struct gapped_script *got, const char *want)
{
    char text[1000], *end = text;

    *end = '\0';
    for (size_t i = 0; i < got->n; i++)
        end += snprintf(end, sizeof text - (size_t)(end - text), "%d%c", got->runs[i].n, "MID"[got->runs[i].operation]);
    assert_string_equal(text, want);
}

/* --- gap reduction --- */

static void test_reduce(void **state)
{
    static const struct {
        const char *query, *subject, *before, *after;
    } cases[] = {
        /* a long match grows to the left, or to the right */
        {"TGCCTGATGCGCTGCGCTTATC", "TGCCTGATGGCGCTGCGCTTATC", "9M1D13M", "8M1D14M"},
        {"TATGTTGCCGGATGCGGCGTAAACGCCTTATCCGGCCTACA", "TATTTTGCCGGAGAACGGCGCAAGCGCCTTATCCGGTCTACA", "12M1I1M2D27M", "14M1D27M"},
        {"AGGCCGGATAAGGCGTTTACGCCGCATCCGGCAACATAAA", "AGGCCGGATAAGGCGTTCGCGCCGCCATTCGACAAAATTAA", "25M1D15M", "24M1D16M"},
        {"AAATGAAATGAAATGAAATGAAATGAAATGAATGAAATGAAATGAAATGAAATG", "AAATGAAATGAAATGAAATGAAATGAAATGAAATGAAATGAAATGAAACGAAATG", "32M1D22M",
         "30M1D24M"},
        {"GTACCTTGTACCTTGTATCTTGTACTTTGTACCTTGTACCTTGTACCTTGTACCTTGTACCTTGTACCTTACATATGTACCTTGTACCTTGTA",
         "GTACCTTGTACCTTGTACCTTGTACCTTGTATCTTGTACCGTGTACCTTGTACCTTGTACCTTGTACCTTGTACCTTGTACCTTGTA", "70M6I17M", "69M6I18M"},
        {"CAACGCCAAATTGCCTGATGCGCTGCGCTTATCAGGCCTACAA", "CAACGCAACAATGTCTGATGGCGCTATGCTTATCAGGCCGACAA", "5M1I3M1D10M1D24M", "19M1D24M"},
        {"CGGCGGCGGCGGCGGCGGCGTGTGTGCGCGGCGGCGGCGGGGCGGCGGCG", "CGGCGGCGGCGGCGGCGGCGGCGGTGGCGGCGGCGGCGGCGGCGTGCGTCG",
         "19M1D3M1I3M1I13M1D4M1D6M", "26M1I13M1D4M1D6M"},
        /* a gap of each kind with a pair between them: three operations become two pairs */
        {"CGTTGCATTGGTTGCAAAACCTGCGTTGTGGCTTG", "CGTTGCACCGGTTGCAAAACCTGCGAGCTGGCTTG", "26M1I1M1D7M", "35M"},
        {"TGCCTGATGCGCTGCGCTTATCAGGCCTACAA", "TGCCTGATGGCGCGACGCTTATCAGGCCTACAA", "8M1D4M1I1M1D18M", "8M1D24M"},
        /* near gaps of both kinds */
        {"TTTATGTTGCCGGATGCGGCGTAAACGCCTTATCCGGCCTACAAA", "TTTATTATTGCCGGATGACGACTAACGTCGTATCCGGCCTACAAA", "4M1D12M1D4M1I3M1I20M",
         "4M1D12M1D4M1I1M1I22M"},
        {"AAATAAATCCGAAATGAAATGAAATGAAATGAAATGAAATGAAATGAAATGAAATG", "AAATGAAATGAAATGAAATGAAATGATATCGAATGAAATGAAATGAACACTCGAAATG",
         "4M1D4M2I20M1D3M1I14M1D1M1D1M1D6M", "4M1D4M2I38M1D1M1D1M1D6M"},
        {"CGTTTTCTGTATGCCAAAACGCTCAACCACTTGGGCACTAACTTTCAATTGATGGGCTATCGCTATTCGACGTCGGGTTTCTACAC",
         "CGTTTCCTGTATGCCAAATCGCTTGCACAGTCAGGAACCAATTTACAGCTTATGGGCTATCGCTATTCAACCTCGGGCTTTTACAC",
         "22M1D1M1D1M1I1M1I14M1I3M1D2M1D3M1I26M1D3M1I5M", "23M1D3M1I59M"},
        {"GCCCGGTGCGCAGCCCGGTGCGCAGCCCAGTATGTGAGCGCAGCCCGGTGCGCAG", "GCCCGGTGAGCAGCGCGGTGCGCAGCCCGGTGCGCAGCCCGGTGCGCAG", "28M1I1M3I3M2I17M",
         "28M1I1M3I2M2I18M"},
        /* the left growth of 34M ends in the match before the gap: what was left of that match is lost */
        {"CTAATACAGACCAGCTGTCACGGCTGCCGCAAGGCTGCTGCACAGTTCCTACGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGAAAAAAAAAATCGGGGCTGTCTAACCGAGTTCCGATTATGACTATTGAGACC"
         "AGCCAGTCAGTGCCCCAGT",
         "CTAATACAGACCAGCTGACGGCTGCCGCAAGACTGCTGAACAGTTCCTACGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAATCTAAATCGGGGCTGTCTAACCGAGTTCCGATTATGACCTATTGCGAGCC"
         "AGTCAGGGGCCCCAGT",
         "17M2I34M14D26M14I32M1D8M3I11M1D7M", "17M2I98M1D8M3I11M1D7M"},
        /* nothing to reduce */
        {"ACGTACGT", "ACGTACGT", "8M", "8M"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct codes query = codes_of(cases[i].query), subject = codes_of(cases[i].subject);
        const struct base_pair pair = pair_of(&query, &subject);
        const struct base_box box = {0, query.n, 0, subject.n, 0};
        struct gapped_script script = script_of(cases[i].before);
        base_alignment_reduce(&pair, &box, &script);
        assert_script(&script, cases[i].after);
        free(script.runs);
        free(query.memory);
        free(subject.memory);
    }
}

/* A random alignment of a random pair: it may have gaps anywhere. */
struct sample {
    struct codes query, subject;
    struct base_box box;
    struct gapped_script script;
};

static struct sample any_sample(sample_random *r, unsigned rarity)
{
    struct sample s = {.query = random_codes(r, 5 + (int)random_below(r, 80), rarity, (int)random_below(r, 2) * 5)};
    const int last = (int)random_below(r, 3);

    s.subject = changed_codes(r, &s.query, 4 + (unsigned)random_below(r, 20));
    s.box = (struct base_box){.query = (int)random_below(r, 3), .subject = (int)random_below(r, 3)};
    s.box.query_end = s.box.query;
    s.box.subject_end = s.box.subject;
    for (;;) {
        const int n = 1 + (int)random_below(r, 15), gap = 1 + (int)random_below(r, 3);
        const bool takes_query = random_below(r, 2) != 0;
        if (s.box.query_end + n + gap + last > s.query.n || s.box.subject_end + n + gap + last > s.subject.n)
            break;
        assert_int_equal(gapped_script_add(&s.script, GAPPED_MATCH, n), TMS_OK);
        s.box.query_end += n;
        s.box.subject_end += n;
        if (random_below(r, 4) == 0)
            break;
        assert_int_equal(gapped_script_add(&s.script, takes_query ? GAPPED_IN_SUBJECT : GAPPED_IN_QUERY, gap), TMS_OK);
        s.box.query_end += takes_query ? gap : 0;
        s.box.subject_end += takes_query ? 0 : gap;
    }
    return s;
}

static void sample_free(struct sample *s)
{
    free(s->query.memory);
    free(s->subject.memory);
    free(s->script.runs);
}

/* A reduced alignment fills its box, except that it may lose pairs (the case of 34M above). */
static void test_reduce_fills(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;

    for (int round = 0; round < 3000; round++) {
        struct sample s = any_sample(&r, round % 3 == 0 ? 10 : 0);
        const struct base_pair pair = pair_of(&s.query, &s.subject);
        int query = s.box.query, subject = s.box.subject;
        base_alignment_reduce(&pair, &s.box, &s.script);
        for (size_t i = 0; i < s.script.n; i++) {
            assert_true(s.script.runs[i].n > 0);
            query += s.script.runs[i].operation != GAPPED_IN_QUERY ? s.script.runs[i].n : 0;
            subject += s.script.runs[i].operation != GAPPED_IN_SUBJECT ? s.script.runs[i].n : 0;
        }
        assert_true(query <= s.box.query_end);
        assert_int_equal(s.box.query_end - query, s.box.subject_end - subject);
        sample_free(&s);
    }
}

/* --- scores --- */

/* Sums of the steps from the first one on, a pair or a whole gap each. Returns the number of steps. */
static int sum_steps(const struct base_pair *pair, const struct base_gap *gap, const struct base_box *box,
                     const struct gapped_script *script, int *sums)
{
    int n = 0, query = box->query, subject = box->subject;

    sums[0] = 0;
    for (size_t i = 0; i < script->n; i++) {
        const struct gapped_run run = script->runs[i];
        for (int k = 0; k < run.n && run.operation == GAPPED_MATCH; k++, n++)
            sums[n + 1] = sums[n] + gap->factor * scores[RESIDUE_CODES * pair->query[query++] + pair->subject[subject++]];
        if (run.operation == GAPPED_MATCH)
            continue;
        sums[n + 1] = sums[n] - gap->open - gap->extend * run.n;
        n++;
        query += run.operation == GAPPED_IN_SUBJECT ? run.n : 0;
        subject += run.operation == GAPPED_IN_QUERY ? run.n : 0;
    }
    assert_int_equal(query, box->query_end);
    assert_int_equal(subject, box->subject_end);
    return n;
}

static int best_of_parts(const int *sums, int n)
{
    int best = 0;

    for (int i = 0; i <= n; i++)
        for (int k = i + 1; k <= n; k++)
            best = sums[k] - sums[i] > best ? sums[k] - sums[i] : best;
    return best;
}

static bool can_extend(const struct base_pair *pair, int query, int subject)
{
    return query >= 0 && subject >= 0 && query < pair->query_length && subject < pair->subject_length &&
           pair->query[query] < BASE_AMBIGUOUS && pair->query[query] == pair->subject[subject];
}

static void check_rescored(const struct base_pair *pair, const struct base_gap *gap, int reward, int cutoff, struct sample *s, int *n_kept)
{
    int sums[200], n = sum_steps(pair, gap, &s->box, &s->script, sums), best = best_of_parts(sums, n);
    bool is_kept;

    assert_int_equal(base_alignment_rescore(pair, gap, reward, cutoff, &s->box, &s->script, &is_kept), TMS_OK);
    if (!is_kept) {
        assert_true(best / gap->factor < cutoff);
        return;
    }
    n = sum_steps(pair, gap, &s->box, &s->script, sums);
    assert_int_equal(sums[n] / gap->factor, s->box.score);
    assert_true(s->box.score >= cutoff);
    assert_true(s->box.score >= best / gap->factor || best < cutoff);
    assert_false(can_extend(pair, s->box.query - 1, s->box.subject - 1));
    assert_false(can_extend(pair, s->box.query_end, s->box.subject_end));
    (*n_kept)++;
}

static void test_rescore(void **state)
{
    static const int costs[][4] = {{1, -2, 0, 0}, {2, -3, 0, 0}, {2, -3, 5, 2}, {1, -1, 3, 2}};
    sample_random r = {sample_seed()};
    int n_kept = 0;
    (void)state;

    for (int round = 0; round < 4000; round++) {
        const int *c = costs[round % 4];
        const struct base_gap gap = base_gap_of(c[0], c[1], c[2], c[3]);
        struct sample s = any_sample(&r, round % 3 == 0 ? 10 : 0);
        const struct base_pair pair = pair_of(&s.query, &s.subject);
        set_scores(c[0], c[1]);
        if (s.script.n > 0)
            check_rescored(&pair, &gap, c[0], 1 + (int)random_below(&r, 20), &s, &n_kept);
        sample_free(&s);
    }
    assert_in_range(n_kept, 500, 3900);
}

static void test_gaps(void **state)
{
    struct base_gap gap = base_gap_of(1, -2, 0, 0);
    (void)state;

    assert_true(gap.factor == 2 && gap.open == 0 && gap.extend == 5);
    gap = base_gap_of(2, -3, 0, 0);
    assert_true(gap.factor == 1 && gap.open == 0 && gap.extend == 4);
    gap = base_gap_of(1, -3, 0, 2);
    assert_true(gap.factor == 1 && gap.open == 0 && gap.extend == 2);
}

/* A part is forgotten only if it is below the cutoff; equal bases beside the best part count, but ambiguous ones do not. */
static void test_rescore_by_hand(void **state)
{
    static const struct {
        const char *query, *subject, *before, *after;
        int cutoff, query_start, subject_start, score; /* score 0: not kept */
    } cases[] = {
        {"ACGTAAAAACGTAC", "ACGTCCCCACGTAC", "14M", "6M", 4, 8, 8, 6}, /* 4, then 6 */
        {"ACGTACAAAACGTA", "ACGTACCCCACGTA", "14M", "6M", 5, 0, 0, 6}, /* the first of 6 and 5 */
        {"ACGTAAAAACGTAC", "ACGTCCCCACGTAC", "14M", "", 7, 0, 0, 0},
        {"GGACGTACGG", "GGACGTACGG", "2M", "10M", 10, 0, 0, 10},
        {"NGACGTACGR", "NGACGTACGR", "10M", "8M", 8, 1, 1, 8},
        {"ACGTACGTTACGTACGT", "ACGTACGTACGTACGT", "8M1I8M", "8M1I8M", 8, 0, 0, 13}, /* 16 - 2.5, rounded down */
    };
    const struct base_gap gap = base_gap_of(1, -2, 0, 0);
    (void)state;

    set_scores(1, -2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct codes query = codes_of(cases[i].query), subject = codes_of(cases[i].subject);
        const struct base_pair pair = pair_of(&query, &subject);
        struct gapped_script script = script_of(cases[i].before);
        struct base_box box = {0, query.n, 0, subject.n, 0};
        bool is_kept;
        if (script.n == 1)
            box.query = box.subject = i == 3 ? 4 : 0;
        assert_int_equal(base_alignment_rescore(&pair, &gap, 1, cases[i].cutoff, &box, &script, &is_kept), TMS_OK);
        assert_int_equal(is_kept, cases[i].score > 0);
        if (is_kept) {
            assert_script(&script, cases[i].after);
            assert_int_equal(box.query, cases[i].query_start);
            assert_int_equal(box.subject, cases[i].subject_start);
            assert_int_equal(box.score, cases[i].score);
        }
        free(script.runs);
        free(query.memory);
        free(subject.memory);
    }
}

static void test_identities(void **state)
{
    struct codes query = codes_of("ACGNTTACGT"), subject = codes_of("ACGNACCGTA");
    const struct base_pair pair = pair_of(&query, &subject);
    struct gapped_script script = script_of("4M2I4M1D");
    const struct base_box box = {0, 10, 0, 9, 0};
    int length;
    (void)state;

    assert_int_equal(base_alignment_identities(&pair, &box, &script, &length), 6); /* N equals N */
    assert_int_equal(length, 11);
    free(script.runs);
    free(query.memory);
    free(subject.memory);
}

/* --- start points --- */

static void test_start(void **state)
{
    static const struct {
        const char *query, *subject;
        int start, to;
    } cases[] = {
        {"AAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAA", 10, 10},        /* in a long run */
        {"CCCCCAAAAAAAAAAACCCC", "GGGGGAAAAAAAAAAAGGGG", 10, 10},        /* eleven, and the point itself twice */
        {"CCCCCAAAAAAAAAACCCCC", "GGGGGAAAAAAAAAAGGGGG", 10, 10},        /* ten are not enough: the middle, 15 - 5, is the same */
        {"CCCCCAAAAAAAAAACCCCC", "GGGGGAAAAAAAAAAGGGGG", 6, 10},         /* moves to it */
        {"AAAACAAAAAACAAAACCCC", "AAAAGAAAAAAGAAAAGGGG", 1, 8},          /* the longest run, 5..11 */
        {"AAAACAAAACAAAACAAAAC", "AAAAGAAAAGAAAAGAAAAG", 17, 2},         /* the first of equals */
        {"CCCCAAAAAAAAAAAAAAAAAAAA", "GGGGAAAAAAAAAAAAAAAAAAAA", 2, 12}, /* a run of 16 ends the walk: 19 - 7 */
        {"CCCCAAAA", "GGGGAAAA", 1, 6},                                  /* a run at the end */
        {"CCCC", "GGGG", 2, 2},                                          /* no run */
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct codes query = codes_of(cases[i].query), subject = codes_of(cases[i].subject);
        const struct base_pair pair = pair_of(&query, &subject);
        const struct base_box box = {0, query.n, 0, subject.n, 0};
        int q = cases[i].start, s = cases[i].start;
        base_start_adjust(&pair, &box, &q, &s);
        assert_int_equal(q, cases[i].to);
        assert_int_equal(s, cases[i].to);
        free(query.memory);
        free(subject.memory);
    }
}

/* A word at `word` of 60 equal bases: the start point is a multiple of four of the subject, the traceback begins three bases into the word.
 */
static void test_gapped_score(void **state)
{
    sample_random r = {sample_seed()};
    struct gapped_workspace ws = {0};
    const struct gapped_costs costs = {scores, 5, 2, 33};
    struct codes query = random_codes(&r, 60, 0, 0);
    const struct base_pair pair = pair_of(&query, &query);
    (void)state;

    set_scores(2, -3);
    for (int word = 0; word <= 49; word++)
        for (int length = 5; length <= 11; length += 3) {
            struct base_box box;
            int q = word, s = word;
            assert_int_equal(base_gapped_score(&ws, &costs, &pair, word + length, &q, &s, &box), TMS_OK);
            assert_true(box.query == 0 && box.query_end == 60 && box.subject == 0 && box.subject_end == 60);
            assert_int_equal(box.score, 120);
            assert_int_equal(q, length >= 8 ? word + 3 : word);
            assert_int_equal(s, q);
        }
    gapped_workspace_free(&ws);
    free(query.memory);
}

/* A row is a base of the subject: of equal scores the first one row by row counts, so a gap is in another place than with rows of the
 * query. */
static void test_gapped_rows(void **state)
{
    struct gapped_workspace ws = {0};
    const struct gapped_costs costs = {scores, 5, 2, 33};
    struct codes query = codes_of("ACGTTGCAACGTTAGCTTACGGATCA"), subject = codes_of("ACGTTGCAACGTTAGCCTTACGGATCA");
    const struct base_pair pair = pair_of(&query, &subject);
    struct base_box box;
    int q = 2, s = 2;
    (void)state;

    set_scores(2, -3);
    assert_int_equal(base_gapped_score(&ws, &costs, &pair, 16, &q, &s, &box), TMS_OK);
    assert_true(box.query == 0 && box.query_end == 26 && box.subject == 0 && box.subject_end == 27);
    assert_int_equal(box.score, 2 * 26 - 7);
    gapped_workspace_free(&ws);
    free(query.memory);
    free(subject.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce), cmocka_unit_test(test_reduce_fills),    cmocka_unit_test(test_rescore),
        cmocka_unit_test(test_gaps),   cmocka_unit_test(test_rescore_by_hand), cmocka_unit_test(test_identities),
        cmocka_unit_test(test_start),  cmocka_unit_test(test_gapped_score),    cmocka_unit_test(test_gapped_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
