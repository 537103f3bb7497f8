/*
 * seqio_dna_samples.h - for the tests of reading sequences: records made up at random, files of them, and a check of what seqio_dna
 * gives, chunk by chunk, against the records themselves.
 */
#ifndef TAMIS_IO_DNA_SAMPLES_H
#define TAMIS_IO_DNA_SAMPLES_H

#include "unit/io/io_samples.h"

#include <ctype.h>

#include "seqio/seqio_dna.h"

typedef struct dna_record {
    char name[40];
    char *letters; /* upper case */
    size_t n;
} dna_record;

typedef struct dna_records {
    dna_record *items;
    size_t n;
} dna_records;

static uint64_t dna_random_state = 1;

static inline uint64_t dna_random(uint64_t n)
{
    dna_random_state = dna_random_state * 6364136223846793005u + 1442695040888963407u;
    return (dna_random_state >> 33) % n;
}

/* n_records records of up to max_bases, some of them empty, with stretches of other letters. */
static inline dna_records dna_make(size_t n_records, size_t max_bases, uint64_t seed)
{
    dna_records all = {calloc(n_records, sizeof *all.items), n_records};

    assert_non_null(all.items);
    dna_random_state = seed;
    for (size_t i = 0; i < n_records; i++) {
        dna_record *r = &all.items[i];
        snprintf(r->name, sizeof r->name, "r%zu|%llu", i, (unsigned long long)dna_random(1000000));
        r->n = i == 0 ? max_bases : i % 4 == 3 ? 0 : (size_t)dna_random(max_bases + 1);
        r->letters = malloc(r->n + 1);
        assert_non_null(r->letters);
        for (size_t at = 0; at < r->n;) {
            unsigned kind = (unsigned)dna_random(6);
            size_t length = 1 + (size_t)dna_random(kind == 0 ? 80 : 60);
            for (; length > 0 && at < r->n; length--)
                r->letters[at++] = kind == 0 ? 'N' : kind == 1 ? "ACGTRYK"[dna_random(7)] : "ACGT"[dna_random(4)];
        }
        r->letters[r->n] = '\0';
    }
    return all;
}

static inline void dna_free(dna_records *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->items[i].letters);
    free(all->items);
}

/* How a text file of records looks. */
typedef struct dna_look {
    size_t line; /* letters a line; 0: all in one */
    int crlf;
    int mess;       /* blanks at line ends, empty lines, lower case, words after the name */
    int no_last_lf; /* the last line ends without a line feed */
} dna_look;

static inline void dna_put_line_end(sample *out, const dna_look *look) { sample_add(out, look->crlf ? "\r\n" : "\n", look->crlf ? 2 : 1); }

static inline void dna_put_lines(sample *out, const char *letters, size_t n, const dna_look *look, int is_sequence)
{
    size_t line = look->line > 0 ? look->line : n + 1;

    for (size_t at = 0; at < n; at += line) {
        size_t some = n - at < line ? n - at : line;
        for (size_t i = 0; i < some; i++) {
            char c = letters[at + i];
            if (is_sequence && look->mess && dna_random(3) == 0)
                c = (char)tolower((unsigned char)c);
            sample_add(out, &c, 1);
        }
        if (look->mess && dna_random(4) == 0)
            sample_add(out, " \t ", 1 + (size_t)dna_random(3));
        dna_put_line_end(out, look);
        if (is_sequence && look->mess && dna_random(5) == 0)
            dna_put_line_end(out, look);
    }
}

static inline void dna_end_text(sample *out, const dna_look *look)
{
    while (look->no_last_lf && (out->bytes[out->size - 1] == '\n' || out->bytes[out->size - 1] == '\r'))
        out->size--;
}

static inline sample dna_fasta(const dna_records *all, const dna_look *look)
{
    sample out = {NULL, 0, 0};

    for (size_t i = 0; i < all->n; i++) {
        const dna_record *r = &all->items[i];
        sample_add(&out, ">", 1);
        if (look->mess)
            sample_add(&out, "  ", (size_t)dna_random(3));
        sample_add(&out, r->name, strlen(r->name));
        if (look->mess)
            sample_add(&out, " some\twords", 11);
        dna_put_line_end(&out, look);
        dna_put_lines(&out, r->letters, r->n, look, 1);
    }
    dna_end_text(&out, look);
    return out;
}

static inline sample dna_fastq(const dna_records *all, const dna_look *look)
{
    static const char marks[] = "@+>#IJ"; /* first characters of quality lines that look like something else */
    sample out = {NULL, 0, 0};

    for (size_t i = 0; i < all->n; i++) {
        const dna_record *r = &all->items[i];
        char *quality = malloc(r->n + 1);
        assert_non_null(quality);
        for (size_t j = 0; j < r->n; j++)
            quality[j] = marks[dna_random(6)];
        sample_add(&out, "@", 1);
        sample_add(&out, r->name, strlen(r->name));
        dna_put_line_end(&out, look);
        dna_put_lines(&out, r->letters, r->n, look, 1);
        if (r->n == 0)
            dna_put_line_end(&out, look);
        sample_add(&out, "+", 1);
        if (i % 2)
            sample_add(&out, r->name, strlen(r->name));
        dna_put_line_end(&out, look);
        dna_put_lines(&out, quality, r->n, look, 0);
        if (r->n == 0)
            dna_put_line_end(&out, look);
        free(quality);
    }
    dna_end_text(&out, look);
    return out;
}

