/*
 * base_cases.c - pairs of a file of queries and a file of subjects, of nucleotides, with options of blastn, at random: those on which
 * identity.sh compares tamis with NCBI's program. The same seed gives the same files.
 *
 *     base_cases SEED FIRST N DIRECTORY FORMAT...
 *
 * The files are those of identity_cases.c. A database v4-masked or v5-masked has masks of algorithm 40, where subjects are in lower case.
 */
#include "identity_draw.h"

enum { MOST_PARENTS = 8 };

static struct letters parents[MOST_PARENTS], now, piece;
static size_t n_parents;

static const char bases[] = "ACGT", ambiguous[] = "NNNNNNRYMKWSBDHV";

/* --- sequences --- */

/* A unit again and again, with some bases changed. */
static void add_repeats(struct letters *to, size_t n)
{
    char unit[200];
    const size_t length = any_size(1, 180);
    const double noise = chance(0.3) ? 0 : chance(0.5) ? 0.02 : 0.1;

    for (size_t i = 0; i < length; i++)
        unit[i] = bases[draw() % 4];
    for (size_t i = 0; i < n; i++)
        add(to, chance(noise) ? bases[draw() % 4] : unit[i % length]);
}

static void make_parents(size_t n, size_t longest)
{
    for (n_parents = 0; n_parents < n; n_parents++) {
        struct letters *p = &parents[n_parents];
        const size_t length = any_size(20, longest);
        p->n = 0;
        while (p->n < length) {
            const size_t some = any_size(1, length - p->n);
            if (chance(0.2))
                add_repeats(p, some);
            else
                add_random(p, chance(0.8) ? bases : chance(0.5) ? "AAAAAACGT" : "GGGCCCAT", some);
        }
    }
}

static char complement(char base)
{
    static const char from[] = "ACGTRYMKWSBDHVN", to[] = "TGCAYRKMWSVHDBN";

    return to[strchr(from, base) - from];
}

static void reverse(struct letters *l)
{
    for (size_t i = 0; i < (l->n + 1) / 2; i++) {
        const char first = complement(l->at[i]);
        l->at[i] = complement(l->at[l->n - 1 - i]);
        l->at[l->n - 1 - i] = first;
    }
}

/* A part of a parent, changed, to `piece`. */
static void copy_part(const struct letters *from, size_t most)
{
    static const double rates[] = {0, 0, 0.01, 0.03, 0.06, 0.1, 0.15}, indels[] = {0, 0, 0.003, 0.01, 0.03};
    const double rate = rates[draw() % (sizeof rates / sizeof *rates)], indel = indels[draw() % (sizeof indels / sizeof *indels)];
    const double unknown = chance(0.3) ? 0.003 : 0;
    size_t begin = 0, end = from->n;

    if (from->n > 10 && chance(0.6)) {
        begin = between(0, from->n - 8);
        end = between(begin + 1, from->n);
    }
    piece.n = 0;
    for (size_t i = begin; i < end && piece.n < most; i++) {
        if (chance(indel) && chance(0.5))
            add_random(&piece, bases, any_size(1, 12));
        else if (chance(indel))
            continue;
        if (chance(unknown)) {
            const char code = ambiguous[draw() % (sizeof ambiguous - 1)];
            for (size_t k = chance(0.5) ? 1 : any_size(1, 80); k > 0; k--)
                add(&piece, code);
        }
        add(&piece, chance(rate) ? bases[draw() % 4] : from->at[i]);
    }
    if (chance(0.3))
        reverse(&piece);
}

static void make_sequence(size_t n, double related)
{
    now.n = 0;
    while (now.n < n) {
        const size_t left = n - now.n;
        if (chance(related)) {
            copy_part(&parents[draw() % n_parents], left);
            for (size_t i = 0; i < piece.n; i++)
                add(&now, piece.at[i]);
        } else if (chance(0.85)) {
            add_random(&now, bases, any_size(1, left));
        } else {
            add_repeats(&now, any_size(1, left));
        }
    }
}

/* --- kinds --- */

enum kind { SMALL, SHORT, MANY, BATCHES, LONG, TIES, REPEATS, N_KINDS };
static const char *const kind_names[N_KINDS] = {"small", "short", "many", "batches", "long", "ties", "repeats"};

static const struct sizes kind_sizes[N_KINDS] = {
    [SMALL] = {{1, 20}, {8, 3000}, {1, 60}, {8, 4000}},     [SHORT] = {{1, 30}, {1, 60}, {1, 30}, {4, 2000}},
    [MANY] = {{1, 3}, {50, 600}, {100, 900}, {10, 300}},    [BATCHES] = {{20, 100}, {20, 1200}, {5, 40}, {20, 3000}},
    [LONG] = {{1, 3}, {5000, 60000}, {1, 8}, {500, 60000}}, [TIES] = {{1, 6}, {20, 600}, {10, 60}, {20, 600}},
    [REPEATS] = {{1, 6}, {30, 1500}, {1, 12}, {50, 3000}},
};

