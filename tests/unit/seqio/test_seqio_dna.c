/* seqio_dna: whatever the file looks like and however it is cut into chunks, the records are those that were written. */
#include "unit/seqio/io_dna_samples.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

static const size_t chunk_sizes[] = {1, 2, 31, 32, 33, 64, 1000, 1 << 20, TMS_DNA_MAX_BASES - 31};
enum { N_SIZES = sizeof chunk_sizes / sizeof *chunk_sizes };

/* All overlaps with some chunk size, and all chunk sizes with some overlap. */
static void expect_file(const char *path, const dna_records *want)
{
    for (uint32_t i = 0; i < 32 + N_SIZES; i++) {
        seqio_dna_options how = {&path, 1, chunk_sizes[i % N_SIZES], i < 32 ? i : (i * 11) % 32, (int)i % 2, (int)(i * 7 % 40)};
        dna_expect(&how, want);
    }
}

static void expect_text(const sample *text, const dna_records *want) { expect_file(sample_write("text", text->bytes, text->size), want); }

/* A gzip member of a few bytes is a piece of its own to the reader: names, lines and records are cut anywhere. */
static const char *write_pieces(const sample *text, size_t piece)
{
    sample packed = {NULL, 0, 0};
    const char *path;

    for (size_t at = 0; at < text->size; at += piece)
        sample_gzip(&packed, text->bytes + at, text->size - at < piece ? text->size - at : piece, 0);
    path = sample_write("pieces.gz", packed.size > 0 ? (const char *)packed.bytes : "", packed.size);
    sample_free(&packed);
    return path;
}

static void test_looks(void **state)
{
    static const dna_look looks[] = {{60, 0, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {70, 1, 0, 1}, {13, 0, 1, 0}, {50, 1, 1, 1}};
    dna_records all = dna_make(20, 400, 5);
    (void)state;

    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        sample fasta = dna_fasta(&all, &looks[i]), fastq = dna_fastq(&all, &looks[i]);
        expect_text(&fasta, &all);
        expect_text(&fastq, &all);
        sample_free(&fasta);
        sample_free(&fastq);
    }
    dna_free(&all);
}

static void test_pieces(void **state)
{
    static const dna_look look = {30, 1, 1, 1};
    dna_records all = dna_make(9, 150, 6);
    sample fasta = dna_fasta(&all, &look), fastq = dna_fastq(&all, &look);
    (void)state;

    for (size_t piece = 1; piece < 40; piece += 1 + piece / 4) {
        const char *path = write_pieces(&fasta, piece);
        seqio_dna_options how = {&path, 1, 77, (uint32_t)piece % 32, 1};
        dna_expect(&how, &all);
        path = write_pieces(&fastq, piece);
        dna_expect(&how, &all);
    }
    sample_free(&fasta);
    sample_free(&fastq);
    dna_free(&all);
}

/* Over the reader's own buffers, and as one line. */
static void test_large(void **state)
{
    static const dna_look looks[] = {{70, 0, 0, 0}, {0, 0, 0, 0}};
    static const size_t sizes[] = {4096, 100003, 1 << 20, TMS_DNA_MAX_BASES - 31};
    dna_records all = dna_make(5, 700000, 7);
    (void)state;

    for (int l = 0; l < 2; l++) {
        sample fasta = dna_fasta(&all, &looks[l]), packed = {NULL, 0, 0};
        const char *paths[2];
        sample_zstd(&packed, fasta.bytes, fasta.size);
        paths[0] = sample_write("large", fasta.bytes, fasta.size);
        paths[1] = sample_write("large.zst", packed.bytes, packed.size);
        for (int i = 0; i < 4; i++) {
            seqio_dna_options how = {&paths[i % 2], 1, sizes[i], 15, 0};
            dna_expect(&how, &all);
        }
        sample_free(&fasta);
        sample_free(&packed);
    }
    dna_free(&all);
}

/* Files of all kinds in a row are one input. */
static void test_files(void **state)
{
    static const dna_look look = {60, 0, 0, 1};
    dna_records parts[3], all = {calloc(36, sizeof *all.items), 0};
    const char *paths[3];
    char names[3][128];
    (void)state;

    for (int i = 0; i < 3; i++) {
        sample text;
        char name[16];
        parts[i] = dna_make(12, 300, 20 + (uint64_t)i);
        text = i == 1 ? dna_fastq(&parts[i], &look) : dna_fasta(&parts[i], &look);
        snprintf(name, sizeof name, "part%d", i);
        snprintf(names[i], sizeof names[i], "%s", sample_write(name, text.bytes, text.size));
        paths[i] = names[i];
        sample_free(&text);
        for (size_t j = 0; j < 12; j++)
            all.items[all.n++] = parts[i].items[j];
    }
    for (size_t i = 0; i < N_SIZES; i++) {
        seqio_dna_options how = {paths, 3, chunk_sizes[i], 12, (int)i % 2};
        dna_expect(&how, &all);
    }
    for (int i = 0; i < 3; i++)
        dna_free(&parts[i]);
    free(all.items);
}

