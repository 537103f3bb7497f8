/*
 * hit_filter.h - selects a query's HSPs in all subjects together: by culling, or as best hits. The result depends on the order in which
 * the HSPs are offered.
 */
#ifndef TMS_HIT_FILTER_H
#define TMS_HIT_FILTER_H

#include "alphabet/translation.h"
#include "hits/best_hit.h"
#include "hits/culling.h"

/* At most one of the two filters is in use. */
struct hit_filter_rules {
    int culling_limit; /* 0: no culling */
    bool best_hits;    /* false: overhang and score_edge have no meaning */
    double overhang;   /* share of an HSP's length, in (0, 0.5) */
    double score_edge; /* share of an HSP's score a residue, in (0, 0.5) */
};

/* The lengths of a query. */
struct hit_query {
    int length;               /* residues, or bases if there are frames */
    const int *frame_lengths; /* residues, by context; NULL: no frames */
};

/*
 * HSPs of a minus strand are filtered by their ranges of the plus strand. Those of frames are culled frame by frame, by their ranges of the
 * frame as they are [sic]. Best hits of the plus and of the minus frames never meet.
 */
struct hit_filter {
    bool culls; /* false: best hits */
    bool has_frames;
    struct culling *culling[FRAMES]; /* of each frame; of a query without frames, the first */
    struct best_hit best;
    int query_length;
};

/*
 * hit_filter_rules_set() - sets the rules from a search's parameters.
 *   culling_limit        [in] 0: no culling
 *   overhang, score_edge [in] both 0: no best hits; only one of them 0: that one gets its default
 * Returns TMS_OK, or TMS_E_ARG with a message: one of the last two is not in (0, 0.5), or both filters are asked for.
 */
tms_status hit_filter_rules_set(tms_context *ctx, uint64_t culling_limit, double overhang, double score_edge, struct hit_filter_rules *out);

bool hit_filter_is_wanted(const struct hit_filter_rules *rules);

/*
 * hit_filter_init_preliminary() - for preliminary HSPs, offered in the order of subjects in the database.
 * hit_filter_init_final()       - for final HSPs, the best subject first; max_aligned is the one of struct hit_limits.
 * Both return TMS_OK or TMS_E_MEMORY. The filter is freed with hit_filter_free().
 */
tms_status hit_filter_init_preliminary(const struct hit_filter_rules *rules, struct hit_query query, size_t max_aligned,
                                       struct hit_filter *out);
tms_status hit_filter_init_final(const struct hit_filter_rules *rules, struct hit_query query, size_t max_aligned, struct hit_filter *out);

/*
 * hit_filter_offer() - offers the HSPs of a list in the list's order, and takes them over, also if it fails. The list is empty afterwards.
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status hit_filter_offer(struct hit_filter *filter, struct hit_list *from);

/* hit_filter_take() - moves the HSPs that are left to a list. The filter is empty afterwards. Returns TMS_OK or TMS_E_MEMORY. */
tms_status hit_filter_take(struct hit_filter *filter, struct hit_list *to);
void hit_filter_free(struct hit_filter *filter); /* zeroed is fine */

#endif
