/* blast_math.c - the functions of blast_math.h, in the order in which BLAST evaluates them. */
#include "score/blast_math.h"

#include <float.h>
#include <math.h>

double power(double x, int n)
{
    double y = 1;

    for (; n > 0; n /= 2) {
        if (n % 2 == 1)
            y *= x;
        x *= x;
    }
    return y;
}

double exp_less_1(double x)
{
    static const double factorials[] = {1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600};
    int last = (int)(sizeof factorials / sizeof *factorials) - 1;
    double sum;

    if (fabs(x) > 0.33)
        return exp(x) - 1.0;
    if (fabs(x) < 1e-16)
        return x;
    sum = 1.0 / factorials[last] + x / 6227020800.0;
    for (int i = last - 1; i >= 0; i--)
        sum = 1.0 / factorials[i] + x * sum;
    return x * sum;
}

/* x - x^2/2 + x^3/3 - ...; a negative x ends the sum by the size of an odd power only, a positive one by that of any. */
double log_of_1_and(double x)
{
    enum { MOST_TERMS = 500 };
    double sum = 0, y = x;

    if (fabs(x) >= 0.2)
        return log(x + 1.0);
    for (int i = 1; i <= MOST_TERMS; i += 2) {
        sum += y / i;
        if (fabs(y) < DBL_EPSILON)
            break;
        y *= x;
        sum -= y / (i + 1);
        if (y < DBL_EPSILON)
            break;
        y *= x;
    }
    return sum;
}

/* Lanczos' series for log(x!). */
static double log_factorial_series(double x)
{
    static const double log_pi = 1.1447298858494001741434273513531, log_2 = 0.69314718055994530941723212145818;
    static const double series[] = {4.694580336184385e+04, -1.560605207784446e+05, 2.065049568014106e+05, -1.388934775095388e+05,
                                    5.031796415085709e+04, -9.601592329182778e+03, 8.785855930895250e+02, -3.155153906098611e+01,
                                    2.908143421162229e-01, -2.319827630494973e-04, 1.251639670050933e-10};
    enum { N = sizeof series / sizeof *series };
    double end = x + N, at = end, sum = 0;

    for (int i = N - 1; i >= 0; i--) {
        sum += series[i] / at;
        at -= 1.0;
    }
    at = end + 0.5;
    return log(sum + 1.0) + ((log_pi + log_2) / 2.0 + (x + 0.5) * log(at) - at);
}

double log_factorial(int n) { return n <= 0 ? 0 : log_factorial_series(n); }

double log_gamma(int n)
{
    enum { MOST_EXACT = 34 };
    double factorial = 1;

    if (n > MOST_EXACT)
        return log_factorial_series(n - 1);
    for (int i = 2; i < n; i++)
        factorial *= i;
    return log(factorial);
}

double romberg_integral(double (*f)(double x, const void *data), const void *data, double from, double to, double precision,
                        int least_rounds)
{
    enum { MOST_ROUNDS = 20 };
    double sums[MOST_ROUNDS], width = to - from;
    int n = 1;

    sums[0] = 0.5 * width * (f(from, data) + f(to, data));
    for (int i = 1; i < MOST_ROUNDS; i++) {
        double sum = 0, x = from + 0.5 * width, scale = 4;
        for (int k = 0; k < n; k++) {
            sum += f(x, data);
            x += width;
        }
        sums[i] = 0.5 * (sums[i - 1] + width * sum);
        for (int j = i - 1; j >= 0; j--) {
            sums[j] = (scale * sums[j + 1] - sums[j]) / (scale - 1);
            scale *= 4;
        }
        if (i >= least_rounds && fabs(sums[1] - sums[0]) <= precision * fabs(sums[0]))
            break;
        n *= 2;
        width *= 0.5;
    }
    return sums[0];
}
