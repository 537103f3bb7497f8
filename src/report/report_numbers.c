/* report_numbers.c - see report_numbers.h. */
#include "report/report_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* small: the format below 0.0009. */
static const char *evalue_text(double evalue, const char *small, char *to)
{
    const char *format = evalue < 0.0009 ? small : evalue < 0.1 ? "%4.3f" : evalue < 1 ? "%3.2f" : evalue < 10 ? "%2.1f" : "%2.0f";

    if (evalue < 1e-180)
        return strcpy(to, "0.0");
    snprintf(to, REPORT_NUMBER_SIZE, format, evalue);
    return to;
}

const char *report_evalue_short(double evalue, char to[REPORT_NUMBER_SIZE]) { return evalue_text(evalue, "%3.0e", to); }

const char *report_evalue(double evalue, char to[REPORT_NUMBER_SIZE]) { return evalue_text(evalue, "%.2e", to); }

const char *report_bits(double bits, char to[REPORT_NUMBER_SIZE])
{
    if (bits > 99999)
        snprintf(to, REPORT_NUMBER_SIZE, "%5.3e", bits);
    else if (bits > 99.9)
        snprintf(to, REPORT_NUMBER_SIZE, "%3ld", (long)bits);
    else
        snprintf(to, REPORT_NUMBER_SIZE, "%4.1f", bits);
    return to;
}

const char *report_double(double value, char to[REPORT_NUMBER_SIZE])
{
    snprintf(to, REPORT_NUMBER_SIZE, "%.15g", value);
    return to;
}

const char *report_real(double value, char to[REPORT_NUMBER_SIZE])
{
    snprintf(to, REPORT_NUMBER_SIZE, "%.6g", value);
    return report_double(strtod(to, NULL), to);
}

const char *report_evalue_real(double evalue, char to[REPORT_NUMBER_SIZE]) { return report_real(evalue < 1e-180 ? 0 : evalue, to); }

const char *report_grouped(uint64_t number, char to[REPORT_NUMBER_SIZE])
{
    char digits[REPORT_NUMBER_SIZE];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            to[at++] = ',';
        to[at++] = digits[i];
    }
    to[at] = '\0';
    return to;
}

int report_percent(uint64_t n, uint64_t total)
{
    int percent;

    if (n == total)
        return 100;
    percent = (int)(0.5 + 100.0 * (double)n / (double)total);
    return percent < 99 ? percent : 99;
}
