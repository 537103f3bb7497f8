/*
 * check_table.h - tables of measured and predicted workloads (model_sweeps.tsv): notes that begin with '#' and name the machine and the
 * date, a line with the names of the columns, and a line for each workload. Tabs separate the columns; "-" means that a column does not
 * apply to a workload.
 */
#ifndef TAMIS_CHECK_TABLE_H
#define TAMIS_CHECK_TABLE_H

#include "io/io_safe_file.h"
#include "tamis/model.h"

enum { CHECK_NAME = 48, CHECK_TEXT = 128, CHECK_DIGITS = 6 /* significant digits of fractions */ };

typedef struct check_row {
    char sweep[CHECK_NAME];
    tms_workload workload; /* as requested: with 0 blocks or threads, tamis chose them */
    uint32_t active_blocks;
    double seconds, low, high; /* measured */
    double fpr;                /* measured; NaN: the workload has no false-positive rate */
    double predicted, paper;   /* seconds; NaN: not predicted */
    char binding[CHECK_NAME];  /* "-": not predicted */
    size_t line;               /* line number in the file that was read */
} check_row;

typedef struct check_table {
    char gpu[CHECK_TEXT], cpu[CHECK_TEXT], date[CHECK_TEXT], version[CHECK_TEXT], commit[CHECK_TEXT], command[512]; /* "": unknown */
    char machine[CHECK_TEXT]; /* "132 multiprocessors, L2 62914560 bytes" */
    check_row *rows;
    size_t n, capacity;
} check_table; /* all zero: empty */

/* check_table_is() - do these first bytes begin such a table? For io_output. */
int check_table_is(const uint8_t *bytes, size_t n);

/* check_table_add() - appends a zeroed row; NULL: out of memory. The pointer is valid until the next call. */
check_row *check_table_add(check_table *table);

/*
 * check_table_read() - reads a table, plain or compressed; "-" is standard input. Columns may be in any order; unknown columns are skipped.
 *   out [in,out] zeroed; freed with check_table_free(), also on failure
 * Returns IO_OK; IO_E_INPUT, naming file, line and fault; IO_E_MEMORY.
 */
io_status check_table_read(const char *path, check_table *out, io_error *err);

/* check_table_write() - appends the table to a file, which the caller commits. Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY. */
io_status check_table_write(io_safe_file *file, const check_table *table, io_error *err);

void check_table_free(check_table *table);

#endif
