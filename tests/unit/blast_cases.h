/* blast_cases.h - cases with NCBI's results, which lie beside the repository, in ../shared/blast/cases. */
#ifndef BLAST_CASES_H
#define BLAST_CASES_H

#include <stdio.h>
#include <stdlib.h>

#include "samples.h"

/* Skips the test where there is no such file. */
static inline FILE *blast_case_open(const char *name)
{
    const char *data = getenv("TAMIS_DATA");
    char path[1024];
    FILE *file;
    snprintf(path, sizeof path, "%s/../blast/cases/%s", data ? data : "../shared/data", name);
    file = fopen(path, "r");
    if (file == NULL) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    return file;
}

#endif
