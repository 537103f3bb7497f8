#include "cli/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "cli/cli_parse.h"

enum {
    FIRST_LONG = 256, /* getopt_long() returns this + the number of the row */
    VERSION = FIRST_LONG + 2 * OPTIONS_MAX_ROWS
};

static options_result fault(options_given *given, const char *format, ...) __attribute__((format(printf, 2, 3)));
static options_result fault(options_given *given, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(given->fault, sizeof given->fault, format, args);
    va_end(args);
    return OPTIONS_FAULT;
}

int options_are_blast(const option_table *table)
{
    for (size_t i = 0; i < table->n_rows; i++) {
        if (table->rows[i].blast != NULL)
            return 1;
    }
    return 0;
}

/* "'red', 'green' or 'blue'". Returns its length. */
static size_t describe_words(const option_row *row, const char *last, char *text, size_t size)
{
    size_t n = 0;

    for (const char *word = row->choices; *word != '\0';) {
        size_t length = strcspn(word, " ");
        const char *next = word + length + (word[length] == ' ');
        n += (size_t)snprintf(text + n, size - n, "'%.*s'", (int)length, word);
        if (*next != '\0')
            n += (size_t)snprintf(text + n, size - n, strchr(next, ' ') == NULL ? " %s " : ", ", last);
        word = next;
    }
    return n;
}

/* Stores an integer of 4 or 8 bytes. Returns 0 if the value does not fit. */
static int store_whole(const option_row *row, char *to, uint64_t value)
{
    uint32_t small = (uint32_t)value;

    if (row->bytes == sizeof small && value > INT32_MAX)
        return 0;
    memcpy(to, row->bytes == sizeof small ? (void *)&small : (void *)&value, row->bytes);
    return 1;
}

/* The index of the row's word that equals these n characters; -1: none. */
static int find_choice(const option_row *row, const char *value, size_t n)
{
    int i = 0;

    for (const char *word = row->choices; *word != '\0'; i++) {
        size_t length = strcspn(word, " ");
        if (length == n && memcmp(value, word, n) == 0)
            return i;
        word += length + (word[length] == ' ');
    }
    return -1;
}

static int store_choice(const option_row *row, char *to, const char *value)
{
    int i = find_choice(row, value, strlen(value));

    return i >= 0 && store_whole(row, to, (uint64_t)(row->low + i));
}

/* Accepts the words that BLAST+ programs accept. */
static int store_boolean(const option_row *row, char *to, const char *value)
{
    static const char *const words[2][5] = {{"false", "f", "no", "n", "0"}, {"true", "t", "yes", "y", "1"}};

    for (size_t i = 0; i < 10; i++) {
        if (strcasecmp(value, words[i / 5][i % 5]) == 0)
            return store_whole(row, to, i / 5);
    }
    return 0;
}

static int store_words(const option_row *row, char *to, const char *value)
{
    uint64_t sum = 0;

    for (;;) {
        size_t n = strcspn(value, ",");
        int i = find_choice(row, value, n);
        if (i < 0)
            return 0;
        sum |= (uint64_t)1 << i;
        if (value[n] == '\0')
            return store_whole(row, to, sum);
        value += n + 1;
    }
}

static int is_in_range(const option_row *row, double number)
{
    return (number >= (double)row->low || row->low == OPTION_ANY) && (row->high == 0 || number <= (double)row->high);
}

/* The values of BLAST's options have BLAST+'s syntax. */
static int store_size(const option_row *row, char *to, const char *value)
{
    uint64_t whole;
    int64_t number;

    if (row->blast == NULL)
        return cli_parse_size(value, &whole) && whole >= (uint64_t)row->low && (row->high == 0 || whole <= (uint64_t)row->high) &&
               store_whole(row, to, whole);
    return cli_parse_blast_whole(value, &number) && number >= row->low && (row->high == 0 || number <= row->high) &&
           store_whole(row, to, (uint64_t)number);
}

static int store_number(const option_row *row, char *to, const char *value)
{
    double number;

    if (!(row->blast != NULL ? cli_parse_blast_number(value, &number) : cli_parse_not_negative(value, &number)) ||
        (row->kind == KIND_POSITIVE ? !(number > 0) : !is_in_range(row, number)))
        return 0;
    memcpy(to, &number, sizeof number);
    return 1;
}

