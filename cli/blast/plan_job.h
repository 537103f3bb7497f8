/* plan_job.h - the job of tamis plan. */
#ifndef TAMIS_CLI_PLAN_JOB_H
#define TAMIS_CLI_PLAN_JOB_H

#include "cli/blast/blast_job.h"
#include "cli/blast/plan_grid.h"
#include "cli/model/model_profile.h"

enum { PLAN_ABOUT_SEARCH = 8 }; /* of option_row.about: an option of the search, for the commands that the plan prints */

typedef struct plan_job {
    blast_job blast; /* -query, -db, -evalue, -max_target_seqs and the threads of a node */
    const char *profile_name;
    int has_gpu, as_json, task;
    uint64_t batch_residues;                                                                 /* of a query batch: BATCH_SIZE of the cells */
    uint64_t n_nodes, memory_bytes, n_queries, query_residues, n_subjects, subject_residues; /* 0: not given */

    model_profile profile; /* path "": none, so the numbers of the estimate are built in */
    struct plan_search search;
    struct plan_nodes nodes;
    struct plan_grid grid;
} plan_job;

/* plan_profile() - what the estimate is based on; NULL: built-in numbers. */
static inline const tms_profile *plan_profile(const plan_job *job)
{
    return job->profile.path[0] != '\0' ? &job->profile.file.profile : NULL;
}

/* plan_program() - the program that searches: "blastp". */
const char *plan_program(const plan_job *job);

/* plan_print() - prints the plan: text, or with as_json an object. Returns CLI_OK, or the exit code after a message. */
int plan_print(const plan_job *job, const options_given *given);

#endif
