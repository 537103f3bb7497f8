/* tblastn_description.c - see tblastn_description.h. */
#include "cli/blast/tblastn_description.h"

void tblastn_description_init(const tms_tblastn *search, const tms_blastp_params *params, const blastp_seg *seg, uint32_t genetic_code,
                              struct report_program *out)
{
    tms_blastp_info info;

    tms_tblastn_get_info(search, &info);
    protein_description_init(&info, params, seg, out);
    out->name = "tblastn";
    out->version = "TBLASTN 2.12.0+";
    out->n_references = 1;
    out->subject_molecule = TMS_NUCLEOTIDE;
    out->subject_genetic_code = genetic_code;
    for (uint8_t q = 0; q < RESIDUE_CODES; q++)
        for (uint8_t s = 0; s < RESIDUE_CODES; s++)
            out->is_positive[q][s] = tms_tblastn_score(search, q, s) > 0;
}
