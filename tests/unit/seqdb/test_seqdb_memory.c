/* test_seqdb_memory.c - records in memory as a database: the bytes of the samples, and random records back as they were. */
#include "tamis/alphabet.h"
#include "unit/context_fixture.h"
#include "unit/seqdb/seqdb_samples.h"

/* Records under way. */
struct records {
    uint8_t residues[1 << 16];
    uint64_t residue_starts[300], header_starts[300];
    char headers[1 << 14];
    tms_seqs seqs;
};

static void begin(struct records *r)
{
    memset(r, 0, sizeof *r);
    r->seqs = (tms_seqs){
        .residues = r->residues, .residue_starts = r->residue_starts, .headers = r->headers, .header_starts = r->header_starts};
}

static void add(struct records *r, const char *header, const char *letters)
{
    size_t n = r->seqs.n_records++;
    memcpy(r->residues + r->residue_starts[n], letters, strlen(letters) + 1);
    memcpy(r->headers + r->header_starts[n], header, strlen(header) + 1);
    r->residue_starts[n + 1] = r->residue_starts[n] + strlen(letters) + 1;
    r->header_starts[n + 1] = r->header_starts[n] + strlen(header) + 1;
    assert_true(n + 2 < 300 && r->residue_starts[n + 1] < sizeof r->residues && r->header_starts[n + 1] < sizeof r->headers);
}

static tms_seqdb *make(const struct records *r, tms_molecule molecule, const char *title)
{
    tms_seqdb *db;
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &r->seqs, molecule, title, &db));
    return db;
}

/* Everything behind the head, which has no date, is that of makeblastdb. */
static void is_sample(const tms_seqdb *db, const struct sample_bytes *index, const struct sample_bytes *headers,
                      const struct sample_bytes *sequences)
{
    const struct seqdb_volume *v = &db->volumes[0];
    size_t n = index->size - 40;
    assert_int_equal(db->n_volumes, 1);
    assert_memory_equal(v->index.bytes + v->index.size - n, index->bytes + 40, n);
    assert_int_equal(v->headers.size, headers->size);
    assert_memory_equal(v->headers.bytes, headers->bytes, headers->size);
    assert_int_equal(v->sequences.size, sequences->size);
    assert_memory_equal(v->sequences.bytes, sequences->bytes, sequences->size);
}

static struct records records;

static void test_same_bytes_as_files(void **state)
{
    (void)state;
    tms_seqdb *db;
    tms_seqdb_info info;
    begin(&records);
    add(&records, "a first", "MKV");
    add(&records, "b second one", "acdefGHIKL");
    db = make(&records, TMS_PROTEIN, "T");
    is_sample(db, &protein_index, &protein_headers, &protein_sequences);
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.version, 0);
    assert_int_equal(info.n_sequences, 2);
    assert_int_equal(info.stats_n_residues, 13);
    assert_string_equal(info.title, "T");
    assert_string_equal(info.date, "");
    assert_null(tms_seqdb_path_at(db, tms_seqdb_protein(db, 0, &info.n_residues)));
    tms_seqdb_destroy(db);
    begin(&records);
    add(&records, "x one", "ACGUA");
    add(&records, "y two", "ACGTNNRYACGTAC");
    add(&records, "z three", "acgtacgt");
    db = make(&records, TMS_NUCLEOTIDE, "N");
    is_sample(db, &nucleotide_index, &nucleotide_headers, &nucleotide_sequences);
    tms_seqdb_destroy(db);
    begin(&records);
    db = make(&records, TMS_NUCLEOTIDE, "nothing");
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.n_sequences, 0);
    tms_seqdb_destroy(db);
}

static void test_random_records_come_back(void **state)
{
    (void)state;
    for (int molecule = TMS_NUCLEOTIDE; molecule <= TMS_PROTEIN; molecule++) {
        const char *letters = molecule == TMS_PROTEIN ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ*-" : "ACGTRYMKWSBDHVNN";
        char record[600], header[64];
        uint8_t back[600];
        tms_seqdb_names *names;
        begin(&records);
        for (size_t i = 0; i < 250; i++) {
            size_t n = i < 40 ? i : (size_t)core_scale(core_splitmix(1, i), 200);
            for (size_t k = 0; k < n; k++) {
                uint64_t random = core_splitmix(i, k / 3); /* runs of three */
                record[k] = letters[core_scale(random, strlen(letters))];
            }
            record[n] = '\0';
            snprintf(header, sizeof header, "r%zu of\ttabs\001%zu", i, n);
            add(&records, header, record);
        }
        tms_seqdb *db = make(&records, (tms_molecule)molecule, "random");
        ASSERT_OK(ctx, tms_seqdb_check(ctx, db, 0, 250));
        ASSERT_OK(ctx, tms_seqdb_names_create(ctx, &names));
        for (size_t i = 0; i < 250; i++) {
            size_t n = (size_t)tms_seqs_length(&records.seqs, i), n_names;
            assert_int_equal(tms_seqdb_length(db, i), n);
            assert_int_equal(tms_seqdb_letters(db, i, 0, n, back), TMS_OK);
            assert_memory_equal(back, records.residues + records.residue_starts[i], n);
            assert_int_equal(tms_seqdb_names_read(db, i, names, &n_names), TMS_OK);
            assert_int_equal(n_names, 1);
            assert_int_equal(tms_seqdb_names_get(names, 0)->title_size, tms_seqs_header_size(&records.seqs, i));
            assert_memory_equal(tms_seqdb_names_get(names, 0)->title, records.headers + records.header_starts[i],
                                tms_seqdb_names_get(names, 0)->title_size);
        }
        tms_seqdb_names_destroy(names);
        tms_seqdb_destroy(db);
    }
}

