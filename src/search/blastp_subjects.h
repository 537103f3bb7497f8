/* blastp_subjects.h - what is searched in. */
#ifndef TMS_BLASTP_SUBJECTS_H
#define TMS_BLASTP_SUBJECTS_H

#include <stdbool.h>

#include "tamis/seqdb.h"

struct blastp_gpu; /* blastp_gpu.h */

struct blastp_subjects {
    const tms_seqdb *db;
    bool replaces_o;        /* O is searched as X */
    struct blastp_gpu *gpu; /* NULL: the first stages are the CPU's */
};

#endif
