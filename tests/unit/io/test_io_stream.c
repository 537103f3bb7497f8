/* io_stream: what is told apart, what round trips in pieces of any size, and that no damage passes for success. */
#include "unit/io/io_samples.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

#include "io/io_stream.h"

/* Reads all of a path in pieces of `piece` bytes. */
static io_status read_all(const char *path, size_t piece, sample *out, io_error *err)
{
    io_stream *s;
    io_status status = io_stream_open(path, -1, &s, err);
    uint8_t *buffer = malloc(piece);

    out->size = 0;
    while (status == IO_OK) {
        size_t n;
        status = io_stream_read(s, buffer, piece, &n, err);
        if (status == IO_OK) {
            assert_in_range(n, 1, piece);
            sample_add(out, buffer, n);
        } else {
            io_error again;
            assert_int_equal(n, 0);
            assert_int_equal(io_stream_read(s, buffer, piece, &n, &again), status); /* stays so */
            if (status != IO_END)
                assert_string_equal(again.text, err->text);
        }
    }
    free(buffer);
    io_stream_close(s);
    return status;
}

static void expect_same(const char *path, const sample *want)
{
    static const size_t pieces[] = {1, 7, 4096, 1 << 20};
    sample got = {NULL, 0, 0};
    io_error err;

    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        io_status status = read_all(path, pieces[i], &got, &err);
        if (status != IO_END)
            fail_msg("%s", err.text);
        assert_int_equal(got.size, want->size);
        if (want->size > 0)
            assert_memory_equal(got.bytes, want->bytes, want->size);
    }
    sample_free(&got);
}

static void test_plain(void **state)
{
    sample text = sample_lines(5000, 1), none = {NULL, 0, 0}, one = {NULL, 0, 0};
    (void)state;
    expect_same(sample_write("plain", text.bytes, text.size), &text);
    expect_same(sample_write("empty", "", 0), &none);
    sample_add(&one, "\x1f", 1);
    expect_same(sample_write("one", one.bytes, 1), &one);
    sample_free(&one);
    sample_free(&text);
}

static void test_gzip_members(void **state)
{
    sample text = {NULL, 0, 0}, packed = {NULL, 0, 0};
    (void)state;
    for (int flags = 0; flags < 32; flags++) { /* every combination of header fields, in one file */
        sample part = sample_lines((size_t)flags * 40, (uint64_t)flags);
        if (flags & 1)
            part.size = 0; /* empty members, as bgzip's last one */
        sample_add(&text, part.bytes, part.size);
        sample_gzip(&packed, part.bytes, part.size, flags);
        sample_free(&part);
    }
    expect_same(sample_write("members", packed.bytes, packed.size), &text);
    sample_add(&packed, "\0\0\0\0\0\0\0\0\0\0", 10);
    expect_same(sample_write("padded", packed.bytes, packed.size), &text);
    sample_free(&packed);
    sample_free(&text);
}

static void test_gzip_large(void **state)
{
    sample text = sample_lines(400000, 3), packed = {NULL, 0, 0};
    (void)state;
    sample_gzip(&packed, text.bytes, text.size, 0);
    assert_true(packed.size > 1 << 19); /* more than one input buffer */
    expect_same(sample_write("large", packed.bytes, packed.size), &text);
    sample_free(&packed);
    sample_free(&text);
}

static void test_zstd_frames(void **state)
{
    static const uint8_t skippable[] = {0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z'};
    sample text = {NULL, 0, 0}, packed = {NULL, 0, 0};
    (void)state;
    sample_add(&packed, skippable, sizeof skippable);
    for (size_t i = 0; i < 6; i++) {
        sample part = sample_lines(i * i * 1000, i);
        sample_add(&text, part.bytes, part.size);
        sample_zstd(&packed, part.bytes, part.size);
        sample_add(&packed, skippable, sizeof skippable);
        sample_free(&part);
    }
    expect_same(sample_write("frames", packed.bytes, packed.size), &text);
    sample_free(&packed);
    sample_free(&text);
}

static void test_xz_streams(void **state)
{
    static const lzma_check checks[] = {LZMA_CHECK_CRC64, LZMA_CHECK_CRC32, LZMA_CHECK_SHA256, LZMA_CHECK_NONE};
    sample text = {NULL, 0, 0}, packed = {NULL, 0, 0}, got = {NULL, 0, 0};
    io_error err;
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        sample part = sample_lines(i * i * 1000, i);
        sample_add(&text, part.bytes, part.size);
        sample_xz(&packed, part.bytes, part.size, checks[i % 4]);
        sample_add(&packed, "\0\0\0\0\0\0\0\0", 4 * (i % 3));
        sample_free(&part);
    }
    expect_same(sample_write("streams", packed.bytes, packed.size), &text);
    sample_add(&packed, "\0\0\0", 3);
    assert_int_equal(read_all(sample_write("p1", packed.bytes, packed.size), 4096, &got, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "multiple of four"));
    sample_add(&packed, "x", 1);
    assert_int_equal(read_all(sample_write("p2", packed.bytes, packed.size), 4096, &got, &err), IO_E_INPUT);
    sample_free(&got);
    sample_free(&packed);
    sample_free(&text);
}

