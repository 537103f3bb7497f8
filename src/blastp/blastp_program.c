/* blastp_program.c - what the engine calls blastp by. */
#include "blastp/blastp_align.h"
#include "blastp/blastp_setup.h"
#include "lookup/two_hit_gpu.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"
#include "search/search_program.h"

static tms_status build_group(const struct search_state *s, bool for_gpu, struct query_group *group)
{
    const struct word_lookup_rules rules = blastp_word_rules(blastp_setup_of(s->setup));

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

const struct search_program blastp_program = {
    .name = "blastp",
    .chunk_residues = 9900,
    .chunk_overlap = 100,
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
    .finish_batch = blastp_finish_batch,
};
