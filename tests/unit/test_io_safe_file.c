/* io_safe_file and io_map: whole or not at all, under every way to end. */
#include "io_samples.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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
    assert_int_equal(io_safe_file_open(path, &file, &err), IO_OK);
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

static void test_abort(void **state)
{
    const char *path = sample_path("aborted");
    int before = n_files();
    io_safe_file *file;
    io_error err;
    (void)state;

    assert_int_equal(io_safe_file_open(path, &file, &err), IO_OK);
    assert_int_equal(n_files(), before);
    assert_int_equal(io_safe_file_write(file, "x", 1, &err), IO_OK);
    assert_int_equal(n_files(), before + 1);
    io_safe_file_abort(file);
    assert_int_equal(n_files(), before);
    assert_int_equal(io_safe_file_open(path, &file, &err), IO_OK);
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
            if (io_safe_file_open(path, &file, &err) != IO_OK || io_safe_file_write(file, "x", 1, &err) != IO_OK)
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
    assert_int_equal(io_safe_file_open(path, &file, &err), IO_E_OUTPUT);
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
    assert_int_equal(io_safe_file_open("/dev/full", &file, &err), IO_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replace), cmocka_unit_test(test_symlink),  cmocka_unit_test(test_abort),
        cmocka_unit_test(test_signals), cmocka_unit_test(test_failures), cmocka_unit_test(test_map),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
