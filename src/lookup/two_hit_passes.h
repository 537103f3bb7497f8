/*
 * two_hit_passes.h - the passes of the sieved scan over many hits at once. Each form of them is compiled for other instructions, from
 * two_hit_hits.h and two_hit_lanes.h or two_hit_vbmi.c. All forms take the same candidates; their bounds drop more or fewer of them, but
 * none from which an extension can reach its cutoff.
 */
#ifndef TMS_TWO_HIT_PASSES_H
#define TMS_TWO_HIT_PASSES_H

#include "lookup/two_hit_types.h"

enum {
    TWO_HIT_WORDS = 512,       /* words of the subject that are numbered together */
    TWO_HIT_CHUNK_WORDS = 64,  /* words that a chunk has at most */
    TWO_HIT_CHUNK_HITS = 2048, /* hits that are taken together */
    TWO_HIT_LANES = 64,        /* candidates that are bounded together, at most */
    TWO_HIT_CANDIDATES = 4096, /* candidates that two_hit_bound takes at once */
    TWO_HIT_SCRATCH = 2 * 16 * (TWO_HIT_CANDIDATES + TWO_HIT_LANES),
    TWO_HIT_LEAST_MOST = 64, /* scores have 8 bits: an extension that may reach this much is a candidate, whatever its cutoff */
    TWO_HIT_MOST_SCORE = 31, /* of two residues */
    TWO_HIT_GAP = 64,        /* what the score against a gap is lowered by */
    TWO_HIT_MOST_X_DROP = TWO_HIT_GAP - TWO_HIT_MOST_SCORE - 1 /* a gap ends every extension */
};

/*
 * Words of the subject that are numbered together. For long words, also which of them have positions (those kept), in order. The cell of a
 * kept word is prefetched, then opened (its positions outside the cell are prefetched), then its hits are taken.
 */
struct two_hit_words {
    int n;
    uint32_t numbers[TWO_HIT_WORDS];
    bool is_chosen; /* whether all that follows is known */
    size_t n_kept, n_prefetched, n_opened, n_done;
    uint16_t kept[TWO_HIT_WORDS];                              /* which of the words */
    uint32_t first[TWO_HIT_WORDS], n_positions[TWO_HIT_WORDS]; /* first: cell of a kept word; once opened, entry of its first position */
};

/* Words of a subject, and the hits remembered on the diagonals (two_hit_sieve.c). */
struct two_hit_chunk {
    const struct word_lookup *words;
    struct two_hit_words *numbered;
    int first_word, n_words; /* the chunk's words: so many from this one on */
    int next;                /* the first of them that is left */
    uint32_t n_taken;        /* positions of that word that were taken already */
    int subject;             /* position of the first word */
    uint8_t *last;    /* the hit remembered on the diagonal on which the chunk's last word meets position 0 of the queries; others follow */
    uint16_t *last16; /* the same, if words are long */
    int at;           /* the first word's position as it is remembered */
    int word_size, near;
    const uint8_t *later; /* [UINT8_MAX + 1 - d]: by how much a hit d residues after the remembered one changes what is remembered */
    uint64_t n_hits;      /* counts the hits */
};

/* Hits near earlier ones. Up to TWO_HIT_LANES more may be written and read. */
struct two_hit_candidates {
    int32_t subject[TWO_HIT_CANDIDATES + TWO_HIT_LANES];
    uint16_t position[TWO_HIT_CANDIDATES + TWO_HIT_LANES];
    uint8_t distance[TWO_HIT_CANDIDATES + TWO_HIT_LANES]; /* residues from the remembered hit on its diagonal */
};

/* Candidates on the way through the bounds. */
struct two_hit_extended {
    int32_t subject[TWO_HIT_CANDIDATES + TWO_HIT_LANES];
    uint16_t position[TWO_HIT_CANDIDATES + TWO_HIT_LANES];
    uint8_t n_between[TWO_HIT_CANDIDATES + TWO_HIT_LANES]; /* residues to the left before the extension reaches the earlier hit */
    int8_t x_drop[TWO_HIT_CANDIDATES + TWO_HIT_LANES];
    int8_t least[TWO_HIT_CANDIDATES + TWO_HIT_LANES];      /* what the score has to reach */
    int8_t least_left[TWO_HIT_CANDIDATES + TWO_HIT_LANES]; /* what the left side has to reach if it ends before the earlier hit */
    int8_t run[TWO_HIT_CANDIDATES + TWO_HIT_LANES], best[TWO_HIT_CANDIDATES + TWO_HIT_LANES]; /* of the side that is being extended */
};

/* Where bounds are computed. */
struct two_hit_bounded {
    const struct concatenated_queries *queries;
    const uint8_t *codes;  /* of the subject, with gaps around it */
    const uint8_t *hashes; /* of these codes for score_hash, n_hashes bytes for each table; NULL: not needed */
    size_t n_hashes;
    int word_size;
};

/*
 * Takes hits of a chunk's words, TWO_HIT_CHUNK_HITS at most: finds candidates, adds them to the n_candidates that are there, and remembers
 * the hits. The chunk is done when `next` is n_words. Returns the number of candidates that it has added.
 */
typedef size_t two_hit_take(struct two_hit_chunk *chunk, struct two_hit_candidates *candidates, size_t n_candidates);

/*
 * Drops candidates from which no extension can reach its cutoff: most of them. Returns the number of those that are left, in no particular
 * order, without their distances.
 *   scratch [out] TWO_HIT_SCRATCH bytes, aligned to 16
 */
typedef size_t two_hit_bound(const struct two_hit_bounded *in, struct two_hit_candidates *candidates, size_t n, void *scratch);

/* Copies n bytes, each lowered by `less`, to 0 at least. `to` is not before `from`, and they may overlap. */
typedef void two_hit_lower(const uint8_t *from, size_t n, uint8_t less, uint8_t *to);

/* Hashes n codes of a subject for each table; those of a table begin n bytes after those of the one before. */
typedef void two_hit_hash(const struct score_hash *hash, const uint8_t *codes, size_t n, uint8_t *hashes);

struct two_hit_passes {
    two_hit_lower *lower;
    two_hit_take *take;
    two_hit_bound *bound;
    two_hit_hash *hash; /* NULL: bounds are from scores */
};

extern const struct two_hit_passes two_hit_passes_plain;
#if TMS_HAVE_X86_SIMD
extern const struct two_hit_passes two_hit_passes_avx2;
bool two_hit_vbmi_usable(void);
extern const struct two_hit_passes two_hit_passes_vbmi;
#endif

#endif
