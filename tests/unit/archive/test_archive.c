/* test_archive.c - manifests, packed lists and whole archives: what is read is what was written. */
#include "unit/archive/archive_samples.h"

static void test_manifest(void **state)
{
    static const char text[] = "program\tblastp\nempty\t\nquery\ta\\tb\\\\n\\n\nquery\tsecond\r\nn-4\t18446744073709551615\n";
    struct archive_manifest made = {0}, parsed = {0};
    io_error err;
    char *got;
    size_t n;
    uint64_t v;
    (void)state;

    MUST(archive_manifest_add(&made, "program", "blastp", &err));
    MUST(archive_manifest_add(&made, "empty", "", &err));
    MUST(archive_manifest_add(&made, "query", "a\tb\\n\n", &err));
    MUST(archive_manifest_add(&made, "query", "second\r", &err));
    MUST(archive_manifest_add_number(&made, "n-4", UINT64_MAX, &err));
    MUST(archive_manifest_text(&made, &got, &n, &err));
    assert_string_equal(got, text);
    assert_int_equal(n, sizeof text - 1);
    free(got);

    MUST(archive_manifest_parse(text, sizeof text - 1, &parsed, &err));
    assert_int_equal(parsed.n, made.n);
    for (size_t i = 0; i < made.n; i++) {
        assert_string_equal(parsed.pairs[i].key, made.pairs[i].key);
        assert_string_equal(parsed.pairs[i].value, made.pairs[i].value);
    }
    assert_string_equal(archive_manifest_get(&parsed, "query", 1), "second\r");
    assert_null(archive_manifest_get(&parsed, "query", 2));
    assert_null(archive_manifest_get(&parsed, "quer", 0));
    assert_true(archive_manifest_number(&parsed, "n-4", &v));
    assert_true(v == UINT64_MAX);
    assert_false(archive_manifest_number(&parsed, "empty", &v));
    assert_false(archive_manifest_number(&parsed, "program", &v));
    assert_false(archive_manifest_number(&parsed, "none", &v));
    archive_manifest_free(&parsed);
    archive_manifest_free(&made);
}

static void test_no_manifest(void **state)
{
    static const char *const texts[] = {"program\tblastp", "program\n", "\tblastp\n", "Program\tx\n", "a b\tx\n",
                                        "program\ta\tb\n", "a\tb\\\n",  "a\tb\\x\n",  "a\tb\n\n",     "a\tb\n\xff\tc\n"};
    struct archive_manifest manifest = {0};
    io_error err;
    uint64_t v;
    (void)state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(archive_manifest_parse(texts[i], strlen(texts[i]), &manifest, &err), IO_E_INPUT);
        assert_null(manifest.pairs);
    }
    assert_int_equal(archive_manifest_parse("a\tb\0c\n", 6, &manifest, &err), IO_E_INPUT);
    MUST(archive_manifest_parse("", 0, &manifest, &err));
    assert_int_equal(manifest.n, 0);
    MUST(archive_manifest_add(&manifest, "n", "18446744073709551616", &err));
    assert_false(archive_manifest_number(&manifest, "n", &v));
    archive_manifest_free(&manifest);
}

