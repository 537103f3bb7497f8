/* io_lines and io_newlines: whatever the batch sizes, the lines are those of a plain reader. */
#include "io_samples.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "io/io_lines.h"
#include "io/io_newlines.h"

static tms_context *ctx;

static int setup(void **state)
{
    if (tms_context_create(&ctx) != TMS_OK || tms_context_set_threads(ctx, 1) != TMS_OK)
        return -1;
    return sample_setup(state);
}

static int teardown(void **state)
{
    tms_context_destroy(ctx);
    return sample_teardown(state);
}

/* The plain reader: lines of one file, each with a line feed, the last one too. */
static void add_lines(sample *out, const sample *file, int crlf)
{
    size_t start = 0;

    for (size_t i = 0; i <= file->size; i++) {
        size_t end = i;
        if (i < file->size ? file->bytes[i] != '\n' : start == i)
            continue;
        if (crlf && end > start && file->bytes[end - 1] == '\r')
            end--;
        sample_add(out, file->bytes + start, end - start);
        sample_add(out, "\n", 1);
        start = i + 1;
    }
}

static size_t count_lf(const sample *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->size; i++)
        n += s->bytes[i] == '\n';
    return n;
}

static void check_batch(const io_batch *batch, const io_lines_options *how)
{
    const tms_keys *keys = &batch->keys;

    assert_int_equal(keys->gap, 1);
    assert_int_equal(keys->offsets[0], 0);
    assert_in_range(keys->n_keys, 1, how->batch_keys);
    assert_int_equal((uintptr_t)keys->bytes % 64, 0);
    for (size_t i = 0; i < keys->n_keys; i++) {
        uint32_t from = keys->offsets[i], to = keys->offsets[i + 1];
        assert_true(to > from);
        assert_int_equal(keys->bytes[to - 1], '\n');
        assert_null(memchr(keys->bytes + from, '\n', to - 1 - from));
    }
    for (int i = 0; i < 64; i++) /* readable: ASan watches */
        ((volatile const uint8_t *)keys->bytes)[keys->offsets[keys->n_keys] + (uint32_t)i];
}

static io_status read_lines(const io_lines_options *how, sample *out, size_t *n_lines, io_error *err)
{
    io_lines *lines;
    io_batch batch;
    io_status status = io_lines_open(ctx, how, &lines, err);
    uint64_t n_read = 0;

    out->size = 0;
    *n_lines = 0;
    if (status != IO_OK)
        return status;
    while ((status = io_lines_next(lines, &batch, err)) == IO_OK) {
        check_batch(&batch, how);
        assert_true(batch.n_read >= n_read);
        n_read = batch.n_read;
        sample_add(out, batch.keys.bytes, batch.keys.offsets[batch.keys.n_keys]);
        *n_lines += batch.keys.n_keys;
    }
    assert_int_equal(io_lines_next(lines, &batch, err), status);
    io_lines_close(lines);
    return status;
}

static void expect_lines(const char *const *paths, size_t n_paths, const sample *want, int crlf)
{
    static const size_t limits[][2] = {{1, 4096}, {3, 4096}, {64, 4096}, {65, 5000}, {1000, 1 << 20}, {1 << 20, 4096}};
    sample got = {NULL, 0, 0};
    io_error err;
    size_t n;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        io_lines_options how = {paths, n_paths, limits[i][0], limits[i][1], crlf};
        if (read_lines(&how, &got, &n, &err) != IO_END)
            fail_msg("%s", err.text);
        assert_int_equal(got.size, want->size);
        if (want->size > 0)
            assert_memory_equal(got.bytes, want->bytes, want->size);
        assert_int_equal(n, count_lf(want));
    }
    sample_free(&got);
}

static void expect_text(const void *bytes, size_t size)
{
    sample text = {NULL, 0, 0}, want = {NULL, 0, 0};
    const char *path = sample_write("text", bytes, size);

    sample_add(&text, bytes, size);
    for (int crlf = 0; crlf < 2; crlf++) {
        want.size = 0;
        add_lines(&want, &text, crlf);
        expect_lines(&path, 1, &want, crlf);
    }
    sample_free(&text);
    sample_free(&want);
}

static void test_small(void **state)
{
    static const char *const texts[] = {
        "",     "\n", "\n\n\n",       "a",    "a\n",      "a\nb",
        "\r\n", "\r", "a\r\n\r\nb\r", "\n\r", "\r\r\n\n", "a\r\nbb\nccc\r\n\r\n\ndddd\r"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_text(texts[i], strlen(texts[i]));
    expect_text("\0\n\0\0\n\0", 6);
}

static void test_many(void **state)
{
    sample text = sample_lines(20000, 11); /* has carriage returns before some line feeds */
    (void)state;
    expect_text(text.bytes, text.size);
    expect_text(text.bytes, text.size - 1);
    for (size_t i = 0; i < text.size; i++) { /* mostly empty lines, and runs longer than the fast path's step */
        if (text.bytes[i] != 'w')
            text.bytes[i] = '\n';
    }
    expect_text(text.bytes, 50000);
    memset(text.bytes, '\n', 50000);
    expect_text(text.bytes, 50000);
    sample_free(&text);
}

static void test_long_lines(void **state)
{
    static const size_t sizes[] = {4095, 4096, 262143, 262144, 262145, 1000000, 3000000};
    sample text = {NULL, 0, 0}, want = {NULL, 0, 0};
    const char *path;
    (void)state;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *line = malloc(sizes[i]);
        memset(line, 'a' + (int)i, sizes[i]);
        sample_add(&text, "short\n", 6);
        sample_add(&text, line, sizes[i]);
        sample_add(&text, i % 2 ? "\r\n" : "\n", i % 2 ? 2 : 1);
        free(line);
    }
    for (int crlf = 0; crlf < 2; crlf++) {
        want.size = 0;
        add_lines(&want, &text, crlf);
        path = sample_write("long", text.bytes, text.size);
        expect_lines(&path, 1, &want, crlf);
    }
    sample_free(&text);
    sample_free(&want);
}

