/*
 * word_distance.h - the edit distance between two words, to suggest what was probably meant.
 */
#ifndef TAMIS_CLI_WORD_DISTANCE_H
#define TAMIS_CLI_WORD_DISTANCE_H

#include <stddef.h>

enum { WORD_DISTANCE_LONGEST = 31 };

/*
 * word_distance() - the number of insertions, deletions, substitutions and transpositions of neighbours that turn the first n characters of
 * word into the name; '-' and '_' are equal. WORD_DISTANCE_LONGEST if either is longer than that.
 */
size_t word_distance(const char *word, size_t n, const char *name);

#endif
