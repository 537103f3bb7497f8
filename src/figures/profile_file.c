#include "figures/profile_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "io/io_stream.h"

enum { MAX_BYTES = 4 << 20 }; /* a profile has a few hundred kilobytes at most */

static const char begin[] = "{\"tamis_profile\""; /* the first IO_KIND_BYTES bytes of a profile */
_Static_assert(sizeof begin - 1 == IO_KIND_BYTES, "profile_file_is() compares IO_KIND_BYTES bytes");

int profile_file_is(const uint8_t *bytes, size_t n) { return n >= IO_KIND_BYTES && memcmp(bytes, begin, IO_KIND_BYTES) == 0; }

/* ---- the machine's fields ------------------------------------------------------------------------------------------------------ */

typedef enum field_kind { FIELD_TEXT, FIELD_INT32, FIELD_UINT32, FIELD_UINT64 } field_kind;

typedef struct field {
    const char *name;
    field_kind kind;
    size_t at, bytes;
} field;

#define FIELD(kind, member)                                                                                                                \
    {                                                                                                                                      \
#member, kind, offsetof(tms_machine, member), sizeof(((tms_machine *)0)->member)                                                   \
    }

static const field fields[] = {
    FIELD(FIELD_TEXT, version),
    FIELD(FIELD_TEXT, gpu),
    FIELD(FIELD_INT32, driver_version),
    FIELD(FIELD_INT32, runtime_version),
    FIELD(FIELD_INT32, compute_major),
    FIELD(FIELD_INT32, compute_minor),
    FIELD(FIELD_UINT32, n_multiprocessors),
    FIELD(FIELD_UINT32, warp_size),
    FIELD(FIELD_UINT32, registers),
    FIELD(FIELD_UINT32, max_blocks),
    FIELD(FIELD_UINT32, max_threads_block),
    FIELD(FIELD_UINT32, max_threads),
    FIELD(FIELD_UINT64, shared_bytes),
    FIELD(FIELD_UINT64, shared_bytes_block),
    FIELD(FIELD_UINT64, shared_reserved),
    FIELD(FIELD_UINT64, memory_bytes),
    FIELD(FIELD_UINT64, l2_bytes),
    FIELD(FIELD_UINT32, clock_khz),
    FIELD(FIELD_UINT32, memory_clock_khz),
    FIELD(FIELD_TEXT, cpu),
    FIELD(FIELD_UINT32, n_processors),
    FIELD(FIELD_INT32, simd),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static const struct flag {
    const char *name;
    size_t at;
} flags[] = {{"has_gpu", offsetof(tms_profile, has_gpu)},
             {"has_cpu", offsetof(tms_profile, has_cpu)},
             {"reliable", offsetof(tms_profile, reliable)}};
enum { N_FLAGS = sizeof flags / sizeof *flags };

static int32_t flag_of(const tms_profile *profile, size_t i)
{
    int32_t value;

    memcpy(&value, (const char *)profile + flags[i].at, sizeof value);
    return value;
}

/* The value of an integer field. */
static int64_t whole_of(const tms_machine *machine, const field *f)
{
    const char *at = (const char *)machine + f->at;
    int32_t i32;
    uint32_t u32;
    int64_t i64;

    switch (f->kind) {
    case FIELD_INT32:
        memcpy(&i32, at, sizeof i32);
        return i32;
    case FIELD_UINT32:
        memcpy(&u32, at, sizeof u32);
        return u32;
    default: /* memory sizes in bytes: below 2^63 */
        memcpy(&i64, at, sizeof i64);
        return i64;
    }
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------- */

/* Prints the fewest digits that read back as the same number. */
static void print_number(FILE *out, double value)
{
    char text[40];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
}

static void print_numbers(FILE *out, const char *name, const double *values, uint32_t n)
{
    fprintf(out, "\"%s\": [", name);
    for (uint32_t i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : "", out);
        print_number(out, values[i]);
    }
    fputc(']', out);
}

/* Prints the text in quotes. A byte that is not ASCII, which a device's name may contain, becomes '?'. */
static void print_text(FILE *out, const char *text, size_t size)
{
    fputc('"', out);
    for (size_t i = 0; i < size && text[i] != '\0'; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fputc('\\', out);
        fputc(c >= ' ' && c < 127 ? c : '?', out);
    }
    fputc('"', out);
}

static void print_machine(FILE *out, const tms_machine *machine)
{
    fputs("  \"machine\": {", out);
    for (size_t i = 0; i < N_FIELDS; i++) {
        fprintf(out, "%s\n    \"%s\": ", i > 0 ? "," : "", fields[i].name);
        if (fields[i].kind == FIELD_TEXT)
            print_text(out, (const char *)machine + fields[i].at, fields[i].bytes);
        else
            fprintf(out, "%" PRId64, whole_of(machine, &fields[i]));
    }
    fputs("\n  },\n", out);
}

static void print_profile(FILE *out, const profile_file *p)
{
    const char *name;

    fprintf(out, "%s: %d,\n  \"date\": ", begin, PROFILE_FILE_FORMAT);
    print_text(out, p->date, sizeof p->date);
    fputs(",\n", out);
    print_machine(out, &p->profile.machine);
    for (size_t i = 0; i < N_FLAGS; i++)
        fprintf(out, "  \"%s\": %s,\n", flags[i].name, flag_of(&p->profile, i) ? "true" : "false");
    fputs("  \"spread\": ", out);
    print_number(out, p->profile.spread);
    fputs(",\n  \"values\": {", out);
    for (size_t i = 0; i < TMS_PROFILE_VALUES && (name = tms_profile_value_name(i)) != NULL; i++) {
        fprintf(out, "%s\n    \"%s\": ", i > 0 ? "," : "", name);
        print_number(out, p->profile.values[i]);
    }
    fputs("\n  },\n  \"curves\": {", out);
    for (size_t i = 0; i < TMS_PROFILE_CURVES && (name = tms_profile_curve_name(i)) != NULL; i++) {
        const tms_curve *curve = &p->profile.curves[i];
        fprintf(out, "%s\n    \"%s\": {", i > 0 ? "," : "", name);
        print_numbers(out, "x", curve->x, curve->n);
        fputs(", ", out);
        print_numbers(out, "y", curve->y, curve->n);
        fputc('}', out);
    }
    fputs("\n  }\n}\n", out);
}

/* ---- checks, before writing and after reading -------------------------------------------------------------------------------------- */

/* Returns what is wrong with a curve, or NULL. */
static const char *curve_fault(const tms_curve *curve)
{
    if (curve->n > TMS_CURVE_POINTS)
        return "has too many points";
    for (uint32_t i = 0; i < curve->n; i++) {
        if (!isfinite(curve->x[i]) || !isfinite(curve->y[i]))
            return "has a point that is not finite";
        if (i > 0 && !(curve->x[i] > curve->x[i - 1]))
            return "does not ascend in x";
    }
    return NULL;
}

static io_status check_numbers(const char *path, const tms_profile *p, io_status status, io_error *err)
{
    const char *name, *fault;

    if (!isfinite(p->spread) || p->spread < 0)
        return io_fail(err, status, 0, "%s: the profile is damaged: 'spread' must be a number, 0 or more", path);
    for (size_t i = 0; i < TMS_PROFILE_VALUES && (name = tms_profile_value_name(i)) != NULL; i++) {
        if (!isfinite(p->values[i]))
            return io_fail(err, status, 0, "%s: the profile is damaged: '%s' in 'values' is not finite", path, name);
    }
    for (size_t i = 0; i < TMS_PROFILE_CURVES && (name = tms_profile_curve_name(i)) != NULL; i++) {
        fault = curve_fault(&p->curves[i]);
        if (fault != NULL)
            return io_fail(err, status, 0, "%s: the profile is damaged: '%s' in 'curves' %s", path, name, fault);
    }
    return IO_OK;
}

io_status profile_file_write(io_safe_file *file, const profile_file *profile, io_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out;
    io_status status = check_numbers(io_safe_file_path(file), &profile->profile, IO_E_OUTPUT, err);
    int failed;

    if (status != IO_OK)
        return status;
    out = open_memstream(&text, &n);
    if (out == NULL)
        return io_fail_memory(err, "a profile");
    print_profile(out, profile);
    failed = ferror(out);
    failed |= fclose(out) != 0;
    status = failed ? io_fail_memory(err, "a profile") : io_safe_file_write(file, text, n, err);
    free(text);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------- */

typedef struct reading {
    const char *path;
    io_error *err;
} reading;

static io_status damaged(const reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static io_status damaged(const reading *r, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return io_fail(r->err, IO_E_INPUT, 0, "%s: the profile is damaged: %s", r->path, text);
}

/* Finds a member of an object that is called `where` in messages. */
static io_status find(const reading *r, const json_t *object, const char *where, const char *name, json_t **out)
{
    *out = json_object_get(object, name);
    if (*out == NULL)
        return damaged(r, "'%s' is missing%s%s", name, where[0] != '\0' ? " in " : "", where);
    return IO_OK;
}

static io_status find_object(const reading *r, const json_t *root, const char *name, json_t **out)
{
    io_status status = find(r, root, "", name, out);

    return status == IO_OK && !json_is_object(*out) ? damaged(r, "'%s' must be an object", name) : status;
}

/* Checks that an object has no member with an unknown name. */
static io_status check_no_other(const reading *r, json_t *object, const char *where, int (*is_known)(const char *name))
{
    const char *name;
    json_t *value;

    json_object_foreach(object, name, value)
    {
        if (!is_known(name))
            return damaged(r, "'%s'%s%s is unknown to tamis %s", name, where[0] != '\0' ? " in " : "", where, tms_version());
    }
    return IO_OK;
}

static int is_value_name(const char *name)
{
    const char *known;

    for (size_t i = 0; i < TMS_PROFILE_VALUES && (known = tms_profile_value_name(i)) != NULL; i++) {
        if (strcmp(name, known) == 0)
            return 1;
    }
    return 0;
}

static int is_curve_name(const char *name)
{
    const char *known;

    for (size_t i = 0; i < TMS_PROFILE_CURVES && (known = tms_profile_curve_name(i)) != NULL; i++) {
        if (strcmp(name, known) == 0)
            return 1;
    }
    return 0;
}

static int is_field_name(const char *name)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (strcmp(name, fields[i].name) == 0)
            return 1;
    }
    return 0;
}

static int is_root_name(const char *name)
{
    static const char *const others[] = {"tamis_profile", "date", "machine", "spread", "values", "curves"};

    for (size_t i = 0; i < N_FLAGS; i++) {
        if (strcmp(name, flags[i].name) == 0)
            return 1;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(name, others[i]) == 0)
            return 1;
    }
    return 0;
}