/* Bytes of known lists, as doc/format-archive.md has them. */
static void test_known_bytes(void **state)
{
    static const tms_found_subject subjects[] = {{300, 1}, {301, 2}};
    static const tms_found_hsp hsps[] = {
        {1, 101, 200, 299, 11, 211, 77, 0}, {0, 128, 3, 131, 0, 3, 5, 0}, {-1, 0, 0, 0, INT32_MIN, 0, -2, 0}};
    static const tms_found_list lists[] = {{.n_subjects = 2, .subjects = subjects, .n_hsps = 3, .hsps = hsps, .is_cut = 1}, {0}};
    static const uint8_t wanted[] = {5,                                           /* 2 subjects, cut */
                                     0xac, 2,    0,                               /* 300; 1 HSP */
                                     1,    100,  0xc8, 1,    1,    10,   2,       /* the HSP */
                                     77,                                          /* its score */
                                     0,    1,                                     /* 301; 2 HSPs */
                                     0,    128,  1,    3,    0,    0,    0,    5, /* the first one */
                                     0xff, 255,  255,  255,  15,   1,    0,    1,   0x81, 0x80, 0x80, 0x80,
                                     8,    0xfe, 0xff, 0xff, 0xff, 0x0f, 0xfe, 255, 255,  255,  15,   0}; /* and an empty list */
    struct byte_array packed = {0};
    struct archive_lists got = {0};
    io_error err;
    (void)state;

    MUST(archive_list_pack(&lists[0], ARCHIVE_VERSION, &packed, &err));
    MUST(archive_list_pack(&lists[1], ARCHIVE_VERSION, &packed, &err));
    MUST(archive_lists_unpack(packed.bytes, packed.n, ARCHIVE_VERSION, 2, &got, &err));
    expect_list(&got.lists[0], &lists[0]);
    expect_list(&got.lists[1], &lists[1]);
    for (size_t i = 0; i < packed.n && i < sizeof wanted; i++)
        if (packed.bytes[i] != wanted[i])
            fail_msg("byte %zu is %02x, not %02x", i, packed.bytes[i], wanted[i]);
    assert_int_equal(packed.n, sizeof wanted);
    archive_lists_free(&got);
    free(packed.bytes);
}

/* A list of the document is packed as `wanted`, and comes back from these bytes, but not from fewer. */
static void expect_packed(const tms_found_list *list, uint32_t version, const uint8_t *wanted, size_t n_wanted)
{
    struct byte_array packed = {0};
    struct archive_lists got = {0};
    io_error err;

    MUST(archive_list_pack(list, version, &packed, &err));
    assert_int_equal(packed.n, n_wanted);
    assert_memory_equal(packed.bytes, wanted, n_wanted);
    MUST(archive_lists_unpack(packed.bytes, packed.n, version, 1, &got, &err));
    expect_list(&got.lists[0], list);
    for (packed.n--; packed.n > 0; packed.n--)
        assert_int_equal(archive_lists_unpack(packed.bytes, packed.n, version, 1, &got, &err), IO_E_INPUT);
    archive_lists_free(&got);
    free(packed.bytes);
}

/* The document's example with its strand. */
static void test_known_strands(void **state)
{
    static const tms_found_subject subject = {300, 1};
    static const tms_found_hsp hsp = {1, 101, 200, 299, 11, 211, 77, 1, 0, 0};
    static const tms_found_list list = {.n_subjects = 1, .subjects = &subject, .n_hsps = 1, .hsps = &hsp, .is_cut = 1};
    static const uint8_t wanted[] = {0x03, 0xac, 0x02, 0x00, 0x01, 0x64, 0xc8, 0x01, 0x01, 0x0a, 0x02, 0x4d, 0x01};
    struct archive_lists got = {0};
    io_error err;
    (void)state;

    expect_packed(&list, ARCHIVE_VERSION_OF_STRANDS, wanted, sizeof wanted);
    assert_int_equal(archive_lists_unpack(wanted, sizeof wanted, ARCHIVE_VERSION, 1, &got, &err), IO_E_INPUT);
    archive_lists_free(&got);
}

/* The same with a chain of two HSPs, whose E-value is 1.5. */
static void test_known_chains(void **state)
{
    static const tms_found_subject subject = {300, 1};
    static const tms_found_hsp hsp = {1, 101, 200, 299, 11, 211, 77, 1, 2, 1.5};
    static const tms_found_list list = {.n_subjects = 1, .subjects = &subject, .n_hsps = 1, .hsps = &hsp, .is_cut = 1};
    static const uint8_t wanted[] = {0x03, 0xac, 0x02, 0x00, 0x01, 0x64, 0xc8, 0x01, 0x01, 0x0a, 0x02,
                                     0x4d, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x3f};
    (void)state;

    expect_packed(&list, ARCHIVE_VERSION_OF_CHAINS, wanted, sizeof wanted);
}

