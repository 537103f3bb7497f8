/*
 * model_cmd_tune.c - tamis model tune: chooses the layout, size and launch shape for given requirements.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model/model_json.h"
#include "cli/model/model_profile.h"
#include "cli/model/model_verbs.h"
#include "figures/model_text.h"
#include "tamis/model.h"

static const char command[] = "model tune";

enum { MAX_CHOICES = 4096, DEFAULT_LIMIT = 3 };

/* Filters with a higher false-positive rate are of little use: they are printed only with --all or a higher --max-fpr. */
#define MUCH_FPR 0.1

typedef struct tune_job {
    cli_common common;
    tms_tune_want want;
    int as_json, all;
    uint32_t limit; /* choices printed; 0: the default */
    model_device device;
    const char *profile_name;

    tms_context *ctx;
    model_profile profile;
    tms_tune_choice choices[MAX_CHOICES];
    size_t n_choices;
} tune_job;

#define SIZE_OF(member, most) OPTION_SIZE(tune_job, want.member, 1, most)

static const option_row rows[] = {
    {.heading = "The workload"},
    {0, "app", "APP", OPTION_CHOICE(tune_job, want.app, "bank strings classify", TMS_APP_BANK), .ask = "which workload?",
     .help = "bank: stage 1 of BLASTN, w-mers against a filter for each sub-query\nstrings: strings against one filter\n"
             "classify: reads against a filter of k-mers"},
    {0, "keys", "N", SIZE_OF(n_keys, (int64_t)1 << 40), .what = "a number of keys", .ask = "how many keys are there?",
     .help = "number of keys: strings or k-mers in the filter; bank: w-mers of the query"},
    {'D', NULL, "N", SIZE_OF(D, (int64_t)1 << 40), .otherwise = "the number of keys",
     .help = "number of strings, reads, or w-mers of the database"},
    {0, "length", "N", SIZE_OF(length, 1 << 20), .otherwise = "16; reads 150", .help = "bytes of a string, bases of a read"},
    {.heading = "Requirements: at least one"},
    {0, "max-fpr", "P", OPTION_FRACTION(tune_job, want.max_fpr), .what = "a false-positive rate", .such_as = "0.01 or 1/100",
     .help = "maximum false-positive rate; bank: of one filter"},
    {0, "min-throughput", "T", OPTION_POSITIVE(tune_job, want.min_throughput), .what = "a number of D per second", .such_as = "1.5G",
     .help = "minimum throughput, in D per second: 1.5G"},
    {0, "max-bytes", "B", SIZE_OF(max_bytes, (int64_t)1 << 50), .what = "a number of bytes", .such_as = "4G or 64Mi",
     .help = "maximum size of all filters together: 4G, 64Mi"},
    {.heading = "The model"},
    MODEL_ROW_PROFILE(tune_job, profile_name),
    MODEL_ROW_DEVICE(tune_job, device),
    {0, "threads", "N", SIZE_OF(n_threads_cpu, 1024), .otherwise = "all", .help = "on the CPU: number of threads"},
    {.heading = "Output"},
    {0, "limit", "N", OPTION_SIZE(tune_job, limit, 1, MAX_CHOICES), .otherwise = "3; all as JSON",
     .help = "number of choices to print: the best, and others evenly spaced on the whole front"},
    {0, "all", NULL, OPTION_FLAG(tune_job, all), .excludes = "limit", .because = "--all prints every choice, but --limit only some",
     .help = "print all choices, also those with a false-positive rate above 1/10"},
    {0, "json", NULL, OPTION_FLAG(tune_job, as_json), .help = "print one JSON object"},
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table model_tune_options = {
    command,
    "Usage: tamis model tune --app APP --keys N REQUIREMENT... [OPTION]...\n"
    "\n"
    "Chooses layout, m, k, n, blocks and threads from a profile, so that they meet\n"
    "the requirements. Prints the command that makes the best choice, and the choice\n"
    "itself, marked *: with --max-fpr the smallest of the fastest choices, without it\n"
    "the one with the lowest false-positive rate. Then prints some of the Pareto\n"
    "front: choices that no other beats in false-positive rate, throughput and bytes\n"
    "at once.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 2 if no choice meets the requirements (the message names the\n"
    "closest one), or if there is no profile; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis model tune --app strings --keys 2G --max-bytes 4G --length 31\n"
    "  tamis model tune --app bank --keys 4600000 -D 5M --max-fpr 1/1000\n",
    .no_operands = "tune takes no files",
};

static int check(tune_job *job, const options_given *given)
{
    tms_tune_want *w = &job->want;

    if (w->max_fpr == 0 && w->min_throughput == 0 && w->max_bytes == 0)
        return cli_fail_usage(command, "which requirement? Give --max-fpr P, --min-throughput T or --max-bytes B");
    if (w->app == TMS_APP_BANK && options_is_given(given, "length"))
        return cli_fail_usage(command, "--length does not apply to --app bank");
    if (job->device == MODEL_GPU && options_is_given(given, "threads"))
        return cli_fail_usage(command, "--threads applies to the CPU, but --device cuda chooses for a GPU: give one of them");
    return CLI_OK;
}

/* ---- printing ------------------------------------------------------------------------------------------------------------------ */

/* The arrangement of the filters: "blocked", "shared". */
static const char *kind_of(const tms_workload *w)
{
    return w->app == TMS_APP_STRINGS ? tms_layout_name(w->layout) : w->app == TMS_APP_CLASSIFY ? "words" : model_where(w);
}

/* The number, or "-" if it does not apply. */
static const char *number_text(uint32_t n, char text[MODEL_TEXT])
{
    if (n > 0)
        snprintf(text, MODEL_TEXT, "%u", n);
    else
        snprintf(text, MODEL_TEXT, "-");
    return text;
}

static void print_choice(const tms_tune_choice *c, int is_best)
{
    const tms_workload *w = &c->workload;
    const tms_prediction *p = &c->prediction;
    char text[8][MODEL_TEXT];

    printf("%c %-8s %13llu %4s %11s %7s %7s %9s %9s %9s %9s  %s\n", is_best ? '*' : ' ', kind_of(w), (unsigned long long)w->m_bits,
           number_text(w->k, text[7]), model_count_text((double)w->n, text[0]), number_text(p->blocks, text[5]),
           number_text(p->threads, text[6]), model_bytes_text((double)c->bytes, text[1]), model_rate_text(p->fpr, text[2]),
           model_count_text(p->throughput, text[3]), model_seconds_text(p->seconds, text[4]), c->meets ? "yes" : "no");
}

/* The command that makes this choice, with placeholders in capitals. */
enum { COMMAND_TEXT = 192 };
static const char *command_of(const tms_workload *w, char text[COMMAND_TEXT])
{
    unsigned long long m = w->m_bits;

    if (w->app == TMS_APP_STRINGS)
        snprintf(text, COMMAND_TEXT, "tamis build --layout %s -m %llu -k %u -o FILTER FILE", tms_layout_name(w->layout), m, w->k);
    else if (w->app == TMS_APP_CLASSIFY)
        snprintf(text, COMMAND_TEXT, "tamis build --kmer 31 -m %llu -o FILTER REFERENCE", m);
    else
        snprintf(text, COMMAND_TEXT, "tamis seeds --schedule %s --sub-query %llu -m %llu -k %u -query QUERY -subject SUBJECT",
                 w->place == TMS_PLACE_SHARED ? "shared" : "interleaved", (unsigned long long)w->n, m, w->k);
    return text;
}

/* Removes choices with a high false-positive rate, but not the best choice. */
static void hide_leaky(tune_job *job)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n_choices; i++) {
        if (i == 0 || job->want.max_fpr > MUCH_FPR || !(job->choices[i].prediction.fpr > MUCH_FPR))
            job->choices[n++] = job->choices[i];
    }
    job->n_choices = n;
}

