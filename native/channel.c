#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

/* How often a process that says nothing is looked after: its end of the socket may live on in a copy that a fork made. */
#define LOOK_MS 200
/* How long a process that has hung up may take to end. */
#define MERCY_MS 500
/* How long a process that was sent half a message may take to say that it ends. */
#define BROKEN_SECONDS 5

/* The least pages that there are: memory is all there within one, or not at all. */
#define LEAST_PAGE 4096

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* macOS has SO_NOSIGPIPE in its place, see spawn.c. */
#endif

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Looks whether the process has ended, and takes its status if so: no zombie is left. */
static bool has_ended(struct channel *channel) {
  if (channel->ended) return true;
  int status = -1;
  pid_t found;
  do found = waitpid(channel->process, &status, WNOHANG);
  while (found < 0 && errno == EINTR);
  if (found == 0) return false;
  channel->ended = true;
  /* Without a status, the program's own handler of SIGCHLD was faster, or it ignores children. */
  channel->status = found == channel->process ? status : -1;
  return true;
}

/* Waits until the socket can be read from or written to, for ever where nobody dies. */
static enum delivery await(struct channel *channel, short events) {
  for (;;) {
    double left = (channel->deadline - seconds_now()) * 1000;
    if (left <= 0) return LATE;
    struct pollfd poller = {.fd = channel->socket, .events = events};
    /* What it said before it died is still there. */
    bool last = channel->ended;
    int ready = poll(&poller, 1, last ? 0 : left < LOOK_MS ? (int)left + 1 : LOOK_MS);
    if (ready > 0) return DELIVERED;
    if (ready < 0 && errno != EINTR && errno != EAGAIN) return GONE;
    if (ready == 0 && last) return GONE;
    if (ready == 0) has_ended(channel);
  }
}

static bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

/* Takes what has been sent off the front of what is to be sent. */
static void advance(struct msghdr *left, size_t sent) {
  while (left->msg_iovlen > 0 && sent >= left->msg_iov->iov_len) {
    sent -= left->msg_iov->iov_len;
    left->msg_iov++;
    left->msg_iovlen--;
  }
  if (left->msg_iovlen == 0) return;
  left->msg_iov->iov_base = (char *)left->msg_iov->iov_base + sent;
  left->msg_iov->iov_len -= sent;
}

/*
 * System calls, past the functions of the same name: they get addresses that may be anything, where the kernel says EFAULT and a
 * sanitizer would look at the memory itself.
 */
static ssize_t raw_receive(int socket, void *bytes, size_t count) {
#ifdef SYS_recvfrom
  return syscall(SYS_recvfrom, socket, bytes, count, MSG_DONTWAIT, NULL, NULL);
#else
  return recv(socket, bytes, count, MSG_DONTWAIT);
#endif
}

