/* index_encode.c - words are big-endian, except for the number of residues. */
#include "seqdb/index_encode.h"

#include "base/core.h"

enum { HEAD_BYTES = 32, HEAD_5_BYTES = 40, ALIGNMENT = 8 };

static uint64_t unaligned_size(const struct index_head *head)
{
    uint64_t n = (uint64_t)head->title.n + head->date.n;

    return head->version == 5 ? HEAD_5_BYTES + n + head->lmdb_name.n : HEAD_BYTES + n;
}

uint64_t index_head_size(const struct index_head *head) { return (unaligned_size(head) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static uint8_t *put_word(uint8_t *to, uint32_t word)
{
    core_write32(to, core_swap32(word));
    return to + 4;
}

static uint8_t *put_text(uint8_t *to, struct text text, size_t n_zeros)
{
    to = put_word(to, (uint32_t)(text.n + n_zeros));
    if (text.n > 0)
        memcpy(to, text.bytes, text.n);
    memset(to + text.n, 0, n_zeros);
    return to + text.n + n_zeros;
}

bool index_encode_head(const struct index_head *head, struct byte_array *out)
{
    uint64_t size = index_head_size(head);
    uint8_t *to = byte_array_room(out, size);

    if (!to)
        return false;
    to = put_word(to, (uint32_t)head->version);
    to = put_word(to, head->molecule == TMS_PROTEIN);
    if (head->version == 5)
        to = put_word(to, head->volume);
    to = put_text(to, head->title, 0);
    if (head->version == 5)
        to = put_text(to, head->lmdb_name, 0);
    to = put_text(to, head->date, (size_t)(size - unaligned_size(head)));
    to = put_word(to, head->n_sequences);
    core_write64(to, head->n_residues);
    (void)put_word(to + 8, head->longest);
    out->n += size;
    return true;
}
