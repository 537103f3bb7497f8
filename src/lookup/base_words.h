/*
 * base_words.h - the lookup table of a group's words of bases: from a word to its positions in the strands of the queries.
 *
 * A word of the search may be longer than a word of the table: then the table has every position, a scan looks up one subject word for
 * each `stride` bases, and compares the bases around a hit (base_scan.c). Width, kind and order of positions are those of NCBI's program
 * for the same queries, because some results depend on them.
 *
 * A bitmap of present words stands in front: it is the sieve, and stays in a processor's own cache.
 */
#ifndef TMS_BASE_WORDS_H
#define TMS_BASE_WORDS_H

#include "lookup/base_strands.h"
#include "lookup/word_lookup.h"
#include "run/shared_task.h"

enum base_words_kind {
    BASE_WORDS_SMALL,    /* positions ascend; when a hit is extended to the whole word, codes are compared modulo 4 */
    BASE_WORDS_STANDARD, /* positions ascend */
    BASE_WORDS_LARGE,    /* positions descend */
    BASE_WORDS_TEMPLATE  /* positions descend; words are the bases under the ones of a template */
};

/* Which bases of a subject are a word. */
struct base_words_rules {
    int word_size;    /* bases of a word: 4 or more; with a template its ones, 11 or 12 */
    const char *bits; /* the template, as ones and zeros; NULL: bases in a row */
};

enum { BASE_TEMPLATE_RUNS = 10 };

struct base_words {
    enum base_words_kind kind;
    int word_size; /* bases of a whole word; with a template, those under it */
    int width;     /* bases of a word of the table */
    int span;      /* bases from the first to the last of a word of the table */
    int stride;
    uint64_t *present;  /* a bit for each of 4^width words */
    uint32_t *starts;   /* word w has positions[starts[w]] .. positions[starts[w + 1] - 1] */
    int32_t *positions; /* of the first bases of words */
    size_t n_positions;
    uint64_t *indexed; /* a bit for each position of the strands: does a word of the table begin there? */
    struct base_template_run {
        uint64_t mask;
        int shift;
    } runs[BASE_TEMPLATE_RUNS]; /* of the template's ones: (bits & mask) >> shift */
    int n_runs;
};

/*
 * base_words_build() - builds the table.
 *   segments [in] n_segments unmasked ranges of positions, ascending; a strand without any has one whose end is its first position
 *   tasks    [in] other threads help with a large table; NULL: none
 *   out      [out] freed with base_words_free(), also after a failure
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status base_words_build(const struct base_words_rules *rules, const struct base_strands *strands, const struct residue_range *segments,
                            size_t n_segments, struct shared_tasks *tasks, int thread, struct base_words *out);
void base_words_free(struct base_words *words); /* zeroed is fine */

/* base_words_is_indexed() - whether a word of the table begins at a position. */
static inline bool base_words_is_indexed(const struct base_words *w, int position)
{
    return (w->indexed[position >> 6] >> (position & 63) & 1) != 0;
}

/* base_words_has() - whether the table has a word. */
static inline bool base_words_has(const struct base_words *w, uint32_t word) { return (w->present[word >> 6] >> (word & 63) & 1) != 0; }

/* base_words_word() - the word whose first base is in the top bits of `bases`. */
static inline uint32_t base_words_word(const struct base_words *w, uint64_t bases)
{
    uint64_t under = bases >> (64 - 2 * w->span), word = 0;

    if (w->kind != BASE_WORDS_TEMPLATE)
        return (uint32_t)under;
    for (int i = 0; i < w->n_runs; i++)
        word |= (under & w->runs[i].mask) >> w->runs[i].shift;
    return (uint32_t)word;
}

#endif
