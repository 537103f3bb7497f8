/*
 * gapped_lanes_avx2.c - 32 gapped extensions at once, in lanes of 8 bits. Where vectors of diagonals (gapped_rows.h) wait for the row
 * before, and find the best gap of a row in five steps, lanes go through a row diagonal by diagonal, as the plain form does.
 *
 * A lane has the scores of WIDTH diagonals, the start point's in the middle. It is abandoned when the first or the last of them is alive.
 * All lanes are in some row of their own extension; one that is done takes the next extension. Each row, the scores of all lanes' residues
 * are looked up lane by lane, and transposed. Only the range of diagonals is filled in which some lane has live cells.
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
    FOUR = 4,     /* diagonals that are filled together; the range of diagonals begins and ends at a multiple */
    MOST = 100    /* the score from which on a lane is abandoned, whatever is enough */
};

/* A lane's extension in progress. */
struct lane {
    struct gapped_both *both; /* NULL: none */
    int side;                 /* of both->sides */
    int before;               /* the score of the side before */
    int row;                  /* rows that are filled */
    const uint16_t *query_at; /* the next residue within the segment */
    const uint8_t *subject_at;
    uint16_t query[SEGMENT]; /* offset of the residue's scores in lanes.rows */
    /* Row r of the segment needs WIDTH residues from r on, and reads more; see gapped_code_of_tables(). */
    uint8_t subject[SEGMENT + WIDTH + HALF];
};

struct lanes {
    __m256i best[WIDTH], gap[WIDTH + 1]; /* by diagonal: the best score of its cell, and that with a gap in the subject */
    int from, to;                        /* range of diagonals; in others all cells and gaps are dead */
    __m256i top, enough;                 /* of each lane: the best score; what is enough on this side */
    __m256i rows[RESIDUE_ROW];           /* scores of a query's residue: a byte for each of the subject's */
    __m256i scores[WIDTH + HALF];        /* of a row, transposed by half */
    __m256i drop, open_extend, extend;
    __m256i first_best[WIDTH], first_gap[WIDTH]; /* row 0 */
    int last, last_best;                         /* diagonal of the last column of row 0; the score of that column */
    uint32_t begun;                              /* lanes whose next row is row 1 */
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
    uint8_t query[SEGMENT];

    copy_residues(&e->query, e->step, lane->row, SEGMENT, query);
    for (int i = 0; i < SEGMENT; i++)
        lane->query[i] = (uint16_t)(query[i] * RESIDUE_ROW);
    copy_residues(&e->subject, e->step, lane->row - MIDDLE, SEGMENT + WIDTH, lane->subject);
    for (int i = 0; i < SEGMENT + WIDTH; i++)
        lane->subject[i] = gapped_code_of_tables(lane->subject[i]);
    lane->query_at = lane->query;
    lane->subject_at = lane->subject;
}

/* Leaves a lane without an extension: it goes on in the segment's first rows. */
static void end_lane(struct lane *lane)
{
    lane->both = NULL;
    lane->query_at = lane->query;
    lane->subject_at = lane->subject;
}

/* --- rows --- */

static inline __m256i two(const void *low, const void *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}

/*
 * Half of a transposition: applied to vectors i, i + 4, i + 8 and i + 12 of 16, for all i below 4, it makes vectors 4 i .. 4 i + 3. Done
 * twice, it brings byte i of vector k to byte k of vector i, in each half of the vectors.
 */
static inline void transpose_half(const __m256i v[FOUR], __m256i to[FOUR])
{
    const __m256i a = _mm256_unpacklo_epi8(v[0], v[2]), b = _mm256_unpackhi_epi8(v[0], v[2]);
    const __m256i c = _mm256_unpacklo_epi8(v[1], v[3]), d = _mm256_unpackhi_epi8(v[1], v[3]);

    to[0] = _mm256_unpacklo_epi8(a, c);
    to[1] = _mm256_unpackhi_epi8(a, c);
    to[2] = _mm256_unpacklo_epi8(b, d);
    to[3] = _mm256_unpackhi_epi8(b, d);
}

/* Looks up the scores of row i of the round for diagonals from .. end - 1 and up to 15 more, and transposes them by half. */
static inline void look_up(struct lanes *l, int i, int from, int end)
{
    const __m256i above_15 = _mm256_set1_epi8(INT8_MIN);

    for (int first = 0; first < FOUR; first++) {
        const uint8_t *subject_a[FOUR], *subject_b[FOUR];
        __m256i low[FOUR], high[FOUR];
        for (int j = 0; j < FOUR; j++) {
            const struct lane *a = &l->lanes[first + FOUR * j], *b = a + HALF;
            const uint8_t *row_a = (const uint8_t *)l->rows + a->query_at[i], *row_b = (const uint8_t *)l->rows + b->query_at[i];
            low[j] = two(row_a, row_b);
            high[j] = two(row_a + HALF, row_b + HALF);
            subject_a[j] = a->subject_at + i;
            subject_b[j] = b->subject_at + i;
        }
        for (int k = from; k < end; k += HALF) {
            __m256i scores[FOUR];
            for (int j = 0; j < FOUR; j++) {
                const __m256i codes = two(subject_a[j] + k, subject_b[j] + k);
                scores[j] = _mm256_or_si256(_mm256_shuffle_epi8(low[j], codes),
                                            _mm256_shuffle_epi8(high[j], _mm256_xor_si256(codes, above_15)));
            }
            transpose_half(scores, l->scores + k + FOUR * first);
        }
    }
}

