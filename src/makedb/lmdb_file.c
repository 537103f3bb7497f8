/* lmdb_file.c - CMake sets TAMIS_HAVE_LMDB. */
#include "makedb/lmdb_file.h"

#ifdef TAMIS_HAVE_LMDB

#include <lmdb.h>
#include <string.h>

#define MAP_PER_BYTE 8 /* in the worst case pages are half full, and each pair has a header */
#define MAP_PER_PAIR 64
#define MAP_LEAST    ((uint64_t)16 << 20) /* address space: the file itself is only as large as its contents */

int lmdb_file_is_there(void) { return 1; }

static io_status fail(const char *name, int code, io_error *err)
{
    return io_fail(err, IO_E_OUTPUT, code > 0 ? code : 0, "%s: cannot be written: %s", name, mdb_strerror(code));
}

static int put_table(MDB_txn *txn, const lmdb_file_table *t)
{
    MDB_dbi dbi;
    unsigned flags = MDB_CREATE | (t->has_number_keys ? MDB_INTEGERKEY : 0u) | (t->has_equal_keys ? MDB_DUPSORT | MDB_DUPFIXED : 0u);
    int code = mdb_dbi_open(txn, t->name, flags, &dbi);

    for (size_t i = 0; i < t->n && code == 0; i++) {
        lmdb_file_pair pair = {NULL, NULL, 0, 0};
        MDB_val key, value;
        t->get(t->arg, i, &pair);
        key = (MDB_val){pair.n_key, (void *)(uintptr_t)pair.key}; /* LMDB only reads the key */
        value = (MDB_val){pair.n_value, (void *)(uintptr_t)pair.value};
        code = mdb_put(txn, dbi, &key, &value, t->has_equal_keys ? MDB_NODUPDATA : 0u);
        if (code == MDB_KEYEXIST)
            code = 0;
    }
    return code;
}

io_status lmdb_file_write(const char *path, const char *name, const lmdb_file_table *tables, size_t n_tables, uint64_t n_bytes,
                          io_error *err)
{
    MDB_env *env = NULL;
    MDB_txn *txn = NULL;
    uint64_t map = MAP_LEAST + MAP_PER_BYTE * n_bytes;
    int code = mdb_env_create(&env);

    for (size_t i = 0; i < n_tables; i++)
        map += MAP_PER_PAIR * (uint64_t)tables[i].n;
    if (code == 0)
        code = mdb_env_set_mapsize(env, (size_t)map & ~(size_t)0xffff);
    if (code == 0)
        code = mdb_env_set_maxdbs(env, (MDB_dbi)n_tables);
    if (code == 0)
        code = mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0666); /* the caller flushes the file */
    if (code == 0)
        code = mdb_txn_begin(env, NULL, 0, &txn);
    for (size_t i = 0; i < n_tables && code == 0; i++)
        code = put_table(txn, &tables[i]);
    if (code == 0)
        code = mdb_txn_commit(txn);
    else if (txn != NULL)
        mdb_txn_abort(txn);
    if (env != NULL)
        mdb_env_close(env);
    return code == 0 ? IO_OK : fail(name, code, err);
}

#else

int lmdb_file_is_there(void) { return 0; }

io_status lmdb_file_write(const char *path, const char *name, const lmdb_file_table *tables, size_t n_tables, uint64_t n_bytes,
                          io_error *err)
{
    (void)path;
    (void)tables;
    (void)n_tables;
    (void)n_bytes;
    return io_fail(err, IO_E_REFUSED, 0, "%s: tamis was built without LMDB", name);
}

#endif
