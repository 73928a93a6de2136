import { lower } from "../../../numeric/lower/lowered.ts";
import type { Operation } from "../../../numeric/operation/operation.ts";
import type { Image } from "../../contract/image.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import { addressIn } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { type Place, placeOf } from "../../texture/place.ts";
import { encoded } from "../../texture/store.ts";
import { bytesOfChannel, putChannel } from "../../texture/texel.ts";
import { fill } from "../bind/memory.ts";
import { loadElement, storeElement } from "../transfer.ts";
import { found, geometryOf, handleIsOne, handleReader, readable, writable } from "./handle.ts";

type SurfaceStep = Plan & { shape: "surface" };

/** `d, a, c` or `a, c, b`. */
export function surface(plan: SurfaceStep, operands: readonly (Operand | undefined)[], context: Context): Step {
  const [a, c, data] = plan.how === "load" ? [operands[1], operands[2], operands[0]] : operands;
  const { lanes, scratch, observers } = context;
  const handleOf = handleReader(a, context);
  const isOne = handleIsOne(a, context);
  const axes = elements(c).map((part) => slot(part).slot * lanes);
  const coordinate = (axis: number, { s }: Warp, lane: number): number => {
    const base = axes[axis];
    return base === undefined ? 0 : s[base + lane]!;
  };
  const formatted = plan.how === "store" && plan.by === "texel";
  const cells = elements(data).length;
  const bytesOf = (image: Image): number => (formatted ? image.bytes : (plan.cell.bits / 8) * cells);
  const act =
    plan.how === "load"
      ? loading(plan, data, context)
      : plan.how === "reduce"
        ? reducing(plan, data, context)
        : formatted
          ? formatting(data, context)
          : storing(plan, data, context);
  const images: Image[] = [];
  const place: Place = { at: 0, byte: 0, inside: false };
  const imageOf = (warp: Warp, lane: number): Image => {
    const object = found(handleOf(warp, lane), "surfref", lane, context);
    if (object.kind !== "surfref") throw new Error("a surface is a surface");
    agree(plan, object.image, lane);
    return object.image;
  };
  /** Finds the cell of a lane; false where it is outside and nothing is accessed. */
  const locate = (warp: Warp, lane: number, image: Image): boolean => {
    const bytes = bytesOf(image);
    const unit = plan.by === "byte" ? 1 : formatted ? image.bytes : plan.cell.bits / 8;
    const [x, y, z] = [coordinate(0, warp, lane), coordinate(1, warp, lane), coordinate(2, warp, lane)];
    placeOf(image, plan.geometry, x, y, z, unit, bytes, plan.outside, place);
    const what = (): string =>
      `${bytes} bytes at (${axes.map((base) => warp.s[base + lane]!).join(", ")}) of ${image.name}`;
    if (!place.inside && plan.outside === "trap")
      throw new Fault("PTX3042", lane, `${verbs[plan.how]} ${what()}, ${sizeOf(image)}`);
    if (!place.inside) return false;
    if (!formatted && place.byte % bytes !== 0)
      throw new Fault(
        "PTX3001",
        lane,
        `${verbs[plan.how]} ${what()}, byte ${place.byte} of a row, which is not a multiple of ${bytes}`,
      );
    if (plan.how !== "store") readable(warp, lane, place.at, bytes, what, context);
    if (plan.how !== "load") writable(lane, place.at, bytes, what, context);
    scratch.at[lane] = place.at;
    images[lane] = image;
    return true;
  };
  return (warp) => {
    const { active } = warp;
    const first = 31 - Math.clz32(active & -active);
    const shared = active !== 0 && isOne(warp, first) ? imageOf(warp, first) : undefined;
    let located = 0;
    try {
      for (let lane = 0; lane < lanes; lane++) {
        if (!((active >>> lane) & 1)) continue;
        if (!locate(warp, lane, shared ?? imageOf(warp, lane))) {
          act.nothing?.(warp, lane);
          continue;
        }
        located |= 1 << lane;
        if (observers.length === 0) continue;
        // An observer hears of one lane after the other.
        warp.active = (1 << lane) >>> 0;
        act.access(warp, images);
        tell(plan.how, warp, lane, scratch.at[lane]!, bytesOf(images[lane]!), context);
      }
    } finally {
      // Lanes before one with a fault have their accesses behind them.
      if (observers.length === 0 && located !== 0) {
        warp.active = located >>> 0;
        act.access(warp, images);
      }
      warp.active = active;
    }
  };
}

const verbs = { load: "reads", store: "writes", reduce: "updates" } as const;

function agree({ geometry }: SurfaceStep, image: Image, lane: number): void {
  const has = image.cube ? "a2d" : geometryOf(image);
  if (has !== geometry)
    throw new Fault("PTX3041", lane, `touches ${image.name}, whose geometry is .${has}, as .${geometry}`);
}

