/* search_found.c - see search_found.h. */
#include "search/search_found.h"

#include <limits.h>
#include <stdlib.h>

#include "base/array.h"
#include "run/context.h"
#include "search/search_link.h"
#include "search/search_rate.h"

/* --- lists of a caller --- */

tms_status tms_search_found_create(tms_context *ctx, uint64_t n_lists, tms_search_found **out)
{
    tms_search_found *found = calloc(1, sizeof *found);

    *out = NULL;
    if (found != NULL) {
        found->n_lists = n_lists;
        found->lists = calloc((size_t)n_lists + 1, sizeof *found->lists);
        found->batches = calloc((size_t)n_lists + 1, sizeof *found->batches);
    }
    if (found == NULL || found->lists == NULL || found->batches == NULL) {
        tms_search_found_destroy(found);
        return context_fail_memory(ctx, "lists of preliminary HSPs", (size_t)n_lists * sizeof(struct hit_list));
    }
    for (uint64_t i = 0; i < n_lists; i++)
        found->lists[i].max_hits = HIT_LIST_ALL;
    *out = found;
    return TMS_OK;
}

void tms_search_found_destroy(tms_search_found *found)
{
    if (found == NULL)
        return;
    for (uint64_t i = 0; i < found->n_lists && found->lists != NULL; i++)
        hit_list_free(&found->lists[i]);
    free(found->lists);
    free(found->batches);
    free(found->subjects);
    free(found->hsps);
    free(found);
}

uint64_t tms_search_found_n_lists(const tms_search_found *found) { return found->n_lists; }

static tms_found_hsp public_hsp(const struct hsp *h)
{
    return (tms_found_hsp){.query = h->query,
                           .query_end = h->query_end,
                           .subject = h->subject,
                           .subject_end = h->subject_end,
                           .start_query = h->start_query,
                           .start_subject = h->start_subject,
                           .context = h->context + FRAMES * h->subject_frame,
                           .score = h->score,
                           .n_linked = (uint64_t)h->n_linked,
                           .evalue = h->n_linked > 0 ? h->evalue : 0};
}

tms_status tms_search_found_get(tms_context *ctx, tms_search_found *found, uint64_t i, tms_found_list *out)
{
    struct hit_list *list = &found->lists[i];
    size_t n_hsps = 0;

    hit_list_sort_oids(list);
    for (size_t k = 0; k < list->n; k++)
        n_hsps += list->items[k].hsps.n;
    if (!array_reserve(&found->subjects, &found->subjects_capacity, list->n, sizeof *found->subjects) ||
        !array_reserve(&found->hsps, &found->hsps_capacity, n_hsps, sizeof *found->hsps))
        return context_fail_memory(ctx, "a list of preliminary HSPs", n_hsps * sizeof *found->hsps);
    n_hsps = 0;
    for (size_t k = 0; k < list->n; k++) {
        const struct hsp_list *hsps = &list->items[k].hsps;
        found->subjects[k] = (tms_found_subject){list->items[k].oid, hsps->n};
        for (size_t h = 0; h < hsps->n; h++)
            found->hsps[n_hsps++] = public_hsp(&hsps->items[h]);
    }
    *out = (tms_found_list){.batch = found->batches[i],
                            .is_cut = list->is_cut,
                            .subjects = found->subjects,
                            .n_subjects = list->n,
                            .hsps = found->hsps,
                            .n_hsps = n_hsps};
    return TMS_OK;
}

/* An HSP of a context that no query has gets one that search_found_prepare() refuses. */
static struct hsp private_hsp(const tms_found_hsp *h)
{
    const bool is_frame = h->context >= 0 && h->context < FRAMES * FRAMES;

    return (struct hsp){.query = h->query,
                        .query_end = h->query_end,
                        .subject = h->subject,
                        .subject_end = h->subject_end,
                        .score = h->score,
                        .start_query = h->start_query,
                        .start_subject = h->start_subject,
                        .n_linked = h->n_linked <= INT_MAX ? (int)h->n_linked : 0,
                        .evalue = h->evalue,
                        .context = is_frame ? (uint8_t)(h->context % FRAMES) : FRAMES,
                        .subject_frame = is_frame ? (uint8_t)(h->context / FRAMES) : FRAMES};
}

