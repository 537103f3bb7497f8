/*
 * gpu_needed.h - a test that needs a GPU skips without one; TAMIS_REQUIRE_GPU=1 makes that a failure. TAMIS_AGREE_ONLY is the test to run;
 * unset or empty, all. After unit/samples.h.
 */
#ifndef TAMIS_TESTS_GPU_NEEDED_H
#define TAMIS_TESTS_GPU_NEEDED_H

static inline void gpu_needed(const void *gpu)
{
    const char *required = getenv("TAMIS_REQUIRE_GPU");
    if (gpu)
        return;
    if (required && strcmp(required, "1") == 0)
        fail_msg("TAMIS_REQUIRE_GPU=1, and there is no usable GPU");
    print_message("skipped: no usable GPU\n");
    skip();
}

static inline void choose_test(void)
{
    const char *only = getenv("TAMIS_AGREE_ONLY");

    cmocka_set_test_filter(only && *only ? only : NULL);
}

#endif
