#define UNIX
#ifdef UNIX
# define FANCY /* a comment
 over two lines */ 1
#else
# error no
#endif
