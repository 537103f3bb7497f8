/*
 * dust.c - symmetric DUST [Morgulis 2006].
 *
 * A triplet is three bases in a row. The score of an interval of triplets is the number of pairs of equal ones. DUST masks an interval of
 * c + 1 triplets if it is perfect: 10 * score > level * c, and no part of it has a higher ratio of score to c. No perfect interval is
 * longer than the window.
 *
 * The window slides over the sequence by one triplet at a time. The longest suffix of the window in which no triplet comes more than level
 * / 5 times has no perfect interval that ends with it and begins inside. So find_perfect() only examines intervals that begin before the
 * suffix, from the shortest to the longest, and only if the score of the whole window would be enough for the shortest.
 *
 * Perfect intervals wait until the window has left their start. Of those that begin at the same position only the last found counts: it is
 * the longest, and has the best score for its length. So there is one slot for each position of the window.
 *
 * The bases are read in passes, as NCBI's programs do. A pass ends at the end of the sequence, or where a window of equal triplets ends;
 * the next pass begins in the middle of that window, with an empty one. It matters that the bases there are read twice, because an N
 * becomes a different base each time.
 */
#include "mask/dust.h"

#include <stdlib.h>
#include <string.h>

#include "tamis/alphabet.h"

enum {
    N_TRIPLETS = 64,
    CODE_N = 14,  /* BLASTNA */
    SLOTS = 64,   /* at least the positions in a window */
    BLOCK = 4096, /* triplets computed at once */
    BEHIND = 64   /* triplets kept before the block: at least as many as a window has */
};

/* A perfect interval: its end, its score, and its number of triplets minus one. */
struct perfect {
    uint64_t end;
    uint32_t score, c;
};

/* Reads the triplets of a pass, a block at a time. */
struct reader {
    const uint8_t *codes;
    size_t n;                                     /* bases in codes */
    size_t next;                                  /* index in codes at which the next block begins */
    unsigned last_two;                            /* the two bases before `next`, four bits */
    bool has_n;                                   /* the block has an N */
    struct lagged_random random, random_at_block; /* the generator now, and when the block's first base was read */
    size_t block_start;                           /* index in codes of the third base of the block's first triplet */
    size_t n_block;                               /* triplets in the block */
    uint8_t triplets[BEHIND + BLOCK];
};

struct window {
    const tms_dust_params *params;
    uint32_t capacity;     /* most triplets in the window */
    uint32_t suffix_count; /* most occurrences of a triplet in the suffix */
    uint32_t score, suffix_score;
    uint64_t first, last, suffix; /* positions of triplets in the pass: the window's oldest, one after its newest, the suffix's oldest */
    uint64_t occupied;            /* bit i is 1 if slot i is in use */
    uint8_t counts[N_TRIPLETS], suffix_counts[N_TRIPLETS];
    struct perfect slots[SLOTS];
};

struct pass {
    struct reader reader;
    struct window window;
    struct dust_list list;
    uint64_t start;    /* of the pass, in codes */
    uint64_t from, to; /* intervals that begin outside from .. to - 1 belong to other parts */
};

static unsigned read_base(struct reader *r, uint8_t code)
{
    if (code < 4)
        return code;
    if (code != CODE_N)
        return 0;
    r->has_n = true;
    return lagged_random_draw(&r->random) & 3;
}

/* Reads the next block of triplets, keeping the previous ones in front of it. Returns the number of triplets. */
static size_t read_block(struct reader *r)
{
    uint8_t *to = r->triplets + BEHIND;
    const uint8_t *from = r->codes + r->next;
    size_t n = r->n - r->next < BLOCK ? r->n - r->next : BLOCK;
    unsigned triplet = r->last_two, others = 0;

    memmove(r->triplets, r->triplets + r->n_block, BEHIND);
    r->random_at_block = r->random;
    r->block_start = r->next;
    r->has_n = false;
    for (size_t i = 0; i < n; i++)
        others |= from[i];
    if (others < 4)
        for (size_t i = 0; i < n; i++)
            to[i] = (uint8_t)(triplet = (triplet << 2 | from[i]) & 63);
    else
        for (size_t i = 0; i < n; i++)
            to[i] = (uint8_t)(triplet = (triplet << 2 | read_base(r, from[i])) & 63);
    r->last_two = triplet & 15;
    r->next += n;
    r->n_block = n;
    return n;
}

