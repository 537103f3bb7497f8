/*
 * long_lookup.c - a table of long words has tens of millions of entries. It is made part by part: a part has the words whose letters before
 * an ending are the same, so that their cells stay in the first cache. Parts with the same PREFIX letters are a strip, which is searched at
 * once; threads take strips independently of each other.
 *
 * The words similar to the ending of a query's word are listed once, the best first, for all words of the queries that end so. If the
 * letters before it score s, the words similar to the whole are those at the beginning of the list which score the threshold less s. The
 * search of a strip lists, for each part, the beginnings of the queries' words that are similar to its letters. Then each part takes their
 * endings.
 *
 * If half of all words occur, all have cells, and parts are written as they are found. Else strips are searched twice: to count words,
 * which tells where the cells of each part are, and to write them.
 */
#include "lookup/long_lookup.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/core.h"
#include "lookup/word_endings.h"

enum {
    PREFIX = 2,
    LONGEST_ENDING = 3,
    MOST_MIDDLE = WORD_LOOKUP_MAX_WORD - PREFIX - LONGEST_ENDING, /* letters between the two */
    FEW = 8,                                                      /* of so many words of a part fewer than one are few */
    AHEAD = 8,                                                    /* words of the queries that are read ahead */
    NO_STRIP = UINT16_MAX,
    SUMS = 4,
    SAMPLE = 17, /* one strip of so many; prime, so that the strips have all letters */
    ROOM = 2,    /* for so many times as many positions as a sample tells */
    CELL = WORD_LOOKUP_CELL,
    CELL32 = 2 /* entries of a cell of positions32 */
};

/* An ending of the queries' words. */
struct ending {
    const uint8_t *codes;
    int least;    /* what similar words have to score */
    size_t first; /* of its list in word_endings.similar */
    bool is_listed;
};

struct query_word {
    int32_t position;
    uint32_t ending;             /* its number among the endings; then where its list begins */
    int best_after[MOST_MIDDLE]; /* the highest score of the letters after each one between the prefix and the ending */
    uint8_t middle[MOST_MIDDLE]; /* codes of these letters */
    uint32_t own, own_ending;    /* of a word whose score against itself is too low: its number, and the list of its own ending alone */
};

/* What tells whether a strip has words that are similar to a query's word. */
struct key {
    int least;          /* what the prefix has to score */
    uint16_t prefix;    /* RESIDUE_CODES * first code + second code */
    uint16_t own_strip; /* the strip of the word itself if it needs an entry; else NO_STRIP */
};

/* For a part: the query words whose first residues are similar to those that the part's words begin with. */
struct beginnings {
    struct word_beginning *items;
    size_t n, capacity;
};

/* The words with the same letters before the ending, and their positions. */
struct part {
    size_t first_cell, n_cells; /* of the words that have positions */
    size_t n_listed;            /* positions that are not in cells */
    size_t n_positions;
    double expected_hits; /* of its words, at one position of a random subject */
};

/* The table while it is made. */
struct build {
    const struct word_lookup_rules *rules;
    struct word_lookup_ranks ranks[RESIDUE_CODES]; /* of each code */
    struct word_lookup *table;
    int n_ending;        /* letters of an ending */
    uint32_t part_words; /* words of a part: endings */
    uint32_t strip_parts, n_strips;
    struct query_word *words;
    struct key *keys; /* of the words */
    size_t n_words, words_capacity, keys_capacity;
    struct ending *endings;
    size_t n_endings, endings_capacity;
    struct word_endings lists;     /* of the endings */
    double of_letter[RESIDUE_ROW]; /* frequencies of letters in a random subject */
    double *frequencies;           /* of endings; with SUMS more that are 0 */
    struct part *parts;            /* of one strip after the other */
    size_t n_parts;
    bool short_positions, writes;
    size_t step; /* strips are taken that are so far from each other */
    atomic_size_t next, next_listed;
    atomic_bool has_failed, is_full;
};

/* A search of a strip. */
struct search {
    struct build *build;
    uint32_t *chosen;              /* words of the queries that are similar to some of the strip */
    struct beginnings *beginnings; /* of each part */
    struct words_found found;      /* in a part */
    bool has_failed;
    uint32_t *counts;  /* positions of each word of a part, and 0 for 64 more; then the entry of the next one */
    uint64_t *present; /* bitmap of the part's words that occur */
};

/* --- the words of the queries --- */

