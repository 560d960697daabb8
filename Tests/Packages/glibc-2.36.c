/*
 * What Swift's static libraries of Debian 13 need of glibc 2.38 and Debian 12's 2.36 does not have, so
 * that the program for arm64 can be linked for Debian 12. Compilers with glibc 2.38's headers call
 * these names where the source says strtol, for C23's binary numbers (glibc's NEWS for 2.38), which
 * nothing in the program reads.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int found = vsscanf(text, format, arguments);
  va_end(arguments);
  return found;
}

/* As strlcpy(3) has it since 2.38. */
size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t count = length < size ? length : size - 1;
    memcpy(to, from, count);
    to[count] = 0;
  }
  return length;
}
