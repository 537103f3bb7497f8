/* base_alignment.c - see base_alignment.h. */
#include "extend/base_alignment.h"

#include <stdlib.h>

#include "alphabet/bases.h"
#include "base/lesser.h"

static bool is_same(const struct base_pair *pair, int query, int subject) { return pair->query[query] == pair->subject[subject]; }

/* --- the score on real bases --- */

struct base_gap base_gap_of(int reward, int penalty, int open, int extend)
{
    const int factor = reward % 2 != 0 ? 2 : 1;

    if (open != 0 || extend != 0)
        return (struct base_gap){1, open, extend};
    return (struct base_gap){factor, 0, (reward - 2 * penalty) * factor / 2};
}

/* A place in an alignment. */
struct place {
    int query, subject;
    int64_t column;
};

/* The best part of an alignment. */
struct part {
    struct place start, end;
    int sum;
};

struct scoring {
    struct place at, start; /* start: of the part that is being summed */
    int sum, cutoff;
    struct part best;
};

/* Compares the sum after a step. A best part below the cutoff is forgotten where the sum falls below 0. */
static void rate(struct scoring *s)
{
    if (s->sum < 0) {
        s->sum = 0;
        s->start = s->at;
        if (s->best.sum < s->cutoff)
            s->best = (struct part){s->at, s->at, 0};
    } else if (s->sum > s->best.sum) {
        s->best = (struct part){s->start, s->at, s->sum};
    }
}

static struct part best_part(const struct base_pair *pair, const struct base_gap *gap, int cutoff, const struct base_box *box,
                             const struct gapped_script *script)
{
    const struct place first = {box->query, box->subject, 0};
    struct scoring s = {first, first, 0, cutoff, {first, first, 0}};

    for (size_t i = 0; i < script->n; i++) {
        const struct gapped_run run = script->runs[i];
        if (run.operation == GAPPED_MATCH) {
            for (int k = 0; k < run.n; k++) {
                s.sum += gap->factor * pair->scores[RESIDUE_CODES * pair->query[s.at.query++] + pair->subject[s.at.subject++]];
                s.at.column++;
                rate(&s);
            }
        } else {
            s.sum -= gap->open + gap->extend * run.n;
            s.at.query += run.operation == GAPPED_IN_SUBJECT ? run.n : 0;
            s.at.subject += run.operation == GAPPED_IN_QUERY ? run.n : 0;
            s.at.column += run.n;
            rate(&s);
        }
    }
    return s.best;
}

/* Appends the operations of the columns of a part, with `before` and `after` equal bases at its ends. */
static tms_status copy_part(const struct gapped_script *script, const struct part *part, int before, int after, struct gapped_script *out)
{
    tms_status status = before > 0 ? gapped_script_add(out, GAPPED_MATCH, before) : TMS_OK;
    int64_t column = 0;

    for (size_t i = 0; i < script->n && status == TMS_OK; i++) {
        const int64_t end = column + script->runs[i].n;
        const int64_t from = column > part->start.column ? column : part->start.column,
                      to = end < part->end.column ? end : part->end.column;
        if (from < to)
            status = gapped_script_add(out, script->runs[i].operation, (int)(to - from));
        column = end;
    }
    if (after > 0 && status == TMS_OK)
        status = gapped_script_add(out, GAPPED_MATCH, after);
    return status;
}

static int64_t columns_of(const struct gapped_script *script)
{
    int64_t n = 0;

    for (size_t i = 0; i < script->n; i++)
        n += script->runs[i].n;
    return n;
}

tms_status base_alignment_rescore(const struct base_pair *pair, const struct base_gap *gap, int reward, int cutoff, struct base_box *box,
                                  struct gapped_script *script, bool *is_kept)
{
    const struct part part = best_part(pair, gap, cutoff, box, script);
    const struct place start = part.start, end = part.end;
    struct gapped_script out = {0};
    int before = 0, after = 0, score;
    tms_status status;

    *is_kept = false;
    if (start.column == columns_of(script)) /* nothing is left; equal bases behind the alignment do not revive it */
        return TMS_OK;
    while (before < start.query && before < start.subject && pair->query[start.query - 1 - before] < BASE_AMBIGUOUS &&
           is_same(pair, start.query - 1 - before, start.subject - 1 - before))
        before++;
    while (end.query + after < pair->query_length && end.subject + after < pair->subject_length &&
           pair->query[end.query + after] < BASE_AMBIGUOUS && is_same(pair, end.query + after, end.subject + after))
        after++;
    score = part.sum / gap->factor + (before + after) * reward;
    *is_kept = score >= cutoff;
    if (!*is_kept)
        return TMS_OK;
    status = copy_part(script, &part, before, after, &out);
    if (status != TMS_OK) {
        free(out.runs);
        return status;
    }
    free(script->runs);
    *script = out;
    *box = (struct base_box){start.query - before, end.query + after, start.subject - before, end.subject + after, score};
    return TMS_OK;
}

