/*
 * long_lookup.c - a table of long words has tens of millions of entries. It is made part by part: a part has the words that begin with the
 * same PREFIX letters, whose numbers of positions stay in the second cache. Threads make parts independently of each other.
 *
 * A query's word is cut into its first letters and an ending. The words similar to an ending are listed once, the best first, for all words
 * of the queries that end so. If the first letters score s, the words similar to the whole are those at the beginning of the list which
 * score the threshold less s.
 *
 * The parts are searched twice: to count words and positions, and to write them. So each part knows where its own begin.
 */
#include "lookup/long_lookup.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/core.h"
#include "lookup/word_ranks.h"

enum {
    FIRST_CODE = 1, /* no word has a gap */
    PREFIX = 2,
    LONGEST_ENDING = 3,
    MOST_MIDDLE = WORD_LOOKUP_MAX_WORD - PREFIX - LONGEST_ENDING, /* letters between the two */
    FEW = 8,                                                      /* of so many words of a part fewer than one are few */
    AHEAD = 8,                                                    /* words whose endings are read ahead */
    AT_ONCE = 8,                                                  /* words of an ending that are compared and copied together */
    CELL = WORD_LOOKUP_CELL,
    CELL32 = 2 /* entries of a cell of positions32 */
};

/* AT_ONCE words that are similar to an ending of the queries' words, and their scores, in one line of the cache. */
struct similar {
    uint16_t words[AT_ONCE];
    int16_t scores[AT_ONCE];
};

/* All words that are similar to an ending, the best first. The last of them have no score, at least one. */
struct ending {
    int least;    /* what the words score at least */
    size_t first; /* of its elements among those of all endings */
    bool is_listed;
};

struct query_word {
    const uint8_t *codes;
    int32_t position;
    int best_after[MOST_MIDDLE]; /* the highest score of the letters after each one between the prefix and the ending */
    uint32_t own;                /* the word itself, if its score against itself is too low; else n_words */
};

/* What tells whether a part has words that are similar to a query's word. */
struct key {
    uint32_t prefix;   /* RESIDUE_CODES * first code + second code */
    int least;         /* what the prefix has to score */
    uint32_t own_part; /* the part of the word itself if it needs an entry */
    uint32_t ending;   /* its number among the endings; then the first of its elements */
};

/* The words of the table that begin with the same letters, and their positions. */
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
    int n_ending;            /* letters of an ending */
    uint32_t n_ending_words; /* words of so many letters */
    uint32_t part_words;
    struct query_word *words;
    struct key *keys; /* of the words */
    size_t n_words, words_capacity, keys_capacity;
    struct ending *endings;
    size_t n_endings, endings_capacity;
    struct similar *similar; /* of all endings, one after the other */
    size_t n_similar, similar_capacity;
    struct part *parts;
    size_t n_parts;
    bool short_positions, writes;
    atomic_size_t next;
    atomic_bool has_failed;
};

/* A search of a part. */
struct search {
    const struct build *build;
    const struct query_word *word;
    const struct similar *similar; /* words similar to its ending */
    uint32_t *chosen;              /* words of the queries that are similar to some of the part */
    uint32_t *counts;              /* positions of each word of the part; then the entry of the next one */
    uint64_t *present;             /* bitmap of the part's words that occur */
    uint32_t *words;               /* what has been found: words, as indices in the part, and their positions */
    int32_t *positions;
    size_t n_found, words_capacity, positions_capacity;
};

/* --- the words of the queries --- */

/* Sets *own to the word, and *self to its score against itself. Returns false if a code has no letter. */
static bool own_word(const struct build *b, const uint8_t *codes, uint32_t *own, int *self)
{
    const struct word_lookup_rules *rules = b->rules;

    *own = 0;
    *self = 0;
    for (int i = 0; i < rules->word_size; i++) {
        const uint8_t letter = b->table->letter_of[codes[i]];
        if (letter == WORD_LOOKUP_NO_LETTER)
            return false;
        *self += rules->scores[rules->n_letters * codes[i] + letter];
        *own = *own * b->table->radix + letter;
    }
    return true;
}

