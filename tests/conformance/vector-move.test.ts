import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.ts";
import { sample } from "../share.ts";
import { left } from "./on-device.ts";

/** Registers whose vectors `mov.v2.type` takes, as ptxas 13.0 does (every pair of the two tried). */
const takes: Readonly<Record<string, readonly string[]>> = {
  b16: ["b16", "u16", "s16", "f16"],
  u16: ["b16", "u16", "s16"],
  s16: ["b16", "u16", "s16"],
  b32: ["b32", "u32", "s32", "f16x2", "f32"],
  u32: ["b32", "u32", "s32", "f16x2"],
  s32: ["b32", "u32", "s32", "f16x2"],
  f32: ["b32", "u32", "s32", "f32"],
  b64: ["b64", "u64", "s64", "f64"],
  u64: ["b64", "u64", "s64"],
  s64: ["b64", "u64", "s64"],
  f64: ["b64", "u64", "s64", "f64"],
};
const never = ["b8", "u8", "s8", "f16", "f16x2", "bf16", "b128", "pred"];
const registers = ["b16", "u16", "s16", "f16", "b32", "u32", "s32", "f16x2", "f32", "b64", "u64", "s64", "f64"];
const width = (type: string): number => (type === "f16x2" ? 32 : Number(type.slice(1)));

const list = (name: string, count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `${name}${at}`).join(", ")}}`;
const declared = (register: string, count: number): string =>
  `.reg .${register} a<${count}>, d<${count}>; .reg .v${count} .${register} V, W;`;

/** What stands on both sides. */
const sides = {
  "a vector to braces": (count: number) => `${list("d", count)}, V`,
  "braces to a vector": (count: number) => `W, ${list("a", count)}`,
  "a vector to a vector": () => "W, V",
  "braces to braces": (count: number) => `${list("d", count)}, ${list("a", count)}`,
} as const;
type Sides = keyof typeof sides;

const codes = (text: string): string[] =>
  lint(`.version 9.0\n.target sm_100a\n.address_size 64\n.entry k() { ${text} ret; }`)
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => code);

describe.each([2, 4])("mov.v%d", (count) => {
  it.each(sample(Object.keys(takes), 12))(".%s takes the registers that ptxas takes, and no others", (type) => {
    const fits = count * width(type) <= 128;
    const wrong = registers.flatMap((register) =>
      (Object.keys(sides) as Sides[]).flatMap((side) => {
        const found = codes(`${declared(register, count)} mov.v${count}.${type} ${sides[side](count)};`);
        const good = fits && takes[type]?.includes(register);
        return (found.length === 0) === good ? [] : [`${register}, ${side}: ${found.join(" ") || "taken"}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each(never)("has no .%s", (type) => {
    const register = type === "bf16" ? "b16" : type === "pred" ? "b32" : type;
    expect(
      codes(`.reg .${register} a<4>, d<4>; mov.v${count}.${type} ${sides["braces to braces"](count)};`),
    ).not.toEqual([]);
  });

  it.each(Object.entries(takes).flatMap(([type, all]) => all.map((register) => [type, register] as const)))(
    ".%s moves each element of .%s, all bits of it",
    (type, register) => {
      if (count * width(type) > 128) return;
      const bits = width(type);
      // An element is its number, with the top bit of its width.
      const wide = bits === 64 ? "b64" : "b32";
      const top = bits === 64 ? "0x8000000000000000" : `0x${(2 ** (bits - 1)).toString(16)}`;
      const give = (to: string, at: number): string =>
        bits === 16
          ? `{ .reg .b16 h; mov.b16 h, ${Number(top) + at}; mov.b16 ${to}, h; }`
          : `{ .reg .${wide} h; mov.${wide} h, ${top}; or.${wide} h, h, ${at}; mov.${wide} ${to}, h; }`;
      const take = (from: string, at: number): string =>
        bits === 16
          ? `{ .reg .b16 h; mov.b16 h, ${from}; st.global.b16 [%out+${8 * at}], h; }`
          : `st.global.${wide} [%out+${8 * at}], ${from};`;
      const every = (name: (at: number) => string, each: (name: string, at: number) => string): string =>
        Array.from({ length: count }, (_, at) => each(name(at), at)).join(" ");
      const [a, d] = [(at: number) => `a${at}`, (at: number) => `d${at}`];
      const [v, w] = [(at: number) => `V.${"xyzw"[at]}`, (at: number) => `W.${"xyzw"[at]}`];
      const from: Readonly<Record<Sides, (at: number) => string>> = {
        "a vector to braces": v,
        "braces to a vector": a,
        "a vector to a vector": v,
        "braces to braces": a,
      };
      const to: Readonly<Record<Sides, (at: number) => string>> = {
        "a vector to braces": d,
        "braces to a vector": w,
        "a vector to a vector": w,
        "braces to braces": d,
      };
      const high = bits === 64 ? 2 ** 31 : 0;
      const low = bits === 64 ? 0 : 2 ** (bits - 1);
      const expected = Array.from({ length: count }, (_, at) => [low + at + 1, high]).flat();
      for (const side of Object.keys(sides) as Sides[]) {
        const body = `{ ${declared(register, count)} ${every(from[side], (name, at) => give(name, at + 1))}
  mov.v${count}.${type} ${sides[side](count)}; ${every(to[side], take)} }`;
        expect([side, ...left(body, 2 * count)]).toEqual([side, ...expected]);
      }
    },
  );
});

