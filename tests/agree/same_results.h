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

/* Space for n records of up to `longest` residues. */
static void begin_records(size_t n, size_t longest, struct records *out)
{
    memset(out, 0, sizeof *out);
    out->starts = sample_alloc((n + 1) * sizeof *out->starts);
    out->header_starts = sample_alloc((n + 1) * sizeof *out->header_starts);
    out->name_sizes = sample_alloc((n + 1) * sizeof *out->name_sizes);
    out->headers = sample_alloc(n * 16 + 1);
    out->residues = sample_alloc(n * (longest + 1) + 1);
    out->starts[0] = out->header_starts[0] = 0;
}

/* Ends record i, of which the residues are there, and names it. */
static void end_record(size_t i, size_t length, struct records *out)
{
    out->residues[out->starts[i] + length] = 0;
    out->starts[i + 1] = out->starts[i] + length + 1;
    out->name_sizes[i] = (uint32_t)sprintf(out->headers + out->header_starts[i], "s%zu", i);
    out->header_starts[i + 1] = out->header_starts[i] + out->name_sizes[i] + 1;
}

static void end_records(size_t n, struct records *out)
{
    out->seqs = (tms_seqs){.n_records = n,
                           .residues = out->residues,
                           .residue_starts = out->starts,
                           .headers = out->headers,
                           .header_starts = out->header_starts,
                           .name_sizes = out->name_sizes};
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
