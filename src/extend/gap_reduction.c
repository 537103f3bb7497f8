/*
 * gap_reduction.c - greedy extension often places two gaps where one would do, or a gap where equal bases go on. As megablast does, a first
 * pass extends long matches over what is beside them, a second one shifts matches between two gaps of different kinds. The places at which
 * the passes compare bases are megablast's to the base, also where they are off by one.
 */
#include "extend/base_alignment.h"

#include "base/lesser.h"

enum { LONG_MATCH = 12, NEAR_GAPS = 12, THREE = 3 };

/* A pass over an alignment. */
struct pass {
    const struct base_pair *pair;
    const struct base_box *box;
    struct gapped_run *runs;
    int n;
    int query, subject; /* position */
};

static bool is_same(const struct pass *p, int query, int subject)
{
    return query >= 0 && query < p->pair->query_length && subject >= 0 && subject < p->pair->subject_length &&
           p->pair->query[query] == p->pair->subject[subject];
}

static int count_same(const struct pass *p, int query, int subject, int n)
{
    int same = 0;

    for (int i = 0; i < n; i++)
        same += is_same(p, query + i, subject + i);
    return same;
}

static void pass_run(struct pass *p, struct gapped_run run)
{
    p->query += run.operation != GAPPED_IN_QUERY ? run.n : 0;
    p->subject += run.operation != GAPPED_IN_SUBJECT ? run.n : 0;
}

/* --- the first pass --- */

/*
 * Extends the match i by n pairs over the runs before it (step -1) or behind it (1). What remains of the last of them becomes a match; the
 * others become a gap of the difference of both sequences. Returns false, and changes nothing, if there are not so many bases.
 */
static bool grow(struct pass *p, int i, int step, int n)
{
    struct gapped_run *runs = p->runs, *gap = &runs[i + step];
    int query = n, subject = n, last = i + step;

    for (; last >= 0 && last < p->n; last += step) {
        query -= runs[last].operation != GAPPED_IN_QUERY ? runs[last].n : 0;
        subject -= runs[last].operation != GAPPED_IN_SUBJECT ? runs[last].n : 0;
        if (query <= 0 && subject <= 0)
            break;
    }
    if (last < 0 || last >= p->n)
        return false;
    runs[last] = (struct gapped_run){GAPPED_MATCH, -greater(query, subject)};
    for (int k = i + step; k != last; k += step)
        runs[k].n = 0;
    runs[i].n += n;
    *gap = query > subject ? (struct gapped_run){GAPPED_IN_QUERY, query - subject}
                           : (struct gapped_run){GAPPED_IN_SUBJECT, subject - query};
    return true;
}

/* Extends the long match i over equal bases on both sides. */
static void extend_match(struct pass *p, int i)
{
    int before = 0, after = 0;

    if (i > 0)
        while (p->query - 1 - before >= p->box->query && is_same(p, p->query - 1 - before, p->subject - 1 - before))
            before++;
    pass_run(p, p->runs[i]);
    if (i < p->n - 1)
        while (p->query + 1 < p->box->query_end && p->subject + 1 < p->box->subject_end) {
            const bool same = is_same(p, p->query++, p->subject++);
            if (!same)
                break;
            after++;
        }
    if ((before == 0 || grow(p, i, -1, before)) && after > 0)
        (void)grow(p, i, 1, after);
    p->query--; /* back to the base that differs; if there was none, a base too far */
    p->subject--;
}

/* --- the second pass --- */

/* Joins the gap i with that before the match before it, if they are of different kinds and this costs no more matches than it saves. */
static void join_gaps(struct pass *p, int i)
{
    struct gapped_run *gap = &p->runs[i], *match = gap - 1, *other = gap - 2;
    const bool takes_query = gap->operation == GAPPED_IN_SUBJECT;
    const int total = gap->n + match->n + other->n, n = match->n, both = lesser(gap->n, other->n);
    int query, subject;

    if (total == THREE) {
        other->n = gap->n = 0;
        match->n = 2;
        p->query += takes_query;
        p->subject += !takes_query;
        return;
    }
    if (total >= NEAR_GAPS)
        return;
    query = p->query - n - (takes_query ? 0 : both);
    subject = p->subject - n - (takes_query ? both : 0);
    if (count_same(p, query, subject, n + both) < count_same(p, p->query - n, p->subject - n, n) - both)
        return;
    other->n -= both;
    match->n += both;
    gap->n -= both;
    p->query = query + n + both;
    p->subject = subject + n + both;
}

static bool is_between_gaps(const struct gapped_run *gap)
{
    return gap[-2].operation != GAPPED_MATCH && gap[-2].operation != gap->operation && gap[-2].n > 0;
}

/* --- */

/* Replaces a gap at the end of n runs and one of the other kind by a match of what both have, and a gap of the rest. Returns the runs. */
static int join_neighbours(struct gapped_run *runs, int n, struct gapped_run gap)
{
    const struct gapped_run last = runs[n - 1], longer = last.n > gap.n ? last : gap;
    const int both = lesser(last.n, gap.n), rest = longer.n - both;

    if (n > 1)
        runs[--n - 1].n += both;
    else
        runs[0] = (struct gapped_run){GAPPED_MATCH, both};
    if (rest > 0)
        runs[n++] = (struct gapped_run){longer.operation, rest};
    return n;
}

/* Drops empty runs, and joins neighbours of the same kind and gaps beside each other. */
static void rebuild(struct pass *p)
{
    struct gapped_run *runs = p->runs;
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct gapped_run run = runs[i];
        if (run.n <= 0)
            continue;
        if (n > 0 && runs[n - 1].operation == run.operation)
            runs[n - 1].n += run.n;
        else if (n == 0 || runs[n - 1].operation == GAPPED_MATCH || run.operation == GAPPED_MATCH)
            runs[n++] = run;
        else
            n = join_neighbours(runs, n, run);
    }
    p->n = n;
}

void base_alignment_reduce(const struct base_pair *pair, const struct base_box *box, struct gapped_script *script)
{
    struct pass p = {pair, box, script->runs, (int)script->n, box->query, box->subject};

    for (int i = 0; i < p.n; i++) {
        if (p.runs[i].operation == GAPPED_MATCH && p.runs[i].n >= LONG_MATCH)
            extend_match(&p, i);
        else
            pass_run(&p, p.runs[i]);
    }
    rebuild(&p);
    p.query = box->query;
    p.subject = box->subject;
    for (int i = 0; i < p.n; i++) {
        if (p.runs[i].operation != GAPPED_MATCH && i > 1 && is_between_gaps(&p.runs[i]))
            join_gaps(&p, i);
        pass_run(&p, p.runs[i]);
    }
    rebuild(&p);
    script->n = (size_t)p.n;
}
