/* classify_report.c - see classify_report.h. */
#include "cli/reads/classify_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* Counts the units that cannot match, even if all k-mers are hits. Most units have as many k-mers as the previous one. */
static void count_unmatchable(classify_counts *c, const tms_classifier *classifier, const tms_classified *results, size_t n)
{
    uint64_t n_words = 0;
    bool is_unmatchable = false;

    for (size_t i = 0; i < n; i++) {
        if (results[i].n_words == 0)
            continue;
        c->n_with_words++;
        c->most_words = results[i].n_words > c->most_words ? results[i].n_words : c->most_words;
        if (results[i].verdict != TMS_VERDICT_NONE)
            continue;
        if (results[i].n_words != n_words) {
            n_words = results[i].n_words;
            is_unmatchable = tms_classifier_least_hits(classifier, n_words) > n_words;
        }
        c->n_unmatchable += is_unmatchable;
    }
}

void classify_counts_add(classify_counts *c, const tms_classifier *classifier, const tms_classified *results, size_t n)
{
    count_unmatchable(c, classifier, results, n);
    for (size_t i = 0; i < n; i++) {
        c->n_words += results[i].n_words;
        if (results[i].verdict == TMS_VERDICT_MATCH)
            c->of_reference[results[i].best]++;
        else if (results[i].verdict == TMS_VERDICT_AMBIGUOUS)
            c->n_ambiguous++;
        else
            c->n_unmatched++;
    }
    c->n_units += n;
}

void classify_counts_sum(classify_counts *c, const classify_counts *more)
{
    for (size_t i = 0; i < TMS_MAX_REFERENCES; i++)
        c->of_reference[i] += more->of_reference[i];
    c->n_unmatched += more->n_unmatched;
    c->n_ambiguous += more->n_ambiguous;
    c->n_units += more->n_units;
    c->n_words += more->n_words;
    c->n_with_words += more->n_with_words;
    c->most_words = more->most_words > c->most_words ? more->most_words : c->most_words;
    c->n_unmatchable += more->n_unmatchable;
}

/* Index of the reference with the highest false-positive rate. */
static size_t fullest(const classify_report *r)
{
    size_t at = 0;

    for (size_t i = 1; i < r->n_references; i++) {
        if (tms_classifier_fpr(r->classifier, i) > tms_classifier_fpr(r->classifier, at))
            at = i;
    }
    return at;
}

bool classify_report_can_match(const classify_report *r, const char *const *filters, char why[CLASSIFY_WHY])
{
    const classify_counts *counts = r->counts;
    const char *units = r->are_pairs ? "pair" : "read";
    const size_t at = fullest(r);

    if (r->rule != TMS_RULE_DEFAULT || counts->n_unmatchable == 0 || counts->n_unmatchable < counts->n_with_words)
        return true;
    if (r->min_hits > 0)
        snprintf(why, CLASSIFY_WHY, "no %s can match: --min-hits is %u, and no %s has more than %llu k-mers", units, r->min_hits, units,
                 (unsigned long long)counts->most_words);
    else
        snprintf(why, CLASSIFY_WHY,
                 "no %s can match: random k-mers are hits in %.300s at a rate of %.2g, so all %llu k-mers of a %s could be hits by chance "
                 "(--max-false): build the filter with a lower --fpr, or longer k-mers; or give --min-hits",
                 units, filters[at], tms_classifier_fpr(r->classifier, at), (unsigned long long)counts->most_words, units);
    return false;
}

static double share(const classify_report *r, uint64_t n) { return r->counts->n_units > 0 ? (double)n / (double)r->counts->n_units : 0; }

uint64_t classify_report_length(const classify_report *r)
{
    uint64_t n = r->counts->n_units, n_words = n > 0 ? (r->counts->n_words + n / 2) / n : 0;

    return n_words > 0 ? n_words + tms_classifier_word_size(r->classifier) - 1 : 0;
}

static bool add_line(struct byte_array *to, const char *name, double share, uint64_t n, const char *false_matches)
{
    size_t size = strlen(name) + strlen(false_matches) + 64;
    uint8_t *at = byte_array_room(to, size);

    if (at == NULL)
        return false;
    to->n += (size_t)snprintf((char *)at, size, "%s\t%" PRIu64 "\t%.6f\t%s\n", name, n, share, false_matches);
    return true;
}

