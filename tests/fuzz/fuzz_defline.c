/* fuzz_defline.c - any bytes as the deflines of a sequence: texts lie in the bytes, and print. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "seqid/defline_decode.h"
#include "seqid/seqid_text.h"

/* Inside the bytes, or none. */
static void check_text(struct text text, const uint8_t *bytes, size_t n)
{
    assert(text.bytes == NULL ? text.n == 0
                              : (const uint8_t *)text.bytes >= bytes && text.n <= n && (const uint8_t *)text.bytes + text.n <= bytes + n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct defline_decoder decoder;
    static struct byte_array out;
    const char *why = NULL;
    size_t n_ids = 0;

    if (defline_decode(&decoder, data, size, &why) != TMS_OK) {
        assert(why != NULL && decoder.n == 0);
        return 0;
    }
    for (size_t i = 0; i < decoder.n; i++) {
        const struct defline *defline = &decoder.deflines[i];
        const struct seqid *best = seqid_best(defline);
        check_text(defline->title, data, size);
        assert((best == NULL) == (defline->n_ids == 0));
        assert(best == NULL || (best >= defline->ids && best < defline->ids + defline->n_ids));
        for (size_t k = 0; k < defline->n_ids; k++) {
            check_text(defline->ids[k].accession, data, size);
            check_text(defline->ids[k].name, data, size);
            check_text(defline->ids[k].release, data, size);
        }
        n_ids += defline->n_ids;
        out.n = 0;
        if (!seqid_text_all(defline, &out) || (best != NULL && (!seqid_text_fasta(best, &out) || !seqid_text_accession(best, &out))))
            abort();
    }
    assert(n_ids == decoder.n_ids);
    return 0;
}
