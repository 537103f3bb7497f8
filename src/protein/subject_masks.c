/* subject_masks.c - hash tables by the subject's number, each with a lock of its own, so that threads seldom meet. */
#include "protein/subject_masks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES = 64, SLOTS = 4096, MOST = SLOTS / 4 * 3 /* subjects of a table */ };

struct slot {
    uint64_t subject;  /* its number plus one; 0: none */
    uint32_t first, n; /* its segments in the table's list */
};

struct table {
    pthread_mutex_t lock;
    struct slot *slots; /* SLOTS; NULL: none yet */
    size_t n;
    struct intervals segments; /* of all its subjects */
};

struct subject_masks {
    struct table tables[TABLES];
};

struct subject_masks *subject_masks_create(void)
{
    struct subject_masks *masks = calloc(1, sizeof *masks);

    for (size_t i = 0; i < TABLES && masks != NULL; i++)
        pthread_mutex_init(&masks->tables[i].lock, NULL);
    return masks;
}

void subject_masks_destroy(struct subject_masks *masks)
{
    for (size_t i = 0; i < TABLES && masks != NULL; i++) {
        pthread_mutex_destroy(&masks->tables[i].lock);
        free(masks->tables[i].slots);
        free(masks->tables[i].segments.items);
    }
    free(masks);
}

static struct table *table_of(struct subject_masks *masks, uint64_t oid) { return &masks->tables[oid % TABLES]; }

/* Returns the slot of a subject, or the empty one where it belongs. */
static struct slot *slot_of(const struct table *table, uint64_t oid)
{
    size_t i = (size_t)(oid / TABLES * 0x9E3779B97F4A7C15u >> 32) % SLOTS;

    while (table->slots[i].subject != 0 && table->slots[i].subject != oid + 1)
        i = (i + 1) % SLOTS;
    return &table->slots[i];
}

bool subject_masks_find(struct subject_masks *masks, uint64_t oid, struct intervals *out)
{
    struct table *table = table_of(masks, oid);
    bool is_known = false;

    pthread_mutex_lock(&table->lock);
    if (table->slots != NULL) {
        const struct slot *slot = slot_of(table, oid);
        is_known = slot->subject != 0 && array_reserve(&out->items, &out->capacity, out->n + slot->n, sizeof *out->items);
        if (is_known && slot->n > 0)
            memcpy(out->items + out->n, table->segments.items + slot->first, slot->n * sizeof *out->items);
        out->n += is_known ? slot->n : 0;
    }
    pthread_mutex_unlock(&table->lock);
    return is_known;
}

void subject_masks_keep(struct subject_masks *masks, uint64_t oid, const struct intervals *segments)
{
    struct table *table = table_of(masks, oid);
    struct intervals *all = &table->segments;

    pthread_mutex_lock(&table->lock);
    if (table->slots == NULL)
        table->slots = calloc(SLOTS, sizeof *table->slots);
    if (table->slots != NULL && table->n < MOST && all->n + segments->n <= UINT32_MAX &&
        array_reserve(&all->items, &all->capacity, all->n + segments->n, sizeof *all->items)) {
        struct slot *slot = slot_of(table, oid);
        if (slot->subject == 0) { /* else another thread was faster */
            *slot = (struct slot){oid + 1, (uint32_t)all->n, (uint32_t)segments->n};
            table->n++;
            if (segments->n > 0)
                memcpy(all->items + all->n, segments->items, segments->n * sizeof *all->items);
            all->n += segments->n;
        }
    }
    pthread_mutex_unlock(&table->lock);
}
