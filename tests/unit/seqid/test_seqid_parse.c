/* test_seqid_parse.c - first words of headers to ids, and ids to the words by which they are found; makeblastdb's (tests/cli/makedb.bats).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "seqid/seqid_keys.h"
#include "seqid/seqid_parse.h"
#include "seqid/seqid_text.h"

static enum seqid_parse_status parse(const char *word, tms_molecule molecule, struct defline *out)
{
    static struct seqid ids[SEQID_MAX_IDS];
    static char scratch[256];
    size_t too_long;

    *out = (struct defline){.ids = ids};
    return seqid_parse(word, strlen(word), molecule, scratch, ids, &out->n_ids, &too_long);
}

static void test_ids(void **state)
{
    static const struct {
        const char *word, *protein, *nucleotide, *keys; /* ids of proteins, of nucleotides; keys of the last of the former */
    } cases[] = {
        {"bare", "lcl|bare", "lcl|bare", "bare lcl|bare"},
        {"12345", "lcl|12345", "lcl|12345", "lcl|12345"},
        {"007", "lcl|007", "lcl|007", "007 lcl|007"},
        {"sp|P12345.2|NAME", "sp|P12345.2|NAME", "sp|P12345.2|NAME", "p12345 p12345.2 name"},
        {"tr|A0A000|X", "tr|A0A000|X", "tr|A0A000|X", "a0a000 x"},
        {"gi|5|ref|NP_1.1|", "gi|5|ref|NP_1.1|", "gi|5|ref|NP_1.1|", "np_1 np_1.1"},
        {"ref|NP_1.1||gi|5", "ref|NP_1.1||gi|5", "ref|NP_1.1||gi|5", ""},
        {"gnl|Db|X", "gnl|Db|X", "gnl|Db|X", "x gnl|db|x"},
        {"gnl|db|7", "gnl|db|7", "gnl|db|7", "gnl|db|7"},
        {"ab|x", "gnl|ab|x", "gnl|ab|x", "x gnl|ab|x"},
        {"abcd|x", "lcl|abcd|x", "lcl|abcd|x", "abcd|x lcl|abcd|x"},
        {"pdb|1ABC|a", "pdb|1ABC|a", "pdb|1ABC|a", "1abc 1abc a 1abc|a pdb|1abc|a"},
        {"1ABC_A", "pdb|1ABC|A", "pdb|1ABC|A", "1abc 1abc a 1abc|a pdb|1abc|a"},
        {"pdb|1914|A", "pdb|1914|A", "pdb|1914|A", "1914 1914 a 1914|a pdb|1914|a"},
        {"pat|US|12|3", "pat|US|12|3", "pat|US|12|3", "pat|us|12|3"},
        {"NP_000002.3", "ref|NP_000002.3|", "lcl|NP_000002.3", "np_000002 np_000002.3"},
        {"NM_123456", "lcl|NM_123456", "ref|NM_123456|", "nm_123456 lcl|nm_123456"},
        {"P12345", "sp|P12345|", "lcl|P12345", "p12345"},
        {"A0A385XJK5", "sp|A0A385XJK5|", "lcl|A0A385XJK5", "a0a385xjk5"},
        {"AAA12345.1", "gb|AAA12345.1|", "lcl|AAA12345.1", "aaa12345 aaa12345.1"},
        {"CAA12345", "emb|CAA12345|", "lcl|CAA12345", "caa12345"},
        {"u12345", "lcl|U12345", "gb|u12345|", "u12345 lcl|u12345"},
        {"AB123456.01", "lcl|AB123456.1", "dbj|AB123456.1|", "ab123456.1 lcl|ab123456.1"},
        {"AAAA01S000001", "lcl|AAAA01S000001", "gb|AAAA01S000001|", "aaaa01s000001 lcl|aaaa01s000001"},
        {"NZ_CP000001.1", "lcl|NZ_CP000001.1", "ref|NZ_CP000001.1|", "nz_cp000001.1 lcl|nz_cp000001.1"},
        {"N20000", "lcl|N20000", "lcl|N20000", "n20000 lcl|n20000"},
        {"N20001", "lcl|N20001", "gb|N20001|", "n20001 lcl|n20001"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int molecule = 0; molecule < 2; molecule++) {
            struct byte_array text = {NULL, 0, 0};
            struct defline d;
            assert_int_equal(parse(cases[i].word, (tms_molecule)molecule, &d), SEQID_PARSED);
            assert_true(seqid_text_all(&d, &text) && byte_array_add(&text, "", 1));
            assert_string_equal((const char *)text.bytes, molecule == TMS_PROTEIN ? cases[i].protein : cases[i].nucleotide);
            if (molecule == TMS_PROTEIN) {
                text.n = 0;
                assert_true(seqid_keys(&d.ids[d.n_ids - 1], &text) && byte_array_add(&text, "", 1));
                for (size_t k = 0; k + 2 < text.n; k++)
                    text.bytes[k] = text.bytes[k] == '\0' ? ' ' : text.bytes[k];
                assert_string_equal((const char *)text.bytes, cases[i].keys);
            }
            free(text.bytes);
        }
    }
}

static void test_faults(void **state)
{
    static const struct {
        const char *word;
        enum seqid_parse_status status;
    } cases[] = {
        {"a|b|c", SEQID_NONE},
        {"gi|abc", SEQID_NONE},
        {"lcl|a|b", SEQID_NONE},
        {"gb|x.0", SEQID_NONE},
        {"P12345.0", SEQID_NONE},
        {"sp|A|B|C", SEQID_NONE},
        {"pdb|xyz|A", SEQID_NONE},
        {"pdb|12345|A", SEQID_NONE},
        {"pdb||A", SEQID_NONE},
        {"gnl|a", SEQID_NONE},
        {"gi|1|gi|2|gi|3|gi|4|gi|5|gi|6|gi|7|gi|8|gi|9", SEQID_NONE},
        {"\"dq\"", SEQID_BAD_LOCAL},
        {"|x", SEQID_BAD_LOCAL},
        {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", SEQID_LONG_LOCAL},
        {"gb|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx|", SEQID_LONG_ACCESSION},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct defline d;
        assert_int_equal(parse(cases[i].word, TMS_PROTEIN, &d), cases[i].status);
    }
}

static void test_labels(void **state)
{
    static const char *const cases[][2] = {{"a", "LCL|A"},    {"sp|P12345.2|N", "SP|P12345.2"},
                                           {"tr||N", "SP|N"}, {"1ABC_a", "PDB|1ABC|a"},
                                           {"gi|5", "GI|5"},  {"gnl|a|b", "GNL|A|B"}};
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct byte_array label = {NULL, 0, 0};
        struct defline d;
        assert_int_equal(parse(cases[i][0], TMS_PROTEIN, &d), SEQID_PARSED);
        assert_true(seqid_label(&d.ids[0], &label));
        assert_string_equal((const char *)label.bytes, cases[i][1]);
        free(label.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ids), cmocka_unit_test(test_faults), cmocka_unit_test(test_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
