/* seeds_options.c - the options of tamis seeds. */
#include "cli/cli.h"
#include "cli/seeds/seeds_job.h"

static const option_row rows[] = {
    {0, NULL, "FILE", OPTION_PATHS(seeds_job, queries), .blast = "query", .ask = "which query?",
     .help = "the sequences to search for; tamis keeps them in memory"},
    {0, NULL, "FILE", OPTION_PATHS(seeds_job, subjects), .blast = "subject", .excludes = "db",
     .because = "-subject names files and -db a database to search in",
     .help = "the sequences to search in; they may be larger than memory"},
    {0, NULL, "NAME", OPTION_PATH(seeds_job, db), .blast = "db",
     .help = "in place of -subject: BLAST nucleotide databases (tamis makedb), several names in one argument, separated by spaces"},

    {.heading = "What to find"},
    {0, NULL, "W", OPTION_SIZE(seeds_job, asked.word_size, TMS_SEEDS_MIN_WORD, TMS_SEEDS_MAX_WORD), .blast = "word_size",
     .what = "a number of bases", .initial = "16", .help = "bases of a match, 8..32"},
    {0, NULL, "S", OPTION_CHOICE(seeds_job, asked.strand, "both plus minus", TMS_STRAND_BOTH), .blast = "strand", .initial = "both",
     .help = "strand of the query: both, plus, minus"},

    {.heading = "What to print"},
    {0, "bed", NULL, OPTION_FLAG(seeds_job, bed), .excludes = "stage", .because = "--bed joins seeds, and --stage filter finds none",
     .help = "join consecutive seeds on a diagonal, and print BED: subject, start (from 0), end, QUERY:FIRST-LAST "
             "(from 1), length (at most 1000), strand"},
    {0, "plot", "FILE", OPTION_PATH(seeds_job, plot), .excludes = "stage count header", .because = "--plot draws matches",
     .help = "draw a dot plot of the matches, and print them only with --bed: .svg, .png, or .html, a page that opens anywhere"},
    {0, "min-length", "N", OPTION_SIZE(seeds_job, min_length, 1, TMS_DNA_MAX_BASES), .what = "a number of bases", .otherwise = "W",
     .needs = "bed plot", .because = "--min-length is of matches", .help = "with --bed and --plot: leave out matches of fewer bases"},
    {0, NULL, "FILE", OPTION_PATH(seeds_job, out), .blast = "out", .initial = "-",
     .help = "write to a file, which appears whole or not at all; - is standard output"},
    {0, "count", NULL, OPTION_FLAG(seeds_job, only_count), .excludes = "header", .because = "--header names columns, and --count has none",
     .help = "print only the number of lines"},
    {0, "header", NULL, OPTION_FLAG(seeds_job, header), .excludes = "bed",
     .because = "--header prints the names of the columns, and BED has no such line",
     .help = "print a first line with the names of the columns"},
    {0, "stage", "filter", OPTION_CHOICE(seeds_job, only_filter, "filter", 1),
     .help = "print the w-mers that pass the Bloom filters, true and false: subject, s_start, sub_query"},
    {0, "stats", "FILE", OPTION_PATH(seeds_job, stats), .help = "write parameters, totals, and counts of each sub-query's filter, as JSON"},
    CLI_ROW_FORCE("let -out replace any file, and --stats a file of another kind"),

    {.heading = "Filters (these options do not change the seeds)"},
    {0, "sub-query", "N", OPTION_SIZE(seeds_job, asked.sub_query, 1, TMS_DNA_MAX_BASES), .what = "a number of positions",
     .otherwise = "one", .help = "split the query into sub-queries of N positions, each with its own filter"},
    {'m', NULL, "BITS", OPTION_SIZE(seeds_job, asked.m_bits, TMS_BANK_MIN_BITS, TMS_BANK_MAX_BITS), .what = "a number of bits",
     .such_as = "262144 or 256Ki", .otherwise = "by the query; h3 rounds up to a power of two", .help = "bits of a filter: 262144, 256Ki"},
    {'k', NULL, "N", OPTION_SIZE(seeds_job, asked.k, 1, TMS_BANK_MAX_K), .what = "a number of hash functions",
     .otherwise = "by the filter's size", .help = "hash functions, 1..16"},
    {0, "hash", "H", OPTION_CHOICE(seeds_job, asked.hash, "h3 xxh3", TMS_SEED_HASH_H3), .initial = "h3", .help = "h3, xxh3"},
    CLI_ROW_SEED(seeds_job, asked.seed, "for the hash functions: decimal or 0x..."),
    {0, "filter", "bloom", OPTION_CHOICE(seeds_job, asked.only_bloom, "bloom", 1),
     .help = "use a Bloom filter even where tamis would choose an exact bitmap of all 4^W w-mers"},
    {0, "schedule", "S", OPTION_CHOICE(seeds_job, asked.schedule, "shared interleaved bitmap", TMS_SCHEDULE_SHARED),
     .otherwise = "the fastest", .help = "shared, interleaved or bitmap"},

    {.heading = "Running"},
    CLI_ROW_DEVICE,
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, 1024), .blast = "num_threads", .otherwise = "all", .help = "CPU threads"},
    {0, "batch", "N", OPTION_SIZE(seeds_job, batch_bases, 1, SEEDS_MAX_BASES), .what = "a number of bases", .initial = "4Mi",
     .help = "bases of the subject per batch"},
    {0, "query-batch", "N", OPTION_SIZE(seeds_job, query_batch, SEEDS_MIN_QUERY_BATCH, SEEDS_MAX_BASES), .what = "a number of bases",
     .initial = "2147483616",
     .help = "bases of the query that are indexed at a time: fewer take less memory, and the subject is read once for each batch"},
    CLI_ROW_QUIET("no progress and no remarks"),
    CLI_ROW_HELP,
};

const option_table seeds_options = {
    "seeds",
    "Usage: tamis seeds -query FILE -subject FILE|-db NAME [OPTION]...\n"
    "\n"
    "Prints every exact match of W bases between the query and the subject: query,\n"
    "q_start, subject, s_start and strand (plus or minus), with tabs between them,\n"
    "ordered by subject, then by query. A name is the first word of a record's\n"
    "header. Positions count from 1 and are those of the leftmost base, on the plus\n"
    "strand of each. A window with a base other than A, C, G or T matches nothing.\n"
    "\n"
    "Files are FASTA or FASTQ, plain or compressed; tamis detects the format from the\n"
    "contents. One of them may be -, standard input. -query and -subject may be given\n"
    "several times: tamis reads the files one after the other.\n"
    "Long options begin with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0 even if nothing matches; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis seeds -query k12.fa.gz -subject o157.fa.gz -word_size 16 > seeds.tsv\n"
    "  tamis seeds -query a.fa -query b.fa -subject c.fa --bed -out matches.bed\n"
    "  tamis seeds -query a.fa -subject b.fa --plot dots.svg\n"
    "  tamis seeds -query k12.fa.gz -subject reads.fq.gz -word_size 24 --count\n",
    .no_operands = "files are named with -query and -subject",
};
