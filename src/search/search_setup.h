/*
 * search_setup.h - the constants of a search: scores, statistics, limits, and the program. A program fills in a setup and prepares each
 * query with it (search_program.h); the engine reads both.
 */
#ifndef TMS_SEARCH_SETUP_H
#define TMS_SEARCH_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"
#include "alphabet/translation.h"
#include "extend/gapped.h"
#include "hits/hit_limits.h"
#include "hits/hsp_set.h"
#include "hits/link_uneven.h"
#include "lookup/word_lookup.h"
#include "mask/intervals.h"
#include "score/evalue.h"
#include "score/karlin.h"

struct search_program; /* search_program.h */
struct subject_frames; /* subject_frames.h */

/* The size of the database that E-values refer to. */
struct search_database {
    int64_t n_residues, n_sequences; /* of a translated database a third of its letters */
    int cutoff_length;               /* subject length that cutoff scores refer to: 10 for a database */
    int64_t n_letters;               /* of programs with words of residues: residues, or bases that are translated */
    int64_t mean_length;             /* of these, a subject's; of the database as it is */
    int64_t n_own_residues; /* of the database as it is, whatever size E-values refer to; of a translated one a third of its letters */
};

struct search_setup {
    const struct search_program *program;
    const void *own; /* the program's own setup, whose type only the program's functions know */
    struct search_database database;
    struct gapped_statistics statistics;
    int scores[RESIDUE_CODES * RESIDUE_CODES]; /* [RESIDUE_CODES * query's code + subject's code] */
    int gap_open, gap_extend;                  /* a gap of n residues costs gap_open + n gap_extend */
    int x_gapped, x_final;                     /* X-drops of the preliminary and of the final extension, as scores */
    int word_size;
    int window; /* two word hits on a diagonal must be less than this many residues apart; 0: one hit is enough */
    double evalue;
    double preliminary_evalue;              /* preliminary HSPs up to this E-value pass on to the alignment */
    size_t n_preliminary;                   /* at most this many subjects of a query are aligned */
    bool ungapped;                          /* alignments have no gaps */
    bool has_search_space;                  /* E-values use search_space, without the finite-size correction */
    int64_t search_space;                   /* residue pairs; 0: the effective search space of each query */
    struct hit_limits limits;               /* limits of what the search reports */
    int group_residues, gpu_group_residues; /* most residues of a group, for the CPU and for GPUs; one query may have more */
    bool gapped_on_cpu;                     /* GPUs leave all gapped extensions to the CPU */
    bool rounds_odd_scores_down;            /* E-values are those of the even score below */
    bool never_restricts;                   /* preliminary extensions are in the full form from the beginning */
    bool frames_share_axis;                 /* whether an HSP lies in another is asked of all frames of a strand together [sic] */
    bool translates_subjects;               /* subjects are bases and searched in by frames */
    bool links;                             /* HSPs of frames are linked, and have the E-values of their chains */
    struct link_rules link_rules;           /* if so */
    bool links_evenly; /* HSPs of bases, or of residues without gaps, are linked, and have the E-values of their chains */
};

/* search_box_of() - the box of an HSP for the set of accepted ones. */
static inline struct hsp_box search_box_of(const struct search_setup *setup, const struct hsp *h)
{
    struct hsp_box box = hsp_box_of(h);

    if (setup->frames_share_axis)
        box.context = 2 * (h->context / FRAMES_A_STRAND) + h->subject_frame / FRAMES_A_STRAND;
    return box;
}

/* search_found_limit() - most subjects in a list of preliminary HSPs: a filter of hits must see all of them. */
static inline size_t search_found_limit(const struct search_setup *setup)
{
    return hit_filter_is_wanted(&setup->limits.filter) ? HIT_LIST_ALL : setup->n_preliminary;
}

/* search_is_mixed() - hit_list.is_mixed of lists of preliminary HSPs. A filter of hits leaves HSPs in the order of their scores. */
static inline bool search_is_mixed(const struct search_setup *setup)
{
    return (setup->links_evenly || setup->frames_share_axis) && !hit_filter_is_wanted(&setup->limits.filter);
}

/* search_gapped_costs() - the costs of extensions with this X-drop; borrows the setup's scores. */
static inline struct gapped_costs search_gapped_costs(const struct search_setup *setup, int x_drop)
{
    return (struct gapped_costs){setup->scores, setup->gap_open, setup->gap_extend, x_drop, 0};
}

/*
 * search_whole_score() - truncates a score towards 0. A score that no int can hold becomes INT32_MIN, as in NCBI's program on x86, which
 * then treats an X-drop of that value as none.
 */