/* Any numbers come back; bytes that are cut off, changed or too many are refused or are other lists. */
static void test_lists(void **state)
{
    enum { LISTS = 30 };
    static struct list_sample samples[LISTS];
    sample_random r = {sample_seed()};
    (void)state;

    for (int round = 0; round < 40; round++) {
        const uint32_t version = ARCHIVE_VERSION + (uint32_t)round % 3;
        struct byte_array packed = {0};
        struct archive_lists got = {0};
        io_error err;
        uint8_t *exact;
        for (size_t i = 0; i < LISTS; i++) {
            random_list(&r, 1 + (uint64_t)round % 5, version, &samples[i]);
            MUST(archive_list_pack(&samples[i].list, version, &packed, &err));
        }
        exact = malloc(packed.n);
        assert_non_null(exact);
        memcpy(exact, packed.bytes, packed.n);
        MUST(archive_lists_unpack(exact, packed.n, version, LISTS, &got, &err));
        assert_int_equal(got.n, LISTS);
        for (size_t i = 0; i < LISTS; i++)
            expect_list(&got.lists[i], &samples[i].list);
        assert_int_equal(archive_lists_unpack(exact, packed.n, version, LISTS - 1, &got, &err), IO_E_INPUT);
        assert_int_equal(archive_lists_unpack(exact, packed.n, version, LISTS + 1, &got, &err), IO_E_INPUT);
        assert_int_equal(archive_lists_unpack(exact, packed.n, version, UINT64_MAX, &got, &err), IO_E_INPUT);
        assert_int_equal(got.n, 0);
        for (int i = 0; i < 100; i++) {
            const size_t at = (size_t)random_below(&r, packed.n);
            const io_status status = archive_lists_unpack(exact, at, version, LISTS, &got, &err);
            assert_int_equal(status, IO_E_INPUT);
            exact[at] = (uint8_t)random_next(&r);
            (void)archive_lists_unpack(exact, packed.n, version, LISTS, &got, &err);
            exact[at] = packed.bytes[at];
        }
        free(exact);
        free(packed.bytes);
        archive_lists_free(&got);
    }
}

