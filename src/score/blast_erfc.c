/*
 * blast_erfc.c - rational approximations of the error function in five ranges.
 *
 * The approximations are those of Boost's erf for 53 bits. In BLAST the approximation for 0.5 .. 1.5 lacks its last coefficient, so its
 * relative error there is up to 1e-7; E-values depend on this. The exponential, the division and the last product have 80 bits (long double
 * of x86) and are rounded once; where long double has another size, the last bit may differ.
 */
#include "score/blast_erfc.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_TERMS = 7 };

/* offset + p(x) / q(x) in a range of z; constant terms come first. */
struct rational {
    double offset, p[MOST_TERMS], q[MOST_TERMS];
    size_t n_terms;
};

static const struct rational near_zero = {
    1.044948577880859375,
    {0.0834305892146531832907, -0.338165134459360935041, -0.0509990735146777432841, -0.00772758345802133288487,
     -0.000322780120964605683831},
    {1.0, 0.455004033050794024546, 0.0875222600142252549554, 0.00858571925074406212772, 0.000370900071787748000569},
    5};
static const struct rational to_1_5 = {
    0.405935764312744140625,
    {-0.098090592216281240205, 0.178114665841120341155, 0.191003695796775433986, 0.0888900368967884466578, 0.0195049001251218801359,
     0.00180424538297014223957},
    {1.0, 1.84759070983002217845, 1.42628004845511324508, 0.578052804889902404909, 0.12385097467900864233, 0.0113385233577001411017},
    6};
static const struct rational to_2_5 = {
    0.50672817230224609375,
    {-0.0243500476207698441272, 0.0386540375035707201728, 0.04394818964209516296, 0.0175679436311802092299, 0.00323962406290842133584,
     0.000235839115596880717416},
    {1.0, 1.53991494948552447182, 0.982403709157920235114, 0.325732924782444448493, 0.0563921837420478160373, 0.00410369723978904575884},
    6};
static const struct rational to_4_5 = {
    0.5405750274658203125,
    {0.00295276716530971662634, 0.0137384425896355332126, 0.00840807615555585383007, 0.00212825620914618649141, 0.000250269961544794627958,
     0.113212406648847561139e-4},
    {1.0, 1.04217814166938418171, 0.442597659481563127003, 0.0958492726301061423444, 0.0105982906484876531489, 0.000479411269521714493907},
    6};
static const struct rational beyond = {0.5579090118408203125,
                                       {0.00628057170626964891937, 0.0175389834052493308818, -0.212652252872804219852,
                                        -0.687717681153649930619, -2.5518551727311523996, -3.22729451764143718517, -2.8175401114513378771},
                                       {1.0, 2.79257750980575282228, 11.0567237927800161565, 15.930646027911794143, 22.9367376522880577224,
                                        13.5064170191802889145, 5.48409182238641741584},
                                       7};

static double horner(const double *c, size_t n, double x)
{
    double y = c[n - 1];

    for (size_t i = n - 1; i-- > 0;)
        y = y * x + c[i];
    return y;
}

static double value_of(const struct rational *r, double x) { return r->offset + horner(r->p, r->n_terms, x) / horner(r->q, r->n_terms, x); }

/* erf(z) for 0 <= z < 0.5 */
static double erf_near_zero(double z)
{
    if (z == 0)
        return 0;
    if (z < 1e-10)
        return z * 1.125 + z * 0.003379167095512573896158903121545171688;
    return z * value_of(&near_zero, z * z);
}

/* erfc(z) for 0.5 <= z < 28 */
static double erfc_beyond_half(double z)
{
    double minus_square = -z * z, factor;

    if (z < 1.5)
        factor = value_of(&to_1_5, z - 0.5);
    else if (z < 2.5)
        factor = value_of(&to_2_5, z - 1.5);
    else if (z < 4.5)
        factor = value_of(&to_4_5, z - 3.5);
    else
        factor = value_of(&beyond, 1.0 / z);
    return (double)((long double)factor * (expl((long double)minus_square) / (long double)z));
}

double blast_erfc(double z)
{
    if (z < -0.5) {
        double mirrored = -z; /* 2 - erfc(-z) */
        return 2 - (mirrored < 28 ? erfc_beyond_half(mirrored) : 0);
    }
    if (z < 0)
        return 1 + (z > -0.5 ? erf_near_zero(-z) : 1 - erfc_beyond_half(-z));
    if (z < 0.5)
        return 1 - erf_near_zero(z);
    return z < 28 ? erfc_beyond_half(z) : 0;
}
