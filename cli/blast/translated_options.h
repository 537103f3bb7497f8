/* translated_options.h - the options that programs share which translate queries or subjects: their rows, and their checks. */
#ifndef TAMIS_CLI_TRANSLATED_OPTIONS_H
#define TAMIS_CLI_TRANSLATED_OPTIONS_H

#include "cli/blast/protein_options.h"

/* As typed. */
typedef struct translated_own_options {
    int sum_stats;
    uint32_t genetic_code, max_intron_length;
} translated_own_options;

/* The first member of each such program's job. */
typedef struct translated_job {
    protein_job protein;
    translated_own_options translated;
} translated_job;

/*
 * translated_check() - as protein_check(), and refuses what these programs do not have yet. A program with further options sets its
 * parameters before, from job->translated.
 *   gencode [in] the name of the option with the genetic code
 */
int translated_check(translated_job *job, const options_given *given, const char *gencode);

/* clang-format off */
/* name: of the option; what: what is translated. */
#define TRANSLATED_ROW_GENCODE(name, what_is_translated) \
    {0, NULL, "N", OPTION_SIZE(translated_job, translated.genetic_code, 1, 33), .blast = name, .initial = "1", .what = "a genetic code", \
     .help = "genetic code of the " what_is_translated ", by NCBI's number: 1 to 6, 9 to 16, 21 to 31, 33"}

#define TRANSLATED_ROWS_LINKING(sequence) \
    {0, NULL, "true|false", OPTION_BOOLEAN(translated_job, translated.sum_stats), .blast = "sum_stats", .initial = "true", \
     .help = "link HSPs that follow each other, and give them the E-value of their chain"}, \
    {0, NULL, "N", OPTION_SIZE(translated_job, translated.max_intron_length, 0, INT32_MAX), .blast = "max_intron_length", .initial = "0", \
     .what = "a number of bases", \
     .help = "bases of the " sequence " between linked HSPs, at most; 0: 122; 1 to 4: HSPs are not linked"}
/* clang-format on */

#endif
