/*
 * near_identity.c - counts identities from the left end, from the right end, and around words of eight residues in the rest. After a
 * difference the alignment continues at the nearest two residues that agree, up to seven residues further in one sequence or in both.
 */
#include "protein/near_identity.h"

#include <string.h>

enum { WORD = 8, MOST_SKIPPED = 7 };

#define NEARLY_ALL 0.96

struct extension {
    int n_identical;
    int query, subject; /* residues of each sequence that the extension has passed */
};

/* A sequence from one end inwards: residue i is codes[step * i]. */
struct side {
    const uint8_t *codes;
    int n;
};

/* An extension from the right end stops before the first residue of each sequence, as NCBI's does; one from the left takes all residues. */
static struct extension extend(struct side q, struct side s, int step)
{
    struct extension e = {0, 0, 0};
    int unreached = step < 0;

#define Q(i) q.codes[step * (i)]
#define S(i) s.codes[step * (i)]
    while (e.query < q.n && e.subject < s.n) {
        int i, j, skipped_query = 0, skipped_subject = 0;
        while (e.query < q.n - unreached && e.subject < s.n - unreached && Q(e.query) == S(e.subject)) {
            e.query++;
            e.subject++;
            e.n_identical++;
        }
        i = e.query;
        j = e.subject;
        for (int n = 1; n <= MOST_SKIPPED && i + n + 1 < q.n - unreached && j + n + 1 < s.n - unreached && !skipped_query; n++) {
            if (Q(i + n) == S(j + n) && Q(i + n + 1) == S(j + n + 1))
                skipped_query = skipped_subject = n + 2;
            else if (Q(i + n) == S(j) && Q(i + n + 1) == S(j + 1))
                skipped_query = n + 2, skipped_subject = 2;
            else if (Q(i) == S(j + n) && Q(i + 1) == S(j + n + 1))
                skipped_query = 2, skipped_subject = n + 2;
        }
        if (!skipped_query)
            break;
        e.query += skipped_query;
        e.subject += skipped_subject;
        e.n_identical += 2;
    }
#undef Q
#undef S
    return e;
}

static struct extension from_left(const uint8_t *q, int nq, const uint8_t *s, int ns)
{
    return extend((struct side){q, nq}, (struct side){s, ns}, 1);
}

static struct extension from_right(const uint8_t *q, int nq, const uint8_t *s, int ns)
{
    return extend((struct side){q + nq - 1, nq}, (struct side){s + ns - 1, ns}, -1);
}

/* Returns the first position of the query from `from` on with the same eight residues; -1: none. The query's last word is not tried. */
static int find_word(const uint8_t *query, int from, int n, const uint8_t *word)
{
    for (int at = from; at <= n - WORD - 1; at++)
        if (memcmp(query + at, word, WORD) == 0)
            return at;
    return -1;
}

static int identities_around_words(struct near_identity_query q, const uint8_t *s, int n)
{
    int query_from = 0, subject_from = 0, count = 0;

    if (q.n < WORD || n < WORD)
        return 0;
    for (int at = 0; at <= n - WORD - 1;) {
        int k = find_word(q.with_u, query_from, q.n, s + at);
        struct extension left, right;
        if (k < 0) {
            at++;
            continue;
        }
        left = from_right(q.codes + query_from, k - query_from, s + subject_from, at - subject_from);
        right = from_left(q.codes + k + WORD, q.n - k - WORD, s + at + WORD, n - at - WORD);
        count += WORD + left.n_identical + right.n_identical;
        query_from = k + WORD + right.query;
        subject_from = at + WORD + right.subject;
        at = subject_from;
    }
    return count;
}

bool near_identity(struct near_identity_query q, const uint8_t *subject, int n)
{
    int shorter = q.n < n ? q.n : n, count;
    struct extension left = from_left(q.codes, q.n, subject, n), right;

    count = left.n_identical;
    if (left.query < q.n && left.subject < n) {
        right = from_right(q.codes + left.query, q.n - left.query, subject + left.subject, n - left.subject);
        count += right.n_identical;
        if (left.query + right.query < q.n && left.subject + right.subject < n) {
            struct near_identity_query middle = {q.codes + left.query, q.with_u + left.query, q.n - left.query - right.query};
            count += identities_around_words(middle, subject + left.subject, n - left.subject - right.subject);
        }
    }
    return (double)count / (double)shorter > NEARLY_ALL;
}
