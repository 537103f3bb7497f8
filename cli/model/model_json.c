#include "cli/model/model_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figures/model_text.h"

json_t *model_workload_json(const tms_workload *w)
{
    json_t *root = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "app", tms_app_name(w->app), "op",
                             tms_op_name(w->op), "place", model_where(w), "k", (json_int_t)w->k, "m_bits", (json_int_t)w->m_bits, "n",
                             (json_int_t)w->n, "D", (json_int_t)w->D, "Q", (json_int_t)w->Q, "length", (json_int_t)w->length, "blocks",
                             (json_int_t)w->blocks, "threads", (json_int_t)w->threads, "cpu_threads", (json_int_t)w->n_threads_cpu);

    if (root != NULL && w->layout != 0 && json_object_set_new(root, "layout", json_string(tms_layout_name(w->layout))) != 0) {
        json_decref(root);
        return NULL;
    }
    return root;
}

/* JSON has neither infinity nor NaN. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *model_prediction_json(const tms_prediction *p)
{
    json_t *terms = json_object();
    int failed = terms == NULL;

    for (uint32_t i = 0; i < p->n_terms && i < TMS_MODEL_TERMS; i++)
        failed |= json_object_set_new(terms, p->terms[i].name, number(p->terms[i].seconds));
    if (failed) {
        json_decref(terms);
        return NULL;
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:s, s:o}", "fpr", number(p->fpr), "seconds", number(p->seconds),
                     "throughput", number(p->throughput), "f_app", number(p->f_app), "f_cache", number(p->f_cache), "f_sched",
                     number(p->f_sched), "occupancy", number(p->occupancy), "blocks", (json_int_t)p->blocks, "threads",
                     (json_int_t)p->threads, "active_blocks", (json_int_t)p->active_blocks, "binding", model_binding(p), "terms", terms);
}

int model_json_print(json_t *root)
{
    char *text = root != NULL ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;

    json_decref(root);
    if (text == NULL)
        return -1;
    puts(text);
    free(text);
    return 0;
}