describe("vectors of mov", () => {
  it("are read whole before anything is written", () => {
    const body = `.reg .v2 .b32 V; mov.b32 V.x, 1; mov.b32 V.y, 2; mov.v2.b32 {V.y, V.x}, V; st.global.v2.b32 [%out], V;`;
    expect(left(`{ ${body} }`, 2)).toEqual([2, 1]);
  });

  it("may leave elements out, and hold constants and special registers", () => {
    const body = `.reg .v4 .b32 V; .reg .b32 a, b; .reg .v2 .f32 F; .reg .v4 .u16 H; .reg .b64 q; .reg .f32 x;
  mov.v4.u32 V, {7, %tid.x, 0xffffffff, -2}; mov.v4.b32 {_, a, _, b}, V; st.global.v2.b32 [%out], {a, b};
  mov.v2.f32 F, {1.5, 0f40000000}; st.global.v2.f32 [%out+8], F;
  mov.v4.u16 H, %tid; mov.b64 q, H; st.global.b64 [%out+16], q;`;
    expect(left(`{ ${body} }`, 6)).toEqual([0, 0xffff_fffe, 0x3fc0_0000, 0x4000_0000, 0, 0]);
  });

  it("is written for the lanes that pass the guard alone", () => {
    const body = `.reg .v2 .b32 V; mov.v2.b32 V, {1, 2}; setp.eq.u32 %p0, %lane, 1; @%p0 mov.v2.b32 V, {3, 4};
  mul.wide.u32 %rd1, %lane, 8; add.u64 %rd1, %rd1, %out; st.global.v2.b32 [%rd1], V;`;
    expect(left(`{ ${body} }`, 6, { launch: { block: 3 } })).toEqual([1, 2, 3, 4, 1, 2]);
  });

  it.each([
    ["mov.v2.b32 W, X;", "PTX1307"],
    ["mov.v4.b32 X, V;", "PTX1307"],
    ["mov.v2.b32 {a}, V;", "PTX1307"],
    ["mov.v2.b32 {a, a, a}, V;", "PTX1307"],
    ["mov.v2.b32 {a, h}, V;", "PTX1302"],
    ["mov.v2.b32 {_, _}, V;", "PTX1305"],
    ["mov.v2.b32 _, V;", "PTX1305"],
    ["mov.v2.u32 V, {_, a};", "PTX1305"],
    ["mov.v2.b32 {a, 3}, V;", "PTX1304"],
    ["mov.v2.f32 F, {1, 2};", "PTX1303"],
    ["mov.v2.b32 V, {1.0, 1.0};", "PTX1303"],
    ["mov.v2.u32 V, %tid;", "PTX1307"],
    ["mov.v4.f32 X, %tid;", "PTX1306"],
    ["mov.v2.b32 q, V;", "PTX1307"],
    ["mov.v2.b32 V, -W;", "PTX1307"],
    ["mov.b32 V, W;", "PTX1307"],
    ["mov.v8.b32 {a, a, a, a, a, a, a, a}, {a, a, a, a, a, a, a, a};", "PTX1206"],
    // ptxas writes code for these two, and the manual does not say which.
    ["mov.v2.b32 V, 5;", "PTX1307"],
    ["mov.v2.b32 V, a;", "PTX1307"],
  ])("%s is %s", (text, code) => {
    const decl = ".reg .b32 a; .reg .b16 h; .reg .b64 q; .reg .v2 .b32 V, W; .reg .v4 .b32 X; .reg .v2 .f32 F;";
    expect(codes(`${decl} ${text}`)).toContain(code);
  });

  it("of old programs too", () => {
    const text = `.version 1.4\n.target sm_10\n.entry k() { .reg .v4 .f32 V; .reg .f32 a, b, c, d; mov.v4.f32 {a,b,c,d}, V; exit; }`;
    expect(lint(text).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});
