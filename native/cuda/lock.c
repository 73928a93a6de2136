#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"
#include "state.h"

static pthread_mutex_t mutex;
static pthread_once_t made = PTHREAD_ONCE_INIT;
/* The process that has called cuInit: what a fork makes of it has no device, as it has none of a GPU's. */
static pid_t owner;

static void make(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
}

/* Whoever held it is not in the child. */
static void in_child(void) { make(); }

static void prepare(void) {
  make();
  pthread_atfork(NULL, NULL, in_child);
}

int lock_state(void) {
  int cancelling;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
  pthread_once(&made, prepare);
  pthread_mutex_lock(&mutex);
  return cancelling;
}

void unlock_state(int *locked) {
  pthread_mutex_unlock(&mutex);
  pthread_setcancelstate(*locked, locked);
}

void lock_pause(void) { pthread_mutex_unlock(&mutex); }
void lock_resume(void) { pthread_mutex_lock(&mutex); }

/* Where the device's addresses are (src/interp/contract/window.ts), from 0x4f00 to 0x4f07 in the high word. */
#define DEVICE_START 0x4f0000000000ull
#define DEVICE_END 0x4f0800000000ull

/*
 * Keeps this process's own memory out of there: an address then belongs to one of both, and who reads the device's memory
 * without copying it crashes as beside a GPU. Where something lies there already, all goes on without that.
 */
static void reserve_addresses(void) {
#ifdef MAP_FIXED_NOREPLACE
  mmap((void *)(uintptr_t)DEVICE_START, DEVICE_END - DEVICE_START, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
#endif
}

API CUresult cuInit(unsigned flags) {
  LOCKED;
  NEEDS(flags == 0);
  if (owner == 0) {
    owner = getpid();
    reserve_addresses();
  }
  return initialised();
}

CUresult initialised(void) { return owner != 0 && owner == getpid() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED; }
