import type { Touch } from "../async/flight.ts";
import type { Operation } from "../async/operation.ts";
import { factsOf, isOwn, type OwnSpace, spaceNames } from "../contract/space.ts";
import { genericHigh, spaceAt, windows } from "../contract/window.ts";
import { isAddressed } from "../memory/allocation.ts";
import { LOWEST } from "../memory/memory.ts";
import { ALLOCATED, INITIALISED, MBARRIER, READ_ONLY, WINDOWED } from "../memory/shadow.ts";
import { NO_ROOM, type Supply } from "../memory/supply.ts";
import type { Context } from "../state/context.ts";
import { Fault, report, whoIs } from "../state/fault.ts";
import type { Warp } from "../state/warp.ts";
import type { MemoryAccess } from "./memory-access.ts";

const own = spaceNames.filter(isOwn);

/** `1 byte`, `16 bytes`. */
const count = (bytes: number): string => (bytes === 1 ? "1 byte" : `${bytes} bytes`);

/** The launch's window that the address is meant for, even where its offset into it is negative. */
function windowOf(lane: number, { space }: MemoryAccess, { scratch: { low, high } }: Context): OwnSpace | undefined {
  const upper = high[lane]!;
  for (const window of own) {
    if (space === "generic" && upper === windows[window]) return window;
    if (space === window && (upper === 0 || (upper === 0xffff_ffff && low[lane]! >= 2 ** 31))) return window;
  }
  return undefined;
}

