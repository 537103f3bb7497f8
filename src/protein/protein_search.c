/* protein_search.c - see protein_search.h. */
#include "protein/protein_search.h"

#include <stdlib.h>
#include <string.h>

#include "run/context.h"
#include "seqdb/selection_length.h"

enum { USUAL_CUTOFF_LENGTH = 10 };

/* --- creation --- */

tms_status protein_search_begin(tms_context *ctx, const tms_seqdb *db, const tms_blastp_params *p, struct protein_setup *setup,
                                struct protein_search *out)
{
    out->ctx = ctx;
    out->setup = setup;
    out->batch_residues = p->batch_residues;
    out->take_result = p->take_result;
    out->take_arg = p->take_arg;
    out->subjects.db = db;
    out->subjects.part = p->n_shards > 0 ? (struct search_part){p->shard, p->n_shards} : (struct search_part){0, 1};
    out->subjects.masks = p->subject_masks;
    out->subjects.keeps_last = p->as_subject_file != 0;
    out->subjects.hides_masked = p->subject_masking == TMS_SUBJECT_MASKING_HARD;
    if (p->shard >= p->n_shards && p->n_shards + p->shard > 0)
        return context_fail(ctx, TMS_E_ARG, "part %llu of %llu of the database: they are counted from 0", (unsigned long long)p->shard,
                            (unsigned long long)p->n_shards);
    return TMS_OK;
}

/* Reads the length of the shortest subject of a file or of a part of a database; for a file, also whether a subject has an O. */
static void look_at_subjects(struct protein_search *search, const tms_seqdb_info *info, struct search_database *database)
{
    const bool is_selection = info->is_selection != 0;
    uint64_t shortest = UINT64_MAX;

    for (uint64_t i = 0; i < info->n_sequences; i++) {
        const uint64_t length = tms_seqdb_length(search->subjects.db, i),
                       counted = is_selection ? selection_length(search->subjects.db, i) : length;
        uint64_t n;
        shortest = counted < shortest ? counted : shortest;
        if (info->molecule == TMS_PROTEIN && !is_selection && !search->subjects.replaces_o)
            search->subjects.replaces_o = memchr(tms_seqdb_protein(search->subjects.db, i, &n), CODE_O, length) != NULL;
    }
    if (shortest != UINT64_MAX && (is_selection || shortest > USUAL_CUTOFF_LENGTH))
        database->cutoff_length = (int)shortest;
}

tms_status protein_search_database(struct protein_search *search, const tms_blastp_params *params, const char *program,
                                   tms_molecule molecule, struct search_database *out)
{
    const int letters_a_residue = molecule == TMS_NUCLEOTIDE ? 3 : 1;
    tms_seqdb_info info;

    tms_seqdb_get_info(search->subjects.db, &info);
    if (info.molecule != molecule)
        return context_fail(search->ctx, TMS_E_ARG, "the database is of %s: %s searches in one of %s",
                            info.molecule == TMS_PROTEIN ? "proteins" : "nucleotides", program,
                            molecule == TMS_PROTEIN ? "proteins" : "nucleotides");
    out->n_letters = params->database_residues > 0 ? params->database_residues : (int64_t)info.stats_n_residues;
    out->mean_length = info.stats_n_sequences > 0 ? (int64_t)(info.stats_n_residues / info.stats_n_sequences) : 0;
    out->n_residues = out->n_letters / letters_a_residue;
    out->n_own_residues = (int64_t)info.stats_n_residues / letters_a_residue;
    out->n_sequences = (int64_t)info.stats_n_sequences;
    out->cutoff_length = USUAL_CUTOFF_LENGTH;
    if (params->as_subject_file || info.is_selection)
        look_at_subjects(search, &info, out);
    out->cutoff_length /= letters_a_residue;
    return TMS_OK;
}

tms_blastp_info protein_search_info(const struct protein_search *search)
{
    const struct search_setup *s = &search->setup->search;
    const struct gapped_statistics *g = &s->statistics;
    const struct gap_costs *ungapped = &search->setup->matrix->costs[0];

    return (tms_blastp_info){.matrix = search->setup->matrix->name,
                             .gap_open = s->gap_open,
                             .gap_extend = s->gap_extend,
                             .word_size = (uint32_t)s->word_size,
                             .window = (uint32_t)s->window,
                             .threshold = search->setup->threshold,
                             .lambda = g->lambda,
                             .K = g->K,
                             .H = g->H,
                             .a = g->alpha,
                             .alpha = g->alpha_v,
                             .sigma = g->sigma,
                             .ungapped_a = ungapped->alpha,
                             .ungapped_alpha = ungapped->alpha_v,
                             .n_residues = s->database.n_letters,
                             .n_sequences = s->database.n_sequences};
}

