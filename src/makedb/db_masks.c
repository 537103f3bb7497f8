#include "makedb/db_masks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VERSION = 1, TYPE_BLOB = 1, OFFSET_BYTES = 4, HEAD_BYTES = 32, ALIGNED_TO = 8 };

static bool put_number(db_masks *m, uint32_t number)
{
    return byte_array_add_big_endian(&m->big_endian, &number, 1) && byte_array_add_big_endian(&m->little_endian, &number, 1);
}

/* The offset alone differs between the files for big-endian and little-endian processors. */
static bool put_offset(db_masks *m, uint32_t offset)
{
    uint8_t bytes[4];

    core_write32(bytes, offset);
    return byte_array_add_big_endian(&m->big_endian, &offset, 1) && byte_array_add(&m->little_endian, bytes, sizeof bytes);
}

/* The end of the intervals of found[i]'s algorithm. */
static size_t end_of_algorithm(const db_mask_interval *found, size_t n, size_t i)
{
    const uint32_t algorithm = found[i].algorithm;

    while (i < n && found[i].algorithm == algorithm)
        i++;
    return i;
}

static bool put_found(db_masks *m, const db_mask_files *files, const db_mask_interval *found, size_t n)
{
    uint32_t n_algorithms = 0;

    for (size_t i = 0; i < n; i = end_of_algorithm(found, n, i))
        n_algorithms++;
    if (!put_number(m, n_algorithms))
        return false;
    for (size_t i = 0; i < n;) {
        size_t end = end_of_algorithm(found, n, i);
        if (!put_number(m, files->algorithms[found[i].algorithm].number) || !put_number(m, (uint32_t)(end - i)))
            return false;
        for (; i < end; i++)
            if (!put_offset(m, found[i].start) || !put_offset(m, found[i].end))
                return false;
    }
    return true;
}

io_status db_masks_add(db_masks *m, const db_mask_files *files, const db_mask_interval *found, size_t n_found, uint64_t n_residues,
                       io_error *err)
{
    for (size_t i = 0; i < n_found; i++)
        if (found[i].end > n_residues || found[i].start >= found[i].end)
            return io_fail(err, IO_E_INPUT, 0, "BLAST Database creation error: Error: Masked data offsets out of bounds.");
    if (!array_reserve(&m->ends, &m->capacity, m->n_sequences + 1, sizeof *m->ends) ||
        (n_found > 0 && !put_found(m, files, found, n_found)))
        return io_fail_memory(err, "masks");
    if (m->little_endian.n > UINT32_MAX)
        return io_fail(err, IO_E_INPUT, 0, "the masks of a volume have more than 2^32 - 1 bytes: make smaller volumes with -max_file_sz");
    m->ends[m->n_sequences++] = (uint32_t)m->little_endian.n;
    return IO_OK;
}

/* ---- the index --------------------------------------------------------------------------------------------------- */

/* Appends a number with seven bits in each byte, the highest first, with the top bit set; the last byte has six. */
static bool put_size(struct byte_array *index, size_t n)
{
    unsigned shift = 6;
    uint8_t byte;
    bool is_done = true;

    while (n >> shift != 0)
        shift += 7;
    for (; shift > 6 && is_done; shift -= 7) {
        byte = (uint8_t)(0x80 | ((n >> (shift - 7)) & 0x7f));
        is_done = byte_array_add(index, &byte, 1);
    }
    byte = (uint8_t)(n & 0x3f);
    return is_done && byte_array_add(index, &byte, 1);
}

static bool put_text(struct byte_array *index, const void *bytes, size_t n)
{
    return put_size(index, n) && byte_array_add(index, bytes, n);
}

/* Appends the algorithms, by their numbers as texts. */
static bool put_algorithms(struct byte_array *index, const db_mask_files *files)
{
    char number[16], before[16] = "";

    if (!put_size(index, files->n_algorithms))
        return false;
    for (size_t k = 0; k < files->n_algorithms; k++) {
        const db_mask_algorithm *next = NULL;
        char least[16] = "";
        for (size_t i = 0; i < files->n_algorithms; i++) {
            snprintf(number, sizeof number, "%u", (unsigned)files->algorithms[i].number);
            if (strcmp(number, before) > 0 && (next == NULL || strcmp(number, least) < 0)) {
                next = &files->algorithms[i];
                memcpy(least, number, sizeof least);
            }
        }
        if (next == NULL || !put_text(index, least, strlen(least)) || !put_text(index, next->text.bytes, next->text.n))
            return false;
        memcpy(before, least, sizeof before);
    }
    return true;
}

/* Appends signs and a zero, at least one byte, up to where the offsets begin. */
static bool pad(struct byte_array *index)
{
    const size_t n = ALIGNED_TO - index->n % ALIGNED_TO;

    for (size_t i = 0; i < n; i++)
        if (!byte_array_add(index, i + 1 < n ? "#" : "", 1))
            return false;
    return true;
}

io_status db_masks_index(const db_masks *m, const db_mask_files *files, struct byte_array *index, io_error *err)
{
    static const char title[] = "BlastDb/MaskData";
    char date[64] = "";
    time_t now = time(NULL);
    struct tm t;
    struct byte_array texts = {NULL, 0, 0};
    size_t first_pair;
    bool is_done;

    if (localtime_r(&now, &t) != NULL)
        strftime(date, sizeof date, "%m/%d/%Y %H:%M:%S", &t);
    is_done = put_text(&texts, title, sizeof title - 1) && put_text(&texts, date, strlen(date));
    first_pair = HEAD_BYTES + texts.n;
    is_done = is_done && put_algorithms(&texts, files) && pad(&texts);
    is_done = is_done &&
              byte_array_add_big_endian(index,
                                        (uint32_t[]){VERSION, TYPE_BLOB, OFFSET_BYTES, (uint32_t)m->n_sequences, 0,
                                                     (uint32_t)m->little_endian.n, (uint32_t)first_pair, (uint32_t)(HEAD_BYTES + texts.n)},
                                        8);
    is_done = is_done && byte_array_add(index, texts.bytes, texts.n) && byte_array_add_big_endian(index, (uint32_t[]){0}, 1) &&
              byte_array_add_big_endian(index, m->ends, m->n_sequences);
    free(texts.bytes);
    return is_done ? IO_OK : io_fail_memory(err, "masks");
}

void db_masks_clear(db_masks *m) { m->n_sequences = m->big_endian.n = m->little_endian.n = 0; }

void db_masks_free(db_masks *m)
{
    free(m->ends);
    free(m->big_endian.bytes);
    free(m->little_endian.bytes);
    memset(m, 0, sizeof *m);
}