/* A row that is being filled. */
struct row {
    __m256i top, gap; /* the best score; that of the next cell with a gap in the query */
    __m256i alive;    /* lanes in which the last cell is alive */
};

/* Fills the cell of diagonal i. has_column_gap, has_row_gap: whether gaps in the subject, in the query end and begin there */
static inline void fill_cell(struct lanes *l, struct row *row, __m256i score, int i, bool has_column_gap, bool has_row_gap)
{
    const __m256i gap = l->gap[i + 1];
    __m256i opened;

    score = _mm256_adds_epi8(l->best[i], score);
    if (has_column_gap)
        score = _mm256_max_epi8(score, gap);
    if (has_row_gap)
        score = _mm256_max_epi8(score, row->gap);
    row->top = _mm256_max_epi8(row->top, score);
    row->alive = _mm256_cmpgt_epi8(score, _mm256_subs_epi8(row->top, l->drop));
    l->best[i] = _mm256_min_epi8(score,
                                 _mm256_xor_si256(row->alive, _mm256_set1_epi8(INT8_MIN))); /* the least score is that of dead cells */
    opened = _mm256_subs_epi8(score, l->open_extend);
    if (has_column_gap)
        l->gap[i] = _mm256_max_epi8(opened, _mm256_subs_epi8(gap, l->extend));
    if (has_row_gap)
        row->gap = _mm256_max_epi8(opened, _mm256_subs_epi8(row->gap, l->extend));
}

enum form { FULL, RESTRICTED, RESTRICTED_TENTH }; /* RESTRICTED_TENTH: a row that is a multiple of ten */

/*
 * Fills row i of the round, in the diagonals that may be alive. A gap in the query reaches others only if the last cell is alive, a gap in
 * the subject reaches one in the next row if the first one is. Returns the best scores.
 */
static inline __m256i fill_row(struct lanes *l, int i, enum form form)
{
    const int from = l->from;
    struct row row = {l->top, _mm256_set1_epi8(INT8_MIN), _mm256_setzero_si256()};
    int tenth = (MIDDLE - 1 - i) % ROWS, looked_up = from; /* tenth: a diagonal whose column is a multiple of ten */

    while (tenth < from)
        tenth += ROWS;
    for (int k = from; k < l->to; k += HALF) {
        if (k == looked_up) {
            look_up(l, i, k, l->to);
            looked_up += (l->to - k + HALF - 1) / HALF * HALF;
        }
        for (int d = k; d < k + HALF && d < l->to; d += FOUR) {
            const __m256i *half = l->scores + k + (d - k) / FOUR;
            __m256i scores[FOUR];
            transpose_half((const __m256i[]){half[0], half[FOUR], half[2 * FOUR], half[3 * FOUR]}, scores);
            for (int j = 0; j < FOUR; j++) {
                if (form == FULL) {
                    fill_cell(l, &row, scores[j], d + j, true, true);
                } else if (d + j == tenth) {
                    fill_cell(l, &row, scores[j], d + j, true, form == RESTRICTED_TENTH);
                    tenth += ROWS;
                } else {
                    fill_cell(l, &row, scores[j], d + j, false, form == RESTRICTED_TENTH);
                }
            }
            if (d + FOUR == l->to && l->to < WIDTH && _mm256_movemask_epi8(row.alive) != 0)
                l->to += FOUR;
        }
    }
    if (from > 0 && _mm256_movemask_epi8(_mm256_cmpgt_epi8(l->best[from], _mm256_set1_epi8(INT8_MIN))) != 0)
        l->from -= FOUR;
    return row.top;
}

static inline int8_t *byte_of(__m256i *v, int lane) { return (int8_t *)v + lane; }

/*
 * Row 1 of the restricted form of gapped.c: if the last column of row 0 is alive, a match behind it opens columns as a gap does that is
 * open already. Returns lanes where these are too many.
 */
static inline uint32_t open_columns(struct lanes *l, __m256i top)
{
    const __m256i least = _mm256_subs_epi8(top, l->drop), last_alive = _mm256_cmpgt_epi8(l->best[l->last - 1], _mm256_set1_epi8(INT8_MIN));
    uint32_t too_wide = 0;

    for (uint32_t lanes = l->begun & (uint32_t)_mm256_movemask_epi8(last_alive); lanes != 0; lanes &= lanes - 1) {
        const int k = __builtin_ctz(lanes), lowest = ((const int8_t *)&least)[k];
        const struct lane *lane = &l->lanes[k];
        const struct gapped_extension *e = &lane->both->sides[lane->side];
        const int n = e->query.n > 1 ? e->subject.n : 0; /* behind a query's only row, a gap could raise the best score */
        const int at = l->last - MIDDLE, code = at < n ? e->subject.codes[(ptrdiff_t)e->step * at] : 0;
        int i = l->last;
        for (int score = l->last_best + ((const int8_t *)l->rows)[lane->query[0] + code]; i < WIDTH && i - MIDDLE < n && score > lowest;
             i++) {
            *byte_of(&l->best[i], k) = (int8_t)score;
            *byte_of(&l->gap[i], k) = in_byte(score - *byte_of(&l->open_extend, k));
            score -= *byte_of(&l->extend, k);
        }
        while (l->to < i)
            l->to += FOUR;
        too_wide |= (uint32_t)(i == WIDTH) << k;
    }
    return too_wide;
}

