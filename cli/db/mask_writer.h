/*
 * mask_writer.h - masks of records as text: the intervals below each title, the sequences with masked positions in lower case, or
 * values of NCBI's ASN.1, which makeblastdb reads.
 */
#ifndef TAMIS_MASK_WRITER_H
#define TAMIS_MASK_WRITER_H

#include "cli/db/mask_asn.h"
#include "cli/db/mask_names.h"
#include "io/io_safe_file.h"
#include "tamis/mask.h"
#include "tamis/seqdb.h"

/* MASK_INFO and MASK_SEQLOC begin three formats each: text, BER, XML, in the order of asn_syntax. */
typedef enum mask_format {
    MASK_INTERVAL,
    MASK_FASTA,
    MASK_ACCLIST,
    MASK_INFO,
    MASK_SEQLOC = MASK_INFO + 3,
    MASK_FORMATS = MASK_SEQLOC + 3
} mask_format;

typedef struct mask_writer {
    mask_format format;
    mask_algorithm algorithm;
    mask_names names;
    int refuses_empty; /* a record without a sequence is bad input */
    mask_asn asn;
    io_safe_file *file;     /* borrowed */
    struct byte_array text; /* text that is not yet written */
} mask_writer;

/* mask_writer_begin() - begins the output. The caller has set format, algorithm, names and file. Returns IO_OK or IO_E_MEMORY. */
io_status mask_writer_begin(mask_writer *w, io_error *err);

/*
 * mask_writer_put() - writes a batch, in order.
 *   seqs [in] characters in upper case
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY; IO_E_INPUT: an id is invalid, or a record has no sequence; earlier records were written.
 */
io_status mask_writer_put(mask_writer *w, const tms_seqs *seqs, const tms_mask_list *masks, io_error *err);

/* mask_writer_end() - writes the rest of the text, and if is_whole the end of a value. Returns IO_OK, IO_E_OUTPUT or IO_E_MEMORY. */
io_status mask_writer_end(mask_writer *w, int is_whole, io_error *err);

void mask_writer_free(mask_writer *w);

#endif
