/* io_lines and io_newlines: whatever the batch sizes, the lines are those of a plain reader. */
#include "unit/io/io_samples.h"

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
    static const char *const texts[] = {"",     "\n", "\n\n\n",       "a",    "a\n",      "a\nb",
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

/* Small files are read without a thread into small arenas: of text that is much larger than its file, they grow. */
static void test_small_of_much(void **state)
{
    static void (*const compress[])(sample *, const void *, size_t) = {sample_zstd, sample_bzip2};
    sample text = {NULL, 0, 0};
    (void)state;
    for (int i = 0; i < 30000; i++)
        sample_add(&text, i % 3000 == 0 ? "\n" : "the same line\n", i % 3000 == 0 ? 1 : 14);
    for (size_t i = 0; i < sizeof compress / sizeof *compress; i++) {
        sample file = {NULL, 0, 0};
        const char *path;
        compress[i](&file, text.bytes, text.size);
        assert_true(file.size < 4096);
        path = sample_write("much", file.bytes, file.size);
        expect_lines(&path, 1, &text, 0);
        sample_free(&file);
    }
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

/* With by_file, no batch has lines of two files, and at the end it is known how far reading got. */
static void test_by_file(void **state)
{
    static const char *const texts[] = {"", "one\ntwo", "three\n\n", "", "four\nfive\nsix\n", ""};
    static const size_t want[] = {0, 2, 2, 0, 3, 0}, limits[] = {1, 2, 3, 1000};
    const char *paths[7];
    char names[7][128];
    sample text = sample_lines(1000, 4), packed = {NULL, 0, 0};
    io_error err;
    (void)state;

    for (int i = 0; i < 6; i++) {
        snprintf(names[i], sizeof names[i], "file%d", i);
        snprintf(names[i], sizeof names[i], "%s", sample_write(names[i], texts[i], strlen(texts[i])));
        paths[i] = names[i];
    }
    sample_gzip(&packed, text.bytes, text.size, 0);
    snprintf(names[6], sizeof names[6], "%s", sample_write("cut", packed.bytes, packed.size - 4));
    paths[6] = names[6];
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        for (size_t n_paths = 6; n_paths <= 7; n_paths++) {
            io_lines_options how = {paths, n_paths, limits[i], 4096, 0, 1};
            size_t got[7] = {0};
            io_lines *lines;
            io_batch batch;
            io_status status;
            assert_int_equal(io_lines_open(ctx, &how, &lines, &err), IO_OK);
            while ((status = io_lines_next(lines, &batch, &err)) == IO_OK)
                got[batch.file] += batch.keys.n_keys;
            assert_int_equal(status, n_paths == 6 ? IO_END : IO_E_INPUT);
            assert_int_equal(batch.file, 6);
            assert_memory_equal(got, want, sizeof want);
            assert_int_equal(got[6], n_paths == 6 ? 0 : count_lf(&text)); /* what came before the fault */
            io_lines_close(lines);
        }
    }
    sample_free(&text);
    sample_free(&packed);
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

static io_status read_kind(const void *bytes, size_t size, size_t *n_lines, io_error *err)
{
    sample got = {NULL, 0, 0};
    const char *path = sample_write("kind", bytes, size);
    io_lines_options how = {&path, 1, 64, 4096, 0};
    io_status status = read_lines(&how, &got, n_lines, err);

    sample_free(&got);
    return status;
}

/* Known other kinds give no line; what only begins like them does, and so does one whose mark is not in the first line. */
static void test_kinds(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *name; /* NULL: lines */
    } files[] = {{"TAMISFLT\1\0\0\0", 12, "a tamis filter, not a list of lines"},
                 {"TAMISFLT", 8, "a tamis filter"},
                 {"TAMISARC\1\0\0\0", 12, "a tamis archive, not a list of lines"},
                 {"TAMISFL\n", 8, NULL},
                 {"BAM\1\0\n", 6, "a BAM file, not a list of lines; try 'samtools fasta'"},
                 {"BAM\nBAM\1\n", 9, NULL},
                 {"CRAM\n", 5, NULL},
                 {"CRAM\3\0", 6, "a CRAM file"},
                 {"BCF\2\2", 5, "a BCF file"},
                 {"PK\3\4", 4, "a zip archive"},
                 {"PK\n", 3, NULL},
                 {"7z\xbc\xaf\x27\x1c\0", 7, "a 7z archive"},
                 {"\x1f\x9d\x90", 3, "a file of compress"},
                 {"\x04\x22\x4d\x18", 4, "an lz4 file"},
                 {"%PDF-1.4\n", 9, "a PDF file"},
                 {"%PDF\n", 5, NULL},
                 {"\x89PNG\r\n\x1a\n", 8, "a PNG image"},
                 {"\x7f"
                  "ELF\2",
                  5, "an ELF program"}};
    uint8_t tar[512] = "name.txt";
    io_error err;
    size_t n;
    (void)state;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        io_status status = read_kind(files[i].bytes, files[i].size, &n, &err);
        if (files[i].name == NULL) {
            assert_int_equal(status, IO_END);
            continue;
        }
        assert_int_equal(status, IO_E_INPUT);
        assert_int_equal(n, 0);
        if (strstr(err.text, files[i].name) == NULL || strstr(err.text, "/kind: ") == NULL)
            fail_msg("%s", err.text);
    }
    memcpy(tar + 257, "ustar", 6);
    assert_int_equal(read_kind(tar, sizeof tar, &n, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "a tar archive"));
    tar[8] = '\n'; /* no mark in the first line */
    assert_int_equal(read_kind(tar, sizeof tar, &n, &err), IO_END);
}

