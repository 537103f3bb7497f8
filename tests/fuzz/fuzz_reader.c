/*
 * fuzz_reader.c - any bytes through the reader: it ends, it stays in bounds, and it tells the truth.
 *
 * The first byte chooses batch size and --crlf, the rest is the file. What the line reader gives is compared with what
 * the stream gives when it is read in odd pieces and cut into lines the plain way; a plain file must come back byte for
 * byte, unless it is refused.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/io_kinds.h"
#include "io/io_lines.h"
#include "io/io_stream.h"

/* A few bytes of zstd can stand for gigabytes: beyond this the rest is not read. */
enum { MAX_TEXT = 4 << 20 };

static tms_context *ctx;

static io_status read_stream(const char *path, uint8_t *text, size_t *size, int *cut)
{
    static const size_t pieces[] = {1, 3, 1000, 70000};
    io_stream *s;
    io_error err, again;
    size_t n, turn = 0;
    io_status status = io_stream_open(path, -1, &s, &err);

    assert(status == IO_OK);
    *size = 0;
    *cut = 0;
    for (;;) {
        size_t room = MAX_TEXT - *size, piece = pieces[turn++ % 4];
        if (room == 0) {
            *cut = 1;
            break;
        }
        status = io_stream_read(s, text + *size, piece < room ? piece : room, &n, &err);
        if (status != IO_OK)
            break;
        assert(n >= 1 && n <= piece);
        *size += n;
    }
    if (!*cut) {
        assert(io_stream_read(s, text, 1, &n, &again) == status && n == 0);
        assert(status == IO_END || err.text[0] != '\0');
    }
    io_stream_close(s);
    return status;
}

/* The plain reader: whole lines, a line feed after the last one, carriage returns out. Returns the new size. */
static size_t normalize(uint8_t *text, size_t size, int crlf, io_status status)
{
    size_t out = 0, start = 0;

    if (status == IO_END && size > 0 && text[size - 1] != '\n')
        text[size++] = '\n';
    while (size > 0 && text[size - 1] != '\n')
        size--; /* a line that a fault cut */
    for (size_t i = 0; i < size; i++) {
        if (crlf && text[i] == '\n' && out > start && text[out - 1] == '\r')
            out--;
        text[out++] = text[i];
        if (text[i] == '\n')
            start = out;
    }
    return out;
}

static void check_lines(const io_lines_options *how, const uint8_t *text, size_t size, io_status want)
{
    io_lines *lines;
    io_batch batch;
    io_error err;
    size_t at = 0;
    io_status status = io_lines_open(ctx, how, &lines, &err);

    assert(status == IO_OK);
    while ((status = io_lines_next(lines, &batch, &err)) == IO_OK) {
        const tms_keys *keys = &batch.keys;
        size_t n_bytes = keys->offsets[keys->n_keys];
        assert(keys->n_keys >= 1 && keys->n_keys <= how->batch_keys && keys->offsets[0] == 0);
        for (size_t i = 0; i < keys->n_keys; i++) {
            uint32_t from = keys->offsets[i], to = keys->offsets[i + 1];
            assert(to > from && keys->bytes[to - 1] == '\n' && memchr(keys->bytes + from, '\n', to - 1 - from) == NULL);
        }
        /* Before a fault, how much comes out depends on the pieces that are asked for; what comes out does not. */
        assert(n_bytes <= size - at || want != IO_END);
        n_bytes = n_bytes < size - at ? n_bytes : size - at;
        assert(memcmp(keys->bytes, text + at, n_bytes) == 0);
        at += n_bytes;
    }
    assert(status == want);
    assert(status != IO_END || at == size);
    io_lines_close(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t batches[] = {1, 2, 63, 64, 65, 1000, 4096, 100000};
    static uint8_t *text;
    const char *path;
    char name[64];
    io_lines_options how = {&path, 1, 0, 4096, 0};
    io_error err;
    size_t n_text;
    io_status status;
    int fd, cut;

    if (size == 0)
        return 0;
    if (ctx == NULL && (tms_context_create(&ctx) != TMS_OK || (text = malloc(MAX_TEXT + 1)) == NULL))
        abort();
    how.batch_keys = batches[data[0] & 7];
    how.crlf = data[0] >> 3 & 1;
    data++;
    size--;
    fd = memfd_create("input", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    path = name;
    status = read_stream(path, text, &n_text, &cut);
    if (!(size >= 2 && data[0] == 0x1f && data[1] == 0x8b) && !(size >= 4 && memcmp(data + 1, "\xb5\x2f\xfd", 3) == 0) &&
        !(size >= 4 && memcmp(data + 1, "\x2a\x4d\x18", 3) == 0) &&
        !(size >= 6 && memcmp(data,
                              "\xfd"
                              "7zXZ",
                              6) == 0) &&
        !(size >= 10 && memcmp(data, "BZh", 3) == 0)) {
        assert(cut || (status == IO_END && n_text == size && memcmp(text, data, size) == 0));
    }
    if (!cut) {
        if (status == IO_END && io_kind_check("input", text, n_text, IO_WANTED_LINES, &err) != IO_OK) {
            status = IO_E_INPUT;
            n_text = 0;
        }
        n_text = normalize(text, n_text, how.crlf, status);
        check_lines(&how, text, n_text, status);
    }
    close(fd);
    return 0;
}
