/*
 * long_lookup.c - a table of long words has tens of millions of entries. It is made part by part: a part has the words whose letters before
 * an ending are the same, so that their cells stay in the first cache. Parts with the same PREFIX letters are a strip, which is searched at
 * once; threads take strips independently of each other.
 *
 * The words similar to the ending of a query's word are listed once, the best first, for all words of the queries that end so. If the
 * letters before it score s, the words similar to the whole are those at the beginning of the list which score the threshold less s.
 *
 * Strips are searched twice: to count words and positions, and to write them. So each part knows where its own begin.
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
    AHEAD = 8,                                                    /* words whose endings are read ahead */
    AT_ONCE = WORD_ENDINGS_AT_ONCE,
    CELL = WORD_LOOKUP_CELL,
    CELL32 = 2 /* entries of a cell of positions32 */
};

/* An ending of the queries' words. */
struct ending {
    int least;    /* what similar words have to score */
    size_t first; /* of its list in word_endings.similar */
    bool is_listed;
};

struct query_word {
    const uint8_t *codes;
    int32_t position;
    int best_after[MOST_MIDDLE]; /* the highest score of the letters after each one between the prefix and the ending */
    uint32_t own;                /* the word itself, if its score against itself is too low; else n_words */
};

/* What tells whether a strip has words that are similar to a query's word. */
struct key {
    uint32_t prefix;    /* RESIDUE_CODES * first code + second code */
    int least;          /* what the prefix has to score */
    uint32_t own_strip; /* the strip of the word itself if it needs an entry */
    uint32_t ending;    /* its number among the endings; then where its list begins */
};

/* The words with the same letters before the ending, and their positions. */
struct part {
    size_t first_cell, n_cells;    /* of the words that have positions */
    size_t first_listed, n_listed; /* positions that are not in cells */
    size_t n_positions;
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
    struct word_endings lists; /* of the endings */
    struct part *parts;        /* of one strip after the other */
    size_t n_parts;
    bool short_positions, writes;
    atomic_size_t next;
    atomic_bool has_failed;
};

/* Words of a part that are similar to the queries', and their positions. */
struct found {
    uint16_t *words;
    int32_t *positions;
    size_t n, words_capacity, positions_capacity;
};

/* A search of a strip. */
struct search {
    const struct build *build;
    const struct query_word *word;
    const struct similar_endings *similar; /* words similar to its ending */
    uint32_t *chosen;                      /* words of the queries that are similar to some of the strip */
    struct found *found;                   /* in each part */
    bool has_failed;
    uint32_t *counts;  /* positions of each word of a part; then the entry of the next one */
    uint64_t *present; /* bitmap of the part's words that occur */
};

/* --- the words of the queries --- */

/* The highest score of letters from `first` on, up to `end`. */
static int best_of(const struct build *b, const uint8_t *codes, int first, int end)
{
    return word_endings_best(b->ranks, codes + first, end - first);
}

/* Adds a word. of_codes: the number of each ending that occurs, plus 1. */
static bool add_word(struct build *b, const uint8_t *codes, int position, uint32_t *of_codes)
{
    const int w = b->rules->word_size, begins = w - b->n_ending, needed = b->rules->threshold - best_of(b, codes, 0, begins);
    struct query_word word;
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
        b->endings[b->n_endings++] = (struct ending){.least = needed};
        of_codes[ending] = (uint32_t)b->n_endings;
    }
    ending = of_codes[ending] - 1;
    b->endings[ending].least = needed < b->endings[ending].least ? needed : b->endings[ending].least;
    own = b->rules->threshold == 0 || self < b->rules->threshold ? own : b->table->n_words;
    word = (struct query_word){.codes = codes, .position = position, .own = own};
    for (int i = PREFIX; i < begins; i++)
        word.best_after[i - PREFIX] = best_of(b, codes, i + 1, w);
    b->keys[b->n_words] = (struct key){RESIDUE_CODES * (uint32_t)codes[0] + codes[1], b->rules->threshold - best_of(b, codes, PREFIX, w),
                                       own / (b->strip_parts * b->part_words), ending};
    b->words[b->n_words++] = word;
    b->table->has_word[position] = 1;
    return true;
}

