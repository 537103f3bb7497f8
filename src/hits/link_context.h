/* link_context.h - what HSPs of a context of the query are linked with. */
#ifndef TMS_LINK_CONTEXT_H
#define TMS_LINK_CONTEXT_H

#include "hits/hsp.h"
#include "score/sum_statistics.h"

struct link_context {
    double lambda, log_K; /* a normalized score is lambda S - log_K */
    struct sum_space space;
};

#endif
