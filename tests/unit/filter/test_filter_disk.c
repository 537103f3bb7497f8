/* filter_disk.c: a loaded filter equals the saved one; a failed or interrupted save leaves the old file. */
#include "unit/context_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/test_filter_disk.XXXXXX";
static char path[64];

static const uint8_t two_words[] = "sievedrum";
static const tms_keys two_keys = {.bytes = two_words, .offsets = (const uint32_t[]){0, 5, 9}, .n_keys = 2};

static tms_filter *small_filter(uint64_t seed)
{
    const tms_filter_params params = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, seed, 1000, 7};
    tms_filter *f;
    ASSERT_OK(ctx, tms_filter_create(ctx, &params, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &two_keys));
    return f;
}

static void assert_same(tms_filter *a, tms_filter *b)
{
    const void *x, *y;
    size_t x_size, y_size;
    ASSERT_OK(ctx, tms_filter_image(ctx, a, &x, &x_size));
    ASSERT_OK(ctx, tms_filter_image(ctx, b, &y, &y_size));
    assert_same_bytes("image", x, x_size, y, y_size);
}

/* How many entries the folder has. */
static size_t n_files(void)
{
    DIR *directory = opendir(folder);
    size_t n = 0;
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        n += entry->d_name[0] != '.';
    closedir(directory);
    return n;
}

static void test_round_trip(void **state)
{
    (void)state;
    tms_filter *saved = small_filter(1), *loaded, *copy;
    ASSERT_OK(ctx, tms_filter_save(ctx, saved, path));
    ASSERT_OK(ctx, tms_filter_load(ctx, path, &loaded));
    assert_same(saved, loaded);
    assert_int_equal(tms_filter_has(loaded, "sieve", 5), 1);
    assert_int_equal(tms_filter_has(loaded, "clay", 4), 0);
    assert_int_equal(tms_filter_insert(ctx, loaded, &two_keys), TMS_E_ARG);
    ASSERT_OK(ctx, tms_filter_copy(ctx, loaded, &copy));
    ASSERT_OK(ctx, tms_filter_insert(ctx, copy, &two_keys));
    ASSERT_OK(ctx, tms_filter_save(ctx, loaded, path)); /* overwrite the file that the filter is mapped from */
    assert_same(saved, loaded);
    tms_filter_destroy(saved);
    tms_filter_destroy(loaded);
    tms_filter_destroy(copy);
    assert_int_equal(n_files(), 1);
    unlink(path);
}

/* The old mapping stays valid, the permissions are kept, and a symbolic link leads to the new file. */
static void test_replaced(void **state)
{
    (void)state;
    char link_path[80];
    struct stat info;
    tms_filter *old = small_filter(1), *new = small_filter(2), *mapped, *loaded;
    snprintf(link_path, sizeof link_path, "%s/link.tms", folder);
    ASSERT_OK(ctx, tms_filter_save(ctx, old, path));
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("f.tms", link_path), 0);
    ASSERT_OK(ctx, tms_filter_load(ctx, path, &mapped));
    ASSERT_OK(ctx, tms_filter_save(ctx, new, link_path));
    assert_same(mapped, old);
    ASSERT_OK(ctx, tms_filter_load(ctx, path, &loaded));
    assert_same(loaded, new);
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    tms_filter_destroy(old);
    tms_filter_destroy(new);
    tms_filter_destroy(mapped);
    tms_filter_destroy(loaded);
    unlink(link_path);
    unlink(path);
}

static void check_message(const char *words)
{
    if (strstr(tms_context_message(ctx), words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", tms_context_message(ctx), words);
}

static void test_not_saved(void **state)
{
    (void)state;
    tms_filter *f = small_filter(1);
    assert_int_equal(tms_filter_save(ctx, f, "/nowhere/f.tms"), TMS_E_FILE);
    check_message("/nowhere/f.tms: cannot be written: No such file or directory");
    assert_int_equal(mkdir(path, 0700), 0); /* the bytes are written beside it, and cannot take its name */
    assert_int_equal(tms_filter_save(ctx, f, path), TMS_E_FILE);
    check_message("f.tms: cannot be written: ");
    assert_int_equal(n_files(), 1);
    rmdir(path);
    tms_filter_destroy(f);
}

static void check_not_loaded(const void *bytes, size_t n, const char *words)
{
    FILE *file = fopen(path, "wb");
    tms_filter *f = (tms_filter *)(uintptr_t)1;
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
    assert_int_equal(tms_filter_load(ctx, path, &f), TMS_E_FORMAT);
    assert_null(f);
    check_message(path);
    check_message(words);
    unlink(path);
}

static void test_not_loaded(void **state)
{
    (void)state;
    tms_filter *f = small_filter(1);
    const void *image;
    size_t size;
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    check_not_loaded("", 0, "not a tamis filter");
    check_not_loaded("GIF89a is no filter, however long it may be, and it is said so", 60, "not a tamis filter");
    check_not_loaded(image, size - 1, "bytes");
    tms_filter_destroy(f);
    assert_int_equal(tms_filter_load(ctx, folder, &f), TMS_E_FORMAT);
    check_message("is not a regular file");
    assert_int_equal(tms_filter_load(ctx, path, &f), TMS_E_FORMAT);
    check_message("f.tms: No such file or directory");
}

static int make_folder(void **state)
{
    if (setup(state) != 0 || mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/f.tms", folder);
    return 0;
}

static int remove_folder(void **state)
{
    rmdir(folder);
    return teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_not_saved),
        cmocka_unit_test(test_not_loaded),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
