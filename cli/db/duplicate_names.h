/*
 * duplicate_names.h - remarks about the records of a query or a subject: repeated names, and no record with a whole w-mer.
 */
#ifndef TAMIS_RECORD_NOTES_H
#define TAMIS_RECORD_NOTES_H

#include "tamis/dna.h"

enum { RECORD_NOTES_MAX_NAMES = 1 << 20 }; /* names that are kept, of the first records: at most 16 MiB */

typedef struct record_notes {
    uint64_t next; /* number of the first record that was not seen yet */
    uint64_t longest_bp;
    uint64_t n_repeated; /* records with the name of an earlier one */
    char repeated[64];   /* the beginning of the first such name */
    uint64_t *names;     /* n_slots slots of a hash table; 0: free. Among a million names, the probability that two have the same
                            64-bit hash is below 10^-7 */
    size_t n_names, n_slots;
    int full;   /* keep no more names */
} record_notes; /* all zero: empty */

/* record_notes_add() - adds the records of a chunk. After an allocation failure it keeps no more names. */
void record_notes_add(record_notes *notes, const tms_dna *dna);

/* record_notes_say() - prints the remarks on standard error. what: "query" or "subject"; n_words: its w-mers. */
void record_notes_say(const record_notes *notes, const char *command, const char *what, uint32_t word_size, uint64_t n_words);

void record_notes_free(record_notes *notes);

#endif
