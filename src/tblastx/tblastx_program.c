/* tblastx_program.c - tblastx's table of functions for the engine: blastx's queries, and tblastn's subjects. */
#include "tblastx/tblastx_program.h"

#include "protein/protein_align.h"
#include "protein/protein_setup.h"
#include "protein/protein_words.h"
#include "protein/translated_query.h"
#include "protein/translated_scan.h"
#include "protein/translated_subject.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"

/* Queries are never cut. */
static int chunk_residues(const struct search_setup *search)
{
    (void)search;
    return INT32_MAX;
}

const struct search_program tblastx_program = {
    .name = "tblastx",
    .chunk_residues = chunk_residues,
    .translates = true,
    .query_alphabet = TMS_ALPHABET_BLASTNA,
    .mask_query = translated_mask_query,
    .free_masker = protein_free_masker,
    .prepare_query = translated_prepare_query,
    .prepare_batch = protein_prepare_batch,
    .build_group = protein_build_group,
    .free_group = protein_group_free,
    .scan_range = translated_scan_range,
    .scan_block = protein_scan_block,
    .read_range = translated_subject_range,
    .free_scratch = translated_subject_free_scratch,
    .begin_alignment = protein_begin_alignment,
    .end_alignment = protein_end_alignment,
    .align_task = protein_align_task,
    .align_last = protein_align_last,
    .waits = protein_waits,
};
