/*
 * gapped_warp.cuh - the rows of gapped_score() and gapped_align() by a warp. A lane has neighbouring columns, in registers: 2 of them, and
 * twice as many when a row needs more. So a row is one turn of all lanes, however wide it is.
 *
 * All columns are filled in each row. Dead cells take part like others: what comes from them is dead as well. The first lane has no live
 * cell, so that what the lanes after it get from it is dead, too. When the last lane has one, the columns move, or become more.
 */
#ifndef TMS_GAPPED_WARP_CUH
#define TMS_GAPPED_WARP_CUH

#include <limits.h>

#include "extend/gapped.h"

enum {
    GAPPED_MOST_OPENED = 59,     /* most columns that a gap may open in row 0; costs must guarantee it */
    GAPPED_FEWEST_COLUMNS = 2,   /* of a lane */
    GAPPED_MOST_COLUMNS = 8,     /* of a lane */
    GAPPED_LEAST_SHIFT = 4,      /* lanes by which columns move at least */
    GAPPED_TENTH = 10,           /* distance of the columns and rows where gaps of the restricted form begin */
    GAPPED_NONE = RESIDUE_CODES, /* the code where the subject has ended */
    GAPPED_NEVER = -(1 << 28)    /* a score that no cell survives */
};

struct gapped_warp_costs {
    const int *scores; /* [RESIDUE_ROW * query's code + subject's code], as gapped_warp_score() has them; in shared memory */
    int open, extend, x_drop;
};

/*
 * Whether a warp has room for row 0: gaps open so many columns of it, and the restricted form one more. The X-drop is at least the cost of
 * a gap of one residue, as in gapped_score().
 */
static inline bool gapped_warp_takes(int open, int extend, int x_drop)
{
    const int open_extend = open + extend, drop = x_drop > open_extend ? x_drop : open_extend;
    return extend > 0 && open >= 0 && (drop - open_extend) / extend + 2 <= GAPPED_MOST_OPENED;
}

/* The entry at `at` of gapped_warp_costs.scores; score: that of a table of the same layout, which need not have those of GAPPED_NONE. */
__device__ static inline int gapped_warp_score(int at, int score) { return at % RESIDUE_ROW < GAPPED_NONE ? score : (int)GAPPED_NEVER; }

/* A lane's columns after the last row that was filled. */
template <int N> struct gapped_warp_columns {
    int best[N];   /* what the diagonal to the next row begins with: the cell's score, or GAPPED_DEAD */
    int gap[N];    /* the gap in the subject that goes to the next row, without the cost of its first residue */
    int least[N];  /* least score of a live cell; INT_MAX behind the last residue */
    int offset[N]; /* of the next residue's score in a row of scores; bytes */
    int next[N];   /* the next residue's score in the next row */
    int closed[N]; /* restricted form: GAPPED_NEVER where no gap in the subject may begin, else 0 */
};

/* An extension in progress; the same in all lanes, but for `lane`. */
struct gapped_warp_rows {
    uint32_t table; /* address of the scores in shared memory */
    struct gapped_side query, subject;
    int step, lane;
    const uint8_t *at; /* the query's code that is read next */
    int code, after;   /* codes of the next row and of the one after it */
    int extend, open_extend, drop;
    int reach;         /* most columns that a live gap may have; a live cell after them has another */
    int row, last_row; /* rows that are filled, without row 0; the last that may be */
    int base;          /* the first lane's first column */
    int edge;          /* last live column of row 0 */
    int through;       /* score with which a gap in the query leaves the last lane's last column, if this lane has a live cell */
    unsigned alive;    /* lanes with live cells */
    struct gapped_extent best;
    struct gapped_warp_directions *directions; /* of the aligning form */
    int used, start;                           /* bytes of them; where those of the row begin, less its columns */
};

/* A warp's memory for directions, 4 bits each: those of row a, column b are number starts[a] + b. Row 0 has none. */
enum {
    GAPPED_WARP_ROWS = 1 << 11,
    GAPPED_WARP_DIRECTIONS = 1 << 17, /* bytes after which no further row begins */
    GAPPED_WARP_MARGIN = 1 << 10,     /* bytes of the last row, and those that the way back reads behind it */
    GAPPED_WARP_ALIGNED = 4           /* bytes of a lane's directions at most */
};

