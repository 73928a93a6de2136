/* The memory of managed variables, which the program and its kernels see at one address. */
#ifndef PTXRUN_CUDART_MANAGED_H
#define PTXRUN_CUDART_MANAGED_H

#include "registry.h"

/* Makes memory for the program's view of a variable whose binary has been loaded, with its value. */
void managed_begin(struct entry *variable);
void managed_end(struct entry *variable);

#endif
