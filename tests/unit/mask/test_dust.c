/*
 * test_dust.c - DUST against a plain form of it: the window as a list of triplets, the perfect stretches as a list, all recounted. It is
 * what NCBI's programs do, step by step; tests/cli/mask.bats compares the result with dustmasker, test_blast_masks.c with blastn.
 */
#include "base/lagged_random.h"
#include "mask/dust.h"
#include "tamis/alphabet.h"
#include "unit/mask/mask_samples.h"

/* ---- the plain form */

struct stretch {
    long from, to, score, length;
};

struct plain {
    const tms_dust_params *params;
    const uint8_t *codes;
    long end; /* of the piece */
    struct lagged_random random;
    uint8_t triplets[16384]; /* of the pass */
    long first, last, suffix;
    struct stretch perfect[8192]; /* by start, the largest first */
    size_t n_perfect;
    struct intervals *out;
    size_t first_of_piece;
};

static int plain_letter(struct plain *p, long at)
{
    uint8_t code = p->codes[at];
    return code < 4 ? code : code == 14 ? (int)(lagged_random_draw(&p->random) & 3) : 0;
}

static long score_of(const struct plain *p, long from, long to)
{
    long counts[64] = {0}, score = 0;
    for (long i = from; i < to; i++)
        score += counts[p->triplets[i]]++;
    return score;
}

static bool all_equal(const struct plain *p)
{
    for (long i = p->first; i < p->last; i++)
        if (p->triplets[i] != p->triplets[p->first])
            return false;
    return true;
}

static long threshold(const struct plain *p, long c) { return c ? c * (long)p->params->level : 1; }

static void plain_save(struct plain *p, long start, long before)
{
    struct intervals *out = p->out;
    if (p->n_perfect == 0 || p->perfect[p->n_perfect - 1].from >= before)
        return;
    uint64_t from = (uint64_t)(start + p->perfect[p->n_perfect - 1].from), end = (uint64_t)(start + p->perfect[p->n_perfect - 1].to + 1);
    if (out->n > p->first_of_piece && from <= out->items[out->n - 1].end - 1 + p->params->linker) {
        if (out->items[out->n - 1].end < end)
            out->items[out->n - 1].end = end;
    } else {
        assert_true(intervals_add(out, from, end));
    }
    while (p->n_perfect > 0 && p->perfect[p->n_perfect - 1].from < before)
        p->n_perfect--;
}

static void plain_insert(struct plain *p, size_t at, struct stretch s)
{
    assert_true(p->n_perfect < sizeof p->perfect / sizeof *p->perfect);
    memmove(p->perfect + at + 1, p->perfect + at, (p->n_perfect - at) * sizeof *p->perfect);
    p->perfect[at] = s;
    p->n_perfect++;
}

static void plain_find(struct plain *p)
{
    long c = p->last - p->suffix;
    struct stretch best = {0, 0, 0, 0};
    size_t cursor = 0;
    if (c >= p->last - p->first || 10 * score_of(p, p->first, p->last) <= threshold(p, c))
        return;
    for (long at = p->suffix - 1; at >= p->first; at--, c++) {
        long score = score_of(p, at, p->last);
        if (score == score_of(p, at + 1, p->last) || 10 * score <= threshold(p, c))
            continue;
        for (; cursor < p->n_perfect && p->perfect[cursor].from >= at; cursor++)
            if (best.score == 0 || best.length * p->perfect[cursor].score > best.score * p->perfect[cursor].length)
                best = p->perfect[cursor];
        if (best.score == 0 || score * best.length >= best.score * c) {
            best = (struct stretch){at, p->last + 1, score, c};
            plain_insert(p, cursor, best);
        }
    }
}

/* One pass. Returns where in it the next begins. */
static long plain_pass(struct plain *p, long start)
{
    const long capacity = p->params->window - 2;
    int triplet = plain_letter(p, start) << 2;
    bool is_mono = false;

    triplet |= plain_letter(p, start + 1);
    p->first = p->last = p->suffix = 0;
    p->n_perfect = 0;
    for (long at = start + 2; at < p->end; at++) {
        plain_save(p, start, p->first);
        triplet = (triplet << 2 | plain_letter(p, at)) & 63;
        if (p->last - p->first == capacity) {
            p->first++;
            p->suffix = p->suffix < p->first ? p->first : p->suffix;
        }
        p->triplets[p->last++] = (uint8_t)triplet;
        for (long n = 0, i = p->last - 1; i >= p->suffix; i--)
            if (p->triplets[i] == triplet && ++n > (long)(p->params->level / 5))
                p->suffix = i + 1;
        if (p->last - p->first == capacity && all_equal(p)) {
            if (!is_mono)
                p->n_perfect = 0;
            plain_insert(p, 0, (struct stretch){p->first, p->last + 1, 0, 0});
            is_mono = true;
        } else if (is_mono) {
            break;
        } else {
            plain_find(p);
        }
    }
    for (long w = p->first; p->n_perfect > 0; w++)
        plain_save(p, start, w);
    return p->first;
}