struct gapped_warp_directions {
    int starts[GAPPED_WARP_ROWS];
    uint8_t items[GAPPED_WARP_DIRECTIONS + GAPPED_WARP_MARGIN];
};

/* Stores the directions of a lane's columns, of which `column` is the first. */
template <int N> __device__ static inline void gapped_warp_put(const struct gapped_warp_rows *r, int column, uint32_t directions)
{
    uint8_t *at = r->directions->items + (r->start + column) / 2;
    if (N == 2)
        *at = (uint8_t)directions;
    else if (N == 4)
        *(uint16_t *)at = (uint16_t)directions;
    else
        *(uint32_t *)at = directions;
}

/* Reads scores of the next row. */
template <int N> __device__ static inline void gapped_warp_look_up(const struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    const uint32_t row = r->table + (uint32_t)(r->code * RESIDUE_ROW * (int)sizeof(int));
#pragma unroll
    for (int i = 0; i < N; i++)
        c->next[i] = *(const int *)__cvta_shared_to_generic(row + (uint32_t)c->offset[i]);
}

/* Goes to the next row: reads its scores, and the code of the row that comes after the one after it. */
template <int N> __device__ static inline void gapped_warp_go_on(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    r->row++;
    r->code = r->after;
    gapped_warp_look_up(r, c);
    if (r->row + 1 < r->query.n)
        r->at += r->step;
    r->after = *r->at;
}

/* What a column has that has not been reached. */
template <int N, bool RESTRICTED>
__device__ static inline void gapped_warp_new_column(const struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c, int i)
{
    const int column = r->base + N * r->lane + i;
    const bool is_residue = column >= 0 && column < r->subject.n;
    c->best[i] = c->gap[i] = GAPPED_DEAD;
    c->least[i] = column > r->subject.n ? INT_MAX : r->best.score - r->drop;
    c->offset[i] = (int)sizeof(int) * (is_residue ? r->subject.codes[(ptrdiff_t)r->step * column] : (int)GAPPED_NONE);
    c->closed[i] = RESTRICTED && column % GAPPED_TENTH != 0 ? GAPPED_NEVER : 0;
}

/* Makes a column's cell one that a gap in the query reaches with this score. Returns whether it is alive. */
template <int N> __device__ static inline bool gapped_warp_reach(struct gapped_warp_columns<N> *c, int i, int score)
{
    if (score < c->least[i])
        return false;
    c->best[i] = score;
    c->gap[i] = c->closed[i] == 0 ? score : (int)GAPPED_DEAD;
    return true;
}

/* Opens the columns from `end` on, those that the lanes have not had, with the gap that leaves the column before. */
template <int N, bool RESTRICTED, bool ALIGNS>
__device__ static inline void gapped_warp_open(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c, int end)
{
    const int first = r->base + N * r->lane, new_end = r->base + 32 * N;
    bool is_alive = false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        if (first >= end) {
            gapped_warp_new_column<N, RESTRICTED>(r, c, i);
            gapped_warp_reach<N>(c, i, r->through - (first + i - end) * r->extend);
        }
        is_alive |= c->best[i] != GAPPED_DEAD;
    }
    if (ALIGNS && first >= end)
        gapped_warp_put<N>(r, first, GAPPED_IN_QUERY * 0x11111111u);
    r->used = ALIGNS ? ((r->start + new_end) / 2 + GAPPED_WARP_ALIGNED - 1) / GAPPED_WARP_ALIGNED * GAPPED_WARP_ALIGNED : 0;
    r->through -= (new_end - end) * r->extend;
    r->alive = __ballot_sync(~0u, is_alive);
}

/* Moves the columns on, so that the first lane has no live cell, and the second one has. Returns false if that is not far enough. */
template <int N, bool RESTRICTED, bool ALIGNS>
__device__ static inline bool gapped_warp_shift(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    const int lanes = __ffs((int)r->alive) - 2, end = r->base + 32 * N;
    if (lanes < GAPPED_LEAST_SHIFT)
        return false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        c->best[i] = __shfl_down_sync(~0u, c->best[i], lanes);
        c->gap[i] = __shfl_down_sync(~0u, c->gap[i], lanes);
        c->least[i] = __shfl_down_sync(~0u, c->least[i], lanes);
        c->offset[i] = __shfl_down_sync(~0u, c->offset[i], lanes);
        if (RESTRICTED)
            c->closed[i] = __shfl_down_sync(~0u, c->closed[i], lanes);
    }
    r->base += lanes * N;
    gapped_warp_open<N, RESTRICTED, ALIGNS>(r, c, end);
    return true;
}

