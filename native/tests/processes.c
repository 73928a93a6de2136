/* Memory and events of one process in another: this program starts itself once more. */
#include <sys/wait.h>
#include <unistd.h>

#include "driver-check.h"
#include "driver-kernels.h"

/* Where the other process is heard, and spoken to; what is said is words of this many bytes. */
static int from = 3, to = 4;

struct said {
  CUipcMemHandle memory;
  CUipcEventHandle event;
  CUmemPoolPtrExportData pointer;
  int pool;
};

static void say(const void *bytes, size_t count) { CHECK(write(to, bytes, count) == (ssize_t)count); }
static void hear(void *bytes, size_t count) { CHECK(read(from, bytes, count) == (ssize_t)count); }
static void turn(void) { say("", 1); }
static void wait_turn(void) {
  char byte;
  hear(&byte, 1);
}

static pid_t start(const char *part) {
  int ahead[2], back[2];
  CHECK(pipe(ahead) == 0 && pipe(back) == 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ahead[0], 13), dup2(back[1], 14);
    dup2(13, 3), dup2(14, 4);
    execl("/proc/self/exe", "processes", part, (char *)NULL);
    _exit(9);
  }
  close(ahead[0]), close(back[1]);
  from = back[0], to = ahead[1];
  return child;
}

static void finish(pid_t child) {
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Adds 5 to so many words. */
static void add(CUdeviceptr words, unsigned count) {
  void *parameters[] = {&words};
  WORKS(launch_one(kernel_of(stepping, "forward"), count, parameters));
  WORKS(cuCtxSynchronize());
}

static unsigned word_at(CUdeviceptr address) {
  unsigned word;
  WORKS(cuMemcpyDtoH_v2(&word, address, sizeof word));
  return word;
}

static void share_memory(void) {
  static const unsigned words[6] = {1, 2, 3, 4, 5, 6};
  struct said said = {.pool = 0};
  CUdeviceptr memory = device_copy(words, sizeof words), opened;
  CUevent event, plain;
  unsigned able;
  WORKS(cuPointerGetAttribute(&able, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, memory));
  CHECK(able == 1);
  WORKS(cuEventCreate(&plain, 2));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcGetEventHandle(&said.event, plain));
  WORKS(cuEventCreate(&event, 6));
  WORKS(cuEventRecord(event, NULL));
  WORKS(cuIpcGetEventHandle(&said.event, event));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuIpcOpenMemHandle_v2(&opened, said.memory, 1));
  size_t before, after, all;
  WORKS(cuMemGetInfo_v2(&before, &all));
  WORKS(cuIpcGetMemHandle(&said.memory, memory));
  WORKS(cuMemGetInfo_v2(&after, &all));
  CHECK(before == after);
  GIVES(CUDA_ERROR_INVALID_CONTEXT, cuIpcOpenMemHandle_v2(&opened, said.memory, 1));
  say(&said, sizeof said);
  wait_turn();
  /* What the other has stored is here, and beside it what this one stores. */
  CHECK(word_at(memory) == 6 && word_at(memory + 4) == 7 && word_at(memory + 8) == 3);
  add(memory + 4, 2);
  turn();
  wait_turn();
  CHECK(word_at(memory + 20) == 77);
  WORKS(cuMemFree_v2(memory));
  turn();
}

static void open_memory(void) {
  struct said said;
  CUdeviceptr memory, again;
  CUevent event;
  hear(&said, sizeof said);
  WORKS(cuIpcOpenEventHandle(&event, said.event));
  WORKS(cuEventSynchronize(event));
  WORKS(cuStreamWaitEvent(NULL, event, 0));
  WORKS(cuIpcOpenMemHandle_v2(&memory, said.memory, 1));
  WORKS(cuIpcOpenMemHandle_v2(&again, said.memory, 1));
  CHECK(memory == again && word_at(memory) == 1 && word_at(memory + 20) == 6);
  add(memory, 2);
  turn();
  wait_turn();
  CHECK(word_at(memory) == 6 && word_at(memory + 4) == 12 && word_at(memory + 8) == 8 && word_at(memory + 12) == 4);
  WORKS(cuMemsetD32_v2(memory + 20, 77, 1));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(memory));
  turn();
  wait_turn();
  /* It stays until it is closed as often as it was opened. */
  WORKS(cuIpcCloseMemHandle(memory));
  CHECK(word_at(memory + 20) == 77);
  WORKS(cuIpcCloseMemHandle(memory));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(memory));
  GIVES(CUDA_ERROR_INVALID_HANDLE, cuIpcOpenMemHandle_v2(&memory, said.memory, 1));
}

static void share_pool(void) {
  CUmemPoolProps properties = {.allocType = 1, .handleTypes = 1, .location = {1, 0}};
  CUmemoryPool pool, plain;
  CUdeviceptr memory;
  struct said said = {.pool = 0};
  WORKS(cuDeviceGetDefaultMemPool(&plain, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportToShareableHandle(&said.pool, plain, 1, 0));
  WORKS(cuMemPoolCreate(&pool, &properties));
  WORKS(cuMemAllocFromPoolAsync(&memory, 64, pool, NULL));
  WORKS(cuMemsetD32_v2(memory, 3, 16));
  WORKS(cuMemPoolExportToShareableHandle(&said.pool, pool, 1, 0));
  WORKS(cuMemPoolExportPointer(&said.pointer, memory));
  say(&said, sizeof said);
  wait_turn();
  CHECK(word_at(memory) == 8 && word_at(memory + 60) == 8);
  add(memory, 16);
  CHECK(word_at(memory + 60) == 13);
  WORKS(cuMemFreeAsync(memory, NULL));
}

static void open_pool(void) {
  struct said said;
  char path[32];
  CUmemoryPool pool;
  CUdeviceptr memory;
  uint64_t used;
  hear(&said, sizeof said);
  /* In place of what a socket would pass. */
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), said.pool);
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  WORKS(cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fileno(file), 1, 0));
  GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocFromPoolAsync(&memory, 64, pool, NULL));
  WORKS(cuMemPoolImportPointer(&memory, pool, &said.pointer));
  WORKS(cuMemPoolGetAttribute(pool, 7, &used));
  CHECK(used == 64 && word_at(memory + 60) == 3);
  add(memory, 16);
  turn();
  WORKS(cuMemFree_v2(memory));
  WORKS(cuMemPoolGetAttribute(pool, 7, &used));
  CHECK(used == 0);
}

static void run_here(void) {
  pid_t child = start("there");
  begin();
  share_memory();
  share_pool();
  finish(child);
}

static void run_there(void) {
  begin();
  open_memory();
  open_pool();
}

static const struct part_of_test parts[] = {{"processes", run_here}, {"there", run_there}};

int main(int argc, char **argv) { return run_part(parts, COUNT(parts), argc, argv); }
