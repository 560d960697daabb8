#ifndef GODWIT_CPAGES_H
#define GODWIT_CPAGES_H

#include <stddef.h>

/* Whole pages that are as their files have them. */
typedef void (*godwit_pages_handler)(void *context, void *start, size_t length);

/* Calls the handler for all of the program and its libraries: those of which their files say that
 * nothing is ever written to them. Read-only data that the loader relocates is in a part that is (elf(5),
 * PT_GNU_RELRO). No library comes or goes meanwhile, so the handler must not load any. */
void godwit_each_unchanged(godwit_pages_handler handler, void *context);

#endif
