/* search_rows.c - results as rows of numbers (tamis/search.h). */
#include <stdlib.h>

#include "search/search_results.h"
#include "tamis/alphabet.h"

/* Residues of one subject at a time. */
struct subject_codes {
    const tms_seqdb *db;
    const uint8_t *complements; /* NULL: the database has proteins */
    uint8_t *codes;
    size_t capacity;
};

/* Finds the residues of an HSP's subject, of the strand of the alignment. */
static tms_status find_subject(struct subject_codes *s, uint64_t sequence, const tms_search_hsp *hsp, const uint8_t **out)
{
    const size_t n = (size_t)(hsp->subject.end - hsp->subject.start);
    tms_status status;

    if (n > s->capacity) {
        free(s->codes);
        s->capacity = 0;
        s->codes = malloc(2 * n);
        if (s->codes == NULL)
            return TMS_E_MEMORY;
        s->capacity = 2 * n;
    }
    *out = s->codes;
    status = tms_seqdb_residues(s->db, sequence, hsp->subject.start, hsp->subject.end, s->codes);
    for (size_t i = 0; status == TMS_OK && hsp->subject_frame < 0 && i < (n + 1) / 2; i++) {
        const uint8_t first = s->codes[i], last = s->codes[n - 1 - i];
        s->codes[i] = s->complements[last];
        s->codes[n - 1 - i] = s->complements[first];
    }
    return status;
}

/* The residues of an HSP's query. */
static const uint8_t *query_of(const tms_search_result *result, const tms_search_hsp *hsp)
{
    const int frame = hsp->query_frame;
    const uint64_t begin = frame < 0 ? result->query_length - hsp->query.end : hsp->query.start; /* on its strand */

    if (result->frames == NULL)
        return result->codes + hsp->query.start;
    return result->frames[frame < 0 ? 2 - frame : frame - 1].codes + begin / 3;
}

static uint32_t count_equal(const uint8_t *a, const uint8_t *b, uint32_t n)
{
    uint32_t n_equal = 0;

    for (uint32_t i = 0; i < n; i++)
        n_equal += a[i] == b[i];
    return n_equal;
}

static void count_columns(const tms_search_hsp *hsp, const uint8_t *query, const uint8_t *subject, tms_search_row *row)
{
    for (size_t i = 0; i < hsp->n_runs; i++) {
        const tms_aligned_run run = hsp->runs[i];
        row->n_columns += run.n;
        if (run.kind == TMS_ALIGNED_MATCH) {
            row->n_identical += count_equal(query, subject, run.n);
        } else {
            row->n_openings++;
            row->n_gaps += run.n;
        }
        query += run.kind != TMS_ALIGNED_GAP_IN_QUERY ? run.n : 0;
        subject += run.kind != TMS_ALIGNED_GAP_IN_SUBJECT ? run.n : 0;
    }
}

static tms_status put_row(struct subject_codes *s, const tms_search_results *results, size_t query, uint64_t sequence,
                          const tms_search_hsp *hsp, tms_search_row *row)
{
    const uint8_t *subject;
    const tms_status status = find_subject(s, sequence, hsp, &subject);

    if (status != TMS_OK)
        return status;
    *row = (tms_search_row){.query = query,
                            .subject = sequence,
                            .query_start = hsp->query.start,
                            .query_end = hsp->query.end,
                            .subject_start = hsp->subject.start,
                            .subject_end = hsp->subject.end,
                            .evalue = hsp->evalue,
                            .bits = hsp->bits,
                            .score = hsp->score,
                            .query_frame = hsp->query_frame,
                            .subject_frame = hsp->subject_frame};
    count_columns(hsp, query_of(&results->items[query], hsp), subject, row);
    return TMS_OK;
}

uint64_t tms_search_results_n_hsps(const tms_search_results *results) { return results->n_hsps; }

tms_status tms_search_results_rows(const tms_search_results *results, const tms_seqdb *db, tms_search_row *rows)
{
    struct subject_codes s = {.db = db};
    tms_seqdb_info info;
    tms_status status = TMS_OK;

    tms_seqdb_get_info(db, &info);
    if (info.molecule == TMS_NUCLEOTIDE)
        s.complements = tms_alphabet_complements(TMS_ALPHABET_BLASTNA);
    for (size_t q = 0; q < results->n && status == TMS_OK; q++) {
        const tms_search_result *result = &results->items[q];
        for (size_t i = 0; i < result->n_subjects && status == TMS_OK; i++)
            for (size_t k = 0; k < result->subjects[i].n_hsps && status == TMS_OK; k++)
                status = put_row(&s, results, q, result->subjects[i].sequence, &result->subjects[i].hsps[k], rows++);
    }
    free(s.codes);
    return status;
}
