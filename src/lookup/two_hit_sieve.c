/*
 * two_hit_sieve.c - the sieved form of the scan: applies the two-hit rule only to diagonals on which it may find something.
 *
 *   1. The first sieve remembers a hit on each diagonal. A hit near the remembered one is a candidate (sieve_hit()).
 *   2. The second sieve bounds the score of extensions that could begin at a candidate (two_hit_lanes.h). It drops nearly all candidates.
 *   3. A tighter bound drops most of the others (sieve_gain()).
 *   4. The rule is applied where the rest is, and as far before it as the rule remembers (two_hit_core.h).
 *
 * What the first sieve remembers grows with the position in the subject, by 1 a word, until it would exceed a byte. Then all bytes are
 * lowered; those of hits that are too far from any later one become 0. Each word's diagonals begin one byte before those of the word
 * before, so the diagonals move down in their memory, and are moved up again when the bytes are lowered. Long words have few hits for each
 * diagonal, so lowering would take a third of the time of their hits: they are remembered in 16 bits, which are seldom lowered.
 */
#include "lookup/two_hit_sieve.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lookup/concatenated_queries.h"
#include "lookup/two_hit_core.h"
#include "lookup/two_hit_passes.h"
#include "lookup/two_hit_sieve_core.h"

enum {
    FEW = 64,              /* fewer than one candidate for so many residues are bounded one by one */
    STEPS = UINT8_MAX + 1, /* more than the words from one lowering to the next */
    LONG_STEPS = 8192,     /* the same of long words */
    LEAD = 64              /* words before a place from which on the rule is tried; mostly enough to know what it remembers there */
};

/* Where the rule may find something: at a word, or less than a word behind it. */
struct place {
    uint32_t query;
    int32_t begins; /* where its diagonal begins: position in the subject, less that in the query */
    int32_t subject;
};

struct two_hit_sieve {
    void *memory;       /* what is remembered on diagonals: uint8_t, or uint16_t if has_long_words */
    size_t n_diagonals; /* on which something is remembered at a word; memory has so many steps more */
    bool has_long_words;
    int at;       /* the next word's position as it is remembered */
    size_t first; /* where position 0 of the queries will be at the next word, one further */
    int later_word_size;
    uint8_t later[UINT8_MAX + 2]; /* of two_hit_chunk, for words of later_word_size */
    uint8_t *codes;               /* copy of the subject, with gaps around it */
    size_t codes_capacity;
    uint8_t *hashes; /* of these codes, one table after the other, if has_hashes */
    size_t hashes_capacity;
    bool has_hashes;
    struct place *places;
    size_t n_places, places_capacity;
    struct two_hit_words words;
    struct two_hit_candidates candidates;
    _Alignas(16) uint8_t scratch[TWO_HIT_SCRATCH];
};

