/*
 * io_samples.h - for the tests of io: a temporary directory, files in it, and compressed samples made on the spot.
 */
#ifndef TAMIS_IO_SAMPLES_H
#define TAMIS_IO_SAMPLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <bzlib.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <zstd.h>

#include "base/array.h"

typedef struct sample {
    uint8_t *bytes;
    size_t size, capacity;
} sample;

static char sample_dir[] = "/tmp/tamis-io-XXXXXX";

static inline int sample_setup(void **state)
{
    (void)state;
    return mkdtemp(sample_dir) == NULL ? -1 : 0;
}

static inline int sample_teardown(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", sample_dir);
    return system(command);
}

static inline const char *sample_path(const char *name)
{
    static char paths[4][128];
    static int turn;
    char *path = paths[turn++ % 4];
    assert_in_range(snprintf(path, sizeof paths[0], "%s/%s", sample_dir, name), 1, sizeof paths[0] - 1);
    return path;
}

static inline void sample_add(sample *s, const void *bytes, size_t size)
{
    assert_true(array_reserve(&s->bytes, &s->capacity, s->size + size, 1));
    if (size > 0)
        memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

static inline void sample_free(sample *s)
{
    free(s->bytes);
    memset(s, 0, sizeof *s);
}

static inline const char *sample_write(const char *name, const void *bytes, size_t size)
{
    const char *path = sample_path(name);
    FILE *file;

    unlink(path); /* an old file that is truncated and written anew goes to the disk at once, which takes its time */
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Appends a gzip member's body: deflate data, CRC-32 and length. Returns its size. */
static inline size_t sample_deflate(sample *s, const void *bytes, size_t size)
{
    struct isal_zstream z;
    size_t room = size + size / 8 + 1024;
    uint8_t *body = malloc(room);

    assert_non_null(body);
    isal_deflate_stateless_init(&z);
    z.next_in = (uint8_t *)(uintptr_t)bytes;
    z.avail_in = (uint32_t)size;
    z.next_out = body;
    z.avail_out = (uint32_t)room;
    z.end_of_stream = 1;
    z.gzip_flag = IGZIP_GZIP_NO_HDR; /* trailer included */
    assert_int_equal(isal_deflate_stateless(&z), COMP_OK);
    sample_add(s, body, room - z.avail_out);
    free(body);
    return room - z.avail_out;
}

/* Appends one gzip member. flags is FLG of [RFC 1952]; the optional fields that it names get fixed contents. */
static inline void sample_gzip(sample *s, const void *bytes, size_t size, int flags)
{
    const uint8_t header[10] = {0x1f, 0x8b, 8, (uint8_t)flags, 0, 0, 0, 0, 0, 255};
    const uint8_t extra[9] = {7, 0, 'X', 'Y', 3, 0, 'B', 'C', 2};

    sample_add(s, header, sizeof header);
    if (flags & 4)
        sample_add(s, extra, sizeof extra);
    if (flags & 8)
        sample_add(s, "a name", 7);
    if (flags & 16)
        sample_add(s, "a comment", 10);
    if (flags & 2)
        sample_add(s, "\0\0", 2);
    (void)sample_deflate(s, bytes, size);
}

/* Appends one BGZF block; of no bytes, the mark of the end, which has 28 bytes. field_first: another extra field before BC. */
static inline void sample_bgzf(sample *s, const void *bytes, size_t size, int field_first)
{
    const uint8_t header[10] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255};
    const uint8_t length[2] = {field_first ? 11 : 6, 0}, other[5] = {'X', 'Y', 1, 0, 0}, field[6] = {'B', 'C', 2, 0, 0, 0};
    const uint8_t mark_body[10] = {3, 0};
    size_t start = s->size, at;

    sample_add(s, header, sizeof header);
    sample_add(s, length, 2);
    if (field_first)
        sample_add(s, other, sizeof other);
    sample_add(s, field, sizeof field);
    at = s->size - 2;
    if (size == 0)
        sample_add(s, mark_body, sizeof mark_body);
    else
        (void)sample_deflate(s, bytes, size);
    s->bytes[at] = (uint8_t)(s->size - start - 1);
    s->bytes[at + 1] = (uint8_t)((s->size - start - 1) >> 8);
}

static inline void sample_xz(sample *s, const void *bytes, size_t size, lzma_check check)
{
    size_t room = lzma_stream_buffer_bound(size), n = 0;
    uint8_t *body = malloc(room);

    assert_non_null(body);
    assert_int_equal(lzma_easy_buffer_encode(1, check, NULL, bytes, size, body, &n, room), LZMA_OK);
    sample_add(s, body, n);
    free(body);
}

static inline void sample_bzip2(sample *s, const void *bytes, size_t size)
{
    unsigned n = (unsigned)(size + size / 100 + 600);
    char *body = malloc(n);

    assert_non_null(body);
    assert_int_equal(BZ2_bzBuffToBuffCompress(body, &n, (char *)(uintptr_t)(size > 0 ? bytes : ""), (unsigned)size, 1, 0, 0), BZ_OK);
    sample_add(s, body, n);
    free(body);
}

static inline void sample_zstd(sample *s, const void *bytes, size_t size)
{
    size_t room = ZSTD_compressBound(size), n;
    uint8_t *body = malloc(room);
    ZSTD_CCtx *z = ZSTD_createCCtx();

    assert_non_null(body);
    assert_non_null(z);
    ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
    n = ZSTD_compress2(z, body, room, bytes, size);
    assert_false(ZSTD_isError(n));
    sample_add(s, body, n);
    ZSTD_freeCCtx(z);
    free(body);
}

/* Words with repeats, so that they compress, and every byte value now and then. */
static inline sample sample_lines(size_t n_lines, uint64_t seed)
{
    sample s = {NULL, 0, 0};

    for (size_t i = 0; i < n_lines; i++) {
        char line[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int n = snprintf(line, sizeof line, "word%llu%c\n", (unsigned long long)(seed >> 52), (int)(seed >> 33 & 255));
        sample_add(&s, line, (size_t)n);
    }
    return s;
}

#endif