/* Gives each lane twice as many columns; the first lane's are new and dead. */
template <int N, bool RESTRICTED, bool ALIGNS>
__device__ static inline void gapped_warp_widen(struct gapped_warp_rows *r, const struct gapped_warp_columns<N> *from,
                                                struct gapped_warp_columns<2 * N> *to)
{
    const int end = r->base + 32 * N;
    r->base -= 2 * N;
#pragma unroll
    for (int i = 0; i < 2 * N; i++) {
        const int lane = 2 * (r->lane - 1) + i / N, k = i % N;
        to->best[i] = __shfl_sync(~0u, from->best[k], lane);
        to->gap[i] = __shfl_sync(~0u, from->gap[k], lane);
        to->least[i] = __shfl_sync(~0u, from->least[k], lane);
        to->offset[i] = __shfl_sync(~0u, from->offset[k], lane);
        to->closed[i] = __shfl_sync(~0u, from->closed[k], lane);
        if (r->lane == 0)
            gapped_warp_new_column<2 * N, RESTRICTED>(r, to, i);
    }
    gapped_warp_open<2 * N, RESTRICTED, ALIGNS>(r, to, end);
}

/* Fills row 0. Row 1 may not take the diagonal from its last column: there BLAST has no further column. */
template <int N, bool RESTRICTED>
__device__ static inline void gapped_warp_begin(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    bool is_alive = false;
    r->base = -N;
    r->reach = (r->drop - r->open_extend) / r->extend + 1;
    r->edge = min(r->reach, r->subject.n);
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int column = r->base + N * r->lane + i;
        gapped_warp_new_column<N, RESTRICTED>(r, c, i);
        if (column >= 0 && column <= r->edge)
            is_alive |= gapped_warp_reach<N>(c, i, column == 0 ? 0 : -r->open_extend - (column - 1) * r->extend);
        c->best[i] = column == r->edge ? (int)GAPPED_DEAD : c->best[i];
    }
    r->alive = __ballot_sync(~0u, is_alive);
}

/* The restricted form opens columns with the diagonal from row 0's last column, if row 1 has a live cell there. */
template <int N> __device__ static inline void gapped_warp_end_first(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    const int end = r->edge + 1, score = -r->open_extend - (r->edge - 1) * r->extend;
    bool is_alive = false;
    if (r->edge == r->subject.n)
        return;
#pragma unroll
    for (int i = 0; i < N; i++)
        is_alive |= r->base + N * r->lane + i == r->edge && c->best[i] != GAPPED_DEAD;
    if (!__any_sync(~0u, is_alive))
        return;
    const uint32_t at = RESIDUE_ROW * r->query.codes[0] + r->subject.codes[(ptrdiff_t)r->step * r->edge];
    const int through = score + *(const int *)__cvta_shared_to_generic(r->table + at * (uint32_t)sizeof(int));
    is_alive = false;
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int column = r->base + N * r->lane + i;
        if (column >= end)
            gapped_warp_reach<N>(c, i, through - (column - end) * r->extend);
        is_alive |= c->best[i] != GAPPED_DEAD;
    }
    r->through = through - (r->base + 32 * N - end) * r->extend;
    r->alive = __ballot_sync(~0u, is_alive);
}

/*
 * Raises the best score where matches are better than all cells before; it always comes from a match, because a gap costs something. Cells
 * after such a match are compared with the raised score.
 *   top [in] the best of the lane's matches
 *   better [in] lanes where it is better; not 0
 */
template <int N>
__device__ static inline void gapped_warp_raise(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c, const int *match, int top,
                                                unsigned better)
{
    do {
        uint32_t mine = 0;
#pragma unroll
        for (int i = N - 1; i >= 0; i--)
            mine = match[i] > r->best.score ? (uint32_t)match[i] * N + (uint32_t)i : mine;
        const int lane = __ffs((int)better) - 1;
        const uint32_t first = __shfl_sync(~0u, mine, lane);
        const int at = lane * N + (int)(first % N);
        r->best = gapped_extent{(int)(first / N), r->row, r->base + at};
#pragma unroll
        for (int i = 0; i < N; i++)
            c->least[i] = r->lane * N + i > at ? max(c->least[i], r->best.score - r->drop) : c->least[i];
        better = __ballot_sync(~0u, top > r->best.score);
    } while (better != 0);
}

