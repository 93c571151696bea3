#ifndef OBJECTS_PASS_2_
#include "hack.h"
struct objdescr { const char *oc_name, *oc_descr; };
struct objclass { short oc_name_idx; unsigned oc_merge : 1, : 0, oc_known:1; char oc_class; };
#define OBJECT(obj, merge, class) { obj }
#define OBJ(name, descr) name, descr
struct objdescr obj_descr[] = {
#else
#undef OBJECT
#define OBJECT(obj, merge, class) { 0, merge, 0, class }
#define ILLOBJ_CLASS 1
struct objclass objects[] = {
#endif
OBJECT(OBJ("strange object", (char *) 0), 0, 1),
OBJECT(OBJ("ration", "a"), 1, 2), OBJECT(OBJ((char *) 0, "b"), 1, 2),
OBJECT(OBJ((char *) 0, 0), 0, 1)
};
#ifndef OBJECTS_PASS_2_
#define OBJECTS_PASS_2_
#include "objects.c"
#endif
