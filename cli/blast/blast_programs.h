/* blast_programs.h - the programs of BLAST+ by whose names tamis can be called, each a row; `tamis links` makes links by them. */
#ifndef TAMIS_CLI_BLAST_PROGRAMS_H
#define TAMIS_CLI_BLAST_PROGRAMS_H

#include "cli/blast_names.h"

/* blast_list() - all of them. Returns how many there are. */
size_t blast_list(const blast_program **out);

/* blast_find() - the program that a path, as in argv[0], calls; NULL: none. */
const blast_program *blast_find(const char *path);

#endif
