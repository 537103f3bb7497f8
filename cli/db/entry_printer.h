/*
 * entry_printer.h - prints sequences of a database as FASTA or in lines of a format, like blastdbcmd.
 */
#ifndef TAMIS_CLI_DB_WRITER_H
#define TAMIS_CLI_DB_WRITER_H

#include "cli/db/db_entries.h"
#include "io/io_safe_file.h"

typedef struct entry_printer entry_printer;

typedef struct entry_printer_options {
    const char *command;
    const char *format;           /* "%f", or "%a %l": borrowed */
    const tms_taxonomy *taxonomy; /* for %S %L %K %B and %N %C; NULL: there are no names */
    uint64_t line_length;         /* residues or bases per line of FASTA, 1 or more */
    int has_ctrl_a;               /* FASTA: control-A between the names of a sequence */
    int has_long_ids;             /* FASTA: all ids of a name, and its title tidied */
    int target_only;              /* print only the requested defline */
} entry_printer_options;

/* db_format_names_taxa() - whether the format needs the taxonomy. */
int db_format_names_taxa(const char *format);

/* db_format_check() - checks a format. Returns NULL or a message. specifier [out] the wrong specifier, or "" */
const char *db_format_check(const char *format, char specifier[3]);

/* entry_printer_open() - opens a printer; its format must have passed db_format_check(). file [in] borrowed until entry_printer_close().
 * Returns the exit code, after a message. */
int entry_printer_open(const entry_printer_options *options, tms_context *ctx, const tms_seqdb *db, io_safe_file *file,
                       entry_printer **out);

/* entry_printer_put() - prints an entry that was found. defline UINT64_MAX: all deflines. Returns the exit code, after a message. */
int entry_printer_put(entry_printer *writer, const db_entry *entry);

/* entry_printer_flush() - writes buffered text to the file. */
int entry_printer_flush(entry_printer *writer);
void entry_printer_close(entry_printer *writer); /* NULL is fine */

#endif
