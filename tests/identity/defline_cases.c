/*
 * defline_cases.c - FASTA files of proteins whose headers have ids and titles of all kinds, at random: those on which deflines.sh compares
 * tamis with NCBI's programs. The same seed gives the same files.
 *
 *     defline_cases SEED FIRST N DIRECTORY
 *
 * Case i is DIRECTORY/i.query, i.subject, and i.ids with ids to look for, one a line. Most files have only headers that are taken; in the
 * others one in a few may be refused. No two records have the same id or accession.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 4096, LENGTH = 60 };

#define COUNT(array)  (sizeof(array) / sizeof *(array))
#define ONE_OF(array) (array)[draw() % COUNT(array)]

struct text {
    size_t n;
    char at[MAX_TEXT];
};

static uint64_t state;
static unsigned serial; /* of an id: in its digits */
static int with_odd;    /* some files may have what is below */
static int is_risky;    /* this file may have headers that are refused, and odd bytes */
static uint64_t used;   /* which odd ids it has: a bit for each */
static struct text wanted;

/* --- chance --- */

/* splitmix64 */
static uint64_t draw(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* From first to last. */
static unsigned between(unsigned first, unsigned last) { return first + (unsigned)(draw() % (last - first + 1)); }

static int chance(double p) { return (double)(draw() >> 11) * 0x1p-53 < p; }

/* --- text --- */

static void add(struct text *t, const char *bytes)
{
    for (; *bytes != '\0' && t->n + 1 < MAX_TEXT; bytes++)
        t->at[t->n++] = *bytes;
    t->at[t->n] = '\0';
}

static void add_letter(struct text *t, char c) { add(t, (char[]){c, '\0'}); }

static void add_letters(struct text *t, unsigned n)
{
    while (n-- > 0)
        add_letter(t, (char)('A' + between(0, 25)));
}

/* The serial number with as many digits as are wanted. */
static void add_serial(struct text *t, unsigned n_digits)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%0*u", (int)n_digits, serial);
    add(t, digits);
}

/* Some of what was added from `from` on in lower case. */
static void change_case(struct text *t, size_t from, double p)
{
    const int all = chance(0.5);

    if (!chance(p))
        return;
    for (size_t i = from; i < t->n; i++)
        t->at[i] = (char)(all || chance(0.5) ? tolower((unsigned char)t->at[i]) : t->at[i]);
}

/* --- ids --- */

static void add_version(struct text *t)
{
    static const char *const odd[] = {".0", ".01", ".007", ".", ".x", ".1.2", ".2147483648"};
    char version[16];

    if (is_risky && chance(0.05)) {
        add(t, ONE_OF(odd));
    } else if (chance(0.6)) {
        snprintf(version, sizeof version, ".%u", chance(0.8) ? between(1, 3) : between(4, 3000));
        add(t, version);
    }
}

/* Of one of the shapes that accessions have, or nearly. */
static void add_accession(struct text *t)
{
    static const char *const refseq[] = {"NP_", "XP_", "WP_", "YP_", "AP_", "ZP_", "AT_", "XX_"};
    static const char *const three[] = {"AAA", "CAA", "BAA", "DAA", "FAA", "EAA", "GAA", "HAA", "KAA", "MBA", "OAA", "QBA", "TPA"};
    const size_t from = t->n;

    switch (between(0, 6)) {
    case 0:
        add(t, ONE_OF(refseq));
        add_serial(t, between(0, 3) == 0 ? 9 : 6);
        break;
    case 1:
        add(t, ONE_OF(three));
        add_serial(t, chance(0.8) ? 5 : 7);
        break;
    case 2: /* UniProt */
        add_letter(t, "OPQ"[between(0, 2)]);
        add_serial(t, 5);
        break;
    case 3:
        add(t, "A0A");
        add_serial(t, 3);
        add_letters(t, 1);
        add_serial(t, 3);
        break;
    case 4:
        add_letters(t, between(1, 6));
        add_serial(t, between(5, 9));
        break;
    default:
        add_letters(t, 3);
        add_serial(t, 5);
        break;
    }
    change_case(t, from, 0.2);
    add_version(t);
}

static void add_name(struct text *t)
{
    static const char *const names[] = {"OVAX_CHICK", "abc_x", "NAME", "n-1", "TPA", "a.b", "1433"};
    char more[16];

    add(t, ONE_OF(names));
    snprintf(more, sizeof more, "_%u", serial);
    add(t, more);
}

static void add_word(struct text *t)
{
    static const char *const starts[] = {
        "a", "contig_", "UniRef90_", "ORF", "x.", "id;", "id=", "a:", "b-", "(c)", "d/", "e#", "f,g", "T_", "Z"};
    const size_t from = t->n;

    add(t, starts[draw() % (is_risky ? COUNT(starts) : COUNT(starts) - 1)]);
    add_serial(t, between(1, 5));
    change_case(t, from, 0.1);
}

