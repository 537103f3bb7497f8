#include "cli/options_text.h"

#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 25, MAX_SPELLINGS = 4, MAX_HELP = 2048 };

/* All spellings of an option: "-q", "--quiet", "--silent". Returns their number. */
static int spellings(const option_row *row, char out[MAX_SPELLINGS][OPTIONS_SPELLING])
{
    int n = 0;

    if (row->letter != 0)
        snprintf(out[n++], OPTIONS_SPELLING, "-%c", row->letter);
    if (row->name != NULL)
        snprintf(out[n++], OPTIONS_SPELLING, "--%s", row->name);
    if (row->also != NULL)
        snprintf(out[n++], OPTIONS_SPELLING, "--%s", row->also);
    if (row->blast != NULL)
        snprintf(out[n++], OPTIONS_SPELLING, "-%s", row->blast);
    return n;
}

/* The end of the first occurrence of a whole word in the text; NULL if there is none. */
static const char *find_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    while (*text != '\0') {
        size_t length = strcspn(text, " \n,;:.");
        if (length == n && memcmp(text, word, n) == 0)
            return text + n;
        text += length + (text[length] != '\0');
    }
    return NULL;
}

/* The help with the default: marked after the word that it is, if the help lists the choices; else at the end. */
static void full_help(const option_row *row, char text[MAX_HELP])
{
    const char *value = row->initial != NULL ? row->initial : row->otherwise;
    const char *word = row->kind == KIND_CHOICE || row->kind == KIND_DEVICE || row->kind == KIND_DEVICES ? value : NULL;

    word = word != NULL ? find_word(row->help, word) : NULL;
    if (word != NULL)
        snprintf(text, MAX_HELP, "%.*s (default)%s", (int)(word - row->help), row->help, word);
    else
        snprintf(text, MAX_HELP, value != NULL ? "%s (default: %s)" : "%s", row->help, value);
}

