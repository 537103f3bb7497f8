/* test_masks.c - masks of batches: the cores' intervals, record by record, for any number of threads; lower case; what is refused. */
#include "mask/dust.h"
#include "mask/seg.h"
#include "tamis/alphabet.h"
#include "unit/context_fixture.h"
#include "unit/mask/mask_samples.h"

enum { N_RECORDS = 700 };

struct batch {
    uint8_t *residues;
    uint64_t starts[N_RECORDS + 1];
    tms_seqs seqs;
};

/* Records of all lengths; one of several tasks' length among them. */
static struct batch *batch_make(const char *plain, const char *odd, const char *all)
{
    sample_random r = {sample_seed()};
    struct batch *b = calloc(1, sizeof *b);
    mask_sample s;
    assert_non_null(b);
    b->residues = sample_alloc(N_RECORDS * (sizeof s.letters + 1) + 100 * sizeof s.letters);
    for (size_t i = 0; i < N_RECORDS; i++) {
        uint64_t end = b->starts[i];
        for (int n = i == N_RECORDS / 2 ? 100 : 1; n > 0; n--) {
            sample_make(&s, &r, plain, odd, all);
            memcpy(b->residues + end, s.letters, s.n);
            end += s.n;
        }
        b->residues[end++] = '\0';
        b->starts[i + 1] = end;
    }
    b->seqs = (tms_seqs){.n_records = N_RECORDS, .residues = b->residues, .residue_starts = b->starts};
    return b;
}

static void batch_free(struct batch *b)
{
    free(b->residues);
    free(b);
}

static void check_record(const tms_mask_list *list, size_t i, const struct intervals *want)
{
    assert_int_equal(list->starts[i + 1] - list->starts[i], want->n);
    if (want->n > 0)
        assert_memory_equal(list->intervals + list->starts[i], want->items, want->n * sizeof *want->items);
}

static void check_seg(const struct batch *b, const tms_masks *masks, const tms_seg_params *params)
{
    tms_mask_list list = tms_masks_list(masks);
    struct intervals want = {NULL, 0, 0};
    struct seg *seg = seg_create(params);
    uint8_t *codes = sample_alloc(b->starts[N_RECORDS]);
    assert_non_null(seg);
    assert_int_equal(list.n_records, N_RECORDS);
    for (size_t i = 0; i < N_RECORDS; i++) {
        size_t n = tms_seqs_length(&b->seqs, i);
        assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, b->residues + b->starts[i], n, codes), n);
        want.n = 0;
        assert_true(seg_mask(seg, codes, n, &want));
        check_record(&list, i, &want);
    }
    seg_destroy(seg);
    free(codes);
    free(want.items);
}

static void check_dust(const struct batch *b, const tms_masks *masks, const tms_dust_params *params)
{
    tms_mask_list list = tms_masks_list(masks);
    struct intervals want = {NULL, 0, 0};
    uint8_t *codes = sample_alloc(b->starts[N_RECORDS]);
    assert_int_equal(list.n_records, N_RECORDS);
    for (size_t i = 0; i < N_RECORDS; i++) {
        size_t n = tms_seqs_length(&b->seqs, i);
        assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, b->residues + b->starts[i], n, codes), n);
        want.n = 0;
        assert_true(dust_mask(params, codes, n, &want));
        check_record(&list, i, &want);
    }
    free(codes);
    free(want.items);
}