/* The highest score of letters from `first` on, up to `end`. */
static int best_of(const struct build *b, const uint8_t *codes, int first, int end)
{
    int best = 0;

    for (int i = first; i < end; i++)
        best += b->ranks[codes[i]].scores[0];
    return best;
}

/* Adds a word. of_codes: the number of each ending that occurs, plus 1. */
static bool add_word(struct build *b, const uint8_t *codes, int position, uint32_t *of_codes)
{
    const int w = b->rules->word_size, begins = w - b->n_ending, needed = b->rules->threshold - best_of(b, codes, 0, begins);
    struct query_word word;
    uint32_t own, ending = 0;
    int self;

    if (!own_word(b, codes, &own, &self))
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
                                       own / b->part_words, ending};
    b->words[b->n_words++] = word;
    b->table->has_word[position] = 1;
    return true;
}

/* --- endings --- */

/* Words that are similar to an ending, as they are found. */
struct listed {
    const uint8_t *codes;
    int least;
    uint16_t *words;
    int16_t *scores;
    size_t n;
    uint32_t *of_score; /* for each score, the best one first: how many words have a better one */
    size_t capacity;
};

/* Lists words that complete the one given, by letters from i on. */
static void list_similar(const struct build *b, struct listed *l, int i, uint32_t word, int score)
{
    const int w = b->rules->word_size, best_after = best_of(b, l->codes, i + 1, w);
    const struct word_lookup_ranks *row = &b->ranks[l->codes[i]];

    for (int k = 0; k < row->n && score + row->scores[k] + best_after >= l->least; k++) {
        const uint32_t longer = word * b->table->radix + row->letters[k];
        if (i + 1 < w) {
            list_similar(b, l, i + 1, longer, score + row->scores[k]);
        } else {
            l->words[l->n] = (uint16_t)longer;
            l->scores[l->n++] = (int16_t)(score + row->scores[k]);
        }
    }
}

/* Adds what has been listed to the endings' words, sorted by counting. */
static bool add_listed(struct build *b, struct listed *l)
{
    const int best = best_of(b, l->codes, b->rules->word_size - b->n_ending, b->rules->word_size);
    const size_t n_blocks = l->n / AT_ONCE + 1, n_scores = (size_t)(best - l->least) + 2;
    struct similar *to;

    if (!array_reserve(&l->of_score, &l->capacity, n_scores, sizeof *l->of_score) ||
        !array_reserve(&b->similar, &b->similar_capacity, b->n_similar + n_blocks, sizeof *b->similar))
        return false;
    to = b->similar + b->n_similar;
    b->n_similar += n_blocks;
    memset(l->of_score, 0, n_scores * sizeof *l->of_score);
    for (size_t i = 0; i < l->n; i++)
        l->of_score[best - l->scores[i] + 1]++;
    for (size_t i = 1; i < n_scores; i++)
        l->of_score[i] += l->of_score[i - 1];
    for (size_t i = 0; i < l->n; i++) {
        const uint32_t at = l->of_score[best - l->scores[i]]++;
        to[at / AT_ONCE].words[at % AT_ONCE] = l->words[i];
        to[at / AT_ONCE].scores[at % AT_ONCE] = l->scores[i];
    }
    for (size_t at = l->n; at < n_blocks * AT_ONCE; at++) {
        to[at / AT_ONCE].words[at % AT_ONCE] = 0;
        to[at / AT_ONCE].scores[at % AT_ONCE] = INT16_MIN;
    }
    return true;
}

