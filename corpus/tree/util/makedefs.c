#include "hack.h"
#define A(name, x) name
static const char *artifact_names[] = { A("", 1), A("Sword", 2), A(0, 0) };
void make_version() { version.incarnation = ((unsigned long) 2 << 24) | 1; version.feature_set = (0L
#ifdef FANCY
| (1L << 5)
#endif
); }
