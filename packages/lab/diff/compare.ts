import { bitsOf, bytesOf, type ElementType, formatOf, toValue } from "../../../src/host/memory/element.ts";
import type { Stop } from "../../../src/interp/contract/stop.ts";
import type { NamedBuffer } from "../../../src/launch/input/launch-inputs.ts";
import type { Tolerance } from "../../../src/launch/value/tolerance.ts";
import { ulps } from "../../../src/numeric/format/ulps.ts";
import { hex, number } from "../../../src/present/value.ts";
import type { PlacedRow, Ran } from "./side.ts";

/** Whether two values of a type are equal within the tolerance, which applies only to floats. Two NaNs are equal. */
function isNear(a: bigint, b: bigint, type: string, tolerance: Tolerance): boolean {
  const format = formatOf(type);
  if (format === undefined) return false;
  if ("ulps" in tolerance) {
    const apart = ulps(format, a, b);
    return apart !== undefined && apart <= tolerance.ulps;
  }
  const [one, other] = [Number(toValue(a, type as ElementType)), Number(toValue(b, type as ElementType))];
  if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) && Number.isNaN(other);
  if (one === other) return true;
  const apart = Math.abs(one - other);
  return Number.isFinite(apart) && apart <= tolerance.part * Math.max(Math.abs(one), Math.abs(other));
}

/** One result that differs between two runs. Plain data. */
export interface Difference {
  readonly what: "stop" | "printed" | "buffer" | "variable" | "register";
  /** The result's name: `y`, `%r1`, `v.x`; `line 3` of what was printed. */
  readonly name: string;
  /** The first element that differs. */
  readonly index?: number;
  /** How many elements differ, of how many. */
  readonly differing?: number;
  readonly elements?: number;
  /** The thread of the register. */
  readonly block?: number;
  readonly thread?: number;
  readonly type?: string;
  /** The value in the first program, and in the second: bits as `0x...`, or a text. */
  readonly a: string;
  readonly b: string;
  /** The numbers that the bits stand for. */
  readonly numbers?: readonly [a: string, b: string];
}

/** How many results were compared. */
export interface Compared {
  readonly buffers: number;
  readonly variables: number;
  readonly registers: number;
}

/**
 * The results that differ, in a fixed order: how the runs ended, what they printed, buffers in the order of their
 * parameters, variables that both modules have and one of them changed, registers that both programs have.
 */
export function compareRuns(
  a: Ran,
  b: Ran,
  tolerance?: Tolerance,
): { readonly differences: readonly Difference[]; readonly compared: Compared } {
  const differences: Difference[] = [];
  const [endA, endB] = [ending(a.stop), ending(b.stop)];
  if (endA !== endB) differences.push({ what: "stop", name: "end", a: endA, b: endB });
  differences.push(...printed(a.printed, b.printed));
  const shared = sharedMemory(a, b);
  for (const { what, a, b } of shared) differences.push(...inMemory(what, a, b, tolerance));
  const counted = (kind: SharedMemory["what"]) => shared.filter(({ what }) => what === kind).length;
  const rows = new Map(b.registers.map((row) => [keyOf(row), row]));
  let registers = 0;
  for (const row of a.registers) {
    const other = rows.get(keyOf(row));
    if (other === undefined) continue;
    registers++;
    if (row.bits === other.bits) continue;
    const { name, type, block, thread, width } = row;
    if (tolerance !== undefined && isNear(row.bits, other.bits, type, tolerance)) continue;
    differences.push({ what: "register", name, block, thread, type, ...values(row.bits, other.bits, type, width) });
  }
  return { differences, compared: { buffers: counted("buffer"), variables: counted("variable"), registers } };
}

/** Memory of two runs that is compared as one result. */
export interface SharedMemory {
  readonly what: "buffer" | "variable";
  readonly a: NamedBuffer;
  readonly b: NamedBuffer;
}

