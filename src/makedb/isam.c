/* isam.c - keeps all words of a volume in memory and sorts them at its end. */
#include "makedb/isam.h"

#include <stdio.h>
#include <string.h>

#include "base/core.h"
#include "seqid/seqid_keys.h"

enum { LINES_A_SAMPLE = 64, PAIRS_A_SAMPLE = 256, MAX_LINE = 4096, NO_GI = -1 };

static bool add_line(struct byte_array *text, isam_line **lines, size_t *n, size_t *capacity, const char *key, size_t n_key,
                     uint32_t number)
{
    char end[16];
    int n_end = snprintf(end, sizeof end, "\002%u\n", (unsigned)number);

    if (!array_reserve(lines, capacity, *n + 1, sizeof **lines))
        return false;
    (*lines)[(*n)++] = (isam_line){text->n, (uint32_t)(n_key + (size_t)n_end), number};
    return byte_array_add(text, key, n_key) && byte_array_add(text, end, (size_t)n_end);
}

static bool add_id(isam_index *isam, const struct seqid *id, uint32_t number)
{
    isam->keys.n = 0;
    if (!seqid_label(id, &isam->keys) || !add_line(&isam->labels, &isam->label_lines, &isam->n_labels, &isam->labels_capacity,
                                                   (const char *)isam->keys.bytes, isam->keys.n - 1, number))
        return false;
    if (id->kind == SEQID_GI) {
        if (!array_reserve(&isam->gis, &isam->gis_capacity, isam->n_gis + 1, sizeof *isam->gis))
            return false;
        isam->gis[isam->n_gis++] = (isam_gi){(uint32_t)id->number, number};
        if (isam->first_gis[number] == (uint32_t)NO_GI)
            isam->first_gis[number] = (uint32_t)id->number;
        return true;
    }
    isam->keys.n = 0;
    if (isam->without_words)
        return true;
    if (!seqid_keys(id, &isam->keys))
        return false;
    for (size_t at = 0; at < isam->keys.n;) {
        const char *key = (const char *)isam->keys.bytes + at;
        size_t n = strlen(key);
        if (!add_line(&isam->text, &isam->lines, &isam->n_lines, &isam->lines_capacity, key, n, number))
            return false;
        at += n + 1;
    }
    return true;
}

io_status isam_add(isam_index *isam, const struct defline *deflines, size_t n_deflines, io_error *err)
{
    uint32_t number = (uint32_t)isam->n_sequences;

    if (!array_reserve(&isam->first_gis, &isam->sequences_capacity, isam->n_sequences + 1, sizeof *isam->first_gis))
        return io_fail_memory(err, "an index of ids");
    isam->first_gis[isam->n_sequences++] = (uint32_t)NO_GI;
    for (size_t i = 0; i < n_deflines; i++) {
        for (size_t k = 0; k < deflines[i].n_ids; k++) {
            if (!add_id(isam, &deflines[i].ids[k], number))
                return io_fail_memory(err, "an index of ids");
        }
    }
    return IO_OK;
}

uint32_t isam_hash(uint32_t hash, const uint8_t *codes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = hash * 1103515245u + 12345u + codes[i];
    return hash;
}

io_status isam_add_hash(isam_index *isam, uint32_t hash, uint32_t number, io_error *err)
{
    char key[16];
    int n = snprintf(key, sizeof key, "%u", (unsigned)hash);

    return add_line(&isam->text, &isam->lines, &isam->n_lines, &isam->lines_capacity, key, (size_t)n, number)
               ? IO_OK
               : io_fail_memory(err, "an index of hashes");
}