static int store_flag(const option_row *row, char *to, const char *value)
{
    (void)value;
    return store_whole(row, to, (uint64_t)row->set);
}

static int store_seed(const option_row *row, char *to, const char *value)
{
    (void)row;
    return cli_parse_seed(value, (uint64_t *)(void *)to);
}

static int store_probability(const option_row *row, char *to, const char *value)
{
    (void)row;
    return cli_parse_probability(value, (double *)(void *)to);
}

static int store_fraction(const option_row *row, char *to, const char *value)
{
    double number;

    (void)row;
    if (!cli_parse_probability(value, &number) || number == 1)
        return 0;
    memcpy(to, &number, sizeof number);
    return 1;
}

static int store_rate(const option_row *row, char *to, const char *value)
{
    (void)row;
    return cli_parse_rate(value, (double *)(void *)to);
}

static int store_device(const option_row *row, char *to, const char *value)
{
    int device;

    (void)row;
    if (!cli_parse_device(value, &device))
        return 0;
    memcpy(to, &device, sizeof device);
    return 1;
}

static int store_devices(const option_row *row, char *to, const char *value)
{
    option_devices devices;

    (void)row;
    if (!cli_parse_devices(value, OPTIONS_MAX_DEVICES, devices.items, &devices.n))
        return 0;
    memcpy(to, &devices, sizeof devices);
    return 1;
}

static int store_path(const option_row *row, char *to, const char *value)
{
    (void)row;
    memcpy(to, &value, sizeof value);
    return 1;
}

static int store_paths(const option_row *row, char *to, const char *value)
{
    option_paths *paths = (option_paths *)(void *)to;

    (void)row;
    paths->items[paths->n++] = value;
    return 1;
}

static size_t describe_range(const option_row *row, char *text, size_t size)
{
    const char *what = row->what != NULL ? row->what : "a number";
    long long low = row->low, high = row->high;

    if (low == OPTION_ANY)
        return (size_t)snprintf(text, size, "%s", what);
    if (high == 0)
        return (size_t)snprintf(text, size, "%s, %lld or more", what, low);
    if (high >= 1LL << 40 && (high & (high - 1)) == 0) /* too long to read in decimal */
        return (size_t)snprintf(text, size, "%s from %lld to 2^%d", what, low, __builtin_ctzll((unsigned long long)high));
    return (size_t)snprintf(text, size, "%s from %lld to %lld", what, low, high);
}

static size_t describe_some_words(const option_row *row, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "one or more of ");

    n += describe_words(row, "and", text + n, size - n);
    return n + (size_t)snprintf(text + n, size - n, ", separated by commas");
}

static size_t describe_choice(const option_row *row, char *text, size_t size) { return describe_words(row, "or", text, size); }

/* By kind. Kinds that take any value, or none, have no description. */
static const struct value_kind {
    int (*store)(const option_row *row, char *to, const char *value);   /* returns 0 if the row refuses the value */
    size_t (*describe)(const option_row *row, char *text, size_t size); /* describes the values; returns the length */
    const char *suffix;                                                 /* follows the row's .what, such as "a number" */
    const char *alone;                                                  /* describes the values of all rows */
} kinds[] = {
    [KIND_FLAG] = {store_flag},
    [KIND_SIZE] = {store_size, .describe = describe_range},
    [KIND_SEED] = {store_seed, .suffix = "from 0 to 2^64 - 1, decimal or 0x..."},
    [KIND_NUMBER] = {store_number, .describe = describe_range},
    [KIND_POSITIVE] = {store_number, .suffix = "above 0"},
    [KIND_PROBABILITY] = {store_probability, .suffix = "above 0 and up to 1"},
    [KIND_FRACTION] = {store_fraction, .suffix = "between 0 and 1"},
    [KIND_RATE] = {store_rate, .suffix = "between 0 and 1"},
    [KIND_BOOLEAN] = {store_boolean, .alone = "true or false"},
    [KIND_CHOICE] = {store_choice, .describe = describe_choice},
    [KIND_WORDS] = {store_words, .describe = describe_some_words},
    [KIND_DEVICE] = {store_device, .alone = "'auto', 'cpu', 'cuda' or 'cuda:0' (a GPU's number)"},
    [KIND_DEVICES] = {store_devices, .alone = "'auto', 'cpu', 'cuda', 'cuda:0' (a GPU's number) or 'cuda:0,1' (several GPUs, each once)"},
    [KIND_PATH] = {store_path},
    [KIND_PATHS] = {store_paths},
};

