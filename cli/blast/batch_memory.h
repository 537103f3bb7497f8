/* batch_memory.h - what a batch has freed goes back to the system, so that the memory of a run is that of its largest batch. */
#ifndef TAMIS_CLI_BATCH_MEMORY_H
#define TAMIS_CLI_BATCH_MEMORY_H

/* batch_memory_begin() - before the first large allocation of the process. */
void batch_memory_begin(void);

/* batch_memory_end() - after a batch. Safe while other threads allocate. */
void batch_memory_end(void);

#endif
