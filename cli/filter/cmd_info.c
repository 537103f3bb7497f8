/*
 * cmd_info.c - tamis info: shows the parameters and the fill of filter files.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/cli.h"
#include "cli/filter/frequency_text.h"
#include "cli/filter_file.h"

static const char command[] = "info";

typedef struct info_job {
    cli_common common;
    int as_json;
} info_job;

static const option_row rows[] = {
    {0, "json", NULL, OPTION_FLAG(info_job, as_json),
     .help = "print a JSON object; for several filters, one per line. Numbers that may exceed 2^53 are strings"},
    CLI_ROW_THREADS,
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table info_options = {
    command,
    "Usage: tamis info [--json] FILTER...\n"
    "\n"
    "Checks each filter file completely, and shows its parameters and its fill. An\n"
    "empty line separates filters. A bad file is reported on standard error, and left\n"
    "out.\n",
    OPTION_ROWS(rows),
    "\n"
    "  n                      insertions, repeats included\n"
    "  expected               the false-positive rate of n different keys\n"
    "  actual                 the false-positive rate that follows from the set bits\n"
    "  resolves               the frequencies that a probabilistic filter estimates\n"
    "                         within 25 %\n"
    "\n"
    "Exit status: the highest of all filters; see tamis(1).\n",
    .ask = "which filter?",
};

/* Of the range of frequencies in the output. */
static const double range_error = 0.25, range_confidence = 0.95;

static double bits_per_key(const tms_filter_params *p, const tms_filter_stats *s)
{
    return s->n_keys > 0 ? (double)p->m_bits / (double)s->n_keys : 0;
}

/* JSON has no infinity, which classic_bits_per_key is for a rate too small for a double. */
static json_t *json_number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static tms_status print_frequencies(tms_context *ctx, const tms_filter_params *p, const tms_filter_stats *s)
{
    char range[FREQUENCY_TEXT_SIZE];
    tms_status status = frequency_range_text(ctx, p, s->fill, range_confidence, range_error, range);

    if (status == TMS_OK)
        printf("resolves    %s\n", range);
    if (s->is_union)
        printf("A union: a line's frequency lies between the largest of its filters and their sum.\n");
    return status;
}

static tms_status print_text(tms_context *ctx, const filter_file *file, const tms_filter_params *p, const tms_filter_stats *s)
{
    const tms_filter_shard shard = tms_filter_get_shard(file->filter);
    int is_probabilistic = p->layout == TMS_LAYOUT_PROBABILISTIC;
    double bits = bits_per_key(p, s);

    printf("file        %s, %" PRIu64 " bytes, checksum 0x%016" PRIx64 "\n", file->path, s->size_bytes, s->checksum);
    if (shard.n_shards > 0)
        printf("shard       %" PRIu32 " of %" PRIu32 ", input %08" PRIx32 ", options %08" PRIx32 "\n", shard.shard, shard.n_shards,
               shard.input, shard.options);
    printf("layout      %s\n", tms_layout_name(p->layout));
    printf("hash        %s, seed %" PRIu64 " (0x%" PRIx64 ")\n", tms_hash_name(p->hash), p->seed, p->seed);
    printf("m           %" PRIu64 " bits\n", p->m_bits);
    if (p->blocks_per_key > 1)
        printf("k           %" PRIu32 " bit%s in each of %" PRIu32 " blocks a key\n", p->k, CLI_PLURAL(p->k), p->blocks_per_key);
    else
        printf("k           %" PRIu32 " bit%s a key\n", p->k, CLI_PLURAL(p->k));
    if (p->layout == TMS_LAYOUT_WORDS)
        printf("w           %" PRIu32 " letters, %s; s-mers of %" PRIu32 ", minimizers of %" PRIu32 "\n", p->word_size,
               p->strand == TMS_STRAND_BOTH ? "both strands" : "stranded", p->subword_size, p->minimizer_size);
    if (is_probabilistic)
        printf("p           %.12g, %s sampling\n", p->p, tms_sampling_name(p->sampling));
    printf("n           %" PRIu64 " %s\n", s->n_keys, is_probabilistic ? "insertions" : p->layout == TMS_LAYOUT_WORDS ? "k-mers" : "keys");
    if (s->n_keys > 0 && !is_probabilistic)
        printf("bits/key    %.3f\n", bits);
    printf("fill        %.6f (%" PRIu64 " ones)\n", s->fill, s->ones);
    if (is_probabilistic)
        return print_frequencies(ctx, p, s);
    printf("expected    false-positive rate %.4g\n", s->expected_fpr);
    printf("actual      false-positive rate %.4g\n", s->actual_fpr);
    if (p->layout == TMS_LAYOUT_BLOCKED && s->classic_bits_per_key > 0 && bits > s->classic_bits_per_key)
        printf("For this false-positive rate the classic layout would need %.3f bits a key instead of %.3f: "
               "%.0f %% of the bits.\n",
               s->classic_bits_per_key, bits, 100 * s->classic_bits_per_key / bits);
    return TMS_OK;
}

