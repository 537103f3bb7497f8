/* blastn_program.c - blastn's table of functions for the engine. */
#include "blastn/blastn_align.h"
#include "blastn/blastn_gpu.h"
#include "blastn/blastn_groups.h"
#include "blastn/blastn_query.h"
#include "blastn/blastn_scan.h"
#include "blastn/blastn_scratch.h"
#include "hits/chunk_merge.h"
#include "search/search_program.h"

static int chunk_residues(const struct search_setup *search) { return blastn_setup_of(search)->chunk_residues; }

const struct search_program blastn_program = {
    .name = "blastn",
    .chunk_residues = chunk_residues,
    .chunk_overlap = CHUNK_OVERLAP,
    .has_strands = true,
    .query_alphabet = TMS_ALPHABET_BLASTNA,
    .mask_query = blastn_mask_query,
    .free_masker = blastn_free_masker,
    .prepare_query = blastn_prepare_query,
    .build_group = blastn_build_group,
    .free_group = blastn_free_group,
    .scan_range = blastn_scan_range,
    .sieve_groups = blastn_sieve_groups,
    .free_scratch = blastn_free_scratch,
    .begin_alignment = blastn_begin_alignment,
    .end_alignment = blastn_end_alignment,
    .align_task = blastn_align_task,
};
