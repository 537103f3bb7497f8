/*
 * test_gpu_tasks.c - what the CPU does for final alignments on a GPU: tasks that are prepared, aligned in batches and completed give the
 * HSPs that a search without a GPU gives. The linker puts functions of this file, which compute on the CPU, in the place of those that run
 * kernels (--wrap). They leave pairs and alignments out at random, as a GPU does that lacks memory.
 */
#include <stdlib.h>
#include <string.h>

#include "blastp/blastp_setup.h"
#include "protein/composition_batch.h"
#include "search/align_hsp.h"
#include "search/gpu_blocks.h"
#include "search/search.h"
#include "search/search_program.h"
#include "seq/seq_batch.h"
#include "unit/context_fixture.h"

enum { FAMILIES = 4, SUBJECTS = 150, LENGTH = 240, DOMAINS = 3, CASES = 12, QUICK_CASES = 4 };

static sample_random r;
static struct seq_batch subject_batch, query_batch;
static tms_seqs queries;
static tms_seqdb *db;

/* --- kernels, on the CPU --- */

static const struct composition_task *current; /* the only one of the batch */
static struct adjusted_matrix matrices[COMPOSITION_SOLUTIONS];
static uint8_t is_made[COMPOSITION_SOLUTIONS];
static size_t n_made, n_left;

tms_status __wrap_composition_gpu_make(struct gpu *gpu, const struct composition_basis *basis, const struct composition_gpu_batch *batch,
                                       struct composition_gpu_matrices *out);
tms_status __wrap_align_gpu(tms_context *gpu_ctx, const struct gapped_costs *costs, const struct align_gpu_batch *batch,
                            struct align_gpu_found *found);
void __wrap_align_gpu_found_free(struct align_gpu_found *found);

tms_status __wrap_composition_gpu_make(struct gpu *gpu, const struct composition_basis *basis, const struct composition_gpu_batch *batch,
                                       struct composition_gpu_matrices *out)
{
    size_t n = 0;
    (void)gpu;
    for (size_t i = 0; i < current->subjects.n; i++) {
        const bool is_scaled = current->kinds[i] == TASK_SCALED;
        if (current->kinds[i] == TASK_LEFT)
            continue;
        assert_int_equal(batch->pairs[n].is_scaled, is_scaled);
        assert_true(composition_adjust(basis, is_scaled ? COMPOSITION_SCALED : COMPOSITION_OPTIMISED, &current->subjects.items[i].pair,
                                       &matrices[n]));
        is_made[n] = matrices[n].rule == (is_scaled ? RULE_SCALED : RULE_OPTIMISED) && random_below(&r, 8) > 0;
        n++;
    }
    assert_int_equal(n, batch->n_pairs);
    *out = (struct composition_gpu_matrices){.d_is_made = is_made, .are_equal = random_below(&r, 8) > 0};
    return TMS_OK;
}

/* Makes an alignment, and appends its runs. */
static void align_start(const struct gapped_costs *costs, const struct align_gpu_batch *batch, const struct align_gpu_start *start,
                        struct align_gpu_alignment *out, struct align_gpu_found *found)
{
    const struct align_gpu_pair *pair = &batch->pairs[start->pair];
    struct gapped_costs own = *costs;
    struct gapped_workspace workspace = {0};
    struct hsp h = {.start_query = start->query, .start_subject = start->subject};
    uint32_t at = 0;

    for (const struct align_gpu_alignment *a = found->alignments; a < out; a++)
        at += a->n_runs > 0 ? (uint32_t)a->n_runs : 0;
    out->n_runs = -1;
    if (!is_made[start->pair] || random_below(&r, 8) == 0) {
        n_left++;
        return;
    }
    own.scores = &matrices[start->pair].scores[0][0];
    assert_int_equal(align_hsp(&own, batch->codes + pair->query, pair->query_length, batch->codes + pair->subject,
                               (struct gapped_window){0, pair->subject_length}, &workspace, &h),
                     TMS_OK);
    *out = (struct align_gpu_alignment){h.query, h.query_end, h.subject, h.subject_end, h.score, at, (int)h.script.n};
    found->runs = realloc(found->runs, (at + h.script.n + 1) * sizeof *found->runs);
    for (uint32_t k = 0; k < h.script.n; k++)
        found->runs[at + k] = 4 * h.script.runs[k].n + (int)h.script.runs[k].operation;
    free(h.script.runs);
    gapped_workspace_free(&workspace);
    n_made++;
}

