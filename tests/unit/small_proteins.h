/* small_proteins.h - a few proteins at random, and queries that are made of them, for tests that need no file. */
#ifndef TAMIS_TEST_SMALL_PROTEINS_H
#define TAMIS_TEST_SMALL_PROTEINS_H

#include <stdio.h>

#include "seq/seq_batch.h"
#include "tamis/seqdb.h"
#include "unit/samples.h"

enum { SMALL_SUBJECTS = 12, SMALL_QUERIES = 45, SMALL_LENGTH = 90 };

static inline void small_record(struct seq_batch *to, const char *header, const uint8_t *letters, size_t n)
{
    assert_true(seq_batch_begin(to, header, strlen(header)));
    assert_true(seq_batch_residues(to, letters, n));
    assert_true(seq_batch_end(to));
}

/*
 * small_proteins() - subjects at random, and queries that are made of up to four of them, so that they have reports of different lengths,
 * and some have no hit. Both batches are freed by the caller.
 */
static inline void small_proteins(struct seq_batch *subjects, struct seq_batch *queries)
{
    static const char letters[] = "ARNDCQEGHILKMFPSTWYV";
    uint8_t made[SMALL_SUBJECTS][SMALL_LENGTH], query[4 * SMALL_LENGTH];
    char header[64];
    sample_random random = {0x7e57};

    assert_true(seq_batch_clear(subjects, 0, false) && seq_batch_clear(queries, 0, false));
    for (int i = 0; i < SMALL_SUBJECTS; i++) {
        for (int k = 0; k < SMALL_LENGTH; k++)
            made[i][k] = (uint8_t)letters[random_below(&random, 20)];
        snprintf(header, sizeof header, "s%d subject %d", i, i);
        small_record(subjects, header, made[i], SMALL_LENGTH);
    }
    for (int q = 0; q < SMALL_QUERIES; q++) {
        size_t n = 0;
        for (int part = 0; part < q % 5; part++, n += SMALL_LENGTH) {
            memcpy(query + n, made[(q + part) % SMALL_SUBJECTS], SMALL_LENGTH);
            query[n + 40] = 'W';
        }
        if (n == 0)
            memset(query, 'G', n = 10);
        snprintf(header, sizeof header, q % 3 == 0 ? "%d title of %d" : "lcl|q%d title of %d", q, q);
        small_record(queries, header, query, n);
    }
}

/* small_database() - the same, with the subjects as a database and a view of the queries. Both batches and the database are the caller's.
 */
static inline tms_seqdb *small_database(tms_context *context, struct seq_batch *subjects, struct seq_batch *queries, tms_seqs *view)
{
    tms_seqs all;
    tms_seqdb *db;

    small_proteins(subjects, queries);
    seq_batch_view(subjects, &all);
    seq_batch_view(queries, view);
    ASSERT_OK(context, tms_seqdb_from_seqs(context, &all, TMS_PROTEIN, "t", &db));
    return db;
}

#endif
