/* base_words.c - see base_words.h. */
#include "lookup/base_words.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/lesser.h"

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
 * Positions are first sorted into parts by the top bits of their words, so that what counting and placing write to at random lies in a
 * processor's own cache. A table of few words has one part. Threads share the slices of positions that are sorted, then the parts.
 */
enum { PART_BITS = 16 /* of a word in a part */, MOST_PARTS = 1 << 8, SLICE_POSITIONS = 1 << 18 /* or more */, MOST_SLICES = 64 };

/* Words by part: how many; then where the position of the next one is put. */
struct slice {
    size_t next[MOST_PARTS];
};

/* A table that is being made. */
struct making {
    struct base_words *w;
    const struct packed_queries *queries;
    const struct residue_range *segments;
    size_t n_segments;
    int shift; /* of a word, to the number of its part */
    int slice_positions;
    size_t n_slices;
    struct slice *slices;
    size_t ends[MOST_PARTS]; /* of parts, in positions */
    atomic_bool lacks_memory;
};

/* What the walk does with each word. */
typedef void take_word(struct making *m, struct slice *slice, uint32_t word, int position);

static inline __attribute__((always_inline)) void walk_segment(struct making *m, struct slice *slice, struct residue_range segment,
                                                               take_word *take)
{
    const struct base_words *w = m->w;
    const uint8_t *codes = m->queries->codes;
    const uint64_t mask = w->span < 32 ? ((uint64_t)1 << 2 * w->span) - 1 : ~(uint64_t)0;
    uint64_t bases = 0;
    int n = 0; /* bases in a row that are not ambiguous */

    for (int p = segment.first; p < segment.end; p++) {
        n = codes[p] < 4 ? n + 1 : 0;
        bases = (bases << 2 | (codes[p] & 3)) & mask;
        if (n >= w->span)
            take(m, slice, base_words_word(w, bases << (64 - 2 * w->span)), p - w->span + 1);
    }
}

static bool is_too_short(const struct base_words *w, struct residue_range segment)
{
    return w->kind != BASE_WORDS_TEMPLATE && segment.end - segment.first < w->word_size;
}

/* Walks over the words that begin in a slice. */
static inline __attribute__((always_inline)) void walk(struct making *m, size_t number, take_word *take)
{
    const int64_t first = (int64_t)number * m->slice_positions, end = first + m->slice_positions + m->w->span - 1;
    const int last = end < INT32_MAX ? (int)end : INT32_MAX;

    for (size_t i = 0; i < m->n_segments; i++) {
        const struct residue_range s = m->segments[i];
        if (!is_too_short(m->w, s))
            walk_segment(m, &m->slices[number], (struct residue_range){greater(s.first, (int)first), lesser(s.end, last)}, take);
    }
}

static inline void count(struct making *m, struct slice *slice, uint32_t word, int position)
{
    m->w->indexed[position >> 6] |= (uint64_t)1 << (position & 63);
    slice->next[word >> m->shift]++;
}

static inline void put(struct making *m, struct slice *slice, uint32_t word, int position)
{
    m->w->positions[slice->next[word >> m->shift]++] = position;
}

static void count_slice(void *arg, size_t number) { walk(arg, number, count); }
static void put_slice(void *arg, size_t number) { walk(arg, number, put); }

/* --- the table --- */

static size_t n_words(const struct base_words *w) { return (size_t)1 << 2 * w->width; }

/* Finds where the positions of each slice belong: by part, and in a part by slice. Returns their number. */
static size_t find_places(struct making *m)
{
    size_t n = 0;

    for (size_t part = 0; part < MOST_PARTS; part++) {
        for (size_t i = 0; i < m->n_slices; i++) {
            size_t *next = &m->slices[i].next[part], n_here = *next;
            *next = n;
            n += n_here;
        }
        m->ends[part] = n;
    }
    return n;
}

