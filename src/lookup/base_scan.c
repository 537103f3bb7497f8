/* base_scan.c - see base_scan.h. */
#include "lookup/base_scan.h"

#include <math.h>

#include "base/array.h"

enum {
    AHEAD = 128, /* look-ups between reading ahead and use */
    AHEAD_OF_HITS = 16,
    SMALL = 16,      /* of so many batches of fewer look-ups one is timed */
    EXTENSIONS = 32, /* of so many extensions one is timed ... */
    ALL_TIMED = 4096 /* ... but at first each, because a few long ones are most of the time if there are not many */
};
#define LONGEST_EXTENSION 2e-5 /* seconds of one that stands for others: more is an interruption */

/* A scan of one chunk. */
struct scan {
    const struct base_lookup *lookup;
    const struct base_words *words; /* the table of the current hit */
    struct packed_bases chunk;
    int end; /* of the range of the chunk that words lie in */
    struct base_diagonals *diagonals;
    struct base_found *found;
};

/* A word of the chunk that a table has. */
struct looked_up {
    int subject;
    uint32_t word, table;
};

/* --- the whole word --- */

/* Equal bases before a hit, `most` at most. A small table compares codes modulo 4. */
static int equal_before(const struct scan *s, const struct base_hit *h, int most)
{
    const struct packed_queries *queries = &s->lookup->strands.queries;
    int n = 0;

    if (s->words->kind != BASE_WORDS_SMALL)
        return packed_same_before(queries, h->query, &s->chunk, h->subject, most);
    while (n < most && packed_base(&queries->bases, h->query - n - 1) == packed_base(&s->chunk, h->subject - n - 1))
        n++;
    return n;
}

static int equal_from(const struct scan *s, int query, int subject, int n)
{
    const struct packed_queries *queries = &s->lookup->strands.queries;
    int same = 0;

    if (s->words->kind != BASE_WORDS_SMALL)
        return packed_same_from(queries, query, &s->chunk, subject, n);
    while (same < n && packed_base(&queries->bases, query + same) == packed_base(&s->chunk, subject + same))
        same++;
    return same;
}

/* Moves a hit of a word of the table to the whole word that contains it, the one furthest to the left. Returns whether there is one. */
static bool complete_word(const struct scan *s, const struct ungapped_strand *strand, struct base_hit *h)
{
    const int width = s->words->width, missing = s->words->word_size - width, in_query = h->query - strand->first;
    const int most = in_query < h->subject ? in_query : h->subject;
    const int before = equal_before(s, h, missing < most ? missing : most), after = missing - before;

    if (after > 0 && (h->subject + width + after > s->end || h->query + width + after > strand->end ||
                      equal_from(s, h->query + width, h->subject + width, after) < after))
        return false;
    h->query -= before;
    h->subject -= before;
    return true;
}

/* --- masks --- */

/* Whether the table has this position of the query for the word of the subject. */
static inline bool is_indexed(const struct scan *s, int query, int subject)
{
    const int width = s->words->width;
    uint64_t different;

    if (!base_words_is_indexed(s->words, query))
        return false;
    different = packed_from(&s->lookup->strands.queries.bases, query) ^ packed_from(&s->chunk, subject);
    return different >> (64 - 2 * width) == 0;
}

/* What is left of a word outside masks: how far it was moved, and whether a second word follows it. */
struct unmasked {
    int extended;
    bool is_double;
};

/* Looks for a second word behind the first one's end. */
static bool has_second(const struct scan *s, int query_end, int subject_end, int limit, struct unmasked *out)
{
    const int width = s->words->width, wanted = out->extended + s->words->word_size;
    const int most = limit < wanted ? limit : wanted;

    while (out->extended + width <= most && is_indexed(s, query_end, subject_end)) {
        query_end += width;
        subject_end += width;
        out->extended += width;
    }
    query_end -= width - 1;
    subject_end -= width - 1;
    while (out->extended < most && is_indexed(s, query_end, subject_end)) {
        query_end++;
        subject_end++;
        out->extended++;
    }
    return most == wanted && out->extended == wanted;
}

