import { describe, expect, test } from "vitest";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { compute } from "../../../src/interp/javascript/bind-compute.ts";
import { conversions } from "../../../src/interp/javascript/hot-convert.ts";
import { longConversions } from "../../../src/interp/javascript/hot-convert-long.ts";
import { newWarp } from "../../../src/interp/schedule/cta-slot.ts";
import type { Warp, WarpShape } from "../../../src/interp/state/warp.ts";
import { type ConvertMode, convert, convertBoth, f32, f64, type NumberType } from "../../../src/numeric/index.ts";
import type { Op, Width } from "../../../src/numeric/op.ts";
import { adversary, sequence } from "../numeric/patterns.ts";

/** The operation of a name, by the reference or as programs get it. */
function operation(name: string, reference: boolean): Op {
  const [, from, to, rnd] = name.split(".") as [string, NumberType, string, ConvertMode["rnd"]];
  if (to.endsWith("x2")) return convertBoth(to.slice(0, -2) as "f16", { rnd, reference });
  return convert(from, to as NumberType, { rnd, reference });
}

const lanes = 32;
const shape: WarpShape = { lanes, p: 1, r: 4, q: 4, code: 1 };
function warp(): Warp {
  const made = newWarp(0, 0, new ArrayBuffer(4096), shape);
  return made;
}
const slot = (at: number, bits: Width): Operand & { kind: "slot" } => ({
  kind: "slot",
  bank: bits === 64 ? "q" : "r",
  slot: at,
  bits: bits as 16 | 32 | 64,
});

const random = sequence(3);
const near = [
  0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
  2 ** 53,
  -(2 ** 45),
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 32 - 1,
  2 ** 33,
  -2.5,
];
const view32 = new DataView(new ArrayBuffer(8));

/** A bit pattern of a register: any, one that adversaries choose, or a number around the limits of integers. */
function drawing(width: Width): () => number | bigint {
  if (width === 16) return () => random() & 0xffff;
  const code = adversary(width === 64 ? f64 : f32, 7);
  return () => {
    const value = near[random() % near.length]! * (random() & 1 ? 1 : 1 + (random() % 64) * 2 ** -24);
    const roll = random() % 3;
    if (width === 32) {
      view32.setFloat32(0, value);
      return roll === 0 ? random() : roll === 1 ? view32.getUint32(0) : Number(code());
    }
    view32.setFloat64(0, value);
    const any = (BigInt(random()) << 32n) | BigInt(random());
    // Long runs of zeros: integers that lie on, or beside, the middle of two floats.
    const few = BigInt.asUintN(64, (any >> BigInt(random() & 63)) << BigInt(random() & 63)) + BigInt(random() % 3);
    if (roll === 0) return random() & 1 ? any : BigInt.asUintN(64, random() & 1 ? few : -few);
    return roll === 1 ? view32.getBigUint64(0) : code();
  };
}

describe("each hot conversion equals the reference", () => {
  test.each([...conversions, ...longConversions])("%s", (name) => {
    const op = operation(name, false);
    expect(op.name).toBe(name);
    const run = operation(name, true).js as (...operands: (number | bigint)[]) => number | bigint;
    const step = compute(
      { shape: "compute", op },
      [slot(0, op.gives), ...op.takes.map((width, at) => slot(at + 1, width))],
      lanes,
    );
    const every = op.takes[0] === 16;
    const draws = op.takes.map(drawing);
    for (let round = 0; round < (every ? 2048 : 300); round++) {
      const made = warp();
      made.active = round % 3 === 0 ? random() : 0xffff_ffff;
      const rows = draws.map((draw, at) =>
        Array.from({ length: lanes }, (_, lane) => {
          const bits = every ? round * lanes + lane : draw();
          if (op.takes[at] === 64) made.q[(at + 1) * lanes + lane] = bits as bigint;
          else made.r[(at + 1) * lanes + lane] = bits as number;
          return bits;
        }),
      );
      if (every) made.active = 0xffff_ffff;
      step(made);
      const bank = op.gives === 64 ? made.q : made.r;
      const untouched = op.gives === 64 ? 0n : 0;
      const expected = Array.from({ length: lanes }, (_, lane) =>
        (made.active >>> lane) & 1 ? run(...rows.map((row) => row[lane]!)) : untouched,
      );
      expect([...bank.subarray(0, lanes)]).toEqual(expected);
    }
  });
});
