/* joint.h - joint probabilities of aligned amino acids, which composition.c adjusts. */
#ifndef TMS_SCORE_JOINT_H
#define TMS_SCORE_JOINT_H

enum { JOINT_LETTERS = 20, JOINT_PAIRS = 210, JOINT_TABLES = 8 };

struct joint_table {
    const char *name;     /* name of the scoring matrix */
    const double *joint;  /* lower triangle */
    const double *shares; /* share of each residue */
};

extern const struct joint_table joint_tables[JOINT_TABLES];

#endif
