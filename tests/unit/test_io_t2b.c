/* .t2b files: what was written comes back; the bytes depend on the sequences alone; whatever is wrong in a file is found. */
#include "io_dna_samples.h"

#include <xxhash.h>

enum { HEADER = 32, BLOCK_HEADER = 40 };

static const char *encode(const sample *text, const char *name)
{
    const char *path = sample_path(name);
    const char *from = sample_write("text", text->bytes, text->size);
    io_error err;

    if (dna_encode_files(&from, 1, path, &err) != IO_END)
        fail_msg("%s", err.text);
    return path;
}

static sample read_file(const char *path)
{
    sample s = {NULL, 0, 0};
    uint8_t buffer[65536];
    FILE *file = fopen(path, "rb");
    size_t n;

    assert_non_null(file);
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        sample_add(&s, buffer, n);
    fclose(file);
    return s;
}

static void test_round_trip(void **state)
{
    static const size_t chunk_sizes[] = {1, 31, 32, 33, 1000, 1 << 20, TMS_DNA_MAX_BASES - 31};
    static const dna_look look = {60, 0, 0, 0};
    (void)state;

    for (uint64_t seed = 1; seed < 6; seed++) {
        dna_records all = dna_make(25, seed == 1 ? 3 : 500, seed);
        sample text = dna_fasta(&all, &look);
        const char *path = encode(&text, "round.t2b");
        for (uint32_t i = 0; i < 32; i++) {
            io_dna_options how = {&path, 1, chunk_sizes[i % 7], i, (int)i % 2};
            dna_expect(&how, &all);
        }
        sample_free(&text);
        dna_free(&all);
    }
}

/* Over several blocks, with a run and a record over their ends. */
static void test_blocks(void **state)
{
    static const dna_look look = {100, 0, 0, 0};
    static const size_t chunk_sizes[] = {100000, T2B_BLOCK_BASES, T2B_BLOCK_BASES - 5, TMS_DNA_MAX_BASES - 31};
    dna_records all = dna_make(4, 5000000, 3);
    sample text, first, second;
    const char *path;
    (void)state;

    memset(all.items[0].letters + T2B_BLOCK_BASES - 500, 'N', 1000);
    text = dna_fasta(&all, &look);
    path = encode(&text, "blocks.t2b");
    for (int i = 0; i < 4; i++) {
        io_dna_options how = {&path, 1, chunk_sizes[i], 11, i % 2};
        dna_expect(&how, &all);
    }
    first = read_file(path);
    {
        const char *again = sample_path("again.t2b");
        io_error err;
        assert_int_equal(dna_encode_files(&path, 1, again, &err), IO_END);
        second = read_file(again);
    }
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.bytes, second.bytes, first.size);
    sample_free(&text);
    sample_free(&first);
    sample_free(&second);
    dna_free(&all);
}

/* However the text looks, and however it is cut when it is read. */
static void test_same_bytes(void **state)
{
    static const dna_look looks[] = {{60, 0, 0, 0}, {0, 0, 0, 1}, {7, 1, 1, 0}, {50, 1, 1, 1}};
    dna_records all = dna_make(30, 3000, 4);
    sample want = {NULL, 0, 0};
    (void)state;

    for (size_t i = 0; i < 8; i++) {
        sample text = i % 2 ? dna_fastq(&all, &looks[i / 2]) : dna_fasta(&all, &looks[i / 2]), packed = {NULL, 0, 0}, got;
        for (size_t at = 0; at < text.size && i > 0; at += 1000)
            sample_gzip(&packed, text.bytes + at, text.size - at < 1000 ? text.size - at : 1000, 4);
        got = read_file(encode(i > 0 ? &packed : &text, "same.t2b"));
        if (i == 0) {
            want = got;
        } else {
            assert_int_equal(got.size, want.size);
            assert_memory_equal(got.bytes, want.bytes, want.size);
            sample_free(&got);
        }
        sample_free(&text);
        sample_free(&packed);
    }
    sample_free(&want);
    dna_free(&all);
}

