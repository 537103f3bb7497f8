/* build_job.h - what the files of `tamis build` share: cmd_build.c, build_options.c, build_summary.c. */
#ifndef TAMIS_CLI_BUILD_JOB_H
#define TAMIS_CLI_BUILD_JOB_H

#include "base/byte_array.h"
#include "cli/cli.h"
#include "cli/filter_file.h"
#include "cli/line_stream.h"
#include "cli/shards.h"
#include "io/io_safe_file.h"

/* The share of the input that --shard takes; place.n 0: all of it. */
struct build_share {
    shard_place place;
    const char *const *all_paths; /* the whole input, of which the stream may have only some files */
    size_t n_all_paths;
    int by_record;           /* the shard takes record number shard, shard + n, ... of the stream */
    tms_filter_shard mark;   /* what the filter's file records */
    struct byte_array lines; /* own lines of a batch, with what lies between them */
    uint32_t *offsets;
    size_t offsets_capacity;
};

typedef struct build_job {
    line_stream stream;
    tms_filter_params asked; /* 0: not given, except for fields with a default */
    tms_frequency_want frequencies;
    uint64_t expected;
    double fpr, bits_per_key;
    options_given given;
    const char *output, *append, *shard;
    int is_stranded, mask; /* --kmer */
    int force_lines;       /* no warning if the lines look like sequences */

    struct build_share share;
    filter_file old; /* --append */
    tms_filter *filter;
    enum { NOT_LOST, LOST, READ_AGAIN } lost; /* whether the inserted keys were lost with the GPU */
    off_t stdin_from;                         /* the offset at which standard input begins, if it is a file */
    io_safe_file *file;
    tms_builder *builder;     /* until the number of keys is known */
    tms_reference *reference; /* with --kmer, until the number of k-mers is known */
} build_job;

static inline int build_is_given(const build_job *job, const char *name) { return options_is_given(&job->given, name); }

/* build_check() - checks combinations of options that the rows do not describe. Returns the exit code, after a message. */
int build_check(const build_job *job);

/* build_check_same() - checks that parameters given with --append equal the filter's. Returns the exit code, after a message. */
int build_check_same(const build_job *job);

/* build_membership_want() - the sizing request for a classic or blocked filter, or one of k-mers, with n_keys keys. */
tms_filter_want build_membership_want(const build_job *job, uint64_t n_keys);

/* build_print_summary() - prints a summary of the written filter. */
void build_print_summary(const build_job *job);

#endif
