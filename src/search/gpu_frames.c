/* gpu_frames.c - see gpu_frames.h. */
#include "search/gpu_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lookup/two_hit_gpu.h"

struct gpu_size gpu_size_of(const struct search_subjects *subjects, uint64_t n_letters, uint64_t n_subjects)
{
    const uint64_t n_cuts = n_letters / 3 / SUBJECT_CHUNK_STEP; /* borders between chunks of a frame */

    if (subjects->codons == NULL)
        return (struct gpu_size){n_letters + n_subjects, n_subjects, n_letters + n_subjects};
    return (struct gpu_size){.codes = 2 * n_letters + FRAMES * (n_subjects + n_cuts * (SUBJECT_CHUNK_OVERLAP + 1)),
                             .pieces = FRAMES * (n_subjects + n_cuts),
                             .copied = n_letters / BASES_A_BYTE + n_subjects};
}

uint64_t gpu_size_bytes(const struct search_subjects *subjects, int word_size, const struct gpu_size *size)
{
    const uint64_t bytes = two_hit_gpu_subjects_bytes(word_size, (size_t)size->codes, (size_t)size->pieces);

    return subjects->codons == NULL ? bytes : bytes + two_hit_gpu_bases_bytes((size_t)size->copied, (size_t)size->pieces);
}

void gpu_frames_free(struct gpu_frames *frames)
{
    free(frames->starts);
    free(frames->codons);
    memset(frames, 0, sizeof *frames);
}

bool gpu_frames_clear(struct gpu_frames *frames)
{
    frames->n = 0;
    if (!array_reserve(&frames->starts, &frames->starts_capacity, 1, sizeof *frames->starts))
        return false;
    frames->starts[0] = 1;
    return true;
}

/* Where the codon of residue `first` of a frame begins. */
static uint64_t codon_of(int n_bases, int frame, int first, uint64_t first_base)
{
    const int from = frame_start(frame) + 3 * first;

    return frame < FRAMES_A_STRAND ? 2 * (first_base + (uint64_t)from) : 2 * (first_base + (uint64_t)(n_bases - 3 - from)) + 1;
}

uint32_t gpu_frames_count(int word_size, uint64_t n_bases)
{
    if (n_bases < (uint64_t)subject_least_bases(word_size) || n_bases > SUBJECT_MOST_BASES)
        return 0;
    return (uint32_t)(FRAMES * subject_chunks(frame_length((int)n_bases, 0)));
}

bool gpu_frames_add(struct gpu_frames *frames, int word_size, int n_bases, uint64_t first_base)
{
    const struct subject_frames subject = subject_frames_lengths(n_bases);
    const uint32_t n_pieces = gpu_frames_count(word_size, (uint64_t)n_bases), n_chunks = (uint32_t)subject_chunks(subject.lengths[0]);

    if (!array_reserve(&frames->starts, &frames->starts_capacity, frames->n + n_pieces + 1, sizeof *frames->starts) ||
        !array_reserve(&frames->codons, &frames->codons_capacity, frames->n + n_pieces, sizeof *frames->codons))
        return false;
    for (uint32_t part = 0; part < n_pieces; part++, frames->n++) {
        const struct subject_place place = subject_place_of(&subject, part);
        const bool is_there = part % n_chunks < (uint32_t)subject_chunks(subject.lengths[place.frame]);
        const int n = is_there ? place.chunk.end - place.chunk.first : 0;
        frames->codons[frames->n] = n > 0 ? codon_of(n_bases, place.frame, place.chunk.first, first_base) : 0;
        frames->starts[frames->n + 1] = frames->starts[frames->n] + (uint32_t)n + 1;
    }
    return true;
}

uint64_t gpu_frames_residues(int word_size, uint64_t n_bases)
{
    uint64_t n_residues = 0;

    for (int i = 0; i < FRAMES && gpu_frames_count(word_size, n_bases) > 0; i++)
        n_residues += (uint64_t)frame_length((int)n_bases, i);
    return n_residues;
}
