/*
 * accession_ranges.c - measured: the database to which makeblastdb (BLAST+ 2.12) assigns each accession that these prefixes can have.
 */
#include "seqid/accession_ranges.h"

#include <string.h>

/*
 * Ranges of numbers, ordered by prefix and number. Those with D are GenBank's among the accessions of TPG, the others TPE's among those of
 * EMBL.
 */
static const struct range {
    char prefix[4];
    uint32_t first, last;
} ranges[] = {
    {"CAD", 29848, 29850}, {"CAD", 29856, 29856}, {"CAD", 29858, 29868}, {"CAD", 29871, 29879}, {"CAD", 43606, 43606},
    {"CAD", 44269, 44269}, {"CAD", 55807, 55807}, {"CAD", 56854, 56854}, {"CAD", 59554, 59554}, {"CAD", 59973, 59975},
    {"CAD", 62250, 62250}, {"CAD", 62384, 62385}, {"CAD", 65874, 65875}, {"CAD", 66056, 66057}, {"CAD", 66176, 66176},
    {"CAD", 66451, 66453}, {"CAD", 66657, 66657}, {"CAD", 67552, 67553}, {"CAD", 67575, 67579}, {"CAD", 67582, 67582},
    {"CAD", 67592, 67593}, {"CAD", 67595, 67595}, {"CAD", 67963, 67964}, {"CAD", 67985, 67985}, {"CAD", 68170, 68171},
    {"CAD", 71139, 71139}, {"CAD", 79639, 79639}, {"CAD", 79708, 79708}, {"CAD", 80155, 80157}, {"CAD", 80167, 80167},
    {"CAD", 80169, 80169}, {"CAD", 80243, 80243}, {"CAD", 88272, 88273}, {"CAD", 89265, 89268}, {"CAD", 89361, 89361},
    {"CAD", 89763, 89763}, {"CAD", 89874, 89875}, {"CAD", 91637, 91637}, {"CAD", 91909, 91911}, {"CAD", 92036, 92036},
    {"CAD", 98145, 98145}, {"CAE", 378, 414},     {"CAE", 502, 502},     {"CAE", 12270, 12276}, {"CAE", 18110, 18110},
    {"CAE", 30337, 30337}, {"CAE", 30362, 30362}, {"CAE", 30475, 30476}, {"CAE", 30490, 30502}, {"CAE", 45343, 45343},
    {"CAE", 47417, 47417}, {"CAE", 48362, 48363}, {"CAE", 48373, 48393}, {"CAE", 48395, 48396}, {"CAE", 51393, 51417},
    {"CAE", 51851, 51851}, {"CAE", 51855, 51856}, {"CAE", 51895, 51916}, {"CAE", 52317, 52320}, {"CAE", 54311, 54352},
    {"CAE", 54495, 54495}, {"CAE", 75602, 75631}, {"CAE", 75743, 75743}, {"CAE", 82298, 82299}, {"CAF", 6526, 6530},
    {"CAF", 18402, 18402}, {"CAF", 21736, 21739}, {"CAF", 32458, 32458}, {"CAG", 23871, 23871}, {"CAG", 26661, 26664},
    {"CAG", 26750, 26750}, {"CAG", 29023, 29030}, {"CAG", 29113, 29113}, {"CAG", 30664, 30664}, {"CAG", 33760, 33760},
    {"CAG", 34288, 34296}, {"CAH", 3726, 3727},   {"CAH", 17840, 17841}, {"CAH", 17860, 17862}, {"CAH", 18893, 18893},
    {"CAH", 18925, 18926}, {"CAH", 56764, 56764}, {"CAH", 59193, 59194}, {"CAH", 69244, 69380}, {"CAH", 74220, 74220},
    {"CAH", 74225, 74225}, {"CAH", 89261, 89263}, {"CAI", 56319, 56335}, {"CAI", 59572, 59572}, {"CAI", 61342, 61347},
    {"CAI", 77244, 77245}, {"CAI", 77247, 77247}, {"CAI", 78909, 78909}, {"CAI", 84981, 85013}, {"CAI", 94882, 94883},
    {"CAI", 94931, 94934}, {"CAI", 96518, 96519}, {"CAI", 96537, 96537}, {"CAI", 99155, 99156}, {"CAI", 99158, 99163},
    {"CAI", 99872, 99872}, {"CAJ", 225, 252},     {"CAJ", 9703, 9703},   {"CAJ", 13823, 13825}, {"CAJ", 27980, 27981},
    {"CAJ", 29275, 29275}, {"CAJ", 29301, 29302}, {"CAJ", 30479, 30479}, {"CAJ", 30481, 30484}, {"CAJ", 31324, 31324},
    {"CAJ", 33891, 33891}, {"CAJ", 38407, 38408}, {"CAJ", 38499, 38499}, {"CAJ", 40614, 40614}, {"CAJ", 43796, 43809},
    {"CAJ", 43920, 43921}, {"CAJ", 44080, 44080}, {"CAJ", 44121, 44121}, {"CAJ", 44286, 44287}, {"CAJ", 44438, 44439},
    {"CAJ", 44441, 44441}, {"CAJ", 51090, 51090}, {"CAJ", 55345, 55345}, {"CAJ", 55730, 55733}, {"CAJ", 55745, 55747},
    {"CAJ", 55783, 55784}, {"CAJ", 55824, 55825}, {"CAJ", 57445, 57446}, {"CAJ", 57644, 57646}, {"CAJ", 70647, 70649},
    {"CAJ", 75788, 75789}, {"CAJ", 75791, 75796}, {"CAJ", 77879, 77886}, {"CAJ", 80803, 80803}, {"CAJ", 84770, 84770},
    {"CAJ", 85665, 85675}, {"CAJ", 85677, 85711}, {"CAJ", 85713, 85740}, {"CAJ", 97442, 97442}, {"CAK", 26553, 26553},
    {"CAK", 26777, 26786}, {"CAK", 32514, 32514}, {"CAK", 32639, 32639}, {"CAL", 7997, 7997},   {"CAL", 8000, 8005},
    {"CAL", 10024, 10024}, {"CAL", 36192, 36192}, {"CAL", 36432, 36433}, {"CAL", 41938, 41942}, {"CAL", 48250, 48250},
    {"CAL", 48381, 48383}, {"CAL", 59562, 59577}, {"CAL", 63903, 63904}, {"CAL", 64054, 64058}, {"CAL", 69034, 69036},
    {"CAL", 69054, 69054}, {"CAL", 69056, 69118}, {"CAL", 90972, 90973}, {"CAM", 6633, 6633},   {"CAM", 12311, 12311},
    {"CAM", 31706, 31708}, {"CAM", 31891, 31896}, {"CAM", 32419, 32419}, {"CAM", 33450, 33457}, {"CAM", 33512, 33520},
    {"CAM", 91227, 91227}, {"CAN", 88845, 88848}, {"CAO", 3085, 3089},   {"CAP", 39936, 39937}, {"CAP", 45848, 45848},
    {"CAP", 49313, 49318}, {"CAP", 49321, 49327}, {"CAP", 64321, 64321}, {"CAP", 64323, 64334}, {"CAQ", 34914, 34930},
    {"CAQ", 76705, 76712}, {"CAQ", 76718, 76718}, {"CAR", 63508, 63509}, {"CAR", 82065, 82067}, {"CAR", 82176, 82186},
    {"CAR", 94693, 94710}, {"CAR", 95342, 95361}, {"CAR", 97787, 97787}, {"CAU", 95867, 95879}, {"CAV", 13457, 13457},
    {"CAX", 62810, 62813}, {"CAX", 63316, 63316}, {"CAX", 63367, 63367}, {"CBK", 25604, 25604}, {"CBL", 43266, 43309},
    {"CBL", 43311, 43352}, {"CBL", 43354, 43394}, {"CBL", 51956, 51956}, {"CBL", 79138, 79138}, {"CBL", 80808, 80809},
    {"CBM", 43246, 43246}, {"CBN", 66325, 66325}, {"CBN", 69342, 69342}, {"CBN", 69349, 69349}, {"CBV", 36767, 36776},
    {"CBX", 19677, 19679}, {"CBX", 19727, 19728}, {"CBX", 24371, 24373}, {"CBY", 65974, 66037}, {"CBY", 83944, 83944},
    {"CBZ", 41152, 41156}, {"CBZ", 41159, 41160}, {"CBZ", 41162, 41162}, {"CBZ", 41165, 41165}, {"CBZ", 41168, 41168},
    {"CBZ", 41768, 41768}, {"CCC", 21095, 21104}, {"CCD", 22089, 22162}, {"CCE", 69367, 71257}, {"CCP", 37863, 38020},
    {"CDG", 31911, 32165}, {"CDG", 58552, 58552}, {"CDG", 80630, 80632}, {"CDG", 86183, 86301}, {"CDI", 30255, 40096},
    {"CDI", 70255, 70287}, {"CDI", 70965, 70967}, {"CDK", 2602, 8087},   {"CDK", 8089, 12444},  {"CDM", 98735, 98850},
    {"CDW", 51382, 51481}, {"CEL", 64082, 71605}, {"CEL", 71607, 73228}, {"CEL", 73230, 73266}, {"CEL", 73268, 74800},
    {"CEL", 74802, 75130}, {"CEL", 75132, 75550}, {"CEL", 75552, 76203}, {"CEL", 76205, 76766}, {"CEL", 76768, 77188},
    {"CEL", 77190, 78176}, {"CEL", 78178, 78353}, {"CEL", 78355, 78878}, {"CRI", 6393, 6404},   {"CTQ", 86077, 86287},
    {"CUQ", 99285, 99292}, {"CUQ", 99294, 99311}, {"CUQ", 99313, 99319}, {"CUQ", 99321, 99350}, {"CUQ", 99352, 99386},
    {"CUS", 27851, 27862}, {"CUS", 58523, 58613}, {"DAA", 1, 1},         {"DAA", 2110, 2116},   {"DAA", 34794, 34795},
    {"SAI", 82130, 82138}, {"SAI", 82141, 82141}, {"SAI", 82144, 82145}, {"SAI", 82147, 82149}, {"SAI", 82151, 82165},
    {"SAI", 82168, 82180}, {"SAI", 82182, 82186}, {"SAI", 82188, 82198}, {"SAI", 82201, 82210}, {"SAI", 82212, 82222},
    {"SAI", 82224, 82225}, {"SAI", 82227, 82235}, {"SAI", 82237, 82242}, {"SAI", 82244, 82255}, {"SAI", 82257, 82282},
    {"SAI", 82284, 82285}, {"SAI", 82287, 82287}, {"SAI", 82289, 82289}, {"SAI", 82292, 82292}, {"SAI", 82294, 82296},
    {"SAI", 82298, 82303}, {"SAQ", 69746, 69766}, {"SAQ", 71209, 71209}, {"SFW", 93197, 93317}, {"SNU", 76807, 78093},
    {"SOR", 70182, 70392}, {"VDK", 10822, 11088}, {"VZP", 20049, 20110}, {"VZP", 20112, 20320}, {"VZQ", 70899, 70905},
    {"VZQ", 70907, 70907}, {"VZQ", 70910, 70913}, {"VZQ", 70915, 70917}, {"VZQ", 70919, 70923}, {"VZQ", 70925, 70925},
    {"VZQ", 70927, 70929}, {"VZQ", 70931, 70936}, {"VZQ", 70938, 70939}, {"VZQ", 70941, 70941}, {"VZQ", 70943, 70943},
    {"VZQ", 70946, 70949}, {"VZQ", 70951, 70955}, {"VZQ", 70957, 70957}, {"VZQ", 70959, 70961}, {"VZQ", 70964, 70965},
    {"VZQ", 70967, 70967}, {"VZQ", 70969, 70989}, {"VZQ", 70993, 70993}, {"VZQ", 70996, 70999},
};

