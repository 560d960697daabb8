#include "CLoading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *godwit_library_load(
    const struct godwit_library *library, const struct godwit_function *functions, size_t count,
    char *why, size_t room) {
  void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    const char *said = dlerror();
    snprintf(
        why, room, "%s; install the package %s", said != NULL ? said : library->file,
        library->package);
    return why;
  }
  for (size_t index = 0; index < count; index++) {
    void *found = dlsym(handle, functions[index].name);
    if (found == NULL) {
      snprintf(
          why, room, "%s has no %s; install the package %s", library->file, functions[index].name,
          library->package);
      dlclose(handle);
      return why;
    }
    /* Converts an object pointer to a function pointer as POSIX requires (dlsym(3)). */
    memcpy(functions[index].pointer, &found, sizeof found);
  }
  return NULL;
}
