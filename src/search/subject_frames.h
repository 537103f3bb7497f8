/* subject_frames.h - the residues of a subject: a protein's own, or those of the frames of a translated sequence of bases. */
#ifndef TMS_SUBJECT_FRAMES_H
#define TMS_SUBJECT_FRAMES_H

#include "alphabet/translation.h"
#include "lookup/word_lookup.h"

enum { SUBJECT_MOST_BASES = INT32_MAX - 16 /* of a subject that is translated */, BASES_A_BYTE = 4 /* as a database stores them */ };

/* What the program's read_range() takes, to read residues of a subject with its ambiguous bases. */
struct subject_exact {
    struct search_state *s;
    uint64_t number; /* of the subject */
    struct search_scratch *w;
};

/* Where a part of a translated subject is. */
struct subject_place {
    int frame;
    struct residue_range chunk;
};

struct subject_frames {
    const uint8_t *codes[FRAMES]; /* of each frame, with a readable byte before and after; of a protein the first alone. NULL: not needed */
    int lengths[FRAMES];
    const struct residue_range *parts;  /* of a protein: unmasked ranges, each extended in as if it were a whole subject; NULL: it is one */
    const struct subject_place *places; /* the same of a translated subject, ascending in each frame; NULL: its chunks, as below */
    const struct subject_exact *exact;  /* ambiguous bases; NULL: `codes` have them, or they do not matter */
};

/* subject_frames_protein() - a protein of n residues; borrows codes. */
static inline struct subject_frames subject_frames_protein(const uint8_t *codes, int n)
{
    return (struct subject_frames){.codes = {codes}, .lengths = {n}};
}

/* subject_frames_lengths() - a subject of n_bases, with the lengths of its frames alone. */
static inline struct subject_frames subject_frames_lengths(int n_bases)
{
    struct subject_frames subject = {0};

    for (int i = 0; i < FRAMES; i++)
        subject.lengths[i] = frame_length(n_bases, i);
    return subject;
}

/*
 * A frame is scanned in chunks, which overlap, as BLAST does. All frames of a subject have numbers for as many chunks as the first;
 * one that is shorter by a residue may lack the last. Chunk k of frame f is part f * subject_chunks(...) + k of the subject.
 */
enum { SUBJECT_CHUNK = 5000000 /* residues */, SUBJECT_CHUNK_OVERLAP = 100, SUBJECT_CHUNK_STEP = SUBJECT_CHUNK - SUBJECT_CHUNK_OVERLAP };

/* subject_chunks() - how many chunks a frame of this length has. */
static inline int subject_chunks(int length)
{
    return length <= SUBJECT_CHUNK ? 1 : (length - SUBJECT_CHUNK_OVERLAP + SUBJECT_CHUNK_STEP - 1) / SUBJECT_CHUNK_STEP;
}

/* subject_least_bases() - the bases of the shortest subject that is scanned: it has a word in each frame. */
static inline int subject_least_bases(int word_size) { return 3 * word_size + 2; }

/* subject_chunk() - the range of chunk k of a frame. */
static inline struct residue_range subject_chunk(int length, int k)
{
    const int first = k * SUBJECT_CHUNK_STEP;

    return (struct residue_range){first, length - first > SUBJECT_CHUNK ? first + SUBJECT_CHUNK : length};
}

/* subject_place_of() - of a part of this number. */
static inline struct subject_place subject_place_of(const struct subject_frames *subject, uint32_t part)
{
    const uint32_t n_chunks = (uint32_t)subject_chunks(subject->lengths[0]);
    const int frame = (int)(part / n_chunks);

    if (subject->places != NULL)
        return subject->places[part];
    return (struct subject_place){frame, subject_chunk(subject->lengths[frame], (int)(part % n_chunks))};
}

#endif
