// The version of the program: that of the next release, or what `make` stamps it with (.ci/version).
#ifndef CVERSION_H
#define CVERSION_H

#define GODWIT_NEXT_VERSION "0.1.0"

// In the form of Debian's versions, as "0.1.0~git632.80d7cac": before 0.1.0, 632 commits in.
const char *_Nonnull godwit_version(void);

#endif
