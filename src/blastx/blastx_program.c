/* blastx_program.c - blastx's table of functions for the engine. */
#include "blastx/blastx_program.h"

#include "protein/protein_align.h"
#include "protein/protein_setup.h"
#include "protein/protein_words.h"
#include "protein/translated_query.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"

enum { CHUNK_BASES = 9705, OVERLAP_BASES = 297 };

static int chunk_residues(const struct search_setup *search)
{
    (void)search;
    return CHUNK_BASES;
}

const struct search_program blastx_program = {
    .name = "blastx",
    .chunk_residues = chunk_residues,
    .chunk_overlap = OVERLAP_BASES,
    .translates = true,
    .query_alphabet = TMS_ALPHABET_BLASTNA,
    .mask_query = translated_mask_query,
    .free_masker = protein_free_masker,
    .prepare_query = translated_prepare_query,
    .prepare_batch = protein_prepare_batch,
    .build_group = protein_build_group,
    .free_group = protein_group_free,
    .scan_range = protein_scan_range,
    .scan_block = protein_scan_block,
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
