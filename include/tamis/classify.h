/*
 * classify.h - classifies reads by reference filters: which reference a read belongs to, if any ([Ma12, V], doc/classify.md).
 *
 * A reference filter is a filter (filter.h) of layout TMS_LAYOUT_WORDS with the k-mers of a reference's sequences. It is stored and opened
 * like any other, with tms_filter_image() and tms_filter_open(); tms_filter_get_params() returns its word_size and strand.
 *
 *     tms_filter_want want = {.layout = TMS_LAYOUT_WORDS, .hash = TMS_HASH_XXH3, .word_size = 31};
 *     tms_reference_create(ctx, &want, &reference);
 *     tms_reference_add(ctx, reference, &seqs);                 any number of times
 *     tms_reference_finish(ctx, reference, &filter);            sized for the k-mers that were added, with all of them in it
 *     tms_reference_destroy(reference);
 *
 *     const tms_filter *filters[] = {ecoli, human};
 *     tms_classifier_create(ctx, filters, 2, &params, &classifier);
 *     tms_reads reads = {.seqs = &batch, .step = 1};
 *     tms_classify(ctx, classifier, &reads, 1, batch.n_records, results, NULL);
 *     tms_classifier_destroy(classifier);
 *
 * A k-mer is w bases in a row, all of A, C, G, T in either case. Any other byte ends one run of k-mers and begins the next; it is no
 * error. With TMS_STRAND_BOTH (canonical) a k-mer and its reverse complement are the same; with TMS_STRAND_PLUS (stranded) a filter has
 * the k-mers of the reference as written, and a rule may look both up.
 */
#ifndef TAMIS_CLASSIFY_H
#define TAMIS_CLASSIFY_H

#include "tamis/dna.h"
#include "tamis/filter.h"
#include "tamis/seq.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TMS_MAX_REFERENCES 64 /* most references of a classifier */
#define TMS_NO_REFERENCE   UINT32_MAX

/* ---- building a reference filter ---------------------------------------------------------------------------------------------- */

/* One thread uses a reference at a time. */
typedef struct tms_reference tms_reference;

/*
 * tms_reference_create() - begin a reference.
 *   want [in]  layout TMS_LAYOUT_WORDS, hash TMS_HASH_XXH3, word_size TMS_WORDS_MIN_SIZE .. TMS_WORDS_MAX_SIZE, strand BOTH or PLUS; the
 *              rest as for tms_filter_size(). n_keys may be 0: the filter is then sized for the k-mers that are added, including repeats
 *   out  [out] destroyed with tms_reference_destroy()
 * Returns TMS_OK; TMS_E_ARG if the request contradicts itself, or cannot be met for any number of k-mers; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_reference_create_sized(tms_context *ctx, const tms_filter_want *want, size_t want_size,
                                                          tms_reference **out);
TMS_INLINE TMS_CHECKED tms_status tms_reference_create(tms_context *ctx, const tms_filter_want *want, tms_reference **out)
{
    return tms_reference_create_sized(ctx, want, sizeof *want, out);
}
TMS_API void tms_reference_destroy(tms_reference *reference); /* NULL is fine; the filter of tms_reference_finish() remains */

/*
 * tms_reference_add() - add the k-mers of all records of a batch. The reference copies the bases, at two bits each, and keeps them until
 * the end.
 *   seqs [in] records of any length, with any bytes as bases
 * Returns TMS_OK; TMS_E_ARG if the reference is finished; TMS_E_MEMORY; TMS_E_CANCELLED. On failure nothing of the batch is added.
 */
TMS_API TMS_CHECKED tms_status tms_reference_add(tms_context *ctx, tms_reference *reference, const tms_seqs *seqs);

/* tms_reference_n_words() - the number of k-mers added so far, including repeats. */
TMS_API uint64_t tms_reference_n_words(const tms_reference *reference);

/*
 * tms_reference_finish() - make the filter, in the memory of the context's device, with all k-mers in it.
 *   out [out] destroyed with tms_filter_destroy(), before the context
 * Returns TMS_OK, after which the reference can only be destroyed; TMS_E_ARG if the request cannot be met for this number of k-mers, or
 * the reference is finished; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED. On failure the reference is unchanged.
 */
