/*
 * seg.c - SEG [Wootton 1993], with the constants, the order of arithmetic and the peculiarities of NCBI's implementation.
 *
 *   windows    compares the complexity of each window of the sequence with locut and hicut                         rate_windows()
 *   segments   a segment begins with a window of at most locut and extends over neighbouring windows of at most hicut  find_segments()
 *   trimming   keeps the least probable part of a segment, among those shorter than it by fewer than 50 residues    trim()
 *
 * NCBI computes each window's complexity, and each part's probability, in floating point from a sorted list of amino-acid counts. Here
 * both slide by one residue at a time in integers, which are exact or off by less than a known amount. Only where that does not decide a
 * comparison does the code compute NCBI's formula (seg_math.h). Short windows are sieved first: one of few pairs of equal residues is
 * complex.
 *
 * If trimming leaves a long part on the left of a segment, this part is searched once more. NCBI keeps only the last segment found
 * there, so segments in that part's own left parts do not matter, and one level is enough.
 */
#include "mask/seg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alphabet/residues.h"
#include "mask/seg_math.h"

enum {
    MAX_TRIM = 50, /* residues */
    MAX_BOGUS = 2  /* most residues of a window that are not one of the 20 amino acids */
};

/* Rating of a window by its complexity. */
enum { COMPLEX, AT_MOST_HICUT, AT_MOST_LOCUT };

/*
 * Bounds of the sum of c log2(c) over a window's amino acids, in units of 2^-32 bits. Between _low and _high the integer sum does not
 * decide.
 */
struct limits {
    int64_t hicut_low, hicut_high, locut_low, locut_high;
};

struct seg {
    tms_seg_params params;
    struct limits limits[MAX_BOGUS + 1];           /* by the number of residues in the window that are not one of the 20 amino acids */
    unsigned least_pairs_hicut, least_pairs_locut; /* of equal residues in a window of 20 amino acids that hicut or locut allows */
    int64_t *steps;                                /* (c + 1) log2(c + 1) - c log2(c), for every c below the window */
    uint32_t counts[RESIDUE_CODES];                /* amino-acid counts of the window or part */
    uint8_t *ratings;                              /* rating of the window that begins at each residue */
    uint8_t *pairs;                                /* how many pairs of equal residues it has */
    size_t ratings_capacity, pairs_capacity;
    struct seg_factorials factorials;
    uint8_t *same; /* how many amino acids come c times in a part, for each c */
    size_t same_capacity;
};

/* NCBIstdaa codes that are not one of the 20 amino acids. */
static const uint8_t is_bogus[RESIDUE_CODES] = {
    [0] = 1, [2] = 1, [21] = 1, [23] = 1, [24] = 1, [25] = 1, [26] = 1, [27] = 1,
};

/* ---- windows */

static double c_log2_c(double c) { return c > 0 ? c * log2(c) : 0; }

static void set_limits(struct limits *limits, const tms_seg_params *params, unsigned n_true)
{
    const double unit = 4294967296.0;
    /* For a window of ten amino acids NCBI uses logarithms of few digits, one of which is wrong in the sixth. */
    double doubt = (n_true == 10 ? 1e-3 : 1e-6) + params->window * 1e-9, whole = c_log2_c(n_true);
    double hicut = whole - n_true * params->hicut, locut = whole - n_true * params->locut;

    limits->hicut_low = (int64_t)((hicut - doubt) * unit);
    limits->hicut_high = (int64_t)((hicut + doubt) * unit);
    limits->locut_low = (int64_t)((locut - doubt) * unit);
    limits->locut_high = (int64_t)((locut + doubt) * unit);
}

/* Writes the counts above 0 in descending order. Returns their number. */
static unsigned sorted_counts(const uint32_t *counts, uint32_t sorted[SEG_AMINO_ACIDS])
{
    unsigned n = 0;

    for (unsigned code = 0; code < RESIDUE_CODES; code++) {
        unsigned i = n;
        if (is_bogus[code] || counts[code] == 0)
            continue;
        for (n++; i > 0 && sorted[i - 1] < counts[code]; i--)
            sorted[i] = sorted[i - 1];
        sorted[i] = counts[code];
    }
    return n;
}

