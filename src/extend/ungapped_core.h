/*
 * ungapped_core.h - extending a hit along its diagonal, for the CPU and the GPU: one hit at a time.
 *
 * Sequences are NCBIstdaa codes with a byte before the first and after the last that is not read. Scores are rows of 28 by the query's
 * code. Offsets count from 0.
 */
#ifndef TMS_UNGAPPED_CORE_H
#define TMS_UNGAPPED_CORE_H

#include "alphabet/residues.h"
#include "base/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What two sequences are compared by. */
struct ungapped_pair {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code] */
    const uint8_t *query, *subject;
    int query_length, subject_length;
    int x_drop; /* an extension ends if its score falls this far below its best */
};

struct ungapped_hsp {
    int query, subject, length, score;
};

struct ungapped_result {
    struct ungapped_hsp hsp;
    int went_right; /* 1: it reached the first word, and was extended to the right too */
    int stopped;    /* the subject's offset where the right extension stopped */
};

TMS_HD static inline int ungapped_score(const struct ungapped_pair *p, int query, int subject)
{
    return p->scores[RESIDUE_CODES * p->query[query] + p->subject[subject]];
}

/* To the left of (query, subject), which are not included. Returns the score; *length: residues taken. */
TMS_HD static inline int ungapped_left(const struct ungapped_pair *p, int query, int subject, int score, int *length)
{
    int run = score, best = score;

    *length = 0;
    for (int i = 1; query - i >= 0 && subject - i >= 0; i++) {
        run += ungapped_score(p, query - i, subject - i);
        if (run > best) {
            best = run;
            *length = i;
        }
        if (best - run >= p->x_drop)
            break;
    }
    return best;
}

/* To the right from (query, subject) on. *stopped: residues that were looked at, without the last where the score had fallen. */
TMS_HD static inline int ungapped_right(const struct ungapped_pair *p, int query, int subject, int score, int *length, int *stopped)
{
    int run = score, best = score, i = 0;

    *length = 0;
    for (; query + i < p->query_length && subject + i < p->subject_length; i++) {
        run += ungapped_score(p, query + i, subject + i);
        if (run > best) {
            best = run;
            *length = i + 1;
        }
        if (run <= 0 || best - run >= p->x_drop)
            break;
    }
    *stopped = i;
    return best;
}

/* How many residues of a word at (query, subject) score best. */
TMS_HD static inline int ungapped_best_prefix(const struct ungapped_pair *p, int query, int subject, int word_size)
{
    int run = 0, best = 0, prefix = 0;

    for (int i = 0; i < word_size; i++) {
        run += ungapped_score(p, query + i, subject + i);
        if (run > best) {
            best = run;
            prefix = i + 1;
        }
    }
    return prefix;
}

/*
 * ungapped_two_hits() - a second word of word_size residues at (query, subject), on the diagonal of a first one that begins at the
 * subject's offset first. It is extended to the left from its best prefix, and to the right only if it gets as far as the first word's end.
 */
TMS_HD static inline struct ungapped_result ungapped_two_hits(const struct ungapped_pair *p, int query, int subject, int first,
                                                              int word_size)
{
    struct ungapped_result r;
    int best, prefix = ungapped_best_prefix(p, query, subject, word_size), left, right = 0, stopped = 0;

    query += prefix;
    subject += prefix;
    best = ungapped_left(p, query, subject, 0, &left);
    r.went_right = left >= subject - (first + word_size);
    if (r.went_right)
        best = ungapped_right(p, query, subject, best, &right, &stopped);
    r.stopped = subject + stopped;
    r.hsp.query = query - left;
    r.hsp.subject = subject - left;
    r.hsp.length = left + right;
    r.hsp.score = best;
    return r;
}

/* ungapped_one_hit() - a word by itself: from its best stretch to both sides. went_right is 1. */
TMS_HD static inline struct ungapped_result ungapped_one_hit(const struct ungapped_pair *p, int query, int subject, int word_size)
{
    struct ungapped_result r;
    int run = 0, best = 0, from = query, start = query, to = query + word_size, diagonal = subject - query, width, left, right, stopped;

    for (int i = query; i < query + word_size; i++) {
        run += ungapped_score(p, i, i + diagonal);
        if (run > best) {
            best = run;
            from = start;
            to = i;
        } else if (run <= 0) {
            run = 0;
            start = i + 1;
        }
    }
    width = to - start + 1; /* as BLAST has it: start may have moved since */
    best = ungapped_left(p, from, from + diagonal, best, &left);
    best = ungapped_right(p, to + 1, to + 1 + diagonal, best, &right, &stopped);
    r.went_right = 1;
    r.stopped = to + 1 + diagonal + stopped;
    r.hsp.query = from - left;
    r.hsp.subject = from + diagonal - left;
    r.hsp.length = left + right + width;
    r.hsp.score = best;
    return r;
}

#ifdef __cplusplus
}
#endif
#endif