/* What counts is what comes out of the compression. */
static void test_compressed_kinds(void **state)
{
    sample inner = {NULL, 0, 0}, outer = {NULL, 0, 0};
    size_t n;
    io_error err;

    (void)state;
    sample_bgzf(&outer, "BAM\1....", 8, 0);
    sample_bgzf(&outer, NULL, 0, 0);
    assert_int_equal(read_kind(outer.bytes, outer.size, &n, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "a BAM file"));
    sample_gzip(&inner, "x\n", 2, 0);
    outer.size = 0;
    sample_bzip2(&outer, inner.bytes, inner.size);
    assert_int_equal(read_kind(outer.bytes, outer.size, &n, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "gzip data inside a compressed file"));
    sample_free(&inner);
    sample_free(&outer);
}

/* The remarks on the files, each once, and whether batches are of one line or of many. */
static void expect_remarks(const char *const *paths, size_t n_paths, int crlf, const char *bom, const char *cr)
{
    for (size_t batch_keys = 1; batch_keys < 3000; batch_keys *= 13) {
        io_lines_options how = {paths, n_paths, batch_keys, 4096, crlf};
        const char *got_bom = NULL, *got_cr = NULL;
        io_lines *lines;
        io_batch batch;
        io_error err;
        io_status status = io_lines_open(ctx, &how, &lines, &err);

        while (status == IO_OK) {
            status = io_lines_next(lines, &batch, &err);
            assert_true(batch.has_bom == NULL || got_bom == NULL);
            assert_true(batch.has_cr == NULL || got_cr == NULL);
            got_bom = batch.has_bom != NULL ? batch.has_bom : got_bom;
            got_cr = batch.has_cr != NULL ? batch.has_cr : got_cr;
        }
        assert_int_equal(status, IO_END);
        assert_ptr_equal(got_bom, bom);
        assert_ptr_equal(got_cr, cr);
        io_lines_close(lines);
    }
}