static void test_bad_numbers(void **state)
{
    static const uint8_t too_long[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0};
    static const uint8_t too_large[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2};
    static const uint8_t many_subjects[] = {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0};
    static const uint8_t many_hsps[] = {2, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t large_word[] = {2, 0, 0, 0x80, 0x80, 0x80, 0x80, 16, 0, 0, 0, 0, 0, 0};
    const struct {
        const uint8_t *bytes;
        size_t n;
    } cases[] = {{too_long, sizeof too_long},
                 {too_large, sizeof too_large},
                 {many_subjects, sizeof many_subjects},
                 {many_hsps, sizeof many_hsps},
                 {large_word, sizeof large_word}};
    struct archive_lists got = {0};
    io_error err;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(archive_lists_unpack(cases[i].bytes, cases[i].n, ARCHIVE_VERSION, 1, &got, &err), IO_E_INPUT);
    MUST(archive_lists_unpack(too_long, 0, ARCHIVE_VERSION, 0, &got, &err));
    assert_int_equal(got.n, 0);
    archive_lists_free(&got);
}

/* ---- archives ----------------------------------------------------------------------------------------------------------------- */

static void round_trip(uint32_t version)
{
    enum { BATCHES = 200 };
    struct batch_sample batches[BATCHES];
    sample_random r = {sample_seed()};
    struct archive_manifest manifest = {0};
    struct archive_reader *reader;
    struct archive_lists lists = {0};
    uint64_t record = random_below(&r, 3);
    const char *path = sample_path("round");
    io_error err;

    for (size_t i = 0; i < BATCHES; i++) {
        const uint64_t n_records = random_below(&r, 20);
        batches[i] = (struct batch_sample){record, n_records, n_records + random_below(&r, 2), random_next(&r)};
        record += n_records + random_below(&r, 3);
    }
    batches[BATCHES - 1].first = UINT64_MAX - 1;
    batches[BATCHES - 1].n_records = 1;
    MUST(archive_manifest_add(&manifest, "program", "blastp", &err));
    write_samples(path, &manifest, version, batches, BATCHES);
    MUST(archive_reader_open(path, &reader, &err));
    assert_string_equal(archive_reader_path(reader), path);
    assert_string_equal(archive_manifest_get(archive_reader_manifest(reader), "program", 0), "blastp");
    assert_int_equal(archive_reader_n_batches(reader), BATCHES);
    for (size_t i = 0; i < BATCHES; i++)
        expect_batch(reader, i, version, &batches[i], &lists);
    for (int i = 0; i < 50; i++) {
        const size_t k = (size_t)random_below(&r, BATCHES);
        expect_batch(reader, k, version, &batches[k], &lists);
    }
    MUST(archive_reader_check(reader, &err));
    expect_batch(reader, 0, version, &batches[0], &lists);
    archive_reader_close(reader);
    archive_lists_free(&lists);
    archive_manifest_free(&manifest);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (uint32_t version = ARCHIVE_VERSION; version <= ARCHIVE_VERSION_OF_CHAINS; version++)
        round_trip(version);
}

/* A file, and the checksum of what is in it. */
static uint64_t checksum_of(const char *path)
{
    struct archive_reader *reader;
    io_error err;
    uint64_t checksum;

    MUST(archive_reader_open(path, &reader, &err));
    MUST(archive_reader_check(reader, &err));
    checksum = archive_reader_checksum(reader);
    archive_reader_close(reader);
    return checksum;
}

static void test_checksum(void **state)
{
    const struct batch_sample batches[] = {{0, 3, 3, 7}, {3, 2, 2, 8}}, others[] = {{0, 3, 3, 7}, {3, 2, 2, 9}};
    struct archive_manifest manifest = {0};
    const char *path = sample_path("sum");
    uint64_t sums[6];
    io_error err;
    (void)state;

    write_samples(path, &manifest, ARCHIVE_VERSION, NULL, 0);
    sums[0] = checksum_of(path);
    write_samples(path, &manifest, ARCHIVE_VERSION, batches, 1);
    sums[1] = checksum_of(path);
    write_samples(path, &manifest, ARCHIVE_VERSION, batches, 2);
    sums[2] = checksum_of(path);
    write_samples(path, &manifest, ARCHIVE_VERSION, others, 2);
    sums[3] = checksum_of(path);
    write_samples(path, &manifest, ARCHIVE_VERSION, &(struct batch_sample){0, 4, 3, 7}, 1);
    sums[4] = checksum_of(path);
    MUST(archive_manifest_add(&manifest, "a", "b", &err));
    write_samples(path, &manifest, ARCHIVE_VERSION, batches, 1);
    sums[5] = checksum_of(path);
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(sums[i] != sums[k]);
    assert_true(sums[5] == sums[1]); /* the same lists under another manifest */
    archive_manifest_free(&manifest);
}

static void test_outputs(void **state)
{
    struct archive_manifest manifest = {0};
    struct archive_writer *writer;
    const char *path = sample_path("aborted"), *text = sample_write("text", "not an archive", 14);
    io_output output = {.path = "/dev/null", .is_kind = archive_is, .kind = "an archive"};
    io_error err;
    (void)state;

    assert_int_equal(archive_writer_open(&output, &manifest, ARCHIVE_VERSION, &writer, &err), IO_E_REFUSED);
    assert_null(writer);
    output.path = text;
    assert_int_equal(archive_writer_open(&output, &manifest, ARCHIVE_VERSION, &writer, &err), IO_E_REFUSED);
    output.path = path;
    MUST(archive_writer_open(&output, &manifest, ARCHIVE_VERSION, &writer, &err));
    MUST(archive_writer_begin_batch(writer, 0, 1, &err));
    archive_writer_abort(writer);
    archive_writer_abort(NULL);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(archive_is((const uint8_t *)"TAMISARCx", 9));
    assert_false(archive_is((const uint8_t *)"TAMISARC", 7));
    assert_false(archive_is((const uint8_t *)"TAMISFLT", 8));
    archive_reader_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manifest),      cmocka_unit_test(test_no_manifest),  cmocka_unit_test(test_known_bytes),
        cmocka_unit_test(test_known_strands), cmocka_unit_test(test_known_chains), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bad_numbers),   cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_outputs),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
