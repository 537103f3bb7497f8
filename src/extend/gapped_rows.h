/*
 * gapped_rows.h - gapped_score() and gapped_align() by rows of vectors. A file that includes it first defines the vectors and their
 * operations:
 *   LANES, lane_score, vector, mask    lanes of 16 or 8 bits, and LANE_BITS bits for each lane, all equal
 *   DEAD, TOP                          the least value of a lane; the greatest best score at the beginning of a row
 *   v_all(), v_load(), v_store(), v_max(), v_or()
 *   v_add(), v_sub()                   with saturation
 *   v_above(a, b), v_pick(mask, a, b)  lanes where a > b; a where the mask is set, else b
 *   v_keep_above(a, b)                 a where a > b, else DEAD
 *   v_where_above(a, b, x)             x where a > b, else 0
 *   v_unless_above(a, b, x)            0 where a > b, else x
 *   v_store_bytes()                    the lowest byte of each lane
 *   v_before(a, fill)                  the last lane of fill, then a moved up by a lane
 *   v_highest(a, dead)                 running maximum: in each lane the greatest value up to this lane
 *   v_last(a)                          the last lane, in all lanes
 *   struct matrix, v_matrix()          RESIDUE_CODES rows of as many scores
 *   scores, v_row(), v_look_up()       the row of a code; the scores of LANES residues
 *   v_code()                           a residue's code, as v_look_up() reads it
 *
 * A lane is a diagonal: the cell (row a, column b) is in lane b - a + origin of the arrays. So a match comes from the same lane of the row
 * before, a gap in the subject from the next lane, and a row reads the vectors that the row before has written.
 *
 * The plain form processes the columns that are alive or may become alive. The vector form processes all lanes of some vectors. A cell that
 * only the vector form processes is dead, because only dead cells lead to it: its column is absent or dead in the row before, and the plain
 * form opens every column that a gap in the query reaches alive. So lanes need no limits, except for the last residue of the subject.
 *
 * Along a row the best score with a gap in the query is a maximum over all cells before. In the plain form a dead cell changes neither this
 * score nor its own gap for the next row. In the vector form a dead cell changes both, as a live cell does. The scores that follow from
 * that are below the least score of a live cell, a bound that never falls. So no such score appears in a live cell or opens a column.
 *
 * In a run of matches of bases, most rows are skipped. Once all better alignments have met a mismatch, each score of a row is the score of
 * the run less the cost of a gap that begins in it, as late as possible: no alignment gains more than the run. Such a row leads to one with
 * the same scores plus that of a match, in the same lanes, until the run ends. steady_... compares rows with these scores.
 *
 * Scores are stored less a base, so that the best one is at most TOP when a row begins. gapped_fits() guarantees that then no score rises
 * above 16 bits, and that scores that saturate below, and all that follow from them, are dead.
 */
#ifndef TMS_GAPPED_ROWS_H
#define TMS_GAPPED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "extend/equal_bases.h"
#include "extend/gapped.h"

enum {
    STEADY_REACH = 256, /* diagonals on each side of a run of matches */
    STEADY_LEAST = 8,   /* rows that are worth a comparison */
    STEADY_AGAIN = 4    /* rows between comparisons */
};

struct rows {
    const struct gapped_costs *costs;
    struct gapped_columns columns;
    struct gapped_side subject;
    int step, filled; /* step: 1 or -1; filled: `columns` has the residues of columns below this */
    int open_extend, drop;
    int origin;    /* lane of column 0 in row 0 */
    int from, to;  /* vectors of the row that are processed; the others are dead */
    int low, high; /* vectors low .. high - 1 are initialised */
    int base, top; /* the best score is base + top */
    struct gapped_extent best;
    struct gapped_side query;
    struct gapped_directions *directions; /* NULL: no directions are stored */
    ptrdiff_t used;                       /* directions that are stored so far */
    int row, n_skipped;                   /* the next row; rows before it that were skipped */
    int run_end, compare_at;              /* end of the run of matches; no row before compare_at is compared with steady scores */
    bool is_alive;
};

/* Scores of a row in a run of matches, less the best score, STEADY_REACH - 1 diagonals before that of the run from the first lane on. */
struct steady {
    bool is_known;
    int first, end; /* lanes that are alive */
    lane_score best[2 * STEADY_REACH], gap[2 * STEADY_REACH];
};