static enum kind a_kind(void)
{
    const size_t k = between(0, 99);

    return k < 45 ? SMALL : k < 57 ? SHORT : k < 62 ? MANY : k < 70 ? BATCHES : k < 75 ? LONG : k < 83 ? TIES : REPEATS;
}

static void make_one(enum kind kind, const size_t *range)
{
    if (kind == REPEATS && chance(0.7)) {
        now.n = 0;
        for (size_t k = between(1, 4); k > 0; k--) {
            size_t copies = any_size(1, 20);
            if (chance(0.4))
                add_repeats(&now, of_range(range));
            for (; copies > 0 && now.n < range[1]; copies--) {
                copy_part(&parents[draw() % n_parents], range[1]);
                for (size_t i = 0; i < piece.n; i++)
                    add(&now, piece.at[i]);
            }
        }
    } else if (kind == TIES && chance(0.8)) {
        now = parents[draw() % n_parents];
    } else {
        make_sequence(of_range(range), chance(0.5) ? 0.9 : 0.4);
    }
}

/* The last base is in upper case: what NCBI's program does with a hard mask that reaches the end is not copied. */
static void put_record(FILE *to, char prefix, size_t number, double lower)
{
    int is_lower = 0;
    const size_t width = chance(0.1) ? 1 << 20 : between(50, 80);

    fprintf(to, ">%c%zu%s\n", prefix, number, chance(0.3) ? " a title" : "");
    for (size_t i = 0; i < now.n; i++) {
        if (lower > 0 && chance(is_lower ? 0.03 : lower / 20))
            is_lower = !is_lower;
        fputc(is_lower && i + 1 < now.n ? now.at[i] + ('a' - 'A') : now.at[i], to);
        if ((i + 1) % width == 0)
            fputc('\n', to);
    }
    fputc('\n', to);
}

static void put_all(enum kind kind, FILE *to, char prefix, size_t n, const size_t *range, double lower)
{
    for (size_t i = 0; i < n; i++) {
        make_one(kind, range);
        if (now.n == 0)
            add_random(&now, bases, 20);
        if (now.n == 1 || now.at[0] == 'N') /* makeblastdb refuses some files by their first bytes */
            add_random(&now, bases, 12), now.at[0] = 'A';
        put_record(to, prefix, i + 1, lower);
    }
}

/* --- options --- */

static const struct {
    int reward, penalty, open, extend;
} scores[] = {{1, -2, 2, 2}, {1, -2, 0, 2},  {2, -3, 5, 2}, {2, -3, 4, 4}, {2, -3, 2, 2},  {1, -3, 2, 2}, {1, -3, 5, 2},
              {1, -4, 1, 2}, {1, -1, 3, 2},  {1, -1, 0, 2}, {1, -5, 3, 3}, {2, -5, 2, 4},  {2, -7, 4, 4}, {3, -4, 6, 3},
              {4, -5, 6, 5}, {5, -4, 10, 6}, {3, -2, 5, 5}, {2, -4, 4, 4}, {4, -6, 10, 4}, {2, -6, 4, 4}};

static int make_task(void)
{
    static const char *const tasks[] = {"megablast", "blastn", "blastn", "blastn-short", "rmblastn", "dc-megablast"};
    enum { DC_MEGABLAST = 5, DEFAULT = 6 };
    const size_t task = draw() % 7;

    if (task < DEFAULT)
        option("task", tasks[task]);
    if (task < DC_MEGABLAST && chance(0.4))
        OPTION_OF("word_size", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "16", "20", "24", "28", "32", "64");
    else if (task == DC_MEGABLAST && chance(0.6)) {
        OPTION_OF("word_size", "11", "12");
        OPTION_OF("template_type", "coding", "optimal", "coding_and_optimal");
        OPTION_OF("template_length", "16", "18", "21");
    } else if (task == DEFAULT && chance(0.7))
        OPTION_OF("word_size", "10", "12", "16", "20");
    return task >= 1 && task < DEFAULT;
}

static void make_scores(int has_dp)
{
    if (chance(0.35)) {
        const size_t k = draw() % (sizeof scores / sizeof *scores);
        word("-reward"), word("%d", scores[k].reward);
        word("-penalty"), word("%d", scores[k].penalty);
        word("-gapopen"), word("%d", scores[k].open);
        word("-gapextend"), word("%d", scores[k].extend);
        if (!has_dp && chance(0.2))
            option("no_greedy", NULL);
    }
    if (chance(0.1))
        option("ungapped", NULL);
    if (chance(0.1))
        OPTION_OF("xdrop_ungap", "0", "3", "10.5", "40");
    if (chance(0.1))
        OPTION_OF("xdrop_gap", "5", "15.5", "40", "100");
    if (chance(0.1))
        OPTION_OF("xdrop_gap_final", "10", "50.5", "200");
    if (chance(0.12)) {
        OPTION_OF("window_size", "0", "20", "40", "60", "100");
        if (chance(0.5))
            OPTION_OF("off_diagonal_range", "0", "3", "5", "10");
    }
}