/* Lists the words that are similar to the endings. */
static bool list_endings(struct build *b)
{
    bool done = true;

    for (size_t i = 0; i < b->n_words && done; i++) {
        struct ending *e = &b->endings[b->keys[i].ending];
        if (!e->is_listed) {
            e->first = b->lists.n;
            e->is_listed = true;
            done = word_endings_add(&b->lists, b->words[i].codes + b->rules->word_size - b->n_ending,
                                    b->rules->threshold > 0 ? e->least : INT_MAX);
        }
        b->keys[i].ending = (uint32_t)e->first;
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

typedef int16_t score_lanes __attribute__((vector_size(2 * AT_ONCE)));
typedef int32_t position_lanes __attribute__((vector_size(4 * AT_ONCE)));

/* Makes room for AT_ONCE more. */
static inline bool reserve(struct search *s, struct found *f)
{
    if (f->n + AT_ONCE <= f->words_capacity && f->n + AT_ONCE <= f->positions_capacity)
        return true;
    s->has_failed |= !array_reserve(&f->words, &f->words_capacity, f->n + AT_ONCE, sizeof *f->words) ||
                     !array_reserve(&f->positions, &f->positions_capacity, f->n + AT_ONCE, sizeof *f->positions);
    return !s->has_failed;
}

/* word [in] in the strip */
static void put_own(struct search *s, uint32_t word)
{
    struct found *f = &s->found[word / s->build->part_words];

    if (!reserve(s, f))
        return;
    f->words[f->n] = (uint16_t)(word % s->build->part_words);
    f->positions[f->n++] = s->word->position;
}

/* How many of the scores are `wanted` or more. */
static inline size_t count_scores(const int16_t *scores, int wanted)
{
    const uint64_t ones = 0x0001000100010001;
    score_lanes of;
    uint64_t two[2];

    memcpy(&of, scores, sizeof of);
    of = of >= (score_lanes){0} + (int16_t)wanted;
    memcpy(two, &of, sizeof two);
    return (size_t)(((two[0] & ones) + (two[1] & ones)) * ones >> 48);
}

/* Adds the endings that score `wanted`. Mostly there are few, so that no branch depends on their number. */
static inline void put_similar(struct search *s, struct found *f, int wanted)
{
    const struct similar_endings *similar = s->similar;
    const position_lanes position = (position_lanes){0} + s->word->position;
    size_t n;

    do {
        if (!reserve(s, f))
            return;
        memcpy(f->words + f->n, similar->words, sizeof similar->words);
        memcpy(f->positions + f->n, &position, sizeof position);
        n = count_scores(similar->scores, wanted);
        f->n += n;
        similar++;
    } while (n == AT_ONCE);
}

/* Completes the letters from i on, in all ways whose score reaches `wanted`. part: in the strip, by the letters between prefix and i */
static void descend(struct search *s, int i, uint32_t part, int wanted)
{
    const struct build *b = s->build;
    const struct word_lookup_ranks *row = &b->ranks[s->word->codes[i]];

    if (i >= b->rules->word_size - b->n_ending || i >= PREFIX + MOST_MIDDLE) {
        put_similar(s, &s->found[part], wanted);
        return;
    }
    for (int k = 0; k < row->n && wanted - row->scores[k] <= s->word->best_after[i - PREFIX]; k++)
        descend(s, i + 1, part * b->table->radix + row->letters[k], wanted - row->scores[k]);
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

static inline void read_ahead(const struct build *b, uint32_t word)
{
    const struct similar_endings *similar = &b->lists.similar[b->keys[word].ending];

    __builtin_prefetch(&b->words[word]);
    __builtin_prefetch(similar);
    __builtin_prefetch(&similar->scores[AT_ONCE - 1]);
}

/* Finds the words of strip `number` that are similar to the queries'. Returns false if there is no memory. */
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
        s->found[i].n = 0;
    for (size_t i = 0; i < n_chosen; i++) {
        const struct key *key = &b->keys[s->chosen[i]];
        if (i + AHEAD < n_chosen)
            read_ahead(b, s->chosen[i + AHEAD]);
        s->word = &b->words[s->chosen[i]];
        s->similar = &b->lists.similar[key->ending];
        if (key->own_strip == number)
            put_own(s, s->word->own - number * b->strip_parts * b->part_words);
        if (scores[key->prefix] >= key->least)
            descend(s, PREFIX, 0, b->rules->threshold - scores[key->prefix]);
    }
    return !s->has_failed;
}

/* --- parts --- */

/* Adds a word with n positions. */
static inline void count_word(struct part *part, uint32_t n, bool short_positions)
{
    part->n_cells += n > 0;
    part->n_positions += n;
    part->n_listed += short_positions && n <= CELL ? 0 : n;
}

/* Marks the part's words that occur, in s->present, and counts them. */
static struct part mark_all(const struct search *s)
{
    const uint32_t n = s->build->part_words;
    const bool short_positions = s->build->short_positions;
    struct part part = {0};

    for (uint32_t first = 0; first < n; first += 64) {
        const uint32_t end = n - first < 64 ? n - first : 64;
        uint64_t bits = 0;
        for (uint32_t i = 0; i < end; i++) {
            count_word(&part, s->counts[first + i], short_positions);
            bits |= (uint64_t)(s->counts[first + i] > 0) << i;
        }
        s->present[first / 64] = bits;
    }
    return part;
}

/* The same, if few words occur. */
static struct part mark_few(const struct search *s, const struct found *f)
{
    struct part part = {0};

    memset(s->present, 0, (s->build->part_words / 64 + 1) * sizeof *s->present);
    for (size_t i = 0; i < f->n; i++) {
        const uint32_t word = f->words[i];
        if (s->present[word / 64] >> word % 64 & 1)
            continue;
        s->present[word / 64] |= (uint64_t)1 << word % 64;
        count_word(&part, s->counts[word], s->build->short_positions);
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

/* Writes the cell of a word of the part, and sets where its positions go. Returns how many of them are not in the cell. */
static inline uint32_t write_cell(struct search *s, uint32_t word, size_t cell, size_t listed)
{
    struct word_lookup *t = s->build->table;
    const uint32_t n = s->counts[word];
    const bool is_listed = t->positions16 == NULL || n > CELL;

    if (t->positions16 != NULL)
        core_write64((uint8_t *)(t->positions16 + CELL * cell), is_listed ? word_lookup_cell((uint32_t)listed, n) : UINT64_MAX);
    else
        memcpy(t->positions32 + CELL32 * cell, (int32_t[]){(int32_t)listed, (int32_t)n}, CELL32 * sizeof *t->positions32);
    s->counts[word] = (uint32_t)(is_listed ? listed : CELL * cell);
    return is_listed ? n : 0;
}

/* Writes the cells of all words of the part, or of the marked ones. */
static void write_cells(struct search *s, const struct part *part)
{
    const uint32_t n = s->build->part_words;
    const bool has_all = s->build->table->ranks == NULL;
    size_t cell = part->first_cell, listed = part->first_listed;

    for (uint32_t word = 0; word < n && has_all; word++)
        listed += write_cell(s, word, cell++, listed);
    for (uint32_t i = 0; i <= n / 64 && !has_all; i++)
        for (uint64_t bits = s->present[i]; bits != 0; bits &= bits - 1)
            listed += write_cell(s, 64 * i + (uint32_t)__builtin_ctzll(bits), cell++, listed);
}

static void write_part(struct search *s, const struct part *part, const struct found *f)
{
    struct word_lookup *t = s->build->table;

    write_cells(s, part);
    for (size_t i = 0; i < f->n && t->positions16 != NULL; i++)
        t->positions16[s->counts[f->words[i]]++] = (uint16_t)f->positions[i];
    for (size_t i = 0; i < f->n && t->positions16 == NULL; i++)
        t->positions32[s->counts[f->words[i]]++] = f->positions[i];
}

/* Counts what part `number` has, or writes it. */
static void take_part(struct search *s, size_t number, const struct found *f)
{
    const struct build *b = s->build;
    const bool writes_all = b->writes && b->table->ranks == NULL, has_few = f->n < b->part_words / FEW && !writes_all;
    struct part part = {0};

    for (size_t i = 0; i < f->n; i++)
        s->counts[f->words[i]]++;
    if (!writes_all)
        part = has_few ? mark_few(s, f) : mark_all(s);
    if (b->writes) {
        write_part(s, &b->parts[number], f);
    } else {
        b->parts[number] = part;
        set_present(s, (uint32_t)number * b->part_words, b->table->present);
    }
    for (size_t i = 0; i < f->n && has_few; i++)
        s->counts[f->words[i]] = 0;
    if (!has_few)
        memset(s->counts, 0, b->part_words * sizeof *s->counts);
}

/* Counts what the parts of strips have, one strip after the other, or writes it. */
static void take_strips(void *arg, int thread)
{
    struct build *b = arg;
    struct search s = {.build = b,
                       .chosen = malloc((b->n_words + 1) * sizeof *s.chosen),
                       .found = calloc(b->strip_parts, sizeof *s.found),
                       .counts = calloc(b->part_words, sizeof *s.counts),
                       .present = calloc(b->part_words / 64 + 1, sizeof *s.present)};
    bool done = s.chosen != NULL && s.found != NULL && s.counts != NULL && s.present != NULL;

    (void)thread;
    for (size_t i; done && (i = atomic_fetch_add(&b->next, 1)) < b->n_strips;) {
        done = search_strip(&s, (uint32_t)i);
        for (uint32_t k = 0; k < b->strip_parts && done; k++)
            take_part(&s, i * b->strip_parts + k, &s.found[k]);
    }
    if (!done)
        atomic_store(&b->has_failed, true);
    for (uint32_t k = 0; k < b->strip_parts && s.found != NULL; k++) {
        free(s.found[k].words);
        free(s.found[k].positions);
    }
    free(s.chosen);
    free(s.found);
    free(s.counts);
    free(s.present);
}

static bool take_all_strips(struct build *b, bool writes, struct shared_tasks *tasks, int thread)
{
    struct shared_task task = {.work = take_strips, .arg = b};

    b->writes = writes;
    atomic_init(&b->next, 0);
    if (tasks != NULL)
        shared_tasks_do(tasks, &task, thread);
    else
        take_strips(b, thread);
    return !atomic_load(&b->has_failed);
}

/* Sets where each part begins, and makes room for all. If half of all words occur, all have cells. */
static bool place_parts(struct build *b)
{
    struct word_lookup *t = b->table;
    const size_t n_blocks = t->n_words / 64 + 1;
    size_t n_cells = 0, at;
    uint32_t rank = 0;
    bool is_dense;

    for (size_t i = 0; i < b->n_parts; i++) {
        b->parts[i].first_cell = n_cells;
        n_cells += b->parts[i].n_cells;
        t->n_positions += b->parts[i].n_positions;
    }
    is_dense = n_cells > t->n_words / 2;
    for (size_t i = 0; i < b->n_parts && is_dense; i++)
        b->parts[i].first_cell = i * b->part_words;
    at = (is_dense ? t->n_words : n_cells) * (b->short_positions ? CELL : CELL32);
    for (size_t i = 0; i < b->n_parts; i++) {
        b->parts[i].first_listed = at;
        at += b->parts[i].n_listed;
    }
    if (!is_dense && (t->ranks = malloc(n_blocks * sizeof *t->ranks)) == NULL)
        return false;
    for (size_t i = 0; i < n_blocks && !is_dense; i++) {
        t->ranks[i] = rank;
        rank += (uint32_t)__builtin_popcountll(t->present[i]);
    }
    return word_lookup_reserve(t, at, b->short_positions);
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
    atomic_init(&b.has_failed, false);
    table->present = calloc(table->n_words / 64 + 1, sizeof *table->present);
    b.parts = calloc(b.n_parts, sizeof *b.parts);
    done = table->present != NULL && b.parts != NULL && word_endings_init(b.ranks, table->radix, b.n_ending, &b.lists) &&
           list_words(&b, queries, n_queries) && take_all_strips(&b, false, tasks, thread) && place_parts(&b) &&
           take_all_strips(&b, true, tasks, thread);
    free(b.words);
    free(b.keys);
    free(b.endings);
    word_endings_free(&b.lists);
    free(b.parts);
    return done;
}
