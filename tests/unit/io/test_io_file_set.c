/* test_io_file_set.c - files that appear together: all, or none and the old ones as they were. */
#include "unit/io/io_samples.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "io/io_file_set.h"

static int n_files(void)
{
    DIR *dir = opendir(sample_dir);
    int n = 0;
    while (readdir(dir) != NULL)
        n++;
    closedir(dir);
    return n - 2; /* . and .. */
}

/* The names of all files, and what is in each, in order: "a=1 b=2". */
static const char *contents(void)
{
    static char text[512];
    struct dirent **names;
    int n = scandir(sample_dir, &names, NULL, alphasort);
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        char line[64] = "";
        FILE *file = names[i]->d_name[0] != '.' ? fopen(sample_path(names[i]->d_name), "r") : NULL;
        if (file != NULL) {
            if (fgets(line, sizeof line, file) == NULL)
                line[0] = '\0';
            fclose(file);
            assert_true(strlen(text) + 80 < sizeof text);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.40s=%s", text[0] ? " " : "", names[i]->d_name, line);
        }
        free(names[i]);
    }
    free(names);
    return text;
}

static void clear(void)
{
    struct dirent **names;
    int n = scandir(sample_dir, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        unlink(sample_path(names[i]->d_name));
        free(names[i]);
    }
    free(names);
}

/* A set of the files "index", an entry, and "data", which both say `text`; the old file "more" goes. */
static io_file_set *make_set(const char *text, io_safe_file *files[2])
{
    static char paths[3][128];
    io_file_set *set;
    io_error err;
    snprintf(paths[0], sizeof paths[0], "%s", sample_path("index"));
    snprintf(paths[1], sizeof paths[1], "%s", sample_path("data"));
    snprintf(paths[2], sizeof paths[2], "%s", sample_path("more"));
    assert_int_equal(io_file_set_create(&set, &err), IO_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(io_file_set_open(set, &(io_output){.path = paths[i]}, i == 0, &files[i], &err), IO_OK);
        assert_int_equal(io_safe_file_write(files[i], text, strlen(text), &err), IO_OK);
    }
    assert_int_equal(io_file_set_retire(set, paths[2], 0, &err), IO_OK);
    return set;
}

static void test_commit(void **state)
{
    io_safe_file *files[2];
    io_error err;
    (void)state;

    clear();
    assert_int_equal(io_file_set_commit(make_set("one", files), &err), IO_OK);
    assert_string_equal(contents(), "data=one index=one");
    sample_write("more", "old", 3);
    assert_int_equal(io_file_set_commit(make_set("two", files), &err), IO_OK);
    assert_string_equal(contents(), "data=two index=two");
    assert_int_equal(n_files(), 2);
}

static void test_abort(void **state)
{
    io_safe_file *files[2];
    (void)state;

    clear();
    sample_write("index", "old", 3);
    io_file_set_abort(make_set("new", files));
    io_file_set_abort(NULL);
    assert_string_equal(contents(), "index=old");
    assert_int_equal(n_files(), 1);
}

static void test_other_name(void **state)
{
    io_safe_file *files[2];
    io_file_set *set;
    io_error err;
    (void)state;

    clear();
    set = make_set("new", files);
    assert_int_equal(io_safe_file_flush(files[1], &err), IO_OK);
    assert_int_equal(io_safe_file_rename(files[1], &(io_output){.path = sample_path("data.00")}, &err), IO_OK);
    assert_int_equal(io_file_set_commit(set, &err), IO_OK);
    assert_string_equal(contents(), "data.00=new index=new");
}

/* One of the temporary files is taken away, so the set cannot be put in place: it is noticed at the last step, or one before. */
static void test_restored(void **state)
{
    (void)state;

    for (int lost = 0; lost < 2; lost++) {
        io_safe_file *files[2];
        io_file_set *set;
        io_error err;
        struct dirent **names;
        int n;
        clear();
        sample_write("index", "old", 3);
        sample_write("data", "old", 3);
        sample_write("more", "old", 3);
        set = make_set("new", files);
        n = scandir(sample_dir, &names, NULL, alphasort);
        for (int i = 0; i < n; i++) {
            if (strncmp(names[i]->d_name, lost == 0 ? ".index." : ".data.", lost == 0 ? 7 : 6) == 0)
                assert_int_equal(unlink(sample_path(names[i]->d_name)), 0);
            free(names[i]);
        }
        free(names);
        assert_int_equal(io_file_set_commit(set, &err), IO_E_OUTPUT);
        assert_string_equal(contents(), "data=old index=old more=old");
        assert_int_equal(n_files(), 3);
    }
}

static void test_signals(void **state)
{
    (void)state;

    clear();
    sample_write("index", "old", 3);
    for (int i = 0; i < 2; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            io_safe_file *files[2];
            (void)make_set("new", files);
            raise(i == 0 ? SIGINT : SIGTERM);
            _exit(2);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_string_equal(contents(), "index=old");
        assert_int_equal(n_files(), 1);
    }
}

static void test_refusals(void **state)
{
    io_file_set *set;
    io_safe_file *file;
    io_error err;
    (void)state;

    clear();
    assert_int_equal(io_file_set_create(&set, &err), IO_OK);
    assert_int_equal(io_file_set_open(set, &(io_output){.path = "/dev/null"}, 0, &file, &err), IO_E_REFUSED);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(io_file_set_open(set, &(io_output){.path = sample_path("none/x")}, 0, &file, &err), IO_E_OUTPUT);
    io_file_set_abort(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit),   cmocka_unit_test(test_abort),   cmocka_unit_test(test_other_name),
        cmocka_unit_test(test_restored), cmocka_unit_test(test_signals), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
