/* protein_scan.h - scans subjects with words of residues by the two-hit rule, and leaves out masked residues. */
#ifndef TMS_PROTEIN_SCAN_H
#define TMS_PROTEIN_SCAN_H

#include "lookup/two_hit_gpu.h"
#include "search/search_state.h"

/* protein_scan_range() - implements search_program.scan_range() for groups of protein_group_build(). */
tms_status protein_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *w,
                              struct hit_list *hits);

/* protein_scan_block() - implements search_program.scan_block() for these groups. */
tms_status protein_scan_block(tms_context *ctx, const struct search_setup *setup, const struct two_hit_gpu_subjects *block,
                              const struct query_group *group, struct two_hit_gpu_part *part, struct two_hit_gpu_found *out);

/*
 * protein_scan_begin_with_word() - if the first unmasked range of a subject of n residues is too short for a word, BLAST nevertheless looks
 * up the first word of the subject, and with the one-hit rule goes no further. Extends the range to one word.
 * Returns whether it was long enough.
 */
bool protein_scan_begin_with_word(struct residue_range *first, int n, int word_size);

#endif
