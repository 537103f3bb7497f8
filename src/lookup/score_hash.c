/* score_hash.c - the hashes of each scoring matrix, and the tables that they make of its scores. */
#include "lookup/score_hash.h"

#include <limits.h>
#include <string.h>

/* Hashes of codes 1 to 27, a character each, of which the lowest five bits count. */
struct hashes {
    char of_query[RESIDUE_CODES], of_subject[RESIDUE_CODES];
};

/*
 * Any hashes give bounds. These are close to the scores of a matrix: `tamis-bench hashes` looks for them. Two random amino acids score
 * -0.96 in BLOSUM62, and have a bound of -0.87; PAM30 -4.97 and -4.13.
 */
static const struct hashes found[][SCORE_HASH_TABLES] = {
    /* BLOSUM45 */ {{"[_HYDSYGHBV@GGDDFFSV^XDHI^H", "SW@QQ[QI[L[MOTWLNVEEUVW@@U["},
                    {"]FUFF|UC]TR]TUJCJZ]VOWTUMOR", "NUQPQITVG]RV_@]VTM[@RVCQ^JC"},
                    {"FCYCW_N_U|UU@LC|YZ]_|_WY]|U", "FULVWINC@|@QUYW_LOHCO[WLA|@"},
                    {"YZZAZMLJ|JSJYCJIYIGL|NYZU|_", "S_DU|KXY]^^POE^]_]JHCK|^R@I"}},
    /* BLOSUM50 */
    {{"OSMS@A]CA@PSKO@PWEYBWP@M|WA", "^B|BQALRPQABZ^QAFTHSFAQ|MFP"},
     {"EMNM[HPV@M@ZMJRRG@@CKTANCKH", "BVV^SZ|D_H_G@FCIPZIQCG_VPC_"},
     {"OW|SW[AJHWHNEWDEVKIYKYE|^KH", "[P[TP]UMOPOIQQCQB_]_H_B[J[O"},
     {"KCDS_[^CNBAA_NHJ__VQR[CDORF", "]UZEUQ@RDHKPUPB@UUG[KQIZRKL"}},
    /* BLOSUM62 */
    {{"TFODLJ^PDVKKVWR|B^IFHJ@OZMR", "WNGCFB]SK|ZTZQXVG]XSVSJGGVN"},
     {"]@CY@SIMB@B|@UY@@][J|J@CR|B", "KOUOOE_[TOTSRNVOVKM|SEOU]ST"},
     {"KCWJAKOSWDHHYJNKR^HNRN[WJRB", "E[UXIY]TFVFY[[|YZVYUEYIUDEL"},
     {"NFRF_KSFK_RGF_]_TYR^[A]RE[R", "T|Q^GQK|QGJ]|GEGLAJF[[EQ@[J"}},
    /* BLOSUM80 */
    {{"H]CAZLMW|[|CFWAG]^C|[WAC|[O", "FQ]OLD@BGWDGP[SRYM[BX_S]BXW"},
     {"GBI[MTZKGMQLDKIKCEGKEMIIKEU", "LOBR@@SBSDEEIB@BXHS_FY@@_FA"},
     {"@RM_KS]NF[WCNX[^WVWYW_[MPWR", "QZ@_VSXKCBNFK]VVZBZEOCV@LOC"},
     {"KV|UJQU[QEQDJEWHWT|QD|V|LDQ", "UHBKTOKEO[OZT[IVIJBOUBHBOUO"}},
    /* BLOSUM90 */
    {{"VAX^ZJEWG[^GOFBM@BBKQIZXYQ^", "ZPP@QU[]OEJOO[SI_]SAKWJPTKJ"},
     {"AS]XX@ZC@X_HSQXXUA_@HKX]]H_", "ASIXX@ZW@LK|GQLXUA_T|_XI]|K"},
     {"BGWRENDEWNXI]EAL|AVRYRPWDY^", "LWPWZU[ZMEV[WWJSFZLBKBOPBJE"},
     {"ULMF@QLLWNWWTMZUNE_|JXVMDJW", "HP_F@^|TGHW_H_RTHR_TXFHMNX_"}},
    /* PAM30 */
    {{"Y]KZEKEFMZKS]@^ZFYSS_K_KT__", "UQGVIGVJYVG_QLRVJUY_KGSGGKK"},
     {"MLN__QG_DQJLLX_QVV]CWT_NRWL", "UTVGGI_G|IRTT@GINNE[OLGVJOT"},
     {"XOGOFE@KT|AW^RB_VB|KIO_GTIT", "IPVX_THRMXILP^BDGDMVN^YVMNE"},
     {"WEROYY@_HEFF|EDFJX^SJYEROJF", "|NAKXHELMABLYCNBA^CZN[VAKNM"}},
    /* PAM70 */
    {{"]NJNDYRRFE[EX_FAL|F@]D]J^]F", "ERDRX^XA|OLH]ANRDFHORJXDYRH"},
     {"|]JUUKH]FIGM]H]D||J]@G]FB@M", "Z[LSSMN[@OAK[N[BZZL[FA[LDFK"},
     {"[LLLJYFT_PC|[@JTZPJYV_[LNV_", "NNNYSLCDQNFQNENQBIDLX@NNLXQ"},
     {"LGEMM[JBWBKC]XYEA]AB|H|EN|L", "HCAIIRNFBFEXY|]AE|BFXAXAFXB"}},
    /* PAM250 */
    {{"EMOJJ|UPYLYLMKPFTTMAPAMOUVY", "KSV[[_|R@YUOAZDOMTYPDPSV[DU"},
     {"NKEKMA]NWLOWODUPEON]LKME|LV", "[MDJMN]WWVVNQ]LIKMADL^KDDLO"},
     {"XUMAUWGNTIWLRGNOO_LYHU[MYHW", "JYSYW]MPMCNUY^WVWMMGE_WSCEN"},
     {"|XSXXRPK_XRLXPTXP|_GN^XSZNS", "GCHCCIKPDOIVCKOBKGD|TECHATH"}},
};

