import type { Stop } from "../contract/stop.ts";
import { bytesOfBlock } from "../schedule/cta-slot.ts";
import { blockMemoryOf, type MachineOptions, needsOf } from "./launch.ts";

/** The stop of a launch whose first block does not fit in memory. */
export function tooSmall(options: MachineOptions): Stop {
  const { program, memory, parameters } = options;
  const { source, name } = program;
  const { limit, given, shortage } = memory;
  const needed = bytesOfBlock(needsOf(options)) + parameters.length + blockMemoryOf(options);
  const least =
    shortage === undefined ? `the limit of ${limit} bytes leaves` : `the ${given} bytes of this process leave`;
  const message = `${name === "" ? "the snippet" : name} needs more memory than ${least}: a block takes ${needed} bytes`;
  const help = { help: [{ message: shortage ?? "allow more with --max-mem, or launch smaller blocks" }] };
  const span = { start: 0, end: 0 };
  const diagnostic = { code: "PTX6002", severity: "error", message, source, span, ...help } as const;
  return { reason: "trap", at: { block: 0, warp: 0, lane: 0 }, pc: 0, diagnostic };
}
