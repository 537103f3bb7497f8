/*
 * gapped_lanes_avx2.c - 32 gapped extensions at once, in lanes of 8 bits. Where vectors of diagonals (gapped_rows.h) wait for the row
 * before, and find the best gap of a row in five steps, lanes go through a row diagonal by diagonal, as the plain form does.
 *
 * A lane has the scores of WIDTH diagonals, the start point's in the middle. It is abandoned when the first or the last of them is alive.
 * All lanes are in some row of their own extension; one that is done takes the next extension. Each row, the scores of all lanes' residues
 * are looked up lane by lane, and transposed.
 *
 * In the restricted form (gapped.c) gaps begin and end in few columns, and in one row of ten. A lane begins at a row that is a multiple of
 * ten in all lanes, so in each row these columns are the same diagonals in all of them. Most cells have no gap to compare with.
 *
 * Cells outside of the sequences do no harm: residues there score so low that no match leads to a live cell, and gaps do not raise the
 * best score. As in gapped_rows.h, what follows from a dead cell is dead as well.
 */
#include "extend/gapped_lanes.h"

#include <immintrin.h>
#include <string.h>

enum {
    LANES = 32,
    WIDTH = 96, /* diagonals */
    MIDDLE = WIDTH / 2,
    ROWS = 10,    /* rows that are filled before lanes are looked at; the last one has gaps of the restricted form */
    SEGMENT = 60, /* rows whose residues a lane has */
    HALF = 16,    /* lanes, and columns whose scores are looked up together */
    MOST = 100    /* the score from which on a lane is abandoned, whatever is enough */
};

/* A lane's extension in progress. */
struct lane {
    struct gapped_both *both; /* NULL: none */
    int side;                 /* of both->sides */
    int before;               /* the score of the side before */
    int row, at;              /* rows that are filled; the same, within the segment */
    uint8_t query[SEGMENT];
    uint8_t subject[SEGMENT + WIDTH]; /* row r of the segment needs WIDTH residues from r on */
};

struct lanes {
    __m256i best[WIDTH], gap[WIDTH + 1]; /* by diagonal: the best score of its cell, and that with a gap in the subject */
    __m256i top, enough;                 /* of each lane: the best score; what is enough on this side */
    __m256i rows[RESIDUE_ROW];           /* scores of a query's residue: a byte for each of the subject's */
    __m256i drop, open_extend, extend;
    __m256i first_best[WIDTH], first_gap[WIDTH]; /* row 0 */
    int last;                                    /* diagonal of the last column of row 0 */
    __m256i last_best, begun;                    /* the score of that column; lanes whose next row is row 1 */
    bool is_restricted;
    struct lane lanes[LANES];
    struct gapped_both *next, *end;
};

static inline int8_t in_byte(int score) { return (int8_t)(score > INT8_MIN ? score : INT8_MIN); }

/* --- residues --- */

/* Copies residues from .. from + n - 1 of a side; where it has none, 0. */
static void copy_residues(const struct gapped_side *side, int step, int from, int n, uint8_t *to)
{
    const int first = from < 0 ? -from : 0, most = side->n - from, end = most < n ? most : n;
    const uint8_t *codes = side->codes + (ptrdiff_t)step * from;

    memset(to, 0, (size_t)n);
    if (step > 0)
        for (int i = first; i < end; i++)
            to[i] = codes[i];
    else
        for (int i = first; i < end; i++)
            to[i] = codes[-(ptrdiff_t)i];
}

static void begin_segment(struct lane *lane)
{
    const struct gapped_extension *e = &lane->both->sides[lane->side];

    copy_residues(&e->query, e->step, lane->row, SEGMENT, lane->query);
    copy_residues(&e->subject, e->step, lane->row - MIDDLE, SEGMENT + WIDTH, lane->subject);
    lane->at = 0;
}

/* --- rows --- */

/* In each half: byte i of vector k to byte k of vector i. */
static inline void transpose(__m256i *v)
{
    __m256i to[HALF];

    for (int stage = 0; stage < 2; stage++) {
        for (int i = 0; i < HALF / 2; i++) {
            to[2 * i] = _mm256_unpacklo_epi8(v[i], v[i + HALF / 2]);
            to[2 * i + 1] = _mm256_unpackhi_epi8(v[i], v[i + HALF / 2]);
        }
        for (int i = 0; i < HALF / 2; i++) {
            v[2 * i] = _mm256_unpacklo_epi8(to[i], to[i + HALF / 2]);
            v[2 * i + 1] = _mm256_unpackhi_epi8(to[i], to[i + HALF / 2]);
        }
    }
}

static inline __m256i two(const void *low, const void *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}

