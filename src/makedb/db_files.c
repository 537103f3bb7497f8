/* db_files.c - the files of a database that is being written: buffers, names, checksums. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "makedb/db_struct.h"
#include "makedb/db_sums.h"

/* The last component of the base path. */
const char *db_base_name(const db_writer *w)
{
    const char *slash = strrchr(w->how.base, '/');

    return slash != NULL ? slash + 1 : w->how.base;
}

static io_status flush_buffer(output_file *f, io_error *err)
{
    io_status status = f->n_buffered > 0 ? io_safe_file_write(f->file, f->buffer, f->n_buffered, err) : IO_OK;

    f->sum = db_sum(f->sum, f->buffer, f->n_buffered);
    f->n_buffered = 0;
    return status;
}

io_status db_write(output_file *f, const void *bytes, size_t n, io_error *err)
{
    const uint8_t *from = bytes;
    io_status status = IO_OK;

    f->size += n;
    while (n > 0 && status == IO_OK) {
        size_t n_now = BUFFER_BYTES - f->n_buffered;
        n_now = n_now < n ? n_now : n;
        memcpy(f->buffer + f->n_buffered, from, n_now);
        f->n_buffered += n_now;
        from += n_now;
        n -= n_now;
        if (f->n_buffered == BUFFER_BYTES)
            status = flush_buffer(f, err);
    }
    return status;
}

/* "base.00.psq"; or "base.psq" for an only volume and for files of the whole database. */
io_status db_name_file(const db_writer *w, const output_file *f, int is_only, char path[PATH_SIZE], io_error *err)
{
    char letter = w->how.molecule == TMS_PROTEIN ? 'p' : 'n';
    int n = is_only || f->of_base ? snprintf(path, PATH_SIZE, "%s.%c%s", w->how.base, letter, f->extension)
                                  : snprintf(path, PATH_SIZE, "%s.%02u.%c%s", w->how.base, (unsigned)f->volume, letter, f->extension);

    if (n < 0 || n >= PATH_SIZE)
        return io_fail(err, IO_E_OUTPUT, ENAMETOOLONG, "%.100s...: %s", w->how.base, strerror(ENAMETOOLONG));
    return IO_OK;
}

io_output db_output_of(const db_writer *w, const char *path)
{
    return (io_output){.path = path, .inputs = w->how.inputs, .n_inputs = w->how.n_inputs, .replaces_links = 1};
}

static int is_entry(const output_file *f) { return strcmp(f->extension, "in") == 0 || strcmp(f->extension, "al") == 0; }

io_status db_open_file(db_writer *w, const char *extension, int of_base, size_t *at, io_error *err)
{
    output_file f = {.extension = extension, .volume = w->volume, .of_base = of_base};
    char path[PATH_SIZE];
    io_output output;
    io_status status;

    if (!array_reserve(&w->files, &w->files_capacity, w->n_files + 1, sizeof *w->files))
        return io_fail_memory(err, "output files");
    status = db_name_file(w, &f, w->volume == 0, path, err);
    if (status != IO_OK)
        return status;
    output = db_output_of(w, path);
    f.buffer = w->n_free_buffers > 0 ? w->free_buffers[--w->n_free_buffers] : malloc(BUFFER_BYTES);
    status = f.buffer != NULL ? io_file_set_open(w->set, &output, is_entry(&f), &f.file, err) : io_fail_memory(err, "output files");
    if (status != IO_OK) {
        free(f.buffer);
        return status;
    }
    *at = w->n_files;
    w->files[w->n_files++] = f;
    return IO_OK;
}

/* Flushes the file to the disk. */
io_status db_end_file(db_writer *w, size_t at, io_error *err)
{
    output_file *f = &w->files[at];
    io_status status = flush_buffer(f, err);

    w->free_buffers[w->n_free_buffers++] = f->buffer;
    f->buffer = NULL;
    return status == IO_OK ? io_safe_file_flush(f->file, err) : status;
}

/* Writes a whole file from bytes. */
io_status db_write_file(db_writer *w, const char *extension, int of_base, const struct byte_array *bytes, io_error *err)
{
    size_t at = 0;
    io_status status = db_open_file(w, extension, of_base, &at, err);

    if (status == IO_OK)
        status = db_write(&w->files[at], bytes->bytes, bytes->n, err);
    return status == IO_OK ? db_end_file(w, at, err) : status;
}
