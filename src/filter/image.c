/*
 * image.c - the filter file format, as bytes in memory (doc/format-filter.md).
 *
 * A 128-byte header, then the bits as little-endian words. The bits' checksum is the exclusive or, over chunks i = 0, 1, ... of
 * 1 MiB, of XXH3-64(chunk, seed i), so that all threads can share a large filter; the header has a checksum of its own.
 */
#include <inttypes.h>
#include <string.h>

#include "base/core.h"
#include "filter/image.h"
#include "hash/xxh3_core.h"

#define IMAGE_MAGIC          "TAMISFLT"
#define IMAGE_VERSION        1u
#define IMAGE_VERSION_PARTS  2u /* several blocks per key in the blocked layout; a version-1 reader would assume one */
#define IMAGE_VERSION_SHARD  3u /* a share of a build's keys, in any layout; an older reader would answer "no" for the other shares */
#define CHECKSUM_CHUNK_BYTES ((uint64_t)1 << 20)

/* Byte offsets of the header's fields; bytes between fields are reserved and zero. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_LAYOUT = 16,
    AT_HASH = 20,
    AT_SEED = 24,
    AT_M_BITS = 32,
    AT_N_KEYS = 40,
    AT_K = 48,
    AT_SAMPLING = 52, /* this and the next two: probabilistic layout only */
    AT_BITS_BYTES = 56,
    AT_BITS_CHECKSUM = 64,
    AT_P = 72,
    AT_IS_UNION = 80,
    AT_BLOCKS_PER_KEY = 84, /* versions 2 and 3 */
    AT_WORD_SIZE = 88,      /* this and the next three: words layout only */
    AT_SUBWORD_SIZE = 92,
    AT_MINIMIZER_SIZE = 96,
    AT_STRAND = 100,
    AT_SHARD = 104, /* this and the next three: version 3 only */
    AT_N_SHARDS = 108,
    AT_INPUT = 112,
    AT_OPTIONS = 116,
    AT_HEADER_CHECKSUM = 120
};
_Static_assert(AT_HEADER_CHECKSUM + 8 == IMAGE_HEADER_BYTES, "the header ends with its checksum");
_Static_assert(IMAGE_HEADER_BYTES % 64 == 0, "bits are aligned as the image is");

struct summing {
    const uint8_t *bits;
    uint64_t sum; /* atomic */
};

static void sum_chunk(void *arg, size_t from, size_t end)
{
    struct summing *s = arg;
    __atomic_fetch_xor(&s->sum, xxh3_64(s->bits + from, end - from, from / CHECKSUM_CHUNK_BYTES), __ATOMIC_RELAXED);
}

tms_status image_bits_checksum(tms_context *ctx, const uint8_t *bits, uint64_t size_bytes, uint64_t *out)
{
    struct summing s = {bits, 0};
    tms_status status = context_run_ranges(ctx, size_bytes, CHECKSUM_CHUNK_BYTES, sum_chunk, &s);
    *out = s.sum;
    return status;
}

tms_status image_write_header(tms_context *ctx, tms_filter *f)
{
    uint64_t bits_sum;
    tms_status status = image_bits_checksum(ctx, filter_bits(f), f->bits_bytes, &bits_sum);
    if (status != TMS_OK)
        return status;
    uint8_t *h = f->image;
    memset(h, 0, IMAGE_HEADER_BYTES);
    memcpy(h + AT_MAGIC, IMAGE_MAGIC, 8);
    uint32_t n_parts = filter_n_parts(&f->params);
    core_write32(h + AT_VERSION, f->shard.n_shards > 0 ? IMAGE_VERSION_SHARD : n_parts > 1 ? IMAGE_VERSION_PARTS : IMAGE_VERSION);
    core_write32(h + AT_HEADER_BYTES, IMAGE_HEADER_BYTES);
    core_write32(h + AT_LAYOUT, f->params.layout);
    core_write32(h + AT_HASH, f->params.hash);
    core_write64(h + AT_SEED, f->params.seed);
    core_write64(h + AT_M_BITS, f->params.m_bits);
    core_write64(h + AT_N_KEYS, f->n_keys);
    core_write32(h + AT_K, f->params.k);
    if (layout_facts(f->params.layout)->draws) {
        core_write32(h + AT_SAMPLING, f->params.sampling);
        uint64_t p;
        memcpy(&p, &f->params.p, sizeof p);
        core_write64(h + AT_P, p);
        core_write32(h + AT_IS_UNION, (uint32_t)f->is_union);
    }
    if (n_parts > 1)
        core_write32(h + AT_BLOCKS_PER_KEY, n_parts);
    if (layout_facts(f->params.layout)->words) {
        core_write32(h + AT_WORD_SIZE, f->params.word_size);
        core_write32(h + AT_SUBWORD_SIZE, f->params.subword_size);
        core_write32(h + AT_MINIMIZER_SIZE, f->params.minimizer_size);
        core_write32(h + AT_STRAND, f->params.strand);
    }
    if (f->shard.n_shards > 0) {
        core_write32(h + AT_SHARD, f->shard.shard);
        core_write32(h + AT_N_SHARDS, f->shard.n_shards);
        core_write32(h + AT_INPUT, f->shard.input);
        core_write32(h + AT_OPTIONS, f->shard.options);
    }
    core_write64(h + AT_BITS_BYTES, f->bits_bytes);
    core_write64(h + AT_BITS_CHECKSUM, bits_sum);
    core_write64(h + AT_HEADER_CHECKSUM, xxh3_64(h, AT_HEADER_CHECKSUM, 0));
    return TMS_OK;
}