/* Scores of the next row, as one vector for each diagonal. */
static inline void look_up(struct lanes *l, __m256i *scores)
{
    const __m256i to_16 = _mm256_set1_epi8(0x70), less_16 = _mm256_set1_epi8(-16); /* 16 and above, or below: the highest bit is set */

    for (int i = 0; i < HALF; i++) {
        struct lane *a = &l->lanes[i], *b = &l->lanes[i + HALF];
        const uint8_t *row_a = (const uint8_t *)&l->rows[a->query[a->at]], *row_b = (const uint8_t *)&l->rows[b->query[b->at]];
        const uint8_t *subject_a = a->subject + a->at++, *subject_b = b->subject + b->at++;
        const __m256i low = two(row_a, row_b), high = two(row_a + HALF, row_b + HALF);
        for (int k = 0; k < WIDTH; k += HALF) {
            const __m256i codes = two(subject_a + k, subject_b + k);
            scores[k + i] = _mm256_or_si256(_mm256_shuffle_epi8(low, _mm256_add_epi8(codes, to_16)),
                                            _mm256_shuffle_epi8(high, _mm256_add_epi8(codes, less_16)));
        }
    }
    for (int k = 0; k < WIDTH; k += HALF)
        transpose(scores + k);
}

/* A row that is being filled. */
struct row {
    __m256i top, gap;         /* the best score; that of the next cell with a gap in the query */
    __m256i any_alive, alive; /* lanes in which any cell is alive; the last one */
};

/* Fills the cell of diagonal i. has_column_gap, has_row_gap: whether gaps in the subject, in the query end and begin there */
static inline void fill_cell(struct lanes *l, struct row *row, const __m256i *scores, int i, bool has_column_gap, bool has_row_gap)
{
    const __m256i dead = _mm256_set1_epi8(INT8_MIN), gap = l->gap[i + 1];
    __m256i score = _mm256_adds_epi8(l->best[i], scores[i]), opened;

    if (has_column_gap)
        score = _mm256_max_epi8(score, gap);
    if (has_row_gap)
        score = _mm256_max_epi8(score, row->gap);
    row->top = _mm256_max_epi8(row->top, score);
    row->alive = _mm256_cmpgt_epi8(score, _mm256_subs_epi8(row->top, l->drop));
    row->any_alive = _mm256_or_si256(row->any_alive, row->alive);
    l->best[i] = _mm256_blendv_epi8(dead, score, row->alive);
    opened = _mm256_subs_epi8(score, l->open_extend);
    if (has_column_gap)
        l->gap[i] = _mm256_max_epi8(opened, _mm256_subs_epi8(gap, l->extend));
    if (has_row_gap)
        row->gap = _mm256_max_epi8(opened, _mm256_subs_epi8(row->gap, l->extend));
}

/* Fills a row of the full form. */
static inline void fill_row(struct lanes *l, struct row *row, const __m256i *scores)
{
    for (int i = 0; i < WIDTH; i++)
        fill_cell(l, row, scores, i, true, true);
}

/* The same in the restricted form. first: the first diagonal whose column is a multiple of ten; is_tenth: the row is */
static inline void fill_row_restricted(struct lanes *l, struct row *row, const __m256i *scores, int first, bool is_tenth)
{
    int i = 0;

    for (int column = first; column < WIDTH; column += ROWS) {
        for (; i < column; i++)
            fill_cell(l, row, scores, i, false, is_tenth);
        fill_cell(l, row, scores, i++, true, is_tenth);
    }
    for (; i < WIDTH; i++)
        fill_cell(l, row, scores, i, false, is_tenth);
}

static inline int8_t *byte_of(__m256i *v, int lane) { return (int8_t *)v + lane; }

/*
 * Row 1 of the restricted form of gapped.c: if the last column of row 0 is alive, a match behind it opens columns as a gap does that is
 * open already. Returns lanes where these are too many.
 */
static inline uint32_t open_columns(struct lanes *l, __m256i top, const __m256i *scores)
{
    __m256i match = _mm256_adds_epi8(l->last_best, scores[l->last]), least = _mm256_subs_epi8(top, l->drop);
    const __m256i last_alive = _mm256_cmpgt_epi8(l->best[l->last - 1], _mm256_set1_epi8(INT8_MIN));
    const __m256i opens = _mm256_and_si256(_mm256_and_si256(l->begun, last_alive), _mm256_cmpgt_epi8(match, least));
    uint32_t too_wide = 0;

    for (uint32_t lanes = (uint32_t)_mm256_movemask_epi8(opens); lanes != 0; lanes &= lanes - 1) {
        const int k = __builtin_ctz(lanes);
        const struct gapped_extension *e = &l->lanes[k].both->sides[l->lanes[k].side];
        const int n = e->query.n > 1 ? e->subject.n : 0; /* behind a query's only row, a gap could raise the best score */
        int i = l->last;
        for (int score = *byte_of(&match, k); i < WIDTH && i - MIDDLE < n && score > *byte_of(&least, k); i++) {
            *byte_of(&l->best[i], k) = (int8_t)score;
            *byte_of(&l->gap[i], k) = in_byte(score - *byte_of(&l->open_extend, k));
            score -= *byte_of(&l->extend, k);
        }
        too_wide |= (uint32_t)(i == WIDTH) << k;
    }
    return too_wide;
}

