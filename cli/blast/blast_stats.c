/*
 * blast_stats.c - one JSON object: parameters, counts, seconds.
 *
 * Nucleotides have stages, too: those of Mercury BLASTN [Ma11, Fig. 1], each with its seconds, and the share of all of them.
 */
#include "cli/blast/blast_stats.h"

#include <stdlib.h>
#include <string.h>

#include "tamis/version.h"

static const char begin[] = "{\n  \"program\": \"tamis blast";

int blast_stats_is(const uint8_t *bytes, size_t n)
{
    size_t n_begin = sizeof begin - 1 < n ? sizeof begin - 1 : n;

    return n > 0 && memcmp(bytes, begin, n_begin) == 0;
}

static json_t *count(uint64_t n) { return json_integer((json_int_t)n); }

static json_t *device_of(int device) { return device == TMS_DEVICE_CPU ? json_string("cpu") : json_sprintf("cuda:%d", device); }

static json_t *input_of(const tms_search_stats *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "queries", count(s->n_queries), "query_letters", count(s->query_residues),
                     "words_in_tables", count(s->n_words), "subjects_walked", count(s->n_subjects), "letters_walked",
                     count(s->subject_residues));
}

/* ---- what passed -------------------------------------------------------------------------------------------------------------- */

/* Adds the number that passed a stage, and the number expected for random subjects; expected < 0: unknown. */
static int add_passed(json_t *passed, const char *name, uint64_t n, double expected)
{
    json_t *stage = expected >= 0 ? json_pack("{s:o, s:f}", "n", count(n), "expected_by_chance", expected)
                                  : json_pack("{s:o}", "n", count(n));

    return json_object_set_new(passed, name, stage);
}

static json_t *passed_of(bool of_bases, const tms_search_stats *s)
{
    const bool has_expected = !of_bases;
    json_t *passed = json_object();
    int failed = 0;

    if (of_bases) {
        failed |= add_passed(passed, "words_looked_up", s->n_looked_up, -1);
        failed |= add_passed(passed, "words_present", s->n_present, -1);
    }
    failed |= add_passed(passed, "hits", s->n_hits, has_expected ? s->expected_hits : -1);
    failed |= add_passed(passed, "ungapped_extensions", s->n_extensions, has_expected ? s->expected_extensions : -1);
    failed |= add_passed(passed, "ungapped_hsps", s->n_ungapped, has_expected ? s->expected_ungapped : -1);
    failed |= add_passed(passed, "gapped_extensions", s->n_gapped, -1);
    failed |= add_passed(passed, "preliminary_hsps", s->n_preliminary, -1);
    failed |= add_passed(passed, "alignments", s->n_realigned, -1);
    failed |= add_passed(passed, "hsps", s->n_hsps, s->expected_hsps);
    if (!failed)
        return passed;
    json_decref(passed);
    return NULL;
}

/* ---- where the time goes ------------------------------------------------------------------------------------------------------ */

static json_t *stages_of(const blast_job *job, const tms_search_stats *s)
{
    const struct {
        const char *name;
        double seconds;
    } stages[] /* without GPUs all but the first */ = {
        {"1_on_gpu", s->seconds_sieve},
        {"tables_of_words", s->seconds_setup},
        {"1a_filter", s->seconds_scan - s->seconds_sieve - s->seconds_hits - s->seconds_ungapped},
        {"1b_look_up", s->seconds_hits},
        {"2_ungapped_extension", s->seconds_ungapped},
        {"3_gapped_extension", s->seconds_gapped},
        {"alignment", s->seconds_align},
        {"output", job->run.output_seconds}};
    const size_t n = sizeof stages / sizeof *stages;
    json_t *object = json_object();
    double sum = 0;
    int failed = 0;

    for (size_t i = 0; i < n; i++)
        sum += stages[i].seconds;
    for (size_t i = s->seconds_sieve > 0 ? 0 : 1; i < n; i++)
        failed |= json_object_set_new(
            object, stages[i].name,
            json_pack("{s:f, s:f}", "seconds", stages[i].seconds, "share", sum > 0 ? stages[i].seconds / sum : 0.0));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static int add_estimate(json_t *root, const blast_estimate *e)
{
    json_t *profile = e->profile[0] != '\0' ? json_string(e->profile) : NULL; /* NULL also if the path is not UTF-8 */

    return json_object_set_new(root, "estimated_seconds",
                               json_pack("{s:f, s:f, s:s, s:o}", "cpu", e->cpu, "gpu", e->gpu, "choice", e->takes_gpu ? "gpu" : "cpu",
                                         "profile", profile != NULL ? profile : json_null()));
}

/* Adds a genetic code, if there is one. */
static int add_code(json_t *object, const char *name, uint32_t code)
{
    return code != 0 ? json_object_set_new(object, name, json_integer((json_int_t)code)) : 0;
}

json_t *blast_stats_of_proteins(const tms_blastp_params *params, const tms_blastp_info *info, uint32_t query_code, uint32_t db_code)
{
    json_t *codes = json_object();
    json_t *search = json_pack("{s:s, s:i, s:i, s:i, s:i, s:f, s:i, s:f, s:i, s:I, s:I}", "matrix", info->matrix, "gap_open",
                               (int)info->gap_open, "gap_extend", (int)info->gap_extend, "word_size", (int)info->word_size, "window",
                               (int)info->window, "threshold", info->threshold, "composition", (int)params->composition, "evalue",
                               params->evalue, "max_target_seqs", (int)params->max_target_seqs, "database_sequences",
                               (json_int_t)info->n_sequences, "database_letters", (json_int_t)info->n_residues);

    if (add_code(codes, "query_gencode", query_code) != 0 || add_code(codes, "db_gencode", db_code) != 0 ||
        json_object_update(codes, search) != 0) { /* the codes are the first members */
        json_decref(codes);
        codes = NULL;
    }
    json_decref(search);
    return codes;
}

/* ---- the file ----------------------------------------------------------------------------------------------------------------- */

io_status blast_stats_write(const blast_job *job, const tms_search_stats *s, json_t *search, bool of_bases, io_error *err)
{
    const blast_run *run = &job->run;
    json_t *root = json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:{s:f, s:f, s:f, s:f, s:f}}", "program",
                             json_sprintf("tamis %s", job->common.command), "version", TMS_VERSION, "device",
                             device_of(tms_context_device(run->ctx)), "search", search, "input", input_of(s), "passed",
                             passed_of(of_bases, s), "pairs_left_by_gpu", count(s->n_left), "seconds", "elapsed",
                             io_progress_elapsed(&run->progress), "tables_of_words", s->seconds_setup, "hits_and_ungapped", s->seconds_scan,
                             "gapped", s->seconds_gapped, "alignment", s->seconds_align);
    int failed = root == NULL || (of_bases && json_object_set_new(root, "stages", stages_of(job, s)) != 0) ||
                 (run->estimate.is_made && add_estimate(root, &run->estimate) != 0);
    char *text = !failed ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    io_status status = text != NULL ? io_safe_file_write(run->stats_file, text, strlen(text), err) : io_fail_memory(err, "--stats");

    if (status == IO_OK)
        status = io_safe_file_write(run->stats_file, "\n", 1, err);
    free(text);
    json_decref(root);
    return status;
}