/* Checks that reserved bytes, which a later version may define, and bits beyond m are zero. */
static bool all_zero(const uint8_t *p, size_t size)
{
    uint8_t any = 0;
    for (size_t i = 0; i < size; i++)
        any |= p[i];
    return any == 0;
}

static bool zero_beyond_m(const uint8_t *bits, uint64_t m_bits, uint64_t size_bytes)
{
    uint64_t last = m_bits / 8;
    return (m_bits % 8 == 0 || bits[last++] >> (m_bits % 8) == 0) && all_zero(bits + last, size_bytes - last);
}

/* Checks that the header is intact and of a supported version. */
static tms_status check_header(tms_context *ctx, const uint8_t *h, size_t size)
{
    if ((uintptr_t)h % 64)
        return context_fail(ctx, TMS_E_ARG, "a filter image must be aligned to 64 bytes in memory");
    if (size < 8 || memcmp(h + AT_MAGIC, IMAGE_MAGIC, 8) != 0)
        return context_fail(ctx, TMS_E_FORMAT, "not a tamis filter (it does not begin with %s)", IMAGE_MAGIC);
    if (size < IMAGE_HEADER_BYTES)
        return context_fail(ctx, TMS_E_FORMAT, "truncated: %zu bytes, but the header alone has %d", size, IMAGE_HEADER_BYTES);
    uint32_t version = core_read32(h + AT_VERSION);
    if (version < IMAGE_VERSION || version > IMAGE_VERSION_SHARD)
        return context_fail(ctx, TMS_E_FORMAT, "filter format version %u; this tamis reads versions %u to %u", version, IMAGE_VERSION,
                            IMAGE_VERSION_SHARD);
    uint64_t header_sum = xxh3_64(h, AT_HEADER_CHECKSUM, 0);
    if (header_sum != core_read64(h + AT_HEADER_CHECKSUM))
        return context_fail(ctx, TMS_E_FORMAT, "corrupt header: checksum %016" PRIx64 ", stored %016" PRIx64, header_sum,
                            core_read64(h + AT_HEADER_CHECKSUM));
    return TMS_OK;
}

/* A blocked shard with one block a key has 0 in this field, as a filter of version 1 has. */
static bool has_blocks_per_key(const uint8_t *h, const struct layout_facts *facts)
{
    const uint32_t version = core_read32(h + AT_VERSION);
    return version == IMAGE_VERSION_PARTS ||
           (version == IMAGE_VERSION_SHARD && facts->max_blocks && core_read32(h + AT_BLOCKS_PER_KEY) > 0);
}

static void read_params(const uint8_t *h, tms_filter *out)
{
    tms_filter_params *params = &out->params;
    params->layout = (tms_layout)core_read32(h + AT_LAYOUT);
    params->hash = (tms_hash)core_read32(h + AT_HASH);
    params->seed = core_read64(h + AT_SEED);
    params->m_bits = core_read64(h + AT_M_BITS);
    params->k = core_read32(h + AT_K);
    const struct layout_facts *facts = layout_facts(params->layout);
    uint64_t p = facts->draws ? core_read64(h + AT_P) : 0;
    memcpy(&params->p, &p, sizeof p);
    params->sampling = facts->draws ? (tms_sampling)core_read32(h + AT_SAMPLING) : TMS_SAMPLING_GEOMETRIC;
    out->is_union = facts->draws && core_read32(h + AT_IS_UNION) == 1;
    params->blocks_per_key = facts->max_blocks ? 1 : 0;
    if (has_blocks_per_key(h, facts))
        params->blocks_per_key = core_read32(h + AT_BLOCKS_PER_KEY);
    if (facts->words) {
        params->word_size = core_read32(h + AT_WORD_SIZE);
        params->subword_size = core_read32(h + AT_SUBWORD_SIZE);
        params->minimizer_size = core_read32(h + AT_MINIMIZER_SIZE);
        params->strand = (tms_strand)core_read32(h + AT_STRAND);
    }
    out->n_keys = core_read64(h + AT_N_KEYS);
    out->shard = (tms_filter_shard){0};
    if (core_read32(h + AT_VERSION) == IMAGE_VERSION_SHARD)
        out->shard = (tms_filter_shard){core_read32(h + AT_SHARD), core_read32(h + AT_N_SHARDS), core_read32(h + AT_INPUT),
                                        core_read32(h + AT_OPTIONS)};
}

