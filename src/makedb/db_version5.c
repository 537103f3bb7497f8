/* db_version5.c - the files that version 5 adds to version 4; see db_names.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/core.h"
#include "makedb/db_struct.h"
#include "makedb/db_sums.h"

enum { MAX_TABLES = 3 };

/* Computes size and checksum of a file that LMDB has written. */
static io_status sum_file(output_file *f, const char *path, io_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), code;
    ssize_t n = 0;

    while (fd >= 0 && ((n = read(fd, f->buffer, BUFFER_BYTES)) > 0 || (n < 0 && errno == EINTR))) {
        if (n < 0)
            continue;
        f->sum = db_sum(f->sum, f->buffer, (size_t)n);
        f->size += (uint64_t)n;
    }
    code = errno;
    if (fd >= 0)
        close(fd);
    return fd < 0 || n < 0 ? io_fail(err, IO_E_OUTPUT, code, "%s: %s", path, strerror(code)) : IO_OK;
}

/* Lets LMDB write a file under its temporary name. */
static io_status write_lmdb(db_writer *w, const char *extension, const lmdb_file_table *tables, size_t n_tables, uint64_t n_bytes,
                            io_error *err)
{
    size_t at = 0;
    const char *path = NULL;
    io_status status = db_open_file(w, extension, 1, &at, err);

    if (status == IO_OK)
        status = io_safe_file_write(w->files[at].file, "", 0, err); /* gives the file its temporary name */
    if (status == IO_OK) {
        path = io_safe_file_temporary(w->files[at].file);
        status = lmdb_file_write(path, io_safe_file_path(w->files[at].file), tables, n_tables, n_bytes, err);
    }
    if (status == IO_OK)
        status = sum_file(&w->files[at], path, err);
    return status == IO_OK ? db_end_file(w, at, err) : status;
}

/* ---- tables --------------------------------------------------------------------------------------------------- */

/* The rows of the tables of volumes. */
typedef struct volume_rows {
    const db_writer *w;
    uint32_t number;
    char name[PATH_SIZE];
} volume_rows;

static void get_volume_size(void *arg, size_t i, lmdb_file_pair *pair)
{
    volume_rows *rows = arg;

    rows->number = (uint32_t)i;
    *pair = (lmdb_file_pair){&rows->number, &rows->w->volume_sizes[i], sizeof rows->number, sizeof *rows->w->volume_sizes};
}

static void get_volume_name(void *arg, size_t i, lmdb_file_pair *pair)
{
    volume_rows *rows = arg;
    const char *base = db_base_name(rows->w);
    int n = rows->w->n_volumes == 1 ? snprintf(rows->name, sizeof rows->name, "%s", base)
                                    : snprintf(rows->name, sizeof rows->name, "%s.%02u", base, (unsigned)i);

    rows->number = (uint32_t)i;
    *pair = (lmdb_file_pair){&rows->number, rows->name, sizeof rows->number, (size_t)n};
}

static io_status write_names(db_writer *w, io_error *err)
{
    volume_rows rows = {.w = w};
    lmdb_file_table tables[MAX_TABLES] = {
        {.name = "volinfo", .has_number_keys = 1, .n = w->n_volumes, .get = get_volume_size, .arg = &rows},
        {.name = "volname", .has_number_keys = 1, .n = w->n_volumes, .get = get_volume_name, .arg = &rows},
    };

    if (w->how.parse_ids)
        tables[2] = db_names_table(&w->names);
    return write_lmdb(w, "db", tables, w->how.parse_ids ? 3 : 2, w->names.text.n + (uint64_t)w->n_volumes * PATH_SIZE, err);
}

typedef struct taxid_row {
    int32_t taxid;
    uint64_t offset; /* offset of its list in .pto */
} taxid_row;

static void get_taxid(void *arg, size_t i, lmdb_file_pair *pair)
{
    const taxid_row *row = (const taxid_row *)arg + i;

    *pair = (lmdb_file_pair){&row->taxid, &row->offset, sizeof row->taxid, sizeof row->offset};
}

/* ---- arrays --------------------------------------------------------------------------------------------------- */

static io_status put32(output_file *f, uint32_t word, io_error *err)
{
    uint8_t bytes[4];

    core_write32(bytes, word);
    return db_write(f, bytes, sizeof bytes, err);
}

static io_status put64(output_file *f, uint64_t word, io_error *err)
{
    uint8_t bytes[8];

    core_write64(bytes, word);
    return db_write(f, bytes, sizeof bytes, err);
}

/* ---- taxids --------------------------------------------------------------------------------------------------- */

