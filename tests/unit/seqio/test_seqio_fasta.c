/* seqio_fasta and seqio_sequences: the order of events, wherever a buffer ends and whenever the sink is full; lines and their positions. */
#include "unit/io/io_samples.h"

#include "seqio/seqio_sequences.h"

enum { NOTHING, IN_FILE, IN_RECORD, IN_QUALITY };

/* What was told, as text: "[" file, ">" header "|", letters, "+" quality, ";" record, "]" file. */
typedef struct story {
    sample told;
    sample raw;         /* records as they stand, with "$" behind each */
    const sample *text; /* by line: of which every call has to be a part, at its place */
    unsigned state;     /* of random refusals; 0: never full */
    int at;
    size_t n_letters, n_quality;
} story;

static int refuses(story *s)
{
    s->state = s->state * 1664525 + 1013904223 * (s->state != 0);
    return s->state >> 30 == 1;
}

static io_status on_begin_file(void *arg, const char *file, int is_fastq, io_error *err)
{
    story *s = arg;

    (void)err;
    assert_non_null(file);
    if (refuses(s))
        return IO_SINK_FULL;
    assert_int_equal(s->at, NOTHING);
    s->at = IN_FILE;
    sample_add(&s->told, is_fastq ? "[@" : "[>", 2);
    return IO_OK;
}

static io_status on_begin(void *arg, const char *header, size_t n, const seqio_position *place, io_error *err)
{
    story *s = arg;

    (void)err;
    assert_true(place->line > 0 && place->column == 1);
    if (refuses(s))
        return IO_SINK_FULL;
    assert_int_equal(s->at, IN_FILE);
    s->at = IN_RECORD;
    s->n_letters = s->n_quality = 0;
    sample_add(&s->told, ">", 1);
    sample_add(&s->told, header, n);
    sample_add(&s->told, "|", 1);
    return IO_OK;
}

/* The byte at a place of the text. Lines end as in FASTA. */
static const uint8_t *at_place(const sample *text, const seqio_position *place)
{
    uint64_t line = 1;
    size_t i = 0;

    for (; line < place->line; i++) {
        assert_true(i < text->size);
        line += text->bytes[i] == '\n' || (text->bytes[i] == '\r' && i + 1 < text->size && text->bytes[i + 1] != '\n');
    }
    assert_true(i + place->column - 1 < text->size);
    return text->bytes + i + place->column - 1;
}

static io_status on_letters(void *arg, const uint8_t *letters, size_t n, const seqio_position *place, size_t *n_taken, io_error *err)
{
    story *s = arg;
    int full = refuses(s);

    (void)err;
    assert_int_equal(s->at, IN_RECORD);
    assert_true(n > 0 && *n_taken == 0);
    assert_int_equal(place != NULL, s->text != NULL);
    if (place != NULL)
        assert_memory_equal(letters, at_place(s->text, place), n);
    if (memchr(letters, '!', n) != NULL && place == NULL && !full) {
        *n_taken = (size_t)((const uint8_t *)memchr(letters, '!', n) - letters);
        return IO_E_INPUT;
    }
    *n_taken = full ? s->state % (n + 1) : n;
    if (full && place == NULL && memchr(letters, '!', *n_taken) != NULL)
        *n_taken = 0;
    sample_add(&s->told, letters, *n_taken);
    s->n_letters += *n_taken;
    return full ? IO_SINK_FULL : IO_OK;
}

static io_status on_quality(void *arg, const uint8_t *quality, size_t n, size_t *n_taken, io_error *err)
{
    story *s = arg;
    int full = refuses(s);

    (void)err;
    assert_true(s->at == IN_RECORD || s->at == IN_QUALITY);
    if (s->at == IN_RECORD)
        sample_add(&s->told, "+", 1);
    s->at = IN_QUALITY;
    *n_taken = full ? s->state % (n + 1) : n;
    sample_add(&s->told, quality, *n_taken);
    s->n_quality += *n_taken;
    assert_true(n > 0 && s->n_quality + n - *n_taken <= s->n_letters);
    return full ? IO_SINK_FULL : IO_OK;
}

static io_status on_end(void *arg, io_error *err)
{
    story *s = arg;

    (void)err;
    if (refuses(s))
        return IO_SINK_FULL;
    assert_true(s->at == IN_RECORD || s->at == IN_QUALITY);
    assert_true(s->at == IN_RECORD || s->n_letters == s->n_quality);
    s->at = IN_FILE;
    sample_add(&s->told, ";", 1);
    sample_add(&s->raw, "$", 1);
    return IO_OK;
}

static io_status on_raw(void *arg, const uint8_t *bytes, size_t n, io_error *err)
{
    story *s = arg;

    (void)err;
    assert_true(n > 0 && (s->at == IN_RECORD || s->at == IN_QUALITY));
    sample_add(&s->raw, bytes, n);
    return IO_OK;
}

static io_status on_end_file(void *arg, io_error *err)
{
    story *s = arg;

    (void)err;
    if (refuses(s))
        return IO_SINK_FULL;
    assert_int_equal(s->at, IN_FILE);
    s->at = NOTHING;
    sample_add(&s->told, "]", 1);
    return IO_OK;
}

