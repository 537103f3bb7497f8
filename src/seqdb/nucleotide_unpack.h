/*
 * nucleotide_unpack.h - two bits a base to one byte a base, and the ambiguous letters over them.
 *
 * A packed byte has four bases, the first in its top bits. The ambiguity block behind a sequence is big-endian words: the first says
 * how many follow, and with its top bit that runs have two words. One word: letter (NCBI4na) in bits 31-28, length - 1 in 27-24, start in
 * 23-0. Two words: letter in 31-28, length - 1 in 27-16; then the start.
 */
#ifndef TMS_NUCLEOTIDE_UNPACK_H
#define TMS_NUCLEOTIDE_UNPACK_H

#include "base/core.h"
#include "seqdb/seqdb_map.h"

/* What a base and an ambiguous letter become. */
struct nucleotide_codes {
    uint8_t of_byte[256][4]; /* of the four bases of a packed byte */
    uint8_t of_ncbi4na[16];
};
extern const struct nucleotide_codes nucleotide_blastna, nucleotide_letters;

/* nucleotide_unpack() - bases start .. end - 1 of packed ones; out has end - start bytes. */
void nucleotide_unpack(const struct nucleotide_codes *codes, const uint8_t *packed, uint64_t start, uint64_t end, uint8_t *out);

/* One run of an ambiguous letter. */
struct ambiguity_run {
    uint8_t ncbi4na;
    uint64_t start, end;
};

/* The runs of a block, one after the other. */
struct ambiguity {
    const uint8_t *words; /* of runs */
    size_t n_runs;
    bool is_long; /* two words a run */
};

/* ambiguity_read() - a block of size bytes; of size 0 it has no runs. Returns NULL, or what is wrong with its size. */
const char *ambiguity_read(struct seqdb_bytes block, struct ambiguity *out);
struct ambiguity_run ambiguity_run(const struct ambiguity *ambiguity, size_t i);

/* ambiguity_check() - NULL if all runs lie inside a sequence of n_bases, one behind the other; else what is wrong. */
const char *ambiguity_check(const struct ambiguity *ambiguity, uint64_t n_bases);

/* ambiguity_find() - the first run that ends behind base `at`; n_runs: none does. */
size_t ambiguity_find(const struct ambiguity *ambiguity, uint64_t at);

/*
 * ambiguity_lay() - the ambiguous letters over bases start .. end - 1, which are in out. Costs a binary search, and the runs in that range.
 * Returns NULL, or what is wrong with one of these runs; out is undefined then, and nothing beyond it is written whatever the block has.
 */
const char *ambiguity_lay(const struct nucleotide_codes *codes, const struct ambiguity *ambiguity, uint64_t n_bases, uint64_t start,
                          uint64_t end, uint8_t *out);

#endif