int base_alignment_identities(const struct base_pair *pair, const struct base_box *box, const struct gapped_script *script, int *length)
{
    int query = box->query, subject = box->subject, same = 0;

    *length = 0;
    for (size_t i = 0; i < script->n; i++) {
        const struct gapped_run run = script->runs[i];
        for (int k = 0; k < run.n && run.operation == GAPPED_MATCH; k++)
            same += is_same(pair, query + k, subject + k);
        query += run.operation != GAPPED_IN_QUERY ? run.n : 0;
        subject += run.operation != GAPPED_IN_SUBJECT ? run.n : 0;
        *length += run.n;
    }
    return same;
}

/* --- start points --- */

/* Is the point in a run of equal codes that is long enough to begin from? The point itself counts on both sides. */
static bool is_good_start(const struct base_pair *pair, const struct base_box *box, int query, int subject)
{
    enum { ENOUGH = 11 };
    int n = -1;

    for (int i = 0; query + i < box->query_end && subject + i < pair->subject_length && is_same(pair, query + i, subject + i); i++)
        if (++n >= ENOUGH)
            return true;
    for (int i = 0; query - i >= 0 && subject - i >= 0 && is_same(pair, query - i, subject - i); i++)
        if (++n >= ENOUGH)
            return true;
    return false;
}

void base_start_adjust(const struct base_pair *pair, const struct base_box *box, int *query, int *subject)
{
    enum { LONG_RUN = 15 };
    const int back = lesser(*subject - box->subject, *query - box->query), first_query = *query - back, first_subject = *subject - back;
    const int n = lesser(box->subject_end - first_subject, box->query_end - first_query);
    int longest = 0, middle = 0, run = 0, i;

    if (is_good_start(pair, box, *query, *subject))
        return;
    for (i = 0; i < n && run <= LONG_RUN; i++) {
        if (is_same(pair, first_query + i, first_subject + i)) {
            run++;
            continue;
        }
        if (run > longest) {
            longest = run;
            middle = i - run / 2;
        }
        run = 0;
    }
    if (run > LONG_RUN) {
        longest = run;
        middle = i - 1 - LONG_RUN / 2;
    } else if (run > longest) {
        longest = run;
        middle = i - run / 2;
    }
    if (longest > 0) {
        *query = first_query + middle;
        *subject = first_subject + middle;
    }
}

/* --- gapped extension of a word hit --- */

struct base_place base_gapped_origin(int query_length, int subject_length, int ungapped_end, int *query, int *subject)
{
    enum { INTO_WORD = 3, IN_BYTE = 4 };
    struct base_place at;

    if (ungapped_end >= *subject + 2 * IN_BYTE) {
        *query += INTO_WORD;
        *subject += INTO_WORD;
    }
    at = (struct base_place){*query + IN_BYTE - *subject % IN_BYTE, *subject + IN_BYTE - *subject % IN_BYTE};
    if (at.query > query_length || at.subject > subject_length) {
        at.query -= IN_BYTE;
        at.subject -= IN_BYTE;
    }
    return at;
}

struct base_box base_gapped_box(const struct base_place *origin, const struct gapped_extent *before, const struct gapped_extent *after)
{
    return (struct base_box){origin->query - before->subject, origin->query + after->subject, origin->subject - before->query,
                             origin->subject + after->query, before->score + after->score};
}

tms_status base_gapped_score(struct gapped_workspace *ws, const struct gapped_costs *costs, const struct base_pair *pair, int ungapped_end,
                             int *query, int *subject, struct base_box *box)
{
    struct gapped_extension sides[2] = {{.step = -1}, {.step = 1}}; /* a row is a base of the subject */
    const struct base_place at = base_gapped_origin(pair->query_length, pair->subject_length, ungapped_end, query, subject);
    tms_status status;

    sides[0].query = (struct gapped_side){pair->subject + at.subject - 1, at.subject};
    sides[0].subject = (struct gapped_side){pair->query + at.query - 1, at.query};
    sides[1].query = (struct gapped_side){pair->subject + at.subject, pair->subject_length - at.subject};
    sides[1].subject = (struct gapped_side){pair->query + at.query, pair->query_length - at.query};
    status = gapped_score(ws, costs, sides, 2, false);
    *box = base_gapped_box(&at, &sides[0].extent, &sides[1].extent);
    return status;
}