/* Adds a word. of_codes: the number of each ending that occurs, plus 1. */
static bool add_word(struct build *b, const uint8_t *codes, int position, uint32_t *of_codes)
{
    const int w = b->rules->word_size, begins = w - b->n_ending, needed = b->rules->threshold - word_endings_best(b->ranks, codes, begins);
    struct query_word word;
    struct key key;
    uint32_t own, ending = 0;
    int self;

    if (!word_lookup_own(b->rules, b->table, codes, &own, &self))
        return true;
    if (!array_reserve(&b->words, &b->words_capacity, b->n_words + 1, sizeof *b->words) ||
        !array_reserve(&b->keys, &b->keys_capacity, b->n_words + 1, sizeof *b->keys) ||
        !array_reserve(&b->endings, &b->endings_capacity, b->n_endings + 1, sizeof *b->endings))
        return false;
    for (int i = begins; i < w; i++)
        ending = ending * RESIDUE_CODES + codes[i];
    if (of_codes[ending] == 0) {
        b->endings[b->n_endings++] = (struct ending){.codes = codes + begins, .least = needed};
        of_codes[ending] = (uint32_t)b->n_endings;
    }
    ending = of_codes[ending] - 1;
    b->endings[ending].least = needed < b->endings[ending].least ? needed : b->endings[ending].least;
    word = (struct query_word){.position = position, .ending = ending, .own = own};
    for (int i = PREFIX; i < begins; i++) {
        word.best_after[i - PREFIX] = word_endings_best(b->ranks, codes + i + 1, w - i - 1);
        word.middle[i - PREFIX] = codes[i];
    }
    key = (struct key){b->rules->threshold - word_endings_best(b->ranks, codes + PREFIX, w - PREFIX),
                       (uint16_t)(RESIDUE_CODES * codes[0] + codes[1]), NO_STRIP};
    if (b->rules->threshold == 0 || self < b->rules->threshold)
        key.own_strip = (uint16_t)(own / (b->strip_parts * b->part_words));
    b->keys[b->n_words] = key;
    b->words[b->n_words++] = word;
    b->table->has_word[position] = 1;
    return true;
}

/* Lists the words that are similar to the endings. */
static bool list_endings(struct build *b)
{
    bool done = word_endings_expect(&b->lists, b->n_endings);

    for (size_t i = 0; i < b->n_words && done; i++) {
        struct ending *e = &b->endings[b->words[i].ending];
        if (!e->is_listed) {
            e->first = b->lists.n;
            e->is_listed = true;
            done = word_endings_add(&b->lists, e->codes, b->rules->threshold > 0 ? e->least : INT_MAX);
        }
        b->words[i].ending = (uint32_t)e->first;
        b->words[i].own_ending = (uint32_t)b->lists.n;
        if (b->keys[i].own_strip != NO_STRIP && done)
            done = word_endings_add_own(&b->lists, (uint16_t)(b->words[i].own % b->part_words));
    }
    return done && b->lists.n <= UINT32_MAX;
}

static bool list_words(struct build *b, const struct word_lookup_query *queries, size_t n_queries)
{
    size_t n_codes = 1;
    uint32_t *of_codes;
    bool done = true;

    for (int i = 0; i < b->n_ending; i++)
        n_codes *= RESIDUE_CODES;
    of_codes = calloc(n_codes, sizeof *of_codes);
    if (of_codes == NULL)
        return false;
    for (size_t q = 0; q < n_queries; q++)
        for (size_t i = 0; i < queries[q].n_ranges; i++)
            for (int at = queries[q].ranges[i].first; at + b->rules->word_size <= queries[q].ranges[i].end && done; at++)
                done = add_word(b, queries[q].codes + at, queries[q].first_position + at, of_codes);
    free(of_codes);
    return done && list_endings(b);
}

/* --- the search of a strip --- */

static inline void add_beginning(struct search *s, uint32_t part, struct word_beginning beginning)
{
    struct beginnings *to = &s->beginnings[part];

    if (!array_reserve(&to->items, &to->capacity, to->n + 1, sizeof *to->items)) {
        s->has_failed = true;
        return;
    }
    to->items[to->n++] = beginning;
}

/* Completes a beginning from letter i after the prefix on, in all ways whose score reaches `wanted`. part: in the strip, by the letters
 * between prefix and i */
