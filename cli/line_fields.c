#include "cli/line_fields.h"

/* The next delimiter, or the end. */
static const uint8_t *field_end(const uint8_t *from, const uint8_t *end, uint8_t delimiter)
{
    const uint8_t *at = memchr(from, delimiter, (size_t)(end - from));

    return at != NULL ? at : end;
}

static const uint8_t *field_start(const uint8_t *from, const uint8_t *end, uint8_t delimiter, uint64_t number)
{
    for (; number > 1 && from < end; number--) {
        from = field_end(from, end, delimiter);
        from += from < end;
    }
    return number > 1 ? end : from;
}

int line_fields_take(struct line_fields *f, const tms_keys *lines, tms_keys *out)
{
    f->text.n = 0;
    if (!array_reserve(&f->offsets, &f->capacity, lines->n_keys + 1, sizeof *f->offsets) ||
        byte_array_room(&f->text, lines->offsets[lines->n_keys] - lines->offsets[0]) == NULL)
        return 0;
    for (size_t i = 0; i < lines->n_keys; i++) {
        const uint8_t *end = lines->bytes + lines->offsets[i + 1] - lines->gap;
        const uint8_t *start = field_start(lines->bytes + lines->offsets[i], end, f->delimiter, f->number);
        const size_t size = (size_t)(field_end(start, end, f->delimiter) - start);
        f->offsets[i] = (uint32_t)f->text.n;
        memcpy(f->text.bytes + f->text.n, start, size);
        f->text.n += size;
    }
    f->offsets[lines->n_keys] = (uint32_t)f->text.n;
    *out = (tms_keys){.bytes = f->text.bytes, .offsets = f->offsets, .n_keys = lines->n_keys};
    return 1;
}

void line_fields_free(struct line_fields *f)
{
    free(f->text.bytes);
    free(f->offsets);
}
