import { reach } from "../../access/inspect.ts";
import { type ByteRange, type Completion, lineOf, type Operation } from "../../async/operation.ts";
import type { ThreadId } from "../../contract/launch/thread-id.ts";
import { elements, type Operand, type SlotOperand, slot } from "../../contract/operand.ts";
import type { Update } from "../../contract/plan/plan-bulk.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import { windows } from "../../contract/window.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Context } from "../../state/context.ts";
import { Fault, report, whoIs } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { checkMap } from "../../tensor-map/check-map.ts";
import { checkWalk } from "../../tensor-map/check-walk.ts";
import { converterOf, fillOf } from "../../tensor-map/convert.ts";
import { type Footprint, footprintOf, type Walk } from "../../tensor-map/geometry.ts";
import { atomBytes } from "../../tensor-map/swizzle.ts";
import { decodeMap, at as fields, MAP_ALIGN, MAP_BYTES, type TensorMap } from "../../tensor-map/tensor-map.ts";
import { siteOf } from "../async/site.ts";
import { BulkAddress, checkObject, checkOwner, rankAt, ranksOf, Signals, sharedOf } from "./bulk-address.ts";
import { reductionOf } from "./update.ts";

/** The data of a tensor copy: offsets in the buffer, and within the block's shared memory. */
interface Move {
  readonly map: TensorMap;
  readonly footprint: Footprint;
  /** Where the block's shared memory begins in the buffer, and where in it the box does: the input of the swizzle. */
  readonly window: number;
  readonly base: number;
  readonly update: Update | undefined;
}

/** Moves a box between global memory and shared memory, row by row. */
function tensorMover(
  { map, footprint, window, base, update }: Move,
  memory: Memory,
): { readonly load: () => void; readonly store: () => void } {
  const { element } = map;
  const { rows, units, pitch, step, shuffle } = footprint;
  const { u8, u32 } = memory.data;
  const origin = Number(BigInt.asUintN(32, map.address));
  const { global: size, shared: place } = element;
  const dense = size === place && step === size;

  /** Where unit `unit` of row `row` lies in the buffer. */
  const inShared = (row: number, unit: number): number => window + shuffle(base + row * pitch + unit * place);

  const load = (): void => {
    const empty = filling(fillOf(element, map.fill), size);
    const convert = converterOf(element);
    rows.forEach(({ global, from, to }, row) => {
      const first = origin + global;
      const put = (unit: number): void => {
        const there = inShared(row, unit);
        if (unit < from || unit >= to) u8.set(empty, there);
        else if (convert === undefined) u8.copyWithin(there, first + unit * step, first + unit * step + size);
        else u32[there >>> 2] = convert(u32[(first + unit * step) >>> 2]!);
      };
      // A complete row in order is the usual case.
      if (dense && convert === undefined && map.swizzle === "none" && from === 0 && to === units)
        u8.copyWithin(inShared(row, 0), first, first + units * size);
      else if (dense && convert === undefined && from === 0 && to === units && size < 16) chunks(row, first);
      else for (let unit = 0; unit < units; unit++) put(unit);
      // An interleaved slice is filled up with zeros.
      for (let at = units * place; at < pitch; at++) u8[window + shuffle(base + row * pitch + at)] = 0;
    });
  };
  /** Copies a row in chunks that the swizzle keeps together. */
  const chunks = (row: number, first: number): void => {
    const atom = map.atomicity === "32B+8B" ? 8 : 16;
    for (let at = 0; at < units * size; at += atom) {
      const there = window + shuffle(base + row * pitch + at);
      u8.copyWithin(there, first + at, first + Math.min(at + atom, units * size));
    }
  };
  const reduce = update && reductionOf(update, memory);
  const store = (): void => {
    rows.forEach(({ global, from, to }, row) => {
      const first = origin + global;
      for (let unit = from; unit < to; unit++) {
        const here = inShared(row, unit);
        const there = first + unit * step;
        if (reduce !== undefined) reduce(there, here, size);
        else if (element.name === "b6x16_p32") packSixes(u8, here, there);
        else u8.copyWithin(there, here, here + size);
      }
    });
  };
  return { load, store };
}

/** One unit of fill, low byte first. */
function filling(bits: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => Number((bits >> BigInt(8 * at)) & 0xffn));
}

