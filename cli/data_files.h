/*
 * data_files.h - finds files installed with the command (profiles of machines, stored measurements, workflows, links), and the cache
 * directory.
 *
 * The files are in $TAMIS_SHARE if that is set; otherwise in the installation of the command (bin/tamis: share/tamis); otherwise where it
 * was built: profiles and workflows in the source tree (build/NAME/tamis: share/tamis/profiles), measurements in share/tamis/model beside
 * the command.
 */
#ifndef TAMIS_CLI_DATA_FILES_H
#define TAMIS_CLI_DATA_FILES_H

#include <stddef.h>

typedef enum data_kind {
    DATA_PROFILES, /* share/tamis/profiles: *.json */
    DATA_MODEL,    /* share/tamis/model: *.tsv */
    DATA_WORKFLOW  /* share/tamis/workflow: tamis-array.sh, Snakefile, config.yaml */
} data_kind;

enum { DATA_PATH = 4096 };

/* data_directory() - the directory of these files. Returns 1; 0 if there is no such directory; path is then "". */
int data_directory(data_kind kind, char path[DATA_PATH]);

/* data_file() - the path of one of these files, such as "bank.tsv". Returns 1; 0 if there is no such file; path is then "". */
int data_file(data_kind kind, const char *name, char path[DATA_PATH]);

/*
 * data_names() - the names of the files with a suffix, without the suffix, in order: "h100, h200".
 *   text [out] truncated if it does not fit; "" if there are no files
 * Returns the number of files.
 */
size_t data_names(data_kind kind, const char *suffix, char *text, size_t size);

/* data_own_path() - the path of the command itself, with links resolved. Returns 1; 0 if it is unknown. */
int data_own_path(char path[DATA_PATH]);

/* data_links_directory() - the directory of links with the names of BLAST+ programs, installed or built with the command. Returns 1; 0 if
 * there is none. */
int data_links_directory(char path[DATA_PATH]);

/* data_cache_directory() - $XDG_CACHE_HOME/tamis, else ~/.cache/tamis; it need not exist. Returns 1; 0 if neither is known. */
int data_cache_directory(char path[DATA_PATH]);

#endif
