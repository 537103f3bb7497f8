/* blast_plan.c - see blast_plan.h. */
#include "cli/blast/blast_plan.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_parts.h"
#include "cli/cli_parse.h"
#include "cli/word_distance.h"
#include "report/report_columns.h"
#include "report/report_format.h"

enum {
    LEAST_ADVISED_TARGETS = 5, /* blastp warns of fewer */
    USUAL_DESCRIPTIONS = 500,  /* defaults of formats 0 to 4 */
    USUAL_ALIGNMENTS = 250
};

/* ---- the format --------------------------------------------------------------------------------------------------------------- */

/* BLAST+ leaves out unknown columns without a message. */
static void warn_of_columns(const blast_job *job)
{
    const struct report_format *f = &job->plan.format;
    const char *nearest = NULL;
    size_t least = f->unknown_size;

    if (f->writer->family != REPORT_TABLE || f->unknown == NULL || job->common.quiet || blast_called() != NULL)
        return;
    for (size_t i = 0; i < report_n_columns; i++) {
        const char *name = report_columns[i].name;
        size_t distance = strncmp(name, f->unknown, f->unknown_size) == 0 ? 1 : word_distance(f->unknown, f->unknown_size, name);
        if (distance < least && distance <= 2) {
            least = distance;
            nearest = name;
        }
    }
    cli_say(job->common.command, "-outfmt: tamis leaves out the unknown column '%.*s'%s%s%s", (int)f->unknown_size, f->unknown,
            nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
}

int blast_plan_report(blast_job *job)
{
    const char *const command = job->common.command, *why = report_format_parse(job->options.outfmt, &job->plan.format);

    if (why != NULL)
        return cli_fail(command, BLAST_INPUT, "-outfmt '%s' %s", job->options.outfmt, why);
    if (job->plan.format.writer->needs_bases && job->molecule != TMS_NUCLEOTIDE)
        return cli_fail(command, BLAST_INPUT, "-outfmt '%s' is SAM, which only blastn writes", job->options.outfmt);
    if (job->plan.format.writer->collect != NULL && job->parts != NULL && blast_parts_chosen(job->parts).n_query_shards > 1)
        return cli_fail(command, BLAST_INPUT, "-outfmt '%s' begins with names of all queries: report all query shards together",
                        job->options.outfmt);
    warn_of_columns(job);
    if (isinf(job->options.evalue) && job->plan.format.writer->needs_finite)
        return cli_fail(command, BLAST_INPUT, "-evalue is infinite, which JSON cannot express: give 1e300");
    if (job->options.db_name == NULL && job->options.subject == NULL)
        return cli_fail(command, BLAST_INPUT, "which sequences? Give -db NAME or -subject FILE");
    return CLI_OK;
}

/* ---- threads and batches ------------------------------------------------------------------------------------------------------ */

int blast_plan_threads(blast_job *job, const options_given *given)
{
    const int is_given = options_is_given(given, "threads");

    if (job->options.mt_mode != 0 && !is_given)
        return cli_fail(job->common.command, BLAST_INPUT, "-mt_mode has no effect alone: give -num_threads too");
    blast_fit_threads(job, is_given);
    return CLI_OK;
}

/* Reads BATCH_SIZE as BLAST+ does: a negative number wraps around to a huge one. */
int blast_plan_batches(blast_job *job, uint64_t usual)
{
    const char *size = getenv("BATCH_SIZE");
    uint64_t of_parts;
    char *end;

    job->plan.unit_residues = usual;
    if (job->parts != NULL && archive_manifest_number(blast_parts_manifest(job->parts), "batch-residues", &of_parts)) {
        job->plan.has_batch_size = of_parts > 0;
        job->plan.unit_residues = of_parts > 0 ? of_parts : usual;
        return CLI_OK;
    }
    if (size == NULL)
        return CLI_OK;
    job->plan.has_batch_size = 1;
    errno = 0;
    job->plan.unit_residues = strtoull(size, &end, 10);
    if (end == size || *end != '\0' || errno != 0 || isspace((unsigned char)*size))
        return cli_fail(job->common.command, BLAST_EXCEPTION, "the environment variable BATCH_SIZE takes a number of residues, not '%s'",
                        size);
    if (job->plan.unit_residues == 0)
        return cli_fail(job->common.command, BLAST_ENGINE,
                        "the environment variable BATCH_SIZE is 0, so that no query would be searched: give 1 or more");
    return CLI_OK;
}

/* ---- subjects ----------------------------------------------------------------------------------------------------------------- */

static int check_best_hits(const blast_job *job)
{
    const struct {
        const char *option;
        double share;
    } given[] = {{"overhang", job->options.best_hit_overhang}, {"score_edge", job->options.best_hit_score_edge}};

    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].share >= 0.5)
            return cli_fail(job->common.command, BLAST_INPUT, "-best_hit_%s takes a share below 0.5, such as 0.1, not %g", given[i].option,
                            given[i].share);
    return CLI_OK;
}

