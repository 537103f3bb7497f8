/* blastp_program.c - blastp's table of functions for the engine. */
#include "blastp/blastp_align.h"
#include "blastp/blastp_setup.h"
#include "hits/chunk_merge.h"
#include "lookup/two_hit_gpu.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"
#include "search/search_program.h"

_Static_assert((int)REDUCED_NONE == (int)WORD_LOOKUP_NO_LETTER && (int)REDUCED_LONGEST == (int)WORD_LOOKUP_MAX_WORD,
               "the words of a reduced alphabet go into a table");

/* Which words of a subject are similar to a query's; borrows from setup. */
static struct word_lookup_rules word_rules(const struct blastp_setup *setup)
{
    const struct reduced_alphabet *g = &setup->groups;
    const int word_size = setup->search.word_size;

    if (word_size < REDUCED_SHORTEST)
        return (struct word_lookup_rules){word_size, (int)setup->threshold, RESIDUE_CODES, NULL, setup->search.scores};
    return (struct word_lookup_rules){word_size, (int)(REDUCED_SCALE * setup->threshold), g->n_groups, g->group_of, g->scores};
}

static tms_status build_group(struct search_state *s, bool for_gpu, struct query_group *group, int thread)
{
    const struct word_lookup_rules rules = word_rules(blastp_setup_of(s->setup));

    (void)thread;
    return protein_group_build(s, &rules, for_gpu, group);
}

static tms_status scan_block(tms_context *ctx, const struct search_setup *search, const struct two_hit_gpu_subjects *block,
                             const struct query_group *group, struct two_hit_gpu_part *part, struct two_hit_gpu_found *out)
{
    const struct blastp_setup *setup = blastp_setup_of(search);

    if (setup->is_cublastp)
        return cublastp_scan(ctx, block, group->tables, &setup->cublastp, NULL, part, out);
    return two_hit_gpu_scan(ctx, block, group->tables, part, out);
}

static int chunk_residues(const struct search_setup *search)
{
    (void)search;
    return 9900;
}

const struct search_program blastp_program = {
    .name = "blastp",
    .chunk_residues = chunk_residues,
    .chunk_overlap = CHUNK_OVERLAP,
    .encode_query = blastp_encode_query,
    .mask_query = blastp_mask_query,
    .free_masker = blastp_free_masker,
    .prepare_query = blastp_prepare_query,
    .build_group = build_group,
    .free_group = protein_group_free,
    .scan_range = protein_scan_range,
    .scan_block = scan_block,
    .begin_alignment = blastp_begin_alignment,
    .end_alignment = blastp_end_alignment,
    .align_task = blastp_align_task,
    .align_last = blastp_align_last,
};