/** Sixteen bytes with 6 bits each become 12 bytes (b6p2x16, PTX ISA 5.5.1.1). */
function packSixes(u8: Uint8Array, from: number, to: number): void {
  for (let four = 0; four < 4; four++) {
    let word = 0;
    for (let at = 0; at < 4; at++) word |= (u8[from + 4 * four + at]! & 0x3f) << (6 * at);
    for (let at = 0; at < 3; at++) u8[to + 3 * four + at] = (word >>> (8 * at)) & 0xff;
  }
}

/** Help for a missing tensor map. */
const WAY = "bind one with -a NAME=tensormap:..., or pass what device.tensorMap gives";

/** Reads and checks the tensor map at a lane's address; anew each time, since the program may change it. */
function mapReader(operand: Operand | undefined, context: Context): (warp: Warp, lane: number) => TensorMap {
  const places = new BulkAddress(operand, "load", "generic", MAP_ALIGN, context);
  const { u8 } = context.memory.data;
  let known: { readonly bytes: Uint8Array; readonly map: TensorMap } | undefined;
  return (warp, lane) => {
    places.find(warp);
    const high = context.scratch.high[lane]!;
    if (high === windows.shared || high === windows.local)
      throw new Fault("PTX3051", lane, "has its tensor map in shared or local memory", [], undefined, [
        "a tensor map lies in .param, .const or .global memory (PTX ISA 5.5.8)",
      ]);
    const at = places.check(warp, lane, MAP_BYTES);
    if (u8[at + fields.changed] !== 0) reportChanged(at, warp, lane, context);
    if (known?.bytes.every((byte, index) => byte === u8[at + index])) return known.map;
    const bytes = new Uint8Array(u8.subarray(at, at + MAP_BYTES));
    const map = decodeMap(bytes);
    if (map === undefined) throw new Fault("PTX3051", lane, "finds no tensor map at its address", [], undefined, [WAY]);
    const [problem] = checkMap(map);
    if (problem !== undefined)
      throw new Fault("PTX3051", lane, `has a tensor map that is not sound: ${problem.message}`, [], undefined, [
        `expected ${problem.expected}`,
      ]);
    known = { bytes, map };
    return map;
  };
}

/** Reports a map that was changed since the tensormap proxy could have seen it, with the place of the change. */
function reportChanged(at: number, warp: Warp, lane: number, context: Context): void {
  const change = context.mapChanges.at(at);
  const found = report(context, warp, lane, "PTX4040", "takes a tensor map that was changed and not acquired since");
  const { grid, block } = context;
  const missing =
    change?.released === false
      ? "fence.proxy.tensormap::generic.release after the change, and .acquire before the copy"
      : "fence.proxy.tensormap::generic.acquire on the map's address before the copy";
  const { site, thread } = change ?? {};
  context.report({
    ...found,
    related: [
      ...(site && thread
        ? [{ source: site.source, span: site.span, message: `${site.opcode}, by ${whoIs(thread, grid, block)}` }]
        : []),
      ...(found.related ?? []),
    ],
    help: [...(found.help ?? []), { message: `write ${missing}` }],
  });
}

/** Shared memory of a tensor copy begins at a multiple of this (CUDA programming guide, tensor memory access). */
const ALIGN = 128;