static ssize_t raw_send(int socket, const void *bytes, size_t count) {
#ifdef SYS_sendto
  return syscall(SYS_sendto, socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
#else
  return send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
#endif
}

/* Receives bytes to any address; `left` is how many did not find their place, because some cannot be written there. */
static enum delivery receive_at(struct channel *channel, uint64_t address, size_t count, size_t *left) {
  for (*left = count; *left > 0;) {
    ssize_t got = raw_receive(channel->socket, (void *)(uintptr_t)(address + count - *left), *left);
    if (got == 0 || (got < 0 && errno != EFAULT && !is_temporary(errno))) return GONE;
    if (got > 0) {
      *left -= (size_t)got;
    } else if (errno == EFAULT) {
      break;
    } else {
      enum delivery ready = await(channel, POLLIN);
      if (ready != DELIVERED) return ready;
    }
  }
  return DELIVERED;
}

static enum delivery receive_all(struct channel *channel, unsigned char *bytes, size_t count) {
  size_t left;
  enum delivery went = receive_at(channel, (uint64_t)(uintptr_t)bytes, count, &left);
  return went == DELIVERED && left > 0 ? GONE : went;
}

/*
 * Ends what this side says, where it cannot go on: the other one finds the end within a message, and does not wait for the rest.
 * What it says of that can still be received.
 */
static enum delivery break_off(struct channel *channel, int error) {
  channel->error = error;
  shutdown(channel->socket, SHUT_WR);
  double end = seconds_now() + BROKEN_SECONDS;
  if (end < channel->deadline) channel->deadline = end;
  return BROKEN;
}

enum delivery channel_send(struct channel *channel, uint32_t kind, const struct part *parts, int count) {
  struct iovec pieces[1 + MOST_PARTS];
  uint32_t head[2] = {kind, 0};
  size_t total = 0;
  pieces[0] = (struct iovec){head, sizeof head};
  for (int i = 0; i < count; i++) {
    pieces[1 + i] = (struct iovec){(void *)(uintptr_t)parts[i].bytes, parts[i].count};
    total += parts[i].count;
  }
  if (total > UINT32_MAX) return break_off(channel, EMSGSIZE);
  head[1] = (uint32_t)total;
  struct msghdr left = {.msg_iov = pieces};
  /* Its type is not the same everywhere. */
  left.msg_iovlen = 1;
  for (int i = 0; i < count; i++) left.msg_iovlen++;
  while (left.msg_iovlen > 0) {
    /* In one piece, if the socket takes it: each piece may wake the other side. */
    ssize_t sent = sendmsg(channel->socket, &left, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      advance(&left, (size_t)sent);
    } else if (is_temporary(errno)) {
      enum delivery ready = await(channel, POLLOUT);
      if (ready != DELIVERED) return ready;
    } else {
      return errno == EPIPE || errno == ECONNRESET ? GONE : break_off(channel, errno);
    }
  }
  return DELIVERED;
}

/* Sends what can be read from any address on; `sent` is how much that was. */
static enum delivery send_at(struct channel *channel, uint64_t address, size_t count, size_t *sent) {
  /* Whether the next page can be read at all is asked of it alone. */
  bool careful = false;
  for (*sent = 0; *sent < count;) {
    size_t size = count - *sent, page = LEAST_PAGE - (size_t)((address + *sent) % LEAST_PAGE);
    if (careful && page < size) size = page;
    ssize_t went = raw_send(channel->socket, (const void *)(uintptr_t)(address + *sent), size);
    if (went >= 0) {
      *sent += (size_t)went;
    } else if (errno == EFAULT) {
      if (careful) return DELIVERED;
      careful = true;
    } else if (is_temporary(errno)) {
      enum delivery ready = await(channel, POLLOUT);
      if (ready != DELIVERED) return ready;
    } else {
      return errno == EPIPE || errno == ECONNRESET ? GONE : break_off(channel, errno);
    }
  }
  return DELIVERED;
}

enum delivery channel_send_memory(struct channel *channel, uint32_t kind, uint64_t address, uint32_t count) {
  static const unsigned char zeros[LEAST_PAGE];
  size_t sent = 0, filled, before;
  uint32_t head[2] = {kind, count + (uint32_t)sizeof count};
  enum delivery went = send_at(channel, (uint64_t)(uintptr_t)head, sizeof head, &before);
  if (went == DELIVERED) went = send_at(channel, address, count, &sent);
  for (size_t at = sent; went == DELIVERED && at < count; at += filled) {
    size_t size = count - at < sizeof zeros ? count - at : sizeof zeros;
    went = send_at(channel, (uint64_t)(uintptr_t)zeros, size, &filled);
  }
  uint32_t real = (uint32_t)sent;
  return went == DELIVERED ? send_at(channel, (uint64_t)(uintptr_t)&real, sizeof real, &before) : went;
}

enum delivery channel_receive_head(struct channel *channel, struct message *message) {
  uint32_t head[2] = {0, 0};
  enum delivery got = receive_all(channel, (unsigned char *)head, sizeof head);
  *message = (struct message){.kind = head[0], .count = head[1], .bytes = NULL};
  return got;
}

enum delivery channel_receive_rest(struct channel *channel, struct message *message) {
  message->bytes = malloc((size_t)message->count + 1);
  if (message->bytes == NULL) return GONE;
  message->bytes[message->count] = 0;
  enum delivery got = receive_all(channel, message->bytes, message->count);
  if (got == DELIVERED) return DELIVERED;
  free(message->bytes);
  message->bytes = NULL;
  return got;
}

enum delivery channel_receive_memory(struct channel *channel, uint32_t count, uint64_t *refused) {
  unsigned char rest[LEAST_PAGE];
  uint64_t address;
  size_t left;
  enum delivery got = receive_all(channel, (unsigned char *)&address, sizeof address);
  if (got != DELIVERED) return got;
  got = receive_at(channel, address, count - sizeof address, &left);
  if (got == DELIVERED && left > 0) *refused = address + count - sizeof address - left;
  for (; got == DELIVERED && left > 0; left -= left < sizeof rest ? left : sizeof rest)
    got = receive_all(channel, rest, left < sizeof rest ? left : sizeof rest);
  return got;
}

enum delivery channel_receive(struct channel *channel, struct message *message) {
  enum delivery got = channel_receive_head(channel, message);
  return got == DELIVERED ? channel_receive_rest(channel, message) : got;
}

bool channel_is_over(const struct channel *channel) {
  struct pollfd poller = {.fd = channel->socket, .events = POLLIN};
  return poll(&poller, 1, 0) > 0;
}

void channel_close(struct channel *channel) {
  if (channel->socket >= 0) close(channel->socket);
  channel->socket = -1;
  for (int waited = 0; !has_ended(channel); waited++) {
    /* It is still our child, so the number is still its own. */
    if (waited == MERCY_MS) kill(channel->process, SIGKILL);
    /* One that no signal ends is waiting for the kernel, and is not waited for. */
    if (waited == 4 * MERCY_MS) return;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

void channel_epitaph(const struct channel *channel, char *words, size_t room) {
  int status = channel->status;
  long process = (long)channel->process;
  if (!channel->ended)
    snprintf(words, room, "process %ld cannot be ended", process);
  else if (status != -1 && WIFSIGNALED(status))
    snprintf(words, room, "process %ld was ended by signal %d, %s", process, WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (status != -1 && WIFEXITED(status))
    snprintf(words, room, "process %ld left with code %d", process, WEXITSTATUS(status));
  else
    snprintf(words, room, "process %ld is gone", process);
}
