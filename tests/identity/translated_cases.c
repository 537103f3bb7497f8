/*
 * translated_cases.c - pairs of files, of which one or both are of nucleotides, the other is of proteins, with options, at random: those on
 * which identity.sh compares tamis with NCBI's blastx or, if TAMIS_IDENTITY_PROGRAM names it, tblastn or tblastx. The same seed gives the
 * same files.
 *
 *     translated_cases SEED FIRST N DIRECTORY FORMAT...
 *
 * The files are those of identity_cases.c. A database v4-masked or v5-masked has masks of algorithm 40, where subjects are in lower case;
 * one that is v4-parsed or v5-parsed is searched with the list I.ids of ids.
 */
#include "identity_draw.h"

enum { MOST_PARENTS = 8 };

static struct letters parents[MOST_PARENTS], now, piece;
static size_t n_parents;

static const char residues[] = "AAAAAAAAACDDDDDEEEEEEFFFFGGGGGGGHHIIIIIIKKKKKKLLLLLLLLLLMMNNNNPPPPQQQQRRRRRSSSSSSSTTTTTVVVVVVVWYYY",
                  bases[] = "ACGT", ambiguous[] = "NNNNRYMKWSBDHV";

/* --- proteins --- */

static void add_protein(struct letters *to, size_t n)
{
    char unit[30];
    const size_t length = any_size(1, 24);

    if (chance(0.8)) {
        add_random(to, residues, n);
        return;
    }
    for (size_t i = 0; i < length; i++)
        unit[i] = residues[draw() % (sizeof residues - 1)];
    for (size_t i = 0; i < n; i++)
        add(to, chance(0.05) ? residues[draw() % (sizeof residues - 1)] : unit[i % length]);
}

static void make_parents(size_t n, size_t longest)
{
    for (n_parents = 0; n_parents < n; n_parents++) {
        struct letters *p = &parents[n_parents];
        const size_t length = any_size(8, longest);
        p->n = 0;
        while (p->n < length)
            add_protein(p, any_size(1, length - p->n));
    }
}

/* A part of a parent, changed, to `piece`. */
static void copy_part(const struct letters *from)
{
    static const double rates[] = {0, 0, 0.02, 0.1, 0.3, 0.5}, indels[] = {0, 0, 0.005, 0.02};
    const double rate = rates[draw() % (sizeof rates / sizeof *rates)], indel = indels[draw() % (sizeof indels / sizeof *indels)];
    size_t begin = 0, end = from->n;

    if (from->n > 10 && chance(0.6)) {
        begin = between(0, from->n - 8);
        end = between(begin + 1, from->n);
    }
    piece.n = 0;
    for (size_t i = begin; i < end; i++) {
        if (chance(indel) && chance(0.5))
            add_random(&piece, residues, any_size(1, 12));
        else if (chance(indel))
            continue;
        add(&piece, chance(rate) ? residues[draw() % (sizeof residues - 1)] : from->at[i]);
    }
}

/* --- nucleotides --- */

/* A codon of the standard code. */
static void add_codon(struct letters *to, char residue)
{
    static const char code[] = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG", order[] = "TCAG";
    size_t codon = draw() % 64;

    while (code[codon] != residue)
        codon = (codon + 1) % 64;
    add(to, order[codon / 16]);
    add(to, order[codon / 4 % 4]);
    add(to, order[codon % 4]);
}

static void add_gene(struct letters *to, const struct letters *protein)
{
    const double stop = chance(0.3) ? 0.02 : 0, shift = chance(0.3) ? 0.003 : 0;

    for (size_t i = 0; i < protein->n; i++) {
        if (chance(shift))
            add_random(to, bases, 1);
        if (chance(stop))
            add_codon(to, '*');
        add_codon(to, protein->at[i]);
    }
}

/* A gene in pieces: exons, and between them gaps around the length up to which HSPs are linked. */
static void add_exons(struct letters *to, const struct letters *protein)
{
    struct letters exon = {0};

    for (size_t i = 0; i < protein->n;) {
        size_t n = any_size(8, 80);
        exon.n = 0;
        for (; n > 0 && i < protein->n; n--)
            add(&exon, protein->at[i++]);
        if (chance(0.1)) /* out of order, or left out */
            i += any_size(1, 40);
        add_gene(to, &exon);
        add_random(to, bases, chance(0.7) ? any_size(1, 140) : any_size(1, 600));
    }
}