static uint8_t rate_in_doubt(const struct seg *seg)
{
    uint32_t sorted[SEG_AMINO_ACIDS];
    unsigned n = sorted_counts(seg->counts, sorted);
    double complexity = seg_complexity(sorted, n);

    return complexity <= seg->params.locut ? AT_MOST_LOCUT : complexity <= seg->params.hicut ? AT_MOST_HICUT : COMPLEX;
}

static inline uint8_t rate(const struct seg *seg, int64_t sum, unsigned n_bogus)
{
    const struct limits *limits;

    if (n_bogus > MAX_BOGUS)
        return COMPLEX;
    limits = &seg->limits[n_bogus];
    if (sum < limits->hicut_low)
        return COMPLEX;
    if (sum > limits->locut_high)
        return AT_MOST_LOCUT;
    if (sum > limits->hicut_high && sum < limits->locut_low)
        return AT_MOST_HICUT;
    return rate_in_doubt(seg);
}

/* Rates each window of n residues one after the other. Returns the lowest complexity class found. */
static uint8_t rate_all(struct seg *seg, const uint8_t *codes, size_t n, uint8_t *ratings)
{
    const unsigned window = seg->params.window;
    const int64_t *steps = seg->steps;
    uint32_t *counts = seg->counts;
    uint8_t best = COMPLEX;
    unsigned n_bogus = 0;
    int64_t sum = 0;

    memset(counts, 0, sizeof seg->counts);
    for (size_t i = 0; i < n; i++) {
        if (is_bogus[codes[i]])
            n_bogus++;
        else
            sum += steps[counts[codes[i]]++];
        if (i + 1 < window)
            continue;
        const uint8_t *oldest = codes + i + 1 - window, rating = rate(seg, sum, n_bogus);
        *ratings++ = rating;
        best = rating > best ? rating : best;
        if (is_bogus[*oldest])
            n_bogus--;
        else
            sum -= steps[--counts[*oldest]];
    }
    return best;
}

/* ---- windows that need no rating */

enum {
    MOST_SIEVED = 16, /* residues of a window that is sieved */
    LANES = 16,
    BLOCK = 256,        /* windows that are sieved together */
    SUBJECT_WINDOW = 10 /* of TMS_SEG_SUBJECT: the window of most sequences */
};
typedef uint8_t lanes __attribute__((vector_size(LANES)));

static inline bool is_zero(lanes mask)
{
    static const uint8_t zeros[LANES];

    return memcmp(&mask, zeros, LANES) == 0;
}

static inline lanes load(const uint8_t *from)
{
    lanes v;

    memcpy(&v, from, LANES);
    return v;
}

/*
 * Counts the pairs of equal residues in each of n windows, at most BLOCK.
 *   codes [in] of BLOCK + MOST_SIEVED + LANES residues only those of the windows matter
 *   pairs [out] BLOCK counts
 */
static inline void count_pairs(const uint8_t *codes, size_t n, unsigned window, uint8_t *pairs)
{
    uint8_t behind[MOST_SIEVED][BLOCK + MOST_SIEVED]; /* [m] how many of the next m residues equal this one */

    for (size_t i = 0; i < n + window; i += LANES) {
        const lanes here = load(codes + i);
        lanes sum = {0};
        for (unsigned m = 1; m < window; m++) {
            sum -= (lanes)(here == load(codes + i + m));
            memcpy(behind[m] + i, &sum, LANES);
        }
    }
    for (size_t i = 0; i < n; i += LANES) {
        lanes sum = {0};
        for (unsigned m = 1; m < window; m++)
            sum += load(behind[m] + i + window - 1 - m);
        memcpy(pairs + i, &sum, LANES);
    }
}

static bool has_bogus(lanes c) { return !is_zero((lanes)(c == 0) | (lanes)(c == 2) | (lanes)(c == 21) | (lanes)(c > 22)); }

/*
 * Counts the pairs of n windows, at most BLOCK; with other residues than the 20 amino acids all windows have UINT8_MAX. Returns the most
 * pairs of a window.
 */
