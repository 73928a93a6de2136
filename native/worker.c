#include "worker.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "announce.h"
#include "protocol.h"
#include "report.h"
#include "serve.h"
#include "spawn.h"

/* Seconds in which a worker must have started, on the slowest machine. */
#define START_SECONDS 120
/* Seconds after which a question that a worker took to its grave is not asked again: it may be what has killed it. */
#define HARDLY_SECONDS 0.1

/* One at a time: threads wait here. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
/* Whose worker it is; a child that a fork made finds its parent's here. */
static _Atomic pid_t owner;
static struct {
  struct channel channel;
  /* Which file the socket is: programs that close all descriptors, and open others, close this one as well. */
  dev_t device;
  ino_t inode;
} worker = {.channel = {.socket = -1}};

static bool is_own_socket(void) {
  struct stat found;
  return worker.channel.socket >= 0 && fstat(worker.channel.socket, &found) == 0 && found.st_dev == worker.device &&
         found.st_ino == worker.inode;
}

/* In a child that a fork made: the worker is the parent's, and whoever held the lock is not here. */
static void forget_parents(void) {
  if (is_own_socket()) close(worker.channel.socket);
  worker.channel.socket = -1;
  owner = 0;
  pthread_mutex_init(&lock, NULL);
}

static void prepare(void) { pthread_atfork(NULL, NULL, forget_parents); }

/* Cancelling a thread must not leave the lock to nobody. */
static int take(void) {
  int cancelling;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
  pthread_once(&prepared, prepare);
  /* After a fork that called no handlers. */
  if (owner != 0 && owner != getpid()) forget_parents();
  pthread_mutex_lock(&lock);
  return cancelling;
}

static void give_up(int cancelling) {
  pthread_mutex_unlock(&lock);
  pthread_setcancelstate(cancelling, &cancelling);
}

/* Seconds that PTXRUN_TIMEOUT allows; without one, any. */
static double allowed(void) {
  static bool complained;
  const char *text = getenv("PTXRUN_TIMEOUT");
  if (text == NULL || *text == 0) return INFINITY;
  char *end;
  double seconds = strtod(text, &end);
  if (seconds > 0 && end != text && *end == 0) return seconds;
  if (!complained) say("ptxrun: PTXRUN_TIMEOUT is %s, and no number of seconds above 0: it counts for nothing\n", text);
  complained = true;
  return INFINITY;
}

static struct answer answer_of(uint32_t code, const char *format, const char *detail) {
  char words[1200];
  snprintf(words, sizeof words, format, detail);
  char *text = malloc(strlen(words) + 1);
  if (text != NULL) strcpy(text, words);
  return (struct answer){.code = code, .text = text};
}

/* Ends the worker and says why there is no answer; `kept`: it knew what no other one does. */
static struct answer lost(enum delivery how, bool starting, enum effect effect, bool kept) {
  char words[1000], epitaph[200], record[400] = "";
  struct message last = {.bytes = NULL};
  /* What it says of a message that broke off. */
  bool says = how == BROKEN && channel_receive(&worker.channel, &last) == DELIVERED && last.kind == MESSAGE_ENDS;
  channel_close(&worker.channel);
  channel_epitaph(&worker.channel, epitaph, sizeof epitaph);
  char told[300];
  snprintf(told, sizeof told, "cannot be told all of a message (%s), and ends%s%.200s", strerror(worker.channel.error),
           says ? ": " : "", says ? (const char *)last.bytes : "");
  free(last.bytes);
  const char *what = how == BROKEN ? told : "died", *memory = ". Nothing has been written";
  if (how == LATE) what = starting ? "did not start in time" : "took longer than PTXRUN_TIMEOUT allows, and was ended";
  if (how == GONE && starting) what = "did not start";
  if (starting) memory = "";
  if (effect == STORED) memory = ". Some of what the kernel stored has been written";
  const char *folder = getenv("PTXRUN_RECORD");
  if (!starting && folder != NULL && *folder != 0)
    snprintf(record, sizeof record, ". If a launch was going on, the last line of %s/launches replays it", folder);
  snprintf(words, sizeof words, "the worker %s: %s%s%s%s", what, epitaph, memory,
           kept ? "" : ". The next call starts another", record);
  return answer_of(how == LATE ? EXIT_LIMIT : EXIT_BUG, "ptxrun: %s\n", words);
}

