/* archive_samples.h - for the tests of archives: lists at random, archives of them, and comparisons. */
#ifndef TAMIS_ARCHIVE_SAMPLES_H
#define TAMIS_ARCHIVE_SAMPLES_H

#include "unit/samples.h"

#include "archive/archive_format.h"
#include "archive/archive_reader.h"
#include "archive/archive_writer.h"
#include "unit/io/io_samples.h"

enum { MOST_SUBJECTS = 40, MOST_HSPS = 5 };

/* A list with its own arrays. */
struct list_sample {
    tms_found_subject subjects[MOST_SUBJECTS];
    tms_found_hsp hsps[MOST_SUBJECTS * MOST_HSPS];
    tms_found_list list;
};

#define MUST(call)                                                                                                                         \
    do {                                                                                                                                   \
        if ((call) != IO_OK)                                                                                                               \
            fail_msg("%s: %s", #call, err.text);                                                                                           \
    } while (0)

/* Mostly as in a search; of one HSP in `each` all numbers are any numbers. */
static inline tms_found_hsp random_hsp(sample_random *r, uint64_t each, uint32_t version)
{
    static const int32_t extremes[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
    const int length = 20 + (int)random_below(r, 300), start = (int)random_below(r, 20);
    tms_found_hsp h = {.query = (int32_t)random_below(r, 2000), .subject = (int32_t)random_below(r, 30000)};
    int32_t *const numbers[] = {&h.query, &h.query_end, &h.subject, &h.subject_end, &h.start_query, &h.start_subject, &h.score, &h.context};
    const size_t n = version >= ARCHIVE_VERSION_OF_STRANDS ? 8 : 7;

    h.query_end = h.query + length;
    h.subject_end = h.subject + length + (int)random_below(r, 9) - 4;
    h.start_query = h.query + start;
    h.start_subject = h.subject + start + (int)random_below(r, 3) - 1;
    h.score = 40 + (int32_t)random_below(r, 400);
    h.context = version >= ARCHIVE_VERSION_OF_STRANDS ? (int32_t)random_below(r, 2) : 0;
    if (version >= ARCHIVE_VERSION_OF_CHAINS) {
        h.n_linked = random_below(r, each) == 0 ? random_next(r) : 1 + random_below(r, 5);
        h.evalue = (double)random_below(r, 1000) / 7;
    }
    for (size_t i = 0; i < n && random_below(r, each) == 0; i++)
        *numbers[i] = random_below(r, 2) ? extremes[random_below(r, 7)] : (int32_t)(uint32_t)random_next(r);
    return h;
}

static inline void random_list(sample_random *r, uint64_t each, uint32_t version, struct list_sample *out)
{
    uint64_t n_hsps = 0, sequence = random_below(r, 1000);

    out->list = (tms_found_list){.batch = random_below(r, 3), .is_cut = random_below(r, 2), .subjects = out->subjects, .hsps = out->hsps};
    out->list.n_subjects = random_below(r, 4) ? random_below(r, MOST_SUBJECTS + 1) : 0;
    for (uint64_t i = 0; i < out->list.n_subjects; i++, sequence += 1 + random_below(r, 5000)) {
        out->subjects[i] = (tms_found_subject){sequence, 1 + random_below(r, 3) / 2 * random_below(r, MOST_HSPS)};
        for (uint64_t k = 0; k < out->subjects[i].n_hsps; k++)
            out->hsps[n_hsps++] = random_hsp(r, each, version);
    }
    if (out->list.n_subjects > 0 && random_below(r, 4) == 0) /* behind all others, up to the very last one */
        out->subjects[out->list.n_subjects - 1].sequence = UINT64_MAX - random_below(r, 2);
    out->list.n_hsps = n_hsps;
}

static inline void expect_list(const tms_found_list *got, const tms_found_list *wanted)
{
    assert_int_equal(got->batch, 0);
    assert_int_equal(got->is_cut, wanted->is_cut);
    assert_int_equal(got->n_subjects, wanted->n_subjects);
    assert_int_equal(got->n_hsps, wanted->n_hsps);
    if (got->n_subjects > 0)
        assert_memory_equal(got->subjects, wanted->subjects, got->n_subjects * sizeof *got->subjects);
    if (got->n_hsps > 0)
        assert_memory_equal(got->hsps, wanted->hsps, got->n_hsps * sizeof *got->hsps);
}

/* A batch, and from which seed its lists are made. */
struct batch_sample {
    uint64_t first, n_records, n_lists, seed;
};

static inline void write_samples(const char *path, const struct archive_manifest *manifest, uint32_t version,
                                 const struct batch_sample *batches, size_t n)
{
    static struct list_sample made;
    struct archive_writer *writer;
    io_error err;

    MUST(archive_writer_open(&(io_output){.path = path, .is_kind = archive_is, .kind = "an archive"}, manifest, version, &writer, &err));
    for (size_t i = 0; i < n; i++) {
        sample_random r = {batches[i].seed};
        MUST(archive_writer_begin_batch(writer, batches[i].first, batches[i].n_records, &err));
        for (uint64_t k = 0; k < batches[i].n_lists; k++) {
            random_list(&r, 8, version, &made);
            MUST(archive_writer_put(writer, &made.list, &err));
        }
    }
    MUST(archive_writer_end(writer, &err));
}

static inline void expect_batch(struct archive_reader *reader, uint64_t i, uint32_t version, const struct batch_sample *wanted,
                                struct archive_lists *lists)
{
    static struct list_sample made;
    const struct archive_batch batch = archive_reader_batch(reader, i);
    sample_random r = {wanted->seed};
    io_error err;

    assert_int_equal(batch.first, wanted->first);
    assert_int_equal(batch.n_records, wanted->n_records);
    assert_int_equal(batch.n_lists, wanted->n_lists);
    MUST(archive_reader_read(reader, i, lists, &err));
    assert_int_equal(lists->n, wanted->n_lists);
    for (size_t k = 0; k < lists->n; k++) {
        random_list(&r, 8, version, &made);
        expect_list(&lists->lists[k], &made.list);
    }
}

#endif