TMS_API TMS_CHECKED tms_status tms_reference_finish(tms_context *ctx, tms_reference *reference, tms_filter **out);

/*
 * tms_reference_insert() - insert the k-mers added so far into a filter on the CPU that the caller has made, with the reference's sizes,
 * strand and seed: for a size that follows from tms_reference_n_words() in another way. The reference keeps its k-mers.
 * Returns as tms_filter_insert(); also TMS_E_ARG if the filter's sizes, strand or seed differ, or if the reference is finished.
 */
TMS_API TMS_CHECKED tms_status tms_reference_insert(tms_context *ctx, const tms_reference *reference, tms_filter *filter);

/*
 * tms_filter_insert_seqs() - insert the k-mers of a batch into a filter of layout TMS_LAYOUT_WORDS that the caller has made, or opened and
 * copied.
 * Returns as tms_filter_insert(). Runs on the GPU if the filter is in the memory of the context's GPU, else on the CPU.
 */
TMS_API TMS_CHECKED tms_status tms_filter_insert_seqs(tms_context *ctx, tms_filter *filter, const tms_seqs *seqs);

/*
 * tms_filter_query_seqs() - test which k-mers of a batch are in a filter.
 *   hit [out] a byte for each byte of seqs->residues, residue_starts[n_records] in all: 1 where a k-mer begins that is in the filter, else
 *             0
 * Returns as tms_filter_query(). Runs on the CPU. No false negatives.
 */
TMS_API TMS_CHECKED tms_status tms_filter_query_seqs(tms_context *ctx, const tms_filter *filter, const tms_seqs *seqs, uint8_t *hit);

/* ---- classifying reads -------------------------------------------------------------------------------------------------------- */

/*
 * The rule by which a read matches a reference, and its score, 0 .. 1 (FACS: up to a little above 1). doc/classify.md has the formulas.
 *
 *   DEFAULT    hits / k-mers. A read matches at the threshold if it has at least tms_classifier_least_hits() hits: so many that the
 *              filter's false positives hardly ever give them to a random read
 *   FACS       as in FACS 2: (M w + C) / (w L + L - w^2) with M hits in runs that cover C bases, of a read of L bases; tried if one of its
 *              k-mers at 0, w, 2 w, ... is a hit; first the read, then, if it does not match, its reverse complement
 *   FACS_PERL  as in FACS 1 (Perl): covered bases / L above the threshold; reads shorter than TMS_FACS_PERL_LEAST never match
 */
typedef enum tms_rule { TMS_RULE_DEFAULT = 0, TMS_RULE_FACS = 1, TMS_RULE_FACS_PERL = 2 } tms_rule;

#define TMS_FACS_PERL_LEAST 60 /* bases */

typedef struct tms_classify_params {
    tms_rule rule;
    uint32_t least_hits;      /* DEFAULT: least hits of a match, for reads of any length; 0: chosen by false_per_million */
    double threshold;         /* 0 < threshold <= 1; 0: the rule's own, tms_rule_threshold() */
    double false_per_million; /* DEFAULT: expected number of 10^6 random reads that match because of false positives; 0: 1 */
} tms_classify_params;

/* tms_rule_threshold() - a rule's own threshold for k-mers of this size. FACS: 15: 0.4; 16-18: 0.3; 19: 0.4; 20: 0.3; else 0.4. */
TMS_API double tms_rule_threshold(tms_rule rule, uint32_t word_size);

/* tms_rule_name() - "default", "facs", "facs-perl"; "?" for other values. */
TMS_API const char *tms_rule_name(tms_rule rule);

/* Any number of threads may share a classifier, each with its own context. */
typedef struct tms_classifier tms_classifier;

