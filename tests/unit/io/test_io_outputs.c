/* io_outputs and io_compress: what comes out of a file is what was appended; for any threads and flushes the same bytes; all files or none.
 */
#include "unit/io/io_samples.h"

#include <dirent.h>

#include "io/io_outputs.h"
#include "io/io_stream.h"

enum { N_FILES = 4 };

static const io_compression kinds[N_FILES] = {IO_PLAIN, IO_GZIP, IO_ZSTD, IO_GZIP};
static const char *const names[N_FILES] = {"plain", "a.gz", "b.zst", "c.bgz"};

static uint64_t random_state = 7;

static uint32_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33);
}

/* Some of it as FASTQ is, some that cannot be compressed, also by codes that were made for what is before it. */
static sample make_bytes(size_t n, int is_noise)
{
    sample s = {NULL, 0, 0};

    while (s.size < n) {
        char line[64];
        for (size_t i = 0; i < sizeof line; i++)
            line[i] = is_noise && s.size > n / 3 ? (char)random_bits() : "ACGT\n"[random_bits() % 5];
        sample_add(&s, line, n - s.size < sizeof line ? n - s.size : sizeof line);
    }
    return s;
}

static tms_context *context(int n_threads)
{
    tms_context *ctx;

    assert_int_equal(tms_context_create(&ctx), TMS_OK);
    assert_int_equal(tms_context_set_threads(ctx, n_threads), TMS_OK);
    return ctx;
}

static sample read_file(const char *path, int is_decompressed)
{
    sample s = {NULL, 0, 0};
    uint8_t buffer[4096];
    size_t n;

    if (is_decompressed) {
        io_stream *stream;
        io_status status;
        io_error err;
        assert_int_equal(io_stream_open(path, -1, &stream, &err), IO_OK);
        while ((status = io_stream_read(stream, buffer, sizeof buffer, &n, &err)) == IO_OK)
            sample_add(&s, buffer, n);
        assert_int_equal(status, IO_END);
        io_stream_close(stream);
    } else {
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
            sample_add(&s, buffer, n);
        fclose(file);
    }
    return s;
}

static io_outputs *open_files(tms_context *ctx)
{
    io_outputs *outputs;
    io_error err;

    assert_int_equal(io_outputs_create(ctx, &outputs, &err), IO_OK);
    for (size_t i = 0; i < N_FILES; i++) {
        io_output how = {.path = sample_path(names[i]), .is_kind = io_is_no_kind, .kind = "empty", .force = 1};
        size_t number;
        assert_int_equal(io_outputs_add(outputs, &how, kinds[i], &number, &err), IO_OK);
        assert_int_equal(number, i);
    }
    return outputs;
}

static void write_files(int n_threads, size_t piece, const sample *bytes)
{
    tms_context *ctx = context(n_threads);
    io_outputs *outputs = open_files(ctx);
    io_error err;

    for (size_t at = 0, more = 1; more; at += piece) {
        more = 0;
        for (size_t i = 0; i < N_FILES; i++) {
            size_t n = at >= bytes[i].size ? 0 : bytes[i].size - at < piece ? bytes[i].size - at : piece;
            assert_true(byte_array_add(io_outputs_buffer(outputs, i), n > 0 ? bytes[i].bytes + at : NULL, n));
            more |= n > 0;
        }
        assert_int_equal(io_outputs_flush(outputs, &err), IO_OK);
    }
    assert_int_equal(io_outputs_commit(outputs, &err), IO_OK);
    tms_context_destroy(ctx);
}

static void test_same_bytes(void **state)
{
    static const size_t sizes[][N_FILES] = {
        {0, 0, 0, 0}, {1, 1, 1, 1}, {100, 0xff00, 512 << 10, 0xff01}, {3000000, 5000000, 1200000, 0xff00 * 3}, {0, 0, 0, 10000000}};
    static const struct {
        int n_threads;
        size_t piece;
    } ways[] = {{1, 1 << 30}, {4, 1000000}, {7, 70001}, {1, 300000}};
    (void)state;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sample bytes[N_FILES], first[N_FILES];
        for (size_t f = 0; f < N_FILES; f++)
            bytes[f] = make_bytes(sizes[i][f], f == 3 && i < 4);
        for (int way = 0; way < 4; way++) {
            write_files(ways[way].n_threads, ways[way].piece, bytes);
            for (size_t f = 0; f < N_FILES; f++) {
                const char *path = sample_path(names[f]);
                sample raw = read_file(path, 0), text = read_file(path, 1);
                assert_int_equal(text.size, bytes[f].size);
                assert_true(text.size == 0 || memcmp(text.bytes, bytes[f].bytes, text.size) == 0);
                if (way == 0) {
                    first[f] = raw;
                    assert_true(kinds[f] == IO_PLAIN || raw.size > 0);
                } else {
                    assert_int_equal(raw.size, first[f].size);
                    assert_true(raw.size == 0 || memcmp(raw.bytes, first[f].bytes, raw.size) == 0);
                    sample_free(&raw);
                }
                sample_free(&text);
            }
        }
        for (size_t f = 0; f < N_FILES; f++) {
            sample_free(&bytes[f]);
            sample_free(&first[f]);
        }
    }
}

