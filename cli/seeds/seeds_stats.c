#include "cli/seeds/seeds_stats.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { FLAGS = JSON_REAL_PRECISION(12) };

/* JSON numbers are exact up to 2^53, which no count reaches. */
static json_t *count(uint64_t n) { return json_integer((json_int_t)n); }

/* null if the file name is not UTF-8, which JSON requires. */
static json_t *name(const char *path)
{
    json_t *text = json_string(path);
    return text != NULL ? text : json_null();
}

/* One name, or an array of them. */
static json_t *names(const char *const *paths, size_t n)
{
    json_t *list;
    int failed;

    if (n == 1)
        return name(paths[0]);
    list = json_array();
    failed = list == NULL;
    for (size_t i = 0; i < n; i++)
        failed |= json_array_append_new(list, name(paths[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *source(const char *db, const char *const *paths, size_t n_paths, const seqio_dna_totals *totals, uint64_t n_words)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", db ? "db" : "file", db ? name(db) : names(paths, n_paths), "records",
                     count(totals->n_records), "bases", count(totals->n_bases), "other_letters", count(totals->n_other), "w_mers",
                     count(n_words));
}

/* The names of the parameters that tamis chose. */
static json_t *chosen(const tms_seeds_params *asked)
{
    json_t *list = json_array();
    int failed = list == NULL;

    if (asked->schedule == TMS_SCHEDULE_AUTO)
        failed |= json_array_append_new(list, json_string("schedule"));
    if (asked->sub_query == 0)
        failed |= json_array_append_new(list, json_string("sub_query"));
    if (asked->m_bits == 0)
        failed |= json_array_append_new(list, json_string("m_bits"));
    if (asked->k == 0)
        failed |= json_array_append_new(list, json_string("k"));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *parameters(const tms_seeds_params *asked, const tms_seeds_params *p)
{
    json_t *root = json_object();
    int failed = root == NULL;

    failed |= json_object_set_new(root, "word_size", count(p->word_size));
    failed |= json_object_set_new(root, "strand", json_string(tms_strand_name(p->strand)));
    failed |= json_object_set_new(root, "schedule", json_string(tms_schedule_name(p->schedule)));
    failed |= json_object_set_new(root, "sub_query", count(p->sub_query));
    failed |= json_object_set_new(root, "m_bits", count(p->m_bits));
    if (asked->m_bits != 0 && asked->m_bits != p->m_bits)
        failed |= json_object_set_new(root, "m_bits_asked", count(asked->m_bits));
    failed |= json_object_set_new(root, "k", count(p->k));
    failed |= json_object_set_new(root, "hash",
                                  p->schedule == TMS_SCHEDULE_BITMAP ? json_null() : json_string(tms_seed_hash_name(p->hash)));
    failed |= json_object_set_new(root, "seed", json_sprintf("%llu", (unsigned long long)p->seed));
    failed |= json_object_set_new(root, "chosen", chosen(asked));
    if (!failed)
        return root;
    json_decref(root);
    return NULL;
}

static json_t *head(const seeds_stats *s)
{
    const tms_seeds_info *info = s->info;
    const tms_seeds_tally *tally = s->tally;
    json_t *root = json_object(), *query = source(NULL, s->queries, s->n_queries, &s->query_totals, info->n_words);
    int failed = root == NULL || query == NULL;

    failed |= json_object_set_new(root, "version", json_string(tms_version()));
    failed |= json_object_set_new(root, "device", s->device == TMS_DEVICE_CPU ? json_string("cpu") : json_sprintf("cuda:%d", s->device));
    failed |= json_object_set_new(root, "parameters", parameters(s->asked, &info->params));
    failed |= json_object_set_new(query, "distinct", count(info->n_distinct));
    failed |= json_object_set_new(root, "query", query);
    failed |= json_object_set_new(root, "subject", source(s->db, s->subjects, s->n_subjects, &s->subject_totals, tally->n_tested));
    failed |= json_object_set_new(root, "tested", count(tally->n_tested));
    failed |= json_object_set_new(root, "passed", count(tally->n_passed));
    failed |= json_object_set_new(root, "true", s->only_filter ? json_null() : count(tally->n_true));
    failed |= json_object_set_new(root, "seeds", s->only_filter ? json_null() : count(tally->n_seeds));
    failed |= json_object_set_new(root, "bank_bytes", count(info->bank_bytes));
    failed |= json_object_set_new(root, "table_bytes", count(info->table_bytes));
    failed |= json_object_set_new(root, "n_sub_queries", count(info->n_sub_queries));
    if (!failed)
        return root;
    json_decref(root);
    return NULL;
}

static json_t *sub_query(const tms_seeds_params *p, uint32_t i, const tms_sub_query *sub)
{
    uint64_t n_false = sub->n_passed - sub->n_true, n_others = sub->n_tested - sub->n_true;
    double predicted = p->schedule == TMS_SCHEDULE_BITMAP ? 0 : tms_bank_fpr(p->m_bits, p->k, sub->n_distinct);

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f}", "sub_query", count((uint64_t)i + 1), "first_base",
                     count(sub->first_base + 1), "bases", count(sub->n_bases), "w_mers", count(sub->n_words), "distinct",
                     count(sub->n_distinct), "ones", count(sub->n_ones), "tests", count(sub->n_tested), "passed", count(sub->n_passed),
                     "true", count(sub->n_true), "false_positives", count(n_false), "fpr_measured",
                     n_others > 0 ? json_real((double)n_false / (double)n_others) : json_null(), "fpr_predicted", predicted);
}

/* cut: bytes to leave out at the end. Frees the value, which may be NULL. */
static io_status write_json(io_safe_file *file, json_t *value, size_t flags, size_t cut, io_error *err)
{
    char *text = value != NULL ? json_dumps(value, flags) : NULL;
    io_status status = text != NULL ? io_safe_file_write(file, text, strlen(text) - cut, err) : io_fail_memory(err, "--stats");

    free(text);
    json_decref(value);
    return status;
}

int seeds_stats_is(const uint8_t *bytes, size_t n)
{
    static const char begin[] = "{\n  \"version\":"; /* as head() begins */

    return n >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0;
}

/* There may be millions of sub-queries, so each is a JSON value of its own. */
io_status seeds_stats_write(const seeds_stats *s, io_safe_file *file, io_error *err)
{
    static const char begin[] = ",\n  \"sub_queries\": [", end[] = "\n  ]\n}\n";
    uint32_t n = s->info->n_sub_queries;
    io_status status = write_json(file, head(s), FLAGS | JSON_INDENT(2), 2, err); /* "\n}" */

    if (status == IO_OK)
        status = io_safe_file_write(file, begin, sizeof begin - 1, err);
    for (uint32_t i = 0; i < n && status == IO_OK; i++) {
        status = i == 0 ? io_safe_file_write(file, "\n    ", 5, err) : io_safe_file_write(file, ",\n    ", 6, err);
        if (status == IO_OK)
            status = write_json(file, sub_query(&s->info->params, i, &s->subs[i]), FLAGS, 0, err);
    }
    return status == IO_OK ? io_safe_file_write(file, end, sizeof end - 1, err) : status;
}
