/*
 * seqdb_samples.h - two small volumes byte by byte, of version 4, as makeblastdb writes them, and databases in a directory of its own.
 *
 *   proteins     >a first MKV, >b second one ACDEFGHIKL; title T
 *   nucleotides  >x one ACGTA, >y two ACGTNNRYACGTAC, >z three ACGTACGT; title N
 */
#ifndef SEQDB_SAMPLES_H
#define SEQDB_SAMPLES_H

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seqdb/seqdb_struct.h"
#include "unit/samples.h"

/* Bytes as a string literal has them; NULs included. */
struct sample_bytes {
    const char *bytes;
    size_t size;
};
#define SAMPLE_BYTES(literal)                                                                                                              \
    {                                                                                                                                      \
        literal, sizeof(literal) - 1                                                                                                       \
    }

#define SAMPLE_DATE "Nov 21, 2026  1:17 PM"

static const struct sample_bytes protein_index = SAMPLE_BYTES(
    "\0\0\0\4\0\0\0\1\0\0\0\1T\0\0\0\x17" SAMPLE_DATE "\0\0\0\0\0\2\x0d\0\0\0\0\0\0\0\0\0\0\x0a\0\0\0\0\0\0\0\x46\0\0\0\x91\0\0\0\1\0\0\0"
    "\5\0\0\0\x10");
static const struct sample_bytes protein_sequences = SAMPLE_BYTES("\0\x0c\x0a\x13\0\1\3\4\5\6\7\x08\x09\x0a\x0b\0");

/* A defline without parsed ids: its title, and gnl|BL_ORD_ID|k. */
#define SAMPLE_DEFLINE(title_size, title, k)                                                                                               \
    "\x30\x80\x30\x80\xa0\x80\x1a" title_size title "\0\0\xa1\x80\x30\x80\xaa\x80\x30\x80\xa0\x80\x1a\x09"                                 \
    "BL_ORD_ID\0\0\xa1\x80\xa0\x80\x02\x01" k "\0\0\0\0\0\0\0\0\0\0\0\0\xa2\x80\x02\x01\0\0\0\0\0\0\0"

static const struct sample_bytes protein_headers = SAMPLE_BYTES(SAMPLE_DEFLINE("\7", "a first", "\0")
                                                                    SAMPLE_DEFLINE("\x0c", "b second one", "\1"));

static const struct sample_bytes nucleotide_index = SAMPLE_BYTES(
    "\0\0\0\4\0\0\0\0\0\0\0\1N\0\0\0\x17" SAMPLE_DATE "\0\0\0\0\0\3\x1b\0\0\0\0\0\0\0\0\0\0\x0e\0\0\0\0\0\0\0\x44\0\0\0\x88\0\0\0\xce\0\0"
    "\0\1\0\0\0\3\0\0\0\x17\0\0\0\x1a\0\0\0\3\0\0\0\7\0\0\0\x1a\0\0\0\x1a");
static const struct sample_bytes nucleotide_sequences = SAMPLE_BYTES(
    "\0\x1b\1\x1b\x29\x1b\x12\0\0\0\3\xf1\0\0\4\x50\0\0\6\xa0\0\0\7\x1b\x1b\0");
static const struct sample_bytes nucleotide_headers = SAMPLE_BYTES(SAMPLE_DEFLINE("\5", "x one", "\0") SAMPLE_DEFLINE("\5", "y two", "\1")
                                                                       SAMPLE_DEFLINE("\7", "z three", "\2"));

/* A copy of exactly that size, so that a sanitizer sees each byte that is read beyond it. */
static inline uint8_t *sample_copy(const char *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static inline void sample_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void sample_write_text(const char *path, const char *text) { sample_write(path, text, strlen(text)); }

/* The files of a volume. */
static inline void sample_write_protein(const char *base)
{
    char path[256];
    snprintf(path, sizeof path, "%s.pin", base);
    sample_write(path, protein_index.bytes, protein_index.size);
    snprintf(path, sizeof path, "%s.psq", base);
    sample_write(path, protein_sequences.bytes, protein_sequences.size);
    snprintf(path, sizeof path, "%s.phr", base);
    sample_write(path, protein_headers.bytes, protein_headers.size);
}

static inline void sample_write_nucleotide(const char *base)
{
    char path[256];
    snprintf(path, sizeof path, "%s.nin", base);
    sample_write(path, nucleotide_index.bytes, nucleotide_index.size);
    snprintf(path, sizeof path, "%s.nsq", base);
    sample_write(path, nucleotide_sequences.bytes, nucleotide_sequences.size);
    snprintf(path, sizeof path, "%s.nhr", base);
    sample_write(path, nucleotide_headers.bytes, nucleotide_headers.size);
}

/* An empty directory becomes the working one; sample_leave() removes it. */
static char sample_directory[64];

static inline int sample_enter(void)
{
    snprintf(sample_directory, sizeof sample_directory, "/tmp/test_seqdb.XXXXXX");
    unsetenv("BLASTDB");
    unsetenv("NCBI");
    return mkdtemp(sample_directory) != NULL && setenv("HOME", sample_directory, 1) == 0 ? chdir(sample_directory) : -1;
}

static inline int sample_leave(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", sample_directory);
    return chdir("/") == 0 ? system(command) : -1;
}

#endif