static const char *message_of(const sample *file)
{
    static io_error err;
    const char *path = sample_write("bad.t2b", file->bytes, file->size);
    io_dna_options how = {&path, 1, 1000, 10, 0};
    io_dna_chunk chunk;
    io_dna *dna;
    io_status status = io_dna_open(&how, &dna, &err);

    while (status == IO_OK) {
        status = io_dna_next(dna, &chunk, &err);
        for (size_t i = 0; i < chunk.dna.n_parts; i++)
            assert_true(chunk.dna.parts[i].start + (size_t)chunk.dna.parts[i].n_bases <= chunk.dna.n_bases);
    }
    io_dna_close(dna);
    if (status == IO_END)
        return "";
    assert_int_equal(status, IO_E_INPUT);
    assert_non_null(strstr(err.text, path));
    return err.text;
}

/* Two records, two runs; 40 bases: codes 2 words, 2 parts, 2 runs, names "one" and "two". */
static sample small_file(void)
{
    static const char text[] = ">one\nACGTACGTNNACGTACGTAC\n>two\nTTTTTTTTTTTTTTTTTNNN\n";
    sample s = {NULL, 0, 0}, file;

    sample_add(&s, text, strlen(text));
    file = read_file(encode(&s, "small.t2b"));
    sample_free(&s);
    assert_int_equal(file.size, HEADER + BLOCK_HEADER + 16 + 48 + 16 + 6 + BLOCK_HEADER);
    return file;
}