static io_status take_text(const reading *r, const json_t *value, const char *name, char *to, size_t size)
{
    if (!json_is_string(value))
        return damaged(r, "'%s' must be a text", name);
    if (json_string_length(value) >= size || strlen(json_string_value(value)) != json_string_length(value))
        return damaged(r, "'%s' must be a text of fewer than %zu bytes", name, size);
    memset(to, 0, size);
    memcpy(to, json_string_value(value), json_string_length(value));
    return IO_OK;
}

static io_status take_field(const reading *r, const json_t *value, const field *f, tms_machine *machine)
{
    char *to = (char *)machine + f->at;
    int64_t whole, low = f->kind == FIELD_INT32 ? INT32_MIN : 0;
    int64_t high = f->kind == FIELD_INT32 ? INT32_MAX : f->kind == FIELD_UINT32 ? UINT32_MAX : INT64_MAX;
    uint32_t small;

    if (f->kind == FIELD_TEXT)
        return take_text(r, value, f->name, to, f->bytes);
    if (!json_is_integer(value))
        return damaged(r, "'%s' in 'machine' must be a whole number", f->name);
    whole = json_integer_value(value);
    if (whole < low || whole > high)
        return damaged(r, "'%s' in 'machine' must be from %" PRId64 " to %" PRId64 ", but is %" PRId64, f->name, low, high, whole);
    small = (uint32_t)whole; /* the bits of an int32_t are the same */
    memcpy(to, f->bytes == sizeof small ? (void *)&small : (void *)&whole, f->bytes);
    return IO_OK;
}

