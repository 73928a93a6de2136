import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hotOperations, loopModule, loopText, MODULE } from "../../../generate/loops.ts";
import type { AtomicLoop, CarryLoop, CompareLoop, ComputeLoop } from "../../../src/interp/javascript/loop.ts";
import type { Context } from "../../../src/interp/state/context.ts";
import { lower, lowerCarry } from "../../../src/numeric/lower/lowered.ts";
import { byReference } from "../../../src/numeric/lower/rule.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { textOf } from "../../../src/numeric/operation/text.ts";
import { isFloat, widthOf } from "../../../src/numeric/operation/type.ts";
import { agree } from "../../agree.ts";
import { draws } from "../../share.ts";
import { Random, randomBits, randomOperation } from "../numeric/random-operation.ts";
import { compiled, emptyWarp, FULL, get, inRegisters, LANES, put } from "./run-loop.ts";

const MASKS = [FULL, 0x0000_ffff, 0x8421_0f0f, 1];
const random = new Random(20);

const floats: Readonly<Record<string, readonly bigint[]>> = {
  f32: [
    0x0000_0000n, 0x8000_0000n, 0x0000_0001n, 0x8000_0001n, 0x007f_ffffn, 0x0080_0000n, 0x8080_0000n, 0x00ff_ffffn,
    0x3f80_0000n, 0xbf80_0000n, 0x3f80_0001n, 0x7f7f_ffffn, 0xff7f_ffffn, 0x7f80_0000n, 0xff80_0000n, 0x7fc0_0000n,
    0x7fa0_1234n, 0xffff_ffffn, 0x4f00_0000n, 0xcf00_0000n, 0x4f80_0000n, 0x5f00_0000n, 0xdf00_0000n, 0x5f80_0000n,
    0x1fff_ffffn, 0x2000_0000n, 0x3f00_0000n, 0xbf00_0000n, 0x4b80_0001n, 0x3300_0000n,
  ],
  f64: [
    0n, 1n << 63n, 1n, 0x000f_ffff_ffff_ffffn, 0x0010_0000_0000_0000n, 0x3ff0_0000_0000_0000n, 0xbff0_0000_0000_0000n,
    0x7fef_ffff_ffff_ffffn, 0x7ff0_0000_0000_0000n, 0xfff0_0000_0000_0000n, 0x7ff8_0000_0000_1234n,
    0x7ff0_0000_0000_0001n, 0x41df_ffff_ffc0_0000n, 0x41e0_0000_0000_0000n, 0xc1e0_0000_0000_0000n,
    0x43e0_0000_0000_0000n, 0xc3e0_0000_0000_0000n, 0x43f0_0000_0000_0000n, 0x3ca0_0000_0000_0000n,
    0x36a0_0000_0000_0000n, 0x47ef_ffff_f000_0000n, 0x3810_0000_0000_0000n, 0x380f_ffff_ffff_ffffn,
  ],
}; // biome-ignore format: by value

/** Bits for each operand: corners of its type, numbers near to each other, and whatever comes. */
function draw(operation: Operation): bigint[] {
  const bits = randomBits(operation, random);
  const near = random.below(3) === 0;
  return operation.takes.map(({ type }, at) => {
    const corners = floats[type];
    const width = widthOf(type);
    if (corners !== undefined && random.below(3) === 0) return random.one(corners);
    if (near && at > 0 && width === widthOf(operation.takes[0]!.type))
      return BigInt.asUintN(
        width,
        bits[0]! ^ BigInt(random.below(4)) ^ (random.below(4) === 0 ? 1n << BigInt(width - 1) : 0n),
      );
    // A float of a middling size: sums and products of these stay in range.
    if (isFloat(type) && random.below(2) === 0 && width > 16) {
      const [bias, place] = width === 32 ? [127, 23n] : [1023, 52n];
      const size = BigInt(bias - 30 + random.below(60)) << place;
      return (bits[at]! & ((1n << place) - 1n)) | size | (BigInt(random.below(2)) << BigInt(width - 1));
    }
    return bits[at]!;
  });
}