/* A table begins with the mark of a shard, as comments. */
static bool add_mark(const struct archive_manifest *mark, struct byte_array *to)
{
    io_error err;
    char *text, *line, *end;
    size_t n;
    bool done = true;

    if (mark == NULL)
        return true;
    if (archive_manifest_text(mark, &text, &n, &err) != IO_OK)
        return false;
    for (line = text; done && (end = strchr(line, '\n')) != NULL; line = end + 1)
        done = byte_array_add(to, "# ", 2) && byte_array_add(to, line, (size_t)(end + 1 - line));
    free(text);
    return done;
}

bool classify_report_table(const classify_report *r, struct byte_array *to)
{
    const classify_counts *c = r->counts;
    const char *header = r->are_pairs ? "reference\tpairs\tfraction\tchance_per_million\n"
                                      : "reference\treads\tfraction\tchance_per_million\n";
    uint64_t length = classify_report_length(r);
    char text[32];
    bool done = add_mark(r->mark, to) && byte_array_add(to, header, strlen(header));

    for (size_t i = 0; i < r->n_references && done; i++) {
        snprintf(text, sizeof text, "%.3g", tms_classifier_expected_false(r->classifier, i, length));
        done = add_line(to, r->names[i], share(r, c->of_reference[i]), c->of_reference[i], text);
    }
    snprintf(text, sizeof text, "%.3g", tms_classifier_expected_false(r->classifier, TMS_NO_REFERENCE, length));
    return done && add_line(to, "unmatched", share(r, c->n_unmatched), c->n_unmatched, "-") &&
           add_line(to, "ambiguous", share(r, c->n_ambiguous), c->n_ambiguous, "-") &&
           add_line(to, "total", share(r, c->n_units), c->n_units, text);
}

/* A copy of a name for JSON, which is UTF-8: in other names '?' replaces all bytes but ASCII. Freed with free(); NULL: no memory. */
static char *utf8_name(const char *name)
{
    json_t *is_utf8 = json_string(name);
    char *copy = strdup(name);

    for (char *at = copy; is_utf8 == NULL && at != NULL && *at != '\0'; at++) {
        if (*at & 0x80)
            *at = '?';
    }
    json_decref(is_utf8);
    return copy;
}

/* Takes ownership of the value. Returns 0, or -1 if there is no memory. */
static int set_by_name(json_t *object, const char *name, json_t *value)
{
    char *key = utf8_name(name);
    int failed = key != NULL ? json_object_set_new(object, key, value) : -1;

    if (key == NULL)
        json_decref(value);
    free(key);
    return failed;
}

/* {"sample": {"reference": n, ..., "ambiguous": n, "unmatched": n}}; NULL: no memory. */
static json_t *counts_of_sample(const classify_report *r)
{
    json_t *data = json_object(), *counts = json_object();
    int failed = data == NULL || counts == NULL;

    for (size_t i = 0; i < r->n_references; i++)
        failed |= set_by_name(counts, r->names[i], json_integer((json_int_t)r->counts->of_reference[i]));
    failed |= json_object_set_new(counts, "ambiguous", json_integer((json_int_t)r->counts->n_ambiguous));
    failed |= json_object_set_new(counts, "unmatched", json_integer((json_int_t)r->counts->n_unmatched));
    failed |= set_by_name(data, r->sample, counts);
    if (!failed)
        return data;
    json_decref(data);
    return NULL;
}