/* Returns 0 if the row refuses the value. */
static int store(const option_row *row, const char *value, char *job)
{
    return kinds[row->kind].store == NULL || kinds[row->kind].store(row, job + row->at, value);
}

/* Describes the values, for a text between "--threads takes " and ", not 'x'". */
static void describe(const option_row *row, char *text, size_t size)
{
    const struct value_kind *kind = &kinds[row->kind];
    size_t n = 0;

    text[0] = '\0';
    if (kind->describe != NULL)
        n = kind->describe(row, text, size);
    else if (kind->suffix != NULL)
        n = (size_t)snprintf(text, size, "%s %s", row->what != NULL ? row->what : "a number", kind->suffix);
    else if (kind->alone != NULL)
        n = (size_t)snprintf(text, size, "%s", kind->alone);
    if (row->such_as != NULL)
        snprintf(text + n, size - n, ", such as %s", row->such_as);
}

static int looks_like_option(const option_table *table, const char *value)
{
    if (value == NULL || value[0] != '-')
        return 0;
    value += strspn(value, "-");
    return *value != '\0' && option_find(table, value, strcspn(value, "=")) != NULL;
}

static options_result take(options_given *given, const option_row *row, const char *value, char *job)
{
    char name[OPTIONS_SPELLING], range[256];
    option_devices devices;

    if (row->blast != NULL && row->kind != KIND_PATHS && given->is_given[row - given->table->rows])
        return fault(given, "%s is given twice", option_spelling(row, name));
    given->is_given[row - given->table->rows] = 1;
    given->values[row - given->table->rows] = value;
    if (looks_like_option(given->table, value)) {
        given->takes_option = row;
        given->taken = value;
    }
    if (store(row, value, job))
        return OPTIONS_RUN;
    describe(row, range, sizeof range);
    if (row->kind == KIND_DEVICE && cli_parse_devices(value, OPTIONS_MAX_DEVICES, devices.items, &devices.n))
        return fault(given, "%s takes %s, not '%s': only tamis blastp and blastn can use several GPUs", option_spelling(row, name), range,
                     value);
    return fault(given, "%s takes %s, not '%s'", option_spelling(row, name), range, value);
}

/* The first option of a list of names, separated by spaces, that was given. */
static const option_row *first_given(const options_given *given, const char *words)
{
    while (words != NULL && *words != '\0') {
        size_t n = strcspn(words, " ");
        const option_row *row = option_find(given->table, words, n);
        if (row != NULL && given->is_given[row - given->table->rows])
            return row;
        words += n + (words[n] == ' ');
    }
    return NULL;
}

/* Checks operands, required options, and options that exclude or need others. */
static options_result check(options_given *given)
{
    char name[OPTIONS_SPELLING], other_name[OPTIONS_SPELLING];

    if (given->table->no_operands != NULL && given->n_operands > 0) {
        if (given->takes_option != NULL)
            return fault(given, "%s takes %s, but '%s' follows it: give it a value", option_spelling(given->takes_option, name),
                         given->takes_option->value, given->taken);
        return fault(given, "'%s': %s", given->operands[0], given->table->no_operands);
    }
    for (size_t i = 0; i < given->table->n_rows; i++) {
        const option_row *row = &given->table->rows[i], *other;
        if (!given->is_given[i]) {
            if (row->ask != NULL)
                return fault(given, "%s Give %s %s", row->ask, option_spelling(row, name), row->value);
            continue;
        }
        other = first_given(given, row->excludes);
        if (other != NULL && row->because != NULL)
            return fault(given, "%s: give one of them", row->because);
        if (other != NULL)
            return fault(given, "%s and %s cannot be used together: give one of them", option_spelling(row, name),
                         option_spelling(other, other_name));
        if (row->needs == NULL || first_given(given, row->needs) != NULL)
            continue;
        other = option_find(given->table, row->needs, strcspn(row->needs, " "));
        option_spelling(row, name);
        option_spelling(other, other_name);
        return fault(given, "%s%s: give %s%s%s too", row->because != NULL ? row->because : name,
                     row->because != NULL ? "" : " has no effect alone", other_name, other->value != NULL ? " " : "",
                     other->value != NULL ? other->value : "");
    }
    if (given->table->ask != NULL && given->n_operands == 0)
        return fault(given, "%s", given->table->ask);
    return OPTIONS_RUN;
}