static uint8_t hash_of(char c) { return (uint8_t)(c % SCORE_HASH_HALF | (c & SCORE_HASH_HALF ? SCORE_HASH_UPPER : 0)); }

static unsigned entry_of(uint8_t hash) { return hash % SCORE_HASH_HALF + (hash & SCORE_HASH_UPPER ? SCORE_HASH_HALF : 0); }

static void make(const int *scores, const struct hashes *hashes, struct score_hash *out)
{
    memset(out, 0, sizeof *out);
    memset(out->scores, SCORE_HASH_LOWEST, sizeof out->scores);
    memset(out->of_query[0], SCORE_HASH_GAP, RESIDUE_ROW);
    memset(out->of_subject[1], SCORE_HASH_GAP, RESIDUE_ROW);
    for (int t = 0; t < SCORE_HASH_TABLES; t++) {
        for (int i = 1; i < RESIDUE_CODES; i++) {
            out->of_query[t][i] = hash_of(hashes[t].of_query[i - 1]);
            out->of_subject[t][i] = hash_of(hashes[t].of_subject[i - 1]);
        }
        for (int i = 1; i < RESIDUE_CODES; i++)
            for (int k = 1; k < RESIDUE_CODES; k++) {
                int8_t *of = &out->scores[t][entry_of(out->of_query[t][i] ^ out->of_subject[t][k])];
                const int score = scores[RESIDUE_CODES * i + k];
                *of = (int8_t)(score > *of ? score : *of);
            }
    }
}

/* The sum of all bounds. */
static int sum_of(const struct score_hash *hash)
{
    int sum = 0;

    for (unsigned i = 1; i < RESIDUE_CODES; i++)
        for (unsigned k = 1; k < RESIDUE_CODES; k++)
            sum += score_hash_bound(hash, i, k);
    return sum;
}

void score_hash_init(const int *scores, struct score_hash *out)
{
    int least = INT_MAX;

    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        struct score_hash hash;
        int sum;
        make(scores, found[i], &hash);
        sum = sum_of(&hash);
        if (sum < least)
            *out = hash;
        least = sum < least ? sum : least;
    }
}
