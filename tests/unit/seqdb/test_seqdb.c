/* test_seqdb.c - databases byte by byte: what they contain, names and aliases, and every way to damage a small one. */
#include "tamis/seqdb.h"
#include "unit/context_fixture.h"
#include "unit/seqdb/seqdb_samples.h"

static tms_seqdb *open_fine(const char *names, tms_molecule molecule)
{
    tms_seqdb *db = NULL;
    tms_status status = tms_seqdb_open(ctx, names, molecule, &db);
    if (status != TMS_OK)
        print_message("%s\n", tms_context_message(ctx));
    assert_int_equal(status, TMS_OK);
    return db;
}

/* The sentence has to have this in it. */
static void open_fails(const char *names, tms_molecule molecule, tms_status status, const char *text)
{
    tms_seqdb *db = (tms_seqdb *)ctx;
    assert_int_equal(tms_seqdb_open(ctx, names, molecule, &db), status);
    if (strstr(tms_context_message(ctx), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, tms_context_message(ctx));
    assert_null(db);
}

static void letters_are(const tms_seqdb *db, uint64_t i, const char *want)
{
    uint8_t letters[64];
    uint64_t n = tms_seqdb_length(db, i);
    assert_int_equal(n, strlen(want));
    for (uint64_t start = 0; start <= n; start++) {
        for (uint64_t end = start; end <= n; end++) {
            assert_int_equal(tms_seqdb_letters(db, i, start, end, letters), TMS_OK);
            assert_memory_equal(letters, want + start, end - start);
        }
    }
}

static void name_is(const tms_seqdb *db, uint64_t i, const char *title, const char *id)
{
    tms_seqdb_names *names;
    size_t n;
    assert_int_equal(tms_seqdb_names_create(ctx, &names), TMS_OK);
    assert_int_equal(tms_seqdb_names_read(db, i, names, &n), TMS_OK);
    assert_int_equal(n, 1);
    const tms_seqdb_name *name = tms_seqdb_names_get(names, 0);
    assert_int_equal(name->title_size, strlen(title));
    assert_memory_equal(name->title, title, strlen(title));
    assert_int_equal(name->id_size, strlen(id));
    assert_memory_equal(name->id, id, strlen(id));
    assert_int_equal(name->has_id, 0);
    assert_int_equal(name->gi, -1);
    tms_seqdb_names_destroy(names);
}

static void test_reads_proteins(void **state)
{
    (void)state;
    sample_write_protein("p");
    tms_seqdb *db = open_fine("p", TMS_PROTEIN);
    tms_seqdb_info info;
    tms_seqdb_volume volume;
    uint8_t codes[3];
    uint64_t n;
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.molecule, TMS_PROTEIN);
    assert_int_equal(info.version, 4);
    assert_int_equal(info.n_sequences, 2);
    assert_int_equal(info.n_residues, 13);
    assert_int_equal(info.shown_n_sequences, 2);
    assert_int_equal(info.stats_n_residues, 13);
    assert_int_equal(info.longest, 10);
    assert_int_equal(info.n_volumes, 1);
    assert_string_equal(info.title, "T");
    assert_string_equal(info.date, SAMPLE_DATE);
    letters_are(db, 0, "MKV");
    letters_are(db, 1, "ACDEFGHIKL");
    name_is(db, 0, "a first", "gnl|BL_ORD_ID|0");
    name_is(db, 1, "b second one", "gnl|BL_ORD_ID|1");
    assert_int_equal(tms_seqdb_residues(db, 1, 1, 4, codes), TMS_OK);
    assert_memory_equal(codes, "\3\4\5", 3);
    const uint8_t *residues = tms_seqdb_protein(db, 1, &n);
    assert_int_equal(n, 10);
    assert_int_equal(residues[-1], 0);
    assert_int_equal(residues[10], 0);
    tms_seqdb_get_volume(db, 0, &volume);
    assert_int_equal(volume.n_bytes, protein_sequences.size);
    assert_memory_equal(volume.bytes, protein_sequences.bytes, volume.n_bytes);
    assert_ptr_equal(volume.bytes + 5, residues);
    assert_string_equal(tms_seqdb_path_at(db, residues), volume.path);
    assert_memory_equal(volume.header_starts, "\0\0\0\0", 4);
    assert_memory_equal(volume.headers, protein_headers.bytes, protein_headers.size);
    assert_null(tms_seqdb_path_at(db, &info));
    assert_int_equal(tms_seqdb_check(ctx, db, 0, 2), TMS_OK);
    tms_seqdb_destroy(db);
}

