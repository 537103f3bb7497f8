/* gapped_window.h - rules of the gapped stage that the CPU and the GPU share. */
#ifndef TMS_GAPPED_WINDOW_H
#define TMS_GAPPED_WINDOW_H

#include "base/core.h"

enum {
    GAPPED_START_RESIDUES = 11, /* residues of the stretch in whose middle a gapped extension begins */
    GAPPED_LONG_SUBJECT = 90000,
    GAPPED_LONG_MARGIN = 3000
};

/* The range of a subject that a gapped extension may use: the whole subject, unless it is very long. */
struct gapped_window {
    int first, end;
};

TMS_HD static inline struct gapped_window gapped_window_around(int query_length, int subject_length, int query, int subject)
{
    struct gapped_window w = {0, subject_length};

    if (subject_length >= GAPPED_LONG_SUBJECT) {
        int first = subject - (query + GAPPED_LONG_MARGIN), end = subject + (query_length - query) + GAPPED_LONG_MARGIN;
        w.first = first > 0 ? first : 0;
        w.end = end < subject_length ? end : subject_length;
    }
    return w;
}

#endif