static void descend(struct search *s, const struct query_word *word, int i, uint32_t part, int wanted)
{
    const struct build *b = s->build;
    const struct word_lookup_ranks *row;

    if (i >= b->rules->word_size - b->n_ending - PREFIX || i >= MOST_MIDDLE) {
        add_beginning(s, part, (struct word_beginning){word->position, word->ending, wanted});
        return;
    }
    row = &b->ranks[word->middle[i]];
    for (int k = 0; k < row->n && wanted - row->scores[k] <= word->best_after[i]; k++)
        descend(s, word, i + 1, part * b->table->radix + row->letters[k], wanted - row->scores[k]);
}

/* Sets what the prefixes of the queries' words score against that of a strip. */
static void score_prefixes(const struct build *b, uint32_t number, int scores[RESIDUE_CODES * RESIDUE_CODES])
{
    const struct word_lookup_rules *rules = b->rules;
    const uint32_t one = number / b->table->radix, two = number % b->table->radix;
    const bool has_similar = rules->threshold > 0 && (rules->letter_of != NULL || (one >= WORD_FIRST_CODE && two >= WORD_FIRST_CODE));

    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int k = 0; k < RESIDUE_CODES; k++)
            scores[RESIDUE_CODES * i + k] = has_similar ? rules->scores[rules->n_letters * i + (int)one] +
                                                              rules->scores[rules->n_letters * k + (int)two]
                                                        : INT_MIN;
}

/* Finds the beginnings in strip `number` that are similar to the queries'. Returns false if there is no memory. */
static bool search_strip(struct search *s, uint32_t number)
{
    const struct build *b = s->build;
    int scores[RESIDUE_CODES * RESIDUE_CODES];
    size_t n_chosen = 0;

    score_prefixes(b, number, scores);
    for (size_t i = 0; i < b->n_words; i++) {
        const struct key *key = &b->keys[i];
        s->chosen[n_chosen] = (uint32_t)i;
        n_chosen += (size_t)(scores[key->prefix] >= key->least) | (size_t)(key->own_strip == number);
    }
    for (uint32_t i = 0; i < b->strip_parts; i++)
        s->beginnings[i].n = 0;
    for (size_t i = 0; i < n_chosen; i++) {
        const struct key *key = &b->keys[s->chosen[i]];
        const struct query_word *word = &b->words[s->chosen[i]];
        __builtin_prefetch(&b->words[s->chosen[i + AHEAD < n_chosen ? i + AHEAD : i]]);
        if (key->own_strip == number)
            add_beginning(s, word->own / b->part_words % b->strip_parts,
                          (struct word_beginning){word->position, word->own_ending, INT16_MAX});
        if (scores[key->prefix] >= key->least)
            descend(s, word, 0, 0, b->rules->threshold - scores[key->prefix]);
    }
    return !s->has_failed;
}

/* --- parts --- */

/* The most positions of a word that are in its cell alone. */
static inline uint32_t most_in_cell(const struct build *b) { return b->short_positions ? CELL : 0; }

/* Bit i is set if counts[i], of 64, is not 0. Eight flags at a time are put together by a multiplication. */
static inline uint64_t occurring(const uint32_t *counts)
{
    uint8_t flags[64];
    uint64_t bits = 0;

    for (size_t i = 0; i < sizeof flags; i++)
        flags[i] = counts[i] > 0;
    for (size_t i = 0; i < sizeof flags; i += 8)
        bits |= (core_read64(flags + i) * 0x0102040810204080 >> 56) << i;
    return bits;
}

/* Marks the part's words that occur, in s->present, and counts them. */
static struct part mark_all(const struct search *s)
{
    const uint32_t n = s->build->part_words, most = most_in_cell(s->build), *counts = s->counts;
    struct part part = {0};
    uint32_t n_listed = 0;

    for (uint32_t first = 0; first < n; first += 64) {
        s->present[first / 64] = occurring(counts + first);
        part.n_cells += (size_t)__builtin_popcountll(s->present[first / 64]);
    }
    for (uint32_t i = 0; i < n; i++)
        n_listed += counts[i] > most ? counts[i] : 0;
    part.n_listed = n_listed;
    return part;
}

/* The same, if few words occur. */
static struct part mark_few(const struct search *s, const struct words_found *f)
{
    const uint32_t most = most_in_cell(s->build);
    struct part part = {0};