/*
 * tms_classifier_create() - combine filters and a rule.
 *   filters [in]  n_filters of layout TMS_LAYOUT_WORDS, with their bits on the CPU, 1 .. TMS_MAX_REFERENCES; borrowed until
 *                 tms_classifier_destroy(). The index in this array is the reference's number. All have the same word_size, strand and
 *                 seed
 *   params  [in]  NULL or zero: the default rule
 *   out     [out] destroyed with tms_classifier_destroy()
 * Returns TMS_OK; TMS_E_ARG: the number of filters, the rule or the threshold is out of range, or a filter has another layout;
 * TMS_E_MISMATCH: k-mers of different sizes or strands, with the numbers of the filters in the message; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_classifier_create_sized(tms_context *ctx, const tms_filter *const *filters, size_t n_filters,
                                                           const tms_classify_params *params, size_t params_size, tms_classifier **out);
TMS_INLINE TMS_CHECKED tms_status tms_classifier_create(tms_context *ctx, const tms_filter *const *filters, size_t n_filters,
                                                        const tms_classify_params *params, tms_classifier **out)
{
    return tms_classifier_create_sized(ctx, filters, n_filters, params, params ? sizeof *params : 0, out);
}
TMS_API void tms_classifier_destroy(tms_classifier *classifier); /* NULL is fine */

/* The threshold in use, and the size of the k-mers. */
TMS_API double tms_classifier_threshold(const tms_classifier *classifier);
TMS_API uint32_t tms_classifier_word_size(const tms_classifier *classifier);

/* tms_classifier_fpr() - the probability that a random k-mer is a hit in a reference, computed from the filter's bits. */
TMS_API double tms_classifier_fpr(const tms_classifier *classifier, size_t reference);

/*
 * The probabilities behind tms_classifier_fpr() and tms_classifier_expected_false(): that a random k-mer is a hit because of the filter's
 * false positives; that the k-mer after such a hit is one, too; that the reference contains a random k-mer. Each is 0 .. 1.
 */
typedef struct tms_hit_rates {
    double by_filter, by_filter_again, by_reference;
} tms_hit_rates;

TMS_API tms_hit_rates tms_classifier_rates(const tms_classifier *classifier, size_t reference);

/*
 * tms_classifier_create_from_rates() - a classifier without filters, for the numbers of a report: all calls of this section give the same
 * as for the classifier that the rates come from. It classifies nothing: tms_classify() and tms_long_read_create() return TMS_E_ARG.
 *   rates [in] n_references of tms_classifier_rates()
 * Errors as tms_classifier_create().
 */
TMS_API TMS_CHECKED tms_status tms_classifier_create_from_rates_sized(tms_context *ctx, uint32_t word_size, const tms_hit_rates *rates,
                                                                      size_t n_references, const tms_classify_params *params,
                                                                      size_t params_size, tms_classifier **out);
TMS_INLINE TMS_CHECKED tms_status tms_classifier_create_from_rates(tms_context *ctx, uint32_t word_size, const tms_hit_rates *rates,
                                                                   size_t n_references, const tms_classify_params *params,
                                                                   tms_classifier **out)
{
    return tms_classifier_create_from_rates_sized(ctx, word_size, rates, n_references, params, params ? sizeof *params : 0, out);
}

/*
 * tms_classifier_least_hits() - the hits, 1 or more, that a unit with n_words k-mers needs to match any of the references; more than
 * n_words if the filters are too full for such a unit to match. FACS and FACS_PERL: the least number that can match.
 */
TMS_API uint64_t tms_classifier_least_hits(const tms_classifier *classifier, uint64_t n_words);

/*
 * tms_classifier_expected_false() - how many of 10^6 random reads of length_bp bases match a reference because of false positives.
 *   reference [in] its number, or TMS_NO_REFERENCE: any
 * In a random read bases are independent and equally frequent. For a pair, give the sum of its k-mers as one read of n_words + w - 1
 * bases.
 */
TMS_API double tms_classifier_expected_false(const tms_classifier *classifier, size_t reference, uint64_t length_bp);

/*
 * Selects reads from a batch: read i is record first + i * step.
 *
 *     {&batch, 0, 1}                        all records of a batch
 *     {&batch, 0, 2} and {&batch, 1, 2}     the mates of interleaved pairs
 *     {&batch1, i, 1} and {&batch2, j, 1}   the mates in two files, from record i of one batch and j of another
 */
typedef struct tms_reads {
    const tms_seqs *seqs;
    size_t first, step;
} tms_reads;

