/*
 * ordered_section.h - a part of each task that runs in the tasks' order, whichever threads run the tasks: wait for the turn, work, end the
 * turn.
 *
 * Tasks begin in ascending order, and every task that has begun ends its turn, so none waits for ever.
 */
#ifndef TMS_ORDERED_SECTION_H
#define TMS_ORDERED_SECTION_H

#include <pthread.h>
#include <stddef.h>

struct ordered_section {
    pthread_mutex_t lock;
    pthread_cond_t next_turn;
    size_t next;
};

static inline void ordered_section_init(struct ordered_section *ordered_section)
{
    pthread_mutex_init(&ordered_section->lock, NULL);
    pthread_cond_init(&ordered_section->next_turn, NULL);
    ordered_section->next = 0;
}

static inline void ordered_section_destroy(struct ordered_section *ordered_section)
{
    pthread_cond_destroy(&ordered_section->next_turn);
    pthread_mutex_destroy(&ordered_section->lock);
}

static inline void ordered_section_wait(struct ordered_section *ordered_section, size_t task)
{
    pthread_mutex_lock(&ordered_section->lock);
    while (ordered_section->next != task)
        pthread_cond_wait(&ordered_section->next_turn, &ordered_section->lock);
    pthread_mutex_unlock(&ordered_section->lock);
}

static inline void ordered_section_end(struct ordered_section *ordered_section, size_t task)
{
    pthread_mutex_lock(&ordered_section->lock);
    ordered_section->next = task + 1;
    pthread_cond_broadcast(&ordered_section->next_turn);
    pthread_mutex_unlock(&ordered_section->lock);
}

#endif
