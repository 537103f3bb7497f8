/* classify_mark.c - see classify_mark.h. */
#include "cli/reads/classify_mark.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char version[] = "1", key_of_shard[] = "shard", key_of_hash[] = "hash";

/* The counts of a shard, but those of references. */
static const struct {
    const char *key;
    size_t at;
} counts_of[] = {{"count", offsetof(classify_counts, n_units)},           {"unmatched", offsetof(classify_counts, n_unmatched)},
                 {"ambiguous", offsetof(classify_counts, n_ambiguous)},   {"kmers", offsetof(classify_counts, n_words)},
                 {"with-kmers", offsetof(classify_counts, n_with_words)}, {"most-kmers", offsetof(classify_counts, most_words)},
                 {"too-short", offsetof(classify_counts, n_unmatchable)}};
enum { N_COUNTS = sizeof counts_of / sizeof *counts_of };

static uint64_t *count_at(classify_counts *counts, size_t i) { return (uint64_t *)(void *)((char *)counts + counts_of[i].at); }

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Adds a name, which may have any bytes but NUL: JSON takes UTF-8 only, so %C3 stands for a byte that is not printable ASCII, or a %. */
static io_status add_name(struct archive_manifest *mark, const char *key, const char *name, io_error *err)
{
    char *text = malloc(3 * strlen(name) + 1), *to = text;
    io_status status;

    if (text == NULL)
        return io_fail_memory(err, "a name");
    for (const char *at = name; *at != '\0'; at++) {
        if (*at > ' ' && *at < 0x7f && *at != '%')
            *to++ = *at;
        else
            to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*at);
    }
    *to = '\0';
    status = archive_manifest_add(mark, key, text, err);
    free(text);
    return status;
}

static io_status add_double(struct archive_manifest *mark, const char *key, double value, io_error *err)
{
    char text[32];

    snprintf(text, sizeof text, "%.17g", value);
    return archive_manifest_add(mark, key, text, err);
}

static io_status add_reference(struct archive_manifest *mark, const classify_report *r, size_t i, io_error *err)
{
    const tms_hit_rates rates = tms_classifier_rates(r->classifier, i);
    char text[96];
    io_status status = add_name(mark, "reference", r->names[i], err);

    snprintf(text, sizeof text, "%.17g %.17g %.17g", rates.by_filter, rates.by_filter_again, rates.by_reference);
    return status == IO_OK ? archive_manifest_add(mark, "rates", text, err) : status;
}

io_status classify_mark_run(struct archive_manifest *mark, const classify_report *r, io_error *err)
{
    io_status status = archive_manifest_add(mark, CLASSIFY_MARK_FIRST, version, err);

    if (status == IO_OK)
        status = archive_manifest_add(mark, "tamis", tms_version(), err);
    if (status == IO_OK)
        status = add_name(mark, "sample", r->sample, err);
    if (status == IO_OK)
        status = archive_manifest_add(mark, "units", r->are_pairs ? "pairs" : "reads", err);
    if (status == IO_OK)
        status = archive_manifest_add(mark, "rule", tms_rule_name(r->rule), err);
    if (status == IO_OK)
        status = archive_manifest_add_number(mark, "kmer", tms_classifier_word_size(r->classifier), err);
    if (status == IO_OK)
        status = add_double(mark, "threshold", tms_classifier_threshold(r->classifier), err);
    if (status == IO_OK)
        status = archive_manifest_add_number(mark, "min-hits", r->min_hits, err);
    if (status == IO_OK)
        status = add_double(mark, "max-false", r->max_false, err);
    for (size_t i = 0; i < r->n_references && status == IO_OK; i++)
        status = add_reference(mark, r, i, err);
    return status;
}

io_status classify_mark_shard(struct archive_manifest *mark, const shard_place *place, const char *outputs, io_error *err)
{
    io_status status = archive_manifest_add_number(mark, "shards", place->n, err);

    if (status == IO_OK)
        status = archive_manifest_add_number(mark, key_of_shard, place->shard + 1, err);
    return status == IO_OK ? archive_manifest_add(mark, "outputs", outputs, err) : status;
}

