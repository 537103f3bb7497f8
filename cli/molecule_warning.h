/*
 * molecule_warning.h - warns of nucleotides where proteins are expected: the characters of bases are residues too, so nothing fails, but
 * the results are meaningless. And of proteins where nucleotides are: what cannot be a base is dropped.
 */
#ifndef TAMIS_CLI_MOLECULE_WARNING_H
#define TAMIS_CLI_MOLECULE_WARNING_H

#include <stdbool.h>

#include "cli/cli.h"
#include "tamis/seq.h"

/* molecule_is_dna() - whether nearly all characters of the records are those of bases, and there are enough of them to tell. */
bool molecule_is_dna(const tms_seqs *seqs);

/*
 * molecule_warn() - warns of records that look like DNA, or like proteins, unless --quiet is given or tamis is called by the name of a
 * BLAST+ program, which does not warn.
 *   path     [in] the file of the records, or "-"
 *   expected [in] what they should be
 *   advice   [in] the end of the message: what to do instead
 */
void molecule_warn(const cli_common *common, const char *path, const tms_seqs *seqs, tms_molecule expected, const char *advice);

#endif