static void test_remarks(void **state)
{
    sample many = {NULL, 0, 0};
    const char *paths[4];
    char names[4][128];
    (void)state;

    snprintf(names[0], sizeof names[0], "%s", sample_write("unix", "a\nb\r\nc\r\n", 9));
    snprintf(names[1], sizeof names[1], "%s", sample_write("dos", "\r\nb\r\nc\r", 7));
    snprintf(names[2], sizeof names[2], "%s",
             sample_write("bom",
                          "\xef\xbb\xbf"
                          "a\n\xef\xbb\xbf\n",
                          9));
    snprintf(names[3], sizeof names[3], "%s", sample_write("both", "\xef\xbb\xbf\r\n\r\n", 7));
    for (int i = 0; i < 4; i++)
        paths[i] = names[i];
    expect_remarks(paths, 1, 0, NULL, NULL);
    expect_remarks(paths + 1, 1, 0, NULL, paths[1]);
    expect_remarks(paths + 1, 1, 1, NULL, NULL);
    expect_remarks(paths + 2, 1, 0, paths[2], NULL);
    expect_remarks(paths + 3, 1, 0, paths[3], paths[3]);
    expect_remarks(paths + 3, 1, 1, paths[3], NULL);
    expect_remarks(paths, 4, 0, paths[2], paths[1]);
    expect_remarks(paths + 2, 2, 0, paths[2], paths[3]);
    /* a thousand lines are enough to judge a file by */
    for (int i = 0; i < 1000; i++)
        sample_add(&many, i == 999 ? "x\n" : "x\r\n", i == 999 ? 2 : 3);
    paths[0] = sample_write("many", many.bytes, many.size);
    expect_remarks(paths, 1, 0, NULL, NULL);
    many.size -= 2;
    sample_add(&many, "x\r\ny\n", 5);
    paths[0] = sample_write("many", many.bytes, many.size);
    expect_remarks(paths, 1, 0, NULL, paths[0]);
    sample_free(&many);
}

static size_t next_lines(io_lines *lines, const char *want)
{
    io_batch batch;
    io_error err;

    assert_int_equal(io_lines_next(lines, &batch, &err), IO_OK);
    assert_int_equal(batch.keys.offsets[batch.keys.n_keys], strlen(want));
    assert_memory_equal(batch.keys.bytes, want, strlen(want));
    return batch.keys.n_keys;
}

/* A pipe that pauses: whole lines come at once, and stopping gives none that is cut. */
static void test_pause(void **state)
{
    const char *path = sample_path("growing");
    io_lines_options how = {&path, 1, 1000, 4096, 0};
    io_lines *lines;
    io_batch batch;
    io_error err;
    int writer;
    (void)state;

    assert_int_equal(mkfifo(path, 0600), 0);
    writer = open(path, O_RDWR);
    assert_int_equal(io_lines_open(ctx, &how, &lines, &err), IO_OK);
    assert_int_equal(write(writer, "a\n", 2), 2); /* shorter than any magic */
    assert_int_equal(next_lines(lines, "a\n"), 1);
    assert_false(io_lines_is_ready(lines));
    assert_int_equal(write(writer, "b\n\nc", 4), 4);
    assert_int_equal(next_lines(lines, "b\n\n"), 2);
    assert_int_equal(write(writer, "d\ne", 3), 3);
    assert_int_equal(next_lines(lines, "cd\n"), 1);
    io_lines_stop(lines);
    assert_int_equal(io_lines_next(lines, &batch, &err), IO_END);
    assert_true(io_lines_is_ready(lines));
    io_lines_close(lines);
    close(writer);
}

/* A pipe that nobody writes to yet does not keep from stopping. */
static void test_no_writer(void **state)
{
    const char *path = sample_path("unwritten");
    io_lines_options how = {&path, 1, 1000, 4096, 0};
    io_lines *lines;
    io_error err;
    (void)state;

    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(io_lines_open(ctx, &how, &lines, &err), IO_OK);
    io_lines_close(lines);
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
        cmocka_unit_test(test_newlines),
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_small_of_much),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_by_file),
        cmocka_unit_test(test_close),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_compressed_kinds),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_no_writer),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