static void plain_piece(struct plain *p, long start, long end)
{
    p->end = end;
    p->first_of_piece = p->out->n;
    while (end > start + 2) {
        long rest = plain_pass(p, start);
        if (rest == 0)
            break;
        start += rest;
    }
}

/* dustmasker: a run of N at an end, or longer than the window, is masked; it joins a neighbour at the linker's distance, and only there. */
static void plain_runs(struct plain *p, size_t n)
{
    struct intervals *out = p->out, all = {NULL, 0, 0};
    size_t start = 0;
    for (size_t i = 0; i <= n; i++) {
        size_t end = i;
        while (end < n && p->codes[end] == 14)
            end++;
        if (i < n && (end == i || (i > 0 && end < n && end - i <= p->params->window))) {
            i = end > i ? end - 1 : i;
            continue;
        }
        size_t before = out->n;
        plain_piece(p, (long)start, (long)i);
        if (i < n)
            assert_true(intervals_add(out, i, end));
        for (size_t k = before; k < out->n; k++) {
            bool is_border = k == before || (i < n && k == out->n - 1);
            if (is_border && all.n > 0 && out->items[k].start == all.items[all.n - 1].end - 1 + p->params->linker)
                all.items[all.n - 1].end = out->items[k].end;
            else
                assert_true(intervals_add(&all, out->items[k].start, out->items[k].end));
        }
        start = end;
        i = end > i ? end - 1 : i;
    }
    free(out->items);
    *out = all;
}

static void plain_dust(const tms_dust_params *params, const uint8_t *codes, size_t n, struct intervals *out)
{
    static struct plain p;
    p.params = params;
    p.codes = codes;
    p.random = lagged_random_unseeded;
    p.out = out;
    if (params->rule == TMS_DUST_DUSTMASKER)
        plain_runs(&p, n);
    else
        plain_piece(&p, 0, (long)n);
}

/* ---- tests */

static void compare(const tms_dust_params *params, const mask_sample *s)
{
    uint8_t codes[sizeof s->letters];
    struct intervals want = {NULL, 0, 0}, got = {NULL, 0, 0};
    char what[100];
    snprintf(what, sizeof what, "window %u level %u linker %u rule %u", params->window, params->level, params->linker, params->rule);
    assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, s->letters, s->n, codes), s->n);
    plain_dust(params, codes, s->n, &want);
    assert_true(dust_mask(params, codes, s->n, &got));
    assert_same_intervals(what, s, &want, &got);
    free(want.items);
    free(got.items);
}

static const tms_dust_params defaults[] = {TMS_DUST_AS_BLASTN, TMS_DUST_AS_DUSTMASKER};

static void test_equal_to_the_plain_form(void **state)
{
    (void)state;
    static const uint32_t windows[] = {8, 9, 16, 32, 63, 64}, levels[] = {2, 4, 5, 6, 10, 15, 20, 40, 64}, linkers[] = {1, 2, 5, 32};
    sample_random r = {sample_seed()};
    mask_sample s;
    for (int i = 0; i < (sample_is_quick() ? 60 : 400); i++) {
        tms_dust_params params = {windows[random_below(&r, 6)], levels[random_below(&r, 9)], linkers[random_below(&r, 4)], i % 2};
        sample_make(&s, &r, "ACGT", "NNNRY", "ACGTNRYKMSWBDHVacgtn");
        compare(&params, &s);
        compare(&defaults[i % 2], &s);
    }
}

static void test_runs_of_n(void **state)
{
    (void)state;
    static const unsigned runs[] = {0, 1, 2, 63, 64, 65, 66, 1000};
    sample_random r = {sample_seed()};
    mask_sample s;
    for (int i = 0; i < 8 * 8 * 8; i += sample_is_quick() ? 9 : 1) {
        s.n = 0;
        for (int part = 0; part < 3; part++) {
            for (unsigned n = runs[i >> (3 * part) & 7]; n > 0; n--)
                sample_add(&s, 'N');
            sample_add_random(&s, &r, part ? "ACGT" : "AC", part < 2 ? random_below(&r, 100) : 0);
        }
        compare(&defaults[0], &s);
        compare(&defaults[1], &s);
    }
}

/* Runs of a letter about as long as the window, where passes begin and end. */
static void test_homopolymers(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    mask_sample s;
    for (unsigned n = 1; n < 140; n += sample_is_quick() ? 7 : 1)
        for (int where = 0; where < 4; where++) {
            s.n = 0;
            sample_add_random(&s, &r, "ACGT", where & 1 ? 70 : 0);
            for (unsigned i = 0; i < n; i++)
                sample_add(&s, 'T');
            sample_add_random(&s, &r, "ACGTN", where & 2 ? 70 : 0);
            compare(&defaults[n % 2], &s);
        }
}