/* Is base i of a chunk this letter? *run: the first run that does not end before it. */
static inline int dna_base_is(const tms_dna *d, size_t i, char letter, size_t *run)
{
    static const char bases[] = "ACGT";
    unsigned code = (unsigned)(d->codes[i / 32] >> 2 * (i % 32) & 3);

    while (*run < d->n_runs && d->runs[*run].start + d->runs[*run].n_bases <= i)
        (*run)++;
    if (*run < d->n_runs && d->runs[*run].start <= i)
        return strchr(bases, letter) == NULL && code == 0;
    return bases[code] == letter;
}

static inline void dna_check_runs(const tms_dna *d)
{
    for (size_t i = 0; i < d->n_runs; i++) {
        assert_true(d->runs[i].n_bases > 0);
        assert_true(i == 0 || d->runs[i].start > d->runs[i - 1].start + d->runs[i - 1].n_bases);
        assert_true((uint64_t)d->runs[i].start + d->runs[i].n_bases <= d->n_bases);
    }
}

/*
 * Reads the files, which have these records, and checks everything that seqio_dna.h says, and that each w-mer (w = overlap + 1)
 * of a record is in one chunk and in no other.
 */
static inline void dna_expect(const seqio_dna_options *how, const dna_records *want)
{
    size_t record = 0, end = 0, n_in_part = 0; /* the record of the last part, where that ended, and how long it was */
    uint64_t n_read = 0, n_bases = 0, n_other = 0, n_new_last = 0;
    uint8_t **seen = calloc(want->n, sizeof *seen);
    int begun = 0;
    seqio_dna_totals totals;
    seqio_dna_chunk chunk;
    io_status status;
    io_error err;
    seqio_dna *dna;

    assert_non_null(seen);
    for (size_t i = 0; i < want->n; i++)
        assert_non_null(seen[i] = calloc(want->items[i].n + 1, 1));
    if (seqio_dna_open(how, &dna, &err) != IO_OK)
        fail_msg("%s", err.text);
    while ((status = seqio_dna_next(dna, &chunk, &err)) == IO_OK) {
        const tms_dna *d = &chunk.dna;
        size_t at = 0, run = 0;
        uint64_t n_new = 0;

        assert_true(n_bases == 0 || n_new_last == how->chunk_bases); /* the chunk before was full */
        assert_true(d->n_parts > 0);
        assert_true(chunk.n_read >= n_read);
        n_read = chunk.n_read;
        dna_check_runs(d);
        for (size_t i = 0; i < d->n_parts; i++) {
            const tms_dna_part *p = &d->parts[i];
            const dna_record *r = &want->items[p->record];
            int goes_on = begun && p->record == record;

            assert_true(p->record < want->n);
            assert_string_equal(p->name, r->name);
            assert_int_equal(p->start, at);
            if (goes_on) { /* only from one chunk to the next */
                size_t overlap = n_in_part < how->overlap ? n_in_part : how->overlap;
                assert_int_equal(i, 0);
                assert_int_equal(p->offset, end - overlap);
                assert_true(p->n_bases > overlap);
                n_new += p->n_bases - overlap;
            } else {
                assert_int_equal(p->offset, 0);
                for (size_t j = begun ? record + 1 : 0; j < p->record; j++)
                    assert_true(want->items[j].n == 0 && !how->keep_empty);
                assert_true(!begun || end == want->items[record].n);
                assert_true(p->n_bases > 0 || (how->keep_empty && r->n == 0));
                n_new += p->n_bases;
            }
            assert_true(p->offset + p->n_bases <= r->n);
            for (size_t j = 0; j < p->n_bases; j++) {
                char letter = r->letters[p->offset + j];
                assert_true(dna_base_is(d, at + j, letter, &run));
                if (!goes_on || p->offset + j >= end)
                    n_other += strchr("ACGT", letter) == NULL;
            }
            for (size_t j = 0; j + how->overlap < p->n_bases; j++)
                seen[p->record][p->offset + j]++;
            begun = 1;
            record = (size_t)p->record;
            end = (size_t)p->offset + p->n_bases;
            n_in_part = p->n_bases;
            at += p->n_bases;
        }
        assert_int_equal(at, d->n_bases);
        assert_in_range(n_new, 0, how->chunk_bases);
        if (d->n_bases % 32 != 0)
            assert_int_equal(d->codes[d->n_bases / 32] >> 2 * (d->n_bases % 32), 0);
        n_bases += n_new;
        n_new_last = n_new;
        seqio_dna_get_totals(dna, &totals);
        assert_int_equal(totals.n_bases, n_bases);
        assert_int_equal(totals.n_other, n_other);
    }
    if (status != IO_END)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < want->n; i++) {
        for (size_t j = 0; j < want->items[i].n; j++)
            assert_int_equal(seen[i][j], j + how->overlap < want->items[i].n);
        n_bases -= want->items[i].n;
        free(seen[i]);
    }
    free(seen);
    assert_int_equal(n_bases, 0);
    seqio_dna_get_totals(dna, &totals);
    assert_int_equal(totals.n_records, want->n);
    assert_int_equal(totals.n_other, n_other);
    assert_int_equal(seqio_dna_next(dna, &chunk, &err), IO_END);
    seqio_dna_close(dna);
}

#endif