/* Names: first word, none, long; many names close a chunk before its bases do. */
static void test_names(void **state)
{
    static const char unnamed[] = ">\nA\n> \t\r\nC\n>\tx y\nG\n>z";
    sample text = {NULL, 0, 0};
    const char *path;
    char name[SEQIO_DNA_MAX_NAME + 1];
    seqio_dna_options how = {&path, 1, 1000, 0, 0};
    seqio_dna_totals totals;
    seqio_dna_chunk chunk;
    io_status status;
    io_error err;
    seqio_dna *dna;
    size_t n_chunks = 0, n_parts = 0, n_bytes;
    (void)state;

    sample_add(&text, unnamed, strlen(unnamed));
    path = sample_write("names", text.bytes, text.size);
    assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_OK);
    assert_int_equal(seqio_dna_next(dna, &chunk, &err), IO_OK);
    assert_int_equal(chunk.dna.n_parts, 3);
    assert_string_equal(chunk.dna.parts[0].name, "sequence_1");
    assert_string_equal(chunk.dna.parts[1].name, "sequence_2");
    assert_string_equal(chunk.dna.parts[2].name, "x");
    assert_int_equal(seqio_dna_next(dna, &chunk, &err), IO_END);
    seqio_dna_get_totals(dna, &totals);
    assert_int_equal(totals.n_records, 4);
    seqio_dna_close(dna);

    text.size = 0;
    memset(name, 'n', sizeof name);
    for (int i = 0; i < 10; i++) {
        sample_add(&text, ">", 1);
        sample_add(&text, name, SEQIO_DNA_MAX_NAME);
        sample_add(&text, "\nACGT\n", 6);
    }
    path = sample_write("names", text.bytes, text.size);
    assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_OK);
    while ((status = seqio_dna_next(dna, &chunk, &err)) == IO_OK) {
        n_chunks++;
        n_bytes = 0;
        for (size_t i = 0; i < chunk.dna.n_parts; i++) {
            assert_int_equal(strlen(chunk.dna.parts[i].name), SEQIO_DNA_MAX_NAME);
            assert_int_equal(chunk.dna.parts[i].record, n_parts++);
            n_bytes += SEQIO_DNA_MAX_NAME + 1;
        }
        assert_in_range(n_bytes, 1, 2 * (SEQIO_DNA_MAX_NAME + 1));
    }
    assert_int_equal(status, IO_END);
    assert_int_equal(n_parts, 10);
    assert_true(n_chunks >= 5);
    seqio_dna_close(dna);

    text.size = 0;
    sample_add(&text, ">a\nAC\n>", 7);
    sample_add(&text, name, SEQIO_DNA_MAX_NAME + 1);
    path = sample_write("names", text.bytes, text.size);
    assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_OK);
    assert_int_equal(seqio_dna_next(dna, &chunk, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, ":3: a name has more than 65535 bytes"));
    seqio_dna_close(dna);
    sample_free(&text);
}

/* How many chunks may wait changes nothing of them, also if it becomes less while more than that wait. */
static void test_ahead(void **state)
{
    static const int aheads[][2] = {{1, 1},  {2, 1}, {100, 1}, {SEQIO_DNA_MAX_AHEAD, 3}, {SEQIO_DNA_MAX_AHEAD, SEQIO_DNA_MAX_AHEAD},
                                    {5, 200}};
    sample text = {NULL, 0, 0};
    const char *path;
    (void)state;

    sample_add(&text, ">a\n", 3);
    for (int i = 0; i < 1000; i++)
        sample_add(&text, "ACGT\n", 5);
    path = sample_write("ahead", text.bytes, text.size);
    for (size_t i = 0; i < sizeof aheads / sizeof *aheads; i++)
        for (int pause = 0; pause < 2; pause++) {
            seqio_dna_options how = {.paths = &path, .n_paths = 1, .chunk_bases = 10, .n_ahead = aheads[i][0]};
            size_t n_chunks = 0, n_slots = (size_t)aheads[i][0];
            io_status status;
            seqio_dna_chunk chunk;
            io_error err;
            seqio_dna *dna;
            assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_OK);
            if (pause)
                usleep(1000); /* so that some wait */
            while ((status = seqio_dna_next(dna, &chunk, &err)) == IO_OK) {
                assert_int_equal(chunk.dna.n_bases, 10);
                assert_int_equal(chunk.dna.parts->offset, 10 * n_chunks);
                if (n_chunks++ == 20)
                    seqio_dna_set_ahead(dna, aheads[i][1] < (int)n_slots ? aheads[i][1] : (int)n_slots);
            }
            assert_int_equal(status, IO_END);
            assert_int_equal(n_chunks, 400);
            seqio_dna_close(dna);
        }
    sample_free(&text);
}

