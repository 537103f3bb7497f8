/*
 * gapped_lane.cuh - the score of gapped_score() by a single lane, so that a warp makes 32 extensions at once: for those that stay narrow
 * and low, which most do that are not accepted. Against a warp an extension, no lane waits for the others' columns, and there are no votes.
 *
 * A lane takes its columns in blocks of ten, whose cells are independent of each other up to their diagonals. Blocks lie in a ring in
 * shared memory, the lanes' columns side by side. A cell is one number: its score, and in the lowest bits its column's residue as an offset
 * into a row of scores. Lanes share copies of the scores, so that seldom two of them read the same bank. The score at an offset is less by
 * that offset, so that their sum has none.
 */
#ifndef TMS_GAPPED_LANE_CUH
#define TMS_GAPPED_LANE_CUH

#include "extend/gapped_warp.cuh"

enum {
    GAPPED_LANE_COPIES = 8,                                      /* of the scores */
    GAPPED_LANE_OFFSET = 4 * GAPPED_LANE_COPIES,                 /* of the next residue's score, bytes */
    GAPPED_LANE_UNIT = RESIDUE_ROW * GAPPED_LANE_OFFSET,         /* a score of 1; bytes of a row of scores */
    GAPPED_LANE_OFFSETS = GAPPED_LANE_UNIT - GAPPED_LANE_OFFSET, /* the bits of a cell's offset */
    GAPPED_LANE_BLOCK = GAPPED_TENTH,                            /* columns */
    GAPPED_LANE_BLOCKS = 8,
    GAPPED_LANE_MOST = 1 << 15, /* scores and costs must be less */
    GAPPED_LANE_DEAD = -(1 << 18) * GAPPED_LANE_UNIT,
    GAPPED_LANE_NONE = -(1 << 17) * GAPPED_LANE_UNIT,    /* the score where the subject has ended */
    GAPPED_LANE_TABLE = RESIDUE_CODES * GAPPED_LANE_UNIT /* bytes of all copies */
};

/* Shared memory of one warp. */
struct gapped_lane_ring {
    int best[GAPPED_LANE_BLOCKS * GAPPED_LANE_BLOCK][32], gap[GAPPED_LANE_BLOCKS * GAPPED_LANE_BLOCK][32];
};

/* An extension to one side, in progress. Scores and costs are in units of GAPPED_LANE_UNIT. */
struct gapped_lane {
    int (*best)[32], (*gap)[32]; /* the lane's columns */
    uint32_t copy;               /* its copy of the scores: bytes */
    int open_extend, extend, drop;
    struct gapped_side query, subject;
    int step;
    int row;           /* rows that are filled, without row 0 */
    int first, filled; /* blocks first .. filled - 1 are in the ring */
    int last, limit;   /* last live column of the row; least score of a live cell: the best one less the X-drop */
    int edge;          /* offset of the last column of row 0 */
    bool fits;         /* false: the ring is too small */
};

/* Copies the scores into shared memory; for all threads of a block. scores: [RESIDUE_ROW * query's code + subject's code] */
__device__ static inline void gapped_lane_put_scores(const int *scores, int *table)
{
    for (int i = (int)threadIdx.x; i < GAPPED_LANE_TABLE / 4; i += (int)blockDim.x) {
        const int subject = i / GAPPED_LANE_COPIES % RESIDUE_ROW, query = i / GAPPED_LANE_COPIES / RESIDUE_ROW;
        const bool is_residue = query > 0 && subject > 0 && subject < RESIDUE_CODES;
        table[i] = (is_residue ? scores[RESIDUE_ROW * query + subject] * GAPPED_LANE_UNIT : (int)GAPPED_LANE_NONE) -
                   subject * GAPPED_LANE_OFFSET;
    }
    __syncthreads();
}

/* Brings the next block of columns into the ring. Returns false if it is full. */
__device__ static inline bool gapped_lane_fill(struct gapped_lane *g)
{
    const int base = g->filled * GAPPED_LANE_BLOCK, slot = g->filled % GAPPED_LANE_BLOCKS * GAPPED_LANE_BLOCK;
    g->fits = g->filled - g->first < GAPPED_LANE_BLOCKS;
    if (!g->fits)
        return false;
#pragma unroll
    for (int i = 0; i < GAPPED_LANE_BLOCK; i++) {
        const int residue = base + i < g->subject.n ? g->subject.codes[(ptrdiff_t)g->step * (base + i)] : 0;
        g->best[slot + i][0] = GAPPED_LANE_DEAD + residue * GAPPED_LANE_OFFSET;
        g->gap[slot + i][0] = GAPPED_LANE_DEAD;
    }
    g->filled++;
    return true;
}

/* Sets a column's scores when a gap in the query reaches it. */
__device__ static inline void gapped_lane_open(struct gapped_lane *g, int column, int score)
{
    const int at = column % (GAPPED_LANE_BLOCKS * GAPPED_LANE_BLOCK);
    g->best[at][0] = score | (g->best[at][0] & GAPPED_LANE_OFFSETS);
    g->gap[at][0] = score - g->open_extend;
}

/*
 * gapped_lane_begin() - fills row 0. The caller has set the members before `row`; both sequences have residues.
 *
 * Row 1 may not take the diagonal from row 0's last column: there BLAST has no further column. So that column has no residue until row 1 is
 * filled.
 */
__device__ static inline void gapped_lane_begin(struct gapped_lane *g)
{
    g->row = g->first = g->filled = 0;
    g->limit = -g->drop;
    g->last = min((g->drop - g->open_extend) / g->extend + 1, g->subject.n);
    while (g->filled * GAPPED_LANE_BLOCK <= g->last && gapped_lane_fill(g))
        continue;
    for (int b = 0; b <= g->last; b++)
        gapped_lane_open(g, b, b == 0 ? 0 : -g->open_extend - (b - 1) * g->extend);
    g->edge = g->best[g->last][0] & GAPPED_LANE_OFFSETS;
    g->best[g->last][0] -= g->edge;
}

