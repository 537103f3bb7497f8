/*
 * isam.h - the indexes of ids in a volume of a version 4 database: words (.psd, .psi), GIs (.pnd, .pni), and the list of GIs (.pog). For
 * nucleotides the extensions begin with n.
 *
 * Words, .psd: lines "key", byte 2, the number of the sequence in decimal, line feed; sorted as bytes, each once. .psi, words of 32 bits,
 * big-endian:
 *   1, 2, bytes of .psd, its lines, samples, 64 (lines a sample), 4096 (most bytes of a line), 0, 0
 *   samples + 1 offsets into .psd: of every 64th line, and of its end
 *   samples + 1 offsets into .psi: of the samples, which are those lines with a NUL in place of the line feed, and of its end
 * GIs, .pnd: pairs of words, GI and number, sorted. .pni:
 *   1, 0, bytes of .pnd, its pairs, samples, 256 (pairs a sample), 0, 0, 0; every 256th pair; ffffffff, 0
 * .pog: 1, 0, 4, sequences, 0, 0, 0, 0; the GI of each sequence, or ffffffff
 *
 * Hashes of sequences, .phd and .phi: in the format of words; a key is the hash in decimal.
 */
#ifndef TAMIS_ISAM_H
#define TAMIS_ISAM_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "seqid/seqid.h"

typedef struct isam_line {
    uint64_t start; /* offset in the text */
    uint32_t size;  /* including the line feed */
    uint32_t number;
} isam_line;

typedef struct isam_gi {
    uint32_t gi, number;
} isam_gi;

/* The indexes of one volume. Empty if all zero. */
typedef struct isam_index {
    int without_words;      /* 1: version 5, which has its words elsewhere */
    struct byte_array text; /* lines of .psd */
    isam_line *lines;
    size_t n_lines, lines_capacity;
    struct byte_array labels; /* of ids; each must belong to a single sequence */
    isam_line *label_lines;
    size_t n_labels, labels_capacity;
    isam_gi *gis;
    size_t n_gis, gis_capacity;
    uint32_t *first_gis; /* GI of each sequence, or UINT32_MAX */
    size_t n_sequences, sequences_capacity;
    struct byte_array keys; /* keys of the id being added */
} isam_index;

/* isam_add() - add the next sequence with all its ids. Returns IO_OK; IO_E_MEMORY. */
io_status isam_add(isam_index *isam, const struct defline *deflines, size_t n_deflines, io_error *err);

/* isam_hash() - continue a hash over n more NCBIstdaa or NCBI4na codes; the hash of no codes is 0. */
uint32_t isam_hash(uint32_t hash, const uint8_t *codes, size_t n);

/* isam_add_hash() - add the hash of a sequence, to an index that has only hashes. Returns IO_OK; IO_E_MEMORY. */
io_status isam_add_hash(isam_index *isam, uint32_t hash, uint32_t number, io_error *err);

/* isam_sort() - sort the index before writing. Returns IO_OK; IO_E_INPUT: two sequences have the same id; IO_E_MEMORY. */
io_status isam_sort(isam_index *isam, io_error *err);

/*
 * Append the bytes of the files; call them after isam_sort(). The files of words exist if n_lines is not 0, those of GIs if n_gis is not
 * 0. Return IO_OK; IO_E_INPUT: the words need offsets of more than 32 bits; IO_E_MEMORY.
 */
io_status isam_words(const isam_index *isam, struct byte_array *data, struct byte_array *index, io_error *err);
io_status isam_gis(const isam_index *isam, struct byte_array *data, struct byte_array *index, io_error *err);
io_status isam_gi_list(const isam_index *isam, struct byte_array *list, io_error *err);

void isam_clear(isam_index *isam); /* makes it empty for the next volume */
void isam_free(isam_index *isam);

#endif
