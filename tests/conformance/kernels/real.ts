import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { noise } from "../gallery/gpu.ts";

/** Formats by sign, exponent and fraction bits; of which exponents numbers are drawn, so that sums cancel and are cut. */
const formats = {
  f16: { bytes: 2, fraction: 10, low: 10, high: 17 },
  bf16: { bytes: 2, fraction: 7, low: 120, high: 131 },
  tf32: { bytes: 4, fraction: 23, low: 120, high: 131 },
  f32: { bytes: 4, fraction: 23, low: 118, high: 136 },
  e4m3: { bytes: 1, fraction: 3, low: 2, high: 10 },
  e5m2: { bytes: 1, fraction: 2, low: 10, high: 18 },
} as const;

export type RealKind = keyof typeof formats;

/** Codes of `count` numbers with any fraction, as `examples/tensor/expected/real.py` draws them. */
export function realCodes(count: number, kind: RealKind, seed: number): Uint8Array {
  const { bytes, fraction, low, high } = formats[kind];
  const out = new Uint8Array(count * bytes);
  const view = new DataView(out.buffer);
  noise(count, seed).forEach((word, i) => {
    const exponent = low + ((word >>> 24) % (high - low + 1));
    const code =
      ((word & 1) * 2 ** (bytes * 8 - 1) + exponent * 2 ** fraction + ((word >>> 1) & (2 ** fraction - 1))) >>> 0;
    if (bytes === 4) view.setUint32(i * 4, code, true);
    else if (bytes === 2) view.setUint16(i * 2, code, true);
    else out[i] = code;
  });
  return out;
}

interface Expected {
  /** Of all bytes of D. */
  readonly sha256: string;
  /** The first 64 bytes, in hexadecimal. */
  readonly first: string;
}
let all: Readonly<Record<string, Expected>> | undefined;

/** The targets that compute alike. */
const likes: Readonly<Record<number, number>> = { 86: 80, 121: 120 };

/** What the model says of a product on a target. */
export function real(name: string, sm: number) {
  all ??= JSON.parse(readFileSync(new URL("../../data/kernels/real.json", import.meta.url), "utf8"));
  const expected = all![`${name}.${likes[sm] ?? sm}`];
  if (!expected) throw new Error(`the model has no ${name} for sm_${sm}`);
  return {
    holds: (d: Uint8Array) => {
      expect(Buffer.from(d.subarray(0, 64)).toString("hex")).toBe(expected.first);
      expect(createHash("sha256").update(d).digest("hex")).toBe(expected.sha256);
    },
  };
}
