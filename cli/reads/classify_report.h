/*
 * classify_report.h - the numbers of reads of each reference: as a table, as JSON for MultiQC, and as Kraken's report.
 */
#ifndef TAMIS_CLI_CLASSIFY_REPORT_H
#define TAMIS_CLI_CLASSIFY_REPORT_H

#include "base/byte_array.h"
#include "tamis/classify.h"

typedef struct classify_counts {
    uint64_t of_reference[TMS_MAX_REFERENCES], n_unmatched, n_ambiguous, n_units;
    uint64_t n_words;                  /* k-mers of all units */
    uint64_t n_with_words, most_words; /* units with k-mers; k-mers of the longest unit */
    uint64_t n_hopeless;               /* units with k-mers that need more hits than they have k-mers */
} classify_counts;

void classify_counts_add(classify_counts *counts, const tms_classifier *classifier, const tms_classified *results, size_t n);

typedef struct classify_report {
    const tms_classifier *classifier;
    const char *const *names; /* of the references */
    size_t n_references;
    const char *sample; /* name of the sample */
    const char *rule;
    int are_pairs;
    const classify_counts *counts;
} classify_report;

/*
 * classify_report_table() - a line of names, then for each reference, "unmatched", "ambiguous" and "total" the units, their share, and for
 * references and in all the expected false matches among 10^6 random units with the input's average number of k-mers.
 * classify_report_json() - the numbers of the table; MultiQC shows the counts as a bar for each sample.
 * classify_report_kraken() - the counts in the format of Kraken 2's --report: references as species below the root, which has the
 * ambiguous units. Kraken's taxa have NCBI's numbers; references have numbers derived from their names, above all of NCBI's.
 * Return false if there is no memory.
 */
bool classify_report_table(const classify_report *report, struct byte_array *to);
bool classify_report_json(const classify_report *report, struct byte_array *to);
bool classify_report_kraken(const classify_report *report, struct byte_array *to);

#endif
