#ifndef HACK_H
#define HACK_H
#include "config.h"
#include <stdio.h>
#include "rm.h"
#endif
