/* profile_file: a file reads as what was written; whatever is wrong with one is said; other formats, versions and machines are told apart.
 */
#include "unit/io/io_samples.h"

#include <math.h>

#include "figures/profile_file.h"
#include "io/io_stream.h"

enum { MAX_TEXT = 1 << 20 };

/* Every name has a number of its own, and every curve another length. */
static profile_file make_profile(void)
{
    profile_file p;

    memset(&p, 0, sizeof p);
    snprintf(p.date, sizeof p.date, "2026-01-31");
    p.profile.machine = (tms_machine){.gpu = "A \"GPU\" \\ 1",
                                      .driver_version = 12040,
                                      .runtime_version = 12020,
                                      .compute_major = 9,
                                      .n_multiprocessors = 132,
                                      .warp_size = 32,
                                      .registers = 65536,
                                      .max_blocks = 32,
                                      .max_threads_block = 1024,
                                      .max_threads = 2048,
                                      .shared_bytes = 233472,
                                      .shared_bytes_block = 232448,
                                      .shared_reserved = 1024,
                                      .memory_bytes = 150000000000,
                                      .l2_bytes = 62914560,
                                      .clock_khz = 1980000,
                                      .memory_clock_khz = UINT32_MAX,
                                      .cpu = "A CPU",
                                      .n_processors = 16,
                                      .simd = TMS_SIMD_AVX512};
    snprintf(p.profile.machine.version, sizeof p.profile.machine.version, "%s", tms_version());
    p.profile.has_gpu = 1;
    p.profile.reliable = 1;
    p.profile.spread = 0.1;
    for (size_t i = 0; i < TMS_PROFILE_VALUES && tms_profile_value_name(i) != NULL; i++)
        p.profile.values[i] = (double)(i + 1) / 3e9;
    for (size_t i = 0; i < TMS_PROFILE_CURVES && tms_profile_curve_name(i) != NULL; i++) {
        p.profile.curves[i].n = (uint32_t)(i == 0 ? TMS_CURVE_POINTS : i % 7);
        for (uint32_t j = 0; j < p.profile.curves[i].n; j++) {
            p.profile.curves[i].x[j] = 4096.0 * pow(1.7, j);
            p.profile.curves[i].y[j] = 1e9 / (double)(j + i + 1);
        }
    }
    return p;
}

static io_status write_profile(const char *path, const profile_file *p, io_error *err)
{
    io_safe_file *file;

    assert_int_equal(io_safe_file_open(&(io_output){.path = path, .is_kind = profile_file_is, .kind = "a profile"}, &file, err), IO_OK);
    if (profile_file_write(file, p, err) == IO_OK)
        return io_safe_file_commit(file, err);
    io_safe_file_abort(file);
    return IO_E_OUTPUT;
}

static char *text_of(const char *path)
{
    static char text[MAX_TEXT];
    FILE *file = fopen(path, "r");
    size_t n;

    assert_non_null(file);
    n = fread(text, 1, sizeof text - 1, file);
    assert_in_range(n, 1, sizeof text - 2);
    text[n] = '\0';
    fclose(file);
    return text;
}

