/*
 * identity_cases.c - pairs of a file of queries and a file of subjects, with options of blastp, at random: those on which identity.sh
 * compares tamis with NCBI's program. The same seed gives the same files.
 *
 *     identity_cases SEED FIRST N DIRECTORY FORMAT... <GAPS
 *
 * GAPS has lines "MATRIX OPEN EXTEND", what blastp supports. Case i gets line i of them while there are any; later ones draw. FORMAT: the
 * formats to draw from. Case i is DIRECTORY/i.query, i.subject and i.case, which has a word a line: the case's kind, the database's
 * (subject, v4, v5), variables of the environment in one line (BATCH_SIZE=500), and the options.
 */
#include "identity_draw.h"

enum { MAX_PARENTS = 12, MAX_GAPS = 256 };

struct gap_costs {
    char matrix[16];
    int open, extend;
};

static struct letters parents[MAX_PARENTS], now;
static size_t n_parents;
static struct gap_costs gaps[MAX_GAPS];
static size_t n_gaps;

/* --- letters --- */

#define USUAL                                                                                                                              \
    "AAAAAAAACCDDDDDEEEEEEFFFFGGGGGGGHHIIIIIIKKKKKKLLLLLLLLLLMMNNNNPPPPPQQQQRRRRRSSSSSSSTTTTTTVVVVVVVWYYY" /* each as often as in proteins \
                                                                                                            */

/* Letters that a stretch is drawn from. */
static const char *an_alphabet(void)
{
    static char biased[512];
    static const char *const rest[] = {
        "ACDEFGHIKLMNPQRSTVWY", "ABCDEFGHIJKLMNOPQRSTUVWXYZ*", "BZJUOX*", "ILVM", "KRE", "WC", "BZJ", "ACGT", "GGGGGGGGGA"};
    size_t n;

    if (chance(0.55))
        return USUAL;
    if (chance(0.5))
        return one_of(rest, sizeof rest / sizeof *rest);
    strcpy(biased, USUAL); /* and a few letters far more often */
    n = strlen(biased);
    for (size_t k = between(1, 3); k > 0; k--) {
        char letter = USUAL[draw() % (sizeof USUAL - 1)];
        for (size_t m = between(10, 120); m > 0; m--)
            biased[n++] = letter;
    }
    biased[n] = '\0';
    return biased;
}

/* A unit again and again, with some letters changed. */
static void add_repeats(struct letters *to, size_t n)
{
    char unit[96];
    size_t length = any_size(1, 90);
    double noise = chance(0.4) ? 0 : chance(0.5) ? 0.05 : 0.2;
    const char *alphabet = an_alphabet();

    for (size_t i = 0; i < length; i++)
        unit[i] = alphabet[draw() % strlen(alphabet)];
    for (size_t i = 0; i < n; i++)
        add(to, chance(noise) ? USUAL[draw() % (sizeof USUAL - 1)] : unit[i % length]);
}

/* A part of a parent, changed. */
static void add_copy(struct letters *to, const struct letters *from, size_t most)
{
    static const double rates[] = {0, 0, 0.01, 0.05, 0.15, 0.3, 0.45, 0.6}, indels[] = {0, 0, 0.005, 0.02, 0.05};
    double rate = rates[draw() % (sizeof rates / sizeof *rates)], indel = indels[draw() % (sizeof indels / sizeof *indels)];
    const char *alphabet = chance(0.7) ? USUAL : an_alphabet();
    size_t begin = 0, end = from->n, n_letters = strlen(alphabet);

    if (from->n > 4 && chance(0.5)) {
        begin = between(0, from->n - 2);
        end = between(begin + 1, from->n);
    }
    for (size_t i = begin; i < end && most > 0; i++, most--) {
        if (chance(indel)) {
            if (chance(0.5))
                i += any_size(1, 40);
            else
                add_random(to, USUAL, any_size(1, 40));
        }
        if (i < end)
            add(to, chance(rate) ? alphabet[draw() % n_letters] : from->at[i]);
    }
}

