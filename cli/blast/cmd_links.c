/*
 * cmd_links.c - makes links to tamis with the names of BLAST+ programs (blast_names.h), in a folder to put first in PATH.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/blast/blast_programs.h"
#include "cli/cli.h"
#include "cli/data_files.h"
#include "io/io_safe_file.h"

static const char command[] = "links";

typedef struct links_job {
    cli_common common;
    char own[DATA_PATH];
    struct stat own_info;
} links_job;

static const option_row rows[] = {
    CLI_ROW_FORCE("replace programs of these names that are not links to tamis"),
    CLI_ROW_HELP,
};

const option_table links_options = {
    command,
    "Usage: tamis links [OPTION]... [DIR]\n"
    "\n"
    "Lets programs that call BLAST+ call tamis. Called as blastn, blastp, blastx,\n"
    "tblastn, tblastx, makeblastdb, blastdbcmd, segmasker or dustmasker, tamis\n"
    "behaves as that program. With DIR, the command makes links with these names\n"
    "there. Without it, it uses the folder of links that was installed with tamis, or\n"
    "makes one in $XDG_CACHE_HOME/tamis or ~/.cache/tamis. Prints the folder, to put\n"
    "first in PATH.\n",
    OPTION_ROWS(rows),
    "\n"
    "There are no links for programs that tamis does not replace, such as psiblast:\n"
    "the shell finds those of BLAST+ later in PATH. The command replaces only links\n"
    "to tamis.\n"
    "\n"
    "Exit status: 2 if a link would replace a program, 6 if the command cannot make a\n"
    "link; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  PATH=$(tamis links):$PATH prokka --outdir out contigs.fa\n"
    "  tamis links ~/blast-by-tamis\n",
};

static int fail_to_make(const char *path)
{
    return cli_fail(command, CLI_NO_OUTPUT, "%s: cannot make the link: %s", path, strerror(errno));
}

static int find_own(links_job *job)
{
    if (data_own_path(job->own) && stat(job->own, &job->own_info) == 0)
        return CLI_OK;
    return cli_fail(command, CLI_NO_OUTPUT, "/proc/self/exe does not give the path of this program, so tamis cannot make links to it");
}

/* Whether the path leads to this program. */
static int leads_here(const links_job *job, const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && info.st_dev == job->own_info.st_dev && info.st_ino == job->own_info.st_ino;
}

/* Whether the path is a link to a program named tamis, which may be another version, or missing. */
static int is_our_link(const char *path)
{
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);
    const char *slash;

    if (n <= 0)
        return 0;
    target[n] = '\0';
    slash = strrchr(target, '/');
    return strcmp(slash != NULL ? slash + 1 : target, "tamis") == 0;
}

static int check_path(const links_job *job, const char *path)
{
    struct stat info;

    if (lstat(path, &info) != 0)
        return errno == ENOENT ? CLI_OK : fail_to_make(path);
    if (S_ISDIR(info.st_mode))
        return cli_fail(command, CLI_USAGE, "%s is a directory: name another one for the links", path);
    if (is_our_link(path) || job->common.force)
        return CLI_OK;
    return cli_fail(command, CLI_USAGE, "%s is a program, not a link to tamis: name another directory, or replace it with --force", path);
}

/* Makes the link in one step: at any time the name leads to the old program or to the new one. */
static int make_link(const links_job *job, const char *path)
{
    char fresh[PATH_MAX + 32];

    if (is_our_link(path) && leads_here(job, path))
        return CLI_OK;
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    if (symlink(job->own, fresh) != 0)
        return fail_to_make(fresh);
    if (rename(fresh, path) == 0)
        return CLI_OK;
    fail_to_make(path);
    unlink(fresh);
    return CLI_NO_OUTPUT;
}

/* Calls what() for each link of a directory, until one call fails. */
static int each_link(const links_job *job, const char *directory, int (*what)(const links_job *job, const char *path))
{
    const blast_program *programs;
    size_t n = blast_list(&programs);
    char path[PATH_MAX];
    int code = CLI_OK;

    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, programs[i].name) >= sizeof path)
            return cli_fail(command, CLI_USAGE, "%s: the path is too long", directory);
        code = what(job, path);
    }
    return code;
}

static int check_link(const links_job *job, const char *path) { return leads_here(job, path) ? CLI_OK : CLI_NO_MATCH; }

/* Makes all links or none: checks for programs that must not be replaced before it makes a link. */
static int make_links(const links_job *job, const char *directory)
{
    char below[PATH_MAX];
    io_error err;
    io_status status;
    int code = CLI_OK;

    if ((size_t)snprintf(below, sizeof below, "%s/", directory) >= sizeof below)
        return cli_fail(command, CLI_USAGE, "%s: the path is too long", directory);
    status = io_make_directories(below, 0777, &err);
    if (status != IO_OK)
        return cli_fail_io(command, status, &err);
    code = each_link(job, directory, check_path);
    return code == CLI_OK ? each_link(job, directory, make_link) : code;
}

/* Finds the installed links, if they lead here; otherwise makes links in the user's cache, in a directory for this version. */
static int find_links(const links_job *job, char directory[DATA_PATH])
{
    char cache[DATA_PATH];

    if (data_links_directory(directory) && each_link(job, directory, check_link) == CLI_OK)
        return CLI_OK;
    if (!data_cache_directory(cache))
        return cli_fail(command, CLI_USAGE,
                        "no links were installed with %s, and neither XDG_CACHE_HOME nor HOME is an absolute path: name a directory",
                        job->own);
    if (snprintf(directory, DATA_PATH, "%s/bin-%s", cache, tms_version()) >= DATA_PATH)
        return cli_fail(command, CLI_USAGE, "%s: the path is too long", cache);
    return make_links(job, directory);
}

int cmd_links(int argc, char **argv)
{
    links_job job;
    options_given given;
    char directory[DATA_PATH], real[PATH_MAX];
    const char *path = directory;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&links_options, argc, argv, &job.common, &given, &code))
        return code;
    if (given.n_operands > 1)
        return cli_fail_usage(command, "'%s': one directory is enough", given.operands[1]);
    code = find_own(&job);
    if (code == CLI_OK && given.n_operands == 1)
        code = make_links(&job, path = given.operands[0]);
    else if (code == CLI_OK)
        code = find_links(&job, directory);
    if (code != CLI_OK)
        return code;
    puts(realpath(path, real) != NULL ? real : path);
    return cli_end_stdout(command, CLI_OK);
}
