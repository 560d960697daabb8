#ifndef GODWIT_ATTEMPT_H
#define GODWIT_ATTEMPT_H

#include <stdatomic.h>

/* Calls that may hang (name resolution, connecting), each on its own thread for an object that its
 * owner may abandon meanwhile. Abandoned ones end by the timeouts of the kernel and the resolver,
 * some minutes at most. */
struct godwit_attempts {
  int most; /* at once */
  atomic_int count;
};

/* Runs `body(object)` on a detached thread that receives no signals: they belong to the event loop.
 * `references` becomes 2, the owner's and the thread's. The body ends with godwit_attempt_over. 0,
 * or errno: EAGAIN if there are too many. */
int godwit_attempt_start(
    struct godwit_attempts *attempts, atomic_int *references, void *(*body)(void *), void *object);
void godwit_attempt_over(struct godwit_attempts *attempts);

#endif
