/*
 * search_state.h - a search under way: what its stages share. search.c says which there are.
 */
#ifndef TMS_SEARCH_STATE_H
#define TMS_SEARCH_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "hits/hit_filter.h"
#include "run/ordered_section.h"
#include "search/gapped_stage.h"
#include "search/search_queries.h"
#include "search/search_subjects.h"

struct two_hit_gpu_tables; /* lookup/two_hit_gpu.h */

/* A valid query of a group, and where its residues lie among the group's positions. */
struct placed_query {
    size_t query;
    int first_position;
};

/* Queries that share a scan: their residues lie one after the other, with a position between two of them that is nobody's. */
struct query_group {
    size_t first, n;             /* queries or chunks: first .. first + n - 1 */
    struct placed_query *placed; /* n_placed: those of them that are valid */
    size_t n_placed;
    int n_positions;
    void *lookup;                      /* the program's lookup table, made by build_group(); NULL: none yet */
    struct two_hit_gpu_tables *tables; /* the same for GPUs; NULL: the group is for no GPU */
    bool is_looked_up_on_gpu;          /* words are looked up in a table that a GPU makes, so there is none for the CPU */
    uint64_t n_words;                  /* entries of the lookup table */
    double expected_hits;              /* word hits at a position of a random subject */
    bool is_for_gpu;
    struct ordered_section order; /* of ranges, with a filter of hits */
};

/* Subjects first .. end - 1 of a query's list, to be aligned. */
struct alignment_task {
    size_t query, first, end;
    void *left; /* what align_task() leaves for align_last(); malloc'ed, freed by the engine; NULL: nothing */
};

struct search_state {
    const struct search_setup *setup;
    const struct search_subjects *subjects;
    const struct search_queries *all;
    const struct search_query *queries; /* n_queries: queries, or chunks of long ones */
    size_t n_queries;
    struct hit_list *found;     /* n_queries lists of preliminary HSPs */
    struct hit_filter *filters; /* n_queries filters; NULL: all HSPs are kept */
    struct query_group *groups;
    size_t n_groups;
    struct query_group **cpu_groups; /* the groups that are not for a GPU */
    size_t n_cpu_groups;
    tms_simd simd;
    uint64_t n_ranges;                  /* that are scanned: a range and a group are a task of the scan */
    uint64_t first_range, n_all_ranges; /* the first of them, and how many the whole database is cut into */
    struct hit_list *hits;              /* a list for each whole query; NULL: nothing is aligned */
    struct search_scratch *scratch;     /* one for each thread */
    void *alignment;                    /* what the program's begin_alignment() made */
    struct alignment_task *tasks;
    size_t n_tasks, tasks_capacity;
    size_t n_gathered, n_sorted, n_aligned; /* chunks and queries that are gathered and sorted; tasks that are begun */
    pthread_mutex_t lock;                   /* guards found while ranges are scanned */
    atomic_int status;
    bool message_is_set;               /* the context has the message of the failure */
    atomic_uint_fast64_t damaged;      /* the lowest number of a damaged subject; UINT64_MAX: none */
    atomic_uint_fast64_t badly_masked; /* the lowest number of a subject whose masks are damaged; UINT64_MAX: none */
};

/* search_record() - a task's failure, which ends the search. Any number of threads. */
static inline void search_record(struct search_state *s, tms_status status)
{
    if (status != TMS_OK)
        atomic_store(&s->status, status);
}

#endif
