/* profile.h - the numbers and curves of a profile. profile.c has their names in the same order. */
#ifndef TMS_PROFILE_H
#define TMS_PROFILE_H

#include "model/calibration.h"
#include "tamis/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum random_kind { RANDOM_READ4, RANDOM_READ32, RANDOM_OR, RANDOM_KINDS };

/*
 * How multiprocessors share bandwidth. One multiprocessor with w warps reaches ((w a)^-p + b^-p)^(-1/p) accesses a second; together they
 * reach ((their sum)^-q + c^-q)^(-1/q). a: rate of a single warp, b: of a single full multiprocessor, c: of the chip.
 */
enum profile_value {
    PROFILE_LAUNCH, /* seconds of an empty kernel */
    PROFILE_COPY_IN,
    PROFILE_COPY_OUT, /* bytes a second */
    PROFILE_SPREAD,   /* spread of multiprocessors' shares at the chip's limit */
    PROFILE_SHARED_A,
    PROFILE_SHARED_B,
    PROFILE_SHARED_C,
    PROFILE_SHARED_P,
    PROFILE_SHARED_Q,
    PROFILE_READ_P, /* by level of memory */
    PROFILE_READ_Q = PROFILE_READ_P + CALIBRATION_LEVELS,
    PROFILE_OR_P = PROFILE_READ_Q + CALIBRATION_LEVELS,
    PROFILE_OR_Q = PROFILE_OR_P + CALIBRATION_LEVELS,
    PROFILE_RANDOM_REGISTERS = PROFILE_OR_Q + CALIBRATION_LEVELS, /* by kind */
    PROFILE_SHARED_REGISTERS = PROFILE_RANDOM_REGISTERS + RANDOM_KINDS,
    PROFILE_BANK_P = PROFILE_SHARED_REGISTERS + RANDOM_KINDS, /* of warps */
    PROFILE_BANK_STAGE,                                       /* seconds a vector */
    PROFILE_BANK_STAGE_WORD,                                  /* seconds of a thread per word of a vector */
    PROFILE_READS_Q,
    PROFILE_READS_REGISTERS,
    PROFILE_LENGTH,                                             /* seconds per additional byte of a string, if no accesses hide them */
    PROFILE_LENGTH_BASE = PROFILE_LENGTH + CALIBRATION_STRINGS, /* seconds of a string of CALIBRATION_LENGTH bytes in that case */
    PROFILE_PAPER_RANDOM = PROFILE_LENGTH_BASE + CALIBRATION_STRINGS, /* coefficients of the papers' forms, seconds */
    PROFILE_PAPER_RANDOM_G,
    PROFILE_PAPER_SHARED,
    PROFILE_PAPER_BANK_A1,
    PROFILE_PAPER_BANK_A0,
    PROFILE_PAPER_READS,
    PROFILE_PAPER_READS_G,
    PROFILE_PAPER_STRINGS, /* by query, build */
    PROFILE_PAPER_STRINGS_G = PROFILE_PAPER_STRINGS + 2,
    PROFILE_CPU_LENGTH = PROFILE_PAPER_STRINGS_G + 2, /* [query, build][classic, blocked]: seconds more for a byte more, of one thread */
    PROFILE_GPU_START = PROFILE_CPU_LENGTH + 4,       /* seconds, of the process that calibrated */
    PROFILE_BLASTP_CPU,                               /* query residues times subject residues per second, of one thread */
    PROFILE_BLASTP_GPU,
    PROFILE_N_VALUES
};

enum profile_curve {
    CURVE_WARP,                                  /* a, over bytes, by kind */
    CURVE_PEAK = CURVE_WARP + RANDOM_KINDS,      /* b */
    CURVE_CHIP = CURVE_PEAK + RANDOM_KINDS,      /* c */
    CURVE_BANK_TILE = CURVE_CHIP + RANDOM_KINDS, /* over k: seconds of a multiprocessor for 32 w-mers, all of them full */
    CURVE_BANK_WARP,                             /* of a warp alone */
    CURVE_BANK_REGISTERS,
    CURVE_BANK_ROWS,  /* over bytes of the bank: bytes of rows a second */
    CURVE_READS_CHIP, /* over bytes of the filter: tiles a second */
    CURVE_READS_BLOCK,
    CURVE_STRINGS, /* over bytes of the filter: seconds a string, by enum calibration_strings */
    CURVE_STRINGS_ACCESS = CURVE_STRINGS + CALIBRATION_STRINGS, /* seconds of one access that a string waits for */
    CURVE_STRINGS_LOOK,                                         /* seconds of one read and set of a bit that a string waits for */
    CURVE_CPU_ONE,                                              /* over bytes: accesses a second, by kind */
    CURVE_CPU_ALL = CURVE_CPU_ONE + RANDOM_KINDS,
    CURVE_CPU_P = CURVE_CPU_ALL + RANDOM_KINDS,         /* over bytes: how sharply threads' own rates give way to the limit of all */
    CURVE_CPU_STRINGS_ONE = CURVE_CPU_P + RANDOM_KINDS, /* over bytes of the filter: seconds a string, by enum calibration_cpu_strings */
    CURVE_CPU_STRINGS_ALL = CURVE_CPU_STRINGS_ONE + CALIBRATION_CPU_STRINGS,
    PROFILE_N_CURVES = CURVE_CPU_STRINGS_ALL + CALIBRATION_CPU_STRINGS
};

/* curve_at() - interpolates linearly in logarithms; constant beyond the ends. NaN for an empty curve. */
double curve_at(const tms_curve *curve, double x);

/* curve_add() - adds a point, in any order of x; replaces a point of equal x. */
void curve_add(tms_curve *curve, double x, double y);

/* (x^-p + y^-p)^(-1/p): about the smaller of two rates. */
double rate_of_both(double x, double y, double p);
/* (x^p + y^p)^(1/p): about the larger of two times. */
double time_of_both(double x, double y, double p);

static inline enum random_kind random_kind_of(tms_op op)
{
    return op == TMS_OP_READ4 ? RANDOM_READ4 : op == TMS_OP_READ32 ? RANDOM_READ32 : RANDOM_OR;
}

/* Sharpness between the levels of memory: interpolates its inverse by the logarithm of the size; constant beyond the ends. values:
 * CALIBRATION_LEVELS of them. */
double profile_between_levels(const double *values, double m_bits);

#ifdef __cplusplus
}
#endif
#endif