static uint8_t sieve_block(const uint8_t *codes, size_t n, unsigned window, uint8_t *pairs)
{
    const size_t n_codes = n + window - 1;
    uint8_t copy[BLOCK + MOST_SIEVED + LANES], most = 0;

    memcpy(copy, codes, n_codes);
    memset(copy + n_codes, 1, sizeof copy - n_codes);
    for (size_t i = 0; i < n_codes; i += LANES)
        if (has_bogus(load(copy + i))) {
            memset(pairs, UINT8_MAX, n);
            return UINT8_MAX;
        }
    if (window == SUBJECT_WINDOW) /* a constant, with which the loops are unrolled */
        count_pairs(copy, n, SUBJECT_WINDOW, pairs);
    else
        count_pairs(copy, n, window, pairs);
    for (size_t i = 0; i < n; i++)
        most = pairs[i] > most ? pairs[i] : most;
    return most;
}

/* Returns the first of windows i .. n - 1 with so many pairs; n: none. */
static size_t find_pairs(const uint8_t *pairs, size_t i, size_t n, unsigned least)
{
    for (; i + LANES <= n && is_zero((lanes)(load(pairs + i) >= (uint8_t)least)); i += LANES)
        ;
    while (i < n && pairs[i] < least)
        i++;
    return i;
}

/*
 * Rates the windows that matter: those that locut may allow, with all neighbours that hicut may allow; the others get COMPLEX. Returns the
 * lowest complexity class found.
 */
static uint8_t rate_windows(struct seg *seg, const uint8_t *codes, size_t n)
{
    const unsigned window = seg->params.window;
    const size_t n_windows = n - window + 1;
    uint8_t *ratings = seg->ratings, *pairs = seg->pairs, best = 0;

    if (window > MOST_SIEVED)
        return rate_all(seg, codes, n, ratings);
    for (size_t i = 0; i < n_windows; i += BLOCK) {
        const uint8_t most = sieve_block(codes + i, n_windows - i < BLOCK ? n_windows - i : BLOCK, window, pairs + i);
        best = most > best ? most : best;
    }
    if (best < seg->least_pairs_locut)
        return COMPLEX;
    best = COMPLEX;
    memset(ratings, COMPLEX, n_windows);
    for (size_t i = 0, end = 0; (i = find_pairs(pairs, end, n_windows, seg->least_pairs_locut)) < n_windows;) {
        size_t first = i;
        uint8_t rating;
        while (first > end && pairs[first - 1] >= seg->least_pairs_hicut)
            first--;
        for (end = i + 1; end < n_windows && pairs[end] >= seg->least_pairs_hicut; end++)
            ;
        rating = rate_all(seg, codes + first, end - first + window - 1, ratings + first);
        best = rating > best ? rating : best;
    }
    return best;
}

/*
 * least_pairs() - the least number of pairs of equal residues in a window of 20 amino acids whose complexity is at most `cut`.
 *   counts [in,out] of n amino acids so far, descending; room for `left` more
 *   left   [in] residues of the window that are not counted yet
 * Returns UINT8_MAX if there is no such window.
 */
static unsigned least_pairs(uint32_t *counts, unsigned n, unsigned left, double cut)
{
    unsigned least = UINT8_MAX;

    if (left == 0 && seg_complexity(counts, n) <= cut) {
        least = 0;
        for (unsigned i = 0; i < n; i++)
            least += counts[i] * (counts[i] - 1) / 2;
    }
    for (unsigned c = n > 0 && counts[n - 1] < left ? counts[n - 1] : left; c > 0; c--) {
        unsigned pairs;
        counts[n] = c;
        pairs = least_pairs(counts, n + 1, left - c, cut);
        least = pairs < least ? pairs : least;
    }
    return least;
}

/* ---- trimming */

/*
 * A part of a segment, whose ends move. Its sum is in millionths: log(n!) minus the sum of log(c!), and log(20!) minus the logarithms of
 * the factorials of `same`.
 */
struct part {
    struct seg *seg;
    int64_t sum;
};

static inline void add_residue(struct part *part, uint8_t code)
{
    const int64_t *f = part->seg->factorials.millionths;
    uint8_t *same = part->seg->same;
    uint32_t c;

    if (is_bogus[code])
        return;
    c = part->seg->counts[code]++;
    part->sum += f[c] - f[c + 1] + f[same[c]] - f[same[c] - 1] + f[same[c + 1]] - f[same[c + 1] + 1];
    same[c]--;
    same[c + 1]++;
}

