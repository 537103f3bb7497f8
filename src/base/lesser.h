/* lesser.h - the lesser and the greater of two numbers. */
#ifndef TMS_LESSER_H
#define TMS_LESSER_H

static inline int lesser(int a, int b) { return a < b ? a : b; }
static inline int greater(int a, int b) { return a > b ? a : b; }

#endif