/* Moves a whole word to where it lies outside masks. Returns false if there is no such place. */
static bool leave_masks(const struct scan *s, const struct ungapped_strand *strand, bool looks_further, struct base_hit *h,
                        struct unmasked *out)
{
    const int width = s->words->width;
    int query_end = h->query + s->words->word_size, subject_end = h->subject + s->words->word_size;
    const int in_query = strand->end - query_end, in_chunk = s->end - subject_end, limit = in_query < in_chunk ? in_query : in_chunk;

    *out = (struct unmasked){0, false};
    if (!is_indexed(s, query_end - width, subject_end - width))
        return false;
    for (; !is_indexed(s, h->query, h->subject); h->query++, h->subject++)
        out->extended++;
    if (out->extended > limit)
        return false;
    query_end += out->extended;
    subject_end += out->extended;
    for (int back = width; subject_end - back > h->subject; back += width)
        if (!is_indexed(s, query_end - back, subject_end - back))
            return false;
    if (looks_further)
        out->is_double = has_second(s, query_end, subject_end, limit, out);
    return true;
}

/* --- hits --- */

/* Whether a diagonal near the hit's has a hit of its own within the window. */
static bool has_partner(const struct scan *s, int diagonal, int at, int end)
{
    const struct base_lookup *l = s->lookup;
    const int word_size = s->words->word_size, begin = at + word_size - l->window, last = end - 2 * word_size;
    const int near = l->off_diagonal < l->window - word_size ? l->off_diagonal : l->window - word_size;

    for (int d = 1; d <= near; d++) {
        const struct base_diagonal after = base_diagonal_get(s->diagonals, diagonal + d);
        const struct base_diagonal before = base_diagonal_get(s->diagonals, diagonal - d);
        if (after.length > 0 && after.level - d >= begin && after.level - (int)after.length <= last)
            return true;
        if (before.length > 0 && before.level >= begin && before.level - (int)before.length + d <= last)
            return true;
    }
    return false;
}

/* Extends; if the extension is not kept anyway, only where the bases nearby allow that it reaches the cutoff. */
static bool reaches_cutoff(const struct scan *s, const struct ungapped_strand *strand, bool is_kept, struct ungapped_bases *hsp)
{
    const struct base_lookup *l = s->lookup;
    const struct packed_queries *queries = &l->strands.queries;

    if (!is_kept && ungapped_bases_fails(&l->costs, queries, strand, &s->chunk, hsp->word_query, hsp->word_subject))
        return false;
    return ungapped_bases_extend(&l->costs, queries, strand, &s->chunk, hsp);
}

/* Extends, timed if it is this extension's turn. */
static bool extend_hit(const struct scan *s, const struct ungapped_strand *strand, bool is_kept, struct ungapped_bases *hsp)
{
    struct base_found *f = s->found;
    const uint64_t number = f->n_extensions++;
    double seconds;
    bool reaches;

    if (number >= ALL_TIMED && number % EXTENSIONS != 0)
        return reaches_cutoff(s, strand, is_kept, hsp);
    seconds = clock_seconds();
    reaches = reaches_cutoff(s, strand, is_kept, hsp);
    seconds = clock_seconds() - seconds - f->of_clock;
    if (number < ALL_TIMED)
        clock_sample_take(&f->extending, 1, seconds);
    else
        clock_sample_take(&f->extending, EXTENSIONS, EXTENSIONS * fmin(seconds, LONGEST_EXTENSION));
    return reaches;
}

static tms_status extend(const struct scan *s, const struct ungapped_strand *strand, const struct base_hit *h, bool is_kept,
                         bool *is_extended, int *end)
{
    struct base_found *f = s->found;
    struct base_hsp *found;
    struct ungapped_bases *hsp;

    if (!array_reserve(&f->hsps, &f->capacity, f->n + 1, sizeof *f->hsps))
        return TMS_E_MEMORY;
    found = &f->hsps[f->n];
    found->strand = (uint32_t)(strand - s->lookup->strands.items);
    hsp = &found->hsp;
    hsp->word_query = h->query;
    hsp->word_subject = h->subject;
    *is_extended = extend_hit(s, strand, is_kept, hsp) || is_kept;
    if (*is_extended) {
        *end = hsp->subject + hsp->length;
        f->n++;
    }
    return TMS_OK;
}

