/* test_seqio_blast_records.c - batches of records with the letters that NCBI's programs take, from files of any size. */
#include <fcntl.h>
#include <sys/stat.h>

#include "seqio/seqio_blast_records.h"
#include "unit/samples.h"

static char directory[] = "/tmp/test_seqio_blast_records.XXXXXX";

static int setup(void **state)
{
    (void)state;
    sample_seed();
    return mkdtemp(directory) != NULL && chdir(directory) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    unlink("a.fa");
    unlink("b.fa");
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static void write_file(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void count(void *arg, const char *text)
{
    assert_non_null(strstr(text, "Ignoring invalid residues"));
    ++*(int *)arg;
}

static int n_warnings;

static seqio_blast_records *open_files(const char *const *paths, size_t n_paths, tms_molecule molecule, size_t batch_bytes)
{
    const seqio_blast_records_options how = {
        .paths = paths, .n_paths = n_paths, .molecule = molecule, .batch_bytes = batch_bytes, .warn = count, .warn_arg = &n_warnings};
    seqio_blast_records *r;
    io_error err;
    n_warnings = 0;
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    return r;
}

static void record_is(const tms_seqs *seqs, size_t i, const char *header, size_t name_size, const char *residues)
{
    assert_true(i < seqs->n_records);
    assert_string_equal(seqs->headers + seqs->header_starts[i], header);
    assert_int_equal(tms_seqs_header_size(seqs, i), strlen(header));
    assert_int_equal(seqs->name_sizes[i], name_size);
    assert_string_equal((const char *)seqs->residues + seqs->residue_starts[i], residues);
    assert_int_equal(tms_seqs_length(seqs, i), strlen(residues));
}

static void test_letters(void **state)
{
    (void)state;
    static const char text[] = ">n1 first one\nacgtUu-NryKM;acgt\n#comment\nA C\tG!T\n>n2\tx\r\n\r\n>\nAC\n";
    const char *const paths[] = {"a.fa", "b.fa"};
    tms_seqs seqs;
    io_error err;
    write_file("a.fa", text, sizeof text - 1);
    write_file("b.fa", "@q1 of fastq\nACGTX\n+\nIIIII\n", 27);
    seqio_blast_records *r = open_files(paths, 2, TMS_NUCLEOTIDE, 1000);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 4);
    assert_int_equal(seqs.first_record, 0);
    record_is(&seqs, 0, "n1 first one", 2, "ACGTTTNNRYKMACGT");
    record_is(&seqs, 1, "n2\tx", 2, "");
    record_is(&seqs, 2, "", 0, "AC");
    record_is(&seqs, 3, "q1 of fastq", 2, "ACGT");
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END);
    seqio_blast_records_close(r);
    assert_int_equal(n_warnings, 2); /* '!' and 'X' */

    r = open_files(paths, 1, TMS_PROTEIN, 1000);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    record_is(&seqs, 0, "n1 first one", 2, "ACGTUUXNRYKMACGT");
    seqio_blast_records_close(r);
    assert_int_equal(n_warnings, 1);
}

static void keep_text(void *arg, const char *text) { *(const char **)arg = strdup(text); }

/* Those to be searched with; batches end with the record that makes a unit so long. */
static void test_search(void **state)
{
    (void)state;
    static const char text[] = ">a\nMKvl*UO-w\n>b\nAC\n>c\nDE\n>d\nF\n";
    const char *const paths[] = {"a.fa"};
    char *warning = NULL;
    seqio_blast_records_options how = {.paths = paths,
                                       .n_paths = 1,
                                       .molecule = TMS_PROTEIN,
                                       .batch_bytes = 1,
                                       .is_search = 1,
                                       .unit_residues = 10,
                                       .warn = keep_text,
                                       .warn_arg = &warning};
    seqio_blast_records *r;
    tms_seqs seqs;
    io_error err;
    write_file("a.fa", text, sizeof text - 1);
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 2);
    record_is(&seqs, 0, "a", 1, "MKvl*UOw");
    record_is(&seqs, 1, "b", 1, "AC");
    assert_true(seqio_blast_records_offset(r) > 0);
    assert_string_equal(warning, "CFastaReader: Hyphens are invalid and will be ignored around line 2");
    free(warning);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 2);
    assert_int_equal(seqs.first_record, 2);
    assert_int_equal(seqio_blast_records_offset(r), sizeof text - 1);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END);
    seqio_blast_records_close(r);
}

