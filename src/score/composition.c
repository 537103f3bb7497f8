/*
 * composition.c - chooses how to make the matrix of a pair, and makes it. The optimisation is in target_frequencies.c.
 *
 * Each sum adds in the order of residues that its step names, because the last bits decide how scores round.
 */
#include "score/composition.h"

#include <math.h>
#include <string.h>

#include "score/karlin.h"
#include "score/logarithms.h"
#include "score/target_frequencies.h"

#define PSEUDOCOUNTS 20.0

/* The codes of A R N D C Q E G H I L K M F P S T W Y V. */
static const uint8_t code_of_residue[JOINT_LETTERS] = {1, 16, 13, 4, 3, 15, 5, 7, 8, 9, 11, 10, 12, 6, 14, 17, 18, 20, 22, 19};

static bool is_amino_acid(int code) { return code == 1 || (code >= 3 && code <= 20) || code == 22; }

typedef double real_matrix[RESIDUE_CODES][RESIDUE_CODES];

static int nearest(double x) { return (int)(x >= 0 ? x + 0.5 : x - 0.5); }

static int rounded(double x) { return x < INT32_MIN ? INT32_MIN : nearest(x); }

/* --- constants of the matrix --- */

bool composition_basis_init(const struct score_matrix *matrix, struct composition_basis *out)
{
    const struct joint_table *table = NULL;
    struct score_probabilities scores;
    double background[RESIDUE_CODES];

    for (size_t i = 0; i < JOINT_TABLES; i++)
        if (strcmp(joint_tables[i].name, matrix->name) == 0)
            table = &joint_tables[i];
    score_background(background);
    if (table == NULL || matrix->ratios == NULL || !score_probabilities_of(matrix, background, &scores))
        return false;
    out->matrix = matrix;
    out->lambda = karlin_lambda(&scores, KARLIN_START) / COMPOSITION_SCALE;
    out->shares = table->shares;
    out->lowest = out->highest = 0;
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++) {
            const bool has_score = matrix->ratios[i][j] != 0;
            const double logarithm = has_score ? log(matrix->ratios[i][j]) : SCORE_NONE;
            const int score = has_score ? nearest(logarithm / out->lambda) : SCORE_NONE;
            out->logs[i][j] = logarithm;
            out->standard[i][j] = score;
            if (is_amino_acid(j) && has_score) {
                out->lowest = score < out->lowest ? score : out->lowest;
                out->highest = score > out->highest ? score : out->highest;
            }
        }
    for (int i = 0; i < JOINT_LETTERS; i++) {
        out->row_sums[i] = 0;
        for (int j = 0; j < JOINT_LETTERS; j++) {
            int high = i > j ? i : j, low = i > j ? j : i;
            out->joint[i * JOINT_LETTERS + j] = table->joint[high * (high + 1) / 2 + low];
            out->row_sums[i] += out->joint[i * JOINT_LETTERS + j];
        }
    }
    out->has_table = logarithm_table_find(&out->table);
    return true;
}

static const struct logarithm_table *table_of(const struct composition_basis *basis) { return basis->has_table ? &basis->table : NULL; }

/* --- compositions --- */

void composition_of(const uint8_t *residues, size_t n, struct composition *out)
{
    enum { TABLES = 4 /* so that equal residues in a row do not wait for each other */ };
    uint32_t tables[TABLES][RESIDUE_CODES] = {{0}}, counts[RESIDUE_CODES];
    size_t at = 0;

    memset(out, 0, sizeof *out);
    for (; at + TABLES <= n; at += TABLES) {
        tables[0][residues[at]]++;
        tables[1][residues[at + 1]]++;
        tables[2][residues[at + 2]]++;
        tables[3][residues[at + 3]]++;
    }
    for (; at < n; at++)
        tables[0][residues[at]]++;
    for (int i = 0; i < RESIDUE_CODES; i++)
        counts[i] = tables[0][i] + tables[1][i] + tables[2][i] + tables[3][i];
    counts[CODE_C] += counts[CODE_U];
    for (int i = 0; i < RESIDUE_CODES; i++)
        out->n_counted += is_amino_acid(i) ? counts[i] : 0;
    for (int i = 0; i < RESIDUE_CODES && out->n_counted > 0; i++)
        out->share[i] = is_amino_acid(i) ? (double)counts[i] / (double)out->n_counted : 0;
}

