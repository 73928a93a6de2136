import { elements, type Operand } from "../../../src/interp/contract/operand.ts";
import type { PlanOf } from "../../../src/interp/contract/plan/shapes/shape-facts.ts";
import { reference } from "../../../src/numeric/operation/reference.ts";
import { Arithmetic } from "./arithmetic.ts";
import type { Bench, Step } from "./bench.ts";
import type { Input } from "./input.ts";
import { each } from "./moves.ts";
import { highOf, lowOf, partOf, type Slot, shadowOf } from "./registers.ts";
import { type Held, type Shadow, shadowAt } from "./shadow.ts";

type Operands = readonly (Operand | undefined)[];

/** The bits of a place in memory, and their shadow: those before an atomic operation, then those between its lanes. */
interface Cell {
  low: number;
  high: number;
  held: Held | undefined;
}

/** An atomic operation on one element: lanes do it one after the other, in their order. */
export function updating(pc: number, plan: PlanOf<"atomic">, operands: Operands, bench: Bench, lost: Step): Step {
  const { op, bits, gives, space } = plan;
  const [d, address, ...given] = gives ? operands : [undefined, ...operands];
  const sources = given.slice(0, op.takes.length - 1).flatMap((operand) => (operand ? elements(operand) : []));
  const slots = sources.filter((source): source is Slot => source.kind === "slot");
  if (bits > 64 || slots.length !== op.takes.length - 1 || address?.kind !== "address")
    return lostIn(bench, bits / 8, lost);
  const bytes = bits / 8;
  const { result, takes } = op;
  const parts =
    result.into === "lanes"
      ? result.lanes.map(({ operation, low, bits: width }) => ({
          arithmetic: Arithmetic.of(operation.result, operation.takes),
          low,
          width,
        }))
      : [{ arithmetic: Arithmetic.of(result, takes), low: 0, width: bits }];
  const cells: (Cell | undefined)[] = [];
  const inputs: (readonly { low: number; high: number; shadows: readonly (Shadow | undefined)[]; held: Held | undefined }[])[] = []; // biome-ignore format: one type
  return {
    before: ({ shadows, warp }, taken) =>
      each(taken, (lane) => {
        cells[lane] = undefined;
        inputs[lane] = slots.map((slot) => ({
          low: lowOf(warp, slot, lane),
          high: highOf(warp, slot, lane),
          shadows: parts.map(({ low, width }) => shadowOf(shadows, warp, slot, lane, low, width)),
          held: shadows[slot.bank][slot.slot * warp.lanes + lane],
        }));
        const where = bench.find(space, address, { block: warp.block, warp: warp.index, lane }, bytes);
        if (where === undefined) return;
        const [low, high] = bench.bits(where, bytes);
        cells[lane] = { low, high, held: bench.memory.load(where, bytes) };
      }),
    after: ({ shadows, warp }, taken, where) => {
      const now = new Map<number, Cell>();
      each(taken, (lane) => {
        const place = where[lane]!;
        const cell = now.get(place) ?? cells[lane];
        if (d?.kind === "slot") shadows[d.bank][d.slot * warp.lanes + lane] = cell?.held;
        if (cell === undefined || place < 0) {
          if (place >= 0) bench.memory.store(place, bytes, undefined);
          return;
        }
        const values = [cell, ...inputs[lane]!];
        const all = reference(
          op,
          values.map(({ low, high }) => (BigInt(high) << 32n) | BigInt(low)),
        );
        const [low, high] = [Number(all & 0xffff_ffffn), Number((all >> 32n) & 0xffff_ffffn)];
        const thread = { block: warp.block, warp: warp.index, lane };
        const pieces = parts.map(({ arithmetic, low: at, width }, part) => {
          if (arithmetic === undefined) return undefined;
          const cut = ({ low }: { low: number }): number => partOf(low, 0, at, Math.min(32, width));
          const { format } = arithmetic;
          const given = inputs[lane]!.map(
            (each): Input => ({
              low: cut(each),
              high: width === 64 ? each.high : 0,
              shadow: each.shadows[part],
              constant: false,
              format,
            }),
          );
          const old: Input = {
            low: cut(cell),
            high: width === 64 ? cell.high : 0,
            shadow: shadowAt(cell.held, at, width, cut(cell), width === 64 ? cell.high : 0),
            constant: false,
            format,
          };
          return { at, shadow: arithmetic.shadow([old, ...given], cut({ low }), width === 64 ? high : 0, pc, thread) };
        });
        const kept = pieces.filter((piece) => piece !== undefined);
        // An exchange stores one of its operands, a comparison with it perhaps the old value.
        const moved = [...inputs[lane]!, cell].find((each) => each.low === low && each.high === high)?.held;
        const held = kept.length > 0 ? (kept.length === 1 && kept[0]!.at === 0 ? kept[0]!.shadow : kept) : moved;
        now.set(place, { low, high, held });
        bench.memory.store(place, bytes, held);
      });
    },
  };
}

const lostIn = ({ memory }: Bench, bytes: number, lost: Step): Step => ({
  ...lost,
  after: (place, taken, where) => {
    each(taken, (lane) => {
      if (where[lane]! >= 0) memory.store(where[lane]!, bytes, undefined);
    });
    lost.after?.(place, taken, where);
  },
});