/* Checks that reserved bytes and the fields of other layouts or versions are zero. */
static bool reserved_is_zero(const uint8_t *h, const struct layout_facts *facts)
{
    size_t reserved = facts->draws ? AT_IS_UNION + 4 : AT_P, after = AT_BLOCKS_PER_KEY, end = AT_HEADER_CHECKSUM;
    if (facts->words)
        after = AT_STRAND + 4;
    else if (has_blocks_per_key(h, facts))
        after = AT_BLOCKS_PER_KEY + 4;
    if (core_read32(h + AT_VERSION) == IMAGE_VERSION_SHARD)
        end = AT_SHARD;
    return (facts->draws || core_read32(h + AT_SAMPLING) == 0) && (!facts->words || core_read32(h + AT_BLOCKS_PER_KEY) == 0) &&
           all_zero(h + reserved, AT_BLOCKS_PER_KEY - reserved) && all_zero(h + after, end - after);
}

/* Checks that the parameters are valid and that the other fields agree with them and with the image's size. */
static tms_status check_params(tms_context *ctx, const uint8_t *h, size_t size, const tms_filter_params *params)
{
    const struct layout_facts *facts = layout_facts(params->layout);
    uint32_t version = core_read32(h + AT_VERSION);
    tms_status status = filter_check_params(ctx, params, TMS_E_FORMAT);
    if (status != TMS_OK)
        return status;
    if (has_blocks_per_key(h, facts) && params->blocks_per_key < 2)
        return context_fail(ctx, TMS_E_FORMAT, "corrupt header: version %u is for 2 blocks per key or more, not %u", version,
                            params->blocks_per_key);
    if (version == IMAGE_VERSION_SHARD && (core_read32(h + AT_SHARD) < 1 || core_read32(h + AT_SHARD) > core_read32(h + AT_N_SHARDS)))
        return context_fail(ctx, TMS_E_FORMAT, "corrupt header: shard %u of %u", core_read32(h + AT_SHARD), core_read32(h + AT_N_SHARDS));
    if (!reserved_is_zero(h, facts))
        return context_fail(ctx, TMS_E_FORMAT, "corrupt header: reserved bytes are not zero");
    if (facts->draws && core_read32(h + AT_IS_UNION) > 1)
        return context_fail(ctx, TMS_E_FORMAT, "corrupt header: the union mark is %u, not 0 or 1", core_read32(h + AT_IS_UNION));
    uint64_t image_bytes = IMAGE_HEADER_BYTES + core_read64(h + AT_BITS_BYTES);
    if (core_read32(h + AT_HEADER_BYTES) != IMAGE_HEADER_BYTES || core_read64(h + AT_BITS_BYTES) != filter_bits_bytes(params))
        return context_fail(ctx, TMS_E_FORMAT, "corrupt header: sizes do not fit m = %" PRIu64, params->m_bits);
    if (size != image_bytes)
        return context_fail(ctx, TMS_E_FORMAT, "%s: %zu bytes instead of %" PRIu64, size < image_bytes ? "truncated" : "trailing bytes",
                            size, image_bytes);
    return TMS_OK;
}

static tms_status check_bits(tms_context *ctx, const uint8_t *h, uint64_t m_bits, uint64_t bits_bytes)
{
    uint64_t bits_sum;
    tms_status status = image_bits_checksum(ctx, h + IMAGE_HEADER_BYTES, bits_bytes, &bits_sum);
    if (status != TMS_OK)
        return status;
    if (bits_sum != core_read64(h + AT_BITS_CHECKSUM))
        return context_fail(ctx, TMS_E_FORMAT, "corrupt bits: checksum %016" PRIx64 ", stored %016" PRIx64, bits_sum,
                            core_read64(h + AT_BITS_CHECKSUM));
    if (!zero_beyond_m(h + IMAGE_HEADER_BYTES, m_bits, bits_bytes))
        return context_fail(ctx, TMS_E_FORMAT, "corrupt bits: some beyond m = %" PRIu64 " are set", m_bits);
    return TMS_OK;
}

tms_status image_check(tms_context *ctx, const void *image, size_t size, tms_filter *out)
{
    const uint8_t *h = image;
    tms_status status = check_header(ctx, h, size);
    if (status != TMS_OK)
        return status;
    read_params(h, out);
    status = check_params(ctx, h, size, &out->params);
    if (status != TMS_OK)
        return status;
    out->bits_bytes = core_read64(h + AT_BITS_BYTES);
    return check_bits(ctx, h, out->params.m_bits, out->bits_bytes);
}