/* Takes back the bases from `end` on, with the random numbers drawn for them. */
static void unread(struct reader *r, size_t end)
{
    if (!r->has_n)
        return;
    r->random = r->random_at_block;
    for (size_t i = r->block_start; i < end; i++)
        read_base(r, r->codes[i]);
}

static void start_reading(struct reader *r, size_t start)
{
    r->next = start;
    r->n_block = 0;
    r->last_two = read_base(r, r->codes[start]) << 2;
    r->last_two |= read_base(r, r->codes[start + 1]);
    r->next = start + 2;
}

static void start_window(struct window *w)
{
    w->score = w->suffix_score = 0;
    w->first = w->last = w->suffix = 0;
    w->occupied = 0;
    memset(w->counts, 0, sizeof w->counts);
    memset(w->suffix_counts, 0, sizeof w->suffix_counts);
}

static inline void shrink_suffix(struct window *w, unsigned oldest)
{
    w->suffix++;
    w->suffix_score -= --w->suffix_counts[oldest];
}

static inline void drop_oldest(struct window *w, unsigned oldest)
{
    w->score -= --w->counts[oldest];
    if (w->suffix == w->first)
        shrink_suffix(w, oldest);
    w->first++;
}

/* newest [in] points to the triplet; the previous triplets precede it */
static inline void push(struct window *w, const uint8_t *newest)
{
    unsigned t = *newest;

    w->score += w->counts[t]++;
    w->suffix_score += w->suffix_counts[t]++;
    if (w->suffix_counts[t] > w->suffix_count) {
        const uint8_t *oldest = newest - (w->last - w->suffix);
        while (*oldest != t)
            shrink_suffix(w, *oldest++);
        shrink_suffix(w, t);
    }
    w->last++;
}

/* Finds the best of the perfect intervals that begin at `position` or later. *best already includes those from `seen` on. */
static void best_behind(const struct window *w, uint64_t position, uint64_t seen, struct perfect *best)
{
    while (seen-- > position) {
        const struct perfect *p = &w->slots[seen % SLOTS];
        if ((w->occupied >> (seen % SLOTS) & 1) && (best->score == 0 || best->c * p->score > best->score * p->c))
            *best = *p;
    }
}

/*
 * find_perfect() - find the perfect intervals that end with the newest triplet and begin before the suffix.
 *   most [in] no interval with more triplets (minus one) can have the score
 */
static void find_perfect(struct window *w, const uint8_t *newest, uint32_t most)
{
    uint32_t c = (uint32_t)(w->last - w->suffix), score = w->suffix_score, level = w->params->level;
    uint64_t seen = w->last, position = w->suffix;
    const uint8_t *oldest = newest + 1 - c;
    struct perfect best = {0, 0, 0};
    uint8_t counts[N_TRIPLETS];

    memcpy(counts, w->suffix_counts, sizeof counts);
    for (; position-- > w->first && c <= most; c++) {
        unsigned t = *--oldest;
        uint32_t old = counts[t]++;
        score += old;
        if (old == 0 || 10 * score <= (c ? level * c : 1))
            continue;
        best_behind(w, position, seen, &best);
        seen = position;
        if (best.score == 0 || score * best.c >= best.score * c) {
            best = (struct perfect){w->last + 2, score, c};
            w->slots[position % SLOTS] = best;
            w->occupied |= (uint64_t)1 << (position % SLOTS);
        }
    }
}

/*
 * Within a segment an interval that begins at most `linker` bases after the end of the previous one is joined to it. Across the border of
 * segments only one that begins exactly that many bases after it is joined, as in dustmasker.
 */
