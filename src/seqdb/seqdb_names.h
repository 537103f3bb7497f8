/* seqdb_names.h - reads the deflines of a sequence of a volume. */
#ifndef TMS_SEQDB_NAMES_H
#define TMS_SEQDB_NAMES_H

#include "seqdb/seqdb_struct.h"
#include "seqid/defline_decode.h"

/*
 * seqdb_names_read() - read the deflines of sequence oid of a volume, whose number in the database is global_oid.
 *   list [in]  which deflines to keep; NULL: all
 *   why  [out] with TMS_E_FORMAT: what is wrong
 */
tms_status seqdb_names_read(const struct seqdb_volume *v, uint32_t oid, uint64_t global_oid, const struct seqdb_list *list,
                            tms_seqdb_names *names, const char **why);

#endif
