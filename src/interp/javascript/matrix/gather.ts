import { type Fragment, positionsOf } from "../../contract/matrix/fragment.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { Warp } from "../../state/warp.ts";

/** The elements of a matrix, one a word; f64 has 64 bits a word. */
export type Words = Uint32Array | BigUint64Array;

export const wordsFor = (bits: number, count: number): Words =>
  bits === 64 ? new BigUint64Array(count) : new Uint32Array(count);

/** How a matrix lies in its words: A, C and D by rows, B by columns. */
export type Order = "rows" | "columns";

/** Which bits of its container an element has. */
export interface Container {
  readonly bits: number;
  readonly shift: number;
  readonly mask: number;
}

/**
 * How a fragment is copied between registers and the words of a matrix. `places` are the indices of the words,
 * register by register, lane by lane, from the low element on, in the order of the loops below.
 */
interface Traffic {
  readonly slots: readonly number[];
  readonly places: Int32Array;
  readonly each: number;
}

function trafficOf(fragment: Fragment, operand: Operand | undefined, order: Order, lanes: number): Traffic {
  const { registers, each, places } = placesIn(fragment, order);
  // Further registers are copies.
  const slots = elements(operand)
    .slice(0, registers)
    .map((item) => (item.kind === "sink" ? -1 : slot(item).slot * lanes));
  return { slots, places, each };
}

/** How many registers hold a matrix, elements of one, and the indices of their words, in the order of `Traffic`. */
export function placesIn(fragment: Fragment, order: Order): Omit<Traffic, "slots"> & { readonly registers: number } {
  const { rows, columns, bits, count, matrices } = fragment;
  // 1-bit elements are handled by words, so that a register is one element, and a row has a 32nd of the columns.
  const side = bits === 1 ? 32 : 1;
  const each = bits === 64 ? 1 : 32 / bits / side;
  const registers = Math.ceil((rows * columns * (matrices?.count ?? 1)) / (32 * each * side));
  const positions = positionsOf(fragment);
  const wide = order === "rows" ? columns / side : columns;
  const high = order === "rows" ? rows : rows / side;
  const places = new Int32Array(registers * 32 * each);
  let at = 0;
  for (let register = 0; register < registers; register++)
    for (let lane = 0; lane < 32; lane++)
      for (let e = 0; e < each; e++) {
        const position = positions[lane * count + (register * each + e) * side]!;
        const column = position % columns;
        const whole = Math.floor(position / columns);
        const [row, matrix] = [whole % rows, Math.floor(whole / rows)];
        const [y, x] = order === "rows" ? [row, Math.floor(column / side)] : [Math.floor(row / side), column];
        places[at++] = matrix * wide * high + (order === "rows" ? y * wide + x : x * high + y);
      }
  return { registers, places, each };
}

export type Gather = (warp: Warp) => void;

/** Reads a fragment's registers into the words of its matrix. */
export function gather(
  fragment: Fragment,
  operand: Operand | undefined,
  order: Order,
  lanes: number,
  into: Words,
  container: Container = plainOf(fragment),
): Gather {
  const { slots, places, each } = trafficOf(fragment, operand, order, lanes);
  if (into instanceof BigUint64Array)
    return ({ q }) => {
      let at = 0;
      for (const base of slots) for (let lane = 0; lane < 32; lane++) into[places[at++]!] = q[base + lane]!;
    };
  if (each === 1)
    return ({ r }) => {
      let at = 0;
      for (const base of slots) for (let lane = 0; lane < 32; lane++) into[places[at++]!] = r[base + lane]!;
    };
  if (each === 2)
    return ({ r }) => {
      let at = 0;
      for (const base of slots)
        for (let lane = 0; lane < 32; lane++) {
          const word = r[base + lane]!;
          into[places[at]!] = word & 0xffff;
          into[places[at + 1]!] = word >>> 16;
          at += 2;
        }
    };
  const { bits, shift, mask } = container;
  return ({ r }) => {
    let at = 0;
    for (const base of slots)
      for (let lane = 0; lane < 32; lane++) {
        let word = r[base + lane]! >>> shift;
        for (let e = 0; e < each; e++) {
          into[places[at++]!] = word & mask;
          word >>>= bits;
        }
      }
  };
}

const plainOf = ({ bits }: Fragment): Container => ({ bits, shift: 0, mask: bits >= 32 ? -1 : (1 << bits) - 1 });

/** Writes the words of a matrix to a fragment's registers. */
export function scatter(fragment: Fragment, operand: Operand | undefined, lanes: number, from: Words): Gather {
  const { slots, places, each } = trafficOf(fragment, operand, "rows", lanes);
  const width = 32 * each;
  if (from instanceof BigUint64Array)
    return ({ q }) => {
      slots.forEach((base, register) => {
        if (base >= 0) for (let lane = 0; lane < 32; lane++) q[base + lane] = from[places[register * width + lane]!]!;
      });
    };
  if (each === 1)
    return ({ r }) => {
      for (let register = 0; register < slots.length; register++) {
        const base = slots[register]!;
        if (base < 0) continue;
        let at = register * width;
        for (let lane = 0; lane < 32; lane++) r[base + lane] = from[places[at++]!]!;
      }
    };
  return ({ r }) => {
    for (let register = 0; register < slots.length; register++) {
      const base = slots[register]!;
      if (base < 0) continue;
      let at = register * width;
      for (let lane = 0; lane < 32; lane++) {
        r[base + lane] = from[places[at]!]! | (from[places[at + 1]!]! << 16);
        at += 2;
      }
    }
  };
}
