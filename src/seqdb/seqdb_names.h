/* seqdb_names.h - deflines of one sequence of a volume. */
#ifndef TMS_SEQDB_NAMES_H
#define TMS_SEQDB_NAMES_H

#include "seqdb/seqdb_struct.h"
#include "seqid/defline_decode.h"

/* seqdb_names_read() - those of sequence oid of a volume, which is global_oid of the database; list: those it keeps, or NULL. why [out]
 * TMS_E_FORMAT: what is wrong. */
tms_status seqdb_names_read(const struct seqdb_volume *v, uint32_t oid, uint64_t global_oid, const struct seqdb_list *list,
                            tms_seqdb_names *names, const char **why);

#endif