/* now: n letters, more or less. */
static void make_sequence(size_t n, double related)
{
    now.n = 0;
    while (now.n < n) {
        size_t left = n - now.n;
        if (n_parents > 0 && chance(related))
            add_copy(&now, &parents[draw() % n_parents], left);
        else if (chance(0.6))
            add_random(&now, an_alphabet(), any_size(1, left));
        else if (chance(0.6))
            add_repeats(&now, any_size(1, left < 3000 ? left : 3000));
        else
            add_random(&now, chance(0.5) ? "X" : (const char[2]){USUAL[draw() % (sizeof USUAL - 1)], '\0'},
                       any_size(1, left < 100 ? left : 100));
    }
}

static void make_parents(size_t n, size_t shortest, size_t longest)
{
    n_parents = 0;
    for (size_t i = 0; i < n; i++) {
        make_sequence(any_size(shortest, longest), 0);
        parents[i] = now;
    }
    n_parents = n;
}

/* --- records --- */

struct deflines {
    int is_parsed, is_odd, has_utf8;
    char prefix;
};

static void put_defline(FILE *to, const struct deflines *how, size_t number)
{
    static const char *const odd[] = {
        "prot\xc3\xa9ine d\xe2\x80\x99"
        "essai", /* not for XML, in which blastp then ends in the middle */
        "",
        "  two  blanks  here ",
        "a,b ,c  .. (x ) ; trailing .",
        "x &amp; y &lt;z&gt; &#65;",
        "gi|129295|sp|P01013.1|OVAX_CHICK ovalbumin",
        "lcl|loc1 <tag> \"quoted\"",
        "TPA: a thing. [Homo sapiens].",
        "id\twith a tab",
        "a_name_of_more_than_sixty_letters_which_does_not_fit_in_a_row_of_the_summary and_a_long_title as well, which is wrapped somewhere"};

    if (how->is_parsed) {
        /* No query has the id of a subject: blastp then takes one for the other. */
        char id[128], other = how->prefix == 'q' ? 'A' : 'B';
        switch (draw() % 6) {
        case 0:
            snprintf(id, sizeof id, "lcl|%c%zu", how->prefix, number);
            break;
        case 1:
            snprintf(id, sizeof id, "sp|%c%05zu|N%zu_HUMAN", how->prefix == 'q' ? 'P' : 'Q', number, number);
            break;
        case 2:
            snprintf(id, sizeof id, "tr|%c0A%03zu|A0A%zu_X", other, number, number);
            break;
        case 3:
            snprintf(id, sizeof id, "gnl|mydb|id%c%zu", how->prefix, number);
            break;
        case 4:
            snprintf(id, sizeof id, "ref|%cP_%06zu.1|", how->prefix == 'q' ? 'N' : 'X', number);
            break;
        default:
            snprintf(id, sizeof id, "bare%c%zu", how->prefix, number);
        }
        fprintf(to, ">%s%s\n", id, chance(0.5) ? " some title, of it" : "");
    } else if (how->is_odd && chance(0.4)) {
        fprintf(to, ">%s\n", one_of(odd + !how->has_utf8, sizeof odd / sizeof *odd - !how->has_utf8));
    } else {
        fprintf(to, ">%c%zu%s\n", how->prefix, number, chance(0.3) ? " of some family" : "");
    }
}

static void put_record(FILE *to, const struct deflines *how, size_t number, double lower)
{
    int is_lower = 0;
    size_t width = chance(0.1) ? 1 << 20 : between(50, 80);

    put_defline(to, how, number);
    for (size_t i = 0; i < now.n; i++) {
        if (lower > 0 && chance(is_lower ? 0.05 : lower / 20))
            is_lower = !is_lower;
        fputc(is_lower && now.at[i] >= 'A' ? now.at[i] + ('a' - 'A') : now.at[i], to);
        if ((i + 1) % width == 0)
            fputc('\n', to);
    }
    fputc('\n', to);
}

enum kind { SMALL, TINY, MANY, BATCHES, LONG_QUERY, LONG_SUBJECT, TIES, REPEATS, N_KINDS };
static const char *const kind_names[N_KINDS] = {"small", "tiny", "many", "batches", "long-query", "long-subject", "ties", "repeats"};

static const char all_columns[] =
    "qseqid qgi qacc qaccver qlen sseqid sallseqid sgi sallgi sacc saccver sallacc slen qstart qend sstart send qseq sseq evalue bitscore score "
    "length pident nident mismatch positive gapopen gaps ppos frames qframe sframe btop staxid staxids stitle salltitles sstrand qcovs qcovhsp "
    "qcovus";

