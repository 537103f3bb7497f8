/*
 * test_classify_exact.c - classify against exact sets of w-mers: filters have false positives beside the errors of reads, and of two
 * references that a read fits equally one has a hit more by chance. That is no reason to name it.
 */
#include "unit/seed/exact_words.h"

#include "seqio/seqio_records.h"

enum { N_REFERENCES = 2, GENOME = 60000, READ = 150 };

typedef struct verdicts {
    uint32_t right, wrong, ambiguous, none;
} verdicts;

typedef struct pair_of_references {
    exact_words exact[N_REFERENCES];
    tms_filter *filters[N_REFERENCES];
    tms_classifier *classifier;
} pair_of_references;

static void count(verdicts *v, tms_verdict verdict, uint32_t best, uint32_t own)
{
    v->none += verdict == TMS_VERDICT_NONE;
    v->ambiguous += verdict == TMS_VERDICT_AMBIGUOUS;
    v->right += verdict == TMS_VERDICT_MATCH && best == own;
    v->wrong += verdict == TMS_VERDICT_MATCH && best != own;
}

/* Reads of which the origins are known, by both; a filter has all hits of its set. */
static void compare(pair_of_references *p, const tms_seqs *reads, const uint32_t *origins, verdicts *by_sets, verdicts *by_filters)
{
    tms_classified *out = sample_alloc(reads->n_records * sizeof *out);
    tms_reference_score *scores = sample_alloc(reads->n_records * N_REFERENCES * sizeof *scores);
    ASSERT_OK(ctx, tms_classify(ctx, p->classifier, &(tms_reads){reads, 0, 1}, 1, reads->n_records, out, scores));
    for (size_t i = 0; i < reads->n_records; i++) {
        uint64_t hits[N_REFERENCES], n_words;
        if (origins[i] >= N_REFERENCES)
            continue;
        for (size_t r = 0; r < N_REFERENCES; r++) {
            hits[r] = exact_words_each(&p->exact[r], reads->residues + reads->residue_starts[i], (size_t)tms_seqs_length(reads, i), 0,
                                       &n_words);
            assert_true(scores[i * N_REFERENCES + r].n_hits >= hits[r]);
        }
        uint32_t best = hits[1] > hits[0];
        int is_match = hits[best] && hits[best] >= tms_classifier_least_hits(p->classifier, n_words);
        count(by_sets, !is_match ? TMS_VERDICT_NONE : hits[0] == hits[1] ? TMS_VERDICT_AMBIGUOUS : TMS_VERDICT_MATCH, best, origins[i]);
        count(by_filters, out[i].verdict, out[i].best, origins[i]);
    }
    free(out);
    free(scores);
}

static void print(const char *what, const verdicts *v)
{
    print_message("%s: right %u, wrong %u, ambiguous %u, none %u\n", what, v->right, v->wrong, v->ambiguous, v->none);
}

static void pair_finish(pair_of_references *p)
{
    const tms_filter *filters[N_REFERENCES] = {p->filters[0], p->filters[1]};
    ASSERT_OK(ctx, tms_classifier_create(ctx, filters, N_REFERENCES, NULL, &p->classifier));
}

static void pair_free(pair_of_references *p)
{
    tms_classifier_destroy(p->classifier);
    for (size_t r = 0; r < N_REFERENCES; r++) {
        tms_filter_destroy(p->filters[r]);
        free(p->exact[r].slots);
    }
}

/* Few more wrong ones than sets give, for all that they call ambiguous; and of the reads that sets tell apart, nearly all. */
static void check(uint32_t w, const verdicts *sets, const verdicts *filters)
{
    print_message("w = %u\n", w);
    print("sets", sets);
    print("filters", filters);
    assert_true(filters->wrong <= sets->wrong + sets->ambiguous / 400 + 2);
    assert_true(filters->right >= sets->right - sets->right / 40);
    assert_true(filters->ambiguous >= sets->ambiguous - sets->ambiguous / 100);
}

/* ---- generated -------------------------------------------------------------------------------------------------------------------- */

/* Makes a descendant: each stretch of 500 bases is unchanged, or has one base in 100 or in 20 replaced. */
static void descend(sample_random *r, uint8_t *to, const uint8_t *from)
{
    static const uint32_t one_in[] = {0, 100, 20};
    for (size_t at = 0; at < GENOME; at += 500) {
        uint32_t in = one_in[random_below(r, 3)];
        for (size_t i = at; i < at + 500; i++)
            to[i] = in && !random_below(r, in) ? (uint8_t) "ACGT"[random_below(r, 4)] : from[i];
    }
}

static void add_read(sample_random *r, struct seq_batch *batch, const uint8_t *genome)
{
    uint8_t letters[READ];
    memcpy(letters, genome + random_below(r, GENOME - READ), READ);
    for (size_t i = 0; i < READ; i++)
        if (!random_below(r, 40))
            letters[i] = (uint8_t) "ACGT"[random_below(r, 4)];
    if (random_below(r, 2))
        reverse_letters(letters, READ);
    batch_add(batch, letters, READ);
}

static void add_reference(pair_of_references *p, size_t g, tms_reference *building, const tms_seqs *seqs)
{
    uint64_t n_words;
    ASSERT_OK(ctx, tms_reference_add(ctx, building, seqs));
    for (size_t i = 0; i < seqs->n_records; i++)
        exact_words_each(&p->exact[g], seqs->residues + seqs->residue_starts[i], (size_t)tms_seqs_length(seqs, i), 1, &n_words);
}

