/*
 * test_target_frequencies.c - several pairs at once have the results of the plain form for each pair alone, to the last bit: usual and
 * impossible compositions, pairs that take few iterations and pairs that fail after hundreds, in groups of any size.
 */
#include <math.h>

#include "base/base.h"
#include "score/composition.h"
#include "score/target_frequencies.h"
#include "unit/samples.h"

enum { N = JOINT_LETTERS, PAIRS = N * N, MOST = 40, GROUPS = 28 /* for each matrix */, FEW_GROUPS = 5 };

/*
 * BIASED: as of sequences of few residues, with pseudocounts; ALONE: almost only one residue; UNEQUAL: sums that no probabilities can have;
 * BROKEN: no probabilities.
 */
enum kind { AS_IS, USUAL, BIASED, ALONE, UNEQUAL, BROKEN, KINDS };

static double real(sample_random *r) { return (double)(random_next(r) >> 11) / 9007199254740992.0; }

static void scale_to(double *shares, double to)
{
    double sum = 0;
    for (int j = 0; j < N; j++)
        sum += shares[j];
    for (int j = 0; j < N; j++)
        shares[j] *= to / sum;
}

static void fill(sample_random *r, const struct composition_basis *basis, enum kind kind, double *shares)
{
    static const double odd[] = {0, 1e-310, 1e300, -0.05, NAN, INFINITY};
    double weight = kind == BIASED ? 20 / (20 + 30000 * pow(real(r), 4)) : pow(10, -12 * real(r));
    memcpy(shares, basis->row_sums, N * sizeof *shares);
    if (kind == AS_IS)
        return;
    if (kind == BIASED || kind == ALONE) {
        double few[N] = {0};
        for (int i = kind == ALONE ? 1 : 4 + (int)(random_next(r) % 8); i > 0; i--)
            few[random_next(r) % N] += 0.1 + real(r);
        scale_to(few, 1);
        for (int j = 0; j < N; j++)
            shares[j] = (1 - weight) * few[j] + weight * shares[j];
        return;
    }
    for (int j = 0; j < N; j++)
        shares[j] *= 0.4 + 1.2 * real(r);
    scale_to(shares, kind == UNEQUAL ? 0.5 + real(r) : 1);
    if (kind == BROKEN)
        shares[random_next(r) % N] = odd[random_next(r) % (sizeof odd / sizeof *odd)];
}

static bool has_nan(const double *v)
{
    for (int k = 0; k < PAIRS; k++)
        if (isnan(v[k]))
            return true;
    return false;
}

struct seen {
    size_t n_pairs, n_converged, n_failed, n_nan;
};

