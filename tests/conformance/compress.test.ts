import { describe, expect, it } from "vitest";
import { Random } from "../../src/interp/contract/launch/random.ts";
import { left, runKernel } from "./on-device.ts";

const words = (name: string, count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `${name}${at}`).join(", ")}}`;

/** Every value of a float of 8, 6 or 16 bits by its definition, -0 a little below 0; undefined for NaN. */
function numberOf(type: string, bits: number): number | undefined {
  if (type === "u8") return bits & 0xff;
  if (type === "s8") return ((bits & 0xff) ^ 0x80) - 0x80;
  const [e = 0, f = 0] =
    { f16: [5, 10], bf16: [8, 7], e5m2: [5, 2], e4m3: [4, 3], e3m2: [3, 2], e2m3: [2, 3] }[type] ?? [];
  const fraction = bits % 2 ** f;
  const exponent = Math.floor(bits / 2 ** f) % 2 ** e;
  const negative = Math.floor(bits / 2 ** (e + f)) % 2 === 1;
  const top = 2 ** e - 1;
  if (
    exponent === top &&
    (type === "e4m3" ? fraction === 7 : !type.startsWith("e3m2") && !type.startsWith("e2m3") && type !== "e4m3")
  )
    if (type === "e4m3" || fraction !== 0) return undefined;
    else return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const bias = 2 ** (e - 1) - 1;
  const size = exponent === 0 ? fraction * 2 ** (1 - bias - f) : (1 + fraction / 2 ** f) * 2 ** (exponent - bias);
  return negative ? (size === 0 ? -Number.MIN_VALUE : -size) : size;
}

/** The places of the two that are kept of four, the first of equals. */
function kept(type: string, op: number, four: readonly number[]): readonly number[] {
  const rank = four.map((bits, at) => {
    const value = numberOf(type, bits);
    if (value === undefined) return { at, worth: Number.POSITIVE_INFINITY };
    const plain = op % 2 === 1 ? (Math.abs(value) === Number.MIN_VALUE ? 0 : Math.abs(value)) : value;
    return { at, worth: op < 2 ? plain : -plain };
  });
  const sorted = rank.sort((x, y) => (x.worth === y.worth ? x.at - y.at : y.worth > x.worth ? 1 : -1));
  return sorted.slice(0, 2).map(({ at }) => at).sort((x, y) => x - y); // biome-ignore format: one thought
}

const types = { 8: ["u8", "s8", "e5m2", "e4m3", "e3m2", "e2m3"], 16: ["f16", "bf16"] } as const;
const cases = ([8, 16] as const).flatMap((bits) =>
  types[bits].flatMap((type, id) => [0, 1, 2, 3].map((op) => ({ bits, type, op, descriptor: op | (id << 2) }))),
);

describe("spcompress", () => {
  it.each(cases)(
    "keeps two of four .$type by operation $op, and spdecompress puts them back",
    ({ bits, type, op, descriptor }) => {
      const [num, random] = [8, new Random(descriptor + bits)];
      const data = Array.from({ length: 32 * 2 * num }, () => random.below(2 ** 32));
      // Some words repeat few bytes, among them zeros of both signs and NaN.
      for (let at = 0; at < data.length; at += 3)
        data[at] = [0x8000_0000, 0x7f80_8000, 0xff7f_0080, 0x7e01_fe01][random.below(4)]!;
      const indices = Math.ceil((num * 4) / bits);
      const body = `.reg .b32 d<${2 * num}>, e<${2 * num}>, c<${num}>, m<${indices}>; .reg .b64 p, o;
      mul.wide.u32 %wide, %me, ${8 * num}; add.u64 p, %in, %wide; mul.wide.u32 %wide, %me, ${4 * (indices + 3 * num)}; add.u64 o, %out, %wide;
      ${Array.from({ length: 2 * num }, (_, at) => `ld.global.b32 d${at}, [p+${4 * at}];`).join(" ")}
      spcompress.b${bits}.b4.sp::2:4.x${num} ${words("m", indices)}, ${words("c", num)}, ${words("d", 2 * num)}, ${descriptor};
      spdecompress.b${bits}.b4.sp::2:4.x${(num * 32) / bits / 2} ${words("e", 2 * num)}, ${words("m", indices)}, ${words("c", num)};
      ${[...Array.from({ length: indices }, (_, at) => `m${at}`), ...Array.from({ length: num }, (_, at) => `c${at}`), ...Array.from({ length: 2 * num }, (_, at) => `e${at}`)].map((name, at) => `st.global.b32 [o+${4 * at}], ${name};`).join(" ")}`;
      const size = indices + 3 * num;
      const got = left(body, 32 * size, { given: Uint32Array.from(data), launch: { block: 32 }, target: "sm_107a" });
      const wrong: string[] = [];
      for (let lane = 0; lane < 32; lane++) {
        const bit = (word: number, at: number, width: number): number => Math.floor(word / 2 ** at) % 2 ** width;
        const all = Array.from({ length: (2 * num * 32) / bits }, (_, at) =>
          bit(data[lane * 2 * num + Math.floor((at * bits) / 32)]!, (at * bits) % 32, bits),
        );
        for (let group = 0; group < all.length / 4; group++) {
          const four = all.slice(4 * group, 4 * group + 4);
          const places = kept(type, op, four);
          const at = (field: number, width: number, base: number): number =>
            bit(got[lane * size + base + Math.floor((field * width) / 32)]!, (field * width) % 32, width);
          const found = [0, 1].map((which) => at(2 * group + which, 4, 0));
          const values = [0, 1].map((which) => at(2 * group + which, bits, indices));
          const back = [0, 1, 2, 3].map((which) => at(4 * group + which, bits, indices + num));
          const wanted = [
            places,
            places.map((place) => four[place]!),
            four.map((each, place) => (places.includes(place) ? each : 0)),
          ];
          if (JSON.stringify([found, values, back]) !== JSON.stringify(wanted))
            wrong.push(
              `${four.map((each) => each.toString(16))}: ${JSON.stringify([found, values, back])}, not ${JSON.stringify(wanted)}`,
            );
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
    },
  );

  it("refuses a descriptor whose type has other bits", () => {
    const body = (descriptor: number) =>
      `.reg .b32 d<2>, c, m; mov.b32 d0, 0; mov.b32 d1, 0; spcompress.b16.b2.sp::2:4.x1 {m}, {c}, {d0, d1}, ${descriptor};`;
    for (const [descriptor, says] of [
      [2 << 2, "whose type 2 has not 16 bits"],
      [32, "whose bits from 5 on are not 0"],
    ] as const) {
      const { diagnostic } = runKernel(body(descriptor), 1, { target: "sm_107a" });
      expect([diagnostic?.code, diagnostic?.message]).toEqual(["PTX3064", expect.stringContaining(says)]);
    }
  });
});
