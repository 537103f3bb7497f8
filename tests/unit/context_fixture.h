/* context_fixture.h - setup and teardown of a test program with one context for all of its tests. */
#ifndef CONTEXT_FIXTURE_H
#define CONTEXT_FIXTURE_H

#include "unit/samples.h"

static tms_context *ctx;

static int setup(void **state)
{
    (void)state;
    sample_seed();
    return tms_context_create(&ctx) == TMS_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(ctx);
    return 0;
}

/* Both filters have the same image. */
static inline void assert_same_filter(const char *what, tms_filter *a, tms_filter *b)
{
    const void *x, *y;
    size_t x_size, y_size;
    ASSERT_OK(ctx, tms_filter_image(ctx, a, &x, &x_size));
    ASSERT_OK(ctx, tms_filter_image(ctx, b, &y, &y_size));
    assert_same_bytes(what, x, x_size, y, y_size);
}

#endif
