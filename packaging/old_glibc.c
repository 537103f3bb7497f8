/* old_glibc.c - what the static libstdc++ of gcc 12 asks of newer glibcs (2.32, 2.36), for older ones. link-glibc.sh links it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/random.h>

#pragma GCC visibility push(hidden)

char __libc_single_threaded = 0; /* there may be other threads */

unsigned arc4random(void)
{
    unsigned n;

    if (getrandom(&n, sizeof n, 0) != (ssize_t)sizeof n)
        abort();
    return n;
}
