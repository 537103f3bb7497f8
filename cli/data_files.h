/*
 * data_files.h - what comes with the command, beside it: profiles of machines, kept measurements, links; and where it keeps files.
 *
 * Looked for in $TAMIS_SHARE, if that is set; else where the command is installed (bin/tamis: share/tamis); else where it was built:
 * profiles in the source tree (build/NAME/tamis: share/tamis/profiles), measurements in share/tamis/model beside the command.
 */
#ifndef TAMIS_CLI_DATA_FILES_H
#define TAMIS_CLI_DATA_FILES_H

#include <stddef.h>

typedef enum data_kind {
    DATA_PROFILES, /* share/tamis/profiles: *.json */
    DATA_MODEL     /* share/tamis/model: *.tsv */
} data_kind;

enum { DATA_PATH = 4096 };

/* data_directory() - where they are. Returns 1; 0 where there is no such directory, and path is "". */
int data_directory(data_kind kind, char path[DATA_PATH]);

/* data_file() - one of them, such as "bank.tsv". Returns 1; 0 where there is no such file, and path is "". */
int data_file(data_kind kind, const char *name, char path[DATA_PATH]);

/*
 * data_names() - those with a suffix, without it, in order: "h100, h200".
 *   text [out] cut where it does not fit; "" where there are none
 * Returns how many there are.
 */
size_t data_names(data_kind kind, const char *suffix, char *text, size_t size);

/* data_own_path() - the command itself: no link to it. Returns 1; 0 where it is not known. */
int data_own_path(char path[DATA_PATH]);

/* data_links_directory() - where links by BLAST+'s names were installed beside the command. Returns 1; 0 where there is no such directory.
 */
int data_links_directory(char path[DATA_PATH]);

/* data_cache_directory() - $XDG_CACHE_HOME/tamis, else ~/.cache/tamis; it may not be there. Returns 1; 0 where neither is known. */
int data_cache_directory(char path[DATA_PATH]);

#endif