static void test_cut_and_flipped(void **state)
{
    sample file = small_file();
    size_t size = file.size;
    (void)state;

    assert_string_equal(message_of(&file), "");
    for (file.size = 0; file.size < size; file.size++) {
        const char *message = message_of(&file);
        assert_non_null(strstr(message, file.size == 0 ? "empty" : file.size < 8 ? "neither FASTA" : "truncated .t2b"));
    }
    for (size_t bit = 0; bit < 8 * size; bit++) {
        file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_string_not_equal(message_of(&file), "");
        file.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    sample_add(&file, "", 1);
    assert_non_null(strstr(message_of(&file), "bytes follow the end of the .t2b"));
    sample_free(&file);
}

static void put(sample *file, size_t at, uint64_t v, size_t n) { memcpy(file->bytes + at, &v, n); }

/* Puts the checksums right, so that what is wrong is left to be found. */
static void seal(sample *file)
{
    uint8_t *block = file->bytes + HEADER, *end = file->bytes + file->size - BLOCK_HEADER;

    put(file, 24, XXH3_64bits_withSeed(file->bytes, 24, 0), 8);
    put(file, HEADER + 24, XXH3_64bits_withSeed(block + BLOCK_HEADER, (size_t)(end - block) - BLOCK_HEADER, 0), 8);
    put(file, HEADER + 32, XXH3_64bits_withSeed(block, 32, 0), 8);
    put(file, file->size - 8, XXH3_64bits_withSeed(end, 32, 1), 8);
}

static void test_fields(void **state)
{
    enum { CODES = HEADER + BLOCK_HEADER, PARTS = CODES + 16, RUNS = PARTS + 48, NAMES = RUNS + 16, END = NAMES + 6 };
    static const struct {
        size_t at, n;
        uint64_t value;
        const char *message;
    } cases[] = {
        {0, 0, 0, ""}, /* sealed again as it was: the checksums here are the format's */
        {8, 4, 2, ": .t2b format version 2; this program reads version 1"},
        {12, 4, 64, "its header"},
        {16, 8, 1, "its header"},
        {HEADER, 1, 'X', "header in block 0"},
        {HEADER + 4, 4, (1 << 22) + 1, "sizes in block 0"},
        {HEADER + 4, 4, 0xffffffff, "sizes in block 0"},
        {HEADER + 8, 4, 0, "sizes in block 0"},
        {HEADER + 8, 4, 7, "sizes in block 0"},
        {HEADER + 12, 4, 21, "sizes in block 0"},
        {HEADER + 16, 4, 0xffffffff, "sizes in block 0"},
        {HEADER + 20, 4, 1, "sizes in block 0"},
        {HEADER + 4, 4, 1 << 22, "truncated .t2b: it ends in block 0"},
        {HEADER + 4, 4, 39, "a run of other letters in block 0"}, /* as many words, but the last run goes beyond */
        {HEADER + 4, 4, 41, "the sum of its records in block 0"},
        {CODES + 2, 1, 1, "the code of another letter than ACGT in block 0"}, /* base 8 */
        {CODES + 15, 1, 0x80, "what follows the last base in block 0"},
        {PARTS, 8, 1, "the order of records in block 0"},
        {PARTS + 8, 8, 1, "the order of records in block 0"},
        {PARTS + 16, 4, 21, "the bases of a record in block 0"},
        {PARTS + 16, 4, 19, "the sum of its records in block 0"},
        {PARTS + 16, 4, 0xffffffff, "the bases of a record in block 0"},
        {PARTS + 20, 4, 0, "the length of a name in block 0"},
        {PARTS + 20, 4, 2, "the sum of its records in block 0"},
        {PARTS + 20, 4, 4, "the length of a name in block 0"},
        {PARTS + 20, 4, 0xffffffff, "the length of a name in block 0"},
        {PARTS + 24, 8, 0, "the order of records in block 0"},
        {PARTS + 24, 8, 2, "the order of records in block 0"},
        {PARTS + 32, 8, 20, "the order of records in block 0"},
        {RUNS, 4, 37, "a run of other letters in block 0"},     /* after the next */
        {RUNS + 8, 4, 10, "a run of other letters in block 0"}, /* where the one before ends */
        {RUNS, 4, 0xffffffff, "a run of other letters in block 0"},
        {RUNS + 4, 4, 0, "a run of other letters in block 0"},
        {RUNS + 4, 4, 0xffffffff, "a run of other letters in block 0"},
        {RUNS + 12, 4, 4, "a run of other letters in block 0"},
        {RUNS + 12, 4, 2, "totals in block 1"},
        {NAMES + 1, 1, 0, "a name in block 0"},
        {NAMES + 4, 1, ' ', "a name in block 0"},
        {END, 1, 'B', "header in block 1"},
        {END + 4, 4, 1, "totals in block 1"},
        {END + 8, 8, 3, "totals in block 1"},
        {END + 16, 8, 41, "totals in block 1"},
        {END + 24, 8, 4, "totals in block 1"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample file = small_file();
        const char *message;
        put(&file, cases[i].at, cases[i].value, cases[i].n);
        seal(&file);
        message = message_of(&file);
        if (cases[i].message[0] == '\0' ? message[0] != '\0' : strstr(message, cases[i].message) == NULL)
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, message, cases[i].message);
        sample_free(&file);
    }
}

/* Blocks repeated, left out, or of another file. */
static void test_other_blocks(void **state)
{
    sample file = small_file(), other = {NULL, 0, 0};
    size_t end = file.size - BLOCK_HEADER;
    (void)state;

    sample_add(&other, file.bytes, end);
    sample_add(&other, file.bytes + HEADER, file.size - HEADER);
    assert_non_null(strstr(message_of(&other), "header in block 1"));
    other.size = 0;
    sample_add(&other, file.bytes, HEADER);
    sample_add(&other, file.bytes + end, BLOCK_HEADER);
    assert_non_null(strstr(message_of(&other), "header in block 0"));
    sample_free(&file);
    sample_free(&other);
}

/* Records without a base, by the million: names are cut into blocks too. */
static void test_empty_records(void **state)
{
    enum { N = 700000 };
    sample text = {NULL, 0, 0};
    const char *path;
    io_dna_chunk chunk;
    io_dna *dna;
    io_error err;
    io_status status;
    uint64_t n = 0;
    (void)state;

    for (int i = 0; i < N; i++)
        sample_add(&text, ">abcdefg\n", 9);
    sample_add(&text, "A", 1);
    path = encode(&text, "empty.t2b");
    {
        io_dna_options how = {&path, 1, T2B_BLOCK_BASES, 0, 1};
        size_t n_chunks = 0;
        assert_int_equal(io_dna_open(&how, &dna, &err), IO_OK);
        while ((status = io_dna_next(dna, &chunk, &err)) == IO_OK) {
            n_chunks++;
            for (size_t i = 0; i < chunk.dna.n_parts; i++, n++) {
                assert_int_equal(chunk.dna.parts[i].record, n);
                assert_int_equal(chunk.dna.parts[i].n_bases, n == N - 1);
                assert_string_equal(chunk.dna.parts[i].name, "abcdefg");
            }
        }
        assert_int_equal(status, IO_END);
        assert_int_equal(n, N);
        assert_int_equal(n_chunks, 6); /* of 2^17 names */
        io_dna_close(dna);
    }
    sample_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_blocks), cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_cut_and_flipped), cmocka_unit_test(test_fields), cmocka_unit_test(test_other_blocks),
        cmocka_unit_test(test_empty_records),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
