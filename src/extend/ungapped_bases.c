/* ungapped_bases.c - the approximate extension reads bytes of the packed subject; the exact one jumps over equal bases. */
#include "extend/ungapped_bases.h"

#include "alphabet/residues.h"

enum { IN_BYTE = 4 };

/* Scores of bases, walked from the first one on (a base after a word), or from the last one (a base before it). */
static struct ungapped_near near_of(int reward, int penalty, unsigned different, bool is_after)
{
    struct ungapped_near near = {0, 0};

    for (int i = 0; i < UNGAPPED_NEAR; i++) {
        const int bit = is_after ? UNGAPPED_NEAR - 1 - i : i;
        near.sum = (int16_t)(near.sum + ((different >> bit & 1) != 0 ? penalty : reward));
        near.best = near.sum > near.best ? near.sum : near.best;
    }
    return near;
}

void ungapped_base_costs_init(struct ungapped_base_costs *costs, const int *scores, int reward, int penalty, int word_size)
{
    *costs = (struct ungapped_base_costs){.scores = scores, .reward = reward, .penalty = penalty, .word_size = word_size};
    for (int bits = 0; bits < 256; bits++)
        for (int base = 0; base < IN_BYTE; base++)
            costs->of_four[bits] = (int16_t)(costs->of_four[bits] + ((bits >> 2 * base & 3) == 0 ? reward : penalty));
    for (unsigned i = 0; i < 1 << UNGAPPED_NEAR; i++) {
        costs->before[i] = near_of(reward, penalty, i, false);
        costs->after[i] = near_of(reward, penalty, i, true);
    }
}

/* An extension in progress. */
struct walk {
    const struct ungapped_base_costs *costs;
    const struct packed_queries *queries;
    const struct ungapped_strand *strand;
    const struct packed_bases *subject;
    int score;
};

/* --- four bases at a time --- */

/*
 * Four codes of the query in a byte. As in BLAST, the upper bits of an ambiguous code, or of the gap code between strands, fall into the
 * base before it.
 */
static unsigned four_of_codes(const uint8_t *codes) { return ((unsigned)codes[0] << 6 | codes[1] << 4 | codes[2] << 2 | codes[3]) & 255; }

static inline unsigned four_at(const struct packed_bases *bases, int at)
{
    const uint8_t *bytes = bases->bytes + at / IN_BYTE;

    return ((unsigned)bytes[0] << 8 | bytes[1]) >> (8 - 2 * (at % IN_BYTE)) & 255;
}

static inline unsigned four_of_query(const struct walk *w, int at)
{
    const struct packed_queries *queries = w->queries;

    if (at < w->strand->first || at + IN_BYTE > w->strand->end ||
        (queries->ambiguous.bytes != NULL && four_at(&queries->ambiguous, at) != 0))
        return four_of_codes(queries->codes + at);
    return four_at(&queries->bases, at);
}

/* Extends to the left of (query, subject), which is a multiple of four. Returns the bases taken. */
static int approach_left(struct walk *w, int query, int subject)
{
    const int n = (query < subject ? query : subject) / IN_BYTE, x_drop = w->strand->x_drop;
    const uint8_t *bytes = w->subject->bytes + subject / IN_BYTE;
    int sum = 0, taken = 0;

    for (int i = 1; i <= n && sum >= -x_drop; i++) {
        sum += w->costs->of_four[four_of_query(w, query - IN_BYTE * i) ^ bytes[-i]];
        if (sum > 0) {
            taken = IN_BYTE * i;
            w->score += sum;
            sum = 0;
        }
    }
    return taken;
}

static int approach_right(struct walk *w, int query, int subject)
{
    const int left = w->queries->n - query, n = (left < w->subject->n - subject ? left : w->subject->n - subject) / IN_BYTE;
    const uint8_t *bytes = w->subject->bytes + subject / IN_BYTE;
    const int x_drop = w->strand->x_drop;
    int sum = 0, taken = 0;

    for (int i = 0; i < n && sum >= -x_drop; i++) {
        sum += w->costs->of_four[four_of_query(w, query + IN_BYTE * i) ^ bytes[i]];
        if (sum > 0) {
            taken = IN_BYTE * (i + 1);
            w->score += sum;
            sum = 0;
        }
    }
    return taken;
}

static void extend_approximately(struct walk *w, struct ungapped_bases *h)
{
    const int ahead = (IN_BYTE - h->word_subject % IN_BYTE) % IN_BYTE, query = h->word_query + ahead, subject = h->word_subject + ahead;
    const int left = approach_left(w, query, subject), length = left + approach_right(w, query, subject);
    const int to_word_end = h->word_subject + w->costs->word_size - (subject - left);

    h->query = query - left;
    h->subject = subject - left;
    h->length = length > to_word_end ? length : to_word_end;
    h->score = w->score;
}

/* --- base by base --- */

/* Score of two bases that differ, or of which the query's is ambiguous. */
static inline int score_of(const struct walk *w, int query, int subject)
{
    if (w->queries->ambiguous.bytes == NULL)
        return w->costs->penalty;
    return w->costs->scores[RESIDUE_CODES * w->queries->codes[query] + (int)packed_base(w->subject, subject)];
}

/* An extension to one side. */
struct side {
    int sum, limit;  /* sum: of the bases after the best; limit: the extension ends when the sum is below -limit */
    int done, taken; /* bases that were looked at; up to the best */
};

static inline bool raises_best(struct walk *w, struct side *side)
{
    if (side->sum <= 0)
        return false;
    w->score += side->sum;
    side->sum = 0;
    side->taken = side->done;
    return true;
}

