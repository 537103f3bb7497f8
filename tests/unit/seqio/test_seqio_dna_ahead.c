/* seqio_dna_ahead: the same chunks as seqio_dna gives, several at once, and the base before each. */
#include "unit/seqio/io_dna_samples.h"

#include "seqio/seqio_dna_ahead.h"

/* A piece has the letters of its records, and the base before its first one. */
static void check_piece(const seqio_dna_piece *piece, const dna_records *all)
{
    const tms_dna *d = &piece->chunk.dna;
    const tms_dna_part *first = d->parts;
    size_t run = 0;
    int has_before = first->offset > 0 && strchr("ACGT", all->items[first->record].letters[first->offset - 1]) != NULL;

    for (size_t i = 0; i < d->n_parts; i++) {
        const tms_dna_part *p = &d->parts[i];
        assert_string_equal(p->name, all->items[p->record].name);
        for (size_t j = 0; j < p->n_bases; j++)
            assert_true(dna_base_is(d, p->start + j, all->items[p->record].letters[p->offset + j], &run));
    }
    assert_int_equal(piece->before.n_bases, has_before);
    if (has_before)
        assert_int_equal("ACGT"[piece->before.codes[0]], all -> items[first->record].letters[first->offset - 1]);
}

static void test_pieces(void **state)
{
    static const dna_look look = {60, 0, 0, 0};
    static const size_t sizes[] = {1, 2, 31, 33, 100, 5000};
    dna_records all = dna_make(9, 700, 5);
    sample fasta = dna_fasta(&all, &look);
    const char *path = sample_write("pieces.fa", fasta.bytes, fasta.size);
    (void)state;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint32_t overlap = 0; overlap <= 31; overlap += i % 2 ? 31 : 15) {
            seqio_dna_options how = {&path, 1, sizes[i], overlap, 0};
            const seqio_dna_piece *piece;
            seqio_dna *dna, *plain;
            seqio_dna_ahead *ahead;
            seqio_dna_chunk chunk;
            io_status status;
            io_error err;
            size_t n = 0, n_before = 0;

            assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_OK);
            assert_int_equal(seqio_dna_open(&how, &plain, &err), IO_OK);
            assert_int_equal(seqio_dna_ahead_create(dna, &ahead, &err), IO_OK);
            for (; (status = seqio_dna_ahead_next(ahead, &piece, &err)) == IO_OK; n++) {
                assert_int_equal(seqio_dna_next(plain, &chunk, &err), IO_OK);
                assert_int_equal(piece->chunk.dna.n_bases, chunk.dna.n_bases);
                assert_int_equal(piece->chunk.dna.n_parts, chunk.dna.n_parts);
                assert_int_equal(piece->chunk.n_read, chunk.n_read);
                for (size_t k = dna_random(4); k > 0; k--) {
                    io_status more = seqio_dna_ahead_more(ahead, &err);
                    assert_true(more == IO_OK || more == IO_END);
                }
                for (const seqio_dna_piece *p = piece; p != NULL; p = p->next)
                    check_piece(p, &all);
                n_before += piece->before.n_bases;
            }
            assert_int_equal(status, IO_END);
            assert_int_equal(seqio_dna_ahead_next(ahead, &piece, &err), IO_END);
            assert_int_equal(seqio_dna_next(plain, &chunk, &err), IO_END);
            assert_true(n > 0 && (sizes[i] > 700 || n_before > 0));
            seqio_dna_ahead_destroy(ahead);
            seqio_dna_close(dna);
            seqio_dna_close(plain);
        }
    }
    dna_free(&all);
    sample_free(&fasta);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces)};
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
