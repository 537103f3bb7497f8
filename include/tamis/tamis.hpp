/*
 * tamis.hpp - filter.h, builder.h and context.h for C++17: owners that free what they own, keys as views, failures as exceptions.
 *
 *     tamis::context ctx;
 *     tamis::filter words = tamis::filter::of(ctx, tamis::keys(list), 1e-3);       a std::vector<std::string>, say
 *     if (words.has("drum")) ...
 *     std::vector<std::uint8_t> hit = words.query(ctx, tamis::keys(more));         1 or 0 for each
 *     words.save(ctx, "words.tms");
 *
 * A header only: it calls the C interface of libtamis, whose comments describe each call, its errors and its thread safety. get() returns
 * the C object, for calls without a method here. Owners can be moved, not copied; a moved-from owner is empty, and may only be assigned to
 * or destroyed. A failure throws tamis::error with the library's sentence, and leaves the object of the call as the C call does.
 */
#ifndef TAMIS_TAMIS_HPP
#define TAMIS_TAMIS_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/tamis.h"

namespace tamis
{

/* The status of a failed call; what() is the sentence that it left. */
class error : public std::runtime_error
{
  public:
    error(tms_status status, const std::string &message) : std::runtime_error(message), status_(status) {}
    tms_status status() const noexcept { return status_; }

  private:
    tms_status status_;
};

/* A context (context.h); each calling thread needs its own. device: TMS_DEVICE_CPU, TMS_DEVICE_AUTO or a CUDA number. */
class context
{
  public:
    explicit context(int device = TMS_DEVICE_CPU, int n_threads = 0)
    {
        tms_context *made = nullptr;
        if (tms_context_create(&made) != TMS_OK)
            throw error(TMS_E_MEMORY, "out of memory: a context");
        owner_.reset(made);
        if (n_threads > 0)
            check(tms_context_set_threads(made, n_threads));
        if (device != TMS_DEVICE_CPU)
            check(tms_context_set_device(made, device));
    }
    tms_context *get() const noexcept { return owner_.get(); }

    /* Throws the error of a failed call with this context. */
    void check(tms_status status) const
    {
        if (status != TMS_OK)
            throw error(status, tms_context_message(get()));
    }

  private:
    struct destroy {
        void operator()(tms_context *ctx) const noexcept { tms_context_destroy(ctx); }
    };
    std::unique_ptr<tms_context, destroy> owner_;
};

/*
 * A batch of keys (tms_keys): of one array, which is borrowed and not copied, or of strings, whose bytes the batch copies to its own
 * buffer. At most 4 GiB of strings; insert or query a longer list in parts.
 */
class keys
{
  public:
    /* n keys of key_size bytes each, one behind the other: numbers, fixed-size records. Borrowed. */
    keys(const void *bytes, std::size_t n, std::uint32_t key_size) noexcept : batch_()
    {
        batch_.bytes = static_cast<const std::uint8_t *>(bytes);
        batch_.n_keys = n;
        batch_.key_size = key_size;
    }

    /* The elements of any range that convert to std::string_view: a std::vector<std::string>, an array of const char *. */
    template <class Range> explicit keys(const Range &strings) : offsets_(1, 0), batch_()
    {
        for (const auto &item : strings) {
            const std::string_view key(item);
            if (key.size() > std::numeric_limits<std::uint32_t>::max() - bytes_.size())
                throw error(TMS_E_ARG, "a batch of more than 4 GiB of strings: use several");
            bytes_.append(key);
            offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
        }
    }

    std::size_t size() const noexcept { return offsets_.empty() ? batch_.n_keys : offsets_.size() - 1; }

    /* For the C interface; valid while the batch exists and is not moved. */
    tms_keys view() const noexcept
    {
        tms_keys all = batch_;
        if (!offsets_.empty()) {
            all.bytes = reinterpret_cast<const std::uint8_t *>(bytes_.data());
            all.offsets = offsets_.data();
            all.n_keys = offsets_.size() - 1;
        }
        return all;
    }

  private:
    std::string bytes_;
    std::vector<std::uint32_t> offsets_; /* empty: fixed-size keys */
    tms_keys batch_;
};

/* A filter (filter.h). */
class filter
{
  public:
    /* From parameters, computed by tms_filter_size() or set by hand. */
    filter(const context &ctx, const tms_filter_params &params)
    {
        tms_filter *made = nullptr;
        ctx.check(tms_filter_create(ctx.get(), &params, &made));
        owner_.reset(made);
    }

