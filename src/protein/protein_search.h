/* protein_search.h - a search in a database of proteins, as the public calls of a program make it. */
#ifndef TMS_PROTEIN_SEARCH_H
#define TMS_PROTEIN_SEARCH_H

#include "protein/protein_setup.h"
#include "search/gpu_start.h"
#include "search/search_results.h"

/* All zero at first. */
struct protein_search {
    tms_context *ctx;
    struct protein_setup *setup;
    uint64_t batch_residues;
    struct search_subjects subjects;
    struct search_counts counts;
    uint64_t n_queries, query_residues, n_hsps;
    bool is_for_gpu; /* GPUs can scan for this search */
    struct search_gpu_start gpus;
    tms_take_result *take_result; /* NULL: none */
    void *take_arg;
};

/*
 * protein_search_begin() - takes over the parameters of subjects and batches.
 *   setup [in] borrowed; may still be unset
 * Returns TMS_OK, or TMS_E_ARG with a message.
 */
tms_status protein_search_begin(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *params, struct protein_setup *setup,
                                struct protein_search *out);

/*
 * protein_search_database() - the sizes that statistics refer to.
 *   program  [in] its name, for the message
 *   molecule [in] of the subjects; nucleotides are translated
 * Returns TMS_OK; TMS_E_ARG, with a message: the database is of another molecule.
 */
tms_status protein_search_database(struct protein_search *search, const tms_blastp_params *params, const char *program,
                                   tms_molecule molecule, struct search_database *out);

/* As the public calls of the same name (tamis/blastp.h). */
tms_blastp_info protein_search_info(const struct protein_search *search);
int protein_search_score(const struct protein_search *search, uint8_t query, uint8_t subject);
tms_search_stats protein_search_stats(const struct protein_search *search);
tms_status protein_search_run(struct protein_search *search, const tms_seqs *queries, tms_search_results **out);
tms_status protein_search_scan(struct protein_search *search, const tms_seqs *queries, tms_search_found **out);
tms_status protein_search_align(struct protein_search *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out);

#endif
