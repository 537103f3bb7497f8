/* db_sums.c - CRC-64, because it can be computed while bytes are written, and other programs can check it. */
#include "makedb/db_sums.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <isa-l/crc64.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LINE = 4096, BUFFER_BYTES = 1 << 18 };
static const char last_line[] = "end";
static const char first_lines[] = "# sizes in bytes, and CRC-64/XZ, of the files of this database\ntamis-sums 1\n";

uint64_t db_sum(uint64_t sum, const uint8_t *bytes, size_t n) { return crc64_ecma_refl(sum, bytes, n); }

static io_status add(struct byte_array *text, const char *line, io_error *err)
{
    return byte_array_add(text, line, strlen(line)) ? IO_OK : io_fail_memory(err, "checksums");
}

io_status db_sums_begin(struct byte_array *text, const char *date, io_error *err)
{
    char line[256];
    io_status status = add(text, first_lines, err);

    snprintf(line, sizeof line, "date %s\n", date);
    return status == IO_OK ? add(text, line, err) : status;
}

io_status db_sums_add(struct byte_array *text, uint64_t sum, uint64_t size, const char *name, io_error *err)
{
    char line[MAX_LINE];

    snprintf(line, sizeof line, "%016" PRIx64 " %" PRIu64 " %s\n", sum, size, name);
    return add(text, line, err);
}

io_status db_sums_end(struct byte_array *text, io_error *err)
{
    io_status status = add(text, last_line, err);

    return status == IO_OK ? add(text, "\n", err) : status;
}

/* Checks that a file has the size and sum of its line. */
static io_status check_file(const char *path, uint64_t want_sum, uint64_t want_size, uint8_t *buffer, io_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t sum = 0, size = 0;
    ssize_t n = 0;
    int code;

    while (fd >= 0 && ((n = read(fd, buffer, BUFFER_BYTES)) > 0 || (n < 0 && errno == EINTR))) {
        if (n < 0)
            continue;
        sum = db_sum(sum, buffer, (size_t)n);
        size += (uint64_t)n;
    }
    code = errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0 || n < 0)
        return io_fail(err, IO_E_INPUT, code, "%s: %s", path, strerror(code));
    if (size != want_size)
        return io_fail(err, IO_E_INPUT, 0, "%s: has %" PRIu64 " bytes instead of %" PRIu64, path, size, want_size);
    if (sum != want_sum)
        return io_fail(err, IO_E_INPUT, 0, "%s: is damaged: its checksum has changed", path);
    return IO_OK;
}

typedef struct lines {
    const char *base, *date, *path;
    int only_indexes;
    int differs; /* 1: the file of the last line checked is missing or has other bytes */
    uint8_t *buffer;
} lines;

static io_status check_line(const char *line, lines *l, db_sums_result *result, io_error *err)
{
    const char *slash = strrchr(l->base, '/');
    uint64_t sum, size;
    char file[MAX_LINE];
    int at = 0, n;
    io_status status;

    if (sscanf(line, "%16" SCNx64 " %" SCNu64 " %n", &sum, &size, &at) != 2 || at == 0 || line[at] == '\0' ||
        strchr(line + at, '/') != NULL)
        return io_fail(err, IO_E_INPUT, 0, "%s: is damaged: it has the line '%.100s'", l->path, line);
    n = snprintf(file, sizeof file, "%.*s%s", slash != NULL ? (int)(slash - l->base) + 1 : 0, l->base, line + at);
    if (n < 0 || (size_t)n >= sizeof file)
        return io_fail(err, IO_E_INPUT, 0, "%s: names a file whose path is too long", l->path);
    status = check_file(file, sum, size, l->buffer, err);
    l->differs = status == IO_E_INPUT && (err->sys_errno == 0 || err->sys_errno == ENOENT);
    result->n_files++;
    result->n_bytes += size;
    return status;
}

/* Matches "base.pin" and "base.00.nin". */
static int is_index(const char *line)
{
    size_t n = strlen(line);

    return n > 4 && line[n - 4] == '.' && (line[n - 3] == 'p' || line[n - 3] == 'n') && strcmp(line + n - 2, "in") == 0;
}

/* Checks the lines of the indexes, or all lines. */
static io_status check_lines(FILE *in, lines *l, db_sums_result *result, io_error *err)
{
    char line[MAX_LINE];
    io_status status = IO_OK;
    int n_lines = 0, has_end = 0;

    rewind(in);
    *result = (db_sums_result){0, 0, 0, 0};
    while (status == IO_OK && fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#')
            continue;
        n_lines++;
        if (n_lines == 1 && strcmp(line, "tamis-sums 1") != 0)
            status = io_fail(err, IO_E_INPUT, 0, "%s: is not a file of checksums that this version of tamis reads", l->path);
        result->is_of_another = n_lines == 2 && (strncmp(line, "date ", 5) != 0 || strcmp(line + 5, l->date) != 0);
        if (result->is_of_another)
            return IO_OK;
        result->is_there = n_lines >= 2;
        if (n_lines > 2 && !has_end && strcmp(line, last_line) == 0)
            has_end = 1;
        else if (n_lines > 2 && (!l->only_indexes || is_index(line)))
            status = check_line(line, l, result, err);
    }
    if (status == IO_OK && ferror(in))
        status = io_fail(err, IO_E_INPUT, errno, "%s: %s", l->path, strerror(errno));
    if (status == IO_OK && result->is_there && !has_end)
        status = io_fail(err, IO_E_INPUT, 0, "%s: is damaged: its last line is missing", l->path);
    return status;
}

/* Checks the indexes first: if one of them differs, the database is another one. */
static io_status check_all(FILE *in, lines *l, db_sums_result *result, io_error *err)
{
    io_status status;

    l->only_indexes = 1;
    status = check_lines(in, l, result, err);
    if (l->differs) {
        *result = (db_sums_result){.is_of_another = 1};
        return IO_OK;
    }
    if (status != IO_OK || !result->is_there)
        return status;
    l->only_indexes = 0;
    return check_lines(in, l, result, err);
}

io_status db_sums_check(const char *base, tms_molecule molecule, const char *date, db_sums_result *result, io_error *err)
{
    char path[MAX_LINE];
    lines l = {.base = base, .date = date, .path = path};
    int n = snprintf(path, sizeof path, "%s.%csum", base, molecule == TMS_PROTEIN ? 'p' : 'n');
    FILE *in;
    io_status status;

    *result = (db_sums_result){0, 0, 0, 0};
    if (n < 0 || (size_t)n >= sizeof path)
        return io_fail(err, IO_E_INPUT, ENAMETOOLONG, "%.100s...: %s", base, strerror(ENAMETOOLONG));
    in = fopen(path, "r");
    if (in == NULL)
        return errno == ENOENT ? IO_OK : io_fail(err, IO_E_INPUT, errno, "%s: %s", path, strerror(errno));
    l.buffer = malloc(BUFFER_BYTES);
    status = l.buffer != NULL ? check_all(in, &l, result, err) : io_fail_memory(err, "checksums");
    free(l.buffer);
    fclose(in);
    return status;
}
