/* base_words.c - see base_words.h. */
#include "lookup/base_words.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_LIMIT = 32768 /* positions and overflow entries that a small table can express */ };

/* The table that NCBI's program chooses for about n_entries positions. */
struct choice {
    int word_size;     /* for words of this size; 13 also for longer ones */
    int64_t n_entries; /* for fewer entries */
    int width;
    enum base_words_kind kind;
};

static const struct choice choices[] = {
    {4, INT64_MAX, 4, BASE_WORDS_SMALL},   {5, INT64_MAX, 5, BASE_WORDS_SMALL},   {6, INT64_MAX, 6, BASE_WORDS_SMALL},
    {7, 250, 6, BASE_WORDS_SMALL},         {7, INT64_MAX, 7, BASE_WORDS_SMALL},   {8, 8500, 7, BASE_WORDS_SMALL},
    {8, INT64_MAX, 8, BASE_WORDS_SMALL},   {9, 1250, 7, BASE_WORDS_SMALL},        {9, 21000, 8, BASE_WORDS_SMALL},
    {9, INT64_MAX, 9, BASE_WORDS_LARGE},   {10, 1250, 7, BASE_WORDS_SMALL},       {10, 8500, 8, BASE_WORDS_SMALL},
    {10, 18000, 9, BASE_WORDS_LARGE},      {10, INT64_MAX, 10, BASE_WORDS_LARGE}, {11, 12000, 8, BASE_WORDS_SMALL},
    {11, 180000, 10, BASE_WORDS_LARGE},    {11, INT64_MAX, 11, BASE_WORDS_LARGE}, {12, 8500, 8, BASE_WORDS_SMALL},
    {12, 18000, 9, BASE_WORDS_LARGE},      {12, 60000, 10, BASE_WORDS_LARGE},     {12, 900000, 11, BASE_WORDS_LARGE},
    {12, INT64_MAX, 12, BASE_WORDS_LARGE}, {13, 8500, 8, BASE_WORDS_SMALL},       {13, 300000, 11, BASE_WORDS_LARGE},
    {13, INT64_MAX, 12, BASE_WORDS_LARGE}};

static const struct choice *choose(int word_size, int64_t n_entries)
{
    const int size = word_size < 13 ? word_size : 13;
    const struct choice *c = choices;

    while (c->word_size != size || n_entries >= c->n_entries)
        c++;
    return c;
}

static void set_template(const char *bits, struct base_words *out)
{
    const int span = (int)strlen(bits);
    int n_after = 0; /* ones to the right of the current bit */

    out->kind = BASE_WORDS_TEMPLATE;
    out->span = out->word_size = span;
    out->stride = 1;
    for (int i = span - 1; i >= 0; i--) {
        const int at = 2 * (span - 1 - i);
        if (bits[i] != '1')
            continue;
        if (i == span - 1 || bits[i + 1] != '1')
            out->runs[out->n_runs++] = (struct base_template_run){0, at - 2 * n_after};
        out->runs[out->n_runs - 1].mask |= (uint64_t)3 << at;
        n_after++;
    }
    out->width = n_after;
}

/* Entries that NCBI's program expects from the lengths of the segments. */
static int64_t estimate(const struct residue_range *segments, size_t n)
{
    int64_t entries = 0;

    for (size_t i = 0; i < n; i++)
        entries += segments[i].end - 1 - segments[i].first;
    return entries;
}

/* --- the walk over words --- */

/*
 * Words are first sorted into parts by their top bits, so that what counting and placing write to at random lies in a processor's own
 * cache. A table of few words has one part.
 */
enum { PART_BITS = 16 /* of a word in a part */, MOST_PARTS = 1 << 8 };

struct placed_word {
    uint32_t word;
    int32_t position;
};

struct sorting {
    int shift;                     /* of a word, to the number of its part */
    size_t starts[MOST_PARTS + 1]; /* of parts: the first item; while items are put, the next one */
    struct placed_word *items;
};

/* What the walk does with each word. */
typedef void take_word(struct base_words *w, struct sorting *sorting, uint32_t word, int position);

static inline __attribute__((always_inline)) void walk_segment(struct base_words *w, struct sorting *sorting, const uint8_t *codes,
                                                               struct residue_range segment, take_word *take)
{
    const uint64_t mask = w->span < 32 ? ((uint64_t)1 << 2 * w->span) - 1 : ~(uint64_t)0;
    uint64_t bases = 0;
    int n = 0; /* bases in a row that are not ambiguous */

    for (int p = segment.first; p < segment.end; p++) {
        n = codes[p] < 4 ? n + 1 : 0;
        bases = (bases << 2 | (codes[p] & 3)) & mask;
        if (n >= w->span)
            take(w, sorting, base_words_word(w, bases << (64 - 2 * w->span)), p - w->span + 1);
    }
}

static bool is_too_short(const struct base_words *w, struct residue_range segment)
{
    return w->kind != BASE_WORDS_TEMPLATE && segment.end - segment.first < w->word_size;
}

static inline __attribute__((always_inline)) void walk(struct base_words *w, struct sorting *sorting, const uint8_t *codes,
                                                       const struct residue_range *segments, size_t n, take_word *take)
{
    for (size_t i = 0; i < n; i++)
        if (!is_too_short(w, segments[i]))
            walk_segment(w, sorting, codes, segments[i], take);
}