struct two_hit_sieve *two_hit_sieve_create(int n_positions)
{
    struct two_hit_sieve *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->n_diagonals = (size_t)n_positions + WORD_LOOKUP_BLOCK * WORD_LOOKUP_EMPTY + TWO_HIT_CHUNK_WORDS;
    s->memory = calloc(LONG_STEPS + s->n_diagonals, sizeof(uint16_t));
    s->at = UINT8_MAX;
    if (s->memory == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

void two_hit_sieve_destroy(struct two_hit_sieve *s)
{
    if (s == NULL)
        return;
    free(s->memory);
    free(s->codes);
    free(s->hashes);
    free(s->places);
    free(s);
}

/* --- what is remembered --- */

/* More than what is remembered may be. */
static int n_steps(const struct two_hit_sieve *s) { return s->has_long_words ? LONG_STEPS : STEPS; }

static void forget(struct two_hit_sieve *s)
{
    memset(s->memory, 0, ((size_t)n_steps(s) + s->n_diagonals) * (s->has_long_words ? sizeof(uint16_t) : 1));
}

/* Before a scan. */
static void begin_words(struct two_hit_sieve *s, bool are_long)
{
    if (s->has_long_words == are_long)
        return;
    s->has_long_words = are_long;
    forget(s);
    s->at = n_steps(s) - 1;
    s->first = 0;
}

/* As two_hit_lower(). */
static void lower16(const uint16_t *from, size_t n, uint16_t less, uint16_t *to)
{
    memmove(to, from, n * sizeof *to);
    for (size_t i = 0; i < n; i++)
        to[i] = to[i] > less ? (uint16_t)(to[i] - less) : 0;
}

/* Lowers what is remembered so that the next word is at `near`, the least position at which 0 is far. */
static void lower(struct two_hit_sieve *s, const struct two_hit_passes *passes, int near)
{
    const int less = s->at - near;

    if (s->has_long_words) {
        uint16_t *last = s->memory;
        lower16(last + s->first, s->n_diagonals, (uint16_t)less, last + LONG_STEPS);
        memset(last, 0, LONG_STEPS * sizeof *last);
    } else {
        uint8_t *last = s->memory;
        passes->lower(last + s->first, s->n_diagonals, (uint8_t)less, last + STEPS);
        memset(last, 0, STEPS);
    }
    s->first = (size_t)n_steps(s);
    s->at = near;
}

/* Hits that overlap the remembered one change nothing. */
static void count_later(int word_size, struct two_hit_sieve *s)
{
    for (int d = 0; d <= UINT8_MAX && s->later_word_size != word_size; d++)
        s->later[UINT8_MAX + 1 - d] = (uint8_t)(d < word_size ? 0 : d);
    s->later_word_size = word_size;
}

/* Goes on by n residues without words. */
static void skip(struct two_hit_sieve *s, const struct two_hit_passes *passes, int n, int near)
{
    if (n >= n_steps(s) - s->at)
        lower(s, passes, near);
    if (n >= n_steps(s) - s->at) {
        forget(s);
        return;
    }
    s->at += n;
    s->first -= (size_t)n;
}

/* --- the subject --- */

static size_t n_with_margins(int n) { return (size_t)n + 2 * TWO_HIT_MARGIN; }

/* Copies the subject with gaps around it; codes without a row of scores are replaced. */
static bool copy_subject(struct two_hit_sieve *s, const uint8_t *subject, int n)
{
    const size_t with_margins = n_with_margins(n);
    uint8_t *codes;

    if (!array_reserve(&s->codes, &s->codes_capacity, with_margins, 1))
        return false;
    codes = s->codes + TWO_HIT_MARGIN;
    memset(s->codes, 0, TWO_HIT_MARGIN);
    memset(codes + n, 0, TWO_HIT_MARGIN);
    for (int i = 0; i < n; i++)
        codes[i] = subject[i] % RESIDUE_ROW;
    s->has_hashes = false;
    return true;
}

static bool make_hashes(const struct score_hash *hash, two_hit_hash *make, int n, struct two_hit_sieve *s)
{
    const size_t with_margins = n_with_margins(n);

    if (!array_reserve(&s->hashes, &s->hashes_capacity, SCORE_HASH_TABLES * with_margins, 1))
        return false;
    make(hash, s->codes, with_margins, s->hashes);
    s->has_hashes = true;
    return true;
}

/* --- from candidates to places --- */

/* A scan in progress. */
struct scan {
    const struct two_hit_queries *queries;
    const struct concatenated_queries *concatenated;
    const struct word_lookup *words;     /* of the stretch that is scanned, or of all positions */
    int first, core;                     /* as of a stretch; else 0 */
    struct concatenated_queries shifted; /* the same queries, from position `first` on */
    const struct two_hit_subject *subject;
    struct two_hit_sieve *sieve;
    struct two_hit_found *found;
    const struct two_hit_passes *passes;
    int word_size, near;
    size_t n_candidates;
};

static void choose_passes(tms_simd simd, struct scan *s)
{
    const struct two_hit_passes *passes = &two_hit_passes_plain;

#if TMS_HAVE_X86_SIMD
    if (simd == TMS_SIMD_AVX2 || simd == TMS_SIMD_AVX512)
        passes = &two_hit_passes_avx2;
    if (simd == TMS_SIMD_AVX512 && two_hit_vbmi_usable())
        passes = &two_hit_passes_vbmi;
#endif
    s->passes = passes;
    (void)simd;
}

static uint32_t query_at(const struct scan *s, int position)
{
    const struct two_hit_query *items = s->queries->items;
    uint32_t q = s->concatenated->query_near[position / TWO_HIT_NEAR];

    while (q + 1 < s->queries->n && items[q + 1].first_position <= position)
        q++;
    return q;
}

/* Whether an extension from a candidate may reach its cutoff, residue by residue; sieve_bound() for words of any size. */
static bool may_reach(const struct scan *s, int position, int subject_position, int x_drop, int cutoff)
{
    const uint8_t *query = s->shifted.codes + position, *subject = s->sieve->codes + TWO_HIT_MARGIN + subject_position;
    const int8_t *rows = s->concatenated->rows;
    const int n = 2 * s->word_size - 1;
    int run = sieve_gain(query, subject, rows, x_drop, -1, cutoff), best = run;

    for (int i = 0; i < n; i++) {
        run = sieve_more(run + rows[RESIDUE_ROW * query[i] + subject[i]], 0);
        best = sieve_more(best, run);
    }
    return best >= cutoff || run + sieve_gain(query + n, subject + n, rows, x_drop, 1, cutoff - run) >= cutoff;
}

/* Bounds many candidates at once; a few are not worth the hashes. Sets the number of those that are left. */
static tms_status bound_many(const struct scan *s, size_t *n)
{
    struct two_hit_sieve *sieve = s->sieve;
    struct two_hit_bounded in = {&s->shifted, sieve->codes + TWO_HIT_MARGIN, NULL, 0, s->word_size};

    if (s->passes->hash != NULL) {
        if (!sieve->has_hashes && *n * FEW < (size_t)s->subject->n)
            return TMS_OK;
        if (!sieve->has_hashes && !make_hashes(&s->concatenated->score_hash, s->passes->hash, s->subject->n, sieve))
            return TMS_E_MEMORY;
        in.hashes = sieve->hashes + TWO_HIT_MARGIN;
        in.n_hashes = n_with_margins(s->subject->n);
    }
    *n = s->passes->bound(&in, &sieve->candidates, *n, sieve->scratch);
    return TMS_OK;
}

static tms_status bound_all(struct scan *s)
{
    struct two_hit_sieve *sieve = s->sieve;
    size_t n = s->n_candidates;

    s->found->n_extensions += n;
    s->n_candidates = 0;
    if (bound_many(s, &n) != TMS_OK || !array_reserve(&sieve->places, &sieve->places_capacity, sieve->n_places + n, sizeof *sieve->places))
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const int position = s->first + sieve->candidates.position[i], subject = sieve->candidates.subject[i];
        const uint32_t query = query_at(s, position);
        const struct two_hit_query *q = &s->queries->items[query];
        if (position >= s->core && may_reach(s, position - s->first, subject, q->x_drop, q->cutoff))
            sieve->places[sieve->n_places++] = (struct place){query, subject - (position - q->first_position), subject};
    }
    return TMS_OK;
}

/* --- the rule --- */

static tms_status keep(struct two_hit_found *found, struct ungapped_hsp hsp, uint32_t query)
{
    if (!array_reserve(&found->hsps, &found->capacity, found->n + 1, sizeof *found->hsps))
        return TMS_E_MEMORY;
    found->hsps[found->n++] = (struct two_hit_hsp){hsp, query, 0};
    return TMS_OK;
}

static struct two_hit_diagonal diagonal_of(const struct scan *s, const struct place *place)
{
    const struct two_hit_query *q = &s->queries->items[place->query];
    const int begins = place->begins;

