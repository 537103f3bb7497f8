/*
 * accession.c - the prefixes that NCBI's programs know (BLAST+ 2.12). The databases assign the numbers behind their prefixes; the list of
 * prefixes grows slowly.
 */
#include "seqid/accession.h"

#include <string.h>

#include "seqid/accession_ranges.h"

enum { PDB_MAX = 17 }; /* bytes, including the chain */

/* The database behind each letter of the tables below. */
static const struct giver {
    char letter;
    enum seqid_kind kind;
} givers[] = {{'g', SEQID_GENBANK}, {'e', SEQID_EMBL}, {'d', SEQID_DDBJ}, {'G', SEQID_TPG}, {'E', SEQID_TPE}, {'D', SEQID_TPD}};

/* Nucleotides with one letter and 5 digits: a database for each letter A to Z. */
static const char nucleotide_1[] = "egdddegggggggg...ggggegeee";

/* Nucleotides with two letters and 6, 8 or 10 digits: a row for each first letter. */
static const char nucleotide_2[16][27] = {
    "gdggggdggedeee.dgggdddgegg", /* A */
    "ddgdgggggdGGgE.dgDdgggdedg", /* B */
    "ggggggggddggggggeeeeeggggg", /* C */
    "dddddddddddddg.ggggggggggg", /* D */
    "gggggggggggggggggggggggggg", /* E */
    "geggggggggggeeeeeedddddddd", /* F */
    "ddgggggg.GGgeegggggggggggg", /* G */
    "eeeeeeeeeggggggggggDDddddd", /* H */
    "..........................", /* I */
    "eeeeeggggggggggggggggggggg", /* J */
    "gggggggggggggggggggggggggg", /* K */
    "ddddddddddeeeeeeeeeedddddd", /* L */
    "dddddggggggggggeeeeggggggg", /* M */
    "..........................", /* N */
    "eeeeedddddggggggggggeeeeee", /* O */
    "ddddd.....................", /* P */
};

/* Prefixes of nucleotide_2 that proteins with 6 digits have, too. */
static const char either_2[] = "AH AR DZ EA GC GP GV GX GY GZ HJ HK HL KH MI MM MO MV MX MY";

/*
 * By the first letter: proteins with three letters and 5, 7, 9 or 11 digits; whole genomes with four letters and 8 to 10 digits, or with
 * six and 9 to 11.
 */
static const char protein_3[] = "gdeGgDdGDggdggggggegge....";
static const char genomes_4[] = "gdeGDegedgggggeggggdegggDD";
static const char genomes_6[] = "gdeG.....g................";

/*
 * RefSeq: two letters, '_', and 6 to 9 digits. Lists, by number of digits, the prefixes of a single molecule; other prefixes may be of
 * either.
 */
static const struct refseq {
    unsigned n_digits;
    const char *nucleotides, *proteins;
} refseq[] = {
    {6, "AC NC NG NM NR NS NT NW XM XR", "AP NP XP YP"},
    {7, "", ""},
    {8, "", "ZP"},
    {9, "NM NW WC WT XM XR", "NP WP XP YP"},
};

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }
static bool is_letter(char c) { return upper(c) >= 'A' && upper(c) <= 'Z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }

static size_t count_letters(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && is_letter(s[i]))
        i++;
    return i;
}

static size_t count_digits(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && is_digit(s[i]))
        i++;
    return i;
}

/* Returns true if the list has the prefix of two letters. */
static bool is_listed(const char *list, const char *prefix)
{
    for (; *list; list += list[2] ? 3 : 2) {
        if (list[0] == upper(prefix[0]) && list[1] == upper(prefix[1]))
            return true;
    }
    return false;
}

static bool set_giver(struct accession *a, char letter, bool is_protein)
{
    for (size_t i = 0; i < sizeof givers / sizeof *givers; i++) {
        if (givers[i].letter == letter) {
            a->kind = givers[i].kind;
            a->is_protein = is_protein;
            a->is_nucleotide = !is_protein;
            return true;
        }
    }
    return false;
}

/*
 * Matches [OPQ][0-9][A-Z0-9]{3}[0-9], or another first letter and once or twice [0-9][A-Z][A-Z0-9]{2}[0-9], without the first digit the
 * second time.
 */
static bool is_uniprot(const char *s, size_t n)
{
    bool is_opq = n > 0 && strchr("OPQ", upper(s[0])) != NULL;

    if ((n != 6 && (n != 10 || is_opq)) || !is_letter(s[0]) || !is_digit(s[1]) || !is_digit(s[n - 1]))
        return false;
    for (size_t i = 2; i < n; i++) {
        bool is_last = i % 4 == 1;
        if (is_last ? !is_digit(s[i]) : !is_alphanumeric(s[i]))
            return false;
        if (i % 4 == 2 && !is_opq && !is_letter(s[i]))
            return false;
    }
    return true;
}

/* Matches a whole genome's accession: letters, the version's 2 digits, an optional S, and at least 6 digits. */
static bool is_genome(const char *s, size_t n, size_t n_letters)
{
    size_t n_rest = n - n_letters, least = n_letters == 4 ? 8 : 9, n_digits = count_digits(s + n_letters, n_rest);

    if (n_digits == 2 && n_rest > 3 && upper(s[n_letters + 2]) == 'S') {
        n_rest--;
        n_digits += count_digits(s + n_letters + 3, n_rest - 2);
    }
    return n_digits == n_rest && n_digits >= least && n_digits <= least + 2;
}