static void count(struct base_words *w, struct sorting *sorting, uint32_t word, int position)
{
    w->indexed[position >> 6] |= (uint64_t)1 << (position & 63);
    sorting->starts[(word >> sorting->shift) + 1]++;
}

static void put(struct base_words *w, struct sorting *sorting, uint32_t word, int position)
{
    (void)w;
    sorting->items[sorting->starts[word >> sorting->shift]++] = (struct placed_word){word, position};
}

/* --- the table --- */

static size_t n_words(const struct base_words *w) { return (size_t)1 << 2 * w->width; }

/* Sorts all words into parts. Afterwards part i ends at starts[i], where part i + 1 begins. */
static tms_status sort_words(struct base_words *w, const struct base_strands *strands, const struct residue_range *segments, size_t n,
                             struct sorting *sorting)
{
    w->indexed = calloc((size_t)strands->queries.n / 64 + 2, sizeof *w->indexed);
    if (w->indexed == NULL)
        return TMS_E_MEMORY;
    sorting->shift = 2 * w->width > PART_BITS ? PART_BITS : 2 * w->width;
    walk(w, sorting, strands->queries.codes, segments, n, count);
    for (int i = 1; i <= MOST_PARTS; i++)
        sorting->starts[i] += sorting->starts[i - 1];
    w->n_positions = sorting->starts[MOST_PARTS];
    sorting->items = malloc((w->n_positions + 1) * sizeof *sorting->items);
    if (sorting->items == NULL)
        return TMS_E_MEMORY;
    walk(w, sorting, strands->queries.codes, segments, n, put);
    return TMS_OK;
}

/* Adds the words first .. end - 1 of the sorted ones, a part whose words begin at `word`, to the table. */
static void add_part(struct base_words *w, const struct placed_word *items, size_t first, size_t end, size_t word, size_t n)
{
    uint32_t *starts = w->starts + word + 1, at = (uint32_t)first; /* starts[k] belongs to word + k + 1, and is used as a cursor first */
    const bool descends = w->kind == BASE_WORDS_LARGE || w->kind == BASE_WORDS_TEMPLATE;

    for (size_t i = first; i < end; i++) {
        w->present[items[i].word >> 6] |= (uint64_t)1 << (items[i].word & 63);
        starts[items[i].word - word]++;
    }
    for (size_t k = 0; k < n; k++) { /* now where the positions of word + k begin, or with descending ones end */
        const uint32_t n_here = starts[k];
        starts[k] = descends ? at + n_here : at;
        at += n_here;
    }
    for (size_t i = first; i < end; i++) {
        uint32_t *cursor = &starts[items[i].word - word];
        w->positions[descends ? --*cursor : (*cursor)++] = items[i].position;
    }
    if (descends) { /* each cursor is at the beginning of its word, and its place is that of the end */
        memmove(starts, starts + 1, (n - 1) * sizeof *starts);
        starts[n - 1] = (uint32_t)end;
    }
}

static tms_status place_words(struct base_words *w, const struct sorting *sorting)
{
    const size_t n_in_part = (size_t)1 << sorting->shift;

    w->present = calloc((n_words(w) + 63) / 64, sizeof *w->present);
    w->starts = calloc(n_words(w) + 1, sizeof *w->starts);
    w->positions = malloc((w->n_positions + 1) * sizeof *w->positions);
    if (w->present == NULL || w->starts == NULL || w->positions == NULL)
        return TMS_E_MEMORY;
    for (size_t part = 0; part * n_in_part < n_words(w); part++)
        add_part(w, sorting->items, part > 0 ? sorting->starts[part - 1] : 0, sorting->starts[part], part * n_in_part, n_in_part);
    return TMS_OK;
}

/* Whether a small table has no room for the words. */
static bool exceeds_small(const struct base_words *w, int64_t n_entries, int last)
{
    int64_t n_overflow = 2;

    for (size_t word = 0; word < n_words(w); word++) {
        const uint32_t n = w->starts[word + 1] - w->starts[word];
        n_overflow += n > 1 ? (int64_t)n + 1 : 0;
    }
    return n_entries >= SMALL_LIMIT - 1 || last >= SMALL_LIMIT || n_overflow >= SMALL_LIMIT;
}

tms_status base_words_build(const struct base_words_rules *rules, const struct base_strands *strands, const struct residue_range *segments,
                            size_t n_segments, struct base_words *out)
{
    const int64_t n_entries = estimate(segments, n_segments);
    struct sorting sorting = {0};
    int last = 0;
    tms_status status;

    memset(out, 0, sizeof *out);
    if (rules->bits != NULL) {
        set_template(rules->bits, out);
    } else {
        const struct choice *c = choose(rules->word_size, n_entries);
        out->kind = c->kind;
        out->word_size = rules->word_size;
        out->width = out->span = c->width;
        out->stride = rules->word_size - c->width + 1;
    }
    status = sort_words(out, strands, segments, n_segments, &sorting);
    if (status == TMS_OK)
        status = place_words(out, &sorting);
    free(sorting.items);
    for (size_t i = 0; i < n_segments; i++)
        last = segments[i].end - 1 > last ? segments[i].end - 1 : last;
    if (status == TMS_OK && out->kind == BASE_WORDS_SMALL && exceeds_small(out, n_entries, last))
        out->kind = BASE_WORDS_STANDARD;
    return status;
}

void base_words_free(struct base_words *words)
{
    free(words->present);
    free(words->starts);
    free(words->positions);
    free(words->indexed);
    memset(words, 0, sizeof *words);
}