struct filled {
    uint32_t alive, abandoned; /* lanes with live cells in the last row; that have got too wide or have enough */
};

/* Fills ROWS rows: in each lane from one that follows a multiple of ROWS to the next multiple. */
static inline struct filled fill_rows(struct lanes *l)
{
    const __m256i dead = _mm256_set1_epi8(INT8_MIN), zero = _mm256_setzero_si256();
    __m256i edges = zero, has_enough, scores[WIDTH];
    uint32_t too_wide = 0;
    struct row row;

    for (int i = 1; i <= ROWS; i++) {
        row = (struct row){l->top, dead, zero, zero};
        look_up(l, scores);
        if (!l->is_restricted)
            fill_row(l, &row, scores);
        else if (i < ROWS)
            fill_row_restricted(l, &row, scores, (MIDDLE - i) % ROWS, false);
        else
            fill_row_restricted(l, &row, scores, (MIDDLE - i) % ROWS, true);
        if (l->is_restricted && i == 1)
            too_wide = open_columns(l, row.top, scores);
        edges = _mm256_or_si256(edges, _mm256_or_si256(_mm256_cmpgt_epi8(l->best[0], dead), row.alive));
        l->top = row.top;
    }
    has_enough = _mm256_cmpgt_epi8(l->top, _mm256_sub_epi8(l->enough, _mm256_set1_epi8(1)));
    return (struct filled){(uint32_t)_mm256_movemask_epi8(row.any_alive),
                           too_wide | (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(edges, has_enough))};
}

/* --- extensions --- */

/* Begins the next side of a lane that has residues of both sequences, or the next extension. Returns false if there is none. */
static bool begin_next(struct lanes *l, struct lane *lane)
{
    for (;;) {
        if (lane->both == NULL || lane->side == 1) {
            if (lane->both != NULL)
                lane->both->score = lane->before < lane->both->enough ? lane->before : GAPPED_ABANDONED;
            while (l->next != l->end && l->next->is_restricted != l->is_restricted)
                l->next++;
            if (l->next == l->end) {
                lane->both = NULL;
                lane->at = 0;
                return false;
            }
            lane->both = l->next++;
            lane->side = 0;
            lane->before = 0;
        } else {
            lane->side = 1;
        }
        if (lane->before < lane->both->enough && lane->both->sides[lane->side].query.n > 0 && lane->both->sides[lane->side].subject.n > 0) {
            lane->row = 0;
            begin_segment(lane);
            return true;
        }
    }
}

/* Ends the sides of lanes that are `done`, and begins others. Returns the lanes that have begun. */
static uint32_t take_next(struct lanes *l, uint32_t done, uint32_t abandoned)
{
    int8_t top[LANES], enough[LANES];
    uint32_t begun = 0;

    _mm256_storeu_si256((void *)top, l->top);
    _mm256_storeu_si256((void *)enough, l->enough);
    for (; done != 0; done &= done - 1) {
        const int i = __builtin_ctz(done);
        struct lane *lane = &l->lanes[i];
        if (lane->both != NULL && (abandoned >> i & 1) != 0) {
            lane->side = 1;
            lane->before = GAPPED_ABANDONED;
        } else if (lane->both != NULL) {
            lane->before += top[i];
        }
        if (begin_next(l, lane)) {
            const int more = lane->both->enough - lane->before;
            begun |= (uint32_t)1 << i;
            enough[i] = (int8_t)(more < MOST ? more : MOST);
        }
    }
    l->enough = _mm256_loadu_si256((const void *)enough);
    return begun;
}

/* Bytes of -1 for the bits that are set. */
static inline __m256i flags_of(uint32_t bits)
{
    const __m256i of_byte = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);

    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), of_byte), bit), bit);
}

/* Puts row 0 into lanes. */
static void begin_lanes(struct lanes *l, uint32_t begun)
{
    const __m256i chosen = flags_of(begun);

    l->begun = chosen;
    if (begun == 0)
        return;
    for (int i = 0; i < WIDTH; i++) {
        l->best[i] = _mm256_blendv_epi8(l->best[i], l->first_best[i], chosen);
        l->gap[i] = _mm256_blendv_epi8(l->gap[i], l->first_gap[i], chosen);
    }
    l->top = _mm256_andnot_si256(chosen, l->top);
}