bool dust_list_add(struct dust_list *list, uint64_t start, uint64_t end)
{
    struct intervals *out = list->out;
    tms_interval *before = out->n > list->first ? &out->items[out->n - 1] : NULL;
    uint64_t reach = before ? before->end - 1 + list->linker : 0;
    bool is_apart = !before || (list->at_border ? start != reach : start > reach);

    list->at_border = false;
    if (is_apart)
        return intervals_add(out, start, end);
    if (before->end < end)
        before->end = end;
    return true;
}

/* The window leaves a position: masks the perfect interval that begins there. */
static inline bool leave(struct pass *pass, uint64_t position)
{
    struct window *w = &pass->window;
    uint64_t bit = (uint64_t)1 << (position % SLOTS);

    if (!(w->occupied & bit))
        return true;
    w->occupied &= ~bit;
    if (pass->start + position < pass->from || pass->start + position >= pass->to)
        return true;
    return dust_list_add(&pass->list, pass->start + position, pass->start + w->slots[position % SLOTS].end);
}

/*
 * Runs one pass from pass->start on.
 *   rest [out] offset in the pass at which the next one begins; 0 if there is none
 */
static bool run_pass(struct pass *pass, uint64_t *rest)
{
    struct reader *r = &pass->reader;
    struct window *w = &pass->window;
    const uint32_t capacity = w->capacity, full_score = capacity * (capacity - 1) / 2, level = w->params->level;
    bool is_mono = false;

    start_reading(r, pass->start);
    start_window(w);
    for (size_t n; pass->start + w->first <= pass->to && (n = read_block(r)) > 0;) {
        const uint8_t *newest = r->triplets + BEHIND;
        for (const uint8_t *end = newest + n; newest < end; newest++) {
            uint32_t c;
            if (w->occupied && !leave(pass, w->first - 1))
                return false;
            if (w->last - w->first == capacity)
                drop_oldest(w, newest[-(ptrdiff_t)capacity]);
            push(w, newest);
            if (is_mono && w->score < full_score) {
                unread(r, r->block_start + (size_t)(newest - r->triplets - BEHIND) + 1);
                goto done;
            }
            if (w->score == full_score && w->last - w->first == capacity) {
                uint64_t slot = w->first % SLOTS;
                if (!is_mono)
                    w->occupied = 0;
                w->slots[slot] = (struct perfect){w->last + 2, 0, 0};
                w->occupied |= (uint64_t)1 << slot;
                is_mono = true;
                continue;
            }
            c = (uint32_t)(w->last - w->suffix);
            if (w->suffix > w->first && 10 * w->score > (c ? level * c : 1))
                find_perfect(w, newest, (10 * w->score - 1) / level);
        }
    }
done:
    for (uint64_t position = w->first - 1; w->occupied; position++)
        if (!leave(pass, position))
            return false;
    *rest = w->first;
    return true;
}

/* Masks bases start .. end - 1 in as many passes as needed. */
static bool run_passes(struct pass *pass, size_t start, size_t end)
{
    uint64_t rest = 0;

    pass->reader.n = end;
    for (pass->start = start; end > pass->start + 2 && pass->start < pass->to; pass->start += rest) {
        if (!run_pass(pass, &rest))
            return false;
        if (rest == 0)
            break;
    }
    return true;
}

static void start_record(struct pass *pass, const tms_dust_params *params, const uint8_t *codes, struct intervals *out)
{
    pass->reader.codes = codes;
    pass->reader.random = lagged_random_unseeded;
    pass->window.params = params;
    pass->window.capacity = params->window - 2;
    pass->window.suffix_count = params->level / 5;
    pass->list = (struct dust_list){out, out->n, params->linker, true};
    pass->from = 0;
    pass->to = UINT64_MAX;
}

