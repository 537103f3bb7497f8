/*
 * ungapped_core.h - extends one hit along its diagonal, on the CPU and on the GPU.
 *
 * Sequences are NCBIstdaa codes, with a byte before the first and after the last one that is not read. Scores are rows of RESIDUE_CODES by
 * the query's code. Offsets count from 0.
 */
#ifndef TMS_UNGAPPED_CORE_H
#define TMS_UNGAPPED_CORE_H

#include "alphabet/residues.h"
#include "base/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two sequences and their scores. */
struct ungapped_pair {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code] */
    const uint8_t *query, *subject;
    int query_length, subject_length;
    int x_drop; /* an extension ends when its score falls this far below its best */
};

struct ungapped_hsp {
    int query, subject, length, score;
};

struct ungapped_result {
    struct ungapped_hsp hsp;
    int went_right; /* 1: the left extension reached the first word, so the hit was also extended to the right */
    int stopped;    /* the subject's offset where the right extension stopped */
};

TMS_HD static inline int ungapped_score(const struct ungapped_pair *p, int query, int subject)
{
    return p->scores[RESIDUE_CODES * p->query[query] + p->subject[subject]];
}

/* Extends to the left of (query, subject), which is not included. Returns the score; *length: residues taken. */
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

/* Extends to the right from (query, subject) on. *stopped: residues looked at, without the last one, where the score had fallen. */
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

/* Number of residues of the word at (query, subject) up to the best score. */
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
 * ungapped_two_hits() - extends a second word of word_size residues at (query, subject), on the diagonal of a first word at the subject's
 * offset `first`: to the left from the second word's best prefix, and to the right only if the left extension reaches the end of the first
 * word.
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

/* ungapped_one_hit() - extends a word by itself from its best stretch to both sides. went_right is 1. */
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
    width = to - start + 1; /* as in BLAST: start may have moved since */
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