type Rows = readonly (readonly bigint[])[];
const rowsOf = (operation: Operation): Rows => Array.from({ length: LANES }, () => draw(operation));
const hex = (bits: readonly bigint[]): string => bits.map((x) => `0x${x.toString(16)}`).join(", ");

/** What the reference gives, as registers have it. */
const meaningOf = (operation: Operation): ((bits: readonly bigint[]) => bigint) => {
  const run = byReference(operation);
  return (bits) => BigInt(run(...bits.map((x, at) => (widthOf(operation.takes[at]!.type) > 32 ? x : Number(x)))));
};

/** Runs a loop of registers on random rows, with d apart from its operands and as one of them. */
function computeDifferences(operation: Operation, rounds: number): string[] {
  const made = loopText("compute", operation);
  if (made === undefined) return ["no loop"];
  const loop = compiled<ComputeLoop>(made);
  const meaning = meaningOf(operation);
  const wrong: string[] = [];
  const width = widthOf(operation.gives);
  for (let round = 0; round < rounds && wrong.length === 0; round++) {
    const rows = rowsOf(operation);
    const same = operation.takes.findIndex(({ type }) => widthOf(type) === width);
    const to = round % 2 === 1 && same >= 0 ? same + 1 : 0;
    const warp = emptyWarp();
    warp.active = MASKS[round % MASKS.length]!;
    rows.forEach((bits, lane) => {
      bits.forEach((x, at) => {
        put(warp, widthOf(operation.takes[at]!.type), at + 1, lane, x);
      });
    });
    const before = Array.from({ length: LANES }, (_, lane) => get(warp, width, to, lane));
    const [a = 0, b = 0, c = 0, e = 0] = operation.takes.map((_, at) => (at + 1) * LANES);
    loop(LANES, lower(operation), to * LANES, a, b, c, e)(warp);
    rows.forEach((bits, lane) => {
      const wanted = (warp.active >>> lane) & 1 ? meaning(bits) : before[lane]!;
      const got = get(warp, width, to, lane);
      if (got !== wanted) wrong.push(`${textOf(operation)} of ${hex(bits)}: ${hex([got])}, not ${hex([wanted])}`);
    });
  }
  return wrong.slice(0, 3);
}

const hot = hotOperations();
const of = (kind: string) => hot.filter((each) => each.kind === kind);

describe("the generated module", () => {
  it("is what the table's operations give", () => {
    expect(readFileSync(new URL(`../../../${MODULE}`, import.meta.url), "utf8")).toBe(loopModule());
  });

  it("has loops of every kind", () => {
    for (const kind of ["compute", "compare", "carry", "atomic"]) expect(of(kind).length, kind).toBeGreaterThan(5);
  });
});

describe("each loop of registers equals its operation", () => {
  it.each(of("compute").map(({ spelling, operation }) => [spelling, operation] as const))("%s", (_, operation) => {
    if (operation.takes.length > 2 && loopText("compute", operation) === undefined) return;
    expect(computeDifferences(operation, draws(4, 40))).toEqual([]);
  });
});

describe("random operations of integers", () => {
  it("have loops that equal the reference", () => {
    const wrong: string[] = [];
    let known = 0;
    for (let seed = 1; seed <= draws(300, 3000) && wrong.length < 4; seed++) {
      const operation = randomOperation(seed, { depth: 2 });
      if (!inRegisters(operation) || loopText("compute", operation) === undefined) continue;
      known++;
      wrong.push(...computeDifferences(operation, 2).map((line) => `${seed}: ${line}`));
    }
    expect(wrong).toEqual([]);
    expect(known).toBeGreaterThan(draws(30, 350));
  });
});

