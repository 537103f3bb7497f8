/*
 * mask_writer.h - masks of records as text: the intervals below each title, or the letters with those that are masked in lower case.
 */
#ifndef TAMIS_MASK_WRITER_H
#define TAMIS_MASK_WRITER_H

#include "base/byte_array.h"
#include "io/io_safe_file.h"
#include "tamis/mask.h"
#include "tamis/seqdb.h"

typedef enum mask_format { MASK_INTERVAL, MASK_FASTA, MASK_ACCLIST } mask_format;

typedef struct mask_writer {
    mask_format format;
    tms_molecule molecule;
    io_safe_file *file;     /* borrowed */
    struct byte_array text; /* that is not yet written; freed by the owner */
} mask_writer;

/*
 * mask_writer_put() - a batch, in its order.
 *   seqs [in] letters in upper case
 * Returns IO_OK, IO_E_OUTPUT or IO_E_MEMORY.
 */
io_status mask_writer_put(mask_writer *w, const tms_seqs *seqs, const tms_mask_list *masks, io_error *err);

/* mask_writer_end() - what is left is written. Returns IO_OK or IO_E_OUTPUT. */
io_status mask_writer_end(mask_writer *w, io_error *err);

#endif
