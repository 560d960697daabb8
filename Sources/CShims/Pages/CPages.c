#define _GNU_SOURCE /* dl_iterate_phdr */

#include "CPages.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Linkers make three at most, and one for writable data. */
enum { most_parts = 16 };

struct caller {
  godwit_pages_handler handler;
  void *context;
};

/* Code with text relocations is written to after all. */
static bool relocates_code(const struct dl_phdr_info *object) {
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[index];
    if (part->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + part->p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL) return true;
      if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return true;
    }
  }
  return false;
}

static int visit(struct dl_phdr_info *object, size_t size, void *argument) {
  (void)size;
  const struct caller *caller = argument;
  /* The kernel's own object (vDSO) has no file. */
  if (object->dlpi_addr != 0 && object->dlpi_addr == getauxval(AT_SYSINFO_EHDR)) return 0;
  if (relocates_code(object)) return 0;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  /* Collected first: the headers are in such pages themselves, and would be read again. */
  struct {
    uintptr_t start, end;
  } found[most_parts];
  size_t count = 0;
  for (size_t index = 0; index < object->dlpi_phnum && count < most_parts; index++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
    uintptr_t start = object->dlpi_addr + part->p_vaddr;
    found[count].start = (start + page - 1) / page * page;
    found[count].end = (start + part->p_filesz) / page * page;
    if (found[count].start < found[count].end) count++;
  }
  for (size_t index = 0; index < count; index++) {
    caller->handler(
        caller->context, (void *)found[index].start, found[index].end - found[index].start);
  }
  return 0;
}

void godwit_each_unchanged(godwit_pages_handler handler, void *context) {
  struct caller caller = {handler, context};
  dl_iterate_phdr(visit, &caller);
}
