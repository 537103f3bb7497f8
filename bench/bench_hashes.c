/* bench_hashes.c - looks for hashes of score_hash.c by simulated annealing: the mean bound of two random residues is to be low. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "lookup/score_hash.h"
#include "score/karlin.h"
#include "score/matrix.h"

enum { CODES = RESIDUE_CODES, PAIRS = CODES * CODES, ENTRIES = 2 * SCORE_HASH_HALF, STEPS_A_TABLE = 8 };

#define FREQUENCY 0.0002 /* of residues that are no amino acid: their bounds count little, but are not arbitrary */
#define HOTTEST   0.02   /* by how much the mean bound may rise at the beginning, and at the end */
#define COLDEST   4e-6

struct annealing {
    uint8_t hash[SCORE_HASH_TABLES][2][CODES]; /* of the query, of the subject */
    int scores[PAIRS], bounds[SCORE_HASH_TABLES][PAIRS], others[PAIRS];
    double weights[PAIRS];
    uint64_t state;
};

static uint64_t below(struct annealing *a, uint64_t n)
{
    a->state = a->state * 6364136223846793005u + 1442695040888963407u;
    return (a->state >> 33) % n;
}

static void bound(const struct annealing *a, int table, int *bounds)
{
    int entries[ENTRIES];

    for (int i = 0; i < ENTRIES; i++)
        entries[i] = SCORE_HASH_LOWEST;
    for (int i = CODES; i < PAIRS; i++) {
        int *entry = &entries[a->hash[table][0][i / CODES] ^ a->hash[table][1][i % CODES]];
        *entry = i % CODES != 0 && a->scores[i] > *entry ? a->scores[i] : *entry;
    }
    for (int i = CODES; i < PAIRS; i++)
        bounds[i] = entries[a->hash[table][0][i / CODES] ^ a->hash[table][1][i % CODES]];
}

/* Sets the bounds from all tables but one. */
static void bound_by_others(struct annealing *a, int table)
{
    for (int i = 0; i < PAIRS; i++) {
        a->others[i] = INT8_MAX;
        for (int t = 0; t < SCORE_HASH_TABLES; t++)
            a->others[i] = t != table && a->bounds[t][i] < a->others[i] ? a->bounds[t][i] : a->others[i];
    }
}

static double mean(const struct annealing *a, const int *bounds)
{
    double sum = 0;

    for (int i = 0; i < PAIRS; i++)
        sum += a->weights[i] * (bounds[i] < a->others[i] ? bounds[i] : a->others[i]);
    return sum;
}

static void begin(const struct score_matrix *matrix, uint64_t seed, struct annealing *a)
{
    double background[CODES];

    memset(a, 0, sizeof *a);
    a->state = seed;
    score_background(background);
    for (int i = 0; i < PAIRS; i++) {
        const int q = i / CODES, s = i % CODES;
        a->scores[i] = matrix->scores[q][s];
        if (q != 0 && s != 0)
            a->weights[i] = fmax(background[q], FREQUENCY) * fmax(background[s], FREQUENCY);
    }
    for (int t = 0; t < SCORE_HASH_TABLES; t++) {
        for (int i = 0; i < 2 * CODES; i++)
            a->hash[t][i / CODES][i % CODES] = (uint8_t)below(a, ENTRIES);
        bound(a, t, a->bounds[t]);
    }
}

static double anneal(struct annealing *a, uint64_t n_steps)
{
    double now = 0;
    int table = 0, bounds[PAIRS] = {0};

    for (uint64_t i = 0; i < n_steps; i++) {
        const double heat = HOTTEST * pow(COLDEST / HOTTEST, (double)i / (double)n_steps);
        uint8_t *hash, before;
        double next;
        if (i % STEPS_A_TABLE == 0) {
            table = (int)below(a, SCORE_HASH_TABLES);
            bound_by_others(a, table);
            now = mean(a, a->bounds[table]);
        }
        hash = &a->hash[table][below(a, 2)][1 + below(a, CODES - 1)];
        before = *hash;
        *hash = (uint8_t)below(a, ENTRIES);
        bound(a, table, bounds);
        next = mean(a, bounds);
        if (next <= now || exp((now - next) / heat) * 0x1p31 > (double)below(a, UINT64_C(1) << 31)) {
            now = next;
            memcpy(a->bounds[table], bounds, sizeof bounds);
        } else {
            *hash = before;
        }
    }
    return now;
}

int bench_hashes(int argc, char **argv)
{
    const struct score_matrix *matrix = argc > 1 ? score_matrix_find(argv[1]) : NULL;
    static struct annealing a;
    double found;

    if (matrix == NULL) {
        fprintf(stderr, "usage: tamis-bench hashes MATRIX [STEPS] [SEED]\n");
        return 2;
    }
    begin(matrix, argc > 3 ? strtoull(argv[3], NULL, 0) : 1, &a);
    found = anneal(&a, argc > 2 ? strtoull(argv[2], NULL, 0) : 4000000);
    printf("mean bound %.4f\n", found);
    for (int t = 0; t < SCORE_HASH_TABLES; t++)
        for (int side = 0; side < 2; side++) {
            printf(side == 0 ? "{\"" : "\", \"");
            for (int i = 1; i < CODES; i++)
                putchar(a.hash[t][side][i] == '\\' - '@' ? '|' : '@' + a.hash[t][side][i]);
            printf(side == 0 ? "" : "\"}\n");
        }
    return 0;
}
