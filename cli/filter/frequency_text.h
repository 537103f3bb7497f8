/*
 * frequency_text.h - frequencies as the commands print them.
 */
#ifndef TAMIS_FREQUENCY_TEXT_H
#define TAMIS_FREQUENCY_TEXT_H

#include "cli/cli.h"
#include "cli/line_writer.h"
#include "tamis/tamis.h"

enum { FREQUENCY_TEXT_SIZE = 192 };

/* "f from 12 to 480 within 25 % (95 % confidence), best 7.9 % near f = 159" */
TMS_CHECKED tms_status frequency_range_text(tms_context *ctx, const tms_filter_params *params, double fill, double confidence, double error,
                                            char text[FREQUENCY_TEXT_SIZE]);

/*
 * frequency_put_key() - writes a key as the first part of its line: unchanged, or as a JSON member "key". For a key that is not
 * UTF-8, which JSON requires, "key" is null and "key_hex" has the bytes.
 */
io_status frequency_put_key(line_writer *w, int as_json, const uint8_t *key, size_t size, io_error *err);

/*
 * frequency_values_text() - the rest of the line: ones, f, f_min, f_max and the line feed. Infinite values are "inf",
 * in JSON null. Returns the length.
 */
size_t frequency_values_text(int as_json, uint32_t ones, const tms_frequency *frequency, char text[FREQUENCY_TEXT_SIZE]);

/*
 * frequency_remark_min() - prints a remark, unless quiet, if --min is higher than all k ones of such a filter show, or far below
 * what the filter resolves. Returns CLI_OK; otherwise the exit code, after a message.
 */
int frequency_remark_min(const cli_common *common, tms_context *ctx, const tms_filter_params *params, double fill, double confidence,
                         tms_frequency_by by, double min_f);

#endif
