#include "CAttempt.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

void godwit_attempt_over(struct godwit_attempts *attempts) {
  atomic_fetch_sub(&attempts->count, 1);
}

int godwit_attempt_start(
    struct godwit_attempts *attempts, atomic_int *references, void *(*body)(void *), void *object) {
  if (atomic_fetch_add(&attempts->count, 1) >= attempts->most) {
    godwit_attempt_over(attempts);
    return EAGAIN;
  }
  sigset_t all, before;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  atomic_store(references, 2);
  int error = pthread_create(&thread, &attributes, body, object);
  if (error != 0) {
    atomic_store(references, 1);
    godwit_attempt_over(attempts);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}
