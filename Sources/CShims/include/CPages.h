#ifndef GODWIT_CPAGES_H
#define GODWIT_CPAGES_H

#include <stddef.h>

/* Receives whole pages that are identical to those in their files. */
typedef void (*godwit_pages_handler)(void *context, void *start, size_t length);

/* Calls the handler for all such pages of the program and its libraries: those in parts that are
 * never written according to the file. Read-only data that the loader relocates is in a writable
 * part (elf(5), PT_GNU_RELRO). No library is loaded or unloaded meanwhile, so the handler must not
 * load any. */
void godwit_each_unchanged(godwit_pages_handler handler, void *context);

#endif