static json_t *json_hex(uint64_t value, const char *format) { return json_sprintf(format, (unsigned long long)value); }

/* Adds the members of a classic or blocked filter. Returns 0, or -1 if out of memory, as jansson does. */
static int add_rates(json_t *root, const tms_filter_stats *s)
{
    int failed = 0;

    failed |= json_object_set_new(root, "expected_fpr", json_number(s->expected_fpr));
    failed |= json_object_set_new(root, "actual_fpr", json_number(s->actual_fpr));
    failed |= json_object_set_new(root, "classic_bits_per_key", s->n_keys > 0 ? json_number(s->classic_bits_per_key) : json_null());
    return failed;
}

/* Adds the members of a probabilistic filter; *status is set if the library fails. */
static int add_frequencies(json_t *root, tms_context *ctx, const tms_filter_params *p, const tms_filter_stats *s, tms_status *status)
{
    tms_frequency_reach reach = {.best_error = INFINITY};
    json_t *range = json_object();
    int failed = 0;

    if (s->fill < 1)
        *status = tms_frequency_range(ctx, p, s->fill, range_confidence, range_error, &reach);
    failed |= json_object_set_new(root, "p", json_real(p->p));
    failed |= json_object_set_new(root, "sampling", json_string(tms_sampling_name(p->sampling)));
    failed |= json_object_set_new(root, "is_union", json_boolean(s->is_union));
    failed |= json_object_set_new(range, "error", json_real(range_error));
    failed |= json_object_set_new(range, "confidence", json_real(range_confidence));
    failed |= json_object_set_new(range, "f_low", reach.high > 0 ? json_number(reach.low) : json_null());
    failed |= json_object_set_new(range, "f_high", reach.high > 0 ? json_number(reach.high) : json_null());
    failed |= json_object_set_new(range, "best_error", json_number(reach.best_error));
    failed |= json_object_set_new(range, "best_f", isfinite(reach.best_error) ? json_real(reach.best_f) : json_null());
    return failed | json_object_set_new(root, "resolves", range);
}

/* JSON's numbers are exact up to 2^53. */
static json_t *json_count(uint64_t n) { return n <= (uint64_t)1 << 53 ? json_integer((json_int_t)n) : json_hex(n, "%llu"); }

/* Adds the place of a shard, if it is one. Returns 0, or -1 if out of memory. */
static int add_shard(json_t *root, tms_filter_shard shard)
{
    int failed = 0;

    if (shard.n_shards == 0)
        return 0;
    failed |= json_object_set_new(root, "shard", json_integer(shard.shard));
    failed |= json_object_set_new(root, "shards", json_integer(shard.n_shards));
    failed |= json_object_set_new(root, "input_fingerprint", json_hex(shard.input, "%08llx"));
    failed |= json_object_set_new(root, "options_fingerprint", json_hex(shard.options, "%08llx"));
    return failed;
}

