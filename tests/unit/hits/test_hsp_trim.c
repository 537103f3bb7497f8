/*
 * test_hsp_trim.c - alignments with a common start or end: by hand, and random ones against a plain form, which has a character for each
 * column of an alignment and removes HSPs from the list one by one, as BLAST does.
 */
#include "unit/hits/hsp_samples.h"

enum { MOST = 24, MOST_COLUMNS = 64, ROUNDS = 3000 };

/* An alignment as characters: M, I (a residue of the query alone) and D. */
struct plain {
    struct hsp h;
    char columns[MOST_COLUMNS];
    int n_columns;
};

static const char letters[] = "MID"; /* by enum gapped_operation */

static void pack(const struct plain *p, struct hsp *h)
{
    *h = p->h;
    memset(&h->script, 0, sizeof h->script);
    for (int i = 0; i < p->n_columns; i++)
        assert_int_equal(gapped_script_add(&h->script, (enum gapped_operation)(strchr(letters, p->columns[i]) - letters), 1), TMS_OK);
}

static struct plain any_alignment(sample_random *random)
{
    struct plain p = {
        .h = {.query = (int)random_below(random, 3), .subject = (int)random_below(random, 3), .score = (int)random_below(random, 4)}};

    p.n_columns = 1 + (int)random_below(random, 20);
    p.h.context = (int)random_below(random, 2);
    p.h.query_end = p.h.query;
    p.h.subject_end = p.h.subject;
    for (int i = 0; i < p.n_columns; i++) {
        char c = "MMMMMID"[random_below(random, 7)];
        if (i > 0 && c != 'M' && p.columns[i - 1] != 'M')
            c = p.columns[i - 1];
        p.columns[i] = c;
        p.h.query_end += c != 'D';
        p.h.subject_end += c != 'I';
    }
    return p;
}

static bool precedes(const struct hsp *a, const struct hsp *b, bool at_end)
{
    const int x[] = {a->context, at_end ? a->query_end : a->query,   at_end ? a->subject_end : a->subject,
                     -a->score,  at_end ? -a->query : -a->query_end, at_end ? -a->subject : -a->subject_end};
    const int y[] = {b->context, at_end ? b->query_end : b->query,   at_end ? b->subject_end : b->subject,
                     -b->score,  at_end ? -b->query : -b->query_end, at_end ? -b->subject : -b->subject_end};

    for (int i = 0; i < 6; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return false;
}

static void sort_plainly(struct plain *items, int n, bool at_end)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && precedes(&items[k].h, &items[k - 1].h, at_end); k--) {
            struct plain other = items[k];
            items[k] = items[k - 1];
            items[k - 1] = other;
        }
}

/* Returns false if nothing is left of x. */
static bool cut_plainly(struct plain *x, const struct hsp *first, bool at_end)
{
    int query = x->h.query, subject = x->h.subject, to_query = at_end ? first->query : first->query_end;
    int to_subject = at_end ? first->subject : first->subject_end;

    if (at_end ? x->h.query >= first->query : x->h.query_end <= first->query_end)
        return false;
    for (int i = 0; i < x->n_columns; i++) {
        query += x->columns[i] != 'D';
        subject += x->columns[i] != 'I';
        if (x->columns[i] != 'M' && i + 1 < x->n_columns && x->columns[i + 1] == x->columns[i])
            continue; /* amid a gap */
        if (query < to_query || subject < to_subject)
            continue;
        if (at_end) {
            x->n_columns = i + 1;
            x->h.query_end = query;
            x->h.subject_end = subject;
        } else {
            x->n_columns -= i + 1;
            memmove(x->columns, x->columns + i + 1, (size_t)x->n_columns);
            x->h.query = query;
            x->h.subject = subject;
        }
        return x->n_columns > 0;
    }
    return true;
}

static int trim_plainly(struct plain *items, int n, int *n_whole)
{
    int last = n;

    for (int at_end = 0; at_end < 2; at_end++) {
        sort_plainly(items, last, at_end);
        for (int i = 1; i < last;) {
            struct plain x = items[i];
            if (!(at_end ? hsp_same_end : hsp_same_start)(&items[i - 1].h, &x.h)) {
                i++;
                continue;
            }
            last--;
            memmove(items + i, items + i + 1, (size_t)(last - i) * sizeof *items);
            if (cut_plainly(&x, &items[i - 1].h, at_end)) {
                items[last] = x;
            } else {
                memmove(items + last, items + last + 1, (size_t)(n - last - 1) * sizeof *items);
                n--;
            }
        }
    }
    *n_whole = last;
    return n;
}