/** The buffers of both runs, and the variables that one of them has changed. */
export function sharedMemory(a: Ran, b: Ran): readonly SharedMemory[] {
  const shared: SharedMemory[] = [];
  const named = new Map(b.buffers.map((buffer) => [buffer.name, buffer]));
  // By position: two compilers name the parameters of one kernel differently.
  const together = a.buffers.length === b.buffers.length;
  for (const [at, buffer] of a.buffers.entries()) {
    const other = together ? b.buffers[at] : named.get(buffer.name);
    if (other !== undefined) shared.push({ what: "buffer", a: buffer, b: other });
  }
  const variablesOfB = new Map(b.variables.map((variable) => [variable.name, variable]));
  for (const variable of a.variables) {
    const other = variablesOfB.get(variable.name);
    // Strings and tables that no thread writes are no results, and compilers choose their names.
    if (other !== undefined && (variable.changed || other.changed))
      shared.push({ what: "variable", a: variable, b: other });
  }
  return shared;
}

const keyOf = ({ block, thread, name, width }: PlacedRow): string => `${block} ${thread} ${width} ${name}`;

/** How a run ended, without positions and addresses, which two equivalent programs need not share. */
const ending = (stop: Stop): string => (stop.reason === "trap" ? stop.diagnostic.code : stop.reason);

const values = (a: bigint, b: bigint, type: string, width: number) => ({
  a: hex(a, width),
  b: hex(b, width),
  ...(width === 1 ? {} : { numbers: [number(a, type), number(b, type)] as const }),
});

function printed(a: string, b: string): readonly Difference[] {
  if (a === b) return [];
  const [linesA, linesB] = [a.split("\n"), b.split("\n")];
  const at = linesA.findIndex((line, at) => line !== linesB[at]);
  // The output of A is a prefix of B's.
  const line = at < 0 ? linesA.length : at;
  return [{ what: "printed", name: `line ${line + 1}`, a: linesA[line] ?? "", b: linesB[line] ?? "" }];
}

function inMemory(
  what: "buffer" | "variable",
  a: NamedBuffer,
  b: NamedBuffer,
  tolerance: Tolerance | undefined,
): readonly Difference[] {
  const { name, type } = a;
  if (a.buffer.bytes !== b.buffer.bytes)
    return [{ what, name, a: `${a.buffer.bytes} bytes`, b: `${b.buffer.bytes} bytes` }];
  let differing = 0;
  let first: Element | undefined;
  for (const element of differingElements(a, b, tolerance)) {
    first ??= element;
    differing++;
  }
  if (first === undefined) return [];
  const size = bytesOf(type);
  const elements = Math.ceil(a.buffer.bytes / size);
  return [{ what, name, index: first.index, differing, elements, type, ...values(first.a, first.b, type, size * 8) }];
}

interface Element {
  readonly index: number;
  readonly a: bigint;
  readonly b: bigint;
}

/** The elements of two buffers of one size that are not equal, in their order. */
export function* differingElements(
  { type, buffer }: NamedBuffer,
  other: NamedBuffer,
  tolerance: Tolerance | undefined,
): Generator<Element> {
  const size = bytesOf(type);
  const [bytesA, bytesB] = [buffer.read(), other.buffer.read()];
  const bits = (bytes: Uint8Array, index: number): bigint => {
    const one = new Uint8Array(size);
    one.set(bytes.subarray(index * size, (index + 1) * size));
    return bitsOf(one, type)[0] ?? 0n;
  };
  for (let at = 0; at < bytesA.length; at++) {
    if (bytesA[at] === bytesB[at]) continue;
    const index = Math.floor(at / size);
    // On to the next element.
    at = (index + 1) * size - 1;
    const [a, b] = [bits(bytesA, index), bits(bytesB, index)];
    if (tolerance === undefined || !isNear(a, b, type, tolerance)) yield { index, a, b };
  }
}