static void add_general(struct text *t)
{
    static const char *const databases[] = {"mydb", "DB", "BL_ORD_ID", "SRA", "a.b", "taxon"};

    add(t, databases[is_risky || chance(0.2) ? draw() % COUNT(databases) : draw() % 2]);
    add(t, "|");
    if (chance(0.4))
        add_serial(t, 1);
    else
        add_word(t);
}

static void add_pdb(struct text *t, char joint)
{
    char molecule[8];

    snprintf(molecule, sizeof molecule, "%u%c%c%c", 1 + serial / 676 % 9, 'A' + serial / 26 % 26, 'A' + serial % 26,
             "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[between(10, 35)]);
    add(t, molecule);
    change_case(t, t->n - 4, 0.3);
    if (chance(0.2) && joint != '|')
        return;
    add_letter(t, joint);
    if (chance(0.9))
        add(t, (const char *const[]){"A", "a", "B", "AA", "b1", "5"}[between(0, 5)]);
}

/* A tag and what stands behind it. */
static void add_tagged(struct text *t)
{
    static const char *const text_tags[] = {"gb", "emb", "dbj", "ref", "sp", "tr", "tpg", "tpe", "tpd", "gpp", "pir", "prf"};
    static const char *const number_tags[] = {"bbs", "bbm", "bbs"};
    const size_t from = t->n;
    size_t end_of_tag;

    switch (between(0, 12)) {
    case 0:
        add(t, "lcl");
        end_of_tag = t->n;
        add(t, "|");
        if (chance(0.3))
            add_serial(t, 1);
        else
            add_word(t);
        break;
    case 1:
        add(t, is_risky && chance(0.3) ? "gim" : ONE_OF(number_tags));
        end_of_tag = t->n;
        add(t, "|");
        add_serial(t, between(1, 9));
        break;
    case 2:
        add(t, "gnl");
        end_of_tag = t->n;
        add(t, "|");
        add_general(t);
        break;
    case 3:
        add(t, "pdb");
        end_of_tag = t->n;
        add(t, "|");
        add_pdb(t, '|');
        break;
    case 4:
        add(t, chance(0.8) ? "pat" : "pgp");
        end_of_tag = t->n;
        add(t, "|US|");
        if (chance(0.5))
            add(t, "RE");
        add_serial(t, 7);
        add(t, chance(0.5) ? "|1" : "|27");
        break;
    default:
        add(t, ONE_OF(text_tags));
        end_of_tag = t->n;
        add(t, "|");
        if (chance(0.85))
            add_accession(t);
        if (chance(0.9) || t->at[t->n - 1] == '|') {
            add(t, "|");
            if (chance(0.4) || t->at[t->n - 2] == '|')
                add_name(t);
        }
    }
    for (size_t i = from; chance(0.05) && i < end_of_tag; i++)
        t->at[i] = (char)toupper((unsigned char)t->at[i]);
}

static void add_odd_id(struct text *t)
{
    static const char *const odd[] = {"|||",       "a|",
                                      "|b",        "ab|x",
                                      "abc|",      "abcd|",
                                      "abcde|x",   "sp|",
                                      "sp||",      "gi|x",
                                      "gi|5|",     "pat|US|",
                                      "pdb|1|A",   "lcl|a|b",
                                      "gnl|x",     "gnl||",
                                      "1ABC|A|x",  "gb|AAA00001|sp|",
                                      "x:3-10",    "XP_001.1:3-10",
                                      "ab|cd|ef",  "abcd|ef|gh",
                                      "a\"b",      "a[b]",
                                      "a>b",       "\x7f",
                                      "NM_000001", "gi|4294967296",
                                      "bbs|0"};

    unsigned i = between(0, COUNT(odd) - 1);

    add(t, odd[i]);
    if (chance(0.5) || (used >> i & 1) != 0)
        add_serial(t, 2);
    used |= (uint64_t)1 << i;
}

static void add_ids(struct text *t)
{
    const size_t from = t->n;

    serial++;
    if (is_risky && chance(0.15)) {
        add_odd_id(t);
        return;
    }
    switch (between(0, 9)) {
    case 0:
        add_word(t);
        break;
    case 1:
        add_accession(t);
        break;
    case 2:
        add_pdb(t, "_-|"[between(0, 2)]);
        break;
    case 3: /* several */
        add(t, "gi|");
        add_serial(t, 1);
        add(t, "|");
        add_tagged(t);
        if (chance(0.3)) {
            add(t, t->at[t->n - 1] == '|' ? "" : "|");
            add_tagged(t);
        }
        break;
    default:
        add_tagged(t);
    }
    add(&wanted, t->at + from);
    add(&wanted, "\n");
}

/* --- titles --- */

static void add_title(struct text *t)
{
    static const char *const starts[] = {
        "TPA: ", "TPA:",         "tpa: ",          "TPA_exp: ", "TPA_inf:", "TPA_asm: ", "MAG: ", "MAG TPA: ",
        "TSA: ", "UNVERIFIED: ", "RecName: Full=", " ",         "  ",       ">",         "|"};
    static const char *const words[] = {"protein",     "kinase",     "alpha-1,3-glucosyltransferase",
                                        "of",          "(a)",        "( b )",
                                        ", c",         ";d",         "&amp;",
                                        "&lt;i&gt;",   "\"quoted\"", "it's",
                                        "back\\slash", "<b>",        "&#233;",
                                        "n=1",         "Tax=Homo",   ">sp|P23456|X",
                                        "gi|5",        "50%",        "  ",
                                        "x,,y",        "{z}"};
    static const char *const odd[] = {"\xc3\xa9t\xc3\xa9", "\xe9", "\xe9t", "\xce\xb1", "\x80", "\xff", "\t", "\x02", "\x7f",
                                      "\xf0\x9f\x98\x80",  "\xc3"};
    static const char *const ends[] = {".",  ";",  ",",    " [Homo sapiens]", ". [Mus]", ", [x]", " ", "  ", "~", "..",
                                       ".;", " ]", "\xe9", "\xc3\xa9"};

    if (chance(0.12))
        return;
    if (chance(0.3))
        add(t, ONE_OF(starts));
    for (unsigned n = chance(0.9) ? between(0, 6) : between(7, 40); n > 0; n--) {
        add(t, is_risky && chance(0.06) ? ONE_OF(odd) : ONE_OF(words));
        add(t, n > 1 ? " " : "");
    }
    if (chance(0.4))
        add(t, ends[draw() % (is_risky ? COUNT(ends) : COUNT(ends) - 2)]);
}

static void add_header(struct text *t)
{
    unsigned n = chance(0.8) ? 1 : between(2, 4);

    t->n = 0;
    if (is_risky && chance(0.1))
        add(t, " ");
    for (; n > 0; n--) {
        if (is_risky && chance(0.03)) {
            serial++;
        } else {
            add_ids(t);
        }
        add(t, chance(0.95) ? " " : "");
        add_title(t);
        add(t, n > 1 ? "\x01" : "");
    }
}

/* --- files --- */

static FILE *open_file(const char *directory, unsigned i, const char *kind)
{
    char path[4096];
    FILE *to;

    snprintf(path, sizeof path, "%s/%u.%s", directory, i, kind);
    to = fopen(path, "wb");
    if (to == NULL) {
        perror(path);
        exit(2);
    }
    return to;
}

/* A record of the case's protein, with one or two letters changed: so every record is found, and in an order that is not that of the file.
 */
static void put_records(FILE *to, unsigned n, const char *protein)
{
    static const char letters[] = "ACDEFGHIKLMNPQRSTVWY";
    static struct text header;

    while (n-- > 0) {
        char copy[LENGTH + 1];
        memcpy(copy, protein, LENGTH + 1);
        for (unsigned k = between(0, 3); k > 0; k--)
            copy[between(5, LENGTH - 6)] = letters[between(0, 19)];
        add_header(&header);
        fprintf(to, ">%.*s\n%s\n", (int)header.n, header.at, copy);
    }
}

static void put_case(const char *directory, uint64_t seed, unsigned i)
{
    static const char letters[] = "ACDEFGHIKLMNPQRSTVWY";
    char protein[LENGTH + 1] = "";
    FILE *to;

    state = (seed << 32) + i;
    draw();
    for (unsigned k = 0; k < LENGTH; k++)
        protein[k] = letters[between(0, 19)];
    serial = between(1, 60000);
    is_risky = chance(0.4) && with_odd;
    used = 0;
    wanted.n = 0;
    to = open_file(directory, i, "query");
    put_records(to, is_risky ? between(1, 3) : between(1, 6), protein);
    fclose(to);
    wanted.n = 0;
    to = open_file(directory, i, "subject");
    put_records(to, is_risky ? between(1, 4) : between(1, 12), protein);
    fclose(to);
    to = open_file(directory, i, "ids");
    fwrite(wanted.at, 1, wanted.n, to);
    fclose(to);
}

int main(int argc, char **argv)
{
    unsigned first, n;

    if (argc != 5 && argc != 6) {
        fprintf(stderr, "defline_cases SEED FIRST N DIRECTORY\n");
        return 2;
    }
    with_odd = argc == 6;
    first = (unsigned)strtoul(argv[2], NULL, 10);
    n = (unsigned)strtoul(argv[3], NULL, 10);
    for (unsigned i = first; i < first + n; i++)
        put_case(argv[4], strtoull(argv[1], NULL, 10), i);
    return 0;
}