enum { NAME_WIDTH = 32, MAX_NAMES = 4 * OPTIONS_MAX_ROWS };

/* getopt's tables: letters as in ":o:k", names with the number of their row. A name that contains - or _ has an entry for either spelling.
 */
typedef struct getopt_tables {
    char letters[2 * OPTIONS_MAX_ROWS + 2];
    size_t n_names, n_twins;
    struct option names[2 * MAX_NAMES + 1];
    char twins[MAX_NAMES][NAME_WIDTH];
} getopt_tables;

static void add_name(getopt_tables *out, const char *name, int takes, int result)
{
    const char *dash = strpbrk(name, "-_");
    char *twin = out->twins[out->n_twins];

    out->names[out->n_names++] = (struct option){name, takes, NULL, result};
    if (dash == NULL)
        return;
    snprintf(twin, NAME_WIDTH, "%s", name);
    for (char *c = twin; (c = strpbrk(c, "-_")) != NULL; c++)
        *c = *dash == '-' ? '_' : '-';
    out->names[out->n_names++] = (struct option){twin, takes, NULL, result};
    out->n_twins++;
}

static void make_tables(const option_table *table, getopt_tables *out)
{
    char *letter = out->letters;

    memset(out, 0, sizeof *out);
    *letter++ = ':';
    for (size_t i = 0; i < table->n_rows; i++) {
        const option_row *row = &table->rows[i];
        const char *const names[] = {row->name, row->also, row->blast};
        int takes = row->value != NULL ? required_argument : no_argument;
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            if (names[j] != NULL)
                add_name(out, names[j], takes, FIRST_LONG + (int)i);
        }
        if (row->letter != 0)
            *letter++ = row->letter;
        if (row->letter != 0 && takes)
            *letter++ = ':';
    }
    for (size_t i = 0; i < table->n_refused; i++)
        out->names[out->n_names++] = (struct option){table->refused[i].name, optional_argument, NULL,
                                                     FIRST_LONG + (int)(table->n_rows + i)};
    if (option_find(table, "version", strlen("version")) == NULL)
        add_name(out, "version", no_argument, VERSION);
}

/* The argument in which getopt has just read the first of several letters; otherwise "". value: the letter's value, or NULL. */
static const char *word_of_letters(int argc, char **argv, int letter, const char *value)
{
    const char *before = argv[optind - 1], *word = value != NULL ? before : optind < argc ? argv[optind] : "";
    int is_alone = before[0] == '-' && before[1] == letter && before[2] == '\0'; /* "-q -query": getopt has just read -q */

    if (is_alone || word[0] != '-' || word[1] != letter || word[2] == '\0' || (value != NULL && value != word + 2))
        return "";
    return word;
}

/* Whether getopt has read a long name as letters: "-filter x" as "-f ilter". In tables whose names may have one dash, letters cannot be
 * combined. */
static int is_misread(const option_table *table, const char *word, const char *value)
{
    return word[0] != '\0' && (option_is_name_begun(table, word) || (value == NULL && options_are_blast(table)));
}

/* Takes the prefix of a name with two spellings, which getopt refuses after one dash. *row is NULL if the word is not such a prefix. */
static options_result take_begun(options_given *given, int argc, char **argv, const option_row **row, void *job)
{
    const char *word = argv[optind - 1], *value = strchr(word, '=');

    *row = option_begun(given->table, word);
    if (*row == NULL || ((*row)->value == NULL && value != NULL) || ((*row)->value != NULL && value == NULL && optind == argc))
        *row = NULL;
    if (*row == NULL)
        return OPTIONS_RUN;
    if ((*row)->kind == KIND_HELP)
        return OPTIONS_HELP;
    return take(given, *row, value != NULL ? value + 1 : (*row)->value != NULL ? argv[optind++] : NULL, job);
}