/* Columns of row 0 that are alive, and one more. */
static int first_columns(const struct gapped_costs *costs)
{
    const int open_extend = costs->open + costs->extend, drop = costs->x_drop > open_extend ? costs->x_drop : open_extend;

    return (drop - open_extend) / costs->extend + 2;
}

static void init(const struct gapped_costs *costs, struct gapped_both *extensions, size_t n, bool restricted, struct lanes *l)
{
    const int open_extend = costs->open + costs->extend, n_columns = first_columns(costs);
    const int drop = costs->x_drop > open_extend ? costs->x_drop : open_extend;

    memset(l, 0, sizeof *l);
    l->next = extensions;
    l->end = extensions + n;
    l->is_restricted = restricted;
    l->last = MIDDLE + n_columns - 1;
    l->last_best = _mm256_set1_epi8((char)(-open_extend - (n_columns - 2) * costs->extend));
    l->drop = _mm256_set1_epi8((char)(drop + 1));
    l->open_extend = _mm256_set1_epi8((char)open_extend);
    l->extend = _mm256_set1_epi8((char)costs->extend);
    for (int i = 0; i < RESIDUE_ROW; i++) {
        int8_t row[RESIDUE_ROW];
        for (int k = 0; k < RESIDUE_ROW; k++)
            row[k] = i > 0 && k > 0 && i < RESIDUE_CODES && k < RESIDUE_CODES ? in_byte(costs->scores[RESIDUE_CODES * i + k]) : INT8_MIN;
        l->rows[i] = _mm256_loadu_si256((const void *)row);
    }
    for (int i = 0; i < WIDTH; i++) {
        const int column = i - MIDDLE, score = column == 0 ? 0 : -open_extend - (column - 1) * costs->extend;
        const bool is_open = column >= 0 && column < n_columns;
        l->best[i] = l->gap[i] = _mm256_set1_epi8(INT8_MIN);
        l->first_best[i] = _mm256_set1_epi8(is_open && column < n_columns - 1 ? (char)score : INT8_MIN); /* as in gapped_rows.h */
        l->first_gap[i] = _mm256_set1_epi8(is_open ? (char)in_byte(score - open_extend) : INT8_MIN);
    }
    l->gap[WIDTH] = _mm256_set1_epi8(INT8_MIN);
    for (int i = 0; i < LANES; i++)
        l->lanes[i].both = NULL;
}

/* Counts rows. Returns the lanes whose queries have ended. */
static uint32_t count_rows(struct lanes *l)
{
    uint32_t ended = 0;

    for (int i = 0; i < LANES; i++) {
        struct lane *lane = &l->lanes[i];
        lane->row += ROWS;
        if (lane->both == NULL) {
            lane->at = 0;
            continue;
        }
        if (lane->row >= lane->both->sides[lane->side].query.n)
            ended |= (uint32_t)1 << i;
        else if (lane->at == SEGMENT)
            begin_segment(lane);
    }
    return ended;
}

/* Makes the extensions of one form. */
static void score_lanes(const struct gapped_costs *costs, struct gapped_both *extensions, size_t n, bool restricted)
{
    struct lanes l;
    uint32_t busy;

    init(costs, extensions, n, restricted, &l);
    busy = take_next(&l, UINT32_MAX, 0);
    begin_lanes(&l, busy);
    while (busy != 0) {
        const struct filled filled = fill_rows(&l);
        const uint32_t done = (count_rows(&l) | filled.abandoned | ~filled.alive) & busy;
        const uint32_t begun = done != 0 ? take_next(&l, done, filled.abandoned) : 0;
        begin_lanes(&l, begun);
        busy = (busy & ~done) | begun;
    }
}

void gapped_score_lanes_avx2(const struct gapped_costs *costs, struct gapped_both *extensions, size_t n)
{
    score_lanes(costs, extensions, n, false);
    score_lanes(costs, extensions, n, true);
}

/*
 * The best score is less than MOST when a round begins, and saturates only above. A cell that saturates below is dead, and so is what
 * follows from it by one match; X below the best score is far above INT8_MIN.
 */
bool gapped_fits_lanes(const struct gapped_costs *costs)
{
    enum { MOST_SCORE = 31, MOST_DROP = 90 };
    const int limits[] = {costs->open, costs->extend, costs->x_drop};

    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        if (costs->scores[i] > MOST_SCORE)
            return false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i] < 0 || limits[i] > MOST_DROP / 2)
            return false;
    return costs->match == 0 && costs->extend > 0 && first_columns(costs) < MIDDLE;
}
