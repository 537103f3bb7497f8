/* seqio_records: whatever the file looks like and however it is cut into batches, the records are those that were written. */
#include "unit/io/io_samples.h"

#include "seqio/seqio_records.h"

typedef struct record {
    char *header, *letters, *quality; /* NUL-terminated; quality NULL: FASTA */
    char *raw;                        /* as it was written */
    size_t raw_size;
} record;

typedef struct records {
    record items[200];
    size_t n;
} records;

static uint64_t random_state = 1;

static uint64_t random_below(uint64_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % n;
}

static char *random_text(const char *from, size_t n)
{
    char *text = malloc(n + 1);

    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        text[i] = from[random_below(strlen(from))];
    text[n] = '\0';
    return text;
}

static void make(records *all, size_t n, size_t longest, int is_fastq)
{
    static const char *const headers[] = {"", "a", "a|b c", " x", "t\tab", "\xc3\xa9\x01", ">>", "@ + "};

    for (size_t i = 0; i < n; i++) {
        record *r = &all->items[all->n++];
        size_t size = i % 5 == 3 ? 0 : (size_t)random_below(longest + 1);
        r->header = i < 8 ? strdup(headers[i]) : random_text("ab |.\t", (size_t)random_below(30));
        r->letters = random_text("ACGTacgtnN*-", size);
        r->quality = is_fastq ? random_text("!#@+>I~", size) : NULL;
        assert_non_null(r->header);
    }
}

static void free_records(records *all)
{
    for (size_t i = 0; i < all->n; i++) {
        free(all->items[i].header);
        free(all->items[i].letters);
        free(all->items[i].quality);
        free(all->items[i].raw);
        all->items[i].raw = NULL;
    }
    all->n = 0;
}

static void add_lines(sample *out, const char *bytes, size_t line, const char *lf)
{
    size_t n = strlen(bytes);

    for (size_t at = 0; at < n || at == 0; at += line) {
        sample_add(out, bytes + at, n - at < line ? n - at : line);
        sample_add(out, lf, strlen(lf));
    }
}

static sample write_text(records *all, size_t first, size_t line, const char *lf)
{
    sample out = {NULL, 0, 0};

    for (size_t i = first; i < all->n; i++) {
        record *r = &all->items[i];
        size_t from = out.size;
        sample_add(&out, r->quality != NULL ? "@" : ">", 1);
        add_lines(&out, r->header, SIZE_MAX / 2, lf);
        add_lines(&out, r->letters, line, lf);
        if (r->quality != NULL) {
            add_lines(&out, "+", SIZE_MAX / 2, lf);
            add_lines(&out, r->quality, line, lf);
        }
        r->raw_size = out.size - from;
        r->raw = malloc(r->raw_size);
        assert_non_null(r->raw);
        memcpy(r->raw, out.bytes + from, r->raw_size);
    }
    return out;
}

/* How much of a record has come. */
typedef struct progress {
    size_t n_letters, n_raw, n_parts;
} progress;

/* An item: a record, or its next part. */
static void expect_item(const seqio_records_options *how, const seqio_records_batch *batch, size_t i, const record *want, progress *got)
{
    const tms_seqs *s = &batch->seqs;
    size_t n = (size_t)tms_seqs_length(s, i), is_first = got->n_parts++ == 0;
    size_t size = how->no_headers || !is_first ? 0 : strlen(want->header), name = strcspn(want->header, " \t");

    assert_true(got->n_letters + n <= strlen(want->letters));
    assert_memory_equal(s->residues + s->residue_starts[i], want->letters + got->n_letters, n);
    assert_int_equal(s->residues[s->residue_starts[i] + n], '\0');
    assert_int_equal(tms_seqs_header_size(s, i), size);
    assert_memory_equal(s->headers + s->header_starts[i], want->header, size);
    assert_int_equal(s->headers[s->header_starts[i] + size], '\0');
    assert_int_equal(s->name_sizes[i], how->no_headers || !is_first ? 0 : name);
    assert_int_equal(batch->is_fastq, want->quality != NULL);
    assert_int_equal(s->qualities != NULL, want->quality != NULL && !how->no_qualities);
    assert_int_equal(batch->raw != NULL, how->raw);
    if (how->raw) {
        size_t n_raw = (size_t)(batch->raw_starts[i + 1] - batch->raw_starts[i]);
        assert_true(got->n_raw + n_raw <= want->raw_size);
        assert_memory_equal(batch->raw + batch->raw_starts[i], want->raw + got->n_raw, n_raw);
        got->n_raw += n_raw;
    }
    if (s->qualities != NULL)
        assert_memory_equal(s->qualities + s->residue_starts[i], want->quality, n + 1);
    got->n_letters += n;
}

