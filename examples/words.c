/* words.c - makes a filter of some words, looks words up, and saves it. Build it against an installed tamis:
 *     cc words.c -o words $(pkg-config --cflags --libs tamis)
 */
#include <stdio.h>
#include <tamis/tamis.h>

int main(int argc, char **argv)
{
    const uint8_t text[] = "sieve\ndrum\ncloth\n"; /* keys lie one after the other, here 1 byte (the line feed) apart */
    const uint32_t offsets[] = {0, 6, 11, 17};     /* n_keys + 1 of them: where keys start, and where the last ends */
    const tms_keys set = {.bytes = text, .offsets = offsets, .n_keys = 3, .gap = 1};
    const tms_filter_want want = {.layout = TMS_LAYOUT_BLOCKED, .hash = TMS_HASH_XXH3, .n_keys = 3, .fpr = 1e-6};
    tms_filter_params params;
    tms_context *ctx = NULL;
    tms_filter *filter = NULL;

    if (tms_context_create(&ctx) != TMS_OK || tms_filter_size(ctx, &want, &params) != TMS_OK ||
        tms_filter_create(ctx, &params, &filter) != TMS_OK || tms_filter_insert(ctx, filter, &set) != TMS_OK ||
        (argc > 1 && tms_filter_save(ctx, filter, argv[1]) != TMS_OK)) {
        fprintf(stderr, "words: %s\n", ctx ? tms_context_message(ctx) : "out of memory");
        return 1;
    }
    printf("tamis %s: drum %d, clay %d, cloth %d\n", tms_version(), tms_filter_has(filter, "drum", 4), tms_filter_has(filter, "clay", 4),
           tms_filter_has(filter, "cloth", 5));
    tms_filter_destroy(filter);
    tms_context_destroy(ctx);
    return 0;
}
