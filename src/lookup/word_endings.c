/* word_endings.c - see word_endings.h. */
#include "lookup/word_endings.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base.h"

enum {
    AT_ONCE = WORD_ENDINGS_AT_ONCE,
    A_LIST = 32, /* elements of a list of usual length */
    AHEAD = 16,  /* beginnings whose endings are read ahead */
    LEAST_FOUND = 1024
};

bool word_endings_init(const struct word_lookup_ranks *ranks, uint32_t radix, int n_letters, struct word_endings *out)
{
    size_t n = 1;

    for (int i = 0; i < n_letters; i++)
        n *= radix;
    *out = (struct word_endings){.ranks = ranks, .radix = radix, .n_letters = n_letters};
    out->words = malloc(n * sizeof *out->words);
    out->scores = malloc(n * sizeof *out->scores);
    return out->words != NULL && out->scores != NULL;
}

void word_endings_free(struct word_endings *e)
{
    memory_free(e->similar, e->capacity * sizeof *e->similar);
    free(e->words);
    free(e->scores);
    free(e->n_better);
    memset(e, 0, sizeof *e);
}

/* Makes room for n elements. */
static bool reserve(struct word_endings *e, size_t n)
{
    const size_t capacity = array_capacity(e->capacity, 1, n);
    struct similar_endings *larger;

    if (n <= e->capacity)
        return true;
    larger = memory_alloc_zeroed(capacity * sizeof *larger);
    if (larger == NULL)
        return false;
    if (e->n > 0)
        memcpy(larger, e->similar, e->n * sizeof *larger);
    memory_free(e->similar, e->capacity * sizeof *e->similar);
    e->similar = larger;
    e->capacity = capacity;
    return true;
}

bool word_endings_expect(struct word_endings *e, size_t n_lists) { return reserve(e, A_LIST * n_lists); }

int word_endings_best(const struct word_lookup_ranks *ranks, const uint8_t *codes, int n)
{
    int best = 0;

    for (int i = 0; i < n; i++)
        best += ranks[codes[i]].scores[0];
    return best;
}

/* Lists words that begin with those letters which `word` has, and go on with n more. */
static void list(struct word_endings *e, const uint8_t *codes, int n, uint32_t word, int score, int least)
{
    const struct word_lookup_ranks *row = &e->ranks[codes[0]];
    const int best_after = word_endings_best(e->ranks, codes + 1, n - 1);

    for (int k = 0; k < row->n && score + row->scores[k] + best_after >= least; k++) {
        const uint32_t longer = word * e->radix + row->letters[k];
        if (n > 1) {
            list(e, codes + 1, n - 1, longer, score + row->scores[k], least);
        } else {
            e->words[e->n_listed] = (uint16_t)longer;
            e->scores[e->n_listed++] = (int16_t)(score + row->scores[k]);
        }
    }
}

/* Writes the list in its order: sorts by counting. */
static void sort(const struct word_endings *e, int best, size_t n_scores, struct similar_endings *to)
{
    const size_t end = (e->n_listed / AT_ONCE + 1) * AT_ONCE;

    memset(e->n_better, 0, n_scores * sizeof *e->n_better);
    for (size_t i = 0; i < e->n_listed; i++)
        e->n_better[best - e->scores[i] + 1]++;
    for (size_t i = 1; i < n_scores; i++)
        e->n_better[i] += e->n_better[i - 1];
    for (size_t i = 0; i < e->n_listed; i++) {
        const uint32_t at = e->n_better[best - e->scores[i]]++;
        to[at / AT_ONCE].words[at % AT_ONCE] = e->words[i];
        to[at / AT_ONCE].scores[at % AT_ONCE] = e->scores[i];
    }
    for (size_t at = e->n_listed; at < end; at++) {
        to[at / AT_ONCE].words[at % AT_ONCE] = 0;
        to[at / AT_ONCE].scores[at % AT_ONCE] = INT16_MIN;
    }
}

