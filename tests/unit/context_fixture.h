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

#endif