/* Narrows the range to diagonals that are alive, and one before them. Returns the lanes that are alive. */
static uint32_t narrow(struct lanes *l)
{
    const __m256i dead = _mm256_set1_epi8(INT8_MIN);
    int first = WIDTH, end = 0;
    __m256i any = dead;

    for (int d = l->from; d < l->to; d += FOUR) {
        const __m256i best = _mm256_max_epi8(_mm256_max_epi8(l->best[d], l->best[d + 1]), _mm256_max_epi8(l->best[d + 2], l->best[d + 3]));
        any = _mm256_max_epi8(any, best);
        if (_mm256_movemask_epi8(_mm256_cmpgt_epi8(best, dead)) == 0)
            continue;
        first = first < d ? first : d;
        end = d + FOUR;
    }
    if (end == 0)
        first = end = MIDDLE;
    if (first > l->from && _mm256_movemask_epi8(_mm256_cmpgt_epi8(l->best[first], dead)) != 0)
        first -= FOUR;
    for (int d = l->from; d < l->to; d++)
        if (d < first || d >= end)
            l->gap[d] = dead;
    l->from = first;
    l->to = end;
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(any, dead));
}

struct filled {
    uint32_t alive, abandoned; /* lanes with live cells in the last row; that have got too wide or have enough */
};

/* Fills ROWS rows: in each lane from one that follows a multiple of ROWS to the next multiple. */
static inline struct filled fill_rows(struct lanes *l)
{
    const __m256i dead = _mm256_set1_epi8(INT8_MIN);
    __m256i edges = _mm256_setzero_si256(), has_enough;
    uint32_t too_wide = 0;

    for (int i = 0; i < ROWS; i++) {
        if (!l->is_restricted)
            l->top = fill_row(l, i, FULL);
        else if (i < ROWS - 1)
            l->top = fill_row(l, i, RESTRICTED);
        else
            l->top = fill_row(l, i, RESTRICTED_TENTH);
        if (l->is_restricted && i == 0)
            too_wide = open_columns(l, l->top);
        edges = _mm256_or_si256(edges, _mm256_or_si256(_mm256_cmpgt_epi8(l->best[0], dead), _mm256_cmpgt_epi8(l->best[WIDTH - 1], dead)));
    }
    has_enough = _mm256_cmpgt_epi8(l->top, _mm256_sub_epi8(l->enough, _mm256_set1_epi8(1)));
    return (struct filled){narrow(l), too_wide | (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(edges, has_enough))};
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
                end_lane(lane);
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

/* Puts row 0 into lanes that have begun, and kills others that are done. */
static void begin_lanes(struct lanes *l, uint32_t done, uint32_t begun)
{
    const __m256i chosen = flags_of(begun), idle = flags_of(done & ~begun), dead = _mm256_set1_epi8(INT8_MIN);

    l->begun = begun;
    for (int i = l->from; i < l->to && begun != done; i++) {
        l->best[i] = _mm256_blendv_epi8(l->best[i], dead, idle);
        l->gap[i] = _mm256_blendv_epi8(l->gap[i], dead, idle);
    }
    if (begun == 0)
        return;
    l->from = l->from < MIDDLE - FOUR ? l->from : MIDDLE - FOUR;
    while (l->to <= l->last)
        l->to += FOUR;
    for (int i = l->from; i < l->to; i++) {
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
    l->last_best = -open_extend - (n_columns - 2) * costs->extend;
    l->from = l->to = MIDDLE;
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
        end_lane(&l->lanes[i]);
}

/* Counts rows. Returns the lanes whose queries have ended. */
static uint32_t count_rows(struct lanes *l)
{
    uint32_t ended = 0;

    for (int i = 0; i < LANES; i++) {
        struct lane *lane = &l->lanes[i];
        if (lane->both == NULL)
            continue;
        lane->row += ROWS;
        lane->query_at += ROWS;
        lane->subject_at += ROWS;
        if (lane->row >= lane->both->sides[lane->side].query.n)
            ended |= (uint32_t)1 << i;
        else if (lane->query_at == lane->query + SEGMENT)
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
    begin_lanes(&l, busy, busy);
    while (busy != 0) {
        const struct filled filled = fill_rows(&l);
        const uint32_t done = (count_rows(&l) | filled.abandoned | ~filled.alive) & busy;
        const uint32_t begun = done != 0 ? take_next(&l, done, filled.abandoned) : 0;
        begin_lanes(&l, done, begun);
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
