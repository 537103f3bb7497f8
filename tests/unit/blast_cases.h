/* blast_cases.h - cases with NCBI's results, which lie beside the repository, in ../shared/blast/cases. */
#ifndef BLAST_CASES_H
#define BLAST_CASES_H

#include <stdio.h>
#include <stdlib.h>

#include "samples.h"
#include "seq/seq_batch.h"

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

/* All records of a file. */
static inline void blast_case_fasta(const char *name, struct seq_batch *out)
{
    char line[16384];
    FILE *file = blast_case_open(name);
    assert_true(seq_batch_clear(out, 0, false));
    while (fgets(line, sizeof line, file) != NULL) {
        size_t n = strcspn(line, "\r\n");
        if (line[0] != '>') {
            assert_true(seq_batch_letters(out, (const uint8_t *)line, n));
            continue;
        }
        if (out->in_record)
            assert_true(seq_batch_end(out));
        assert_true(seq_batch_begin(out, line + 1, n - 1));
    }
    assert_true(seq_batch_end(out));
    fclose(file);
}

#endif
