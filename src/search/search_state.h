/*
 * search_state.h - a search under way: what its rounds share. search.c says which there are.
 */
#ifndef TMS_BLASTP_WORK_H
#define TMS_BLASTP_WORK_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "blastp/composition_align.h"
#include "hits/hit_filter.h"
#include "run/ordered_section.h"
#include "search/gapped_stage.h"
#include "search/search_queries.h"
#include "search/search_subjects.h"

/* Queries that a subject is walked over for at once. */
struct query_group {
    size_t first, n; /* queries */
    int n_positions;
    struct two_hit_query *items; /* of those that are valid */
    size_t *numbers;             /* of the queries that these are */
    struct word_lookup words;    /* empty: their table is made on a GPU */
    uint64_t n_words;            /* positions in the table */
    double expected_hits;        /* by these, at a place of a random subject */
    struct two_hit_queries queries;
    struct concatenated_queries strip;
    struct two_hit_gpu_tables *tables; /* where there is a GPU, or will be; NULL: the queries are for none */
    bool is_for_gpu;
    struct ordered_section ordered_section; /* of the pieces, with a filter of hits */
};

/* Subjects first .. end - 1 of a query's list, for the second round. */
struct alignment_task {
    size_t query, first, end;
    struct composition_source source; /* what the last matrix was made of */
};

struct search_state {
    const struct search_setup *setup;
    const struct search_subjects *subjects;
    const struct search_queries *all;
    const struct search_query *queries; /* what is walked with: queries, or pieces of long ones */
    size_t n_queries;
    struct hit_list *found;     /* by these */
    struct hit_filter *filters; /* likewise; NULL: all HSPs are kept */
    struct query_group *packs;
    size_t n_packs;
    struct query_group **cpu_packs; /* those that are not for the GPU */
    size_t n_cpu_packs;
    tms_simd simd;
    uint64_t n_pieces;
    struct hit_list *hits;             /* of queries */
    struct search_scratch *workers;    /* one for each thread */
    struct composition_aligner *redos; /* likewise, with composition-based statistics */
    struct composition_query *redo_queries;
    struct alignment_task *tasks;
    size_t n_tasks, tasks_capacity;
    size_t n_gathered, n_sorted, n_aligned; /* pieces and queries that are done between the rounds; tasks that the second has begun */
    pthread_mutex_t lock;                   /* of found, in the first round */
    atomic_int status;
    bool message_is_set;               /* the GPU's part has left a message */
    atomic_uint_fast64_t damaged;      /* the lowest number of a subject that is */
    atomic_uint_fast64_t badly_masked; /* likewise, whose masks are */
};

static inline bool blastp_needs_redo(const struct search_params *p) { return p->composition != COMPOSITION_OFF || p->smith_waterman; }

/* A task's failure, which ends the search. */
static inline void search_record(struct search_state *s, tms_status status)
{
    if (status != TMS_OK)
        atomic_store(&s->status, status);
}

#endif
