/* same_results.h - records in memory, and results of searches that have to be the same. After unit/samples.h. */
#ifndef TAMIS_TESTS_SAME_RESULTS_H
#define TAMIS_TESTS_SAME_RESULTS_H

#include "tamis/search.h"

struct records {
    tms_seqs seqs;
    uint8_t *residues;
    uint64_t *starts, *header_starts;
    uint32_t *name_sizes;
    char *headers;
};

static void free_records(struct records *r)
{
    free(r->residues);
    free(r->starts);
    free(r->header_starts);
    free(r->name_sizes);
    free(r->headers);
}

static void assert_same_hsp(const tms_search_hsp *got, const tms_search_hsp *want)
{
    assert_int_equal(got->query.start, want->query.start);
    assert_int_equal(got->query.end, want->query.end);
    assert_int_equal(got->subject.start, want->subject.start);
    assert_int_equal(got->subject.end, want->subject.end);
    assert_int_equal(got->score, want->score);
    assert_memory_equal(&got->evalue, &want->evalue, sizeof got->evalue);
    assert_int_equal(got->n_runs, want->n_runs);
    for (size_t i = 0; i < got->n_runs; i++)
        assert_memory_equal(&got->runs[i], &want->runs[i], sizeof *got->runs);
}

static void assert_same_results(const tms_search_results *got, const tms_search_results *want, size_t n)
{
    for (size_t q = 0; q < n; q++) {
        tms_search_result a, b;
        tms_search_results_get(got, q, &a);
        tms_search_results_get(want, q, &b);
        assert_int_equal(a.n_subjects, b.n_subjects);
        for (size_t i = 0; i < a.n_subjects; i++) {
            assert_int_equal(a.subjects[i].sequence, b.subjects[i].sequence);
            assert_int_equal(a.subjects[i].n_hsps, b.subjects[i].n_hsps);
            for (size_t k = 0; k < a.subjects[i].n_hsps; k++)
                assert_same_hsp(&a.subjects[i].hsps[k], &b.subjects[i].hsps[k]);
        }
    }
}

#endif
