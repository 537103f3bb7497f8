/* blastp_messages.c - failures and warnings, as blastp has them. */
#include <stdio.h>
#include <unistd.h>

#include "cli/blast/blastp_codes.h"
#include "cli/blast/blastp_job.h"
#include "cli/blast_names.h"

static const char command[] = "blastp";

enum { MOST_THREADS = 1024 };

int blastp_fail_io(blastp_job *job, io_status status, const io_error *err)
{
    int code;

    io_progress_end(&job->progress);
    code = blast_code(cli_fail_io(command, status, err));
    return status == IO_E_DATABASE ? BLAST_DATABASE : code;
}

/* Damage is a database's. */
int blastp_fail_library(blastp_job *job, tms_status status)
{
    int code;

    io_progress_end(&job->progress);
    code = blast_code(cli_fail_library(command, job->ctx, status));
    return status == TMS_E_FORMAT ? BLAST_DATABASE : code;
}

int blastp_is_quiet(const blastp_job *job) { return job->common.quiet && blast_called() == NULL; }

void blastp_warn(blastp_job *job, const char *text)
{
    if (blastp_is_quiet(job))
        return;
    io_progress_clear(&job->progress);
    fprintf(stderr, "Warning: [blastp] %s\n", text);
}

/* Of residues that are left out: from the reader's thread, so in one call. */
void blastp_warn_of_residues(void *arg, const char *text)
{
    const blastp_job *job = arg;

    if (!blastp_is_quiet(job))
        fprintf(stderr, "%s\n", text);
}

/* Under tamis's own name more threads than processors may be wanted, to try. */
void blastp_fit_threads(blastp_job *job, int is_given)
{
    const long n_processors = sysconf(_SC_NPROCESSORS_ONLN), most = blast_called() != NULL ? n_processors : MOST_THREADS;
    char text[128];

    if (n_processors > 0 && job->common.n_threads > most) {
        job->common.n_threads = (int)n_processors;
        snprintf(text, sizeof text, "Number of threads was reduced to %ld to match the number of available CPUs", n_processors);
        blastp_warn(job, text);
    }
    if (blast_called() == NULL || !is_given || job->common.n_threads == 1 || job->subject == NULL)
        return;
    snprintf(text, sizeof text, "'num_threads%s' is currently ignored when 'subject' is specified.", job->mt_mode ? " and mt_mode" : "");
    blastp_warn(job, text);
}

void blastp_count_units(blastp_job *job, const tms_seqs *seqs)
{
    for (size_t i = 0; i < seqs->n_records; i++) {
        job->unit_filled += tms_seqs_length(seqs, i);
        if (job->unit_filled < job->unit_residues)
            continue;
        job->n_units++;
        job->unit_filled = 0;
    }
}

/* What -mt_mode chooses is a matter of blastp's own. */
void blastp_warn_of_units(blastp_job *job)
{
    const uint64_t n = job->n_units + (job->unit_filled > 0);
    char text[256];

    if (blast_called() == NULL || !job->mt_mode || job->subject != NULL || n >= (uint64_t)job->common.n_threads)
        return;
    snprintf(text, sizeof text,
             "This set of queries is too small to fully benefit from the -mt_mode=1 option. The total number of letters should be at least "
             "%llu residues per thread.",
             (unsigned long long)job->unit_residues);
    blastp_warn(job, text);
}