static void test_reads_nucleotides(void **state)
{
    (void)state;
    uint8_t codes[14];
    uint64_t n;
    sample_write_nucleotide("n");
    tms_seqdb *db = open_fine("n", TMS_NUCLEOTIDE);
    letters_are(db, 0, "ACGTA");
    letters_are(db, 1, "ACGTNNRYACGTAC");
    letters_are(db, 2, "ACGTACGT");
    name_is(db, 2, "z three", "gnl|BL_ORD_ID|2");
    assert_int_equal(tms_seqdb_residues(db, 1, 0, 14, codes), TMS_OK);
    assert_memory_equal(codes, "\0\1\2\3\16\16\4\5\0\1\2\3\0\1", 14);
    assert_memory_equal(tms_seqdb_packed(db, 1, &n), "\x1b\x29\x1b\x12", 4); /* bases under N N R Y, as they are stored */
    assert_int_equal(n, 14);
    assert_int_equal(tms_seqdb_check(ctx, db, 0, 3), TMS_OK);
    tms_seqdb_destroy(db);
    open_fails("n", TMS_PROTEIN, TMS_E_ARG, "No alias or index file found for protein database [n] in search path [");
}

/* ---- names and aliases ------------------------------------------------------------------------------------------ */

static void test_finds_databases(void **state)
{
    (void)state;
    char text[512];
    assert_int_equal(mkdir("deep", 0777), 0);
    assert_int_equal(mkdir("deep/er", 0777), 0);
    sample_write_protein("deep/q");
    sample_write_protein("deep/er/two words");
    snprintf(text, sizeof text, "No alias or index file found for protein database [q] in search path [%s::]", sample_directory);
    open_fails("q", TMS_PROTEIN, TMS_E_ARG, text);
    open_fails("", TMS_PROTEIN, TMS_E_ARG, "no name of a database is given");
    snprintf(text, sizeof text, "%s/deep:/nowhere", sample_directory);
    setenv("BLASTDB", text, 1);
    tms_seqdb_destroy(open_fine("q", TMS_PROTEIN));
    tms_seqdb_destroy(open_fine("./er/../q", TMS_PROTEIN));
    unsetenv("BLASTDB");
    sample_write_text(".ncbirc", "; comment\n[OTHER]\nBLASTDB=/nowhere\n[BLAST]\nBLASTDB = deep\nX=1\n");
    tms_seqdb *db = open_fine("q \"er/two words\" q", TMS_PROTEIN);
    assert_string_equal(strrchr(tms_seqdb_part(db, 0), '/'), "/two words"); /* "deep/er/..." is before "deep/q" */
    assert_string_equal(strrchr(tms_seqdb_part(db, 1), '/'), "/q");
    assert_null(tms_seqdb_part(db, 2));
    name_is(db, 3, "b second one", "gnl|BL_ORD_ID|3");
    tms_seqdb_destroy(db);
    open_fails("nosuch", TMS_PROTEIN, TMS_E_ARG, "::deep:]");
    assert_int_equal(unlink(".ncbirc"), 0);
}

static void shown_is(const char *names, uint64_t n_sequences, uint64_t n_residues, uint64_t stats_n, uint64_t stats_residues,
                     const char *title)
{
    tms_seqdb_info info;
    tms_seqdb *db = open_fine(names, TMS_PROTEIN);
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.shown_n_sequences, n_sequences);
    assert_int_equal(info.shown_n_residues, n_residues);
    assert_int_equal(info.stats_n_sequences, stats_n);
    assert_int_equal(info.stats_n_residues, stats_residues);
    assert_string_equal(info.title, title);
    tms_seqdb_destroy(db);
}

