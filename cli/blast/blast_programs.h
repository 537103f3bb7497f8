/* blast_programs.h - the programs of BLAST+ by whose names tamis can be called, each a row; `tamis links` makes links by them. */
#ifndef TAMIS_CLI_BLAST_PROGRAMS_H
#define TAMIS_CLI_BLAST_PROGRAMS_H

#include "cli/blast_names.h"

/* blast_list() - all programs. Returns their number. */
size_t blast_list(const blast_program **out);

/* blast_find() - the program whose name ends a path such as argv[0]; NULL: none. */
const blast_program *blast_find(const char *path);

#endif
