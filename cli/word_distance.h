/*
 * word_distance.h - how far one word is from another, to tell what was probably meant.
 */
#ifndef TAMIS_CLI_WORD_DISTANCE_H
#define TAMIS_CLI_WORD_DISTANCE_H

#include <stddef.h>

enum { WORD_DISTANCE_LONGEST = 31 };

/*
 * word_distance() - insertions, deletions, replacements and exchanges of neighbours from the first n letters of word to the name; '-' and
 * '_' are alike. WORD_DISTANCE_LONGEST if one of them is longer than that.
 */
size_t word_distance(const char *word, size_t n, const char *name);

#endif