/* Is choice i printed? The best always is, and so is the last one. */
static int is_printed(const tune_job *job, size_t i)
{
    size_t limit = job->limit ? job->limit : job->as_json || job->all ? MAX_CHOICES : DEFAULT_LIMIT, n = job->n_choices - 1;

    if (i == 0 || job->n_choices <= limit)
        return 1;
    return i * (limit - 1) / n > (i - 1) * (limit - 1) / n;
}

static void print_text(tune_job *job)
{
    const tms_tune_want *w = &job->want;
    size_t n_printed = 0, n_found = job->n_choices;
    char text[2][MODEL_TEXT], words[COMMAND_TEXT];

    model_profile_print(&job->profile);
    printf("given       %s, %s keys, D = %s %s\n", tms_app_name(w->app), model_count_text((double)w->n_keys, text[0]),
           model_count_text((double)(w->D ? w->D : w->n_keys), text[1]), model_items(w->app));
    if (w->max_fpr > 0)
        printf("wished      a false-positive rate of at most %s\n", model_rate_text(w->max_fpr, text[0]));
    if (w->min_throughput > 0)
        printf("wished      at least %s %s a second\n", model_count_text(w->min_throughput, text[0]), model_items(w->app));
    if (w->max_bytes > 0)
        printf("wished      at most %llu bytes (%s)\n", (unsigned long long)w->max_bytes, model_bytes_text((double)w->max_bytes, text[0]));
    printf("command     %s\n", command_of(&job->choices[0].workload, words));
    if (!job->all)
        hide_leaky(job);
    printf("\n  %-8s %13s %4s %11s %7s %7s %9s %9s %9s %9s  %s\n", "layout", "m bits", "k", "n", "blocks", "threads", "size", "FPR", "D/s",
           "time", "meets");
    for (size_t i = 0; i < job->n_choices; i++) {
        if (is_printed(job, i))
            print_choice(&job->choices[i], i == 0);
        n_printed += (size_t)is_printed(job, i);
    }
    if (n_printed < n_found)
        printf("\n%zu of %zu choices; --all prints all\n", n_printed, n_found);
}