static const char *fault(uint8_t letter)
{
    assert_int_equal(letter, '!');
    return "is bad";
}

static int may_lack_header;
static const char *want_raw; /* NULL: of no interest */

/* Reads a text and compares what is told, or what is said, with `want`. */
static void expect(const sample *text, const char *path, size_t buffer, int by_line, unsigned refusals, const char *want, size_t n_want)
{
    story s = {.text = by_line ? text : NULL, .state = refusals};
    seqio_sequences_options how = {
        .paths = &path, .n_paths = 1, .cancel_fd = -1, .may_lack_header = may_lack_header, .buffer_bytes = buffer};
    seqio_sequences *sequences;
    io_status status;
    io_error err;

    how.sink = (seqio_sequence_sink){&s,
                                     by_line,
                                     on_begin_file,
                                     on_begin,
                                     on_letters,
                                     by_line ? NULL : fault,
                                     on_quality,
                                     on_end,
                                     on_end_file,
                                     want_raw != NULL ? on_raw : NULL};
    assert_int_equal(seqio_sequences_create(&how, &sequences, &err), IO_OK);
    while ((status = seqio_sequences_read(sequences, &err)) == IO_SINK_FULL) {
    }
    if (status == IO_END) {
        assert_int_equal(s.told.size, n_want);
        assert_memory_equal(s.told.bytes, want, n_want);
        assert_int_equal(s.at, NOTHING);
        assert_int_equal(seqio_sequences_offset(sequences), text->size);
        if (want_raw != NULL) {
            assert_int_equal(s.raw.size, strlen(want_raw));
            assert_memory_equal(s.raw.bytes, want_raw, s.raw.size);
        }
    } else {
        assert_int_equal(status, IO_E_INPUT);
        assert_string_equal(err.text + strlen(path), want);
    }
    seqio_sequences_free(sequences);
    sample_free(&s.told);
    sample_free(&s.raw);
}

/* by_line: 0, 1; 2: the same both ways. */
static void expect_always(const char *bytes, size_t size, int by_line, const char *want, size_t n_want)
{
    sample text = {NULL, 0, 0};
    const char *path = sample_write("text", bytes, size);

    sample_add(&text, bytes, size);
    for (size_t buffer = 1; buffer < 42; buffer++)
        for (unsigned refusals = 0; refusals < 4; refusals++)
            for (int by = 0; by < 2; by++)
                if (by_line == by || by_line == 2)
                    expect(&text, path, buffer < 41 ? buffer : 0, by, refusals, want, n_want);
    sample_free(&text);
}

