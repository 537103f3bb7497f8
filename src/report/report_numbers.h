/* report_numbers.h - E-values, bit scores and real numbers as text. */
#ifndef TMS_REPORT_NUMBERS_H
#define TMS_REPORT_NUMBERS_H

#include <stdint.h>

#define REPORT_NUMBER_SIZE 40 /* bytes of the longest text */

/* All functions return the buffer. */
const char *report_evalue_short(double evalue, char to[REPORT_NUMBER_SIZE]); /* format 0 */
const char *report_evalue(double evalue, char to[REPORT_NUMBER_SIZE]);       /* tables: small numbers have two more digits */
const char *report_bits(double bits, char to[REPORT_NUMBER_SIZE]);

/* report_fixed() - writes a number with up to 3 decimals to memory, rounded as C rounds it for the conversion "%.*f". */
const char *report_fixed(double value, int n_decimals, char to[REPORT_NUMBER_SIZE]);

/* report_real() - a number of six digits, with an exponent only from 1e15 on and below 1e-4. */
const char *report_real(double value, char to[REPORT_NUMBER_SIZE]);

/* report_evalue_real() - an E-value as report_real() prints it; 0 below 1e-180. */
const char *report_evalue_real(double evalue, char to[REPORT_NUMBER_SIZE]);

/* report_double() - a number of up to fifteen digits, with an exponent only from 1e15 on and below 1e-4. */
const char *report_double(double value, char to[REPORT_NUMBER_SIZE]);

/* report_grouped() - a number with commas between thousands. */
const char *report_grouped(uint64_t number, char to[REPORT_NUMBER_SIZE]);

/* report_percent() - n of total in percent, as format 0 prints it: 100 only if n is total. */
int report_percent(uint64_t n, uint64_t total);

#endif
