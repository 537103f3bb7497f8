/* lmdb_file.h - LMDB files, as version 5 of BLAST databases has them; in a build without LMDB there are none. */
#ifndef TAMIS_IO_LMDB_H
#define TAMIS_IO_LMDB_H

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
    int has_number_keys; /* keys are native words of 32 bits */
    int has_equal_keys;  /* a key may have several values, of one size */
    size_t n;
    void (*get)(void *arg, size_t i, lmdb_file_pair *pair); /* pair i; keys of 1 to 511 bytes */
    void *arg;
} lmdb_file_table;

/* lmdb_file_is_there() - was tamis built with LMDB? */
int lmdb_file_is_there(void);

/*
 * lmdb_file_write() - fill a file, which exists and is empty.
 *   n_bytes [in] of all keys and values, at most
 * Returns IO_OK; IO_E_OUTPUT, IO_E_REFUSED: without LMDB.
 */
io_status lmdb_file_write(const char *path, const char *name, const lmdb_file_table *tables, size_t n_tables, uint64_t n_bytes,
                          io_error *err);

#endif