/* A part of each: across lines, at their ends, behind them. */
static void test_parts(void **state)
{
    (void)state;
    static const char text[] = ">a\nMKV\nLAARR\nWT\n>b\nMK\n>c\nMKV\n>d\nMKVL\n";
    const char *const paths[] = {"a.fa"};
    seqio_blast_records_options how = {
        .paths = paths, .n_paths = 1, .molecule = TMS_PROTEIN, .batch_bytes = 100, .is_search = 1, .part = {3, 7}, .warn = count};
    const seqio_blast_whole *wholes;
    seqio_blast_records *r;
    tms_seqs seqs;
    io_error err;
    write_file("a.fa", text, sizeof text - 1);
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    assert_null(seqio_blast_records_wholes(r));
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 3);
    record_is(&seqs, 0, "a", 1, "LAAR");
    record_is(&seqs, 1, "c", 1, "");
    record_is(&seqs, 2, "d", 1, "L");
    wholes = seqio_blast_records_wholes(r);
    assert_int_equal(wholes[0].number, 0);
    assert_int_equal(wholes[0].n_residues, 10);
    assert_int_equal(wholes[1].number, 2);
    assert_int_equal(wholes[2].number, 3);
    assert_int_equal(wholes[2].n_residues, 4);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END);
    seqio_blast_records_close(r);

    how.part = (tms_interval){1, 0}; /* without an end */
    how.batch_bytes = 0;             /* a batch for each unit of 3 letters, of whole records */
    how.unit_residues = 3;
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 1);
    record_is(&seqs, 0, "a", 1, "KVLAARRWT");
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 2);
    record_is(&seqs, 1, "c", 1, "KV");
    assert_int_equal(seqio_blast_records_wholes(r)[1].number, 2);
    seqio_blast_records_close(r);

    how.part.start = 3; /* b is left out, and fills no unit; c has no letter in its part: neither it nor d is there */
    how.unit_residues = 2;
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 1);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END);
    assert_true(seqio_blast_records_lacks_residues(r));
    seqio_blast_records_close(r);

    how.unit_residues = 4; /* with d, c is not alone */
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 2);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END);
    assert_false(seqio_blast_records_lacks_residues(r));
    seqio_blast_records_close(r);

    how.unit_residues = 0;
    how.batch_bytes = 100;
    how.refuses_short = 1;
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 1);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_E_INPUT);
    assert_string_equal(err.text, "a.fa: record 2 has 2 residues or bases, but the requested range begins at 4");
    seqio_blast_records_close(r);
}

/* Units by number, which may be others each time. */
static void test_units_by_number(void **state)
{
    (void)state;
    const char *const paths[] = {"a.fa"};
    static const char text[] = ">a\nMKVLAARRWT\n>c\nMKV\n>d\nMKVL\n";
    seqio_blast_records_options how = {
        .paths = paths, .n_paths = 1, .molecule = TMS_PROTEIN, .is_search = 1, .part = {3, 0}, .sets_units = 1};
    seqio_blast_records *r;
    tms_seqs seqs;
    io_error err;
    write_file("a.fa", text, sizeof text - 1);
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    seqio_blast_records_set_unit_records(r, 3);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 3);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END);
    assert_false(seqio_blast_records_lacks_residues(r));
    seqio_blast_records_close(r);
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    seqio_blast_records_set_unit_records(r, 1);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 1);
    seqio_blast_records_set_unit_records(r, 2);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 2);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END);
    seqio_blast_records_close(r);
    assert_int_equal(seqio_blast_records_open(&how, &r, &err), IO_OK);
    seqio_blast_records_set_unit_records(r, 1);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_END); /* c alone has no letter */
    assert_true(seqio_blast_records_lacks_residues(r));
    seqio_blast_records_close(r);
}

