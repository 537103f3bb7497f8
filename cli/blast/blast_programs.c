/* blast_programs.c - see blast_programs.h. */
#include "cli/blast/blast_programs.h"

#include <string.h>

#include "cli/cli.h"

static char task[] = "-task", seg[] = "seg", dust[] = "dust";

static const blast_program programs[] = {
    {.name = "blastn",
     .options = &blastn_options,
     .version = "2.12.0+",
     .description = "Nucleotide-Nucleotide BLAST 2.12.0+",
     .input_error = "BLAST query/options error: "},
    {.name = "blastp",
     .options = &blastp_options,
     .version = "2.12.0+",
     .description = "Protein-Protein BLAST 2.12.0+",
     .input_error = "BLAST query/options error: "},
    {.name = "blastx",
     .options = &blastx_options,
     .version = "2.12.0+",
     .description = "Translated Query-Protein Subject BLAST 2.12.0+",
     .input_error = "BLAST query/options error: "},
    {.name = "tblastn",
     .options = &tblastn_options,
     .version = "2.12.0+",
     .description = "Protein Query-Translated Subject BLAST 2.12.0+",
     .input_error = "BLAST query/options error: "},
    {.name = "tblastx",
     .options = &tblastx_options,
     .version = "2.12.0+",
     .description = "Translated Query-Translated Subject BLAST 2.12.0+",
     .input_error = "BLAST query/options error: "},
    {.name = "makeblastdb",
     .options = &makedb_options,
     .version = "2.12.0+",
     .description = "Application to create BLAST databases, version 2.12.0+",
     .input_error = "BLAST options error: "},
    {.name = "blastdbcmd", .options = &dbinfo_options, .version = "2.12.0+", .description = "BLAST database client, version 2.12.0+"},
    {.name = "segmasker",
     .options = &mask_options,
     .version = "1.0.0",
     .description = "Low complexity region masker based on the SEG algorithm",
     .implied = {task, seg},
     .hidden = "task level linker",
     .fails_with_1 = 1},
    {.name = "dustmasker",
     .options = &mask_options,
     .version = "1.0.0",
     .description = "Low complexity region masker based on Symmetric DUST algorithm",
     .implied = {task, dust},
     .hidden = "task locut hicut",
     .fails_with_1 = 1},
};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

size_t blast_list(const blast_program **out)
{
    *out = programs;
    return N_PROGRAMS;
}

const blast_program *blast_find(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL, *name = slash != NULL ? slash + 1 : path;

    for (size_t i = 0; i < N_PROGRAMS && name != NULL; i++) {
        if (strcmp(name, programs[i].name) == 0)
            return &programs[i];
    }
    return NULL;
}