static void test_aliases(void **state)
{
    (void)state;
    sample_write_protein("v1");
    sample_write_protein("v2");
    sample_write_protein("self");
    sample_write_text("both.pal", "# comment\nTITLE  Both of them \nDBLIST v2 \"v1\" v2\r\n");
    sample_write_text("said.pal", "TITLE said\nDBLIST v1\nNSEQ 77\nLENGTH 999\n");
    sample_write_text("stats.pal", "DBLIST said v2\nSTATS_NSEQ 5\nSTATS_TOTLEN 50\n");
    sample_write_text("self.pal", "DBLIST self\nTITLE self\n");
    sample_write_text("none.pal", "TITLE none\n");
    sample_write_text("lost.pal", "DBLIST v1 lost1\n");
    sample_write_text("loop1.pal", "DBLIST loop2\n");
    sample_write_text("loop2.pal", "DBLIST loop1 v1\n");
    sample_write_text("gis.pal", "DBLIST v1\nGILIST x.gil\n");
    sample_write_text("odd.pal", "DBLIST v1\nNSEQ 5x\n");
    shown_is("both", 4, 26, 4, 26, "Both of them");
    shown_is("v2 v1", 4, 26, 4, 26, "T; T");
    shown_is("said", 77, 999, 77, 999, "said");
    shown_is("v2 said", 79, 1012, 79, 1012, "said; T");
    shown_is("stats", 79, 1012, 5, 50, "said; T");
    shown_is("self", 2, 13, 2, 13, "self");
    shown_is("self self", 4, 26, 4, 26, "self; self"); /* as BLAST counts */
    open_fails("none", TMS_PROTEIN, TMS_E_FORMAT, "No database names were found in alias file [");
    open_fails("lost", TMS_PROTEIN, TMS_E_FORMAT, "Could not find volume or alias file (lost1) referenced in alias file (");
    open_fails("loop1", TMS_PROTEIN, TMS_E_FORMAT, "lists itself through another");
    open_fails("gis", TMS_PROTEIN, TMS_E_FORMAT, "GILIST, which tamis does not support");
    open_fails("odd", TMS_PROTEIN, TMS_E_FORMAT, "NSEQ: is not a whole number");
    sample_write_text("odd.pal", "DBLIST d\nLENGTH 100000000000000\n");
    open_fails("odd", TMS_PROTEIN, TMS_E_FORMAT, "LENGTH: is not a whole number of at most 14 digits");
}

static void test_parts_of_databases(void **state)
{
    (void)state;
    tms_seqdb_info info;
    sample_write_text("slice.pal", "TITLE slice\nDBLIST v1 v2\nFIRST_OID 2\nLAST_OID 3\n");
    sample_write_text("tail.pal", "DBLIST v2\nFIRST_OID 2\n");
    sample_write_text("empty.pal", "DBLIST v2\nFIRST_OID 3\n");
    tms_seqdb *db = open_fine("slice", TMS_PROTEIN);
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.n_sequences, 2);
    assert_int_equal(info.shown_n_sequences, 4);
    assert_int_equal(tms_seqdb_oid(db, 0), 1);
    assert_int_equal(tms_seqdb_oid(db, 1), 2);
    letters_are(db, 0, "ACDEFGHIKL");
    letters_are(db, 1, "MKV");
    name_is(db, 1, "a first", "gnl|BL_ORD_ID|2");
    tms_seqdb_destroy(db);
    db = open_fine("slice tail", TMS_PROTEIN); /* overlapping or not, each sequence once */
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.n_sequences, 3);
    assert_int_equal(tms_seqdb_oid(db, 2), 3);
    tms_seqdb_destroy(db);
    db = open_fine("empty", TMS_PROTEIN);
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.n_sequences, 0);
    tms_seqdb_range piece = tms_seqdb_cut(db, 1, 3);
    assert_int_equal(piece.first, 0);
    assert_int_equal(piece.end, 0);
    tms_seqdb_destroy(db);
}