static void make_format(const char *format)
{
    int is_table = strcmp(format, "6") == 0 || strcmp(format, "7") == 0 || strcmp(format, "10") == 0;

    word("-outfmt");
    if (!is_table || chance(0.3))
        word("%s", format);
    else if (chance(0.2))
        word("%s delim=%s std score qcovs", format, chance(0.5) ? ";" : "<>");
    else if (chance(0.3))
        word("%s std btop qcovs nosuch -pident", format);
    else
        word("%s %s", format, all_columns);
    if (format[0] <= '4' && format[1] == '\0') { /* 0 to 4 */
        int has_lists = chance(0.3);
        if (has_lists && chance(0.7))
            OPTION_OF("num_descriptions", "0", "1", "3", "20");
        if (has_lists)
            OPTION_OF("num_alignments", "1", "2", "7", "30");
        else if (chance(0.3))
            OPTION_OF("max_target_seqs", "1", "2", "5", "50");
        if (chance(0.3))
            OPTION_OF("line_length", "1", "20", "61", "200");
        if (chance(0.3))
            OPTION_OF("sorthits", "0", "1", "2", "3", "4");
        if (chance(0.3))
            OPTION_OF("sorthsps", "0", "1", "2", "3", "4");
        if (chance(0.2))
            option("show_gis", NULL);
    } else if (chance(0.35)) {
        OPTION_OF("max_target_seqs", "1", "2", "3", "5", "20", "100", "1000");
    }
}

static void make_masks(void)
{
    if (chance(0.4))
        OPTION_OF("seg", "yes", "yes", "no", "12 2.2 2.5", "10 1.8 2.1", "5 3 3.5", "25 3.0 3.3");
    if (chance(0.3))
        OPTION_OF("soft_masking", "true", "false", "yes", "0");
    if (chance(0.3))
        option("lcase_masking", NULL);
}

/* Word sizes and thresholds: words of many letters with a low threshold have more neighbours than one waits for. */
static void make_words(enum kind kind, const char *matrix)
{
    int is_identity = matrix != NULL && strcmp(matrix, "IDENTITY") == 0,
        is_large = kind == LONG_QUERY || kind == BATCHES || kind == LONG_SUBJECT;

    if (chance(0.12))
        OPTION_OF("task", "blastp", "blastp-short");
    else if (chance(0.12) && !is_identity) {
        option("task", "blastp-fast");
        if (chance(0.3) && !is_large)
            OPTION_OF("word_size", "6", "7");
        if (chance(0.3))
            OPTION_OF("threshold", "20.5", "21.5", "25");
    } else if (chance(0.3)) {
        static const char *const sizes[] = {"2", "3", "4", "5", "6", "7"};
        const char *size = sizes[draw() % (is_identity ? 4 : 6)];
        if (is_large && size[0] > '3')
            size = "3";
        option("word_size", size);
        if (size[0] >= '6')
            OPTION_OF("threshold", "20", "21", "22.2", "23", "25", "30");
        else if (size[0] >= '4')
            OPTION_OF("threshold", "0.5", "14", "16", "19", "22.9", "40");
        else if (chance(0.5))
            OPTION_OF("threshold", "0.5", "8", "9.5", "11", "13", "15", "20");
    } else if (chance(0.1)) {
        OPTION_OF("threshold", "0.5", "9", "10", "11", "12", "13.7", "16");
    }
    if (chance(0.2))
        OPTION_OF("window_size", "0", "1", "3", "4", "8", "15", "40", "100");
}