static void test_bzip2_streams(void **state)
{
    sample text = {NULL, 0, 0}, packed = {NULL, 0, 0};
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        sample part = sample_lines(i * i * 1000, i); /* the first one is empty, the last ones take several blocks */
        sample_add(&text, part.bytes, part.size);
        sample_bzip2(&packed, part.bytes, part.size);
        sample_free(&part);
    }
    expect_same(sample_write("streams", packed.bytes, packed.size), &text);
    sample_free(&packed);
    sample_free(&text);
}

/* What only looks like the beginning of a compressed file is as it is. */
static void test_near_magic(void **state)
{
    static const char *const texts[] = {"BZh9\n",
                                        "BZh91AY&S\n",
                                        "BZh",
                                        "P\n",
                                        "P*M\n",
                                        ("\xfd"
                                         "7zX\n"),
                                        "\x28\xb5\n",
                                        "B"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sample text = {NULL, 0, 0};
        sample_add(&text, texts[i], strlen(texts[i]));
        expect_same(sample_write("near", text.bytes, text.size), &text);
        sample_free(&text);
    }
}

/* b: block, e: the mark of the end, E: an empty block of more bytes, g: plain gzip, z: zeros. */
static io_status read_bgzf(const char *parts, sample *text, sample *got, io_error *err)
{
    sample packed = {NULL, 0, 0};
    io_status status;

    text->size = 0;
    for (const char *p = parts; *p != '\0'; p++) {
        sample part = sample_lines(300, (uint64_t)(p - parts));
        if (*p == 'b')
            sample_bgzf(&packed, part.bytes, part.size, (p - parts) % 2);
        else if (*p == 'e' || *p == 'E')
            sample_bgzf(&packed, NULL, 0, *p == 'E');
        else if (*p == 'g')
            sample_gzip(&packed, part.bytes, part.size, 4);
        else
            sample_add(&packed, "\0\0\0\0\0", 5);
        if (*p == 'b' || *p == 'g')
            sample_add(text, part.bytes, part.size);
        sample_free(&part);
    }
    status = read_all(sample_write("bgzf", packed.bytes, packed.size), 4096, got, err);
    sample_free(&packed);
    return status;
}

static void test_bgzf(void **state)
{
    static const char *const whole[] = {"e", "be", "bbbe", "beebbe", "bez", "beg", "gbe", "ggbeg", "g", "gg", "gz"};
    static const char *const cut[] = {"b", "bb", "beb", "bg", "gb", "begb", "bz", "bE", "beE"};
    sample text = {NULL, 0, 0}, got = {NULL, 0, 0};
    io_error err;
    (void)state;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (read_bgzf(whole[i], &text, &got, &err) != IO_END)
            fail_msg("%s: %s", whole[i], err.text);
        assert_int_equal(got.size, text.size);
        if (text.size > 0)
            assert_memory_equal(got.bytes, text.bytes, text.size);
    }
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        if (read_bgzf(cut[i], &text, &got, &err) != IO_E_INPUT)
            fail_msg("%s passes", cut[i]);
        assert_non_null(strstr(err.text, "without the empty block"));
    }
    sample_free(&text);
    sample_free(&got);
}

/* Every shorter length of a compressed file is an error that names the file and that length. */
static void expect_truncation(const sample *packed, const size_t *whole, size_t n_whole, size_t magic)
{
    sample got = {NULL, 0, 0};
    io_error err;
    char end[64];

    for (size_t size = magic; size < packed->size; size++) {
        const char *path = sample_write("cut", packed->bytes, size);
        io_status status = read_all(path, 4096, &got, &err);
        int is_whole = 0;
        for (size_t i = 0; i < n_whole; i++)
            is_whole |= size == whole[i];
        if (is_whole) {
            assert_int_equal(status, IO_END);
            continue;
        }
        assert_int_equal(status, IO_E_INPUT);
        assert_non_null(strstr(err.text, path));
        snprintf(end, sizeof end, "it ends at byte %zu,", size);
        if (strstr(err.text, end) == NULL)
            fail_msg("%zu bytes: %s", size, err.text);
    }
    sample_free(&got);
}

