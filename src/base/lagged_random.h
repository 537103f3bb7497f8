/*
 * lagged_random.h - the pseudo-random numbers with which NCBI's programs replace ambiguous bases: an additive lagged Fibonacci generator,
 * x(i) = x(i - 33) + x(i - 13). Programs that read the same ambiguous bases in the same order draw the same bases.
 */
#ifndef TMS_LAGGED_RANDOM_H
#define TMS_LAGGED_RANDOM_H

#include <stdint.h>

struct lagged_random {
    uint32_t state[33]; /* the oldest number is state[k] */
    int j, k;
};

/* The state of an unseeded generator. */
static const struct lagged_random lagged_random_unseeded = {
    {0xd53f1852, 0xdfc78b83, 0x4f256096, 0x0e643df7, 0x82c359bf, 0xc7794dfa, 0xd5e9ffaa, 0x2c8cb64a, 0x2f07b334, 0xad5a7eb5, 0x96dc0cde,
     0x6fc24589, 0xa5853646, 0xe71576e2, 0x0dae30df, 0xb09ce711, 0x5e56ef87, 0x4b4b0082, 0x6f4f340e, 0xc5bb17e8, 0xd788d765, 0x67498087,
     0x9d7aba26, 0x261351d4, 0x411ee7ea, 0x0393a263, 0x2c5a5835, 0xc115fcd8, 0x25e9132c, 0xd0c6e906, 0xc2bc5b2d, 0x6c065c98, 0x6e37bd55},
    12,
    32};

/* Draws the next number, of 31 bits. */
static inline uint32_t lagged_random_draw(struct lagged_random *random)
{
    uint32_t sum = random->state[random->k] += random->state[random->j];

    random->j = random->j > 0 ? random->j - 1 : 32;
    random->k = random->k > 0 ? random->k - 1 : 32;
    return sum >> 1;
}

/* Seeds the generator: a linear congruential generator makes the first numbers, and the first 330 draws are discarded. */
static inline void lagged_random_seed(struct lagged_random *random, uint32_t seed)
{
    for (int i = 0; i < 33; i++, seed = 1103515245 * seed + 12345)
        random->state[i] = seed;
    random->j = 12;
    random->k = 32;
    for (int i = 0; i < 330; i++)
        (void)lagged_random_draw(random);
}

#endif
