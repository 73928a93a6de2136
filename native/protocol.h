/*
 * What a client's process and its worker say to each other, over one socketpair that nobody else has an end of. The other
 * side of this page is src/clients/protocol.ts.
 *
 * A message is two words of 32 bits, its kind and the number of bytes that follow, and those bytes. Numbers are little-endian
 * and lie behind each other without gaps; `text` and `bytes` are what is left of the message, and texts are UTF-8.
 *
 * First the client says HELLO, and the worker answers HELLO or, where it speaks another version, ENDS. From then on the
 * client asks, and the worker answers each LAUNCH with one FINISHED and each CALL with one ANSWER. Before that it may send any number of PRINT and WRITE,
 * to which nothing is answered, and of READ, to each of which the client answers BYTES. REGISTER and UNREGISTER are not
 * answered. Nobody sends anything else, so neither waits to send while the other does. The end of the socket ends the worker;
 * within a message, it says ENDS before. One that cannot send the rest of a message closes its side of the socket for sending.
 */
#ifndef PTXRUN_PROTOCOL_H
#define PTXRUN_PROTOCOL_H

#define PROTOCOL_VERSION 4

/* Descriptors of the worker: the socket, and the client's memory where MEMORY_DESCRIPTOR is set. */
#define SOCKET_DESCRIPTOR 3
#define MEMORY_DESCRIPTOR 4

enum message_kind {
  /* Client: u32 version, u32 whether the worker reads memory by MEMORY_DESCRIPTOR. Worker: u32 version. */
  MESSAGE_HELLO = 1,
  /* Worker, as its last message: text, why it cannot go on. */
  MESSAGE_ENDS = 2,
  /* Client, between fork and exec, in the worker's place: u32 errno of exec. */
  MESSAGE_NOT_STARTED = 3,
  /*
   * Client: i32 block x, y, z, i32 grid x, y, z, i32 bytes of dynamic shared memory, u32 number of arguments, u64 each of
   * them, u32 number of pages, u64 address and 4096 bytes of each of them, u32 bytes of the kernel's name (0 for the first
   * kernel) and it, text of the module. The pages spare READs: they are where arguments point to.
   */
  MESSAGE_LAUNCH = 4,
  /* Worker: u32 what `ptxrun run` would exit with (0: it went well), text of the diagnostics. */
  MESSAGE_FINISHED = 5,
  /* Worker: text that device printf has printed. */
  MESSAGE_PRINT = 6,
  /* Worker: text for standard error that says nothing of how the launch ends. */
  MESSAGE_NOTE = 7,
  /* Worker: u64 address, u32 bytes at most. */
  MESSAGE_READ = 8,
  /* Client: as many bytes as were asked for, zeros from the first on that is not mapped; u32 how many come before it. */
  MESSAGE_BYTES = 9,
  /* Worker: u64 address, bytes to be there. */
  MESSAGE_WRITE = 10,
  /* Client: u64 address, u64 bytes, text of a name. */
  MESSAGE_REGISTER = 11,
  /* Client: u64 address. */
  MESSAGE_UNREGISTER = 12,
  /* Client: u32 which call of the driver API, and what src/clients/driver/calls.ts says of it. */
  MESSAGE_CALL = 13,
  /* Worker: u32 status as of CUresult, u32 number of words, u64 each of them, text. */
  MESSAGE_ANSWER = 14
};

/* What `ptxrun run` exits with, as far as this side has to say it, too. */
enum { EXIT_USAGE = 2, EXIT_FAULT = 4, EXIT_LIMIT = 6, EXIT_BUG = 70 };

/* Status of an ANSWER, besides those of the driver API: the client could not write what it was told to. */
#define WRITE_REFUSED 100000

/* The most bytes that a READ may ask for. */
#define MOST_READ (1u << 30)

#endif
