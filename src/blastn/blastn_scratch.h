/* blastn_scratch.h - working memory of a thread: of a scan, and of alignments. */
#ifndef TMS_BLASTN_SCRATCH_H
#define TMS_BLASTN_SCRATCH_H

#include "blastn/blastn_setup.h"
#include "hits/hsp.h"
#include "lookup/base_scan.h"
#include "search/base_gapped_cuda.h"
#include "search/search_state.h"

/* A subject's codes, unpacked where they are needed. */
struct blastn_subject {
    uint64_t number;
    int n;
    uint8_t *codes;       /* n codes, with gap codes before and after; those of blocks that are not unpacked have no meaning */
    uint8_t *is_unpacked; /* one for each block */
    tms_interval *hidden; /* n_hidden intervals of masked bases whose code is B; ascending and apart from each other */
    size_t n_packed;      /* blocks that are not unpacked */
    size_t n_hidden, capacity, blocks_capacity, hidden_capacity;
};

struct blastn_scratch {
    struct base_found found;
    struct base_gapped_start *starts; /* of the extensions of found.hsps on a GPU */
    struct base_gapped_sides *sides;  /* these extensions */
    size_t starts_capacity, sides_capacity;
    bool is_extended; /* whether `sides` is set */
    uint8_t *chunk;   /* unpacked codes of the chunk, after one byte */
    size_t chunk_capacity;
    struct hsp_list *lists; /* preliminary HSPs of the current subject, for each query of the group */
    size_t lists_capacity;
    uint32_t *touched; /* n_touched queries whose lists may have HSPs */
    size_t n_touched, touched_capacity;
    struct residue_range *ranges; /* unmasked ranges of the chunk */
    size_t ranges_capacity;
    struct greedy_workspace greedy;
    struct blastn_subject subject;
};

/* blastn_scratch_of() - the thread's memory, made when it is first used; NULL: out of memory. */
struct blastn_scratch *blastn_scratch_of(struct search_scratch *w);
void blastn_free_scratch(void *own); /* as in search_program.h */

/*
 * blastn_subject_codes() - codes of a subject, with ambiguous bases. Masked bases that the search hides have the code B.
 *   first, end [in] positions whose codes are needed; may reach beyond the subject
 * Returns codes of which those in the range, and one on each side of the subject, have a meaning; NULL after a failure, which it records.
 */
const uint8_t *blastn_subject_codes(struct search_state *s, struct blastn_scratch *scratch, uint64_t number, int n, int64_t first,
                                    int64_t end);

/*
 * blastn_identities() - of n pairs of codes, how many are equal. Bases of the query count as the user gave them, also where they are
 * masked. position [in] of the first in the query's strand `context` subject  [in] n codes
 */
int blastn_identities(const struct search_query *query, int context, int position, const uint8_t *subject, int n);

#endif
