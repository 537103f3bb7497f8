/* build_summary.c - see build_job.h: prints the summary of the filter on standard error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/filter/build_job.h"
#include "cli/filter/frequency_text.h"
#include "tamis/classify.h"

static const char command[] = "build";

/* "k = 8", "k = 8 in each of 2 blocks" */
static const char *k_text(const tms_filter_params *p, char text[40])
{
    snprintf(text, 40, p->blocks_per_key > 1 ? "k = %u in each of %u blocks" : "k = %u", p->k, p->blocks_per_key);
    return text;
}

/* If no option sets the size or the rate: names the default rate, and the size for other rates. */
static void remark_default_rate(const build_job *job, const tms_filter_params *p)
{
    static const double rates[] = {1e-2, 1e-6};
    uint64_t n = job->expected > 0 ? job->expected : job->stream.n_keys; /* keys that the filter was sized for */
    uint64_t m[2];

    if (job->bits_per_key > 0 || job->asked.m_bits > 0 || build_is_given(job, "fpr"))
        return;
    for (int i = 0; i < 2; i++) {
        tms_filter_want want = build_membership_want(job, n);
        tms_filter_params params;
        want.fpr = rates[i];
        if (tms_filter_size(job->stream.ctx, &want, &params) != TMS_OK)
            return;
        m[i] = params.m_bits;
    }
    if (m[0] == p->m_bits) /* the smallest filter: its size does not depend on the rate */
        return;
    cli_say(command, "the default rate is 1 in 1000, at %.1f bits a key; --fpr 0.01 would take %.1f, --fpr 1e-6 %.1f",
            (double)p->m_bits / (double)n, (double)m[0] / (double)n, (double)m[1] / (double)n);
}

static void print_rate(const build_job *job, const tms_filter_params *p)
{
    uint64_t n = job->stream.n_keys, expected = job->expected;
    double fpr = tms_filter_expected_fpr(p, n);
    char k[40];

    if (expected > 0 && n > expected)
        cli_say(command, "%llu keys instead of the %llu expected: the false-positive rate is %.3g instead of %.3g", (unsigned long long)n,
                (unsigned long long)expected, fpr, tms_filter_expected_fpr(p, expected));
    cli_say(command, "%llu key%s, m = %llu bits (%.2f a key), %s, expected false-positive rate %.3g, %.2f s", (unsigned long long)n,
            CLI_PLURAL(n), (unsigned long long)p->m_bits, (double)p->m_bits / (double)n, k_text(p, k), fpr,
            io_progress_elapsed(&job->stream.progress));
    remark_default_rate(job, p);
}

/*
 * Writes "-k K -p P -m BITS", a size with which the range would include --max-f for the same lines: the same k and p, and more bits, so
 * that the same number of drawn bits gives a lower fill. Empty if there is no such size.
 */
static void size_that_would_do(const build_job *job, const tms_filter_params *now, double fill, char *text, size_t size)
{
    const tms_frequency_want *want = &job->frequencies;
    double drawn = -log1p(-fill) * (double)now->m_bits;
    tms_frequency_reach reach;
    tms_filter_params p = *now;
    char p_text[32];

    text[0] = '\0';
    snprintf(p_text, sizeof p_text, "%.6g", now->p);
    p.p = strtod(p_text, NULL);
    for (; fill < 1 && p.m_bits <= TMS_MAX_BITS; p.m_bits += p.m_bits / 16 + 1) {
        double then = 1.01 * -expm1(-drawn / (double)p.m_bits); /* 1 % above the expected fill, for its scatter */
        if (then >= 1)
            continue;
        if (tms_frequency_range(job->stream.ctx, &p, then, want->confidence, want->error, &reach) != TMS_OK)
            return;
        if (reach.high >= want->max_f) {
            snprintf(text, size, "; use -k %u -p %s -m %llu", p.k, p_text, (unsigned long long)p.m_bits);
            return;
        }
    }
}

static tms_status print_range(const build_job *job, const tms_filter_params *p, double fill)
{
    const tms_frequency_want *want = &job->frequencies;
    char range[FREQUENCY_TEXT_SIZE];
    char would[96];
    tms_frequency_reach reach = {0};
    tms_status status = frequency_range_text(job->stream.ctx, p, fill, want->confidence, want->error, range);

    if (status == TMS_OK)
        cli_say(command, "resolves %s", range);
    if (status == TMS_OK && fill < 1)
        status = tms_frequency_range(job->stream.ctx, p, fill, want->confidence, want->error, &reach);
    if (status != TMS_OK || reach.high >= want->max_f)
        return status;
    size_that_would_do(job, p, fill, would, sizeof would);
    cli_say(command,
            "--max-f %.10g is outside this range: the input has more different keys than --keys and --zipf assume, or more frequent ones%s",
            want->max_f, would);
    return status;
}

