/*
 * two_hit_core.h - one diagonal of a query and a subject, walked along from end to end: for the GPU, and for the tests that compare it
 * with two_hit_scan(), which walks along the subject.
 */
#ifndef TMS_TWO_HIT_CORE_H
#define TMS_TWO_HIT_CORE_H

#include "extend/ungapped_core.h"

struct two_hit_diagonal {
    struct ungapped_pair pair;
    const uint8_t *has_word;          /* of each letter of the query: 1, a word of the table begins there */
    int word_size, threshold, window; /* as in neighbours_rules and two_hit_queries; the window is not 0 */
    int query, subject;               /* where the diagonal begins; one of them is 0 */
};

/* How far it has got. */
struct two_hit_walk {
    int at, end;   /* words that are still to be looked at; 0 is where the diagonal begins */
    int score;     /* of the word at `at` */
    int last;      /* the hit before */
    int is_inside; /* 1: last is the end of an extension */
};

TMS_HD static inline int two_hit_word_score(const struct two_hit_diagonal *d, int at)
{
    int score = 0;

    for (int i = 0; i < d->word_size; i++)
        score += ungapped_score(&d->pair, d->query + at + i, d->subject + at + i);
    return score;
}

/* How many words there are. */
TMS_HD static inline int two_hit_n_words(const struct two_hit_diagonal *d)
{
    int query = d->pair.query_length - d->query, subject = d->pair.subject_length - d->subject;

    return (query < subject ? query : subject) - d->word_size + 1;
}

TMS_HD static inline struct two_hit_walk two_hit_begin(const struct two_hit_diagonal *d)
{
    struct two_hit_walk walk = {0, two_hit_n_words(d), 0, -d->window, 0};

    if (walk.end > 0)
        walk.score = two_hit_word_score(d, 0);
    return walk;
}

/* Do the words at `at` hit each other? A word of the query whose own score is too low is hit by itself alone. */
TMS_HD static inline int two_hit_is_hit(const struct two_hit_diagonal *d, int at, int score)
{
    int is_same = 1;

    if (!d->has_word[d->query + at])
        return 0;
    if (d->threshold > 0 && score >= d->threshold)
        return 1;
    for (int i = 0; i < d->word_size; i++)
        is_same &= d->pair.query[d->query + at + i] == d->pair.subject[d->subject + at + i];
    return is_same;
}

/* two_hit_next() - goes on to the next extension. Returns 1, or 0 at the end of the diagonal. */
TMS_HD static inline int two_hit_next(const struct two_hit_diagonal *d, struct two_hit_walk *walk, struct ungapped_hsp *out)
{
    while (walk->at < walk->end) {
        int at = walk->at++, score = walk->score, distance = at - walk->last;
        struct ungapped_result r;
        if (walk->at < walk->end)
            walk->score += ungapped_score(&d->pair, d->query + at + d->word_size, d->subject + at + d->word_size) -
                           ungapped_score(&d->pair, d->query + at, d->subject + at);
        if (!two_hit_is_hit(d, at, score))
            continue;
        if (distance >= (walk->is_inside ? 0 : d->window)) {
            walk->last = at;
            walk->is_inside = 0;
            continue;
        }
        if (walk->is_inside || distance < d->word_size)
            continue;
        r = ungapped_two_hits(&d->pair, d->query + at, d->subject + at, d->subject + walk->last, d->word_size);
        walk->is_inside = r.went_right;
        walk->last = r.went_right ? r.stopped - (d->word_size - 1) - d->subject : at;
        *out = r.hsp;
        return 1;
    }
    return 0;
}

#endif
