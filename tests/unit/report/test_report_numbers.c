/* Numbers of tables are the bytes of printf(). */
#include "unit/samples.h"

#include <math.h>
#include <stdio.h>

#include "report/report_numbers.h"
#include "report/report_text.h"

static void same(const char *got, const char *want, const char *what, double value)
{
    if (strcmp(got, want) != 0)
        fail_msg("%s of %.17g (%a): '%s' instead of '%s'", what, value, value, got, want);
}

/* All of them, as NCBI's program prints them. */
static void check(double value)
{
    char got[REPORT_NUMBER_SIZE], want[400];

    for (int n = 0; n <= 3 && !(fabs(value) > 1e30); n++) {
        snprintf(want, sizeof want, "%.*f", n, value);
        same(report_fixed(value, n, got), want, "decimals", value);
    }
    if (!(fabs(value) > 1e30)) {
        const char *format = value < 0.0009 ? "%.2e" : value < 0.1 ? "%4.3f" : value < 1 ? "%3.2f" : value < 10 ? "%2.1f" : "%2.0f";
        snprintf(want, sizeof want, value < 1e-180 ? "0.0" : format, value);
        same(report_evalue(value, got), want, "E-value", value);
        snprintf(want, sizeof want, value < 1e-180 ? "0.0" : value < 0.0009 ? "%3.0e" : format, value);
        same(report_evalue_short(value, got), want, "short E-value", value);
    }
    if (value > 99.9 && value <= 99999)
        snprintf(want, sizeof want, "%3ld", (long)value);
    else
        snprintf(want, sizeof want, value > 99999 ? "%5.3e" : "%4.1f", value);
    if (!(value < -1e30))
        same(report_bits(value, got), want, "bits", value);
}

/* And its neighbours. */
static void check_around(double value)
{
    check(value);
    check(nextafter(value, INFINITY));
    check(nextafter(value, -INFINITY));
}

static void percents(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 300; n++)
        for (uint64_t k = 0; k <= n; k++)
            check((double)k / (double)n * 100);
}

static void middles(void **state)
{
    (void)state;
    for (int digits = 0; digits < 3000; digits++) {
        for (int n = -2; n <= 4; n++)
            check_around((digits + 0.5) * pow(10, -n));
        check_around(digits / 16.0);
    }
    for (int exponent = -300; exponent <= 20; exponent++)
        for (int digits = 99; digits <= 1001; digits += exponent % 20 == 0 ? 1 : 97) {
            check_around(digits * pow(10, exponent));
            check_around((digits + 0.5) * pow(10, exponent));
        }
}

static void any_bits(void **state)
{
    static const double all[] = {0.0, -0.0, 1.0, -1.0, -99.95, 99.9, 99.95, 100, 99999, 1e6, 999999.5, 4294967296.0, 1e-180, 9e-4, 1e300};
    uint64_t random = 1;

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_around(all[i]);
    check(INFINITY);
    check(NAN);
    for (int i = 0; i < 200000; i++) {
        double value;
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        value = (double)(random >> 11) * 0x1p-53; /* from 0 to 1 */
        check(i % 3 == 0 ? value * 100 : i % 3 == 1 ? value * 1e5 : pow(10, -200 * value));
        memcpy(&value, &random, sizeof value);
        check(value);
    }
}

static void integers(void **state)
{
    static const int64_t all[] = {0, 1, -1, 9, 10, 99, 100, -100, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct byte_array bytes = {0};
        struct report_text t = {.to = &bytes};
        char want[32];
        text_number(&t, all[i]);
        text_add(&t, "", 1);
        snprintf(want, sizeof want, "%lld", (long long)all[i]);
        assert_string_equal((const char *)bytes.bytes, want);
        free(bytes.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(percents), cmocka_unit_test(middles), cmocka_unit_test(any_bits),
                                       cmocka_unit_test(integers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
