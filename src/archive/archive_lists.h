/*
 * archive_lists.h - the lists of preliminary HSPs of a query batch, and their packed form (doc/format-archive.md): differences as numbers
 * of as many bytes as they need.
 */
#ifndef TAMIS_ARCHIVE_LISTS_H
#define TAMIS_ARCHIVE_LISTS_H

#include <stdbool.h>

#include "base/byte_array.h"
#include "io/io_error.h"
#include "tamis/search.h"

/* n lists. Zero it before the first use; its memory is used again by the next call. */
struct archive_lists {
    tms_found_list *lists; /* batch is 0; what they point to lies in the two arrays below */
    size_t n, capacity;
    tms_found_subject *subjects;
    tms_found_hsp *hsps;
    size_t n_subjects, subjects_capacity, n_hsps, hsps_capacity;
};

/*
 * archive_list_pack() - appends the packed form of a list.
 *   list        [in] subjects in ascending order, or they take more bytes; their numbers of HSPs add up to n_hsps; batch is left out
 *   version     [in] of the archive: ARCHIVE_VERSION leaves out the context of each HSP, which is 0; only ARCHIVE_VERSION_OF_CHAINS has
 *                    n_linked and evalue
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status archive_list_pack(const tms_found_list *list, uint32_t version, struct byte_array *to, io_error *err);

/*
 * archive_lists_unpack() - reads n packed lists that take all of n_bytes bytes. Any bytes are safe; the meaning of the numbers is not
 * checked.
 *   version     [in] as they were packed
 * Returns IO_OK; IO_E_MEMORY; IO_E_INPUT: the bytes are not n packed lists.
 */
io_status archive_lists_unpack(const uint8_t *bytes, size_t n_bytes, uint32_t version, uint64_t n, struct archive_lists *out,
                               io_error *err);
void archive_lists_free(struct archive_lists *lists); /* zeroed is fine */

#endif
