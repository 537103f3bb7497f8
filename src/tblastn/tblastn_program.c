/* tblastn_program.c - tblastn's table of functions for the engine. */
#include "tblastn/tblastn_program.h"

#include "hits/chunk_merge.h"
#include "protein/protein_align.h"
#include "protein/protein_setup.h"
#include "protein/protein_words.h"
#include "protein/translated_scan.h"
#include "protein/translated_subject.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"

static int chunk_residues(const struct search_setup *search)
{
    (void)search;
    return 19900;
}

const struct search_program tblastn_program = {
    .name = "tblastn",
    .chunk_residues = chunk_residues,
    .chunk_overlap = CHUNK_OVERLAP,
    .query_alphabet = TMS_ALPHABET_NCBISTDAA,
    .mask_query = protein_mask_query,
    .mask_chunk = protein_mask_chunk,
    .free_masker = protein_free_masker,
    .prepare_query = protein_prepare_query,
    .prepare_batch = protein_prepare_batch,
    .build_group = protein_build_group,
    .free_group = protein_group_free,
    .scan_range = translated_scan_range,
    .scan_block = protein_scan_block,
    .read_frames = translated_subject_scanned,
    .read_range = translated_subject_range,
    .free_scratch = translated_subject_free_scratch,
    .begin_alignment = protein_begin_alignment,
    .end_alignment = protein_end_alignment,
    .align_task = protein_align_task,
    .align_last = protein_align_last,
    .waits = protein_waits,
};
