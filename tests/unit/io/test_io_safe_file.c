/* io_safe_file and io_map: whole or not at all, under every way to end. */
#include "unit/io/io_samples.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "io/io_map.h"
#include "io/io_safe_file.h"

static int n_files(void)
{
    DIR *dir = opendir(sample_dir);
    int n = 0;
    while (readdir(dir) != NULL)
        n++;
    closedir(dir);
    return n - 2; /* . and .. */
}

static void expect_content(const char *path, const char *text)
{
    io_map map;
    io_error err;
    assert_int_equal(io_map_open(path, &map, &err), IO_OK);
    assert_int_equal(map.size, strlen(text));
    assert_memory_equal(map.bytes, text, map.size);
    io_map_close(&map);
}

static void put(const char *path, const char *text)
{
    io_safe_file *file;
    io_error err;
    assert_int_equal(io_safe_file_open(&(io_output){.path = path}, &file, &err), IO_OK);
    assert_int_equal(io_safe_file_write(file, text, strlen(text) / 2, &err), IO_OK);
    assert_int_equal(io_safe_file_write(file, text + strlen(text) / 2, strlen(text) - strlen(text) / 2, &err), IO_OK);
    assert_int_equal(io_safe_file_commit(file, &err), IO_OK);
}

static void test_replace(void **state)
{
    const char *path = sample_path("out");
    struct stat info;
    mode_t mask = umask(027);
    (void)state;

    put(path, "first");
    expect_content(path, "first");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    chmod(path, 0600);
    put(path, "second");
    expect_content(path, "second");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    umask(mask);
    assert_int_equal(n_files(), 1);
}