/** cp.async.bulk.tensor and cp.reduce.async.bulk.tensor (PTX ISA, Tensor copy). */
export function tensorCopy(
  plan: PlanOf<"tensor copy">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, asynchrony } = context;
  const { direction, mode, whose = "any", multicast, inspects } = plan;
  const load = direction === "load";
  const [place, from, mbar, info, mask] = load ? operands : [operands[1], operands[0]];
  const { override, dim } = plan;
  const [address, ...values] = elements(from);
  const given = override === undefined ? 0 : override === "address" ? 1 : dim === 1 ? 2 : 1 + 2 * dim;
  const coordinates = values.slice(given);
  const changed = override && overrider(dim, values.slice(0, given).map(slot), lanes);
  const shared = new BulkAddress(place, load ? "store" : "load", "shared", ALIGN, context);
  const signal = load ? new Signals(mbar, context) : undefined;
  const read = mapReader(address, context);
  const at = coordinates.map((each) => slot(each).slot * lanes);
  const more = info === undefined ? [] : elements(info).map((each) => slot(each).slot * lanes);
  const masks = multicast === undefined ? -1 : slot(mask).slot * lanes;
  const whole = multicast === 32 ? 0xffff_ffff : 0xffff;
  const site = siteOf(context);
  const asked = {
    dim: plan.dim,
    mode,
    direction: plan.updates ? ("reduce" as const) : direction,
    target: context.target,
  };

  const ask = (warp: Warp, lane: number, given: TensorMap): void => {
    const map = changed?.(given, warp, lane) ?? given;
    if (changed !== undefined) checkOverride(map, lane, context);
    const walk = walkOf(
      mode,
      at.map((from) => warp.r[from + lane]! | 0),
      more.map((from) => warp.r[from + lane]! & 0xffff),
    );
    if (override === "all" && at.some((from) => warp.r[from + lane] !== 0))
      throw new Fault("PTX3052", lane, "overrides sizes and strides, and its coordinates are not all 0");
    const problem = checkWalk(map, asked, walk);
    if (problem !== undefined)
      throw new Fault("PTX3052", lane, `asks for ${problem.message}`, [], undefined, [`expected ${problem.expected}`]);
    const update = plan.updates?.[map.element.name];
    if (plan.updates !== undefined && update === undefined)
      throw new Fault("PTX3052", lane, `reduces elements of ${map.element.name}, which it has no operation for`);
    const footprint = footprintOf(map, walk);
    const { span, bytes } = footprint;
    shared.find(warp);
    const start = shared.check(warp, lane, span);
    if (load) checkOwner(whose, "its destination", start, lane, warp, context);
    else checkOwner("own", "its source", start, lane, warp, context);
    signal?.find(warp);
    const tells = signal?.check(warp, lane) ?? -1;
    const outside = globalRanges(map, footprint);
    for (const range of outside) reachGlobal(warp, lane, range, load, context);
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    const issue = (base: number, window: number, completion: Completion): void => {
      const inside = sharedRanges(base, window, footprint, map);
      const mover = tensorMover({ map, footprint, window, base: base - window, update }, context.memory);
      const operation: Operation = {
        site: site(warp),
        thread,
        what: update === undefined ? "copy" : "reduction",
        proxy: "async",
        reads: load ? outside : inside,
        writes: load ? inside : outside,
        ...(update === undefined ? {} : { updates: true }),
        completion,
        perform: load ? mover.load : mover.store,
      };
      asynchrony.issue(operation);
    };
    const { cluster } = warp.ctaSync;
    const home = rankAt(start, warp, context);
    const window = sharedOf(cluster[home]);
    if (!load) {
      issue(start, window, { kind: "group", line: lineOf("bulk", thread) });
      return;
    }
    const bell = rankAt(tells, warp, context);
    const offset = tells - sharedOf(cluster[bell]);
    if (bell !== home && masks < 0 && !(plan.pair === true && bell === (home ^ 1)))
      throw new Fault(
        "PTX3050",
        lane,
        `has its mbarrier object in block ${bell} of the cluster and its destination in block ${home}`,
      );
    if (whose === "own") checkOwner("own", "its mbarrier object", tells, lane, warp, context);
    // Copies to several blocks signal that block of each pair which has the same parity as the mbarrier object's block.
    const told = (rank: number): number => (plan.pair === true ? (rank & ~1) | (bell & 1) : rank);
    for (const rank of masks < 0 ? [home] : ranksOf((warp.r[masks + lane]! & whole) >>> 0, lane, warp)) {
      const to = sharedOf(cluster[rank]);
      const barrier = masks < 0 ? tells : sharedOf(cluster[told(rank)]) + offset;
      checkObject(barrier, lane, context, inspects !== undefined);
      issue(to + (start - window), to, { kind: "mbarrier", at: barrier, bytes, inspects });
    }
  };
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) ask(warp, lane, read(warp, lane));
  };
}

/**
 * What replaces fields of a map (PTX ISA, Overriding tensor property value): the address; then sizes of 8 bits, the low
 * 32 bits of each stride in units of 16 bytes, and the high 4 bits of all of them.
 */
