/* genes.h - a protein, and genes of it, for tests of translated searches. */
#ifndef TMS_TEST_GENES_H
#define TMS_TEST_GENES_H

#include <string.h>

enum { N_PROTEIN = 121, MOST = 2000 };

static const char protein[N_PROTEIN + 1] =
    "MKRISTTITTTITITTGNGAGWHYDEQLPRCFKNVAMSDEPWYHKLRTGCQNVFIAMKDERWSTPYLHGQNCVFKIADEMWRSTPYLHGQNKCVFIDAERWMKSTPYGLHNQCVDFIKAEW";

/* Returns a codon of the standard code. */
static inline const char *codon_of(char residue)
{
    static const char code[] = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG", order[] = "TCAG";
    static char codon[4];
    const size_t i = (size_t)(strchr(code, residue) - code);

    codon[0] = order[i / 16];
    codon[1] = order[i / 4 % 4];
    codon[2] = order[i % 4];
    return codon;
}

static inline void add_gene(char *to, int first, int end)
{
    for (int i = first; i < end; i++)
        strcat(to, codon_of(protein[i]));
}

static inline void reverse(const char *from, char *to)
{
    const size_t n = strlen(from);

    for (size_t i = 0; i < n; i++)
        to[i] = "TGCA"[strchr("ACGT", from[n - 1 - i]) - "ACGT"];
    to[n] = '\0';
}

#endif