/* One object for masks of all kinds, one after the other. */
static void test_threads(void **state)
{
    (void)state;
    const tms_seg_params query = TMS_SEG_QUERY, subject = TMS_SEG_SUBJECT;
    const tms_dust_params blastn = TMS_DUST_AS_BLASTN, dustmasker = TMS_DUST_AS_DUSTMASKER;
    struct batch *proteins = batch_make("ACDEFGHIKLMNPQRSTVWY", "XBZ*", "ACDEFGHIKLMNPQRSTVWYacdXBZJUO*");
    struct batch *genes = batch_make("ACGT", "NNR", "ACGTNRYacgtn");
    tms_masks *masks = NULL;
    ASSERT_OK(ctx, tms_masks_create(ctx, &masks));
    assert_int_equal(tms_masks_list(masks).n_records, 0);
    assert_int_equal(tms_masks_list(masks).starts[0], 0);
    for (int n_threads = 1 + SAMPLES_TSAN; n_threads <= 4; n_threads += 1 + SAMPLES_TSAN) {
        ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
        ASSERT_OK(ctx, tms_mask_seg(ctx, &proteins->seqs, NULL, masks));
        check_seg(proteins, masks, &query);
        ASSERT_OK(ctx, tms_mask_dust(ctx, &genes->seqs, NULL, masks));
        check_dust(genes, masks, &blastn);
        ASSERT_OK(ctx, tms_mask_seg(ctx, &proteins->seqs, &subject, masks));
        check_seg(proteins, masks, &subject);
        ASSERT_OK(ctx, tms_mask_dust(ctx, &genes->seqs, &dustmasker, masks));
        check_dust(genes, masks, &dustmasker);
    }
    tms_masks_destroy(masks);
    batch_free(proteins);
    batch_free(genes);
}

/* Records of more than a million letters are cut for the threads: long runs of N and of one letter, N alone, ends of all kinds. */
static void test_long_records(void **state)
{
    (void)state;
    enum { LONGEST = 3 << 20, N_LONG = 4 };
    sample_random r = {sample_seed()};
    uint8_t *letters = sample_alloc(2 * (size_t)LONGEST), *codes = sample_alloc(LONGEST);
    const tms_dust_params rules[] = {TMS_DUST_AS_BLASTN, TMS_DUST_AS_DUSTMASKER, {20, 10, 7, TMS_DUST_DUSTMASKER}};
    uint64_t starts[N_LONG + 1] = {0};
    tms_seqs seqs = {.n_records = N_LONG, .residues = letters, .residue_starts = starts};
    tms_masks *masks = NULL;
    mask_sample s;
    ASSERT_OK(ctx, tms_masks_create(ctx, &masks));
    for (size_t i = 0; i < N_LONG; i++) { /* the second and the last are short */
        uint64_t end = starts[i], target = end + (i % 2 ? 1000 : 1200000);
        for (int part = 0; end < target; part++) {
            s.n = 0;
            if (part % 8 == 0)
                sample_make(&s, &r, "ACGT", part % 800 == 0 && i == 0 ? "N" : "CR", "ACGTRYK");
            sample_add_random(&s, &r, "ACGT", random_below(&r, 1000));
            memcpy(letters + end, s.letters, s.n);
            end += s.n;
            if (part % 37 == 36 || part == 0) {
                size_t n = 65 + random_below(&r, 3000);
                memset(letters + end, part % 74 == 73 ? 'T' : 'N', n);
                end += n;
            }
        }
        if (i == 2) /* the shortest that is cut */
            end = starts[i] + (1 << 20);
        letters[end++] = '\0';
        starts[i + 1] = end;
        assert_true(end < 2 * (uint64_t)LONGEST);
    }
    for (size_t rule = 0; rule < (SAMPLES_TSAN ? 1 : sample_is_quick() ? 2 : sizeof rules / sizeof *rules); rule++) {
        struct intervals want[N_LONG] = {{NULL, 0, 0}};
        for (size_t i = 0; i < N_LONG; i++) {
            size_t n = tms_seqs_length(&seqs, i);
            assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, letters + starts[i], n, codes), n);
            assert_true(dust_mask(&rules[rule], codes, n, &want[i]));
        }
        for (int n_threads = 1 + SAMPLES_TSAN; n_threads <= 3; n_threads++) {
            ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
            ASSERT_OK(ctx, tms_mask_dust(ctx, &seqs, &rules[rule], masks));
            tms_mask_list list = tms_masks_list(masks);
            for (size_t i = 0; i < N_LONG; i++)
                check_record(&list, i, &want[i]);
        }
        for (size_t i = 0; i < N_LONG; i++)
            free(want[i].items);
    }
    tms_masks_destroy(masks);
    free(letters);
    free(codes);
}