static void reverse(struct letters *l, size_t first)
{
    static const char from[] = "ACGTRYMKWSVHDBN", to[] = "TGCAYRKMWSBDHVN";

    for (size_t i = first, k = l->n; i < k; i++) {
        const char begin = to[strchr(from, l->at[i]) - from], end = to[strchr(from, l->at[--k]) - from];
        l->at[i] = end;
        l->at[k] = begin;
    }
}

static void make_bases(size_t n, double related)
{
    const double unknown = chance(0.25) ? 0.01 : 0;

    now.n = 0;
    while (now.n < n) {
        const size_t first = now.n;
        if (chance(related)) {
            copy_part(&parents[draw() % n_parents]);
            if (chance(0.3))
                add_exons(&now, &piece);
            else
                add_gene(&now, &piece);
            if (chance(0.4))
                reverse(&now, first);
        } else if (chance(0.8)) {
            add_random(&now, bases, any_size(1, n - now.n));
        } else { /* repeats, whose period need not be a multiple of three */
            const size_t period = any_size(1, 60), copies = any_size(2, 12);
            add_random(&now, bases, period);
            for (size_t i = 0; i < period * copies; i++)
                add(&now, now.at[first + i % period]);
        }
    }
    for (size_t i = 0; i < now.n; i++)
        if (chance(unknown))
            now.at[i] = ambiguous[draw() % (sizeof ambiguous - 1)];
    if (chance(0.5))
        now.n = n < now.n ? n : now.n;
}

/* --- kinds --- */

enum kind { SMALL, SHORT, MANY, BATCHES, LONG, TIES, EXONS, N_KINDS };
static const char *const kind_names[N_KINDS] = {"small", "short", "many", "batches", "long", "ties", "exons"};

static const struct sizes blastx_sizes[N_KINDS] = {
    [SMALL] = {{1, 12}, {3, 2500}, {1, 60}, {4, 600}},     [SHORT] = {{1, 40}, {1, 150}, {1, 60}, {4, 300}},
    [MANY] = {{1, 3}, {50, 900}, {200, 1300}, {8, 120}},   [BATCHES] = {{10, 50}, {20, 3000}, {5, 40}, {20, 500}},
    [LONG] = {{1, 3}, {5000, 45000}, {2, 20}, {50, 2000}}, [TIES] = {{1, 6}, {30, 900}, {10, 60}, {10, 300}},
    [EXONS] = {{1, 6}, {300, 5000}, {1, 20}, {50, 800}},
};

static const struct sizes tblastn_sizes[N_KINDS] = {
    [SMALL] = {{1, 12}, {3, 600}, {1, 40}, {4, 3000}},      [SHORT] = {{1, 40}, {1, 60}, {1, 60}, {1, 300}},
    [MANY] = {{1, 3}, {20, 300}, {200, 1300}, {20, 400}},   [BATCHES] = {{10, 50}, {20, 1500}, {5, 40}, {60, 3000}},
    [LONG] = {{1, 3}, {100, 45000}, {2, 10}, {500, 30000}}, [TIES] = {{1, 6}, {10, 300}, {10, 60}, {30, 900}},
    [EXONS] = {{1, 6}, {50, 800}, {1, 20}, {300, 5000}},
};

static const struct sizes tblastx_sizes[N_KINDS] = {
    [SMALL] = {{1, 12}, {3, 2000}, {1, 40}, {4, 2500}},       [SHORT] = {{1, 40}, {1, 150}, {1, 60}, {1, 300}},
    [MANY] = {{1, 3}, {50, 600}, {200, 1300}, {20, 400}},     [BATCHES] = {{10, 50}, {20, 2000}, {5, 30}, {60, 2000}},
    [LONG] = {{1, 3}, {5000, 25000}, {1, 10}, {1000, 25000}}, [TIES] = {{1, 6}, {30, 600}, {10, 60}, {30, 600}},
    [EXONS] = {{1, 4}, {300, 2000}, {1, 8}, {300, 2500}},
};

enum { NO_MASKS, SOFT_MASKS, HARD_MASKS };

static int has_query_frames, has_subject_frames; /* the program translates queries, subjects */
static int masks;                                /* of the database */

static int is_tblastx(void) { return has_query_frames && has_subject_frames; }

static const struct sizes *sizes_of(enum kind kind)
{
    if (is_tblastx())
        return &tblastx_sizes[kind];
    return has_subject_frames ? &tblastn_sizes[kind] : &blastx_sizes[kind];
}

static enum kind a_kind(void)
{
    const size_t k = between(0, 99);