/* Constants of all rows. */
struct constants {
    vector dead, extend, open_extend;
    vector opens;     /* cost of a gap that opens in a lane, less the ramp (the cost of extending a gap up to this lane) */
    vector before;    /* the ramp of the lane before */
    vector vector_on; /* cost of extending a gap across all lanes */
    vector in_subject, in_query, extends_in_subject, extends_in_query; /* bits of directions */
};

/* Fills in the residue before each column, in the order of the columns, at least for columns below `end`. */
static void fill_residues(struct rows *r, int end)
{
    enum { AHEAD = 64 };
    const uint8_t *codes = r->subject.codes;
    uint8_t *residues = r->columns.residues + 1;
    int i = r->filled - 1, to = end + AHEAD - 1, n = to < r->subject.n ? to : r->subject.n;

    if (r->step > 0)
        for (; i < n; i++)
            residues[i] = v_code(codes[i]);
    else
        for (; i < n; i++)
            residues[i] = v_code(codes[-(ptrdiff_t)i]);
    for (; i < to; i++)
        residues[i] = 0;
    r->filled = end + AHEAD;
}

static inline void reserve_residues(struct rows *r, int end)
{
    if (r->filled < end)
        fill_residues(r, end);
}

static inline lane_score *lanes_of(void *columns) { return columns; }

static void kill(struct rows *r, int k)
{
    v_store(lanes_of(r->columns.best) + (ptrdiff_t)k * LANES, v_all(DEAD));
    v_store(lanes_of(r->columns.gap) + (ptrdiff_t)k * LANES, v_all(DEAD));
}

/* Fills row 0, which has only gaps in the query. Returns the end of its columns. */
static int begin_rows(struct rows *r)
{
    const int most = (r->drop - r->open_extend) / r->costs->extend + 2, end = most <= r->subject.n ? most : r->subject.n + 1;

    r->low = r->high = r->from = (r->origin - 1) / LANES; /* where row 1 begins */
    r->to = (r->origin + end - 1) / LANES;
    while (r->high <= r->to + 1)
        kill(r, r->high++);
    for (int b = 0; b < end; b++) {
        int score = b > 0 ? -r->open_extend - (b - 1) * r->costs->extend : 0;
        lanes_of(r->columns.best)[r->origin + b] = (lane_score)score;
        lanes_of(r->columns.gap)[r->origin + b] = (lane_score)(score - r->open_extend);
    }
    if (end <= r->subject.n)
        lanes_of(r->columns.best)[r->origin + end - 1] = DEAD; /* row 1 has no column after this one that a match could reach */
    return end;
}

/* Not inline: gcc would make the constants anew in each row. */
static __attribute__((noinline)) struct constants constants_of(const struct gapped_costs *costs)
{
    const int extend = costs->extend, open_extend = costs->open + extend;
    lane_score opens[LANES], before[LANES];

    for (int i = 0; i < LANES; i++) {
        opens[i] = (lane_score)(open_extend - i * extend);
        before[i] = (lane_score)((i - 1) * extend);
    }
    return (struct constants){
        .dead = v_all(DEAD),
        .extend = v_all(extend),
        .open_extend = v_all(open_extend),
        .opens = v_load(opens),
        .before = v_load(before),
        .vector_on = v_all(LANES * extend),
        .in_subject = v_all(GAPPED_IN_SUBJECT),
        .in_query = v_all(GAPPED_IN_QUERY),
        .extends_in_subject = v_all(GAPPED_EXTENDS_IN_SUBJECT),
        .extends_in_query = v_all(GAPPED_EXTENDS_IN_QUERY),
    };
}

static tms_status begin(struct rows *r, const struct gapped_costs *costs, struct gapped_columns columns, const struct gapped_extension *e,
                        struct gapped_directions *directions)
{
    int end;

    *r = (struct rows){.costs = costs, .columns = columns, .query = e->query, .subject = e->subject, .step = e->step};
    r->directions = directions;
    r->is_alive = true;
    r->origin = e->query.n;
    r->open_extend = costs->open + costs->extend;
    r->drop = costs->x_drop > r->open_extend ? costs->x_drop : r->open_extend;
    r->filled = r->row = 1;
    memset(columns.residues - GAPPED_PADDING, 0, GAPPED_PADDING + 1);
    end = begin_rows(r);
    if (directions == NULL)
        return TMS_OK;
    if (gapped_reserve_row(directions, 0, 0, e->subject.n) != TMS_OK)
        return TMS_E_MEMORY;
    directions->row_starts[0] = 0;
    directions->n_skips = 0;
    memset(directions->items, GAPPED_IN_QUERY, (size_t)end);
    r->used = end;
    return TMS_OK;
}

