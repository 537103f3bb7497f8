/* text_file.h - reads a small text file, such as a list of ids, into memory. */
#ifndef TAMIS_CLI_TEXT_FILE_H
#define TAMIS_CLI_TEXT_FILE_H

#include <stddef.h>

/*
 * text_file_read() - reads a file, plain or compressed; "-" is standard input.
 *   out [out] the bytes, followed by a NUL; the caller frees them with free()
 *   n   [out] number of bytes, without the NUL
 * Returns CLI_OK; otherwise the exit code, after a message.
 */
int text_file_read(const char *command, const char *path, char **out, size_t *n);

#endif
