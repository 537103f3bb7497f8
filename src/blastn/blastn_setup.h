/* blastn_setup.h - the constants of a search of bases: the resolved parameters, in the engine's setup and in blastn's own part. */
#ifndef TMS_BLASTN_SETUP_H
#define TMS_BLASTN_SETUP_H

#include "extend/base_alignment.h"
#include "extend/greedy.h"
#include "lookup/base_words.h"
#include "mask/intervals.h"
#include "run/context.h"
#include "score/base_statistics.h"
#include "search/search_setup.h"
#include "tamis/blastn.h"

struct blastn_gpu; /* blastn_gpu.h */

struct blastn_setup {
    struct search_setup search; /* the engine's part; search.own is this setup */
    struct base_scores scores;
    struct base_gap_costs costs;      /* statistics of the gap costs; unset in a search without gaps */
    struct base_search_space space;   /* what E-values and cutoffs are for */
    struct base_words_rules words[2]; /* n_words kinds of words */
    int n_words;
    struct ungapped_base_costs ungapped;
    int off_diagonal;                         /* two word hits may be this many diagonals apart */
    int separation;                           /* an HSP lies in no other whose diagonals are this far away */
    bool is_greedy;                           /* gapped extension is greedy; false: by dynamic programming */
    double x_drop_gapped, x_drop_final;       /* bits; with space.raw_limits scores */
    struct greedy_costs greedy, greedy_final; /* with the X-drops of the preliminary and the final extension */
    struct base_gap gap;                      /* costs of a gap when alignments are scored again */
    int rescore_reward;                       /* of the equal bases beyond its ends by which such an alignment grows */
    double min_identity;                      /* percent */
    int chunk_residues;                       /* without the overlap */
    bool has_plus, has_minus;                 /* strands of queries that are searched with */
    bool soft_masking;                        /* masked bases are only left out of words; false: they are replaced by N */
    bool masks_dust, masks_lower_case;
    tms_dust_params dust;
    struct blastn_gpu *gpu; /* looks up words; NULL: the CPU does */
};

/*
 * blastn_params_resolve() - fills in defaults, and completes the setup but for the database. The setup must not move afterwards.
 * Returns TMS_OK; TMS_E_ARG: a parameter is out of its range, or there are no statistics for scores and gap costs.
 */
tms_status blastn_params_resolve(tms_context *ctx, const tms_blastn_params *given, struct blastn_setup *out);

/*
 * blastn_setup_batch() - sets the X-drops of gapped extension, which follow from the statistics of all strands of a batch.
 *   queries [in] n prepared queries
 */
void blastn_setup_batch(struct blastn_setup *setup, const struct search_query *queries, size_t n);

static inline const struct blastn_setup *blastn_setup_of(const struct search_setup *search) { return search->own; }

/* blastn_gapped_costs() - the costs of extensions by dynamic programming with this X-drop; borrows the setup's scores. */
static inline struct gapped_costs blastn_gapped_costs(const struct blastn_setup *setup, int x_drop)
{
    struct gapped_costs costs = search_gapped_costs(&setup->search, x_drop);

    costs.match = setup->scores.reward;
    return costs;
}

extern const struct search_program blastn_program; /* blastn_program.c */

#endif