static void test_symlink(void **state)
{
    const char *target = sample_path("target"), *link = sample_path("link");
    struct stat info;
    (void)state;
    put(target, "old");
    assert_int_equal(symlink("target", link), 0);
    put(link, "new");
    expect_content(target, "new");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static void test_dangling_link(void **state)
{
    const char *target = sample_path("made"), *link = sample_path("dangling");
    struct stat info;
    (void)state;
    assert_int_equal(symlink("made", link), 0);
    put(link, "new");
    expect_content(target, "new");
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

static int is_kind(const uint8_t *bytes, size_t n) { return n >= 4 && memcmp(bytes, "KIND", 4) == 0; }

static void expect_refused(const io_output *output, const char *text)
{
    io_safe_file *file;
    io_error err;
    assert_int_equal(io_safe_file_open(output, &file, &err), IO_E_REFUSED);
    assert_non_null(strstr(err.text, text));
    assert_null(file);
}

static void expect_accepted(const io_output *output)
{
    io_safe_file *file;
    io_error err;
    assert_int_equal(io_safe_file_open(output, &file, &err), IO_OK);
    io_safe_file_abort(file);
}

static void test_refusals(void **state)
{
    const char *path = sample_write("kept", "KIND of", 7), *other = sample_write("other", "KIN", 3);
    const char *hard = sample_path("hard"), *empty = sample_write("empty", "", 0);
    const char *const inputs[] = {"/nowhere", hard};
    io_output output = {.path = path, .inputs = inputs, .n_inputs = 2, .is_kind = is_kind, .kind = "a kind", .force = 1};
    io_error err;
    int before, fd;
    (void)state;

    assert_int_equal(link(path, hard), 0);
    expect_refused(&output, "would replace the input");
    output.in_place = 1;
    expect_accepted(&output);
    output.path = other;
    output.force = 0;
    expect_refused(&output, "is not a kind");
    output.force = 1;
    expect_accepted(&output);
    output.path = empty;
    output.force = 0;
    expect_accepted(&output);

    before = dup(STDOUT_FILENO);
    fd = open(path, O_WRONLY | O_APPEND);
    assert_true(before >= 0 && fd >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
    assert_int_equal(io_check_stdout(inputs, 1, &err), IO_OK);
    assert_int_equal(io_check_stdout(inputs, 2, &err), IO_E_REFUSED);
    output.path = path;
    output.n_inputs = 0;
    expect_accepted(&output);
    output.beside_stdout = 1;
    expect_refused(&output, "standard output");
    dup2(before, STDOUT_FILENO);
    close(before);
    close(fd);
}

static void test_abort(void **state)
{
    const char *path = sample_path("aborted");
    int before = n_files();
    io_safe_file *file;
    io_error err;
    (void)state;

    assert_int_equal(io_safe_file_open(&(io_output){.path = path}, &file, &err), IO_OK);
    assert_int_equal(n_files(), before);
    assert_int_equal(io_safe_file_write(file, "x", 1, &err), IO_OK);
    assert_int_equal(n_files(), before + 1);
    io_safe_file_abort(file);
    assert_int_equal(n_files(), before);
    assert_int_equal(io_safe_file_open(&(io_output){.path = path}, &file, &err), IO_OK);
    io_safe_file_abort(file);
    io_safe_file_abort(NULL);
    assert_int_equal(n_files(), before);
}

static void test_signals(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const char *path = sample_path("killed");
    int before = n_files();
    (void)state;

    for (size_t i = 0; i < 3; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            io_safe_file *file;
            io_error err;
            if (io_safe_file_open(&(io_output){.path = path}, &file, &err) != IO_OK || io_safe_file_write(file, "x", 1, &err) != IO_OK)
                _exit(1);
            raise(signals[i]);
            _exit(2);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); /* the parent still learns how it ended */
        assert_int_equal(WTERMSIG(status), signals[i]);
        assert_int_equal(n_files(), before);
    }
}

static void expect_open_failure(const char *path, int code)
{
    io_safe_file *file;
    io_error err;
    assert_int_equal(io_safe_file_open(&(io_output){.path = path}, &file, &err), IO_E_OUTPUT);
    assert_int_equal(err.sys_errno, code);
    assert_null(file);
}

static void test_failures(void **state)
{
    io_safe_file *file;
    io_error err;
    (void)state;
    expect_open_failure(sample_dir, EISDIR);
    expect_open_failure("/nowhere/at/all", ENOENT);
    expect_open_failure("", ENOENT);
    expect_open_failure(sample_path("new/"), EISDIR);
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(io_safe_file_open(&(io_output){.path = "/dev/full"}, &file, &err), IO_OK);
    assert_int_equal(io_safe_file_write(file, "x", 1, &err), IO_E_OUTPUT);
    assert_int_equal(err.sys_errno, ENOSPC);
    assert_string_equal(err.text, "/dev/full: cannot be written: No space left on device");
    io_safe_file_abort(file);
}

static void test_map(void **state)
{
    io_map map;
    io_error err;
    const char *fifo = sample_path("fifo");
    (void)state;
    assert_int_equal(io_map_open("/nowhere", &map, &err), IO_E_INPUT);
    assert_string_equal(err.text, "/nowhere: No such file or directory");
    assert_int_equal(io_map_open("/", &map, &err), IO_E_INPUT);
    assert_int_equal(io_map_open(sample_write("void", "", 0), &map, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "is empty"));
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(io_map_open(fifo, &map, &err), IO_E_INPUT); /* and does not wait for a writer */
    io_map_close(&map);
}

/* A file that shrinks under its mapping ends the process as asked, and takes the half-written output along. */
static void test_guard(void **state)
{
    enum { SIZE = 1 << 16, CODE = 42 };
    static const char zeros[SIZE];
    const char *path = sample_write("mapped", zeros, SIZE), *out = sample_path("unfinished");
    int before = n_files(), ends[2], status;
    char text[256] = "";
    pid_t child;
    (void)state;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        io_map map;
        io_safe_file *file;
        io_error err;
        dup2(ends[1], STDERR_FILENO);
        io_map_guard("test", CODE);
        if (io_map_open(path, &map, &err) != IO_OK || io_safe_file_open(&(io_output){.path = out}, &file, &err) != IO_OK ||
            io_safe_file_write(file, "x", 1, &err) != IO_OK || truncate(path, 1) != 0)
            _exit(1);
        _exit(((const volatile char *)map.bytes)[SIZE - 1]);
    }
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CODE);
    assert_non_null(strstr(text, "tamis "));
    assert_int_equal(n_files(), before);
}

/* A SIGBUS elsewhere is not the file's fault. */
static void test_guard_elsewhere(void **state)
{
    enum { SIZE = 1 << 16 };
    static const char zeros[SIZE];
    const char *path = sample_write("guarded", zeros, SIZE), *other = sample_write("not_guarded", zeros, SIZE);
    int status;
    pid_t child = fork();
    (void)state;

    if (child == 0) {
        io_map map;
        io_error err;
        const volatile char *bytes;
        int fd = open(other, O_RDWR);
        io_map_guard("test", 0);
        bytes = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
        if (bytes == MAP_FAILED || io_map_open(path, &map, &err) != IO_OK || ftruncate(fd, 0) != 0)
            _exit(1);
        _exit(bytes[0] + 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replace),         cmocka_unit_test(test_symlink), cmocka_unit_test(test_dangling_link),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_abort),   cmocka_unit_test(test_signals),
        cmocka_unit_test(test_failures),        cmocka_unit_test(test_map),     cmocka_unit_test(test_guard),
        cmocka_unit_test(test_guard_elsewhere),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
