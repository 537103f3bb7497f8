/* residues.h - codes of amino-acid residues in the order of NCBIstdaa, and the shapes of tables indexed by them. */
#ifndef TMS_RESIDUES_H
#define TMS_RESIDUES_H

enum {
    RESIDUE_CODES = 28, /* codes 0 (a gap) to 27 */
    RESIDUE_ROW = 32    /* entries of a row of a table that is indexed by code & 31: bytes of a damaged file cannot leave the table */
};

enum {
    CODE_A = 1,
    CODE_B = 2,
    CODE_C = 3,
    CODE_D = 4,
    CODE_E = 5,
    CODE_I = 9,
    CODE_L = 11,
    CODE_N = 13,
    CODE_Q = 15,
    CODE_X = 21,
    CODE_Z = 23,
    CODE_U = 24,
    CODE_STOP = 25,
    CODE_O = 26,
    CODE_J = 27
};

#endif