/* Sets the number of subjects to keep, as BLAST+ derives it from three options. */
static int set_targets(blast_job *job, const options_given *given)
{
    const blast_shared_options *options = &job->options;
    blast_plan *plan = &job->plan;
    const int is_text = plan->format.writer->family == REPORT_TEXT;
    int has_targets = options_is_given(given, "max_target_seqs"), has_descriptions = options_is_given(given, "num_descriptions"),
        has_alignments = options_is_given(given, "num_alignments");
    uint32_t n = 500;

    if (!is_text && has_descriptions)
        blast_warn(job, "The parameter -num_descriptions is ignored for output formats > 4 . Use -max_target_seqs to control output");
    if (!is_text && options_is_given(given, "line_length"))
        blast_warn(job, "The parameter -line_length is not applicable for output formats > 4 .");
    if (!is_text && options_is_given(given, "sorthits"))
        blast_warn(job, "The parameter -sorthits is ignored for output formats > 4.");
    if (!plan->format.writer->sorts_hsps && options_is_given(given, "sorthsps"))
        blast_warn(job, "The parameter -sorthsps is ignored for output formats != 0.");
    plan->n_descriptions = has_descriptions ? options->n_descriptions : has_targets ? options->max_target_seqs : USUAL_DESCRIPTIONS;
    plan->n_alignments = has_alignments ? options->n_alignments : has_targets ? options->max_target_seqs : USUAL_ALIGNMENTS;
    if (has_targets)
        n = options->max_target_seqs;
    else if (is_text && (has_descriptions || has_alignments))
        n = plan->n_descriptions > plan->n_alignments ? plan->n_descriptions : plan->n_alignments;
    else if (!is_text && has_alignments)
        n = plan->n_alignments;
    if (n == 0)
        return cli_fail(job->common.command, BLAST_INPUT, "no subject would be kept: give -num_alignments or -num_descriptions 1 or more");
    if (n < LEAST_ADVISED_TARGETS)
        blast_warn(job, "Examining 5 or more matches is recommended");
    plan->max_target_seqs = n < 1 << 29 ? n : 1 << 29; /* more than any database has */
    plan->sort_hits = options_is_given(given, "sorthits") ? (int)options->sort_hits : -1;
    plan->sort_hsps = options_is_given(given, "sorthsps") && plan->format.writer->sorts_hsps ? (int)options->sort_hsps : -1;
    return CLI_OK;
}

int blast_plan_subjects(blast_job *job, const options_given *given)
{
    const int code = check_best_hits(job);

    return code == CLI_OK ? set_targets(job, given) : code;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------------------- */

static int set_range(const blast_job *job, const char *option, const char *text, tms_interval *out)
{
    const char *why = text != NULL ? cli_parse_range(text, &out->start, &out->end) : NULL;

    return why == NULL ? CLI_OK : cli_fail(job->common.command, BLAST_ENGINE, "%s '%s' %s", option, text, why);
}

int blast_plan_ranges(blast_job *job)
{
    blast_plan *plan = &job->plan;
    const int code = set_range(job, "-query_loc", job->options.query_loc, &plan->query_part);

    plan->batch_residues = plan->query_part.end > 0 ? UINT64_MAX : plan->unit_residues;
    return code == CLI_OK ? set_range(job, "-subject_loc", job->options.subject_loc, &plan->subject_part) : code;
}