static void test_truncated(void **state)
{
    sample text = sample_lines(200, 5), gzip = {NULL, 0, 0}, zstd = {NULL, 0, 0}, xz = {NULL, 0, 0}, bzip2 = {NULL, 0, 0},
           bgzf = {NULL, 0, 0};
    size_t whole;
    (void)state;
    sample_gzip(&gzip, text.bytes, text.size, 4 | 8 | 16 | 2);
    whole = gzip.size;
    sample_gzip(&gzip, text.bytes, text.size, 4);
    expect_truncation(&gzip, &whole, 1, 2);
    sample_zstd(&zstd, text.bytes, text.size);
    whole = zstd.size;
    sample_zstd(&zstd, text.bytes, text.size);
    expect_truncation(&zstd, &whole, 1, 4);
    sample_xz(&xz, text.bytes, text.size, LZMA_CHECK_CRC64);
    whole = xz.size;
    sample_xz(&xz, text.bytes, text.size, LZMA_CHECK_CRC32);
    expect_truncation(&xz, &whole, 1, 6);
    sample_bzip2(&bzip2, text.bytes, text.size);
    whole = bzip2.size;
    sample_bzip2(&bzip2, text.bytes, text.size);
    expect_truncation(&bzip2, &whole, 1, 10);
    sample_bgzf(&bgzf, text.bytes, text.size, 0);
    sample_bgzf(&bgzf, text.bytes, text.size, 0);
    sample_bgzf(&bgzf, NULL, 0, 0);
    expect_truncation(&bgzf, NULL, 0, 2);
    sample_free(&gzip);
    sample_free(&zstd);
    sample_free(&xz);
    sample_free(&bzip2);
    sample_free(&bgzf);
    sample_free(&text);
}

/* Each byte flipped in turn: an error, or the very same text (bytes that mean nothing, as the time in a header). */
static void expect_flips(const sample *packed, const sample *text, size_t from, size_t n_free)
{
    sample got = {NULL, 0, 0};
    io_error err;
    size_t n_unnoticed = 0;

    for (size_t i = from; i < packed->size; i++) {
        packed->bytes[i] ^= 0xff;
        if (read_all(sample_write("flip", packed->bytes, packed->size), 4096, &got, &err) == IO_END) {
            n_unnoticed++;
            assert_int_equal(got.size, text->size);
            assert_memory_equal(got.bytes, text->bytes, text->size);
        } else {
            assert_non_null(strstr(err.text, " byte "));
        }
        packed->bytes[i] ^= 0xff;
    }
    assert_in_range(n_unnoticed, 0, n_free);
    sample_free(&got);
}

static void test_corrupt(void **state)
{
    sample text = sample_lines(150, 8), gzip = {NULL, 0, 0}, zstd = {NULL, 0, 0}, xz = {NULL, 0, 0}, bzip2 = {NULL, 0, 0};
    (void)state;
    sample_gzip(&gzip, text.bytes, text.size, 0);
    expect_flips(&gzip, &text, 2, 6);
    sample_zstd(&zstd, text.bytes, text.size);
    expect_flips(&zstd, &text, 4, 0);
    sample_xz(&xz, text.bytes, text.size, LZMA_CHECK_CRC64);
    expect_flips(&xz, &text, 6, 0);
    sample_bzip2(&bzip2, text.bytes, text.size);
    expect_flips(&bzip2, &text, 10, 0);
    sample_free(&gzip);
    sample_free(&zstd);
    sample_free(&xz);
    sample_free(&bzip2);
    sample_free(&text);
}

static void test_trailing_garbage(void **state)
{
    sample packed = {NULL, 0, 0}, got = {NULL, 0, 0};
    io_error err;
    (void)state;
    sample_gzip(&packed, "x\n", 2, 0);
    sample_add(&packed, "garbage", 7);
    assert_int_equal(read_all(sample_write("g1", packed.bytes, packed.size), 64, &got, &err), IO_E_INPUT);
    packed.size -= 7;
    sample_add(&packed, "\0\0x", 3);
    assert_int_equal(read_all(sample_write("g2", packed.bytes, packed.size), 64, &got, &err), IO_E_INPUT);
    packed.size = 0;
    sample_zstd(&packed, "x\n", 2);
    sample_add(&packed, "garbage", 7);
    assert_int_equal(read_all(sample_write("g3", packed.bytes, packed.size), 64, &got, &err), IO_E_INPUT);
    packed.size = 0;
    sample_xz(&packed, "x\n", 2, LZMA_CHECK_CRC32);
    sample_add(&packed, "much garbage", 12);
    assert_int_equal(read_all(sample_write("g4", packed.bytes, packed.size), 64, &got, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "bytes that are not xz follow the xz stream"));
    packed.size = 0;
    sample_bzip2(&packed, "x\n", 2);
    sample_add(&packed, "garbage", 7);
    assert_int_equal(read_all(sample_write("g5", packed.bytes, packed.size), 64, &got, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "bytes that are not bzip2 follow the bzip2 stream"));
    sample_free(&packed);
    sample_free(&got);
}