/* The message, without the path that it begins with; "" where all is well. */
static const char *message_of(const char *path, size_t chunk_bases)
{
    static io_error err;
    seqio_dna_options how = {&path, 1, chunk_bases, 5, 0};
    seqio_dna_chunk chunk;
    seqio_dna *dna;
    io_status status = seqio_dna_open(&how, &dna, &err);

    while (status == IO_OK)
        status = seqio_dna_next(dna, &chunk, &err);
    seqio_dna_close(dna);
    if (status == IO_END)
        return "";
    assert_int_equal(status, IO_E_INPUT);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    return err.text + strlen(path);
}

static void test_faults(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ": no sequence: the file is empty"},
        {"\n \r\n\t\n", ": no sequence: the file is empty"},
        {">a\n", ": no sequence: there are names, but no bases"},
        {">a\n\n>b", ": no sequence: there are names, but no bases"},
        {"@a\n\n+\n\n", ": no sequence: there are names, but no bases"},
        {"ACGT\n", ":1: neither FASTA ('>') nor FASTQ ('@')"},
        {"\n\n  x>a\nACGT\n", ":3: neither FASTA ('>') nor FASTQ ('@')"},
        {">a\nACGT\nACEGT\n", ":3: 'E' is not a nucleotide; is this protein?"},
        {">a\r\n\r\nACGT  \r\nACGT\r\nMKVl\r\n", ":5: 'l' is not a nucleotide; is this protein?"},
        {">a\nACGT\n>b\nAC\n\n\nAC*\n", ":7: '*' is not a nucleotide; is this protein?"},
        {">a\nACG-T\n", ":2: '-' is not a nucleotide: gaps are not allowed here"},
        {">a\nACG1\n", ":2: '1' is not a nucleotide"},
        {">a\nACG T\n", ":2: ' ' is not a nucleotide"},
        {">a\nAC\n  GT\n", ":3: ' ' is not a nucleotide"},
        {">a\nAC\xc3\xa9\n", ":2: byte 0xc3 is not a nucleotide"},
        {">a\nAC\n;x\n", ":3: ';' is not a nucleotide"},
        {">a\x01\nAC", ""},
        {">a\rAC", ""},
        {">a\rAC\r\rGT\r\n>b\rA\nE", ":7: 'E' is not a nucleotide; is this protein?"},
        {"@a\nACGT\n+\nIIII\n", ""},
        {"@a\nACGT\n+\nIIII", ""},
        {"@a\nACGT\n+\nI \tI\n", ""},
        {"@a\nAC\nGT\n+\n@I\n+I\n\n@b\nA\n+b\n@\n", ""},
        {"@a\nACGT\n+\nIII\n", ":4: the sequence has 4 characters, but its quality has only 3"},
        {"@a\nACGT\n+\n", ":3: the sequence has 4 characters, but its quality has only 0"},
        {"@a\nACGT\n+", ":3: the sequence has 4 characters, but its quality has only 0"},
        {"@a\nACGT\n+\nIIIII\n", ":4: the sequence has 4 characters, but its quality has 5"},
        {"@a\nACGT\n+\nIII\n@b\nACGT\n+\nIIII\n", ":5: the sequence has 4 characters, but its quality has 5"},
        {"@a\nACGT\n+\nIIII\nACGT\n", ":5: 'A' where the next record should begin with '@'"},
        {"@a\nACGT\n+\nIIII\n>b\nACGT\n", ":5: '>' where the next record should begin with '@'"},
        {"@a\nACGT\n", ":2: the file ends before the record's quality"},
        {"@a\nACGT", ":2: the file ends before the record's quality"},
        {"@a\nAC\n@b\nGT\n", ":3: '@' is not a nucleotide"},
        {"@a\nACGT\n+\nIIII\n@b", ":5: the file ends before the record's quality"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample text = {NULL, 0, 0};
        sample_add(&text, cases[i].text, strlen(cases[i].text));
        for (size_t piece = 1; piece < 6; piece++) {
            const char *path = piece < 5 ? write_pieces(&text, piece) : sample_write("bad", cases[i].text, text.size);
            assert_string_equal(message_of(path, piece), cases[i].message);
            assert_string_equal(message_of(path, 1 << 20), cases[i].message);
        }
        sample_free(&text);
    }
    assert_string_equal(message_of(sample_write("nul", ">a\0b\nACGT\n", 10), 10), ":1: byte 0x00 in a name");
    assert_string_equal(message_of(sample_write("nul", ">a\nAC\0\n", 7), 10), ":2: byte 0x00 is not a nucleotide");
    assert_non_null(strstr(message_of("/nowhere", 10), "No such file"));
}