static void test_pieces_are_all_of_it(void **state)
{
    (void)state;
    tms_seqdb *db = open_fine("v1 v2 self deep/q", TMS_PROTEIN);
    tms_seqdb_info info;
    tms_seqdb_get_info(db, &info);
    for (uint64_t n = 1; n < 40; n++) {
        uint64_t next = 0, most = 0;
        for (uint64_t k = 0; k < n; k++) {
            tms_seqdb_range piece = tms_seqdb_cut(db, k, n);
            uint64_t residues = 0;
            assert_int_equal(piece.first, next);
            assert_true(piece.end >= piece.first);
            next = piece.end;
            for (uint64_t i = piece.first; i < piece.end; i++)
                residues += tms_seqdb_length(db, i) + 1;
            most = residues > most ? residues : most;
        }
        assert_int_equal(next, info.n_sequences);
        assert_true(most <= (info.n_residues + info.n_sequences) / n + 11 + 1);
    }
    tms_seqdb_destroy(db);
}

static void test_finds_ids(void **state)
{
    (void)state;
    const char *ids[] = {"gnl|BL_ORD_ID|3", "BL_ORD_ID:3", "a", "gnl|bl_ord_id|0", "gnl|BL_ORD_ID|8"};
    tms_seqdb_found found[5];
    tms_seqdb *db = open_fine("v1 v2", TMS_PROTEIN);
    assert_int_equal(tms_seqdb_find(ctx, db, ids, 5, found), TMS_OK);
    assert_int_equal(found[0].number, 3);
    assert_int_equal(found[1].number, UINT64_MAX);
    assert_int_equal(found[2].number, UINT64_MAX);
    assert_int_equal(found[3].number, 0);
    assert_int_equal(found[4].number, UINT64_MAX);
    tms_seqdb_destroy(db);
}

/* ---- damage ----------------------------------------------------------------------------------------------------- */

/* All that can be read of a volume, if it opens. Returns whether all of it was sound. */
static bool read_all(struct seqdb_volume *v)
{
    bool is_sound;
    if (seqdb_volume_check(ctx, v) != TMS_OK) {
        assert_true(tms_context_message(ctx)[0] != '\0');
        return false;
    }
    struct seqdb_slice slice = {0, 0, 0, v->n_oids};
    uint64_t starts[2] = {0, v->n_oids};
    tms_seqdb db = {.volumes = v, .n_volumes = 1, .volume_starts = starts, .slices = &slice, .n_slices = 1};
    tms_seqdb_names *names;
    db.info.n_sequences = v->n_oids;
    is_sound = tms_seqdb_check(ctx, &db, 0, v->n_oids) == TMS_OK;
    assert_int_equal(tms_seqdb_names_create(ctx, &names), TMS_OK);
    for (uint64_t i = 0; i < v->n_oids; i++) {
        uint64_t n = tms_seqdb_length(&db, i);
        uint8_t *codes = sample_copy(NULL, 0);
        size_t n_names;
        tms_status status;
        free(codes);
        codes = malloc(n + 1);
        assert_non_null(codes);
        status = tms_seqdb_residues(&db, i, 0, n, codes);
        assert_int_equal(tms_seqdb_letters(&db, i, 0, n, codes), status);
        if (v->molecule == TMS_NUCLEOTIDE && seqdb_volume_fault(v, (uint32_t)i) != NULL)
            assert_int_equal(status, TMS_E_FORMAT);
        if (is_sound)
            assert_int_equal(status, TMS_OK);
        status = tms_seqdb_names_read(&db, i, names, &n_names);
        assert_true(status == TMS_OK || (status == TMS_E_FORMAT && !is_sound));
        free(codes);
    }
    tms_seqdb_names_destroy(names);
    return is_sound;
}

