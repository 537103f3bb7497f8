/* test_defline_decode.c - ids of all kinds from BER, with definite and indefinite lengths, and their texts; nonsense is an error. */
#include "seqid/defline_decode.h"
#include "seqid/seqid_text.h"
#include "unit/samples.h"

/* BER under way: a value is wrapped when it is complete. */
struct value {
    uint8_t bytes[4096];
    size_t n;
};

static struct value join(const struct value *a, const struct value *b)
{
    struct value v = *a;
    memcpy(v.bytes + v.n, b->bytes, b->n);
    v.n += b->n;
    return v;
}

static struct value primitive(uint8_t tag, const void *bytes, size_t n)
{
    struct value v = {.n = 0};
    v.bytes[v.n++] = tag;
    if (n >= 128) {
        v.bytes[v.n++] = 0x82;
        v.bytes[v.n++] = (uint8_t)(n >> 8);
    }
    v.bytes[v.n++] = (uint8_t)n;
    memcpy(v.bytes + v.n, bytes, n);
    v.n += n;
    return v;
}

static struct value text(const char *string) { return primitive(0x1a, string, strlen(string)); }
static struct value integer(uint8_t byte) { return primitive(0x02, &byte, 1); }

/* The same contents in both ways to say where they end. */
static bool is_definite;
static struct value wrap(uint8_t tag, struct value inner)
{
    struct value v = {.n = 0};
    if (is_definite)
        return primitive(tag, inner.bytes, inner.n);
    v.bytes[v.n++] = tag;
    v.bytes[v.n++] = 0x80;
    memcpy(v.bytes + v.n, inner.bytes, inner.n);
    v.n += inner.n;
    v.bytes[v.n++] = 0;
    v.bytes[v.n++] = 0;
    return v;
}

static struct value fields(const struct value *values, const uint8_t *tags, size_t n)
{
    struct value all = {.n = 0};
    for (size_t i = 0; i < n; i++) {
        struct value field = wrap(tags[i], values[i]);
        all = join(&all, &field);
    }
    return wrap(0x30, all);
}

static struct value text_id(uint8_t tag, const char *name, const char *accession, const char *release, uint8_t version)
{
    const struct value values[] = {text(name), text(accession), text(release), integer(version)};
    return wrap(tag, fields(values, (const uint8_t[]){0xa0, 0xa1, 0xa2, 0xa3}, 4));
}

static struct value general(const char *db, struct value tag)
{
    const struct value values[] = {text(db), tag};
    return wrap(0xaa, fields(values, (const uint8_t[]){0xa0, 0xa1}, 2));
}

static struct value deflines(const char *title, struct value ids)
{
    const struct value values[] = {text(title), wrap(0x30, ids), integer(9), wrap(0x30, integer(1))};
    return wrap(0x30, fields(values, (const uint8_t[]){0xa0, 0xa1, 0xa2, 0xa4}, 4));
}

static void ids_are(struct value ids, const char *want_all, const char *want_id, const char *want_accession)
{
    for (int definite = 0; definite < 2; definite++) {
        struct value all = deflines("a title", ids);
        struct defline_decoder decoder = {0};
        struct byte_array out = {0};
        const char *why = "";
        if (defline_decode(&decoder, all.bytes, all.n, &why) != TMS_OK)
            fail_msg("%s: %s", want_all, why);
        assert_int_equal(decoder.n, 1);
        assert_int_equal(decoder.deflines[0].title.n, 7);
        assert_memory_equal(decoder.deflines[0].title.bytes, "a title", 7);
        assert_int_equal(decoder.deflines[0].taxid, 9);
        assert_true(seqid_text_all(&decoder.deflines[0], &out) && byte_array_add(&out, "", 1));
        assert_string_equal((char *)out.bytes, want_all);
        out.n = 0;
        assert_true(seqid_text_fasta(seqid_best(&decoder.deflines[0]), &out) && byte_array_add(&out, "", 1));
        assert_string_equal((char *)out.bytes, want_id);
        out.n = 0;
        assert_true(seqid_text_accession(seqid_best(&decoder.deflines[0]), &out) && byte_array_add(&out, "", 1));
        assert_string_equal((char *)out.bytes, want_accession);
        free(out.bytes);
        defline_decoder_free(&decoder);
        is_definite = !is_definite;
    }
}