/* Handles an argument that getopt refuses. optopt: its letter, the number of a name that takes no value, or 0. */
static options_result not_an_option(options_given *given, int argc, char **argv, int option, void *job)
{
    const char *word = argv[optind - 1];
    const option_row *row = NULL;
    options_result result = optopt == 0 && option != ':' ? take_begun(given, argc, argv, &row, job) : OPTIONS_RUN;

    if (row != NULL)
        return result;
    if (option == ':')
        return fault(given, "option '%s' needs a value", word);
    if (optopt >= FIRST_LONG)
        return fault(given, "option '%.*s' takes no value", (int)strcspn(word, "="), word);
    if (optopt != 0)
        word = word_of_letters(argc, argv, optopt, NULL);
    if (!option_explain(given->table, word, given->fault, sizeof given->fault) && optopt != 0)
        return fault(given, "no option '-%c'", optopt);
    return OPTIONS_FAULT;
}

/* Takes one option that getopt has found. */
static options_result take_option(options_given *given, int argc, char **argv, int option, void *job)
{
    const option_table *table = given->table;
    const int first_refused = FIRST_LONG + (int)table->n_rows;
    const char *word = option < FIRST_LONG ? word_of_letters(argc, argv, option, optarg) : "";
    const option_row *row;
    char letter = (char)option;

    if (option == '?' || option == ':')
        return not_an_option(given, argc, argv, option, job);
    if (option == VERSION)
        return OPTIONS_VERSION;
    if (option >= first_refused)
        return fault(given, "-%s %s", table->refused[option - first_refused].name, table->refused[option - first_refused].why);
    if (is_misread(table, word, optarg)) {
        option_explain(table, word, given->fault, sizeof given->fault);
        return OPTIONS_FAULT;
    }
    row = option >= FIRST_LONG ? &table->rows[option - FIRST_LONG] : option_find(table, &letter, 1);
    given->wants_brief = option < FIRST_LONG;
    return row->kind == KIND_HELP ? OPTIONS_HELP : take(given, row, optarg, job);
}

options_result options_parse(const option_table *table, int argc, char **argv, void *job, options_given *given)
{
    getopt_tables tables;
    options_result result = OPTIONS_RUN;
    int option, is_blast = options_are_blast(table);

    memset(given, 0, sizeof *given);
    given->table = table;
    if (argc == 2 && strcmp(argv[1], "-h") == 0) {
        given->wants_brief = 1;
        return OPTIONS_HELP;
    }
    make_tables(table, &tables);
    for (size_t i = 0; i < table->n_rows; i++) {
        if (table->rows[i].initial != NULL && !store(&table->rows[i], table->rows[i].initial, job))
            return take(given, &table->rows[i], table->rows[i].initial, job); /* reports the invalid default */
    }
    optind = 0; /* glibc and musl: start again, whatever was parsed before */
    while (result == OPTIONS_RUN && (option = is_blast ? getopt_long_only(argc, argv, tables.letters, tables.names, NULL)
                                                       : getopt_long(argc, argv, tables.letters, tables.names, NULL)) != -1)
        result = take_option(given, argc, argv, option, job);
    given->operands = argv + optind;
    given->n_operands = argc - optind;
    return result == OPTIONS_RUN ? check(given) : result;
}

int options_is_given(const options_given *given, const char *name)
{
    const option_row *row = option_find(given->table, name, strlen(name));

    return row != NULL && given->is_given[row - given->table->rows];
}

bool options_text(const options_given *given, size_t i, char *out, size_t size)
{
    char spelling[OPTIONS_SPELLING];
    const char *value = given->values[i];
    int n;

    if (!given->is_given[i])
        return false;
    n = snprintf(out, size, "%s%s%s", option_spelling(&given->table->rows[i], spelling), value != NULL ? " " : "",
                 value != NULL ? value : "");
    return n > 0 && (size_t)n < size;
}

const char *options_about(const options_given *given, unsigned about, char spelling[OPTIONS_SPELLING])
{
    for (size_t i = 0; i < given->table->n_rows; i++) {
        if ((given->table->rows[i].about & about) && given->is_given[i])
            return option_spelling(&given->table->rows[i], spelling);
    }
    return NULL;
}
