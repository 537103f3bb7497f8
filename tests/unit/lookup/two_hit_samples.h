/* two_hit_samples.h - queries and subjects for tests of the two-hit scan. */
#ifndef TAMIS_TESTS_TWO_HIT_SAMPLES_H
#define TAMIS_TESTS_TWO_HIT_SAMPLES_H

#include "unit/samples.h"

#include "lookup/two_hit.h"
#include "score/matrix.h"
#include "score/reduced_alphabet.h"

enum { MOST_QUERIES = 12, MOST_RESIDUES = 40000 };

static int scores[RESIDUE_CODES * RESIDUE_CODES];
static struct reduced_alphabet groups;
static uint8_t query_codes[MOST_QUERIES][3002], subject_codes[MOST_RESIDUES + 2];

struct sample {
    struct two_hit_query items[MOST_QUERIES];
    struct word_lookup_query words[MOST_QUERIES];
    struct residue_range ranges[MOST_QUERIES];
    size_t n;
    int n_positions;
};

enum kind { USUAL, ODD, ONE_RESIDUE, REPEATS, QUIET };

static inline uint8_t usual_residue(sample_random *r)
{
    static const uint8_t usual[] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22};
    return usual[random_next(r) % sizeof usual];
}

static inline void fill(sample_random *r, enum kind kind, uint8_t *codes, int n)
{
    int period = 1 + (int)(random_next(r) % 20);
    codes[-1] = codes[n] = 0;
    for (int i = 0; i < n; i++) {
        codes[i] = usual_residue(r);
        if (kind == ODD)
            codes[i] = (uint8_t)(1 + random_next(r) % (RESIDUE_CODES - 1));
        else if (kind == ONE_RESIDUE)
            codes[i] = 20;
        else if (kind == REPEATS && i >= period && random_next(r) % 8 != 0)
            codes[i] = codes[i - period];
    }
}

static inline void make_queries(sample_random *r, enum kind kind, int length, int x_drop, int cutoff, struct sample *out)
{
    memset(out, 0, sizeof *out);
    out->n = 1 + random_next(r) % MOST_QUERIES;
    for (size_t q = 0; q < out->n; q++) {
        int n = 1 + (int)(random_next(r) % (uint64_t)length);
        uint8_t *codes = query_codes[q] + 1;
        fill(r, kind, codes, n);
        out->ranges[q] = (struct residue_range){0, n};
        out->words[q] = (struct word_lookup_query){codes, &out->ranges[q], 1, out->n_positions};
        out->items[q] = (struct two_hit_query){codes, n, x_drop, cutoff, out->n_positions};
        out->n_positions += n + 1;
    }
}

/* Copies n residues, of which two of three score a little against their origin: long alignments, but no words in them hit. */
static inline void copy_quietly(sample_random *r, const uint8_t *from, int n, uint8_t *codes)
{
    for (int i = 0; i < n; i++) {
        const int *row = &scores[RESIDUE_CODES * from[i]];
        codes[i] = from[i];
        while (i % 3 != 0 && (row[codes[i]] < -2 || row[codes[i]] > 0))
            codes[i] = usual_residue(r);
    }
}

/* Makes a subject that is like a query, with stretches that are the query's in between. */
static inline void make_quiet_subject(sample_random *r, const struct two_hit_query *q, uint8_t *codes, int n)
{
    const int shift = (int)(random_next(r) % 20);
    for (int at = shift, run = 0; at < n && at - shift < q->length; at += run) {
        const int left = n - at < q->length - (at - shift) ? n - at : q->length - (at - shift);
        run = 6 + (int)(random_next(r) % 20);
        run = run < left ? run : left;
        memcpy(codes + at, q->codes + at - shift, (size_t)run);
        if (left - run > 0) {
            const int quiet = 1 + (int)(random_next(r) % 300), n_quiet = quiet < left - run ? quiet : left - run;
            copy_quietly(r, q->codes + at - shift + run, n_quiet, codes + at + run);
            run += n_quiet;
        }
    }
    codes[n] = 0;
}

/* Makes random residues with stretches of the queries, some of them changed. */
static inline int make_subject(sample_random *r, enum kind kind, const struct sample *queries, int length)
{
    int n = length > 0 ? length : 1 + (int)(random_next(r) % 600);
    uint8_t *codes = subject_codes + 1;
    fill(r, kind, codes, n);
    if (kind == QUIET)
        make_quiet_subject(r, &queries->items[random_next(r) % queries->n], codes, n);
    for (int at = 0; at < n && kind != QUIET; at += 50) {
        const struct two_hit_query *q = &queries->items[random_next(r) % queries->n];
        int from = (int)(random_next(r) % (uint64_t)q->length);
        for (int i = 0; i < 45 && at + i < n && from + i < q->length; i++)
            if (random_next(r) % 3 != 0)
                codes[at + i] = q->codes[from + i];
    }
    return n;
}

/* Prepares a scan; queries already has scores and the window. The caller frees words and diagonals. */
static inline void prepare(const struct word_lookup_rules *rules, const struct sample *sample, struct word_lookup *words,
                           struct two_hit_queries *queries, struct two_hit_diagonals *diagonals)
{
    queries->words = words;
    queries->items = sample->items;
    queries->n = sample->n;
    assert_int_equal(word_lookup_build(rules, sample->words, sample->n, sample->n_positions, NULL, 0, words), TMS_OK);
    assert_int_equal(two_hit_diagonals_init(sample->n_positions, queries->window, diagonals), TMS_OK);
}

static inline void read_scores(void)
{
    const struct score_matrix *matrix = score_matrix_find("BLOSUM62");
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            scores[i * RESIDUE_CODES + j] = matrix->scores[i][j];
}

/* threshold [in] for scores of codes, whether words are of codes or of groups. Uses the scores of read_scores(). */
static inline struct word_lookup_rules sample_rules(int word_size, int threshold)
{
    if (word_size < REDUCED_SHORTEST)
        return (struct word_lookup_rules){word_size, threshold, RESIDUE_CODES, NULL, scores};
    assert_true(reduced_alphabet_init(score_matrix_find("BLOSUM62"), word_size, &groups));
    return (struct word_lookup_rules){word_size, REDUCED_SCALE * threshold, groups.n_groups, groups.group_of, groups.scores};
}

/* A total order of HSPs. */
static inline int compare_hsps(const void *a, const void *b) { return memcmp(a, b, sizeof(struct two_hit_hsp)); }

static inline void assert_same_hsp(const struct two_hit_hsp *got, const struct two_hit_hsp *want)
{
    assert_int_equal(got->query, want->query);
    assert_int_equal(got->hsp.query, want->hsp.query);
    assert_int_equal(got->hsp.subject, want->hsp.subject);
    assert_int_equal(got->hsp.length, want->hsp.length);
    assert_int_equal(got->hsp.score, want->hsp.score);
}

#endif