/* Makes the best score the base. */
static void rebase(struct rows *r)
{
    const vector top = v_all(r->top);

    for (ptrdiff_t i = (ptrdiff_t)r->from * LANES; i < (ptrdiff_t)(r->to + 1) * LANES; i += LANES) {
        v_store(lanes_of(r->columns.best) + i, v_sub(v_load(lanes_of(r->columns.best) + i), top));
        v_store(lanes_of(r->columns.gap) + i, v_sub(v_load(lanes_of(r->columns.gap) + i), top));
    }
    r->base += r->top;
    r->top = 0;
}

/* Lanes below n, which may be negative. */
static inline mask lanes_below(int n) { return (mask)(n >= LANES ? ~(uint64_t)0 : n > 0 ? ((uint64_t)1 << n * LANE_BITS) - 1 : 0); }

/*
 * Raises the best score where matches are better than all cells before. (The best score always comes from a match, because a gap costs
 * something.)
 *   better [in] lanes of such matches
 * Returns, for each lane, the score above which a cell lives: lanes after such a match are compared with the raised score.
 */
static vector raise_best(struct rows *r, int a, int b, vector match, mask better)
{
    lane_score matches[LANES];
    vector least = v_all(r->top - r->drop - 1);

    v_store(matches, match);
    while (better != 0) {
        int lane = __builtin_ctz(better) / LANE_BITS;
        r->top = matches[lane];
        r->best = (struct gapped_extent){r->base + r->top, a, b + lane};
        least = v_pick(lanes_below(lane + 1), least, v_all(r->top - r->drop - 1));
        better &= v_above(match, v_all(r->top)) & (mask)~lanes_below(lane + 1);
    }
    return least;
}

/*
 * Returns the direction of each cell, and whether the gaps after it are older than the cell. Of equal scores, a match takes precedence over
 * a gap, and an extended gap over a new one.
 *   score [in] the best of match and gap
 *   gap, gap_before [in] gaps in the subject and in the query before this cell
 *   opened [in] a new gap after this cell
 */
_Static_assert((int)GAPPED_IN_QUERY > (int)GAPPED_IN_SUBJECT, "the greater one counts");
static inline vector directions_of(const struct constants *c, vector match, vector score, vector gap, vector gap_before, vector opened)
{
    const vector in_subject = v_where_above(gap, match, c->in_subject), in_query = v_where_above(gap_before, score, c->in_query);
    const vector extends_in_subject = v_unless_above(opened, v_sub(gap, c->extend), c->extends_in_subject);
    const vector extends_in_query = v_unless_above(opened, v_sub(gap_before, c->extend), c->extends_in_query);

    return v_or(v_max(in_subject, in_query), v_or(extends_in_subject, extends_in_query));
}

/* Adds a vector before or after the row's vectors. */
static void widen(struct rows *r, int k)
{
    r->from = k < r->from ? k : r->from;
    r->to = k > r->to ? k : r->to;
    for (; r->low > r->from; r->low--)
        kill(r, r->low - 1);
    for (; r->high < r->to + 2; r->high++)
        kill(r, r->high);
}

/*
 * Fills row a.
 *   directions [out] NULL, or directions of the row, indexed by column
 * Returns false if no column is alive.
 */