/* layout_flags: jansson's flags for one line or several. */
static int print_json(tms_context *ctx, const filter_file *file, const tms_filter_params *p, const tms_filter_stats *s, size_t layout_flags)
{
    json_t *root = json_object();
    tms_status status = TMS_OK;
    char *text;
    int failed = root == NULL;

    /* A file name may not be UTF-8, which JSON requires. */
    json_t *name = json_string(file->path);
    failed |= json_object_set_new(root, "file", name != NULL ? name : json_null());
    failed |= add_shard(root, tms_filter_get_shard(file->filter));
    failed |= json_object_set_new(root, "layout", json_string(tms_layout_name(p->layout)));
    failed |= json_object_set_new(root, "hash", json_string(tms_hash_name(p->hash)));
    failed |= json_object_set_new(root, "seed", json_hex(p->seed, "%llu"));
    failed |= json_object_set_new(root, "seed_hex", json_hex(p->seed, "0x%llx"));
    failed |= json_object_set_new(root, "m", json_integer((json_int_t)p->m_bits));
    failed |= json_object_set_new(root, "k", json_integer((json_int_t)p->k));
    if (p->layout == TMS_LAYOUT_BLOCKED)
        failed |= json_object_set_new(root, "blocks_per_key", json_integer((json_int_t)p->blocks_per_key));
    if (p->layout == TMS_LAYOUT_WORDS) {
        failed |= json_object_set_new(root, "word_size", json_integer((json_int_t)p->word_size));
        failed |= json_object_set_new(root, "subword_size", json_integer((json_int_t)p->subword_size));
        failed |= json_object_set_new(root, "minimizer_size", json_integer((json_int_t)p->minimizer_size));
        failed |= json_object_set_new(root, "is_stranded", json_boolean(p->strand != TMS_STRAND_BOTH));
    }
    failed |= json_object_set_new(root, "n", json_count(s->n_keys));
    if (p->layout != TMS_LAYOUT_PROBABILISTIC)
        failed |= json_object_set_new(root, "bits_per_key", s->n_keys > 0 ? json_number(bits_per_key(p, s)) : json_null());
    failed |= json_object_set_new(root, "ones", json_integer((json_int_t)s->ones));
    failed |= json_object_set_new(root, "fill", json_number(s->fill));
    failed |= p->layout == TMS_LAYOUT_PROBABILISTIC ? add_frequencies(root, ctx, p, s, &status) : add_rates(root, s);
    failed |= json_object_set_new(root, "bytes", json_integer((json_int_t)s->size_bytes));
    failed |= json_object_set_new(root, "checksum", json_hex(s->checksum, "0x%016llx"));
    text = failed ? NULL : json_dumps(root, layout_flags | JSON_REAL_PRECISION(12));
    json_decref(root);
    if (text != NULL && status == TMS_OK)
        puts(text);
    free(text);
    if (status != TMS_OK)
        return cli_fail_library(command, ctx, status);
    return text != NULL ? CLI_OK : cli_fail(command, CLI_NO_MEMORY, "out of memory");
}

/* *n_shown [in,out]: number of filters printed so far, of n_filters. */
static int show(const cli_common *common, tms_context *ctx, const char *path, int as_json, int n_filters, int *n_shown)
{
    filter_file file;
    tms_filter_stats stats;
    int code = filter_file_open_shard(&file, common, ctx, path);

    if (code == CLI_OK) {
        tms_status status = tms_filter_get_stats(ctx, file.filter, &stats);
        const tms_filter_params *params = tms_filter_get_params(file.filter);
        if (status == TMS_OK && !as_json && *n_shown > 0)
            putchar('\n');
        *n_shown += status == TMS_OK;
        if (status == TMS_OK && as_json)
            code = print_json(ctx, &file, params, &stats, n_filters > 1 ? JSON_COMPACT : JSON_INDENT(2));
        else if (status == TMS_OK)
            status = print_text(ctx, &file, params, &stats);
        if (status != TMS_OK)
            code = cli_fail_library(command, ctx, status);
    }
    filter_file_close(&file);
    return cli_end_stdout(command, code);
}

static int show_all(const cli_common *common, tms_context *ctx, char **paths, int n, int as_json)
{
    int worst = CLI_OK, n_shown = 0;

    for (int i = 0; i < n && worst != CLI_NO_OUTPUT; i++) {
        int code = show(common, ctx, paths[i], as_json, n, &n_shown);
        worst = code > worst ? code : worst;
    }
    return worst;
}

int cmd_info(int argc, char **argv)
{
    info_job job = {0};
    options_given given;
    tms_context *ctx = NULL;
    int code;

    if (!cli_options(&info_options, argc, argv, &job.common, &given, &code))
        return code;
    code = cli_context_create(&job.common, &ctx);
    if (code == CLI_OK)
        code = show_all(&job.common, ctx, given.operands, given.n_operands, job.as_json);
    tms_context_destroy(ctx);
    return code;
}
