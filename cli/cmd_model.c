/*
 * cmd_model.c - the performance model: which verb?
 */
#include <string.h>

#include "cli.h"
#include "model_plot.h"
#include "model_report.h"

static const option_row rows[] = {CLI_ROW_HELP};

const option_table model_options = {
    "model",
    "Usage: tamis model plot --figure NAME [-o FILE]\n"
    "       tamis model report -o FILE.html\n"
    "\n"
    "The performance model: figures of the papers, and a page with all of them.\n",
    OPTION_ROWS(rows),
    "\n"
    "  tamis model VERB --help   a verb's options\n",
    .no_operands = "the verbs are plot and report",
};

int cmd_model(int argc, char **argv)
{
    cli_common common;
    options_given given;
    int code;

    if (argc > 1 && strcmp(argv[1], "plot") == 0)
        return model_plot_run(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "report") == 0)
        return model_report_run(argc - 1, argv + 1);
    if (!cli_options(&model_options, argc, argv, &common, &given, &code))
        return code;
    return cli_fail_usage("model", "which verb? plot, report");
}
