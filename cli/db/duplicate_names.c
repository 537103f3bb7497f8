#include "cli/db/duplicate_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { FIRST_SLOTS = 1024 };

/* The slot of a hash, or the free slot for it. */
static uint64_t *find(uint64_t *names, size_t n_slots, uint64_t hash)
{
    size_t i = (size_t)hash & (n_slots - 1);

    while (names[i] != 0 && names[i] != hash)
        i = (i + 1) & (n_slots - 1);
    return &names[i];
}

/* Makes room for one more name; at most half of the slots are used. Returns 0 if the table cannot grow. */
static int grow(record_notes *notes)
{
    size_t n_slots = notes->n_slots > 0 ? 2 * notes->n_slots : FIRST_SLOTS;
    uint64_t *names;

    if (2 * (notes->n_names + 1) <= notes->n_slots)
        return 1;
    names = notes->n_names < RECORD_NOTES_MAX_NAMES ? calloc(n_slots, sizeof *names) : NULL;
    if (names == NULL)
        return 0;
    for (size_t i = 0; i < notes->n_slots; i++)
        if (notes->names[i] != 0)
            *find(names, n_slots, notes->names[i]) = notes->names[i];
    free(notes->names);
    notes->names = names;
    notes->n_slots = n_slots;
    return 1;
}

/* FNV-1a; never 0. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name != '\0'; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    return hash + (hash == 0);
}

static void add_name(record_notes *notes, const char *name)
{
    uint64_t hash = hash_name(name), *slot;

    if (!grow(notes)) {
        notes->full = 1;
        return;
    }
    slot = find(notes->names, notes->n_slots, hash);
    if (*slot == hash) {
        if (notes->n_repeated++ == 0)
            snprintf(notes->repeated, sizeof notes->repeated, "%s", name);
        return;
    }
    *slot = hash;
    notes->n_names++;
}

void record_notes_add(record_notes *notes, const tms_dna *dna)
{
    for (size_t i = 0; i < dna->n_parts; i++) {
        const tms_dna_part *part = &dna->parts[i];
        if (part->offset + part->n_bases > notes->longest_bp)
            notes->longest_bp = part->offset + part->n_bases;
        if (part->record < notes->next)
            continue; /* the record began in an earlier chunk */
        notes->next = part->record + 1;
        if (!notes->full)
            add_name(notes, part->name);
    }
}

void record_notes_say(const record_notes *notes, const char *command, const char *what, uint32_t word_size, uint64_t n_words)
{
    unsigned long long n = notes->n_repeated;

    if (n > 0)
        cli_say(command, "%s: %llu record%s ha%s the name of an earlier record, the first '%s': the output cannot tell them apart", what, n,
                CLI_PLURAL(n), n == 1 ? "s" : "ve", notes->repeated);
    if (n_words > 0)
        return;
    if (notes->longest_bp < word_size)
        cli_say(command, "%s: nothing can match, because no record has %u bases (the longest has %llu)", what, word_size,
                (unsigned long long)notes->longest_bp);
    else
        cli_say(command, "%s: nothing can match, because no record has %u consecutive bases A, C, G or T", what, word_size);
}

void record_notes_free(record_notes *notes) { free(notes->names); }
