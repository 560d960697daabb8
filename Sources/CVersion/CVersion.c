#include "CVersion.h"

#ifndef GODWIT_VERSION
#define GODWIT_VERSION GODWIT_NEXT_VERSION
#endif

const char *godwit_version(void) { return GODWIT_VERSION; }
