#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "locate.h"
#include "memory.h"
#include "protocol.h"

#ifdef __APPLE__
/* Libraries cannot name `environ` there. */
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ;
#endif

/* Out of the way of programs that count on the lowest number, and of the worker's own. */
#define LEAST_DESCRIPTOR 64
/* What a socket holds of what was sent and not received. */
#define SOCKET_BYTES (1 << 20)

/* The same file by a higher number, closed on exec. */
static int lifted(int descriptor) {
  if (descriptor < 0) return -1;
  int high = fcntl(descriptor, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
  if (high < 0) high = fcntl(descriptor, F_DUPFD_CLOEXEC, MEMORY_DESCRIPTOR + 1);
  int error = errno;
  close(descriptor);
  errno = error;
  return high;
}

static bool make_sockets(int ends[2]) {
  int type = SOCK_STREAM;
#ifdef SOCK_CLOEXEC
  type |= SOCK_CLOEXEC;
#endif
  int made[2];
  if (socketpair(AF_UNIX, type, 0, made) < 0) return false;
  ends[0] = lifted(made[0]);
  ends[1] = lifted(made[1]);
  /* Both sides work on a copy of a big buffer at once, if the socket takes enough of it. */
  for (int end = 0; end < 2 && ends[end] >= 0; end++)
    setsockopt(ends[end], SOL_SOCKET, SO_SNDBUF, &(int){SOCKET_BYTES}, sizeof(int));
#ifdef SO_NOSIGPIPE
  if (ends[0] >= 0) setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
  if (ends[0] >= 0 && ends[1] >= 0) return true;
  if (ends[0] >= 0) close(ends[0]);
  if (ends[1] >= 0) close(ends[1]);
  return false;
}

/*
 * Closes all descriptors from `first` on. What the program had open would stay open as long as the worker lives, and whoever
 * reads the other end of a pipe would not see its end.
 */
static void close_from(int first, int last) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
  for (int each = first; each < last; each++) close(each);
}

/* The child's part, in which only functions that are safe in a signal handler are called. */
static _Noreturn void become_worker(char *const words[], int socket, int memory, int last) {
  /* A session of its own: Ctrl-C is for the program, which may want to go on. */
  setsid();
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  /* Of the program's folder nothing is needed, and it may be gone. */
  if (chdir("/") < 0) _exit(126);
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  if (fcntl(2, F_GETFD) < 0) dup2(null, 2);
  dup2(socket, SOCKET_DESCRIPTOR);
  if (memory >= 0)
    dup2(memory, MEMORY_DESCRIPTOR);
  else
    close(MEMORY_DESCRIPTOR);
  close_from(MEMORY_DESCRIPTOR + 1, last);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(words[0], words, environ);
  uint32_t message[3] = {MESSAGE_NOT_STARTED, 4, (uint32_t)errno};
  ssize_t sent = write(SOCKET_DESCRIPTOR, message, sizeof message);
  _exit(sent < 0 ? 126 : 127);
}

/* Forks with all signals held back: a handler of the program's must not run in the child. */
static pid_t fork_worker(struct places *places, int socket, int memory) {
  char *const words[] = {places->node, places->script, NULL};
  long most = sysconf(_SC_OPEN_MAX);
  int last = most < 0 || most > 65536 ? 65536 : (int)most;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) become_worker(words, socket, memory, last);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return child;
}

bool spawn_worker(struct spawned *spawned, char *why, size_t room) {
  struct places places;
  if (!find_places(&places, why, room)) return false;
  int ends[2];
  if (!make_sockets(ends)) {
    snprintf(why, room, "no socket to a worker can be made: %s", strerror(errno));
    return false;
  }
  int memory = lifted(open_memory());
  spawned->process = fork_worker(&places, ends[1], memory);
  spawned->socket = ends[0];
  spawned->has_memory = memory >= 0;
  close(ends[1]);
  if (memory >= 0) close(memory);
  if (spawned->process > 0) return true;
  snprintf(why, room, "no process can be made for a worker: %s", strerror(errno));
  close(ends[0]);
  return false;
}