typedef struct dripper {
    const sample *bytes;
    const char *path;
} dripper;

/* Writes one byte at a time: every read of the other side may end anywhere. */
static void *drip(void *arg)
{
    dripper *d = arg;
    int fd = open(d->path, O_WRONLY);
    for (size_t i = 0; i < d->bytes->size; i++) {
        if (write(fd, d->bytes->bytes + i, 1) != 1)
            break;
    }
    close(fd);
    return NULL;
}

static void expect_drip(const sample *packed, const sample *text)
{
    dripper d = {packed, sample_path("pipe")};
    sample got = {NULL, 0, 0};
    pthread_t thread;
    io_error err;

    assert_int_equal(mkfifo(d.path, 0600), 0);
    assert_int_equal(pthread_create(&thread, NULL, drip, &d), 0);
    assert_int_equal(read_all(d.path, 100, &got, &err), IO_END);
    pthread_join(thread, NULL);
    assert_int_equal(got.size, text->size);
    assert_memory_equal(got.bytes, text->bytes, text->size);
    unlink(d.path);
    sample_free(&got);
}

static void test_pipe(void **state)
{
    sample text = sample_lines(300, 9), packed = {NULL, 0, 0};
    (void)state;
    expect_drip(&text, &text);
    for (int flags = 0; flags < 32; flags += 6) {
        packed.size = 0;
        sample_gzip(&packed, text.bytes, 1000, flags);
        sample_gzip(&packed, text.bytes + 1000, text.size - 1000, 31 - flags);
        expect_drip(&packed, &text);
    }
    packed.size = 0;
    sample_zstd(&packed, text.bytes, text.size);
    expect_drip(&packed, &text);
    packed.size = 0;
    sample_xz(&packed, text.bytes, 1000, LZMA_CHECK_CRC64);
    sample_add(&packed, "\0\0\0\0", 4);
    sample_xz(&packed, text.bytes + 1000, text.size - 1000, LZMA_CHECK_CRC64);
    expect_drip(&packed, &text);
    packed.size = 0;
    sample_bzip2(&packed, text.bytes, 1000);
    sample_bzip2(&packed, text.bytes + 1000, text.size - 1000);
    expect_drip(&packed, &text);
    packed.size = 0;
    sample_bgzf(&packed, text.bytes, 1000, 1);
    sample_bgzf(&packed, text.bytes + 1000, text.size - 1000, 0);
    sample_bgzf(&packed, NULL, 0, 0);
    expect_drip(&packed, &text);
    sample_free(&packed);
    sample_free(&text);
}

static void test_cancel(void **state)
{
    const char *path = sample_path("never");
    int cancel = eventfd(1, 0), writer; /* set before the read: it must not wait */
    io_stream *s;
    io_error err;
    uint8_t byte;
    size_t n;
    (void)state;

    assert_int_equal(mkfifo(path, 0600), 0);
    writer = open(path, O_RDWR);
    assert_int_equal(io_stream_open(path, cancel, &s, &err), IO_OK);
    assert_int_equal(io_stream_read(s, &byte, 1, &n, &err), IO_END);
    io_stream_close(s);
    close(writer);
    close(cancel);
}

static void test_open_failures(void **state)
{
    io_stream *s;
    io_error err;
    uint64_t size;
    (void)state;
    assert_int_equal(io_stream_open("/nowhere/at/all", -1, &s, &err), IO_E_INPUT);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_string_equal(err.text, "/nowhere/at/all: No such file or directory");
    assert_int_equal(io_stream_open("/", -1, &s, &err), IO_E_INPUT);
    assert_string_equal(err.text, "/: is a directory");
    assert_false(io_stream_path_size("/nowhere", &size));
    assert_true(io_stream_path_size(sample_write("five", "12345", 5), &size));
    assert_int_equal(size, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_gzip_members),
        cmocka_unit_test(test_gzip_large),
        cmocka_unit_test(test_zstd_frames),
        cmocka_unit_test(test_xz_streams),
        cmocka_unit_test(test_bzip2_streams),
        cmocka_unit_test(test_near_magic),
        cmocka_unit_test(test_bgzf),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_corrupt),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_trailing_garbage),
        cmocka_unit_test(test_open_failures),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
