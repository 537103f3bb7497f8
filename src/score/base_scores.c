/* base_scores.c - the table of scores, and NCBI's tables of Karlin-Altschul parameters for gap costs. */
#include "score/base_scores.h"

#include "alphabet/bases.h"
#include "score/matrix.h"

/* --- scores --- */

static int to_nearest(double x) { return (int)(x > 0 ? x + 0.5 : x - 0.5); }

static int score_of(int reward, int penalty, int code, int greater_code)
{
    int n_bases = __builtin_popcount(base_sets[greater_code]);

    if ((base_sets[code] & base_sets[greater_code]) == 0)
        return penalty;
    return to_nearest((double)((n_bases - 1) * penalty + reward) / n_bases);
}

void base_scores_init(int reward, int penalty, struct base_scores *out)
{
    out->reward = reward;
    out->penalty = penalty;
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            out->scores[RESIDUE_CODES * i + j] = i >= BASE_GAP || j >= BASE_GAP ? SCORE_NONE
                                                                                : score_of(reward, penalty, i < j ? i : j, i < j ? j : i);
}

/* --- gap costs --- */

struct entry {
    int open, extend;
    double lambda, K, H, alpha, beta;
};

enum { MOST_ENTRIES = 9 };

/* Entries for a reward and a penalty. An entry for costs of 0 and 0 comes first. */
struct table {
    int reward, penalty;
    int open, extend; /* higher costs need no entry */
    bool rounds_odd_scores_down;
    int n_entries;
    struct entry entries[MOST_ENTRIES];
};

/* clang-format off: an entry is a line */
static const struct table tables[] = {
    {1, -5, 3, 3, false, 2, {{0, 0, 1.39, 0.747, 1.38, 1.00, 0}, {3, 3, 1.39, 0.747, 1.38, 1.00, 0}}},
    {1,
     -4,
     2,
     2,
     false,
     5,
     {{0, 0, 1.383, 0.738, 1.36, 1.02, 0},
      {1, 2, 1.36, 0.67, 1.2, 1.1, 0},
      {0, 2, 1.26, 0.43, 0.90, 1.4, -1},
      {2, 1, 1.35, 0.61, 1.1, 1.2, -1},
      {1, 1, 1.22, 0.35, 0.72, 1.7, -3}}},
    {2,
     -7,
     4,
     4,
     true,
     5,
     {{0, 0, 0.69, 0.73, 1.34, 0.515, 0},
      {2, 4, 0.68, 0.67, 1.2, 0.55, 0},
      {0, 4, 0.63, 0.43, 0.90, 0.7, -1},
      {4, 2, 0.675, 0.62, 1.1, 0.6, -1},
      {2, 2, 0.61, 0.35, 0.72, 1.7, -3}}},
    {1,
     -3,
     2,
     2,
     false,
     6,
     {{0, 0, 1.374, 0.711, 1.31, 1.05, 0},
      {2, 2, 1.37, 0.70, 1.2, 1.1, 0},
      {1, 2, 1.35, 0.64, 1.1, 1.2, -1},
      {0, 2, 1.25, 0.42, 0.83, 1.5, -2},
      {2, 1, 1.34, 0.60, 1.1, 1.2, -1},
      {1, 1, 1.21, 0.34, 0.71, 1.7, -2}}},
    {2,
     -5,
     4,
     4,
     true,
     5,
     {{0, 0, 0.675, 0.65, 1.1, 0.6, -1},
      {2, 4, 0.67, 0.59, 1.1, 0.6, -1},
      {0, 4, 0.62, 0.39, 0.78, 0.8, -2},
      {4, 2, 0.67, 0.61, 1.0, 0.65, -2},
      {2, 2, 0.56, 0.32, 0.59, 0.95, -4}}},
    {1,
     -2,
     2,
     2,
     false,
     7,
     {{0, 0, 1.28, 0.46, 0.85, 1.5, -2},
      {2, 2, 1.33, 0.62, 1.1, 1.2, 0},
      {1, 2, 1.30, 0.52, 0.93, 1.4, -2},
      {0, 2, 1.19, 0.34, 0.66, 1.8, -3},
      {3, 1, 1.32, 0.57, 1.0, 1.3, -1},
      {2, 1, 1.29, 0.49, 0.92, 1.4, -1},
      {1, 1, 1.14, 0.26, 0.52, 2.2, -5}}},
    {2,
     -3,
     6,
     4,
     true,
     9,
     {{0, 0, 0.55, 0.21, 0.46, 1.2, -5},
      {4, 4, 0.63, 0.42, 0.84, 0.75, -2},
      {2, 4, 0.615, 0.37, 0.72, 0.85, -3},
      {0, 4, 0.55, 0.21, 0.46, 1.2, -5},
      {3, 3, 0.615, 0.37, 0.68, 0.9, -3},
      {6, 2, 0.63, 0.42, 0.84, 0.75, -2},
      {5, 2, 0.625, 0.41, 0.78, 0.8, -2},
      {4, 2, 0.61, 0.35, 0.68, 0.9, -3},
      {2, 2, 0.515, 0.14, 0.33, 1.55, -9}}},
    {3,
     -4,
     6,
     3,
     true,
     6,
     {{6, 3, 0.389, 0.25, 0.56, 0.7, -5},
      {5, 3, 0.375, 0.21, 0.47, 0.8, -6},
      {4, 3, 0.351, 0.14, 0.35, 1.0, -9},
      {6, 2, 0.362, 0.16, 0.45, 0.8, -4},
      {5, 2, 0.330, 0.092, 0.28, 1.2, -13},
      {4, 2, 0.281, 0.046, 0.16, 1.8, -23}}},
    {4,
     -5,
     12,
     8,
     false,
     5,
     {{0, 0, 0.22, 0.061, 0.22, 1.0, -15},
      {6, 5, 0.28, 0.21, 0.47, 0.6, -7},
      {5, 5, 0.27, 0.17, 0.39, 0.7, -9},
      {4, 5, 0.25, 0.10, 0.31, 0.8, -10},
      {3, 5, 0.23, 0.065, 0.25, 0.9, -11}}},
    {1,
     -1,
     4,
     2,
     false,
     7,
     {{3, 2, 1.09, 0.31, 0.55, 2.0, -2},
      {2, 2, 1.07, 0.27, 0.49, 2.2, -3},
      {1, 2, 1.02, 0.21, 0.36, 2.8, -6},
      {0, 2, 0.80, 0.064, 0.17, 4.8, -16},
      {4, 1, 1.08, 0.28, 0.54, 2.0, -2},
      {3, 1, 1.06, 0.25, 0.46, 2.3, -4},
      {2, 1, 0.99, 0.17, 0.30, 3.3, -10}}},
    {3, -2, 5, 5, false, 1, {{5, 5, 0.208, 0.030, 0.072, 2.9, -47}}},
    {5, -4, 25, 10, false, 2, {{10, 6, 0.163, 0.068, 0.16, 1.0, -19}, {8, 6, 0.146, 0.039, 0.11, 1.3, -29}}},
};
/* clang-format on */

