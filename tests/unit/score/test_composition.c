/*
 * test_composition.c - compares adjusted matrices with traces of blastp of NCBI BLAST+ 2.12: for each pair of sequences the rule, the ratio
 * of lambda, the iterations, and a hash of the 784 scores, in modes 1, 2 and 3.
 *
 * The traces are in tests/data/blast/composition.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "score/composition.h"
#include "tamis/alphabet.h"
#include "unit/blastp/blast_cases.h"

enum { MOST_LETTERS = 8192, MOST_RECORDS = 512, LINE = 1 << 14 };

struct record {
    char name[16];
    size_t n;
    uint8_t *codes;
};

struct records {
    struct record items[MOST_RECORDS];
    size_t n;
};

static void read_fasta(const char *name, struct records *out)
{
    FILE *file = blast_case_open(name);
    char line[LINE];
    out->n = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        size_t n = strcspn(line, "\r\n");
        if (line[0] == '>') {
            struct record *r = &out->items[out->n++];
            assert_int_equal(sscanf(line, ">%15s", r->name), 1);
            r->n = 0;
            r->codes = malloc(MOST_LETTERS);
            assert_non_null(r->codes);
        } else {
            struct record *r = &out->items[out->n - 1];
            assert_true(r->n + n <= MOST_LETTERS);
            assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, (uint8_t *)line, n, r->codes + r->n), n);
            r->n += n;
        }
    }
    fclose(file);
}

static void free_records(struct records *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->items[i].codes);
}

static const struct record *find(const struct records *records, const char *name)
{
    for (size_t i = 0; i < records->n; i++)
        if (strcmp(records->items[i].name, name) == 0)
            return &records->items[i];
    fail_msg("no record %s", name);
    return NULL;
}

/* Copies a record, and replaces the residues that the trace has masked by X. */
static size_t masked(const struct record *r, const char *ranges, uint8_t *codes)
{
    memcpy(codes, r->codes, r->n);
    while (*ranges != '\0') {
        char *end;
        size_t first = strtoul(ranges, &end, 10), last = strtoul(end + 1, &end, 10);
        memset(codes + first, 21, last - first);
        ranges = end + (*end == ',');
    }
    return r->n;
}

static uint64_t hash_of(const struct adjusted_matrix *m)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            for (int byte = 0; byte < 4; byte++) {
                hash ^= (uint32_t)m->scores[i][j] >> 8 * byte & 0xff;
                hash *= 0x100000001b3u;
            }
    return hash;
}

/* One "A" line: "A h fail= nq= ns= rule= D12= angle= ratio= iter= fnv=" */
static void check_matrix(const struct composition_basis *basis, enum composition_mode mode, const char *line, const struct record *query,
                         const uint8_t *subject, size_t n_subject)
{
    int h, fails, rule, n_iterations;
    size_t n_query_counted, n_subject_counted;
    double ratio;
    unsigned long long hash;
    struct composition_pair pair = {.query_length = query->n, .subject_length = n_subject};
    struct adjusted_matrix m;
    assert_int_equal(sscanf(line, "A %d fail=%d nq=%zu ns=%zu rule=%d D12=%*s angle=%*s ratio=%lf iter=%d fnv=%llx", &h, &fails,
                            &n_query_counted, &n_subject_counted, &rule, &ratio, &n_iterations, &hash),
                     8);
    composition_of(query->codes, query->n, &pair.query);
    composition_of(subject, n_subject, &pair.subject);
    assert_int_equal(pair.query.n_counted, n_query_counted);
    assert_int_equal(pair.subject.n_counted, n_subject_counted);
    assert_int_equal(composition_adjust(basis, mode, &pair, &m), !fails);
    if (fails)
        return;
    assert_int_equal(m.rule, rule);
    if (rule == RULE_OPTIMISED)
        assert_int_equal(m.n_iterations, n_iterations);
    assert_true(fabs(m.ratio - ratio) <= 1e-9 || rule == RULE_OPTIMISED);
    assert_true(hash_of(&m) == hash);
}

static size_t check_trace(const char *name, enum composition_mode mode)
{
    static struct records queries, subjects;
    static uint8_t codes[MOST_LETTERS];
    const struct record *query = NULL, *subject = NULL;
    struct composition_basis basis;
    char line[LINE];
    size_t n_matrices = 0, n_codes = 0;
    FILE *file = blast_case_open(name);
    read_fasta("composition/queries.fa", &queries);
    read_fasta("composition/db.fa", &subjects);
    for (size_t i = 0; i < queries.n; i++)
        for (size_t j = 0; j < queries.items[i].n; j++) /* O in a query is X */
            if (queries.items[i].codes[j] == 26)
                queries.items[i].codes[j] = 21;
    assert_true(composition_basis_init(score_matrix_find("BLOSUM62"), &basis));
    while (fgets(line, sizeof line, file) != NULL) {
        char of_query[16], of_subject[16];
        if (sscanf(line, "M %15s %15s", of_query, of_subject) == 2) {
            query = find(&queries, of_query);
            subject = find(&subjects, of_subject);
        } else if (line[0] == 'G') {
            line[strcspn(line, "\r\n")] = '\0';
            n_codes = masked(subject, strstr(line, "mask=") + 5, codes);
        } else if (line[0] == 'A') {
            check_matrix(&basis, mode, line, query, codes, n_codes);
            n_matrices++;
        }
    }
    fclose(file);
    free_records(&queries);
    free_records(&subjects);
    return n_matrices;
}

static void test_scaled(void **state)
{
    (void)state;
    assert_true(check_trace("composition/trace_mode1.tsv", COMPOSITION_SCALED) > 300);
}

static void test_conditional(void **state)
{
    (void)state;
    assert_true(check_trace("composition/trace_mode2.tsv", COMPOSITION_CONDITIONAL) > 500);
}

static void test_optimised(void **state)
{
    (void)state;
    assert_true(check_trace("composition/trace_mode3.tsv", COMPOSITION_OPTIMISED) > 500);
}

/* lambda of each standard matrix for the standard composition, from BLAST's iteration. */
static void test_basis(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double lambda;
    } cases[] = {{"BLOSUM45", 0x1.d52d72763e952p-3}, {"BLOSUM50", 0x1.dac836d0af0abp-3}, {"BLOSUM62", 0x1.453a7f043dab8p-2},
                 {"BLOSUM80", 0x1.5f33582ae2e34p-2}, {"BLOSUM90", 0x1.569854a3cb377p-2}, {"PAM30", 0x1.5c2f99c7c558ap-2},
                 {"PAM70", 0x1.5687d9c0058dcp-2},    {"PAM250", 0x1.cd1cd99625bb0p-3}};
    struct composition_basis basis;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double sum = 0;
        assert_true(composition_basis_init(score_matrix_find(cases[i].name), &basis));
        assert_true(basis.lambda == cases[i].lambda / COMPOSITION_SCALE);
        for (int k = 0; k < JOINT_LETTERS; k++) {
            assert_true(fabs(basis.row_sums[k] - basis.shares[k]) < 1e-14);
            sum += basis.row_sums[k];
        }
        assert_true(fabs(sum - 1) < 1e-9);
    }
    assert_false(composition_basis_init(score_matrix_find("IDENTITY"), &basis));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_basis),
        cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_conditional),
        cmocka_unit_test(test_optimised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