static io_status take_machine(const reading *r, const json_t *root, tms_machine *machine)
{
    json_t *object, *value;
    io_status status = find_object(r, root, "machine", &object);

    for (size_t i = 0; i < N_FIELDS && status == IO_OK; i++) {
        status = find(r, object, "'machine'", fields[i].name, &value);
        if (status == IO_OK)
            status = take_field(r, value, &fields[i], machine);
    }
    return status == IO_OK ? check_no_other(r, object, "'machine'", is_field_name) : status;
}

static io_status take_flags(const reading *r, const json_t *root, tms_profile *p)
{
    for (size_t i = 0; i < N_FLAGS; i++) {
        json_t *value;
        io_status status = find(r, root, "", flags[i].name, &value);
        int32_t flag;
        if (status != IO_OK)
            return status;
        if (!json_is_boolean(value))
            return damaged(r, "'%s' must be true or false", flags[i].name);
        flag = json_is_true(value);
        memcpy((char *)p + flags[i].at, &flag, sizeof flag);
    }
    return IO_OK;
}

static io_status take_values(const reading *r, const json_t *root, tms_profile *p)
{
    json_t *object, *value;
    const char *name;
    io_status status = find_object(r, root, "values", &object);

    for (size_t i = 0; i < TMS_PROFILE_VALUES && status == IO_OK && (name = tms_profile_value_name(i)) != NULL; i++) {
        status = find(r, object, "'values'", name, &value);
        if (status == IO_OK && !json_is_number(value))
            status = damaged(r, "'%s' in 'values' must be a number", name);
        if (status == IO_OK)
            p->values[i] = json_number_value(value);
    }
    return status == IO_OK ? check_no_other(r, object, "'values'", is_value_name) : status;
}