void composition_shares(const struct composition *c, double shares[JOINT_LETTERS])
{
    for (int i = 0; i < JOINT_LETTERS; i++)
        shares[i] = c->share[code_of_residue[i]];
}

/* The square root of the Jensen-Shannon divergence: a distance between compositions. */
static double distance(const double *a, const double *b)
{
    double sum = 0;

    for (int i = 0; i < JOINT_LETTERS; i++) {
        double mean = (a[i] + b[i]) / 2;
        if (mean > 0) {
            if (a[i] > 0)
                sum += a[i] * log(a[i] / mean) / 2;
            if (b[i] > 0)
                sum += b[i] * log(b[i] / mean) / 2;
        }
    }
    return sqrt(sum > 0 ? sum : 0);
}

/* Whether two residues make up most of the sequence. */
static bool is_of_two_residues(const double *shares, size_t length)
{
    double first = 0, second = 0;

    for (int i = 0; i < JOINT_LETTERS; i++) {
        if (shares[i] > second)
            second = shares[i];
        if (second > first) {
            double before = first;
            first = second;
            second = before;
        }
    }
    return length > 50 && first + second > 0.4;
}

/* Mode 2: a pair is scaled only if its compositions and its lengths are far from each other. */
static bool wants_scaling(const struct composition_basis *basis, const double *query, size_t query_length, const double *subject,
                          size_t subject_length)
{
    double longer = (double)(query_length > subject_length ? query_length : subject_length);
    double shorter = (double)(query_length > subject_length ? subject_length : query_length);
    double to_subject, to_query, between, angle;

    if (!(longer / shorter > 3.0) || is_of_two_residues(query, query_length) || is_of_two_residues(subject, subject_length))
        return false; /* a shortcut: the test below takes long */
    between = distance(subject, query);
    if (!(between > 0.16))
        return false;
    to_subject = distance(subject, basis->shares);
    to_query = distance(query, basis->shares);
    angle = acos((to_subject * to_subject + to_query * to_query - between * between) / 2.0 / to_subject / to_query) * 180 / 3.1415926543;
    return angle > 70.0;
}

/* --- the matrix --- */

static double at_most(double x, double limit) { return x < limit ? x : limit; }

/* Fills in the rows and columns of X by averages, of U as C, and of O as X. */
static void put_rare_residues(real_matrix m, const double *rows, const double *columns)
{
    static const int pairs[] = {CODE_B, CODE_Z, CODE_J};
    double row_average[RESIDUE_CODES], column_average[RESIDUE_CODES], both = 0;

    for (int i = 0; i < RESIDUE_CODES; i++) {
        row_average[i] = column_average[i] = 0;
        for (int j = 0; j < RESIDUE_CODES; j++)
            if (is_amino_acid(j)) {
                row_average[i] += m[i][j] * columns[j];
                column_average[i] += m[j][i] * rows[j];
            }
    }
    for (int i = 0; i < RESIDUE_CODES; i++)
        if (is_amino_acid(i)) {
            m[i][CODE_X] = at_most(row_average[i], -1.0);
            both += row_average[i] * rows[i];
            m[CODE_X][i] = at_most(column_average[i], -1.0);
        }
    m[CODE_X][CODE_X] = at_most(both, -1.0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        m[pairs[i]][CODE_X] = at_most(row_average[pairs[i]], -1.0);
        m[CODE_X][pairs[i]] = at_most(column_average[pairs[i]], -1.0);
    }
    memcpy(m[CODE_U], m[CODE_C], sizeof m[CODE_C]);
    for (int i = 0; i < RESIDUE_CODES; i++)
        m[i][CODE_U] = m[i][CODE_C];
    memcpy(m[CODE_O], m[CODE_X], sizeof m[CODE_X]);
    for (int i = 0; i < RESIDUE_CODES; i++)
        m[i][CODE_O] = m[i][CODE_X];
}

