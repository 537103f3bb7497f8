/*
 * main.c - finds and runs the command, or the BLAST+ program, that argv names.
 *
 * How to add a command "foo":
 *   1. cli/cmd_foo.c with int cmd_foo(int argc, char **argv) and its table of options, both declared in cli.h; its row in
 *      commands[] below. --help and the shells' completions come from the table
 *   2. doc/man/tamis-foo.1.scd, which `tamis generate man foo` begins; a line in tamis.1.scd
 *   3. tests/cli/foo.bats
 * cmd_foo() gets the command's name as argv[0], prints failures with cli_fail*(), and returns the exit code.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/blast/blast_programs.h"
#include "cli/cli.h"
#include "cli/model/model_verbs.h"
#include "cli/options_text.h"
#include "cli/word_distance.h"

static const option_command commands[] = {
    {&build_options, cmd_build, "make a filter from the lines of files"},
    {&query_options, cmd_query, "print the lines that are, or are not, in a filter's set"},
    {&freq_options, cmd_freq, "estimate how often lines occurred, from a probabilistic filter"},
    {&heavy_options, cmd_heavy, "print the frequent lines of a stream, in one pass"},
    {&info_options, cmd_info, "show a filter's parameters, fill and false-positive rates"},
    {&merge_options, cmd_merge, "merge filters with the same parameters"},
    {&classify_options, cmd_classify, "assign reads to references, and split files by reference"},
    {&seeds_options, cmd_seeds, "print all exact matches of w bases between two sets of sequences"},
    {&makedb_options, cmd_makedb, "make a BLAST database from FASTA files, or from another database"},
    {&dbinfo_options, cmd_dbinfo, "show what is in a BLAST database, or print its sequences"},
    {&mask_options, cmd_mask, "find low-complexity regions: SEG, DUST"},
    {&blastn_options, cmd_blastn, "search nucleotides with nucleotides: the output of NCBI's blastn"},
    {&blastp_options, cmd_blastp, "search proteins with proteins: the output of NCBI's blastp"},
    {&blastx_options, cmd_blastx, "search proteins with nucleotides: the output of NCBI's blastx"},
    {&tblastn_options, cmd_tblastn, "search nucleotides with proteins: the output of NCBI's tblastn"},
    {&tblastx_options, cmd_tblastx, "search nucleotides with nucleotides, both translated: NCBI's tblastx"},
    {&report_options, cmd_report, "make the report of a search from its parts, or in another format"},
    {&plan_options, cmd_plan, "plan a search on a cluster: how to divide it, how long it takes"},
    {&links_options, cmd_links, "let programs that call BLAST+ call tamis"},
    {&model_options, cmd_model, "predict a filter's speed and false-positive rate before it is made", model_verbs},
    {&doctor_options, cmd_doctor, "show the CPU and GPUs, and why a GPU is not usable"},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void)
{
    fputs("Usage: tamis COMMAND [OPTION]... [ARGUMENT]...\n"
          "\n"
          "tamis searches proteins and nucleotides, and prints what NCBI BLAST+ prints. It\n"
          "sorts reads by genome, finds exact matches between genomes, and screens lists of\n"
          "lines with Bloom filters, on CPU threads or GPUs. A filter never drops a line of\n"
          "its list, and passes other lines at a rate that you choose.\n"
          "\n"
          "Commands\n",
          stdout);
    for (int i = 0; i < N_COMMANDS; i++)
        printf("  %-9s %s\n", commands[i].options->command, commands[i].summary);
    fputs("\n"
          "  tamis COMMAND --help   a command's options\n"
          "  tamis --version        the version; also of a command\n"
          "\n"
          "Examples\n"
          "  tamis build -o words.tms words.txt.gz    a filter from a list\n"
          "  tamis query words.tms candidates.txt     the lines that are probably in it\n"
          "  tamis query -v words.tms candidates.txt  the lines that are certainly not\n"
          "  tamis heavy --min 1000 stream.log        lines that occur well over 1000 times\n"
          "  tamis seeds -query a.fa -subject b.fa    exact matches of 16 bases\n"
          "  tamis blastp -query q.fa -subject s.fa -outfmt html -out hits.html\n"
          "                                           similar proteins, as a web page\n"
          "\n"
          "Exit status\n"
          "  0  success\n"
          "  1  query, freq or heavy selected no line; dbinfo did not find an id\n"
          "  2  wrong usage, bad input, a missing or damaged BLAST database, or an output\n"
          "     that would replace an input or a file of another kind\n"
          "  3  a filter file is missing, corrupt, truncated or of another version\n"
          "  4  --device cuda was given, and the GPU is not usable or failed\n"
          "  5  out of memory, or tamis could not create a thread\n"
          "  6  tamis could not write an output\n"
          "  makedb, blastp and the other searches have those of BLAST+: see their --help\n",
          stdout);
    return cli_end_stdout("", CLI_OK);
}

static const option_command *find_command(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(name, commands[i].options->command) == 0)
            return &commands[i];
    }
    return NULL;
}

/* What to say if the command is the name of a BLAST+ program. */
static const struct {
    const char *program, *answer;
} blast_programs[] = {
    {"makeblastdb", "'tamis makedb' does that"},
    {"blastdbcmd", "'tamis dbinfo' does that"},
    {"blastdbcheck", "'tamis dbinfo --check' does that"},
    {"dustmasker", "'tamis mask -task dust' does that"},
    {"segmasker", "'tamis mask -task seg' does that"},
    {"megablast", "'tamis blastn' does that"},
    {"psiblast", "tamis does not iterate: 'tamis blastp' searches once, with a matrix"},
};