static inline void remove_residue(struct part *part, uint8_t code)
{
    const int64_t *f = part->seg->factorials.millionths;
    uint8_t *same = part->seg->same;
    uint32_t c;

    if (is_bogus[code])
        return;
    c = part->seg->counts[code]--;
    part->sum += f[c] - f[c - 1] + f[same[c]] - f[same[c] - 1] + f[same[c - 1]] - f[same[c - 1] + 1];
    same[c]--;
    same[c - 1]++;
}

/* The probability of codes[0 .. n - 1] by NCBI's formula. */
static double exact_probability(const struct seg_factorials *factorials, const uint8_t *codes, size_t n)
{
    uint32_t counts[RESIDUE_CODES] = {0}, sorted[SEG_AMINO_ACIDS];

    for (size_t i = 0; i < n; i++)
        counts[codes[i]]++;
    return seg_log_probability(factorials, sorted, sorted_counts(counts, sorted), n);
}

/* The best part so far. */
struct best_part {
    double about, exact; /* its probability by integers, and by the formula, once that was needed */
    bool has_exact;
    size_t start, length; /* no length: no part yet, with probabilities of 1 */
};

/*
 * Whether a part about as probable as the best one is better, by the formula. A part comes before another if it is longer, or as long and
 * begins first: of parts with equal probability the first one counts.
 */
static bool is_better(const struct seg_factorials *factorials, const uint8_t *codes, struct best_part *part, struct best_part *best)
{
    if (!best->has_exact)
        best->exact = exact_probability(factorials, codes + best->start, best->length);
    part->exact = exact_probability(factorials, codes + part->start, part->length);
    best->has_exact = part->has_exact = true;
    if (part->exact != best->exact)
        return part->exact < best->exact;
    return part->length != best->length ? part->length > best->length : part->start < best->start;
}

static inline void consider(const struct part *part, const uint8_t *codes, size_t start, size_t length, struct best_part *best)
{
    const struct seg_factorials *f = &part->seg->factorials;
    struct best_part mine = {
        .about = (double)(part->sum + f->millionths[length]) * 1e-6 - (double)length * SEG_LOG_20, .start = start, .length = length};

    if (mine.about > best->about + SEG_DOUBT || part->seg->same[0] == SEG_AMINO_ACIDS)
        return; /* without an amino acid the formula adds log(20!), and the result is never below 1 */
    if (mine.about < best->about - SEG_DOUBT || is_better(f, codes, &mine, best))
        *best = mine;
}

/* Whether a part of so many residues may be the best one: none is less probable than that of a single amino acid. */
static inline bool may_be_best(size_t length, const struct best_part *best)
{
    return (1.0 - (double)length) * SEG_LOG_20 <= best->about + SEG_DOUBT;
}

/*
 * Finds the least probable part of codes[0 .. n - 1], which is `part` at first. Parts that begin with the same residue form a row; each
 * second row is walked from its shortest part.
 */
static void walk_parts(struct part *part, const uint8_t *codes, size_t n, struct best_part *best)
{
    const size_t least = n > MAX_TRIM ? n - MAX_TRIM + 1 : 2;
    size_t length = n;

    for (size_t start = 0; n - start >= least && may_be_best(n - start, best); start++) {
        if (start % 2 == 0) {
            for (consider(part, codes, start, length, best); length > least && may_be_best(length - 1, best);
                 consider(part, codes, start, length, best))
                remove_residue(part, codes[start + --length]);
        } else {
            while (length < least)
                add_residue(part, codes[start + length++]);
            for (consider(part, codes, start, length, best); start + length < n; consider(part, codes, start, length, best))
                add_residue(part, codes[start + length++]);
        }
        remove_residue(part, codes[start]);
        length--;
    }
}

/* Trims the segment codes[*start .. *end - 1] to its least probable part. */
static bool trim(struct seg *seg, const uint8_t *codes, size_t *start, size_t *end)
{
    const size_t n = *end - *start;
    struct best_part best = {.about = 1, .exact = 1, .has_exact = true};
    struct part part = {.seg = seg};

    if (!seg_factorials_reserve(&seg->factorials, n + 1) || !array_reserve(&seg->same, &seg->same_capacity, n + 2, 1))
        return false;
    memset(seg->same, 0, n + 2);
    memset(seg->counts, 0, sizeof seg->counts);
    seg->same[0] = SEG_AMINO_ACIDS;
    part.sum = 0; /* log(20!) minus the same for the twenty amino acids that do not occur */
    for (size_t i = 0; i < n; i++)
        add_residue(&part, codes[*start + i]);
    walk_parts(&part, codes + *start, n, &best);
    if (best.length > 0) {
        *start += best.start;
        *end = *start + best.length;
    }
    return true;
}