tms_status __wrap_align_gpu(tms_context *gpu_ctx, const struct gapped_costs *costs, const struct align_gpu_batch *batch,
                            struct align_gpu_found *found)
{
    assert_ptr_equal(gpu_ctx, ctx);
    assert_ptr_equal(batch->d_is_made, is_made);
    found->alignments = realloc(found->alignments, batch->n_starts * sizeof *found->alignments);
    found->is_made = realloc(found->is_made, batch->n_pairs);
    memcpy(found->is_made, is_made, batch->n_pairs);
    for (size_t i = 0; i < batch->n_starts; i++)
        align_start(costs, batch, &batch->starts[i], &found->alignments[i], found);
    return TMS_OK;
}

void __wrap_align_gpu_found_free(struct align_gpu_found *found)
{
    free(found->alignments);
    free(found->runs);
    free(found->is_made);
    memset(found, 0, sizeof *found);
}

/* --- a search whose tasks pass all stages --- */

static void align_task(struct search_state *s, struct alignment_task *task, int thread)
{
    const struct gpu_device device = {.aligner = ctx, .align_bytes = (size_t)1 << 30};

    blastp_program.prepare_task(s, task, thread);
    current = task->prepared;
    if (current != NULL && random_below(&r, 16) > 0)
        ASSERT_OK(ctx, blastp_program.align_batch(s, &device, task, 1));
    blastp_program.align_task(s, task, thread);
    assert_null(task->prepared);
}

/* --- sequences --- */

static void add_record(struct seq_batch *to, const uint8_t *characters, size_t n)
{
    assert_true(seq_batch_begin(to, "r", 1));
    assert_true(seq_batch_residues(to, characters, n));
    assert_true(seq_batch_end(to));
}

static uint8_t residue(void) { return (uint8_t) "ARNDCQEGHILKMFPSTWYV"[random_below(&r, 20)]; }

/* Copies residues, one in `each` as another one; some are lost, and some come twice. Returns how many there are. */
static size_t mutate(const uint8_t *from, size_t n, uint64_t each, uint8_t *to)
{
    size_t n_to = 0;

    for (size_t i = 0; i < n; i++) {
        const uint64_t change = random_below(&r, 100 * each);
        if (change != 0)
            to[n_to++] = change < 100 ? residue() : from[i];
        if (change == 1)
            to[n_to++] = from[i];
    }
    return n_to;
}

/*
 * Queries are proteins of several domains; subjects are relatives of one or more of their domains at all distances, some nearly identical,
 * with low complexity in between, and some of X alone.
 */
static int make_database(void **state)
{
    uint8_t family[FAMILIES][DOMAINS * LENGTH], subject[DOMAINS * (2 * LENGTH + 20)];
    tms_seqs subjects;

    if (setup(state) != 0)
        return -1;
    r.state = sample_seed();
    assert_true(seq_batch_clear(&subject_batch, 0, false) && seq_batch_clear(&query_batch, 0, false));
    for (int f = 0; f < FAMILIES; f++) {
        for (size_t i = 0; i < sizeof family[f]; i++)
            family[f][i] = residue();
        add_record(&query_batch, family[f], sizeof family[f]);
    }
    for (int i = 0; i < SUBJECTS; i++) {
        const int f = (int)random_below(&r, FAMILIES), n_domains = 1 + (int)random_below(&r, DOMAINS);
        const uint64_t each = random_below(&r, 4) == 0 ? 100 : 1 + random_below(&r, 6);
        size_t n = 0;
        for (int d = 0; d < n_domains; d++) {
            n += mutate(family[f] + LENGTH * random_below(&r, DOMAINS), LENGTH, each, subject + n);
            if (random_below(&r, 3) == 0) {
                memset(subject + n, random_below(&r, 2) == 0 ? 'Q' : 'X', 20);
                n += 20;
            }
        }
        if (i % 40 == 7)
            memset(subject, 'Q', n - LENGTH / 3);
        add_record(&subject_batch, subject, n);
    }
    seq_batch_view(&subject_batch, &subjects);
    seq_batch_view(&query_batch, &queries);
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &subjects, TMS_PROTEIN, "t", &db));
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 1)); /* `current` is one */
    return 0;
}

