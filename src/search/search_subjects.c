/* search_subjects.c - see search_subjects.h. */
#include "search/search_subjects.h"

struct search_extent search_subjects_extent(const struct search_subjects *subjects)
{
    const tms_seqdb_range range = search_subjects_range(subjects);
    struct search_extent extent = {.n_sequences = range.end - range.first};
    tms_seqdb_info info;

    if (subjects->part.n_parts == 1) {
        tms_seqdb_get_info(subjects->db, &info);
        return (struct search_extent){info.n_sequences, info.n_residues, info.longest};
    }
    for (uint64_t i = range.first; i < range.end; i++) {
        const uint64_t n = tms_seqdb_length(subjects->db, i);
        extent.n_residues += n;
        extent.longest = n > extent.longest ? n : extent.longest;
    }
    return extent;
}
