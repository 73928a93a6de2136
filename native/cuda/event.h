#ifndef PTXRUN_CUDA_EVENT_H
#define PTXRUN_CUDA_EVENT_H

#include "state.h"

enum { EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4 };

unsigned event_flags(CUevent event);

#endif