    return k < 40 ? SMALL : k < 50 ? SHORT : k < 57 ? MANY : k < 65 ? BATCHES : k < 72 ? LONG : k < 82 ? TIES : EXONS;
}

static void put_record(FILE *to, char prefix, size_t number, double lower)
{
    int is_lower = 0;
    const size_t width = chance(0.1) ? 1 << 20 : between(50, 80);

    fprintf(to, ">%c%zu%s\n", prefix, number, chance(0.3) ? " a title" : "");
    for (size_t i = 0; i < now.n; i++) {
        if (lower > 0 && chance(is_lower ? 0.05 : lower / 20))
            is_lower = !is_lower;
        if (masks == HARD_MASKS && prefix == 's' && (i < 8 || i + 8 >= now.n)) /* at an end NCBI's program may crash: doc/tblastn.md */
            is_lower = 0;
        fputc(is_lower ? now.at[i] + ('a' - 'A') : now.at[i], to);
        if ((i + 1) % width == 0)
            fputc('\n', to);
    }
    fputc('\n', to);
}

static void put_bases(enum kind kind, FILE *to, char prefix, size_t n, const size_t *range, double lower)
{
    for (size_t i = 0; i < n; i++) {
        make_bases(of_range(range), kind == EXONS || kind == TIES || chance(0.5) ? 0.9 : 0.4);
        if (kind == LONG && has_query_frames && chance(0.4)) /* about where NCBI's program begins to cut */
            now.n = between(19400, 19420) < now.n ? 19405 + draw() % 10 : now.n;
        if (prefix == 's' && i == 0) { /* makeblastdb refuses some files by their first bytes */
            piece.n = 0;
            add_random(&piece, bases, 30);
            for (size_t k = 0; k < piece.n && k < now.n; k++)
                now.at[k] = piece.at[k];
        }
        put_record(to, prefix, i + 1, lower);
    }
}

static void put_proteins(enum kind kind, FILE *to, char prefix, size_t n, const size_t *range, double lower)
{
    for (size_t i = 0; i < n; i++) {
        const size_t length = of_range(range);
        now.n = 0;
        if (i == 0 && prefix == 's') /* makeblastdb refuses some files by their first bytes */
            add_random(&now, residues, 30);
        while (now.n < length) {
            if (chance(0.6)) {
                copy_part(&parents[draw() % n_parents]);
                for (size_t k = 0; k < piece.n; k++)
                    add(&now, chance(0.002) ? "XBZJU"[draw() % 5] : piece.at[k]);
            } else {
                add_protein(&now, any_size(1, length - now.n));
            }
        }
        if (has_subject_frames && kind == LONG && chance(0.4)) /* about where NCBI's program begins to cut */
            now.n = now.n > 39810 ? 39795 + draw() % 10 : now.n;
        if (i > 0 && kind == TIES && chance(0.8))
            now = parents[draw() % n_parents];
        put_record(to, prefix, i + 1, lower);
    }
}

/* --- options --- */

static void make_scores(void)
{
    static const char *const matrices[] = {"BLOSUM45", "BLOSUM50", "BLOSUM80", "BLOSUM90", "PAM30", "PAM70", "PAM250", "IDENTITY"};
    const int has_gaps = !is_tblastx(), leaves_out_gaps = has_gaps && chance(0.12), is_fast = chance(0.12) && has_gaps,
              takes_identity = !has_gaps || leaves_out_gaps; /* NCBI's blastx takes IDENTITY without gaps only */

    if (leaves_out_gaps)
        option("ungapped", NULL);
    if (is_fast)
        option("task", has_subject_frames ? "tblastn-fast" : "blastx-fast");
    else if (chance(0.12))
        OPTION_OF("word_size", "2", "3", "4");
    if (chance(0.1)) {
        if (is_fast) /* for less there are too many words of 6 residues near another */
            OPTION_OF("threshold", "22", "25");
        else
            OPTION_OF("threshold", "10", "13", "14.5", "23");
    }
    if (chance(0.15))
        option("matrix", one_of(matrices, sizeof matrices / sizeof *matrices - !takes_identity));
    else if (chance(0.1) && has_gaps)
        word("-gapopen"), word("9"), word("-gapextend"), word("2");
    if (leaves_out_gaps)
        OPTION_OF("comp_based_stats", "0", "F");
    else if (chance(0.7) && has_gaps)
        OPTION_OF("comp_based_stats", "0", "0", "1", "2", "3", "F", "D");
    if (chance(0.1))
        OPTION_OF("window_size", "0", "15", "40", "100");
    if (chance(0.08))
        OPTION_OF("xdrop_ungap", "1", "3", "20");
    if (chance(0.08) && has_gaps)
        OPTION_OF("xdrop_gap", "0", "5", "40");
    if (chance(0.08) && has_gaps)
        OPTION_OF("xdrop_gap_final", "5", "25.5", "100");
}

