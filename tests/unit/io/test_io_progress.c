/* The progress line on a terminal: no wider than it, whatever there is to say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "io/io_progress.h"

/* What a terminal of so many columns (0: it does not say) is shown, without control characters. */
static void shown(int columns, const char *what, const char *unit, uint64_t total, uint64_t n_bytes, uint64_t n_done, char text[400])
{
    struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    struct timespec pause = {0, 110000000};
    int master = posix_openpt(O_RDWR | O_NOCTTY), slave, saved = dup(STDERR_FILENO);
    io_progress progress;
    assert_true(master >= 0 && saved >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    dup2(slave, STDERR_FILENO);
    io_progress_start(&progress, what, unit, total, 0);
    nanosleep(&pause, NULL);
    io_progress_update(&progress, n_bytes, n_done);
    dup2(saved, STDERR_FILENO);
    close(saved);
    ssize_t n = read(master, text, 399);
    close(slave);
    close(master);
    assert_true(n > 0);
    text[n] = '\0';
    assert_int_equal(text[0], '\r');
    char *end = strstr(text, "\033[K");
    assert_non_null(end);
    *end = '\0';
    memmove(text, text + 1, strlen(text));
}

static void assert_begins(const char *text, const char *begin)
{
    if (strncmp(text, begin, strlen(begin)) != 0)
        fail_msg("'%s' does not begin with '%s'", text, begin);
}

static void fits_the_terminal(void **state)
{
    (void)state;
    static const int columns[] = {20, 79, 80, 200};
    char text[400];
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        shown(columns[i], "seeds", "w-mers", 999900000000, 420000000000, 12345678901234, text);
        assert_true((int)strlen(text) < columns[i]);
        shown(columns[i], "query", "keys", 0, 999900000000, 12345678901234, text);
        assert_true((int)strlen(text) < columns[i]);
        assert_begins(text, "query: 999.9 GB, ");
    }
}

static void bar_takes_what_is_left(void **state)
{
    (void)state;
    char text[400];
    shown(200, "build", "keys", 1000, 500, 10, text);
    assert_begins(text, "build: [############............]  50 % of 1.0 kB, 10 keys, ");
    shown(76, "build", "keys", 1000, 500, 10, text);
    assert_begins(text, "build: [######");
    assert_int_equal(strlen(text), 75);
    assert_non_null(strstr(text, "]  50 % of 1.0 kB, 10 keys, "));
    assert_non_null(strstr(text, " keys/s, 0 s left"));
    shown(200, "build", "keys", 1000, 1000, 10000000, text);
    assert_begins(text, "build: [########################] 100 % of 1.0 kB, 10000000 keys, ");
    assert_string_equal(text + strlen(text) - 9, " M keys/s"); /* and nothing left */
    shown(200, "classify", "reads", 1000, 500, 15180, text);   /* in a tenth of a second, more or less */
    assert_non_null(strstr(text, " k reads/s, 0 s left"));
    assert_null(strstr(text, "0.1 M"));
    shown(200, "calibrate", NULL, 1000, 420, 0, text); /* nothing to count */
    assert_string_equal(text, "calibrate: [##########..............]  42 %, 0 s left");
    shown(200, "calibrate", NULL, 1000, 49, 0, text); /* too little is done to tell what is left */
    assert_string_equal(text, "calibrate: [#.......................]   5 %");
    shown(30, "build", "keys", 1000, 500, 10, text);
    assert_string_equal(text, "build:  50 % of 1.0 kB, 10 ke");
}

/* While nothing is known to be done what is left gets less, not more. */
static void left_runs_down(void **state)
{
    (void)state;
    const struct timespec pause = {0, 110000000};
    int ends[2], saved = dup(STDERR_FILENO);
    char text[2000];
    io_progress progress;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    io_progress_start(&progress, "blastp", "queries", 1000, 0);
    progress.is_terminal = 1;
    progress.started_s -= 20;
    progress.shown_s -= 20;
    io_progress_update(&progress, 500, 10);
    progress.started_s -= 5; /* five seconds later */
    nanosleep(&pause, NULL);
    io_progress_update(&progress, 500, 12);
    nanosleep(&pause, NULL);
    io_progress_update(&progress, 400, 12); /* of what is compressed it is an estimate */
    progress.started_s -= 30;
    nanosleep(&pause, NULL);
    io_progress_update(&progress, 500, 12);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    ssize_t n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    assert_true(n > 0);
    text[n] = '\0';
    char *first = strstr(text, " 20 s left"), *second = strstr(text, " 15 s left");
    assert_non_null(first);
    assert_non_null(second);
    assert_true(first < second);
    assert_non_null(strstr(second + 1, " 15 s left"));
    assert_non_null(strstr(second, " 0 s left"));
    for (const char *at = text; (at = strstr(at, " % of")) != NULL; at++)
        assert_memory_equal(at - 2, "50", 2);
}

static void width_from_the_environment(void **state)
{
    (void)state;
    char text[400];
    setenv("COLUMNS", "50", 1);
    shown(0, "seeds", "w-mers", 999900000000, 420000000000, 12345678901234, text);
    assert_int_equal(strlen(text), 49);
    shown(70, "seeds", "w-mers", 999900000000, 420000000000, 12345678901234, text);
    assert_int_equal(strlen(text), 69); /* the terminal knows better */
    unsetenv("COLUMNS");
    shown(0, "seeds", "w-mers", 999900000000, 420000000000, 12345678901234, text);
    assert_true(strlen(text) < 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_the_terminal),
        cmocka_unit_test(bar_takes_what_is_left),
        cmocka_unit_test(left_runs_down),
        cmocka_unit_test(width_from_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