static void assert_same(const struct hsp *got, const struct hsp *want)
{
    assert_hsp(got, want);
    assert_int_equal(got->context, want->context);
    assert_int_equal(got->script.n, want->script.n);
    for (size_t i = 0; i < want->script.n; i++) {
        assert_int_equal(got->script.runs[i].operation, want->script.runs[i].operation);
        assert_int_equal(got->script.runs[i].n, want->script.runs[i].n);
    }
}

static void test_random(void **state)
{
    sample_random random = {sample_seed()};
    (void)state;

    for (int round = 0; round < ROUNDS; round++) {
        struct plain plain[MOST];
        struct hsp_list list = {0};
        int n = (int)random_below(&random, MOST), want_whole;
        size_t n_whole;
        for (int i = 0; i < n; i++) {
            struct hsp h;
            plain[i] = any_alignment(&random);
            plain[i].h.evalue = i;
            pack(&plain[i], &h);
            list_of(&list, &h, 1);
        }
        n = trim_plainly(plain, n, &want_whole);
        assert_int_equal(hsp_trim(&list, &n_whole), TMS_OK);
        assert_int_equal(list.n, n);
        assert_int_equal(n_whole, want_whole);
        for (int i = 0; i < n; i++) {
            struct hsp want;
            pack(&plain[i], &want);
            assert_same(&list.items[i], &want);
            free(want.script.runs);
        }
        hsp_list_free(&list);
    }
}

static struct hsp aligned(int query, int subject, int score, const char *columns)
{
    struct plain p = {.h = {.query = query, .query_end = query, .subject = subject, .subject_end = subject, .score = score}};
    struct hsp h;

    p.n_columns = (int)strlen(columns);
    for (int i = 0; i < p.n_columns; i++) {
        p.columns[i] = columns[i];
        p.h.query_end += columns[i] != 'D';
        p.h.subject_end += columns[i] != 'I';
    }
    pack(&p, &h);
    return h;
}

static void assert_trimmed(struct hsp better, struct hsp other, size_t n, int query, int query_end, int subject, int subject_end)
{
    struct hsp_list list = {0};
    size_t n_whole;

    list_of(&list, &better, 1);
    list_of(&list, &other, 1);
    assert_int_equal(hsp_trim(&list, &n_whole), TMS_OK);
    assert_int_equal(list.n, n);
    assert_int_equal(n_whole, 1);
    if (n == 2) {
        const struct hsp *h = &list.items[1];
        assert_int_equal(h->query, query);
        assert_int_equal(h->query_end, query_end);
        assert_int_equal(h->subject, subject);
        assert_int_equal(h->subject_end, subject_end);
    }
    hsp_list_free(&list);
}

static void test_by_hand(void **state)
{
    (void)state;
    assert_trimmed(aligned(5, 5, 9, "MMMM"), aligned(5, 5, 8, "MMMMMM"), 2, 9, 11, 9, 11);
    assert_trimmed(aligned(5, 5, 9, "MMMM"), aligned(5, 5, 8, "MDDMMMMM"), 2, 9, 11, 11, 13);
    assert_trimmed(aligned(5, 5, 9, "MMMM"), aligned(5, 5, 8, "MMMIIMM"), 2, 11, 12, 9, 10); /* a gap is a step; then another base */
    assert_trimmed(aligned(5, 5, 9, "MMMM"), aligned(5, 5, 8, "MMM"), 1, 0, 0, 0, 0);        /* it does not reach beyond */
    assert_trimmed(aligned(5, 5, 9, "MDDDM"), aligned(5, 5, 8, "MMMM"), 2, 5, 9, 5, 9);      /* it does not reach the end in the subject */
    assert_trimmed(aligned(5, 5, 9, "MMDM"), aligned(5, 5, 8, "MMMM"), 1, 0, 0, 0, 0);       /* only its last base reaches it */
    assert_trimmed(aligned(5, 5, 9, "MMMM"), aligned(2, 2, 8, "MMMMMMM"), 2, 2, 5, 2, 5);
    assert_trimmed(aligned(5, 5, 9, "MMMM"), aligned(6, 6, 8, "MMM"), 1, 0, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_random)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
