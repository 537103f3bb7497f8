/*
 * search_program.h - what the engine asks of a BLAST program. Each program has one constant table of these functions; the engine calls a
 * program by nothing else.
 *
 * A program whose words are of residues takes build_group, free_group and scan_range from protein_groups.h and protein_scan.h. Functions
 * return TMS_OK or TMS_E_MEMORY where their comment names no other status.
 */
#ifndef TMS_SEARCH_PROGRAM_H
#define TMS_SEARCH_PROGRAM_H

#include "lookup/two_hit_gpu.h"
#include "mask/intervals.h"
#include "search/search_setup.h"
#include "tamis/seqdb.h"

struct search_state; /* search_state.h has this and the next three */
struct search_scratch;
struct query_group;
struct alignment_task;
struct hit_list; /* hits/hit_list.h */

struct search_program {
    const char *name;

    /* --- queries --- */

    int chunk_residues; /* a batch of twice as many residues is cut into chunks of about this size */
    int chunk_overlap;  /* residues that a chunk has in common with the next */
    /*
     * Encodes the n characters of record `record`, counted from 1. Any number of threads.
     * Returns TMS_OK, or TMS_E_ARG with a message for a character that is no residue.
     */
    tms_status (*encode_query)(tms_context *ctx, uint64_t record, const uint8_t *characters, size_t n, uint8_t *codes);
    /*
     * Finds the masked intervals of a query or of a chunk: ascending; neighbours may touch or share a position.
     *   masker [in,out] a thread's own scratch, NULL at first; freed with free_masker()
     *   masked [in,out] what was in it is replaced
     */
    tms_status (*mask_query)(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked);
    void (*free_masker)(void *masker); /* NULL is fine */
    /*
     * Makes a query, or a chunk, ready: statistics, cutoffs, the codes that are searched with.
     *   codes [in] borrowed until search_query_free()
     *   statistics_length [in] the length that an effective search space is for
     *   masked [in] n_masked ranges, ascending and apart from each other
     */
    tms_status (*prepare_query)(const struct search_setup *setup, const uint8_t *codes, int length, int statistics_length,
                                const struct residue_range *masked, size_t n_masked, struct search_query *out);

    /* --- scanning: word hits, ungapped HSPs, preliminary HSPs --- */

    /* Makes the lookup table of a group, group->lookup; for_gpu: and what GPUs need of it, group->tables, unless the group is for none. */
    tms_status (*build_group)(const struct search_state *s, bool for_gpu, struct query_group *group);
    void (*free_group)(struct query_group *group); /* a group that was not built is fine */
    /* Scans the subjects of a range with a group's words. hits [in,out] a list for each query of group->placed. */
    tms_status (*scan_range)(struct search_state *s, const struct query_group *group, tms_seqdb_range range, struct search_scratch *w,
                             struct hit_list *hits);
    /* Finds the ungapped HSPs of a part of a block on a GPU. As two_hit_gpu_scan(). */
    tms_status (*scan_block)(tms_context *ctx, const struct search_setup *setup, const struct two_hit_gpu_subjects *block,
                             const struct query_group *group, struct two_hit_gpu_part *part, struct two_hit_gpu_found *out);

    /* --- aligning: final HSPs, with traceback --- */

    tms_status (*begin_alignment)(struct search_state *s, size_t n_threads); /* sets s->alignment */
    void (*end_alignment)(struct search_state *s, size_t n_threads);         /* also after a failure of begin_alignment() */
    /*
     * Replaces the preliminary HSPs of subjects task->first .. task->end - 1 of a query by final ones. Failures go to search_record().
     * Tasks run at the same time, in any order, one on each thread.
     */
    void (*align_task)(struct search_state *s, struct alignment_task *task, int thread);
    void (*align_last)(struct search_state *s); /* after all tasks, by one thread; NULL: nothing is left to do */
    /* Drops subjects of the n queries of a batch that NCBI's program does not come to. NULL: it comes to all. */
    tms_status (*finish_batch)(const struct search_setup *setup, struct hit_list *hits, size_t n);
};

#endif