static inline bool score_row(struct rows *r, const struct constants *c, int a, scores row, uint8_t *directions)
{
    const int first = r->from;
    int k = first, b = k * LANES + a - r->origin; /* column of the vector's first lane */
    const struct gapped_columns columns = r->columns;
    const int n = r->subject.n;
    vector top = v_all(r->top), least = v_all(r->top - r->drop - 1);
    vector passed = c->dead; /* the gap from the vectors before: its score in lane 0, less the cost of extending it by one residue */
    const lane_score *at_first = lanes_of(columns.best) + (ptrdiff_t)first * LANES;
    mask any_alive = 0, alive;

    for (;; k++, b += LANES) {
        lane_score *best = lanes_of(columns.best) + (ptrdiff_t)k * LANES, *gaps = lanes_of(columns.gap) + (ptrdiff_t)k * LANES;
        const mask valid = lanes_below(n + 1 - b);
        const vector gap = v_load(gaps + 1);
        const vector match = v_add(v_load(best), v_look_up(row, columns.residues + b)), score = v_max(match, gap);
        const mask better = v_above(match, top) & valid;
        const vector through = v_highest(v_sub(score, c->opens), c->dead);
        /* A cell's own new gap scores no more than the cell, so it is of no account but for directions. */
        const vector opened_before = directions != NULL ? v_before(through, c->dead) : through;
        const vector gap_before = v_sub(v_max(opened_before, passed), c->before), all = v_max(score, gap_before);
        const vector opened = v_sub(all, c->open_extend);
        vector least_here = least;
        if (better != 0) {
            least_here = raise_best(r, a, b, match, better);
            top = v_all(r->top);
            least = v_all(r->top - r->drop - 1);
        }
        passed = v_sub(v_max(v_last(through), passed), c->vector_on);
        alive = v_above(all, least_here) & valid;
        v_store(best, valid == lanes_below(LANES) ? v_keep_above(all, least_here) : v_pick(alive, all, c->dead));
        v_store(gaps, v_max(opened, v_sub(gap, c->extend)));
        if (directions != NULL)
            v_store_bytes(directions + b, directions_of(c, match, score, gap, gap_before, opened));
        any_alive |= alive;
        if (k == r->to) { /* the gap may open columns after the row */
            if (alive >> (LANES * LANE_BITS - 1) == 0)
                break;
            widen(r, k + 1);
            reserve_residues(r, b + 2 * LANES);
        }
    }
    if (any_alive == 0)
        return false;
    if (alive == 0 && r->to > r->from)
        kill(r, r->to--);
    if (r->from < r->to && at_first[LANES] == DEAD && v_above(v_load(at_first), c->dead) == 0)
        kill(r, r->from++);
    else if (at_first[0] != DEAD && r->from > 0) /* the next row has this column in the vector before */
        widen(r, r->from - 1);
    return true;
}

/* Fills the next row after providing its residues and memory. */
static inline tms_status next_row(struct rows *r, const struct constants *c, const struct matrix *matrix, bool has_directions)
{
    const int a = r->row++, stored = a - r->n_skipped, from = r->from, first = from * LANES + a - r->origin; /* column of the first lane */
    const scores row = v_row(matrix, r->query.codes[(ptrdiff_t)r->step * (a - 1)]);
    uint8_t *directions = NULL;

    reserve_residues(r, (r->to + 1) * LANES + a - r->origin);
    if (r->top > TOP)
        rebase(r);
    if (has_directions) {
        if (gapped_reserve_row(r->directions, stored, (size_t)r->used, r->subject.n) != TMS_OK)
            return TMS_E_MEMORY;
        r->directions->row_starts[stored] = r->used - first; /* the row's directions are whole vectors, from column `first` on */
        directions = r->directions->items + r->directions->row_starts[stored];
    }
    r->is_alive = score_row(r, c, a, row, directions) && a < r->query.n;
    r->used += (ptrdiff_t)(r->to - from + 2) * LANES;
    return TMS_OK;
}

/* --- runs of matches --- */

/* A gap after a dead cell is as good as any other below the least score. */
static void find_steady(const struct rows *r, struct steady *s)
{
    const int open = r->costs->open, extend = r->costs->extend, match = r->costs->match;

    s->first = s->end = STEADY_REACH;
    for (int i = 0; i < 2 * STEADY_REACH; i++) {
        const bool is_before =
            i < STEADY_REACH; /* then the gap is in the subject, and cells are compared with the best score before the match */
        const int n = is_before ? STEADY_REACH - i : i - STEADY_REACH;
        const int score = n > 0 ? -open - n * (extend + (is_before ? match : 0)) : 0;
        const int gap = score - extend - (is_before ? 0 : open), least = -r->drop - (is_before ? match : 0);
        s->best[i] = (lane_score)(score >= least ? score : DEAD);
        s->gap[i] = (lane_score)(gap >= -r->drop ? gap : -r->drop - 1);
        s->first -= is_before && score >= least;
        s->end += !is_before && score >= least;
    }
    s->is_known = true;
}

