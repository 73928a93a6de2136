import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";

/** Throws a Fault if a chunk of 16 bytes lies outside of the block's shared memory. `what`: `A`, `the matrix`. */
export function requireShared(chunks: Int32Array, lane: number, what: string, { sharedBytes }: Context): void {
  for (const at of chunks)
    if (at + 16 > sharedBytes)
      throw new Fault(
        "PTX3002",
        lane,
        `reads 16 bytes of ${what} at 0x${at.toString(16)} of shared memory, which has ${sharedBytes} bytes`,
      );
}