static size_t count_names(void)
{
    DIR *dir = opendir(sample_dir);
    size_t n = 0;

    assert_non_null(dir);
    while (readdir(dir) != NULL)
        n++;
    closedir(dir);
    return n - 2;
}

/* Whatever fails, files that were there are as they were, and no new one is. */
static void test_all_or_none(void **state)
{
    static const char *const before[N_FILES] = {"old plain", "old a", "old b", "old c"};
    tms_context *ctx = context(2);
    sample text = make_bytes(3000000, 0);
    size_t n_names, number;
    io_error err;
    (void)state;

    for (size_t i = 0; i < N_FILES; i++)
        sample_write(names[i], before[i], strlen(before[i]));
    n_names = count_names();
    for (int way = 0; way < 3; way++) {
        io_outputs *outputs = open_files(ctx);
        io_output full = {.path = "/dev/full"};
        io_status status = IO_OK;
        if (way > 0)
            assert_int_equal(io_outputs_add(outputs, &full, IO_PLAIN, &number, &err), IO_OK);
        for (int turn = 0; turn < (way == 2 ? 8 : 1) && status == IO_OK; turn++) {
            for (size_t i = 0; i < N_FILES + (way > 0); i++)
                assert_true(byte_array_add(io_outputs_buffer(outputs, i), text.bytes, way == 1 ? 10 : text.size));
            status = io_outputs_flush(outputs, &err);
        }
        if (way == 0) {
            assert_int_equal(status, IO_OK);
            io_outputs_abort(outputs);
        } else if (way == 1) { /* little: it is written at the end */
            assert_int_equal(status, IO_OK);
            assert_int_equal(io_outputs_commit(outputs, &err), IO_E_OUTPUT);
        } else { /* the thread's failure is the next call's */
            assert_int_equal(status, IO_E_OUTPUT);
            assert_non_null(strstr(err.text, "/dev/full: cannot be written: "));
            io_outputs_abort(outputs);
        }
        assert_int_equal(count_names(), n_names);
        for (size_t i = 0; i < N_FILES; i++) {
            sample now = read_file(sample_path(names[i]), 0);
            assert_int_equal(now.size, strlen(before[i]));
            assert_memory_equal(now.bytes, before[i], now.size);
            sample_free(&now);
        }
    }
    io_outputs_abort(NULL);
    sample_free(&text);
    tms_context_destroy(ctx);
}

static void test_names(void **state)
{
    static const struct {
        const char *path;
        io_compression kind;
    } cases[] = {{"a.fq.gz", IO_GZIP},   {"x/b.bgz", IO_GZIP}, {"c.zst", IO_ZSTD},
                 {"c.zst.fq", IO_PLAIN}, {".gz", IO_PLAIN},    {"-", IO_PLAIN}};
    tms_context *ctx = context(1);
    char path[128];
    io_outputs *outputs = open_files(ctx);
    io_output how = {.path = path, .is_kind = io_is_no_kind, .kind = "empty", .force = 1}, null = {.path = "/dev/null"};
    size_t number;
    io_error err;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(io_compress_by_name(cases[i].path), cases[i].kind);
    snprintf(path, sizeof path, "%s/./a.gz", sample_dir);
    assert_int_equal(io_outputs_add(outputs, &how, IO_PLAIN, &number, &err), IO_E_REFUSED);
    assert_non_null(strstr(err.text, "/./a.gz: two outputs have this name: give each its own"));
    snprintf(path, sizeof path, "%s/new", sample_dir);
    assert_int_equal(io_outputs_add(outputs, &how, IO_PLAIN, &number, &err), IO_OK);
    assert_int_equal(io_outputs_add(outputs, &how, IO_PLAIN, &number, &err), IO_E_REFUSED);
    assert_int_equal(io_outputs_add(outputs, &null, IO_PLAIN, &number, &err), IO_OK);
    assert_int_equal(io_outputs_add(outputs, &null, IO_PLAIN, &number, &err), IO_OK);
    io_outputs_abort(outputs);
    tms_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_all_or_none), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
