/* unit_tally.c - see unit_tally.h. */
#include "classify/unit_tally.h"

#include <string.h>

/* --- hits of a piece --- */

static void tally_runs(struct tally *t, const uint64_t *mask, uint32_t n_mask_words)
{
    uint64_t before = t->is_open;
    for (uint32_t i = 0; i < n_mask_words; i++) {
        t->runs += (uint64_t)__builtin_popcountll(mask[i] & ~(mask[i] << 1 | before));
        before = mask[i] >> 63;
    }
}

static inline bool is_set(const uint64_t *mask, uint64_t i) { return mask[i / 64] >> i % 64 & 1; }

/* The w-mers at 0, w, 2 w, ... */
static bool has_quick_hit(uint64_t at, uint32_t n_bases, uint32_t w, const uint64_t *mask)
{
    uint64_t n_starts = n_bases - w + 1, first = (w - at % w) % w;
    for (uint64_t i = first; i < n_starts; i += w)
        if (is_set(mask, i))
            return true;
    return false;
}

static void tally_covered(struct tally *t, uint64_t at, uint32_t n_bases, uint32_t w, const uint64_t *mask)
{
    uint64_t n_starts = n_bases - w + 1;
    for (uint64_t i = 0; i < n_starts; i++) {
        if (!is_set(mask, i))
            continue;
        uint64_t first = at + i, end = first + w;
        t->covered += end - (t->end > first ? t->end : first);
        t->end = end;
    }
}

static void tally_hits(const tms_classifier *c, struct tally *t, uint64_t at, uint32_t n_bases, const uint64_t *mask)
{
    uint32_t n_mask_words = (n_bases + 63) / 64;
    for (uint32_t i = 0; i < n_mask_words; i++)
        t->hits += (uint64_t)__builtin_popcountll(mask[i]);
    if (c->rule == TMS_RULE_FACS) {
        tally_runs(t, mask, n_mask_words);
        t->has_quick = t->has_quick || has_quick_hit(at, n_bases, c->shape.w, mask);
        t->is_open = is_set(mask, n_bases - c->shape.w);
    } else if (c->rule == TMS_RULE_FACS_PERL) {
        tally_covered(t, at, n_bases, c->shape.w, mask);
    }
}

/* --- hits that may be false --- */

/* Bit i of the result: bit i - 1 (up) or i + 1 (down) of `from`, where bit i of `within` is set. In place. */
static uint64_t step_up(uint64_t *from, const uint64_t *within, uint32_t n)
{
    uint64_t any = 0, carry = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t before = from[i];
        any |= from[i] = (before << 1 | carry) & within[i];
        carry = before >> 63;
    }
    return any;
}

static uint64_t step_down(uint64_t *from, const uint64_t *within, uint32_t n)
{
    uint64_t any = 0, carry = 0;
    for (uint32_t i = n; i-- > 0;) {
        uint64_t before = from[i];
        any |= from[i] = (before >> 1 | carry) & within[i];
        carry = before << 63;
    }
    return any;
}

/* Hits unique to this reference within `depth` w-mers of a shared hit. */
static uint64_t count_doubtful(const uint64_t *mask, const uint64_t *shared, uint32_t n, uint32_t depth)
{
    uint64_t up[SCAN_MASK], down[SCAN_MASK], own[SCAN_MASK], any = 0, count = 0;
    for (uint32_t i = 0; i < n; i++) {
        up[i] = down[i] = mask[i] & shared[i];
        any |= own[i] = mask[i] & ~shared[i];
    }
    for (uint32_t step = 0; step < depth && any; step++) {
        any = step_up(up, own, n) | step_down(down, own, n);
        for (uint32_t i = 0; i < n && any; i++) {
            count += (uint64_t)__builtin_popcountll(up[i] | down[i]);
            own[i] &= ~(up[i] | down[i]);
        }
    }
    return count;
}

/* At a sequencing error the runs of all its references end, and chance extends some by a w-mer or two. */
static void tally_doubtful(const tms_classifier *c, struct unit_tally *u, uint32_t n_bases, const struct piece_hits *hits)
{
    const uint32_t n = (n_bases + 63) / 64;
    uint64_t any_once = 0, any_shared = 0, shared[SCAN_MASK];
    for (uint32_t i = 0; i < n; i++) {
        uint64_t one = 0, more = 0;
        for (uint64_t left = hits->some; left; left &= left - 1) {
            uint64_t mask = hits->masks[__builtin_ctzll(left)][i];
            more |= one & mask;
            one |= mask;
        }
        shared[i] = more;
        any_once |= one & ~more;
        any_shared |= more;
    }
    if (!any_once || !any_shared)
        return;
    for (uint64_t left = hits->some; left; left &= left - 1) {
        const int r = __builtin_ctzll(left);
        u->tallies[r].doubtful += count_doubtful(hits->masks[r], shared, n, c->doubtful_depth[r]);
    }
}

void unit_add_piece(const tms_classifier *c, struct unit_tally *u, uint64_t at, uint32_t n_bases, const struct piece_hits *hits)
{
    for (size_t r = 0; r < c->n_filters; r++) {
        if (hits->some >> r & 1)
            tally_hits(c, &u->tallies[r], at, n_bases, hits->masks[r]);
        else /* a piece may be shorter than a w-mer */
            u->tallies[r].is_open = false;
    }
    if (c->rule == TMS_RULE_DEFAULT && hits->some & (hits->some - 1))
        tally_doubtful(c, u, n_bases, hits);
}

