#define STONE 0
#define VWALL 1
#define SWAMP_POOL (VWALL + 1)
#if FANCY && !defined(PLAIN)
#define LAVAFALL 3
#define ROOM 4
#else
#define ROOM 3
#endif
#define MAX_TYPE (ROOM + 1)
#define INVALID_TYPE 127
#define D_NODOOR 0
