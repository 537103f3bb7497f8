/* classify_sums.h - the report of a run of tamis classify from the summaries of its shards. */
#ifndef TAMIS_CLI_CLASSIFY_SUMS_H
#define TAMIS_CLI_CLASSIFY_SUMS_H

#include <stddef.h>

typedef struct classify_sums {
    const char *command; /* for messages */
    const char *const *paths;
    size_t n_paths;
    const char *out;     /* the summary, a table or JSON as the files are; NULL: none */
    const char *kreport; /* a Kraken report; NULL: none */
    int check;           /* write nothing, but print the numbers of missing and damaged shards */
} classify_sums;

/*
 * classify_sums_report() - adds up the summaries of all shards, and writes what one run over all reads would have written.
 * Returns CLI_OK; with check CLI_NO_MATCH if a shard is missing; or another exit code after a message: a shard is missing, or two files are
 * of different runs.
 */
int classify_sums_report(const classify_sums *sums);

#endif
