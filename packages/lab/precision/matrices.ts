import { type Fragment, positionsOf } from "../../../src/interp/contract/matrix/fragment.ts";
import { fragmentsOf } from "../../../src/interp/contract/matrix/matrix-fragments.ts";
import { elements, type Operand } from "../../../src/interp/contract/operand.ts";
import type { PlanOf } from "../../../src/interp/contract/plan/shapes/shape-facts.ts";
import type { Format } from "../../../src/numeric/format/format.ts";
import { elementFormat, isFloatElement } from "../../../src/numeric/tensor/element.ts";
import { addNoise, shadowOfSum } from "./arithmetic.ts";
import type { Bench, Place, Step } from "./bench.ts";
import type { Input } from "./input.ts";
import { ofBits, plus, type Real, times, toNumber } from "./real.ts";
import { highOf, lowOf, partOf, type Slot, shadowOf } from "./registers.ts";
import { exactOf, type Held, heldOf, type Noise, type Piece, piecesOf, type Share } from "./shadow.ts";

type Operands = readonly (Operand | undefined)[];

/** Where one element of a matrix lies in the registers of a warp. */
interface Spot {
  readonly lane: number;
  readonly slot: Slot;
  readonly low: number;
  readonly bits: number;
}

/** The spots of a matrix by rows; of copies the first. Undefined where an operand is no vector of registers. */
function spotsOf(fragment: Fragment, operand: Operand | undefined): readonly (readonly Spot[])[] | undefined {
  if (operand === undefined || fragment.matrices !== undefined || fragment.bits < 16) return undefined;
  const { rows, columns, count, bits } = fragment;
  const positions = positionsOf(fragment);
  const registers = elements(operand);
  const each = bits === 64 ? 1 : 32 / bits;
  const found: Spot[][] = Array.from({ length: rows * columns }, () => []);
  for (let lane = 0; lane < 32; lane++)
    for (let i = 0; i < count; i++) {
      const slot = registers[Math.floor(i / each)];
      if (slot?.kind !== "slot") continue;
      found[positions[lane * count + i]!]?.push({ lane, slot, low: (i % each) * bits, bits });
    }
  return found.every((spots) => spots.length > 0) ? found : undefined;
}

/** An element as it is and as it should be. */
interface Element {
  readonly exact: Real;
  readonly size: number;
  readonly error: number;
  readonly noise: Noise;
  readonly shares: readonly Share[];
  readonly input: Input;
}

function read({ shadows, warp }: Place, { lane, slot, low, bits }: Spot, format: Format): Element {
  const [word, upper] = [lowOf(warp, slot, lane), highOf(warp, slot, lane)];
  const own = partOf(word, upper, low, bits);
  const high = bits === 64 ? upper : 0;
  const shadow = shadowOf(shadows, warp, slot, lane, low, bits);
  const input: Input = { low: own, high, shadow, constant: false, format };
  const noise: [number, number, number] = [0, 0, 0];
  addNoise(noise, 1, input, format);
  const float = shadow?.kind === "float" ? shadow : undefined;
  const exact = float === undefined ? ofBits(format, own, high) : exactOf(float);
  return { exact, size: toNumber(exact), error: float?.error ?? 0, noise, shares: float?.shares ?? [], input };
}

