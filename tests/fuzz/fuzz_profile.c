/*
 * fuzz_profile.c - any bytes as a profile of a machine.
 *
 * If the first byte is odd, the rest is the file; else the rest are edits of a whole profile, three bytes each: where (two), and what is
 * there then. What is read is sound.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "figures/profile_file.h"
#include "io/io_stream.h"

static uint8_t whole[1 << 17], edited[sizeof whole];
static size_t n_whole;

/* A profile with all names, as it is written. */
static void make_whole(void)
{
    static profile_file p;
    char name[] = "/tmp/tamis-fuzz-XXXXXX";
    int fd = mkstemp(name);
    io_safe_file *file;
    io_stream *stream;
    io_error err;
    size_t got;

    snprintf(p.date, sizeof p.date, "2026-01-31");
    snprintf(p.profile.machine.version, sizeof p.profile.machine.version, "%s", tms_version());
    for (size_t i = 0; i < TMS_PROFILE_VALUES; i++)
        p.profile.values[i] = (double)i / 3;
    for (size_t i = 0; i < TMS_PROFILE_CURVES; i++) {
        p.profile.curves[i].n = 3;
        for (uint32_t j = 0; j < 3; j++)
            p.profile.curves[i].x[j] = p.profile.curves[i].y[j] = j;
    }
    if (fd < 0 || io_safe_file_open(&(io_output){.path = name}, &file, &err) != IO_OK || profile_file_write(file, &p, &err) != IO_OK ||
        io_safe_file_commit(file, &err) != IO_OK || io_stream_open(name, -1, &stream, &err) != IO_OK)
        abort();
    while (io_stream_read(stream, whole + n_whole, sizeof whole - n_whole, &got, &err) == IO_OK)
        n_whole += got;
    io_stream_close(stream);
    close(fd);
    unlink(name);
}

static void check_sound(const tms_profile *p)
{
    assert(isfinite(p->spread) && p->spread >= 0);
    for (size_t i = 0; i < TMS_PROFILE_VALUES; i++)
        assert(isfinite(p->values[i]));
    for (size_t i = 0; i < TMS_PROFILE_CURVES; i++) {
        const tms_curve *c = &p->curves[i];
        assert(c->n <= TMS_CURVE_POINTS);
        for (uint32_t j = 0; j < c->n; j++)
            assert(isfinite(c->x[j]) && isfinite(c->y[j]) && (j == 0 || c->x[j] > c->x[j - 1]));
    }
}

static void read_profile(const uint8_t *bytes, size_t n)
{
    static profile_file p;
    io_error err;
    char name[64];
    int fd = memfd_create("profile", 0);
    io_status status;

    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
        abort();
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    status = profile_file_read(name, &p, &err);
    assert(status == IO_OK || status == IO_E_INPUT);
    if (status == IO_OK)
        check_sound(&p.profile);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (n_whole == 0) {
        make_whole();
        read_profile(whole, n_whole);
    }
    if (size == 0)
        return 0;
    if (data[0] & 1) {
        read_profile(data + 1, size - 1);
        return 0;
    }
    memcpy(edited, whole, n_whole);
    for (size_t i = 1; i + 3 <= size; i += 3)
        edited[((size_t)data[i] << 8 | data[i + 1]) % n_whole] = data[i + 2];
    read_profile(edited, n_whole);
    return 0;
}