/* dustmasker's segments lie between runs of N that are at an end of the record or longer than the window. blastn has one segment. */
bool dust_next_segment(const tms_dust_params *params, const uint8_t *codes, size_t n, struct dust_segment *segment)
{
    size_t end;

    segment->start = segment->run_end;
    if (segment->start == n)
        return false;
    segment->end = segment->run_end = n;
    if (params->rule != TMS_DUST_DUSTMASKER)
        return true;
    for (size_t i = segment->start; i < n; i = end) {
        const uint8_t *found = memchr(codes + i, CODE_N, n - i);
        size_t run = found ? (size_t)(found - codes) : n;
        for (end = run; end < n && codes[end] == CODE_N;)
            end++;
        if (run == 0 || end == n || end - run > params->window) {
            segment->end = run;
            segment->run_end = end;
            break;
        }
    }
    return true;
}

bool dust_mask(const tms_dust_params *params, const uint8_t *codes, size_t n, struct intervals *out)
{
    struct dust_segment segment = {0, 0, 0};
    struct pass pass;

    start_record(&pass, params, codes, out);
    while (dust_next_segment(params, codes, n, &segment)) {
        pass.list.at_border = true;
        if (!run_passes(&pass, segment.start, segment.end))
            return false;
        pass.list.at_border = true;
        if (segment.run_end > segment.end && !dust_list_add(&pass.list, segment.end, segment.run_end))
            return false;
    }
    return true;
}

/* Turns intervals of the reverse complement of n bases into those of the sequence. */
static void mirror(tms_interval *items, size_t n_items, size_t n)
{
    for (size_t i = 0, j = n_items; i < j; i++) {
        tms_interval first = items[i], last = items[--j];
        items[i] = (tms_interval){n - last.end, n - last.start};
        items[j] = (tms_interval){n - first.end, n - first.start};
    }
}

bool dust_mask_minus(const tms_dust_params *params, const uint8_t *codes, size_t n, struct intervals *out)
{
    const uint8_t *complements = tms_alphabet_complements(TMS_ALPHABET_BLASTNA);
    const size_t first = out->n;
    uint8_t *minus = malloc(n + 1);
    bool is_ok = minus != NULL;

    for (size_t i = 0; i < n && is_ok; i++)
        minus[i] = complements[codes[n - 1 - i]];
    is_ok = is_ok && dust_mask(params, minus, n, out);
    free(minus);
    if (is_ok)
        mirror(out->items + first, out->n - first, n);
    return is_ok;
}

/*
 * The intervals that begin at a position or later depend on windows that contain it; so on the bases of one window before it, if that
 * window was full and no window of equal triplets, which begins a new pass, was near. A part starts reading this many bases before its
 * first position.
 */
static size_t cut_margin(const tms_dust_params *params) { return 4 * (size_t)params->window; }

/* The end of the first run of equal bases in codes[start .. end - 1] that could fill a window; 0 if there is none. */
static size_t end_of_run(const tms_dust_params *params, const uint8_t *codes, size_t start, size_t end)
{
    size_t n = 0, found = 0;
    uint8_t before = 4;

    for (size_t i = start; i < end; i++) {
        uint8_t base = codes[i] < 4 ? codes[i] : 0;
        n = base == before ? n + 1 : 1;
        before = base;
        if (n >= params->window)
            found = i + 1;
    }
    return found;
}

size_t dust_cut(const tms_dust_params *params, const uint8_t *codes, const struct dust_segment *segment, size_t at)
{
    size_t margin = cut_margin(params), run;

    if (at < segment->start + margin)
        at = segment->start + margin;
    while (at < segment->end && segment->end - at > margin) {
        run = end_of_run(params, codes, at - margin, at + margin);
        if (run == 0)
            return at;
        at = run + margin;
    }
    return segment->end;
}

bool dust_mask_part(const tms_dust_params *params, const uint8_t *codes, const struct dust_segment *segment, size_t from, size_t to,
                    struct lagged_random *random, struct intervals *out)
{
    struct pass pass;
    bool is_ok;

    start_record(&pass, params, codes, out);
    pass.reader.random = *random;
    pass.from = from;
    pass.to = to < segment->end ? to : UINT64_MAX;
    is_ok = run_passes(&pass, from > segment->start ? from - cut_margin(params) : from, segment->end);
    *random = pass.reader.random;
    return is_ok;
}