static void check_group(sample_random *r, const struct composition_basis *basis, size_t n, struct seen *seen)
{
    static double rows[MOST][N], columns[MOST][N], want_target[MOST][PAIRS], target[MOST][PAIRS];
    struct target_pair want[MOST], pairs[MOST];
    for (size_t i = 0; i < n; i++) {
        unsigned of_rows = (unsigned)(random_next(r) % 32);
        unsigned any = (unsigned)(random_next(r) % 64); /* pairs that do not converge take long */
        fill(r, basis, any == 0 ? UNEQUAL : any < 4 ? BROKEN : any < 6 ? ALONE : any < 8 ? AS_IS : any < 30 ? BIASED : USUAL, columns[i]);
        fill(r, basis, of_rows == 0 ? BROKEN : of_rows == 1 ? ALONE : (enum kind)(of_rows % (BIASED + 1)), rows[i]);
        want[i] = (struct target_pair){.rows = rows[i], .columns = columns[i], .target = want_target[i]};
    }
    target_frequencies_of(TMS_SIMD_SCALAR, basis->joint, NULL, want, n);
    for (int simd = TMS_SIMD_SCALAR + 1; simd <= (int)cpu_best_simd(); simd++) {
        for (size_t i = 0; i < n; i++)
            pairs[i] = (struct target_pair){.rows = rows[i], .columns = columns[i], .target = target[i]};
        target_frequencies_of((tms_simd)simd, basis->joint, basis->has_table ? &basis->table : NULL, pairs, n);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(pairs[i].converges, want[i].converges);
            assert_int_equal(pairs[i].n_iterations, want[i].n_iterations);
            if (has_nan(want_target[i]))
                assert_true(has_nan(target[i]));
            else
                assert_memory_equal(target[i], want_target[i], sizeof target[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        seen->n_pairs++;
        seen->n_converged += want[i].converges;
        seen->n_failed += !want[i].converges && !has_nan(want_target[i]);
        seen->n_nan += has_nan(want_target[i]);
    }
}

static void test_same_as_plain(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    struct seen seen = {0};
    if (cpu_best_simd() == TMS_SIMD_SCALAR)
        skip();
    for (size_t m = 0; m < JOINT_TABLES; m++) {
        struct composition_basis basis;
        assert_true(composition_basis_init(score_matrix_find(joint_tables[m].name), &basis));
        for (size_t i = 0; i < (sample_is_quick() ? FEW_GROUPS : GROUPS); i++)
            check_group(&r, &basis, i < 3 ? i + 1 : 1 + random_next(&r) % MOST, &seen);
    }
    printf("%zu pairs: %zu converged, %zu did not, %zu came to NaN\n", seen.n_pairs, seen.n_converged, seen.n_failed, seen.n_nan);
    if (!sample_is_quick()) /* otherwise there are too few samples */
        assert_true(seen.n_converged > seen.n_pairs / 2 && seen.n_failed > 0 && seen.n_nan > 0);
}

/* Compares from compositions to matrices: scaled matrices among optimised ones, and sequences without a residue that counts. */
static void test_matrices(void **state)
{
    (void)state;
    static struct composition_solution solutions[COMPOSITION_SOLUTIONS];
    static struct adjusted_matrix want, got;
    sample_random r = {sample_seed()};
    size_t n_of_rule[2] = {0, 0}, n_none = 0;
    for (size_t m = 0; m < JOINT_TABLES; m++) {
        struct composition_basis basis;
        assert_true(composition_basis_init(score_matrix_find(joint_tables[m].name), &basis));
        for (int group = 0; group < (sample_is_quick() ? 12 : 30); group++) {
            enum composition_mode mode = (enum composition_mode)(COMPOSITION_SCALED + group % 3);
            tms_simd simd = (tms_simd)(random_next(&r) % ((unsigned)cpu_best_simd() + 1));
            uint8_t codes[4000];
            size_t n = 1 + random_next(&r) % COMPOSITION_SOLUTIONS;
            for (size_t i = 0; i < 2 * n; i++) { /* queries and subjects in turn */
                struct composition_pair *pair = &solutions[i / 2].pair;
                const bool is_query = i % 2 == 0;
                size_t length = is_query ? 30 + random_next(&r) % 300 : 1 + random_next(&r) % (random_next(&r) % 2 ? sizeof codes : 100);
                unsigned n_letters = 1 + (unsigned)(random_next(&r) % 22);
                for (size_t k = 0; k < length; k++)
                    codes[k] = !is_query && random_next(&r) % 200 == 0 ? CODE_X : (uint8_t)(1 + random_next(&r) % n_letters);
                if (!is_query && random_next(&r) % 16 == 0)
                    memset(codes, CODE_X, length);
                composition_of(codes, length, is_query ? &pair->query : &pair->subject);
                *(is_query ? &pair->query_length : &pair->subject_length) = length;
            }
            composition_solve(&basis, mode, simd, solutions, n);
            for (size_t i = 0; i < n; i++) {
                bool is_there;
                memset(&want, 0, sizeof want);
                memset(&got, 0, sizeof got);
                is_there = composition_adjust(&basis, mode, &solutions[i].pair, &want);
                assert_int_equal(composition_matrix(&basis, simd, &solutions[i], &got), is_there);
                assert_memory_equal(&got, &want, sizeof got);
                n_none += !is_there;
                if (is_there)
                    n_of_rule[want.rule == RULE_OPTIMISED]++;
            }
        }
    }
    assert_true(n_of_rule[0] > 50 && n_of_rule[1] > 50 && n_none > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_plain),
        cmocka_unit_test(test_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