static void put_rounded(const struct composition_basis *basis, real_matrix m, struct adjusted_matrix *out)
{
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            out->scores[i][j] = i == CODE_STOP || j == CODE_STOP ? basis->standard[i][j] : rounded(m[i][j]);
}

/* The ratio of the pair's lambda to that of the standard matrix, limited to 0.5 .. 1. */
static double lambda_ratio(const struct composition_basis *basis, const struct composition *query, const struct composition *subject)
{
    struct score_probabilities scores;
    double lambda = -1, ratio;

    scores.lowest = basis->lowest;
    scores.highest = basis->highest;
    scores.mean = 0;
    memset(scores.probability, 0, (size_t)(scores.highest - scores.lowest + 1) * sizeof *scores.probability);
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            if (is_amino_acid(i) && is_amino_acid(j)) /* the shares of the others are 0 */
                scores.probability[basis->standard[i][j] - scores.lowest] += query->share[i] * subject->share[j];
    for (int score = scores.lowest; score <= scores.highest; score++)
        scores.mean += score * scores.probability[score - scores.lowest];
    if (scores.mean < 0 && scores.lowest < 0 && scores.highest > 0)
        lambda = karlin_lambda(&scores, basis->lambda);
    ratio = at_most(lambda / basis->lambda, 1);
    return ratio > 0.5 ? ratio : 0.5;
}

static void scale(const struct composition_basis *basis, const struct composition *query, const struct composition *subject,
                  struct adjusted_matrix *out)
{
    real_matrix m;
    double lambda;

    out->rule = RULE_SCALED;
    out->ratio = lambda_ratio(basis, query, subject);
    lambda = basis->lambda / out->ratio;
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            m[i][j] = basis->logs[i][j] == SCORE_NONE ? SCORE_NONE : basis->logs[i][j] / lambda;
    put_rare_residues(m, query->share, subject->share);
    put_rounded(basis, m, out);
}

void composition_smooth(const struct composition_basis *basis, const struct composition *c, double shares[JOINT_LETTERS])
{
    double sum = 0, weight = PSEUDOCOUNTS / ((double)c->n_counted + PSEUDOCOUNTS);

    composition_shares(c, shares);
    for (int i = 0; i < JOINT_LETTERS; i++)
        sum += shares[i];
    if (sum == 0)
        sum = 1;
    for (int i = 0; i < JOINT_LETTERS; i++)
        shares[i] = (1.0 - weight) * shares[i] / sum + weight * basis->row_sums[i];
}

/* Adds up the shares of ambiguity codes: B is D or N, Z is E or Q, J is I or L. */
static void by_code(const double shares[JOINT_LETTERS], double codes[RESIDUE_CODES])
{
    memset(codes, 0, RESIDUE_CODES * sizeof *codes);
    for (int i = 0; i < JOINT_LETTERS; i++)
        codes[code_of_residue[i]] = shares[i];
    codes[CODE_B] = codes[CODE_D] + codes[CODE_N];
    codes[CODE_Z] = codes[CODE_E] + codes[CODE_Q];
    codes[CODE_J] = codes[CODE_I] + codes[CODE_L];
}

/* Converts joint probabilities of residues to scores of codes. */
static void put_scores(const struct composition_basis *basis, tms_simd simd, const double *target, const double *query,
                       const double *subject, real_matrix m)
{
    double total = 0, rows[RESIDUE_CODES], columns[RESIDUE_CODES];
    real_matrix logs;

    memset(m, 0, sizeof(real_matrix));
    for (int k = 0; k < JOINT_LETTERS * JOINT_LETTERS; k++)
        total += target[k];
    for (int i = 0; i < JOINT_LETTERS; i++) {
        double *row = m[code_of_residue[i]];
        for (int j = 0; j < JOINT_LETTERS; j++)
            row[code_of_residue[j]] = target[i * JOINT_LETTERS + j] / total;
        row[CODE_B] = row[CODE_D] + row[CODE_N];
        row[CODE_Z] = row[CODE_E] + row[CODE_Q];
        row[CODE_J] = row[CODE_I] + row[CODE_L];
    }
    for (int j = 0; j < RESIDUE_CODES; j++) {
        m[CODE_B][j] = m[CODE_D][j] + m[CODE_N][j];
        m[CODE_Z][j] = m[CODE_E][j] + m[CODE_Q][j];
        m[CODE_J][j] = m[CODE_I][j] + m[CODE_L][j];
    }
    by_code(query, rows);
    by_code(subject, columns);
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++) {
            if (rows[i] > 0 && columns[j] > 0)
                m[i][j] = m[i][j] / (rows[i] * columns[j]);
            logs[i][j] = m[i][j] == 0 ? 1 : m[i][j];
        }
    logarithms(simd, table_of(basis), (double *)logs, sizeof logs / sizeof **logs);
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            m[i][j] = m[i][j] == 0 ? SCORE_NONE : logs[i][j] / basis->lambda;
    put_rare_residues(m, rows, columns);
}

