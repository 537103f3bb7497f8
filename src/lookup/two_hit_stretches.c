/* two_hit_stretches.c - see two_hit_stretches.h. */
#include "lookup/two_hit_stretches.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lookup/two_hit_tables.h"

bool two_hit_stretches_take(int word_size) { return !long_words_are(word_size); }

/* --- tables --- */

/* A table: of n queries from `query` on, or of residues first .. end - 1 of one, of which those before `core` are an earlier table's. */
struct plan {
    size_t query, n;
    int first, core, end; /* end 0: of whole queries */
    uint8_t *has_word;    /* of the whole query */
    struct two_hit_gpu_tables *table;
    tms_status status;
};

struct plans {
    const struct two_hit_queries *queries;
    const struct two_hit_gpu_words *words;
    struct plan *items;
    size_t n, capacity;
};

static bool add_plan(struct plans *plans, const struct plan *plan)
{
    if (!array_reserve(&plans->items, &plans->capacity, plans->n + 1, sizeof *plans->items))
        return false;
    plans->items[plans->n++] = *plan;
    return true;
}

/* Adds a table for each stretch of a query. */
static bool plan_long_query(struct plans *plans, size_t query, int most)
{
    const int overlap = plans->queries->window + 2 * plans->words->rules->word_size, length = plans->queries->items[query].length;
    const int64_t n = (length + most - 1) / most;
    uint8_t *has_word = calloc((size_t)length + 1, 1);
    bool has_memory = has_word != NULL;

    for (int64_t i = 0; i < n && has_memory; i++) {
        const int core = (int)(length * i / n), end = (int)(length * (i + 1) / n);
        has_memory = add_plan(plans, &(struct plan){query, 1, core > overlap ? core - overlap : 0, core, end, has_word, NULL, TMS_OK});
        if (!has_memory && i == 0)
            free(has_word);
    }
    return has_memory;
}

static bool plan_all(struct plans *plans, int most)
{
    const struct two_hit_query *items = plans->queries->items;
    const size_t n = plans->queries->n;
    bool has_memory = true;

    for (size_t first = 0, end; first < n && has_memory; first = end) {
        int64_t together = items[first].length;
        for (end = first + 1; end < n && together + items[end].length + 1 <= most; end++)
            together += items[end].length + 1;
        has_memory = together > most ? plan_long_query(plans, first, most)
                                     : add_plan(plans, &(struct plan){first, end - first, 0, 0, 0, NULL, NULL, TMS_OK});
    }
    return has_memory;
}

/* Makes a table. items, words [in] with positions of this table */
static tms_status make_table(const struct plans *plans, const struct two_hit_query *items, const struct word_lookup_query *words,
                             int n_positions, struct plan *plan)
{
    struct word_lookup lookup = {0};
    struct two_hit_queries queries = *plans->queries;
    struct two_hit_gpu_words given = *plans->words;
    tms_status status = word_lookup_build(given.rules, words, plan->n, n_positions, NULL, 0, &lookup);

    queries.words = &lookup;
    queries.items = items;
    queries.n = plan->n;
    given.queries = words;
    if (status == TMS_OK)
        status = two_hit_gpu_tables_create(&queries, &given, n_positions, &plan->table);
    if (status == TMS_OK && plan->table != NULL) {
        plan->table->first_query = (uint32_t)plan->query;
        plan->table->n_words = lookup.n_positions;
        plan->table->expected_hits = lookup.expected_hits;
    }
    word_lookup_free(&lookup);
    return status;
}

static tms_status make_whole(const struct plans *plans, struct plan *plan)
{
    struct two_hit_query *items = calloc(plan->n, sizeof *items);
    struct word_lookup_query *words = calloc(plan->n, sizeof *words);
    tms_status status = items != NULL && words != NULL ? TMS_OK : TMS_E_MEMORY;
    int n_positions = 0;

    for (size_t i = 0; i < plan->n && status == TMS_OK; i++) {
        items[i] = plans->queries->items[plan->query + i];
        words[i] = plans->words->queries[plan->query + i];
        items[i].first_position = words[i].first_position = n_positions;
        n_positions += items[i].length + 1;
    }
    if (status == TMS_OK)
        status = make_table(plans, items, words, n_positions, plan);
    free(items);
    free(words);
    return status;
}

/* Counts the words at positions from `core` on; those before are also in an earlier table. */
static uint64_t words_from(const struct two_hit_gpu_tables *t, int core)
{
    const uint16_t *positions = (const uint16_t *)(const void *)(t->memory + t->layout.positions);
    uint64_t n = 0;

    for (uint64_t i = 0; i < t->n_words; i++)
        n += positions[i] >= core;
    return n;
}