void unit_look_up(const tms_classifier *c, const struct scan_shape *shape, const struct scan *scan, uint64_t at, uint64_t may_hit,
                  struct unit_tally *u)
{
    struct piece_hits hits;
    hits.some = may_hit;
    for (uint64_t left = may_hit; left; left &= left - 1) {
        const int r = __builtin_ctzll(left);
        scan_hits(shape, scan, c->filters[r], hits.masks[r]);
    }
    unit_add_piece(c, u, at, scan->n_bases, &hits);
    if (!u->is_second_strand)
        u->n_words += scan_n_words(shape, scan);
}

/* --- points --- */

static uint64_t points_of(const tms_classifier *c, const struct tally *t, uint64_t length)
{
    uint64_t w = c->shape.w;
    if (c->rule == TMS_RULE_FACS)
        return t->has_quick || t->is_open ? t->hits * w + t->hits + t->runs * (w - 1) : 0;
    if (c->rule == TMS_RULE_FACS_PERL)
        return length < TMS_FACS_PERL_LEAST ? 0 : t->covered;
    return t->hits;
}

/* The denominator of the FACS and FACS_PERL scores. */
static uint64_t whole_of(const tms_classifier *c, uint64_t length)
{
    uint64_t w = c->shape.w;
    if (c->rule == TMS_RULE_FACS)
        return length < w ? 0 : w * length + length - w * w;
    return length < TMS_FACS_PERL_LEAST ? 0 : length;
}

/* Turns the strand's tallies into the mate's points: keeps the better strand's, or the plus strand's if they are equal. */
void unit_end_strand(const tms_classifier *c, struct unit_tally *u, uint64_t length)
{
    for (size_t r = 0; r < c->n_filters; r++) {
        struct points p = {u->tallies[r].hits, points_of(c, &u->tallies[r], length), u->tallies[r].doubtful}, *best = &u->of_mate[r];
        if (!u->is_second_strand || p.points > best->points || (p.points == best->points && p.hits > best->hits))
            *best = p;
    }
    memset(u->tallies, 0, c->n_filters * sizeof *u->tallies);
    u->is_second_strand = true;
}

void unit_end_mate(const tms_classifier *c, struct unit_tally *u, uint64_t length)
{
    u->whole = c->rule == TMS_RULE_DEFAULT ? u->n_words : u->whole + whole_of(c, length);
    for (size_t r = 0; r < c->n_filters; r++) {
        u->of_unit[r].hits += u->of_mate[r].hits;
        u->of_unit[r].points += u->of_mate[r].points;
        u->of_unit[r].doubtful += u->of_mate[r].doubtful;
    }
    u->is_second_strand = false;
}

static double score_of(const struct unit_tally *u, const struct points *p) { return u->whole ? (double)p->points / (double)u->whole : 0; }

/* Cached, because most units have as many w-mers as the previous one and full filters make the number of hits slow to compute. */
static uint64_t chance_hits(const tms_classifier *c, struct unit_tally *u)
{
    if (!u->chance_hits || u->chance_words != u->n_words) {
        u->chance_words = u->n_words;
        u->chance_hits = classifier_chance_hits(c, u->n_words);
    }
    return u->chance_hits;
}

static bool does_match(const tms_classifier *c, struct unit_tally *u, const struct points *p)
{
    double score = score_of(u, p);
    if (p->points == 0)
        return false;
    if (c->rule == TMS_RULE_FACS_PERL)
        return score > c->threshold;
    return score >= c->threshold && (c->rule != TMS_RULE_DEFAULT || p->hits >= chance_hits(c, u));
}

/* Tests whether `best` leads by no more hits than chance may explain. */
static bool is_tie(const tms_classifier *c, const struct unit_tally *u, uint32_t reference, const struct points *best,
                   const struct points *second)
{
    const uint64_t lead = best->points - second->points;
    if (lead == 0 || c->rule != TMS_RULE_DEFAULT)
        return lead == 0;
    return lead <= best->doubtful || classifier_may_be_chance(c, reference, u->n_words, lead - best->doubtful);
}

void unit_end(const tms_classifier *c, struct unit_tally *u, tms_classified *out, tms_reference_score *scores)
{
    const struct points none = {0}, *best = &none, *second = &none;
    tms_classified result = {.best = TMS_NO_REFERENCE, .second = TMS_NO_REFERENCE, .n_words = u->n_words};
    for (uint32_t r = 0; r < c->n_filters; r++) {
        const struct points *p = &u->of_unit[r];
        if (scores)
            scores[r] = (tms_reference_score){p->hits, score_of(u, p)};
        result.n_matching += does_match(c, u, p);
        if (p->points > best->points) {
            second = best;
            result.second = result.best;
            best = p;
            result.best = r;
        } else if (p->points > second->points) {
            second = p;
            result.second = r;
        }
    }
    result.n_hits = best->hits;
    result.score = score_of(u, best);
    result.second_score = score_of(u, second);
    if (does_match(c, u, best))
        result.verdict = result.second != TMS_NO_REFERENCE && is_tie(c, u, result.best, best, second) ? TMS_VERDICT_AMBIGUOUS
                                                                                                      : TMS_VERDICT_MATCH;
    *out = result;
    memset(u->of_unit, 0, c->n_filters * sizeof *u->of_unit);
    u->n_words = u->whole = 0;
}
