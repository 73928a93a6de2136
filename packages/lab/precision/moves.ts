import { constantValue } from "../../../src/interp/contract/constant.ts";
import { elements, type Operand } from "../../../src/interp/contract/operand.ts";
import type { PlanOf } from "../../../src/interp/contract/plan/shapes/shape-facts.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import type { Space } from "../../../src/interp/contract/space.ts";
import { amongLanes } from "../../../src/numeric/lower/warp.ts";
import type { Bench, Place, Step } from "./bench.ts";
import { outgrows } from "./integers.ts";
import { heldIn, lowOf, type Slot } from "./registers.ts";
import { type ConstantShadow, type Held, heldOf, type IntegerShadow, piecesOf, type Shadow } from "./shadow.ts";

type Operands = readonly (Operand | undefined)[];

const LANES = 32;

/** Calls it for each lane of a mask. */
export function each(taken: number, act: (lane: number) => void): void {
  for (let lane = 0; lane < LANES; lane++) if ((taken >>> lane) & 1) act(lane);
}

/** The registers that an operand names. */
export function slotsOf(operand: Operand | undefined): readonly Slot[] {
  if (operand?.kind === "slot") return [operand];
  return operand?.kind === "vector" ? operand.items.flatMap(slotsOf) : [];
}

export function forget({ shadows, warp: { lanes } }: Place, taken: number, slots: readonly Slot[]): void {
  for (const { bank, slot } of slots)
    for (let lane = 0; lane < lanes; lane++) if ((taken >>> lane) & 1) shadows[bank][slot * lanes + lane] = undefined;
}

/** A step that knows before what its results will have: what it moves does not change on the way. */
export function carrying(
  results: readonly Slot[],
  take: (place: Place, lane: number) => readonly (Held | undefined)[],
): Step {
  const kept: (readonly (Held | undefined)[])[] = [];
  return {
    before: (place, taken) =>
      each(taken, (lane) => {
        kept[lane] = take(place, lane);
      }),
    after: ({ shadows, warp: { lanes } }, taken) =>
      each(taken, (lane) => {
        for (const [at, { bank, slot }] of results.entries()) shadows[bank][slot * lanes + lane] = kept[lane]?.[at];
      }),
  };
}

export function moving(to: readonly Slot[], from: readonly Slot[], { program }: Bench): Step | undefined {
  if (to.length === 0 || to.length !== from.length) return undefined;
  const constants = from.map((slot) => shadowOfConstant(slot, program));
  return carrying(to, ({ shadows, warp }, lane) =>
    from.map((slot, at) => constants[at] ?? heldIn(shadows, slot, lane, warp.lanes)),
  );
}

function shadowOfConstant(operand: Operand | undefined, program: Program): ConstantShadow | undefined {
  if (operand?.kind !== "slot") return undefined;
  const value = operand.bits === 128 ? undefined : constantValue(operand, program);
  if (value === undefined) return undefined;
  const [low, high] = [Number(value & 0xffff_ffffn), Number((value >> 32n) & 0xffff_ffffn)];
  return { kind: "constant", width: operand.bits, low, high };
}

export function selecting([d, a, b, p]: Operands, { program }: Bench): Step | undefined {
  if (d?.kind !== "slot" || p?.kind !== "predicate") return undefined;
  const [yes, no] = [shadowOfConstant(a, program), shadowOfConstant(b, program)];
  return carrying([d], ({ shadows, warp }, lane) => {
    const mask = p.negated ? ~warp.p[p.slot]! : warp.p[p.slot]!;
    const [chosen, constant] = (mask >>> lane) & 1 ? [a, yes] : [b, no];
    return [constant ?? (chosen?.kind === "slot" ? heldIn(shadows, chosen, lane, warp.lanes) : undefined)];
  });
}

export function packing(shape: "pack" | "unpack", operands: Operands): Step | undefined {
  const [vector, whole] = shape === "pack" ? [operands[1], operands[0]] : operands;
  if (vector?.kind !== "vector" || whole?.kind !== "slot" || whole.bits === 128) return undefined;
  const parts = vector.items;
  const width = whole.bits / parts.length;
  if (shape === "pack")
    return carrying([whole], ({ shadows, warp }, lane) => {
      const pieces = parts.flatMap((part, index) =>
        part.kind === "slot"
          ? piecesOf(heldIn(shadows, part, lane, warp.lanes)).map(({ at, shadow }) => ({
              at: at + index * width,
              shadow,
            }))
          : [],
      );
      return [heldOf(pieces)];
    });
  const results = parts.filter((part) => part.kind === "slot");
  return carrying(results, ({ shadows, warp }, lane) => {
    const pieces = piecesOf(heldIn(shadows, whole, lane, warp.lanes));
    return parts.flatMap((part, index) => {
      if (part.kind !== "slot") return [];
      const moved = pieces.map(({ at, shadow }) => ({ at: at - index * width, shadow }));
      return [heldOf(moved.filter(({ at, shadow }) => at < width && at + shadow.width > 0))];
    });
  });
}

/** Whether an access may be of a parameter of a call, which is copied to where the function has it. */
const isPassed = (space: Space, { functions }: Program): boolean =>
  functions.length > 0 && (space === "local" || space === "param");