    memset(s->present, 0, (s->build->part_words / 64 + 1) * sizeof *s->present);
    for (size_t i = 0; i < f->n; i++) {
        const uint32_t word = f->words[i];
        if (s->present[word / 64] >> word % 64 & 1)
            continue;
        s->present[word / 64] |= (uint64_t)1 << word % 64;
        part.n_cells++;
        part.n_listed += s->counts[word] > most ? s->counts[word] : 0;
    }
    return part;
}

/* Sets the bits of the marked words of a part whose first word is `first`. Two parts may share 64 bits. */
static void set_present(const struct search *s, uint32_t first, uint64_t *present)
{
    for (uint32_t i = 0; i <= s->build->part_words / 64; i++) {
        const uint64_t bits = s->present[i];
        const uint32_t at = first + 64 * i, shift = at % 64;
        if (bits == 0)
            continue;
        __atomic_fetch_or(&present[at / 64], bits << shift, __ATOMIC_RELAXED);
        if (shift > 0 && bits >> (64 - shift) != 0)
            __atomic_fetch_or(&present[at / 64 + 1], bits >> (64 - shift), __ATOMIC_RELAXED);
    }
}

/*
 * Writes the cell of a word of the part, and sets *count, the number of its positions, to where they go. Returns how many of them are not
 * in the cell. No branch depends on their number.
 */
static inline uint32_t write_cell16(uint16_t *positions, size_t cell, size_t listed, uint32_t *count)
{
    const uint32_t n = *count, is_listed = -(uint32_t)(n > CELL);
    const uint64_t all_listed = (uint64_t)is_listed << 32 | is_listed;

    core_write64((uint8_t *)(positions + CELL * cell), word_lookup_cell((uint32_t)listed, n) | ~all_listed);
    *count = ((uint32_t)listed & is_listed) | ((uint32_t)(CELL * cell) & ~is_listed);
    return n & is_listed;
}

static inline uint32_t write_cell32(int32_t *positions, size_t cell, size_t listed, uint32_t *count)
{
    const uint32_t n = *count;

    memcpy(positions + CELL32 * cell, (int32_t[]){(int32_t)listed, (int32_t)n}, CELL32 * sizeof *positions);
    *count = (uint32_t)listed;
    return n;
}

/* Writes the cells of all words of the part, or of the marked ones. */
static void write_cells(const struct search *s, const struct part *part, size_t listed)
{
    const struct word_lookup *t = s->build->table;
    const uint32_t n = s->build->part_words;
    uint16_t *const positions16 = t->positions16;
    int32_t *const positions32 = t->positions32;
    uint32_t *const counts = s->counts;
    const bool has_all = t->ranks == NULL;
    size_t cell = part->first_cell;

    for (uint32_t word = 0; word < n && has_all; word++, cell++)
        listed += positions16 != NULL ? write_cell16(positions16, cell, listed, &counts[word])
                                      : write_cell32(positions32, cell, listed, &counts[word]);
    for (uint32_t i = 0; i <= n / 64 && !has_all; i++)
        for (uint64_t bits = s->present[i]; bits != 0; bits &= bits - 1, cell++) {
            uint32_t *count = &counts[64 * i + (uint32_t)__builtin_ctzll(bits)];
            listed += positions16 != NULL ? write_cell16(positions16, cell, listed, count) : write_cell32(positions32, cell, listed, count);
        }
}

/* Writes a part, unless there is no room for positions that are not in cells. */
static void write_part(struct search *s, const struct part *part, const struct words_found *f)
{
    struct word_lookup *t = s->build->table;
    const size_t listed = atomic_fetch_add(&s->build->next_listed, part->n_listed);

    if (listed + part->n_listed > t->n_entries) {
        atomic_store(&s->build->is_full, true);
        return;
    }
    write_cells(s, part, listed);
    for (size_t i = 0; i < f->n && t->positions16 != NULL; i++)
        t->positions16[s->counts[f->words[i]]++] = f->positions16[i];
    for (size_t i = 0; i < f->n && t->positions16 == NULL; i++)
        t->positions32[s->counts[f->words[i]]++] = f->positions32[i];
}

/* The hits that are expected for an ending of a part's words, behind its letters. */
static double expect_endings(const struct search *s, const struct words_found *f, bool has_few)
{
    const double *frequencies = s->build->frequencies;
    double sums[SUMS] = {0}, sum = 0;

    for (size_t k = 0; k < f->n && has_few; k++)
        sum += frequencies[f->words[k]];
    for (uint32_t i = 0; i < s->build->part_words && !has_few; i += SUMS)
        for (uint32_t k = 0; k < SUMS; k++)
            sums[k] += s->counts[i + k] * frequencies[i + k];
    for (uint32_t k = 0; k < SUMS; k++)
        sum += sums[k];
    return sum;
}