static void expect_whole(const seqio_records_options *how, const record *want, progress *got)
{
    assert_int_equal(got->n_letters, strlen(want->letters));
    if (how->raw)
        assert_int_equal(got->n_raw, want->raw_size);
    *got = (progress){0, 0, 0};
}

/* What stands in the file comes for a whole line at most after it was decided whether a record fits. */
enum { MOST_RAW = 128 << 10 };

static size_t n_cuts; /* batches that ended in a record */

static void expect(const seqio_records_options *how, const records *want)
{
    seqio_records *r;
    seqio_records_batch batch;
    seqio_records_totals totals;
    io_status status;
    io_error err;
    size_t n = 0, n_residues = 0;
    uint64_t n_read = 0;
    progress got = {0, 0, 0};

    assert_int_equal(seqio_records_open(how, &r, &err), IO_OK);
    while ((status = seqio_records_next(r, &batch, &err)) == IO_OK) {
        const tms_seqs *s = &batch.seqs;
        size_t bytes = 20 * s->n_records;
        assert_true(s->n_records > 0 && batch.n_read >= n_read);
        n_read = batch.n_read;
        assert_int_equal(s->first_record, n);
        assert_int_equal(s->residue_starts[0], 0);
        assert_int_equal(s->header_starts[0], 0);
        bytes += s->residue_starts[s->n_records] * (s->qualities != NULL ? 2 : 1) + s->header_starts[s->n_records];
        bytes += how->raw ? batch.raw_starts[s->n_records] : 0;
        assert_true(s->n_records == 1 || how->together > 1 || bytes <= how->batch_bytes + 23 + (how->raw ? MOST_RAW : 0));
        assert_true(how->part_bytes == 0 || bytes <= how->part_bytes + MOST_RAW);
        assert_true(how->batch_records == 0 || s->n_records < how->batch_records + (how->together > 1 ? how->together : 1));
        assert_true(how->together <= 1 || (n + s->n_records) % how->together == 0 || batch.is_cut);
        assert_true(how->part_bytes > 0 || (!batch.is_cut && !batch.goes_on));
        assert_int_equal(batch.goes_on, got.n_parts > 0);
        n_cuts += (size_t)batch.is_cut;
        for (size_t i = 0; i < s->n_records; i++) {
            assert_true(n < want->n);
            expect_item(how, &batch, i, &want->items[n], &got);
            if (i + 1 < s->n_records || !batch.is_cut) {
                n_residues += strlen(want->items[n].letters);
                expect_whole(how, &want->items[n++], &got);
            }
        }
    }
    assert_int_equal(status, IO_END);
    assert_int_equal(n, want->n);
    assert_int_equal(seqio_records_next(r, &batch, &err), IO_END);
    seqio_records_get_totals(r, &totals);
    assert_int_equal(totals.n_records, n);
    assert_int_equal(totals.n_residues, n_residues);
    seqio_records_close(r);
}

static const size_t batch_sizes[] = {1, 50, 100, 333, 1000, 5000, 1 << 24};
enum { N_SIZES = sizeof batch_sizes / sizeof *batch_sizes };

static int n_ways;

/* In turns, all that may be asked for. */
static seqio_records_options in_turn(seqio_records_options how)
{
    how.no_qualities = n_ways & 1;
    how.raw = n_ways >> 1 & 1;
    how.no_headers = n_ways % 5 == 4;
    how.part_bytes = how.no_qualities && n_ways % 7 < 4 ? how.batch_bytes * (size_t)(1 + n_ways / 2 % 2) : 0;
    how.together = how.n_paths == 1 ? (size_t)(n_ways >> 2 & 3) : 0; /* 30 records are so many twos, and threes */
    n_ways++;
    return how;
}