/* Prints lines of at most OPTIONS_HELP_WIDTH columns; in the first line, HELP_COLUMN of them are already printed. */
static void print_wrapped(const char *text, FILE *out)
{
    size_t column = HELP_COLUMN;

    while (*text != '\0') {
        size_t n = strcspn(text, " \n"), space = column > HELP_COLUMN;
        if (strncmp(text + n, " %", 2) == 0 ||
            strncmp(text, "(default: ", 10) == 0) /* keep "%" with its number, and a default with its value */
            n += 1 + strcspn(text + n + 1, " \n");
        if (space && column + 1 + n > OPTIONS_HELP_WIDTH) {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
            space = 0;
        }
        fprintf(out, "%s%.*s", space ? " " : "", (int)n, text);
        column += space + n;
        text += n;
        if (*text == '\n') {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}

/* Whether a list has the row's BLAST name. hidden: names separated by spaces, or NULL. */
static int is_hidden(const option_row *row, const char *hidden)
{
    return hidden != NULL && row->blast != NULL && find_word(hidden, row->blast) != NULL;
}

static void print_row(const option_row *row, int is_blast, FILE *out)
{
    char names[MAX_SPELLINGS][OPTIONS_SPELLING], help[MAX_HELP];
    int n = spellings(row, names), column = fprintf(out, "%s", row->letter != 0 || is_blast ? "  " : "      ");

    for (int i = 0; i < n; i++)
        column += fprintf(out, "%s%s", i > 0 ? ", " : "", names[i]);
    if (row->value != NULL)
        column += fprintf(out, " %s", row->value);
    if (column + 1 >= HELP_COLUMN)
        column = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", HELP_COLUMN - column, "");
    full_help(row, help);
    print_wrapped(help, out);
}

void options_print_rows(const option_table *table, const char *hidden, FILE *out)
{
    int is_blast = options_are_blast(table), is_first = 1;
    const char *heading = NULL; /* of a section without a printed row so far */

    for (size_t i = 0; i < table->n_rows; i++) {
        const option_row *row = &table->rows[i];
        if (row->kind == KIND_HEADING) {
            heading = row->heading;
        } else if (!is_hidden(row, hidden)) {
            if (heading != NULL)
                fprintf(out, "%s%s\n", is_first ? "" : "\n", heading);
            print_row(row, is_blast, out);
            heading = NULL;
            is_first = 0;
        }
    }
}

void options_print_help(const option_table *table, FILE *out)
{
    fprintf(out, "%s\n", table->before);
    options_print_rows(table, NULL, out);
    fputs(table->after, out);
}

/* Prints a word of a synopsis, in lines of at most OPTIONS_HELP_WIDTH columns. */
static void print_usage_word(const char *word, size_t *column, FILE *out)
{
    if (*column + 1 + strlen(word) >= OPTIONS_HELP_WIDTH)
        *column = (size_t)fprintf(out, "\n   ") - 1;
    *column += (size_t)fprintf(out, " %s", word);
}

void options_print_usage(const option_table *table, const char *name, const char *hidden, FILE *out)
{
    size_t column = (size_t)fprintf(out, "USAGE\n  %s", name) - strlen("USAGE\n");
    char word[2 * OPTIONS_SPELLING];

    print_usage_word("[-h]", &column, out);
    print_usage_word("[-help]", &column, out);
    for (size_t i = 0; i < table->n_rows; i++) {
        const option_row *row = &table->rows[i];
        const int is_asked = row->ask != NULL;
        if (row->blast == NULL || strcmp(row->blast, "version") == 0 || is_hidden(row, hidden))
            continue;
        snprintf(word, sizeof word, "%s-%s%s%s%s", is_asked ? "" : "[", row->blast, row->value != NULL ? " " : "",
                 row->value != NULL ? row->value : "", is_asked ? "" : "]");
        print_usage_word(word, &column, out);
    }
    print_usage_word("[-version]", &column, out);
    fputc('\n', out);
}

/* ---- man page --------------------------------------------------------------------------------------------------------------- */

static void print_escaped(const char *text, const char *special, FILE *out)
{
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_man_row(const option_row *row, FILE *out)
{
    char names[MAX_SPELLINGS][OPTIONS_SPELLING], help[MAX_HELP], *line;
    int n = spellings(row, names);

    fputc('\n', out);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s*%s*", i > 0 ? ", " : "", names[i]);
    if (row->value != NULL)
        fprintf(out, " _%s_", row->value);
    fputs("\n\t", out);
    full_help(row, help);
    while ((line = strchr(help, '\n')) != NULL)
        *line = ' ';
    print_escaped(help, "\\*_", out);
    fputc('\n', out);
}

static void print_man_rows(const option_table *table, FILE *out)
{
    for (size_t i = 0; i < table->n_rows; i++) {
        if (table->rows[i].kind == KIND_HEADING)
            fprintf(out, "\n## %s\n", table->rows[i].heading);
        else
            print_man_row(&table->rows[i], out);
    }
}

void options_print_man(const option_command *command, FILE *out)
{
    const option_table *table = command->options;

    fprintf(out, "tamis-%s(1)\n\n# NAME\n\ntamis-%s - %s\n\n# SYNOPSIS\n\n", table->command, table->command, command->summary);
    for (const option_command *verb = command->verbs; verb != NULL && verb->options != NULL; verb++)
        fprintf(out, "*tamis %s* [_option_]...%s", verb->options->command, verb[1].options != NULL ? "++\n" : "");
    if (command->verbs == NULL)
        fprintf(out, "*tamis %s* [_option_]...", table->command);
    fputs("\n\n# DESCRIPTION\n\n# OPTIONS\n", out);
    print_man_rows(table, out);
    for (const option_command *verb = command->verbs; verb != NULL && verb->options != NULL; verb++) {
        fprintf(out, "\n# tamis %s\n", verb->options->command);
        print_man_rows(verb->options, out);
    }
    fprintf(out, "\n# EXIT STATUS\n\nSee *tamis*(1).\n\n# SEE ALSO\n\n*tamis*(1)\n");
}

/* ---- completions ------------------------------------------------------------------------------------------------------------ */

const char *option_verb(const option_command *verb)
{
    const char *space = strrchr(verb->options->command, ' ');

    return space != NULL ? space + 1 : verb->options->command;
}

/* Calls print() for all tables of options, also those of verbs. */
static void each_table(const option_command *commands, size_t n, void (*print)(const option_table *table, FILE *out), FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        print(commands[i].options, out);
        for (const option_command *verb = commands[i].verbs; verb != NULL && verb->options != NULL; verb++)
            print(verb->options, out);
    }
}

/* Prints the verbs' names, separated by spaces. */
static void print_verbs(const option_command *command, FILE *out)
{
    for (const option_command *verb = command->verbs; verb->options != NULL; verb++)
        fprintf(out, "%s%s", verb != command->verbs ? " " : "", option_verb(verb));
}

/* The possible values, separated by spaces; NULL: any value. */
static const char *value_words(const option_row *row)
{
    if (row->kind == KIND_DEVICE || row->kind == KIND_DEVICES)
        return "auto cpu cuda";
    if (row->kind == KIND_BOOLEAN)
        return "true false";
    return row->kind == KIND_CHOICE || row->kind == KIND_WORDS ? row->choices : NULL;
}

static int takes_path(const option_row *row) { return row->kind == KIND_PATH || row->kind == KIND_PATHS; }

/* The help up to the first semicolon or line end. */
static void short_help(const option_row *row, char text[MAX_HELP])
{
    snprintf(text, MAX_HELP, "%s", row->help);
    text[strcspn(text, "\n;")] = '\0';
}

/* "-o | --output) ... ;;" for each option with a value. */
static void print_bash_values(const option_table *table, FILE *out)
{
    char names[MAX_SPELLINGS][OPTIONS_SPELLING];

    for (size_t i = 0; i < table->n_rows; i++) {
        const option_row *row = &table->rows[i];
        const char *words = value_words(row);
        int n = spellings(row, names);
        if (row->value == NULL)
            continue;
        fprintf(out, "    ");
        for (int j = 0; j < n; j++)
            fprintf(out, "%s'%s %s'", j > 0 ? " | " : "", table->command, names[j]);
        if (takes_path(row))
            fputs(") kind=file ;;\n", out);
        else
            fprintf(out, ") kind=words words='%s' ;;\n", words != NULL ? words : "");
    }
}

static void print_bash_names(const option_table *table, FILE *out)
{
    char names[MAX_SPELLINGS][OPTIONS_SPELLING];

    fprintf(out, "        '%s') words='", table->command);
    for (size_t j = 0, first = 1; j < table->n_rows; j++) {
        int n_names = spellings(&table->rows[j], names);
        for (int k = 0; k < n_names; k++, first = 0)
            fprintf(out, "%s%s", first ? "" : " ", names[k]);
    }
    fputs("' ;;\n", out);
}

static void print_bash_verbs(const option_command *commands, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        if (commands[i].verbs == NULL)
            continue;
        fprintf(out, "    if [ \"$command\" = %s ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n        COMPREPLY=($(compgen -W '",
                commands[i].options->command);
        print_verbs(&commands[i], out);
        fprintf(out,
                " --help' -- \"$cur\"))\n        return\n    fi\n"
                "    [ \"$command\" != %s ] || command=\"%s ${COMP_WORDS[2]}\"\n",
                commands[i].options->command, commands[i].options->command);
    }
}

void options_print_bash(const option_command *commands, size_t n, FILE *out)
{
    fputs("# Completion of tamis for bash, made from its tables of options.\n"
          "_tamis() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} kind= words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W 'help --help --version",
          out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %s", commands[i].options->command);
    fputs("' -- \"$cur\"))\n"
          "        return\n"
          "    fi\n",
          out);
    print_bash_verbs(commands, n, out);
    fputs("    if [ \"$cur\" = = ]; then # --device=cpu comes as three words\n"
          "        cur=\n"
          "    elif [ \"$prev\" = = ]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    case \"$command $prev\" in\n",
          out);
    each_table(commands, n, print_bash_values, out);
    fputs("    esac\n"
          "    if [ -z \"$kind\" ] && [ \"${cur:0:1}\" = - ]; then\n"
          "        kind=words\n"
          "        case $command in\n",
          out);
    each_table(commands, n, print_bash_names, out);
    fputs("        esac\n"
          "    fi\n"
          "    if [ \"$kind\" = words ]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    else\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    fi\n"
          "}\n"
          "complete -F _tamis tamis\n",
          out);
}

/* Prints text for use between single quotes, which a quote in the text interrupts. */
static void print_zsh_text(const char *text, FILE *out)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\[]:", *text) != NULL)
            fputc('\\', out);
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, out);
    }
}

