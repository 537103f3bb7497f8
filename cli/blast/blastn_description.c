/* blastn_description.c - see blastn_description.h. */
#include "cli/blast/blastn_description.h"

#include <stdio.h>
#include <string.h>

#include "tamis/alphabet.h"

/* For greedy extension with linear gap costs, and for all other searches. */
static const struct report_reference megablast = {
    "Reference", "10890397",
    "Zheng Zhang, Scott Schwartz, Lukas Wagner, and Webb Miller (2000), \"A greedy algorithm for aligning DNA sequences\", J Comput Biol "
    "2000; 7(1-2):203-14."};
static const struct report_reference gapped = {
    "Reference", "9254694",
    "Stephen F. Altschul, Thomas L. Madden, Alejandro A. Sch&auml;ffer, Jinghui Zhang, Zheng Zhang, Webb Miller, and David J. Lipman "
    "(1997), \"Gapped BLAST and PSI-BLAST: a new generation of protein database search programs\", Nucleic Acids Res. 25:3389-3402."};

/* rmblastn's, before gapped, if it has neither a reward nor a penalty. */
static const char rmblast[] = "Reference: Robert M. Hubley, Arian Smit\n"
                              "RMBlast - RepeatMasker Search Engine\n"
                              "2010 <http://www.repeatmasker.org>\n\n";

/* The text for the masking of queries: "L;" for DUST, or its parameters if they are not the default; "m;" for soft masking. */
static void set_filter(const tms_blastn_params *params, char *to, size_t size)
{
    static const tms_dust_params usual = TMS_DUST_AS_BLASTN;
    const tms_dust_params *dust = &params->dust;
    char text[64] = "";

    if (params->masks_dust && dust->level == usual.level && dust->window == usual.window && dust->linker == usual.linker)
        snprintf(text, sizeof text, "L;");
    else if (params->masks_dust)
        snprintf(text, sizeof text, "D %u %u %u;", (unsigned)dust->level, (unsigned)dust->window, (unsigned)dust->linker);
    snprintf(to, size, "%s%s", text, params->soft_masking ? "m;" : params->masks_dust ? "" : "F");
}

void blastn_description_init(const tms_blastn *search, const tms_blastn_params *params, struct report_program *out)
{
    tms_blastn_info info;

    tms_blastn_get_info(search, &info); /* no pair of different bases is a positive, whatever its score */
    *out = (struct report_program){.name = "blastn",
                                   .version = "BLASTN 2.12.0+",
                                   .references = params->task == TMS_TASK_MEGABLAST ? &megablast : &gapped,
                                   .n_references = 1,
                                   .query_molecule = TMS_NUCLEOTIDE,
                                   .subject_molecule = TMS_NUCLEOTIDE,
                                   .residues = tms_alphabet_letters(TMS_ALPHABET_BLASTNA),
                                   .matrix = "",
                                   .reward = info.reward,
                                   .penalty = info.penalty,
                                   .base_gap = info.gap_open == 0 && info.gap_extend == 0 ? (info.reward - 2 * info.penalty) / 2.0 : 0,
                                   .matrix_as_typed = "",
                                   .is_ungapped = params->ungapped != 0,
                                   .shows_chains = params->ungapped != 0 && params->sum_statistics != 0,
                                   .gap_open = info.gap_open,
                                   .gap_extend = info.gap_extend,
                                   .evalue = params->evalue,
                                   .window = info.window,
                                   .gapped = {info.lambda, info.K, info.H, 0, 0, 0},
                                   .has_search_space = true};
    if (params->task == TMS_TASK_RMBLASTN && params->reward == 0 && params->penalty == 0) {
        out->heading = "RMBLASTN 2.12.0+";
        out->preface = rmblast;
        out->only_scores = true;
    }
    set_filter(params, out->filter, sizeof out->filter);
}