static void make_statistics(enum kind kind)
{
    const int is_ungapped = chance(0.08);
    const int is_short = kind == SMALL || kind == TINY || kind == TIES || kind == REPEATS;
    const int is_smith_waterman = is_short && !is_ungapped && chance(0.12);

    if (is_ungapped) {
        option("ungapped", NULL);
        OPTION_OF("comp_based_stats", "0", "F", "f");
    } else if (chance(0.7))
        OPTION_OF("comp_based_stats", "0", "0", "1", "1", "2", "3", "3", "F", "T", "D");
    /* Where chance explains every score blastp does not end with -use_sw_tback: a large database; and no long sequences, for the time. */
    if (is_smith_waterman) {
        option("use_sw_tback", NULL);
        OPTION_OF("dbsize", "1000000", "100000000");
        if (chance(0.5))
            OPTION_OF("evalue", "1e-10", "1e-5", "0.01", "1");
    } else if (chance(0.4)) {
        if (kind == SMALL || kind == TINY)
            OPTION_OF("evalue", "1e-200", "1e-20", "1e-5", "0.01", "1", "9.99", "11", "1000", "1e6");
        else
            OPTION_OF("evalue", "1e-200", "1e-30", "1e-5", "0.01", "1", "9.99", "11", "100");
    }
    if (!is_smith_waterman && chance(0.08))
        OPTION_OF("dbsize", "0", "1", "3", "1000", "1000000000", "100000000000");
    if (!is_smith_waterman && chance(0.08))
        OPTION_OF("searchsp", "0", "1", "1000", "5000000", "100000000", "100000000000000");
    if (chance(0.1))
        OPTION_OF("max_hsps", "1", "2", "4", "30");
    if (chance(0.08))
        OPTION_OF("qcov_hsp_perc", "0", "1", "33.3", "50", "90", "100");
    if (chance(0.08))
        option("subject_besthit", NULL);
    if (chance(0.15))
        OPTION_OF("culling_limit", "0", "1", "1", "2", "3", "5", "8", "10", "20", "40");
    else if (chance(0.15)) {
        int has_overhang = chance(0.7);
        if (has_overhang)
            OPTION_OF("best_hit_overhang", "0.1", "0.01", "0.25", "0.499");
        if (!has_overhang || chance(0.4))
            OPTION_OF("best_hit_score_edge", "0.1", "0.01", "0.25", "0.499");
    }
    if (chance(0.08))
        OPTION_OF("xdrop_ungap", "0.1", "1", "3", "7.5", "20", "100");
    if (chance(0.08))
        OPTION_OF("xdrop_gap", "0", "1", "5", "15.5", "40", "300");
    if (chance(0.08))
        OPTION_OF("xdrop_gap_final", "0", "5", "25.5", "100", "1000");
}

/* --- a case --- */

static const struct sizes kind_sizes[N_KINDS] = {
    [SMALL] = {{1, 12}, {1, 400}, {1, 80}, {1, 500}},
    [TINY] = {{1, 20}, {1, 12}, {1, 30}, {1, 14}},
    [MANY] = {{1, 3}, {30, 300}, {200, 900}, {10, 120}},
    [BATCHES] = {{10, 60}, {50, 1500}, {5, 60}, {20, 800}},
    [LONG_QUERY] = {{1, 3}, {7000, 40000}, {1, 12}, {50, 3000}},
    [LONG_SUBJECT] = {{1, 3}, {20, 1500}, {1, 3}, {5000, 40000}},
    [TIES] = {{1, 6}, {10, 300}, {10, 60}, {10, 300}},
    [REPEATS] = {{1, 8}, {4, 500}, {2, 40}, {4, 700}},
};

static enum kind a_kind(void)
{
    size_t k = between(0, 99);

    return k < 48   ? SMALL
           : k < 56 ? TINY
           : k < 63 ? MANY
           : k < 68 ? BATCHES
           : k < 73 ? LONG_QUERY
           : k < 77 ? LONG_SUBJECT
           : k < 87 ? TIES
                    : REPEATS;
}

static void make_one(enum kind kind, const size_t *range)
{
    if (kind == REPEATS) {
        now.n = 0;
        for (size_t k = between(1, 4); k > 0; k--) {
            if (chance(0.3))
                add_repeats(&now, of_range(range));
            else {
                size_t copies = any_size(1, 12);
                const struct letters *unit = &parents[draw() % n_parents];
                while (copies-- > 0 && now.n < range[1])
                    add_copy(&now, unit, range[1]);
            }
            if (chance(0.3))
                add_random(&now, USUAL, any_size(1, 60));
        }
    } else if (kind == TIES && chance(0.8)) {
        now = parents[draw() % n_parents];
    } else if (kind == SMALL && chance(0.04)) {
        now.n = 0; /* X only, or nothing */
        add_random(&now, "X", chance(0.5) ? 0 : between(1, 60));
    } else {
        make_sequence(of_range(range), chance(0.5) ? 0.9 : 0.4);
    }
}