static tms_reference *begin_reference(pair_of_references *p, size_t g, uint32_t w, size_t n_letters)
{
    const tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = w};
    tms_reference *building;
    exact_words_create(&p->exact[g], w, n_letters);
    ASSERT_OK(ctx, tms_reference_create(ctx, &want, &building));
    return building;
}

static void end_reference(pair_of_references *p, size_t g, tms_reference *building)
{
    ASSERT_OK(ctx, tms_reference_finish(ctx, building, &p->filters[g]));
    tms_reference_destroy(building);
}

static void generated(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {18, 21, 31};
    const size_t n_reads = sample_is_quick() ? 4000 : 40000;
    sample_random r = {20261123};
    uint8_t *genomes[N_REFERENCES] = {sample_alloc(GENOME), sample_alloc(GENOME)};
    uint32_t *origins = sample_alloc(n_reads * sizeof *origins);
    struct seq_batch batch = {0};
    tms_seqs seqs;
    random_letters(&r, genomes[0], GENOME, NULL, 0);
    descend(&r, genomes[1], genomes[0]);
    assert_true(seq_batch_clear(&batch, 0, false));
    for (size_t i = 0; i < n_reads; i++) {
        origins[i] = (uint32_t)random_below(&r, N_REFERENCES);
        add_read(&r, &batch, genomes[origins[i]]);
    }
    seq_batch_view(&batch, &seqs);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pair_of_references p;
        verdicts by_sets = {0}, by_filters = {0};
        for (size_t g = 0; g < N_REFERENCES; g++) {
            struct seq_batch reference = {0};
            tms_reference *building = begin_reference(&p, g, sizes[i], GENOME);
            tms_seqs all;
            assert_true(seq_batch_clear(&reference, 0, false));
            batch_add(&reference, genomes[g], GENOME);
            seq_batch_view(&reference, &all);
            add_reference(&p, g, building, &all);
            end_reference(&p, g, building);
            seq_batch_free(&reference);
        }
        pair_finish(&p);
        compare(&p, &seqs, origins, &by_sets, &by_filters);
        check(sizes[i], &by_sets, &by_filters);
        pair_free(&p);
    }
    seq_batch_free(&batch);
    free(origins);
    free(genomes[0]);
    free(genomes[1]);
}

/* ---- genomes -------------------------------------------------------------------------------------------------------------------- */

/* path: borrowed until the records are closed */
static seqio_records *open_records(const char *const *path)
{
    const seqio_records_options how = {.paths = path, .n_paths = 1, .batch_bytes = 1 << 20};
    seqio_records *records;
    io_error err;
    if (seqio_records_open(&how, &records, &err) != IO_OK)
        fail_msg("%s", err.text);
    return records;
}

/* Reads say of whom they are before the first | of their names. */
static void compare_file(pair_of_references *p, const char *path, verdicts *by_sets, verdicts *by_filters)
{
    seqio_records *records = open_records(&path);
    seqio_records_batch batch;
    io_error err;
    while (seqio_records_next(records, &batch, &err) == IO_OK) {
        uint32_t *origins = sample_alloc(batch.seqs.n_records * sizeof *origins);
        for (size_t i = 0; i < batch.seqs.n_records; i++) {
            const char *name = batch.seqs.headers + batch.seqs.header_starts[i];
            origins[i] = strncmp(name, "k12|", 4) == 0 ? 0 : strncmp(name, "sal|", 4) == 0 ? 1 : N_REFERENCES;
        }
        compare(p, &batch.seqs, origins, by_sets, by_filters);
        free(origins);
    }
    seqio_records_close(records);
}

static void genomes_of_two(void **state)
{
    (void)state;
    static const char *const genomes[N_REFERENCES] = {"ecoli_k12_mg1655", "salmonella_lt2"};
    static const char *const reads[] = {"simA_100bp_e1", "simB_150bp_e2"};
    static const uint32_t sizes[] = {18, 21, 31};
    const char *data = sample_test_data();
    char path[4096];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pair_of_references p;
        for (size_t g = 0; g < N_REFERENCES; g++) {
            tms_reference *building = begin_reference(&p, g, sizes[i], 6000000);
            seqio_records_batch batch;
            io_error err;
            const char *name = path;
            snprintf(path, sizeof path, "%s/genomes/%s.fa.gz", data, genomes[g]);
            seqio_records *records = open_records(&name);
            while (seqio_records_next(records, &batch, &err) == IO_OK)
                add_reference(&p, g, building, &batch.seqs);
            seqio_records_close(records);
            end_reference(&p, g, building);
        }
        pair_finish(&p);
        for (size_t f = 0; f < 2; f++) {
            verdicts by_sets = {0}, by_filters = {0};
            snprintf(path, sizeof path, "%s/reads/%s.fq.gz", data, reads[f]);
            print_message("%s\n", reads[f]);
            compare_file(&p, path, &by_sets, &by_filters);
            check(sizes[i], &by_sets, &by_filters);
        }
        pair_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest of_the_source[] = {cmocka_unit_test(generated)};
    const struct CMUnitTest of_whole_genomes[] = {cmocka_unit_test(genomes_of_two)};
    int n_failed = cmocka_run_group_tests_name("classify_exact", of_the_source, setup, teardown);
    if (sample_test_data() != NULL && !sample_is_quick())
        n_failed += cmocka_run_group_tests_name("classify_exact, whole genomes", of_whole_genomes, setup, teardown);
    return n_failed;
}
