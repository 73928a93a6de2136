import { afterAll, describe, expect, it } from "vitest";
import { answer } from "../conversation.ts";
import { World } from "../world.ts";

const world = new World();
afterAll(() => world.remove());

/** Registers of each kind; what their bits stand for is checked by hand below. */
const text = `.reg .u32 u; .reg .s32 s; .reg .b64 q; .reg .u64 w; .reg .f16 h; .reg .b16 g; .reg .f32 f; .reg .f64 d; .reg .pred p;
mov.u32 u, u; mov.s32 s, s; mov.b64 q, q; mov.u64 w, w; mov.b16 h, h; mov.b16 g, g; mov.f32 f, f; mov.f64 d, d; mov.pred p, p;`;
const registers = [
  "u=7", "s=-3", "q=0xffffffffffffffff", "w=0x8000000000000000", "h=0x3c00", "g=0x3f80", "f=0.1", "d=0.1", "p=1",
].flatMap((each) => ["-r", each]); // biome-ignore format: a list of values

const value = async (expression: string): Promise<string> => {
  const [line = ""] = await answer(world, ["-e", text, "-q", ...registers], `print ${expression}`);
  return line.replace(/^\$1 = /, "");
};

describe("integers", () => {
  it.each([
    ["1 + 2 * 3", "7 (0x7)"],
    ["(1 + 2) * 3", "9 (0x9)"],
    ["10 - 4 - 3", "3 (0x3)"],
    ["7 / 2", "3 (0x3)"],
    ["-7 / 2", "-3 (0xfffffffffffffffd)"],
    ["-7 % 3", "-1 (0xffffffffffffffff)"],
    ["7 %3", "1 (0x1)"],
    ["1 << 4 | 1", "17 (0x11)"],
    ["0xff & ~0xf", "240 (0xf0)"],
    ["6 ^ 3", "5 (0x5)"],
    ["-8 >> 1", "-4 (0xfffffffffffffffc)"],
    ["1 << 64", "0 (0x0)"],
    ["u - 8", "-1 (0xffffffffffffffff)"],
    ["s + u", "4 (0x4)"],
    ["s", "-3 (s32 0xfffffffd)"],
    ["s:u32", "4294967293 (u32 0xfffffffd)"],
    ["q + 1", "0 (0x0)"],
    ["w / 2", "4611686018427387904 (0x4000000000000000)"],
    ["w >> 63", "1 (0x1)"],
    ["w > 1", "true"],
    ["-1 < 1", "true"],
    ["s < 0", "true"],
    ["9223372036854775807 + 1", "-9223372036854775808 (0x8000000000000000)"],
    ["0b101", "5 (0x5)"],
    ["1_000", "1000 (0x3e8)"],
    ["+u", "7 (u32 0x00000007)"],
  ])("%s is %s", async (expression, expected) => expect(await value(expression)).toBe(expected));
});

describe("floats", () => {
  it.each([
    ["f", "0.1 (f32 0x3dcccccd)"],
    ["f == 0.1", "true"],
    ["d == 0.1", "true"],
    // The f32 nearest to 0.1 is another number than the f64.
    ["f == d", "false"],
    ["f > d", "true"],
    ["f + 1", "1.1 (f32 0x3f8ccccd)"],
    ["1 / 4.0", "0.25 (f64 0x3fd0000000000000)"],
    ["d + 0.2", "0.30000000000000004 (f64 0x3fd3333333333334)"],
    ["h + h", "2.0 (f16 0x4000)"],
    // 2048 and 1 lie half-way between two numbers of f16: to even.
    ["h * 2048 + 1", "2048.0 (f16 0x6800)"],
    // Neither of f16 and bf16 holds the other.
    ["h + g:bf16", "2.0 (f64 0x4000000000000000)"],
    ["-f", "-0.1 (f32 0xbdcccccd)"],
    ["5.5 % 2", "1.5 (f64 0x3ff8000000000000)"],
    ["1.0 / 0", "inf (f64 0x7ff0000000000000)"],
    ["nan == nan", "false"],
    ["nan != nan", "true"],
    ["-inf < f", "true"],
    ["0f3f800000", "1.0 (f32 0x3f800000)"],
    ["0d3ff0000000000000 * 3", "3.0 (f64 0x4008000000000000)"],
    ["f:u32", "1036831949 (u32 0x3dcccccd)"],
    ["u:f32", "1e-44 (f32 0x00000007)"],
    // Rounded once: by way of f64 it would be 0x3c00, half-way to even.
    ["h < 1.00048828125000001", "true"],
  ])("%s is %s", async (expression, expected) => expect(await value(expression)).toBe(expected));
});

describe("conditions", () => {
  it.each([
    ["p", "true"],
    ["!p", "false"],
    ["p && u == 7", "true"],
    ["p && u == 8", "false"],
    ["!p || s == -3", "true"],
    // What cannot matter is not looked at.
    ["!p && [global:0]:u32 == 1", "false"],
    ["p || [global:0]:u32 == 1", "true"],
    ["u > 6 ? 1 : 2", "1 (0x1)"],
    ["u > 7 ? 1 : u > 6 ? 2 : 3", "2 (0x2)"],
    ["1 == 1 == true", "true"],
    ["true", "true"],
    ["%laneid", "0 (u32 0x00000000)"],
    ["ntid.x", "1 (u32 0x00000001)"],
    ["%nctaid.y + %ctaid.z", "1 (0x1)"],
    ["%clock", "0 (u32 0x00000000)"],
    ["cc.cf", "false"],
    ["$step", "0 (0x0)"],
    ["$pc", "0 (0x0)"],
  ])("%s is %s", async (expression, expected) => expect(await value(expression)).toBe(expected));
});

describe("a register", () => {
  it("may go without its percent sign where nothing else has the name", async () => {
    const argv = ["-e", ".reg .b32 %n, n, %x; mov.u32 %n, 5; mov.u32 n, 6; mov.u32 %x, 7;", "-q"];
    const steps = "step 3";
    expect(await answer(world, argv, steps, "print %n")).toEqual(["$1 = 5 (b32 0x00000005)"]);
    expect(await answer(world, argv, steps, "print n")).toEqual(["$1 = 6 (b32 0x00000006)"]);
    expect(await answer(world, argv, steps, "print x")).toEqual(["$1 = 7 (b32 0x00000007)"]);
    expect((await answer(world, argv, steps, "print %tid.x"))[0]).toBe("$1 = 0 (u32 0x00000000)");
  });

  it("has a name that JavaScript knows otherwise", async () => {
    const argv = ["-e", "mov.u32 constructor, 1; mov.u32 __proto__, 2;", "-q"];
    expect(await answer(world, argv, "step 2", "print constructor + __proto__")).toEqual(["$1 = 3 (0x3)"]);
  });
});
