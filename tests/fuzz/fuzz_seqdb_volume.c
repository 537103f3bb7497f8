/*
 * fuzz_seqdb_volume.c - any bytes as the three files of a volume.
 *
 * The first byte says whether of proteins, four more how long index and headers are; what is left are the sequences. If the volume opens,
 * all of it is read, in ranges too: within its files, and to the same letters.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "seqdb/seqdb_struct.h"
#include "tamis/alphabet.h"

static tms_context *ctx;
static tms_seqdb_names *names;

/* Exactly so many bytes, so that the sanitizer sees what is read beyond them. */
static struct seqdb_bytes copy_of(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n + (n == 0));

    if (copy == NULL)
        abort();
    memcpy(copy, bytes, n);
    return (struct seqdb_bytes){copy, n};
}

static void read_sequence(const tms_seqdb *db, uint64_t i, int is_sound)
{
    uint64_t n = tms_seqdb_length(db, i), from = n / 3, to = n - n / 4;
    uint8_t *codes, *letters, *part;
    size_t n_names = 0;
    tms_status status;

    assert(n <= 4 * db->volumes->sequences.size);
    codes = malloc(n + 1);
    letters = malloc(n + 1);
    part = malloc(n + 1);
    if (codes == NULL || letters == NULL || part == NULL)
        abort();
    status = tms_seqdb_residues(db, i, 0, n, codes);
    assert(status == tms_seqdb_letters(db, i, 0, n, letters));
    assert(status == TMS_OK || !is_sound);
    if (status == TMS_OK) {
        tms_alphabet_decode(db->info.molecule == TMS_PROTEIN ? TMS_ALPHABET_NCBISTDAA : TMS_ALPHABET_BLASTNA, codes, n, codes);
        assert(memcmp(codes, letters, n) == 0);
        assert(tms_seqdb_letters(db, i, from, to, part) == TMS_OK && memcmp(part, letters + from, to - from) == 0);
    }
    status = tms_seqdb_names_read(db, i, names, &n_names);
    assert(status == TMS_OK || (status == TMS_E_FORMAT && !is_sound));
    for (size_t k = 0; status == TMS_OK && k < n_names; k++) {
        const tms_seqdb_name *name = tms_seqdb_names_get(names, k);
        assert(name->title_size <= db->volumes->headers.size && name->id_size > 0);
    }
    free(codes);
    free(letters);
    free(part);
}

static void read_volume(struct seqdb_volume *v)
{
    struct seqdb_slice slice = {0, 0, 0, v->n_oids};
    uint64_t starts[2] = {0, v->n_oids}, bytes[2] = {0, v->sequences.size}, next = 0;
    tms_seqdb db = {.volumes = v, .n_volumes = 1, .volume_starts = starts, .slices = &slice, .n_slices = 1, .byte_starts = bytes};
    const char *const ids[] = {"P12345", "gnl|BL_ORD_ID|0"};
    tms_seqdb_found found[2];
    tms_status status;
    int is_sound;

    db.info.n_sequences = v->n_oids;
    db.info.molecule = v->molecule;
    is_sound = tms_seqdb_check(ctx, &db, 0, v->n_oids) == TMS_OK;
    for (uint64_t k = 0; k < 7; k++) {
        tms_seqdb_range piece = tms_seqdb_cut(&db, k, 7);
        assert(piece.first == next && piece.end >= piece.first);
        next = piece.end;
    }
    assert(next == v->n_oids);
    for (uint64_t i = 0; i < v->n_oids; i++)
        read_sequence(&db, i, is_sound);
    status = tms_seqdb_find(ctx, &db, ids, 2, found);
    assert(status == TMS_OK || !is_sound);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seqdb_volume v = {0};
    size_t n_index, n_headers;

    if (size < 5)
        return 0;
    if (ctx == NULL &&
        (tms_context_create(&ctx) != TMS_OK || tms_context_set_threads(ctx, 1) != TMS_OK || tms_seqdb_names_create(ctx, &names) != TMS_OK))
        abort();
    v.molecule = data[0] & 1 ? TMS_PROTEIN : TMS_NUCLEOTIDE;
    n_index = (size_t)data[1] << 8 | data[2];
    n_headers = (size_t)data[3] << 8 | data[4];
    data += 5;
    size -= 5;
    n_index = n_index < size ? n_index : size;
    n_headers = n_headers < size - n_index ? n_headers : size - n_index;
    v.index = copy_of(data, n_index);
    v.headers = copy_of(data + n_index, n_headers);
    v.sequences = copy_of(data + n_index + n_headers, size - n_index - n_headers);
    if (seqdb_volume_check(ctx, &v) == TMS_OK)
        read_volume(&v);
    else
        assert(tms_context_message(ctx)[0] != '\0');
    free((void *)(uintptr_t)v.index.bytes);
    free((void *)(uintptr_t)v.headers.bytes);
    free((void *)(uintptr_t)v.sequences.bytes);
    return 0;
}