bool word_endings_add(struct word_endings *e, const uint8_t *codes, int least)
{
    const int best = word_endings_best(e->ranks, codes, e->n_letters), worst = best < least ? best : least;
    const size_t n_scores = (size_t)(best - worst) + 2;

    e->n_listed = 0;
    list(e, codes, e->n_letters, 0, 0, least);
    if (!array_reserve(&e->n_better, &e->n_better_capacity, n_scores, sizeof *e->n_better) || !reserve(e, e->n + e->n_listed / AT_ONCE + 1))
        return false;
    sort(e, best, n_scores, e->similar + e->n);
    e->n += e->n_listed / AT_ONCE + 1;
    return true;
}

bool word_endings_add_own(struct word_endings *e, uint16_t word)
{
    struct similar_endings *to;

    if (!reserve(e, e->n + 1))
        return false;
    to = &e->similar[e->n++];
    for (int i = 0; i < AT_ONCE; i++) {
        to->words[i] = i == 0 ? word : 0;
        to->scores[i] = i == 0 ? INT16_MAX : INT16_MIN;
    }
    return true;
}

typedef int16_t score_lanes __attribute__((vector_size(AT_ONCE)));
typedef uint16_t short_lanes __attribute__((vector_size(2 * AT_ONCE)));
typedef int32_t position_lanes __attribute__((vector_size(4 * AT_ONCE)));

/* Makes room for at least AT_ONCE more. */
static bool enlarge(struct words_found *f, bool short_positions)
{
    const size_t capacity = 2 * f->capacity + LEAST_FOUND;
    uint16_t *words = realloc(f->words, capacity * sizeof *words);
    void *positions = short_positions ? realloc(f->positions16, capacity * sizeof *f->positions16)
                                      : realloc(f->positions32, capacity * sizeof *f->positions32);

    if (words != NULL)
        f->words = words;
    if (positions != NULL && short_positions)
        f->positions16 = positions;
    else if (positions != NULL)
        f->positions32 = positions;
    if (words == NULL || positions == NULL)
        return false;
    f->capacity = capacity;
    return true;
}

/* How many of AT_ONCE scores are `wanted` or more. */
static inline size_t count_scores(const int16_t *scores, int wanted)
{
    score_lanes low, high;
    uint64_t two[2];

    memcpy(&low, scores, sizeof low);
    memcpy(&high, scores + AT_ONCE / 2, sizeof high);
    low = (score_lanes){0} - (low >= (int16_t)wanted) - (high >= (int16_t)wanted);
    memcpy(two, &low, sizeof two);
    return (size_t)((two[0] + two[1]) * 0x0001000100010001 >> 48);
}

/* Adds the endings of a beginning that score enough. Mostly there are few, so that few branches depend on their number. Returns false if
 * there is no memory. */
static inline bool add_endings(const struct similar_endings *similar, const struct word_beginning *beginning, bool short_positions,
                               struct words_found *f)
{
    const short_lanes short_position = (short_lanes){0} + (uint16_t)beginning->position;
    const position_lanes position = (position_lanes){0} + beginning->position;
    size_t n;

    do {
        if (f->n + AT_ONCE > f->capacity && !enlarge(f, short_positions))
            return false;
        memcpy(f->words + f->n, similar->words, sizeof similar->words);
        if (short_positions)
            memcpy(f->positions16 + f->n, &short_position, sizeof short_position);
        else
            memcpy(f->positions32 + f->n, &position, sizeof position);
        n = count_scores(similar->scores, beginning->wanted);
        f->n += n;
        similar++;
    } while (n == AT_ONCE);
    return true;
}

bool word_endings_find(const struct word_endings *e, const struct word_beginning *of, size_t n, bool short_positions,
                       struct words_found *out)
{
    struct words_found found = *out; /* a copy, because the compiler cannot know that words and positions are not in *out */
    bool done = true;

    found.n = 0;
    for (size_t i = 0; i < n && done; i++) {
        __builtin_prefetch(&e->similar[of[i + AHEAD < n ? i + AHEAD : i].ending]);
        done = add_endings(&e->similar[of[i].ending], &of[i], short_positions, &found);
    }
    *out = found;
    return done;
}

void words_found_free(struct words_found *found)
{
    free(found->words);
    free(found->positions16);
    free(found->positions32);
    memset(found, 0, sizeof *found);
}
