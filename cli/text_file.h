/* text_file.h - a small file of text, whole: lists of ids. */
#ifndef TAMIS_CLI_TEXT_FILE_H
#define TAMIS_CLI_TEXT_FILE_H

#include <stddef.h>

/*
 * text_file_read() - a file, plain or compressed; "-" is standard input.
 *   out [out] its bytes, and a NUL; freed with free()
 *   n   [out] how many, without the NUL
 * Returns CLI_OK; otherwise the exit code, after a message.
 */
int text_file_read(const char *command, const char *path, char **out, size_t *n);

#endif
