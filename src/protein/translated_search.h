/* translated_search.h - what the programs have in common whose queries or subjects are translated, and what each of them is. */
#ifndef TMS_TRANSLATED_SEARCH_H
#define TMS_TRANSLATED_SEARCH_H

#include "protein/protein_setup.h"
#include "search/search_program.h"

/* A program; constant. */
struct translated_program {
    const struct search_program *engine; /* its table of functions */
    tms_blastp_params (*defaults)(void);
    const struct protein_task *tasks;
    size_t n_tasks;
    tms_molecule subjects; /* nucleotides are translated */
    int group_residues, gpu_group_residues;
    bool is_ungapped; /* alignments never have gaps */
};

/* Parameters of a public call, as the caller gives them; NULL: the defaults. */
struct translated_given {
    const tms_blastp_params *protein;
    size_t protein_size;
    const tms_translated_params *own;
    size_t own_size;
};

/* translated_search_create() - what the programs' public calls do (tamis/blastx.h). */
tms_status translated_search_create(tms_context *ctx, const struct translated_program *program, const tms_seqdb *db,
                                    const struct translated_given *given, tms_translated **out);

#endif