/*
 * Extends over n bases from (query, subject) on, or before them. To the right the score must not fall below 0 either. A run of equal bases
 * is added at once: within it the score only rises. Returns the bases taken.
 */
static inline int extend_side(struct walk *w, int query, int subject, int n, bool is_right)
{
    const int x_drop = w->strand->x_drop;
    struct side side = {0, x_drop, 0, 0};

    while (side.done < n) {
        const int i = side.done, end = n - i < PACKED_IN_WORD ? n : i + PACKED_IN_WORD;
        uint64_t difference = is_right ? packed_difference_from(w->queries, query + i, w->subject, subject + i)
                                       : packed_difference_before(w->queries, query - i, w->subject, subject - i);
        for (;;) {
            int same = end - side.done, at;
            if (difference != 0) {
                const int to_next = (is_right ? __builtin_clzll(difference) : __builtin_ctzll(difference)) / 2;
                same = to_next < same ? to_next : same;
            }
            side.done += same;
            side.sum += same * w->costs->reward;
            if (raises_best(w, &side) && is_right)
                side.limit = w->score < x_drop ? w->score : x_drop;
            if (side.done == end)
                break;
            at = is_right ? side.done : -1 - side.done;
            side.sum += score_of(w, query + at, subject + at);
            side.done++;
            if (raises_best(w, &side)) {
                if (is_right)
                    side.limit = w->score < x_drop ? w->score : x_drop;
            } else if (side.sum < -side.limit) {
                return side.taken;
            }
            difference = is_right ? difference << 2 * same << 2 : difference >> 2 * same >> 2;
        }
    }
    return side.taken;
}

static void extend_exactly(struct walk *w, struct ungapped_bases *h)
{
    const int query = h->word_query, subject = h->word_subject;
    const int before = query - w->strand->first, after = w->strand->end - query, subject_after = w->subject->n - subject;
    int left, right;

    w->score = 0;
    left = extend_side(w, query, subject, before < subject ? before : subject, false);
    right = extend_side(w, query, subject, after < subject_after ? after : subject_after, true);
    h->query = query - left;
    h->subject = subject - left;
    h->length = left + right;
    h->score = w->score;
}

/* One bit for each base that differs, of UNGAPPED_NEAR bases in the top bits. */
static inline unsigned near_bits(uint64_t difference)
{
    unsigned x = (unsigned)(difference >> (64 - 2 * UNGAPPED_NEAR));

    x = (x | x >> 1) & 0x5555;
    x = (x | x >> 1) & 0x3333;
    x = (x | x >> 2) & 0x0f0f;
    return (x | x >> 4) & 0xff;
}

/* Bases that are beyond the strand's ends can only raise what is found here: there is no more of an extension than with them. */
bool ungapped_bases_fails(const struct ungapped_base_costs *costs, const struct packed_queries *queries,
                          const struct ungapped_strand *strand, const struct packed_bases *subject, int word_query, int word_subject)
{
    const int size = costs->word_size, query = word_query - UNGAPPED_NEAR, at = word_subject - UNGAPPED_NEAR;
    const int n = UNGAPPED_NEAR + size + UNGAPPED_NEAR;
    struct ungapped_near before, after;
    uint64_t difference;

    if ((size >= UNGAPPED_LEAST_APPROXIMATE && !costs->is_exact) || n > PACKED_IN_WORD || queries->ambiguous.bytes != NULL || query < 0 ||
        at < 0 || query + n > queries->n || at + n > subject->n)
        return false;
    difference = packed_difference_from(queries, query, subject, at);
    before = costs->before[near_bits(difference)];
    after = costs->after[near_bits(difference << 2 * (UNGAPPED_NEAR + size))];
    return before.best - before.sum > strand->x_drop && after.best - after.sum > strand->x_drop &&
           before.best + size * costs->reward + after.best < strand->cutoff;
}

bool ungapped_bases_extend(const struct ungapped_base_costs *costs, const struct packed_queries *queries,
                           const struct ungapped_strand *strand, const struct packed_bases *subject, struct ungapped_bases *hsp)
{
    struct walk w = {costs, queries, strand, subject, 0};

    if (costs->word_size >= UNGAPPED_LEAST_APPROXIMATE && !costs->is_exact) {
        extend_approximately(&w, hsp);
        if (w.score < strand->exact_cutoff)
            return false;
    }
    extend_exactly(&w, hsp);
    return hsp->score >= strand->cutoff;
}

/* --- */

int ungapped_bases_compare(const void *pa, const void *pb)
{
    const struct ungapped_bases *a = pa, *b = pb;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->subject != b->subject)
        return a->subject < b->subject ? -1 : 1;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return a->query < b->query ? -1 : a->query > b->query;
}

bool ungapped_bases_rescore(const int *scores, const uint8_t *query, const uint8_t *subject, int cutoff, struct ungapped_stretch *s)
{
    int sum = 0, start = 0, best = 0, best_start = 0, best_end = 0;

    for (int i = 0; i < s->length; i++) {
        sum += scores[RESIDUE_CODES * query[s->query + i] + subject[s->subject + i]];
        if (sum < 0) {
            sum = 0;
            start = i + 1;
            if (best < cutoff) {
                best = 0;
                best_start = best_end = start;
            }
        } else if (sum > best) {
            best = sum;
            best_start = start;
            best_end = i + 1;
        }
    }
    s->query += best_start;
    s->subject += best_start;
    s->length = best_end - best_start;
    s->score = best;
    return best >= cutoff;
}
