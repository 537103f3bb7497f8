/* search_state.h - a search in progress: the data that its stages share. search.c lists the stages. */
#ifndef TMS_SEARCH_STATE_H
#define TMS_SEARCH_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "hits/hit_filter.h"
#include "run/ordered_section.h"
#include "run/shared_task.h"
#include "search/gapped_stage.h"
#include "search/search_queries.h"
#include "search/search_subjects.h"

struct two_hit_gpu_tables; /* lookup/two_hit_gpu.h */

/* A valid query of a group, or a valid frame of one, and the position of its first residue in the group. */
struct placed_query {
    size_t query;
    int context; /* the frame; else 0 */
    int first_position;
};

/* Queries that share a scan. Their residues lie one after the other; one unused position separates two queries. */
struct query_group {
    size_t first, n;             /* queries or chunks first .. first + n - 1 */
    struct placed_query *placed; /* the n_placed valid queries, or their frames: those of a query one after the other */
    size_t n_placed;
    int n_positions;
    void *lookup;                      /* the program's lookup table, made by build_group(); NULL: not built */
    struct two_hit_gpu_tables *tables; /* the lookup table's form for GPUs; NULL: no GPU supports the group */
    bool has_many_tables;              /* for GPUs; two_hit_stretches.h */
    bool is_looked_up_on_gpu;          /* the lookup table is made on the GPU, or in many tables for it, so there is none for the CPU */
    uint64_t n_words;                  /* entries of the lookup table */
    double expected_hits;              /* word hits expected for one position of a random subject */
    bool is_for_gpu;
    struct ordered_section order; /* with a hit filter, makes ranges offer their hits in order */
};

/* Subjects first .. end - 1 of a query's list, which the task aligns. */
struct alignment_task {
    size_t query, first, end;
    void *left;     /* data that align_task() passes to align_last(); malloc'ed, freed by the engine; NULL: none */
    void *prepared; /* data that prepare_task() passes to align_batch() and align_task(), which frees it; NULL: none */
};

struct search_state {
    const struct search_setup *setup;
    const struct search_subjects *subjects;
    const struct search_queries *all;
    const struct search_query *queries; /* n_queries queries, or chunks of long ones */
    size_t n_queries;
    struct hit_list *found;     /* n_queries lists of preliminary HSPs */
    struct hit_filter *filters; /* n_queries filters; NULL: the search keeps all HSPs */
    struct query_group *groups;
    size_t n_groups;
    struct query_group **cpu_groups; /* the groups that the CPU scans */
    size_t n_cpu_groups;
    tms_simd simd;
    uint64_t n_ranges;                  /* ranges to scan; a scan task is one range and one group */
    uint64_t first_range, n_all_ranges; /* number of the first range to scan; ranges of the whole database */
    struct hit_list *hits;              /* one list for each whole query; NULL: the search only scans */
    const struct search_hits *taker;    /* whose lists these are; NULL: the search only scans */
    atomic_size_t *n_unaligned;         /* for each whole query: tasks that are not aligned, or that wait for align_last() */
    bool *is_ended;                     /* for each whole query: its list has been limited, and taken */
    struct search_scratch *scratch;     /* one element for each thread */
    void *alignment;                    /* the program's own data, made by begin_alignment() */
    struct alignment_task *tasks;
    size_t n_tasks, tasks_capacity;
    size_t n_gathered, n_sorted, n_aligned; /* chunks that have been gathered; queries that have been sorted; tasks that have begun */
    struct shared_tasks shared;             /* tasks of the CPU that other threads help with */
    pthread_mutex_t lock;                   /* guards `found` during a scan */
    atomic_int status;
    bool message_is_set;               /* the context already has the failure's message */
    atomic_uint_fast64_t damaged;      /* the lowest number of a damaged subject; UINT64_MAX: none */
    atomic_uint_fast64_t badly_masked; /* the lowest number of a subject whose masks are damaged; UINT64_MAX: none */
};

/* placed_query_of() - what lies at a place of a group. */
static inline const struct search_query *placed_query_of(const struct search_state *s, const struct placed_query *placed)
{
    return search_query_strand(&s->queries[placed->query], placed->context);
}

/* search_range() - the subjects of range `number` of the scan. */
static inline tms_seqdb_range search_range(const struct search_state *s, uint64_t number)
{
    return tms_seqdb_cut(s->subjects->db, s->first_range + number, s->n_all_ranges);
}

/* search_record() - records the failure of a task, which ends the search. Safe to call from any number of threads. */
static inline void search_record(struct search_state *s, tms_status status)
{
    if (status != TMS_OK)
        atomic_store(&s->status, status);
}

#endif
