/*
 * isam.h - the indexes of ids of a volume of a version 4 database: words (.psd, .psi), GIs (.pnd, .pni), and the list of GIs (.pog).
 * Of nucleotides the names begin with n.
 *
 * Words, .psd: lines "key", byte 2, the number of the sequence in decimal, line feed; sorted as bytes, each once.
 * .psi, words of 32 bits, big-endian:
 *     1, 2, bytes of .psd, its lines, samples, 64 (lines a sample), 4096 (bytes of a line, at most), 0, 0
 *     samples + 1 offsets into .psd: of every 64th line, and its end
 *     samples + 1 offsets into .psi: of the samples, which are those lines with a NUL in place of the line feed, and its end
 * GIs, .pnd: pairs of words, GI and number, sorted. .pni:
 *     1, 0, bytes of .pnd, its pairs, samples, 256 (pairs a sample), 0, 0, 0; every 256th pair; ffffffff, 0
 * .pog: 1, 0, 4, sequences, 0, 0, 0, 0; the GI of each sequence, or ffffffff
 * Hashes of sequences, .phd and .phi: as words; a key is the hash in decimal.
 */
#ifndef TAMIS_IO_ISAM_H
#define TAMIS_IO_ISAM_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "seqid/seqid.h"

typedef struct isam_line {
    uint64_t start; /* in the text */
    uint32_t size;  /* with the line feed */
    uint32_t number;
} isam_line;

typedef struct isam_gi {
    uint32_t gi, number;
} isam_gi;

/* Of one volume. All zero: empty. */
typedef struct isam_index {
    int without_words;      /* version 5 has them elsewhere */
    struct byte_array text; /* the lines of .psd */
    isam_line *lines;
    size_t n_lines, lines_capacity;
    struct byte_array labels; /* of ids, which have to differ from sequence to sequence */
    isam_line *label_lines;
    size_t n_labels, labels_capacity;
    isam_gi *gis;
    size_t n_gis, gis_capacity;
    uint32_t *first_gis; /* of each sequence, or UINT32_MAX */
    size_t n_sequences, sequences_capacity;
    struct byte_array keys; /* of the id being added */
} isam_index;

/* isam_add() - the next sequence, with all its ids. Returns IO_OK; IO_E_MEMORY. */
io_status isam_add(isam_index *isam, const struct defline *deflines, size_t n_deflines, io_error *err);

/* isam_hash() - of n more letters, NCBIstdaa or NCBI4na codes; of none it is 0. */
uint32_t isam_hash(uint32_t hash, const uint8_t *codes, size_t n);

/* isam_add_hash() - the hash of sequence number, to an index that has nothing else. Returns IO_OK; IO_E_MEMORY. */
io_status isam_add_hash(isam_index *isam, uint32_t hash, uint32_t number, io_error *err);

/* isam_sort() - before it is written. Returns IO_OK; IO_E_INPUT: two sequences have the same id; IO_E_MEMORY. */
io_status isam_sort(isam_index *isam, io_error *err);

/* The files' bytes, appended; after isam_sort(). There are files of words if there is a line of one, n_lines, and of GIs if there is a
 * GI, n_gis. Return IO_OK; IO_E_INPUT: the words take more than offsets of 32 bits can say; IO_E_MEMORY. */
io_status isam_words(const isam_index *isam, struct byte_array *data, struct byte_array *index, io_error *err);
io_status isam_gis(const isam_index *isam, struct byte_array *data, struct byte_array *index, io_error *err);
io_status isam_gi_list(const isam_index *isam, struct byte_array *list, io_error *err);

void isam_clear(isam_index *isam); /* empty, for the next volume */
void isam_free(isam_index *isam);

#endif
