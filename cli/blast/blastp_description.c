/* blastp_description.c - see blastp_description.h. */
#include "cli/blast/blastp_description.h"

#include <stdio.h>
#include <string.h>

#include "tamis/alphabet.h"

static const struct report_reference references[] = {
    {"Reference", "9254694",
     "Stephen F. Altschul, Thomas L. Madden, Alejandro A. Sch&auml;ffer, Jinghui Zhang, Zheng Zhang, Webb Miller, and David J. Lipman "
     "(1997), \"Gapped BLAST and PSI-BLAST: a new generation of protein database search programs\", Nucleic Acids Res. 25:3389-3402."},
    {"Reference for composition-based statistics", "11452024",
     "Alejandro A. Sch&auml;ffer, L. Aravind, Thomas L. Madden, Sergei Shavirin, John L. Spouge, Yuri I. Wolf, Eugene V. Koonin, and "
     "Stephen F. Altschul (2001), \"Improving the accuracy of PSI-BLAST protein database searches with composition-based statistics and "
     "other refinements\", Nucleic Acids Res. 29:2994-3005."},
};

/* The text for the masking of queries: "L;" for SEG, or its parameters if they are not the default; "m;" for soft masking. */
static void set_filter(const tms_blastp_params *params, const blastp_seg *typed, char *to, size_t size)
{
    static const tms_seg_params usual = TMS_SEG_QUERY;
    const blastp_seg given = {(int)params->seg.window, params->seg.locut, params->seg.hicut}, *seg = typed != NULL ? typed : &given;
    char text[512] = "";

    if (params->masks_seg && seg->window == (int)usual.window && seg->locut == usual.locut && seg->hicut == usual.hicut)
        snprintf(text, sizeof text, "L;");
    else if (params->masks_seg)
        snprintf(text, sizeof text, "S %d %.1f %.1f;", seg->window, seg->locut, seg->hicut);
    snprintf(to, size, "%s%s", text, params->soft_masking ? "m;" : params->masks_seg ? "" : "F");
}

void protein_description_init(const tms_blastp_info *info, const tms_blastp_params *params, const blastp_seg *seg,
                              struct report_program *out)
{
    *out = (struct report_program){.references = references,
                                   .query_molecule = TMS_PROTEIN,
                                   .subject_molecule = TMS_PROTEIN,
                                   .residues = tms_alphabet_letters(TMS_ALPHABET_NCBISTDAA),
                                   .matrix = info->matrix,
                                   .matrix_as_typed = params->matrix != NULL ? params->matrix : info->matrix,
                                   .is_ungapped = params->ungapped != 0,
                                   .gap_open = info->gap_open,
                                   .gap_extend = info->gap_extend,
                                   .evalue = params->evalue,
                                   .threshold = info->threshold,
                                   .window = info->window,
                                   .composition = params->composition,
                                   .gapped = {info->lambda, info->K, info->H, info->a, info->alpha, info->sigma},
                                   .ungapped_a = info->ungapped_a,
                                   .ungapped_alpha = info->ungapped_alpha,
                                   .has_search_space = params->search_space >= 0};
    set_filter(params, seg, out->filter, sizeof out->filter);
}

void blastp_description_init(const tms_blastp *search, const tms_blastp_params *params, const blastp_seg *seg, struct report_program *out)
{
    tms_blastp_info info;

    tms_blastp_get_info(search, &info);
    protein_description_init(&info, params, seg, out);
    out->name = "blastp";
    out->version = "BLASTP 2.12.0+";
    out->n_references = sizeof references / sizeof *references;
    for (uint8_t q = 0; q < RESIDUE_CODES; q++)
        for (uint8_t s = 0; s < RESIDUE_CODES; s++)
            out->is_positive[q][s] = tms_blastp_score(search, q, s) > 0;
}