/* What goes from a block of columns to the next. */
struct gapped_lane_carry {
    int diagonal, row_gap, last, limit;
};

/*
 * Fills the columns of a block. COLUMN_GAPS: all columns have gaps in the subject, not only the first. ROW_GAPS: there are gaps in the
 * query. Dead cells take part like others: what comes from them is dead as well. row [in] the scores of the query's residue
 */
template <bool COLUMN_GAPS, bool ROW_GAPS>
__device__ static __forceinline__ void gapped_lane_block(const struct gapped_lane *g, int block, const char *row,
                                                         struct gapped_lane_carry *c)
{
    int(*best)[32] = g->best + block % GAPPED_LANE_BLOCKS * GAPPED_LANE_BLOCK;
    int(*gap)[32] = g->gap + block % GAPPED_LANE_BLOCKS * GAPPED_LANE_BLOCK;
    int cell[GAPPED_LANE_BLOCK], next[GAPPED_LANE_BLOCK], column_gap[GAPPED_LANE_BLOCK];
#pragma unroll
    for (int i = 0; i < GAPPED_LANE_BLOCK; i++) {
        cell[i] = best[i][0];
        column_gap[i] = COLUMN_GAPS || i == 0 ? gap[i][0] : 0;
    }
#pragma unroll
    for (int i = 0; i < GAPPED_LANE_BLOCK; i++)
        next[i] = cell[i] + *(const int *)(row + (cell[i] & GAPPED_LANE_OFFSETS));
#pragma unroll
    for (int i = 0; i < GAPPED_LANE_BLOCK; i++) {
        const bool has_gap = COLUMN_GAPS || i == 0;
        int score = i > 0 ? next[i - 1] : c->diagonal;
        score = has_gap ? max(score, column_gap[i]) : score;
        score = ROW_GAPS ? max(score, c->row_gap) : score;
        const bool is_alive = score >= c->limit;
        score = is_alive ? score : (int)GAPPED_LANE_DEAD;
        c->last = is_alive ? block * GAPPED_LANE_BLOCK + i : c->last;
        c->limit = __viaddmax_s32(score, -g->drop, c->limit);
        if (has_gap)
            gap[i][0] = __viaddmax_s32(column_gap[i], -g->extend, score - g->open_extend);
        if (ROW_GAPS)
            c->row_gap = __viaddmax_s32(c->row_gap, -g->extend, score - g->open_extend);
        best[i][0] = score | (cell[i] & GAPPED_LANE_OFFSETS);
    }
    c->diagonal = next[GAPPED_LANE_BLOCK - 1];
}

/* Ends row 1: gives row 0's last column its residue back. `gap`: the diagonal from there, which a row without gaps opens columns with. */
__device__ static inline void gapped_lane_end_first(struct gapped_lane *g, int edge_column, bool opens, int gap)
{
    g->best[edge_column % (GAPPED_LANE_BLOCKS * GAPPED_LANE_BLOCK)][0] |= g->edge;
    if (!opens || g->last < edge_column)
        return;
    for (; gap >= g->limit && g->last < g->subject.n; gap -= g->extend) {
        g->last++;
        if (g->last / GAPPED_LANE_BLOCK == g->filled && !gapped_lane_fill(g))
            return;
        gapped_lane_open(g, g->last, gap);
    }
}

/* Fills a row; template parameters as above. Returns false if no cell is alive, or if the ring is too small. */
template <bool COLUMN_GAPS, bool ROW_GAPS> __device__ static __forceinline__ bool gapped_lane_row(struct gapped_lane *g, const char *table)
{
    const int before = g->last, last_block = min(before + 1, g->subject.n) / GAPPED_LANE_BLOCK;
    const char *row = table + (g->query.codes[(ptrdiff_t)g->step * g->row++] * GAPPED_LANE_UNIT | g->copy);
    struct gapped_lane_carry c = {GAPPED_LANE_DEAD, GAPPED_LANE_DEAD, -1, g->limit};
    int opened = 0;

    if (g->row == 1 && !ROW_GAPS)
        opened = g->best[before][0] + g->edge + *(const int *)(row + g->edge);
    for (int k = g->first; k <= last_block || (ROW_GAPS && c.row_gap >= c.limit && k * GAPPED_LANE_BLOCK <= g->subject.n); k++) {
        if (k == g->filled && !gapped_lane_fill(g))
            return false;
        gapped_lane_block<COLUMN_GAPS, ROW_GAPS>(g, k, row, &c);
        g->first = c.last < 0 ? k + 1 : g->first;
    }
    g->limit = c.limit;
    g->last = c.last;
    if (g->row == 1)
        gapped_lane_end_first(g, before, !ROW_GAPS, opened);
    return c.last >= 0 && g->fits;
}

/* gapped_lane_rows() - fills up to ten rows, the next multiple of ten the last. Returns false at the end of the extension. */
template <bool RESTRICTED> __device__ static __forceinline__ bool gapped_lane_rows(struct gapped_lane *g, const char *table)
{
#pragma unroll 1
    for (int i = RESTRICTED; i < GAPPED_TENTH; i++)
        if (g->row == g->query.n || !gapped_lane_row<!RESTRICTED, !RESTRICTED>(g, table))
            return false;
    return !RESTRICTED || (g->row < g->query.n && gapped_lane_row<false, true>(g, table));
}

/* gapped_lane_score() - the best score so far. */
__device__ static inline int gapped_lane_score(const struct gapped_lane *g) { return (g->limit + g->drop) / GAPPED_LANE_UNIT; }

#endif