    return (struct two_hit_diagonal){{s->queries->scores, q->codes, s->subject->codes, q->length, s->subject->n, q->x_drop},
                                     s->concatenated->word_scores,
                                     s->concatenated->letter_of,
                                     s->concatenated->has_word + q->first_position,
                                     s->word_size,
                                     s->queries->words->threshold,
                                     s->queries->window,
                                     begins < 0 ? -begins : 0,
                                     begins < 0 ? 0 : begins};
}

/* Applies the rule to words from walk->at up to `end`, which is not included. */
static tms_status walk_to(const struct scan *s, const struct two_hit_diagonal *d, uint32_t query, int end, struct two_hit_walk *walk)
{
    const int cutoff = s->queries->items[query].cutoff;
    struct ungapped_hsp hsp;
    tms_status status = TMS_OK;

    walk->end = end;
    if (walk->at < walk->end)
        walk->score = two_hit_word_score(d, walk->at);
    while (status == TMS_OK && two_hit_next(d, walk, &hsp))
        status = hsp.score < cutoff ? TMS_OK : keep(s->found, hsp, query);
    return status;
}

/*
 * Finds the first word, from `from` to `to`, before which nothing matters to the rule: there is no hit in the window before it, and an
 * extension that came from before these words has fallen by its X-drop. Returns whether there is one.
 */
static bool begin_within(const struct two_hit_diagonal *d, int from, int to, struct two_hit_walk *walk)
{
    int score = two_hit_word_score(d, from), clear_from = from, run = 0, best = 0;
    bool has_fallen = false;

    for (int at = from; at < to; at++) {
        const int last = at + d->word_size - 1;
        if (two_hit_is_hit(d, at, score)) {
            clear_from = at + 1;
            run = best = 0;
            has_fallen = false;
        } else {
            run += ungapped_score(&d->pair, d->query + last, d->subject + last);
            best = sieve_more(best, run);
            has_fallen |= best - run >= d->pair.x_drop;
        }
        if (has_fallen && at + 1 - clear_from >= d->window) {
            walk->at = at + 1;
            walk->state = (struct two_hit_state){at + 1 - d->window, 0};
            return true;
        }
        score += two_hit_residue_score(d, last + 1) - two_hit_residue_score(d, at);
    }
    return false;
}

/* Applies the rule to the places of a diagonal, in their order; words lie anywhere in the subject. */
static tms_status apply_rule(const struct scan *s, const struct place *places, size_t n)
{
    const struct two_hit_diagonal d = diagonal_of(s, places);
    struct two_hit_walk walk = two_hit_begin(&d);
    const int n_words = walk.end;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        const int at = places[i].subject - d.subject, end = at + s->word_size;
        for (int lead = LEAD; at - lead > walk.at; lead *= 4)
            if (begin_within(&d, at - lead, at, &walk))
                break;
        status = walk_to(s, &d, places[i].query, end < n_words ? end : n_words, &walk);
    }
    return status;
}

