import fc from "fast-check";
import { expect, test } from "vitest";
import { Device } from "../../../../src/host/index.ts";

const integers = ["ud", "d", "uw", "w", "ub", "b", "uq", "q"] as const;
const bytesIn = { ud: 4, d: 4, uw: 2, w: 2, ub: 1, b: 1, uq: 8, q: 8, f: 4 } as const;
type Type = keyof typeof bytesIn;

const isSigned = (type: Type): boolean => !type.startsWith("u");

function little(bits: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => Number((bits >> BigInt(8 * at)) & 0xffn));
}

/** One channel for each pair, through the text, on the machine; the results as bits. */
function add(
  types: readonly [Type, Type, Type],
  sat: boolean,
  pairs: readonly (readonly [bigint, bigint])[],
  cr0 = 0,
): bigint[] {
  const [d, a, b] = types;
  const text = `.version 3.8
.kernel "k"
.decl D v_type=G type=${d} num_elts=16
.decl A v_type=G type=${a} num_elts=16
.decl B v_type=G type=${b} num_elts=16
    add${sat ? ".sat" : ""} (M1, 16) D(0,0)<1> A(0,0)<16;16,1> B(0,0)<16;16,1>
`;
  const { value: module } = new Device().module(text);
  for (const [name, type, at] of [
    ["A", a, 0],
    ["B", b, 1],
  ] as const)
    module?.variable(name)?.write(Uint8Array.from(pairs.flatMap((pair) => little(pair[at], bytesIn[type]))));
  module?.variable("%cr0")?.write(Uint8Array.from(little(BigInt(cr0), 4)));
  expect(module?.kernel("k").value?.launch().value?.stop).toEqual({ reason: "exit" });
  const bytes = module?.variable("D")?.read() ?? new Uint8Array();
  const size = bytesIn[d];
  return pairs.map((_, at) =>
    bytes.subarray(at * size, (at + 1) * size).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  );
}

const type = fc.constantFrom<Type>(...integers);
const sixteen = fc.array(fc.tuple(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 64n - 1n)), {
  minLength: 16,
  maxLength: 16,
});

test("a sum of integers is the exact one, cut or clamped into the destination", () => {
  fc.assert(
    fc.property(type, type, type, fc.boolean(), sixteen, (d, a, b, sat, pairs) => {
      const number = (of: Type, bits: bigint): bigint =>
        isSigned(of) ? BigInt.asIntN(8 * bytesIn[of], bits) : BigInt.asUintN(8 * bytesIn[of], bits);
      const width = 8n * BigInt(bytesIn[d]);
      const least = isSigned(d) ? -(1n << (width - 1n)) : 0n;
      const greatest = isSigned(d) ? (1n << (width - 1n)) - 1n : (1n << width) - 1n;
      const wanted = pairs.map(([x, y]) => {
        const sum = number(a, x) + number(b, y);
        const kept = sat ? (sum < least ? least : sum > greatest ? greatest : sum) : sum;
        return BigInt.asUintN(Number(width), kept);
      });
      expect(add([d, a, b], sat, pairs)).toEqual(wanted);
    }),
    { numRuns: 150 },
  );
});

test("a sum of floats with denormals kept is the host's, and every NaN the quiet one", () => {
  const view = new DataView(new ArrayBuffer(4));
  const float = (bits: bigint): number => {
    view.setUint32(0, Number(bits));
    return view.getFloat32(0);
  };
  const bits = (value: number): bigint => {
    view.setFloat32(0, value);
    return Number.isNaN(value) ? 0x7fc0_0000n : BigInt(view.getUint32(0));
  };
  const word = fc.oneof(
    fc.bigInt(0n, 2n ** 32n - 1n),
    fc.bigInt(0x3f00_0000n, 0x4100_0000n),
    fc.bigInt(0n, 0x0100_0000n),
  );
  const pairs = fc.array(fc.tuple(word, word), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(pairs, (pairs) => {
      expect(add(["f", "f", "f"], false, pairs, 0x80)).toEqual(
        pairs.map(([a, b]) => bits(Math.fround(float(a) + float(b)))),
      );
    }),
    { numRuns: 100 },
  );
});
