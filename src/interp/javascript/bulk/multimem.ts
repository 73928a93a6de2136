import type { Bits } from "../../../numeric/bits.ts";
import { lower } from "../../../numeric/lower/lowered.ts";
import { inspect, type reach } from "../../access/inspect.ts";
import type { MemoryAccess } from "../../access/memory-access.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Space } from "../../contract/space.ts";
import { windows } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { locator } from "../locate.ts";

const kinds = { load: "load", store: "store", update: "atomic" } as const;

/**
 * multimem.ld_reduce, multimem.st and multimem.red: on all replicas of the address, in order.
 */
export function multimem(plan: PlanOf<"multimem">, operands: readonly (Operand | undefined)[], context: Context): Step {
  const { act, bits, packed, space, sem, scope } = plan;
  const { lanes, memory } = context;
  const [a, data] = act === "load" ? [operands[1], operands[0]] : operands;
  const parts = elements(data);
  const size = (bits / 8) * packed;
  const bytes = size * parts.length;
  const access = { kind: kinds[act], bytes };
  const cell = cellOf(bits, memory.data.u8);
  const run = (op: PlanOf<"multimem">["fold"]) => op && (lower(op).js as (...inputs: readonly Bits[]) => Bits);
  const [fold, begin, end] = [run(plan.fold), run(plan.begin), run(plan.end)];

  const mask = bits >= 32 ? -1 : (1 << bits) - 1;
  const reduced = ([first, ...others]: readonly Bits[]): Bits => {
    let value = begin?.(first!) ?? first!;
    for (const other of others) value = fold?.(value, other) ?? value;
    return end?.(value) ?? value;
  };

  const places = replicas(a, space, context);
  return (warp) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((warp.active >>> lane) & 1)) continue;
      const all = places(warp, lane, access, inspect);
      for (const at of all) tellReplica(warp, lane, at, { kind: access.kind, bytes, sem, scope }, context);
      parts.forEach((part, index) => {
        const at = index * size;
        const { bank, slot: from } = part.kind === "sink" ? { bank: "r" as const, slot: -1 } : slot(part);
        const register = from * lanes + lane;
        // Packed numbers fill at most 32 bits.
        let given = 0;
        for (let number = 0; number < packed; number++) {
          const place = at + (number * bits) / 8;
          const shift = number * bits;
          if (act === "load") {
            const value = reduced(all.map((start) => cell.get(start + place)));
            if (bank === "q" && from >= 0) warp.q[register] = value as bigint;
            else given |= (value as number) << shift;
            continue;
          }
          const own = bank === "r" ? ((warp.r[register]! >>> shift) & mask) >>> 0 : warp.q[register]!;
          for (const start of all)
            cell.set(start + place, fold === undefined ? own : fold(cell.get(start + place), own));
        }
        if (act === "load" && bank === "r" && from >= 0) warp.r[register] = given >>> 0;
      });
    }
  };
}

/** A multimem address: how to find and check the same bytes of each replica, by their offsets in the buffer. */
export function replicas(
  operand: Operand | undefined,
  space: Space,
  context: Context,
): (
  warp: Warp,
  lane: number,
  access: Pick<MemoryAccess, "kind" | "bytes" | "align">,
  check: typeof inspect | typeof reach,
) => readonly number[] {
  const { memory, scratch } = context;
  const { sum } = locator(operand, space, 1, context);
  return (warp, lane, access, check) => {
    sum(warp);
    const offset = scratch.low[lane]!;
    const { bytes } = access;
    const found =
      scratch.high[lane] === windows.multimem
        ? memory.multicasts.find(
            ({ replicas: [first = 0], bytes: all }) => offset >= first && offset + bytes <= first + all,
          )
        : undefined;
    if (found === undefined) throw noMultimem(warp, lane, bytes, context);
    const delta = offset - found.replicas[0]!;
    return found.replicas.map((start) => {
      scratch.at[lane] = start + delta;
      check(warp, lane, { ...access, space: "global", sum }, context);
      return start + delta;
    });
  };
}

/** Notifies observers of an access to one replica. */
export function tellReplica(
  { block, index }: Warp,
  lane: number,
  at: number,
  { kind, bytes, sem, scope }: Pick<MemoryAccess, "kind" | "bytes"> & Required<Strength>,
  { observers }: Context,
): void {
  const thread = { block, warp: index, lane };
  for (const observer of observers)
    if (kind === "load") observer.load?.(thread, "global", BigInt(at), bytes, sem, scope, at);
    else if (kind === "store") observer.store?.(thread, "global", BigInt(at), bytes, sem, scope, at, undefined);
    else observer.atomic?.(thread, "global", BigInt(at), bytes, sem, scope, at);
}

type Strength = Pick<PlanOf<"multimem">, "sem" | "scope">;

function noMultimem(warp: Warp, lane: number, bytes: number, { scratch }: Context): Fault {
  const address = (BigInt(scratch.high[lane]!) << 32n) | BigInt(scratch.low[lane]!);
  return new Fault(
    "PTX3053",
    lane,
    `touches ${bytes} bytes at 0x${address.toString(16)}, where there is no multimem memory`,
    [],
    warp.pc,
    ["bind the parameter with -a NAME=multimem:N:BUFFER, or pass what device.multicast gives"],
  );
}

/** Elements of one width by byte offset; bigints of 64 bits. */
function cellOf(bits: 8 | 16 | 32 | 64, u8: Uint8Array): { get(at: number): Bits; set(at: number, value: Bits): void } {
  const view = new DataView(u8.buffer, u8.byteOffset, u8.byteLength);
  switch (bits) {
    case 8:
      return { get: (at) => u8[at]!, set: (at, value) => view.setUint8(at, value as number) };
    case 16:
      return { get: (at) => view.getUint16(at, true), set: (at, value) => view.setUint16(at, value as number, true) };
    case 32:
      return { get: (at) => view.getUint32(at, true), set: (at, value) => view.setUint32(at, value as number, true) };
    case 64:
      return {
        get: (at) => view.getBigUint64(at, true),
        set: (at, value) => view.setBigUint64(at, value as bigint, true),
      };
  }
}
