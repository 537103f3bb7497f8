/*
 * report_program.h - the search program whose output a report is, and the parameters of its search, as the formats print them. A program
 * fills this in once for each search; nothing else in this room depends on which program it is.
 */
#ifndef TMS_REPORT_PROGRAM_H
#define TMS_REPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"
#include "tamis/seqdb.h"

struct report_reference {
    const char *title;  /* "Reference" */
    const char *pubmed; /* number of the article in PubMed */
    const char *text;   /* in one line, in ASCII; an umlaut is an entity: "Sch&auml;ffer" */
};

/* Parameters of the Karlin-Altschul statistics. */
struct report_statistics {
    double lambda, K, H;
    double a, alpha, sigma; /* of the correction for finite lengths */
};

struct report_program {
    const char *name;                          /* in lower case, for formats 5, 15 and 16 */
    const char *version;                       /* name and version, for all formats */
    const char *heading;                       /* formats 0 to 4: in place of version; NULL: version */
    const char *preface;                       /* formats 0 to 4: lines before the references; NULL: none */
    const struct report_reference *references; /* n_references, 1 or more; formats 5, 15 and 16 print the first alone */
    size_t n_references;
    tms_molecule query_molecule, subject_molecule;
    uint32_t query_genetic_code;                    /* queries are translated by this code; 0: they are not */
    uint32_t subject_genetic_code;                  /* the same of subjects */
    const char *residues;                           /* the letter of each residue code */
    bool is_positive[RESIDUE_CODES][RESIDUE_CODES]; /* the score of the two residues, as codes, is above 0 */

    /* The search. Texts are borrowed. */
    const char *matrix;                /* name of the scoring matrix */
    const char *matrix_as_typed;       /* the same as the user wrote it, for the foot of formats 0 to 4 */
    int32_t reward, penalty;           /* scores of equal and of different bases, instead of a matrix; reward 0: there is a matrix */
    bool only_scores;                  /* formats 0 to 4 have neither a table of subjects nor bits, E-values and statistics, and no format
                                        * has reward and penalty */
    double base_gap;                   /* cost of each base of a gap, where gap_open and gap_extend are both 0 */
    bool is_ungapped;                  /* alignments have no gaps */
    bool shows_chains;                 /* formats 0 to 4 list how many HSPs the best chain of each subject has */
    int32_t gap_open, gap_extend;      /* costs; printed unless is_ungapped */
    double evalue;                     /* the threshold */
    double threshold;                  /* score of two words that are a hit; 0: not printed */
    uint32_t window;                   /* residues between two hits, at most; 0: not printed */
    uint32_t composition;              /* as -comp_based_stats counts; 0: not printed */
    char filter[520];                  /* the masks of queries, as formats 5, 15 and 16 print them: "L;m;" */
    struct report_statistics gapped;   /* of gapped alignments; lambda below 0: those of the query without gaps */
    double ungapped_a, ungapped_alpha; /* of ungapped alignments */
    bool has_search_space;             /* -searchsp: E-values have no correction for finite lengths */
};

#endif
