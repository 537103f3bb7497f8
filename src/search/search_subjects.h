/* search_subjects.h - the subjects of a search: a database, the part of it that is scanned, its masks, and GPUs. */
#ifndef TMS_SEARCH_SUBJECTS_H
#define TMS_SEARCH_SUBJECTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

struct packed_codons; /* alphabet/translation.h */
struct search_gpu;    /* gpu_blocks.h */

/* Part `part` of a database that is cut into n_parts parts of about equal numbers of residues. */
struct search_part {
    uint64_t part, n_parts;
};

struct search_subjects {
    const tms_seqdb *db;
    struct search_part part;      /* the part of the database that scans go through; all statistics are of the whole */
    bool replaces_o;              /* O is replaced by X */
    const tms_seqdb_masks *masks; /* masked residues, which are in no word; NULL: none */
    bool keeps_last; /* the last residue of each masked interval counts as unmasked for words: an error of NCBI's programs with -subject */
    bool hides_masked;                  /* extensions stop at masked residues, and alignments treat these as X; of bases, as B */
    const struct packed_codons *codons; /* of subjects of bases that GPUs may translate; NULL: subjects are proteins, or not translated */
    struct search_gpu *gpu;             /* NULL: the CPU does the first stages */
    bool awaits_gpu;                    /* `gpu` is NULL until open_gpu() has succeeded */
    tms_status (*open_gpu)(void *open_arg); /* a scan calls it after building groups; it sets the message of its failure. NULL:
                                               nothing has to be opened */
    void *open_arg;
};

/* search_is_on_gpu() - whether a GPU scans, or will when it is open. */
static inline bool search_is_on_gpu(const struct search_subjects *subjects) { return subjects->gpu != NULL || subjects->awaits_gpu; }

/* search_subjects_range() - the subjects that scans go through. */
static inline tms_seqdb_range search_subjects_range(const struct search_subjects *subjects)
{
    return tms_seqdb_cut(subjects->db, subjects->part.part, subjects->part.n_parts);
}

/* What a range contains. */
struct search_extent {
    uint64_t n_sequences, n_residues;
    uint64_t longest; /* residues of the longest subject */
};

/* search_subjects_extent() - what the range of search_subjects_range() contains. */
struct search_extent search_subjects_extent(const struct search_subjects *subjects);

#endif
