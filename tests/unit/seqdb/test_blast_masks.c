/*
 * test_blast_masks.c - the masks that blastp and blastn put on their queries: they are in the archive of a search (-outfmt 11).
 */
#include "mask/dust.h"
#include "mask/seg.h"
#include "tamis/alphabet.h"
#include "unit/mask/mask_samples.h"

enum { N_QUERIES = 60, QUIET = 77 };

static mask_sample queries[N_QUERIES];

static void make_queries(const char *path, const char *plain, const char *odd, const char *all)
{
    sample_random r = {sample_seed()};
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < N_QUERIES; i++) {
        do
            sample_make(&queries[i], &r, plain, odd, all);
        while (queries[i].n < 30);
        fprintf(f, ">%d\n%.*s\n", i, (int)queries[i].n, (const char *)queries[i].letters);
    }
    assert_int_equal(fclose(f), 0);
}

/* Intervals of each query, from the part of the archive that begins with "masks {". */
static void read_masks(FILE *f, struct intervals found[N_QUERIES])
{
    char line[1024];
    unsigned long from = 0, to = 0;
    int in_masks = 0, query;
    while (fgets(line, sizeof line, f)) {
        size_t indent = strspn(line, " ");
        if (indent == 4)
            in_masks = strncmp(line + 4, "masks", 5) == 0;
        if (!in_masks)
            continue;
        sscanf(line + indent, "from %lu", &from);
        sscanf(line + indent, "to %lu", &to);
        if (sscanf(line + indent, "id local str \"Query_%d\"", &query) == 1) {
            assert_in_range(query, 1, N_QUERIES);
            assert_true(intervals_add(&found[query - 1], from, to + 1));
        }
    }
}

static void run_blast(const char *program, const char *options, const char *path, struct intervals found[N_QUERIES])
{
    char command[1024];
    snprintf(command, sizeof command, "%s -query %s -subject %s.subject %s -outfmt 11 2>/dev/null", program, path, path, options);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    read_masks(f, found);
    assert_int_equal(pclose(f), 0);
}

static bool covers(const struct intervals *list, size_t n)
{
    uint64_t end = 0;
    for (size_t i = 0; i < list->n && list->items[i].start <= end; i++)
        end = list->items[i].end > end ? list->items[i].end : end;
    return end == n;
}

/* As the archive has them: segments that overlap are one there. */
static void join_overlapping(struct intervals *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (n > 0 && list->items[i].start < list->items[n - 1].end) {
            list->items[n - 1].start = list->items[i].start < list->items[n - 1].start ? list->items[i].start : list->items[n - 1].start;
            list->items[n - 1].end = list->items[i].end > list->items[n - 1].end ? list->items[i].end : list->items[n - 1].end;
        } else {
            list->items[n++] = list->items[i];
        }
    list->n = n;
}

/* A query that is masked from end to end is not searched, and not in the archive. */
static void compare(const char *what, const struct intervals want[N_QUERIES], struct intervals got[N_QUERIES])
{
    size_t n = 0;
    for (int i = 0; i < N_QUERIES; i++) {
        join_overlapping(&got[i]);
        if (want[i].n > 0 || !covers(&got[i], queries[i].n))
            assert_same_intervals(what, &queries[i], &want[i], &got[i]);
        n += want[i].n;
    }
    assert_true(n > N_QUERIES / 2);
}

static void free_all(struct intervals lists[N_QUERIES])
{
    for (int i = 0; i < N_QUERIES; i++)
        free(lists[i].items);
}

static void write_subject(const char *path, const char *letters)
{
    char name[64];
    snprintf(name, sizeof name, "%s.subject", path);
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fprintf(f, ">s\n%s\n", letters);
    assert_int_equal(fclose(f), 0);
}

static void test_blastn(void **state)
{
    const char *path = *state;
    static const struct {
        const char *options;
        tms_dust_params params;
    } cases[] = {{"-dust yes", TMS_DUST_AS_BLASTN}, {"-dust '15 32 4'", {32, 15, 4, 0}}, {"-dust '30 50 10'", {50, 30, 10, 0}}};
    write_subject(path, "GATTACAGATTACACCGATCGATCGGATCGAGCTAC");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct intervals want[N_QUERIES] = {{NULL, 0, 0}}, got[N_QUERIES] = {{NULL, 0, 0}};
        make_queries(path, "ACGT", "NNR", "ACGTNRYKMSWBDHV");
        run_blast("blastn", cases[k].options, path, want);
        for (int i = 0; i < N_QUERIES; i++) {
            uint8_t codes[sizeof queries[i].letters];
            assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, queries[i].letters, queries[i].n, codes), queries[i].n);
            assert_true(dust_mask(&cases[k].params, codes, queries[i].n, &got[i]));
        }
        compare(cases[k].options, want, got);
        free_all(want);
        free_all(got);
    }
}

static void test_blastp(void **state)
{
    const char *path = *state;
    static const struct {
        const char *options;
        tms_seg_params params;
    } cases[] = {{"-seg yes", TMS_SEG_QUERY}, {"-seg '10 1.8 2.1'", TMS_SEG_SUBJECT}, {"-seg '25 3 3.3'", {25, 0, 3, 3.3}}};
    write_subject(path, "MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKD");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct intervals want[N_QUERIES] = {{NULL, 0, 0}}, got[N_QUERIES] = {{NULL, 0, 0}};
        struct seg *seg = seg_create(&cases[k].params);
        assert_non_null(seg);
        make_queries(path, "ACDEFGHIKLMNPQRSTVWY", "XBZ*", "ACDEFGHIKLMNPQRSTVWYXBZU*");
        run_blast("blastp", cases[k].options, path, want);
        for (int i = 0; i < N_QUERIES; i++) {
            uint8_t codes[sizeof queries[i].letters];
            assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, queries[i].letters, queries[i].n, codes), queries[i].n);
            assert_true(seg_mask(seg, codes, queries[i].n, &got[i]));
        }
        compare(cases[k].options, want, got);
        seg_destroy(seg);
        free_all(want);
        free_all(got);
    }
}

static bool has(const char *command) { return system(command) == 0; }

int main(void)
{
    char path[32] = "/tmp/test_blast_masks.XXXXXX", subject[64];
    struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_blastn, path),
        cmocka_unit_test_prestate(test_blastp, path),
    };
    if (!has("blastn -version >/dev/null 2>&1 && blastp -version >/dev/null 2>&1")) {
        print_message("skipped: blastn and blastp are not installed\n");
        return QUIET;
    }
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(subject, sizeof subject, "%s.subject", path);
    unlink(subject);
    unlink(path);
    return failed;
}
