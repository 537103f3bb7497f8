/* build_job.h - what the files of `tamis build` share: cmd_build.c, build_options.c, build_summary.c. */
#ifndef TAMIS_CLI_BUILD_JOB_H
#define TAMIS_CLI_BUILD_JOB_H

#include "cli/cli.h"
#include "cli/filter_file.h"
#include "cli/line_stream.h"
#include "io/io_safe_file.h"

typedef struct build_job {
    line_stream stream;
    tms_filter_params asked; /* zero means not given, but for what has a default */
    tms_frequency_want frequencies;
    uint64_t expected;
    double fpr, bits_per_key;
    options_given given;
    const char *output, *append;
    int is_stranded, mask; /* --kmer */
    int force_lines;       /* nothing is said where lines look like those of sequences */

    filter_file old; /* --append */
    tms_filter *filter;
    enum { NOT_LOST, LOST, READ_AGAIN } lost; /* what the filter had, with the GPU where it was */
    off_t stdin_from;                         /* where standard input begins, if it is a file */
    io_safe_file *file;
    tms_builder *builder;     /* until the number of keys is known */
    tms_reference *reference; /* the same with --kmer */
} build_job;

static inline int build_is_given(const build_job *job, const char *name) { return options_is_given(&job->given, name); }

/* build_check() - what goes together, as far as the rows do not say it. Returns an exit code after its message. */
int build_check(const build_job *job);

/* build_check_same() - what is given together with --append has to be what the filter has. Returns likewise. */
int build_check_same(const build_job *job);

/* build_membership_want() - what is asked of a classic or blocked filter, or of k-mers, of n_keys keys. */
tms_filter_want build_membership_want(const build_job *job, uint64_t n_keys);

/* build_print_summary() - of the filter that was written. */
void build_print_summary(const build_job *job);

#endif
