#include "seqid/seqid_title.h"

#include "seqid/seqid_parse.h"
#include "seqid/seqid_text.h"

/* Appends what comes before the id, and the sequence's preferred id. */
static bool put_label(const char *word, size_t n, bool is_marked, struct byte_array *to)
{
    struct seqid ids[SEQID_MAX_IDS];
    struct defline defline = {.ids = ids};
    const struct seqid *best;
    size_t too_long;

    if (seqid_parse_barred(word, n, ids, &defline.n_ids, &too_long) != SEQID_PARSED)
        return byte_array_add(to, " >", 2) && byte_array_add(to, word, n);
    if (!byte_array_add(to, is_marked ? "\1" : " >", is_marked ? 1 : 2))
        return false;
    best = seqid_best(&defline);
    return seqid_is_label(best) ? seqid_text_fasta(best, to) : seqid_text_accession(best, to);
}

bool seqid_title_shorten(const char *text, size_t n, bool is_marked, struct byte_array *to)
{
    const char *end = text + n, *at;

    while ((at = memmem(text, (size_t)(end - text), " >", 2)) != NULL) {
        const char *word = at + 2, *blank = memchr(word, ' ', (size_t)(end - word));
        blank = blank != NULL ? blank : end;
        if (!byte_array_add(to, text, (size_t)(at - text)) || !put_label(word, (size_t)(blank - word), is_marked, to))
            return false;
        text = blank;
    }
    return byte_array_add(to, text, (size_t)(end - text));
}