static void make_translation(void)
{
    static const char *const codes[] = {"1",  "2",  "3",  "4",  "5",  "6",  "9",  "10", "11", "12", "13", "14", "15",
                                        "16", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "33"};

    if (chance(0.3))
        option(has_subject_frames ? "db_gencode" : "query_gencode", one_of(codes, sizeof codes / sizeof *codes));
    if (is_tblastx() && chance(0.3))
        option("query_gencode", one_of(codes, sizeof codes / sizeof *codes));
    if (has_query_frames && chance(0.2))
        OPTION_OF("strand", "both", "plus", "minus");
    if (chance(0.2))
        OPTION_OF("sum_stats", "true", "false", "false");
    if (chance(0.25) && !is_tblastx())
        OPTION_OF("max_intron_length", "0", "3", "5", "30", "130", "400", "3000");
}

/* Returns the place of an option's word; n_words if it is not given. */
static size_t find_word(const char *word_of)
{
    size_t k = 0;

    while (k < n_words && strcmp(words[k], word_of) != 0)
        k++;
    return k;
}

/*
 * With -use_sw_tback NCBI's program makes all cells for each alignment, weak ones that might be linked too: short sequences, for the time.
 * Without linking its blastx crashes.
 */
static int may_be_smith_waterman(enum kind kind)
{
    const int may_not_link = find_word("-sum_stats") < n_words || find_word("-max_intron_length") < n_words;

    if (is_tblastx() || find_word("-ungapped") < n_words)
        return 0;
    return has_subject_frames ? kind == SHORT : (kind == SHORT || kind == TIES) && !may_not_link;
}

static void make_limits(enum kind kind)
{
    if (may_be_smith_waterman(kind) && chance(0.2)) {
        option("use_sw_tback", NULL);
        OPTION_OF("evalue", "1e-10", "1e-5", "1e-3", "0.1");
    } else if (chance(0.5) && kind != LONG && kind != BATCHES)
        OPTION_OF("evalue", "1e-30", "1e-6", "1e-3", "1", "100", "1000", "1e5");
    else if (chance(0.3))
        OPTION_OF("evalue", "1e-20", "0.01", "50");
    if (chance(0.08))
        OPTION_OF("dbsize", "1000", "1000000", "1000000000");
    if (chance(0.08))
        OPTION_OF("searchsp", "0", "1000", "5000000", "1000000000");
    if (chance(0.12))
        OPTION_OF("max_hsps", "1", "2", "5");
    if (chance(0.08))
        OPTION_OF("qcov_hsp_perc", "1", "33.3", "50", "90");
    if (chance(0.25))
        OPTION_OF("max_target_seqs", "1", "2", "5", "20", "1000");
    if (chance(0.1))
        option("subject_besthit", NULL);
    if (chance(0.1)) {
        OPTION_OF("culling_limit", "0", "1", "1", "2", "7");
    } else if (chance(0.1)) {
        OPTION_OF("best_hit_overhang", "0.1", "0.25", "0.45");
        OPTION_OF("best_hit_score_edge", "0.05", "0.1", "0.4");
    }
}

static void make_masks(void)
{
    if (masks != NO_MASKS)
        option(masks == HARD_MASKS ? "db_hard_mask" : "db_soft_mask", "40");
    if (chance(0.35))
        OPTION_OF("seg", "no", "no", "yes", "12 2.2 2.5", "10 1.8 2.1", "5 3 3.5");
    if (chance(0.2))
        OPTION_OF("soft_masking", "true", "false");
    if (chance(0.3))
        option("lcase_masking", NULL);
}

static int is_text(const char *format) { return format[0] >= '0' && format[0] <= '4' && format[1] == '\0'; }

static void make_format(const char *format)
{
    const int is_table = strcmp(format, "6") == 0 || strcmp(format, "7") == 0 || strcmp(format, "10") == 0;

    word("-outfmt");
    if (is_table && chance(0.4))
        word("%s std score nident positive ppos gaps qframe sframe frames sstrand btop qcovs qcovhsp qcovus qlen slen qseq sseq", format);
    else
        word("%s", format);
    if (is_text(format) && chance(0.3))
        OPTION_OF("line_length", "1", "20", "61", "200");
    if (!is_text(format) || !chance(0.3))
        return;
    OPTION_OF("sorthsps", "0", "1", "2", "3", "4");
}

