/* blastx_description.c - see blastx_description.h. */
#include "cli/blast/blastx_description.h"

void blastx_description_init(const tms_blastx *search, const tms_blastp_params *params, const blastp_seg *seg, uint32_t genetic_code,
                             struct report_program *out)
{
    tms_blastp_info info;

    tms_blastx_get_info(search, &info);
    protein_description_init(&info, params, seg, out);
    out->name = "blastx";
    out->version = "BLASTX 2.12.0+";
    out->n_references = 1;
    out->query_molecule = TMS_NUCLEOTIDE;
    out->query_genetic_code = genetic_code;
    for (uint8_t q = 0; q < RESIDUE_CODES; q++)
        for (uint8_t s = 0; s < RESIDUE_CODES; s++)
            out->is_positive[q][s] = tms_blastx_score(search, q, s) > 0;
}
