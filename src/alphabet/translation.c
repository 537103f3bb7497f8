/* translation.c - the codes are those of NCBI's page of genetic codes that BLAST+ 2.12 takes. */
#include "alphabet/translation.h"

#include "alphabet/bases.h"
#include "alphabet/residues.h"
#include "tamis/alphabet.h"

/* The residue of each codon. The three bases are in the order T, C, A, G; the third one changes fastest. */
static const struct genetic_code {
    int number;
    char residues[65];
} codes[] = {
    /* clang-format off */
    {1, "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Standard */
    {2, "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSS**VVVVAAAADDEEGGGG"}, /* Vertebrate Mitochondrial */
    {3, "FFLLSSSSYY**CCWWTTTTPPPPHHQQRRRRIIMMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Yeast Mitochondrial */
    {4, "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Mold Mitochondrial, Protozoan Mitochondrial, Coelenterate Mitochondrial, Mycoplasma, Spiroplasma */
    {5, "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSSSVVVVAAAADDEEGGGG"}, /* Invertebrate Mitochondrial */
    {6, "FFLLSSSSYYQQCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Ciliate Nuclear, Dasycladacean Nuclear, Hexamita Nuclear */
    {9, "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG"}, /* Echinoderm Mitochondrial, Flatworm Mitochondrial */
    {10, "FFLLSSSSYY**CCCWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Euplotid Nuclear */
    {11, "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Bacterial, Archaeal and Plant Plastid */
    {12, "FFLLSSSSYY**CC*WLLLSPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Alternative Yeast Nuclear */
    {13, "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSGGVVVVAAAADDEEGGGG"}, /* Ascidian Mitochondrial */
    {14, "FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG"}, /* Alternative Flatworm Mitochondrial */
    {15, "FFLLSSSSYY*QCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Blepharisma Macronuclear */
    {16, "FFLLSSSSYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Chlorophycean Mitochondrial */
    {21, "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNNKSSSSVVVVAAAADDEEGGGG"}, /* Trematode Mitochondrial */
    {22, "FFLLSS*SYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Scenedesmus obliquus Mitochondrial */
    {23, "FF*LSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Thraustochytrium Mitochondrial */
    {24, "FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG"}, /* Rhabdopleuridae Mitochondrial */
    {25, "FFLLSSSSYY**CCGWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Candidate Division SR1 and Gracilibacteria */
    {26, "FFLLSSSSYY**CC*WLLLAPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Pachysolen tannophilus Nuclear */
    {27, "FFLLSSSSYYQQCCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Karyorelict Nuclear */
    {28, "FFLLSSSSYYQQCCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Condylostoma Nuclear */
    {29, "FFLLSSSSYYYYCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Mesodinium Nuclear */
    {30, "FFLLSSSSYYEECC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Peritrich Nuclear */
    {31, "FFLLSSSSYYEECCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"}, /* Blastocrithidia Nuclear */
    {33, "FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG"}, /* Cephalodiscidae Mitochondrial */
    /* clang-format on */
};

/* The residue that stands for a set of residues, a bit for each code. */
static uint8_t residue_of_set(uint32_t set, bool is_shown)
{
    static const struct {
        uint8_t first, second, both;
    } pairs[] = {{CODE_D, CODE_N, CODE_B}, {CODE_E, CODE_Q, CODE_Z}, {CODE_I, CODE_L, CODE_J}};

    for (uint8_t code = 1; code < RESIDUE_CODES; code++)
        if (set == (uint32_t)1 << code)
            return code;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && is_shown; i++)
        if (set == ((uint32_t)1 << pairs[i].first | (uint32_t)1 << pairs[i].second))
            return pairs[i].both;
    return CODE_X;
}

/* The residues of all codons of unambiguous bases that are in three sets of bases. */
static uint32_t residues_of(const uint8_t *residues, const uint8_t sets[3])
{
    static const uint8_t order[] = {8, 2, 1, 4}; /* T, C, A, G as sets */
    uint32_t all = 0;

    for (size_t i = 0; i < 64; i++)
        if ((order[i / 16] & sets[0]) != 0 && (order[i / 4 % 4] & sets[1]) != 0 && (order[i % 4] & sets[2]) != 0)
            all |= (uint32_t)1 << residues[i];
    return all;
}

bool codon_table_init(int genetic_code, struct codon_table *out)
{
    uint8_t residues[64];
    const struct genetic_code *code = NULL;

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].number == genetic_code)
            code = &codes[i];
    if (code == NULL)
        return false;
    (void)tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, (const uint8_t *)code->residues, sizeof residues, residues);
    for (size_t i = 0; i < CODONS; i++) {
        const uint8_t sets[3] = {base_sets[i >> 8], base_sets[i >> 4 & 15], base_sets[i & 15]};
        const uint32_t set = residues_of(residues, sets);
        out->searched[i] = residue_of_set(set, false);
        out->shown[i] = residue_of_set(set, true);
    }
    return true;
}

void translate(const uint8_t residue_of[CODONS], const uint8_t *bases, size_t n, uint8_t *residues)
{
    for (size_t i = 0; i < n; i++, bases += 3)
        residues[i] = residue_of[bases[0] << 8 | bases[1] << 4 | bases[2]];
}

void packed_codons_init(const struct codon_table *table, struct packed_codons *out)
{
    for (unsigned codon = 0; codon < 64; codon++) {
        const unsigned a = codon >> 4, b = codon >> 2 & 3, c = codon & 3;
        out->plus[codon] = table->searched[a << 8 | b << 4 | c];
        out->minus[codon] = table->searched[(3 - c) << 8 | (3 - b) << 4 | (3 - a)];
    }
}

static unsigned packed_codon(const uint8_t *packed, int at)
{
    unsigned codon = 0;

    for (int i = at; i < at + 3; i++)
        codon = codon << 2 | (packed[i / 4] >> (6 - 2 * (i % 4)) & 3);
    return codon;
}

/* Four bytes have twelve codons, four of each frame, and one codon more is not used. */
void translate_packed(const struct packed_codons *codons, const uint8_t *packed, int n_bases, uint8_t *const frames[FRAMES])
{
    enum { STEP = 12 /* bases */, READ = 16 };
    uint8_t *minus[FRAMES_A_STRAND] = {NULL}; /* by the codon's first base on the plus strand, modulo 3: behind the codon */
    int at = 0;

    for (int i = 0; i < FRAMES_A_STRAND && n_bases >= 3; i++) {
        const int from_end = n_bases - 3 -
                             i; /* the frame on the minus strand and, three at a time, the place of a codon that begins here */
        minus[i] = from_end >= 0 ? frames[FRAMES_A_STRAND + from_end % 3] + from_end / 3 + 1 : NULL;
    }
    for (; at + READ <= n_bases; at += STEP) {
        const uint8_t *from = packed + at / 4;
        const uint32_t word = (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
        for (int frame = 0; frame < FRAMES_A_STRAND; frame++)
            for (int k = 0; k < STEP / 3; k++) {
                const unsigned codon = word >> (26 - 2 * frame - 6 * k) & 63;
                frames[frame][at / 3 + k] = codons->plus[codon];
                *--minus[frame] = codons->minus[codon];
            }
    }
    for (; at + 3 <= n_bases; at++) {
        const unsigned codon = packed_codon(packed, at);
        frames[at % 3][at / 3] = codons->plus[codon];
        *--minus[at % 3] = codons->minus[codon];
    }
}

void complement_strand(const uint8_t *bases, size_t n, uint8_t *minus)
{
    const uint8_t *complements = tms_alphabet_complements(TMS_ALPHABET_BLASTNA);

    for (size_t i = 0; i < n; i++)
        minus[i] = complements[bases[n - 1 - i]];
}