/* A batch that begins within an arena, and one without records. */
static void test_part_of_an_arena(void **state)
{
    (void)state;
    struct batch *b = batch_make("ACGT", "N", "ACGTN");
    tms_masks *masks = NULL, *part = NULL;
    tms_seqs rest = b->seqs;
    ASSERT_OK(ctx, tms_masks_create(ctx, &masks));
    ASSERT_OK(ctx, tms_masks_create(ctx, &part));
    ASSERT_OK(ctx, tms_mask_dust(ctx, &b->seqs, NULL, masks));
    rest.n_records -= 10;
    rest.residue_starts += 10;
    ASSERT_OK(ctx, tms_mask_dust(ctx, &rest, NULL, part));
    tms_mask_list all = tms_masks_list(masks), some = tms_masks_list(part);
    assert_int_equal(some.n_records, N_RECORDS - 10);
    assert_int_equal(some.starts[N_RECORDS - 10], all.starts[N_RECORDS] - all.starts[10]);
    assert_memory_equal(some.intervals, all.intervals + all.starts[10], some.starts[N_RECORDS - 10] * sizeof *some.intervals);
    rest.n_records = 0;
    ASSERT_OK(ctx, tms_mask_dust(ctx, &rest, NULL, part));
    some = tms_masks_list(part);
    assert_int_equal(some.n_records, 0);
    assert_int_equal(some.starts[0], 0);
    tms_masks_destroy(masks);
    tms_masks_destroy(part);
    batch_free(b);
}

static void test_lower_case(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    enum { N = 1000 };
    uint8_t letters[N + 1];
    uint64_t starts[2] = {0, N + 1};
    tms_seqs seqs = {.n_records = 1, .residues = letters, .residue_starts = starts};
    tms_masks *masks = NULL;
    ASSERT_OK(ctx, tms_masks_create(ctx, &masks));
    for (int round = 0; round < 300; round++) {
        static const char kinds[] = "acgtzACGTZN@[`{-*\0\xe1";
        size_t n = round < 200 ? (size_t)round : N, run = 0;
        starts[1] = n + 1;
        for (size_t i = 0; i < n; i++, run--) {
            if (run == 0)
                run = 1 + random_below(&r, 1 + random_below(&r, 200));
            letters[i] = i > 0 && run > 1 ? letters[i - 1] : (uint8_t)kinds[random_below(&r, sizeof kinds - 1)];
        }
        letters[n] = '\0';
        ASSERT_OK(ctx, tms_mask_lower_case(ctx, &seqs, masks));
        tms_mask_list list = tms_masks_list(masks);
        size_t k = 0, at = 0;
        assert_int_equal(list.n_records, 1);
        while (at < n) {
            size_t start = at;
            while (at < n && letters[at] >= 'a' && letters[at] <= 'z')
                at++;
            if (at > start) {
                assert_true(k < list.starts[1] && list.intervals[k].start == start && list.intervals[k].end == at);
                k++;
            } else {
                at++;
            }
        }
        assert_int_equal(list.starts[1], k);
    }
    tms_masks_destroy(masks);
}