/* Takes an array of numbers. n [out] its length. */
static io_status take_numbers(const reading *r, const json_t *curve, const char *name, const char *axis, double to[TMS_CURVE_POINTS],
                              size_t *n)
{
    const json_t *array = json_object_get(curve, axis);

    if (!json_is_array(array))
        return damaged(r, "'%s' in 'curves' must have an array '%s'", name, axis);
    *n = json_array_size(array);
    if (*n > TMS_CURVE_POINTS)
        return damaged(r, "'%s' in 'curves' has %zu points; the maximum is %d", name, *n, TMS_CURVE_POINTS);
    for (size_t i = 0; i < *n; i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_number(value))
            return damaged(r, "'%s' in 'curves': element %zu of '%s' must be a number", name, i + 1, axis);
        to[i] = json_number_value(value);
    }
    return IO_OK;
}

static io_status take_curve(const reading *r, const json_t *value, const char *name, tms_curve *curve)
{
    size_t n_x, n_y;
    io_status status;

    if (!json_is_object(value) || json_object_size(value) != 2)
        return damaged(r, "'%s' in 'curves' must be an object with 'x' and 'y'", name);
    status = take_numbers(r, value, name, "x", curve->x, &n_x);
    if (status == IO_OK)
        status = take_numbers(r, value, name, "y", curve->y, &n_y);
    if (status == IO_OK && n_x != n_y)
        status = damaged(r, "'%s' in 'curves' has %zu x and %zu y", name, n_x, n_y);
    if (status == IO_OK)
        curve->n = (uint32_t)n_x;
    return status;
}

static io_status take_curves(const reading *r, const json_t *root, tms_profile *p)
{
    json_t *object, *value;
    const char *name;
    io_status status = find_object(r, root, "curves", &object);

    for (size_t i = 0; i < TMS_PROFILE_CURVES && status == IO_OK && (name = tms_profile_curve_name(i)) != NULL; i++) {
        status = find(r, object, "'curves'", name, &value);
        if (status == IO_OK)
            status = take_curve(r, value, name, &p->curves[i]);
    }
    return status == IO_OK ? check_no_other(r, object, "'curves'", is_curve_name) : status;
}

/* Length of "0.1" in "0.1.7": versions that differ in this part may have other kernels or names. */
static size_t major_and_minor(const char *version)
{
    const char *dot = strchr(version, '.');

    return dot != NULL ? (size_t)(dot + 1 - version) + strcspn(dot + 1, ".") : strlen(version);
}

