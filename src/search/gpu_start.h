/* gpu_start.h - when a search opens its GPUs: at once, or while groups are built. */
#ifndef TMS_GPU_START_H
#define TMS_GPU_START_H

#include "search/gpu_blocks.h"
#include "search/search_state.h"

/* The GPUs of a search, which are opened at once or later. */
struct search_gpu_start {
    tms_context *ctx;
    struct search_subjects *subjects;
    struct search_gpu_limits limits; /* limits.more is borrowed until search_gpu_start() has returned */
    /* the caller's: gives the context its GPU, or none, or sets a message; NULL: it has it */
    tms_status (*await)(void *arg, tms_context *ctx);
    void *await_arg;
    tms_status (*open)(void *search, const struct search_gpu_limits *limits); /* the program's; the context may be without a GPU */
    void *search;
    int32_t more[TMS_MAX_GPUS]; /* set by search_gpu_start(): a copy of limits.more */
    bool has_failed;            /* they could not be opened, and the context has the message */
};

/*
 * search_gpu_start() - checks the limits, and calls open() now; with await(), when a scan has built its groups (search_open_gpu()). If the
 * context has no GPU then, there are no others either.
 *   start [in,out] must not move until the search ends
 * Returns TMS_OK, TMS_E_ARG with a message, or the status of open().
 */
tms_status search_gpu_start(struct search_gpu_start *start);

/*
 * search_open_gpu() - calls subjects->open_gpu(), if there is one. Idle threads touch the residues of the subjects in order, so that the
 * first block is already in memory when it is copied.
 * Returns the status of open_gpu(), which has set the context's message; or TMS_E_CANCELLED.
 */
tms_status search_open_gpu(tms_context *ctx, struct search_state *s);

#endif
