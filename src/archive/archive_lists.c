/* archive_lists.c - packs lists. Numbers are LEB128: seven bits a byte, the lowest first; signed ones are zigzag: 0, -1, 1, -2 ... */
#include "archive/archive_lists.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    NUMBER_BYTES = 10, /* most bytes of a number */
    HSP_NUMBERS = 7,   /* numbers of an HSP, and of a subject */
    SUBJECT_NUMBERS = 2
};

/* ---- packing ------------------------------------------------------------------------------------------------------------------ */

static uint8_t *put(uint8_t *to, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

static uint8_t *put_signed(uint8_t *to, int64_t v) { return put(to, (uint64_t)v << 1 ^ (uint64_t)(v >> 63)); }

/* An HSP's lengths in both sequences, and the distances of its start from its begin, are about the same. */
static uint8_t *put_hsp(uint8_t *to, const tms_found_hsp *h)
{
    const int64_t length = (int64_t)h->query_end - h->query, start = (int64_t)h->start_query - h->query;

    to = put_signed(to, h->query);
    to = put_signed(to, length);
    to = put_signed(to, h->subject);
    to = put_signed(to, (int64_t)h->subject_end - h->subject - length);
    to = put_signed(to, start);
    to = put_signed(to, (int64_t)h->start_subject - h->subject - start);
    return put_signed(to, h->score);
}

io_status archive_list_pack(const tms_found_list *list, struct archive_bytes *to, io_error *err)
{
    const size_t most = NUMBER_BYTES * (1 + SUBJECT_NUMBERS * (size_t)list->n_subjects + HSP_NUMBERS * (size_t)list->n_hsps);
    const tms_found_hsp *hsp = list->hsps;
    uint64_t before = 0;
    uint8_t *at;

    if (!array_reserve(&to->bytes, &to->capacity, to->n + most, 1))
        return io_fail_memory(err, "a part");
    at = put(to->bytes + to->n, list->n_subjects << 1 | (list->is_cut != 0));
    for (uint64_t i = 0; i < list->n_subjects; i++) {
        const tms_found_subject *subject = &list->subjects[i];
        at = put(at, subject->sequence - before);
        at = put(at, subject->n_hsps);
        before = subject->sequence;
        for (uint64_t k = 0; k < subject->n_hsps; k++)
            at = put_hsp(at, hsp++);
    }
    to->n = (size_t)(at - to->bytes);
    return IO_OK;
}

/* ---- unpacking ---------------------------------------------------------------------------------------------------------------- */

struct cursor {
    const uint8_t *at, *end;
    bool is_bad; /* the bytes ended within a number, or a number is too large */
};

static uint64_t take(struct cursor *c)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint64_t byte = c->at < c->end ? *c->at : 0x100;
        if (byte > 0xff || (shift == 63 && byte > 1))
            break;
        c->at++;
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return v;
    }
    c->is_bad = true;
    c->at = c->end;
    return 0;
}

static int64_t take_signed(struct cursor *c)
{
    const uint64_t v = take(c);

    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* A sum of numbers of the file, as an int32_t. Sums of wrong numbers wrap around and are found out here. */
static int32_t narrow(struct cursor *c, uint64_t v)
{
    c->is_bad |= (uint64_t)(int64_t)(int32_t)(uint32_t)v != v;
    return (int32_t)(uint32_t)v;
}

static void take_hsp(struct cursor *c, tms_found_hsp *h)
{
    const uint64_t query = (uint64_t)take_signed(c), length = (uint64_t)take_signed(c), subject = (uint64_t)take_signed(c);
    const uint64_t subject_length = length + (uint64_t)take_signed(c), start = (uint64_t)take_signed(c);
    const uint64_t subject_start = start + (uint64_t)take_signed(c);

    h->query = narrow(c, query);
    h->query_end = narrow(c, query + length);
    h->subject = narrow(c, subject);
    h->subject_end = narrow(c, subject + subject_length);
    h->start_query = narrow(c, query + start);
    h->start_subject = narrow(c, subject + subject_start);
    h->score = narrow(c, (uint64_t)take_signed(c));
}

/* Whether n items of at least `bytes` bytes each can follow. */
static bool has_bytes(const struct cursor *c, uint64_t n, size_t bytes) { return n <= (uint64_t)(c->end - c->at) / bytes; }

static bool take_subject(struct cursor *c, uint64_t *before, struct archive_lists *out)
{
    tms_found_subject *subject = &out->subjects[out->n_subjects++];

    *before += take(c);
    *subject = (tms_found_subject){*before, take(c)};
    if (!has_bytes(c, subject->n_hsps, HSP_NUMBERS)) {
        c->is_bad = true;
        return true;
    }
    if (!array_reserve(&out->hsps, &out->hsps_capacity, out->n_hsps + (size_t)subject->n_hsps, sizeof *out->hsps))
        return false;
    for (uint64_t i = 0; i < subject->n_hsps; i++)
        take_hsp(c, &out->hsps[out->n_hsps++]);
    return true;
}

/* Returns false if there is no memory. */
static bool take_list(struct cursor *c, tms_found_list *list, struct archive_lists *out)
{
    const uint64_t head = take(c), n = head >> 1;
    const size_t first_hsp = out->n_hsps;
    uint64_t before = 0;

    *list = (tms_found_list){.is_cut = head & 1, .n_subjects = n};
    if (!has_bytes(c, n, SUBJECT_NUMBERS)) {
        c->is_bad = true;
        return true;
    }
    if (!array_reserve(&out->subjects, &out->subjects_capacity, out->n_subjects + (size_t)n, sizeof *out->subjects))
        return false;
    for (uint64_t i = 0; i < n && !c->is_bad; i++)
        if (!take_subject(c, &before, out))
            return false;
    list->n_hsps = out->n_hsps - first_hsp;
    return true;
}

io_status archive_lists_unpack(const uint8_t *bytes, size_t n_bytes, uint64_t n, struct archive_lists *out, io_error *err)
{
    struct cursor c = {bytes, bytes + n_bytes, false};
    const tms_found_subject *subject;
    const tms_found_hsp *hsp;

    out->n = out->n_subjects = out->n_hsps = 0;
    if (!has_bytes(&c, n, 1))
        return io_fail(err, IO_E_INPUT, 0, "there are fewer lists than its head says");
    if (!array_reserve(&out->lists, &out->capacity, (size_t)n, sizeof *out->lists))
        return io_fail_memory(err, "lists of a part");
    for (; out->n < n && !c.is_bad; out->n++)
        if (!take_list(&c, &out->lists[out->n], out))
            return io_fail_memory(err, "lists of a part");
    if (c.is_bad || c.at != c.end) {
        out->n = 0;
        return io_fail(err, IO_E_INPUT, 0, "its lists do not end where they should");
    }
    subject = out->subjects;
    hsp = out->hsps;
    for (size_t i = 0; i < out->n; i++) { /* the arrays do not move any more */
        out->lists[i].subjects = subject;
        out->lists[i].hsps = hsp;
        subject += out->lists[i].n_subjects;
        hsp += out->lists[i].n_hsps;
    }
    return IO_OK;
}

void archive_lists_free(struct archive_lists *lists)
{
    free(lists->lists);
    free(lists->subjects);
    free(lists->hsps);
    memset(lists, 0, sizeof *lists);
}
