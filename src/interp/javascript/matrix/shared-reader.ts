import { ALLOCATED, INITIALISED } from "../../memory/shadow.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report } from "../../state/fault.ts";
import type { Warp } from "../../state/warp.ts";

/**
 * Checks what a matrix descriptor leads to: 16 bytes at each of these offsets of the buffer have to lie in the block's shared
 * memory, which is a Fault, and to be written, which is a finding.
 */
export function sharedReader(
  context: Context,
): (warp: Warp, places: Int32Array, descriptor: bigint, matrix: "A" | "B") => void {
  const { memory, sharedBytes, sanitize } = context;
  return (warp, places, descriptor, matrix) => {
    const what = (at: number): string =>
      `reads matrix ${matrix} at 0x${(at - warp.shared).toString(16)} of shared memory, by descriptor 0x${descriptor.toString(16)}`;
    let unwritten: number | undefined;
    for (const at of places) {
      const offset = at - warp.shared;
      if (offset < 0 || offset + 16 > sharedBytes)
        throw new Fault("PTX3002", 0, `${what(at)}, and the block has ${sharedBytes} bytes of it`);
      memory.know(at, 16);
      if (!memory.all(at, 16, ALLOCATED, ALLOCATED))
        throw new Fault("PTX3002", 0, `${what(at)}, which is not allocated`);
      if (unwritten === undefined && !memory.all(at, 16, INITIALISED, INITIALISED)) unwritten = at;
    }
    if (unwritten !== undefined && sanitize.init)
      context.report(report(context, warp, 0, "PTX4001", `${what(unwritten)}, which nothing has written`));
  };
}
