/* mask_asn.c - see mask_asn.h. Leaves out records without masks. */
#include "cli/db/mask_asn.h"

static const char info[] = "Blast-db-mask-info", list[] = "Blast-mask-list", location[] = "Seq-loc", interval_type[] = "Seq-interval",
                  packed[] = "Packed-seqint";

enum { CHOICE_INTERVAL = 3, CHOICE_PACKED = 4 };

static struct text text_of(const char *string) { return (struct text){string, strlen(string)}; }

static void put_number(asn_writer *a, unsigned number, const char *type, const char *name, int64_t value)
{
    asn_member(a, number, type, name);
    asn_integer(a, value);
    asn_end_member(a, type, name);
}

/* Prints the value up to its first location. */
static void begin_info(asn_writer *a, const mask_algorithm *algorithm)
{
    asn_begin(a, info, "NCBI BlastDL", "NCBI_BlastDL");
    asn_open(a, info);
    put_number(a, 0, info, "algo-id", algorithm->id);
    asn_member(a, 1, info, "algo-program");
    asn_named_integer(a, "Blast-filter-program", algorithm->name, algorithm->program);
    asn_end_member(a, info, "algo-program");
    asn_member(a, 2, info, "algo-options");
    asn_string(a, text_of(algorithm->options));
    asn_end_member(a, info, "algo-options");
    asn_member(a, 3, info, "masks");
    asn_open(a, list);
    asn_member(a, 0, list, "masks");
    asn_open(a, NULL);
}

static void end_info(asn_writer *a)
{
    asn_close(a, NULL);
    asn_end_member(a, list, "masks");
    asn_false_member(a, 1, list, "more");
    asn_close(a, list);
    asn_end_member(a, info, "masks");
    asn_close(a, info);
    asn_end(a);
}

static void put_interval(asn_writer *a, const tms_interval *interval, const struct seqid *id)
{
    asn_open(a, interval_type);
    put_number(a, 0, interval_type, "from", (int64_t)interval->start);
    put_number(a, 1, interval_type, "to", (int64_t)interval->end - 1);
    asn_member(a, 3, interval_type, "id");
    asn_seqid(a, id);
    asn_end_member(a, interval_type, "id");
    asn_close(a, interval_type);
}

static void put_location(asn_writer *a, const tms_interval *intervals, size_t n, const struct seqid *id)
{
    asn_element(a, location);
    if (n == 1) {
        asn_choice(a, CHOICE_INTERVAL, location, "int");
        put_interval(a, intervals, id);
        asn_end_member(a, location, "int");
    } else {
        asn_choice(a, CHOICE_PACKED, location, "packed-int");
        asn_open(a, packed);
        for (size_t i = 0; i < n; i++) {
            asn_item(a);
            put_interval(a, &intervals[i], id);
        }
        asn_close(a, packed);
        asn_end_member(a, location, "packed-int");
    }
    asn_end_element(a, location);
}

bool mask_asn_begin(mask_asn *a, const mask_algorithm *algorithm)
{
    if (a->is_info)
        begin_info(&a->to, algorithm);
    return !a->to.is_lost;
}

bool mask_asn_put(mask_asn *a, const tms_interval *intervals, size_t n, const struct seqid *id)
{
    if (n == 0)
        return true;
    if (a->is_info)
        asn_item(&a->to);
    else
        asn_begin(&a->to, location, "NCBI Seqloc", "NCBI_Seqloc");
    put_location(&a->to, intervals, n, id);
    if (!a->is_info)
        asn_end(&a->to);
    return !a->to.is_lost;
}

bool mask_asn_end(mask_asn *a)
{
    if (a->is_info)
        end_info(&a->to);
    return !a->to.is_lost;
}
