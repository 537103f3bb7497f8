/* stream.c - makes a filter of the 64-bit numbers of standard input, and saves it. Built like words.c. */
#include <stdio.h>
#include <tamis/tamis.h>

int main(int argc, char **argv)
{
    const tms_filter_want want = {.layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .fpr = 1e-3}; /* n_keys: not known yet */
    static uint64_t numbers[8192];
    tms_keys keys = {.bytes = (const uint8_t *)numbers, .key_size = sizeof numbers[0]};
    tms_context *ctx = NULL;
    tms_builder *builder = NULL;
    tms_filter *filter = NULL;
    tms_status status = tms_context_create(&ctx);

    if (argc != 2) {
        fprintf(stderr, "usage: stream FILTER <NUMBERS\n");
        return 2;
    }
    if (status == TMS_OK)
        status = tms_builder_create(ctx, &want, &builder);
    while (status == TMS_OK && (keys.n_keys = fread(numbers, sizeof numbers[0], 8192, stdin)) > 0)
        status = tms_builder_add(ctx, builder, &keys);
    if (status == TMS_OK)
        status = tms_builder_finish(ctx, builder, &filter);
    if (status == TMS_OK)
        status = tms_filter_save(ctx, filter, argv[1]);
    if (status != TMS_OK) {
        fprintf(stderr, "stream: %s\n", ctx ? tms_context_message(ctx) : "out of memory");
        return 1;
    }
    printf("%llu numbers in %s\n", (unsigned long long)tms_builder_n_keys(builder), argv[1]);
    tms_filter_destroy(filter);
    tms_builder_destroy(builder);
    tms_context_destroy(ctx);
    return 0;
}
