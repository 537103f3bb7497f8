/*
 * gpu_frames.h - subjects of bases in a block: on a GPU each of their frames, or each chunk of a long one, is scanned as if it were a
 * subject of its own. Here it is a piece; a protein is one piece.
 */
#ifndef TMS_GPU_FRAMES_H
#define TMS_GPU_FRAMES_H

#include "search/search_subjects.h"
#include "search/subject_frames.h"

/* What subjects take in a block. */
struct gpu_size {
    uint64_t codes;  /* with the gaps between pieces */
    uint64_t pieces; /* how many */
    uint64_t copied; /* bytes that are copied: codes with the gaps behind them, or bases in two bits each */
};

/* gpu_size_of() - upper bounds for n_subjects subjects with n_letters residues or bases together. */
struct gpu_size gpu_size_of(const struct search_subjects *subjects, uint64_t n_letters, uint64_t n_subjects);

/* gpu_size_bytes() - device memory for them, with words of this size. */
uint64_t gpu_size_bytes(const struct search_subjects *subjects, int word_size, const struct gpu_size *size);

/* The pieces of a block, in the order of the subjects, and of each its frames. All zero is empty; freed with gpu_frames_free(). */
struct gpu_frames {
    uint32_t *starts; /* [n + 1] position of each piece's first code in the block, and the end */
    uint64_t *codons; /* [n] where each piece's first codon is, as two_hit_gpu_subjects_translate() takes it */
    size_t n, starts_capacity, codons_capacity;
};
void gpu_frames_free(struct gpu_frames *frames);
bool gpu_frames_clear(struct gpu_frames *frames); /* false: out of memory */

/* gpu_frames_count() - the pieces of a subject: none if it is so short that no scan takes it, or too long. */
uint32_t gpu_frames_count(int word_size, uint64_t n_bases);

/*
 * gpu_frames_add() - places the pieces of the next subject.
 *   first_base [in] number of its first base in what is copied
 * Returns false if memory is short.
 */
bool gpu_frames_add(struct gpu_frames *frames, int word_size, int n_bases, uint64_t first_base);

uint64_t gpu_frames_residues(int word_size, uint64_t n_bases); /* the residues of its frames; 0 if it has no pieces */

#endif