static void test_events(void **state)
{
    static const struct {
        const char *text, *told;
    } cases[] = {
        {">a\nAC\nGT\n>b\n>c\nT", "[>>a|ACGT;>b|;>c|T;]"},
        {"\n \r\n>a b\tc \r\nac  \r\n\r\n \t\r\nG T\r\n", "[>>a b\tc |acG T;]"},
        {">\n>\r\n\n> x", "[>>|;>|;> x|;]"},
        {">a\rAC\rGT\r>b\r\r\nA\n\rC\r", "[>>a|ACGT;>b|AC;]"},
        {">a\nAC \t G\t\n  T>\n>>\nx@+", "[>>a|AC \t G  T>;>>|x@+;]"},
        {">a\n*-1.\xc3\xa9;\n", "[>>a|*-1.\xc3\xa9;;]"},
        {">\xc3\xa9|\x01 x\nA", "[>>\xc3\xa9|\x01 x|A;]"},
        {"@a x\nAC\n+a x\nII\n@b\n\n+\n\n@c\nA\n+\n@", "[@>a x|AC+II;>b|;>c|A+@;]"},
        {"@a\r\nAC\r\nG\r\n+\r\n@+\r\n>\r\n\r\n@b\r\nT\r\n+\r\n!", "[@>a|ACG+@+>;>b|T+!;]"},
        {"@a\nA C\n+\nI I  \n", "[@>a|A C+I I;]"},
        {"@a\nACGT\n+\nIII", ":4: the sequence has 4 characters, but its quality has only 3"},
        {"@a\nACGT\n+\nIIIIII\n", ":4: the sequence has 4 characters, but its quality has 6"},
        {"@a\nACGT", ":2: the file ends before the record's quality"},
        {"@a\nA\n+\nI\n>b", ":5: '>' where the next record should begin with '@'"},
        {"ACGT\n", ":1: neither FASTA ('>') nor FASTQ ('@')"},
        {"\n \n", ": no sequence: the file is empty"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_always(cases[i].text, strlen(cases[i].text), 2, cases[i].told, strlen(cases[i].told));
    expect_always(">a\0b\nA\0C\n", 9, 2, "[>>a\0b|A\0C;]", 12);
}

/* Records as they stand: every byte of FASTA, and of FASTQ all but blank lines between records. */
static void test_raw(void **state)
{
    static const struct {
        const char *text, *told, *raw;
    } cases[] = {
        {">a\nAC\nGT\n>b\n>c\nT", "[>>a|ACGT;>b|;>c|T;]", ">a\nAC\nGT\n$>b\n$>c\nT$"},
        {"\n \r\n>a b\tc \r\nac  \r\n\r\n \t\r\nG T\r\n\r\n>b \t", "[>>a b\tc |acG T;>b \t|;]",
         ">a b\tc \r\nac  \r\n\r\n \t\r\nG T\r\n\r\n$>b \t$"},
        {">a\rAC\rGT\r>b\r\r\nA\n\rC\r", "[>>a|ACGT;>b|AC;]", ">a\rAC\rGT\r$>b\r\r\nA\n\rC\r$"},
        {">a\nAC \t", "[>>a|AC;]", ">a\nAC \t$"},
        {"@a x\nAC\n+a x\nII\n@b\n\n+\n\n@c\nA\n+\n@", "[@>a x|AC+II;>b|;>c|A+@;]", "@a x\nAC\n+a x\nII\n$@b\n\n+\n\n$@c\nA\n+\n@$"},
        {"@a\r\nAC\r\nG\r\n+\r\n@+\r\n>\r\n\r\n@b\r\nT\r\n+\r\n! \r", "[@>a|ACG+@+>;>b|T+!;]",
         "@a\r\nAC\r\nG\r\n+\r\n@+\r\n>\r\n$@b\r\nT\r\n+\r\n! \r$"},
        {"@a\n\n+\n@b\nA\n+\nI\n\n\n@c\n+\n \n\n", "[@>a|;>b|A+I;>c|;]", "@a\n\n+\n$@b\nA\n+\nI\n$@c\n+\n \n$"},
        {"@a\n+", "[@>a|;]", "@a\n+$"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        want_raw = cases[i].raw;
        expect_always(cases[i].text, strlen(cases[i].text), 2, cases[i].told, strlen(cases[i].told));
    }
    want_raw = NULL;
}

/* Where that is asked for, a file may begin with letters. */
static void test_no_header(void **state)
{
    static const char *const texts[] = {"ACGT\nA\n>b\nT", "\n\nA C\r\nG\n>", "AC\rG\r>b c\r", "A", ">a\nAC\n", "@a\nA\n+\nI\n"};
    static const char *const told[] = {"[>>|ACGTA;>b|T;]", "[>>|A CG;>|;]", "[>>|ACG;>b c|;]", "[>>|A;]", "[>>a|AC;]", "[@>a|A+I;]"};
    (void)state;

    may_lack_header = 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_always(texts[i], strlen(texts[i]), 2, told[i], strlen(told[i]));
    expect_always("", 0, 2, ": no sequence: the file is empty", 0);
    may_lack_header = 0;
}

/* The line of a letter that the sink refuses; comments before the first record are for sinks by line. */
static void test_faults(void **state)
{
    static const char *const texts[] = {">a\nAC\n\n G T\r\nAC!T\n", ">a\nAC!T", ">a\rAC\rGT\rA\r!\rCG\r",
                                        "@a\nACGT\nA\n+\nIIIII\n@b\nA\nC!\n+\nIII\n"};
    static const char *const want[] = {":5: '!' is bad", ":2: '!' is bad", ":5: '!' is bad", ":8: '!' is bad"};
    static const char comments[] = "; x >\n#\n\n! @\r\n>a\nAC\n;x\n";
    (void)state;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_always(texts[i], strlen(texts[i]), 0, want[i], 0);
    expect_always(comments, strlen(comments), 1, "[>>a|AC;x;]", 11);
    expect_always(comments, strlen(comments), 0, ":1: neither FASTA ('>') nor FASTQ ('@')", 0);
}

/* Headers and runs of blanks that are longer than any buffer. */
static void test_long_lines(void **state)
{
    enum { N = 300000 };
    sample text = {NULL, 0, 0}, want = {NULL, 0, 0};
    char *many = malloc(N);
    const char *path;
    (void)state;

    assert_non_null(many);
    memset(many, 'n', N);
    sample_add(&text, ">", 1);
    sample_add(&want, "[>>", 3);
    sample_add(&text, many, N);
    sample_add(&want, many, N);
    memset(many, ' ', N);
    sample_add(&text, "\nA", 2);
    sample_add(&want, "|A", 2);
    sample_add(&text, many, N);
    sample_add(&want, many, N);
    sample_add(&text, "C", 1);
    sample_add(&want, "C;]", 3);
    sample_add(&text, many, N);
    path = sample_write("long", text.bytes, text.size);
    for (int by_line = 0; by_line < 2; by_line++)
        for (size_t buffer = 0; buffer < 2000; buffer += 999)
            expect(&text, path, buffer, by_line, 0, (const char *)want.bytes, want.size);
    free(many);
    sample_free(&text);
    sample_free(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_events), cmocka_unit_test(test_raw), cmocka_unit_test(test_no_header),
                                       cmocka_unit_test(test_faults), cmocka_unit_test(test_long_lines)};
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
