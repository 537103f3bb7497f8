/*
 * search_program.h - what the engine requires of a BLAST program. Each program has one constant table of these functions, through which
 * alone the engine calls it.
 *
 * A program whose words are of residues takes build_group, free_group and scan_range from protein_groups.h and protein_scan.h. Functions
 * return TMS_OK or TMS_E_MEMORY where their comment names no other status.
 */
#ifndef TMS_SEARCH_PROGRAM_H
#define TMS_SEARCH_PROGRAM_H

#include "lookup/two_hit_gpu.h"
#include "mask/intervals.h"
#include "search/search_setup.h"
#include "tamis/alphabet.h"
#include "tamis/seqdb.h"

struct search_state; /* this type and the next four: search_state.h, gapped_stage.h */
struct search_scratch;
struct search_counts;
struct query_group;
struct alignment_task;
struct hit_list;   /* hits/hit_list.h */
struct gpu_device; /* search/gpu_blocks.h */

struct search_program {
    const char *name;

    /* --- queries --- */

    int (*chunk_residues)(const struct search_setup *setup); /* the engine cuts a batch of twice as many residues or more into chunks of
                                                              * about this size */
    int chunk_overlap;                                       /* residues that two neighbouring chunks share */
    bool has_strands; /* queries are bases: a group is a batch, or a chunk of one; chunks have the masks and statistics of whole queries */
    /* Queries are bases and searched with by frames: only a batch of a single query is cut. Its last chunk is longer; chunks have the masks
     * of the whole query. */
    bool translates;
    tms_alphabet query_alphabet;
    /*
     * Finds the masked intervals of a query: ascending; neighbours may touch or share a position.
     *   masker [in,out] the thread's own scratch, NULL at first; freed with free_masker()
     *   masked [in,out] replaced by these intervals
     */
    tms_status (*mask_query)(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked);
    /* As mask_query(), of a chunk. NULL: what lies in it of the query's intervals, each longer by one [sic]. */
    tms_status (*mask_chunk)(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked);
    void (*free_masker)(void *masker); /* NULL is fine */
    /*
     * Prepares a query or a chunk for the search: statistics, cutoffs, the codes that the search uses.
     *   masker [in,out] as for mask_query()
     *   out    [out] freed with search_query_free()
     */
    tms_status (*prepare_query)(const struct search_setup *setup, void **masker, const struct query_part *part, struct search_query *out);
    /* Sets what depends on all n queries of a batch, or of a chunk of one, after these are prepared. NULL: nothing does. */
    void (*prepare_batch)(const struct search_setup *setup, struct search_query *queries, size_t n);

    /* --- scanning: word hits, ungapped HSPs, preliminary HSPs --- */

    /*
     * Builds group->lookup, the lookup table of a group. With for_gpu also builds group->tables, which GPUs need, unless no GPU supports
     * the group. Where GPUs make the lookup table, the program sets is_looked_up_on_gpu instead; if no GPU then takes the group, the engine
     * calls this a second time, without for_gpu.
     */
    tms_status (*build_group)(struct search_state *s, bool for_gpu, struct query_group *group, int thread);
    void (*free_group)(struct query_group *group); /* a group that was not built is fine */
    /*
     * Scans the subjects of a range with a group's words.
     *   number [in]     of the range, 0 .. s->n_ranges - 1. A program may divide some subjects among ranges itself
     *   hits   [in,out] a list for each query of group->placed
     */
    tms_status (*scan_range)(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *w,
                             struct hit_list *hits);
    /*
     * Before ranges are scanned: lets GPUs find what scan_range() then only has to settle, for the groups that the CPU scans. NULL: the
     * program has no such stage. Sets the context's message. Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
     */
    tms_status (*sieve_groups)(tms_context *ctx, struct search_state *s, struct search_counts *counts);
    /*
     * Of a program that translates subjects: sets *out to all frames of a subject as the scan uses them, which borrow from w->own until its
     * next use. Returns false after a failure, which it records.
     */
    bool (*read_frames)(struct search_state *s, uint64_t number, struct search_scratch *w, struct subject_frames *out);
    /*
     * The same for alignments without gaps: reads the residues `range` of a frame with ambiguous bases.
     *   out [out] range.end - range.first + 2 codes, the first and the last of them 0
     */
    bool (*read_range)(struct search_state *s, uint64_t number, int frame, struct residue_range range, struct search_scratch *w,
                       uint8_t *out);
    void (*free_scratch)(void *own); /* frees search_scratch.own; NULL: the program has none */
    /* Finds the ungapped HSPs of a part of a block on a GPU. Same contract as two_hit_gpu_scan(). */
    tms_status (*scan_block)(tms_context *ctx, const struct search_setup *setup, const struct two_hit_gpu_subjects *block,
                             const struct query_group *group, struct two_hit_gpu_part *part, struct two_hit_gpu_found *out);

    /* --- aligning: final HSPs, with traceback --- */

    tms_status (*begin_alignment)(struct search_state *s, size_t n_threads); /* sets s->alignment */
    /* Frees s->alignment. Called also if begin_alignment() failed, or was not called: then s->alignment is NULL. */
    void (*end_alignment)(struct search_state *s, size_t n_threads);
    /*
     * Replaces the preliminary HSPs of subjects task->first .. task->end - 1 of a query by final ones, and reports failures to
     * search_record(). Tasks run at the same time, in any order, one on each thread.
     */
    void (*align_task)(struct search_state *s, struct alignment_task *task, int thread);
    void (*align_last)(struct search_state *s); /* one thread calls it after all tasks; NULL: nothing remains to be done */
    bool (*waits)(const struct search_state *s,
                  const struct alignment_task *task); /* whether align_last() may change an aligned task's HSPs */

    /* --- aligning on a GPU: three stages instead of align_task() alone --- */

    bool (*aligns_on_gpu)(const struct search_state *s); /* whether a GPU helps with this search's tasks; NULL: with none */
    /* Does what align_batch() needs of the CPU, and sets task->prepared. Runs, and reports failures, as align_task(). */
    void (*prepare_task)(struct search_state *s, struct alignment_task *task, int thread);
    /*
     * Aligns n prepared tasks on a GPU, as far as it can; align_task() does the rest. For each GPU one thread at a time.
     *   device [in] its context `aligner` and align_bytes of its memory may be used
     * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE, with a message in device->aligner.
     */
    tms_status (*align_batch)(struct search_state *s, const struct gpu_device *device, struct alignment_task *tasks, size_t n);
    void (*free_prepared)(void *prepared); /* of a task that align_task() did not get */
};

#endif
