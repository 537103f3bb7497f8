/* lmdb_file.h - writes LMDB files, which version 5 of BLAST databases needs; a build without LMDB refuses to. */
#ifndef TAMIS_LMDB_FILE_H
#define TAMIS_LMDB_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "io/io_error.h"

typedef struct lmdb_file_pair {
    const void *key, *value;
    size_t n_key, n_value;
} lmdb_file_pair;

/* A table of the file. */
typedef struct lmdb_file_table {
    const char *name;
    int has_number_keys; /* 1: keys are 32-bit words in native byte order */
    int has_equal_keys;  /* 1: a key may have several values, all of one size */
    size_t n;
    void (*get)(void *arg, size_t i, lmdb_file_pair *pair); /* returns pair i; keys have 1 to 511 bytes */
    void *arg;
} lmdb_file_table;

/* lmdb_file_is_there() - 1 if tamis was built with LMDB. */
int lmdb_file_is_there(void);

/*
 * lmdb_file_write() - fill an existing, empty file.
 *   n_bytes [in] upper bound of the size of all keys and values
 * Returns IO_OK; IO_E_OUTPUT; IO_E_REFUSED in a build without LMDB.
 */
io_status lmdb_file_write(const char *path, const char *name, const lmdb_file_table *tables, size_t n_tables, uint64_t n_bytes,
                          io_error *err);

#endif
