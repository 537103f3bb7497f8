/* test_seqdb_select.c - parts of a database by lists of ids, gis and taxids: which sequences, and which of their names. */
#include <stdlib.h>

#include "base/byte_array.h"
#include "seqdb/index_encode.h"
#include "seqdb/seqdb_struct.h"
#include "seqid/defline_encode.h"
#include "unit/context_fixture.h"
#include "unit/samples.h"

enum { MAX_NAMES = 3, MAX_IDS = 2 };

struct sample_name {
    struct seqid ids[MAX_IDS];
    size_t n_ids;
    int64_t taxid;
};

#define TEXT(literal)                                                                                                                      \
    {                                                                                                                                      \
        literal, sizeof(literal) - 1                                                                                                       \
    }
#define SWISSPROT(name_, accession_, version_)                                                                                             \
    {                                                                                                                                      \
        .kind = SEQID_SWISSPROT, .accession = TEXT(accession_), .name = TEXT(name_), .version = version_                                   \
    }
#define GI(number_)                                                                                                                        \
    {                                                                                                                                      \
        .kind = SEQID_GI, .has_number = true, .number = number_                                                                            \
    }

/* Five sequences, the k-th of k + 3 letters. */
static struct sample_name samples[][MAX_NAMES] = {
    {{{SWISSPROT("NAM_A", "P00001", 2)}, 1, 9606}, {{{.kind = SEQID_LOCAL, .accession = TEXT("loc1")}}, 1, 562}},
    {{{{.kind = SEQID_REFSEQ, .accession = TEXT("NP_000001"), .version = 1}}, 1, 9606}},
    {{{GI(77), SWISSPROT("NAM_B", "P00002", 0)}, 2, 0}, {{GI(78), SWISSPROT("NAM_C", "P00003", 1)}, 2, 562}},
    {{{{.kind = SEQID_GENERAL, .name = TEXT("db"), .accession = TEXT("tag")}}, 1, 562}},
    {{{{.kind = SEQID_PDB, .accession = TEXT("1ABC"), .name = TEXT("a")}}, 1, 10090}, {{SWISSPROT("NAM_D", "P00001", 1)}, 1, 9606}},
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

static void add_word(struct byte_array *array, size_t word)
{
    assert_true(byte_array_add_big_endian(array, &(uint32_t){(uint32_t)word}, 1));
}

static void add_sequence(const struct sample_name *names, size_t n_letters, struct byte_array *headers, struct byte_array *sequences)
{
    struct defline deflines[MAX_NAMES];
    size_t n = 0;

    for (; n < MAX_NAMES && names[n].n_ids > 0; n++)
        deflines[n] = (struct defline){TEXT("title"), (struct seqid *)names[n].ids, names[n].n_ids, names[n].taxid};
    assert_true(defline_encode(deflines, n, headers));
    for (size_t i = 0; i < n_letters; i++)
        assert_true(byte_array_add(sequences, "\3", 1));
    assert_true(byte_array_add(sequences, "", 1));
}

/* The samples as a volume of this version in memory. */
static tms_seqdb *make(int version)
{
    struct byte_array index = {0}, headers = {0}, sequences = {0}, starts[2] = {{0}, {0}};
    const struct index_head head = {.molecule = TMS_PROTEIN,
                                    .version = version,
                                    .title = TEXT("T"),
                                    .lmdb_name = TEXT("x.pdb"),
                                    .date = TEXT("Nov 21, 2026  1:17 PM"),
                                    .n_sequences = N_SAMPLES,
                                    .n_residues = 25,
                                    .longest = 7};
    tms_seqdb *db = calloc(1, sizeof *db);

    assert_non_null(db);
    assert_true(byte_array_add(&sequences, "", 1));
    for (size_t i = 0; i < N_SAMPLES; i++) {
        add_word(&starts[0], headers.n);
        add_word(&starts[1], sequences.n);
        add_sequence(samples[i], i + 3, &headers, &sequences);
    }
    add_word(&starts[0], headers.n);
    add_word(&starts[1], sequences.n);
    assert_true(index_encode_head(&head, &index) && byte_array_add(&index, starts[0].bytes, starts[0].n) &&
                byte_array_add(&index, starts[1].bytes, starts[1].n));
    free(starts[0].bytes);
    free(starts[1].bytes);
    db->volumes = calloc(1, sizeof *db->volumes);
    db->slices = calloc(1, sizeof *db->slices);
    assert_true(db->volumes != NULL && db->slices != NULL);
    db->n_volumes = db->n_slices = 1;
    db->volumes[0] = (struct seqdb_volume){.molecule = TMS_PROTEIN,
                                           .is_allocated = true,
                                           .index = {index.bytes, index.n},
                                           .headers = {headers.bytes, headers.n},
                                           .sequences = {sequences.bytes, sequences.n}};
    assert_int_equal(seqdb_volume_check(ctx, &db->volumes[0]), TMS_OK);
    db->slices[0].n = N_SAMPLES;
    assert_int_equal(seqdb_finish(ctx, db), TMS_OK);
    db->info.shown_n_sequences = db->info.stats_n_sequences = N_SAMPLES;
    db->info.shown_n_residues = db->info.stats_n_residues = 25;
    return db;
}

/* Names by sequence, "0: P00001.2 loc1; 2: P00003.1". */
static void describe(const tms_seqdb *db, char *text, size_t size)
{
    tms_seqdb_names *names;
    tms_seqdb_info info;
    size_t n, at = 0;

    tms_seqdb_get_info(db, &info);
    text[0] = '\0';
    assert_int_equal(tms_seqdb_names_create(ctx, &names), TMS_OK);
    for (uint64_t i = 0; i < info.n_sequences; i++) {
        assert_int_equal(tms_seqdb_length(db, i), tms_seqdb_oid(db, i) + 3);
        at += (size_t)snprintf(text + at, size - at, "%s%u:", i > 0 ? "; " : "", (unsigned)tms_seqdb_oid(db, i));
        assert_int_equal(tms_seqdb_names_read(db, i, names, &n), TMS_OK);
        for (size_t k = 0; k < n; k++) {
            const tms_seqdb_name *name = tms_seqdb_names_get(names, k);
            at += (size_t)snprintf(text + at, size - at, " %.*s", (int)name->accession_size, name->accession);
        }
    }
    tms_seqdb_names_destroy(names);
}

static void selects(const tms_seqdb *db, const tms_seqdb_selection *selection, const char *want)
{
    char got[512];
    tms_seqdb *part;

    assert_int_equal(tms_seqdb_select(ctx, db, selection, &part), TMS_OK);
    describe(part, got, sizeof got);
    assert_string_equal(got, want);
    tms_seqdb_destroy(part);
}

static void select_ids(const tms_seqdb *db, const char *const *ids, size_t n, uint64_t is_negative, const char *want)
{
    selects(db, &(tms_seqdb_selection){.ids = ids, .n_ids = n, .is_negative = is_negative}, want);
}

static void test_ids(void **state)
{
    (void)state;
    static const struct {
        const char *id, *want, *want_4; /* want_4: of version 4; NULL: the same */
    } cases[] = {{"P00001", "0: P00001.2; 4: P00001.1", NULL},
                 {"p00001.1", "4: P00001.1", NULL},
                 {"sp|P00001.2|WRONG", "0: P00001.2", NULL},
                 {"ref|P00002", "2: P00002", NULL},
                 {"P00001.3", "", NULL},
                 {"NAM_A", "", NULL},
                 {"loc1", "0: loc1", NULL},
                 {"lcl|loc1", "0: loc1", NULL},
                 {"LOC1", "", "0: loc1"},
                 {"gnl|db|tag", "3: db:tag", NULL},
                 {"db:tag", "3: db:tag", NULL},
                 {"DB:tag", "", "3: db:tag"},
                 {"pdb|1ABC|a", "4: 1ABC_a", NULL},
                 {"1ABC_A", "", "4: 1ABC_a"},
                 {"1ABC", "", NULL},
                 {"gi|77", "", NULL},
                 {"77", "", NULL},
                 {"gnl|BL_ORD_ID|3", "", NULL}};
    for (int version = 4; version <= 5; version++) {
        tms_seqdb *db = make(version);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            select_ids(db, &cases[i].id, 1, 0, version == 4 && cases[i].want_4 != NULL ? cases[i].want_4 : cases[i].want);
        tms_seqdb_destroy(db);
    }
}

static void test_negative(void **state)
{
    (void)state;
    static const char *const ids[] = {"P00001", "NP_000001.1", "P00002", "P00003.1"};
    tms_seqdb *db = make(5);
    select_ids(db, ids, 4, 1, "0: loc1; 3: db:tag; 4: 1ABC_a");
    select_ids(db, ids, 0, 1, "0: P00001.2 loc1; 1: NP_000001.1; 2: P00002 P00003.1; 3: db:tag; 4: 1ABC_a P00001.1");
    tms_seqdb_destroy(db);
}

static void test_numbers(void **state)
{
    (void)state;
    static const int64_t gis[] = {78, 5}, taxids[] = {10090, 562}, no_taxid[] = {0};
    tms_seqdb_selection by_gis = {.gis = gis, .n_gis = 2}, by_taxids = {.taxids = taxids, .n_taxids = 2};
    tms_seqdb *db = make(5), *part;
    selects(db, &by_gis, "2: P00003.1");
    selects(db, &by_taxids, "0: loc1; 2: P00003.1; 3: db:tag; 4: 1ABC_a");
    by_taxids.is_negative = 1;
    selects(db, &by_taxids, "0: P00001.2; 1: NP_000001.1; 2: P00002; 4: P00001.1");
    selects(db, &(tms_seqdb_selection){.taxids = no_taxid, .n_taxids = 1}, "2: P00002");
    by_gis.is_negative = 1;
    assert_int_equal(tms_seqdb_select(ctx, db, &by_gis, &part), TMS_E_ARG);
    assert_null(part);
    tms_seqdb_destroy(db);
}

static void test_info(void **state)
{
    (void)state;
    static const char *const ids[] = {"NP_000001", "db:tag", "1ABC_a"}, *const none[] = {"nothing"};
    const tms_seqdb_selection some = {.ids = ids, .n_ids = 3}, nothing = {.ids = none, .n_ids = 1};
    tms_seqdb *db = make(5), *part, *other;
    tms_seqdb_info info;
    tms_seqdb_found found[3];
    uint64_t n = 0;

    assert_int_equal(tms_seqdb_select(ctx, db, &some, &part), TMS_OK);
    tms_seqdb_get_info(part, &info);
    assert_int_equal(info.n_sequences, 3);
    assert_int_equal(info.n_residues, 4 + 6 + 7);
    assert_int_equal(info.stats_n_sequences, 3);
    assert_int_equal(info.stats_n_residues, 17);
    assert_int_equal(info.shown_n_sequences, N_SAMPLES);
    assert_int_equal(info.shown_n_residues, 25);
    assert_int_equal(info.longest, 7);
    assert_int_equal(info.is_selection, 1);
    assert_string_equal(info.title, "");
    assert_int_equal(tms_seqdb_check(ctx, part, 0, 3), TMS_OK);
    for (uint64_t k = 0; k < 4; k++) {
        tms_seqdb_range piece = tms_seqdb_cut(part, k, 4);
        assert_int_equal(piece.first, n);
        n = piece.end;
    }
    assert_int_equal(n, 3);
    assert_int_equal(tms_seqdb_find(ctx, part, ids, 3, found), TMS_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(found[i].number, i);
    assert_int_equal(tms_seqdb_select(ctx, part, &some, &other), TMS_E_ARG);
    tms_seqdb_destroy(part);

    assert_int_equal(tms_seqdb_select(ctx, db, &nothing, &part), TMS_OK);
    tms_seqdb_get_info(part, &info);
    assert_int_equal(info.n_sequences, 0);
    assert_int_equal(info.n_residues, 0);
    assert_int_equal(info.stats_n_sequences, 1);
    assert_int_equal(info.stats_n_residues, 3);
    assert_int_equal(tms_seqdb_cut(part, 0, 1).end, 0);
    tms_seqdb_destroy(part);
    tms_seqdb_destroy(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_negative),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_info),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