static void test_other_letters_are_refused(void **state)
{
    (void)state;
    tms_seqdb *db = (tms_seqdb *)ctx;
    begin(&records);
    add(&records, "a", "ACGT");
    add(&records, "b", "ACGE");
    ASSERT_FAILS(ctx, TMS_E_ARG, "record 2, character 4: the byte 0x45 is not a nucleotide",
                 tms_seqdb_from_seqs(ctx, &records.seqs, TMS_NUCLEOTIDE, "t", &db));
    assert_null(db);
    records.seqs.first_record = 1000; /* a later batch of its input */
    ASSERT_FAILS(ctx, TMS_E_ARG, "record 1002, character 4", tms_seqdb_from_seqs(ctx, &records.seqs, TMS_NUCLEOTIDE, "t", &db));
    begin(&records);
    add(&records, "a", "AC-GT");
    ASSERT_FAILS(ctx, TMS_E_ARG, "record 1, character 3", tms_seqdb_from_seqs(ctx, &records.seqs, TMS_NUCLEOTIDE, "t", &db));
    begin(&records);
    add(&records, "a", "MKV ");
    ASSERT_FAILS(ctx, TMS_E_ARG, "record 1, character 4: the byte 0x20 is not an amino acid",
                 tms_seqdb_from_seqs(ctx, &records.seqs, TMS_PROTEIN, "t", &db));
}

/* Enough sequences that each thread gets some. */
static void test_several_threads_find_and_check(void **state)
{
    (void)state;
    enum { N = 20000 };
    uint8_t *residues = malloc(4 * N);
    uint64_t *residue_starts = malloc((N + 1) * sizeof *residue_starts), *header_starts = malloc((N + 1) * sizeof *header_starts);
    char *headers = malloc(2 * N), last[32];
    const char *ids[] = {"gnl|BL_ORD_ID|0", last, "gnl|BL_ORD_ID|4096", "nosuch"};
    tms_seqdb_found found[4];
    tms_seqdb *db;
    assert_true(residues && residue_starts && header_starts && headers);
    for (size_t i = 0; i <= N; i++) {
        residue_starts[i] = 4 * i;
        header_starts[i] = 2 * i;
    }
    for (size_t i = 0; i < N; i++) {
        memcpy(residues + 4 * i, "MKV", 4);
        memcpy(headers + 2 * i, "h", 2);
    }
    const tms_seqs seqs = {
        .n_records = N, .residues = residues, .residue_starts = residue_starts, .headers = headers, .header_starts = header_starts};
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 4));
    ASSERT_OK(ctx, tms_seqdb_from_seqs(ctx, &seqs, TMS_PROTEIN, "many", &db));
    ASSERT_OK(ctx, tms_seqdb_check(ctx, db, 0, N));
    snprintf(last, sizeof last, "gnl|BL_ORD_ID|%d", N - 1);
    ASSERT_OK(ctx, tms_seqdb_find(ctx, db, ids, 4, found));
    assert_int_equal(found[0].number, 0);
    assert_int_equal(found[1].number, N - 1);
    assert_int_equal(found[2].number, 4096);
    assert_int_equal(found[3].number, UINT64_MAX);
    /* The first of two faults is the one that is told of. */
    uint8_t *bytes = (uint8_t *)(uintptr_t)db->volumes[0].sequences.bytes;
    bytes[4 * 17000 + 1] = bytes[4 * 9000 + 2] = 99;
    ASSERT_FAILS(ctx, TMS_E_FORMAT, "sequence 9000: it has a code", tms_seqdb_check(ctx, db, 0, N));
    ASSERT_FAILS(ctx, TMS_E_FORMAT, "sequence 17000: it has a code", tms_seqdb_check(ctx, db, 9001, N));
    ASSERT_OK(ctx, tms_seqdb_check(ctx, db, 9001, 17000));
    tms_seqdb_destroy(db);
    free(residues);
    free(residue_starts);
    free(header_starts);
    free(headers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes_as_files),
        cmocka_unit_test(test_random_records_come_back),
        cmocka_unit_test(test_other_letters_are_refused),
        cmocka_unit_test(test_several_threads_find_and_check),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
