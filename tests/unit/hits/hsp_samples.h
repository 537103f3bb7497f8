/* hsp_samples.h - for the tests of hits: HSPs in few words, random ones with many ties, and comparisons. */
#ifndef TAMIS_TEST_HSP_SAMPLES_H
#define TAMIS_TEST_HSP_SAMPLES_H

#include "hits/hit_list.h"
#include "unit/samples.h"

/* Each HSP has a script, so that AddressSanitizer sees one that is lost or freed twice. */
static inline struct gapped_script sample_script(void)
{
    struct gapped_script script = {0};

    assert_int_equal(gapped_script_add(&script, GAPPED_MATCH, 1), TMS_OK);
    return script;
}

static inline struct hsp hsp_at(int query, int query_end, int subject, int subject_end, int score)
{
    return (struct hsp){.query = query,
                        .query_end = query_end,
                        .subject = subject,
                        .subject_end = subject_end,
                        .score = score,
                        .evalue = 1.0 / score,
                        .script = sample_script()};
}

/* An HSP of equal ranges in both sequences. */
static inline struct hsp hsp_along(int query, int query_end, int score) { return hsp_at(query, query_end, query, query_end, score); }

static inline double random_evalue(sample_random *random)
{
    static const double values[] = {0, 1e-200, 1e-181, 1e-180, 1e-179, 1e-50, 1e-50, 0.001, 0.5, 3};

    return values[random_below(random, sizeof values / sizeof *values)];
}

/* Positions below `places`, and few scores: many HSPs agree in something. */
static inline struct hsp random_hsp(sample_random *random, int places)
{
    const int query = (int)random_below(random, (uint64_t)places), subject = (int)random_below(random, (uint64_t)places);
    struct hsp h = hsp_at(query, query + 1 + (int)random_below(random, (uint64_t)places), subject,
                          subject + 1 + (int)random_below(random, (uint64_t)places), 1 + (int)random_below(random, 6));

    h.evalue = random_evalue(random);
    return h;
}

static inline void list_of(struct hsp_list *list, const struct hsp *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(hsp_list_add(list, &items[i]), TMS_OK);
}

/* Frees what a culling or best hits have left. */
static inline void arrived_free(struct arrived_hsp *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(items[i].hsp.script.runs);
    free(items);
}

static inline void hsps_shuffle(sample_random *random, struct hsp *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t k = random_below(random, i);
        const struct hsp other = items[k];
        items[k] = items[i - 1];
        items[i - 1] = other;
    }
}

static inline void assert_hsp(const struct hsp *got, const struct hsp *want)
{
    if (got->query != want->query || got->query_end != want->query_end || got->subject != want->subject ||
        got->subject_end != want->subject_end || got->score != want->score || got->evalue != want->evalue)
        fail_msg("%d..%d, %d..%d, score %d, E-value %g; not %d..%d, %d..%d, score %d, E-value %g", got->query, got->query_end, got->subject,
                 got->subject_end, got->score, got->evalue, want->query, want->query_end, want->subject, want->subject_end, want->score,
                 want->evalue);
}

static inline void assert_hsps(const struct hsp_list *got, const struct hsp *want, size_t n)
{
    assert_int_equal(got->n, n);
    for (size_t i = 0; i < n; i++)
        assert_hsp(&got->items[i], &want[i]);
}

/* Adds a subject with these HSPs, which the list takes over. */
static inline void add_subject(struct hit_list *list, uint64_t oid, const struct hsp *items, size_t n)
{
    struct subject_hits hits = {.oid = oid};

    list_of(&hits.hsps, items, n);
    subject_hits_rate(&hits);
    assert_int_equal(hit_list_add(list, &hits), TMS_OK);
}

static inline void assert_oids(const struct hit_list *list, const uint64_t *want, size_t n)
{
    assert_int_equal(list->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(list->items[i].oid, want[i]);
}

#endif