describe("each loop of comparisons equals its operation", () => {
  it.each(of("compare").map(({ spelling, operation }) => [spelling, operation] as const))("%s", (_, operation) => {
    const loop = compiled<CompareLoop>(loopText("compare", operation)!);
    const meaning = meaningOf(operation);
    for (let round = 0; round < draws(8, 40); round++) {
      const rows = rowsOf(operation);
      const warp = emptyWarp();
      rows.forEach((bits, lane) => {
        bits.forEach((x, at) => {
          put(warp, widthOf(operation.takes[at]!.type), at + 1, lane, x);
        });
      });
      const wanted = rows.reduce((mask, bits, lane) => mask | (Number(meaning(bits)) << lane), 0);
      agree(loop(LANES, LANES, 2 * LANES)(warp) >>> 0, wanted >>> 0, hex(rows.flat()));
    }
  });
});

describe("each loop with CC.CF equals its operation", () => {
  it.each(of("carry").map(({ spelling, operation }) => [spelling, operation] as const))("%s", (_, operation) => {
    const loop = compiled<CarryLoop>(loopText("carry", operation)!);
    const { arity, width } = lowerCarry(operation);
    const meaning = meaningOf(operation);
    const out = operation.result.into === "carry" && operation.result.out;
    const flagged = operation.takes.some(({ name }) => name === "CF");
    for (let round = 0; round < draws(8, 40); round++) {
      const rows = rowsOf(operation).map((bits) => bits.slice(0, arity));
      const warp = emptyWarp();
      warp.active = MASKS[round % MASKS.length]!;
      warp.carry = random.word();
      const carry = warp.carry;
      const to = round % 2;
      rows.forEach((bits, lane) => {
        bits.forEach((x, at) => {
          put(warp, width, at + 1, lane, x);
        });
      });
      loop(LANES, to * LANES, LANES, 2 * LANES, 3 * LANES)(warp);
      rows.forEach((bits, lane) => {
        const flag = BigInt((carry >>> lane) & 1);
        const sum = meaning(flagged ? [...bits, flag] : bits);
        const active = (warp.active >>> lane) & 1;
        if (active) agree(get(warp, width, to, lane), BigInt.asUintN(width, sum), hex(bits));
        const wanted = active && out ? sum >> BigInt(width) : flag;
        agree(BigInt((warp.carry >>> lane) & 1), wanted, hex(bits));
      });
    }
  });
});

describe("each loop on memory equals its operation", () => {
  it.each(of("atomic").map(({ spelling, operation }) => [spelling, operation] as const))("%s", (_, operation) => {
    const text = loopText("atomic", operation);
    if (text === undefined) return;
    const loop = compiled<AtomicLoop>(text);
    const width = widthOf(operation.gives);
    const meaning = meaningOf(operation);
    for (let round = 0; round < draws(6, 40); round++) {
      const rows = rowsOf(operation);
      const bytes = new ArrayBuffer(4096);
      const data = { u32: new Uint32Array(bytes), u64: new BigUint64Array(bytes), f32: new Float32Array(bytes) };
      const at = Float64Array.from({ length: LANES }, () => 8 * random.below(4));
      const context = { lanes: LANES, memory: { data }, scratch: { at } } as unknown as Context;
      const warp = emptyWarp();
      warp.active = MASKS[round % MASKS.length]!;
      rows.forEach((bits, lane) => {
        bits.slice(1).forEach((x, index) => {
          put(warp, width, index + 1, lane, x);
        });
      });
      const held = rows.slice(0, 4).map(([first]) => first!);
      held.forEach((x, cell) => {
        if (width === 64) data.u64[cell] = x;
        else data.u32[2 * cell] = Number(x);
      });
      const d = round % 2 === 0 ? 0 : -1;
      loop(context, lower(operation), d, LANES, 2 * LANES)(warp);
      rows.forEach(([, ...bits], lane) => {
        if (!((warp.active >>> lane) & 1)) return;
        const cell = at[lane]! / 8;
        if (d === 0) agree(get(warp, width, 0, lane), held[cell]);
        held[cell] = meaning([held[cell]!, ...bits]);
      });
      held.forEach((x, cell) => {
        agree(width === 64 ? data.u64[cell] : BigInt(data.u32[2 * cell]!), x);
      });
    }
  });
});
