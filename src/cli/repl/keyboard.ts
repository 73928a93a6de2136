import { constants, openSync, readSync } from "node:fs";
import type { Terminal } from "../../system/command-io.ts";

/** Keys that are read at once. */
const MAX_KEYS_AT_ONCE = 1024;

/** The terminal that the process was started at. */
export const conversation = (): Terminal => {
  let keys: number | undefined;
  const bytes = new Uint8Array(MAX_KEYS_AT_ONCE);
  const poll = (): string => {
    try {
      // A separate file that does not block: node owns that of process.stdin.
      keys ??= openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK);
      return new TextDecoder().decode(bytes.subarray(0, readSync(keys, bytes)));
    } catch {
      // Nothing was typed, or there is no such file.
      return "";
    }
  };
  // Node makes its stream on first use, and that changes the terminal's mode.
  return {
    get input() {
      return process.stdin;
    },
    get output() {
      return process.stdout;
    },
    poll,
  };
};
