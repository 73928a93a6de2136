import { describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { platformNamed } from "../src/resolve/platform.ts";

/** Words that look drawn: the same in each run. */
function drawn(count: number, seed: number): Uint32Array {
  let state = seed;
  return Uint32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state ^ (state >>> 13)) >>> 0;
  });
}

/** Runs `dpas WORDS` on these registers, and gives what dst holds. */
function run(words: string, grf: 32 | 64, type: string, [c, b, a]: readonly Uint32Array[]): Uint32Array {
  const size = { hf: 2, bf: 2 }[type] ?? 4;
  const bytes = c!.byteLength;
  const text = `.version 4.2
.kernel "k"
.decl D v_type=G type=${type} num_elts=${bytes / size} align=GRF
.decl C v_type=G type=${type} num_elts=${bytes / size} align=GRF
.decl B v_type=G type=d num_elts=${b!.length} align=GRF
.decl A v_type=G type=ud num_elts=${a!.length} align=GRF
    dpas.${words} (M1, ${grf / 4}) D.0 C.0 B.0 A(0,0)
`;
  const { value: module, diagnostics } = new Device().module(text, {
    platform: platformNamed(grf === 64 ? "XE2" : "DG2")!,
  });
  expect(diagnostics).toEqual([]);
  for (const [name, data] of [
    ["C", c],
    ["B", b],
    ["A", a],
  ] as const)
    module?.variable(name)?.write(new Uint8Array(data!.buffer, data!.byteOffset, data!.byteLength));
  expect(module?.kernel("k").value?.launch().value?.stop).toEqual({ reason: "exit" });
  return new Uint32Array(Uint8Array.from(module?.variable("D")?.read() ?? []).buffer);
}

/** An element of `bits` bits of words that lie in a row. */
function element(words: Uint32Array, bits: number, at: number, signed: boolean): number {
  const value = Number(
    (BigInt(words[Math.floor((at * bits) / 32)]!) >> BigInt((at * bits) % 32)) & ((1n << BigInt(bits)) - 1n),
  );
  return signed && value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
}

describe("dpas", () => {
  it.each([
    ["s8.s8.8.8", 32],
    ["u8.s8.8.3", 64],
    ["s4.s8.8.8", 64],
    ["s8.u4.8.8", 32],
    ["u4.s4.8.8", 64],
    ["s2.u8.8.2", 64],
    ["s8.u2.8.8", 64],
    ["u2.s2.8.1", 32],
    ["s2.s4.8.7", 64],
  ] as const)(".%s multiplies integers exactly, in registers of %d bytes", (words, grf) => {
    const [first = "", second = "", , rows = ""] = words.split(".");
    const [bitsB, bitsA] = [Number(first.slice(1)), Number(second.slice(1))];
    const [columns, repeat] = [grf / 4, Number(rows)];
    const perStep = Math.max(bitsA, bitsB) === 8 ? 4 : 8;
    const depth = 8 * perStep;
    const c = drawn(repeat * columns, 1);
    const b = drawn(8 * columns, 2);
    const a = drawn(64, 3);
    // D = C + A x B: a row of A lies in a row; a column of B is a column of dwords.
    const expected = c.map((start, at) => {
      const [row, column] = [Math.floor(at / columns), at % columns];
      const own = Uint32Array.from({ length: 8 }, (_, register) => b[register * columns + column]!);
      let sum = start;
      for (let k = 0; k < depth; k++)
        sum +=
          element(a, bitsA, row * depth + k, second.startsWith("s")) * element(own, bitsB, k, first.startsWith("s"));
      return sum;
    });
    expect(run(words, grf, "d", [c, b, a])).toEqual(expected);
  });

  /** One row and two steps' worth of elements in the first column; all else is 0. */
  function oneRow(words: string, type: string, c: number, b: readonly number[], a: readonly number[]): number {
    const column = new Uint32Array(64);
    for (const [at, word] of b.entries()) column[at * 8] = word;
    const [sum = 0] = run(`${words}.8.1`, 32, type, [
      Uint32Array.of(c, 0, 0, 0, 0, 0, 0, 0),
      column,
      Uint32Array.from({ length: 8 }, (_, at) => a[at] ?? 0),
    ]);
    return sum;
  }

  it.each([
    // 2^24 + (1 + 2^-10): a sum that is rounded after each product would stay 2^24.
    ["hf.hf", "f", 0x4b80_0000, [0x1400_3c00], [0x3c00_3c00], 0x4b80_0001],
    // The same in two steps: each is rounded.
    ["hf.hf", "f", 0x4b80_0000, [0x3c00, 0x1400], [0x3c00, 0x3c00], 0x4b80_0000],
    // 1 + 2 * -2 + 3 * 1
    ["bf.bf", "f", 0x3f80_0000, [0x4040_4000], [0x3f80_c000], 0],
    // 3 * 2, whose low bits are no part of them.
    ["tf32.tf32", "f", 0, [0x4040_1fff], [0x4000_1fff], 0x40c0_0000],
    // A denormal times 2^14.
    ["hf.hf", "f", 0, [0x0001], [0x7400], 0x3a80_0000],
    // 1 + 2 * 3, and the element beside it stays.
    ["hf.hf", "hf", 0x4000_3c00, [0x4000], [0x4200], 0x4000_4700],
  ] as const)(".%s in %s: %d + %j * %j is %d", (words, type, c, b, a, expected) => {
    expect(oneRow(words, type, c, b, a)).toBe(expected);
  });
});
