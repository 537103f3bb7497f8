/*
 * classify_report.h - reports the number of reads of each reference: as a table, as JSON for MultiQC, and as a Kraken report.
 */
#ifndef TAMIS_CLI_CLASSIFY_REPORT_H
#define TAMIS_CLI_CLASSIFY_REPORT_H

#include "archive/archive_manifest.h"
#include "base/byte_array.h"
#include "tamis/classify.h"

typedef struct classify_counts {
    uint64_t of_reference[TMS_MAX_REFERENCES], n_unmatched, n_ambiguous, n_units;
    uint64_t n_words;                  /* k-mers of all units */
    uint64_t n_with_words, most_words; /* units with k-mers; k-mers of the longest unit */
    uint64_t n_unmatchable;            /* units with k-mers that need more hits than they have k-mers */
} classify_counts;

/* classify_counts_add() - adds the results of n units. */
void classify_counts_add(classify_counts *counts, const tms_classifier *classifier, const tms_classified *results, size_t n);

typedef struct classify_report {
    const tms_classifier *classifier;
    const char *const *names; /* of the references */
    size_t n_references;
    const char *sample; /* name of the sample */
    tms_rule rule;
    uint32_t min_hits; /* as asked; 0: by max_false */
    double max_false;  /* as asked; 0: the default */
    int are_pairs;
    const classify_counts *counts;
    const struct archive_manifest *mark; /* of a shard, classify_mark.h; NULL: the report is of all reads */
} classify_report;

/* classify_report_length() - bases of a read with the units' mean number of k-mers, rounded; 0: they have none. */
uint64_t classify_report_length(const classify_report *report);

/* classify_counts_sum() - adds the counts of other units. */
void classify_counts_sum(classify_counts *counts, const classify_counts *more);

/*
 * classify_report_can_match() - whether any unit could have matched. If none could, the verdict "none" means nothing.
 *   filters [in] what to call the references' filters
 *   why     [out] if false: the reason, for a message
 */
enum { CLASSIFY_WHY = 1024 };
bool classify_report_can_match(const classify_report *report, const char *const *filters, char why[CLASSIFY_WHY]);

/*
 * classify_report_table() - writes a header, then a line for each reference, "unmatched", "ambiguous" and "total": number of units, share,
 * and, for references and the total, the expected matches by chance among 10^6 random units with the input's mean number of k-mers.
 * classify_report_json() - writes the numbers of the table; MultiQC shows the counts as a bar for each sample.
 * classify_report_kraken() - writes the counts in the format of Kraken 2's --report: references are species below the root, which has the
 * ambiguous units. The taxon numbers of references are derived from their names, and are higher than all of NCBI's.
 * The first two also write the mark of a shard, if there is one. Return false if memory is short.
 */
bool classify_report_table(const classify_report *report, struct byte_array *to);
bool classify_report_json(const classify_report *report, struct byte_array *to);
bool classify_report_kraken(const classify_report *report, struct byte_array *to);

#endif