static int compare_lines(const void *a, const void *b, void *text)
{
    const isam_line *x = a, *y = b;
    const uint8_t *bytes = text;
    uint32_t n = x->size < y->size ? x->size : y->size;
    int order = memcmp(bytes + x->start, bytes + y->start, n);

    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* Sorts the lines and removes duplicates. Returns the number of lines left. */
static size_t sort_lines(isam_line *lines, size_t n, struct byte_array *text)
{
    size_t n_left = 0;

    if (n == 0)
        return 0;
    qsort_r(lines, n, sizeof *lines, compare_lines, text->bytes);
    for (size_t i = 0; i < n; i++) {
        if (n_left == 0 || compare_lines(&lines[n_left - 1], &lines[i], text->bytes) != 0)
            lines[n_left++] = lines[i];
    }
    return n_left;
}

static size_t key_size(const uint8_t *line) { return (size_t)((const uint8_t *)strchr((const char *)line, 2) - line); }

/* Checks that no label belongs to two sequences. The message names the first such label in the order of the input. */
static io_status check_labels(const isam_index *isam, io_error *err)
{
    const isam_line *first = NULL;

    for (size_t i = 1; i < isam->n_labels; i++) {
        const isam_line *a = &isam->label_lines[i - 1], *b = &isam->label_lines[i];
        const uint8_t *x = isam->labels.bytes + a->start, *y = isam->labels.bytes + b->start;
        size_t n = key_size(x);
        uint32_t later = a->number > b->number ? a->number : b->number;
        if (n != key_size(y) || memcmp(x, y, n) != 0)
            continue;
        if (first == NULL || later < first->number)
            first = a->number > b->number ? a : b;
    }
    if (first == NULL)
        return IO_OK;
    return io_fail(err, IO_E_INPUT, 0, "BLAST Database creation error: Error: Duplicate seq_ids are found: \n%.*s\n",
                   (int)key_size(isam->labels.bytes + first->start), (const char *)isam->labels.bytes + first->start);
}

static int compare_gis(const void *a, const void *b)
{
    const isam_gi *x = a, *y = b;

    if (x->gi != y->gi)
        return x->gi < y->gi ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

io_status isam_sort(isam_index *isam, io_error *err)
{
    io_status status;

    isam->n_labels = sort_lines(isam->label_lines, isam->n_labels, &isam->labels);
    status = check_labels(isam, err);
    if (status != IO_OK)
        return status;
    isam->n_lines = sort_lines(isam->lines, isam->n_lines, &isam->text);
    if (isam->n_gis > 0)
        qsort(isam->gis, isam->n_gis, sizeof *isam->gis, compare_gis);
    return IO_OK;
}

static bool put_word(struct byte_array *to, uint64_t word) { return byte_array_add_big_endian(to, &(uint32_t){(uint32_t)word}, 1); }

io_status isam_words(const isam_index *isam, struct byte_array *data, struct byte_array *index, io_error *err)
{
    size_t n_samples = (isam->n_lines + LINES_A_SAMPLE - 1) / LINES_A_SAMPLE;
    uint64_t at = 0, size = 0;
    bool is_done = true;

    for (size_t i = 0; i < isam->n_lines; i++)
        size += isam->lines[i].size;
    if (size > UINT32_MAX)
        return io_fail(err, IO_E_INPUT, 0,
                       "the ids of a volume take %llu bytes, but their index has less than 2^32: make smaller volumes with -max_file_sz",
                       (unsigned long long)size);
    is_done &= byte_array_add_big_endian(
        index, (uint32_t[]){1, 2, (uint32_t)size, (uint32_t)isam->n_lines, (uint32_t)n_samples, LINES_A_SAMPLE, MAX_LINE, 0, 0}, 9);
    for (size_t i = 0; i < isam->n_lines && is_done; i++) {
        const isam_line *line = &isam->lines[i];
        if (i % LINES_A_SAMPLE == 0)
            is_done = put_word(index, at);
        at += line->size;
        is_done = is_done && byte_array_add(data, isam->text.bytes + line->start, line->size);
    }
    is_done = is_done && put_word(index, at);
    at = index->n + 4 * ((uint64_t)n_samples + 1);
    for (size_t i = 0; i < isam->n_lines && is_done; i += LINES_A_SAMPLE) {
        is_done = put_word(index, at);
        at += isam->lines[i].size;
    }
    is_done = is_done && put_word(index, at);
    for (size_t i = 0; i < isam->n_lines && is_done; i += LINES_A_SAMPLE) {
        const isam_line *line = &isam->lines[i];
        is_done = byte_array_add(index, isam->text.bytes + line->start, line->size);
        index->bytes[index->n - 1] = 0;
    }
    return is_done ? IO_OK : io_fail_memory(err, "an index of ids");
}

io_status isam_gis(const isam_index *isam, struct byte_array *data, struct byte_array *index, io_error *err)
{
    size_t n_samples = (isam->n_gis + PAIRS_A_SAMPLE - 1) / PAIRS_A_SAMPLE;
    bool is_done = byte_array_add_big_endian(
        index, (uint32_t[]){1, 0, (uint32_t)(8 * isam->n_gis), (uint32_t)isam->n_gis, (uint32_t)n_samples, PAIRS_A_SAMPLE, 0, 0, 0}, 9);

    for (size_t i = 0; i < isam->n_gis && is_done; i++) {
        uint32_t pair[] = {isam->gis[i].gi, isam->gis[i].number};
        if (i % PAIRS_A_SAMPLE == 0)
            is_done = byte_array_add_big_endian(index, pair, 2);
        is_done = is_done && byte_array_add_big_endian(data, pair, 2);
    }
    is_done = is_done && byte_array_add_big_endian(index, (uint32_t[]){UINT32_MAX, 0}, 2);
    return is_done ? IO_OK : io_fail_memory(err, "an index of ids");
}

io_status isam_gi_list(const isam_index *isam, struct byte_array *list, io_error *err)
{
    bool is_done = byte_array_add_big_endian(list, (uint32_t[]){1, 0, 4, (uint32_t)isam->n_sequences, 0, 0, 0, 0}, 8) &&
                   byte_array_add_big_endian(list, isam->first_gis, isam->n_sequences);

    return is_done ? IO_OK : io_fail_memory(err, "a list of ids");
}

void isam_clear(isam_index *isam)
{
    isam->text.n = isam->labels.n = 0;
    isam->n_lines = isam->n_labels = isam->n_gis = isam->n_sequences = 0;
}

void isam_free(isam_index *isam)
{
    free(isam->text.bytes);
    free(isam->lines);
    free(isam->labels.bytes);
    free(isam->label_lines);
    free(isam->gis);
    free(isam->first_gis);
    free(isam->keys.bytes);
    memset(isam, 0, sizeof *isam);
}