static bool list_endings(struct build *b)
{
    struct listed l = {.words = malloc(b->n_ending_words * sizeof *l.words), .scores = malloc(b->n_ending_words * sizeof *l.scores)};
    bool done = l.words != NULL && l.scores != NULL;

    for (size_t i = 0; i < b->n_words && done; i++) {
        struct ending *e = &b->endings[b->keys[i].ending];
        if (!e->is_listed) {
            l.codes = b->words[i].codes;
            l.least = e->least;
            l.n = 0;
            e->first = b->n_similar;
            e->is_listed = true;
            if (b->rules->threshold > 0)
                list_similar(b, &l, b->rules->word_size - b->n_ending, 0, 0);
            done = l.n == 0 || add_listed(b, &l);
        }
        b->keys[i].ending = (uint32_t)e->first;
    }
    free(l.words);
    free(l.scores);
    free(l.of_score);
    return done && b->n_similar <= UINT32_MAX;
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

/* --- the search of a part --- */

typedef uint16_t word_lanes __attribute__((vector_size(2 * AT_ONCE)));
typedef int16_t score_lanes __attribute__((vector_size(2 * AT_ONCE)));
typedef uint32_t found_lanes __attribute__((vector_size(4 * AT_ONCE)));
typedef int32_t position_lanes __attribute__((vector_size(4 * AT_ONCE)));

static void put_own(struct search *s, uint32_t word)
{
    s->words[s->n_found] = word;
    s->positions[s->n_found++] = s->word->position;
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

/*
 * Completes words with the words of the ending that score `wanted`; `first` is the first word with these letters before the ending. Mostly
 * there are few, so that no branch depends on their number.
 */
static inline void put_similar(struct search *s, uint32_t first, int wanted)
{
    const struct similar *similar = s->similar;
    const position_lanes position = (position_lanes){0} + s->word->position;
    size_t n;

    do {
        word_lanes now;
        found_lanes found;
        memcpy(&now, similar->words, sizeof now);
        found = __builtin_convertvector(now, found_lanes) + first;
        memcpy(s->words + s->n_found, &found, sizeof found);
        memcpy(s->positions + s->n_found, &position, sizeof position);
        n = count_scores(similar->scores, wanted);
        s->n_found += n;
        similar++;
    } while (n == AT_ONCE);
}

/* Completes a word of i letters, of which the part has those after the prefix, in all ways whose score reaches `wanted`. */
static void descend(struct search *s, int i, uint32_t word, int wanted)
{
    const struct build *b = s->build;
    const struct word_lookup_ranks *row = &b->ranks[s->word->codes[i]];

    if (i >= b->rules->word_size - b->n_ending || i >= PREFIX + MOST_MIDDLE) {
        put_similar(s, word * b->n_ending_words, wanted);
        return;
    }
    for (int k = 0; k < row->n && wanted - row->scores[k] <= s->word->best_after[i - PREFIX]; k++)
        descend(s, i + 1, word * b->table->radix + row->letters[k], wanted - row->scores[k]);
}

/* Sets what the prefixes of the queries' words score against that of a part. */
static void score_prefixes(const struct build *b, uint32_t number, int scores[RESIDUE_CODES * RESIDUE_CODES])
{
    const struct word_lookup_rules *rules = b->rules;
    const uint32_t one = number / b->table->radix, two = number % b->table->radix;
    const bool has_similar = rules->threshold > 0 && (rules->letter_of != NULL || (one >= FIRST_CODE && two >= FIRST_CODE));

    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int k = 0; k < RESIDUE_CODES; k++)
            scores[RESIDUE_CODES * i + k] = has_similar ? rules->scores[rules->n_letters * i + (int)one] +
                                                              rules->scores[rules->n_letters * k + (int)two]
                                                        : INT_MIN;
}

/* Finds the words of part `number` that are similar to the queries', and counts their positions. */
static bool search_part(struct search *s, uint32_t number)
{
    const struct build *b = s->build;
    int scores[RESIDUE_CODES * RESIDUE_CODES];
    size_t n_chosen = 0;

    score_prefixes(b, number, scores);
    for (size_t i = 0; i < b->n_words; i++) {
        const struct key *key = &b->keys[i];
        s->chosen[n_chosen] = (uint32_t)i;
        n_chosen += (size_t)(scores[key->prefix] >= key->least) | (size_t)(key->own_part == number);
    }
    s->n_found = 0;
    for (size_t i = 0; i < n_chosen; i++) {
        const struct key *key = &b->keys[s->chosen[i]];
        if (!array_reserve(&s->words, &s->words_capacity, s->n_found + b->part_words + 1 + AT_ONCE, sizeof *s->words) ||
            !array_reserve(&s->positions, &s->positions_capacity, s->n_found + b->part_words + 1 + AT_ONCE, sizeof *s->positions))
            return false;
        if (i + AHEAD < n_chosen)
            __builtin_prefetch(&b->similar[b->keys[s->chosen[i + AHEAD]].ending]);
        s->word = &b->words[s->chosen[i]];
        s->similar = &b->similar[key->ending];
        if (key->own_part == number)
            put_own(s, s->word->own - number * b->part_words);
        if (scores[key->prefix] >= key->least)
            descend(s, PREFIX, 0, b->rules->threshold - scores[key->prefix]);
    }
    for (size_t i = 0; i < s->n_found; i++)
        s->counts[s->words[i]]++;
    return true;
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
static struct part mark_few(const struct search *s)
{
    struct part part = {0};

    memset(s->present, 0, (s->build->part_words / 64 + 1) * sizeof *s->present);
    for (size_t i = 0; i < s->n_found; i++) {
        const uint32_t word = s->words[i];
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

static void write_part(struct search *s, const struct part *part)
{
    struct word_lookup *t = s->build->table;
    size_t cell = part->first_cell, listed = part->first_listed;

    for (uint32_t i = 0; i <= s->build->part_words / 64; i++)
        for (uint64_t bits = s->present[i]; bits != 0; bits &= bits - 1) {
            const uint32_t word = 64 * i + (uint32_t)__builtin_ctzll(bits);
            listed += write_cell(s, word, t->ranks == NULL ? part->first_cell + word : cell++, listed);
        }
    for (size_t i = 0; i < s->n_found; i++) {
        const uint32_t at = s->counts[s->words[i]]++;
        if (t->positions16 != NULL)
            t->positions16[at] = (uint16_t)s->positions[i];
        else
            t->positions32[at] = s->positions[i];
    }
}

/* Counts what the part has, or writes it. */
static void take_part(struct search *s, uint32_t number)
{
    const struct build *b = s->build;
    const bool has_few = s->n_found < b->part_words / FEW;
    const struct part part = has_few ? mark_few(s) : mark_all(s);

    if (b->writes) {
        write_part(s, &b->parts[number]);
    } else {
        b->parts[number] = part;
        set_present(s, number * b->part_words, b->table->present);
    }
    for (size_t i = 0; i < s->n_found && has_few; i++)
        s->counts[s->words[i]] = 0;
    if (!has_few)
        memset(s->counts, 0, b->part_words * sizeof *s->counts);
}

/* Counts what parts have, one part after the other, or writes it. */
static void take_parts(void *arg, int thread)
{
    struct build *b = arg;
    struct search s = {.build = b,
                       .chosen = malloc((b->n_words + 1) * sizeof *s.chosen),
                       .counts = calloc(b->part_words, sizeof *s.counts),
                       .present = calloc(b->part_words / 64 + 1, sizeof *s.present)};
    bool done = s.chosen != NULL && s.counts != NULL && s.present != NULL;

    (void)thread;
    for (size_t i; done && (i = atomic_fetch_add(&b->next, 1)) < b->n_parts;) {
        done = search_part(&s, (uint32_t)i);
        if (done)
            take_part(&s, (uint32_t)i);
    }
    if (!done)
        atomic_store(&b->has_failed, true);
    free(s.chosen);
    free(s.counts);
    free(s.present);
    free(s.words);
    free(s.positions);
}

static bool take_all_parts(struct build *b, bool writes, struct shared_tasks *tasks, int thread)
{
    struct shared_task task = {.work = take_parts, .arg = b};

    b->writes = writes;
    atomic_init(&b->next, 0);
    if (tasks != NULL)
        shared_tasks_do(tasks, &task, thread);
    else
        take_parts(b, thread);
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
    b.n_ending_words = 1;
    for (int i = 0; i < b.n_ending; i++)
        b.n_ending_words *= table->radix;
    b.n_parts = (size_t)table->radix * table->radix;
    b.part_words = table->n_words / (uint32_t)b.n_parts;
    atomic_init(&b.has_failed, false);
    table->present = calloc(table->n_words / 64 + 1, sizeof *table->present);
    b.parts = calloc(b.n_parts, sizeof *b.parts);
    done = table->present != NULL && b.parts != NULL && list_words(&b, queries, n_queries) && take_all_parts(&b, false, tasks, thread) &&
           place_parts(&b) && take_all_parts(&b, true, tasks, thread);
    free(b.words);
    free(b.keys);
    free(b.endings);
    free(b.similar);
    free(b.parts);
    return done;
}