/* A whole word. Its hit is extended, or remembered as the first of two, or dropped. */
static tms_status take_word(const struct scan *s, const struct ungapped_strand *strand, struct base_hit h)
{
    const struct base_lookup *l = s->lookup;
    struct base_diagonals *d = s->diagonals;
    const int word_size = s->words->word_size, diagonal = h.subject - h.query, at = h.subject + d->base;
    const struct base_diagonal before = base_diagonal_get(d, diagonal);
    const bool is_first = l->window > 0 && (before.is_extended || at + word_size > before.level + l->window);
    const bool has_part = s->words->kind != BASE_WORDS_TEMPLATE && s->words->width < word_size; /* the table has a part of the word */
    struct unmasked unmasked = {0, false};
    bool is_extended = true, has_near = false;
    int end;
    tms_status status = TMS_OK;

    if (at < before.level || ((l->checks_masks || (is_first && has_part)) && !leave_masks(s, strand, is_first, &h, &unmasked)))
        return TMS_OK;
    end = at + word_size + unmasked.extended;
    if (is_first) {
        has_near = !unmasked.is_double && has_partner(s, diagonal, at, end);
        is_extended = unmasked.is_double || has_near;
    }
    if (is_extended) {
        int extension_end = end - d->base;
        status = extend(s, strand, &h, has_near, &is_extended, &extension_end);
        end = extension_end + d->base;
    }
    if (status != TMS_OK)
        return status;
    return base_diagonal_set(d, diagonal, at, (struct base_diagonal){end, is_extended ? 0 : (uint32_t)(end - at), is_extended});
}

static tms_status take_hit(const struct scan *s, struct base_hit h)
{
    const struct base_lookup *l = s->lookup;
    const struct ungapped_strand *strand;

    s->found->n_hits++;
    if (h.subject + s->diagonals->base < base_diagonal_get(s->diagonals, h.subject - h.query).level)
        return TMS_OK; /* and the whole word does not begin later */
    strand = &l->strands.items[base_strand_at(&l->strands, h.query)];
    if (s->words->width < s->words->word_size && s->words->kind != BASE_WORDS_TEMPLATE && !complete_word(s, strand, &h))
        return TMS_OK;
    return take_word(s, strand, h);
}

/* --- looking up --- */

/* Reads ahead what the extension of a hit reads first. */
static inline void read_ahead(const struct base_lookup *l, int query) { __builtin_prefetch(l->strands.queries.bases.bytes + query / 4); }

static tms_status take_hits(const struct scan *s, const int32_t *queries, size_t n, int subject)
{
    tms_status status = TMS_OK;

    for (size_t i = 0; i < n && status == TMS_OK; i++)
        status = take_hit(s, (struct base_hit){queries[i], subject});
    return status;
}

/* Takes the hits of words that tables have, in their order. */
static tms_status take_all(struct scan *s, const struct looked_up *found, size_t n)
{
    const struct base_words *tables = s->lookup->words;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < n; i++) {
        const struct base_words *w = &tables[found[i].table];
        __builtin_prefetch(&w->positions[w->starts[found[i].word]]);
    }
    for (size_t i = 0; i < n; i++) {
        const struct base_words *w = &tables[found[i].table];
        read_ahead(s->lookup, w->positions[w->starts[found[i].word]]);
    }
    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        const struct base_words *w = s->words = &tables[found[i].table];
        const uint32_t first = w->starts[found[i].word], end = w->starts[found[i].word + 1];
        for (uint32_t k = first + 1; k < end && k < first + 8; k++)
            read_ahead(s->lookup, w->positions[k]);
        status = take_hits(s, w->positions + first, end - first, found[i].subject);
    }
    return status;
}

