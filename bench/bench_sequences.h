/* bench_sequences.h - queries of the parts that search. */
#ifndef TMS_BENCH_SEQUENCES_H
#define TMS_BENCH_SEQUENCES_H

#include "seqio/seqio_records.h"

/*
 * bench_sequences() - the first sequences of a file, 64 MiB at most. Ends the program if they cannot be read.
 *   out [out] valid until seqio_records_close() of what is returned
 */
seqio_records *bench_sequences(const char *path, seqio_records_batch *out);

/* bench_file_name() - a path without its directory. */
const char *bench_file_name(const char *path);

#endif
