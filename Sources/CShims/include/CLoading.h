#ifndef GODWIT_LOADING_H
#define GODWIT_LOADING_H

#include <stddef.h>

/* A library that is loaded at run time. */
struct godwit_library {
  const char *file;
  const char *package; /* Debian's package with it */
};

/* One of its functions, and where to store the pointer to it. */
struct godwit_function {
  const char *name;
  void *pointer;
};

/* Loads the library for ever and sets the pointers. NULL; or `why`, with what is missing and what
 * to install. */
const char *godwit_library_load(
    const struct godwit_library *library, const struct godwit_function *functions, size_t count,
    char *why, size_t room);

#endif