/* Each look in every batch size, with buffers that end at every byte. */
static void test_looks(void **state)
{
    static const size_t lines[] = {1, 7, 60, SIZE_MAX / 2};
    static const char *const ends[] = {"\n", "\r\n"};
    (void)state;

    for (int is_fastq = 0; is_fastq < 2; is_fastq++)
        for (int look = 0; look < 8; look++) {
            records all = {.n = 0};
            sample text;
            const char *path;
            make(&all, 30, 120, is_fastq);
            text = write_text(&all, 0, lines[look / 2], ends[look % 2]);
            if (all.items[29].letters[0] != '\0') { /* no end of the last line, or of CR LF the half: it gets a line feed */
                size_t n = look < 4 ? strlen(ends[look % 2]) : 1;
                text.size -= n;
                all.items[29].raw_size -= n - 1;
                all.items[29].raw[all.items[29].raw_size - 1] = '\n';
            }
            path = sample_write("look", text.bytes, text.size);
            for (size_t buffer = 1; buffer < 60; buffer++) {
                seqio_records_options how = in_turn((seqio_records_options){.paths = &path,
                                                                            .n_paths = 1,
                                                                            .batch_bytes = batch_sizes[buffer % N_SIZES],
                                                                            .batch_records = buffer % 3 == 0 ? buffer % 5 : 0,
                                                                            .buffer_bytes = buffer});
                expect(&how, &all);
            }
            sample_free(&text);
            free_records(&all);
        }
    assert_true(n_cuts > 100);
}

/* Large enough for a thread; files of both kinds in a row; records longer than a batch. */
static void test_files(void **state)
{
    records all = {.n = 0};
    const char *paths[4];
    (void)state;

    for (int i = 0; i < 4; i++) {
        size_t first = all.n;
        char name[16];
        sample text, packed = {NULL, 0, 0};
        make(&all, 40, i == 2 ? 50 : 20000, i == 1 || i == 2);
        text = write_text(&all, first, 70, "\n");
        snprintf(name, sizeof name, "f%d", i);
        sample_gzip(&packed, text.bytes, text.size, 0);
        paths[i] = i == 3 ? sample_write(name, packed.bytes, packed.size) : sample_write(name, text.bytes, text.size);
        sample_free(&text);
        sample_free(&packed);
    }
    for (size_t i = 0; i < N_SIZES; i++) {
        for (int way = 0; way < 4; way++) {
            seqio_records_options how = in_turn((seqio_records_options){
                .paths = paths, .n_paths = 4, .batch_bytes = batch_sizes[i], .batch_records = i == 4 ? 7 : 0, .buffer_bytes = i % 2 * 999});
            expect(&how, &all);
        }
    }
    free_records(&all);
}

