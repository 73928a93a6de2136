import type { Stop } from "../contract/stop.ts";
import type { MachineOptions } from "./launch.ts";

/** The end of a launch for whose first block there is no memory. */
export function tooSmall({ program: { source, name }, memory: { limit } }: MachineOptions): Stop {
  const message = `${name === "" ? "the snippet" : name} needs more memory than the limit of ${limit} bytes leaves`;
  const diagnostic = { code: "PTX6002", severity: "error", message, source, span: { start: 0, end: 0 } } as const;
  return { reason: "trap", at: { block: 0, warp: 0, lane: 0 }, pc: 0, diagnostic };
}