/* Large and small batches, with the reader's thread and without it. */
static void test_batches(void **state)
{
    (void)state;
    const char *const paths[] = {"a.fa", "b.fa"};
    sample_random random = {sample_seed()};
    for (int is_large = 0; is_large < 2; is_large++) {
        size_t n_records = is_large ? 20000 : 60, n = 0;
        char *text = sample_alloc(n_records * 200);
        uint32_t *lengths = sample_alloc(n_records * sizeof *lengths);
        for (size_t i = 0; i < n_records; i++) {
            n += (size_t)sprintf(text + n, ">%zu\n", i);
            lengths[i] = (uint32_t)random_below(&random, 90);
            for (uint32_t k = 0; k < lengths[i]; k++) {
                text[n++] = "ACGTN"[(i + k) % 5];
                if (k % 40 == 39)
                    text[n++] = '\n';
            }
            text[n++] = '\n';
        }
        write_file("a.fa", text, n);
        write_file("b.fa", text, n);
        for (size_t batch_bytes = 1; batch_bytes < 3000000; batch_bytes *= 37) {
            seqio_blast_records *r = open_files(paths, 2, TMS_NUCLEOTIDE, batch_bytes);
            uint64_t at = 0;
            tms_seqs seqs;
            io_error err;
            io_status status;
            while ((status = seqio_blast_records_next(r, &seqs, &err)) == IO_OK) {
                assert_int_equal(seqs.first_record, at);
                assert_true(seqs.n_records > 0);
                assert_true(seqs.n_records == 1 || seqs.residue_starts[seqs.n_records - 1] < batch_bytes + 1);
                for (size_t i = 0; i < seqs.n_records; i++, at++) {
                    size_t number = at % n_records;
                    char name[32];
                    snprintf(name, sizeof name, "%zu", number);
                    assert_string_equal(seqs.headers + seqs.header_starts[i], name);
                    assert_int_equal(tms_seqs_length(&seqs, i), lengths[number]);
                    for (uint32_t k = 0; k < lengths[number]; k++)
                        assert_int_equal(seqs.residues[seqs.residue_starts[i] + k], "ACGTN"[(number + k) % 5]);
                }
            }
            assert_int_equal(status, IO_END);
            assert_int_equal(at, 2 * n_records);
            seqio_blast_records_close(r);
        }
        seqio_blast_records *left = open_files(paths, 2, TMS_NUCLEOTIDE, 100);
        seqio_blast_records_close(left); /* before anything was asked for */
        free(text);
        free(lengths);
    }
}

/* The records before a fault come first, then the message, every time. */
static void test_faults(void **state)
{
    (void)state;
    static const char text[] = ">a\nACGT\n>b\nAC\n>c\n((((((((((\n>d\nACGT\n";
    const char *const paths[] = {"a.fa"}, *const missing[] = {"nowhere.fa"};
    const seqio_blast_records_options no = {.paths = missing, .n_paths = 1, .molecule = TMS_PROTEIN, .batch_bytes = 100, .warn = count};
    seqio_blast_records *r;
    tms_seqs seqs;
    io_error err;
    write_file("a.fa", text, sizeof text - 1);
    r = open_files(paths, 1, TMS_NUCLEOTIDE, 1000);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_OK);
    assert_int_equal(seqs.n_records, 2);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "a.fa: Near line 6, "));
    seqio_blast_records_close(r);
    write_file("a.fa", "hello\n", 6);
    r = open_files(paths, 1, TMS_NUCLEOTIDE, 1000);
    assert_int_equal(seqio_blast_records_next(r, &seqs, &err), IO_E_INPUT);
    seqio_blast_records_close(r);
    assert_int_equal(seqio_blast_records_open(&no, &r, &err), IO_E_INPUT);
    assert_null(r);
    seqio_blast_records_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters),         cmocka_unit_test(test_search),  cmocka_unit_test(test_parts),
        cmocka_unit_test(test_units_by_number), cmocka_unit_test(test_batches), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
