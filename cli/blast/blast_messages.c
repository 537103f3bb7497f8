/* blast_messages.c - see blast_messages.h. */
#include "cli/blast/blast_messages.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/blast/blast_codes.h"

enum { MOST_THREADS = 1024 };

int blast_fail_io(blast_job *job, io_status status, const io_error *err)
{
    int code;

    io_progress_end(&job->run.progress);
    code = blast_code(cli_fail_io(job->common.command, status, err));
    return status == IO_E_DATABASE ? BLAST_DATABASE : code;
}

/* TMS_E_FORMAT means a damaged database. */
int blast_fail_library(blast_job *job, tms_status status)
{
    int code;

    io_progress_end(&job->run.progress);
    code = blast_code(cli_fail_library(job->common.command, job->run.ctx, status));
    return status == TMS_E_FORMAT ? BLAST_DATABASE : code;
}

int blast_is_quiet(const blast_job *job) { return job->common.quiet && blast_called() == NULL; }

void blast_warn(blast_job *job, const char *text)
{
    if (blast_is_quiet(job))
        return;
    io_progress_clear(&job->run.progress);
    fprintf(stderr, "Warning: [%s] %s\n", job->common.command, text);
}

/* Runs in the reader's thread, so it prints the message with a single write. */
void blast_warn_of_residues(void *arg, const char *text)
{
    const blast_job *job = arg;

    if (!blast_is_quiet(job))
        fprintf(stderr, "%s\n", text);
}

/* Under the name tamis, users may try more threads than there are processors. */
void blast_fit_threads(blast_job *job, int is_given)
{
    const long n_processors = sysconf(_SC_NPROCESSORS_ONLN), most = blast_called() != NULL ? n_processors : MOST_THREADS;
    char text[128];

    if (n_processors > 0 && job->common.n_threads > most) {
        job->common.n_threads = (int)n_processors;
        snprintf(text, sizeof text, "Number of threads was reduced to %ld to match the number of available CPUs", n_processors);
        blast_warn(job, text);
    }
    if (blast_called() == NULL || !is_given || job->common.n_threads == 1 || job->options.subject == NULL)
        return;
    snprintf(text, sizeof text, "'num_threads%s' is currently ignored when 'subject' is specified.",
             job->options.mt_mode ? " and mt_mode" : "");
    blast_warn(job, text);
}

void blast_count_units(blast_job *job, const tms_seqs *seqs)
{
    for (size_t i = 0; i < seqs->n_records; i++) {
        job->run.unit_filled += tms_seqs_length(seqs, i);
        if (job->run.unit_filled < job->plan.unit_residues)
            continue;
        job->run.n_units++;
        job->run.unit_filled = 0;
    }
}

/* Only under the name of a BLAST+ program: tamis itself ignores -mt_mode. */
void blast_warn_of_units(blast_job *job)
{
    const uint64_t n = job->run.n_units + (job->run.unit_filled > 0);
    char text[256];

    if (blast_called() == NULL || !job->options.mt_mode || job->options.subject != NULL || n >= (uint64_t)job->common.n_threads)
        return;
    snprintf(text, sizeof text,
             "This set of queries is too small to fully benefit from the -mt_mode=1 option. The total number of letters should be at least "
             "%llu %s per thread.",
             (unsigned long long)job->plan.unit_residues, job->query_molecule == TMS_PROTEIN ? "residues" : "bases");
    blast_warn(job, text);
}
