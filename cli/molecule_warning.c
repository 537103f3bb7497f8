#include "cli/molecule_warning.h"

#include <string.h>

#include "cli/blast_names.h"

enum { LEAST_RESIDUES = 30, MOST_RESIDUES = 100000 };

bool molecule_is_dna(const tms_seqs *seqs)
{
    uint64_t n_residues = 0, n_bases = 0, n = seqs->residue_starts[seqs->n_records];

    for (uint64_t i = seqs->residue_starts[0]; i < n && n_residues < MOST_RESIDUES; i++) {
        if (seqs->residues[i] == '\0')
            continue;
        n_residues++;
        n_bases += strchr("ACGTUNacgtun", seqs->residues[i]) != NULL;
    }
    return n_residues >= LEAST_RESIDUES &&
           n_bases >= n_residues - n_residues / 20; /* in proteins only about a third of the residues are among these */
}

void molecule_warn(const cli_common *common, const char *path, const tms_seqs *seqs, const char *advice)
{
    if (common->quiet || blast_called() != NULL || !molecule_is_dna(seqs))
        return;
    cli_say(common->command, "%s: looks like DNA: %s", strcmp(path, "-") == 0 ? "standard input" : path, advice);
}