/* The triplets are made a block at a time: sequences that end at a block's end, and N that are read twice there. */
static void test_ends_of_blocks(void **state)
{
    (void)state;
    enum { MOST = 3 * 4096 + 8 };
    static uint8_t codes[MOST];
    sample_random r = {sample_seed()};
    struct intervals got = {NULL, 0, 0}, want = {NULL, 0, 0};
    const size_t sizes[] = {4095, 4096, 4097, 4098, 4099, 2 * 4096 + 1, 2 * 4096 + 2, 2 * 4096 + 3, MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        for (size_t i = 0; i < n; i++)
            codes[i] = (uint8_t)(random_below(&r, 40) == 0 ? 14 : i % 500 < 200 ? random_below(&r, 2) : random_below(&r, 4));
        memset(codes + 4060, 2, 70); /* a window of equal triplets across a block's end */
        want.n = got.n = 0;
        plain_dust(&defaults[0], codes, n, &want);
        assert_true(dust_mask(&defaults[0], codes, n, &got));
        assert_int_equal(want.n, got.n);
        assert_true(want.n >= 4);
        assert_memory_equal(want.items, got.items, want.n * sizeof *want.items);
    }
    free(want.items);
    free(got.items);
}

/* A piece cut at all positions where it may be: the parts' intervals, joined, are those of the whole. */
static void test_parts(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    mask_sample s;
    int n_cuts = 0;
    for (int i = 0; i < (sample_is_quick() ? 60 : 500); i++) {
        static const uint32_t windows[] = {8, 16, 33, 64}, levels[] = {2, 5, 11, 20, 40}, linkers[] = {1, 4, 32};
        const tms_dust_params params = {windows[random_below(&r, 4)], levels[random_below(&r, 5)], linkers[random_below(&r, 3)], 0};
        struct intervals want = {NULL, 0, 0}, part = {NULL, 0, 0}, got = {NULL, 0, 0};
        struct dust_list list = {&got, 0, params.linker, true};
        uint8_t codes[sizeof s.letters];
        do
            sample_make(&s, &r, "ACGT", "ACR", "ACGTRYacgt");
        while (s.n == 0);
        while (s.n < 3000)
            sample_add_stretch(&s, &r, "ACGT", "ACR", "ACGTRYacgt");
        assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, s.letters, s.n, codes), s.n);
        assert_true(dust_mask(&params, codes, s.n, &want));
        const struct dust_segment piece = {0, s.n, s.n};
        for (size_t from = 0, to; from < s.n; from = to) {
            to = dust_cut(&params, codes, &piece, from + 1 + random_below(&r, 200));
            assert_true(to > from && to <= s.n);
            struct lagged_random random = lagged_random_unseeded;
            part.n = 0;
            assert_true(dust_mask_part(&params, codes, &piece, from, to, &random, &part));
            for (size_t k = 0; k < part.n; k++)
                assert_true(dust_list_add(&list, part.items[k].start, part.items[k].end));
            n_cuts += to < s.n;
        }
        assert_same_intervals("parts", &s, &want, &got);
        free(want.items);
        free(part.items);
        free(got.items);
    }
    assert_true(n_cuts > 60);
}

/* The intervals of the reverse complement, mirrored, behind those that the list has; N is drawn from the other end on. */
static void test_minus(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    mask_sample s;
    int n_other = 0;
    for (int i = 0; i < (sample_is_quick() ? 60 : 500); i++) {
        struct intervals want = {NULL, 0, 0}, got = {NULL, 0, 0}, plus = {NULL, 0, 0};
        uint8_t codes[sizeof s.letters], minus[sizeof s.letters];
        sample_make(&s, &r, "ACGT", "ACN", "ACGTRYNacgt");
        assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, s.letters, s.n, codes), s.n);
        for (size_t k = 0; k < s.n; k++)
            minus[k] = tms_alphabet_complements(TMS_ALPHABET_BLASTNA)[codes[s.n - 1 - k]];
        assert_true(dust_mask(&defaults[0], minus, s.n, &want) && dust_mask(&defaults[0], codes, s.n, &plus));
        assert_true(intervals_add(&got, 5, 6));
        assert_true(dust_mask_minus(&defaults[0], codes, s.n, &got));
        assert_int_equal(got.n, want.n + 1);
        assert_true(got.items[0].start == 5 && got.items[0].end == 6);
        for (size_t k = 0; k < want.n; k++) {
            assert_int_equal(got.items[want.n - k].start, s.n - want.items[k].end);
            assert_int_equal(got.items[want.n - k].end, s.n - want.items[k].start);
        }
        n_other += plus.n != want.n || (plus.n > 0 && memcmp(plus.items, got.items + 1, plus.n * sizeof *plus.items) != 0);
        free(want.items);
        free(got.items);
        free(plus.items);
    }
    assert_true(n_other > 0);
}

/* The generator's first numbers: its definition, x(i) = x(i - 33) + x(i - 13), from the first 33, which lie backwards. */
static void test_random_numbers(void **state)
{
    (void)state;
    struct lagged_random g = lagged_random_unseeded;
    uint32_t x[33 + 200];
    for (int i = 0; i < 33; i++)
        x[i] = lagged_random_unseeded.state[32 - i];
    for (int i = 33; i < 33 + 200; i++) {
        x[i] = x[i - 33] + x[i - 13];
        assert_int_equal(lagged_random_draw(&g), x[i] >> 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_to_the_plain_form),
        cmocka_unit_test(test_runs_of_n),
        cmocka_unit_test(test_homopolymers),
        cmocka_unit_test(test_ends_of_blocks),
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_minus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