/* ---- segments */

/* Grows a segment from a window of at most locut: the residues of all windows around it of at most hicut. */
static tms_interval grow(const struct seg *seg, size_t at, size_t first, size_t last, size_t *last_window)
{
    size_t low = at, high = at;

    while (low > first && seg->ratings[low - 1] != COMPLEX)
        low--;
    while (high < last && seg->ratings[high + 1] != COMPLEX)
        high++;
    *last_window = high;
    return (tms_interval){low, high + seg->params.window};
}

/*
 * find_segments() - find the segments of codes[begin .. end - 1].
 *   found  [out]    for a left part, when out is NULL: the last segment; end is 0 if there is none
 *   out    [in,out] for a whole sequence: the function appends all segments
 * Returns false if there is no memory.
 */
static bool find_segments(struct seg *seg, const uint8_t *codes, size_t begin, size_t end, tms_interval *found, struct intervals *out)
{
    const size_t window = seg->params.window;
    size_t first = begin, last;

    *found = (tms_interval){0, 0};
    if (end - begin < window)
        return true;
    last = end - window;
    for (size_t at = begin; at <= last; at++) {
        const uint8_t *low = memchr(seg->ratings + at, AT_MOST_LOCUT, last + 1 - at);
        size_t start, stop, last_window;
        tms_interval whole, left;
        if (low == NULL)
            break;
        at = (size_t)(low - seg->ratings);
        whole = grow(seg, at, first, last, &last_window);
        start = whole.start;
        stop = whole.end;
        if (!trim(seg, codes, &start, &stop))
            return false;
        if (out && at + window - 1 < start) {
            if (!find_segments(seg, codes, whole.start, start, &left, NULL))
                return false;
            if (left.end > 0 && !intervals_add(out, left.start, left.end))
                return false;
        }
        if (out && !intervals_add(out, start, stop))
            return false;
        *found = (tms_interval){start, stop};
        at = last_window < stop - 1 ? last_window : stop - 1;
        first = at + 1;
    }
    return true;
}

bool seg_mask(struct seg *seg, const uint8_t *codes, size_t n, struct intervals *out)
{
    tms_interval last;

    if (n < seg->params.window)
        return true;
    if (!array_reserve(&seg->ratings, &seg->ratings_capacity, n, 1) || !array_reserve(&seg->pairs, &seg->pairs_capacity, n + LANES, 1))
        return false;
    if (rate_windows(seg, codes, n) < AT_MOST_LOCUT)
        return true;
    return find_segments(seg, codes, 0, n, &last, out);
}

struct seg *seg_create(const tms_seg_params *params)
{
    const double unit = 4294967296.0;
    struct seg *seg = calloc(1, sizeof *seg);

    if (!seg)
        return NULL;
    seg->params = *params;
    seg->steps = malloc(params->window * sizeof *seg->steps);
    if (!seg->steps) {
        seg_destroy(seg);
        return NULL;
    }
    for (unsigned c = 0; c < params->window; c++)
        seg->steps[c] = (int64_t)((c_log2_c(c + 1.0) - c_log2_c(c)) * unit);
    if (params->window <= MOST_SIEVED) {
        uint32_t counts[MOST_SIEVED];
        seg->least_pairs_hicut = least_pairs(counts, 0, params->window, params->hicut);
        seg->least_pairs_locut = least_pairs(counts, 0, params->window, params->locut);
    }
    for (unsigned bogus = 0; bogus <= MAX_BOGUS && bogus <= params->window; bogus++)
        set_limits(&seg->limits[bogus], params, params->window - bogus);
    return seg;
}

void seg_destroy(struct seg *seg)
{
    if (!seg)
        return;
    free(seg->steps);
    free(seg->ratings);
    free(seg->pairs);
    free(seg->same);
    seg_factorials_free(&seg->factorials);
    free(seg);
}
