import { type ComparedType, twoOfFour } from "../../../numeric/tensor/two-of-four.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step } from "../../state/warp.ts";

/** Writes numbers of so many bits side by side into words, the first one in the lowest bits. */
export function packFields(fields: ArrayLike<number>, bits: number, into: Uint32Array): void {
  into.fill(0);
  const per = 32 / bits;
  for (let at = 0; at < fields.length; at++) into[Math.floor(at / per)]! |= fields[at]! << ((at % per) * bits);
}

function unpackFields(words: Uint32Array, bits: number, into: Uint32Array): void {
  const [per, mask] = [32 / bits, 2 ** bits - 1];
  for (let at = 0; at < into.length; at++) into[at] = (words[Math.floor(at / per)]! >>> ((at % per) * bits)) & mask;
}

/** A vector of registers, by lane. */
function registersOf(operand: Operand | undefined, { lanes }: Context) {
  const slots = elements(operand).map((part) => (part.kind === "sink" ? undefined : slot(part).slot * lanes));
  const words = new Uint32Array(slots.length);
  return {
    words,
    read: (r: Uint32Array, lane: number): void => {
      for (const [at, from] of slots.entries()) words[at] = r[(from ?? 0) + lane]!;
    },
    write: (r: Uint32Array, lane: number): void => {
      for (const [at, to] of slots.entries()) if (to !== undefined) r[to + lane] = words[at]!;
    },
  };
}

/** The types that a descriptor names with elements of 8 and of 16 bits (PTX ISA, spcompress, table 38). */
const described: Readonly<Record<8 | 16, readonly ComparedType[]>> = {
  8: ["u8", "s8", "e5m2", "e4m3", "e3m2", "e2m3"],
  16: ["f16", "bf16"],
};

/** `mdata, cdata, data, spdesc`: spcompress. */
export function compress(
  { elementBits, indexBits }: PlanOf<"compress">,
  [m, c, d, descriptor]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes } = context;
  const [indices, kept, data] = [m, c, d].map((operand) => registersOf(operand, context));
  const from = slot(descriptor).slot * lanes;
  const values = new Uint32Array((32 / elementBits) * data!.words.length);
  const [chosen, places] = [new Uint32Array(values.length / 2), new Uint32Array(values.length / 2)];
  const choosers = new Map<number, ReturnType<typeof twoOfFour>>();
  const chooser = (bits: number, lane: number): ReturnType<typeof twoOfFour> => {
    const type = described[elementBits][(bits >>> 2) & 7];
    if (type === undefined || bits >>> 5 !== 0)
      throw new Fault(
        "PTX3064",
        lane,
        `has the descriptor 0x${bits.toString(16)}, ${bits >>> 5 !== 0 ? "whose bits from 5 on are not 0" : `whose type ${(bits >>> 2) & 7} has not ${elementBits} bits`}`,
      );
    const made = choosers.get(bits) ?? twoOfFour({ op: bits & 2 ? "min" : "max", abs: (bits & 1) === 1, type });
    choosers.set(bits, made);
    return made;
  };
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const choose = chooser(r[from + lane]!, lane);
      data!.read(r, lane);
      unpackFields(data!.words, elementBits, values);
      for (let at = 0; at < values.length; at += 4) {
        const pair = choose(values, at);
        for (const [which, place] of [pair & 3, pair >>> 2].entries()) {
          places[at / 2 + which] = place;
          chosen[at / 2 + which] = values[at + place]!;
        }
      }
      packFields(places, indexBits, indices!.words);
      packFields(chosen, elementBits, kept!.words);
      indices!.write(r, lane);
      kept!.write(r, lane);
    }
  };
}

/** `data, mdata, cdata`: spdecompress. */
export function decompress(
  { elementBits, indexBits, stored, of, num }: PlanOf<"decompress">,
  [d, m, c]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes } = context;
  const [data, indices, kept] = [d, m, c].map((operand) => registersOf(operand, context));
  const values = new Uint32Array(of * num);
  const [chosen, places] = [new Uint32Array(stored * num), new Uint32Array(stored * num)];
  return ({ r, active }) => {
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      indices!.read(r, lane);
      kept!.read(r, lane);
      unpackFields(indices!.words, indexBits, places);
      unpackFields(kept!.words, elementBits, chosen);
      values.fill(0);
      // An index that is too large names no place, so that its element is dropped.
      for (const [at, place] of places.entries())
        if (place < of) values[of * Math.floor(at / stored) + place] = chosen[at]!;
      packFields(values, elementBits, data!.words);
      data!.write(r, lane);
    }
  };
}
