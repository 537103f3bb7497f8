/* mask_asn.h - masks as values of NCBI's ASN.1: Blast-db-mask-info of all records, or a Seq-loc of each. */
#ifndef TAMIS_CLI_MASK_ASN_H
#define TAMIS_CLI_MASK_ASN_H

#include "cli/db/asn_writer.h"
#include "tamis/mask.h"

/* What found the masks, as a database keeps it. */
typedef struct mask_algorithm {
    const char *name; /* "seg" */
    int id;           /* of NCBI's program: 1 */
    int program;      /* of NCBI's list of them: 20 */
    char options[128];
} mask_algorithm;

typedef struct mask_asn {
    asn_writer to;
    bool is_info; /* one value of all */
} mask_asn;

/* mask_asn_put(): of a record that is called by this id. Return false: no memory. */
bool mask_asn_begin(mask_asn *a, const mask_algorithm *algorithm);
bool mask_asn_put(mask_asn *a, const tms_interval *intervals, size_t n, const struct seqid *id);
bool mask_asn_end(mask_asn *a);

#endif
