/* report_alignment.h - an HSP column by column: counts, rows, and how it is traced back. */
#ifndef TMS_REPORT_ALIGNMENT_H
#define TMS_REPORT_ALIGNMENT_H

#include "alphabet/residues.h"
#include "report/report_text.h"
#include "tamis/blastp.h"

/* What the formats know of two residues. */
struct report_residues {
    const char *residues; /* of codes */
    bool is_positive[RESIDUE_CODES][RESIDUE_CODES];
};
/* is_markup: as in formats 5, 15 and 16, which differ from the others in what a positive is. */
void report_residues_init(const tms_blastp *search, bool is_markup, struct report_residues *residues);

struct report_counts {
    uint64_t length; /* columns */
    uint64_t n_identical, n_positive, n_gaps, n_openings;
    uint64_t n_before; /* columns before the first residue of the query */
};

/* An HSP, and the residues that it is of. */
struct report_hsp {
    const tms_search_hsp *hsp;
    const uint8_t *query;   /* codes from hsp->query.start on */
    const uint8_t *subject; /* likewise */
    const uint8_t *masked;  /* of each of these residues of the subject 1 if it is shown in lower case; NULL: none is */
    struct report_counts counts;
};

/* report_hsp_count() - the counts, of the rest of the HSP. */
void report_hsp_count(const struct report_residues *residues, struct report_hsp *h);

/* How masked residues of the query are shown. */
struct report_masking {
    enum { REPORT_UNMASKED, REPORT_MASKED_LOWER, REPORT_MASKED_X } as;
    bool whole_only; /* in formats 5, 15 and 16 blastp leaves out an interval that begins before the HSP */
};

/* Each of counts.length bytes. A gap is '-', and one that the HSP begins with is blank. */
struct report_rows {
    struct byte_array query, middle, subject;
};
void report_rows_free(struct report_rows *rows);

/* report_rows_fill() - the rows of an HSP. Returns false if there is no memory. */
bool report_rows_fill(const struct report_residues *residues, const struct report_hsp *h, const tms_search_result *result,
                      struct report_masking masking, struct report_rows *rows);

/* report_btop_put() - numbers of identical columns, and pairs of residues between them: "7AG39". */
void report_btop_put(const struct report_residues *residues, const struct report_hsp *h, struct report_text *t);

/* report_count_covered() - residues of the query that some HSP of a subject has. Returns false if there is no memory. */
bool report_count_covered(const tms_search_subject *subject, uint64_t *out);

#endif