function overrider(
  dim: number,
  [base, ...attributes]: readonly SlotOperand[],
  lanes: number,
): (map: TensorMap, warp: Warp, lane: number) => TensorMap {
  const word = (at: number, { r }: Warp, lane: number): number => r[attributes[at]!.slot * lanes + lane]!;
  return (map, warp, lane) => {
    const address = warp.q[base!.slot * lanes + lane]!;
    if (attributes.length === 0) return { ...map, address };
    const dims = Array.from({ length: dim }, (_, at) => word(at, warp, lane) & 0xff);
    const strides = Array.from({ length: dim - 1 }, (_, at) => {
      const upper = (word(2 * dim - 1, warp, lane) >>> (4 * at)) & 0xf;
      return 16 * (word(dim + at, warp, lane) + upper * 2 ** 32);
    });
    return { ...map, address, dims, strides };
  };
}

/** Throws a Fault unless a map is sound with what an instruction has changed of it. */
function checkOverride(map: TensorMap, lane: number, { memory }: Context): void {
  const [problem] = checkMap(map);
  if (problem !== undefined)
    throw new Fault("PTX3052", lane, `overrides its tensor map: ${problem.message}`, [], undefined, [
      `expected ${problem.expected}`,
    ]);
  if (memory.supply === undefined && map.address >> 32n !== BigInt(windows.global))
    throw new Fault(
      "PTX3002",
      lane,
      `overrides its tensor's address by 0x${map.address.toString(16)}, where nothing is`,
    );
}

/** The walk that the coordinates, and the numbers behind them, mean in each mode. */
function walkOf(mode: PlanOf<"tensor copy">["mode"], coordinates: readonly number[], more: readonly number[]): Walk {
  switch (mode) {
    case "tile":
      return { mode, coordinates };
    case "tile::gather4":
    case "tile::scatter4": {
      const [column = 0, ...rows] = coordinates;
      return { mode: "rows", column, rows };
    }
    case "im2col":
    case "im2col_no_offs":
      return { mode: "im2col", coordinates, offsets: more };
    case "im2col_no_offs::w":
      return { mode: "im2col::w", coordinates, halo: 0, offset: 0 };
    case "im2col::w":
    case "im2col::w::128":
      return { mode, coordinates, halo: more[0] ?? 0, offset: more[1] ?? 0 };
  }
}

/** The bytes of global memory that are moved, neighbours as one; offsets in the buffer, -1 outside of global memory. */
function globalRanges({ address, element }: TensorMap, { rows, step }: Footprint): readonly ByteRange[] {
  const ranges: { start: number; bytes: number }[] = [];
  const base = Number(BigInt.asUintN(32, address));
  const add = (start: number, bytes: number): void => {
    const last = ranges.at(-1);
    if (last !== undefined && last.start + last.bytes === start) last.bytes += bytes;
    else ranges.push({ start, bytes });
  };
  for (const { global, from, to } of rows) {
    if (from >= to) continue;
    if (step === element.global) add(base + global + from * step, (to - from) * step);
    else for (let unit = from; unit < to; unit++) add(base + global + unit * step, element.global);
  }
  return ranges;
}

/** Throws a Fault if the tensor reaches beyond its memory. */
function reachGlobal(warp: Warp, lane: number, { start, bytes }: ByteRange, load: boolean, context: Context): void {
  const { scratch, memory } = context;
  scratch.low[lane] = start;
  scratch.high[lane] = windows.global;
  scratch.at[lane] = start + bytes > memory.data.u8.length ? memory.data.u8.length - 1 : start;
  const kind = load ? "load" : "store";
  reach(warp, lane, { kind, space: "global", bytes, align: 1, sum: () => {} }, context);
}

/** The bytes of shared memory that are moved. */
function sharedRanges(
  base: number,
  window: number,
  { rows, pitch, units, span, shuffle }: Footprint,
  { element, swizzle, atomicity }: TensorMap,
): readonly ByteRange[] {
  const gaps = element.global !== element.shared;
  if (!gaps && (swizzle === "none" || (span % ALIGN === 0 && base % ALIGN === window % ALIGN)))
    return [{ start: base, bytes: span }];
  const ranges: ByteRange[] = [];
  const unit = gaps ? element.shared : Math.min(pitch, atomBytes(swizzle, atomicity));
  const bytes = gaps ? element.global : unit;
  const count = gaps ? units : pitch / unit;
  for (let row = 0; row < rows.length; row++)
    for (let at = 0; at < count; at++)
      ranges.push({ start: window + shuffle(base - window + row * pitch + at * unit), bytes });
  return ranges;
}