int protein_search_score(const struct protein_search *search, uint8_t query, uint8_t subject)
{
    return query < RESIDUE_CODES && subject < RESIDUE_CODES ? search->setup->search.scores[RESIDUE_CODES * query + subject] : SCORE_NONE;
}

tms_search_stats protein_search_stats(const struct protein_search *search)
{
    tms_search_stats stats = search_stats_of(&search->counts);

    stats.n_queries = search->n_queries;
    stats.query_residues = search->query_residues;
    stats.n_hsps = search->n_hsps;
    stats.expected_hsps = search->setup->search.evalue * (double)search->n_queries;
    return stats;
}

/* --- the search --- */

/* Sets the message of a failure of alignments by Smith-Waterman: the only TMS_E_ARG that comes without one. */
static tms_status fail_smith_waterman(struct protein_search *search)
{
    if (search->setup->matrix->ratios == NULL)
        return context_fail(search->ctx, TMS_E_ARG, "alignments by Smith-Waterman need a matrix with frequencies: %s has none",
                            search->setup->matrix->name);
    return context_fail(
        search->ctx, TMS_E_ARG,
        "by Smith-Waterman there is no end of alignments, as even a score of 0 is significant: the E-value has to be lower, or "
        "the search space larger");
}

/*
 * Whether Smith-Waterman fails because the matrix has no frequencies: as in BLAST+ also if no alignment would be made, but not without a
 * valid query.
 */
static bool lacks_ratios(const struct protein_setup *setup, const struct search_queries *queries)
{
    bool has_valid = false;

    for (size_t i = 0; i < queries->n_chunks; i++)
        has_valid |= queries->searched[i].is_valid;
    return has_valid && setup->smith_waterman && setup->matrix->ratios == NULL;
}

/* Counts the queries of a call that has succeeded. */
static void count_queries(struct protein_search *search, const struct search_queries *queries)
{
    search->n_queries += queries->n;
    search->query_residues += queries->n_residues;
}

tms_status protein_search_scan(struct protein_search *search, const tms_seqs *queries, tms_search_found **out)
{
    const struct search_setup *setup = &search->setup->search;
    const struct search_counts before = search->counts;
    struct search_queries prepared;
    tms_status status;

    search->gpus.has_failed = false;
    status = search_queries_init(search->ctx, setup, queries, search->batch_residues, &prepared);

    *out = NULL;
    if (status == TMS_OK && lacks_ratios(search->setup, &prepared))
        status = fail_smith_waterman(search);
    if (status == TMS_OK)
        status = search_found_scan(search->ctx, setup, &search->subjects, &prepared, &search->counts, out);
    if (status == TMS_OK)
        count_queries(search, &prepared);
    else
        search->counts = before; /* so that the caller can repeat the call */
    search_queries_free(&prepared);
    return status;
}

/* found [in,out] what scans have found; NULL: searches the whole database. Results that the caller may have taken outlive a failure. */
static tms_status search_or_align(struct protein_search *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    const struct search_setup *setup = &search->setup->search;
    const struct search_counts before = search->counts;
    tms_search_results *r = calloc(1, sizeof *r);
    tms_status status;

    *out = NULL;
    if (r == NULL)
        return context_fail_memory(search->ctx, "results", sizeof *r);
    r->take = search->take_result;
    r->take_arg = search->take_arg;
    search->gpus.has_failed = false;
    status = search_queries_init(search->ctx, setup, queries, search->batch_residues, &r->queries);
    if (status == TMS_OK) {
        if (lacks_ratios(search->setup, &r->queries))
            status = TMS_E_ARG;
        else if (found != NULL)
            status = search_results_align(search->ctx, setup, &search->subjects, found, r, &search->counts);
        else
            status = search_results_run(search->ctx, setup, &search->subjects, r, &search->counts);
        if (status == TMS_E_ARG && !search->gpus.has_failed)
            status = fail_smith_waterman(search);
    }
    if (status != TMS_OK) {
        search->counts = before; /* so that the caller can repeat the call */
        if (r->take != NULL)
            *out = r;
        else
            tms_search_results_destroy(r);
        return status;
    }
    count_queries(search, &r->queries);
    search->n_hsps += r->n_hsps;
    *out = r;
    return TMS_OK;
}

tms_status protein_search_run(struct protein_search *search, const tms_seqs *queries, tms_search_results **out)
{
    *out = NULL;
    if (search->subjects.part.n_parts > 1)
        return context_fail(search->ctx, TMS_E_ARG,
                            "a search with a part of the database has no results of its own: scan, then align what all parts have found");
    return search_or_align(search, queries, NULL, out);
}

tms_status protein_search_align(struct protein_search *search, const tms_seqs *queries, tms_search_found *found, tms_search_results **out)
{
    return search_or_align(search, queries, found, out);
}
