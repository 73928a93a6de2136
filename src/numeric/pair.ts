import type { Lane } from "./about.ts";
import type { Op, Width } from "./op.ts";

/**
 * The same on both halves of registers twice as wide: 16 bits in 32 (.f16x2, .bf16x2, .u16x2) or 32 bits in 64
 * (.f32x2). A half never sees its neighbour; a predicate is that of both.
 */
export function pair(op: Op): Op {
  return op.gives === 32 ? pair32(op) : pair16(op);
}

function pair16(op: Op): Op {
  const { name, takes, gives, js } = op;
  if (takes.some((width) => width !== 16 && width !== 1) || gives !== 16)
    throw new Error(`${name} is no operation on 16 bits`);
  const half = js as (a: number, b?: number, c?: number) => number;
  const join = (low: number, high: number): number => (low | (high << 16)) >>> 0;
  const about = { kind: "lanes", of: op, lanes: halves(op) } as const;
  const signature = { name: `${name}x2`, takes: takes.map(doubled), gives: 32 as const, about };
  if (takes[2] === 1)
    return {
      ...signature,
      js: (a: number, b: number, c: number) => join(half(a & 0xffff, b & 0xffff, c), half(a >>> 16, b >>> 16, c)),
    };
  switch (takes.length) {
    case 1:
      return { ...signature, js: (a: number) => join(half(a & 0xffff), half(a >>> 16)) };
    case 2:
      return {
        ...signature,
        js: (a: number, b: number) => join(half(a & 0xffff, b & 0xffff), half(a >>> 16, b >>> 16)),
      };
    default:
      return {
        ...signature,
        js: (a: number, b: number, c: number) =>
          join(half(a & 0xffff, b & 0xffff, c & 0xffff), half(a >>> 16, b >>> 16, c >>> 16)),
      };
  }
}

function pair32(op: Op): Op {
  const { name, takes, gives, js } = op;
  if (takes.some((width) => width !== gives)) throw new Error(`${name} is no operation on 32 bits`);
  const half = js as (a: number, b?: number, c?: number) => number;
  const low = (bits: bigint): number => Number(bits & 0xffff_ffffn);
  const high = (bits: bigint): number => Number(bits >> 32n);
  const join = (first: number, second: number): bigint => BigInt(first) | (BigInt(second) << 32n);
  const about = { kind: "lanes", of: op, lanes: halves(op) } as const;
  const signature = { name: `${name}x2`, takes: takes.map(() => 64 as const), gives: 64 as const, about };
  if (takes.length === 2)
    return {
      ...signature,
      js: (a: bigint, b: bigint) => join(half(low(a), low(b)), half(high(a), high(b))),
    };
  return {
    ...signature,
    js: (a: bigint, b: bigint, c: bigint) => join(half(low(a), low(b), low(c)), half(high(a), high(b), high(c))),
  };
}

/** The low half, then the high one; a predicate is the same in both. */
const halves = (op: Op): readonly [Lane, Lane] => [half(op, 0), half(op, 1)];

const half = ({ takes, gives }: Op, at: 0 | 1): Lane => ({
  takes: takes.map((bits, operand) => ({ operand, low: bits === 1 ? 0 : at * bits, bits })),
  low: gives === 1 ? 0 : at * gives,
  bits: gives,
});

const doubled = (width: Width): Width => (width === 1 ? 1 : 32);

/** An operation on 16 bits that looks at one half of each register. */
export function halfOf(op: Op, which: "low" | "high"): Op {
  const { name, takes, gives } = op;
  if (takes.some((width) => width !== 16)) throw new Error(`${name} is no operation on 16 bits`);
  const run = op.js as (a: number, b: number) => number;
  const about = { kind: "lanes", of: op, lanes: [half(op, which === "low" ? 0 : 1)] } as const;
  const signature = { name: `${name}.${which}`, takes: takes.map(doubled), gives, about };
  if (which === "low") return { ...signature, js: (a: number, b: number) => run(a & 0xffff, b & 0xffff) };
  return { ...signature, js: (a: number, b: number) => run(a >>> 16, b >>> 16) };
}
