/* target_core.h - the constants of target_frequencies(), for its scalar form and its vector forms. */
#ifndef TMS_TARGET_CORE_H
#define TMS_TARGET_CORE_H

#include "score/joint.h"

enum {
    TARGET_N = JOINT_LETTERS,
    TARGET_PAIRS = TARGET_N * TARGET_N,
    TARGET_MULTIPLIERS = 2 * TARGET_N,
    TARGET_ENTROPY = 2 * TARGET_N - 1,
    TARGET_MAX_ITERATIONS = 2000
};

#define TARGET_RELATIVE_ENTROPY 0.44
#define TARGET_TOLERANCE        1e-8
#define TARGET_STEP_SHARE       .95 /* share of the step to the point where a probability would become 0 */

#endif
