#include "hack.h"
char what_map_char(char);
#define ARROW_TRAP 1
#define WEB 7
#define TRAPNUM 9
struct { const char *name; int type; } trap_types[] = { { "arrow", ARROW_TRAP }, { "web", WEB }, { 0, 0 } };
struct { const char *name; int type; } room_types[] = { { "ordinary", 0 }, { 0, 0 } };
int f(c) char c; { int v = what_map_char(c); if (v) { return 1; } return 0; }
char what_map_char(c)
char c;
{
  switch (c) {
  case ' ': return STONE;
  case '|': case '-': return (VWALL);
  case '~': return SWAMP_POOL;
  case '.': return ROOM;
  }
  return INVALID_TYPE;
}
