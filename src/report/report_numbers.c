/*
 * report_numbers.c - see report_numbers.h. Tables have millions of numbers, and printf() takes most of their time: so the usual ones are
 * rounded here, and printf() prints those that are so near the middle between two texts that the last bits decide.
 */
#include "report/report_numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a number with a point before the last n_decimals digits, of which it has one more at least. Returns the end, a NUL. */
static char *put_digits(uint32_t number, int n_decimals, char *to)
{
    const int n_least = n_decimals > 0 ? n_decimals + 2 : 1;
    char text[16], *const end = text + sizeof text, *at = end;

    for (; end - at < n_least || number > 0; number /= 10) {
        *--at = (char)('0' + number % 10);
        if (end - at == n_decimals)
            *--at = '.';
    }
    memcpy(to, at, (size_t)(end - at));
    to += end - at;
    *to = '\0';
    return to;
}

/* Rounds a number; false if it is not from 0 to a million, or if an error of a billionth of it could change the result. */
static bool rounds_clearly(double value, uint32_t *rounded)
{
    double part;

    if (!(value >= 0 && value < 1e6))
        return false;
    *rounded = (uint32_t)value;
    part = value - *rounded;
    *rounded += part > 0.5;
    return fabs(part - 0.5) > 1e-3;
}

const char *report_fixed(double value, int n_decimals, char to[REPORT_NUMBER_SIZE])
{
    static const double powers[] = {1, 10, 100, 1000};
    uint32_t rounded;

    if (!signbit(value) && rounds_clearly(value * powers[n_decimals], &rounded))
        put_digits(rounded, n_decimals, to);
    else
        snprintf(to, REPORT_NUMBER_SIZE, "%.*f", n_decimals, value);
    return to;
}

/* As "%.2e" prints it; below 1. */
static const char *scientific(double value, char *to)
{
    const int exponent = -(int)floor(log10(value));
    const double scaled = value * pow(10, exponent + 2);
    uint32_t rounded;
    char *end;

    if (!rounds_clearly(scaled, &rounded) || rounded <= 100 || rounded >= 999) { /* another exponent may be right */
        snprintf(to, REPORT_NUMBER_SIZE, "%.2e", value);
        return to;
    }
    end = put_digits(rounded, 2, to);
    memcpy(end, "e-0", 3);
    put_digits((uint32_t)exponent, 0, end + (exponent < 10 ? 3 : 2));
    return to;
}

static const char *evalue_text(double evalue, char *to)
{
    return report_fixed(evalue, evalue < 0.1 ? 3 : evalue < 1 ? 2 : evalue < 10 ? 1 : 0, to);
}

const char *report_evalue_short(double evalue, char to[REPORT_NUMBER_SIZE])
{
    if (evalue < 1e-180)
        return strcpy(to, "0.0");
    if (!(evalue < 0.0009))
        return evalue_text(evalue, to);
    snprintf(to, REPORT_NUMBER_SIZE, "%3.0e", evalue);
    return to;
}

const char *report_evalue(double evalue, char to[REPORT_NUMBER_SIZE])
{
    if (evalue < 1e-180)
        return strcpy(to, "0.0");
    return evalue < 0.0009 ? scientific(evalue, to) : evalue_text(evalue, to);
}

const char *report_bits(double bits, char to[REPORT_NUMBER_SIZE])
{
    if (bits > 99999)
        snprintf(to, REPORT_NUMBER_SIZE, "%5.3e", bits);
    else if (bits >= 100)
        put_digits((uint32_t)bits, 0, to);
    else if (bits > 99.9)
        return strcpy(to, " 99");
    else if (bits >= 10)
        return report_fixed(bits, 1, to);
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
