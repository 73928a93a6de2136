#ifndef PTXRUN_CUDA_IMAGE_H
#define PTXRUN_CUDA_IMAGE_H

#include "state.h"

/* Text, or a fat binary whose parts fill it; without a wrapper. */
struct image {
  unsigned char *bytes;
  size_t count;
};

/*
 * A copy of what lies at an address of the program, whose length nobody says: text goes to its zero, and a fat binary to where its
 * own parts end. What is not mapped is not read. For who frees its bytes.
 */
CUresult image_at(const void *address, struct image *image);
/* What is in a file, which has no pointers in it. */
CUresult image_in(const char *path, struct image *image);

#endif
