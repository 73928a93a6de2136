import { statSync } from "node:fs";
import { readBounded } from "../../../src/system/bounded.ts";

/** The largest shard, plan or text that a plan names, bytes: a string holds no more than twice as many. */
const MOST_KEPT = 256 * 2 ** 20;

/**
 * A file of a campaign's folder, or one that its plan names; undefined where there is none. Other users may have put
 * anything in its place, so only regular files are read, and no more than `most` bytes. Throws where it cannot be read.
 */
export function readKept(path: string, most: number = MOST_KEPT): Uint8Array | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const read = readBounded(path, most, { pipes: false, exact: false });
  if ("bytes" in read) return read.bytes;
  throw new Unreadable("wrong" in read ? read.wrong : `it has more than ${most} bytes`);
}

/** Why something is not read; its message is shown alone. */
class Unreadable extends Error {
  override toString(): string {
    return this.message;
  }
}

/** The same as a text. */
export function readKeptText(path: string): string | undefined {
  const bytes = readKept(path);
  return bytes && new TextDecoder().decode(bytes);
}