/* Directions of a cell; gaps are without the cost of the first residue. Of equal scores, a match takes precedence over a gap. */
__device__ static inline uint32_t gapped_warp_direction(const struct gapped_warp_rows *r, int match, int column_gap, int row_gap, int score)
{
    const uint32_t of_match = match < column_gap - r->open_extend ? GAPPED_IN_SUBJECT : GAPPED_MATCH;
    const uint32_t operation = max(match, column_gap - r->open_extend) < row_gap - r->open_extend ? GAPPED_IN_QUERY : of_match;
    return operation | (column_gap - r->extend >= score ? GAPPED_EXTENDS_IN_SUBJECT : 0) |
           (row_gap - r->extend >= score ? GAPPED_EXTENDS_IN_QUERY : 0);
}

/*
 * The best score, over the lanes before this one, of a gap in the query that reaches this lane, without the cost of its first residue.
 *   score [in] of the lane's cells without gaps in the query
 */
template <int N> __device__ static inline int gapped_warp_gap(struct gapped_warp_rows *r, const int *score)
{
    int through = score[0];
#pragma unroll
    for (int i = 1; i < N; i++)
        through = __viaddmax_s32(through, -r->extend, score[i]);
    through += r->lane * N * r->extend; /* so that the costs between lanes need no further thought */
#pragma unroll
    for (int k = 1; k * N < 64; k *= 2) { /* a lane without one before it gets its own */
        if (k * N == 32 && r->reach <= 32)
            break;
        through = max(through, __shfl_up_sync(~0u, through, k));
    }
    const int before = __shfl_up_sync(~0u, through, 1) - max(r->lane - 1, 0) * N * r->extend;
    r->through = through - r->lane * N * r->extend - r->open_extend;
    return before;
}

/* Fills the next row. ROW_GAPS: there are gaps in the query. */
template <int N, bool RESTRICTED, bool ROW_GAPS, bool ALIGNS>
__device__ static inline void gapped_warp_row(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    int match[N], score[N];
    uint32_t directions = 0;
    bool is_alive = false;

#pragma unroll
    for (int i = 0; i < N; i++)
        match[(i + 1) % N] = c->best[i] + c->next[i];
    gapped_warp_go_on<N>(r, c);
    match[0] = __shfl_up_sync(~0u, match[0], 1);
    int top = match[0];
#pragma unroll
    for (int i = 0; i < N; i++) {
        top = max(top, match[i]);
        score[i] = RESTRICTED && i % 2 != 0 ? match[i] : __viaddmax_s32(c->gap[i], -r->open_extend, match[i]);
    }
    const unsigned better = __ballot_sync(~0u, top > r->best.score);
    if (better != 0)
        gapped_warp_raise<N>(r, c, match, top, better);
    int gap_before = ROW_GAPS ? gapped_warp_gap<N>(r, score) : GAPPED_DEAD;
    if (!ROW_GAPS)
        r->through = GAPPED_DEAD;
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int row_gap = gap_before, column_gap = c->gap[i];
        if (ROW_GAPS) {
            gap_before = __viaddmax_s32(row_gap, -r->extend, score[i]);
            score[i] = __viaddmax_s32(row_gap, -r->open_extend, score[i]);
        }
        if (ALIGNS)
            directions |= gapped_warp_direction(r, match[i], column_gap, row_gap, score[i]) << 4 * i;
        const bool lives = score[i] >= c->least[i];
        is_alive |= lives;
        c->best[i] = lives ? score[i] : (int)GAPPED_DEAD;
        if (!RESTRICTED)
            c->gap[i] = __viaddmax_s32(column_gap, -r->extend, c->best[i]);
        else if (i % 2 == 0)
            c->gap[i] = __viaddmax_s32(column_gap, -r->extend, c->best[i] + c->closed[i]);
    }
    if (better != 0) {
#pragma unroll
        for (int i = 0; i < N; i++)
            c->least[i] = max(c->least[i], r->best.score - r->drop);
    }
    r->alive = __ballot_sync(~0u, is_alive);
    if (ALIGNS) {
        r->start = 2 * r->used - r->base;
        gapped_warp_put<N>(r, r->base + N * r->lane, directions);
        if (r->lane == 0)
            r->directions->starts[r->row] = r->start;
        r->used += 16 * N;
    }
}