/* The lists of formats 0 to 4. */
static void make_lists(void)
{
    if (find_word("-max_target_seqs") == n_words && chance(0.3)) {
        OPTION_OF("num_descriptions", "0", "1", "3", "20");
        OPTION_OF("num_alignments", "1", "2", "7", "30");
    }
    if (chance(0.3))
        OPTION_OF("sorthits", "0", "1", "2", "3", "4");
}

/* --- a case --- */

/* Lists some of n subjects in the file I.ids. Databases of version 4 have other totals with negative lists of such ids: tamis-blastp(1). */
static void make_id_list(const char *directory, size_t i, size_t n, const char *version)
{
    const char *lists[] = {"seqidlist", "negative_seqidlist"};
    FILE *file = create(directory, i, "ids");

    fprintf(file, "s%zu\n", between(1, n));
    for (size_t k = 1; k <= n; k++)
        if (chance(0.5))
            fprintf(file, "s%zu\n", k);
    end_file(file);
    word("-%s", lists[strcmp(version, "v5") == 0 && chance(0.4)]);
    word("%zu.ids", i);
}

static void make_case(uint64_t seed, size_t i, const char *directory, char **formats, size_t n_formats)
{
    enum kind kind;
    const struct sizes *sizes;
    const char *db, *format;
    size_t n_subjects;
    double lower;
    int has_list;
    FILE *file;

    state = (seed << 32) ^ (i * 0x632be59bd9b4e019);
    draw();
    kind = a_kind();
    sizes = sizes_of(kind);
    db = chance(0.5) ? "subject" : chance(0.5) ? "v4" : "v5";
    lower = has_subject_frames && chance(0.3) ? 0.3 : 0;
    masks = lower == 0 || strcmp(db, "subject") == 0 ? NO_MASKS : chance(0.4) ? SOFT_MASKS : HARD_MASKS;
    make_parents(between(1, MOST_PARENTS), kind == SHORT ? 50 : kind == TIES || kind == MANY ? 200 : 700);
    file = create(directory, i, "query");
    if (has_query_frames)
        put_bases(kind, file, 'q', of_range(sizes->n_queries), sizes->query, chance(0.3) ? 0.3 : 0);
    else
        put_proteins(kind, file, 'q', of_range(sizes->n_queries), sizes->query, lower);
    end_file(file);
    file = create(directory, i, "subject");
    n_subjects = of_range(sizes->n_subjects);
    if (has_subject_frames)
        put_bases(kind, file, 's', n_subjects, sizes->subject, lower);
    else
        put_proteins(kind, file, 's', n_subjects, sizes->subject, 0);
    end_file(file);
    n_words = 0;
    make_scores();
    make_translation();
    make_limits(kind);
    make_masks();
    format = formats[draw() % n_formats];
    make_format(format);
    if (has_subject_frames && strcmp(db, "subject") == 0 && chance(0.2))
        OPTION_OF("subject_loc", "2-400", "31-200", "60-1000", "3-100000");
    if (kind == EXONS && chance(0.2))
        OPTION_OF("query_loc", "2-400", "31-200", "60-1000");
    if (is_text(format))
        make_lists();
    file = create(directory, i, "case");
    has_list = db[0] == 'v' && masks == NO_MASKS && chance(0.2);
    fprintf(file, "%s\n%s%s\n", kind_names[kind], db, masks != NO_MASKS ? "-masked" : has_list ? "-parsed" : "");
    put_size(file, "BATCH_SIZE", 0.15, 100, 60000, '\n');
    if (has_list)
        make_id_list(directory, i, n_subjects, db);
    for (size_t k = 0; k < n_words; k++)
        fprintf(file, "%s\n", words[k]);
    end_file(file);
}

int main(int argc, char **argv)
{
    const char *program = getenv("TAMIS_IDENTITY_PROGRAM");
    size_t first, n;

    if (argc < 6) {
        fprintf(stderr, "usage: translated_cases SEED FIRST N DIRECTORY FORMAT...\n");
        return 2;
    }
    has_subject_frames = program != NULL && program[0] == 't';
    has_query_frames = program == NULL || strcmp(program, "tblastn") != 0;
    first = strtoull(argv[2], NULL, 10);
    n = strtoull(argv[3], NULL, 10);
    for (size_t i = first; i < first + n; i++)
        make_case(strtoull(argv[1], NULL, 10), i, argv[4], argv + 5, (size_t)argc - 5);
    return 0;
}
