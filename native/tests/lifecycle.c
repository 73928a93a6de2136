/* The worker's life: forks, signals, descriptors, and death at bad moments. Linux. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "children.h"
#include "kernels.h"
#include "ptxrun.h"

#define AS_ARGUMENT(value) ((void *)(uintptr_t)(value))

static void rest(long microseconds) {
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  while (nanosleep(&time, &time) < 0 && errno == EINTR) continue;
}

static uint32_t stored(uint32_t value) {
  uint32_t word = 0;
  void *args[] = {&word, AS_ARGUMENT(value)};
  ptx_run(store_word, 2, args, 1, 1, 1, 1, 1, 1, 0);
  return word;
}

static void check_launch(uint32_t value) {
  CHECK(stored(value) == value);
  CHECK(ptxrun_error() == NULL);
}

/* Kills the worker, and waits until nothing of it is left but its status. */
static void kill_worker(void) {
  pid_t worker = worker_process();
  CHECK(worker > 0 && kill(worker, SIGKILL) == 0);
  while (worker_process() == worker || threads_of(worker) > 1) rest(1000);
}

/* A child that a fork made has a worker of its own, and its parent's stays the parent's. */
static void run_fork(void) {
  check_launch(1);
  pid_t first = worker_process();
  CHECK(first > 0);
  pid_t child = fork();
  if (child == 0) {
    check_launch(2);
    CHECK(worker_process() > 0 && worker_process() != first);
    check_launch(3);
    _exit(0);
  }
  check_launch(4);
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(worker_process() == first);
  check_launch(5);
}

static void *launch_for_ever(void *unused) {
  ptx_run(forever, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
  return unused;
}

/* A fork while another thread is in a launch. */
static void run_fork_in_launch(void) {
  check_launch(1);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, launch_for_ever, NULL) == 0);
  rest(300000);
  pid_t child = fork();
  if (child == 0) {
    check_launch(2);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(kill(worker_process(), SIGKILL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  check_launch(3);
}

/* A worker that is still dying when it is asked. */
static void run_killed_before(void) {
  for (uint32_t value = 1; value <= 5; value++) {
    check_launch(value);
    CHECK(kill(worker_process(), SIGKILL) == 0);
  }
  check_launch(6);
}

static void run_killed_between(void) {
  check_launch(1);
  pid_t first = worker_process();
  kill_worker();
  check_launch(2);
  CHECK(worker_process() != first && zombies() == 0);
}

static void *kill_soon(void *unused) {
  /* Not so soon that the launch would be given to another. */
  rest(500000);
  kill(worker_process(), SIGKILL);
  return unused;
}

static void run_killed_in_launch(void) {
  check_launch(1);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, kill_soon, NULL) == 0);
  ptx_run(forever, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("ended by signal 9");
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(zombies() == 0);
  check_launch(2);
}

static volatile int over;

/* Kills whatever worker there is, at moments that a generator draws. */
static void *kill_often(void *kills) {
  unsigned state = 12345;
  const char *most_text = getenv("KILL_AFTER_US");
  unsigned most = most_text == NULL ? 3000 : (unsigned)atoi(most_text);
  while (!over) {
    state = state * 1664525 + 1013904223;
    rest((long)((state >> 8) % most));
    pid_t worker = worker_process();
    if (worker > 0 && kill(worker, SIGKILL) == 0) ++*(int *)kills;
  }
  return NULL;
}

/* However often it dies, calls return. KILLS says how often, with workers of the test's own or real ones. */
static void run_killed_at_random(void) {
  const char *text = getenv("KILLS");
  int wanted = text == NULL ? 20 : atoi(text), kills = 0, good = 0, bad = 0;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, kill_often, &kills) == 0);
  for (uint32_t value = 1; kills < wanted; value++) {
    uint32_t word = stored(value);
    if (ptxrun_error() == NULL) {
      good++;
      CHECK(word == value);
    } else {
      bad++;
    }
  }
  over = 1;
  CHECK(pthread_join(thread, NULL) == 0);
  /* The last may have been hit after its launch had ended, or while it started. */
  for (int i = 0; i < 3 && (stored(7) != 7 || ptxrun_error() != NULL); i++) continue;
  check_launch(8);
  CHECK(zombies() == 0);
  printf("%d kills, %d launches that went well, %d that did not\n", kills, good, bad);
}

static void take_signal(int number) { (void)number; }

/* Signals that come all the time interrupt nothing. */
static void run_signals(void) {
  CHECK(setpgid(0, 0) == 0);
  struct sigaction action = {.sa_handler = take_signal};
  struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
  for (uint32_t i = 1; i <= 100; i++) check_launch(i);
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
  /* Ctrl-C goes to the program and all that belongs to it, and a program may want to go on. */
  pid_t worker = worker_process();
  CHECK(sigaction(SIGINT, &action, NULL) == 0 && kill(0, SIGINT) == 0);
  rest(20000);
  check_launch(1);
  CHECK(worker_process() == worker);
}

static volatile sig_atomic_t reaped;

static void reap_all(int number) {
  (void)number;
  int error = errno;
  while (waitpid(-1, NULL, WNOHANG) > 0) reaped = reaped + 1;
  errno = error;
}