/** `which has 4 x 3 texels of 8 bytes`. */
function sizeOf({ levels, dimensions, layers, cube, bytes }: Image): string {
  const [{ width, height, depth }] = levels as [Image["levels"][number]];
  const count = (layers ?? 1) * (cube ? 6 : 1);
  const size = [width, height, depth].slice(0, dimensions).join(" x ");
  return `which has ${size} texels of ${bytes} bytes${count > 1 || layers !== undefined ? ` in ${count} layers` : ""}`;
}

/** Notifies observers of an access to a surface. */
export function tell(
  how: SurfaceStep["how"],
  warp: Warp,
  lane: number,
  at: number,
  bytes: number,
  { observers, memory }: Context,
): void {
  const thread = { block: warp.block, warp: warp.index, lane };
  const address = addressIn("global", at);
  const value = (): bigint =>
    memory.data.u8.subarray(at, at + bytes).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  for (const observer of observers)
    if (how === "load") observer.load?.(thread, "global", address, bytes, "weak", "gpu", at);
    else if (how === "store") observer.store?.(thread, "global", address, bytes, "weak", "gpu", at, value());
    else observer.atomic?.(thread, "global", address, bytes, "relaxed", "gpu", at);
}

/** What an access of the active lanes does with the bytes at `scratch.at`, and what a load does outside of the surface. */
interface Act {
  readonly access: (warp: Warp, images: readonly Image[]) => void;
  readonly nothing?: (warp: Warp, lane: number) => void;
}

/** One step after the other. */
const inTurn = (steps: readonly Step[]) => (warp: Warp) => {
  for (const step of steps) step(warp);
};

/** One active lane after the other. */
const byLane =
  (lanes: number, one: (warp: Warp, lane: number, image: Image) => void) => (warp: Warp, images: readonly Image[]) => {
    for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) one(warp, lane, images[lane]!);
  };

function loading({ cell }: SurfaceStep, d: Operand | undefined, context: Context): Act {
  const { lanes } = context;
  const parts = elements(d)
    .map((part, at) => ({ part, offset: (at * cell.bits) / 8 }))
    .filter(({ part }) => part.kind !== "sink");
  const steps = parts.flatMap(({ part, offset }) => [
    loadElement(slot(part), cell, offset, context),
    ...fill(slot(part), cell, context),
  ]);
  return {
    access: inTurn(steps),
    nothing: ({ r, q }, lane) => {
      for (const { part } of parts) {
        const { bank, slot: at, bits } = slot(part);
        if (bank === "r") r[at * lanes + lane] = 0;
        else for (let half = 0; half < (bits === 128 ? 2 : 1); half++) q[(at + half) * lanes + lane] = 0n;
      }
    },
  };
}

function storing({ cell }: SurfaceStep, b: Operand | undefined, context: Context): Act {
  return {
    access: inTurn(elements(b).map((part, at) => storeElement(slot(part), cell, (at * cell.bits) / 8, context))),
  };
}

/** sust.p: stores each word in the surface's format; channels without a word count as never written. */
function formatting(b: Operand | undefined, { lanes, memory, scratch: { at } }: Context): Act {
  const words = elements(b).map(slot);
  return {
    access: byLane(lanes, ({ r, w }, lane, { type, channels }) => {
      const bytes = bytesOfChannel(type);
      for (let channel = 0; channel < channels; channel++) {
        const from = words[channel];
        const place = at[lane]! + channel * bytes;
        if (from === undefined) {
          memory.forget(place, bytes);
          continue;
        }
        const base = from.slot * lanes + lane;
        const value = encoded(type, from.bank === "q" ? w[2 * base]! : r[base]!);
        putChannel(memory.data, place, bytes, value);
      }
    }),
  };
}

function reducing(
  { cell, op, signed }: SurfaceStep,
  b: Operand | undefined,
  { lanes, memory, scratch: { at } }: Context,
): Act {
  const { slot: from, bank } = slot(b);
  const { u32, u64 } = memory.data;
  const bind = (which: Operation | undefined): ((warp: Warp, lane: number) => void) => {
    if (which === undefined) throw new Error("a reduction has an operation");
    if (cell.bits === 64) {
      const run = lower(which).js as (held: bigint, b: bigint) => bigint;
      return ({ q }, lane) => {
        u64[at[lane]! >>> 3] = run(u64[at[lane]! >>> 3]!, q[from * lanes + lane]!);
      };
    }
    const run = lower(which).js as (held: number, b: number) => number;
    return ({ r, w }, lane) => {
      const base = from * lanes + lane;
      u32[at[lane]! >>> 2] = run(u32[at[lane]! >>> 2]!, bank === "q" ? w[2 * base]! >>> 0 : r[base]!);
    };
  };
  const usual = bind(op);
  const other = signed === undefined ? usual : bind(signed);
  return { access: byLane(lanes, (warp, lane, { type }) => (type.startsWith("s") ? other : usual)(warp, lane)) };
}
