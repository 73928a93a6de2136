#include "calls.h"

#include <stdlib.h>

#include "../protocol.h"
#include "../report.h"
#include "../worker.h"
#include "life.h"
#include "target.h"

#define MOST 6

static bool begun;

/* What the worker knew is gone with it. */
static CUresult mourn(struct answer *answer) {
  CUresult why = answer->code == EXIT_LIMIT ? CUDA_ERROR_LAUNCH_TIMEOUT : CUDA_ERROR_LAUNCH_FAILED;
  if (!begun) why = CUDA_ERROR_SYSTEM_NOT_READY;
  say("%s", answer->text == NULL ? "ptxrun: the worker is gone\n" : answer->text);
  if (begun) say("ptxrun: the device's memory is lost with it: every call of its contexts fails from now on\n");
  begun = false;
  worker_lost(why);
  free(answer->text);
  free(answer->words);
  return why;
}

static CUresult begin_device(void) {
  uint32_t head[4] = {CALL_BEGIN, (uint32_t)target()->number, (uint32_t)device_memory(), (uint32_t)(device_memory() >> 32)};
  struct part part = {head, sizeof head};
  struct answer answer = worker_call(true, &part, 1);
  if (answer.lost) return mourn(&answer);
  free(answer.text);
  free(answer.words);
  begun = answer.code == 0;
  return begun ? CUDA_SUCCESS : CUDA_ERROR_SYSTEM_NOT_READY;
}

static struct {
  void (*before)(void), (*after)(void);
  bool within;
} around;

void around_memory(void (*before)(void), void (*after)(void)) { around.before = before, around.after = after; }

static void call_around(void (*what)(void), enum call number) {
  bool uses_memory = number == CALL_LAUNCH || number == CALL_COPY || number == CALL_SET || number == CALL_FREE;
  if (what == NULL || !uses_memory || around.within || !begun) return;
  around.within = true;
  what();
  around.within = false;
}

static CUresult ask(enum call number, const struct part *parts, int count, struct reply *reply) {
  *reply = (struct reply){.words = NULL};
  if (!begun) TRY(begin_device());
  uint32_t which = number;
  struct part all[1 + MOST] = {{&which, sizeof which}};
  for (int i = 0; i < count; i++) all[1 + i] = parts[i];
  struct answer answer = worker_call(false, all, 1 + count);
  if (answer.lost) return mourn(&answer);
  *reply = (struct reply){.words = answer.words, .count = answer.count, .text = answer.text};
  if (answer.code != WRITE_REFUSED) return (CUresult)answer.code;
  return number == CALL_LAUNCH ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult call(enum call number, const struct part *parts, int count, struct reply *reply) {
  call_around(around.before, number);
  CUresult result = ask(number, parts, count, reply);
  call_around(around.after, number);
  return result;
}

void reply_free(struct reply *reply) {
  free(reply->words);
  free(reply->text);
  *reply = (struct reply){.words = NULL};
}

CUresult call_for(enum call number, const struct part *parts, int count, uint64_t *words, uint32_t room) {
  struct reply reply;
  CUresult result = call(number, parts, count, &reply);
  if (reply.text != NULL && *reply.text != 0) say("%s", reply.text);
  for (uint32_t i = 0; i < room; i++) words[i] = i < reply.count ? reply.words[i] : 0;
  reply_free(&reply);
  return result;
}