/* The numbers that MultiQC does not show; NULL: no memory. */
static json_t *details(const classify_report *r)
{
    const char *units = r->are_pairs ? "pairs" : "reads";
    uint64_t length = classify_report_length(r);
    json_t *references = json_array();
    int failed = references == NULL;

    for (size_t i = 0; i < r->n_references && !failed; i++) {
        char *name = utf8_name(r->names[i]);
        failed |= json_array_append_new(
            references, json_pack("{s:s, s:I, s:f, s:f, s:f}", "name", name, units, (json_int_t)r->counts->of_reference[i], "fraction",
                                  share(r, r->counts->of_reference[i]), "kmer_fpr", tms_classifier_fpr(r->classifier, i),
                                  "chance_per_million", tms_classifier_expected_false(r->classifier, i, length)));
        free(name);
    }
    if (failed) {
        json_decref(references);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:i, s:f, s:I, s:I, s:f, s:o}", "version", tms_version(), "rule", tms_rule_name(r->rule), "kmer",
                     (int)tms_classifier_word_size(r->classifier), "threshold", tms_classifier_threshold(r->classifier), units,
                     (json_int_t)r->counts->n_units, "mean_letters", (json_int_t)length, "chance_per_million",
                     tms_classifier_expected_false(r->classifier, TMS_NO_REFERENCE, length), "references", references);
}

/* Adds the mark of a shard to the object "tamis". Returns false if memory is short. */
static bool set_mark(json_t *more, const struct archive_manifest *mark)
{
    io_error err;
    char *text;
    size_t n;
    bool done;

    if (mark == NULL)
        return true;
    if (more == NULL || archive_manifest_text(mark, &text, &n, &err) != IO_OK)
        return false;
    done = json_object_set_new(more, "shard", json_string(text)) == 0;
    free(text);
    return done;
}

bool classify_report_json(const classify_report *r, struct byte_array *to)
{
    const char *units = r->are_pairs ? "Pairs" : "Reads";
    json_t *data = counts_of_sample(r), *more = details(r), *root = NULL;
    char *text = NULL;
    bool done = false;

    if (data != NULL && more != NULL && set_mark(more, r->mark))
        root = json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:s, s:s}, s:O, s:O}", "id", "tamis_classify", "section_name", "tamis classify",
                         "description", "Reads by the reference that they belong to.", "plot_type", "bargraph", "pconfig", "id",
                         "tamis_classify_plot", "title", "tamis classify: reads by reference", "ylab", units, "data", data, "tamis", more);
    if (root != NULL)
        text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    if (text != NULL)
        done = byte_array_add(to, text, strlen(text)) && byte_array_add(to, "\n", 1);
    free(text);
    json_decref(root);
    json_decref(data);
    json_decref(more);
    return done;
}

/* ---- Kraken's format -------------------------------------------------------------------------------------------- */

enum { FIRST_TAXID = 2000000000, N_TAXIDS = 100000000 };

/* Hashes a name (FNV-1a), so that a reference has the same number in all runs; after a collision the next free number. */
static uint32_t taxid_of(const char *name, const uint32_t *taken, size_t n_taken)
{
    uint32_t hash = 2166136261u, id;

    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (uint8_t)*at) * 16777619u;
    id = FIRST_TAXID + hash % N_TAXIDS;
    for (size_t i = 0; i < n_taken; i++) {
        if (taken[i] == id) {
            id++;
            i = (size_t)-1; /* compare with all of them again */
        }
    }
    return id;
}

static bool add_taxon(const classify_report *r, struct byte_array *to, uint64_t clade, uint64_t own, char rank, uint32_t id,
                      const char *name)
{
    size_t size = strlen(name) + 128;
    uint8_t *at = byte_array_room(to, size);

    if (at == NULL)
        return false;
    to->n += (size_t)snprintf((char *)at, size, "%6.2f\t%" PRIu64 "\t%" PRIu64 "\t%c\t%" PRIu32 "\t%s%s\n", 100 * share(r, clade), clade,
                              own, rank, id, rank == 'S' ? "  " : "", name);
    return true;
}

bool classify_report_kraken(const classify_report *r, struct byte_array *to)
{
    const classify_counts *c = r->counts;
    uint32_t ids[TMS_MAX_REFERENCES];
    bool done = add_taxon(r, to, c->n_unmatched, c->n_unmatched, 'U', 0, "unclassified") &&
                add_taxon(r, to, c->n_units - c->n_unmatched, c->n_ambiguous, 'R', 1, "root");

    for (size_t i = 0; i < r->n_references && done; i++) {
        ids[i] = taxid_of(r->names[i], ids, i);
        done = add_taxon(r, to, c->of_reference[i], c->of_reference[i], 'S', ids[i], r->names[i]);
    }
    return done;
}