/* The greatest common divisor; a and b are above 0. */
static int divisor_of(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Finds the table of a reward and a penalty; NULL: there is none. *factor: how many times those of the table they are. */
static const struct table *table_of(int reward, int penalty, int *factor)
{
    *factor = divisor_of(reward, -penalty);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i].reward * *factor == reward && tables[i].penalty * *factor == penalty)
            return &tables[i];
    return NULL;
}

enum base_costs_found base_gap_costs_find(int reward, int penalty, int open, int extend, struct base_gap_costs *out)
{
    int factor;
    const struct table *table = table_of(reward, penalty, &factor);

    if (table == NULL)
        return BASE_COSTS_NO_SCORES;
    *out = (struct base_gap_costs){.open = open, .extend = extend, .rounds_odd_scores_down = table->rounds_odd_scores_down};
    for (int i = 0; i < table->n_entries; i++) {
        const struct entry *e = &table->entries[i];
        if (e->open * factor != open || e->extend * factor != extend)
            continue;
        out->lambda = e->lambda / factor;
        out->K = e->K;
        out->H = e->H;
        out->alpha = e->alpha / factor;
        out->beta = e->beta;
        return BASE_COSTS_FOUND;
    }
    out->is_ungapped = open >= table->open * factor && extend >= table->extend * factor;
    return out->is_ungapped ? BASE_COSTS_FOUND : BASE_COSTS_NO_COSTS;
}

bool base_gap_costs_supported(int reward, int penalty, size_t i, int *open, int *extend)
{
    int factor;
    const struct table *table = table_of(reward, penalty, &factor);
    size_t n;

    if (table == NULL)
        return false;
    i += table->entries[0].open == 0 && table->entries[0].extend == 0;
    n = (size_t)table->n_entries;
    if (i > n)
        return false;
    *open = factor * (i < n ? table->entries[i].open : table->open);
    *extend = factor * (i < n ? table->entries[i].extend : table->extend);
    return true;
}
