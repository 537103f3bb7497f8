/*
 * test_gpu_frames.c - the pieces of translated subjects: residues that follow from their codons are those of translate_packed(), chunk by
 * chunk; what is reserved for subjects suffices.
 */
#include "lookup/two_hit_gpu.h"
#include "search/gpu_frames.h"
#include "unit/samples.h"

enum { WORD = 3 };

/* The number of the codon that begins at a base. */
static unsigned codon_at(const uint8_t *packed, uint64_t at)
{
    unsigned codon = 0;

    for (uint64_t i = at; i < at + 3; i++)
        codon = codon << 2 | (packed[i / BASES_A_BYTE] >> (6 - 2 * (i % BASES_A_BYTE)) & 3);
    return codon;
}

/* Compares the pieces of the subject that was added last with its frames. piece [in] its first piece */
static void check_subject(const struct gpu_frames *f, size_t piece, const uint8_t *packed, uint64_t first_base, int n_bases)
{
    struct codon_table table;
    struct packed_codons codons;
    uint8_t *frames[FRAMES];

    assert_true(codon_table_init(1, &table));
    packed_codons_init(&table, &codons);
    for (int i = 0; i < FRAMES; i++)
        frames[i] = sample_alloc((size_t)frame_length(n_bases, i) + 1);
    translate_packed(&codons, packed + first_base / BASES_A_BYTE, n_bases, frames);
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k < subject_chunks(frame_length(n_bases, 0)); k++, piece++) {
            const struct residue_range chunk = subject_chunk(frame_length(n_bases, i), k);
            const int n = k < subject_chunks(frame_length(n_bases, i)) ? chunk.end - chunk.first : 0;
            const uint64_t codon = f->codons[piece];
            assert_int_equal(f->starts[piece + 1] - f->starts[piece], n + 1);
            for (int at = 0; at < n; at++) {
                const uint64_t base = codon % 2 ? codon / 2 - 3 * (uint64_t)at : codon / 2 + 3 * (uint64_t)at;
                const unsigned number = codon_at(packed, base);
                if ((codon % 2 ? codons.minus[number] : codons.plus[number]) != frames[i][chunk.first + at])
                    fail_msg("%d bases, frame %d, chunk %d, residue %d", n_bases, frame_name(i), k, at);
            }
        }
    assert_int_equal(piece, f->n);
    for (int i = 0; i < FRAMES; i++)
        free(frames[i]);
}

static void test_pieces(void **state)
{
    static const int lengths[] = {
        0, 1, 2, 10, 11, 12, 13, 14, 100, 101, 102, 15000003 /* the first frames have two chunks, the others one */, 15000301};
    enum { N = sizeof lengths / sizeof *lengths };
    const struct search_subjects subjects = {.codons = (const struct packed_codons *)(const void *)lengths}; /* any: they are translated */
    struct gpu_frames f = {0};
    sample_random r = {sample_seed()};
    uint64_t base = 0, n_all = 0;
    uint8_t *packed;
    struct gpu_size size;

    (void)state;
    for (size_t i = 0; i < N; i++)
        n_all += (uint64_t)lengths[i] + BASES_A_BYTE;
    packed = sample_alloc(n_all / BASES_A_BYTE);
    random_fill(&r, packed, n_all / BASES_A_BYTE);
    assert_true(gpu_frames_clear(&f));
    for (size_t i = 0; i < N; i++) {
        const size_t before = f.n;
        const uint32_t start = f.starts[f.n];
        assert_true(gpu_frames_add(&f, WORD, lengths[i], base));
        size = gpu_size_of(&subjects, (uint64_t)lengths[i], 1);
        assert_true(f.n - before <= size.pieces && f.starts[f.n] - start <= size.codes);
        assert_true((uint64_t)(lengths[i] + BASES_A_BYTE - 1) / BASES_A_BYTE <= size.copied);
        if (lengths[i] < subject_least_bases(WORD))
            assert_int_equal(f.n, before);
        else
            check_subject(&f, before, packed, base, lengths[i]);
        base += ((uint64_t)lengths[i] + BASES_A_BYTE - 1) / BASES_A_BYTE * BASES_A_BYTE;
    }
    gpu_frames_free(&f);
    free(packed);
}

/* Proteins: a byte a residue, and one behind each. */
static void test_proteins(void **state)
{
    const struct search_subjects subjects = {0};
    const struct gpu_size size = gpu_size_of(&subjects, 1000, 7);

    (void)state;
    assert_int_equal(size.codes, 1007);
    assert_int_equal(size.pieces, 7);
    assert_int_equal(size.copied, 1007);
    assert_int_equal(gpu_size_bytes(&subjects, WORD, &size), two_hit_gpu_subjects_bytes(WORD, 1007, 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_proteins)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
