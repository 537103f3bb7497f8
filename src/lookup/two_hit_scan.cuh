/*
 * two_hit_scan.cuh - a scan on a GPU: what its kernels work with, and the steps that both strategies have, two_hit_cuda.cu's and
 * another strategy's.
 */
#ifndef TMS_TWO_HIT_SCAN_CUH
#define TMS_TWO_HIT_SCAN_CUH

#include "device/gpu_internal.cuh"
#include "lookup/two_hit_tables.h"

/* What the kernels work with; arrays in device memory. */
struct gpu_scan {
    const uint8_t *codes;   /* of subjects */
    const uint16_t *words;  /* of each place of codes: the number of the word that begins there; NULL: words are long_words_are() */
    const uint32_t *starts; /* of subjects */
    uint32_t n_codes, n_subjects;
    uint32_t part_first, part_end; /* of codes: those of the subjects that are scanned */

    int word_size;
    uint32_t word_none;          /* unless words are long */
    const uint32_t *word_starts; /* of each word, and one more; of long ones those of a range of positions */
    const uint16_t *positions;
    const struct long_words_rules *long_words;
    uint32_t n_long_words;    /* numbers of words; 0: they are not long */
    const int *word_scores;   /* as scores, of residues of words */
    const uint8_t *strip;     /* codes of queries, a 0 before and after each */
    const uint8_t *has_word;  /* of each place */
    const uint16_t *query_of; /* of each place */
    const struct gpu_query *queries;
    const int8_t *rows;                              /* [RESIDUE_ROW * query's code + subject's code]; TWO_HIT_SEPARATOR for a gap */
    const int *scores;                               /* [RESIDUE_CODES * query's code + subject's code] */
    int n_positions, n_diagonals, window, threshold; /* counters of a group: positions and some more, a multiple of 8 */

    uint64_t *candidates; /* of each thread block `capacity` */
    uint32_t *n_candidates;
    uint32_t capacity;
    uint64_t *keys; /* where a diagonal begins: the subject's place x 2^32 + the query's */
    uint32_t keys_capacity;
    struct two_hit_gpu_hsp *hsps;
    uint64_t *hsp_keys; /* query x 2^32 + subject */
    uint32_t *hsp_order;
    uint32_t hsps_capacity;
    struct gpu_sums *sums;
};

/* Of low complexity there may be any number of hits: from here on diagonals are too many, and not counted any more. */
#define MOST_KEYS (1u << 30)

struct gpu_sums {
    unsigned long long n_hits, n_candidates, n_diagonals;
    uint32_t most_candidates; /* of a thread block */
    uint32_t n_keys, n_hsps;
};

/* Copies the sums of the kernels queued so far to the host, and waits for them. */
static inline tms_status two_hit_gpu_read_sums(struct gpu *gpu, const struct gpu_scan *s, struct gpu_sums *out)
{
    GPU_TRY(gpu, "two hits", cudaMemcpyAsync(out, s->sums, sizeof *out, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

/* The last of the ascending positions that is not after `place`. */
__device__ static inline uint32_t place_in(const uint32_t *starts, uint32_t n, uint32_t place)
{
    uint32_t low = 0, high = n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A diagonal is to be walked along: that of a subject's place and a query's, which begin at the firsts. */
__device__ static inline void keep_diagonal(const struct gpu_scan *s, uint32_t at, uint32_t first_at, uint32_t place,
                                            uint32_t first_position)
{
    if (*(const volatile uint32_t *)&s->sums->n_keys >= MOST_KEYS) /* all threads at once take it no further than to 2^32 */
        return;
    const uint32_t back = min(at - first_at, place - first_position), number = atomicAdd(&s->sums->n_keys, 1);
    if (number < s->keys_capacity)
        s->keys[number] = (uint64_t)(at - back) << 32 | (place - back);
}

/* Keeps an HSP, if there is space. */
__device__ static inline void keep_hsp(const struct gpu_scan *s, const struct ungapped_hsp *hsp, uint32_t query, uint32_t subject)
{
    const uint32_t number = atomicAdd(&s->sums->n_hsps, 1);
    if (number >= s->hsps_capacity)
        return;
    s->hsps[number] = two_hit_gpu_hsp{{*hsp, query}, subject};
    s->hsp_keys[number] = (uint64_t)query << 32 | subject;
    s->hsp_order[number] = number;
}

/* --- steps; two_hit_cuda.cu --- */

struct two_hit_gpu_subjects {
    int index;     /* of the GPU */
    int word_size; /* that it was made for */
    uint32_t n, n_codes;
    uint8_t *d_codes;
    uint16_t *d_words; /* NULL: words are long */
    uint32_t *d_starts;
};

/*
 * two_hit_gpu_begin() - the tables of the queries go to the GPU; *s and *out are made. With an empty part nothing else is done. part_first
 * and part_end of *s are 0.
 */
tms_status two_hit_gpu_begin(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                             const struct two_hit_gpu_part *part, struct gpu_scan *s, struct two_hit_gpu_found *out);
/* two_hit_gpu_replay() - the rule on the diagonals of n_keys keys, until there is space for what it keeps; *fits is false if that is more
 * than may be. */
tms_status two_hit_gpu_replay(tms_context *ctx, const struct two_hit_gpu_part *part, struct gpu_scan *s, uint32_t n_keys,
                              struct gpu_sums *sums, bool *fits);
/* What a scan's lists may have space for, at most. */
struct two_hit_limits {
    size_t candidates; /* of a thread block */
    size_t keys, hsps;
    size_t long_words_bytes; /* of the table of long words */
    bool is_one;             /* of one subject: it takes more than that if it has to */
};

/* Entries that memory is taken for; above a third of the limit it is all of it. A buffer grows by half at least: one for a third may get to
 * a half by that, and the next step is the limit. */
static inline size_t two_hit_room(size_t n, size_t limit) { return n > limit / 3 && n < limit ? limit : n; }

/*
 * long_words_sieve() - the diagonals that the rule is for, of words that are long; *fits is false if they are more than there may be.
 * long_words_cuda.cu.
 */
tms_status long_words_sieve(tms_context *ctx, const struct two_hit_limits *limits, struct gpu_scan *s, struct gpu_sums *sums, bool *fits,
                            struct two_hit_gpu_found *out);
/* Bytes that the table of long words takes at least. */
size_t long_words_least_bytes(uint32_t n_long_words);

/* two_hit_gpu_end() - the HSPs in order. */
tms_status two_hit_gpu_end(tms_context *ctx, const struct two_hit_gpu_part *part, struct gpu_scan *s, const struct gpu_sums *sums,
                           struct two_hit_gpu_found *out);

#endif
