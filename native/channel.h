/* Messages over a socket to a process that may die or hang at any moment. */
#ifndef PTXRUN_CHANNEL_H
#define PTXRUN_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct channel {
  int socket;
  pid_t process;
  /* Seconds of the monotonic clock at which waiting ends; infinite where it does not. */
  double deadline;
  /* Whether the process has ended and been waited for, here or by somebody else. */
  bool ended;
  /* Its status as of waitpid; -1 where somebody else has it. */
  int status;
  /* Why a message could not be sent whole, where one is BROKEN. */
  int error;
};

/* BROKEN: some of a message cannot be sent, so nothing can be sent any more. */
enum delivery { DELIVERED, GONE, LATE, BROKEN };

struct part {
  const void *bytes;
  size_t count;
};

/* A message that was received. `bytes` belongs to the holder and has a zero behind its end. */
struct message {
  uint32_t kind;
  uint32_t count;
  unsigned char *bytes;
};

/* Seconds of the monotonic clock. */
double seconds_now(void);

/* At most MOST_PARTS parts. A part that is not mapped, or 4 GiB of them, make it BROKEN: nothing is waited for longer than seconds. */
#define MOST_PARTS 7
enum delivery channel_send(struct channel *channel, uint32_t kind, const struct part *parts, int count);
enum delivery channel_receive(struct channel *channel, struct message *message);

/* The same in two steps: `bytes` are NULL after the first. */
enum delivery channel_receive_head(struct channel *channel, struct message *message);
enum delivery channel_receive_rest(struct channel *channel, struct message *message);

/*
 * Memory at addresses that may be anything goes between it and the socket without a copy in between, and whatever they are, nothing
 * here crashes: the kernel says which cannot be read or written. To send: `count` bytes, zeros for those from the first on that
 * cannot be read, and a u32 of how many come before it.
 */
enum delivery channel_send_memory(struct channel *channel, uint32_t kind, uint64_t address, uint32_t count);
/* What is left after the head of a message of `count` bytes: a u64 address, and bytes to be there; `refused` is set to the first that cannot. */
enum delivery channel_receive_memory(struct channel *channel, uint32_t count, uint64_t *refused);

/* Whether the other end has hung up, or said something that nobody asked for. */
bool channel_is_over(const struct channel *channel);

/* Ends the process, without mercy where it does not end by itself, and closes the socket. */
void channel_close(struct channel *channel);

/* How the process ended, in words, after `channel_close`. */
void channel_epitaph(const struct channel *channel, char *words, size_t room);

#endif