io_status classify_mark_end(struct archive_manifest *mark, const classify_counts *counts, size_t n_references, io_error *err)
{
    classify_counts copy = *counts;
    io_status status = IO_OK;
    char text[24];
    uint64_t hash;

    for (size_t i = 0; i < N_COUNTS && status == IO_OK; i++)
        status = archive_manifest_add_number(mark, counts_of[i].key, *count_at(&copy, i), err);
    for (size_t i = 0; i < n_references && status == IO_OK; i++)
        status = archive_manifest_add_number(mark, "matched", counts->of_reference[i], err);
    if (status == IO_OK)
        status = archive_manifest_hash(mark, &hash, err);
    if (status != IO_OK)
        return status;
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return archive_manifest_add(mark, key_of_hash, text, err);
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

bool classify_mark_differs(const struct archive_manifest *a, const struct archive_manifest *b, bool with_shard, char out[256])
{
    const char *const end = with_shard ? counts_of[0].key : key_of_shard;

    for (size_t i = 0;; i++) {
        const int a_ends = i == a->n || strcmp(a->pairs[i].key, end) == 0, b_ends = i == b->n || strcmp(b->pairs[i].key, end) == 0;
        if (a_ends && b_ends)
            return false;
        if (a_ends || b_ends || strcmp(a->pairs[i].key, b->pairs[i].key) != 0) {
            const char *key = a_ends ? b->pairs[i].key : a->pairs[i].key;
            snprintf(out, 256, "one has more than the other: %.80s", key);
            return true;
        }
        if (strcmp(a->pairs[i].value, b->pairs[i].value) != 0) {
            snprintf(out, 256, "%.40s: %.80s and %.80s", a->pairs[i].key, a->pairs[i].value, b->pairs[i].value);
            return true;
        }
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/* Reads what add_name() has written, to be freed. NULL: it is damaged, or there is no memory. */
static char *read_name(const char *text)
{
    char *name = text != NULL ? strdup(text) : NULL, *to = name;

    for (const char *at = name; at != NULL && *at != '\0'; at++) {
        int high = 0, low = 0;
        if (*at == '%') {
            high = hex_digit(at[1]);
            low = high >= 0 ? hex_digit(at[2]) : -1;
            if (high < 0 || low < 0 || high + low == 0) {
                free(name);
                return NULL;
            }
            at += 2;
        }
        *to++ = *at == '%' || high + low > 0 ? (char)(16 * high + low) : *at;
    }
    if (to != NULL)
        *to = '\0';
    return name;
}

static bool read_double(const struct archive_manifest *mark, const char *key, double *out)
{
    const char *text = archive_manifest_get(mark, key, 0);
    char *end;

    if (text == NULL)
        return false;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

/* Reads the nth number with this key. */
static bool read_count(const struct archive_manifest *mark, const char *key, size_t nth, uint64_t *out)
{
    const char *text = archive_manifest_get(mark, key, nth);
    char *end;

    if (text == NULL || !isdigit((unsigned char)*text))
        return false;
    *out = strtoull(text, &end, 10);
    return *end == '\0';
}

/* The last pair is the hash of those before it. */
static io_status check_hash(const struct archive_manifest *mark, bool *is_right, io_error *err)
{
    struct archive_manifest before = *mark;
    uint64_t hash;
    char text[24];
    io_status status;

    *is_right = false;
    if (mark->n == 0 || strcmp(mark->pairs[mark->n - 1].key, key_of_hash) != 0)
        return IO_OK;
    before.n--;
    status = archive_manifest_hash(&before, &hash, err);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    *is_right = status == IO_OK && strcmp(text, mark->pairs[mark->n - 1].value) == 0;
    return status;
}

static bool read_references(const struct archive_manifest *mark, classify_marked *out, tms_hit_rates *rates)
{
    size_t n = 0;

    for (const char *text; (text = archive_manifest_get(mark, "rates", n)) != NULL; n++) {
        if (n == TMS_MAX_REFERENCES ||
            sscanf(text, "%lf %lf %lf", &rates[n].by_filter, &rates[n].by_filter_again, &rates[n].by_reference) != 3)
            return false;
        out->names[n] = read_name(archive_manifest_get(mark, "reference", n));
        if (out->names[n] == NULL || !read_count(mark, "matched", n, &out->counts.of_reference[n]))
            return false;
    }
    out->report.n_references = n;
    return n > 0;
}

static bool read_rule(const struct archive_manifest *mark, tms_rule *out)
{
    const char *text = archive_manifest_get(mark, "rule", 0);

    for (tms_rule rule = TMS_RULE_DEFAULT; text != NULL && rule <= TMS_RULE_FACS_PERL; rule++) {
        *out = rule;
        if (strcmp(text, tms_rule_name(rule)) == 0)
            return true;
    }
    return false;
}

static bool read_all(const struct archive_manifest *mark, classify_marked *out, tms_hit_rates *rates, tms_classify_params *params,
                     uint64_t *word_size)
{
    const char *of = archive_manifest_get(mark, CLASSIFY_MARK_FIRST, 0), *units = archive_manifest_get(mark, "units", 0);
    uint64_t min_hits;
    bool done = of != NULL && strcmp(of, version) == 0 && units != NULL && read_references(mark, out, rates) &&
                read_rule(mark, &params->rule) && archive_manifest_number(mark, "kmer", word_size) && *word_size <= UINT32_MAX &&
                read_double(mark, "threshold", &params->threshold) && archive_manifest_number(mark, "min-hits", &min_hits) &&
                min_hits <= UINT32_MAX && read_double(mark, "max-false", &params->false_per_million) &&
                read_count(mark, "shards", 0, &out->place.n) && read_count(mark, key_of_shard, 0, &out->place.shard) &&
                out->place.shard >= 1 && out->place.shard-- <= out->place.n && out->place.n <= SHARDS_MOST;

    for (size_t i = 0; i < N_COUNTS && done; i++)
        done = read_count(mark, counts_of[i].key, 0, count_at(&out->counts, i));
    if (!done)
        return false;
    params->least_hits = (uint32_t)min_hits;
    out->sample = read_name(archive_manifest_get(mark, "sample", 0));
    out->report.are_pairs = strcmp(units, "pairs") == 0;
    return out->sample != NULL;
}

io_status classify_mark_read(tms_context *ctx, const struct archive_manifest *mark, const classify_report *like, classify_marked *out,
                             io_error *err)
{
    tms_hit_rates rates[TMS_MAX_REFERENCES];
    tms_classify_params params = {0};
    uint64_t word_size;
    bool is_right;
    io_status status = check_hash(mark, &is_right, err);
    tms_status made = TMS_E_ARG;

    if (status != IO_OK)
        return status;
    if (is_right && read_all(mark, out, rates, &params, &word_size))
        made = like != NULL
                   ? TMS_OK
                   : tms_classifier_create_from_rates(ctx, (uint32_t)word_size, rates, out->report.n_references, &params, &out->classifier);
    if (made == TMS_E_MEMORY)
        return io_fail_memory(err, "a summary");
    if (made != TMS_OK)
        return io_fail(err, IO_E_INPUT, 0, "its mark is damaged");
    out->report.classifier = like != NULL ? like->classifier : out->classifier;
    out->report.names = (const char *const *)out->names;
    out->report.sample = out->sample;
    out->report.rule = params.rule;
    out->report.min_hits = params.least_hits;
    out->report.max_false = params.false_per_million;
    out->report.counts = &out->counts;
    return IO_OK;
}

void classify_marked_free(classify_marked *marked)
{
    tms_classifier_destroy(marked->classifier);
    for (size_t i = 0; i < TMS_MAX_REFERENCES; i++)
        free(marked->names[i]);
    free(marked->sample);
}
