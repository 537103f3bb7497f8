/* report_writers.c - the table of output formats. A new format is a file with its functions, and a row here. */
#include "report/report_writers.h"

#include <stddef.h>
#include <string.h>

#include "report/report_summary.h"

#define ASN1    "is ASN.1, which tamis does not write: " REPORT_FORMATS_THERE
#define SEVERAL "is JSON or XML in several files, which tamis does not write: 15 and 16 have all queries in one"

static const struct report_writer writers[] = {
    {0, .family = REPORT_TEXT, .sorts_hsps = true, .begin = report_summary_begin, .query = report_pairwise_query,
     .end = report_summary_end},
    {1, .family = REPORT_TEXT, .begin = report_summary_begin, .query = report_anchored_dots_query, .end = report_summary_end},
    {2, .family = REPORT_TEXT, .begin = report_summary_begin, .query = report_anchored_query, .end = report_summary_end},
    {3, .family = REPORT_TEXT, .begin = report_summary_begin, .query = report_flat_dots_query, .end = report_summary_end},
    {4, .family = REPORT_TEXT, .begin = report_summary_begin, .query = report_flat_query, .end = report_summary_end},
    {5, .family = REPORT_MARKUP, .query = report_xml_query, .end = report_xml_end},
    {6, .family = REPORT_TABLE, .delimiter = '\t', .query = report_tabular_query},
    {7, .family = REPORT_TABLE, .delimiter = '\t', .query = report_commented_query, .end = report_commented_end},
    {8, .why_not = ASN1},
    {9, .why_not = ASN1},
    {10, .family = REPORT_TABLE, .delimiter = ',', .query = report_tabular_query},
    {11, .why_not = ASN1},
    {12, .why_not = "is Seqalign as JSON, which tamis does not write: " REPORT_FORMATS_THERE},
    {13, .why_not = SEVERAL},
    {14, .why_not = SEVERAL},
    {15, .family = REPORT_MARKUP, .names_taxa = true, .needs_finite = true, .prepare = report_json_prepare, .begin = report_json_begin,
     .query = report_json_query, .end = report_json_end},
    {16, .family = REPORT_MARKUP, .names_taxa = true, .prepare = report_xml2_prepare, .begin = report_xml2_begin,
     .query = report_xml2_query, .end = report_xml2_end},
    {17, .family = REPORT_READS, .needs_bases = true, .query = report_sam_query, .collect = report_sam_collect, .end = report_sam_end},
    {REPORT_HAS_NO_NUMBER, .name = "html", .family = REPORT_TEXT, .most_queries = 5000, .most_bytes = 100000000, .begin = report_page_begin,
     .query = report_page_query, .end = report_page_end},
    {18, .why_not = "is the organism report, which tamis does not write: " REPORT_FORMATS_THERE},
};

const struct report_writer *report_writer_find(long number)
{
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        if (writers[i].number == number)
            return &writers[i];
    }
    return NULL;
}

const struct report_writer *report_writer_named(struct text name)
{
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        if (writers[i].name != NULL && strlen(writers[i].name) == name.n && memcmp(writers[i].name, name.bytes, name.n) == 0)
            return &writers[i];
    }
    return NULL;
}
