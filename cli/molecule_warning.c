#include "cli/molecule_warning.h"

#include <string.h>

#include "cli/blast_names.h"

enum { LEAST_RESIDUES = 30, MOST_RESIDUES = 100000 };

/* Characters of the records, MOST_RESIDUES at most, and those of them that are bases. */
struct counts {
    uint64_t residues, bases;
};

static struct counts count(const tms_seqs *seqs)
{
    const uint64_t n = seqs->residue_starts[seqs->n_records];
    struct counts c = {0, 0};

    for (uint64_t i = seqs->residue_starts[0]; i < n && c.residues < MOST_RESIDUES; i++) {
        if (seqs->residues[i] == '\0')
            continue;
        c.residues++;
        c.bases += strchr("ACGTUNacgtun", seqs->residues[i]) != NULL;
    }
    return c;
}

bool molecule_is_dna(const tms_seqs *seqs)
{
    const struct counts c = count(seqs);

    return c.residues >= LEAST_RESIDUES && c.bases >= c.residues - c.residues / 20; /* in proteins only about a third are among these */
}

/* Of a protein that was read as nucleotides the characters are left that may also be ambiguous bases: four of ten are bases. */
static bool is_of_proteins(const tms_seqs *seqs)
{
    const struct counts c = count(seqs);

    return c.residues >= LEAST_RESIDUES && c.bases < c.residues * 2 / 3;
}

void molecule_warn(const cli_common *common, const char *path, const tms_seqs *seqs, tms_molecule expected, const char *advice)
{
    const bool is_protein = expected == TMS_PROTEIN;

    if (common->quiet || blast_called() != NULL || !(is_protein ? molecule_is_dna(seqs) : is_of_proteins(seqs)))
        return;
    cli_say(common->command, "%s: looks like %s: %s", strcmp(path, "-") == 0 ? "standard input" : path, is_protein ? "DNA" : "proteins",
            advice);
}
