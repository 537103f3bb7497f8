/* search_subjects.h - what is searched in. */
#ifndef TMS_SEARCH_SUBJECTS_H
#define TMS_SEARCH_SUBJECTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

struct search_gpu; /* gpu_blocks.h */

struct search_subjects {
    const tms_seqdb *db;
    bool replaces_o;                        /* O is searched as X */
    const tms_seqdb_masks *masks;           /* NULL: none. No words are taken from masked residues; */
    bool keeps_last;                        /* but the last residue of each interval is taken: a mistake of NCBI's programs with -subject */
    bool hides_masked;                      /* and no extension goes over them, and in alignments they are X */
    struct search_gpu *gpu;                 /* NULL: the first stages are the CPU's */
    bool awaits_gpu;                        /* it will be there, if all goes well, once open_gpu() was called */
    tms_status (*open_gpu)(void *open_arg); /* by search_run(), when packs are built; it has said what failed. NULL: no need */
    void *open_arg;
};

#endif