/* Counts what part `number` has, and may write it. Returns false if there is no memory. */
static bool take_part(struct search *s, size_t number, const struct beginnings *beginnings)
{
    struct build *b = s->build;
    const struct words_found *f = &s->found;
    const bool is_ranked = b->table->ranks != NULL;
    struct part part;
    bool has_few;

    if (!word_endings_find(&b->lists, beginnings->items, beginnings->n, b->short_positions, &s->found))
        return false;
    has_few = f->n < b->part_words / FEW && (!b->writes || is_ranked);
    for (size_t i = 0; i < f->n; i++)
        s->counts[f->words[i]]++;
    part = has_few ? mark_few(s, f) : mark_all(s);
    part.n_positions = f->n;
    part.first_cell = b->parts[number].first_cell;
    part.expected_hits = expect_endings(s, f, has_few);
    b->parts[number] = part;
    if (!is_ranked)
        set_present(s, (uint32_t)number * b->part_words, b->table->present);
    if (b->writes)
        write_part(s, &part, f);
    for (size_t i = 0; i < f->n && has_few; i++)
        s->counts[f->words[i]] = 0;
    if (!has_few)
        memset(s->counts, 0, b->part_words * sizeof *s->counts);
    return true;
}

/* Takes the parts of strips, one strip after the other. */
static void take_strips(void *arg, int thread)
{
    struct build *b = arg;
    struct search s = {.build = b,
                       .chosen = malloc((b->n_words + 1) * sizeof *s.chosen),
                       .beginnings = calloc(b->strip_parts, sizeof *s.beginnings),
                       .counts = calloc(b->part_words + 64, sizeof *s.counts),
                       .present = calloc(b->part_words / 64 + 1, sizeof *s.present)};
    bool done = s.chosen != NULL && s.beginnings != NULL && s.counts != NULL && s.present != NULL;

    (void)thread;
    for (size_t i; done && !atomic_load(&b->is_full) && (i = atomic_fetch_add(&b->next, b->step)) < b->n_strips;) {
        done = search_strip(&s, (uint32_t)i);
        for (uint32_t k = 0; k < b->strip_parts && done; k++)
            done = take_part(&s, i * b->strip_parts + k, &s.beginnings[k]);
    }
    if (!done)
        atomic_store(&b->has_failed, true);
    for (uint32_t k = 0; k < b->strip_parts && s.beginnings != NULL; k++)
        free(s.beginnings[k].items);
    free(s.chosen);
    free(s.beginnings);
    words_found_free(&s.found);
    free(s.counts);
    free(s.present);
}

static bool take_all_strips(struct build *b, bool writes, size_t step, struct shared_tasks *tasks, int thread)
{
    struct shared_task task = {.work = take_strips, .arg = b};

    b->writes = writes;
    b->step = step;
    atomic_store(&b->next, 0);
    if (tasks != NULL)
        shared_tasks_do(tasks, &task, thread);
    else
        take_strips(b, thread);
    return !atomic_load(&b->has_failed);
}

/* Adds up what parts have. */
static struct part sum_of(const struct build *b)
{
    const int n_before = b->rules->word_size - b->n_ending;
    struct part sum = {0};

    for (size_t i = 0; i < b->n_parts; i++) {
        sum.n_cells += b->parts[i].n_cells;
        sum.n_listed += b->parts[i].n_listed;
        sum.n_positions += b->parts[i].n_positions;
        sum.expected_hits += b->parts[i].expected_hits * word_frequency(b->of_letter, (uint32_t)i, b->table->radix, n_before);
    }
    return sum;
}

/* Ranks the words that occur, so that only these have cells. */
static bool rank_words(struct build *b)
{
    struct word_lookup *t = b->table;
    const size_t n_blocks = t->n_words / 64 + 1;
    size_t n_cells = 0;
    uint32_t rank = 0;

    t->ranks = malloc(n_blocks * sizeof *t->ranks);
    for (size_t i = 0; i < n_blocks && t->ranks != NULL; i++) {
        t->ranks[i] = rank;
        rank += (uint32_t)__builtin_popcountll(t->present[i]);
    }
    for (size_t i = 0; i < b->n_parts; i++) {
        b->parts[i].first_cell = n_cells;
        n_cells += b->parts[i].n_cells;
    }
    return t->ranks != NULL;
}