/* Mode 2 chooses for each pair. */
static bool is_scaled(const struct composition_basis *basis, enum composition_mode mode, const struct composition_pair *pair)
{
    double query_residues[JOINT_LETTERS], subject_residues[JOINT_LETTERS];

    if (mode != COMPOSITION_CONDITIONAL)
        return mode == COMPOSITION_SCALED;
    composition_shares(&pair->query, query_residues);
    composition_shares(&pair->subject, subject_residues);
    return wants_scaling(basis, query_residues, pair->query_length, subject_residues, pair->subject_length);
}

bool composition_is_optimised(const struct composition_basis *basis, enum composition_mode mode, const struct composition_pair *pair)
{
    return composition_has_matrix(pair) && !is_scaled(basis, mode, pair);
}

void composition_solve(const struct composition_basis *basis, enum composition_mode mode, tms_simd simd,
                       struct composition_solution *solutions, size_t n)
{
    double rows[COMPOSITION_SOLUTIONS][JOINT_LETTERS], columns[COMPOSITION_SOLUTIONS][JOINT_LETTERS];
    struct target_pair pairs[COMPOSITION_SOLUTIONS];
    size_t n_optimised = 0;

    for (size_t i = 0; i < n; i++) {
        struct composition_solution *s = &solutions[i];
        s->n_iterations = 0;
        s->converges = false;
        if (!composition_is_optimised(basis, mode, &s->pair))
            continue;
        composition_smooth(basis, &s->pair.query, rows[n_optimised]);
        composition_smooth(basis, &s->pair.subject, columns[n_optimised]);
        pairs[n_optimised] = (struct target_pair){.rows = rows[n_optimised], .columns = columns[n_optimised], .target = s->target};
        n_optimised++;
    }
    target_frequencies_of(simd, basis->joint, table_of(basis), pairs, n_optimised);
    for (size_t i = 0, k = 0; k < n_optimised; i++) {
        struct composition_solution *s = &solutions[i];
        if (s->target != pairs[k].target)
            continue;
        s->n_iterations = pairs[k].n_iterations;
        s->converges = pairs[k++].converges;
    }
}

bool composition_matrix(const struct composition_basis *basis, tms_simd simd, const struct composition_solution *solution,
                        struct adjusted_matrix *out)
{
    const struct composition *query = &solution->pair.query, *subject = &solution->pair.subject;
    double rows[JOINT_LETTERS], columns[JOINT_LETTERS];
    real_matrix m;

    if (!composition_has_matrix(&solution->pair))
        return false;
    out->n_iterations = solution->n_iterations;
    if (!solution->converges) {
        scale(basis, query, subject, out);
        return true;
    }
    composition_smooth(basis, query, rows);
    composition_smooth(basis, subject, columns);
    out->rule = RULE_OPTIMISED;
    out->ratio = 1;
    put_scores(basis, simd, solution->target, rows, columns, m);
    put_rounded(basis, m, out);
    return true;
}

bool composition_adjust(const struct composition_basis *basis, enum composition_mode mode, const struct composition_pair *pair,
                        struct adjusted_matrix *out)
{
    struct composition_solution alone = {.pair = *pair};

    composition_solve(basis, mode, TMS_SIMD_SCALAR, &alone, 1);
    return composition_matrix(basis, TMS_SIMD_SCALAR, &alone, out);
}
