#ifndef PTXRUN_CUDA_COPY_H
#define PTXRUN_CUDA_COPY_H

#include "state.h"

enum place_kind { HOST_PLACE, DEVICE_PLACE, ANY_PLACE };

/* One end of a copy: bytes from row to row, and from slice to slice. */
struct place {
  uint32_t kind;
  uint64_t address;
  uint64_t pitch;
  uint64_t slice;
};

/* Where a device pointer leads: memory of this process may have one. */
struct place device_place(CUdeviceptr address);
/* Unified addressing: whatever has something there. */
struct place any_place(CUdeviceptr address);
struct place host_place(const void *pointer);
CUresult copy_bytes(struct place to, struct place from, uint64_t bytes, uint64_t rows, uint64_t slices);

#endif
