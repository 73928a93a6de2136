/*
 * A client of the driver API whose worker is killed at random moments: every call returns, a result that is good is right, and
 * the next context gets another worker. Linux.
 *
 *     driver-kills kills [KILLS [KILL_AFTER_US [SEED]]]
 *
 * 200 kills by default, each up to 400 ms after the one before, so that some hit a worker that starts. Twice: by one thread, and
 * by three.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

#include "children.h"
#include "driver-check.h"
#include "driver-kernels.h"

/* Seconds that one round of calls may take, on a machine that does other things, too. */
#define MOST_SECONDS 600

static volatile int over, kills, good, bad;

static void rest(long microseconds) {
  nanosleep(&(struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000}, NULL);
}

static void *kill_often(void *words) {
  const unsigned *asked = words;
  unsigned state = asked[1];
  while (!over) {
    state = state * 1664525 + 1013904223;
    rest((long)((state >> 8) % asked[0]));
    pid_t worker = worker_process();
    if (!over && worker > 0 && kill(worker, SIGKILL) == 0) kills++;
  }
  return NULL;
}

/* What a call may answer because of a worker that has died, here or in another thread. */
static int is_loss(CUresult result) {
  return result == CUDA_ERROR_LAUNCH_FAILED || result == CUDA_ERROR_SYSTEM_NOT_READY || result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

#define TRY_CALL(call)                                                       \
  do {                                                                       \
    CUresult result_ = (call);                                               \
    if (result_ != CUDA_SUCCESS && !is_loss(result_)) {                      \
      fprintf(stderr, "%s:%d: %s gives %d\n", __FILE__, __LINE__, #call, (int)result_); \
      exit(99);                                                              \
    }                                                                        \
    if (result_ != CUDA_SUCCESS) return 0;                                   \
  } while (0)

/* One context's work; 1 where all of it went well. */
static int work(CUcontext context, unsigned value) {
  CUmodule module;
  CUfunction function;
  CUdeviceptr data;
  unsigned words[64], back[64];
  for (unsigned i = 0; i < 64; i++) words[i] = value + i;
  TRY_CALL(cuCtxSetCurrent(context));
  TRY_CALL(cuModuleLoadData(&module, stepping));
  TRY_CALL(cuModuleGetFunction(&function, module, "forward"));
  TRY_CALL(cuMemAlloc_v2(&data, sizeof words));
  TRY_CALL(cuMemcpyHtoD_v2(data, words, sizeof words));
  void *parameters[] = {&data};
  for (int times = 0; times < 20; times++) TRY_CALL(launch_one(function, 64, parameters));
  TRY_CALL(cuCtxSynchronize());
  TRY_CALL(cuMemcpyDtoH_v2(back, data, sizeof back));
  for (unsigned i = 0; i < 64; i++) CHECK(back[i] == words[i] + 100);
  TRY_CALL(cuMemFree_v2(data));
  TRY_CALL(cuModuleUnload(module));
  return 1;
}

static int round_of(unsigned value) {
  CUcontext context;
  TRY_CALL(cuCtxCreate_v2(&context, 0, 0));
  int went = work(context, value);
  CUresult ended = cuCtxDestroy_v2(context);
  CHECK(ended == CUDA_SUCCESS || is_loss(ended));
  return went;
}

static void *client(void *most) {
  for (unsigned value = 1; kills < *(int *)most; value++) {
    if (round_of(value))
      good++;
    else
      bad++;
    /* Whoever hangs, this does not happen: SIGALRM ends the program. */
    alarm(MOST_SECONDS);
  }
  return NULL;
}

static void many(int threads, int wanted, unsigned after, unsigned seed) {
  pthread_t killer, clients[3];
  unsigned asked[2] = {after, seed};
  kills = good = bad = over = 0;
  CHECK(pthread_create(&killer, NULL, kill_often, asked) == 0);
  for (int i = 0; i < threads; i++) CHECK(pthread_create(&clients[i], NULL, client, &wanted) == 0);
  for (int i = 0; i < threads; i++) CHECK(pthread_join(clients[i], NULL) == 0);
  over = 1;
  CHECK(pthread_join(killer, NULL) == 0);
  /* The last may have been hit after its last call. */
  for (int i = 0; i < 3 && !round_of(7); i++) continue;
  CHECK(round_of(8));
  alarm(0);
  CHECK(zombies() == 0);
  printf("%d threads: %d kills, %d rounds that went well, %d that did not\n", threads, kills, good, bad);
}

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "kills") != 0) return 2;
  unsigned asked[3] = {200, 400000, 12345};
  for (int i = 2; i < argc && i < 5; i++) asked[i - 2] = (unsigned)atoi(argv[i]);
  WORKS(cuInit(0));
  alarm(MOST_SECONDS);
  many(1, (int)asked[0], asked[1], asked[2]);
  many(3, (int)asked[0], asked[1], asked[2] + 1);
  printf("kills: done\n");
  return 0;
}