static tms_status make_stretch(const struct plans *plans, struct plan *plan)
{
    const struct two_hit_query *whole = &plans->queries->items[plan->query];
    const struct word_lookup_query *of = &plans->words->queries[plan->query];
    const int beyond = plan->end + plans->words->rules->word_size - 1, core = plan->core - plan->first;
    const struct two_hit_query item = {whole->codes + plan->first, plan->end - plan->first, whole->x_drop, whole->cutoff, 0};
    struct residue_range *ranges = malloc((of->n_ranges + 1) * sizeof *ranges);
    struct word_lookup_query words = {item.codes, ranges, 0, 0};
    struct two_hit_gpu_tables *t;
    tms_status status;

    if (ranges == NULL)
        return TMS_E_MEMORY;
    words.n_ranges = word_lookup_cut_ranges(of, plan->first, beyond < whole->length ? beyond : whole->length, ranges);
    status = make_table(plans, &item, &words, item.length + 1, plan);
    free(ranges);
    t = plan->table;
    if (status != TMS_OK || t == NULL)
        return status;
    t->stretch = (struct two_hit_stretch){whole->codes, plan->has_word, whole->length, plan->first, plan->core};
    memcpy(plan->has_word + plan->core, t->memory + t->layout.has_word + core, (size_t)(plan->end - plan->core));
    t->n_words = words_from(t, core);
    return TMS_OK;
}

static void make(void *arg, size_t i)
{
    struct plans *plans = arg;
    struct plan *plan = &plans->items[i];

    plan->status = plan->end > 0 ? make_stretch(plans, plan) : make_whole(plans, plan);
}

/* Makes the tables one list. Returns TMS_OK, or the failure of one. */
static tms_status join(struct plans *plans, struct two_hit_gpu_tables **out)
{
    struct two_hit_gpu_tables **end = out;
    tms_status status = TMS_OK;
    bool is_supported = true;

    for (size_t i = 0; i < plans->n; i++) {
        struct plan *plan = &plans->items[i];
        const bool is_first = i == 0 || plan[-1].has_word != plan->has_word;
        status = status == TMS_OK ? plan->status : status;
        is_supported = is_supported && plan->table != NULL;
        if (plan->table != NULL) {
            plan->table->owned = is_first ? plan->has_word : NULL;
            *end = plan->table;
            end = &plan->table->next;
        } else if (is_first) {
            free(plan->has_word);
        }
    }
    if (status != TMS_OK || !is_supported) {
        two_hit_gpu_tables_destroy(*out);
        *out = NULL;
    }
    return status;
}

tms_status two_hit_stretches_create(const struct two_hit_queries *queries, const struct two_hit_gpu_words *words, int most,
                                    struct shared_tasks *tasks, int thread, struct two_hit_gpu_tables **out)
{
    struct plans plans = {.queries = queries, .words = words};
    tms_status status = plan_all(&plans, most) ? TMS_OK : TMS_E_MEMORY, joined;

    *out = NULL;
    if (status == TMS_OK)
        shared_tasks_loop(tasks, plans.n, make, &plans, thread);
    joined = join(&plans, out);
    free(plans.items);
    return status == TMS_OK ? joined : status;
}

/* --- scans --- */

/* Appends the HSPs of one of the tables. */
static tms_status append(tms_context *ctx, const struct two_hit_gpu_tables *tables, const struct two_hit_gpu_found *one,
                         struct two_hit_gpu_found *out)
{
    if (!array_reserve(&out->hsps, &out->capacity, out->n + one->n + 1, sizeof *out->hsps) ||
        !array_reserve(&out->ends, &out->ends_capacity, out->n_ends + 1, sizeof *out->ends))
        return context_fail_memory(ctx, "HSPs", (out->n + one->n + 1) * sizeof *out->hsps);
    for (size_t i = 0; i < one->n; i++) {
        out->hsps[out->n] = one->hsps[i];
        out->hsps[out->n++].hsp.query += tables->first_query;
    }
    out->ends[out->n_ends++] = out->n;
    out->n_hits += one->n_hits;
    out->n_candidates += one->n_candidates;
    out->n_diagonals += one->n_diagonals;
    out->n_words += tables->n_words;
    out->expected_hits += tables->expected_hits;
    return TMS_OK;
}

/* Drops HSPs with subjects from `end` on, which a later scan found no space for. */
static void drop_from(uint32_t end, struct two_hit_gpu_found *out)
{
    size_t n = 0, i = 0;

    for (size_t k = 0; k < out->n_ends; k++) {
        for (; i < out->ends[k]; i++)
            if (out->hsps[i].subject < end)
                out->hsps[n++] = out->hsps[i];
        out->ends[k] = n;
    }
    out->n = n;
}

tms_status two_hit_stretches_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                                  struct two_hit_gpu_part *part, struct two_hit_gpu_found *out)
{
    const uint32_t wanted = part->end;
    struct two_hit_gpu_found one = {0};
    tms_status status = TMS_OK;

    out->n = out->n_ends = 0;
    out->n_hits = out->n_candidates = out->n_diagonals = out->n_words = 0;
    out->expected_hits = 0;
    for (; tables != NULL && status == TMS_OK; tables = tables->next) {
        status = two_hit_gpu_scan(ctx, subjects, tables, part, &one);
        if (status == TMS_OK)
            status = two_hit_gpu_fetch(ctx, &one, 0, one.n);
        if (status == TMS_OK)
            status = append(ctx, tables, &one, out);
    }
    two_hit_gpu_found_free(&one);
    if (part->end < wanted)
        drop_from(part->sets != NULL ? part->sets[part->end] : part->end, out);
    return status;
}
