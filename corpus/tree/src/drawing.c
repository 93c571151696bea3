#include "hack.h"
#define DEF_ANT 'a'
const char def_monsyms[3] = { '\0', DEF_ANT, '\x62' };
struct class_sym { char sym; const char *name; };
const struct class_sym def_oc_syms[3] = { {'\0', ""}, {'0', "ball"}, {'!', "potion"} };