/* Warns about a filter with which tamis classify would match few reads or none. */
static void remark_full(const build_job *job, const tms_filter_params *p, double fpr)
{
    enum { READ_BASES = 150 };
    const tms_filter *filters[] = {job->filter};
    uint64_t n_bases = p->word_size < READ_BASES / 2 ? READ_BASES : 2 * p->word_size, n_words = n_bases - p->word_size + 1, least;
    tms_classifier *classifier;

    if (tms_classifier_create(job->stream.ctx, filters, 1, NULL, &classifier) != TMS_OK)
        return;
    least = tms_classifier_least_hits(classifier, n_words);
    if (least > n_words / 2) {
        const char *would = 2 * fpr >= tms_classifier_fpr(classifier, 0) ? "a lower --fpr" : "longer k-mers";
        if (least > n_words)
            cli_say(command, "so many random k-mers are hits that no read of %llu bases can match in tamis classify: use %s",
                    (unsigned long long)n_bases, would);
        else
            cli_say(command, "so many random k-mers are hits that a read of %llu bases needs %llu of its %llu to match: use %s",
                    (unsigned long long)n_bases, (unsigned long long)least, (unsigned long long)n_words, would);
    }
    tms_classifier_destroy(classifier);
}

/* The rate is that of the set bits, not of the number of k-mers: references have repeats. */
static void print_words(const build_job *job, const tms_filter_params *p)
{
    uint64_t n = job->stream.n_keys;
    double seconds = io_progress_elapsed(&job->stream.progress);
    tms_filter_stats stats;

    if (tms_filter_get_stats(job->stream.ctx, job->filter, &stats) != TMS_OK) {
        cli_say(command, "no summary: %s", tms_context_message(job->stream.ctx)); /* the filter is written already */
        return;
    }
    if (job->expected > 0 && n > job->expected)
        cli_say(command, "%llu k-mers instead of the %llu expected: the false-positive rate is %.3g instead of %.3g", (unsigned long long)n,
                (unsigned long long)job->expected, stats.actual_fpr, tms_filter_expected_fpr(p, job->expected));
    cli_say(command, "%llu k-mer%s of %u bases, %s, m = %llu bits (%.2f a k-mer), k = %u, false-positive rate %.3g, %.2f s",
            (unsigned long long)n, CLI_PLURAL(n), p->word_size, p->strand == TMS_STRAND_BOTH ? "both strands" : "stranded",
            (unsigned long long)p->m_bits, (double)p->m_bits / (double)n, p->k, stats.actual_fpr, seconds);
    remark_full(job, p, stats.actual_fpr);
}

static void print_shard(const build_job *job, const tms_filter_params *p)
{
    const shard_place *place = &job->share.place;
    tms_filter_stats stats = {0};
    unsigned long long n;

    if (tms_filter_get_stats(job->stream.ctx, job->filter, &stats) != TMS_OK) {
        cli_say(command, "no summary: %s", tms_context_message(job->stream.ctx)); /* the filter is written already */
        return;
    }
    n = stats.n_keys;
    cli_say(command, "shard %llu of %llu: %llu %s%s, m = %llu bits, %.2f s", (unsigned long long)place->shard + 1,
            (unsigned long long)place->n, n, p->layout == TMS_LAYOUT_WORDS ? "k-mer" : "key", CLI_PLURAL(n), (unsigned long long)p->m_bits,
            io_progress_elapsed(&job->stream.progress));
}

void build_print_summary(const build_job *job)
{
    const tms_filter_params *p = tms_filter_get_params(job->filter);
    unsigned long long n = job->stream.n_keys, m = p->m_bits;
    double seconds = io_progress_elapsed(&job->stream.progress);
    tms_filter_stats stats;
    tms_status status;
    char added[64] = "", k[40];

    if (job->stream.common.quiet)
        return;
    if (job->share.place.n > 0) {
        print_shard(job, p);
        return;
    }
    if (job->append == NULL && n == 0) {
        cli_say(command, "no keys: the filter answers %s to every query", p->layout == TMS_LAYOUT_PROBABILISTIC ? "0" : "no");
        return;
    }
    if (p->layout == TMS_LAYOUT_WORDS) {
        print_words(job, p);
        return;
    }
    if (job->append == NULL && p->layout != TMS_LAYOUT_PROBABILISTIC) {
        print_rate(job, p);
        return;
    }
    if (job->append != NULL)
        snprintf(added, sizeof added, "%llu key%s added: ", n, CLI_PLURAL(n));
    status = tms_filter_get_stats(job->stream.ctx, job->filter, &stats);
    n = status == TMS_OK ? stats.n_keys : 0;
    if (status == TMS_OK && p->layout != TMS_LAYOUT_PROBABILISTIC) {
        cli_say(command, "%s%llu key%s, m = %llu bits, %s, expected false-positive rate %.3g, %.2f s", added, n, CLI_PLURAL(n), m,
                k_text(p, k), stats.expected_fpr, seconds);
    } else if (status == TMS_OK) {
        cli_say(command, "%s%llu insertion%s, m = %llu bits, k = %u, p = %.6g, fill %.4f, %.2f s", added, n, CLI_PLURAL(n), m, p->k, p->p,
                stats.fill, seconds);
        status = print_range(job, p, stats.fill);
    }
    if (status != TMS_OK) /* the filter is written already */
        cli_say(command, "no summary: %s", tms_context_message(job->stream.ctx));
}