/** Why an access at `offset` of one of these windows misses: by how much, and behind which variable. */
function outsideOwn(window: OwnSpace, offset: number, bytes: number, context: Context): string {
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
function nearest(at: number, bytes: number, { memory }: Context): string {
  const owner = memory.allocations.nearest(at);
  if (owner === undefined) return "but nothing is allocated";
  return beyond(at, bytes, owner);
}

type NamedRange = Parameters<typeof named>[0];

/** Describes the place of bytes relative to a range that does not hold all of them. */
function beyond(at: number, bytes: number, range: NamedRange): string {
  const { start, end } = range;
  if (at < start) return `${count(start - at)} before ${named(range)}`;
  if (at === end) return `just past the end of ${named(range)}`;
  if (at < end) return `${count(at + bytes - end)} of them past the end of ${named(range)}`;
  return `${count(at - end)} past the end of ${named(range)}`;
}

/** `tile (64 bytes)`. */
const named = ({ name, start, end }: { readonly name: string; readonly start: number; readonly end: number }) =>
  `${name} (${count(end - start)})`;

/** The place of an access in its variable or allocation: `4 bytes into tile (64 bytes)`; undefined when in none. */
function inside(lane: number, access: MemoryAccess, context: Context): string | undefined {
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

const touches: Readonly<Record<MemoryAccess["kind"], Touch>> = { load: "read", store: "write", atomic: "update" };

/** Reports an access that conflicts with an asynchronous operation in flight. `what` says what the lane does. */
function reportInTheWay(warp: Warp, lane: number, { kind, bytes }: MemoryAccess, what: string, context: Context): void {
  const { asynchrony, scratch, grid, block } = context;
  const [first] = asynchrony.inTheWay(scratch.at[lane]!, bytes, touches[kind]);
  if (first === undefined) return;
  const { flight, how } = first;
  const { operation } = flight;
  const { site, thread } = operation;
  const code = how === "writes" ? "PTX4020" : "PTX4021";
  const found = report(context, warp, lane, code, `${what}, which ${site.opcode}, still in flight, ${how}`);
  const advice = asynchrony.advice(flight);
  const last = advice?.last;
  context.report({
    ...found,
    related: [
      { source: site.source, span: site.span, message: `${site.opcode}, asked for by ${whoIs(thread, grid, block)}` },
      ...(last === undefined
        ? []
        : [{ source: last.site.source, span: last.site.span, message: `the last wait, which leaves it in flight` }]),
      ...(found.related ?? []),
    ],
    help: [...(found.help ?? []), { message: advice?.help ?? waitFor(operation) }],
  });
}

/** Reports an access to the bits of an mbarrier object, which mean nothing to a program. */
function reportBarrier(warp: Warp, lane: number, at: number, what: string, context: Context): void {
  const { asynchrony, grid, block } = context;
  const found = report(context, warp, lane, "PTX4030", `${what}, which is an mbarrier object`);
  // An access may begin before the object.
  const made = asynchrony.barriers.maker(at) ?? asynchrony.barriers.maker(at + 8);
  if (made === undefined) {
    context.report(found);
    return;
  }
  const { source, span, opcode } = made.site;
  const message = `${opcode}, which has made the object, in ${whoIs(made.thread, grid, block)}`;
  context.report({ ...found, related: [{ source, span, message }, ...(found.related ?? [])] });
}

function waitFor({ completion }: Operation): string {
  if (completion.kind === "mbarrier") return "wait for the phase of its mbarrier object first";
  if (completion.kind === "commit")
    return "have tcgen05.commit arrive at an mbarrier object and wait for its phase first";
  return "nothing in the program can tell when it has happened";
}

/** An address below this looks like a member of a struct that a null pointer points to. */
const NEAR = 4096;

/** Explains an address outside the windows that the instruction reaches: what it looks like instead. */
function explainAddress(lane: number, access: MemoryAccess, context: Context): string {
  const { space, bytes } = access;
  const low = context.scratch.low[lane]!;
  const high = context.scratch.high[lane]!;
  const own = windowOf(lane, access, context);
  const { supply } = context.memory;
  if (supply !== undefined && own === undefined && high + low / 2 ** 32 > NEAR / 2 ** 32 && !others.has(high))
    return outsideSupplied((BigInt(high) << 32n) | BigInt(low), bytes, supply);
  if (own !== undefined) return outsideOwn(own, high === 0xffff_ffff ? low - 2 ** 32 : low, bytes, context);
  if (high === 0) return short(low, context);
  if (high === windows.multimem) return "which is a multimem address: only multimem instructions reach its memory";
  if (high === windows.code) return "which is the address of a function";
  if (high === windows.handle) return "which is the handle of a texture or surface";
  const window = spaceAt(high);
  if (window !== undefined) {
    if (space === "generic" || (space === window && genericHigh(window) === 0)) return nearest(low, bytes, context);
    const { memory } = factsOf(space);
    if (space === window) return `which is a generic address: cvta.to.${space} makes one of ${memory} of it`;
    return `which is an address of ${factsOf(window).memory}, not of ${memory}`;
  }
  return `which is outside every ${space === "generic" ? "" : `${space} `}allocation`;
}

/** High words of addresses that are never a supplier's. */
const others = new Set<number>(Object.values(windows));

/** Explains bytes outside the supplier's memory: nothing is mapped there, or they were not announced. */
function outsideSupplied(address: bigint, bytes: number, supply: Supply): string {
  const near = supply.announcedAt(address);
  if (near === undefined)
    return supply.isReachable
      ? "where the caller has nothing mapped"
      : "which is in no allocation of the device, and no memory that the host shares with it";
  const start = Number(near.address - address);
  return beyond(0, bytes, { name: near.name, start, end: start + near.bytes });
}

/** Explains a miss at an address of the buffer: no allocation begins there, or the bytes run past its end. */
function explainOverrun(lane: number, access: MemoryAccess, context: Context): string {
  const low = context.scratch.low[lane]!;
  // Behind shared memory lies unrelated memory.
  if (windowOf(lane, access, context) === "shared" && low < context.sharedBytes)
    return outsideOwn("shared", low, access.bytes, context);
  return nearest(context.scratch.at[lane]!, access.bytes, context);
}

/** An address below 2^32, where no memory lies: null, cut to 32 bits, or an offset meant for another window. */
function short(low: number, { memory, sharedBytes, localBytes }: Context): string {
  if (low === 0) return "which is a null pointer";
  const owner = memory.allocations.find(low);
  if (owner !== undefined && isAddressed(owner)) return `which looks like an address of ${named(owner)} cut to 32 bits`;
  const window = low < sharedBytes ? "shared" : low < localBytes ? "local" : undefined;
  const made = `an address of ${window} memory that cvta.${window} has not made generic`;
  if (low < NEAR) return `${count(low)} past a null pointer${window === undefined ? "" : `, or ${made}`}`;
  return window === undefined ? "which looks like an address cut to 32 bits" : `which looks like ${made}`;
}

/**
 * The slow path for an access that has failed the quick check: it is legal after all (memory touched for the first
 * time), or a finding, which is reported, or a Fault, which is thrown.
 */
export function inspect(warp: Warp, lane: number, access: MemoryAccess, context: Context): void {
  if (!reach(warp, lane, access, context)) return;
  const { memory, scratch } = context;
  const at = scratch.at[lane]!;
  const does = what(lane, access, context);
  if (!memory.all(at, access.bytes, MBARRIER, 0)) reportBarrier(warp, lane, at, does, context);
  reportInTheWay(warp, lane, access, does, context);
  if (access.kind !== "store") inspectInitialised(warp, lane, access, context);
  if (access.kind === "load") return;
  context.awaited.written(at, access.bytes, { block: warp.block, warp: warp.index, lane }, warp.pc);
  memory.initialise(at, access.bytes);
}

/** `reads 4 bytes at 0x10`. */
const what = (lane: number, { kind, bytes }: MemoryAccess, context: Context): string =>
  `${verbs[kind]} ${count(bytes)} at ${address(lane, context)}`;

/** `: 4 bytes into tile (64 bytes)`. */
function place(lane: number, access: MemoryAccess, context: Context): string {
  const where = inside(lane, access, context);
  return where === undefined ? "" : `: ${where}`;
}

/**
 * Whether the bytes are allocated, and the lane may access them in this way; otherwise a Fault. Without the bounds
 * check, false for memory without an allocation, but still a Fault before and behind all of it; and false for a
 * reduction that an overlay keeps apart. Afterwards the scratch has the lanes' addresses.
 */
export function reach(warp: Warp, lane: number, access: MemoryAccess, context: Context): boolean {
  const { memory, scratch, sanitize } = context;
  const { kind, bytes, space, align = bytes } = access;
  access.sum(warp);
  borrow(lane, access, context);
  const at = scratch.at[lane]!;
  const accesses = (): string => what(lane, access, context);
  const inPlace = (): string => place(lane, access, context);
  if (at < 0) throw new Fault("PTX3002", lane, `${accesses()}, ${explainAddress(lane, access, context)}`);
  if (at % align !== 0)
    throw new Fault("PTX3001", lane, `${accesses()}, which is not a multiple of ${align}${inPlace()}`);
  if (at < LOWEST || at + bytes > memory.data.u8.length)
    throw new Fault("PTX3002", lane, `${accesses()}, ${explainOverrun(lane, access, context)}`);
  if (access.reduces !== undefined && memory.reduces(at, bytes, access.reduces)) return false;
  memory.know(at, bytes, kind !== "store");
  const windowed = space === "global" || space === "const" ? 0 : WINDOWED;
  const placed = space === "generic" ? 0 : WINDOWED;
  if (!memory.all(at, bytes, ALLOCATED | placed, ALLOCATED | (windowed & placed))) {
    const freed = memory.allocations.freed(at);
    if (freed !== undefined)
      throw new Fault(
        "PTX3005",
        lane,
        `${accesses()}, in ${named(freed)}, which ${freed.heap ? "the program has freed" : "the host has freed"}`,
      );
    const owned = memory.allocations
      .overlapping(at, at + bytes)
      .some(({ kind }) => kind === "window" || kind === "state");
    // Without the check, unallocated memory can be used as on a GPU, where it is often mapped.
    if (sanitize.mem || owned)
      throw new Fault("PTX3002", lane, `${accesses()}, ${explainOverrun(lane, access, context)}`);
    return false;
  }
  if (kind !== "load" && !memory.all(at, bytes, READ_ONLY, 0))
    throw new Fault("PTX3003", lane, `${accesses()}, which is read-only${inPlace()}`);
  // Memory of a supplier is global, whether or not it may be written.
  const isSupplied = memory.supply !== undefined && at >= memory.supply.start;
  const fixed = space === "const" ? READ_ONLY : 0;
  if (!isSupplied && space !== "generic" && space !== "param" && !memory.all(at, bytes, READ_ONLY, fixed))
    throw new Fault("PTX3002", lane, `${accesses()}, which is not in the ${space} state space${inPlace()}`);
  return true;
}

/** Reads pages of a supplier's memory, see `Supply`. */
function borrow(lane: number, { space, bytes }: MemoryAccess, { memory, scratch: { low, high, at } }: Context): void {
  const { supply, allocations } = memory;
  if (supply === undefined || !(space === "global" || space === "generic")) return;
  const found = at[lane]!;
  const owner = found >= 0 && found < supply.start ? allocations.find(found)?.kind : undefined;
  // A generic address into a window is intended; one of global memory may have such a low word by chance.
  if (owner === "global" || owner === "const" || (owner === "window" && space === "generic")) return;
  const there = supply.reach(high[lane]!, low[lane]!, bytes);
  if (there === NO_ROOM)
    throw new Fault("PTX6003", lane, "touches more of the caller's memory in one launch than there is room for");
  if (there >= 0 || found >= supply.start) at[lane] = there;
}

/** Reports uninitialised bytes. */
export function inspectInitialised(warp: Warp, lane: number, access: MemoryAccess, context: Context): void {
  const { memory, scratch, sanitize } = context;
  if (!sanitize.init || memory.all(scratch.at[lane]!, access.bytes, INITIALISED, INITIALISED)) return;
  const text = `${what(lane, access, context)}, which nothing has written${place(lane, access, context)}`;
  const found = report(context, warp, lane, "PTX4001", text);
  // Only a note in local memory, where compilers keep what would fit in registers: nvcc -G copies structs with padding.
  if (windowOf(lane, access, context) === "local") context.report({ ...found, severity: "note" });
  else if (context.report(found) && access.kind === "load")
    context.awaited.add({ at: scratch.at[lane]!, bytes: access.bytes, reader: found.thread!, finding: found });
}

const verbs = { load: "reads", store: "writes", atomic: "updates" } as const;

function address(lane: number, { scratch }: Context): string {
  const { low, high } = scratch;
  return `0x${((BigInt(high[lane]!) << 32n) | BigInt(low[lane]!)).toString(16)}`;
}