/* Whether the row has steady scores around the lane of its best score. */
static inline bool is_steady(const struct rows *r, const struct steady *s, int lane)
{
    const vector top = v_all(r->top), dead_gap = v_all(-r->drop - 1);
    const int start = lane - STEADY_REACH, from = r->from * LANES - start, to = (r->to + 1) * LANES - start;
    mask differs = 0;

    if (from < 0 || to > 2 * STEADY_REACH || from > s->first || to < s->end || s->first == 0 || s->end == 2 * STEADY_REACH)
        return false;
    for (int i = from; i < to && differs == 0; i += LANES) {
        const lane_score *at = lanes_of(r->columns.best) + start + i, *gap_at = lanes_of(r->columns.gap) + start + i;
        const vector best = v_sub(v_load(at), top), best_wanted = v_load(s->best + i);
        const vector gap = v_max(v_sub(v_load(gap_at), top), dead_gap), gap_wanted = v_load(s->gap + i);
        differs = v_above(best, best_wanted) | v_above(best_wanted, best) | v_above(gap, gap_wanted) | v_above(gap_wanted, gap);
    }
    return differs == 0;
}

/* Rows after row a in which the best cell's diagonal has a match, at most those after which no live column lies behind the last residue. */
static inline int matches_ahead(const struct rows *r, int a)
{
    const int b = r->best.subject, columns = r->subject.n + 1 - ((r->to + 2) * LANES + a - r->origin), rows = r->query.n - a - 1;
    const int most = rows < columns ? rows : columns;
    const uint8_t *query = r->query.codes + (ptrdiff_t)r->step * a, *subject = r->subject.codes + (ptrdiff_t)r->step * b;

    if (most <= 0)
        return 0;
    return r->step > 0 ? equal_bases_from(query, subject, most) : equal_bases_before(query + 1, subject + 1, most);
}

/*
 * Skips the rows of a run of matches after row a, which has raised the best score. Scores cannot be steady before the oldest gap that is
 * alive has begun in the run.
 */
static inline tms_status skip_matches(struct rows *r, struct steady *s, int a)
{
    struct gapped_directions *directions = r->directions;
    const int diagonal = r->best.subject - a, n = matches_ahead(r, a);
    int first_column;

    if (!s->is_known)
        find_steady(r, s);
    if (a >= r->run_end) {
        const int oldest = STEADY_REACH - s->first;
        r->run_end = a + n + 1;
        r->compare_at = n >= oldest + STEADY_LEAST ? a + oldest : r->run_end;
        return TMS_OK;
    }
    r->compare_at = a + STEADY_AGAIN;
    if (n < STEADY_LEAST || !is_steady(r, s, diagonal + r->origin))
        return TMS_OK;
    if (directions != NULL) {
        if (!array_reserve(&directions->skips, &directions->skips_capacity, directions->n_skips + 1, sizeof *directions->skips))
            return TMS_E_MEMORY;
        directions->skips[directions->n_skips++] = (struct gapped_skip){a + 1, a + n + 1, diagonal};
    }
    r->base += n * r->costs->match;
    r->best = (struct gapped_extent){r->base + r->top, a + n, r->best.subject + n};
    r->row += n;
    r->n_skipped += n;
    first_column = (r->from - 2) * LANES + r->row - r->origin; /* that rows after these may read */
    r->filled = r->filled > first_column ? r->filled : first_column;
    return TMS_OK;
}

/* directions [in,out] those of each extension; NULL: none */
static inline tms_status extend_all(const struct gapped_costs *costs, const struct gapped_columns *columns,
                                    struct gapped_directions *directions, struct gapped_extension *extensions, int n)
{
    const struct constants c = constants_of(costs);
    struct matrix matrix;
    struct rows rows[GAPPED_AT_ONCE];
    struct steady steady;
    tms_status status = TMS_OK;
    int n_alive = n;

    v_matrix(costs->scores, &matrix);
    for (int i = 0; i < n && status == TMS_OK; i++)
        status = begin(&rows[i], costs, columns[i], &extensions[i], directions != NULL ? &directions[i] : NULL);
    steady.is_known = false;
    while (n_alive > 0 && status == TMS_OK) {
        n_alive = 0;
        for (int i = 0; i < n && status == TMS_OK; i++) {
            struct rows *r = &rows[i];
            if (r->is_alive)
                status = next_row(r, &c, &matrix, directions != NULL);
            if (costs->match > 0 && r->is_alive && r->best.query == r->row - 1 && r->row > r->compare_at && status == TMS_OK)
                status = skip_matches(r, &steady, r->row - 1);
            n_alive += r->is_alive;
        }
    }
    for (int i = 0; i < n && status == TMS_OK; i++)
        extensions[i].extent = rows[i].best;
    _mm256_zeroupper(); /* gcc 12 omits it after calls; without it the code that follows takes twice its time */
    return status;
}

#endif
