#include "cli/word_distance.h"

#include <string.h>

enum { WIDTH = WORD_DISTANCE_LONGEST + 1 };

static int same(char a, char b) { return a == b || (strchr("-_", a) != NULL && strchr("-_", b) != NULL); }

static size_t lesser(size_t a, size_t b) { return a < b ? a : b; }

size_t word_distance(const char *word, size_t n, const char *name)
{
    size_t n_name = strlen(name), rows[3][WIDTH]; /* row i of the table is rows[i % 3] */

    if (n >= WIDTH || n_name >= WIDTH)
        return WORD_DISTANCE_LONGEST;
    for (size_t j = 0; j <= n_name; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n_name; j++) {
            row[j] = lesser(lesser(above[j], row[j - 1]) + 1, above[j - 1] + !same(word[i - 1], name[j - 1]));
            if (i > 1 && j > 1 && same(word[i - 1], name[j - 2]) && same(word[i - 2], name[j - 1]))
                row[j] = lesser(row[j], second_above[j - 2] + 1);
        }
    }
    return rows[n % 3][n_name];
}