/* The worker's answer to the first message: true where it can be asked. */
static bool greet(bool has_memory, struct answer *trouble) {
  uint32_t hello[2] = {PROTOCOL_VERSION, has_memory};
  struct part part = {hello, sizeof hello};
  struct message reply = {.bytes = NULL};
  double seconds = allowed();
  worker.channel.deadline = seconds_now() + (seconds < START_SECONDS ? seconds : START_SECONDS);
  enum delivery went = channel_send(&worker.channel, MESSAGE_HELLO, &part, 1);
  /* One that could not start may have said so before it was asked. */
  if (went != LATE) went = channel_receive(&worker.channel, &reply);
  uint32_t first = 0;
  if (went == DELIVERED && reply.count >= sizeof first) memcpy(&first, reply.bytes, sizeof first);
  bool good = went == DELIVERED && reply.kind == MESSAGE_HELLO && first == PROTOCOL_VERSION;
  if (went != DELIVERED)
    *trouble = lost(went, true, NO_EFFECT, false);
  else if (!good) {
    channel_close(&worker.channel);
    if (reply.kind == MESSAGE_NOT_STARTED)
      *trouble = answer_of(EXIT_USAGE, "ptxrun: Node cannot be run: %s\n", strerror((int)first));
    else if (reply.kind == MESSAGE_ENDS)
      *trouble = answer_of(EXIT_USAGE, "ptxrun: the worker ends: %s\n", (const char *)reply.bytes);
    else
      *trouble = answer_of(EXIT_USAGE, "ptxrun: the worker is of another version than the library%s\n", "");
  }
  free(reply.bytes);
  return good;
}

static bool start(struct answer *trouble) {
  char why[1000];
  struct spawned spawned;
  if (!spawn_worker(&spawned, why, sizeof why)) {
    *trouble = answer_of(EXIT_USAGE, "ptxrun: %s\n", why);
    return false;
  }
  struct stat found;
  owner = getpid();
  worker.channel = (struct channel){.socket = spawned.socket, .process = spawned.process, .status = -1};
  if (fstat(spawned.socket, &found) == 0) {
    worker.device = found.st_dev;
    worker.inode = found.st_ino;
  }
  if (!greet(spawned.has_memory, trouble)) return false;
  worker.channel.deadline = INFINITY;
  enum delivery told = send_all_announced(&worker.channel);
  if (told != DELIVERED) *trouble = lost(told, true, NO_EFFECT, false);
  return told == DELIVERED;
}

/* Notes that the worker has died while nothing was lost by that. */
static void mourn(const char *when) {
  char epitaph[200];
  channel_close(&worker.channel);
  channel_epitaph(&worker.channel, epitaph, sizeof epitaph);
  say("ptxrun: the worker has died %s: %s. Another one is started\n", when, epitaph);
}

/* Makes sure that there is a worker: the one that there was may have died since, or lost its socket. */
static bool ready(struct answer *trouble) {
  if (worker.channel.socket >= 0) {
    if (!is_own_socket()) {
      /* The number is somebody else's file by now. */
      worker.channel.socket = -1;
      channel_close(&worker.channel);
    } else if (channel_is_over(&worker.channel)) {
      mourn("since the last launch");
    }
  }
  return worker.channel.socket >= 0 || start(trouble);
}

/* The words of an answer; false where it has not as many as it says, or no memory is left for them. */
static bool take_words(struct answer *answer, struct message *last) {
  uint32_t head[2];
  if (last->count < sizeof head) return false;
  memcpy(head, last->bytes, sizeof head);
  if (head[1] > (last->count - sizeof head) / sizeof(uint64_t)) return false;
  size_t bytes = head[1] * sizeof(uint64_t), before = sizeof head + bytes;
  answer->words = malloc(bytes + 1);
  if (answer->words == NULL) return false;
  memcpy(answer->words, last->bytes + sizeof head, bytes);
  memmove(last->bytes, last->bytes + before, last->count + 1 - before);
  answer->code = head[0];
  answer->count = head[1];
  answer->text = (char *)last->bytes;
  return true;
}

