import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats, statSync } from "node:fs";
import { joined } from "../environment/bytes.ts";
import type { BoundedRead, Trust } from "../environment/files.ts";
import { reason } from "../environment/reason.ts";

/** Bytes per read of a file without a known size. */
const PIECE = 1 << 16;

/**
 * Reads a file of at most `limit` bytes. Nothing is trusted twice: what the path leads to is looked at before it is
 * opened, since opening a device can have effects, and again when it is open, since it may be another by then. The
 * limit holds for what is read, not for the size that the file system tells, so a file that grows meanwhile, or one
 * of /proc, is no way around it; memory never exceeds the limit by more than a piece. Nor does it wait for a writer when it
 * `isLate`, if the file can be read without waiting.
 */
export function readBounded(
  path: string,
  limit: number,
  trust: Trust,
  isLate: () => boolean = () => false,
): BoundedRead {
  if (!trust.exact && STANDARD_INPUT.has(path)) return readDescriptor(0, limit, isLate);
  try {
    const before = refusal(statSync(path), trust);
    if (before !== undefined) return { wrong: before };
    const file = openSync(path, flagsFor(path, trust));
    try {
      const found = fstatSync(file);
      const after =
        refusal(found, trust) ?? (trust.exact && isMoved(file, path) ? "it was moved in the meantime" : undefined);
      if (after !== undefined) return { wrong: after };
      return readOpen(file, found, limit, isLate, isDescriptor(path) ? 0 : PIPE_WAIT_MS);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return error instanceof Late ? { late: true } : { wrong: reason(error) };
  }
}

/** Thrown where there is no more time. */
class Late extends Error {}

/** Paths of standard input. A socket could not be opened through these. */
const STANDARD_INPUT: ReadonlySet<string> = new Set(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

/** A pipe of a shell's process substitution: opening it waits for nobody. */
const isDescriptor = (path: string): boolean => /^\/(?:dev|proc\/self)\/fd\//.test(path);

/**
 * Opening a named pipe would wait for its writer forever, so only descriptors are opened blocking; Windows has no flag
 * for this.
 */
const flagsFor = (path: string, { exact }: Trust): number =>
  constants.O_RDONLY |
  (isDescriptor(path) ? 0 : (constants.O_NONBLOCK ?? 0)) |
  (exact ? (constants.O_NOFOLLOW ?? 0) : 0);

/** Whether an open file lies elsewhere than at this path, as far as the system tells. */
function isMoved(file: number, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) !== path;
  } catch {
    return false;
  }
}

/** Reads the remaining bytes of a descriptor of this process, whatever it is: a pipe, a terminal, a file. */
export function readDescriptor(file: number, limit: number, isLate: () => boolean = () => false): BoundedRead {
  try {
    const found = fstatSync(file);
    return found.isDirectory() ? { wrong: "it is a folder" } : readOpen(file, found, limit, isLate, 0);
  } catch (error) {
    return error instanceof Late ? { late: true } : { wrong: reason(error) };
  }
}

/** Why a file is not read, in words; undefined when it may be. */
function refusal(found: Stats, { pipes }: Trust): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return "it is a folder";
  if (found.isFIFO()) return pipes ? undefined : "it is a pipe, and only files are read here";
  if (found.isSocket()) return "it is a socket, not a file";
  return "it is a device, not a file";
}

function readOpen(file: number, found: Stats, limit: number, isLate: () => boolean, patience: number): BoundedRead {
  if (found.isFile() && found.size > limit) return { tooLarge: true };
  const pieces: Uint8Array[] = [];
  // One piece for all of a file, and a byte more to see its end.
  let next = found.isFile() ? Math.max(found.size + 1, PIECE) : PIECE;
  let waiting = found.isFIFO() ? patience : 0;
  for (let total = 0; ; ) {
    const piece = new Uint8Array(Math.min(next, limit + 1 - total));
    const count = fill(file, piece, found.isFile(), isLate);
    if (count === 0 && waiting > 0) {
      // A named pipe that was opened without waiting seems to end at once while nobody writes to it.
      Atomics.wait(NEVER, 0, 0, 10);
      waiting -= 10;
      if (waiting <= 0) return { wrong: "it is a pipe that nobody writes to" };
      continue;
    }
    waiting = 0;
    total += count;
    if (total > limit) return { tooLarge: true };
    pieces.push(count === piece.length ? piece : piece.subarray(0, count));
    if (count < piece.length) return { bytes: pieces.length === 1 ? (pieces[0] as Uint8Array) : joined(pieces) };
    next = Math.min(2 * piece.length, 1 << 24);
  }
}

/** Most bytes between two checks of the clock. */
const AT_ONCE = 1 << 24;

/** Fills a buffer; fewer bytes mean the end. */
function fill(file: number, piece: Uint8Array, isFile: boolean, isLate: () => boolean): number {
  let at = 0;
  while (at < piece.length) {
    if (isLate()) throw new Late();
    const count = readWaiting(file, piece, at, isFile, isLate);
    if (count === 0) break;
    at += count;
  }
  return at;
}

function readWaiting(file: number, piece: Uint8Array, at: number, isFile: boolean, isLate: () => boolean): number {
  for (;;) {
    try {
      return readSync(file, piece, at, Math.min(piece.length - at, AT_ONCE), null);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      // Windows reports this for a pipe whose writer has gone.
      if (code === "EOF") return 0;
      // The parent process may have made the descriptor nonblocking. A file of /proc may have nothing to give.
      if (code !== "EAGAIN" || isFile) throw error;
      if (isLate()) throw new Late();
      Atomics.wait(NEVER, 0, 0, 10);
    }
  }
}

/** Milliseconds to wait for the writer of a named pipe. */
const PIPE_WAIT_MS = 3000;

const NEVER = new Int32Array(new SharedArrayBuffer(4));
