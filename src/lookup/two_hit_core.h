/*
 * two_hit_core.h - applies the two-hit rule along one diagonal of a query and a subject. For the GPU, for the part of a diagonal near a
 * candidate on the CPU (two_hit_sieve.c), and for the tests that compare it with two_hit_scan(), which goes along the subject.
 */
#ifndef TMS_TWO_HIT_CORE_H
#define TMS_TWO_HIT_CORE_H

#include "extend/ungapped_core.h"

struct two_hit_diagonal {
    struct ungapped_pair pair;
    const int *word_scores;           /* [RESIDUE_CODES * query's code + subject's code] scores of residues in words; codes or groups */
    const uint8_t *letter_of;         /* the letter of each code; NULL: letters are codes */
    const uint8_t *has_word;          /* for each residue of the query: 1 if a word of the table begins there */
    int word_size, threshold, window; /* same as in word_lookup_rules and two_hit_queries; the window is above 0 */
    int query, subject;               /* where the diagonal begins; one of the two is 0 */
};

/* The two-hit rule's memory of a diagonal. Positions count from any origin on the diagonal that makes them 0 or more. */
struct two_hit_state {
    int last;      /* position of the last hit */
    int is_inside; /* 1: last is the end of an extension */
};

TMS_HD static inline struct two_hit_state two_hit_start(int window)
{
    struct two_hit_state state = {-window, 0};

    return state;
}

/*
 * two_hit_meets() - applies the rule to the next hit, at position `at`. Returns 1 if an extension begins there; the caller then passes the
 * extension to two_hit_extended().
 */
TMS_HD static inline int two_hit_meets(struct two_hit_state *state, int at, int word_size, int window)
{
    int distance = at - state->last;

    if (distance >= (state->is_inside ? 0 : window)) {
        state->last = at;
        state->is_inside = 0;
        return 0;
    }
    return !state->is_inside && distance >= word_size;
}

/* Adds `shift` to positions of r to obtain positions of the state. */
TMS_HD static inline void two_hit_extended(struct two_hit_state *state, int at, const struct ungapped_result *r, int shift, int word_size)
{
    state->is_inside = r->went_right;
    state->last = r->went_right ? r->stopped - (word_size - 1) + shift : at;
}

/* How far the diagonal has been processed. */
struct two_hit_walk {
    int at, end; /* words at .. end - 1 remain; position 0 is where the diagonal begins */
    int score;   /* score of the word at `at` */
    struct two_hit_state state;
};

/* The part of a word's score that the residues at `at` contribute. */
TMS_HD static inline int two_hit_residue_score(const struct two_hit_diagonal *d, int at)
{
    return d->word_scores[RESIDUE_CODES * d->pair.query[d->query + at] + d->pair.subject[d->subject + at]];
}

TMS_HD static inline int two_hit_word_score(const struct two_hit_diagonal *d, int at)
{
    int score = 0;

    for (int i = 0; i < d->word_size; i++)
        score += two_hit_residue_score(d, at + i);
    return score;
}

/* Number of words on the diagonal. */
TMS_HD static inline int two_hit_n_words(const struct two_hit_diagonal *d)
{
    int query = d->pair.query_length - d->query, subject = d->pair.subject_length - d->subject;

    return (query < subject ? query : subject) - d->word_size + 1;
}

TMS_HD static inline struct two_hit_walk two_hit_begin(const struct two_hit_diagonal *d)
{
    struct two_hit_walk walk = {0, two_hit_n_words(d), 0, two_hit_start(d->window)};

    if (walk.end > 0)
        walk.score = two_hit_word_score(d, 0);
    return walk;
}

/* Whether the words at `at` hit each other. A query's word whose score against itself is too low is hit only by an equal word. */
TMS_HD static inline int two_hit_is_hit(const struct two_hit_diagonal *d, int at, int score)
{
    if (!d->has_word[d->query + at])
        return 0;
    if (d->threshold > 0 && score >= d->threshold)
        return 1;
    for (int i = 0; i < d->word_size; i++) {
        const uint8_t query = d->pair.query[d->query + at + i], subject = d->pair.subject[d->subject + at + i];
        if (d->letter_of == NULL ? query != subject : d->letter_of[query] != d->letter_of[subject])
            return 0;
    }
    return 1;
}

/* two_hit_next() - finds the next extension on the diagonal. Returns 1, or 0 at the end of the diagonal. */
TMS_HD static inline int two_hit_next(const struct two_hit_diagonal *d, struct two_hit_walk *walk, struct ungapped_hsp *out)
{
    while (walk->at < walk->end) {
        int at = walk->at++, score = walk->score, last = walk->state.last;
        struct ungapped_result r;
        if (walk->at < walk->end)
            walk->score += two_hit_residue_score(d, at + d->word_size) - two_hit_residue_score(d, at);
        if (!two_hit_is_hit(d, at, score) || !two_hit_meets(&walk->state, at, d->word_size, d->window))
            continue;
        r = ungapped_two_hits(&d->pair, d->query + at, d->subject + at, d->subject + last, d->word_size);
        two_hit_extended(&walk->state, at, &r, -d->subject, d->word_size);
        *out = r.hsp;
        return 1;
    }
    return 0;
}

#endif
