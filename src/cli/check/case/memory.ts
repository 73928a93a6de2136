import { problem } from "../../../host/problem.ts";
import type { Loaded } from "../../../launch/program.ts";
import { changesBetween, type Difference, differences } from "../../../launch/value/memory-changes.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { Span } from "../../../source/source.ts";
import type { CaseLine } from "../file/directive.ts";

/** Differing bytes that are shown. */
const MAX_SHOWN_BYTES = 4;

/** Compares memory after a launch with its record, byte by byte. */
export function judgeMemory({ name, source }: CaseLine, span: Span, loaded: Loaded): readonly Diagnostic[] {
  const { device, image } = loaded;
  const wanted = image?.expected;
  if (image === undefined || wanted === undefined) {
    const expected = "args: --memory FILE, of a launch that came to its end";
    return [
      problem("PTX7005", `case ${name}: there is no record of what is left in memory`, { source, span, expected }),
    ];
  }
  const before = image.device ?? { allocations: [], pages: [] };
  const got = [...image.stored, ...changesBetween(before, device.state())];
  const wrong = differences(wanted, got, (address) => image.before(address));
  const shown = wrong.slice(0, MAX_SHOWN_BYTES).map((each) => {
    const message = `case ${name}: the byte at ${differenceText(each, loaded)} is ${hex(each.got)}`;
    return problem("PTX7005", message, { source, span, expected: hex(each.wanted) });
  });
  const left = wrong.length - shown.length;
  return left === 0 ? shown : [...shown, problem("PTX7005", `and ${left} more bytes that differ`, { source, span })];
}

/** `0x4f0000001010, byte 16 of buffer 1`. */
function differenceText({ address }: Difference, { device, image }: Loaded): string {
  const offset = Number(BigInt.asUintN(32, address));
  const announced = image?.ranges.find(
    (each) => each.address <= address && address < each.address + BigInt(each.bytes),
  );
  const name = (at: number, of: string): string => `0x${address.toString(16)}, byte ${at} of ${of}`;
  if (announced !== undefined) return name(Number(address - announced.address), announced.name);
  const owner = device.state().allocations.find((each) => {
    return !each.freed && each.address <= offset && offset < each.address + each.bytes;
  });
  return owner === undefined ? `0x${address.toString(16)}` : name(offset - owner.address, owner.name);
}

const hex = (byte: number): string => `0x${byte.toString(16).padStart(2, "0")}`;
