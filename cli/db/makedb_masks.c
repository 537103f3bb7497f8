/* makedb_masks.c - see makedb_masks.h. The messages are makeblastdb's. */
#include "cli/db/makedb_masks.h"

#include <stdlib.h>
#include <string.h>

static size_t count(const char *list)
{
    size_t n = 1;

    for (; *list != '\0'; list++)
        n += *list == ',';
    return n;
}

/* Cuts off the next item; *rest [in,out] the items after it. */
static char *cut(char **rest)
{
    char *item = *rest, *comma = strchr(item, ',');

    *rest = comma != NULL ? comma + 1 : item + strlen(item);
    if (comma != NULL)
        *comma = '\0';
    return item;
}

const char *makedb_masks_take(const char *files, const char *names, const char *descriptions, makedb_masks *masks)
{
    const char *lists[] = {files, names, descriptions};
    char *rest[3];

    *masks = (makedb_masks){.n = count(files)};
    masks->sources = calloc(masks->n, sizeof *masks->sources);
    for (size_t i = 0; i < 3; i++) {
        rest[i] = masks->words[i] = strdup(lists[i] != NULL ? lists[i] : "");
        if (masks->words[i] == NULL || masks->sources == NULL)
            return "";
    }
    if (names != NULL && count(names) != masks->n)
        return "BLAST options error: the size of mask_id does not match that of mask_data.";
    if (descriptions != NULL && count(descriptions) != masks->n)
        return "BLAST options error: the size of mask_desc does not match that of mask_data.";
    for (size_t i = 0; i < masks->n; i++) {
        const char *name = cut(&rest[1]), *description = cut(&rest[2]);
        masks->sources[i] = (db_mask_source){cut(&rest[0]), names != NULL ? name : NULL, descriptions != NULL ? description : NULL};
        if (names != NULL && name[strspn(name, "0123456789")] == '\0')
            return "BLAST options error: mask_id can not be numeric.";
    }
    return NULL;
}

void makedb_masks_free(makedb_masks *masks)
{
    for (size_t i = 0; i < 3; i++)
        free(masks->words[i]);
    free(masks->sources);
}
