#include "hack.h"
enum classes { S_NONE, S_ANT, S_BLOB = S_ANT + 1 };
struct permonst { const char *mname; char mlet; short lvl[2], geno; unsigned long mflags1, mflags2; };
#define LVL(a, b) { a, b }
#define MON(nam, sym, lvl, gen, flg) { nam, sym, lvl, gen, flg, 0L }
#define M1_FLY 0x1L
#define M1_SWIM 0x2L
struct permonst mons[] = {
  MON("giant " "ant", S_ANT, LVL(1, 2), (1 | 2), M1_FLY),
#ifdef FANCY
  MON("acid, blob", S_BLOB, LVL(1, 2),
# if 0
 it's not here
# endif
 0, M1_FLY | M1_SWIM),
#endif
  MON("giant ant", S_ANT, LVL(1, 1), 0, 0),
  MON("", 0, LVL(0, 0), 0, 0)
};