/* Applies the rule to a whole diagonal, to words in the subject's ranges. */
static tms_status apply_rule_in_ranges(const struct scan *s, const struct place *place)
{
    const struct two_hit_diagonal d = diagonal_of(s, place);
    struct two_hit_walk walk = two_hit_begin(&d);
    const int n_words = walk.end;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < s->subject->n_ranges && status == TMS_OK; i++) {
        const struct residue_range range = s->subject->ranges[i];
        const int first = range.first - d.subject, end = range.end - s->word_size + 1 - d.subject;
        walk.at = first > 0 ? first : 0;
        status = walk_to(s, &d, place->query, end < n_words ? end : n_words, &walk);
    }
    return status;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->query != y->query)
        return x->query < y->query ? -1 : 1;
    if (x->begins != y->begins)
        return x->begins < y->begins ? -1 : 1;
    return (x->subject > y->subject) - (x->subject < y->subject);
}

static tms_status apply_rule_to_all(struct scan *s)
{
    struct two_hit_sieve *sieve = s->sieve;
    const struct place *places = sieve->places;
    const size_t n = sieve->n_places;
    tms_status status = TMS_OK;

    if (n > 1)
        qsort(sieve->places, n, sizeof *sieve->places, compare_places);
    for (size_t first = 0, end; first < n && status == TMS_OK; first = end) {
        for (end = first + 1; end < n && places[end].query == places[first].query && places[end].begins == places[first].begins;)
            end++;
        status = s->subject->ranges != NULL ? apply_rule_in_ranges(s, &places[first]) : apply_rule(s, &places[first], end - first);
    }
    sieve->n_places = 0;
    return status;
}

/* --- the scan --- */

