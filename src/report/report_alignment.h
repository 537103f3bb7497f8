/* report_alignment.h - an HSP column by column: counts, rows, and its traceback as text. */
#ifndef TMS_REPORT_ALIGNMENT_H
#define TMS_REPORT_ALIGNMENT_H

#include "report/report_program.h"
#include "report/report_text.h"
#include "tamis/search.h"

/* How residue codes are printed, and which pairs are positives: equal ones too. */
struct report_residues {
    const char *residues; /* the letter of each code */
    bool is_positive[RESIDUE_CODES][RESIDUE_CODES];
    bool has_bars; /* bases: the middle row has a bar between equal ones; else the letter, or a plus between others that are positives */
};

/* report_residues_init() - is_markup: positives as formats 5, 15 and 16 count them, which differ from those of the other formats. */
void report_residues_init(const struct report_program *program, bool is_markup, struct report_residues *residues);

struct report_counts {
    uint64_t length; /* columns */
    uint64_t n_identical, n_positive, n_gaps, n_openings;
    uint64_t n_before; /* columns before the first residue of the query */
};

/* An HSP and the residues that it aligns. */
struct report_hsp {
    const tms_search_hsp *hsp;
    const uint8_t *query;             /* residue codes, from hsp->query.start on; of a frame, the residues from there on */
    const uint8_t *subject;           /* residue codes, from hsp->subject.start on */
    const uint8_t *compared;          /* the same where identities are an order; NULL: the same ones */
    int subject_frame;                /* of a translated subject, counted in the whole of it; else 0 */
    uint64_t query_at;                /* position of the first of them in the query, or in the frame */
    const tms_interval *query_masked; /* n_query_masked intervals of these positions, as reports show them */
    size_t n_query_masked;
    const uint8_t *masked; /* for each residue in subject: 1: it is shown in lower case; NULL: no residue is */
    const uint8_t *hidden; /* for each residue in subject: 1: the search took it as X, or a base as B; NULL: no residue */
    struct report_counts counts;
};

/* report_is_translated() - the query is aligned by a frame of its translation. */
static inline bool report_is_translated(const tms_search_result *result) { return result->frames != NULL; }

/* report_query_residues() - residues of the query in an HSP. */
static inline uint64_t report_query_residues(const tms_search_result *result, const tms_search_hsp *hsp)
{
    return (hsp->query.end - hsp->query.start) / (report_is_translated(result) ? 3 : 1);
}

/* report_query_descends() - positions of the query descend: the frame is of the minus strand. */
static inline bool report_query_descends(const tms_search_hsp *hsp) { return hsp->query_frame < 0; }

/* report_query_from(), report_query_to() - as report_subject_from(), in the part of the query that was searched. */
static inline uint64_t report_query_from(const tms_search_hsp *hsp)
{
    return report_query_descends(hsp) ? hsp->query.end : hsp->query.start + 1;
}
static inline uint64_t report_query_to(const tms_search_hsp *hsp)
{
    return report_query_descends(hsp) ? hsp->query.start + 1 : hsp->query.end;
}

/* report_hsp_count() - fills in h->counts. */
void report_hsp_count(const struct report_residues *residues, struct report_hsp *h);

/* report_subject_from(), report_subject_to() - positions, from 1, of the first and the last residue of the subject's row. */
static inline uint64_t report_subject_from(const tms_search_hsp *hsp)
{
    return hsp->subject_frame < 0 ? hsp->subject.end : hsp->subject.start + 1;
}
static inline uint64_t report_subject_to(const tms_search_hsp *hsp)
{
    return hsp->subject_frame < 0 ? hsp->subject.start + 1 : hsp->subject.end;
}

/* How masked residues of the query are shown. */
struct report_masking {
    enum { REPORT_UNMASKED, REPORT_MASKED_LOWER, REPORT_MASKED_X } as;
    bool whole_only; /* formats 5, 15 and 16 do not show a mask that begins before the HSP */
};

/* Rows of counts.length bytes. A gap is '-', but blank at the beginning of the HSP. */
struct report_rows {
    struct byte_array query, middle, subject;
};
void report_rows_free(struct report_rows *rows);

/* report_rows_fill() - the rows of an HSP. Returns false if memory runs out. */
bool report_rows_fill(const struct report_residues *residues, const struct report_hsp *h, struct report_masking masking,
                      struct report_rows *rows);

/* report_btop_put() - the traceback: numbers of identical columns, and between them pairs of residues: "7AG39". */
void report_btop_put(const struct report_residues *residues, const struct report_hsp *h, struct report_text *t);

/* report_count_covered() - *out: residues of the query that the HSPs of a subject cover. Returns false if memory runs out. */
bool report_count_covered(const tms_search_subject *subject, uint64_t *out);

#endif