static struct answer understood(struct message *last) {
  struct answer answer = {.code = EXIT_BUG};
  if (last->kind == MESSAGE_ANSWER && take_words(&answer, last)) return answer;
  if (last->kind == MESSAGE_FINISHED && last->count >= sizeof answer.code) {
    memcpy(&answer.code, last->bytes, sizeof answer.code);
    memmove(last->bytes, last->bytes + sizeof answer.code, last->count + 1 - sizeof answer.code);
    answer.text = (char *)last->bytes;
    return answer;
  }
  answer = answer_of(EXIT_BUG, "ptxrun: the worker ends: %s\n",
                     last->kind == MESSAGE_ENDS ? (const char *)last->bytes : "it said what nobody understands");
  free(last->bytes);
  channel_close(&worker.channel);
  answer.lost = true;
  return answer;
}

static struct answer ask(uint32_t kind, const struct part *parts, int count) {
  struct answer answer = {.code = EXIT_BUG, .text = NULL};
  for (bool again = false;; again = true) {
    if (!ready(&answer)) return answer;
    double began = seconds_now();
    worker.channel.deadline = began + allowed();
    enum effect effect = NO_EFFECT;
    struct message last = {.bytes = NULL};
    enum delivery went = channel_send(&worker.channel, kind, parts, count);
    /* One that died while it was told more may have said why before. */
    if (went == DELIVERED || went == GONE) went = serve(&worker.channel, &last, &effect);
    if (went == DELIVERED) return understood(&last);
    /* One that was dying when it was asked takes a while until it is seen to be dead. */
    bool hardly = went == GONE && effect == NO_EFFECT && seconds_now() - began < HARDLY_SECONDS;
    if (again || !hardly) return lost(went, false, effect, false);
    mourn("before it could begin");
  }
}

struct answer worker_ask(uint32_t kind, const struct part *parts, int count) {
  int cancelling = take();
  struct answer answer = ask(kind, parts, count);
  give_up(cancelling);
  return answer;
}

/* What a worker knew that is gone is not asked of another one. */
static bool still_there(struct answer *trouble) {
  if (is_own_socket() && !channel_is_over(&worker.channel)) return true;
  if (is_own_socket()) {
    *trouble = lost(GONE, false, NO_EFFECT, true);
  } else {
    worker.channel.socket = -1;
    *trouble = answer_of(EXIT_BUG, "ptxrun: the worker is gone%s\n", "");
  }
  return false;
}

struct answer worker_call(bool first, const struct part *parts, int count) {
  int cancelling = take();
  struct answer answer = {.code = EXIT_BUG};
  if (first ? ready(&answer) : still_there(&answer)) {
    enum effect effect = NO_EFFECT;
    struct message last = {.bytes = NULL};
    worker.channel.deadline = seconds_now() + allowed();
    enum delivery went = channel_send(&worker.channel, MESSAGE_CALL, parts, count);
    if (went == DELIVERED || went == GONE) went = serve(&worker.channel, &last, &effect);
    answer = went == DELIVERED ? understood(&last) : lost(went, false, effect, true);
    answer.lost = answer.lost || went != DELIVERED;
  } else {
    answer.lost = true;
  }
  give_up(cancelling);
  return answer;
}

bool worker_announce(uint64_t address, uint64_t bytes, const char *name) {
  int cancelling = take();
  bool kept = announce(address, bytes, name);
  /* One that does not hear it is found dead by the next launch, and its successor is told all. */
  if (kept && is_own_socket()) {
    worker.channel.deadline = INFINITY;
    send_announced(&worker.channel, address, bytes, name);
  }
  give_up(cancelling);
  return kept;
}

void worker_renounce(uint64_t address) {
  int cancelling = take();
  if (renounce(address) && is_own_socket()) {
    worker.channel.deadline = INFINITY;
    send_renounced(&worker.channel, address);
  }
  give_up(cancelling);
}
