/* target_core.h - what the plain form of target_frequencies() and its forms by vectors share. */
#ifndef TMS_TARGET_CORE_H
#define TMS_TARGET_CORE_H

#include "score/joint.h"

enum { N = JOINT_LETTERS, PAIRS = N * N, MULTIPLIERS = 2 * N, ENTROPY = 2 * N - 1, MOST_ITERATIONS = 2000 };

#define RELATIVE_ENTROPY 0.44
#define TOLERANCE        1e-8
#define SHORT_OF_BORDER  .95 /* of the way to where a probability would be 0 */

#endif
