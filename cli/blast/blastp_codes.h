/* blastp_codes.h - blastp's exit codes. */
#ifndef TAMIS_CLI_BLASTP_CODES_H
#define TAMIS_CLI_BLASTP_CODES_H

#include "cli/blast_names.h"
#include "cli/cli.h"

/* blast_code() - blastp's exit code for an exit code of the other commands. */
static inline int blast_code(int code)
{
    return code == CLI_USAGE || code == CLI_NO_MATCH ? BLAST_INPUT : code == CLI_NO_MEMORY ? BLAST_MEMORY : code;
}

#endif
