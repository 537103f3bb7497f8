/* fault.c - the message of a failing call, and numbers in it. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

tms_status fault_set_list(struct fault *fault, tms_status status, const char *format, va_list args)
{
    vsnprintf(fault->message, sizeof fault->message, format, args);
    return status;
}

tms_status fault_set(struct fault *fault, tms_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fault_set_list(fault, status, format, args);
    va_end(args);
    return status;
}

tms_status fault_set_memory(struct fault *fault, const char *what, uint64_t size_bytes)
{
    return fault_set(fault, TMS_E_MEMORY, "out of memory: %s needs %.1f MiB", what, (double)size_bytes / 1048576.0);
}

const char *number_text(double value, char text[NUMBER_TEXT_SIZE])
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT_SIZE, value >= 1e6 && value < 1e15 ? "%.*f" : "%.*g", value >= 1e6 && value < 1e15 ? digits - 6 : digits,
                 value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

tms_status fault_set_cancelled(struct fault *fault) { return fault_set(fault, TMS_E_CANCELLED, "cancelled"); }
