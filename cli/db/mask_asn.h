/* mask_asn.h - masks as values of NCBI's ASN.1: Blast-db-mask-info of all records, or a Seq-loc of each. */
#ifndef TAMIS_CLI_MASK_ASN_H
#define TAMIS_CLI_MASK_ASN_H

#include "cli/db/asn_writer.h"
#include "tamis/mask.h"

/* The algorithm that found the masks, as a database records it. */
typedef struct mask_algorithm {
    const char *name; /* "seg" */
    int id;           /* algorithm id of NCBI's program: 1 */
    int program;      /* number in NCBI's list of masking programs: 20 */
    char options[128];
} mask_algorithm;

typedef struct mask_asn {
    asn_writer to;
    bool is_info; /* one value for all records */
} mask_asn;

/* mask_asn_put() writes the masks of the record with this id. All return false if there is no memory. */
bool mask_asn_begin(mask_asn *a, const mask_algorithm *algorithm);
bool mask_asn_put(mask_asn *a, const tms_interval *intervals, size_t n, const struct seqid *id);
bool mask_asn_end(mask_asn *a);

#endif