static void put_all(enum kind kind, FILE *to, const struct deflines *how, size_t n, const size_t *range, double lower, int starts_plainly)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 && starts_plainly) { /* makeblastdb refuses some files by their first bytes */
            now.n = 0;
            add_random(&now, USUAL, of_range(range) + 30);
        } else {
            make_one(kind, range);
        }
        if (i + 1 == n && now.n == 0) /* after a batch of empty queries blastp ends with an error */
            add_random(&now, USUAL, between(1, 40));
        put_record(to, how, i + 1, lower);
    }
}

static void make_case(uint64_t seed, size_t i, const char *directory, char **formats, size_t n_formats)
{
    enum kind kind;
    const struct sizes *sizes;
    struct deflines how = {0};
    struct gap_costs costs = {{0}, 0, 0};
    const char *db, *format;
    double lower;
    FILE *file;

    state = (seed << 32) ^ (i * 0x632be59bd9b4e019);
    draw();
    kind = i < n_gaps ? (chance(0.3) ? REPEATS : SMALL) : a_kind();
    sizes = &kind_sizes[kind];
    format = formats[draw() % n_formats];
    how.is_parsed = chance(0.15);
    how.has_utf8 = strcmp(format, "5") != 0 && strcmp(format, "16") != 0;
    how.is_odd = chance(0.3);
    db = chance(0.5) ? "subject" : chance(0.5) ? "v4" : "v5";
    lower = chance(0.3) ? 0.3 : 0;

    make_parents(between(1, kind == TIES ? 3 : 8),
                 kind == REPEATS ? 3
                 : kind == TINY  ? 1
                                 : 20,
                 kind == REPEATS ? 90
                 : kind == TINY  ? 12
                                 : sizes->query[1] / 2);
    how.prefix = 'q';
    file = create(directory, i, "query");
    put_all(kind, file, &how, of_range(sizes->n_queries), sizes->query, lower, 0);
    end_file(file);
    how.prefix = 's';
    file = create(directory, i, "subject");
    put_all(kind, file, &how, of_range(sizes->n_subjects), sizes->subject, 0, strcmp(db, "subject") != 0);
    end_file(file);

    n_words = 0;
    if (i < n_gaps)
        costs = gaps[i];
    else if (n_gaps > 0 && chance(0.3))
        costs = gaps[draw() % n_gaps];
    if (costs.matrix[0] != '\0') {
        option("matrix", costs.matrix);
        word("-gapopen");
        word("%d", costs.open);
        word("-gapextend");
        word("%d", costs.extend);
    }
    if (i < n_gaps)
        word("-comp_based_stats"), word("%zu", i % 4);
    else
        make_statistics(kind);
    make_words(kind, costs.matrix[0] != '\0' ? costs.matrix : NULL);
    make_masks();
    make_format(format);
    if (how.is_parsed)
        option("parse_deflines", NULL);
    file = create(directory, i, "case");
    fprintf(file, "%s\n%s%s\n", i < n_gaps ? "gap-costs" : kind_names[kind], db, how.is_parsed ? "-parsed" : "");
    put_size(file, "BATCH_SIZE", 0.2, 100, 60000, '\n');
    for (size_t k = 0; k < n_words; k++)
        fprintf(file, "%s\n", words[k]);
    end_file(file);
}

int main(int argc, char **argv)
{
    char line[128];
    size_t first, n;

    if (argc < 6) {
        fprintf(stderr, "usage: identity_cases SEED FIRST N DIRECTORY FORMAT... <GAPS\n");
        return 2;
    }
    while (n_gaps < MAX_GAPS && fgets(line, sizeof line, stdin) != NULL) {
        struct gap_costs *g = &gaps[n_gaps];
        if (sscanf(line, "%15s %d %d", g->matrix, &g->open, &g->extend) == 3)
            n_gaps++;
    }
    first = strtoull(argv[2], NULL, 10);
    n = strtoull(argv[3], NULL, 10);
    for (size_t i = first; i < first + n; i++)
        make_case(strtoull(argv[1], NULL, 10), i, argv[4], argv + 5, (size_t)argc - 5);
    return 0;
}