static const char *put_text(const char *text)
{
    const char *path = sample_path("changed.json");
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

/* The good file with `to` in place of `from`, which it has. */
static const char *change(const char *good, const char *from, const char *to)
{
    static char text[MAX_TEXT];
    const char *at = strstr(good, from);

    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    return text;
}

static void is_refused(const char *text, const char *why)
{
    profile_file p;
    io_error err;
    const char *path = put_text(text);

    assert_int_equal(profile_file_read(path, &p, &err), IO_E_INPUT);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s' instead of '%s'", err.text, why);
}

static void round_trip(void **state)
{
    const char *path = sample_path("p.json"), *again = sample_path("q.json");
    profile_file p = make_profile(), q;
    io_error err;
    static char first[MAX_TEXT];

    (void)state;
    assert_int_equal(write_profile(path, &p, &err), IO_OK);
    assert_int_equal(profile_file_read(path, &q, &err), IO_OK);
    assert_memory_equal(&p, &q, sizeof p);
    snprintf(first, sizeof first, "%s", text_of(path));
    assert_true(profile_file_is((const uint8_t *)first, IO_KIND_BYTES));
    assert_int_equal(write_profile(again, &q, &err), IO_OK);
    assert_string_equal(first, text_of(again));
    assert_int_equal(write_profile(path, &q, &err), IO_OK); /* in the place of one */
}

/* What cannot be written leaves the old file as it was. */
static void not_finite(void **state)
{
    const char *path = sample_path("kept.json");
    profile_file p = make_profile(), q;
    io_error err;

    (void)state;
    assert_int_equal(write_profile(path, &p, &err), IO_OK);
    q = p;
    q.profile.values[0] = NAN;
    assert_int_equal(write_profile(path, &q, &err), IO_E_OUTPUT);
    assert_non_null(strstr(err.text, tms_profile_value_name(0)));
    q = p;
    q.profile.curves[0].y[1] = INFINITY;
    assert_int_equal(write_profile(path, &q, &err), IO_E_OUTPUT);
    q = p;
    q.profile.curves[0].x[1] = q.profile.curves[0].x[0];
    assert_int_equal(write_profile(path, &q, &err), IO_E_OUTPUT);
    q = p;
    q.profile.spread = -1;
    assert_int_equal(write_profile(path, &q, &err), IO_E_OUTPUT);
    assert_int_equal(profile_file_read(path, &q, &err), IO_OK);
    assert_memory_equal(&p, &q, sizeof p);
}

static void damaged(void **state)
{
    const char *path = sample_path("good.json");
    static char good[MAX_TEXT];
    char name[128], wrong[256];
    profile_file p = make_profile();
    io_error err;

    (void)state;
    assert_int_equal(write_profile(path, &p, &err), IO_OK);
    snprintf(good, sizeof good, "%s", text_of(path));
    is_refused(change(good, "\"date\"", "\"day\""), "damaged: 'date' is missing");
    is_refused(change(good, "\"2026-01-31\"", "7"), "'date' must be a text");
    is_refused(change(good, "2026-01-31", "2026-01-31 and a text that is far too long"), "'date' must be a text of fewer than 32 bytes");
    is_refused(change(good, "\"A CPU\"", "12"), "'cpu' must be a text");
    is_refused(change(good, "\"A CPU\"", "\"A\\u0000B\""), "damaged: line ");
    is_refused(change(good, "\"registers\"", "\"register\""), "'registers' is missing in 'machine'");
    is_refused(change(good, "\"registers\": 65536", "\"registers\": 65536.5"), "'registers' in 'machine' must be a whole number");
    is_refused(change(good, "\"registers\": 65536", "\"registers\": -1"), "'registers' in 'machine' must be from 0 to 4294967295");
    is_refused(change(good, "\"registers\": 65536", "\"registers\": 4294967296"), "but is 4294967296");
    is_refused(change(good, "\"compute_major\": 9", "\"compute_major\": 2147483648"), "from -2147483648 to 2147483647");
    is_refused(change(good, "\"machine\": {", "\"machine\": {\n    \"more\": 1,"), "'more' in 'machine' is unknown to tamis");
    is_refused(change(good, "\"has_cpu\": false", "\"has_cpu\": 0"), "'has_cpu' must be true or false");
    is_refused(change(good, "\"spread\": 0.1", "\"spread\": -0.1"), "'spread' must be a number, 0 or more");
    is_refused(change(good, "\"spread\": 0.1", "\"spread\": \"0.1\""), "'spread' must be a number");
    is_refused(change(good, "\"spread\"", "\"more\": 1, \"spread\""), "'more' is unknown to tamis");
    is_refused(change(good, "\"spread\"", "\"spread\": 1, \"spread\""), "damaged: line ");
    is_refused(change(good, "\"values\": {", "\"values\": {\n    \"more\": 1,"), "'more' in 'values' is unknown to tamis");
    is_refused(change(good, "\"curves\": {", "\"curves\": {\n    \"more\": {\"x\": [], \"y\": []},"), "'more' in 'curves' is unknown");
    is_refused(change(good, "\"values\": {", "\"values\": 7, \"other\": {"), "'values' must be an object");

    snprintf(name, sizeof name, "\"%s\"", tms_profile_value_name(0));
    is_refused(change(good, name, "\"other\""), "is missing in 'values'");
    snprintf(name, sizeof name, "\"%s\": ", tms_profile_value_name(0));
    snprintf(wrong, sizeof wrong, "%snull, \"other\": ", name);
    is_refused(change(good, name, wrong), "in 'values' must be a number");
    snprintf(wrong, sizeof wrong, "%sNaN, \"other\": ", name);
    is_refused(change(good, name, wrong), "damaged: line ");
    snprintf(wrong, sizeof wrong, "%s1e999, \"other\": ", name);
    is_refused(change(good, name, wrong), "damaged: line ");

    snprintf(name, sizeof name, "\"%s\": {\"x\": [4096", tms_profile_curve_name(0));
    snprintf(wrong, sizeof wrong, "\"%s\": {\"x\": [1e100", tms_profile_curve_name(0));
    is_refused(change(good, name, wrong), "in 'curves' does not ascend");
    snprintf(wrong, sizeof wrong, "\"%s\": {\"x\": [1, 4096", tms_profile_curve_name(0));
    is_refused(change(good, name, wrong), "has 65 points; the maximum is 64");
    snprintf(wrong, sizeof wrong, "\"%s\": {\"x\": [\"4096\"", tms_profile_curve_name(0));
    is_refused(change(good, name, wrong), "element 1 of 'x' must be a number");
    snprintf(wrong, sizeof wrong, "\"%s\": {\"z\": [], \"x\": [4096", tms_profile_curve_name(0));
    is_refused(change(good, name, wrong), "must be an object with 'x' and 'y'");
    snprintf(wrong, sizeof wrong, "\"%s\": {\"x\": 7, \"z\": [4096", tms_profile_curve_name(0));
    is_refused(change(good, name, wrong), "must be an object with 'x' and 'y'");
    snprintf(name, sizeof name, "\"y\": [");
    is_refused(change(good, name, "\"z\": ["), "must have an array 'y'");
    is_refused(change(good, "], \"y\": [", "], \"y\": [], \"z\": ["), "must be an object with 'x' and 'y'");
}

/* Cut anywhere, it is refused; and so is what never was a profile. */
static void cut_and_foreign(void **state)
{
    const char *path = sample_path("good.json");
    static char good[MAX_TEXT];
    profile_file p = make_profile(), q;
    io_error err;
    size_t n;

    (void)state;
    assert_int_equal(write_profile(path, &p, &err), IO_OK);
    snprintf(good, sizeof good, "%s", text_of(path));
    n = strlen(good) - 2; /* the last brace */
    for (size_t i = n; i > 0; i = i * 3 / 4) {
        good[i] = '\0';
        is_refused(good, i >= IO_KIND_BYTES ? "damaged: line " : "not a profile of a machine");
    }
    is_refused("{}", "not a profile of a machine: 'tamis model calibrate -o FILE' writes one");
    is_refused("[1, 2]", "not a profile of a machine");
    is_refused("a\nb\n", "not a profile of a machine");
    is_refused("{\"tamis_profile\": \"1\"}", "not a profile of a machine");
    path = put_text("");
    assert_int_equal(profile_file_read(path, &q, &err), IO_E_INPUT);
    assert_int_equal(profile_file_read(sample_path("missing.json"), &q, &err), IO_E_INPUT);
    assert_int_equal(profile_file_read(sample_dir, &q, &err), IO_E_INPUT);
}

static void other_versions(void **state)
{
    const char *path = sample_path("good.json");
    static char good[MAX_TEXT], old[MAX_TEXT];
    char version[64], other[64];
    profile_file p = make_profile(), q;
    io_error err;

    (void)state;
    assert_int_equal(write_profile(path, &p, &err), IO_OK);
    snprintf(good, sizeof good, "%s", text_of(path));
    is_refused(change(good, "\"tamis_profile\": 1", "\"tamis_profile\": 2"), "a profile of format 2, but tamis ");
    is_refused(change(good, "\"tamis_profile\": 1", "\"tamis_profile\": 2"), "'tamis model calibrate'");
    snprintf(version, sizeof version, "\"version\": \"%s\"", tms_version());
    is_refused(change(good, version, "\"version\": \"0.0.9\""), "a profile by tamis 0.0.9, but this is tamis ");
    snprintf(other, sizeof other, "\"version\": \"%d.%d1.0\"", TMS_VERSION_MAJOR, TMS_VERSION_MINOR);
    is_refused(change(good, version, other), "measure the machine again with 'tamis model calibrate'");
    snprintf(other, sizeof other, "\"version\": \"%d.%d.99\"", TMS_VERSION_MAJOR, TMS_VERSION_MINOR);
    assert_int_equal(profile_file_read(put_text(change(good, version, other)), &q, &err), IO_OK);
    snprintf(old, sizeof old, "%s", change(good, version, "\"version\": \"0.0.9\""));
    is_refused(change(old, "\"values\"", "\"old\""), "this is tamis "); /* that comes before what follows from it */
}

static void is_other(const tms_profile *p, tms_machine here, int gpu, const char *why)
{
    io_error err;

    assert_int_equal(profile_file_check_machine("p.json", p, &here, gpu, &err), IO_E_INPUT);
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s' instead of '%s'", err.text, why);
}

static void other_machines(void **state)
{
    profile_file p = make_profile();
    tms_machine here = p.profile.machine;
    io_error err;

    (void)state;
    assert_int_equal(profile_file_check_machine("p.json", &p.profile, &here, 1, &err), IO_OK);
    is_other(&p.profile, here, 0, "p.json: the profile has no CPU");
    p.profile.has_cpu = 1;
    assert_int_equal(profile_file_check_machine("p.json", &p.profile, &here, 0, &err), IO_OK);
    snprintf(here.gpu, sizeof here.gpu, "B");
    is_other(&p.profile, here, 1,
             "p.json: measured on another machine (GPU: A \"GPU\" \\ 1 there, B here): measure this one with 'tamis model calibrate'");
    here.gpu[0] = '\0';
    is_other(&p.profile, here, 1, "none here");
    assert_int_equal(profile_file_check_machine("p.json", &p.profile, &here, 0, &err), IO_OK); /* the CPU is the same */
    here = p.profile.machine;
    here.n_multiprocessors = 14;
    is_other(&p.profile, here, 1, "(multiprocessors: 132 there, 14 here)");
    here = p.profile.machine;
    here.memory_bytes--;
    is_other(&p.profile, here, 1, "bytes of memory");
    here = p.profile.machine;
    here.l2_bytes = 0;
    is_other(&p.profile, here, 1, "bytes of L2");
    here = p.profile.machine;
    here.driver_version = 12060;
    is_other(&p.profile, here, 1, "(driver: CUDA 12.4 there, CUDA 12.6 here)");
    here = p.profile.machine;
    snprintf(here.cpu, sizeof here.cpu, "Another CPU");
    is_other(&p.profile, here, 0, "(CPU: A CPU there, Another CPU here)");
    here = p.profile.machine;
    here.n_processors = 2;
    is_other(&p.profile, here, 0, "(processors: 16 there, 2 here)");
    here = p.profile.machine;
    here.simd = TMS_SIMD_AVX2;
    is_other(&p.profile, here, 0, "(instruction set: avx512 there, avx2 here)");
    p.profile.has_gpu = 0;
    is_other(&p.profile, p.profile.machine, 1, "p.json: the profile has no GPU");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),      cmocka_unit_test(not_finite),     cmocka_unit_test(damaged),
        cmocka_unit_test(cut_and_foreign), cmocka_unit_test(other_versions), cmocka_unit_test(other_machines),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