struct sample_volume {
    tms_molecule molecule;
    const struct sample_bytes *files[3];
};
static const struct sample_volume sample_volumes[] = {
    {TMS_PROTEIN, {&protein_index, &protein_headers, &protein_sequences}},
    {TMS_NUCLEOTIDE, {&nucleotide_index, &nucleotide_headers, &nucleotide_sequences}},
};

/* With one file cut to so many bytes, and one byte of it changed by exclusive or. */
static bool read_damaged(const struct sample_volume *sample, int file, size_t size, size_t at, uint8_t change)
{
    uint8_t *bytes[3];
    struct seqdb_volume v = {.molecule = sample->molecule};
    struct seqdb_bytes *const to[3] = {&v.index, &v.headers, &v.sequences};
    bool is_sound;
    for (int i = 0; i < 3; i++) {
        size_t n = i == file ? size : sample->files[i]->size;
        bytes[i] = sample_copy(sample->files[i]->bytes, n);
        *to[i] = (struct seqdb_bytes){bytes[i], n};
    }
    if (at < size)
        bytes[file][at] ^= change;
    is_sound = read_all(&v);
    for (int i = 0; i < 3; i++)
        free(bytes[i]);
    return is_sound;
}

static void test_cut_files_are_errors(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        for (int file = 0; file < 3; file++) {
            for (size_t n = 0; n < sample_volumes[s].files[file]->size; n++)
                assert_false(read_damaged(&sample_volumes[s], file, n, SIZE_MAX, 0));
            assert_true(read_damaged(&sample_volumes[s], file, sample_volumes[s].files[file]->size, SIZE_MAX, 0));
        }
    }
}

static void test_changed_bytes_crash_nothing(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        for (int file = 0; file < 3; file++) {
            size_t size = sample_volumes[s].files[file]->size;
            for (size_t at = 0; at < size; at++) {
                for (int change = 1; change < 256; change++)
                    (void)read_damaged(&sample_volumes[s], file, size, at, (uint8_t)change);
            }
        }
    }
}

/* A field of the protein index, at its place, made something else: the message names it. */
static void test_says_which_field(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t byte;
        const char *text;
    } cases[] = {
        {3, 6, "d.pin: version: is neither 4 nor 5"},
        {7, 0, "d.pin: type: is not that of proteins"},
        {7, 2, "d.pin: type: is neither 0 nor 1"},
        {11, 200, "d.pin: title: ends beyond the end of the file"},
        {16, 255, "d.pin: date: ends beyond"},
        {43, 3, "d.pin: number of sequences: 3 take 32 bytes of offsets, but the file has 24"},
        {44, 14, "d.pin: total length: 14, but the offsets give 13"},
        {55, 11, "d.pin: longest sequence: 11, but the offsets give 10"},
        {63, 0x92, "d.pin: header offsets: decrease after sequence 1"},
        {67, 0x90, "d.phr: the file has 145 bytes, but its index says 144"},
        {71, 0, "d.pin: sequence offsets: the first is 0"},
        {75, 0x11, "d.pin: sequence offsets: do not increase after sequence 1"},
        {79, 0x11, "d.psq: the file has 16 bytes, but its index says 17"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *index = sample_copy(protein_index.bytes, protein_index.size);
        sample_write_protein("d");
        index[cases[i].at] = cases[i].byte;
        sample_write("d.pin", index, protein_index.size);
        open_fails("d", TMS_PROTEIN, TMS_E_FORMAT, cases[i].text);
        free(index);
    }
    sample_write_protein("d");
    assert_int_equal(unlink("d.phr"), 0);
    open_fails("d", TMS_PROTEIN, TMS_E_FORMAT, "d.phr: No such file or directory");
    sample_write("d.phr", "", 0);
    open_fails("d", TMS_PROTEIN, TMS_E_FORMAT, "d.phr: is empty");
    uint8_t *sequences = sample_copy(protein_sequences.bytes, protein_sequences.size);
    sequences[7] = 28;
    sample_write_protein("d");
    sample_write("d.psq", sequences, protein_sequences.size);
    tms_seqdb *db = open_fine("d", TMS_PROTEIN);
    uint8_t letters[10];
    assert_int_equal(tms_seqdb_letters(db, 1, 0, 10, letters), TMS_E_FORMAT);
    assert_int_equal(tms_seqdb_letters(db, 1, 3, 10, letters), TMS_OK);
    assert_int_equal(tms_seqdb_check(ctx, db, 0, 2), TMS_E_FORMAT);
    assert_non_null(strstr(tms_context_message(ctx), "d.psq: sequence 1: it has a code that is not an amino acid"));
    assert_int_equal(tms_seqdb_check(ctx, db, 0, 1), TMS_OK);
    tms_seqdb_destroy(db);
    free(sequences);
    open_fails("d", (tms_molecule)2, TMS_E_ARG, "a molecule is");
}

