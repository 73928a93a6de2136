import type { Op, Width } from "./op.ts";

/**
 * What atom and red do beyond the arithmetic that other instructions have (PTX ISA 9.7.13.13): each takes what memory
 * holds, then the operands, and gives what memory holds afterwards.
 */

/** `exch`: b, whatever was there. */
export const exchange = (width: Width): Op => ({
  name: `exch.b${width}`,
  takes: [width, width],
  gives: width,
  js: width < 64 ? (_: number, b: number) => b : (_: bigint, b: bigint) => b,
});

/** `cas`: c where memory holds b, else what was there. */
export const compareAndSwap = (width: Width): Op => ({
  name: `cas.b${width}`,
  takes: [width, width, width],
  gives: width,
  js:
    width < 64
      ? (held: number, b: number, c: number) => (held === b ? c : held)
      : (held: bigint, b: bigint, c: bigint) => (held === b ? c : held),
});

/** `inc`: one more, and 0 behind b. */
export const increment: Op = {
  name: "inc.u32",
  takes: [32, 32],
  gives: 32,
  js: (held: number, b: number) => (held >= b ? 0 : held + 1),
};

/** `dec`: one less, and b behind 0 or from above b. */
export const decrement: Op = {
  name: "dec.u32",
  takes: [32, 32],
  gives: 32,
  js: (held: number, b: number) => (held === 0 || held > b ? b : held - 1),
};
