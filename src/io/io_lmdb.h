/* io_lmdb.h - LMDB files, as version 5 of BLAST databases has them; in a build without LMDB there are none. */
#ifndef TAMIS_IO_LMDB_H
#define TAMIS_IO_LMDB_H

#include <stddef.h>
#include <stdint.h>

#include "io_error.h"

typedef struct io_lmdb_pair {
    const void *key, *value;
    size_t n_key, n_value;
} io_lmdb_pair;

/* A table of the file. */
typedef struct io_lmdb_table {
    const char *name;
    int has_number_keys; /* keys are native words of 32 bits */
    int has_equal_keys;  /* a key may have several values, of one size */
    size_t n;
    void (*get)(void *arg, size_t i, io_lmdb_pair *pair); /* pair i; keys of 1 to 511 bytes */
    void *arg;
} io_lmdb_table;

/* io_lmdb_is_there() - was tamis built with LMDB? */
int io_lmdb_is_there(void);

/*
 * io_lmdb_write() - fill a file, which exists and is empty.
 *   n_bytes [in] of all keys and values, at most
 * Returns IO_OK; IO_E_OUTPUT, IO_E_REFUSED: without LMDB.
 */
io_status io_lmdb_write(const char *path, const char *name, const io_lmdb_table *tables, size_t n_tables, uint64_t n_bytes, io_error *err);

#endif
