/*
 * Memory that nodes of graphs allocate: at one address for as long as a graph may use it, and in use from the node that
 * allocates to the one that frees.
 */
#ifndef PTXRUN_CUDA_RESERVATION_H
#define PTXRUN_CUDA_RESERVATION_H

#include "state.h"

struct reservation;

/* Held once, by who makes it. */
CUresult reservation_new(struct reservation **made, size_t bytes, CUcontext context);
/* The one that begins there; NULL where none does. */
struct reservation *reservation_at(CUdeviceptr address);
CUdeviceptr reservation_address(const struct reservation *reservation);
void reservation_hold(struct reservation *reservation);
/* Without anybody who holds it, its memory lasts only until it is freed. */
void reservation_release(struct reservation *reservation);

bool reservation_in_use(const struct reservation *reservation);
CUresult reservation_use(struct reservation *reservation);
/* What is not in use cannot be freed. */
CUresult reservation_free(struct reservation *reservation);
/* Frees what begins at an address of the device, of managed or of shared memory, whoever has allocated it. */
CUresult device_free(CUdeviceptr address);

#endif