static inline int search_whole_score(double score) { return score > INT32_MIN && score < -(double)INT32_MIN ? (int)score : INT32_MIN; }

/* What the cutoffs of evenly linked HSPs of residues follow from: all queries of a batch, or their frames. */
struct search_link_batch {
    double lambda, K, H; /* of the one with the least lambda */
    int64_t mean_length; /* residues */
    int cutoff_least;    /* of ungapped HSPs */
};

/* A query, or a chunk of one, prepared for the search; or a frame of its translation. */
struct search_query {
    int length;
    const uint8_t *original; /* `length` codes as the caller gave them, or of a frame as reports show it; borrowed */
    uint8_t *codes;          /* `length` codes that the search uses, with a 0 before and after; freed with search_query_free() */
    bool is_valid;           /* false: the query has no statistics, and therefore no results */
    bool is_left_out;        /* of two strands: this one is not searched with, because it has no statistics or is not asked for */
    struct karlin karlin;    /* statistics of ungapped alignments */
    struct gapped_statistics statistics; /* statistics of the query's alignments */
    int x_ungapped, cutoff, cutoff_ungapped;
    int cutoff_any_length;          /* of residues: a preliminary HSP that scores more is significant, however long its subject is */
    int cutoff_least;               /* with linking: the least cutoff of all queries of the batch */
    int cutoff_exact;               /* of bases: the least approximate score that calls for an exact ungapped extension */
    int64_t search_space;           /* search space of E-values without the finite-size correction, and of linking */
    int64_t adjustment;             /* with linking: the length adjustment */
    int cutoff_small_gaps;          /* of bases, with linking: what an HSP of a chain with small gaps must score more than */
    struct search_link_batch batch; /* of residues, with even linking */
    struct residue_range *ranges;   /* n_ranges unmasked ranges, ascending */
    size_t n_ranges;
    struct search_query *minus; /* the minus strand, in its own direction; owned. NULL: the query has no strands */
    /*
     * FRAMES translations of a query of bases, which are searched with in its place; owned. NULL: it is not translated. Frames without a
     * residue, or of a strand that is not asked for, are invalid. The query is valid if any frame is.
     */
    struct search_query *frames;
    uint8_t *shown;                /* the residues of all frames as reports show them; owned */
    struct intervals frame_masked; /* of a frame: its masks as reports show them; owned */
};

/* search_query_strand() - what an HSP's context is of: the query itself, its minus strand, or a frame of its translation. */
static inline const struct search_query *search_query_strand(const struct search_query *query, int context)
{
    if (query->frames != NULL)
        return &query->frames[context];
    return context == 0 ? query : query->minus;
}

/* search_hit_query() - the lengths of a query for hit_limits_apply(); borrows `lengths`. */
static inline struct hit_query search_hit_query(const struct search_query *query, int lengths[FRAMES])
{
    if (query->frames == NULL)
        return (struct hit_query){query->length, NULL};
    for (int i = 0; i < FRAMES; i++)
        lengths[i] = query->frames[i].length;
    return (struct hit_query){query->length, lengths};
}

/* A query, or the part of one that lies in a chunk, as the program prepares it for the search. */
struct query_part {
    const uint8_t *codes; /* borrowed until search_query_free() */
    int length;
    const struct search_query *whole;   /* the query that this is a part of, prepared; NULL: this is a whole query */
    const struct search_query *space;   /* with `whole`: the query whose effective search space the part has, prepared */
    const struct residue_range *masked; /* n_masked ranges, ascending and apart from each other */
    size_t n_masked;
};

void search_query_free(struct search_query *query); /* zeroed is fine */

/* search_query_end_search() - frees all but `original`, and what of frames reports show. */
void search_query_end_search(struct search_query *query);

/*
 * search_query_set_ranges() - sets query->ranges to the gaps between n_masked ranges, which must be ascending.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status search_query_set_ranges(const struct residue_range *masked, size_t n_masked, struct search_query *query);

/*
 * search_evalue() - E-value of a score against a subject of subject_length residues. The only function that chooses the formula.
 *   statistics [in] the query's statistics, or those of scaled scores if the score is scaled
 */
double search_evalue(const struct search_setup *setup, const struct search_query *query, const struct gapped_statistics *statistics,
                     int score, int subject_length);

/*
 * search_cutoff() - the greatest score (at least 1) whose E-value is above `evalue`, by the formula of search_evalue();
 * with a search space, the least score that reaches it.
 */
int search_cutoff(const struct search_setup *setup, const struct search_query *query, double evalue, int subject_length);

#endif