/* Takes the hits of a batch of look-ups, timed if it is full, or if it is its turn. */
static tms_status take_batch(struct scan *s, const struct looked_up *found, size_t n)
{
    struct base_found *f = s->found;
    const uint64_t weight = n >= AHEAD ? 1 : SMALL;
    double begun;
    tms_status status;

    if (n == 0)
        return TMS_OK;
    f->n_present += n;
    if (n < AHEAD && f->n_small++ % SMALL != 0)
        return take_all(s, found, n);
    begun = clock_seconds();
    status = take_all(s, found, n);
    clock_sample_take(&f->taking, weight * n, (double)weight * (clock_seconds() - begun - f->of_clock));
    return status;
}

/* Looks up one word of the chunk in each table. Returns how many were found. */
static inline size_t look_up(const struct base_lookup *l, uint64_t bases, int subject, struct looked_up *out)
{
    size_t n = 0;

    for (int t = 0; t < l->n_words; t++) {
        const struct base_words *w = &l->words[t];
        const uint32_t word = base_words_word(w, bases);
        if (!base_words_has(w, word))
            continue;
        out[n] = (struct looked_up){subject, word, (uint32_t)t};
        __builtin_prefetch(&w->starts[out[n++].word]);
    }
    return n;
}

/* Scans a range of the chunk for words; the first begins at `at`. */
static tms_status scan_range(struct scan *s, int at)
{
    const struct base_words *words = s->lookup->words;
    const int end = s->end - words[0].span + 1; /* of the first bases of words */
    struct looked_up ahead[AHEAD + 2];
    size_t n = 0;
    tms_status status = TMS_OK;

    if (at < end)
        s->found->n_looked_up += (uint64_t)((end - 1 - at) / words[0].stride + 1) * (uint64_t)s->lookup->n_words;
    for (; at < end && status == TMS_OK; at += words[0].stride) {
        n += look_up(s->lookup, packed_from(&s->chunk, at), at, ahead + n);
        if (n >= AHEAD) {
            status = take_batch(s, ahead, n);
            n = 0;
        }
    }
    return status == TMS_OK ? take_batch(s, ahead, n) : status;
}

/* In a masked chunk a range is scanned from the first word that may end a whole word [sic]. */
tms_status base_scan(const struct base_lookup *lookup, const struct packed_bases *chunk, const struct residue_range *ranges,
                     size_t n_ranges, struct base_diagonals *diagonals, struct base_found *found)
{
    const struct base_words *words = lookup->words;
    struct scan s = {lookup, words, *chunk, chunk->n, diagonals, found};
    tms_status status = TMS_OK;

    if (found->of_clock <= 0)
        found->of_clock = clock_cost();
    base_diagonals_begin(diagonals);
    if (ranges == NULL)
        status = scan_range(&s, 0);
    for (size_t i = 0; i < n_ranges && ranges != NULL && status == TMS_OK; i++) {
        s.end = ranges[i].end;
        status = scan_range(&s, ranges[i].first + words[0].word_size - words[0].span);
    }
    base_diagonals_end(diagonals, chunk->n);
    return status;
}

tms_status base_scan_hits(const struct base_lookup *lookup, const struct packed_bases *chunk, const struct base_hit *hits, size_t n,
                          struct base_diagonals *diagonals, struct base_found *found)
{
    const struct scan s = {lookup, lookup->words, *chunk, chunk->n, diagonals, found};
    const uint64_t n_hits = found->n_hits;
    const double begun = clock_seconds();
    tms_status status = TMS_OK;

    if (found->of_clock <= 0)
        found->of_clock = clock_cost();
    base_diagonals_begin(diagonals);
    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        if (i + AHEAD_OF_HITS < n)
            read_ahead(lookup, hits[i + AHEAD_OF_HITS].query);
        status = take_hit(&s, hits[i]);
    }
    found->n_hits = n_hits;
    base_diagonals_end(diagonals, chunk->n);
    found->seconds_sieved += clock_seconds() - begun;
    return status;
}