static json_t *choice_json(const tms_tune_choice *c)
{
    char words[COMMAND_TEXT];

    return json_pack("{s:b, s:b, s:I, s:s, s:o, s:o}", "meets", c->meets, "on_front", c->on_front, "bytes", (json_int_t)c->bytes, "command",
                     command_of(&c->workload, words), "workload", model_workload_json(&c->workload), "prediction",
                     model_prediction_json(&c->prediction));
}

static int print_json(const tune_job *job)
{
    json_t *choices = json_array(), *root = NULL;
    int failed = choices == NULL;

    for (size_t i = 0; i < job->n_choices && !failed; i++)
        failed = is_printed(job, i) && json_array_append_new(choices, choice_json(&job->choices[i])) != 0;
    if (failed)
        json_decref(choices);
    else
        root = json_pack("{s:o, s:o}", "profile", model_profile_json(&job->profile), "choices", choices);
    return model_json_print(root) == 0 ? CLI_OK : cli_fail(command, CLI_NO_MEMORY, "out of memory");
}

static int run(tune_job *job, const options_given *given)
{
    tms_status status;
    int code = check(job, given);

    if (code == CLI_OK)
        code = model_profile_begin(command, job->profile_name, job->device, &job->common, &job->profile, &job->ctx);
    if (code != CLI_OK)
        return code;
    job->want.on_cpu = job->profile.on_cpu;
    if (job->want.on_cpu && job->want.n_threads_cpu == 0)
        job->want.n_threads_cpu = job->profile.file.profile.machine.n_processors;
    status = tms_model_tune(job->ctx, &job->profile.file.profile, &job->want, job->choices, MAX_CHOICES, &job->n_choices);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    if (!job->common.quiet)
        model_profile_remark(command, &job->profile);
    if (!job->common.quiet && job->choices[0].prediction.fpr > MUCH_FPR)
        cli_say(command, "the best choice still has a false-positive rate of %.2g: allow more bytes, or more time",
                job->choices[0].prediction.fpr);
    if (job->as_json)
        code = print_json(job);
    else
        print_text(job);
    return cli_end_stdout(command, code);
}

int model_tune_run(int argc, char **argv)
{
    tune_job *job = calloc(1, sizeof *job);
    options_given given;
    int code;

    if (job == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    if (cli_options(&model_tune_options, argc, argv, &job->common, &given, &code))
        code = run(job, &given);
    tms_context_destroy(job->ctx);
    free(job);
    return code;
}