/* The same of the ambiguity offsets: an ambiguity block begins behind a base, and ends with its sequence. */
static void test_says_which_ambiguity_offset(void **state)
{
    (void)state;
    static const struct {
        size_t from_end;
        uint8_t byte;
        const char *text;
    } cases[] = {
        {13, 1, "n.nin: ambiguity offsets: that of sequence 0 is outside the sequence"},
        {13, 4, "n.nin: ambiguity offsets: that of sequence 0 is outside the sequence"},
        {9, 0x18, "n.nin: ambiguity offsets: that of sequence 1 is outside the sequence"},
        {1, 0x19, "n.nin: ambiguity offsets: the last is 25, but that of the sequences is 26"},
    };
    sample_write_nucleotide("n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *index = sample_copy(nucleotide_index.bytes, nucleotide_index.size);
        index[nucleotide_index.size - cases[i].from_end] = cases[i].byte;
        sample_write("n.nin", index, nucleotide_index.size);
        open_fails("n", TMS_NUCLEOTIDE, TMS_E_FORMAT, cases[i].text);
        free(index);
    }
}

static void test_versions_do_not_mix(void **state)
{
    (void)state;
    uint8_t index[256];
    size_t n = 0;
    /* Version 5: the volume's number behind the type, the name of the LMDB file behind the title; the date padded anew. */
    memcpy(index, "\0\0\0\5\0\0\0\1\0\0\0\0\0\0\0\1T\0\0\0\6P5.pdb\0\0\0\x19" SAMPLE_DATE "\0\0\0\0", 4 * 3 + 5 + 10 + 4 + 25);
    n = 4 * 3 + 5 + 10 + 4 + 25;
    memcpy(index + n, protein_index.bytes + 40, protein_index.size - 40);
    n += protein_index.size - 40;
    sample_write_protein("five");
    sample_write("five.pin", index, n);
    tms_seqdb_info info;
    tms_seqdb *db = open_fine("five", TMS_PROTEIN);
    tms_seqdb_get_info(db, &info);
    assert_int_equal(info.version, 5);
    assert_string_equal(info.title, "T");
    assert_string_equal(info.date, SAMPLE_DATE);
    letters_are(db, 1, "ACDEFGHIKL");
    tms_seqdb_destroy(db);
    open_fails("v1 five", TMS_PROTEIN, TMS_E_FORMAT, "DB list contains both Version 4 and Version 5 dbs");
}

static int enter(void **state) { return setup(state) == 0 ? sample_enter() : -1; }
static int leave(void **state) { return teardown(state) == 0 ? sample_leave() : -1; }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_proteins),
        cmocka_unit_test(test_reads_nucleotides),
        cmocka_unit_test(test_finds_databases),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_parts_of_databases),
        cmocka_unit_test(test_pieces_are_all_of_it),
        cmocka_unit_test(test_finds_ids),
        cmocka_unit_test(test_cut_files_are_errors),
        cmocka_unit_test(test_changed_bytes_crash_nothing),
        cmocka_unit_test(test_says_which_field),
        cmocka_unit_test(test_says_which_ambiguity_offset),
        cmocka_unit_test(test_versions_do_not_mix),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