static void test_all_kinds(void **state)
{
    (void)state;
    struct value gi = wrap(0xab, primitive(0x02, "\1\xf9\x0f", 3)), sp = text_id(0xa7, "NAME", "P12345", "reviewed", 2);
    struct value pdb_old[] = {text("1ABC"), integer('B')}, pdb_new[] = {text("1ABC"), integer('B'), text("AA")};
    struct value citation[] = {text("US"), wrap(0xa0, text("RE33188"))},
                 patent[] = {integer(3), fields(citation, (const uint8_t[]){0xa0, 0xa1}, 2)};
    struct value giim[] = {integer(98), text("db")};
    ids_are(sp, "sp|P12345.2|NAME", "sp|P12345.2|NAME", "P12345.2");
    ids_are(join(&gi, &sp), "gi|129295|sp|P12345.2|NAME", "sp|P12345.2|NAME", "P12345.2");
    ids_are(gi, "gi|129295", "gi|129295", "gi|129295");
    ids_are(text_id(0xa7, "N", "A0A000", "unreviewed", 0), "tr|A0A000|N", "tr|A0A000|N", "A0A000");
    ids_are(text_id(0xa9, "", "NP_000001", "", 1), "ref|NP_000001.1|", "ref|NP_000001.1|", "NP_000001.1");
    ids_are(text_id(0xa6, "A12345", "", "", 0), "pir||A12345", "pir||A12345", "A12345");
    ids_are(text_id(0xa4, "L", "AAA1", "", 1), "gb|AAA1.1|L", "gb|AAA1.1|L", "AAA1.1");
    ids_are(text_id(0xa5, "", "E", "", 0), "emb|E|", "emb|E|", "E");
    ids_are(text_id(0xac, "", "D", "", 0), "dbj|D|", "dbj|D|", "D");
    ids_are(text_id(0xad, "", "D", "", 0), "prf|D|", "prf|D|", "D");
    ids_are(text_id(0xaf, "", "D", "", 0), "tpg|D|", "tpg|D|", "D");
    ids_are(text_id(0xb0, "", "D", "", 0), "tpe|D|", "tpe|D|", "D");
    ids_are(text_id(0xb1, "", "D", "", 0), "tpd|D|", "tpd|D|", "D");
    ids_are(text_id(0xb2, "", "D", "", 0), "gpp|D|", "gpp|D|", "D");
    ids_are(text_id(0xb3, "", "D", "", 0), "nat|D|", "nat|D|", "D");
    ids_are(wrap(0xa0, wrap(0xa1, text("loc"))), "lcl|loc", "lcl|loc", "loc");
    ids_are(wrap(0xa0, wrap(0xa0, integer(17))), "lcl|17", "lcl|17", "17");
    ids_are(wrap(0xa1, integer(5)), "bbs|5", "bbs|5", "5");
    ids_are(wrap(0xa2, integer(6)), "bbm|6", "bbm|6", "6");
    ids_are(wrap(0xa3, fields(giim, (const uint8_t[]){0xa0, 0xa1}, 2)), "gim|98", "gim|98", "98");
    ids_are(general("db", wrap(0xa1, text("tag"))), "gnl|db|tag", "gnl|db|tag", "db:tag");
    ids_are(general("BL_ORD_ID", wrap(0xa0, integer(7))), "gnl|BL_ORD_ID|7", "gnl|BL_ORD_ID|7", "BL_ORD_ID:7");
    ids_are(wrap(0xae, fields(pdb_old, (const uint8_t[]){0xa0, 0xa1}, 2)), "pdb|1ABC|B", "pdb|1ABC|B", "1ABC_B");
    ids_are(wrap(0xae, fields(pdb_new, (const uint8_t[]){0xa0, 0xa1, 0xa3}, 3)), "pdb|1ABC|AA", "pdb|1ABC|AA", "1ABC_AA");
    ids_are(wrap(0xae, fields(pdb_old, (const uint8_t[]){0xa0}, 1)), "pdb|1ABC| ", "pdb|1ABC| ", "1ABC");
    ids_are(wrap(0xa8, fields(patent, (const uint8_t[]){0xa0, 0xa1}, 2)), "pat|US|RE33188|3", "pat|US|RE33188|3", "USRE33188_3");
    is_definite = !is_definite;
    ids_are(join(&gi, &sp), "gi|129295|sp|P12345.2|NAME", "sp|P12345.2|NAME", "P12345.2"); /* the two ways within each other */
    is_definite = false;
}

static tms_status decode(const uint8_t *bytes, size_t n, size_t *n_deflines)
{
    struct defline_decoder decoder = {0};
    const char *why = NULL;
    uint8_t *copy = malloc(n + !n);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    tms_status status = defline_decode(&decoder, copy, n, &why);
    assert_true((status == TMS_OK) == (why == NULL));
    *n_deflines = decoder.n;
    defline_decoder_free(&decoder);
    free(copy);
    return status;
}

static void test_nonsense_is_an_error(void **state)
{
    (void)state;
    size_t n;
    struct value whole, deep = {.n = 0};
    for (int definite = 0; definite < 2; definite++) {
        is_definite = definite;
        whole = deflines("t", text_id(0xa7, "NAME", "P12345", "reviewed", 2));
        assert_int_equal(decode(whole.bytes, whole.n, &n), TMS_OK);
        assert_int_equal(n, 1);
        for (size_t cut = 1; cut < whole.n; cut++)
            assert_int_equal(decode(whole.bytes, cut, &n), TMS_E_FORMAT);
        whole.bytes[whole.n] = 0;
        assert_int_equal(decode(whole.bytes, whole.n + 1, &n), TMS_E_FORMAT);
    }
    is_definite = false;
    assert_int_equal(decode((const uint8_t *)"", 0, &n), TMS_OK);
    assert_int_equal(n, 0);
    for (int i = 0; i < 2000; i++) { /* links, in links, in links ... */
        deep.bytes[deep.n++] = 0xa4;
        deep.bytes[deep.n++] = 0x80;
    }
    memcpy(whole.bytes, "\x30\x80\x30\x80", 4);
    memcpy(whole.bytes + 4, deep.bytes, 4000);
    assert_int_equal(decode(whole.bytes, 4004, &n), TMS_E_FORMAT);
    assert_int_equal(decode((const uint8_t *)"\x30\x84\xff\xff\xff\xff\0", 7, &n), TMS_E_FORMAT);
    assert_int_equal(decode((const uint8_t *)"\x30\x85\0\0\0\0\0\0", 8, &n), TMS_E_FORMAT);
    assert_int_equal(decode((const uint8_t *)"\x31\0", 2, &n), TMS_E_FORMAT);
    assert_int_equal(decode((const uint8_t *)"\x30\0", 2, &n), TMS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_nonsense_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
