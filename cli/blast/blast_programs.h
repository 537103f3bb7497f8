/* blast_programs.h - the BLAST+ programs whose names tamis can be called by; `tamis links` makes a link for each. */
#ifndef TAMIS_CLI_BLAST_PROGRAMS_H
#define TAMIS_CLI_BLAST_PROGRAMS_H

#include "cli/blast_names.h"

/* blast_list() - sets *out to all programs. Returns their number. */
size_t blast_list(const blast_program **out);

/* blast_find() - the program whose name is the last component of a path such as argv[0]; NULL: none. */
const blast_program *blast_find(const char *path);

#endif
