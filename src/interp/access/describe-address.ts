import { factsOf, isOwn, type OwnSpace, spaceNames } from "../contract/space.ts";
import { windows } from "../contract/window.ts";
import { isAddressed } from "../memory/allocation.ts";
import type { Context } from "../state/context.ts";
import type { MemoryAccess } from "./memory-access.ts";

const own = spaceNames.filter(isOwn);

/** `1 byte`, `16 bytes`. */
export const count = (bytes: number): string => (bytes === 1 ? "1 byte" : `${bytes} bytes`);

/** Which of the launch's own windows the address is meant for, even where its offset into it is negative. */
export function windowOf(
  lane: number,
  { space }: MemoryAccess,
  { scratch: { low, high } }: Context,
): OwnSpace | undefined {
  const upper = high[lane]!;
  for (const window of own) {
    if (space === "generic" && upper === windows[window]) return window;
    if (space === window && (upper === 0 || (upper === 0xffff_ffff && low[lane]! >= 2 ** 31))) return window;
  }
  return undefined;
}

/** Why an access at `offset` of one of these windows misses: by how much, and behind which variable. */
export function outsideOwn(window: OwnSpace, offset: number, bytes: number, context: Context): string {
  const { program, sharedBytes, localBytes } = context;
  const size = { shared: sharedBytes, local: localBytes, param: program.parameterBytes }[window];
  const { memory: name } = factsOf(window);
  if (size === 0) return window === "param" ? "but there are none" : `but there is no ${name}`;
  // No window is that large: a 32-bit address that wrapped.
  const at = offset >= 2 ** 31 ? offset - 2 ** 32 : offset;
  const last = program.variables.findLast((each) => each.space === window && each.offset <= at);
  const after = last === undefined ? "" : `, after ${last.name} (${count(last.bytes)})`;
  return `${beyond(at, bytes, { start: 0, end: size, name })}${after}`;
}

/** For an access outside of all allocations: the nearest one, and how far away it is. */
export function nearest(at: number, bytes: number, { memory }: Context): string {
  const owner = memory.allocations.nearest(at);
  if (owner === undefined) return "but nothing is allocated";
  return beyond(at, bytes, owner);
}

type NamedRange = Parameters<typeof named>[0];

/** Where bytes at `at` lie as seen from a range that does not hold all of them. */
export function beyond(at: number, bytes: number, range: NamedRange): string {
  const { start, end } = range;
  if (at < start) return `${count(start - at)} before ${named(range)}`;
  if (at === end) return `right behind ${named(range)}`;
  if (at < end) return `${count(at + bytes - end)} of them past the end of ${named(range)}`;
  return `${count(at - end)} past the end of ${named(range)}`;
}

/** `tile (64 bytes)`. */
export const named = ({ name, start, end }: { readonly name: string; readonly start: number; readonly end: number }) =>
  `${name} (${count(end - start)})`;

/** Where in its variable or allocation an access lies: `4 bytes into tile (64 bytes)`; undefined when in none. */
export function inside(lane: number, access: MemoryAccess, context: Context): string | undefined {
  const { program, memory, scratch } = context;
  const window = windowOf(lane, access, context);
  if (window === "param") {
    const at = scratch.low[lane]!;
    const parameter = program.parameters.findLast(({ offset }) => offset <= at);
    return parameter && into(at - parameter.offset, parameter.name, parameter.bytes);
  }
  if (window !== undefined) {
    const at = scratch.low[lane]!;
    const variable = program.variables.findLast((each) => each.space === window && each.offset <= at);
    return variable && at < variable.offset + variable.bytes
      ? into(at - variable.offset, variable.name, variable.bytes)
      : undefined;
  }
  const at = scratch.at[lane]!;
  if (memory.supply !== undefined && at >= memory.supply.start) {
    const address = (BigInt(scratch.high[lane]!) << 32n) | BigInt(scratch.low[lane]!);
    const range = memory.supply.announcedAt(address);
    return range && into(Number(address - range.address), range.name, range.bytes);
  }
  const owner = memory.allocations.find(at);
  if (owner === undefined || !isAddressed(owner)) return undefined;
  return into(at - owner.start, owner.name, owner.end - owner.start);
}

const into = (offset: number, name: string, size: number): string =>
  offset === 0 ? `the start of ${name} (${count(size)})` : `${count(offset)} into ${name} (${count(size)})`;
