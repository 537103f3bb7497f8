#include "figures/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* gnuplot's standard input, output and error: files in memory, so that no pipe blocks and no temporary file remains. */
enum { INPUT, OUTPUT, WORDS, N_STREAMS };

static const char missing[] = "gnuplot is not installed; it draws the figures (Debian and Ubuntu: apt-get install gnuplot-nox)";

/* Reads a whole file, and appends a NUL. */
static char *read_back(int fd, size_t *n)
{
    struct stat info;
    char *text;
    ssize_t got = 0;

    *n = 0;
    if (fstat(fd, &info) != 0 || info.st_size < 0)
        return NULL;
    text = malloc((size_t)info.st_size + 1);
    while (text != NULL && *n < (size_t)info.st_size) {
        got = pread(fd, text + *n, (size_t)info.st_size - *n, (off_t)*n);
        if (got <= 0)
            break;
        *n += (size_t)got;
    }
    if (text != NULL)
        text[*n] = '\0';
    return text;
}

static int write_script(const chart *c, chart_format format, int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    FILE *to = copy >= 0 ? fdopen(copy, "w") : NULL;
    int ok = to != NULL;

    if (to == NULL && copy >= 0)
        close(copy);
    if (to != NULL) {
        chart_write(c, format, to);
        ok = !ferror(to);
        ok = fclose(to) == 0 && ok;
    }
    return ok && lseek(fd, 0, SEEK_SET) == 0;
}

/* Runs gnuplot to its end. Returns 0, or the errno of a failed start: ENOENT if there is no such program. */
static int run(const int fds[N_STREAMS], int *ended)
{
    char name[] = "gnuplot", defaults[] = "-d", standard_input[] = "-";
    char *argv[] = {name, defaults, standard_input, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int failed = posix_spawn_file_actions_init(&actions);

    if (failed)
        return failed;
    for (int i = 0; i < N_STREAMS && !failed; i++)
        failed = posix_spawn_file_actions_adddup2(&actions, fds[i], i);
    if (!failed)
        failed = posix_spawnp(&child, name, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return failed;
    while (waitpid(child, ended, 0) < 0) {
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

static io_status fail_drawing(const char *figure, int ended, const char *words, io_error *err)
{
    size_t length;

    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127) /* a shell or an old libc reports a missing program so */
        return io_fail(err, IO_E_INPUT, 0, "%s", missing);
    words = words != NULL ? words + strspn(words, " \n") : "";
    length = strcspn(words, "\n");
    return io_fail(err, IO_E_OUTPUT, 0, "figure %s: gnuplot failed (%s %d)%s%.*s", figure, WIFSIGNALED(ended) ? "signal" : "exit code",
                   WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended), length > 0 ? ": " : "", (int)length, words);
}

/* Removes gnuplot's titles, "Gnuplot" and "gnuplot_plot_1", which browsers show as tooltips. */
static void strip_titles(char *svg, size_t *n)
{
    static const char begin[] = "<title>", end[] = "</title>";
    char *to = svg, *from = svg, *next, *after;

    while ((next = strstr(from, begin)) != NULL && (after = strstr(next, end)) != NULL) {
        memmove(to, from, (size_t)(next - from));
        to += next - from;
        from = after + sizeof end - 1;
    }
    memmove(to, from, *n - (size_t)(from - svg) + 1);
    *n -= (size_t)(from - to);
}

static io_status draw(const char *figure, const chart *c, chart_format format, const int fds[N_STREAMS], char **picture, size_t *n,
                      io_error *err)
{
    int ended = 0, failed;
    io_status status;
    char *words;
    size_t n_words;

    if (!write_script(c, format, fds[INPUT]))
        return io_fail(err, IO_E_MEMORY, ENOMEM, "figure %s: out of memory", figure);
    failed = run(fds, &ended);
    if (failed == ENOENT)
        return io_fail(err, IO_E_INPUT, 0, "%s", missing);
    if (failed)
        return io_fail(err, IO_E_INPUT, 0, "gnuplot cannot be started: %s", strerror(failed));
    *picture = read_back(fds[OUTPUT], n);
    words = read_back(fds[WORDS], &n_words);
    if (*picture == NULL)
        status = io_fail(err, IO_E_MEMORY, ENOMEM, "figure %s: out of memory", figure);
    else
        status = ended == 0 && *n > 0 ? IO_OK : fail_drawing(figure, ended, words, err);
    free(words);
    if (status == IO_OK && format == CHART_SVG)
        strip_titles(*picture, n);
    if (status != IO_OK) {
        free(*picture);
        *picture = NULL;
    }
    return status;
}

io_status gnuplot_draw(const char *name, const chart *c, chart_format format, char **picture, size_t *n, io_error *err)
{
    int fds[N_STREAMS] = {-1, -1, -1};
    io_status status = IO_OK;

    *picture = NULL;
    *n = 0;
    for (int i = 0; i < N_STREAMS && status == IO_OK; i++) {
        fds[i] = memfd_create("tamis", MFD_CLOEXEC);
        if (fds[i] < 0)
            status = io_fail(err, IO_E_MEMORY, ENOMEM, "figure %s: out of memory: %s", name, strerror(errno));
    }
    if (status == IO_OK)
        status = draw(name, c, format, fds, picture, n, err);
    for (int i = 0; i < N_STREAMS; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
    return status;
}