/* Fills rows to the end of the extension. Returns false if it needs more columns. */
template <int N, bool RESTRICTED, bool ALIGNS>
__device__ static inline bool gapped_warp_fill(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    gapped_warp_look_up<N>(r, c);
    for (;;) {
        if (r->alive >> 31 != 0) {
            while (r->alive >> 31 != 0) {
                r->through = __shfl_sync(~0u, r->through, 31);
                if (!gapped_warp_shift<N, RESTRICTED, ALIGNS>(r, c))
                    return false;
            }
            gapped_warp_look_up<N>(r, c);
        }
        if (r->alive == 0 || r->row >= r->last_row || (ALIGNS && r->used > GAPPED_WARP_DIRECTIONS))
            return true;
        if (RESTRICTED && (r->row + 1) % GAPPED_TENTH != 0)
            gapped_warp_row<N, RESTRICTED, false, ALIGNS>(r, c);
        else
            gapped_warp_row<N, RESTRICTED, true, ALIGNS>(r, c);
        if (RESTRICTED && r->row == 1)
            gapped_warp_end_first<N>(r, c);
    }
}

/* Fills all rows with N columns a lane, or more. Returns false if the most columns are too few. */
template <int N, bool RESTRICTED, bool ALIGNS>
__device__ static inline bool gapped_warp_fill_all(struct gapped_warp_rows *r, struct gapped_warp_columns<N> *c)
{
    bool is_filled = gapped_warp_fill<N, RESTRICTED, ALIGNS>(r, c);
    if constexpr (N < GAPPED_MOST_COLUMNS)
        if (!is_filled) {
            struct gapped_warp_columns<2 * N> wider;
            gapped_warp_widen<N, RESTRICTED, ALIGNS>(r, c, &wider);
            is_filled = gapped_warp_fill_all<2 * N, RESTRICTED, ALIGNS>(r, &wider);
        }
    return is_filled;
}

/*
 * gapped_warp_extend() - fills all rows; N: columns of a lane at first. The caller has set r->last_row, and directions; both sequences have
 * residues. Returns false if something does not fit.
 */
template <int N, bool RESTRICTED, bool ALIGNS>
__device__ static inline bool gapped_warp_extend(struct gapped_warp_rows *r, const struct gapped_warp_costs *costs)
{
    struct gapped_warp_columns<N> columns;
    r->query.n = __shfl_sync(~0u, r->query.n, 0);
    r->subject.n = __shfl_sync(~0u, r->subject.n, 0);
    r->last_row = __shfl_sync(~0u, r->last_row, 0);
    r->step = __shfl_sync(~0u, r->step, 0);
    r->table = __shfl_sync(~0u, (uint32_t)__cvta_generic_to_shared(costs->scores), 0); /* so that it is computed once */
    r->code = r->query.codes[0];
    r->at = r->query.codes + (r->query.n > 1 ? r->step : 0);
    r->after = *r->at;
    r->extend = costs->extend;
    r->open_extend = costs->open + costs->extend;
    r->drop = max(costs->x_drop, r->open_extend);
    r->lane = (int)(threadIdx.x % 32);
    gapped_warp_begin<N, RESTRICTED>(r, &columns);
    return gapped_warp_fill_all<N, RESTRICTED, ALIGNS>(r, &columns) && (r->alive == 0 || r->row == r->query.n);
}

/*
 * gapped_score_warp() - extends with all lanes of a warp.
 *   most_cells [in] cells, about, after which the extension is abandoned
 *   cells [in,out] the number of cells that were computed is added, about
 *   fits [in,out] set to false if the extension is abandoned, or if it becomes too wide
 */
template <bool RESTRICTED>
__device__ static inline struct gapped_extent gapped_score_warp(const struct gapped_warp_costs *costs, struct gapped_side query,
                                                                struct gapped_side subject, int step, int most_cells, long long *cells,
                                                                bool *fits)
{
    enum { CELLS = 36 /* of a row, in the mean */ };
    struct gapped_warp_rows r = {0, query, subject, step};
    if (query.n <= 0 || subject.n <= 0)
        return r.best;
    r.last_row = min(query.n, most_cells / CELLS);
    if (!gapped_warp_extend<GAPPED_FEWEST_COLUMNS, RESTRICTED, false>(&r, costs))
        *fits = false;
    *cells += (long long)r.row * CELLS;
    return r.best;
}

#endif
