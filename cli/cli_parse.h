/*
 * cli_parse.h - numbers as people write them. Each returns 1, or 0 and leaves *out alone.
 */
#ifndef TAMIS_CLI_PARSE_H
#define TAMIS_CLI_PARSE_H

#include <stddef.h>
#include <stdint.h>

/* "1000", "1.5G", "64Mi": K M G T are powers of 1000, Ki Mi Gi Ti of 1024; the result must be whole. */
int cli_parse_size(const char *text, uint64_t *out);

/* "0.01", "1e-6", "1/1000": above 0 and below 1. "1/n" gives 0, which means "one over the number of keys". */
int cli_parse_rate(const char *text, double *out);

/* "0.95", "1e-6", "1/1000", "1": above 0 and up to 1. */
int cli_parse_probability(const char *text, double *out);

/* A finite number, 0 or more: "10.5", "1e6", "1K". */
int cli_parse_not_negative(const char *text, double *out);

/* Decimal or 0x hexadecimal, all 64 bits. */
int cli_parse_seed(const char *text, uint64_t *out);

/*
 * Numbers as BLAST+ takes them: a sign may be there; whole ones are decimal, or 0x... without a sign; of the others an exponent may lack
 * its digits at the end ("1e"), and what is too large is infinite. No suffix, no blank.
 */
int cli_parse_blast_whole(const char *text, int64_t *out);
int cli_parse_blast_number(const char *text, double *out);

/* "11-20": the 11th letter to the 20th, from 1, two at least. Returns NULL, or why it is none, and leaves the rest alone: first and last
 * letter, from 0, and one behind. */
const char *cli_parse_range(const char *text, uint64_t *start, uint64_t *end);

/* "auto", "cpu", "cuda", "cuda:1" */
int cli_parse_device(const char *text, int *out);

/* The same, or several GPUs, no more than `most` and none twice: "cuda:0,2". */
int cli_parse_devices(const char *text, size_t most, int32_t *items, size_t *n);

#endif
