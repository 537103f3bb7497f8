/* blastp_messages.c - failures and warnings, as blastp has them. */
#include <stdio.h>

#include "blastp_codes.h"
#include "blastp_job.h"

static const char command[] = "blastp";

int blastp_fail_io(blastp_job *job, io_status status, const io_error *err)
{
    io_progress_end(&job->progress);
    return blast_code(cli_fail_io(command, status, err));
}

/* Damage is a database's. */
int blastp_fail_library(blastp_job *job, tms_status status)
{
    int code;

    io_progress_end(&job->progress);
    code = blast_code(cli_fail_library(command, job->ctx, status));
    return status == TMS_E_FORMAT ? BLAST_DATABASE : code;
}

void blastp_warn(blastp_job *job, const char *text)
{
    if (job->common.quiet)
        return;
    io_progress_clear(&job->progress);
    fprintf(stderr, "Warning: [blastp] %s\n", text);
}

/* Of letters that are left out: from the reader's thread, so in one call. */
void blastp_warn_of_letters(void *arg, const char *text)
{
    const blastp_job *job = arg;

    if (!job->common.quiet)
        fprintf(stderr, "%s\n", text);
}
