/*
 * gapped_lanes_avx2.c - 32 gapped extensions at once, in lanes of 8 bits. Where vectors of diagonals (gapped_rows.h) wait for the row
 * before, and find the best gap of a row in five steps, lanes go through a row diagonal by diagonal, as the plain form does.
 *
 * A lane has the scores of WIDTH diagonals, the start point's in the middle. It is abandoned when the first or the last of them is alive.
 * All lanes are in some row of their own extension; one that is done takes the next extension. Each row, the scores of all lanes' residues
 * are looked up lane by lane, and transposed.
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
    ROWS = 8,     /* rows that are filled before lanes are looked at */
    SEGMENT = 64, /* rows whose residues a lane has */
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

struct live {
    __m256i any, edges; /* lanes in which any cell is alive; the first or the last one */
};

static inline struct live fill_row(struct lanes *l, const __m256i *scores)
{
    const __m256i dead = _mm256_set1_epi8(INT8_MIN), drop = l->drop, open_extend = l->open_extend, extend = l->extend;
    __m256i top = l->top, row_gap = dead, alive = _mm256_setzero_si256();
    struct live live = {alive, alive};

    for (int i = 0; i < WIDTH; i++) {
        const __m256i gap = l->gap[i + 1], match = _mm256_adds_epi8(l->best[i], scores[i]);
        const __m256i score = _mm256_max_epi8(_mm256_max_epi8(match, gap), row_gap), opened = _mm256_subs_epi8(score, open_extend);
        top = _mm256_max_epi8(top, score);
        alive = _mm256_cmpgt_epi8(score, _mm256_subs_epi8(top, drop));
        l->best[i] = _mm256_blendv_epi8(dead, score, alive);
        l->gap[i] = _mm256_max_epi8(opened, _mm256_subs_epi8(gap, extend));
        row_gap = _mm256_max_epi8(opened, _mm256_subs_epi8(row_gap, extend));
        live.any = _mm256_or_si256(live.any, alive);
    }
    live.edges = _mm256_or_si256(_mm256_cmpgt_epi8(l->best[0], dead), alive);
    l->top = top;
    return live;
}

/* --- extensions --- */

/* Begins the next side of a lane that has residues of both sequences, or the next extension. Returns false if there is none. */
static bool begin_next(struct lanes *l, struct lane *lane)
{
    for (;;) {
        if (lane->both == NULL || lane->side == 1) {
            if (lane->both != NULL)
                lane->both->score = lane->before < lane->both->enough ? lane->before : GAPPED_ABANDONED;
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

static void init(const struct gapped_costs *costs, struct gapped_both *extensions, size_t n, struct lanes *l)
{
    const int open_extend = costs->open + costs->extend, n_columns = first_columns(costs);
    const int drop = costs->x_drop > open_extend ? costs->x_drop : open_extend;

    memset(l, 0, sizeof *l);
    l->next = extensions;
    l->end = extensions + n;
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

void gapped_score_lanes_avx2(const struct gapped_costs *costs, struct gapped_both *extensions, size_t n)
{
    struct lanes l;
    uint32_t busy;

    init(costs, extensions, n, &l);
    busy = take_next(&l, UINT32_MAX, 0);
    begin_lanes(&l, busy);
    while (busy != 0) {
        __m256i scores[WIDTH], edges = _mm256_setzero_si256();
        struct live live;
        uint32_t done, abandoned, begun;
        for (int i = 0; i < ROWS; i++) {
            look_up(&l, scores);
            live = fill_row(&l, scores);
            edges = _mm256_or_si256(edges, live.edges);
        }
        abandoned = (uint32_t)_mm256_movemask_epi8(
            _mm256_or_si256(edges, _mm256_cmpgt_epi8(l.top, _mm256_sub_epi8(l.enough, _mm256_set1_epi8(1)))));
        done = (count_rows(&l) | abandoned | ~(uint32_t)_mm256_movemask_epi8(live.any)) & busy;
        if (done == 0)
            continue;
        begun = take_next(&l, done, abandoned);
        begin_lanes(&l, begun);
        busy = (busy & ~done) | begun;
    }
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