static int fail_unknown(const char *word)
{
    const option_command *nearest = NULL;
    size_t least = 3; /* a name more than two edits away is no help */

    for (size_t i = 0; i < sizeof blast_programs / sizeof *blast_programs; i++) {
        if (strcmp(word, blast_programs[i].program) == 0)
            return cli_fail_usage("", "no command '%s': %s", word, blast_programs[i].answer);
    }
    for (int i = 0; i < N_COMMANDS; i++) {
        size_t distance = strncmp(word, commands[i].options->command, strlen(word)) == 0
                              ? 1
                              : word_distance(word, strlen(word), commands[i].options->command);
        if (distance < least) {
            least = distance;
            nearest = &commands[i];
        }
    }
    if (word[0] == '-')
        return cli_fail_usage("", "no option '%s' before a command", word);
    if (nearest != NULL)
        return cli_fail_usage("", "no command '%s'; did you mean '%s'?", word, nearest->options->command);
    return cli_fail_usage("", "no command '%s'", word);
}

/*
 * If standard input, output or error is closed, the next file that is opened would get its number, and printed text would go into
 * that file. So /dev/null takes its place, opened for the wrong direction: reading then fails instead of finding an empty input, and
 * writing fails instead of losing a result.
 */
static int occupy_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY)) != fd)
            return cli_fail("", CLI_USAGE, "cannot open /dev/null in place of a closed standard stream: %s", strerror(errno));
    }
    return CLI_OK;
}

/* Prints the completions that the build installs, or a skeleton of a man page. Users need neither, so no help lists this command. */
static int generate(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[2] : "";
    const option_command *command = argc > 3 ? find_command(argv[3]) : NULL, *verb = command != NULL ? command->verbs : NULL;

    while (argc > 4 && verb != NULL && verb->options != NULL && strcmp(argv[4], option_verb(verb)) != 0)
        verb++;
    if (argc > 4 && verb != NULL && verb->options != NULL)
        command = verb;
    if (strcmp(what, "bash") == 0)
        options_print_bash(commands, N_COMMANDS, stdout);
    else if (strcmp(what, "zsh") == 0)
        options_print_zsh(commands, N_COMMANDS, stdout);
    else if (strcmp(what, "fish") == 0)
        options_print_fish(commands, N_COMMANDS, stdout);
    else if (strcmp(what, "man") == 0 && command != NULL)
        options_print_man(command, stdout);
    else
        return cli_fail_usage("", "generate takes bash, zsh, fish, or man and a command");
    return cli_end_stdout("", CLI_OK);
}

static int run(int argc, char **argv)
{
    const option_command *command;
    char help_option[] = "--help";
    char *help_argv[] = {argv[0], help_option, NULL};

    if (argc < 2) {
        fprintf(stderr, "tamis: which command? ");
        for (int i = 0; i < N_COMMANDS; i++)
            fprintf(stderr, "%s%s", i > 0 ? ", " : "", commands[i].options->command);
        fprintf(stderr, "\nTry 'tamis --help'.\n");
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("tamis %s\n", tms_version());
        return cli_end_stdout("", CLI_OK);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        command = argc > 2 ? find_command(argv[2]) : NULL;
        if (argc > 2 && command == NULL)
            return fail_unknown(argv[2]);
        if (argc > 3 && command->verbs != NULL)
            return command->run(3, (char *[]){argv[0], argv[3], help_option, NULL});
        return command != NULL ? command->run(2, help_argv) : print_help();
    }
    if (strcmp(argv[1], "generate") == 0)
        return generate(argc, argv);
    command = find_command(argv[1]);
    if (command != NULL && cli_check_environment(command->options->command) != CLI_OK)
        return CLI_USAGE;
    return command != NULL ? command->run(argc - 1, argv + 1) : fail_unknown(argv[1]);
}

/* Runs tamis as a BLAST+ program: inserts the arguments that its name implies before those given. */
static int run_program(const blast_program *program, int argc, char **argv)
{
    char **all = calloc((size_t)argc + BLAST_IMPLIED + 1, sizeof *all);
    int n = 0, code;

    blast_call(program);
    if (all == NULL)
        return cli_fail("", CLI_NO_MEMORY, "out of memory");
    all[n++] = argv[0];
    for (size_t i = 0; i < BLAST_IMPLIED && program->implied[i] != NULL; i++)
        all[n++] = program->implied[i];
    for (int i = 1; i < argc; i++)
        all[n++] = argv[i];
    if (blast_prints_version(program, argc, argv))
        code = cli_end_stdout("", CLI_OK);
    else if ((code = cli_check_environment(program->options->command)) == CLI_OK)
        code = find_command(program->options->command)->run(n, all);
    free(all);
    return code != CLI_OK && program->fails_with_1 ? 1 : code;
}

int main(int argc, char **argv)
{
    const blast_program *program = blast_find(argv[0]);
    int code = occupy_closed_streams();

    signal(SIGXFSZ, SIG_IGN); /* a write beyond the file-size limit is then an error like any other */
    /* With the default of 8 queues per GPU, CUDA's start and end take 0.09 s longer; with one queue copies and kernels overlap too. */
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
    if (code == CLI_OK)
        code = program != NULL ? run_program(program, argc, argv) : run(argc, argv);
    return code;
}
