import { readBytes } from "../../environment/file.ts";
import type { Reach } from "../../environment/reach.ts";
import { problem } from "../../host/problem.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Loaded } from "../program.ts";

/**
 * Reads the file of `--memory`, so that launches find its pages; if it contains a device's memory, that replaces the
 * device's, and the module's variables have their recorded addresses. Call it before reading other inputs.
 */
export function readMemory(loaded: Loaded, path: string | undefined, reach: Reach): readonly Diagnostic[] {
  const { device, image, module } = loaded;
  if (path === undefined || image === undefined) return [];
  const { value: bytes, diagnostics } = readBytes(path, reach);
  if (bytes === undefined) return diagnostics;
  const wrong = (what: string): readonly Diagnostic[] => [
    problem("PTX2252", `${path} ${what}`, { expected: "what ptxrun exec --record has written" }),
  ];
  if (!image.load(bytes)) return wrong("holds no recorded memory");
  try {
    if (image.device !== undefined) device.restore(image.device, module, image.variables);
  } catch (error) {
    if (error instanceof RangeError) return wrong(`holds a memory that cannot be: ${error.message}`);
    throw error;
  }
  for (const { address, bytes: count, name } of image.ranges) device.announce(address, count, name);
  return [];
}
