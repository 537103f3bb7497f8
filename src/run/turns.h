/*
 * turns.h - a part of each task that is done in the tasks' order, whoever does the tasks: wait for the turn, work, end the turn.
 * Tasks begin in ascending order and all that have begun end their turns, so none waits for ever.
 */
#ifndef TMS_RUN_TURNS_H
#define TMS_RUN_TURNS_H

#include <pthread.h>
#include <stddef.h>

struct turns {
    pthread_mutex_t lock;
    pthread_cond_t next_turn;
    size_t next;
};

static inline void turns_init(struct turns *turns)
{
    pthread_mutex_init(&turns->lock, NULL);
    pthread_cond_init(&turns->next_turn, NULL);
    turns->next = 0;
}

static inline void turns_destroy(struct turns *turns)
{
    pthread_cond_destroy(&turns->next_turn);
    pthread_mutex_destroy(&turns->lock);
}

static inline void turns_wait(struct turns *turns, size_t task)
{
    pthread_mutex_lock(&turns->lock);
    while (turns->next != task)
        pthread_cond_wait(&turns->next_turn, &turns->lock);
    pthread_mutex_unlock(&turns->lock);
}

static inline void turns_end(struct turns *turns, size_t task)
{
    pthread_mutex_lock(&turns->lock);
    turns->next = task + 1;
    pthread_cond_broadcast(&turns->next_turn);
    pthread_mutex_unlock(&turns->lock);
}

#endif
