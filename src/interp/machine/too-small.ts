import type { Stop } from "../contract/stop.ts";
import type { MachineOptions } from "./launch.ts";

/** The end of a launch for whose first block there is no memory. */
export function tooSmall({ program: { source, name }, memory: { limit, given, shortage } }: MachineOptions): Stop {
  const least =
    shortage === undefined ? `the limit of ${limit} bytes leaves` : `the ${given} bytes of this process leave`;
  const message = `${name === "" ? "the snippet" : name} needs more memory than ${least}`;
  const help = shortage === undefined ? {} : { help: [{ message: shortage }] };
  const span = { start: 0, end: 0 };
  const diagnostic = { code: "PTX6002", severity: "error", message, source, span, ...help } as const;
  return { reason: "trap", at: { block: 0, warp: 0, lane: 0 }, pc: 0, diagnostic };
}