/* Makes room for all cells, and for n_listed positions that are not in cells. */
static bool make_room(struct build *b, size_t n_listed)
{
    const size_t n_cells = b->table->ranks == NULL ? b->table->n_words : sum_of(b).n_cells;
    const size_t first_listed = n_cells * (b->short_positions ? CELL : CELL32);

    for (size_t i = 0; i < b->n_parts && b->table->ranks == NULL; i++)
        b->parts[i].first_cell = i * b->part_words;
    atomic_store(&b->next_listed, first_listed);
    return word_lookup_reserve(b->table, first_listed + n_listed, b->short_positions);
}

/* Whether half of all words occur, if this is the sum of one strip of so many. */
static bool is_dense(const struct build *b, struct part sum, size_t strips) { return sum.n_cells * strips > b->table->n_words / 2; }

/* Searches strips twice: to count, and to write. */
static bool count_and_write(struct build *b, struct shared_tasks *tasks, int thread)
{
    struct part sum;

    word_lookup_release(b->table);
    atomic_store(&b->is_full, false);
    if (!take_all_strips(b, false, 1, tasks, thread))
        return false;
    sum = sum_of(b);
    return (is_dense(b, sum, 1) || rank_words(b)) && make_room(b, sum.n_listed) && take_all_strips(b, true, 1, tasks, thread);
}

/*
 * Makes cells and positions. If half of all words occur, all have cells, so that it is known where those of each part are: then strips are
 * searched once. A sample of them tells this, and for how many positions there should be room; memory that is not written costs nothing.
 */
static bool make_parts(struct build *b, struct shared_tasks *tasks, int thread)
{
    bool is_written = false;
    struct part sum;

    if (!take_all_strips(b, false, SAMPLE, tasks, thread))
        return false;
    sum = sum_of(b);
    if (is_dense(b, sum, SAMPLE) && make_room(b, ROOM * SAMPLE * sum.n_listed)) {
        if (!take_all_strips(b, true, 1, tasks, thread))
            return false;
        is_written = !atomic_load(&b->is_full);
    }
    if (!is_written && !count_and_write(b, tasks, thread))
        return false;
    sum = sum_of(b);
    b->table->n_positions = sum.n_positions;
    b->table->expected_hits = sum.expected_hits;
    return true;
}

bool long_lookup_build(const struct word_lookup_rules *rules, const struct word_lookup_query *queries, size_t n_queries,
                       bool short_positions, struct shared_tasks *tasks, int thread, struct word_lookup *table)
{
    struct build b = {.rules = rules, .table = table, .short_positions = short_positions};
    bool done;

    for (int code = 0; code < RESIDUE_CODES; code++)
        word_lookup_rank(rules, code, &b.ranks[code]);
    b.n_ending = rules->word_size - PREFIX < LONGEST_ENDING ? rules->word_size - PREFIX : LONGEST_ENDING;
    b.part_words = 1;
    for (int i = 0; i < b.n_ending; i++)
        b.part_words *= table->radix;
    b.n_strips = table->radix * table->radix;
    b.n_parts = table->n_words / b.part_words;
    b.strip_parts = (uint32_t)b.n_parts / b.n_strips;
    atomic_init(&b.next, 0);
    atomic_init(&b.next_listed, 0);
    atomic_init(&b.has_failed, false);
    atomic_init(&b.is_full, false);
    table->present = calloc(table->n_words / 64 + 1, sizeof *table->present);
    b.parts = calloc(b.n_parts, sizeof *b.parts);
    b.frequencies = calloc(b.part_words + SUMS, sizeof *b.frequencies);
    word_letter_frequencies(rules, b.of_letter);
    for (uint32_t i = 0; i < b.part_words && b.frequencies != NULL; i++)
        b.frequencies[i] = word_frequency(b.of_letter, i, table->radix, b.n_ending);
    done = b.frequencies != NULL && table->present != NULL && b.parts != NULL &&
           word_endings_init(b.ranks, table->radix, b.n_ending, &b.lists) && list_words(&b, queries, n_queries) &&
           make_parts(&b, tasks, thread);
    free(b.words);
    free(b.keys);
    free(b.endings);
    word_endings_free(&b.lists);
    free(b.frequencies);
    free(b.parts);
    return done;
}
