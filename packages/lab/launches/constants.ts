import { isElementType } from "../../../src/host/index.ts";
import {
  bytesOf,
  doubleOf,
  type ElementType,
  formatOf,
  fromValue,
  roundedTo,
  toValue,
} from "../../../src/host/memory/element.ts";
import { constantValue } from "../../../src/interp/contract/constant.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { isDefinite, itemsOf, OperandTypes } from "../../../src/present/register-types.ts";

/** Numbers that instructions of some programs have as operands; what a program does may change at or beside each of them. */
export interface Constants {
  readonly integers: readonly bigint[];
  readonly floats: readonly number[];
}

/** Values of one type that are drawn; what programs differ in comes first. */
const MOST = 64;
/** A word of bits that would be a smaller or larger float is surely none. */
const PLAUSIBLE = { from: 1e-30, to: 1e30 };

/** The constants of these programs, those of instructions that only some of them have first; undefined without any. */
export function constantsOf(programs: readonly Program[]): Constants | undefined {
  const written = programs.map(writtenIn);
  const isShared = (key: string): boolean => written.every((each) => each.has(key));
  const all = written.flatMap((each) => [...each].map(([key, numbers]) => ({ numbers, late: isShared(key) })));
  const numbers = [...all.filter(({ late }) => !late), ...all.filter(({ late }) => late)].flatMap(
    (each) => each.numbers,
  );
  if (numbers.length === 0) return undefined;
  return {
    integers: [...new Set(numbers.filter((each) => typeof each === "bigint"))],
    floats: [...new Set(numbers.filter((each) => typeof each === "number"))],
  };
}

/** What each constant may mean where it stands, by the opcode and its bits. */
function writtenIn(program: Program): ReadonlyMap<string, readonly (bigint | number)[]> {
  const types = new OperandTypes();
  const found = new Map<string, readonly (bigint | number)[]>();
  for (const { opcode, operands } of program.code)
    for (const [at, operand] of operands.entries())
      for (const item of itemsOf(operand)) {
        const bits = constantValue(item, program);
        if (bits === undefined || item.kind !== "slot" || item.bits === 128) continue;
        const type = types.of(opcode)[at] ?? `b${item.bits}`;
        found.set(`${opcode} ${bits}`, readings(bits, type, item.bits));
      }
  return found;
}

/** The number of a typed constant; bits may be an integer or a float. */
function readings(bits: bigint, type: string, width: number): readonly (bigint | number)[] {
  const format = formatOf(type);
  if (format !== undefined) return [doubleOf(bits, format)];
  if (isDefinite(type))
    return isElementType(type) ? [BigInt(toValue(BigInt.asUintN(8 * bytesOf(type), bits), type))] : [];
  const float = formatOf(`f${width}`);
  const value = float === undefined ? 0 : doubleOf(BigInt.asUintN(width, bits), float);
  const size = Math.abs(value);
  return [BigInt.asIntN(width, bits), ...(size >= PLAUSIBLE.from && size <= PLAUSIBLE.to ? [value] : [])];
}

/** Each constant and its neighbours, as bits of a type: 1 apart, of floats 1 ulp as well. */
export function edgesOf({ integers, floats }: Constants, type: ElementType): readonly bigint[] {
  const [, lane = type] = /^(b?f16)x2$/.exec(type) ?? [];
  if (lane !== type && isElementType(lane)) {
    // Each beside the one that follows it.
    const each = edgesOf({ integers, floats }, lane);
    return each.map((bits, at) => bits | ((each[(at + 1) % each.length] ?? 0n) << 16n));
  }
  const format = formatOf(type);
  if (format === undefined) {
    const whole = floats.filter(Number.isFinite).map((each) => BigInt(Math.round(each)));
    const near = [...integers, ...whole].flatMap((each) => [each, each - 1n, each + 1n]);
    return [...new Set(near.flatMap((each) => fromValue(each, type) ?? []))].slice(0, MOST);
  }
  const width = 8 * bytesOf(type);
  const near = [...floats, ...integers.map(Number)].flatMap((each) => {
    const bits = roundedTo(each, format);
    const beside = [bits + 1n, bits - 1n].map((next) => BigInt.asUintN(width, next));
    return [bits, ...beside, roundedTo(each - 1, format), roundedTo(each + 1, format)];
  });
  return [...new Set(near)].filter((bits) => !Number.isNaN(doubleOf(bits, format))).slice(0, MOST);
}