static int compare_taxids(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

io_status db_add_taxids(db_writer *w, const db_record *r, io_error *err)
{
    const size_t first = w->n_taxids;
    size_t n = first;

    if (!array_reserve(&w->taxids, &w->taxids_capacity, w->n_taxids + r->n_deflines, sizeof *w->taxids) ||
        !array_reserve(&w->taxid_ends, &w->taxid_ends_capacity, w->n_taxid_ends + 1, sizeof *w->taxid_ends))
        return io_fail_memory(err, "taxonomy ids");
    for (size_t i = 0; i < r->n_deflines; i++)
        w->taxids[first + i] = (int32_t)r->deflines[i].taxid;
    qsort(w->taxids + first, r->n_deflines, sizeof *w->taxids, compare_taxids);
    for (size_t i = first; i < first + r->n_deflines; i++)
        if (n == first || w->taxids[n - 1] != w->taxids[i])
            w->taxids[n++] = w->taxids[i];
    w->n_taxids = n;
    w->taxid_ends[w->n_taxid_ends++] = n;
    return IO_OK;
}

static io_status write_taxids(db_writer *w, uint64_t n, io_error *err)
{
    const bool differ = w->how.taxids_differ;
    const uint64_t n_taxids = differ ? w->n_taxids : n;
    size_t at = 0;
    io_status status = db_open_file(w, "ot", 1, &at, err);

    if (status == IO_OK)
        status = put64(&w->files[at], n, err);
    for (uint64_t i = 0; i < n && status == IO_OK; i++)
        status = put64(&w->files[at], differ ? w->taxid_ends[i] : i + 1, err);
    for (uint64_t i = 0; i < n_taxids && status == IO_OK; i++)
        status = put32(&w->files[at], (uint32_t)(differ ? w->taxids[i] : (int32_t)w->how.taxid), err);
    return status == IO_OK ? db_end_file(w, at, err) : status;
}

typedef struct taxid_of {
    int32_t taxid;
    uint32_t sequence;
} taxid_of;

static int compare_sequences(const void *a, const void *b)
{
    const taxid_of *x = a, *y = b;

    if (x->taxid != y->taxid)
        return x->taxid < y->taxid ? -1 : 1;
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* Returns all taxids with their sequences, sorted. NULL if there is no memory. */
static taxid_of *sort_taxids(const db_writer *w)
{
    taxid_of *all = malloc((w->n_taxids + 1) * sizeof *all);

    for (size_t i = 0, k = 0; all != NULL && i < w->n_taxid_ends; i++)
        for (; k < w->taxid_ends[i]; k++)
            all[k] = (taxid_of){w->taxids[k], (uint32_t)i};
    if (all != NULL)
        qsort(all, w->n_taxids, sizeof *all, compare_sequences);
    return all;
}

/* Writes the lists of sequences one after the other, and notes where each begins. */
static io_status put_sequences(output_file *f, const taxid_of *all, size_t n, taxid_row *rows, size_t *n_rows, io_error *err)
{
    io_status status = IO_OK;
    uint64_t offset = 0;

    for (size_t i = 0, end; i < n && status == IO_OK; i = end) {
        for (end = i + 1; end < n && all[end].taxid == all[i].taxid;)
            end++;
        rows[(*n_rows)++] = (taxid_row){all[i].taxid, offset};
        offset += 4 * (uint64_t)(end - i + 1);
        status = put32(f, (uint32_t)(end - i), err);
        for (size_t k = i; k < end && status == IO_OK; k++)
            status = put32(f, all[k].sequence, err);
    }
    return status;
}

/* Writes the list of a database with a single taxid. */
static io_status put_all_sequences(output_file *f, uint64_t n, io_error *err)
{
    io_status status = put32(f, (uint32_t)n, err);

    for (uint64_t i = 0; i < n && status == IO_OK; i++)
        status = put32(f, (uint32_t)i, err);
    return status;
}

static size_t count_taxids(const taxid_of *all, size_t n)
{
    size_t n_different = 0;

    for (size_t i = 0; i < n; i++)
        n_different += i == 0 || all[i].taxid != all[i - 1].taxid;
    return n_different;
}

static io_status write_taxid_lists(db_writer *w, uint64_t n, io_error *err)
{
    const bool differ = w->how.taxids_differ;
    taxid_of *all = differ ? sort_taxids(w) : NULL;
    taxid_row one = {(int32_t)w->how.taxid, 0}, *rows = all != NULL ? malloc((count_taxids(all, w->n_taxids) + 1) * sizeof *rows) : NULL;
    lmdb_file_table table = {.name = "taxid2offset", .has_equal_keys = 1, .n = !differ, .get = get_taxid, .arg = differ ? rows : &one};
    size_t at = 0;
    io_status status = !differ || rows != NULL ? db_open_file(w, "to", 1, &at, err) : io_fail_memory(err, "taxonomy ids");

    if (status == IO_OK)
        status = differ ? put_sequences(&w->files[at], all, w->n_taxids, rows, &table.n, err) : put_all_sequences(&w->files[at], n, err);
    if (status == IO_OK)
        status = db_end_file(w, at, err);
    if (status == IO_OK)
        status = write_lmdb(w, "tf", &table, 1, table.n * sizeof *rows, err);
    free(all);
    free(rows);
    return status;
}

static io_status write_lists(db_writer *w, io_error *err)
{
    size_t at = 0;
    io_status status = db_open_file(w, "os", 1, &at, err);

    if (status == IO_OK)
        status = put64(&w->files[at], w->names.n_lists, err);
    for (size_t i = 0; i < w->names.n_lists && status == IO_OK; i++)
        status = put64(&w->files[at], w->names.list_ends[i], err);
    if (status == IO_OK)
        status = db_write(&w->files[at], w->names.lists.bytes, w->names.lists.n, err);
    return status == IO_OK ? db_end_file(w, at, err) : status;
}

io_status db_write_version5(db_writer *w, io_error *err)
{
    uint64_t n = 0;
    io_status status = write_names(w, err);

    for (size_t i = 0; i < w->n_volumes; i++)
        n += w->volume_sizes[i];
    if (status == IO_OK)
        status = write_taxids(w, n, err);
    if (status == IO_OK)
        status = write_taxid_lists(w, n, err);
    return status == IO_OK && w->how.parse_ids ? write_lists(w, err) : status;
}