static void print_zsh_row(const option_row *row, FILE *out)
{
    char names[MAX_SPELLINGS][OPTIONS_SPELLING], help[MAX_HELP];
    int n = spellings(row, names);
    const char *words = value_words(row);

    if (row->kind != KIND_HEADING)
        short_help(row, help);
    for (int i = 0; i < n; i++) {
        int is_letter = names[i][1] != '-' && names[i][2] == '\0', is_blast = names[i][1] != '-' && !is_letter;
        fprintf(out, "            '%s%s%s[", row->kind == KIND_PATHS ? "*" : "", names[i],
                row->value == NULL || is_blast ? ""
                : is_letter                    ? "+"
                                               : "=");
        print_zsh_text(help, out);
        fputc(']', out);
        if (row->value != NULL)
            fprintf(out, ":%s:", row->value);
        if (words != NULL)
            fprintf(out, "(%s)", words);
        else if (takes_path(row))
            fputs("_files", out);
        else if (row->value != NULL)
            fputc(' ', out);
        fputs("' \\\n", out);
    }
}

/* Prints a branch of the case statement; a name of two words needs quotes. */
static void print_zsh_table(const option_table *table, FILE *out)
{
    const char *quote = strchr(table->command, ' ') != NULL ? "'" : "";

    fprintf(out, "    %s%s%s)\n        _arguments%s \\\n", quote, table->command, quote, options_are_blast(table) ? "" : " -s");
    for (size_t j = 0; j < table->n_rows; j++)
        print_zsh_row(&table->rows[j], out);
    fputs("            '*:file:_files' ;;\n", out);
}