static int free_database(void **state)
{
    tms_seqdb_destroy(db);
    seq_batch_free(&query_batch);
    seq_batch_free(&subject_batch);
    return teardown(state);
}

/* --- comparison --- */

static size_t assert_same_hsps(const struct hsp_list *a, const struct hsp_list *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const struct hsp *x = &a->items[i], *y = &b->items[i];
        assert_true(x->query == y->query && x->query_end == y->query_end && x->subject == y->subject && x->subject_end == y->subject_end);
        assert_true(x->score == y->score && x->evalue == y->evalue && x->method == y->method);
        assert_int_equal(x->script.n, y->script.n);
        for (size_t k = 0; k < x->script.n; k++)
            assert_true(x->script.runs[k].operation == y->script.runs[k].operation && x->script.runs[k].n == y->script.runs[k].n);
    }
    return a->n;
}

static size_t assert_same_lists(struct hit_list *a, struct hit_list *b)
{
    size_t n = 0;

    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->items[i].oid, b->items[i].oid);
        n += assert_same_hsps(&a->items[i].hsps, &b->items[i].hsps);
    }
    hit_list_free(a);
    hit_list_free(b);
    return n;
}

/* Returns the number of HSPs. */
static size_t check(const tms_blastp_params *params)
{
    const struct search_subjects subjects = {.db = db, .part = {0, 1}};
    struct search_database database = {SUBJECTS * LENGTH, SUBJECTS, 10};
    struct search_program by_stages = blastp_program;
    struct search_queries q;
    struct search_counts counts = {0}, of_stages = {0};
    static struct blastp_setup setup;
    struct hit_list want[FAMILIES] = {{0}}, got[FAMILIES] = {{0}};
    size_t n = 0;

    ASSERT_OK(ctx, blastp_params_resolve(ctx, params, &setup));
    ASSERT_OK(ctx, blastp_setup_init(ctx, &database, &setup));
    ASSERT_OK(ctx, search_queries_init(ctx, &setup.protein.search, &queries, params->batch_residues, &q));
    ASSERT_OK(ctx, search_run(ctx, &setup.protein.search, &subjects, &q, &(struct search_hits){.lists = want}, &counts));
    by_stages.align_task = align_task;
    setup.protein.search.program = &by_stages;
    ASSERT_OK(ctx, search_run(ctx, &setup.protein.search, &subjects, &q, &(struct search_hits){.lists = got}, &of_stages));
    assert_int_equal(of_stages.n_realigned, counts.n_realigned);
    for (size_t i = 0; i < q.n; i++)
        n += assert_same_lists(&want[i], &got[i]);
    search_queries_free(&q);
    return n;
}

static void test_stages_give_the_same_hsps(void **state)
{
    size_t n = 0;
    (void)state;
    for (int i = 0; i < (sample_is_quick() ? QUICK_CASES : CASES); i++) {
        tms_blastp_params params = tms_blastp_defaults();
        if (i % 2 == 1)
            params.composition = (uint32_t)(TMS_COMPOSITION_SCALED + i / 2 % 3);
        if (i % 4 == 3)
            params.max_target_seqs = 1 + random_below(&r, 20);
        n += check(&params);
    }
    print_message("%zu HSPs, %zu alignments made, %zu left\n", n, n_made, n_left);
    assert_true(n > SUBJECTS && n_made > 2 * n_left && n_left > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stages_give_the_same_hsps)};

    return cmocka_run_group_tests(tests, make_database, free_database);
}