/* Letters that are none: of a protein X, of a nucleotide A. */
static void test_other_bytes(void **state)
{
    (void)state;
    static const char dna[] = "GATTACAGATCG?????????\t\n12CCGATAGCATCG", same[] = "GATTACAGATCGAAAAAAAAAAAAACCGATAGCATCG";
    static const char protein[] = "MKWVTFISLLFL11111111112AAAAAAAAAAAAAAAAWYHN", plain[] = "MKWVTFISLLFLXXXXXXXXXXXAAAAAAAAAAAAAAAAWYHN";
    uint64_t starts[2] = {0, sizeof dna};
    tms_seqs seqs = {.n_records = 1, .residue_starts = starts};
    tms_masks *a = NULL, *b = NULL;
    tms_mask_list x, y;
    assert_int_equal(sizeof dna, sizeof same);
    assert_int_equal(sizeof protein, sizeof plain);
    ASSERT_OK(ctx, tms_masks_create(ctx, &a));
    ASSERT_OK(ctx, tms_masks_create(ctx, &b));
    for (int i = 0; i < 2; i++) {
        starts[1] = i ? sizeof protein : sizeof dna;
        seqs.residues = (const uint8_t *)(i ? protein : dna);
        ASSERT_OK(ctx, i ? tms_mask_seg(ctx, &seqs, NULL, a) : tms_mask_dust(ctx, &seqs, NULL, a));
        seqs.residues = (const uint8_t *)(i ? plain : same);
        ASSERT_OK(ctx, i ? tms_mask_seg(ctx, &seqs, NULL, b) : tms_mask_dust(ctx, &seqs, NULL, b));
        x = tms_masks_list(a);
        y = tms_masks_list(b);
        assert_int_equal(x.starts[1], 1);
        assert_int_equal(y.starts[1], 1);
        assert_memory_equal(x.intervals, y.intervals, sizeof *x.intervals);
    }
    tms_masks_destroy(a);
    tms_masks_destroy(b);
}

static void test_refused(void **state)
{
    (void)state;
    static const uint8_t letters[] = "ACGT";
    const uint64_t starts[2] = {0, 5};
    const tms_seqs seqs = {.n_records = 1, .residues = letters, .residue_starts = starts};
    const tms_dust_params dust[] = {{7, 20, 1, 0},  {65, 20, 1, 0},  {64, 1, 1, 0}, {64, 65, 1, 0},
                                    {64, 20, 0, 0}, {64, 20, 33, 0}, {64, 20, 1, 2}};
    const char *const dust_words[] = {"7 letters", "65 letters", "level 1", "level 65", "linker 0", "linker 33", "rule 2"};
    const tms_seg_params seg[] = {{0, 0, 2.2, 2.5}, {1000001, 0, 2.2, 2.5}, {12, 0, -0.5, 2.5}, {12, 0, 2.5, 2.2}, {12, 0, 2.5, 21}};
    const char *const seg_words[] = {"0 letters", "1000001 letters", "locut -0.5", "hicut 2.2", "hicut 21"};
    tms_masks *masks = NULL;
    ASSERT_OK(ctx, tms_masks_create(ctx, &masks));
    for (size_t i = 0; i < sizeof dust / sizeof *dust; i++)
        ASSERT_FAILS(ctx, TMS_E_ARG, dust_words[i], tms_mask_dust(ctx, &seqs, &dust[i], masks));
    for (size_t i = 0; i < sizeof seg / sizeof *seg; i++)
        ASSERT_FAILS(ctx, TMS_E_ARG, seg_words[i], tms_mask_seg(ctx, &seqs, &seg[i], masks));
    struct {
        tms_dust_params now;
        uint32_t to_come;
    } newer = {TMS_DUST_AS_BLASTN, 0};
    ASSERT_OK(ctx, tms_mask_dust_sized(ctx, &seqs, &newer.now, sizeof newer, masks));
    newer.to_come = 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "newer", tms_mask_dust_sized(ctx, &seqs, &newer.now, sizeof newer, masks));
    tms_context_cancel(ctx);
    assert_int_equal(tms_mask_lower_case(ctx, &seqs, masks), TMS_E_CANCELLED);
    tms_context_resume(ctx);
    ASSERT_OK(ctx, tms_mask_lower_case(ctx, &seqs, masks));
    tms_masks_destroy(masks);
    tms_masks_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_long_records), cmocka_unit_test(test_part_of_an_arena),
        cmocka_unit_test(test_lower_case), cmocka_unit_test(test_other_bytes),  cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
