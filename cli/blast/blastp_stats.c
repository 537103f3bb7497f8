/* blastp_stats.c - one JSON object: parameters, counts, seconds. */
#include "cli/blast/blastp_stats.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tamis/version.h"

static const char begin[] = "{\n  \"program\": \"tamis blastp\"";

int blastp_stats_is(const uint8_t *bytes, size_t n)
{
    size_t n_begin = sizeof begin - 1 < n ? sizeof begin - 1 : n;

    return n > 0 && memcmp(bytes, begin, n_begin) == 0;
}

static json_t *count(uint64_t n) { return json_integer((json_int_t)n); }

static json_t *device_of(int device) { return device == TMS_DEVICE_CPU ? json_string("cpu") : json_sprintf("cuda:%d", device); }

static json_t *search_of(const tms_blastp_info *i, const tms_blastp_params *p)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:f, s:i, s:f, s:i, s:I, s:I}", "matrix", i->matrix, "gap_open", (int)i->gap_open,
                     "gap_extend", (int)i->gap_extend, "word_size", (int)i->word_size, "window", (int)i->window, "threshold", i->threshold,
                     "composition", (int)p->composition, "evalue", p->evalue, "max_target_seqs", (int)p->max_target_seqs,
                     "database_sequences", (json_int_t)i->n_sequences, "database_letters", (json_int_t)i->n_residues);
}

/* Adds the number that passed a stage, and the number expected for random subjects; expected < 0: unknown. */
static int add_stage(json_t *stages, const char *name, uint64_t n, double expected)
{
    json_t *stage = expected >= 0 ? json_pack("{s:o, s:f}", "n", count(n), "expected_by_chance", expected)
                                  : json_pack("{s:o}", "n", count(n));

    return json_object_set_new(stages, name, stage);
}

static json_t *stages_of(const tms_search_stats *s)
{
    json_t *stages = json_object();
    int failed = 0;

    failed |= add_stage(stages, "hits", s->n_hits, s->expected_hits);
    failed |= add_stage(stages, "ungapped_extensions", s->n_extensions, s->expected_extensions);
    failed |= add_stage(stages, "ungapped_hsps", s->n_ungapped, s->expected_ungapped);
    failed |= add_stage(stages, "gapped_extensions", s->n_gapped, -1);
    failed |= add_stage(stages, "preliminary_hsps", s->n_preliminary, -1);
    failed |= add_stage(stages, "alignments", s->n_realigned, -1);
    failed |= add_stage(stages, "hsps", s->n_hsps, s->expected_hsps);
    if (!failed)
        return stages;
    json_decref(stages);
    return NULL;
}

static json_t *input_of(const tms_search_stats *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "queries", count(s->n_queries), "query_letters", count(s->query_residues),
                     "words_in_tables", count(s->n_words), "subjects_walked", count(s->n_subjects), "letters_walked",
                     count(s->subject_residues));
}

static int add_estimate(json_t *root, const blast_estimate *e)
{
    json_t *profile = e->profile[0] != '\0' ? json_string(e->profile) : NULL; /* NULL also if the path is not UTF-8 */

    return json_object_set_new(root, "estimated_seconds",
                               json_pack("{s:f, s:f, s:s, s:o}", "cpu", e->cpu, "gpu", e->gpu, "choice", e->takes_gpu ? "gpu" : "cpu",
                                         "profile", profile != NULL ? profile : json_null()));
}

io_status blastp_stats_write(const blastp_stats *s, io_safe_file *file, io_error *err)
{
    const tms_search_stats *counts = s->counts;
    json_t *root = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:{s:f, s:f, s:f, s:f, s:f}}", "program", "tamis blastp", "version",
                             TMS_VERSION, "device", device_of(s->device), "search", search_of(s->info, s->params), "input",
                             input_of(counts), "passed", stages_of(counts), "pairs_left_by_gpu", count(counts->n_left), "seconds",
                             "elapsed", s->elapsed_s, "tables_of_words", counts->seconds_setup, "hits_and_ungapped", counts->seconds_scan,
                             "gapped", counts->seconds_gapped, "alignment", counts->seconds_align);
    int failed = root == NULL || (s->estimate->is_made && add_estimate(root, s->estimate) != 0);
    char *text = !failed ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    io_status status = text != NULL ? io_safe_file_write(file, text, strlen(text), err) : io_fail_memory(err, "--stats");

    if (status == IO_OK)
        status = io_safe_file_write(file, "\n", 1, err);
    free(text);
    json_decref(root);
    return status;
}
