/*
 * best_first.c - a thread takes a share of HSPs, few at a time while there are long ones, and a single one if it is alone: then none is
 * extended in vain. The thread that completes the first share that is not decided, decides it and those behind it that are complete.
 */
#include "search/best_first.h"

#include <stdlib.h>

enum { MOST = 32 /* HSPs of a share */, MANY = 64 /* HSPs that other threads help with */ };

/* HSPs first .. first + n - 1, which a thread extends. */
struct share {
    size_t first, n;
    uint64_t n_accepted_before; /* HSPs that had been accepted when the share was taken */
    bool is_complete;
    tms_status status;
    struct hsp_box boxes[MOST]; /* before the extension */
    struct hsp hsps[MOST];
    enum best_first_outcome outcomes[MOST];
    struct share *next;
};

struct work {
    const struct best_first_steps *steps;
    void *arg;
    size_t n;
    pthread_mutex_t lock; /* guards what follows */
    struct best_first_results results;
    uint64_t n_accepted;
    size_t n_taken, n_threads;
    tms_status status;
    struct share *first, **end; /* shares that are not decided, in their order */
    struct share *spare;
};

/* The lock is held from here on. */

static struct share *add_share(struct work *w)
{
    struct share *share = w->spare != NULL ? w->spare : malloc(sizeof *share);

    if (share == NULL) {
        w->status = TMS_E_MEMORY;
        return NULL;
    }
    w->spare = share == w->spare ? share->next : w->spare;
    share->next = NULL;
    *w->end = share;
    w->end = &share->next;
    return share;
}

static tms_status prepare(const struct work *w, const struct hsp *h)
{
    return w->steps->prepare != NULL ? w->steps->prepare(w->arg, h) : TMS_OK;
}

/* Takes the next HSPs. Returns NULL if there is none, or after a failure. */
static struct share *take(struct work *w)
{
    const size_t left = w->n - w->n_taken, wish = w->n_threads > 1 ? 1 + w->n_taken / MOST : 1, most = wish < MOST ? wish : MOST;
    struct share *share = left > 0 && w->status == TMS_OK ? add_share(w) : NULL;

    if (share == NULL)
        return NULL;
    share->first = w->n_taken;
    share->n = left < most ? left : most;
    share->n_accepted_before = w->n_accepted;
    share->is_complete = false;
    share->status = TMS_OK;
    for (size_t i = 0; i < share->n; i++) {
        share->hsps[i] = w->steps->get(w->arg, share->first + i);
        share->boxes[i] = hsp_box_of(&share->hsps[i]);
        share->outcomes[i] = BEST_FIRST_SKIPPED;
        if (hsp_set_contains(w->results.accepted, share->boxes[i]))
            continue;
        share->outcomes[i] = BEST_FIRST_REJECTED; /* until it is extended */
        if (share->status == TMS_OK)
            share->status = prepare(w, &share->hsps[i]);
    }
    w->n_taken += share->n;
    return share;
}

static tms_status accept(struct work *w, const struct hsp *h)
{
    tms_status status = hsp_set_add(w->results.accepted, hsp_box_of(h));

    w->n_accepted++;
    if (status == TMS_OK)
        status = hsp_list_add(w->results.hsps, h);
    if (status != TMS_OK)
        free(h->script.runs);
    return status;
}

static tms_status extend_late(struct work *w, struct share *share, size_t i, int thread)
{
    tms_status status = prepare(w, &share->hsps[i]);

    return status == TMS_OK ? w->steps->extend(w->arg, share->first + i, thread, &share->hsps[i], &share->outcomes[i]) : status;
}

/* Decides about an HSP: all before it are decided. */
static tms_status decide_one(struct work *w, struct share *share, size_t i, int thread)
{
    enum best_first_outcome *outcome = &share->outcomes[i];
    const bool is_known = w->n_accepted == share->n_accepted_before;
    const bool is_within = is_known ? *outcome == BEST_FIRST_SKIPPED : hsp_set_contains(w->results.accepted, share->boxes[i]);
    tms_status status = TMS_OK;

    if (!is_within && *outcome == BEST_FIRST_SKIPPED)
        status = extend_late(w, share, i, thread);
    if (status == TMS_OK && !is_within && *outcome != BEST_FIRST_REFUSED)
        ++*w->results.n_extended;
    if (*outcome != BEST_FIRST_ACCEPTED)
        return status;
    if (status == TMS_OK && !is_within)
        return accept(w, &share->hsps[i]);
    free(share->hsps[i].script.runs);
    return status;
}

/* Decides about the HSPs of the first share. After a failure it only frees their scripts. */
static void decide_first(struct work *w, int thread)
{
    struct share *share = w->first;

    if (w->status == TMS_OK)
        w->status = share->status;
    for (size_t i = 0; i < share->n; i++) {
        if (w->status == TMS_OK)
            w->status = decide_one(w, share, i, thread);
        else if (share->outcomes[i] == BEST_FIRST_ACCEPTED)
            free(share->hsps[i].script.runs);
    }
    w->first = share->next;
    w->end = w->first == NULL ? &w->first : w->end;
    share->next = w->spare;
    w->spare = share;
}

/* Until here. */

static void extend_share(const struct work *w, struct share *share, int thread)
{
    for (size_t i = 0; i < share->n && share->status == TMS_OK; i++)
        if (share->outcomes[i] != BEST_FIRST_SKIPPED)
            share->status = w->steps->extend(w->arg, share->first + i, thread, &share->hsps[i], &share->outcomes[i]);
}

static void take_part(void *arg, int thread)
{
    struct work *w = arg;
    struct share *share;

    pthread_mutex_lock(&w->lock);
    w->n_threads++;
    while ((share = take(w)) != NULL) {
        pthread_mutex_unlock(&w->lock);
        extend_share(w, share, thread);
        pthread_mutex_lock(&w->lock);
        share->is_complete = true;
        while (w->first != NULL && w->first->is_complete)
            decide_first(w, thread);
    }
    w->n_threads--;
    pthread_mutex_unlock(&w->lock);
}

tms_status best_first(struct shared_tasks *tasks, int thread, const struct best_first_steps *steps, void *arg, size_t n,
                      struct best_first_results results)
{
    struct share own; /* all that a thread needs which is alone */
    struct work w = {.steps = steps, .arg = arg, .n = n, .results = results, .status = TMS_OK, .spare = &own};
    struct shared_task task = {.work = take_part, .arg = &w};

    own.next = NULL;
    w.end = &w.first;
    pthread_mutex_init(&w.lock, NULL);
    if (tasks != NULL && n > MANY)
        shared_tasks_do(tasks, &task, thread);
    else
        take_part(&w, thread);
    while (w.spare != NULL) {
        struct share *next = w.spare->next;
        if (w.spare != &own)
            free(w.spare);
        w.spare = next;
    }
    pthread_mutex_destroy(&w.lock);
    return w.status;
}