export function loading({ space, cell }: PlanOf<"load">, operands: Operands, bench: Bench): Step {
  const { memory, counts, passed } = bench;
  const passes = isPassed(space, bench.program);
  const bytes = cell.bits / 8;
  const results = elements(operands[0]);
  const small = counts && cell.bits < 32;
  return {
    after: ({ shadows, warp }, taken, where) =>
      each(taken, (lane) => {
        for (const [index, result] of results.entries()) {
          if (result.kind !== "slot") continue;
          const place = where[lane]! + index * bytes;
          const held = memory.load(place, bytes) ?? (passes ? passed.of(shadows, lane) : undefined);
          const at = result.slot * warp.lanes + lane;
          shadows[result.bank][at] =
            held ?? (small ? countedIn(result, cell.signed, lowOf(warp, result, lane)) : undefined);
        }
      }),
  };
}

/** A small value from memory. */
function countedIn({ bits }: Slot, isSigned: boolean, low: number): IntegerShadow | undefined {
  if (bits === 64 || bits === 128) return undefined;
  const value = isSigned ? BigInt.asIntN(bits, BigInt(low)) : BigInt(low);
  return {
    kind: "integer",
    width: bits,
    low,
    high: 0,
    signed: value,
    unsigned: value,
    pc: -1,
    why: "counted",
    widened: false,
  };
}

export function storing(pc: number, { space, cell }: PlanOf<"store">, operands: Operands, bench: Bench): Step {
  const { memory, misuse, passed } = bench;
  const passes = isPassed(space, bench.program);
  const bytes = cell.bits / 8;
  const sources = elements(operands[1]);
  return {
    after: ({ shadows, warp }, taken, where) =>
      each(taken, (lane) => {
        for (const [index, source] of sources.entries()) {
          const held = source.kind === "slot" ? heldIn(shadows, source, lane, warp.lanes) : undefined;
          if (where[lane]! >= 0) memory.store(where[lane]! + index * bytes, bytes, held);
          if (passes && held !== undefined) passed.pass(shadows, lane, held);
          if (held === undefined || bytes > 2 || !("kind" in held) || held.kind !== "integer") continue;
          const low = lowOf(warp, source as Slot, lane);
          if (held.low === low && outgrows(held, cell.bits))
            misuse(held, "narrowed", BigInt(low) & ((1n << BigInt(cell.bits)) - 1n), held.signed, pc, {
              block: warp.block,
              warp: warp.index,
              lane,
            });
        }
      }),
  };
}

/** What a lane has brought to an exchange among lanes. */
interface Brought {
  readonly held: Held | undefined;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** A shuffle moves values with their shadows; of a reduction the result is one of them, or none is known. */
export function exchanging({ op }: PlanOf<"warp">, operands: Operands, lost: Step): Step {
  const [d] = operands;
  const [a, b, c] = op.among === "shuffle" ? operands.slice(2) : operands.slice(1);
  if (d?.kind !== "slot" || a?.kind !== "slot" || a.bank !== "r") return lost;
  const lanesFrom = new Uint32Array(LANES);
  const result = [new Uint32Array(LANES), new Uint32Array(1)];
  const lanes = Uint32Array.from({ length: LANES }, (_, lane) => lane);
  const [bs, cs] = [new Uint32Array(LANES), new Uint32Array(LANES)];
  /** By warp, what its lanes have brought and not taken away yet. */
  const open = new WeakMap<object, (Brought | undefined)[]>();
  const broughtTo = ({ shadows }: Place): (Brought | undefined)[] => {
    const known = open.get(shadows) ?? [];
    open.set(shadows, known);
    return known;
  };
  return {
    before: (place, taken) => {
      const { shadows, warp } = place;
      const brought = broughtTo(place);
      each(taken, (lane) => {
        brought[lane] = {
          held: heldIn(shadows, a, lane, warp.lanes),
          a: lowOf(warp, a, lane),
          b: b?.kind === "slot" ? lowOf(warp, b, lane) : 0,
          c: c?.kind === "slot" ? lowOf(warp, c, lane) : 0,
        };
      });
    },
    after: (place) => {
      const { shadows, warp } = place;
      const brought = broughtTo(place);
      const parked = warp.parked.reduce((all, { mask }) => all | mask, 0);
      let mask = 0;
      for (const [lane, each] of brought.entries())
        if (each !== undefined && !((parked >>> lane) & 1)) {
          mask |= 1 << lane;
          bs[lane] = each.b;
          cs[lane] = each.c;
        }
      if (op.among === "shuffle") {
        amongLanes(op)(result, [lanes, bs, cs], mask, warp.lanes);
        lanesFrom.set(result[0]!);
      } else
        each(mask, (lane) => {
          const low = lowOf(warp, d, lane);
          const from = brought.findIndex((other, at) => (mask >>> at) & 1 && other?.a === low);
          lanesFrom[lane] = from < 0 ? lane : from;
        });
      const helds = brought.map((each) => each?.held);
      each(mask, (lane) => {
        shadows[d.bank][d.slot * warp.lanes + lane] = helds[lanesFrom[lane]!];
        brought[lane] = undefined;
      });
    },
  };
}

/** Whether a register still has the bits of a shadow, or of the half that lies in it. */
export const bitsAgree = ({ width, low, high }: Shadow, at: number, word: number, upper: number): boolean =>
  width === 64 ? (at === -32 ? word === high : word === low && (upper === high || at !== 0)) : at === 0 && word === low;
