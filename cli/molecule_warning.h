/*
 * molecule_warning.h - nucleotides where proteins are expected: their residues are amino acids too, so nothing fails, and what comes out is
 * junk.
 */
#ifndef TAMIS_CLI_MOLECULE_WARNING_H
#define TAMIS_CLI_MOLECULE_WARNING_H

#include <stdbool.h>

#include "cli/cli.h"
#include "tamis/seq.h"

/* molecule_is_dna() - whether nearly all residues of these records, of which there are enough to tell, are those of DNA or RNA. */
bool molecule_is_dna(const tms_seqs *seqs);

/*
 * molecule_warn() - warns once about such records, unless --quiet is given or tamis is called by the name of BLAST+'s program.
 *   path   [in] the file of the records, or "-"
 *   advice [in] what the user should do instead
 */
void molecule_warn(const cli_common *common, const char *path, const tms_seqs *seqs, const char *advice);

#endif
