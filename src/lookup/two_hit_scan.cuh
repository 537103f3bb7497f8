/* two_hit_scan.cuh - a scan on a GPU: the data of its kernels, and the steps that two_hit_cuda.cu shares with another strategy. */
#ifndef TMS_TWO_HIT_SCAN_CUH
#define TMS_TWO_HIT_SCAN_CUH

#include "device/gpu_internal.cuh"
#include "lookup/two_hit_tables.h"

/* The data of the kernels; arrays are in device memory. */
struct gpu_scan {
    const uint8_t *codes;   /* codes of the subjects */
    const uint16_t *words;  /* for each position of codes: the number of the word that begins there; NULL: words are long_words_are() */
    const uint32_t *starts; /* position of each subject, and the end */
    uint32_t n_codes, n_subjects;
    uint32_t part_first, part_end; /* range of codes of the scanned subjects */

    int word_size;
    uint32_t word_none;          /* number of words with a gap; unused for long words */
    const uint32_t *word_starts; /* start of each word's positions, and the end; for long words, of one range of the queries' positions */
    const uint16_t *positions;
    const struct long_words_rules *long_words;
    uint32_t n_long_words;      /* number of possible long words; 0: words are not long */
    const int *word_scores;     /* same layout as scores, for residues in words */
    const uint8_t *query_codes; /* codes of the queries, a 0 before and after each query */
    const uint8_t *has_word;    /* for each position: 1 if a word begins there */
    const uint16_t *query_of;   /* for each position: its query */
    const struct gpu_query *queries;
    int before, core, whole_length;                  /* of a stretch of a query: two_hit_stretch.first, .core and .length; else 0 */
    const int8_t *rows;                              /* [RESIDUE_ROW * query's code + subject's code]; TWO_HIT_SEPARATOR for a gap */
    const int *scores;                               /* [RESIDUE_CODES * query's code + subject's code] */
    int n_positions, n_diagonals, window, threshold; /* n_diagonals: counters of a group of lanes; at least n_positions, a multiple of 8 */

    uint64_t *candidates; /* `capacity` entries for each thread block */
    uint32_t *n_candidates;
    uint32_t capacity;
    uint64_t *keys; /* beginnings of diagonals: the subject's position x 2^32 + the query's */
    uint32_t keys_capacity;
    struct two_hit_gpu_hsp *hsps;
    uint64_t *hsp_keys; /* for each HSP: query x 2^32 + subject */
    uint32_t *hsp_order;
    uint32_t hsps_capacity;
    struct gpu_sums *sums;
};

/*
 * Regions of low complexity may have any number of hits: from this number on there are too many diagonals, and they are no longer counted.
 */
#define MOST_KEYS (1u << 30)

struct gpu_sums {
    unsigned long long n_hits, n_candidates, n_diagonals;
    uint32_t most_candidates; /* candidates of the thread block that has most */
    uint32_t n_keys, n_hsps;
};

/* Copies the sums of the kernels queued so far to the host, and waits for them. */
static inline tms_status two_hit_gpu_read_sums(struct gpu *gpu, const struct gpu_scan *s, struct gpu_sums *out)
{
    const tms_status status = gpu_sleep(gpu);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "two hits", cudaMemcpyAsync(out, s->sums, sizeof *out, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

/* The subject at a position of the codes; starts: the n subjects' positions, ascending. */
__device__ static inline uint32_t subject_at(const uint32_t *starts, uint32_t n, uint32_t position)
{
    uint32_t low = 0, high = n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Marks a diagonal for the rule: the diagonal through a position of a subject and one of a query, which begin at the given firsts. */
__device__ static inline void keep_diagonal(const struct gpu_scan *s, uint32_t at, uint32_t first_at, uint32_t position,
                                            uint32_t first_position)
{
    if (*(const volatile uint32_t *)&s->sums->n_keys >= MOST_KEYS) /* so that even all threads at once count no further than 2^32 */
        return;
    const uint32_t back = min(at - first_at, position - first_position), number = atomicAdd(&s->sums->n_keys, 1);
    if (number < s->keys_capacity)
        s->keys[number] = (uint64_t)(at - back) << 32 | (position - back);
}

/* Keeps an HSP if there is space. */
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
    int index;     /* number of the GPU */
    int word_size; /* word size that the subjects were prepared for */
    uint32_t n, n_codes;
    uint8_t *d_codes;
    uint16_t *d_words; /* NULL: words are long */
    uint32_t *d_starts;
    uint8_t *d_packed;  /* bases that the codes are translated from; NULL: they are not */
    uint64_t *d_codons; /* where each subject's first codon is, as the caller gave it */
};

/*
 * two_hit_gpu_begin() - copies the queries' tables to the GPU, and initialises *s and *out. With an empty part it does nothing else. Leaves
 * s->part_first and s->part_end 0.
 */
tms_status two_hit_gpu_begin(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                             const struct two_hit_gpu_part *part, struct gpu_scan *s, struct two_hit_gpu_found *out);
/*
 * two_hit_gpu_replay() - applies the two-hit rule to the diagonals of n_keys keys, until there is space for the HSPs; *fits is false if
 * these need more than the limit.
 */
tms_status two_hit_gpu_replay(tms_context *ctx, const struct two_hit_gpu_part *part, struct gpu_scan *s, uint32_t n_keys,
                              struct gpu_sums *sums, bool *fits);
/* The most entries that the lists of a scan may have. */
struct two_hit_limits {
    size_t candidates; /* candidates of a thread block */
    size_t keys, hsps;
    size_t long_words_bytes; /* bytes of the table of long words */
    bool is_one;             /* the part is one subject, which may exceed the limits if it must */
};

/*
 * Entries to allocate: n, but an eighth of the limit at least, because while a buffer is replaced by a larger one, the GPU waits; and the
 * whole limit if n is above a third of it. A buffer grows by half at least, so a buffer for a third may become one for a half, and the next
 * step is the limit.
 */
static inline size_t two_hit_room(size_t n, size_t limit) { return n < limit / 8 ? limit / 8 : n > limit / 3 && n < limit ? limit : n; }

/*
 * long_words_sieve() - finds the diagonals for the rule with long words; *fits is false if there are more than the limit.
 * long_words_cuda.cu.
 */
tms_status long_words_sieve(tms_context *ctx, const struct two_hit_limits *limits, struct gpu_scan *s, struct gpu_sums *sums, bool *fits,
                            struct two_hit_gpu_found *out);
/* long_words_least_bytes() - least size of the table of long words, in bytes. */
size_t long_words_least_bytes(uint32_t n_long_words);

/* two_hit_gpu_end() - sorts the HSPs. */
tms_status two_hit_gpu_end(tms_context *ctx, const struct two_hit_gpu_part *part, struct gpu_scan *s, const struct gpu_sums *sums,
                           struct two_hit_gpu_found *out);

#endif
