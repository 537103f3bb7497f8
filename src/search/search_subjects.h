/* search_subjects.h - the subjects of a search: a database, its masks, and GPUs. */
#ifndef TMS_SEARCH_SUBJECTS_H
#define TMS_SEARCH_SUBJECTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

struct search_gpu; /* gpu_blocks.h */

struct search_subjects {
    const tms_seqdb *db;
    bool replaces_o;              /* O is replaced by X */
    const tms_seqdb_masks *masks; /* masked residues, which are in no word; NULL: none */
    bool keeps_last; /* the last residue of each masked interval counts as unmasked for words: an error of NCBI's programs with -subject */
    bool hides_masked;                      /* extensions stop at masked residues, and alignments treat these as X */
    struct search_gpu *gpu;                 /* NULL: the CPU does the first stages */
    bool awaits_gpu;                        /* `gpu` is NULL until open_gpu() has succeeded */
    tms_status (*open_gpu)(void *open_arg); /* a scan calls it after building groups; it sets the message of its failure. NULL:
                                               nothing has to be opened */
    void *open_arg;
};

#endif