static void test_files(void **state)
{
    static const char *const texts[] = {"one\ntwo", "", "three\n", "\n", "four\r"};
    const char *paths[5];
    char names[5][128];
    sample want = {NULL, 0, 0};
    (void)state;

    for (int i = 0; i < 5; i++) {
        sample part = {NULL, 0, 0}, packed = {NULL, 0, 0};
        sample_add(&part, texts[i], strlen(texts[i]));
        add_lines(&want, &part, 0);
        if (i % 2)
            sample_gzip(&packed, part.bytes, part.size, 0);
        else
            sample_add(&packed, part.bytes, part.size);
        snprintf(names[i], sizeof names[i], "part%d", i);
        snprintf(names[i], sizeof names[i], "%s", sample_write(names[i], packed.bytes, packed.size));
        paths[i] = names[i];
        sample_free(&part);
        sample_free(&packed);
    }
    expect_lines(paths, 5, &want, 0);
    sample_free(&want);
}

static void test_failures(void **state)
{
    sample text = sample_lines(30000, 4), packed = {NULL, 0, 0}, got = {NULL, 0, 0};
    const char *paths[3];
    io_lines_options how = {paths, 2, 1000, 4096, 0};
    io_error err;
    size_t n;
    (void)state;

    sample_gzip(&packed, text.bytes, text.size, 0);
    paths[0] = sample_write("good", text.bytes, text.size);
    paths[1] = sample_write("cut", packed.bytes, packed.size - 4);
    assert_int_equal(read_lines(&how, &got, &n, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "truncated"));
    assert_true(n >= 30000); /* what came before the fault came in order */
    assert_memory_equal(got.bytes, text.bytes, text.size);
    paths[1] = "/nowhere";
    assert_int_equal(read_lines(&how, &got, &n, &err), IO_E_INPUT);
    assert_int_equal(n, 0); /* a missing file is found before anything is read */
    paths[0] = paths[1] = "-";
    assert_int_equal(read_lines(&how, &got, &n, &err), IO_E_INPUT);
    sample_free(&text);
    sample_free(&packed);
    sample_free(&got);
}

/* Closing early: with batches waiting, and with a reader that waits for a pipe. */
static void test_close(void **state)
{
    sample text = sample_lines(100000, 6);
    const char *path = sample_write("much", text.bytes, text.size);
    io_lines_options how = {&path, 1, 100, 4096, 0};
    io_lines *lines;
    io_batch batch;
    io_error err;
    int writer;
    (void)state;

    for (int n = 0; n < 5; n++) {
        assert_int_equal(io_lines_open(ctx, &how, &lines, &err), IO_OK);
        for (int i = 0; i < n; i++)
            assert_int_equal(io_lines_next(lines, &batch, &err), IO_OK);
        io_lines_close(lines);
    }
    path = sample_path("silent");
    assert_int_equal(mkfifo(path, 0600), 0);
    writer = open(path, O_RDWR);
    assert_int_equal(write(writer, "a\nb", 3), 3);
    assert_int_equal(io_lines_open(ctx, &how, &lines, &err), IO_OK);
    io_lines_close(lines);
    close(writer);
    io_lines_close(NULL);
    sample_free(&text);
}

static void test_newlines(void **state)
{
    uint8_t bytes[400];
    uint32_t ends[400 + NEWLINES_SLACK];
    uint64_t seed = 1;
    (void)state;

    for (int round = 0; round < 3000; round++) {
        uint32_t from = (uint32_t)(seed >> 40) % 70, to = from + (uint32_t)(seed >> 20) % 330, at = from;
        size_t max = 1 + (size_t)(seed >> 50) % 400, n;
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = (seed >> 60) <= (uint64_t)(round % 16) ? '\n' : (uint8_t)(seed >> 33);
        }
        n = newlines_find(bytes, from, to, ends, max);
        assert_in_range(n, 0, max + 63);
        for (size_t i = 0; i < n; i++) {
            while (bytes[at] != '\n')
                at++;
            assert_int_equal(ends[i], ++at);
        }
        assert_true(at <= to);
        if (n < max)
            assert_true(at == to || memchr(bytes + at, '\n', to - at) == NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newlines),   cmocka_unit_test(test_small), cmocka_unit_test(test_many),
        cmocka_unit_test(test_long_lines), cmocka_unit_test(test_files), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_close),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
