/* blast_cases.h - cases of tests/data/blast, with the results of NCBI's programs. */
#ifndef BLAST_CASES_H
#define BLAST_CASES_H

#include <stdio.h>
#include <stdlib.h>

#include "seq/seq_batch.h"
#include "unit/samples.h"

enum { BLAST_CASE_PATH = 1024 };

static inline void blast_case_path(const char *name, char path[BLAST_CASE_PATH])
{
    const char *source = getenv("TAMIS_SOURCE");
    snprintf(path, BLAST_CASE_PATH, "%s/tests/data/blast/%s", source ? source : ".", name);
}

static inline FILE *blast_case_open(const char *name)
{
    char path[BLAST_CASE_PATH];
    FILE *file;
    blast_case_path(name, path);
    file = fopen(path, "r");
    if (file == NULL)
        fail_msg("no %s: TAMIS_SOURCE is to be the source's directory", path);
    return file;
}

/* Reads all records of a file. */
static inline void blast_case_fasta(const char *name, struct seq_batch *out)
{
    char line[16384];
    FILE *file = blast_case_open(name);
    assert_true(seq_batch_clear(out, 0, false));
    while (fgets(line, sizeof line, file) != NULL) {
        size_t n = strcspn(line, "\r\n");
        if (line[0] != '>') {
            assert_true(seq_batch_residues(out, (const uint8_t *)line, n));
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
