#include "seqid/defline_decode.h"

#include <stdlib.h>

#include "base/array.h"
#include "seqid/seqid_decode.h"

struct reading {
    struct ber ber;
    struct defline_decoder *decoder;
    bool no_memory;
};

static void fail_memory(struct reading *r)
{
    r->no_memory = true;
    ber_fail(&r->ber, "needs more memory than is available");
}

static void read_ids(struct reading *r, struct defline *defline)
{
    struct defline_decoder *d = r->decoder;
    struct ber *b = &r->ber;
    size_t first = d->n_ids;
    struct ber_scope field, sequence;

    if (!ber_open(b, TAG_FIELD + 1, &field) || !ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    while (ber_more(b, &sequence)) {
        if (!array_reserve(&d->ids, &d->ids_capacity, d->n_ids + 1, sizeof *d->ids)) {
            fail_memory(r);
            return;
        }
        seqid_decode(b, &d->ids[d->n_ids]);
        d->n_ids++;
    }
    ber_close(b, &field);
    defline->n_ids += d->n_ids - first;
}

/* Reads a defline; skips memberships, links and other fields. */
static void read_defline(struct reading *r)
{
    struct defline_decoder *d = r->decoder;
    struct ber *b = &r->ber;
    struct defline *defline;
    struct ber_scope sequence;

    if (!ber_open(b, TAG_SEQUENCE, &sequence))
        return;
    if (!array_reserve(&d->deflines, &d->capacity, d->n + 1, sizeof *d->deflines)) {
        fail_memory(r);
        return;
    }
    defline = &d->deflines[d->n++];
    *defline = (struct defline){.taxid = 0};
    while (ber_more(b, &sequence)) {
        switch (ber_next(b)) {
        case TAG_FIELD:
            ber_string_field(b, TAG_FIELD, &defline->title);
            break;
        case TAG_FIELD + 1:
            read_ids(r, defline);
            break;
        case TAG_FIELD + 2:
            ber_integer_field(b, TAG_FIELD + 2, &defline->taxid);
            break;
        default:
            ber_skip(b);
        }
    }
}

tms_status defline_decode(struct defline_decoder *decoder, const uint8_t *bytes, size_t n, const char **why)
{
    struct reading r = {.decoder = decoder};
    struct ber_scope set;
    struct seqid *ids;

    decoder->n = decoder->n_ids = 0;
    if (n == 0)
        return TMS_OK;
    r.ber.at = bytes;
    r.ber.limit = bytes + n;
    if (ber_open(&r.ber, TAG_SEQUENCE, &set)) {
        while (ber_more(&r.ber, &set))
            read_defline(&r);
    }
    if (r.ber.fault == NULL && r.ber.at != bytes + n)
        ber_fail(&r.ber, "has extra bytes after its deflines");
    if (r.ber.fault != NULL) {
        decoder->n = decoder->n_ids = 0;
        *why = r.ber.fault;
        return r.no_memory ? TMS_E_MEMORY : TMS_E_FORMAT;
    }
    ids = decoder->ids; /* now, because the array may have moved before */
    for (size_t i = 0; i < decoder->n; i++) {
        decoder->deflines[i].ids = ids;
        if (ids != NULL)
            ids += decoder->deflines[i].n_ids;
    }
    return TMS_OK;
}

void defline_decoder_free(struct defline_decoder *decoder)
{
    free(decoder->deflines);
    free(decoder->ids);
    *decoder = (struct defline_decoder){0};
}