/* Programs that wait for all children, or for none. */
static void run_children(void) {
  struct sigaction action = {.sa_handler = reap_all};
  CHECK(sigaction(SIGCHLD, &action, NULL) == 0);
  check_launch(1);
  kill_worker();
  check_launch(2);
  CHECK(reaped == 1);
  struct sigaction now;
  CHECK(sigaction(SIGCHLD, NULL, &now) == 0 && now.sa_handler == reap_all);
  CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
  kill_worker();
  check_launch(3);
}

static int open_descriptors(void) {
  int count = 0;
  for (int each = 0; each < 1024; each++) count += fcntl(each, F_GETFD) >= 0;
  return count;
}

/* How many descriptors a child finds open. */
static int descriptors_of_child(void) {
  int count = -1;
  FILE *answer = popen("ls /proc/self/fd | wc -l", "r");
  CHECK(answer != NULL && fscanf(answer, "%d", &count) == 1);
  pclose(answer);
  return count;
}

/* One descriptor is ours, children do not get it, and the worker gets none of the program's. */
static void run_descriptors(void) {
  int before = open_descriptors(), ends[2], inherited = descriptors_of_child();
  CHECK(pipe(ends) == 0);
  for (int i = 0; i < 2; i++) {
    /* Not where the worker has descriptors of its own. */
    int high = fcntl(ends[i], F_DUPFD, 20);
    CHECK(high >= 20 && close(ends[i]) == 0);
    ends[i] = high;
  }
  check_launch(1);
  CHECK(open_descriptors() == before + 3);
  CHECK(close(ends[1]) == 0);
  char byte;
  CHECK(read(ends[0], &byte, 1) == 0);
  CHECK(close(ends[0]) == 0);
  for (uint32_t i = 2; i < 50; i++) check_launch(i);
  CHECK(open_descriptors() == before + 1);
  CHECK(descriptors_of_child() == inherited);
  /* As a daemon does. */
  int saved[] = {dup(0), dup(1), dup(2)};
  for (int each = saved[2] + 1; each < 1024; each++) close(each);
  int other[100];
  for (int i = 0; i < 100; i++) other[i] = open("/dev/null", O_RDWR);
  check_launch(60);
  for (int i = 0; i < 100; i++) CHECK(close(other[i]) == 0);
  check_launch(61);
}

/* No socket may take the place of a standard stream. */
static void run_closed_streams(void) {
  int saved = dup(1);
  close(0);
  close(1);
  check_launch(1);
  CHECK(fcntl(0, F_GETFD) < 0 && fcntl(1, F_GETFD) < 0);
  CHECK(open("/dev/null", O_RDWR) == 0 && dup(saved) == 1);
}

static void run_no_descriptors_left(void) {
  struct rlimit limit = {.rlim_cur = (rlim_t)open_descriptors() + 1, .rlim_max = 1024};
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  stored(1);
  CHECK(ptxrun_error() != NULL);
  limit.rlim_cur = 1024;
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  check_launch(2);
}

/* Says which process the worker is, and ends; in a launch, by a signal. */
static void run_leave(void) {
  check_launch(1);
  printf("worker %d\n", (int)worker_process());
}

static void run_leave_in_launch(void) {
  check_launch(1);
  printf("worker %d\n", (int)worker_process());
  fflush(stdout);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, launch_for_ever, NULL) == 0);
  rest(50000);
  raise(SIGKILL);
}

/* A worker that dies while it is told a long text; a signal must not end the program. */
static void run_dies_while_told(void) {
  size_t length = 3u << 20;
  char *text = malloc(length + 1);
  CHECK(text != NULL);
  memset(text, ' ', length);
  text[length] = 0;
  ptx_run(text, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("left with code 3");
  free(text);
}

/* A worker that says nothing more, and a kernel without an end. */
static void run_hangs(void) {
  check_launch(1);
  CHECK(setenv("PTXRUN_TIMEOUT", "0.5", 1) == 0);
  ptx_run(forever, 0, NULL, 1, 1, 1, 1, 1, 1, 0);
  CHECK_SAID("PTXRUN_TIMEOUT");
  CHECK(worker_process() == 0 && zombies() == 0);
}

/* Whatever is wrong with the worker's program is said. */
static void run_says_why(void) {
  stored(1);
  CHECK(ptxrun_error() != NULL);
  CHECK(worker_process() == 0 && zombies() == 0);
}

int main(int argc, char **argv) {
  static const struct part_of_test parts[] = {
      {"fork", run_fork},
      {"fork_in_launch", run_fork_in_launch},
      {"killed_before", run_killed_before},
      {"killed_between", run_killed_between},
      {"killed_in_launch", run_killed_in_launch},
      {"killed_at_random", run_killed_at_random},
      {"signals", run_signals},
      {"children", run_children},
      {"descriptors", run_descriptors},
      {"closed_streams", run_closed_streams},
      {"no_descriptors_left", run_no_descriptors_left},
      {"leave", run_leave},
      {"leave_in_launch", run_leave_in_launch},
      {"dies_while_told", run_dies_while_told},
      {"hangs", run_hangs},
      {"says_why", run_says_why},
  };
  return run_part(parts, COUNT(parts), argc, argv);
}
