/*
 * cli_parse.h - parses numbers, ranges and devices as users write them. If not stated otherwise, a function returns 1, or 0 for an invalid
 * text and then leaves *out unchanged.
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
 * Numbers in BLAST+'s syntax: an optional sign, no suffix, no blank. An integer is decimal, or 0x... without a sign. Another number may end
 * in an exponent without digits ("1e"); one that is too large becomes infinite.
 */
int cli_parse_blast_whole(const char *text, int64_t *out);
int cli_parse_blast_number(const char *text, double *out);

/*
 * "11-20": positions 11 to 20, counted from 1; at least two.
 *   start, end [out] the range counted from 0, its end excluded; unchanged on failure
 * Returns NULL, or why the text is not such a range: the end of a sentence that begins with the text.
 */
const char *cli_parse_range(const char *text, uint64_t *start, uint64_t *end);

/* "auto", "cpu", "cuda", "cuda:1" */
int cli_parse_device(const char *text, int *out);

/* A device as cli_parse_device() takes it, or up to `most` different GPUs: "cuda:0,2". */
int cli_parse_devices(const char *text, size_t most, int32_t *items, size_t *n);

#endif
