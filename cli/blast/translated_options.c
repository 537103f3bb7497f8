/* translated_options.c - see translated_options.h. */
#include "cli/blast/translated_options.h"

#include <strings.h>

#include "cli/blast/blast_codes.h"

static int check_code(const translated_job *job, const char *option, uint32_t code)
{
    if ((code >= 1 && code <= 6) || (code >= 9 && code <= 16) || (code >= 21 && code <= 31) || code == 33)
        return CLI_OK;
    return cli_fail(job->kind->options->command, BLAST_INPUT, "-%s takes 1 to 6, 9 to 16, 21 to 31, or 33, not %u", option, (unsigned)code);
}

static void set_params(translated_job *job)
{
    const translated_own_options *own = &job->translated;
    tms_translated_params *p = &job->params;

    *p = tms_translated_defaults();
    p->task = (uint32_t)job->protein.own.task;
    p->skips_plus = own->strand == TRANSLATED_MINUS_STRAND;
    p->skips_minus = own->strand == TRANSLATED_PLUS_STRAND;
    p->links = (uint32_t)own->sum_stats;
    p->longest_intron = own->max_intron_length;
    if (job->kind->queries == TMS_NUCLEOTIDE)
        p->query_genetic_code = own->query_gencode;
    if (job->kind->subjects == TMS_NUCLEOTIDE)
        p->db_genetic_code = own->db_gencode;
}

int translated_check(translated_job *job, const options_given *given)
{
    protein_job *protein = &job->protein;
    blast_job *blast = &protein->blast;
    int code = CLI_OK;

    protein->params = job->kind->defaults();
    set_params(job);
    if (code == CLI_OK && job->kind->queries == job->kind->subjects && job->params.longest_intron > 0)
        code = cli_fail(job->kind->options->command, BLAST_INPUT,
                        "-max_intron_length has no meaning where both sequences are translated: "
                        "leave it out");
    if (code == CLI_OK && job->kind == &translated_blastx && !protein->own.ungapped && protein->own.matrix != NULL &&
        strcasecmp(protein->own.matrix, "IDENTITY") == 0)
        code = cli_fail(blast->common.command, BLAST_INPUT, "-matrix IDENTITY needs -ungapped, as in NCBI's blastx");
    if (code == CLI_OK)
        code = check_code(job, "query_gencode", job->params.query_genetic_code);
    if (code == CLI_OK)
        code = check_code(job, "db_gencode", job->params.db_genetic_code);
    if (code == CLI_OK)
        code = protein_check(protein, given, protein->params.batch_residues);
    blast->plan.keeps_chains = protein->params.ungapped && job->params.links;
    if (code == CLI_OK && blast->plan.format.writer->needs_bases)
        return cli_fail(blast->common.command, BLAST_INPUT, "-outfmt '%s' is SAM, which only blastn writes", blast->options.outfmt);
    return code;
}