/** D = A * B + C of floats, without scales and with all of A. */
export function multiplying(pc: number, { op }: PlanOf<"multiply">, operands: Operands, lost: Step): Step {
  const { a, b, c, d, m, n, k, sparse, scale, contained, quadPairs } = op;
  if (sparse || scale || contained || quadPairs) return lost;
  if (!isFloatElement(a) || !isFloatElement(b) || !isFloatElement(c) || !isFloatElement(d)) return lost;
  const layout = fragmentsOf(op);
  const [placesA, placesB, placesC, placesD] = [
    spotsOf(layout.a, operands[1]),
    spotsOf(layout.b, operands[2]),
    spotsOf(layout.c, operands[3]),
    spotsOf(layout.d, operands[0]),
  ];
  if (placesA === undefined || placesB === undefined || placesC === undefined || placesD === undefined) return lost;
  const formats = [a, b, c, d].map(elementFormat) as [Format, Format, Format, Format];
  let before: readonly (readonly Element[])[] = [];
  return {
    before: (place) => {
      before = [placesA, placesB, placesC].map((spots, which) =>
        spots.map(([first]) => read(place, first!, formats[which]!)),
      );
    },
    after: (place) => {
      const [lefts, rights, sums] = before as [readonly Element[], readonly Element[], readonly Element[]];
      const { shadows, warp } = place;
      const pieces = new Map<Slot, Piece[][]>();
      for (let row = 0; row < m; row++)
        for (let column = 0; column < n; column++) {
          const start = sums[row * n + column]!;
          let exact = start.exact;
          let inherited = start.error;
          const noise: [number, number, number] = [...start.noise];
          const shares: [readonly Share[], number][] = [[start.shares, 1]];
          const inputs = [start.input];
          for (let at = 0; at < k; at++) {
            const [left, right] = [lefts[row * k + at]!, rights[at * n + column]!];
            exact = plus(exact, times(left.exact, right.exact));
            inherited += left.error * right.size + right.error * left.size;
            for (let draw = 0; draw < 3; draw++)
              noise[draw]! += left.noise[draw]! * right.size + right.noise[draw]! * left.size;
            if (left.shares.length > 0) shares.push([left.shares, right.size]);
            if (right.shares.length > 0) shares.push([right.shares, left.size]);
            inputs.push(left.input, right.input);
          }
          for (const spot of placesD[row * n + column]!) {
            const { lane, slot, low, bits } = spot;
            const word = partOf(lowOf(warp, slot, lane), highOf(warp, slot, lane), low, bits);
            const high = bits === 64 ? highOf(warp, slot, lane) : 0;
            const thread = { block: warp.block, warp: warp.index, lane };
            const shadow = shadowOfSum({
              format: formats[3],
              low: word,
              high,
              exact,
              inherited,
              noise,
              shares,
              inputs,
              pc,
              thread,
            });
            const lanes = pieces.get(slot) ?? [];
            pieces.set(slot, lanes);
            lanes[lane] = [...(lanes[lane] ?? []), { at: low, shadow }];
          }
        }
      for (const [{ bank, slot }, lanes] of pieces)
        for (const [lane, own] of lanes.entries()) shadows[bank][slot * warp.lanes + lane] = heldOf(own ?? []);
    },
  };
}

/** Matrices between memory and the registers of a warp: lane i has the place of line i. */
export function lining(
  { shape, lines }: PlanOf<"load lines"> | PlanOf<"store lines">,
  operands: Operands,
  { memory }: Bench,
  lost: Step,
): Step {
  const { fragment, matrices, line: which, packed } = lines;
  const { rows, columns, count, bits } = fragment;
  const registers = elements(operands[shape === "load lines" ? 0 : 1]);
  if (packed !== undefined || bits < 16) return lost;
  const each = bits === 64 ? 1 : 32 / bits;
  const positions = positionsOf(fragment);
  return {
    after: ({ shadows, warp }, _, where) => {
      for (let lane = 0; lane < 32; lane++) {
        const loaded = new Map<Operand, Piece[]>();
        for (let matrix = 0; matrix < matrices; matrix++)
          for (let i = 0; i < count; i++) {
            const at = positions[lane * count + i]!;
            const [row, column] = [Math.floor(at / columns), at % columns];
            const line = which === "row" ? matrix * rows + row : matrix * columns + column;
            const start = where[line]!;
            const register = registers[Math.floor((matrix * count + i) / each)];
            if (start < 0 || register?.kind !== "slot") continue;
            const place = start + ((which === "row" ? column : row) * bits) / 8;
            const low = (i % each) * bits;
            if (shape === "load lines") {
              const shadow = memory.shadows.get(place);
              const own = loaded.get(register) ?? [];
              loaded.set(register, own);
              if (shadow?.width === bits) own.push({ at: low, shadow });
            } else {
              const held: Held | undefined = shadows[register.bank][register.slot * warp.lanes + lane];
              memory.store(
                place,
                bits / 8,
                piecesOf(held).find(({ at, shadow }) => at === low && shadow.width === bits)?.shadow,
              );
            }
          }
        for (const [register, pieces] of loaded)
          if (register.kind === "slot") shadows[register.bank][register.slot * warp.lanes + lane] = heldOf(pieces);
      }
    },
  };
}
