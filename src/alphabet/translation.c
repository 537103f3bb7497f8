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
