/* The profile that is kept of a machine: none, one that is good, one of another machine, one that is damaged. */
#include "unit/io/io_samples.h"

#include <sys/stat.h>

#include "cli/profile_cache.h"

static const tms_machine here = {.gpu = "A GPU/1",
                                 .driver_version = 12040,
                                 .n_multiprocessors = 10,
                                 .memory_bytes = 1 << 30,
                                 .l2_bytes = 1 << 20,
                                 .cpu = "A CPU",
                                 .n_processors = 3};
static profile_file kept;

static void keep(const char *path, const tms_machine *machine)
{
    io_safe_file *file;
    io_error err;

    memset(&kept, 0, sizeof kept);
    snprintf(kept.date, sizeof kept.date, "2026-01-31");
    kept.profile.machine = *machine;
    snprintf(kept.profile.machine.version, sizeof kept.profile.machine.version, "%s", tms_version());
    kept.profile.has_gpu = 1;
    assert_int_equal(io_safe_file_open(&(io_output){.path = path, .is_kind = profile_file_is, .kind = "a profile"}, &file, &err), IO_OK);
    assert_int_equal(profile_file_write(file, &kept, &err), IO_OK);
    assert_int_equal(io_safe_file_commit(file, &err), IO_OK);
}

static void cannot_be_used(const char *why)
{
    io_error err;

    assert_int_equal(profile_cache_read(&here, 1, &kept, &err), -1);
    if (strstr(err.text, why) == NULL || strstr(err.text, "A_GPU_1-cuda12.4-tamis") == NULL)
        fail_msg("'%s' does not say '%s'", err.text, why);
}

static void kept_profiles(void **state)
{
    char path[DATA_PATH], why[200];
    io_error err;
    tms_machine other = here;
    tms_context *ctx;
    FILE *file;

    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", sample_dir, 1), 0);
    assert_true(profile_cache_path(&here, 1, path));
    assert_int_equal(profile_cache_read(&here, 1, &kept, &err), 0);
    assert_int_equal(io_make_directories(path, 0700, &err), IO_OK);
    keep(path, &here);
    assert_int_equal(profile_cache_read(&here, 1, &kept, &err), 1);
    assert_int_equal(kept.profile.machine.n_multiprocessors, 10);
    assert_int_equal(profile_cache_read(&here, 0, &kept, &err), 0); /* nothing of the CPU alone */
    other.n_multiprocessors = 11;
    keep(path, &other);
    cannot_be_used("measured on another machine (multiprocessors: 11 there, 10 here)");
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"tamis_profile\": 1", file);
    fclose(file);
    cannot_be_used("the profile is damaged");
    assert_int_equal(tms_context_create(&ctx), TMS_OK); /* on the CPU: it is not looked at */
    profile_cache_apply(ctx, why, sizeof why);
    assert_string_equal(why, "");
    tms_context_destroy(ctx);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_profiles)};
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