static void print_zsh_verbs(const option_command *commands, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        if (commands[i].verbs == NULL)
            continue;
        fprintf(out, "    if [[ $command == %s ]]; then\n        local -a verbs=(\n", commands[i].options->command);
        for (const option_command *verb = commands[i].verbs; verb->options != NULL; verb++)
            fprintf(out, "            \"%s:%s\"\n", option_verb(verb), verb->summary);
        fputs("        )\n"
              "        if (( CURRENT == 2 )); then\n"
              "            _describe verb verbs\n"
              "            return\n"
              "        fi\n"
              "        command=\"$command $words[2]\"\n"
              "        shift words\n"
              "        (( CURRENT-- ))\n"
              "    fi\n",
              out);
    }
}

void options_print_zsh(const option_command *commands, size_t n, FILE *out)
{
    fputs("#compdef tamis\n"
          "# Completion of tamis for zsh, made from its tables of options.\n"
          "_tamis() {\n"
          "    local -a commands=(\n",
          out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "        \"%s:%s\"\n", commands[i].options->command, commands[i].summary);
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n",
          out);
    print_zsh_verbs(commands, n, out);
    fputs("    case $command in\n", out);
    each_table(commands, n, print_zsh_table, out);
    fputs("    esac\n"
          "}\n"
          "_tamis \"$@\"\n",
          out);
}

static void print_fish_row(const option_table *table, const option_row *row, FILE *out)
{
    const char *words = value_words(row), *space = strchr(table->command, ' ');
    char help[MAX_HELP];

    fprintf(out, "complete -c tamis -n '__fish_seen_subcommand_from %.*s", (int)strcspn(table->command, " "), table->command);
    if (space != NULL)
        fprintf(out, "; and __fish_seen_subcommand_from%s", space);
    fputc('\'', out);
    if (row->letter != 0)
        fprintf(out, " -s %c", row->letter);
    if (row->name != NULL)
        fprintf(out, " -l %s", row->name);
    if (row->also != NULL)
        fprintf(out, " -l %s", row->also);
    if (row->blast != NULL)
        fprintf(out, " -o %s", row->blast);
    if (words != NULL)
        fprintf(out, " -x -a '%s'", words);
    else if (takes_path(row))
        fputs(" -r -F", out);
    else if (row->value != NULL)
        fputs(" -x", out);
    fputs(" -d '", out);
    short_help(row, help);
    print_escaped(help, "\\'", out);
    fputs("'\n", out);
}

static void print_fish_table(const option_table *table, FILE *out)
{
    for (size_t j = 0; j < table->n_rows; j++) {
        if (table->rows[j].kind != KIND_HEADING)
            print_fish_row(table, &table->rows[j], out);
    }
}

static void print_fish_verbs(const option_command *command, FILE *out)
{
    for (const option_command *verb = command->verbs; verb != NULL && verb->options != NULL; verb++) {
        fprintf(out, "complete -c tamis -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from ",
                command->options->command);
        print_verbs(command, out);
        fprintf(out, "' -f -a %s -d \"%s\"\n", option_verb(verb), verb->summary);
    }
}

void options_print_fish(const option_command *commands, size_t n, FILE *out)
{
    fputs("# Completion of tamis for fish, made from its tables of options.\n", out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "complete -c tamis -n __fish_use_subcommand -f -a %s -d \"%s\"\n", commands[i].options->command, commands[i].summary);
        print_fish_verbs(&commands[i], out);
    }
    each_table(commands, n, print_fish_table, out);
}
