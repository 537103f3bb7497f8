/* dot_plot: the cells hold each base of each match once, whatever the order of matches and the growth of the subject. */
#include "unit/samples.h"

#include "figures/dot_plot_parts.h"

enum { N_MATCHES = 3000, N_QUERY = 70001, N_SUBJECT = 300007 };

static uint64_t state = 88172645463325252U;

static uint64_t draw(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

static void make(dot_match *matches, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bases = 1 + draw(i % 50 == 0 ? 20000 : 60);
        matches[i] = (dot_match){
            .subject = draw(N_SUBJECT - bases + 1), .query = draw(N_QUERY - bases + 1), .n_bases = bases, .is_minus = draw(2) == 1};
    }
}

/* The subject grows in steps; `order` is the multiplier of a permutation of the matches. */
static dot_plot *fill(const dot_match *matches, size_t n, uint64_t step, size_t order)
{
    dot_plot *plot = dot_plot_create();

    assert_non_null(plot);
    assert_int_equal(dot_plot_query(plot, "q", N_QUERY), 1);
    assert_int_equal(dot_plot_subject(plot, "s", 0), 1);
    for (uint64_t end = 0; end < N_SUBJECT;) {
        uint64_t from = end;
        end = end + step < N_SUBJECT ? end + step : N_SUBJECT;
        dot_plot_subject_more(plot, end - from);
        dot_plot_reserve(plot, end);
        for (size_t k = 0; k < n; k++) {
            const dot_match *m = &matches[k * order % n];
            uint64_t last = m->subject + m->n_bases;
            if (last > from && last <= end)
                dot_plot_add(plot, m);
        }
    }
    return plot;
}

/* Cell by cell, base by base. */
static void test_cells(void **test)
{
    dot_match *matches = calloc(N_MATCHES, sizeof *matches);
    uint64_t *cells = calloc((size_t)2 * DOT_PLOT_CELLS, sizeof *cells);
    static const uint64_t steps[] = {N_SUBJECT, 1000, 77777};
    unsigned shift = 0;

    (void)test;
    assert_non_null(matches);
    assert_non_null(cells);
    make(matches, N_MATCHES);
    while ((N_SUBJECT - 1) >> shift >= DOT_PLOT_COLUMNS)
        shift++;
    for (size_t i = 0; i < N_MATCHES; i++) {
        const dot_match *m = &matches[i];
        for (uint64_t k = 0; k < m->n_bases; k++) {
            uint64_t q = m->is_minus ? m->query + m->n_bases - 1 - k : m->query + k;
            cells[(m->is_minus ? DOT_PLOT_CELLS : 0) + ((m->subject + k) >> shift) * DOT_PLOT_ROWS + q * DOT_PLOT_ROWS / N_QUERY]++;
        }
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        dot_plot *plot = fill(matches, N_MATCHES, steps[i], i == 0 ? 1 : 1009);
        assert_int_equal(plot->shift, shift);
        for (size_t k = 0; k < (size_t)2 * DOT_PLOT_CELLS; k++) /* quicker than a check of each */
            if (plot->cells[k] != cells[k])
                fail_msg("cell %zu: %llu instead of %llu", k, (unsigned long long)plot->cells[k], (unsigned long long)cells[k]);
        dot_plot_free(plot);
    }
    free(matches);
    free(cells);
}

static void get(dot_plot *plot, int png, struct byte_array *out)
{
    picture *drawn = dot_plot_draw(plot, "a.fa", "b.fa", 16);

    assert_non_null(drawn);
    assert_int_equal(png ? picture_png(drawn, 1, out) : picture_svg(drawn, 0, out), 1);
    picture_free(drawn);
}

/* Lines are sorted, so the order of matches does not show. More than DOT_PLOT_LINES are shades. */
static void test_pictures(void **test)
{
    enum { MANY = DOT_PLOT_LINES + 1 };
    dot_match *matches = calloc(MANY, sizeof *matches);
    static const size_t numbers[] = {0, 1, DOT_PLOT_LINES, MANY};

    (void)test;
    assert_non_null(matches);
    make(matches, MANY);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        dot_plot *one = fill(matches, numbers[i], N_SUBJECT, 1), *other = fill(matches, numbers[i], 50000, 7919);
        dot_plot_facts facts;
        dot_plot_get_facts(one, &facts);
        assert_int_equal(facts.n_matches[0] + facts.n_matches[1], numbers[i]);
        assert_int_equal(facts.is_density, numbers[i] > DOT_PLOT_LINES);
        for (int png = 0; png < 2; png++) {
            struct byte_array a = {0}, b = {0};
            get(one, png, &a);
            get(other, png, &b);
            assert_int_equal(a.n, b.n);
            assert_memory_equal(a.bytes, b.bytes, a.n);
            free(a.bytes);
            free(b.bytes);
        }
        dot_plot_free(one);
        dot_plot_free(other);
    }
    free(matches);
}

/* Of very many records only those stay that could be seen; their places stay right. */
static void test_records(void **test)
{
    dot_plot *plot = dot_plot_create();
    uint64_t at = 0;
    size_t found = 0;

    (void)test;
    assert_non_null(plot);
    for (size_t i = 0; i < 200000; i++) {
        uint64_t n = i % 10000 == 5 ? 5000000 : 100;
        assert_int_equal(dot_plot_subject(plot, i % 10000 == 5 ? "long" : "short", n), 1);
        if (plot->subject.n > DOT_PLOT_RECORDS)
            fail_msg("%zu records are kept", plot->subject.n);
    }
    assert_int_equal(plot->subject.n_all, 200000);
    for (size_t i = 0; i < plot->subject.n; i++) {
        const struct dot_record *record = &plot->subject.records[i];
        assert_true(record->start >= at);
        at = record->start + record->n_bases;
        if (strcmp(record->name, "long") == 0) {
            assert_int_equal(record->start, found * (UINT64_C(5000000) + 9999 * 100) + 500);
            found++;
        }
    }
    assert_int_equal(found, 20);
    dot_plot_free(plot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells), cmocka_unit_test(test_pictures), cmocka_unit_test(test_records)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
