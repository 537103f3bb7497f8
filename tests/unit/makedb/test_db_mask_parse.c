/* test_db_mask_parse.c - files of masks that are cut, or changed in a byte: refused, or read as what they now say. The rest is in
 * makedb.bats. */
#include "unit/io/io_samples.h"

#include "makedb/db_mask_parse.h"

static const char text[] = "Blast-db-mask-info ::= {\n algo-id 1,\n algo-program seg,\n algo-options \"window=12\",\n masks {\n masks {\n"
                           " int { from 1, to 5, id swissprot { name \"N\"\"\n\", accession \"P1\", release \"reviewed\", version 2 } },\n"
                           " packed-int { { from 2, to 3, strand plus, id pdb { mol \"1ABC\", chain 65, chain-id \"A\" } },\n"
                           " { from 7, to 8, fuzz-from lim lt, id pdb { mol \"1ABC\" } } },\n"
                           " int { from 1, to 2, id general { db \"d\", tag str \"t\" } },\n"
                           " int { from 1, to 2, id patent { seqid 1, cit { country \"US\", id number \"7\" } } },\n"
                           " int { from 1, to 2, id gi 5 }\n },\n more FALSE\n }\n}\n";

/* int { from 1, to 5, id local id 1 }, packed-int { { from 2, to 3, id local str "x" } } */
static const uint8_t binary[] = {
    0x30, 0x80, 0xa0, 0x80, 0x02, 0x01, 0x01, 0x00, 0x00, 0xa1, 0x80, 0x02, 0x01, 0x14, 0x00, 0x00, 0xa2, 0x80, 0x1a, 0x01, 'o',
    0x00, 0x00, 0xa3, 0x80, 0x30, 0x80, 0xa0, 0x80, 0x30, 0x80, 0xa3, 0x80, 0x30, 0x80, 0xa0, 0x80, 0x02, 0x01, 0x01, 0x00, 0x00,
    0xa1, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00, 0xa3, 0x80, 0xa0, 0x80, 0xa0, 0x80, 0x02, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0xa4, 0x80, 0x30, 0x80, 0x30, 0x80, 0xa0, 0x80, 0x02, 0x01, 0x02, 0x00, 0x00, 0xa1, 0x80, 0x02,
    0x01, 0x03, 0x00, 0x00, 0xa3, 0x80, 0xa0, 0x80, 0xa1, 0x80, 0x1a, 0x01, 'x',  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa1, 0x80, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

struct found {
    size_t n, n_letters; /* of all texts: they can be read */
    char log[512];
};

static bool take(void *arg, const struct seqid *id, int64_t from, int64_t to, bool is_first)
{
    struct found *f = arg;
    const struct text texts[] = {id->accession, id->name, id->release};

    f->n++;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < texts[i].n; k++)
            f->n_letters += texts[i].bytes[k] != '\0';
    if (strlen(f->log) < sizeof f->log - 128)
        sprintf(f->log + strlen(f->log), "%d %.*s|%.*s %d..%d%s;", (int)id->kind, (int)id->accession.n % 20, id->accession.bytes,
                (int)id->name.n % 20, id->name.bytes, (int)from, (int)to, is_first ? "" : " too");
    return true;
}

/* From memory that ends with the bytes, so that a sanitizer sees what is read behind them. */
static const char *parse(const void *bytes, size_t n, struct found *found, mask_values *values)
{
    struct byte_array scratch = {NULL, 0, 0};
    uint8_t *copy = malloc(n + (n == 0));
    const char *why;

    memcpy(copy, bytes, n);
    *found = (struct found){0, 0, ""};
    *values = (mask_values){.location = take, .arg = found};
    why = *(const uint8_t *)bytes == 0x30 ? mask_parse_ber(copy, n, values) : mask_parse_text(copy, n, &scratch, values);
    values->options.bytes = NULL;
    free(scratch.bytes);
    free(copy);
    return why;
}

static void test_what_is_said(void **state)
{
    (void)state;
    struct found found;
    mask_values values;

    assert_null(parse(text, sizeof text - 1, &found, &values));
    assert_string_equal(found.log, "7 P1|N\" 1..5;14 1ABC|A 2..3;14 1ABC| 7..8 too;10 t|d 1..2;8 7|US 1..2;11 | 1..2;");
    assert_int_equal(values.program, 20);
    assert_int_equal(values.options.n, 9);
    assert_null(parse(binary, sizeof binary, &found, &values));
    assert_string_equal(found.log, "0 | 1..5;0 x| 2..3;");
    assert_int_equal(values.program, 20);
}

static void test_cut_at_every_length(void **state)
{
    (void)state;
    struct found found;
    mask_values values;

    for (size_t n = 1; n < sizeof text - 2; n++) /* the last byte is the end of a line */
        assert_non_null(parse(text, n, &found, &values));
    for (size_t n = 1; n < sizeof binary; n++)
        assert_non_null(parse(binary, n, &found, &values));
}

static void test_changed_in_every_byte(void **state)
{
    (void)state;
    static const uint8_t others[] = {0, 0x30, 0x80, 0xa3, 0xff, '"', '{', '}', ',', '9', ' '};
    struct found found;
    mask_values values;
    uint8_t changed[sizeof text];

    for (size_t i = 1; i < sizeof text - 1; i++) {
        for (size_t k = 0; k < sizeof others; k++) {
            memcpy(changed, text, sizeof text);
            changed[i] = others[k];
            parse(changed, sizeof text - 1, &found, &values);
            assert_true(found.n <= 6);
        }
    }
    for (size_t i = 1; i < sizeof binary; i++) {
        for (size_t k = 0; k < 256; k++) {
            memcpy(changed, binary, sizeof binary);
            changed[i] = (uint8_t)k;
            parse(changed, sizeof binary, &found, &values);
            assert_true(found.n <= 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_said),
        cmocka_unit_test(test_cut_at_every_length),
        cmocka_unit_test(test_changed_in_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
