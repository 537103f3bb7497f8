/* translated_options.c - see translated_options.h. */
#include "cli/blast/translated_options.h"

#include "cli/blast/blast_codes.h"

/* Names what is not made yet. */
static int refuse(const protein_job *job, const options_given *given)
{
    static const struct {
        const char *name, *instead;
    } unmade[] = {{"ungapped", "leave it out"}};
    const char *command = job->blast.common.command;

    for (size_t i = 0; i < sizeof unmade / sizeof *unmade; i++)
        if (options_is_given(given, unmade[i].name))
            return cli_fail(command, BLAST_INPUT, "-%s is not supported yet: %s", unmade[i].name, unmade[i].instead);
    return CLI_OK;
}

static int check_code(const translated_job *job, const char *gencode)
{
    const uint32_t code = job->translated.genetic_code;

    if ((code >= 1 && code <= 6) || (code >= 9 && code <= 16) || (code >= 21 && code <= 31) || code == 33)
        return CLI_OK;
    return cli_fail(job->protein.blast.common.command, BLAST_INPUT, "-%s takes 1 to 6, 9 to 16, 21 to 31, or 33, not %u", gencode,
                    (unsigned)code);
}

int translated_check(translated_job *job, const options_given *given, const char *gencode)
{
    protein_job *protein = &job->protein;
    int code = refuse(protein, given);

    if (code == CLI_OK)
        code = check_code(job, gencode);
    if (code == CLI_OK)
        code = protein_check(protein, given, protein->params.batch_residues);
    if (code == CLI_OK && protein->blast.plan.format.writer->needs_bases)
        return cli_fail(protein->blast.common.command, BLAST_INPUT, "-outfmt '%s' is SAM, which is for nucleotides only",
                        protein->blast.options.outfmt);
    return code;
}
