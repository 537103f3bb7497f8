/* blastp_subjects.h - what is searched in. */
#ifndef TMS_BLASTP_SUBJECTS_H
#define TMS_BLASTP_SUBJECTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

struct blastp_gpu; /* blastp_gpu.h */

struct blastp_subjects {
    const tms_seqdb *db;
    bool replaces_o;                        /* O is searched as X */
    const tms_seqdb_masks *masks;           /* NULL: none. No words are taken from masked letters; */
    bool keeps_last;                        /* but the last letter of each interval is taken: blastp's mistake with -subject */
    bool hides_masked;                      /* and no extension goes over them, and in alignments they are X */
    struct blastp_gpu *gpu;                 /* NULL: the first stages are the CPU's */
    bool awaits_gpu;                        /* it will be there, if all goes well, once open_gpu() was called */
    tms_status (*open_gpu)(void *open_arg); /* by blastp_search(), when packs are built; it has said what failed. NULL: no need */
    void *open_arg;
};

#endif
