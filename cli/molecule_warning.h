/*
 * molecule_warning.h - nucleotides where proteins are expected: the letters of bases are amino acids too, so nothing fails, and the results
 * are meaningless.
 */
#ifndef TAMIS_CLI_MOLECULE_WARNING_H
#define TAMIS_CLI_MOLECULE_WARNING_H

#include <stdbool.h>

#include "cli/cli.h"
#include "tamis/seq.h"

/* molecule_is_dna() - whether nearly all residues of some records are letters of DNA or RNA, and there are enough residues to tell. */
bool molecule_is_dna(const tms_seqs *seqs);

/*
 * molecule_warn() - a warning about such records, unless --quiet is given or tamis is called by the name of BLAST+'s program, which does
 * not warn.
 *   path   [in] the file of the records, or "-"
 *   advice [in] the end of the message: what to do instead
 */
void molecule_warn(const cli_common *common, const char *path, const tms_seqs *seqs, const char *advice);

#endif
