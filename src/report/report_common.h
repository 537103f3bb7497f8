/* report_common.h - what the writers of all formats read and name: queries, subjects, HSPs, statistics. */
#ifndef TMS_REPORT_COMMON_H
#define TMS_REPORT_COMMON_H

#include "report/report_struct.h"

/* report_fail_memory() - IO_E_MEMORY, with a sentence. */
io_status report_fail_memory(io_error *err) TMS_CHECKED;

/* report_fail_subject() - a sequence of the database, or a record of -subject, could not be read. */
io_status report_fail_subject(const struct report *report, uint64_t sequence, tms_status status, io_error *err) TMS_CHECKED;

/* report_name_query() - the query's name, to report->query. Returns IO_OK; IO_E_INPUT: its header should have an id and has none. */
io_status report_name_query(struct report *report, const struct report_query *query, io_error *err) TMS_CHECKED;

/* report_count_query() - the query was put. With parse_deflines queries without an id are counted on their own, too. */
void report_count_query(struct report *report, const struct report_query *query);

/* report_read_subject() - the names of a subject. */
io_status report_read_subject(struct report *report, uint64_t sequence, io_error *err) TMS_CHECKED;

/* report_read_hsp() - the residues of an HSP, and its counts. *out is good until the next call. */
io_status report_read_hsp(struct report *report, const struct report_query *query, uint64_t sequence, const tms_search_hsp *hsp,
                          struct report_hsp *out, io_error *err) TMS_CHECKED;

/* report_find_query() - fills in the residues of the query of out->hsp, and their masks. Returns false if memory runs out. */
bool report_find_query(struct report *report, const struct report_query *query, struct report_hsp *out);

/*
 * report_count_identical() - identities as the search counted them: O was X (in subjects only with -subject), and so was an ambiguous
 * codon; residues were hidden.
 */
uint64_t report_count_identical(const struct report *report, const struct report_hsp *h);

/* report_subject_length() - residues of the whole subject. */
static inline uint64_t report_subject_length(const struct report *report, uint64_t sequence)
{
    const uint64_t *lengths = report->options.subject_lengths;

    return lengths != NULL ? lengths[sequence] : tms_seqdb_length(report->options.db, sequence);
}

/* report_translates_subjects() - subjects are aligned by frames of their translations. */
static inline bool report_translates_subjects(const struct report *report) { return report->options.program->subject_genetic_code > 0; }

/* report_hit_from(), report_hit_to() - as report_subject_from(), in the whole subject, as formats 5, 15 and 16 have them: frames ascend. */
static inline uint64_t report_hit_from(const struct report *report, const tms_search_hsp *hsp)
{
    return report->options.subject_offset + (report_translates_subjects(report) ? hsp->subject.start + 1 : report_subject_from(hsp));
}
static inline uint64_t report_hit_to(const struct report *report, const tms_search_hsp *hsp)
{
    return report->options.subject_offset + (report_translates_subjects(report) ? hsp->subject.end : report_subject_to(hsp));
}

/* report_full_length() - residues of the whole query, of which -query_loc may leave out some. */
static inline uint64_t report_full_length(const struct report_query *query)
{
    return query->full_length > 0 ? query->full_length : query->result->query_length;
}

/*
 * report_keeps_frame_mask() - whether NCBI's program knows a mask of a query's frame (0 .. 5: 1, 2, 3, -1, -2, -3), in residues of the
 * frame. It turns masks to bases; those of a single residue of a minus frame are lost, unless they reach the end of the query [sic].
 */
bool report_keeps_frame_mask(size_t frame, const tms_interval *masked);

/* report_query_frame() - the frame of an HSP, counted in the whole query; 0: not translated. */
static inline int report_query_frame(const struct report_query *query, const tms_search_hsp *hsp)
{
    const uint64_t from = query->offset + report_query_from(hsp);

    if (!report_is_translated(query->result))
        return 0;
    return hsp->query_frame > 0 ? (int)((from - 1) % 3) + 1 : -(int)((report_full_length(query) - from) % 3) - 1;
}

/* report_tidy() - the tidied title of a name, in report->scratch; good until the next call. If memory runs out, t->is_lost is set. */
struct text report_tidy(struct report *report, const struct report_name *name, struct report_text *t);

/* report_put_label() - the name of the current query in warnings. Returns false if memory runs out. */
bool report_put_label(const struct report *report, struct byte_array *to);

/*
 * report_query_text() - the name of the current query in formats 0 to 4 and 7: with parse_deflines accession.version, a blank, and the
 * title; else the title as it is.
 */
void report_query_text(const struct report *report, struct byte_array *to, struct report_text *t);

/* Formats 5, 15 and 16. */

/* report_query_id() - of the current query. */
struct text report_query_id(const struct report *report);

/* report_hit_id(), report_hit_accession() - of defline i of the current subject. */
struct text report_hit_id(const struct report *report, size_t i);
struct text report_hit_accession(const struct report *report, size_t i);

/* report_message() - that there are no hits, and the query's warning, to report->scratch. Returns whether there is a message. */
bool report_message(struct report *report, const struct report_query *query, struct report_text *t);

/* report_statistics_of() - the parameters that the E-values of a query are computed with; -1 if it has none. */
struct report_statistics report_statistics_of(const struct report *report, const tms_search_result *result);

#endif