typedef enum tms_verdict {
    TMS_VERDICT_NONE = 0,     /* matches no reference */
    TMS_VERDICT_MATCH = 1,    /* matches `best` */
    TMS_VERDICT_AMBIGUOUS = 2 /* matches `best`, and `second` has the same score, or, with DEFAULT, so few hits less that they may all be
                               * false */
} tms_verdict;

/* The result of a unit: a read, or a pair, whose mates count together. */
typedef struct tms_classified {
    tms_verdict verdict;
    uint32_t best;       /* the reference with the highest score, even below the threshold; TMS_NO_REFERENCE: no hit in any */
    uint32_t second;     /* the reference with the next highest score, if it has a hit; else TMS_NO_REFERENCE. For equal scores the
                          * smaller number comes first */
    uint32_t n_matching; /* number of references whose score reaches the threshold */
    uint64_t n_words;    /* k-mers of the unit */
    uint64_t n_hits;     /* k-mers of the unit that are hits in `best`. FACS: on the strand with the higher score */
    double score;        /* score of `best`; 0: none */
    double second_score; /* score of `second`; 0: none */
} tms_classified;

/* A unit's score for one reference. */
typedef struct tms_reference_score {
    uint64_t n_hits;
    double score;
} tms_reference_score;

/*
 * tms_classify() - classify units, on the context's threads.
 *   mates   [in]  n_mates of tms_reads, 1 or 2: unit i has read i of each
 *   out     [out] room for n_units
 *   scores  [out] NULL, or room for n_units * n_filters: unit i and reference r at i * n_filters + r
 * Reads may have any length, including 0, and any bytes as bases; a read without k-mers matches nothing. The results do not depend on the
 * number of threads, on the SIMD level, or on what else is in the batch. If the context has a GPU and all filters are in its memory
 * (tms_filter_upload()), the GPU looks the k-mers up, with the same results.
 * Returns TMS_OK; TMS_E_ARG: n_mates is out of range, or a read is not in its batch; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED. On
 * failure out and scores are undefined. Nothing is allocated for each read.
 */
TMS_API TMS_CHECKED tms_status tms_classify(tms_context *ctx, const tms_classifier *classifier, const tms_reads *mates, size_t n_mates,
                                            size_t n_units, tms_classified *out, tms_reference_score *scores);

/*
 * Classifies a unit whose reads are too long for memory: their bases come in parts, and the results are those of tms_classify().
 *
 *     tms_long_read_create(ctx, classifier, &read);
 *     tms_long_read_add(ctx, read, bases, n);           any number of times
 *     tms_long_read_end_mate(ctx, read);                a pair: then the parts of the second mate
 *     tms_long_read_end(ctx, read, &result, scores);    the next unit can begin
 *     tms_long_read_destroy(read);
 *
 * One thread may use it at a time, with any context. It takes 300 KB, and looks k-mers up on the CPU.
 */
typedef struct tms_long_read tms_long_read;

/* tms_long_read_create() - classifier [in] borrowed until tms_long_read_destroy(). Returns TMS_OK; TMS_E_ARG: it has no filters;
 * TMS_E_MEMORY. */
TMS_API TMS_CHECKED tms_status tms_long_read_create(tms_context *ctx, const tms_classifier *classifier, tms_long_read **out);
TMS_API void tms_long_read_destroy(tms_long_read *read); /* NULL is fine */

/* tms_long_read_add() - add n more bases, 0 or more, any bytes. Returns TMS_OK, or TMS_E_CANCELLED: it can only be destroyed then. */
TMS_API TMS_CHECKED tms_status tms_long_read_add(tms_context *ctx, tms_long_read *read, const uint8_t *bases, size_t n);

/* tms_long_read_end_mate() - end the first mate and begin the second. */
TMS_API void tms_long_read_end_mate(tms_context *ctx, tms_long_read *read);

/* tms_long_read_end() - end the unit. out, scores [out] as of one unit of tms_classify(). */
TMS_API void tms_long_read_end(tms_context *ctx, tms_long_read *read, tms_classified *out, tms_reference_score *scores);

#ifdef __cplusplus
}
#endif
#endif