/* Adds a subject with n HSPs. */
static tms_status add_subject(struct hit_list *list, uint64_t oid, const tms_found_hsp *hsps, size_t n)
{
    struct subject_hits hits = {.oid = oid};

    hits.hsps.items = calloc(n, sizeof *hits.hsps.items);
    if (hits.hsps.items == NULL)
        return TMS_E_MEMORY;
    hits.hsps.n = hits.hsps.capacity = n;
    for (size_t i = 0; i < n; i++)
        hits.hsps.items[i] = private_hsp(&hsps[i]);
    return hit_list_add(list, &hits);
}

tms_status tms_search_found_add(tms_context *ctx, tms_search_found *found, uint64_t i, const tms_found_list *list)
{
    uint64_t n_hsps = 0;
    tms_status status = TMS_OK;

    for (uint64_t k = 0; k < list->n_subjects; k++) {
        const uint64_t n = list->subjects[k].n_hsps;
        if (n == 0 || n > list->n_hsps - n_hsps)
            return context_fail(ctx, TMS_E_ARG, "a list of preliminary HSPs: the numbers of its subjects do not add up to %llu HSPs",
                                (unsigned long long)list->n_hsps);
        n_hsps += n;
    }
    if (n_hsps != list->n_hsps)
        return context_fail(ctx, TMS_E_ARG, "a list of preliminary HSPs: %llu HSPs, but its subjects have %llu",
                            (unsigned long long)list->n_hsps, (unsigned long long)n_hsps);
    n_hsps = 0;
    for (uint64_t k = 0; k < list->n_subjects && status == TMS_OK; k++) {
        status = add_subject(&found->lists[i], list->subjects[k].sequence, list->hsps + n_hsps, (size_t)list->subjects[k].n_hsps);
        n_hsps += list->subjects[k].n_hsps;
    }
    found->lists[i].is_cut |= list->is_cut != 0;
    return status == TMS_OK ? TMS_OK : context_fail_memory(ctx, "preliminary HSPs", (size_t)list->n_hsps * sizeof(struct hsp));
}

/* --- the scan --- */

static void set_batches(const struct search_queries *queries, tms_search_found *found)
{
    size_t batch = 0;

    for (size_t i = 0; i < queries->n_chunks; i++) {
        while (queries->chunks[i].query >= queries->batch_starts[batch + 1])
            batch++;
        found->batches[i] = batch;
    }
}

tms_status search_found_scan(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                             const struct search_queries *queries, struct search_counts *counts, tms_search_found **out)
{
    tms_search_found *found;
    tms_status status = tms_search_found_create(ctx, queries->n_chunks, &found);

    *out = NULL;
    if (status != TMS_OK)
        return status;
    set_batches(queries, found);
    status = search_scan(ctx, setup, subjects, queries, found->lists, counts);
    for (size_t i = 0; i < queries->n_chunks && status == TMS_OK; i++)
        hit_list_sort(&found->lists[i]);
    if (status == TMS_OK)
        *out = found;
    else
        tms_search_found_destroy(found);
    return status;
}

/* --- what a caller passes on --- */

struct checking {
    const struct search_setup *setup;
    const tms_seqdb *db;
    uint64_t n_sequences;
};

static bool is_within(int first, int end, int start, int length)
{
    return first >= 0 && first < end && end <= length && start >= 0 && start < length;
}

/* A subject with the lengths of its frames alone. If it is not translated, that of the first alone is not 0. */
static struct subject_frames lengths_of(const struct checking *c, uint64_t oid)
{
    const int n = (int)tms_seqdb_length(c->db, oid);

    return c->setup->translates_subjects ? subject_frames_lengths(n) : subject_frames_protein(NULL, n);
}

