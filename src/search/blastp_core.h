/* blastp_core.h - small rules of the gapped stage that the CPU and the GPU share. */
#ifndef TMS_BLASTP_CORE_H
#define TMS_BLASTP_CORE_H

#include "base/core.h"

enum {
    BLASTP_STRETCH = 11, /* letters; a gapped extension begins in the best such stretch */
    BLASTP_LONG_SUBJECT = 90000,
    BLASTP_LONG_MARGIN = 3000
};

/* The part of a subject that a gapped extension looks at: all of it, unless it is very long. */
struct blastp_window {
    int first, end;
};

TMS_HD static inline struct blastp_window blastp_window_around(int query_length, int subject_length, int query, int subject)
{
    struct blastp_window w = {0, subject_length};

    if (subject_length >= BLASTP_LONG_SUBJECT) {
        int first = subject - (query + BLASTP_LONG_MARGIN), end = subject + (query_length - query) + BLASTP_LONG_MARGIN;
        w.first = first > 0 ? first : 0;
        w.end = end < subject_length ? end : subject_length;
    }
    return w;
}

#endif
