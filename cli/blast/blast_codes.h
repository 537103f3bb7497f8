/* blast_codes.h - exit codes of BLAST+'s search programs. */
#ifndef TAMIS_CLI_BLAST_CODES_H
#define TAMIS_CLI_BLAST_CODES_H

#include "cli/blast_names.h"
#include "cli/cli.h"

/* blast_code() - the exit code of BLAST+ that corresponds to one of tamis (cli.h). */
static inline int blast_code(int code)
{
    return code == CLI_USAGE || code == CLI_NO_MATCH ? BLAST_INPUT : code == CLI_NO_MEMORY ? BLAST_MEMORY : code;
}

#endif
