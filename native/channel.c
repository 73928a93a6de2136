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

/* How often a process that says nothing is looked after: its end of the socket may live on in a copy that a fork made. */
#define LOOK_MS 200
/* How long a process that has hung up may take to end. */
#define MERCY_MS 500
/* How long a process that was sent half a message may take to say that it ends. */
#define BROKEN_SECONDS 5

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

static enum delivery receive_all(struct channel *channel, unsigned char *bytes, size_t count) {
  while (count > 0) {
    enum delivery ready = await(channel, POLLIN);
    if (ready != DELIVERED) return ready;
    ssize_t got = recv(channel->socket, bytes, count, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && !is_temporary(errno))) return GONE;
    if (got > 0) {
      bytes += got;
      count -= (size_t)got;
    }
  }
  return DELIVERED;
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

enum delivery channel_receive(struct channel *channel, struct message *message) {
  uint32_t head[2];
  message->bytes = NULL;
  enum delivery got = receive_all(channel, (unsigned char *)head, sizeof head);
  if (got != DELIVERED) return got;
  message->kind = head[0];
  message->count = head[1];
  message->bytes = malloc((size_t)head[1] + 1);
  if (message->bytes == NULL) return GONE;
  message->bytes[head[1]] = 0;
  got = receive_all(channel, message->bytes, head[1]);
  if (got == DELIVERED) return DELIVERED;
  free(message->bytes);
  message->bytes = NULL;
  return got;
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