    /* An empty blocked filter with room for n_keys at a false-positive rate. */
    static filter with_room(const context &ctx, std::uint64_t n_keys, double fpr = TMS_DEFAULT_FPR)
    {
        tms_filter_want want = {};
        tms_filter_params params = {};
        want.layout = TMS_LAYOUT_BLOCKED;
        want.hash = TMS_HASH_XXH3;
        want.n_keys = n_keys > 0 ? n_keys : 1;
        want.fpr = fpr;
        ctx.check(tms_filter_size(ctx.get(), &want, &params));
        return filter(ctx, params);
    }

    /* A filter of these keys. */
    static filter of(const context &ctx, const keys &batch, double fpr = TMS_DEFAULT_FPR)
    {
        filter made = with_room(ctx, batch.size(), fpr);
        made.insert(ctx, batch);
        return made;
    }

    /* Maps a file of the command or of save(): the filter can be queried, not inserted into. */
    static filter load(const context &ctx, const std::string &path)
    {
        tms_filter *loaded = nullptr;
        ctx.check(tms_filter_load(ctx.get(), path.c_str(), &loaded));
        return filter(loaded);
    }

    void save(const context &ctx, const std::string &path) { ctx.check(tms_filter_save(ctx.get(), get(), path.c_str())); }

    filter copy(const context &ctx) const
    {
        tms_filter *copied = nullptr;
        ctx.check(tms_filter_copy(ctx.get(), get(), &copied));
        return filter(copied);
    }

    void insert(const context &ctx, const keys &batch)
    {
        const tms_keys view = batch.view();
        ctx.check(tms_filter_insert(ctx.get(), get(), &view));
    }

    /* A byte for each key, 1 or 0. */
    std::vector<std::uint8_t> query(const context &ctx, const keys &batch) const
    {
        const tms_keys view = batch.view();
        std::vector<std::uint8_t> hit(batch.size());
        ctx.check(tms_filter_query(ctx.get(), get(), &view, hit.data()));
        return hit;
    }

    /* false: certainly not in the set. */
    bool has(std::string_view key) const noexcept { return tms_filter_has(get(), key.data(), key.size()) != 0; }

    void merge(const context &ctx, const filter &other, tms_merge how = TMS_MERGE_UNION)
    {
        ctx.check(tms_filter_merge(ctx.get(), get(), other.get(), how));
    }

    const tms_filter_params &params() const noexcept { return *tms_filter_get_params(get()); }
    tms_filter *get() const noexcept { return owner_.get(); }

    /* Takes ownership of a filter from the C interface. */
    explicit filter(tms_filter *owned) noexcept : owner_(owned) {}

  private:
    struct destroy {
        void operator()(tms_filter *f) const noexcept { tms_filter_destroy(f); }
    };
    std::unique_ptr<tms_filter, destroy> owner_;
};

/* A filter of keys whose number is known only after the last one (builder.h). */
class builder
{
  public:
    explicit builder(const context &ctx, double fpr = TMS_DEFAULT_FPR)
    {
        tms_filter_want want = {};
        tms_builder *made = nullptr;
        want.layout = TMS_LAYOUT_BLOCKED;
        want.hash = TMS_HASH_XXH3;
        want.fpr = fpr;
        ctx.check(tms_builder_create(ctx.get(), &want, &made));
        owner_.reset(made);
    }

    void add(const context &ctx, const keys &batch)
    {
        const tms_keys view = batch.view();
        ctx.check(tms_builder_add(ctx.get(), get(), &view));
    }

    /* Ends the builder, which can only be destroyed afterwards. */
    filter finish(const context &ctx)
    {
        tms_filter *made = nullptr;
        ctx.check(tms_builder_finish(ctx.get(), get(), &made));
        return filter(made);
    }

    tms_builder *get() const noexcept { return owner_.get(); }

  private:
    struct destroy {
        void operator()(tms_builder *b) const noexcept { tms_builder_destroy(b); }
    };
    std::unique_ptr<tms_builder, destroy> owner_;
};

} // namespace tamis

#endif
