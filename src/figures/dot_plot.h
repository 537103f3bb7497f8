/*
 * dot_plot.h - a dot plot: exact matches between two sets of sequences, the subject from left to right and the query from bottom to top.
 *
 * Few matches are drawn as lines. Many become a grid of cells, each with the number of bases that match in it: DOT_PLOT_ROWS times at
 * most DOT_PLOT_COLUMNS cells, whatever the size of the sequences. A column stands for a power of two of the subject's bases; columns
 * are joined in pairs as the subject grows, so its size need not be known before.
 */
#ifndef TAMIS_DOT_PLOT_H
#define TAMIS_DOT_PLOT_H

#include <stdint.h>

#include "figures/picture.h"

enum {
    DOT_PLOT_ROWS = 1024,
    DOT_PLOT_COLUMNS = 2048, /* more than half of them are in use, unless the subject is shorter */
    DOT_PLOT_LINES = 10000,  /* matches drawn as lines, at most */
    DOT_PLOT_RECORDS = 16384 /* records of the subject whose borders are kept, at most: those that could be seen */
};

typedef struct dot_plot dot_plot;

/* A match, in bases from 0 through all records of each side. Bases of the query's plus strand. */
typedef struct dot_match {
    uint64_t subject, query, n_bases;
    int is_minus; /* the query's bases run from query + n_bases - 1 down */
} dot_match;

/* dot_plot_create() - without a sequence. Returns NULL if there is no memory. */
dot_plot *dot_plot_create(void);
void dot_plot_free(dot_plot *plot); /* NULL is fine */

/*
 * dot_plot_query(), dot_plot_subject() - the next record, in order. All of the query come before the first match, and a record of the
 * subject, or a part of it, before a match in it.
 *   name    [in] copied
 *   n_bases [in] of the record, or of its part
 * dot_plot_query_more(), dot_plot_subject_more() - further bases of the last record.
 * They return 0 if there is no memory.
 */
int dot_plot_query(dot_plot *plot, const char *name, uint64_t n_bases);
int dot_plot_subject(dot_plot *plot, const char *name, uint64_t n_bases);
void dot_plot_query_more(dot_plot *plot, uint64_t n_bases);
void dot_plot_subject_more(dot_plot *plot, uint64_t n_bases);

/* dot_plot_reserve() - matches may end at any base before `end` of the subject, from now on. No match is added meanwhile. */
void dot_plot_reserve(dot_plot *plot, uint64_t end);

/* dot_plot_add() - a match; from any thread. The plot does not depend on the order of matches. */
void dot_plot_add(dot_plot *plot, const dot_match *match);

/* What the plot says about itself. */
typedef struct dot_plot_facts {
    uint64_t n_query, n_subject; /* records */
    uint64_t query_bases, subject_bases;
    uint64_t n_matches[2]; /* forward, reverse */
    uint64_t n_bases[2];   /* of them together */
    uint64_t longest[2];
    int is_density; /* cells instead of lines */
} dot_plot_facts;

void dot_plot_get_facts(const dot_plot *plot, dot_plot_facts *out);

/*
 * dot_plot_draw() - the picture, freed with picture_free().
 *   query, subject [in] names of the two sides: files or databases
 *   least          [in] bases of the shortest match that was added
 * Returns NULL if there is no memory.
 */
picture *dot_plot_draw(dot_plot *plot, const char *query, const char *subject, uint64_t least);

#endif
