/*
 * cmd_model.c - tamis model: calls the verb.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model/model_verbs.h"

static const char command[] = "model";

static const option_row rows[] = {CLI_ROW_HELP};

const option_command model_verbs[] = {
    {&model_calibrate_options, model_calibrate_run, "measure this machine, in about a minute"},
    {&model_predict_options, model_predict_run, "how long a run takes, its false-positive rate, and what limits it"},
    {&model_tune_options, model_tune_run, "the best layout, size and launch shape for given requirements"},
    {&model_check_options, model_check_run, "compare predictions with measurements"},
    {&model_plot_options, model_plot_run, "the papers' figures, from measurements"},
    {&model_report_options, model_report_run, "a page with the machine, the model and all figures"},
    {NULL, NULL, NULL},
};

const option_table model_options = {
    command,
    "Usage: tamis model VERB [OPTION]...\n"
    "\n"
    "Predicts how fast and how precise a filter will be on a machine, before you\n"
    "build it. The model uses a profile of the machine, which 'calibrate' measures\n"
    "and keeps. The other verbs need no GPU: profiles of GPUs come with tamis.\n"
    "\n"
    "Verbs\n"
    "  calibrate  measure this machine, in about a minute\n"
    "  predict    how long a run takes, its false-positive rate, and what limits it\n"
    "  tune       the best layout, size and launch shape for given requirements\n"
    "  check      compare predictions with measurements\n"
    "  plot       the papers' figures, from measurements\n"
    "  report     a page with the machine, the model and all figures\n"
    "\n"
    "  tamis model VERB --help   a verb's options\n",
    OPTION_ROWS(rows),
    "\n"
    "Examples\n"
    "  tamis model calibrate\n"
    "  tamis model predict --app strings -n 2G -m 32G -k 8 -D 100M --length 31\n"
    "  tamis model tune --app strings --keys 2G --max-bytes 4G --length 31\n",
};

static int fail_verb(const char *word)
{
    char names[256];
    size_t n = 0;

    for (const option_command *verb = model_verbs; verb->options != NULL; verb++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n > 0 ? ", " : "", option_verb(verb));
    if (word == NULL)
        return cli_fail_usage(command, "which verb? %s", names);
    return cli_fail_usage(command, "no verb '%s'; the verbs are %s", word, names);
}

int cmd_model(int argc, char **argv)
{
    cli_common common;
    options_given given;
    int code;

    if (argc < 2)
        return fail_verb(NULL);
    for (const option_command *verb = model_verbs; verb->options != NULL; verb++) {
        if (strcmp(argv[1], option_verb(verb)) == 0)
            return verb->run(argc - 1, argv + 1);
    }
    if (argv[1][0] != '-')
        return fail_verb(argv[1]);
    return cli_options(&model_options, argc, argv, &common, &given, &code) ? fail_verb(NULL) : code;
}
