import type { Inspection } from "../contract/plan/plan-bulk.ts";
import type { Memory } from "../memory/memory.ts";
import type { ByteRange } from "./operation.ts";

/**
 * Whether data match the pattern of a copy that inspects them (PTX ISA, Report Mechanisms): some byte, or the first
 * element that is copied of some aligned 16 bytes.
 */
export function matches(
  { u8 }: Memory["data"],
  ranges: readonly ByteRange[],
  { every, bits, pattern }: Inspection,
): boolean {
  const mask = bits === 4 ? 0xf : 0xff;
  const bytes = Math.ceil(bits / 8);
  const found = (at: number): boolean => {
    for (let byte = 0; byte < bytes; byte++)
      if ((u8[at + byte]! & mask) !== ((pattern >>> (8 * byte)) & 0xff)) return false;
    return true;
  };
  return ranges.some(({ start, bytes: length }) => {
    for (let at = start; at < start + length; at += every - (at % every)) if (found(at)) return true;
    return false;
  });
}
