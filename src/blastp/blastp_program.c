/* blastp_program.c - blastp's table of functions for the engine. */
#include "blastp/blastp_setup.h"
#include "hits/chunk_merge.h"
#include "lookup/two_hit_gpu.h"
#include "protein/protein_align.h"
#include "protein/protein_words.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"
#include "search/search_program.h"

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
    .query_alphabet = TMS_ALPHABET_NCBISTDAA,
    .mask_query = protein_mask_query,
    .mask_chunk = protein_mask_chunk,
    .free_masker = protein_free_masker,
    .prepare_query = protein_prepare_query,
    .build_group = protein_build_group,
    .free_group = protein_group_free,
    .scan_range = protein_scan_range,
    .scan_block = scan_block,
    .begin_alignment = protein_begin_alignment,
    .end_alignment = protein_end_alignment,
    .align_task = protein_align_task,
    .align_last = protein_align_last,
    .waits = protein_waits,
    .aligns_on_gpu = protein_aligns_on_gpu,
    .prepare_task = protein_prepare_task,
    .align_batch = protein_align_batch,
    .free_prepared = protein_free_prepared,
};
