/*
 * check_table.h - tables of measured and predicted workloads (model_sweeps.tsv): lines of '#' that say where and when, a line with the
 * names of the columns, and a line a workload, with tabs between the columns. What does not apply is "-".
 */
#ifndef TAMIS_CLI_SWEEP_TABLE_H
#define TAMIS_CLI_SWEEP_TABLE_H

#include "io/io_safe_file.h"
#include "tamis/model.h"

enum { SWEEP_NAME = 48, SWEEP_TEXT = 128, SWEEP_DIGITS = 6 /* of numbers that are not whole */ };

typedef struct sweep_row {
    char sweep[SWEEP_NAME];
    tms_workload workload; /* as it was asked for: 0 blocks or threads were left to tamis */
    uint32_t active_blocks;
    double seconds, low, high; /* measured */
    double fpr;                /* measured; NaN: it has none */
    double predicted, paper;   /* seconds; NaN: not predicted */
    char binding[SWEEP_NAME];  /* "-": not predicted */
    size_t line;               /* of the file it was read from */
} sweep_row;

typedef struct sweep_table {
    char gpu[SWEEP_TEXT], cpu[SWEEP_TEXT], date[SWEEP_TEXT], version[SWEEP_TEXT], commit[SWEEP_TEXT], command[512]; /* "": not said */
    char machine[SWEEP_TEXT]; /* "132 multiprocessors, L2 62914560 bytes" */
    sweep_row *rows;
    size_t n, capacity;
} sweep_table; /* zeroed: empty */

/* sweep_table_is() - does such a file begin so? For io_output. */
int sweep_table_is(const uint8_t *bytes, size_t n);

/* sweep_table_add() - room for one more row, zeroed; NULL: no memory. It is the table's until the next one is added. */
sweep_row *sweep_table_add(sweep_table *table);

/*
 * sweep_table_read() - a file, plain or compressed; "-" is standard input. Columns may be in any order; some that are not known are
 * skipped.
 *   command [in] for messages
 * Returns CLI_OK; otherwise the exit code, having said file, line and what is wrong.
 */
int sweep_table_read(const char *command, const char *path, sweep_table *out);

/* sweep_table_write() - append all of it to a file; the caller commits it. Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY. */
io_status sweep_table_write(io_safe_file *file, const sweep_table *table, io_error *err);

void sweep_table_free(sweep_table *table);

#endif