static void make_limits(void)
{
    if (chance(0.5))
        OPTION_OF("evalue", "1e-30", "1e-10", "1e-3", "1", "100", "10000", "1e6");
    if (chance(0.08))
        OPTION_OF("dbsize", "1000", "1000000000", "100000000000");
    if (chance(0.08))
        OPTION_OF("searchsp", "1", "5000000", "100000000000");
    if (chance(0.12))
        OPTION_OF("max_hsps", "1", "2", "5");
    if (chance(0.12))
        OPTION_OF("perc_identity", "70", "85", "95.5", "100");
    if (chance(0.08))
        OPTION_OF("qcov_hsp_perc", "1", "33.3", "50", "90");
    if (chance(0.08))
        OPTION_OF("min_raw_gapped_score", "20", "50", "200");
    if (chance(0.06))
        option("subject_besthit", NULL);
    if (chance(0.08))
        OPTION_OF("culling_limit", "1", "2", "5", "20");
    else if (chance(0.08))
        OPTION_OF("best_hit_overhang", "0.1", "0.25", "0.4");
    if (chance(0.15))
        OPTION_OF("strand", "both", "plus", "minus");
    if (chance(0.25))
        OPTION_OF("max_target_seqs", "1", "2", "5", "20", "1000");
}

static void make_masks(void)
{
    if (chance(0.35))
        OPTION_OF("dust", "no", "no", "yes", "20 64 1", "15 40 3", "30 64 10");
    if (chance(0.2))
        OPTION_OF("soft_masking", "true", "false");
    if (chance(0.25))
        option("lcase_masking", NULL);
}

/* Masks of the database. */
static int make_subject_masks(const char *db)
{
    if (strcmp(db, "subject") == 0 || !chance(0.3))
        return 0;
    option(chance(0.4) ? "db_soft_mask" : "db_hard_mask", "40");
    return 1;
}

static void make_format(const char *format)
{
    const int is_table = strcmp(format, "6") == 0 || strcmp(format, "7") == 0 || strcmp(format, "10") == 0;

    word("-outfmt");
    if (is_table && chance(0.2))
        word("%s std score nident positive gaps qframe sframe frames sstrand btop qcovs qcovhsp qseq sseq", format);
    else if (strcmp(format, "17") == 0 && chance(0.7))
        word("%s%s", format, chance(0.5) ? " SQ" : chance(0.5) ? " SR" : " SR SQ");
    else
        word("%s", format);
}

/* --- a case --- */

static void make_case(uint64_t seed, size_t i, const char *directory, char **formats, size_t n_formats)
{
    enum kind kind;
    const struct sizes *sizes;
    const char *db;
    FILE *file;
    int has_masks;

    state = (seed << 32) ^ (i * 0x632be59bd9b4e019);
    draw();
    kind = a_kind();
    sizes = &kind_sizes[kind];
    db = chance(0.5) ? "subject" : chance(0.5) ? "v4" : "v5";
    make_parents(between(1, MOST_PARENTS), kind == TIES ? 400 : kind == REPEATS ? 300 : kind == SHORT ? 200 : sizes->query[1]);
    file = create(directory, i, "query");
    put_all(kind, file, 'q', of_range(sizes->n_queries), sizes->query, chance(0.3) ? 0.3 : 0);
    end_file(file);
    file = create(directory, i, "subject");
    n_words = 0;
    has_masks = make_subject_masks(db);
    put_all(kind, file, 's', of_range(sizes->n_subjects), sizes->subject, has_masks ? 0.3 : 0);
    end_file(file);
    make_scores(make_task());
    make_limits();
    make_masks();
    make_format(formats[draw() % n_formats]);
    if (chance(0.25))
        OPTION_OF("sum_stats", "true", "true", "true", "false");
    file = create(directory, i, "case");
    fprintf(file, "%s\n%s%s\n", kind_names[kind], db, has_masks ? "-masked" : "");
    put_size(file, "CHUNK_SIZE", kind == LONG ? 0.7 : kind == BATCHES ? 0.3 : 0, 1500, 20000, ' '); /* with less NCBI's program may fail */
    put_size(file, "BATCH_SIZE", 0.2, 100, 60000, '\n');
    for (size_t k = 0; k < n_words; k++)
        fprintf(file, "%s\n", words[k]);
    end_file(file);
}

int main(int argc, char **argv)
{
    size_t first, n;

    if (argc < 6) {
        fprintf(stderr, "usage: base_cases SEED FIRST N DIRECTORY FORMAT...\n");
        return 2;
    }
    first = strtoull(argv[2], NULL, 10);
    n = strtoull(argv[3], NULL, 10);
    for (size_t i = first; i < first + n; i++)
        make_case(strtoull(argv[1], NULL, 10), i, argv[4], argv + 5, (size_t)argc - 5);
    return 0;
}