static bool is_context_of(const struct search_query *query, int context)
{
    if (query->frames != NULL)
        return context >= 0 && context < FRAMES && query->frames[context].is_valid;
    return context == 0 || (context == 1 && query->minus != NULL);
}

/* Whether all HSPs of a subject lie in both sequences. */
static bool is_pair(const struct checking *c, const struct search_query *query, const struct subject_hits *hits)
{
    struct subject_frames subject;

    if (hits->oid >= c->n_sequences)
        return false;
    subject = lengths_of(c, hits->oid);
    for (size_t i = 0; i < hits->hsps.n; i++) {
        const struct hsp *h = &hits->hsps.items[i];
        if (!is_context_of(query, h->context) || h->subject_frame >= FRAMES ||
            !is_within(h->query, h->query_end, h->start_query, search_query_strand(query, h->context)->length) ||
            !is_within(h->subject, h->subject_end, h->start_subject, subject.lengths[h->subject_frame]))
            return false;
    }
    return true;
}

/* Whether HSPs have E-values of chains. If alignments have no gaps these are the final ones, and were those of more HSPs than are left. */
static bool has_chains(const struct search_setup *setup, const struct hsp_list *hsps)
{
    bool has_all = setup->ungapped && (setup->links || setup->links_evenly);

    for (size_t i = 0; i < hsps->n; i++)
        has_all &= hsps->items[i].n_linked > 0 && hsps->items[i].evalue >= 0;
    return has_all;
}

static tms_status rate_hits(const struct checking *c, const struct search_query *query, struct hsp_list *hsps, int subject_length,
                            int bases)
{
    tms_status status;

    if (has_chains(c->setup, hsps))
        return TMS_OK;
    status = search_rate(c->setup, query, NULL, subject_length, hsps);
    if (status == TMS_OK && c->setup->links_evenly && query->minus != NULL)
        status = search_link_strands(query, bases, false, hsps);
    return status;
}

/* Sets the E-values of a list's HSPs. Returns TMS_E_FORMAT if the list cannot be of these sequences, or has one twice. */
static tms_status rate_list(const struct checking *c, const struct search_query *query, struct hit_list *list)
{
    tms_status status = list->n > 0 && !query->is_valid ? TMS_E_FORMAT : TMS_OK;

    hit_list_sort_oids(list);
    for (size_t i = 0; i < list->n && status == TMS_OK; i++) {
        struct subject_hits *hits = &list->items[i];
        struct subject_frames subject;
        if ((i > 0 && hits->oid == list->items[i - 1].oid) || !is_pair(c, query, hits))
            return TMS_E_FORMAT;
        subject = lengths_of(c, hits->oid);
        status = rate_hits(c, query, &hits->hsps, search_rated_length(c->setup, &subject), subject.lengths[0]);
        subject_hits_rate(hits);
    }
    return status;
}

tms_status search_found_prepare(tms_context *ctx, const struct search_setup *setup, const struct search_subjects *subjects,
                                const struct search_queries *queries, tms_search_found *found)
{
    struct checking c = {setup, subjects->db, 0};
    tms_seqdb_info info;

    tms_seqdb_get_info(subjects->db, &info);
    c.n_sequences = info.n_sequences;
    if (found->n_lists != queries->n_chunks)
        return context_fail(ctx, TMS_E_FORMAT, "%llu lists of preliminary HSPs for %llu queries and chunks of queries",
                            (unsigned long long)found->n_lists, (unsigned long long)queries->n_chunks);
    for (size_t i = 0; i < queries->n_chunks; i++) {
        const tms_status status = rate_list(&c, &queries->searched[i], &found->lists[i]);
        if (status == TMS_E_FORMAT)
            return context_fail(ctx, TMS_E_FORMAT,
                                "preliminary HSPs of query %llu of the call cannot be those of this query and this database",
                                (unsigned long long)queries->chunks[i].query + 1);
        if (status != TMS_OK)
            return context_fail_memory(ctx, "preliminary HSPs", found->lists[i].n * sizeof(struct subject_hits));
    }
    return TMS_OK;
}