/* Sorts the positions of all words into parts. */
static tms_status sort_words(struct making *m, struct shared_tasks *tasks, int thread)
{
    const int n_positions = m->queries->n;
    struct base_words *w = m->w;

    m->shift = 2 * w->width > PART_BITS ? PART_BITS : 2 * w->width;
    m->slice_positions = greater(SLICE_POSITIONS,
                                 n_positions / MOST_SLICES / 64 * 64 + 64); /* slices have words of `indexed` of their own */
    m->n_slices = (size_t)(n_positions / m->slice_positions) + 1;
    m->slices = calloc(m->n_slices, sizeof *m->slices);
    w->indexed = calloc((size_t)n_positions / 64 + 2, sizeof *w->indexed);
    if (m->slices == NULL || w->indexed == NULL)
        return TMS_E_MEMORY;
    shared_tasks_loop(tasks, m->n_slices, count_slice, m, thread);
    w->n_positions = find_places(m);
    w->positions = malloc((w->n_positions + 1) * sizeof *w->positions);
    if (w->positions == NULL)
        return TMS_E_MEMORY;
    shared_tasks_loop(tasks, m->n_slices, put_slice, m, thread);
    return TMS_OK;
}

/* The word of the table that begins at a position. */
static uint32_t word_at(const struct making *m, int32_t position)
{
    return base_words_word(m->w, packed_from(&m->queries->bases, position));
}

/*
 * Adds a part to the table: its n words begin at `word`, and the positions first .. end - 1 are theirs, ascending.
 *   sorted [in] a copy of these positions
 */
static void add_part(struct making *m, const int32_t *sorted, size_t first, size_t end, size_t word, size_t n)
{
    struct base_words *w = m->w;
    uint32_t *starts = w->starts + word + 1, at = (uint32_t)first; /* starts[k] belongs to word + k + 1, and is used as a cursor first */
    const bool descends = w->kind == BASE_WORDS_LARGE || w->kind == BASE_WORDS_TEMPLATE;

    for (size_t i = 0; i < end - first; i++) {
        const uint32_t here = word_at(m, sorted[i]);
        w->present[here >> 6] |= (uint64_t)1 << (here & 63);
        starts[here - word]++;
    }
    for (size_t k = 0; k < n; k++) { /* now where the positions of word + k begin, or with descending ones end */
        const uint32_t n_here = starts[k];
        starts[k] = descends ? at + n_here : at;
        at += n_here;
    }
    for (size_t i = 0; i < end - first; i++) {
        uint32_t *cursor = &starts[word_at(m, sorted[i]) - word];
        w->positions[descends ? --*cursor : (*cursor)++] = sorted[i];
    }
    if (descends) { /* each cursor is at the beginning of its word, and its place is that of the end */
        memmove(starts, starts + 1, (n - 1) * sizeof *starts);
        starts[n - 1] = (uint32_t)end;
    }
}

static void place_part(void *arg, size_t part)
{
    struct making *m = arg;
    const size_t n_in_part = (size_t)1 << m->shift, first = part > 0 ? m->ends[part - 1] : 0, end = m->ends[part];
    int32_t *sorted = malloc((end - first + 1) * sizeof *sorted);

    if (sorted == NULL) {
        atomic_store(&m->lacks_memory, true);
        return;
    }
    memcpy(sorted, m->w->positions + first, (end - first) * sizeof *sorted);
    add_part(m, sorted, first, end, part * n_in_part, n_in_part);
    free(sorted);
}

static tms_status place_words(struct making *m, struct shared_tasks *tasks, int thread)
{
    struct base_words *w = m->w;

    w->present = calloc((n_words(w) + 63) / 64, sizeof *w->present);
    w->starts = calloc(n_words(w) + 1, sizeof *w->starts);
    if (w->present == NULL || w->starts == NULL)
        return TMS_E_MEMORY;
    shared_tasks_loop(tasks, n_words(w) >> m->shift, place_part, m, thread);
    return atomic_load(&m->lacks_memory) ? TMS_E_MEMORY : TMS_OK;
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
                            size_t n_segments, struct shared_tasks *tasks, int thread, struct base_words *out)
{
    const int64_t n_entries = estimate(segments, n_segments);
    struct making m = {.w = out, .queries = &strands->queries, .segments = segments, .n_segments = n_segments};
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
    status = sort_words(&m, tasks, thread);
    if (status == TMS_OK)
        status = place_words(&m, tasks, thread);
    free(m.slices);
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
