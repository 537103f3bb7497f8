#include "cli/cli_parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tamis/context.h"

/* The factor that a suffix stands for; 0 if there is no such suffix. */
static uint64_t suffix_factor(const char *suffix)
{
    static const char letters[] = "KMGT";
    const char *letter;
    uint64_t factor = 1, base = 1000;

    if (suffix[0] == '\0')
        return 1;
    letter = strchr(letters, suffix[0] == 'k' ? 'K' : suffix[0]);
    if (letter == NULL)
        return 0;
    if (suffix[1] == 'i' && suffix[2] == '\0')
        base = 1024;
    else if (suffix[1] != '\0')
        return 0;
    for (const char *l = letters; l <= letter; l++)
        factor *= base;
    return factor;
}

int cli_parse_size(const char *text, uint64_t *out)
{
    char *end;
    uint64_t whole, factor, product;
    long double value;

    if (!isdigit((unsigned char)text[0]))
        return 0;
    errno = 0;
    whole = strtoull(text, &end, 10);
    if (errno == 0 && (factor = suffix_factor(end)) != 0) {
        if (__builtin_mul_overflow(whole, factor, &product))
            return 0;
        *out = product;
        return 1;
    }
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return 0;
    value = strtold(text, &end);
    factor = suffix_factor(end);
    if (end == text || factor == 0)
        return 0;
    value *= (long double)factor;
    if (!(value >= 0) || value >= 18446744073709551616.0L || value != floorl(value))
        return 0;
    *out = (uint64_t)value;
    return 1;
}

/* Parses a string that is entirely one number, without the leading blanks that strtod() would skip. */
static int parse_number(const char *text, double *out)
{
    char *end;
    double value;

    if (!isdigit((unsigned char)text[0]) && text[0] != '.')
        return 0;
    value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        return 0;
    *out = value;
    return 1;
}

int cli_parse_not_negative(const char *text, double *out)
{
    uint64_t whole;

    if (parse_number(text, out))
        return 1;
    if (!cli_parse_size(text, &whole))
        return 0;
    *out = (double)whole;
    return 1;
}

int cli_parse_probability(const char *text, double *out)
{
    double value;

    if (strncmp(text, "1/", 2) == 0) {
        uint64_t n;
        if (!cli_parse_size(text + 2, &n) || n == 0)
            return 0;
        value = 1.0 / (double)n;
    } else if (!parse_number(text, &value)) {
        return 0;
    }
    if (!(value > 0 && value <= 1))
        return 0;
    *out = value;
    return 1;
}

int cli_parse_rate(const char *text, double *out)
{
    double value = 0;

    if (strcmp(text, "1/n") != 0 && (!cli_parse_probability(text, &value) || value == 1))
        return 0;
    *out = value;
    return 1;
}

int cli_parse_seed(const char *text, uint64_t *out)
{
    int is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = is_hex ? text + 2 : text;
    char *end;
    uint64_t value;

    if (!isxdigit((unsigned char)digits[0]))
        return 0;
    errno = 0;
    value = strtoull(digits, &end, is_hex ? 16 : 10);
    if (errno != 0 || end == digits || *end != '\0')
        return 0;
    *out = value;
    return 1;
}

int cli_parse_blast_whole(const char *text, int64_t *out)
{
    int is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + (text[0] == '+' || text[0] == '-');
    char *end;
    long long value;

    if (is_hex && text[2] == '\0') {
        *out = 0;
        return 1;
    }
    if (is_hex ? !isxdigit((unsigned char)text[2]) : !isdigit((unsigned char)digits[0]))
        return 0;
    errno = 0;
    value = strtoll(text, &end, is_hex ? 16 : 10);
    if (errno != 0 || *end != '\0')
        return 0;
    *out = value;
    return 1;
}

int cli_parse_blast_number(const char *text, double *out)
{
    const char *digits = text + (text[0] == '+' || text[0] == '-');
    char *end;
    double value;

    if (!isdigit((unsigned char)digits[0]) && digits[0] != '.')
        return 0;
    value = strtod(text, &end);
    if (end == text || (*end != '\0' && strcasecmp(end, "e") != 0))
        return 0;
    *out = value;
    return 1;
}

const char *cli_parse_range(const char *text, uint64_t *start, uint64_t *end)
{
    unsigned long long first, last;
    char *rest;

    errno = 0;
    first = strtoull(text, &rest, 10);
    if (!isdigit((unsigned char)text[0]) || rest[0] != '-' || !isdigit((unsigned char)rest[1]))
        return "must be start-stop, such as 11-20";
    last = strtoull(rest + 1, &rest, 10);
    if (rest[0] != '\0')
        return "must be start-stop, such as 11-20";
    if (errno != 0 || first > INT64_MAX || last > INT64_MAX)
        return "is beyond the end of any sequence";
    if (first == 0 || last == 0)
        return "begins or stops at 0: positions are counted from 1";
    if (first > last)
        return "stops before it starts";
    if (first == last)
        return "must have at least two positions";
    *start = first - 1;
    *end = last;
    return NULL;
}

/* Parses a GPU's number at the beginning of a text. Returns the end of the number, or NULL. */
static const char *parse_gpu(const char *text, int *out)
{
    char *end;
    long index;

    if (!isdigit((unsigned char)text[0]))
        return NULL;
    index = strtol(text, &end, 10);
    if (index >= 1 << 16)
        return NULL;
    *out = (int)index;
    return end;
}

int cli_parse_device(const char *text, int *out)
{
    const char *end;
    int index;

    if (strcmp(text, "auto") == 0)
        *out = TMS_DEVICE_AUTO;
    else if (strcmp(text, "cpu") == 0)
        *out = TMS_DEVICE_CPU;
    else if (strcmp(text, "cuda") == 0)
        *out = 0;
    else if (strncmp(text, "cuda:", 5) == 0 && (end = parse_gpu(text + 5, &index)) != NULL && *end == '\0')
        *out = index;
    else
        return 0;
    return 1;
}

int cli_parse_devices(const char *text, size_t most, int32_t *items, size_t *n)
{
    size_t n_items = 0;
    int device;

    if (cli_parse_device(text, &device)) {
        items[0] = device;
        *n = 1;
        return 1;
    }
    if (strncmp(text, "cuda:", 5) != 0)
        return 0;
    for (text += 5; text != NULL; text = *text == ',' ? text + 1 : NULL) {
        text = parse_gpu(text, &device);
        if (text == NULL || (*text != ',' && *text != '\0') || n_items == most)
            return 0;
        for (size_t i = 0; i < n_items; i++) {
            if (items[i] == device)
                return 0;
        }
        items[n_items++] = device;
    }
    *n = n_items;
    return 1;
}