/* Whole records before a fault are given, then the fault, again and again. */
static void test_faults(void **state)
{
    static const struct {
        const char *text;
        size_t size, n_records;
        const char *message;
    } cases[] = {
        {"", 0, 0, ": no sequence: the file is empty"},
        {"@a\nAC\n+\nII\n@b\nACG\n+\nII", 22, 1, ":8: the sequence has 3 characters, but its quality has only 2"},
        {"@a\nAC\n+\nII\n@b\nACG\n+\nIIII\n", 25, 1, ":8: the sequence has 3 characters, but its quality has 4"},
        {"@a\nAC\n+\nII\n@b\nAC", 16, 1, ":6: the file ends before the record's quality"},
        {">a\nAC\n>b\0c\nA\n", 13, 1, ":3: byte 0x00 in a header"},
        {">a\nA\n>b\n\n", 9, 2, ""},
        {"x", 1, 0, ":1: neither FASTA ('>') nor FASTQ ('@')"},
        {"SQLite format 3", 16, 0, ": an SQLite database, not FASTA or FASTQ"},
        {"BAM\1", 4, 0, ": a BAM file, not FASTA or FASTQ; try 'samtools fastq'"},
        {"@HD\tVN:1.6\n@SQ\tSN:a\tLN:9\n", 25, 0, ": a SAM file, not FASTA or FASTQ; try 'samtools fastq'"},
        {"@SQ\tSN:a\tLN:9\n", 14, 0, ": a SAM file, not FASTA or FASTQ; try 'samtools fastq'"},
        {"##fileformat=VCFv4.2\n", 21, 0, ": a VCF file, not FASTA or FASTQ"},
        {"\xef\xbb\xbf>a\nAC\n", 9, 0, ":1: begins with a UTF-8 byte order mark; sed '1s/^\\xef\\xbb\\xbf//' removes it"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t j = 0; j < 2 * N_SIZES; j++) {
            const char *path = sample_write("fault", cases[i].text, cases[i].size);
            seqio_records_options how = in_turn((seqio_records_options){
                .paths = &path, .n_paths = 1, .batch_bytes = batch_sizes[j % N_SIZES], .buffer_bytes = j / N_SIZES});
            seqio_records_batch batch;
            seqio_records *r;
            io_status status;
            io_error err = {0, ""};
            size_t n = 0;
            assert_int_equal(seqio_records_open(&how, &r, &err), IO_OK);
            while ((status = seqio_records_next(r, &batch, &err)) == IO_OK)
                n += batch.seqs.n_records - (size_t)batch.is_cut;
            assert_int_equal(n, cases[i].n_records);
            if (cases[i].message[0] == '\0') {
                assert_int_equal(status, IO_END);
            } else {
                assert_int_equal(status, IO_E_INPUT);
                assert_string_equal(err.text + strlen(path), cases[i].message);
                assert_int_equal(seqio_records_next(r, &batch, &err), IO_E_INPUT);
            }
            seqio_records_close(r);
        }
    seqio_records_close(NULL);
}

/* Files without a byte, where that is no fault; and how files are compressed. */
static void test_empty(void **state)
{
    const char *paths[3] = {sample_write("empty1", "", 0), sample_write("empty2", "\n \n", 3), NULL};
    sample packed = {NULL, 0, 0};
    seqio_records_options how = {.paths = paths, .n_paths = 2, .batch_bytes = 100, .may_be_empty = 1};
    seqio_records_batch batch;
    seqio_records *r;
    io_error err;
    (void)state;

    assert_int_equal(seqio_records_open(&how, &r, &err), IO_OK);
    assert_int_equal(seqio_records_next(r, &batch, &err), IO_END);
    seqio_records_close(r);
    sample_gzip(&packed, (const uint8_t *)">a\nA\n", 5, 0);
    for (int i = 0; i < 2; i++) {
        paths[2] = i == 0 ? sample_write("plain", ">a\nA\n", 5) : sample_write("packed", packed.bytes, packed.size);
        how.n_paths = 3;
        assert_int_equal(seqio_records_open(&how, &r, &err), IO_OK);
        assert_int_equal(seqio_records_next(r, &batch, &err), IO_OK);
        assert_int_equal(batch.compression, i == 0 ? IO_PLAIN : IO_GZIP);
        assert_false(batch.is_fastq);
        assert_int_equal(seqio_records_next(r, &batch, &err), IO_END);
        seqio_records_close(r);
    }
    sample_free(&packed);
}

/* 10^6 records of 10; closing with batches waiting. */
static void test_many(void **state)
{
    enum { N = 1000000 };
    sample text = {NULL, 0, 0};
    const char *path;
    seqio_records_options how = {.paths = &path, .n_paths = 1, .batch_bytes = 1 << 20};
    seqio_records_batch batch;
    seqio_records *r;
    io_error err;
    size_t n = 0;
    (void)state;

    for (int i = 0; i < N; i++) {
        char line[40];
        sample_add(&text, line, (size_t)snprintf(line, sizeof line, ">%d\nACGTACGT%02d\n", i, i % 100));
    }
    path = sample_write("many", text.bytes, text.size);
    assert_int_equal(seqio_records_open(&how, &r, &err), IO_OK);
    while (seqio_records_next(r, &batch, &err) == IO_OK) {
        for (size_t i = 0; i < batch.seqs.n_records; i++, n++) {
            const uint8_t *letters = batch.seqs.residues + batch.seqs.residue_starts[i];
            assert_true(tms_seqs_length(&batch.seqs, i) == 10 && letters[8] == '0' + n / 10 % 10 && letters[9] == '0' + n % 10);
            assert_true(strtoul(batch.seqs.headers + batch.seqs.header_starts[i], NULL, 10) == n);
        }
    }
    assert_int_equal(n, N);
    seqio_records_close(r);
    assert_int_equal(seqio_records_open(&how, &r, &err), IO_OK);
    assert_int_equal(seqio_records_next(r, &batch, &err), IO_OK);
    seqio_records_close(r);
    sample_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_looks), cmocka_unit_test(test_files), cmocka_unit_test(test_faults),
                                       cmocka_unit_test(test_empty), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