/* A fault deep in a file has its line; nothing of the files before is lost; a cut gzip file is cut. */
static void test_late_faults(void **state)
{
    static const dna_look look = {60, 0, 0, 0};
    dna_records all = dna_make(3, 500000, 8);
    sample text = dna_fasta(&all, &look), packed = {NULL, 0, 0};
    size_t n_lines = 0;
    char want[64];
    (void)state;

    for (size_t i = 0; i < text.size; i++)
        n_lines += text.bytes[i] == '\n';
    sample_add(&text, "ACGTL\n", 6);
    snprintf(want, sizeof want, ":%zu: 'L' is not a nucleotide; is this protein?", n_lines + 1);
    assert_string_equal(message_of(sample_write("late", text.bytes, text.size), 1000), want);
    assert_string_equal(message_of(sample_write("late", text.bytes, text.size), 1 << 24), want);
    sample_gzip(&packed, text.bytes, text.size - 6, 0);
    assert_non_null(strstr(message_of(sample_write("cut", packed.bytes, packed.size - 5), 1000), "truncated"));
    sample_free(&text);
    sample_free(&packed);
    dna_free(&all);
}

typedef struct feed {
    int fd;
    const sample *text;
} feed;

static void *feed_main(void *arg)
{
    const feed *f = arg;

    for (size_t at = 0, n; at < f->text->size; at += n) {
        n = 1 + at % 37;
        n = n < f->text->size - at ? n : f->text->size - at;
        if (write(f->fd, f->text->bytes + at, n) != (ssize_t)n)
            break;
    }
    close(f->fd);
    return NULL;
}

/* Standard input is a pipe that another thread fills in small pieces. */
static void test_pipe(void **state)
{
    static const dna_look look = {60, 0, 1, 0};
    static const char *const path = "-";
    dna_records all = dna_make(30, 600, 9);
    sample text = dna_fastq(&all, &look);
    seqio_dna_options how = {&path, 1, 500, 10, 0};
    feed f = {-1, &text};
    pthread_t thread;
    int ends[2], before = dup(STDIN_FILENO);
    (void)state;

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    f.fd = ends[1];
    assert_int_equal(pthread_create(&thread, NULL, feed_main, &f), 0);
    dna_expect(&how, &all);
    pthread_join(thread, NULL);
    if (before >= 0) {
        dup2(before, STDIN_FILENO);
        close(before);
    }
    sample_free(&text);
    dna_free(&all);
}

/* Closing early: with chunks waiting, and with a reader that waits for a pipe in the middle of a record. */
static void test_close(void **state)
{
    static const dna_look look = {60, 0, 0, 0};
    dna_records all = dna_make(10, 50000, 10);
    sample text = dna_fasta(&all, &look);
    const char *path = sample_write("much", text.bytes, text.size);
    seqio_dna_options how = {&path, 1, 1000, 10, 0};
    seqio_dna_chunk chunk;
    seqio_dna *dna;
    io_error err;
    int writer;
    (void)state;

    for (int n = 0; n < 6; n++) {
        assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_OK);
        for (int i = 0; i < n; i++)
            assert_int_equal(seqio_dna_next(dna, &chunk, &err), IO_OK);
        seqio_dna_close(dna);
    }
    path = sample_path("silent");
    assert_int_equal(mkfifo(path, 0600), 0);
    writer = open(path, O_RDWR);
    assert_int_equal(write(writer, "@a\nACG", 6), 6);
    assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_OK);
    seqio_dna_close(dna);
    close(writer);
    seqio_dna_close(NULL);
    sample_free(&text);
    dna_free(&all);
}

static void test_open(void **state)
{
    const char *paths[2] = {"-", "-"};
    seqio_dna_options how = {paths, 2, 10, 0, 0};
    seqio_dna *dna;
    io_error err;
    (void)state;

    assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "named twice"));
    paths[0] = sample_write("good", ">a\nA\n", 5);
    paths[1] = "/nowhere";
    assert_int_equal(seqio_dna_open(&how, &dna, &err), IO_E_INPUT); /* found before anything is read */
    assert_null(dna);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks), cmocka_unit_test(test_pieces), cmocka_unit_test(test_large),       cmocka_unit_test(test_files),
        cmocka_unit_test(test_names), cmocka_unit_test(test_faults), cmocka_unit_test(test_late_faults), cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_close), cmocka_unit_test(test_open),   cmocka_unit_test(test_ahead),
    };
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
