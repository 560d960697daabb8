#ifndef GODWIT_LOADING_H
#define GODWIT_LOADING_H

#include <stddef.h>

/* A library that is loaded by whoever uses it. */
struct godwit_library {
  const char *file;
  const char *package; /* of Debian's that brings it */
};

/* A function of its, and where the pointer to it goes. */
struct godwit_function {
  const char *name;
  void *pointer;
};

/* Loads the library for ever and sets the pointers. NULL; or `why`, which says what is missing and
 * what to install. */
const char *godwit_library_load(
    const struct godwit_library *library, const struct godwit_function *functions, size_t count,
    char *why, size_t room);

#endif