/* Takes n of the numbered words, TWO_HIT_CHUNK_WORDS at most, the first of which is at `subject`. */
static tms_status take_words(struct scan *s, int first, int n, int subject)
{
    struct two_hit_sieve *sieve = s->sieve;
    struct two_hit_chunk chunk = {.words = s->words,
                                  .numbered = &sieve->words,
                                  .first_word = first,
                                  .n_words = n,
                                  .subject = subject,
                                  .word_size = s->word_size,
                                  .near = s->near,
                                  .later = sieve->later};
    tms_status status = TMS_OK;

    if (n >= n_steps(sieve) - sieve->at)
        lower(sieve, s->passes, s->near);
    chunk.at = sieve->at;
    if (sieve->has_long_words)
        chunk.last16 = (uint16_t *)sieve->memory + sieve->first - n;
    else
        chunk.last = (uint8_t *)sieve->memory + sieve->first - n;
    while (chunk.next < n && status == TMS_OK) {
        if (s->n_candidates > TWO_HIT_CANDIDATES - TWO_HIT_CHUNK_HITS)
            status = bound_all(s);
        s->n_candidates += s->passes->take(&chunk, &sieve->candidates, s->n_candidates);
    }
    s->found->n_hits += chunk.n_hits;
    sieve->at += n;
    sieve->first -= (size_t)n;
    return status;
}

/* Takes the words that begin at begin .. end - 1. */
static tms_status scan_range(struct scan *s, int begin, int end)
{
    struct two_hit_words *numbered = &s->sieve->words;
    tms_status status = TMS_OK;

    for (int at = begin; at < end && status == TMS_OK; at += numbered->n) {
        numbered->n = end - at < TWO_HIT_WORDS ? end - at : TWO_HIT_WORDS;
        numbered->is_chosen = false;
        word_lookup_words(s->words, s->sieve->codes + TWO_HIT_MARGIN + at, numbered->n, numbered->numbers);
        for (int k = 0; k < numbered->n && status == TMS_OK; k += TWO_HIT_CHUNK_WORDS)
            status = take_words(s, k, numbered->n - k < TWO_HIT_CHUNK_WORDS ? numbered->n - k : TWO_HIT_CHUNK_WORDS, at + k);
    }
    return status;
}

/* Scans the subject for words of a stretch of the queries. */
static tms_status scan_stretch(struct scan *s, const struct word_lookup *words, int first, int core)
{
    const struct concatenated_queries *all = s->concatenated;
    int at = -s->near; /* hits of the subject before are far */
    tms_status status = TMS_OK;

    begin_words(s->sieve, words->present != NULL);
    s->words = words;
    s->first = first;
    s->core = core;
    s->shifted = *all;
    s->shifted.codes = all->codes + first;
    s->shifted.hashes = all->hashes + first;
    s->shifted.limits = all->limits + first / TWO_HIT_NEAR;
    for (size_t i = 0; i < two_hit_n_ranges(s->subject) && status == TMS_OK; i++) {
        const struct residue_range range = two_hit_range(s->subject, i);
        const int end = range.end - s->word_size + 1;
        if (range.first >= end)
            continue;
        skip(s->sieve, s->passes, range.first - at, s->near);
        status = scan_range(s, range.first, end);
        at = end;
    }
    return status == TMS_OK ? bound_all(s) : status;
}

tms_status two_hit_sieve_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject, struct two_hit_sieve *sieve,
                              struct two_hit_found *found)
{
    const int word_size = queries->words->word_size;
    struct scan s = {.queries = queries,
                     .concatenated = queries->concatenated,
                     .subject = subject,
                     .sieve = sieve,
                     .found = found,
                     .word_size = word_size,
                     .near = (int)sieve_near(queries->window, word_size)};
    tms_status status = TMS_OK;

    if (!copy_subject(sieve, subject->codes, subject->n))
        return TMS_E_MEMORY;
    count_later(word_size, sieve);
    choose_passes(queries->simd, &s);
    if (queries->n_stretches == 0)
        status = scan_stretch(&s, queries->words, 0, 0);
    for (size_t i = 0; i < queries->n_stretches && status == TMS_OK; i++) {
        const struct query_stretch *stretch = &queries->stretches[i];
        forget(sieve);
        status = scan_stretch(&s, &stretch->words, stretch->first, stretch->core);
    }
    return status == TMS_OK ? apply_rule_to_all(&s) : status;
}