/* In this range of CBF nearly every other number belongs to TPE: a bit for each number, the lowest first. */
enum { CBF_FIRST = 69357, CBF_LAST = 90404 };
static const uint64_t cbf[(CBF_LAST - CBF_FIRST) / 64 + 1] = {
    0x6aad55aad5555aad, 0xad5ad56b555aad55, 0xaaab55ab556adab5, 0x55aaad56ad55ab6a, 0xad55559aad555555, 0xaaaaad5555555aaa,
    0x5556aab55556aaaa, 0x555aaaaaad555555, 0xab5556aaaab4d555, 0xad55555555555aaa, 0x55555555556aaaaa, 0xaaaad5ab55aaaaab,
    0x55d5aab555546aaa, 0x5555aaad555aaaab, 0x5555aaaaad555555, 0x56aaaaaaaaaaaaad, 0x556aaaaab5555555, 0xad556aaacaab5555,
    0x5555aaaad55aaaaa, 0x55aaaad555aaad55, 0xaaaad56ab55ab6ad, 0xaad55555aaaaad55, 0x5556aaab55555aa2, 0x56aaab556aab5555,
    0xaab555555aaad555, 0x5556aab5555aaaaa, 0x5556aab5555aad55, 0xaab55555aaaaaab5, 0x555aaaaaaad555aa, 0x56aab35555aaaab5,
    0x5555555aaaad5555, 0x555aaaab5555aaad, 0x555555aaaaaaad55, 0x555595555556aaab, 0x555aaaaaaaad5555, 0x556aaaaaaad55555,
    0xaaaaa6aaad5556b5, 0xd555aaaaab555554, 0xaad5ab555555555a, 0x00000000000006aa, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
    0x0000000000000000, 0x0000000000000000, 0xaa80000000000000, 0x569ad6ad555555aa, 0xb55556aaad555555, 0x5aaaaad55516aaaa,
    0xd55555aad555aaad, 0x555aaaaaad56aaaa, 0x55aaad55556aad55, 0x5aaab55b555aaab5, 0xb56daad6aaaaad56, 0x556d5ab5aad556aa,
    0xd5555aad55ab6ad5, 0x5556b5aaaaab556a, 0xd5aaad555aaaaab5, 0x55aab5556ab5556a, 0x56ad55aaaab56aad, 0x55aaab5556aaad55,
    0xaab2d56aad55aad5, 0xd555adaaabaaad55, 0xab555aad56ad55aa, 0x5556aaaad6aadad6, 0x55aaad55aaaab2bb, 0xaab556aaaad55555,
    0x55555555557556aa, 0xab55555555555555, 0xaaaad555aaa956aa, 0x55555aaaaaaaaaaa, 0xaaaaaaaaaacaaab5, 0x5556aaaaaaaaaaaa,
    0xab556aaaaaaad555, 0xaaaa96b5555555aa, 0xdaab55555555aaaa, 0xaaaaaaaaaaaaaaaa, 0xab5555556aaaaaaa, 0x556aaaaaaaaaaaaa,
    0xaad5555555aaaaa5, 0x55556baab54aaaaa, 0x55555555555aaaab, 0xaad555556aaaad55, 0x555aaaab556aaaaa, 0xaaaaaab555555555,
    0xaaaaa9aaaaaaaaaa, 0xaaaaaaaaaaaaaaaa, 0x6aaaaaaaaaaaaaaa, 0x5555555555150156, 0x5555555555555555, 0x5555555555555555,
    0xaaaaaaaaaad55555, 0xaaaaaaaaaaaaaaaa, 0xd5555555555aaaaa, 0x5555aaaaaaaaaaaa, 0x5555555555aaaab5, 0xaaab555555555555,
    0x55555aaaaaaaaaaa, 0xaad5555555555555, 0xa55aaaaaaaaaaaaa, 0xad5555aaaaaaaaaa, 0x5555555aaaaaaaaa, 0x556aaaaaaaaad555,
    0xaaad555556a956ad, 0xaaaaad5555aaaaaa, 0xaad5555555555555, 0xab555556aaaaaaaa, 0xb555556aaaaaaaaa, 0xaaaaaaaab56d56aa,
    0x55555555aaaaaaaa, 0x56aaaaaaaaaaaaa9, 0xaaaaaaaaab555555, 0xaaab555555556aaa, 0x6aaaaad5556aaaaa, 0x6aaab555aaaab555,
    0x555556aad54b5555, 0xab55556aaaab4aab, 0xaad5555aaad555aa, 0xaaab55556aab5556, 0x6aaa56aaad5aad55, 0x56aab5555aaaad55,
    0x55aaaaad55aaad55, 0xad556aaaad5555a9, 0x55555aaaad555aaa, 0x555555d6d0555aab, 0x5555aaaaab555555, 0xab56aaaaaaad5555,
    0xad55aaab55755d5a, 0x556aaad556aaaaaa, 0x5aab555aab55aab5, 0x6aad575556aab6ad, 0x56b556ad5556ab55, 0x55aab5aad555aab5,
    0xab56ab55b556ab55, 0x5aab5555aaad56aa, 0x556aaab55ab555ab, 0x5aad576aad56aaab, 0x555ab56aab556ad5, 0xaab5555ab55aaad5,
    0xab556aad55aab55a, 0xd56ab56aaad55aea, 0xd56aaad55ad56aaa, 0xab5556ab5555aaaa, 0xaaab5eaadb55b55a, 0xab555aacaad5aad5,
    0x555baaab556d56aa, 0x55556aad5559aad5, 0xb5aaaad555ab55ab, 0x6daad6ab5556d555, 0xad6ab55555a9aaad, 0xad555aaab555aaaa,
    0x55aab56aab55556a, 0xaab56ad55ab56aab, 0x6aad556aab55a815, 0x556aaaad556aab55, 0xab6d6d6aad55aaad, 0x5555ad55aaad55aa,
    0xaab55556aaaaaad5, 0x56aab555aad555aa, 0xab5556aaad555aab, 0xaab555aaad5556aa, 0x55aaad555aab555a, 0x55aaad5546aaaab5,
    0xb555aaab55aaab55, 0x6aaaad55aaad556a, 0x555aab5555ab556d, 0x55aaaad5aad555ab, 0xb5556aaad556aab5, 0x6aaad5aaab5555aa,
    0xaab5556aad56aad5, 0x55aab556aad555aa, 0x5aad55556ab5ab55, 0xaaad55aad555aad5, 0x6a96ab5555ab5556, 0x5aab555aab55aab5,
    0xaaad5556ab56aad5, 0xab556ab56b5ab56a, 0x16aad55aaad5556a, 0x56b56aaaaad5aad5, 0xd75aeb6b75d6dd5b, 0xd6aadbab5aeb5d6b,
    0xad5adb5d6dad76b5, 0xdb56adb5ab6d5b5d, 0xad5b6b5ab5ad56d6, 0xd56b55005aab5aab, 0xaad55aad55ab55aa, 0xad5ab56b5ab55aaa,
    0x556aad56aad555aa, 0x6aad555aad55aab5, 0xaad55aaad5aaab55, 0xaad55aab555aad55, 0x556aad55aaad556a, 0x556ad56aaaa556ab,
    0xd556aad56b56aaad, 0xaab555aaad555aaa, 0x56ab556ab556ab55, 0x5aaad556ab55aad5, 0xaad56b56d6aa8ab5, 0xb55aab55556aaaaa,
    0xaaaaad5556556aaa, 0xad555aab56ab5555, 0xd556ab56ad55556a, 0x56b55aadad6ab5aa, 0xad55ab555ab56aab, 0xad5aab55ab55ab56,
    0xad5ad5ab555ab55a, 0x55aaad5ab55ab55a, 0xd5956aad6ad6ad5d, 0xd5ab55ab55aad5aa, 0xd56b56ab55ab556a, 0xd6b556ab55ab55aa,
    0x6aad5aaad5ad556a, 0xab6ad56b55ab5ab5, 0x556ad5aad5aaab56, 0x6ab755aab56b55ab, 0x556ad55ab55a55b5, 0x5aaad56aaad5aab3,
    0xd6ad558015556aad, 0xaab556aad55aaaaa, 0xd56aaad55aaad555, 0x55aad5556aab555a, 0x55aaaaad555aaaad, 0x56ab555b556aaaad,
    0xd555aab5556552d5, 0x6aaad555aab555aa, 0xb5556aad56cab555, 0x6daaab555aaad55a, 0x56aad556aad56aab, 0xb555aad55aaaaaad,
    0xb555aaaab5ab555a, 0xb595aab55aab556a, 0xaad5555aaad555aa, 0xb555aad556aab556, 0xab55aaad5aaad5aa, 0xad556aad56aad55a,
    0xb56ab55aad556a96, 0x56aad5aad55aad56, 0x5aab55aaad55aaad, 0x55b5556ab556ab55, 0x556aad5ab55555ab, 0xd5b56aad6aad56ab,
    0x555aaad56aab55aa, 0x6ab5556aaab555ad, 0x5aab556ab555aad5, 0xad55aab556ad56b5, 0x5aadaab556aad5aa, 0xaad5ab5dadab5aad,
    0xb6b55ad5a6d6b6d5, 0x56a2d5d5b56ad5b5, 0xef6abaad56ab56ad, 0x55ab56aaad5ab6d6, 0x6aad55aad5556ad5, 0x6aaad6aad55aad55,
    0xad56aab555aaab55, 0xaad5556aacaad56a, 0x6aad55aaad55556a, 0xad6ab555aaad5555, 0x55adadadb5ad6d56, 0xbaad6b55ab5aaddb,
    0xaaad556aab55aad5, 0x5ad5b56ab55adad6, 0x02d5aad556b556d5, 0x6b56ab555ad6ad00, 0x5aa356adab56b5b5, 0xbab55aad5aad56b5,
    0xb5adb6b6d6b6b6d6, 0x5baad5aaad55f6aa, 0xab5d6aad56b55ab5, 0x5ab6adab5b55b6ab, 0xab5ab556ad5ab56b, 0xb5b756b756b55ab6,
    0x5ad6db6b5b6d5ab6, 0xd5aad6ab56ab55ad, 0x56b5556ab55aaaaa, 0xaaadaad55556ad55, 0x6aacb55aad6aad6a, 0xaad5555ab56aad55,
    0xab55655555aaaad6, 0xb5555aad555ab556, 0xaaab555aad5aaaaa, 0xaad55aab555ab555, 0x55556b555aaaad5a, 0xaab55aad5555aaad,
    0x555566aaaad556aa, 0xd6aaab55559aaad5, 0xd56aad5aaab556aa, 0x5aaaad56aaad56aa, 0x56ab2aad556aaad5, 0xad555aad56aab565,
    0xab56ad55ad6b56aa, 0x56b555aab556aad6, 0x56ad4ab55aad5555, 0xaaad555aab555ad5, 0xaaad55aaad5aab55, 0x6aad5555ab56ab56,
    0xaad55b555ab56b55, 0x5ad75b56aaab55aa, 0xb5aaad556aaad555, 0x5aab555aaad5956a, 0x56aab55aaaaaad55, 0x5aab556aaab556ab,
    0x56ad556ad56b56ab, 0x56aab5aab556aad5, 0xd555aab55b56ad55, 0x56aab555b5555aac, 0x5ab555aab55aaaab, 0xad556ab56ab556ad,
    0xaad556b556ad5556, 0xaaab55aab556d555, 0xb5556aaaad5aad56, 0xab555aad56b56aaa, 0x00958418aaa356aa,
};

static bool is_in(const struct range *range, const char *prefix, uint32_t number)
{
    return memcmp(range->prefix, prefix, 3) == 0 && number >= range->first && number <= range->last;
}

/* Returns true if the range begins behind the number. */
static bool is_behind(const struct range *range, const char *prefix, uint32_t number)
{
    int order = memcmp(range->prefix, prefix, 3);

    return order > 0 || (order == 0 && range->first > number);
}

bool accession_is_in_range(const char *prefix, uint32_t number)
{
    size_t low = 0, high = sizeof ranges / sizeof *ranges;

    if (memcmp(prefix, "CBF", 3) == 0) {
        const uint32_t at = number - CBF_FIRST;
        return number >= CBF_FIRST && number <= CBF_LAST && (cbf[at / 64] >> at % 64 & 1) != 0;
    }
    while (low < high) { /* finds the first range behind the number */
        const size_t middle = (low + high) / 2;
        if (is_behind(&ranges[middle], prefix, number))
            high = middle;
        else
            low = middle + 1;
    }
    return low > 0 && is_in(&ranges[low - 1], prefix, number);
}
