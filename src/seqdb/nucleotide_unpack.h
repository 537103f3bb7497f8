/*
 * nucleotide_unpack.h - unpacks two bits a base to one byte a base, and writes the ambiguous bases over them.
 *
 * A packed byte has four bases, the first in its top bits. The ambiguity block behind a sequence has big-endian words: the first is the
 * number of words that follow, and its top bit means that runs have two words. One word: code (NCBI4na) in bits 31-28, length - 1 in
 * 27-24, start in 23-0. Two words: code in 31-28, length - 1 in 27-16; then the start.
 */
#ifndef TMS_NUCLEOTIDE_UNPACK_H
#define TMS_NUCLEOTIDE_UNPACK_H

#include "base/core.h"
#include "seqdb/seqdb_map.h"

/* The output byte of each base and of each ambiguous base. */
struct nucleotide_codes {
    uint8_t of_byte[256][4]; /* the four bases of each packed byte */
    uint8_t of_ncbi4na[16];
};
extern const struct nucleotide_codes nucleotide_blastna, nucleotide_characters;

/* nucleotide_unpack() - unpack bases start .. end - 1; out has room for end - start bytes. */
void nucleotide_unpack(const struct nucleotide_codes *codes, const uint8_t *packed, uint64_t start, uint64_t end, uint8_t *out);

/* A run of one ambiguous base. */
struct ambiguity_run {
    uint8_t ncbi4na;
    uint64_t start, end;
};

/* The runs of an ambiguity block. */
struct ambiguity {
    const uint8_t *words; /* the words of the runs */
    size_t n_runs;
    bool is_long; /* true: a run has two words */
};

/* ambiguity_read() - read a block; a block of size 0 has no runs. Returns NULL, or what is wrong with its size. */
const char *ambiguity_read(struct seqdb_bytes block, struct ambiguity *out);
struct ambiguity_run ambiguity_run(const struct ambiguity *ambiguity, size_t i);

/* ambiguity_check() - NULL if the runs are inside a sequence of n_bases, in order and without overlaps; else what is wrong. */
const char *ambiguity_check(const struct ambiguity *ambiguity, uint64_t n_bases);

/* ambiguity_find() - number of the first run that ends after base `at`; n_runs if there is none. */
size_t ambiguity_find(const struct ambiguity *ambiguity, uint64_t at);

/*
 * ambiguity_lay() - write the ambiguous bases over bases start .. end - 1, which are in out. Costs a binary search, and the runs in that
 * range. Returns NULL, or what is wrong with one of these runs; out is then undefined, but nothing is written beyond it, whatever the
 * block contains.
 */
const char *ambiguity_lay(const struct nucleotide_codes *codes, const struct ambiguity *ambiguity, uint64_t n_bases, uint64_t start,
                          uint64_t end, uint8_t *out);

#endif
