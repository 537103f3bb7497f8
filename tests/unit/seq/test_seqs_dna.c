/* test_seqs_dna.c - the nucleotides of a batch: what tms_dna_encode() makes of all letters in a row, with a part for each record. */
#include "seq/seq_batch.h"
#include "tamis/seq.h"
#include "unit/context_fixture.h"

static struct seq_batch batch;
static tms_seqs_dna *dna;

static void fill(sample_random *r, size_t n_records, size_t most, uint64_t first, char *all)
{
    size_t n = 0;
    assert_true(seq_batch_clear(&batch, first, false));
    for (size_t i = 0; i < n_records; i++) {
        size_t length = random_below(r, 5) ? (size_t)random_below(r, most + 1) : 0;
        char header[32];
        snprintf(header, sizeof header, "r%zu of %zu", i, n_records);
        assert_true(seq_batch_begin(&batch, header, strlen(header)));
        for (size_t j = 0; j < length; j++)
            all[n + j] = random_below(r, 12) ? "ACGTacgt"[random_below(r, 8)] : "NnRYKMSWBDHVUX"[random_below(r, 14)];
        assert_true(seq_batch_residues(&batch, (const uint8_t *)all + n, length));
        assert_true(seq_batch_end(&batch));
        n += length;
    }
    all[n] = '\0';
}

static void check(const char *all, uint64_t first)
{
    size_t n = strlen(all), done, at = 0;
    tms_dna_room room = {sample_alloc(TMS_DNA_WORDS(n) * 8), 0, n, sample_alloc((n + 1) * sizeof(tms_dna_run)), 0, n + 1};
    const tms_dna *d;
    tms_seqs seqs;
    seq_batch_view(&batch, &seqs);
    ASSERT_OK(ctx, tms_dna_encode(ctx, &room, all, n, &done));
    ASSERT_OK(ctx, tms_seqs_dna_encode(ctx, &seqs, dna));
    d = tms_seqs_dna_get(dna);
    assert_int_equal(d->n_bases, n);
    assert_int_equal(d->n_runs, room.n_runs);
    assert_memory_equal(d->runs, room.runs, room.n_runs * sizeof *room.runs);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(d->codes[i / 32] >> 2 * (i % 32) & 3, room.codes[i / 32] >> 2 * (i % 32) & 3);
    assert_int_equal(d->n_parts, seqs.n_records);
    for (size_t i = 0; i < d->n_parts; i++) {
        assert_int_equal(d->parts[i].start, at);
        assert_int_equal(d->parts[i].n_bases, tms_seqs_length(&seqs, i));
        assert_int_equal(d->parts[i].record, first + i);
        assert_int_equal(d->parts[i].offset, 0);
        assert_string_equal(d->parts[i].name, seqs.headers + seqs.header_starts[i]);
        at += d->parts[i].n_bases;
    }
    free(room.codes);
    free(room.runs);
}

static void test_batches(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    char *all = sample_alloc(1 << 20);
    ASSERT_OK(ctx, tms_seqs_dna_create(ctx, &dna));
    for (int i = 0; i < 60; i++) { /* larger and smaller ones in the same memory */
        size_t n_records = (size_t)random_below(&r, 1 + (size_t)random_below(&r, 200));
        fill(&r, n_records, i % 7 == 0 ? 5000 : 150, 1000 * (uint64_t)i, all);
        check(all, 1000 * (uint64_t)i);
    }
    tms_seqs_dna_destroy(dna);
    seq_batch_free(&batch);
    free(all);
}

static void test_no_nucleotide(void **state)
{
    (void)state;
    tms_seqs seqs;
    ASSERT_OK(ctx, tms_seqs_dna_create(ctx, &dna));
    assert_true(seq_batch_clear(&batch, 6, false));
    assert_true(seq_batch_begin(&batch, "a", 1) && seq_batch_residues(&batch, (const uint8_t *)"ACGT", 4) && seq_batch_end(&batch));
    assert_true(seq_batch_begin(&batch, "b", 1) && seq_batch_residues(&batch, (const uint8_t *)"ACGTNE", 6) && seq_batch_end(&batch));
    seq_batch_view(&batch, &seqs);
    assert_int_equal(tms_seqs_dna_encode(ctx, &seqs, dna), TMS_E_ARG);
    assert_non_null(strstr(tms_context_message(ctx), "record 8: letter 6 (byte 0x45)"));
    assert_int_equal(tms_seqs_dna_get(dna)->n_bases, 0);
    assert_int_equal(tms_seqs_dna_get(dna)->n_parts, 0);
    tms_seqs_dna_destroy(dna);
    tms_seqs_dna_destroy(NULL);
    seq_batch_free(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_no_nucleotide),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
