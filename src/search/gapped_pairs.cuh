/* gapped_pairs.cuh - the gapped stage on a GPU: the data of its kernels, and what they have in common. */
#ifndef TMS_GAPPED_PAIRS_CUH
#define TMS_GAPPED_PAIRS_CUH

#include "extend/gapped_warp.cuh"
#include "lookup/two_hit_gpu.h"
#include "search/gapped_types.h"
#include "search/gapped_window.h"

#define MOST_HSPS 4096 /* most HSPs that a warp sorts by comparing all with all */

enum { FULL, RESTRICTED, FORMS };
enum { LAST_PASS = 2 }; /* pairs that one pass puts off are processed in the next; the last pass puts none off */

/* The result of an extension. */
struct accepted {
    int query, query_end, subject, subject_end, score, start_query, start_subject;
    bool is_compared; /* whether later HSPs are still compared with it, if it was accepted */
    bool fits;        /* false: the extension was abandoned for lack of space */
};

struct gapped_args {
    const struct two_hit_gpu_hsp *hsps;
    uint32_t n_hsps;
    size_t room;           /* HSPs that memory is allocated for */
    const uint32_t *pairs; /* first HSP of each pair */
    const uint32_t *n_pairs;
    const uint32_t *longest_first; /* numbers of pairs, the longest first */
    const uint8_t *codes;
    const uint32_t *starts;
    const uint8_t *query_codes;
    const struct gapped_gpu_query *queries;
    const int *scores; /* [RESIDUE_ROW * query's code + subject's code] */
    int open, extend, x_drop, is_restricted;
    long long share;              /* cells that a pair may take before it is put off */
    uint8_t *is_made;             /* for each HSP: bit f is set once the extension in form f is made */
    struct accepted *made[FORMS]; /* the extension of each HSP, valid if it is made */
    uint32_t *ahead;              /* extensions to make for pairs that were put off: FORMS * HSP + form */
    uint32_t *late[LAST_PASS];    /* numbers of the pairs that each pass has put off */
    int pass;
    uint32_t *order, *kept; /* for each HSP of a pair: the order of extension; the accepted HSPs */
    struct gapped_gpu_hsp *out;
    uint32_t *out_keys, *out_order;
    uint32_t capacity;
    struct gapped_sums *sums;
};

struct gapped_sums {
    unsigned long long n_gapped;
    uint32_t n_out, n_late[LAST_PASS], n_ahead, next;
};

/* A pair that a warp is processing. */
struct pair {
    const struct gapped_args *args;
    struct gapped_warp_costs costs;
    struct gapped_gpu_query q;
    const uint8_t *query, *subject;
    int n_subject, lane;
    bool fits;
    int n_gapped;
    long long cells;
};

/* Points p to the query and the subject of an HSP. */
__device__ static inline void look_at(struct pair *p, const struct two_hit_gpu_hsp *h)
{
    const struct gapped_args *args = p->args;
    const uint32_t start = args->starts[h->subject];
    p->q = args->queries[h->hsp.query];
    p->query = args->query_codes + p->q.first_position;
    p->subject = args->codes + start;
    p->n_subject = (int)(args->starts[h->subject + 1] - 1 - start);
    p->fits = true;
    p->n_gapped = 0;
    p->cells = 0;
}

__device__ static inline int size_of_pair(const struct gapped_args *args, uint32_t number, uint32_t *first)
{
    *first = args->pairs[number];
    return (int)((number + 1 < *args->n_pairs ? args->pairs[number + 1] : args->n_hsps) - *first);
}

/* Same as find_start() of gapped_stage.c, but for single hits, which no GPU finds; returns residues from the beginning of the HSP. */
__device__ static inline int start_in(const struct pair *p, const struct ungapped_hsp *h)
{
    int best = INT_MIN, at = 0;
    if (h->length <= GAPPED_START_RESIDUES)
        return h->length / 2;
    for (int i = p->lane; i + GAPPED_START_RESIDUES <= h->length; i += 32) {
        int score = 0;
        for (int k = i; k < i + GAPPED_START_RESIDUES; k++)
            score += p->costs.scores[RESIDUE_ROW * p->query[h->query + k] + p->subject[h->subject + k]];
        if (score > best) {
            best = score;
            at = i;
        }
    }
    for (int k = 16; k > 0; k /= 2) {
        const int other = __shfl_xor_sync(~0u, best, k), other_at = __shfl_xor_sync(~0u, at, k);
        if (other > best || (other == best && other_at < at)) {
            best = other;
            at = other_at;
        }
    }
    at = best > 0 ? at + GAPPED_START_RESIDUES / 2 : 0;
    return __shfl_sync(~0u, at, 0); /* all lanes have it, and the compiler knows that they do */
}

/* The sides of an extension, the left one first. */
struct gapped_sides {
    struct gapped_side query[2], subject[2];
};

__device__ static inline struct gapped_sides sides_of(const struct pair *p, int start_query, int start_subject)
{
    const int after_query = start_query + 1, after_subject = start_subject + 1;
    const struct gapped_window w = gapped_window_around(p->q.length, p->n_subject, after_query, after_subject);
    return gapped_sides{{{p->query + start_query, after_query}, {p->query + after_query, p->q.length - after_query}},
                        {{p->subject + start_subject, after_subject - w.first}, {p->subject + after_subject, w.end - after_subject}}};
}

#endif
