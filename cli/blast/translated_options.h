/* translated_options.h - programs that translate queries or subjects: what differs between them, their job, options and checks. */
#ifndef TAMIS_CLI_TRANSLATED_OPTIONS_H
#define TAMIS_CLI_TRANSLATED_OPTIONS_H

#include "cli/blast/protein_options.h"
#include "tamis/translated.h"

/* A program. */
typedef struct translated_kind {
    const option_table *options;
    const char *version;                       /* for reports */
    tms_molecule queries, subjects;            /* nucleotides are translated */
    const char *query_advice, *subject_advice; /* of blast_job */
    tms_blastp_params (*defaults)(void);
    tms_status (*create)(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *protein, size_t protein_size,
                         const tms_translated_params *params, size_t params_size, tms_translated **out);
} translated_kind;

extern const translated_kind translated_blastx, translated_tblastn, translated_tblastx; /* in the files of their options */

/* As typed. */
typedef struct translated_own_options {
    int strand, sum_stats;
    uint32_t query_gencode, db_gencode, max_intron_length;
} translated_own_options;

typedef struct translated_job {
    protein_job protein;
    translated_own_options translated;
    const translated_kind *kind;
    tms_translated_params params; /* the combined meaning of the options */
    tms_translated *search;       /* of the run */
} translated_job;

/* translated_check() - as protein_check(); sets params, too, and refuses what the program does not have yet. */
int translated_check(translated_job *job, const options_given *given);

/* blastx_run(), ... - the commands; parts: what a report is made from, instead of a search; NULL: none. Return the exit code. */
int blastx_run(int argc, char **argv, struct blast_parts *parts);
int tblastn_run(int argc, char **argv, struct blast_parts *parts);
int tblastx_run(int argc, char **argv, struct blast_parts *parts);

/* clang-format off */
enum { TRANSLATED_BOTH_STRANDS, TRANSLATED_PLUS_STRAND, TRANSLATED_MINUS_STRAND };
#define TRANSLATED_ROW_STRAND \
    {0, NULL, "STRAND", OPTION_CHOICE(translated_job, translated.strand, "both plus minus", TRANSLATED_BOTH_STRANDS), .blast = "strand", \
     .initial = "both", .help = "strands of the queries to translate: both, plus or minus"}

#define TRANSLATED_ROW_QUERY_CODE \
    {0, NULL, "N", OPTION_SIZE(translated_job, translated.query_gencode, 1, 33), .blast = "query_gencode", .initial = "1", \
     .what = "a genetic code", .help = "genetic code of the queries, by NCBI's number: 1 to 6, 9 to 16, 21 to 31, 33"}

#define TRANSLATED_ROW_DB_CODE \
    {0, NULL, "N", OPTION_SIZE(translated_job, translated.db_gencode, 1, 33), .blast = "db_gencode", .initial = "1", \
     .what = "a genetic code", .help = "genetic code of the subjects, by NCBI's number: 1 to 6, 9 to 16, 21 to 31, 33"}

#define TRANSLATED_ROW_SUM_STATS \
    {0, NULL, "true|false", OPTION_BOOLEAN(translated_job, translated.sum_stats), .blast = "sum_stats", .initial = "true", \
     .help = "link HSPs that follow each other, and give them the E-value of their chain"}

#define TRANSLATED_ROW_INTRON(meaning) \
    {0, NULL, "N", OPTION_SIZE(translated_job, translated.max_intron_length, 0, INT32_MAX), .blast = "max_intron_length", .initial = "0", \
     .what = "a number of bases", .help = meaning}

#define TRANSLATED_ROWS_LINKING(sequence) \
    TRANSLATED_ROW_SUM_STATS, \
    TRANSLATED_ROW_INTRON("bases of the " sequence " between linked HSPs, at most; 0: 122; 1 to 4: HSPs are not linked")
/* clang-format on */

#endif