static io_status check_version(const reading *r, const json_t *root)
{
    const json_t *format = json_object_get(root, "tamis_profile"), *machine = json_object_get(root, "machine");
    const char *version = json_string_value(json_object_get(machine, "version")), *own = tms_version();
    size_t n = major_and_minor(own);

    if (!json_is_integer(format))
        return io_fail(r->err, IO_E_INPUT, 0, "%s: not a profile of a machine: 'tamis model calibrate -o FILE' writes one", r->path);
    if (json_integer_value(format) != PROFILE_FILE_FORMAT)
        return io_fail(r->err, IO_E_INPUT, 0,
                       "%s: a profile of format %" JSON_INTEGER_FORMAT
                       ", but tamis %s reads format %d: measure the machine again with 'tamis "
                       "model calibrate'",
                       r->path, json_integer_value(format), own, PROFILE_FILE_FORMAT);
    if (version != NULL && (major_and_minor(version) != n || strncmp(version, own, n) != 0))
        return io_fail(r->err, IO_E_INPUT, 0,
                       "%s: a profile by tamis %s, but this is tamis %s: measure the machine again with 'tamis model calibrate'", r->path,
                       version, own);
    return IO_OK;
}

static io_status take_profile(const reading *r, json_t *root, profile_file *out)
{
    json_t *value;
    io_status status;

    memset(out, 0, sizeof *out);
    status = check_version(r, root);
    if (status == IO_OK)
        status = find(r, root, "", "date", &value);
    if (status == IO_OK)
        status = take_text(r, value, "date", out->date, sizeof out->date);
    if (status == IO_OK)
        status = take_machine(r, root, &out->profile.machine);
    if (status == IO_OK)
        status = take_flags(r, root, &out->profile);
    if (status == IO_OK)
        status = find(r, root, "", "spread", &value);
    if (status == IO_OK && !json_is_number(value))
        status = damaged(r, "'spread' must be a number, 0 or more");
    if (status == IO_OK)
        out->profile.spread = json_number_value(value);
    if (status == IO_OK)
        status = take_values(r, root, &out->profile);
    if (status == IO_OK)
        status = take_curves(r, root, &out->profile);
    if (status == IO_OK)
        status = check_no_other(r, root, "", is_root_name);
    return status == IO_OK ? check_numbers(r->path, &out->profile, IO_E_INPUT, r->err) : status;
}

/* Reads up to MAX_BYTES bytes of the file. The caller frees them, also after a failure. */
static io_status read_bytes(const char *path, uint8_t **bytes, size_t *n, io_error *err)
{
    io_stream *stream;
    io_status status = io_stream_open(path, -1, &stream, err);

    *n = 0;
    *bytes = NULL;
    if (status != IO_OK)
        return status;
    *bytes = malloc(MAX_BYTES);
    if (*bytes == NULL)
        status = io_fail_memory(err, "a profile");
    while (status == IO_OK && *n < MAX_BYTES) {
        size_t got = 0;
        status = io_stream_read(stream, *bytes + *n, MAX_BYTES - *n, &got, err);
        *n += status == IO_OK ? got : 0;
    }
    io_stream_close(stream);
    if (status == IO_OK)
        return io_fail(err, IO_E_INPUT, 0, "%s: not a profile of a machine: the file is too large", io_stream_name(path));
    return status == IO_END ? IO_OK : status;
}

io_status profile_file_read(const char *path, profile_file *out, io_error *err)
{
    const reading r = {io_stream_name(path), err};
    uint8_t *bytes;
    size_t n;
    json_error_t fault;
    json_t *root;
    io_status status = read_bytes(path, &bytes, &n, err);

    if (status != IO_OK) {
        free(bytes);
        return status;
    }
    root = json_loadb((const char *)bytes, n, JSON_REJECT_DUPLICATES, &fault);
    if (root != NULL)
        status = take_profile(&r, root, out);
    else if (json_error_code(&fault) == json_error_out_of_memory)
        status = io_fail_memory(err, "a profile");
    else if (profile_file_is(bytes, n))
        status = damaged(&r, "line %d: %s", fault.line, fault.text);
    else
        status = io_fail(err, IO_E_INPUT, 0, "%s: not a profile of a machine: 'tamis model calibrate -o FILE' writes one", r.path);
    json_decref(root);
    free(bytes);
    return status;
}