/* Matches accessions of INSDC's nucleotides. */
static bool is_nucleotide(const char *s, size_t n, struct accession *a)
{
    size_t n_letters = count_letters(s, n), n_digits = count_digits(s + n_letters, n - n_letters);
    int first = n_letters > 0 ? upper(s[0]) - 'A' : 0;

    if ((n_letters == 4 || n_letters == 6) && is_genome(s, n, n_letters))
        return set_giver(a, (n_letters == 4 ? genomes_4 : genomes_6)[first], false);
    if (n_letters + n_digits != n)
        return false;
    if (n_letters == 1 && n_digits == 5 && set_giver(a, nucleotide_1[first], false)) {
        a->is_protein = first == 'I' - 'A';
        return first != 'N' - 'A' || memcmp(s + 1, "20000", 5) > 0; /* ESTs begin after N20000 */
    }
    if (n_letters == 2 && first < 16 && (n_digits == 6 || n_digits == 8 || n_digits == 10) &&
        set_giver(a, nucleotide_2[first][upper(s[1]) - 'A'], false)) {
        a->is_protein = n_digits == 6 && is_listed(either_2, s);
        return true;
    }
    return n_letters == 5 && n_digits == 7 && first == 0 && set_giver(a, 'd', false);
}

/* The database of a protein with this prefix and 5 digits: some numbers belong to another database than the prefix. */
static char giver_of_protein(const char *s, size_t n_digits)
{
    const char prefix[] = {upper(s[0]), upper(s[1]), upper(s[2]), '\0'}, giver = protein_3[prefix[0] - 'A'];
    uint32_t number = 0;

    if (n_digits != 5)
        return giver;
    for (size_t i = 3; i < 8; i++)
        number = 10 * number + (uint32_t)(s[i] - '0');
    if (!accession_is_in_range(prefix, number))
        return giver;
    return giver == 'e' ? 'E' : 'g';
}

static bool is_protein(const char *s, size_t n, struct accession *a)
{
    size_t n_letters = count_letters(s, n), n_digits = count_digits(s + n_letters, n - n_letters);

    if (is_uniprot(s, n)) {
        a->kind = SEQID_SWISSPROT;
        a->is_protein = true;
        a->is_nucleotide = false;
        return true;
    }
    if (n_letters != 3 || n_digits != n - 3 || n_digits < 5 || n_digits > 11 || n_digits % 2 == 0)
        return false;
    return set_giver(a, giver_of_protein(s, n_digits), true);
}

static bool is_refseq(const char *s, size_t n, struct accession *a)
{
    size_t n_digits;

    if (n == 13 && upper(s[0]) == 'G' && upper(s[1]) == 'P' && upper(s[2]) == 'C' && s[3] == '_' && count_digits(s + 4, 9) == 9) {
        a->kind = SEQID_GPIPE;
        a->is_nucleotide = true;
        a->is_protein = false;
        return true;
    }
    if (n < 4 || count_letters(s, n) != 2 || s[2] != '_')
        return false;
    if (upper(s[0]) == 'N' && upper(s[1]) == 'Z' && (count_letters(s + 3, n - 3) != 2 || n == 11) && is_nucleotide(s + 3, n - 3, a)) {
        a->kind = SEQID_REFSEQ;
        a->is_protein = false;
        return true;
    }
    n_digits = count_digits(s + 3, n - 3);
    if (n_digits != n - 3 || n_digits < 6 || n_digits > 9)
        return false;
    a->kind = n_digits == 9 && is_listed("AT", s) ? SEQID_NAMED_ANNOT : SEQID_REFSEQ;
    a->is_protein = !is_listed(refseq[n_digits - 6].nucleotides, s);
    a->is_nucleotide = !is_listed(refseq[n_digits - 6].proteins, s);
    return true;
}

/* Matches a digit and three letters or digits, then an optional chain behind '_', '-' or '|': any bytes without a point. */
static bool is_pdb(const char *s, size_t n, struct accession *a)
{
    bool has_letter = false;

    if (n < 4 || n > PDB_MAX || !is_digit(s[0]) || (n > 4 && !strchr("_-|", s[4])))
        return false;
    for (size_t i = 1; i < 4; i++) {
        if (!is_alphanumeric(s[i]))
            return false;
        has_letter |= is_letter(s[i]);
    }
    if (!has_letter && n == 4)
        return false;
    for (size_t i = 5; i < n; i++) {
        if (s[i] == '.' || s[i] <= ' ' || s[i] > '~' || strchr("\"[]>", s[i]))
            return false;
    }
    if (n > 5)
        a->chain = (struct text){s + 5, n - 5};
    else if (n == 5 && s[4] != '|')
        a->chain = (struct text){s + 4, 1};
    a->kind = SEQID_PDB;
    a->is_protein = a->is_nucleotide = true;
    a->n = 4;
    return true;
}

bool accession_identify(const char *word, size_t n, struct accession *out)
{
    size_t n_version = 0;

    memset(out, 0, sizeof *out);
    if (is_pdb(word, n, out))
        return true;
    while (n_version < n && is_digit(word[n - 1 - n_version]))
        n_version++;
    if (n_version > 0 && n_version < n && word[n - 1 - n_version] == '.') {
        out->has_version = true;
        out->version = (struct text){word + n - n_version, n_version};
        n -= n_version + 1;
    }
    out->n = n;
    return is_refseq(word, n, out) || is_protein(word, n, out) || is_nucleotide(word, n, out);
}
